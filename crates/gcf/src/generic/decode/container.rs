//! The content of an array or object, in each form of the text.

use super::array::{Inline, Items};
use super::form::{Form, Member};
use super::object::Object;
use super::positional::Positional;
use super::reader::Reader;
use super::table::Table;
use crate::Error;

/// The members of an object, of whatever form.
pub(super) enum Members<'de> {
    Object(Object<'de>),
    Positional(Positional<'de>),
    KeyedMap(Box<Table<'de>>),
}

impl<'de> Members<'de> {
    pub(super) fn next(&mut self, reader: &mut Reader<'de>) -> Result<Option<Member<'de>>, Error> {
        match self {
            Members::Object(object) => object.next(reader),
            Members::Positional(values) => Ok(values.next(reader)),
            Members::KeyedMap(table) => table.next_member(reader),
        }
    }
}

/// The items of an array, of whatever form.
pub(super) enum Elements<'de> {
    Inline(Inline<'de>),
    Items(Items),
    Rows(Box<Table<'de>>),
}

impl<'de> Elements<'de> {
    pub(super) fn next(&mut self, reader: &mut Reader<'de>) -> Result<Option<Form<'de>>, Error> {
        match self {
            Elements::Inline(inline) => inline.next(reader),
            Elements::Items(items) => items.next(reader),
            Elements::Rows(table) => table.next_item(reader),
        }
    }

    /// How many items there still are, if that is known.
    pub(super) fn remaining(&self, reader: &Reader<'de>) -> Option<usize> {
        match self {
            Elements::Rows(table) => table.remaining(reader),
            Elements::Inline(_) | Elements::Items(_) => None,
        }
    }
}

/// Either kind of container.
pub(super) enum Container<'de> {
    Members(Members<'de>),
    Elements(Elements<'de>),
}
