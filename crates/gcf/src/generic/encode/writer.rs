//! The pieces of lines, and where containers are in the text (sections 4.1 and 7.4.4).

use std::ops::ControlFlow;

use super::Encoder;
use super::keys::KeyId;
use super::tape::Tape;
use crate::lines::GROUP_PREFIX;

/// Receives the pieces of a text. What it leaves in the string is passed again, before the text
/// that follows. After a `Break` it is not called again, and the rest of the text is not made.
pub(super) type Sink<'o> = &'o mut dyn FnMut(&mut String) -> ControlFlow<()>;

pub(super) struct Writer<'t, 'o> {
    pub(super) tape: &'t Tape,
    pub(super) options: Encoder,
    pub(super) out: &'o mut String,
    /// Receives the text when it has enough bytes.
    pub(super) sink: Sink<'o>,
    pub(super) piece: usize,
    /// `true` if the sink wants no more.
    pub(super) is_stopped: bool,
}

impl Writer<'_, '_> {
    #[inline]
    pub(super) fn end_line(&mut self) {
        self.out.push('\n');
        self.hand_on();
    }

    /// Passes the text on, if it has enough bytes.
    #[inline]
    pub(super) fn hand_on(&mut self) {
        if self.out.len() >= self.piece && !self.is_stopped {
            self.is_stopped = (self.sink)(self.out).is_break();
        }
    }

    pub(super) fn indent(&mut self, levels: usize) {
        for _ in 0..levels {
            self.out.push_str("  ");
        }
    }

    pub(super) fn scalar(&mut self, at: usize) {
        self.out.push_str(self.tape.scalar(at));
    }

    pub(super) fn key(&mut self, key: KeyId) {
        self.tape.shapes.names.push(self.out, key);
    }

    pub(super) fn number(&mut self, number: usize) {
        self.out.push_str(itoa::Buffer::new().format(number));
    }

    /// The beginning of the line of an array, map or table.
    pub(super) fn head(&mut self, site: Site) {
        self.indent(site.indent());
        match site {
            Site::Root => self.out.push_str(GROUP_PREFIX),
            Site::Member(key, _) => {
                self.out.push_str(GROUP_PREFIX);
                self.key(key);
                self.out.push(' ');
            }
            Site::Item(index, _) => {
                self.out.push('@');
                self.number(index);
                self.out.push(' ');
            }
            Site::Attachment(key, _) => {
                self.out.push('.');
                self.key(key);
                self.out.push(' ');
            }
        }
    }
}

/// Where a container is, which decides how its first line begins and how far its body is indented.
#[derive(Clone, Copy)]
pub(super) enum Site {
    Root,
    /// The member of an object, at this indentation.
    Member(KeyId, usize),
    Item(usize, usize),
    Attachment(KeyId, usize),
}

impl Site {
    /// The indentation of its first line.
    pub(super) fn indent(self) -> usize {
        match self {
            Site::Root => 0,
            Site::Member(_, indent) | Site::Item(_, indent) | Site::Attachment(_, indent) => indent,
        }
    }

    /// The indentation of rows and items (sections 4.1 and 7.4.4).
    pub(super) fn rows(self) -> usize {
        match self {
            Site::Root => 0,
            Site::Member(_, indent) => indent,
            Site::Item(_, indent) => indent + 1,
            Site::Attachment(_, indent) => indent + 2,
        }
    }

    /// The indentation of the members of an object.
    pub(super) fn members(self) -> usize {
        match self {
            Site::Member(_, indent) => indent + 1,
            site => site.rows(),
        }
    }
}
