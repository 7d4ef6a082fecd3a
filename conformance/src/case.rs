//! The schema of a case, as `fixtures/README.md` documents it.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use wire_core::{Components, Edge, PackRoot, Payload, Symbol};

use crate::across::{Across, RawAcross, RawCall, RawDelta};
use crate::keyed::Keyed;
use crate::response::Response;
use crate::rows::Section;

/// A file of cases.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CaseFile {
    pub(crate) format: String,
    pub(crate) cases: Vec<RawCase>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawCase {
    name: String,
    rules: Vec<String>,
    #[serde(default, rename = "note")]
    _note: Option<String>,
    pub(crate) operation: Operation,
    #[serde(default)]
    options: Options,
    payload: Option<RawPayload>,
    payload_file: Option<String>,
    decoded: Option<RawPayload>,
    text: Option<String>,
    text_file: Option<String>,
    hex: Option<Vec<String>>,
    error: Option<ExpectedError>,
    report: Option<Value>,
    #[serde(default)]
    calls: Vec<RawCall>,
    #[serde(default)]
    texts: Vec<String>,
    delta: Option<RawDelta>,
    decoded_delta: Option<RawDelta>,
    base: Option<RawPayload>,
    root: Option<String>,
    #[serde(default)]
    known: Vec<RawPayload>,
    held: Option<String>,
    outcome: Option<String>,
    why: Option<String>,
    sections: Option<Vec<Section>>,
    decoded_sections: Option<Vec<Section>>,
    reencoded: Option<String>,
    keyed: Option<Keyed>,
    pub(crate) tool: Option<String>,
    #[serde(default, deserialize_with = "even_null")]
    pub(crate) json: Option<Value>,
    #[serde(default)]
    pub(crate) json_text: Option<String>,
    pub(crate) json_file: Option<String>,
    #[serde(default, deserialize_with = "even_null")]
    pub(crate) decoded_json: Option<Value>,
    #[serde(default)]
    pub(crate) left_out: Vec<String>,
}

/// A value that is there, `null` too.
fn even_null<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// What a case does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// The payload encodes to the text.
    Encode,
    /// The text decodes to the payload.
    Decode,
    /// Both.
    Roundtrip,
    /// The payload can't be encoded.
    Refuse,
    /// The text can't be decoded.
    Reject,
    /// The text decodes leniently, with a report.
    Lenient,
    /// The payload is found in the text, with a report.
    Recover,
    /// No payload is found in the text.
    Irrecoverable,
    /// Payloads are sent and read in a session.
    Session,
    /// The last text of a session can't be read.
    SessionReject,
    /// The delta encodes to the text, and back.
    Delta,
    /// The text decodes to the delta.
    DeltaDecode,
    /// The delta can't be encoded.
    DeltaRefuse,
    /// The text decodes to no delta.
    DeltaReject,
    /// The text is the delta between two payloads.
    Diff,
    /// There is no delta between two payloads.
    SendFull,
    /// The delta turns the base into the payload.
    Apply,
    /// The delta can't be applied to the base.
    ApplyReject,
    /// The payload has the root.
    Root,
    /// The payload has no root.
    RootRefuse,
    /// The text answers a request.
    Exchange,
    /// Sections of rows encode to the text, and back.
    Rows,
    /// The text decodes to sections of rows.
    RowsDecode,
    /// The sections can't be encoded.
    RowsRefuse,
    /// The text can't be decoded to sections.
    RowsReject,
    /// The JSON of a response encodes to the text, and back.
    Response,
    /// The text decodes to the JSON of a response.
    ResponseDecode,
    /// The JSON can't be encoded as a response.
    ResponseRefuse,
    /// The text decodes to no response.
    ResponseReject,
    /// The text decodes to a response that encodes to `reencoded`.
    ResponseRewrite,
    /// The set has the root and the text, and is read back.
    Set,
    /// The delta between two sets is the text, and turns the one into the other.
    SetDelta,
    /// The delta encodes to the text.
    SetWrite,
    /// The text turns the set into the next one.
    SetApply,
    /// The text can't be decoded, or not be applied to the set.
    SetReject,
    /// The set, the delta between two sets or the delta can't be encoded.
    SetRefuse,
    /// The texts are those of a session.
    SetSession,
}

