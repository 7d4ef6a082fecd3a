//! The format and kind of an input: by its name and first bytes, and of JSON by its members.

mod members;

use std::fmt;

use gcf::Content;
use gcf::graph::Dialect;
use goon::GraphResponse;
use wire_core::text::escaped;
use wire_core::{Codec, CodecError, Directions, Payload, Position, Representation};
use wire_registry::Registry;
use wire_registry::json::Json;
use wire_registry::xml::Xml;

pub(crate) use self::members::of_payload;
pub use self::members::{JsonKind, Members};
use crate::forms::Held;
use crate::minified::Minified;
use crate::response;
use crate::source::{GCF, GCX, GOON, JSON, JSON_PRETTY, Source};
use crate::value;
use crate::warning::Warning;

/// The first word of GCF, and the field of its header that says that it is the generic profile.
const TAG: &str = "GCF";
const PROFILE: &str = "profile=generic";

/// An input with its format and kind.
#[derive(Clone)]
pub struct Document<'d> {
    /// The input itself.
    pub bytes: &'d [u8],
    /// Its kind.
    pub kind: Kind,
    /// The codec that reads it as a payload; `None` for formats without payloads.
    pub codec: Option<&'d dyn Codec>,
}

/// The kind of an input, by its header or members.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Symbols and edges, or what their codec refuses.
    Payload,
    /// GCF with the changes of a payload.
    Delta,
    /// GCX that a tool answered.
    Response,
    /// GOON that a query answered, or a payload as such an answer: [`Document::query`] tells, by
    /// all of it.
    Goon,
    /// JSON: its members tell which of these it is, or that it is any other value.
    Json(Members),
    /// A value in another source: JSON lines, YAML, TOML, CSV, TSV.
    Value(Source),
    /// A value in GCF's generic profile.
    Generic,
    /// A set of rows with a key, or the changes of one, in GCF's generic profile.
    Message,
    /// A format that is written and not read.
    WrittenOnly(&'static str),
    /// The kind can't be detected.
    Unknown,
}

impl<'d> Document<'d> {
    /// Finds out what an input is: of the format `from` if that is named, or what its first bytes
    /// tell, or else the extension of its name.
    pub fn detect(
        bytes: &'d [u8],
        extension: Option<&str>,
        from: Option<&str>,
        registry: &'d Registry,
    ) -> Self {
        let json = || registry.get(JSON).ok();
        let (kind, codec) = match Written::of(bytes, extension, from, registry) {
            Written::In(Source::JsonLines) => (Kind::Value(Source::of_values(bytes)), None),
            Written::By(codec) => (Kind::of(codec.info().name(), bytes), Some(codec)),
            Written::In(Source::Json) => (Kind::of(JSON, bytes), json()),
            Written::In(source) => (Kind::Value(source), None),
            Written::Only(name) => (Kind::WrittenOnly(name), None),
            Written::Unknown => (Kind::Unknown, None),
        };
        match kind {
            // Unless it is named, JSON is one value or several.
            Kind::Json(members) if members.kind() == JsonKind::Several && from.is_none() => {
                Document { bytes, kind: Kind::Value(Source::of_values(bytes)), codec: None }
            }
            kind => Document { bytes, kind, codec },
        }
    }

    /// JSON with its members.
    pub fn of_json(bytes: &'d [u8], members: Members, registry: &'d Registry) -> Self {
        Document { bytes, kind: Kind::Json(members), codec: registry.get(JSON).ok() }
    }

