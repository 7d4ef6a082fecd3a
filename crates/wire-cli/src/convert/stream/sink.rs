//! Where the values of a stream go: rows or items of GCF, an array of JSON, or JSON lines.

use gcf::generic::Writer;
use serde::Serialize;
use wire_core::__private::json::{Json, Layout};
use wire_core::CodecError;

use crate::args::StreamForm;
use crate::source::{GCF, JSON_LINES, JSON_PRETTY};

/// The output that was written but not yet passed on, and how the next value is written.
pub(super) enum Sink {
    /// A table, which begins with the first row, or items.
    Gcf {
        writer: Writer<Vec<u8>>,
        form: StreamForm,
        has_begun: bool,
    },
    Json {
        form: &'static str,
        out: Vec<u8>,
        is_empty: bool,
    },
}

impl Sink {
    /// A sink of this format, with the text before the first value.
    pub(super) fn new(format: &'static str, form: StreamForm) -> Result<Self, gcf::Error> {
        if format == GCF {
            return Ok(Sink::Gcf { writer: Writer::new(Vec::new())?, form, has_begun: false });
        }
        let before: &[u8] = if format == JSON_LINES { b"" } else { b"[" };
        Ok(Sink::Json { form: format, out: before.to_vec(), is_empty: true })
    }

    /// Whether its numbers are those of GCF.
    pub(super) fn is_gcf(&self) -> bool {
        matches!(self, Sink::Gcf { .. })
    }

    /// Writes a value in GCF. `names` gives those of its members, if it is an object.
    pub(super) fn push<T: Serialize>(
        &mut self,
        value: &T,
        names: impl FnOnce() -> Option<Vec<String>>,
    ) -> Result<(), CodecError> {
        match self {
            Sink::Gcf { writer, form: StreamForm::Items, has_begun } => {
                if !std::mem::replace(has_begun, true) {
                    writer.root_items()?;
                }
                Ok(writer.item(value)?)
            }
            Sink::Gcf { writer, form: StreamForm::Rows, has_begun } => {
                let row = |writer: &mut Writer<Vec<u8>>| {
                    if !std::mem::replace(has_begun, true) {
                        // A value without members is not a row; the writer reports that.
                        let names = names().unwrap_or_else(|| vec![String::new()]);
                        writer.root_table(names.iter().map(|name| &**name))?;
                    }
                    writer.row(value)
                };
                row(writer).map_err(|error| {
                    let error = CodecError::from(error);
                    if error.code() != "not_streamable" {
                        return error;
                    }
                    let message = format!("{error}; --stream=items accepts any values");
                    CodecError::new(error.code(), None, message)
                })
            }
            Sink::Json { .. } => unreachable!("JSON is written by `push_json`"),
        }
    }

    /// Writes a value as JSON, with the literals of its numbers.
    pub(super) fn push_json(&mut self, value: &Json<'_>) {
        let Sink::Json { form, out, is_empty } = self else {
            unreachable!("GCF is written by `push`")
        };
        let is_first = std::mem::replace(is_empty, false);
        match *form {
            JSON_LINES => {
                out.extend_from_slice(value.to_text(Layout::Compact).as_bytes());
                out.push(b'\n');
            }
            JSON_PRETTY => {
                out.extend_from_slice(if is_first { b"\n  " } else { b",\n  " });
                // Line endings in texts are escapes.
                let text = value.to_text(Layout::Pretty).replace('\n', "\n  ");
                out.extend_from_slice(text.as_bytes());
            }
            _ => {
                if !is_first {
                    out.push(b',');
                }
                out.extend_from_slice(value.to_text(Layout::Compact).as_bytes());
            }
        }
    }

    /// Writes the text after the last value.
    pub(super) fn finish(mut self) -> Result<Vec<u8>, gcf::Error> {
        match &mut self {
            Sink::Gcf { writer, has_begun: false, .. } => writer.root_items()?,
            Sink::Gcf { .. } => {}
            Sink::Json { form, out, is_empty } => out.extend_from_slice(match *form {
                JSON_LINES => b"",
                JSON_PRETTY if !*is_empty => b"\n]\n",
                _ => b"]\n",
            }),
        }
        match self {
            Sink::Gcf { writer, .. } => writer.finish(),
            Sink::Json { out, .. } => Ok(out),
        }
    }

    /// The output since the last call.
    pub(super) fn written(&mut self) -> &mut Vec<u8> {
        match self {
            Sink::Gcf { writer, .. } => writer.get_mut(),
            Sink::Json { out, .. } => out,
        }
    }
}