impl Operation {
    /// Whether a case needs a payload, a text, and an error. Of some a text is there or not.
    fn needs(self, has_input: bool) -> (bool, bool, bool) {
        match self {
            Operation::Encode
            | Operation::Decode
            | Operation::Roundtrip
            | Operation::Lenient
            | Operation::Recover
            | Operation::Diff
            | Operation::Apply
            | Operation::Exchange => (true, true, false),
            Operation::Session | Operation::SetSession => (false, false, false),
            Operation::SessionReject
            | Operation::DeltaRefuse
            | Operation::RowsRefuse
            | Operation::ResponseRefuse
            | Operation::SetRefuse => (false, false, true),
            Operation::Delta
            | Operation::DeltaDecode
            | Operation::Rows
            | Operation::RowsDecode
            | Operation::Response
            | Operation::ResponseDecode
            | Operation::ResponseRewrite
            | Operation::SetDelta
            | Operation::SetWrite => (false, true, false),
            Operation::Set | Operation::SetApply => (false, has_input, false),
            Operation::SetReject => (false, has_input, true),
            Operation::SendFull | Operation::Root => (true, false, false),
            Operation::Refuse | Operation::RootRefuse => (true, false, true),
            Operation::Reject
            | Operation::Irrecoverable
            | Operation::DeltaReject
            | Operation::ApplyReject
            | Operation::RowsReject
            | Operation::ResponseReject => (false, true, true),
        }
    }

    fn is_about_sets(self) -> bool {
        matches!(
            self,
            Operation::Set
                | Operation::SetDelta
                | Operation::SetWrite
                | Operation::SetApply
                | Operation::SetReject
                | Operation::SetRefuse
                | Operation::SetSession
        )
    }

    /// Whether the case shows what is right rather than what is wrong.
    pub fn is_positive(self) -> bool {
        !matches!(
            self,
            Operation::Refuse
                | Operation::Reject
                | Operation::Irrecoverable
                | Operation::SessionReject
                | Operation::DeltaRefuse
                | Operation::DeltaReject
                | Operation::SendFull
                | Operation::ApplyReject
                | Operation::RootRefuse
                | Operation::RowsRefuse
                | Operation::RowsReject
                | Operation::ResponseRefuse
                | Operation::ResponseReject
                | Operation::SetReject
                | Operation::SetRefuse
        )
    }
}

/// Options of a case; `None` is the library's default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// The dialect to encode.
    pub dialect: Option<String>,
    /// What to write for white space in names.
    pub replace_white_space: Option<char>,
    /// `positional` or `labeled`: encode as a stream, with such counts in the trailer.
    pub stream: Option<String>,
    /// `required`: refuse input whose last line has no line ending.
    pub final_newline: Option<String>,
    /// `words`: read unknown enum bytes as words.
    pub unknown_ids: Option<String>,
    /// JSON, `pretty`: indent. GCX1, `only`: follow the layout of the tool where the response does not fit it.
    pub layout: Option<String>,
    /// The limit on lines and strings.
    pub line_bytes: Option<usize>,
    /// The limit on symbols and edges.
    pub items: Option<usize>,
    /// `identity` or `pack-root-v1`.
    pub root: Option<String>,
    /// `written`: deltas have the distances of added symbols.
    pub distances: Option<String>,
    /// The largest number of ids of a session.
    pub max_ids: Option<u32>,
    /// `written`: the typed form of a response.
    pub typed: Option<String>,
    /// The version of GOON to write.
    pub goon_version: Option<String>,
    /// `written`: texts that look like numbers are quoted.
    pub quote_numbers: Option<String>,
    /// The longest text of keys that hold long ones, in characters.
    pub long_text: Option<usize>,
    /// The longest text of other keys, in characters.
    pub other_text: Option<usize>,
    /// `off`: no text is cut.
    pub truncation: Option<String>,
    /// `dropped`: what the version has no place for is left out.
    pub unrepresentable: Option<String>,
    /// `written`: commas in the names of fields are escaped.
    pub escape_commas: Option<String>,
    /// The specification whose additions are written.
    pub spec: Option<String>,
    /// The field by which the rows stand in groups.
    pub group_field: Option<String>,
    /// The field that no two rows have alike, where they stand in groups.
    pub group_key: Option<String>,
    /// `off`: objects in rows are attached.
    pub flattening: Option<String>,
    /// `redeclared`: a session declares symbols again whose score or provenance changed.
    pub changed: Option<String>,
}

