//! The content of an input, and its text in each format, with what that loses.

use goon::GraphResponse;
use wire_core::json::Doubles;
use wire_core::{Codec, CodecError, Payload, Position, Representation};
use wire_registry::json::Json;
use wire_registry::{FORMS, Registry};

use crate::minified::{Minified, placed};
use crate::response::{ROWS, Written, has_no_layout};
use crate::source::{GCF, GCX, GOON, JSON, JSON_PRETTY};
use crate::value::{self, are_alike};
use crate::{graph, response};

/// The position in the input of an offset in a text that was made from it; `None` if the user can't
/// see it.
pub type PlaceIn<'p> = dyn Fn(&str, usize) -> Option<Position> + Sync + 'p;

/// The content of an input.
#[derive(Debug)]
pub enum Held<'d> {
    /// Symbols and edges.
    Payload(Payload<'d>),
    /// A tool's response.
    Response {
        /// The name of the tool.
        tool: String,
        /// Its JSON.
        value: Minified,
        /// A description of what its text has beside the JSON, if there is anything.
        original: Option<String>,
    },
    /// The response of a graph query.
    Query(GraphResponse),
    /// Any other value.
    Value(Minified),
}

impl Held<'_> {
    /// Returns `true` if programs choose this form unless their user names others (ruling X17): of a
    /// payload and of a response with a layout each one, of other values those of [`FORMS`].
    pub fn is_candidate(&self, form: &str) -> bool {
        match self {
            Held::Payload(_) => true,
            Held::Response { tool, .. } if !has_no_layout(tool) => true,
            _ => FORMS.contains(&form),
        }
    }

    /// The value as JSON, and a description of what that lacks.
    pub(crate) fn into_value(self) -> Result<(Minified, Option<String>), CodecError> {
        let value = match self {
            Held::Payload(payload) => {
                let mut json = Vec::new();
                Json::compact().encode(&payload, &mut json)?;
                let json = String::from_utf8(json).expect("because JSON is text");
                Minified::of(json.trim_end().to_owned())
            }
            Held::Response { value, original, .. } => return Ok((value, original)),
            Held::Query(response) => Minified::of(response.to_value().to_string()),
            Held::Value(value) => value,
        };
        Ok((value, None))
    }
}

/// The content in a format.
#[derive(Debug)]
pub struct Form {
    /// The name of the format.
    pub format: &'static str,
    /// Text or bytes.
    pub representation: Representation,
    /// Descriptions of what the format loses.
    pub losses: Vec<String>,
    /// A description of a loss that does not keep it from being chosen.
    pub allowed: Option<String>,
    /// The encoded text, or why there is none.
    pub bytes: Result<Vec<u8>, CodecError>,
}

impl Form {
    /// A text in a format, or why there is none.
    pub fn text(
        format: &'static str,
        losses: Vec<String>,
        text: Result<String, CodecError>,
    ) -> Self {
        let bytes = text.map(String::into_bytes);
        Form { format, representation: Representation::Text, losses, allowed: None, bytes }
    }

    /// The same with the decimals of a text of JSON, made from this input, as doubles: zeros may
    /// lose their signs (ruling A7).
    fn with_doubles(mut self, doubles: Doubles, json: &str, place: &PlaceIn<'_>) -> Self {
        self.losses.extend(rounded(doubles, json, place));
        let zeros = Doubles { negative_zeros: doubles.negative_zeros, ..Doubles::default() };
        self.allowed = value::losses(&zeros, None).pop();
        self
    }
}

impl Held<'_> {
    /// The content in every format for its kind: minified JSON first, then pretty JSON.
    /// `input` is what it was read from.
    pub fn forms(&self, input: &[u8], registry: &Registry, place: &PlaceIn<'_>) -> Vec<Form> {
        match self {
            Held::Payload(payload) => {
                registry.codecs().map(|codec| of_payload(payload, codec)).collect()
            }
            Held::Response { value, original: Some(lost), .. } => {
                let mut forms = of_value(value, place);
                for form in &mut forms {
                    form.losses.push(lost.clone());
                }
                let text = String::from_utf8_lossy(input).into_owned();
                forms.push(Form::text(GCX, Vec::new(), Ok(text)));
                forms
            }
            Held::Response { tool, value, original: None } => {
                let mut forms = of_value(value, place);
                forms.push(of_response(tool, value, place));
                forms
            }
            Held::Query(response) => {
                let mut forms = of_value(&Minified::of(response.to_value().to_string()), place);
                let encoder = goon::Encoder::new().version(graph::lowest_version(response));
                forms.push(match graph::encode(&encoder, response, b"") {
                    Ok((text, losses)) => Form::text(GOON, losses, Ok(text)),
                    Err(error) => Form::text(GOON, Vec::new(), Err(error.into())),
                });
                forms
            }
            Held::Value(value) => value.forms(place),
        }
    }
}

