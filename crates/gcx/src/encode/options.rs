//! The options of an encoder, for all that writes sections.

use std::io::Write;

use wire_core::text::shown;

use super::writer::{Commas, Writer};
use crate::grammar::{EXTRAS, LONGEST_NAME, TYPED};
use crate::header::Header;
use crate::{Error, ErrorKind};

/// The options that the methods of [`Encoder`](crate::Encoder) set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    /// `true` if a comma in a field's name is written as `\,`.
    pub(super) escape_commas: bool,
    /// The treatment of a response that does not fit.
    pub(crate) misfits: Misfits,
    /// `true` if members outside the layout are written after it.
    pub(crate) extra_columns: bool,
    /// `true` if a decimal of a JSON text that is not a double is an error.
    pub(crate) exact: bool,
    /// The metadata and comments of the first header.
    pub(super) meta: Vec<(String, String)>,
    pub(super) comments: Vec<String>,
}

/// The treatment of a response that does not fit its tool's layout (ruling X13).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Misfits {
    /// The whole response is written by the typed fallback.
    #[default]
    Typed,
    /// The layout is used all the same: members outside it are dropped, and contradictions are
    /// errors.
    LeftOut,
}

impl Options {
    /// Returns `true` if the options add this key to the first header.
    pub(crate) fn has_meta(&self, key: &str) -> bool {
        self.meta.iter().any(|(known, _)| known == key)
    }

    pub(crate) fn writer<W: Write>(&self, writer: W) -> Writer<W> {
        Writer::with(writer, if self.escape_commas { Commas::Escaped } else { Commas::Refused })
    }

    /// Returns `true` if a section can have a field of this name.
    pub(crate) fn can_be_field(&self, name: &str) -> bool {
        (1..=LONGEST_NAME).contains(&name.len())
            && !name.contains('\r')
            && (self.escape_commas || !name.contains(','))
    }

    /// Begins a section, the first one with the metadata and comments of the options.
    pub(crate) fn begin<W: Write>(
        &self,
        writer: &mut Writer<W>,
        header: &Header<'_>,
    ) -> Result<(), Error> {
        if !writer.is_at_start() || (self.meta.is_empty() && self.comments.is_empty()) {
            return writer.begin(header);
        }
        let mut header = header.clone();
        for (key, value) in &self.meta {
            if key == TYPED || key == EXTRAS {
                let message = format!(
                    "metadata has the key `{key}`, expected another key: the encoder writes this one"
                );
                return Err(Error::encode(ErrorKind::ReservedKey, message));
            }
            if header.meta.insert(key.into(), value.into()).is_some() {
                let message = format!("the key {} appears twice, expected once", shown(key));
                return Err(Error::encode(ErrorKind::DuplicateKey, message));
            }
        }
        writer.begin(&header)?;
        self.comments.iter().try_for_each(|comment| writer.comment(comment))
    }
}
