//! The content of an input, and its text in each format.

use goon::GraphResponse;
use wire_core::__private::json::Doubles;
use wire_core::{Codec, CodecError, Payload, Representation};
use wire_input::__private::value::{self, are_alike};
use wire_input::Minified;
use wire_registry::Registry;
use wire_registry::json::Json;

use crate::diagnostic::Remark;
use crate::document::{Document, JsonKind, Kind};
use crate::failure::Failure;
use crate::input::{Input, placed};
use crate::response::{ROWS, Written, has_no_layout};
use crate::source::{GCF, GCX, GOON, JSON, JSON_PRETTY, Source};
use crate::{graph, response};

/// The content of an input.
pub(crate) enum Held<'d> {
    /// Symbols and edges.
    Payload(Payload<'d>),
    /// A tool's response: the tool's name, its JSON, and, if its text has more than the JSON, a
    /// description of that.
    Response { tool: String, value: Minified, original: Option<String> },
    /// The response of a graph query.
    Query(GraphResponse),
    /// Any other value.
    Value(Minified),
}

/// The content in a format.
pub(crate) struct Form {
    pub(crate) format: &'static str,
    pub(crate) representation: Representation,
    /// Descriptions of what the format loses.
    pub(crate) losses: Vec<String>,
    /// A description of a loss that does not keep it from being chosen.
    pub(crate) allowed: Option<String>,
    /// The encoded text, or why there is none.
    pub(crate) bytes: Result<Vec<u8>, CodecError>,
}

impl Form {
    pub(crate) fn text(
        format: &'static str,
        losses: Vec<String>,
        text: Result<String, CodecError>,
    ) -> Self {
        let bytes = text.map(String::into_bytes);
        Form { format, representation: Representation::Text, losses, allowed: None, bytes }
    }

    /// The same with the decimals of a text of JSON, made from this input, as doubles: zeros may
    /// lose their signs (ruling A7).
    fn with_doubles(mut self, doubles: Doubles, json: &str, input: &Input) -> Self {
        self.losses.extend(rounded(doubles, json, input));
        let zeros = Doubles { negative_zeros: doubles.negative_zeros, ..Doubles::default() };
        self.allowed = value::losses(&zeros, None).pop();
        self
    }
}

impl<'d> Held<'d> {
    /// The content of a document, and the messages about what it lacks of the input. With `tool`,
    /// JSON is the response of that tool.
    pub(crate) fn read(
        document: Document<'d>,
        tool: Option<&str>,
    ) -> Result<(Self, Vec<Remark>), Failure> {
        let input = document.input;
        let refused = |error| input.refused(error);
        let held = match document.found.kind {
            Kind::Json(members) => match tool {
                Some(tool) => {
                    let (value, _) = Minified::read(Source::Json, &input.bytes).map_err(refused)?;
                    Held::Response { tool: tool.to_owned(), value, original: None }
                }
                None => Self::of_json(input, members.kind())?,
            },
            Kind::Value(source) => return Self::of_value(input, source),
            Kind::Generic | Kind::Message => return Self::of_value(input, Source::Generic),
            Kind::Response => {
                let (tool, value) = response::read(input).map_err(refused)?;
                // The text itself has what its JSON lacks.
                let original = response::lost_meta(&input.bytes);
                Held::Response { tool, value, original }
            }
            Kind::Goon | Kind::Payload | Kind::Delta | Kind::WrittenOnly(_) | Kind::Unknown => {
                if let Some(response) = document.query() {
                    return Ok((Held::Query(response.map_err(refused)?), Vec::new()));
                }
                let (payload, left_out) = document.payload()?;
                return Ok((
                    Held::Payload(payload),
                    left_out.into_iter().map(Remark::loss).collect(),
                ));
            }
        };
        Ok((held, Vec::new()))
    }

    fn of_value(input: &Input, source: Source) -> Result<(Self, Vec<Remark>), Failure> {
        let (value, warnings) =
            Minified::read(source, &input.bytes).map_err(|error| input.refused(error))?;
        let mut remarks: Vec<Remark> = warnings.into_iter().map(Remark::from).collect();
        if let Source::Csv(csv) = source {
            remarks.extend(value::typed_columns(&input.bytes, csv).map(Remark::from));
        }
        Ok((Held::Value(value), remarks))
    }

    fn of_json(input: &'d Input, kind: JsonKind) -> Result<Self, Failure> {
        let refused = |error| input.refused(error);
        // Both have doubles, so JSON with other decimals keeps them only as a value (ruling A7).
        let has_doubles =
            value::rounded(&input.bytes, |_| None).is_ok_and(|rounded| rounded.is_none());
        match kind {
            _ if !has_doubles => {}
            JsonKind::Payload => {
                return Json::compact().decode(&input.bytes).map(Held::Payload).map_err(refused);
            }
            JsonKind::Query => {
                let text = std::str::from_utf8(&input.bytes).unwrap_or_default();
                if let Ok(response) = GraphResponse::from_json_str(text) {
                    return Ok(Held::Query(response));
                }
            }
            JsonKind::PayloadWithMore
            | JsonKind::AlmostPayload
            | JsonKind::Other
            | JsonKind::Several => {}
        }
        // JSON that is almost one of these is treated as a value.
        let (value, _) = Minified::read(Source::Json, &input.bytes).map_err(refused)?;
        Ok(Held::Value(value))
    }