impl Options {
    /// The limits of the case.
    pub fn limits(&self) -> wire_core::Limits {
        let mut limits = wire_core::Limits::DEFAULT;
        if let Some(bytes) = self.line_bytes {
            limits = limits.with_line_bytes(bytes);
        }
        if let Some(items) = self.items {
            limits = limits.with_items(items);
        }
        limits
    }
}

/// The error that a case expects.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedError {
    /// The stable code; `None` in corpora that only say that there is an error.
    pub code: Option<String>,
    /// The line, from 1.
    pub line: Option<u64>,
    /// The column, from 1.
    pub column: Option<u64>,
    /// Bytes before the place.
    pub offset: Option<u64>,
}

/// A case, ready to run.
#[derive(Clone, Debug)]
pub struct Case {
    /// `path#name`, the path below the corpus.
    pub id: String,
    /// The format that it is about.
    pub format: String,
    /// The rules that it cites.
    pub rules: Vec<String>,
    /// What it does.
    pub operation: Operation,
    /// With which options.
    pub options: Options,
    /// The payload to encode, or to get.
    pub payload: Option<Payload<'static>>,
    /// The payload to get from decoding, when it is another one.
    pub decoded: Option<Payload<'static>>,
    /// The encoded payload.
    pub input: Option<Vec<u8>>,
    /// The error to get.
    pub error: Option<ExpectedError>,
    /// Members of the report to get.
    pub report: Option<Value>,
    /// What only cases about more than one text have.
    pub across: Across,
    /// Sections of rows to encode, or to get.
    pub sections: Option<Vec<Section>>,
    /// Sections to get from decoding, when they are others.
    pub decoded_sections: Option<Vec<Section>>,
    /// What the payload that was recovered encodes to.
    pub reencoded: Option<String>,
    /// What only cases about responses have.
    pub response: Response,
    /// What only cases about sets have.
    pub keyed: Option<Keyed>,
}

impl RawCase {
    /// The members that only cases about more than one text have.
    fn take_across(&mut self) -> RawAcross {
        RawAcross {
            calls: std::mem::take(&mut self.calls),
            texts: std::mem::take(&mut self.texts),
            delta: self.delta.take(),
            decoded_delta: self.decoded_delta.take(),
            base: self.base.take(),
            root: self.root.take(),
            known: std::mem::take(&mut self.known),
            held: self.held.take(),
            outcome: self.outcome.take(),
            why: self.why.take(),
        }
    }

