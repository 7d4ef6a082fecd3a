//! Objects whose keys a row declared and whose values have their own line (section 7.4.5).

use std::borrow::Cow;
use std::sync::Arc;

use super::cells::cut;
use super::columns::repeated;
use super::form::{Form, Member};
use super::reader::Reader;
use crate::{Error, ErrorKind};

/// The values of an inline schema that are being read.
#[derive(Debug)]
pub(super) struct Positional<'de> {
    names: Arc<[Cow<'de, str>]>,
    line: usize,
    cells: Vec<&'de str>,
    next: usize,
}

impl<'de> Positional<'de> {
    pub(super) fn new(
        reader: &mut Reader<'de>,
        names: Arc<[Cow<'de, str>]>,
        line: usize,
    ) -> Result<Self, Error> {
        let mut cells = Vec::new();
        cut(reader.lines.of(line), &mut cells).map_err(|problem| reader.problem(problem))?;
        if cells.len() != names.len() {
            let message = format!(
                "the line of values after a row has {} values, expected {}",
                cells.len(),
                names.len()
            );
            return Err(reader.error(line, ErrorKind::InlineWidthMismatch, message));
        }
        reader.repeat(line, names.iter().map(|name| repeated(name)).sum())?;
        Ok(Positional { names, line, cells, next: 0 })
    }

    pub(super) fn next(&mut self, reader: &mut Reader<'de>) -> Option<Member<'de>> {
        let Some(cell) = self.cells.get(self.next) else {
            reader.counted = Some(self.line);
            return None;
        };
        self.next += 1;
        Some((self.names[self.next - 1].clone(), Form::Scalar(cell)))
    }
}
