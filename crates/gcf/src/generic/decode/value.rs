//! Values for serde: the type of each form in the text, and access to its content.

use std::borrow::Cow;
use std::rc::Rc;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use wire_core::__private::json::LITERALS;
use wire_core::forward_deserialize;

use super::array::{Inline, Items};
use super::columns::NodeId;
use super::container::{Container, Elements, Members};
use super::form::Form;
use super::key::Key;
use super::object::Object;
use super::positional::Positional;
use super::reader::Reader;
use super::row::{Cell, Row};
use super::table::Table;
use super::token::{How, visit};
use crate::Error;
use crate::generic::scalar::{is_decimal, read_scalar, trimmed};

/// A value that is to be read.
pub(super) struct Value<'r, 'de> {
    pub(super) reader: &'r mut Reader<'de>,
    pub(super) form: Form<'de>,
}

impl<'de> Value<'_, 'de> {
    /// Reads a scalar, or goes into an array or object and reads all of it.
    #[inline]
    fn read<V: Visitor<'de>>(self, visitor: V, how: How) -> Result<V::Value, Error> {
        let Value { reader, form } = self;
        // The most frequent form is matched first, so that it is not moved in memory.
        match form {
            Form::Scalar(token) => scalar(reader, token, visitor, how),
            Form::Row(row, node) => members_of_row(reader, row, node, visitor, how),
            form => Value { reader, form }.read_container(visitor, how),
        }
    }

    fn read_container<V: Visitor<'de>>(self, visitor: V, how: How) -> Result<V::Value, Error> {
        let Value { reader, form } = self;
        let place = reader.place(&form);
        let container = match form {
            Form::Scalar(token) => return scalar(reader, token, visitor, how),
            Form::Row(row, node) => return members_of_row(reader, row, node, visitor, how),
            Form::Constant(row, node) if how == How::Literals && is_decimal(row.constant(node)) => {
                return visitor.visit_bytes(row.constant(node).as_bytes());
            }
            Form::Constant(row, node) => {
                let scalar = read_scalar(row.constant(node))
                    .map_err(|problem| Error::encode(problem.kind, problem.message));
                return scalar
                    .and_then(|scalar| visit(scalar.into_owned(), visitor, how))
                    .map_err(|error| error.or_at(|| reader.lines.position(place)));
            }
            Form::Null(_) => {
                return visitor
                    .visit_unit()
                    .map_err(|error: Error| error.or_at(|| reader.lines.position(place)));
            }
            Form::Object(body) => Container::Members(Members::Object(Object::new(reader, body))),
            Form::Positional(names, line) => {
                Container::Members(Members::Positional(Positional::new(reader, names, line)?))
            }
            Form::KeyedMap(body, count, columns) => Container::Members(Members::KeyedMap(
                Box::new(Table::new(reader, body, count, columns, true)),
            )),
            Form::Inline(line, count, list) => {
                Container::Elements(Elements::Inline(Inline::new(line, count, list)))
            }
            Form::Rows(body, count, columns) => Container::Elements(Elements::Rows(Box::new(
                Table::new(reader, body, count, columns, false),
            ))),
            Form::Items(body, count) => {
                Container::Elements(Elements::Items(Items::new(reader, body, count)))
            }
        };
        reader.enter(place)?;
        let value = match container {
            Container::Members(members) => {
                let mut access =
                    MemberAccess { reader: &mut *reader, members, value: None, done: false };
                let value = match how {
                    How::Enum => visitor.visit_enum(MapAccessDeserializer::new(&mut access)),
                    _ => visitor.visit_map(&mut access),
                };
                value.and_then(|value| access.finish().map(|()| value))
            }
            Container::Elements(elements) => {
                let mut access =
                    ElementAccess { reader: &mut *reader, elements, found: 0, done: false };
                let value = match how {
                    How::Enum => Err(Error::custom(
                        "a value is an array, expected a text or an object with the variant",
                    )),
                    _ => visitor.visit_seq(&mut access),
                };
                value.and_then(|value| access.finish().map(|()| value))
            }
        };
        reader.depth -= 1;
        value.map_err(|error| error.or_at(|| reader.lines.position(place)))
    }
}

/// Reads a scalar from its token, which may have white space around it.
#[inline]
fn scalar<'de, V: Visitor<'de>>(
    reader: &Reader<'de>,
    token: &'de str,
    visitor: V,
    how: How,
) -> Result<V::Value, Error> {
    let token = trimmed(token);
    if how == How::Literals && is_decimal(token) {
        return visitor.visit_borrowed_bytes(token.as_bytes());
    }
    let scalar = read_scalar(token).map_err(|problem| reader.problem(problem))?;
    let place = |error: Error| {
        error.or_at(|| {
            let place = reader.place(&Form::Scalar(token));
            reader.lines.position(place)
        })
    };
    visit(scalar, visitor, how).map_err(place)
}

/// Reads all of a row, or of an object in it.
fn members_of_row<'de, V: Visitor<'de>>(
    reader: &mut Reader<'de>,
    row: Rc<Row<'de>>,
    node: NodeId,
    visitor: V,
    how: How,
) -> Result<V::Value, Error> {
    let place = reader.offset(row.line);
    reader.enter(place)?;
    let waiting = None;
    let mut access = RowAccess { reader: &mut *reader, row, node, next: 0, extra: 0, waiting };
    let value = match how {
        How::Enum => visitor.visit_enum(MapAccessDeserializer::new(&mut access)),
        _ => visitor.visit_map(&mut access),
    };
    let value = value.and_then(|value| access.finish().map(|()| value));
    reader.depth -= 1;
    value.map_err(|error| error.or_at(|| reader.lines.position(place)))
}