    /// The case, with files read and hexadecimal decoded.
    pub(crate) fn resolve(mut self, format: &str, file: &str, root: &Path) -> Result<Case, String> {
        let across = self.take_across();
        let id = format!("{file}#{}", self.name);
        let wrong = |problem: &str| format!("{id}: {problem}");
        let snake = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if self.name.is_empty() || !self.name.chars().all(snake) {
            return Err(wrong("the name is not snake_case"));
        }
        if self.rules.is_empty() {
            return Err(wrong("it cites no rule"));
        }
        let response = Response::of(&mut self, root).map_err(|problem| wrong(&problem))?;
        let read = |path: &str| {
            std::fs::read(root.join(path)).map_err(|error| wrong(&format!("{path}: {error}")))
        };
        let payload = match (self.payload, self.payload_file) {
            (Some(_), Some(_)) => return Err(wrong("it has both payload and payload_file")),
            (Some(raw), None) => Some(raw.build().map_err(|problem| wrong(&problem))?),
            (None, Some(path)) => {
                let document: Value =
                    serde_json::from_slice(&read(&path)?).map_err(|e| wrong(&e.to_string()))?;
                Some(named_payload(&document).map_err(|problem| wrong(&problem))?)
            }
            (None, None) => None,
        };
        let input = match (self.text, self.text_file, self.hex) {
            (Some(text), None, None) => Some(text.into_bytes()),
            (None, Some(path), None) => Some(read(&path)?),
            (None, None, Some(lines)) => Some(unhex(&lines).map_err(|problem| wrong(&problem))?),
            (None, None, None) => None,
            _ => return Err(wrong("it has more than one of text, text_file and hex")),
        };
        let decoded =
            self.decoded.map(RawPayload::build).transpose().map_err(|problem| wrong(&problem))?;
        let (needs_payload, needs_input, needs_error) = self.operation.needs(input.is_some());
        for (what, needed, there) in [
            ("payload", needs_payload, payload.is_some()),
            ("text or hex", needs_input, input.is_some()),
            ("error", needs_error, self.error.is_some()),
        ] {
            if needed != there {
                let problem = if needed { "needs" } else { "has no use for" };
                return Err(wrong(&format!("{:?} {problem} {what}", self.operation)));
            }
        }
        let rows = matches!(
            self.operation,
            Operation::Rows | Operation::RowsDecode | Operation::RowsRefuse
        );
        if rows != self.sections.is_some() {
            return Err(wrong("sections are for cases about rows, which need them"));
        }
        if self.operation.is_about_sets() != self.keyed.is_some() {
            return Err(wrong("keyed is for cases about sets, which need it"));
        }
        if self.error.as_ref().is_some_and(|error| error.code.is_none()) {
            return Err(wrong("the error has no code"));
        }
        let across = across.build(self.operation).map_err(|problem| wrong(&problem))?;
        Ok(Case {
            id,
            format: format.to_owned(),
            rules: self.rules,
            operation: self.operation,
            options: self.options,
            payload,
            decoded,
            input,
            error: self.error,
            report: self.report,
            across,
            sections: self.sections,
            decoded_sections: self.decoded_sections,
            reencoded: self.reencoded,
            response,
            keyed: self.keyed,
        })
    }
}

/// A payload with edges by index and defaults for what is left out.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawPayload {
    #[serde(default)]
    tool: String,
    #[serde(default)]
    tokens_used: u64,
    #[serde(default)]
    token_budget: u64,
    pack_root: Option<String>,
    #[serde(default)]
    symbols: Vec<RawSymbol>,
    #[serde(default)]
    edges: Vec<RawEdge>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawSymbol {
    qualified_name: String,
    kind: String,
    #[serde(default)]
    score: Number,
    provenance: Option<String>,
    #[serde(default)]
    distance: u32,
    #[serde(default)]
    signature: String,
    #[serde(default)]
    components: RawComponents,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawComponents {
    blast_radius: Number,
    confidence: Number,
    recency: Number,
    distance: Number,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEdge {
    source: u32,
    target: u32,
    edge_type: String,
    #[serde(default)]
    status: String,
}

/// A number, or the name of what JSON has no number for.
#[derive(Clone, Copy, Debug, Default)]
struct Number(f64);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Number(f64),
            Name(String),
        }
        match Form::deserialize(deserializer)? {
            Form::Number(number) => Ok(Number(number)),
            Form::Name(name) => match &*name {
                "NaN" => Ok(Number(f64::NAN)),
                "Infinity" => Ok(Number(f64::INFINITY)),
                "-Infinity" => Ok(Number(f64::NEG_INFINITY)),
                _ => Err(serde::de::Error::custom(format!("{name:?} is no number"))),
            },
        }
    }
}

impl RawPayload {
    pub(crate) fn build(self) -> Result<Payload<'static>, String> {
        Ok(Payload {
            tool: self.tool.into(),
            tokens_used: self.tokens_used,
            token_budget: self.token_budget,
            pack_root: self
                .pack_root
                .map(PackRoot::new)
                .transpose()
                .map_err(|error| error.to_string())?,
            symbols: self.symbols.into_iter().map(RawSymbol::build).collect(),
            edges: self
                .edges
                .into_iter()
                .map(|edge| {
                    Edge::new(edge.source, edge.target, edge.edge_type).with_status(edge.status)
                })
                .collect(),
        })
    }
}