    /// The content in every format for its kind: minified JSON first, then pretty JSON.
    /// `input` is what it was read from.
    pub(crate) fn forms(&self, input: &Input, registry: &Registry) -> Vec<Form> {
        match self {
            Held::Payload(payload) => {
                registry.codecs().map(|codec| of_payload(payload, codec)).collect()
            }
            Held::Response { value, original: Some(lost), .. } => {
                let mut forms = of_value(value, input);
                for form in &mut forms {
                    form.losses.push(lost.clone());
                }
                let text = String::from_utf8_lossy(&input.bytes).into_owned();
                forms.push(Form::text(GCX, Vec::new(), Ok(text)));
                forms
            }
            Held::Response { tool, value, original: None } => {
                let mut forms = of_value(value, input);
                forms.push(of_response(tool, value, input));
                forms
            }
            Held::Query(response) => {
                let mut forms = of_value(&Minified::of(response.to_value().to_string()), input);
                let encoder = goon::Encoder::new().version(graph::lowest_version(response));
                forms.push(match graph::encode(&encoder, response, b"") {
                    Ok((text, losses)) => Form::text(GOON, losses, Ok(text)),
                    Err(error) => Form::text(GOON, Vec::new(), Err(error.into())),
                });
                forms
            }
            Held::Value(value) => {
                let mut forms = of_value(value, input);
                forms.extend(value.is_rows().then(|| of_rows(ROWS, value, input)));
                forms
            }
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
fn of_response(tool: &str, value: &Minified, input: &Input) -> Form {
    if has_no_layout(tool) && value.is_rows() {
        return of_rows(tool, value, input);
    }
    // Where plain cells lose something those with types don't.
    let written = match response::plain(tool, value) {
        Ok(written) if written.losses.is_empty() => Ok(written),
        _ => response::typed_rows(tool, value.text()),
    };
    of_written(written, value.text(), input)
}

/// The same of rows, of a tool without a layout.
fn of_rows(tool: &str, value: &Minified, input: &Input) -> Form {
    let json = value.text();
    // Without types a row has an empty cell for each member that it lacks, so rows that differ
    // would be as large as their number times that of all members, and lose something in any case.
    let plain = are_alike(json).then(|| response::plain_rows(tool, json));
    let written = match plain {
        Some(Ok(written)) if written.losses.is_empty() => Ok(written),
        _ => response::typed_rows(tool, json),
    };
    of_written(written, json, input)
}

/// A text of GCX and its losses.
fn of_written(written: Result<Written, gcx::Error>, json: &str, input: &Input) -> Form {
    match written {
        Ok(Written { text, losses, doubles }) => {
            Form::text(GCX, losses, Ok(text)).with_doubles(doubles, json, input)
        }
        Err(error) => Form::text(GCX, Vec::new(), Err(placed(&error.into(), None))),
    }
}

/// A description of the decimals of a text of JSON, made from this input, that doubles round.
pub(crate) fn rounded(doubles: Doubles, json: &str, input: &Input) -> Option<String> {
    let first = doubles.first_rounded.and_then(|at| input.position_in(json, at));
    value::losses(&Doubles { negative_zeros: 0, ..doubles }, first).pop()
}

/// Any value as JSON, and in the generic profile of GCF.
fn of_value(value: &Minified, input: &Input) -> Vec<Form> {
    let json = |form| Form::text(form, Vec::new(), value.in_form(form));
    let gcf = match value.generic() {
        Err(error) => Form::text(GCF, Vec::new(), Err(error)),
        Ok((text, doubles)) => {
            let back = value::decoder(text.as_bytes()).gcf_to_json(&text);
            let is_same = doubles.rounded > 0 || back.is_ok_and(|back| value.is_same(&back));
            let loss = (!is_same).then(|| "not every value decodes to an equal one".to_owned());
            let form = Form::text(GCF, loss.into_iter().collect(), Ok(text));
            form.with_doubles(doubles, value.text(), input)
        }
    };
    vec![json(JSON), json(JSON_PRETTY), gcf]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of each format is at most a stated multiple of the JSON, or it is not made.
    #[test]
    fn rows_without_common_members_are_not_squared() {
        let rows: Vec<String> =
            (0..3_000).map(|number| format!("{{\"member{number}\":{number}}}")).collect();
        let value = Minified::of(format!("[{}]", rows.join(",")));
        let json = value.text().len();
        let registry = crate::source::registry(gcf::graph::Encoder::new());
        let response = Held::Response {
            tool: "t".to_owned(),
            value: Minified::of(value.text().to_owned()),
            original: None,
        };
        let input = Input::of_raw(std::path::Path::new("-"), value.text().into()).unwrap();
        for held in [Held::Value(value), response] {
            for form in held.forms(&input, &registry) {
                match form.bytes {
                    Ok(text) => assert!(text.len() < 4 * json, "{}", form.format),
                    Err(error) => assert_eq!((form.format, error.code()), (GCF, "too_large")),
                }
            }
        }
        // A small text is measured, whatever its multiple.
        for (few, gcf) in [(100, true), (150, true), (600, false)] {
            let value = Minified::of(format!("[{}]", rows[..few].join(",")));
            assert_eq!(value.generic().is_ok(), gcf, "{few}");
        }
    }
}
