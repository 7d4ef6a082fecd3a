//! What an input holds, whatever it is written in, and the texts that it has in each format.

use gcx::json::Exact;
use goon::GraphResponse;
use serde_json::Value;
use wire_core::text::shown;
use wire_core::value::Unambiguous;
use wire_core::{Codec, CodecError, Payload, Representation};
use wire_registry::Registry;

use crate::converted::Remark;
use crate::failure::Failure;
use crate::input::Input;
use crate::value::{Shape, Source};
use crate::{graph, members, response, value};

/// What an input holds.
pub(crate) enum Document<'i> {
    /// Symbols and edges.
    Payload(Payload<'i>),
    /// What a tool answered: the tool's name, its JSON, and the text that it was in if that has more than the JSON, and what.
    Response { tool: String, value: Exact, original: Option<(String, &'i Input)> },
    /// What a graph query answered.
    Query(GraphResponse),
    /// Any other value.
    Value(Exact),
}

/// A document in a format.
pub(crate) struct Form {
    pub(crate) format: &'static str,
    pub(crate) representation: Representation,
    /// What the format loses of it, in words.
    pub(crate) losses: Vec<String>,
    /// The encoded document, or why there is none.
    pub(crate) bytes: Result<Vec<u8>, CodecError>,
}

impl Form {
    fn text(format: &'static str, losses: Vec<String>, text: Result<String, CodecError>) -> Self {
        let bytes = text.map(String::into_bytes);
        Form { format, representation: Representation::Text, losses, bytes }
    }
}

impl<'i> Document<'i> {
    /// Reads an input: of the format that was named, or that it shows. JSON is the response of `tool` where that is given. Gives
    /// what has to be said of what the input has and the document has not, too.
    pub(crate) fn read(
        input: &'i Input,
        from: Option<&str>,
        tool: Option<&str>,
        registry: &Registry,
    ) -> Result<(Self, Vec<Remark>), Failure> {
        let source = Source::of(from, input, registry);
        match source {
            Some(Source::Json) => Ok((Self::of_json(input, tool, registry)?, Vec::new())),
            Some(source) => {
                let (value, warnings) = value::read_exact(source, &input.bytes)
                    .map_err(|error| input.refused(error))?;
                Ok((Document::Value(value), warnings.into_iter().map(Into::into).collect()))
            }
            None => {
                let codec = input.codec(from, registry)?;
                let left_out = members::left_out(codec, &input.bytes).map(Remark::loss);
                Ok((Self::of_codec(input, codec)?, left_out.into_iter().collect()))
            }
        }
    }

    fn of_json(input: &'i Input, tool: Option<&str>, registry: &Registry) -> Result<Self, Failure> {
        let refused = |error| input.refused(error);
        if let Some(tool) = tool {
            let value = response::parse(&input.bytes).map_err(refused)?;
            return Ok(Document::Response { tool: tool.to_owned(), value, original: None });
        }
        // What is almost one of these is taken for what it is besides: a value.
        if graph::is_response(&input.bytes)
            && let Ok(text) = std::str::from_utf8(&input.bytes)
            && let Ok(response) = GraphResponse::from_json(text)
        {
            return Ok(Document::Query(response));
        }
        match value::shape(&input.bytes) {
            Shape::Payload if members::unknown(&input.bytes).is_none() => {
                let json = registry.get(response::JSON).expect("because it is built in");
                json.decode(&input.bytes).map(Document::Payload).map_err(refused)
            }
            _ => response::parse(&input.bytes).map(Document::Value).map_err(refused),
        }
    }

    fn of_codec(input: &'i Input, codec: &dyn Codec) -> Result<Self, Failure> {
        let refused = |error| input.refused(error);
        if response::is_response(codec, input) {
            let (tool, value) = response::read(input).map_err(refused)?;
            // The text itself holds what its JSON does not.
            let original = response::lost_meta(input).map(|lost| (lost, input));
            return Ok(Document::Response { tool, value, original });
        }
        if let Some(response) = graph::response(codec, input) {
            return response.map(Document::Query).map_err(refused);
        }
        codec.decode(&input.bytes).map(Document::Payload).map_err(refused)
    }

    /// The document in every format that there is for what it is; minified JSON first, then pretty JSON.
    pub(crate) fn forms(&self, registry: &Registry) -> Vec<Form> {
        match self {
            Document::Payload(payload) => {
                registry.codecs().map(|codec| of_payload(payload, codec)).collect()
            }
            Document::Response { value, original: Some((lost, input)), .. } => {
                let mut forms = of_value(value);
                for form in &mut forms {
                    form.losses.push(lost.clone());
                }
                let text = String::from_utf8_lossy(&input.bytes).into_owned();
                forms.push(Form::text(response::GCX, Vec::new(), Ok(text)));
                forms
            }
            Document::Response { tool, value, original: None } => {
                let mut forms = of_value(value);
                let plain = response::encode(tool, value, response::Form::LAYOUT);
                // Where plain cells lose something those with types don't.
                let text = match plain {
                    Ok((text, losses)) if losses.is_empty() => Ok(text),
                    _ => response::encode(tool, value, response::Form::TYPED).map(|(text, _)| text),
                };
                forms.push(Form::text(response::GCX, Vec::new(), text.map_err(CodecError::from)));
                forms
            }
            Document::Query(response) => {
                let mut forms = of_value(&response.to_value().into());
                let encoder = goon::Encoder::new();
                let text = encoder.to_string(response).map_err(CodecError::from);
                let losses = match &text {
                    Ok(text) => {
                        graph::losses(&encoder, response, text, goon::EncodeReport::default())
                    }
                    Err(_) => Vec::new(),
                };
                forms.push(Form::text(graph::GOON, losses, text));
                forms
            }
            Document::Value(value) => of_value(value),
        }
    }
}

fn of_payload(payload: &Payload<'_>, codec: &dyn Codec) -> Form {
    let info = codec.info();
    let mut bytes = Vec::new();
    let encoded = codec.encode(payload, &mut bytes);
    Form {
        format: info.name(),
        representation: info.representation(),
        losses: info.fidelity().report(payload).in_words(),
        bytes: encoded.map(|()| bytes),
    }
}

/// Any value as JSON, and in the generic profile of GCF.
fn of_value(value: &Exact) -> Vec<Form> {
    let json = |form| Form::text(form, Vec::new(), Ok(response::json_text(value, form)));
    // Whatever double the digits are written as: GCF has integers of 64 bits.
    let held = value.clone().into_value_with(Err);
    let gcf = match &held {
        Ok(value) => gcf::generic::to_string(value).map_err(CodecError::from),
        Err(digits) => {
            let message = format!("the integer is {}, expected one of 64 bits", shown(digits));
            Err(CodecError::new("out_of_range", None, message))
        }
    };
    // Numbers that its decoder reads as others are a loss.
    let losses = match (&gcf, &held) {
        (Ok(text), Ok(value)) => {
            match value::decoder(text.as_bytes()).from_str::<Unambiguous>(text) {
                Ok(Unambiguous(back)) if same(&back, value) => Vec::new(),
                _ => vec!["not all comes back as it was".to_owned()],
            }
        }
        _ => Vec::new(),
    };
    vec![json(response::JSON), json(response::JSON_PRETTY), Form::text(value::GCF, losses, gcf)]
}

/// Whether two values are the same to a reader of JSON, to whom 1.0 is 1.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || (one.is_f64() != other.is_f64() && one.as_f64() == other.as_f64())
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let same_member = |(key, value): (&String, &Value)| {
                other.get(key).is_some_and(|other| same(value, other))
            };
            one.len() == other.len() && one.iter().all(same_member)
        }
        (one, other) => one == other,
    }
}