impl RawSymbol {
    pub(crate) fn build(self) -> Symbol<'static> {
        let symbol = Symbol::new(self.kind, self.qualified_name)
            .with_score(self.score.0)
            .with_distance(self.distance)
            .with_signature(self.signature)
            .with_components(Components {
                blast_radius: self.components.blast_radius.0,
                confidence: self.components.confidence.0,
                recency: self.components.recency.0,
                distance: self.components.distance.0,
            });
        match self.provenance {
            Some(provenance) => symbol.with_provenance(provenance),
            None => symbol,
        }
    }
}

/// A payload in the JSON form, whose edges are by name, turned into the form of cases. Not the
/// crates' own reader, so that the corpus does not lean on what it tests.
fn named_payload(document: &Value) -> Result<Payload<'static>, String> {
    let mut document = document.clone();
    let mut places = std::collections::BTreeMap::new();
    let symbols = document["symbols"].as_array().ok_or("it has no symbols")?;
    for (index, symbol) in symbols.iter().enumerate() {
        let name = symbol["qualified_name"].as_str().ok_or("a symbol has no qualified_name")?;
        if places.insert(name.to_owned(), index).is_some() {
            return Err(format!("two symbols are named {name:?}"));
        }
    }
    for edge in document["edges"].as_array_mut().into_iter().flatten() {
        for end in ["source", "target"] {
            let name = edge[end].as_str().ok_or("an edge has no name")?;
            let place = places.get(name).ok_or_else(|| format!("no symbol is named {name:?}"))?;
            edge[end] = Value::from(*place);
        }
    }
    serde_json::from_value::<RawPayload>(document).map_err(|error| error.to_string())?.build()
}

/// Lines of hexadecimal bytes with comments behind `;`.
fn unhex(lines: &[String]) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    for line in lines {
        let digits: String = line
            .split(';')
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .collect::<Vec<_>>()
            .concat();
        if !digits.len().is_multiple_of(2) || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(format!("{line:?} is not hexadecimal bytes"));
        }
        for pair in digits.as_bytes().chunks_exact(2) {
            let pair = std::str::from_utf8(pair).expect("because the digits are ASCII");
            bytes.push(u8::from_str_radix(pair, 16).expect("because the digits are hexadecimal"));
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_has_comments() {
        let lines = ["47 43 42 31 ; magic".to_owned(), String::new(), "0aFF".to_owned()];
        assert_eq!(unhex(&lines), Ok(vec![0x47, 0x43, 0x42, 0x31, 0x0a, 0xff]));
        assert!(unhex(&["4".to_owned()]).is_err());
        assert!(unhex(&["zz".to_owned()]).is_err());
    }

    #[test]
    fn a_case_must_have_what_its_operation_needs() {
        let resolve = |json: &str| {
            let raw: RawCase = serde_json::from_str(json).unwrap();
            raw.resolve("f", "f/x.json", Path::new(".")).map(|case| case.id)
        };
        assert_eq!(
            resolve(
                r#"{"name":"a","rules":["r"],"operation":"reject","text":"x","error":{"code":"c"}}"#
            ),
            Ok("f/x.json#a".to_owned())
        );
        for wrong in [
            r#"{"name":"a","rules":["r"],"operation":"reject","error":{"code":"c"}}"#,
            r#"{"name":"a","rules":["r"],"operation":"reject","text":"x"}"#,
            r#"{"name":"a","rules":["r"],"operation":"reject","text":"x","error":{}}"#,
            r#"{"name":"a","rules":[],"operation":"reject","text":"x","error":{"code":"c"}}"#,
            r#"{"name":"A b","rules":["r"],"operation":"reject","text":"x","error":{"code":"c"}}"#,
            r#"{"name":"a","rules":["r"],"operation":"decode","text":"x"}"#,
            r#"{"name":"a","rules":["r"],"operation":"encode","payload":{},"text":"x","error":{"code":"c"}}"#,
            r#"{"name":"a","rules":["r"],"operation":"encode","payload":{},"text":"x","hex":[]}"#,
            r#"{"name":"a","rules":["r"],"operation":"encode","payload":{},"text_file":"no/such/file"}"#,
        ] {
            assert!(resolve(wrong).is_err(), "{wrong}");
        }
        assert!(
            serde_json::from_str::<RawCase>(
                r#"{"name":"a","rules":[],"operation":"encode","typo":1}"#
            )
            .is_err()
        );
    }
}