    /// The name of its format; `None` if the format is not known.
    pub fn format(&self) -> Option<&'static str> {
        match (self.codec, &self.kind) {
            (Some(codec), _) => Some(codec.info().name()),
            (None, Kind::Value(source)) => Some(source.name()),
            (None, Kind::WrittenOnly(name)) => Some(name),
            (None, _) => None,
        }
    }

    /// The same for text; `None` for binary formats.
    pub fn text_format(&self) -> Option<&'static str> {
        let is_text = |codec: &dyn Codec| codec.info().representation() == Representation::Text;
        self.format().filter(|_| self.codec.is_none_or(is_text))
    }

    /// What is in it, in the words of the formats; `None` if its format is not known, or only
    /// written.
    pub fn content(&self) -> Option<&'static str> {
        Some(match &self.kind {
            Kind::Json(members) => match members.kind() {
                JsonKind::Payload | JsonKind::PayloadWithMore => "payload",
                JsonKind::Query => "query response",
                JsonKind::AlmostPayload | JsonKind::Several | JsonKind::Other => "value",
            },
            Kind::Goon if self.query().is_some() => "query response",
            Kind::Payload | Kind::Goon => "payload",
            Kind::Delta => "delta",
            Kind::Response => "tool response",
            Kind::Value(_) | Kind::Generic => "value",
            Kind::Message => "keyed set",
            Kind::WrittenOnly(_) | Kind::Unknown => return None,
        })
    }

    /// Its value as JSON, and the warnings.
    ///
    /// # Errors
    ///
    /// What is wrong with the input, with its position if it has one. `unknown_input_format` if
    /// nothing shows its format, `encode_only` if that is only written.
    pub fn read(&self) -> Result<(Minified, Vec<Warning>), CodecError> {
        if let Some(source) = self.source() {
            return Minified::read(source, self.bytes);
        }
        let (held, mut warnings) = self.held(None, |_| None)?;
        let (value, lost) = held.into_value()?;
        warnings.extend(lost.map(Warning::loss));
        Ok((value, warnings))
    }

    /// Its content, and the warnings. With `tool`, JSON is the response of
    /// that tool. `place` is the position of an offset, if the user can see it.
    ///
    /// # Errors
    ///
    /// As [`Document::read`].
    pub fn held(
        &self,
        tool: Option<&str>,
        place: impl Fn(usize) -> Option<Position>,
    ) -> Result<(Held<'d>, Vec<Warning>), CodecError> {
        let held = match &self.kind {
            Kind::Json(members) => match tool {
                Some(tool) => {
                    let (value, _) = Minified::read(Source::Json, self.bytes)?;
                    Held::Response { tool: tool.to_owned(), value, original: None }
                }
                None => self.held_in_json(members.kind())?,
            },
            Kind::Value(_) | Kind::Generic | Kind::Message => {
                let (value, warnings) = self.read()?;
                let types = match self.kind {
                    #[cfg(feature = "csv")]
                    Kind::Value(Source::Csv(csv)) => value::typed_columns(self.bytes, csv),
                    _ => None,
                };
                return Ok((Held::Value(value), warnings.into_iter().chain(types).collect()));
            }
            Kind::Response => {
                let (tool, value) = response::read(self.bytes)?;
                // The text itself has what its JSON lacks.
                Held::Response { tool, value, original: response::lost_meta(self.bytes) }
            }
            Kind::Goon | Kind::Payload | Kind::Delta | Kind::WrittenOnly(_) | Kind::Unknown => {
                if let Some(response) = self.query() {
                    return Ok((Held::Query(response?), Vec::new()));
                }
                let (payload, left_out) = self.payload(self.codec()?, place)?;
                let losses = left_out.into_iter().map(Warning::loss).collect();
                return Ok((Held::Payload(payload), losses));
            }
        };
        Ok((held, Vec::new()))
    }

    fn held_in_json(&self, kind: JsonKind) -> Result<Held<'d>, CodecError> {
        // Both have doubles, so JSON with other decimals keeps them only as a value (ruling A7).
        let has_doubles =
            value::rounded(self.bytes, |_| None).is_ok_and(|rounded| rounded.is_none());
        match kind {
            _ if !has_doubles => {}
            JsonKind::Payload => return Json::compact().decode(self.bytes).map(Held::Payload),
            JsonKind::Query => {
                let text = std::str::from_utf8(self.bytes).unwrap_or_default();
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
        let (value, _) = Minified::read(Source::Json, self.bytes)?;
        Ok(Held::Value(value))
    }

    /// The dialect of a text of GCF's graph profile; `None` for any other input.
    pub fn dialect(&self) -> Option<Dialect> {
        match self.kind {
            Kind::Payload | Kind::Delta if self.codec?.info().name() == GCF => {
                gcf::inspect(std::str::from_utf8(self.bytes).ok()?).ok()?.dialect
            }
            _ => None,
        }
    }

    /// The codec of payloads that reads it.
    ///
    /// # Errors
    ///
    /// `encode_only` if its format is only written, `unknown_input_format` if nothing shows it.
    pub fn codec(&self) -> Result<&'d dyn Codec, CodecError> {
        self.codec.ok_or_else(|| match self.kind {
            Kind::WrittenOnly(name) => {
                let message =
                    format!("{name} can be written but not read, expected another format");
                CodecError::new("encode_only", None, message)
            }
            _ => {
                let message = "neither the first bytes nor the extension show the format, expected the name of one";
                CodecError::new("unknown_input_format", None, message)
            }
        })
    }

    /// Its format, if that is JSON or not a format of payloads.
    pub fn source(&self) -> Option<Source> {
        match self.kind {
            Kind::Json(_) => Some(Source::Json),
            Kind::Value(source) => Some(source),
            Kind::Generic | Kind::Message => Some(Source::Generic),
            _ => None,
        }
    }

    /// The kind of JSON that it is; `None` if it is not JSON.
    pub fn json(&self) -> Option<JsonKind> {
        match &self.kind {
            Kind::Json(members) => Some(members.kind()),
            _ => None,
        }
    }

    /// For JSON, descriptions of what its payload loses: members that a payload does not have, and
    /// digits of decimals, which are doubles in it (ruling A7). `place` is the position of an
    /// offset, if the user can see it.
    ///
    /// # Errors
    ///
    /// The text is not JSON.
    pub fn lost(
        &self,
        place: impl Fn(usize) -> Option<Position>,
    ) -> Result<Vec<String>, CodecError> {
        let Kind::Json(members) = &self.kind else { return Ok(Vec::new()) };
        let rounded = value::rounded(self.bytes, place)?;
        Ok(members.left_out().into_iter().chain(rounded).collect())
    }

    /// Its payload by its codec, and descriptions of what a payload can't represent. `place` is the
    /// position of an offset, if the user can see it.
    ///
    /// # Errors
    ///
    /// What the codec refuses.
    pub fn payload(
        &self,
        codec: &dyn Codec,
        place: impl Fn(usize) -> Option<Position>,
    ) -> Result<(Payload<'d>, Vec<String>), CodecError> {
        if codec.info().name() == XML {
            let (payload, skipped) = Xml.decode_reporting(self.bytes)?;
            let list = escaped(&skipped.join(", "));
            let left_out = (!skipped.is_empty()).then(|| {
                format!("attributes that do not belong to a payload are left out: {list}")
            });
            return Ok((payload, left_out.into_iter().collect()));
        }
        // Before the decoder, which has another error for a decimal beyond doubles.
        let lost = self.lost(place)?;
        Ok((codec.decode(self.bytes)?, lost))
    }

    /// For GOON that is not a payload, the response of a query, or its error.
    pub fn query(&self) -> Option<Result<GraphResponse, CodecError>> {
        if !matches!(self.kind, Kind::Goon) {
            return None;
        }
        match goon::from_slice(self.bytes) {
            Ok(response) if goon::Goon::is_payload(&response) => None,
            outcome => Some(outcome.map_err(CodecError::from)),
        }
    }
}