impl<'de> Deserializer<'de> for Value<'_, 'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.read(visitor, How::Any)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.read(visitor, How::Bytes)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.form {
            Form::Null(_) => visitor.visit_none(),
            Form::Scalar(token) if trimmed(token) == "-" => visitor.visit_none(),
            Form::Constant(ref row, node) if row.constant(node) == "-" => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    forward_deserialize! { byte_buf }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == LITERALS {
            return self.read(visitor, How::Literals);
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.read(visitor, How::Enum)
    }

    // What nobody asks for is read all the same, because it can be wrong.
    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string unit unit_struct seq tuple tuple_struct map
        struct identifier ignored_any
    }
}

/// The members of a row, or of an object in it, that are being read.
struct RowAccess<'r, 'de> {
    reader: &'r mut Reader<'de>,
    row: Rc<Row<'de>>,
    node: NodeId,
    /// The next of the members that are columns, and of those that are not.
    next: usize,
    extra: usize,
    /// The value whose key has been read.
    waiting: Option<Waiting<'de>>,
}

/// Where the value of a member is.
enum Waiting<'de> {
    Token(&'de str),
    Member(NodeId),
    Extra(usize),
}

impl<'de> RowAccess<'_, 'de> {
    /// Takes the next key; its value waits.
    #[inline]
    fn next(&mut self) -> Option<Cow<'de, str>> {
        let columns = &*self.row.columns;
        while let Some(&member) = columns.members(self.node).get(self.next) {
            self.next += 1;
            self.waiting = Some(match self.row.cell(member) {
                Cell::Missing => continue,
                Cell::Token(token) => Waiting::Token(token),
                Cell::Other => Waiting::Member(member),
            });
            return Some(columns.node(member).name.clone());
        }
        self.row.extra(self.node, self.extra).map(|(name, _)| {
            self.waiting = Some(Waiting::Extra(self.extra));
            self.extra += 1;
            name.clone()
        })
    }

    /// Whoever reads an object reads all of it.
    fn finish(&mut self) -> Result<(), Error> {
        self.next().map_or(Ok(()), |key| Err(unread(&key)))
    }
}

impl<'de> MapAccess<'de> for &mut RowAccess<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        self.next().map(|key| seed.deserialize(Key(key))).transpose()
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        let reader = &mut *self.reader;
        let form = match self.waiting.take() {
            Some(Waiting::Token(token)) => {
                return seed.deserialize(Value { reader, form: Form::Scalar(token) });
            }
            Some(Waiting::Member(member)) => Row::value(&self.row, self.node, member),
            Some(Waiting::Extra(at)) => self.row.extra(self.node, at).map(|(_, form)| form.clone()),
            None => None,
        };
        let form = form.ok_or_else(|| Error::custom("a value is asked for before its key"))?;
        seed.deserialize(Value { reader, form })
    }

    /// At most so many: those that a row does not have are counted, too.
    fn size_hint(&self) -> Option<usize> {
        Some(self.row.columns.members(self.node).len().saturating_sub(self.next))
    }
}

#[cold]
fn unread(key: &str) -> Error {
    let key = wire_core::text::shown(key);
    Error::custom(format_args!("an object has the member {key} too, expected no more members"))
}

struct MemberAccess<'r, 'de> {
    reader: &'r mut Reader<'de>,
    members: Members<'de>,
    value: Option<Form<'de>>,
    done: bool,
}

impl<'de> MemberAccess<'_, 'de> {
    /// Takes the next key; its value waits.
    fn next(&mut self) -> Result<Option<Cow<'de, str>>, Error> {
        if self.done {
            return Ok(None);
        }
        let Some((key, form)) = self.members.next(self.reader)? else {
            self.done = true;
            return Ok(None);
        };
        self.value = Some(form);
        Ok(Some(key))
    }

    /// Whoever reads an object reads all of it.
    fn finish(&mut self) -> Result<(), Error> {
        self.next()?.map_or(Ok(()), |key| Err(unread(&key)))
    }
}

impl<'de> MapAccess<'de> for &mut MemberAccess<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        match self.next()? {
            None => Ok(None),
            Some(key) => seed.deserialize(Key(key)).map(Some),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        let form = self
            .value
            .take()
            .ok_or_else(|| Error::custom("a value is asked for before its key"))?;
        seed.deserialize(Value { reader: &mut *self.reader, form })
    }
}

struct ElementAccess<'r, 'de> {
    reader: &'r mut Reader<'de>,
    elements: Elements<'de>,
    found: usize,
    done: bool,
}

impl<'de> ElementAccess<'_, 'de> {
    fn next(&mut self) -> Result<Option<Form<'de>>, Error> {
        if self.done {
            return Ok(None);
        }
        let next = self.elements.next(self.reader)?;
        self.done = next.is_none();
        self.found += usize::from(next.is_some());
        Ok(next)
    }

    /// Whoever reads an array reads all of it.
    fn finish(&mut self) -> Result<(), Error> {
        match self.next()? {
            None => Ok(()),
            Some(_) => {
                let expected = self.found - 1;
                Err(Error::custom(format_args!("an array has more values, expected {expected}")))
            }
        }
    }
}

impl<'de> SeqAccess<'de> for &mut ElementAccess<'_, 'de> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        match self.next()? {
            None => Ok(None),
            Some(form) => seed.deserialize(Value { reader: &mut *self.reader, form }).map(Some),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        self.elements.remaining(self.reader)
    }
}
