//! Where the values of a stream go: rows or items of GCF, an array of JSON, or JSON lines.

use gcf::{TableHead, Writer};
use serde::Serialize;
use wire_core::CodecError;
use wire_core::json::{Json, Layout};

use crate::args::StreamForm;
use crate::source::{GCF, JSON_LINES, JSON_PRETTY};

/// The output that was written but not yet passed on, and how the next value is written.
pub(super) enum Sink {
    /// A table, which begins with the first row, or items.
    Gcf {
        writer: Writer<Vec<u8>>,
        /// `None` until the first value decides.
        form: Option<StreamForm>,
        has_begun: bool,
        /// `true` if the first value decided for items.
        chose_items: bool,
    },
    Json {
        form: &'static str,
        out: Vec<u8>,
        is_empty: bool,
    },
}

/// The names of the members of a value.
pub(super) enum Names {
    /// Of an object of scalars.
    Flat(Vec<String>),
    /// Of any other object.
    Nested(Vec<String>),
    /// The value is no object.
    None,
}

impl Sink {
    /// A sink of this format, with the text before the first value.
    pub(super) fn new(format: &'static str, form: Option<StreamForm>) -> Result<Self, gcf::Error> {
        if format == GCF {
            let writer = Writer::new(Vec::new())?;
            return Ok(Sink::Gcf { writer, form, has_begun: false, chose_items: false });
        }
        let before: &[u8] = if format == JSON_LINES { b"" } else { b"[" };
        Ok(Sink::Json { form: format, out: before.to_vec(), is_empty: true })
    }

    /// Returns `true` if its numbers are those of GCF.
    pub(super) fn is_gcf(&self) -> bool {
        matches!(self, Sink::Gcf { .. })
    }

    /// Returns `true` if the first value decided that all are items.
    pub(super) fn chose_items(&self) -> bool {
        matches!(self, Sink::Gcf { chose_items: true, .. })
    }

    /// Writes a value in GCF. `names` gives those of its members.
    pub(super) fn push<T: Serialize>(
        &mut self,
        value: &T,
        names: impl FnOnce() -> Names,
    ) -> Result<(), CodecError> {
        let Sink::Gcf { writer, form, has_begun, chose_items } = self else {
            unreachable!("JSON is written by `push_json`")
        };
        let written = if std::mem::replace(has_begun, true) {
            Ok(())
        } else {
            let names = names();
            let of_first = match &names {
                Names::Flat(_) => StreamForm::Rows,
                _ => StreamForm::Items,
            };
            *chose_items = form.is_none() && of_first == StreamForm::Items;
            writer.begin(&match (*form.get_or_insert(of_first), names) {
                (StreamForm::Items, _) => TableHead::items(),
                (StreamForm::Rows, Names::Flat(names) | Names::Nested(names)) => {
                    TableHead::rows(names)
                }
                // A value without members is not a row; the writer reports that.
                (StreamForm::Rows, Names::None) => TableHead::rows([""]),
            })
        };
        written.and_then(|()| writer.row(value)).map_err(|error| {
            let error = CodecError::from(error);
            if error.code() != "not_streamable" || *form == Some(StreamForm::Items) {
                return error;
            }
            let message = format!("{error}; --stream=items accepts any values");
            CodecError::new(error.code(), None, message)
        })
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
            Sink::Gcf { writer, has_begun: false, .. } => writer.begin(&TableHead::items())?,
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
