//! The positions of containers in the text (sections 4.1 and 7.4.4).

use super::keys::KeyId;

/// Where a container is, which decides how its first line begins and how far its body is indented.
#[derive(Clone, Copy)]
pub(super) enum Site {
    Root,
    /// The member of an object, at this indentation.
    Member(KeyId, usize),
    /// The item of an expanded array.
    Item(usize, usize),
    /// The attachment of a row.
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