impl fmt::Debug for Document<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document")
            .field("format", &self.format())
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}

const XML: &str = "xml";

/// The format of an input.
enum Written<'r> {
    By(&'r dyn Codec),
    In(Source),
    Only(&'static str),
    Unknown,
}

impl<'r> Written<'r> {
    fn of(
        bytes: &[u8],
        extension: Option<&str>,
        from: Option<&str>,
        registry: &'r Registry,
    ) -> Self {
        if let Some(name) = from {
            if let Some(source) = Source::named(name) {
                return Written::In(source);
            }
            return match registry.get(&name.to_ascii_lowercase()) {
                Ok(codec) if codec.info().directions() == Directions::EncodeOnly => {
                    Written::Only(codec.info().name())
                }
                Ok(codec) => Written::By(codec),
                Err(_) => Written::Unknown,
            };
        }
        let is_json = |codec: &dyn Codec| matches!(codec.info().name(), JSON | JSON_PRETTY);
        match registry.detect(bytes) {
            Some(codec) if !is_json(codec) => return Written::By(codec),
            _ => {}
        }
        let extension = extension.unwrap_or_default();
        let source = match Source::named(extension) {
            None if extension.eq_ignore_ascii_case(JSON) => Some(Source::Json),
            // Of package managers some write JSON, and some TOML.
            None if extension.eq_ignore_ascii_case("lock") && value::is_toml(bytes) => {
                Source::named("toml")
            }
            None => Source::of_first_line(bytes),
            named => named,
        };
        match (source, registry.by_extension(extension)) {
            (Some(source), _) => Written::In(source),
            (None, Some(codec)) => Written::By(codec),
            (None, None) => Written::Unknown,
        }
    }
}

impl Kind {
    /// The kind of an input in a format.
    fn of(format: &str, bytes: &[u8]) -> Self {
        match format {
            JSON | JSON_PRETTY => Kind::Json(Members::of(bytes)),
            GCF => Kind::of_gcf(bytes),
            GCX => {
                let header = std::str::from_utf8(bytes)
                    .map(|text| gcx::SliceReader::new(text).next_section());
                match header {
                    Ok(Ok(Some(header))) if !gcx::Gcx::is_payload(&header) => Kind::Response,
                    _ => Kind::Payload,
                }
            }
            GOON => Kind::Goon,
            _ => Kind::Payload,
        }
    }

    /// Detects the kind from the header alone: the decoder reads the rest, which may be long.
    fn of_gcf(bytes: &[u8]) -> Self {
        let header = bytes.split_inclusive(|&byte| byte == b'\n').next().unwrap_or_default();
        let header = String::from_utf8_lossy(header);
        let content = gcf::inspect(&header).map(|found| found.content);
        match content {
            Ok(Content::Delta) => Kind::Delta,
            Ok(Content::Message) => Kind::Message,
            Ok(Content::Value) => Kind::Generic,
            // A header with something wrong in it still says which profile it is meant for.
            Err(_) if is_meant_generic(&header) => Kind::Generic,
            _ => Kind::Payload,
        }
    }
}

fn is_meant_generic(header: &str) -> bool {
    let fields = header.strip_prefix(TAG).and_then(|rest| rest.strip_prefix(' '));
    fields.is_some_and(|fields| fields.split_ascii_whitespace().any(|field| field == PROFILE))
}

/// Which profile of GCF a model's answer has a text of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The graph profile, or no header.
    Payload,
    /// The generic profile, without a header of the graph profile before it.
    Value,
}

impl Answer {
    /// The kind of a model's answer, by its first header.
    pub fn detect(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let behind = text.match_indices(TAG).map(|(at, tag)| &text[at + tag.len()..]);
        let mut fields = behind.filter_map(|behind| behind.strip_prefix(' '));
        let header = fields.find(|fields| is_of_fields(fields.as_bytes()));
        // If there is no header, a mention of this one shows what was meant.
        let is_value = match header {
            Some(fields) => fields.starts_with(PROFILE),
            None => text.contains(&format!("{TAG} {PROFILE}")),
        };
        if is_value { Answer::Value } else { Answer::Payload }
    }
}

/// Returns `true` if the rest of a line consists of `key=value` fields. It is read field by field
/// up to the first other word, so that a long line of headers takes linear time.
fn is_of_fields(mut rest: &[u8]) -> bool {
    loop {
        let is_end = |byte: &u8| matches!(byte, b' ' | b'\n');
        let end = rest.iter().position(is_end).unwrap_or(rest.len());
        if !rest[..end].contains(&b'=') {
            return false;
        }
        if rest.get(end) != Some(&b' ') {
            return true;
        }
        rest = &rest[end + 1..];
    }
}