fn of_payload(payload: &Payload<'_>, codec: &dyn Codec) -> Form {
    let info = codec.info();
    let mut bytes = Vec::new();
    let (losses, bytes) = match codec.encode_with_report(payload, &mut bytes) {
        Ok(report) => (report.losses.in_words(), Ok(bytes)),
        Err(error) => (Vec::new(), Err(error)),
    };
    let representation = info.representation();
    Form { format: info.name(), representation, losses, allowed: None, bytes }
}

/// The response of a tool as GCX.
fn of_response(tool: &str, value: &Minified, place: &PlaceIn<'_>) -> Form {
    if has_no_layout(tool) && value.is_rows() {
        return of_rows(tool, value, place);
    }
    // Where plain cells lose something those with types don't.
    let written = match response::plain(tool, value) {
        Ok(written) if written.losses.is_empty() => Ok(written),
        _ => response::typed_rows(tool, value.text()),
    };
    of_written(written, value.text(), place)
}

/// The same of rows, of a tool without a layout.
fn of_rows(tool: &str, value: &Minified, place: &PlaceIn<'_>) -> Form {
    let json = value.text();
    // Without types a row has an empty cell for each member that it lacks, so rows that differ
    // would be as large as their number times that of all members, and lose something in any case.
    let plain = are_alike(json).then(|| response::plain_rows(tool, json));
    let written = match plain {
        Some(Ok(written)) if written.losses.is_empty() => Ok(written),
        _ => response::typed_rows(tool, json),
    };
    of_written(written, json, place)
}

/// A text of GCX and its losses.
fn of_written(written: Result<Written, gcx::Error>, json: &str, place: &PlaceIn<'_>) -> Form {
    match written {
        Ok(Written { text, losses, doubles }) => {
            Form::text(GCX, losses, Ok(text)).with_doubles(doubles, json, place)
        }
        Err(error) => Form::text(GCX, Vec::new(), Err(placed(&error.into(), None))),
    }
}

/// A description of the decimals of a text of JSON, made from this input, that doubles round.
pub fn rounded(doubles: Doubles, json: &str, place: &PlaceIn<'_>) -> Option<String> {
    let first = doubles.first_rounded.and_then(|at| place(json, at));
    value::losses(&Doubles { negative_zeros: 0, ..doubles }, first).pop()
}

impl Minified {
    /// The value in every format for values: minified JSON first, then pretty JSON.
    pub fn forms(&self, place: &PlaceIn<'_>) -> Vec<Form> {
        let mut forms = of_value(self, place);
        forms.extend(self.is_rows().then(|| of_rows(ROWS, self, place)));
        forms
    }
}

/// Any value as JSON, and in the generic profile of GCF.
fn of_value(value: &Minified, place: &PlaceIn<'_>) -> Vec<Form> {
    let json = |form| Form::text(form, Vec::new(), value.in_form(form));
    let gcf = match value.generic() {
        Err(error) => Form::text(GCF, Vec::new(), Err(error)),
        Ok((text, doubles)) => {
            let back = value::decoder(text.as_bytes()).gcf_to_json(&text);
            let is_same = doubles.rounded > 0 || back.is_ok_and(|back| value.is_same(&back));
            let loss = (!is_same).then(|| "not every value decodes to an equal one".to_owned());
            let form = Form::text(GCF, loss.into_iter().collect(), Ok(text));
            form.with_doubles(doubles, value.text(), place)
        }
    };
    vec![json(JSON), json(JSON_PRETTY), gcf]
}
