//! Sections and their rows, in order: the common part of the readers of texts and of streams.

use wire_core::Position;
use wire_core::text::shown;

use super::row::Row;
use super::scanner::Event;
use crate::grammar::LONGEST_NAME;
use crate::header::Header;
use crate::{Error, ErrorKind};

/// The state of a reader between headers and rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Walk<'a> {
    /// A header that was met while looking for a row.
    met: Option<Header<'a>>,
    ended: bool,
}

impl<'a> Walk<'a> {
    /// Returns `true` if nothing is left.
    pub(crate) fn is_at_end(&self) -> bool {
        self.ended && self.met.is_none()
    }

    /// Returns `true` if the section has no more rows.
    pub(crate) fn is_between_sections(&self) -> bool {
        self.met.is_some() || self.ended
    }

    /// The row that was read, if it was one. After an error there are no more rows.
    pub(crate) fn row(
        &mut self,
        event: Result<Option<Event<'a>>, Error>,
    ) -> Result<Option<Row<'a>>, Error> {
        match event {
            Ok(Some(Event::Row(row))) => return Ok(Some(row)),
            Ok(Some(Event::Header(header))) => self.met = Some(header),
            Ok(None) => self.ended = true,
            Err(error) => {
                self.ended = true;
                return Err(error);
            }
        }
        Ok(None)
    }

    /// The header that was met.
    pub(crate) fn header(&mut self) -> Option<Header<'a>> {
        self.met.take()
    }
}

/// Sections and their rows, in order: the interface for deserializing values.
pub(crate) trait Sections<'a> {
    /// The header of the next section, after skipping the rest of the current one; `None` at the
    /// end.
    fn section(&mut self) -> Result<Option<Header<'a>>, Error>;

    /// The next row of the section; `None` at its end.
    fn row(&mut self) -> Result<Option<Row<'a>>, Error>;

    /// Returns `true` if the section that was read to its end has a blank line that is not a row.
    fn had_blank_line(&self) -> bool;

    /// The start of the line that was read last; the end of the input when nothing is left.
    fn line_place(&self) -> Position;

    /// The position of the cell of this column in the line that was read last.
    fn cell_place(&self, column: usize) -> Position;
}

/// Checks that no name of a field is longer than [`LONGEST_NAME`].
pub(crate) fn check_names<'de>(
    reader: &impl Sections<'de>,
    header: &Header<'_>,
) -> Result<(), Error> {
    let Some(name) = header.fields().find(|name| name.len() > LONGEST_NAME) else { return Ok(()) };
    let message = format!(
        "the field {} has {} bytes, expected at most {LONGEST_NAME} in the name of a member",
        shown(name),
        name.len()
    );
    Err(Error::at(ErrorKind::InvalidShape, reader.line_place(), message))
}
