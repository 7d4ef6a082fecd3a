//! Serde reads a document.

use serde::de::value::MapAccessDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use wire_core::json::{Key, LITERALS};
use wire_core::{Position, forward_deserialize};

use super::document::{Document, Id, Kind, NONE, Node};
use crate::generic::scalar::out_of_range;
use crate::{Error, ErrorKind};

#[derive(Clone, Copy)]
pub(super) struct Value<'d, 't> {
    pub(super) document: &'d Document<'t>,
    pub(super) node: Node,
}

/// The requested type, if serde can read the same value as several types.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Any,
    Bytes,
    Enum,
    /// The literals of decimals, as bytes.
    Literals,
}

impl<'t> Value<'_, 't> {
    #[inline]
    fn read<V: Visitor<'t>>(self, visitor: V, how: How) -> Result<V::Value, Error> {
        self.visit(visitor, how).map_err(|error| {
            let Value { document, node } = self;
            error.or_at(|| Position::in_text(document.source.as_bytes(), document.offset(node)))
        })
    }

    #[inline]
    fn visit<V: Visitor<'t>>(self, visitor: V, how: How) -> Result<V::Value, Error> {
        let Value { document, node } = self;
        match (node.kind(), how) {
            (Kind::Object, _) => {
                let mut members = Members { document, next: node.b, value: None };
                let value = match how {
                    How::Enum => visitor.visit_enum(MapAccessDeserializer::new(&mut members)),
                    _ => visitor.visit_map(&mut members),
                }?;
                members.finish().map(|()| value)
            }
            (Kind::Array, How::Enum) => Err(Error::custom(
                "a value is an array, expected a text or an object with the variant",
            )),
            (Kind::Array, _) => {
                let mut items = Items { document, next: node.b, found: 0 };
                let value = visitor.visit_seq(&mut items)?;
                items.finish().map(|()| value)
            }
            (Kind::Text, How::Enum) => visitor.visit_enum(document.text(node).into_deserializer()),
            (_, How::Enum) => {
                Err(Error::custom("a value is neither a string nor an object, expected a variant"))
            }
            (Kind::Text, How::Bytes) => match document.borrowed(node) {
                Some(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
                None => visitor.visit_bytes(document.text(node).as_bytes()),
            },
            (Kind::Text, _) => match document.borrowed(node) {
                Some(text) => visitor.visit_borrowed_str(text),
                None => visitor.visit_str(document.text(node)),
            },
            (Kind::Null, _) => visitor.visit_unit(),
            (Kind::False, _) => visitor.visit_bool(false),
            (Kind::True, _) => visitor.visit_bool(true),
            (Kind::Integer, _) => {
                let integer = document.integer(node);
                match u64::try_from(integer) {
                    Ok(unsigned) => visitor.visit_u64(unsigned),
                    Err(_) => visitor.visit_i64(integer),
                }
            }
            (Kind::Decimal, How::Literals) => visitor.visit_bytes(document.text(node).as_bytes()),
            (Kind::Decimal, _) => {
                let double = document.double(node);
                if double.is_infinite() {
                    return Err(document.infinite_at(node));
                }
                visitor.visit_f64(double)
            }
        }
    }
}

impl Document<'_> {
    pub(super) fn check_infinite(&self) -> Result<(), Error> {
        self.infinite.map_or(Ok(()), |infinite| Err(self.infinite_at(infinite)))
    }

    #[cold]
    fn infinite_at(&self, node: Node) -> Error {
        let message = out_of_range(self.text(node));
        Error::decode(ErrorKind::OutOfRange, self.source.as_bytes(), self.offset(node), message)
    }

    /// Refuses a value that contains such a decimal.
    fn check_finite(&self, node: Node) -> Result<(), Error> {
        match node.kind() {
            Kind::Decimal if self.double(node).is_infinite() => Err(self.infinite_at(node)),
            Kind::Array | Kind::Object => {
                self.siblings(node.b).try_for_each(|child| self.check_finite(child))
            }
            _ => Ok(()),
        }
    }
}

impl<'de> Deserializer<'de> for Value<'_, 'de> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.read(visitor, How::Any)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.read(visitor, How::Bytes)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.node.kind() {
            Kind::Null => visitor.visit_none(),
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

    /// All of it is checked already, but for decimals.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.document.infinite.is_some() {
            self.document.check_finite(self.node)?;
        }
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string unit unit_struct seq tuple tuple_struct map
        struct identifier
    }
}

/// The items or members that are counted for a size hint. Types of serde allocate at most 1 MiB by it.
const MOST: usize = 1 << 16;

struct Items<'d, 't> {
    document: &'d Document<'t>,
    next: Id,
    found: usize,
}

impl Items<'_, '_> {
    fn finish(self) -> Result<(), Error> {
        if self.next == NONE {
            return Ok(());
        }
        let expected = self.found;
        Err(Error::custom(format_args!("an array has more values, expected {expected}")))
    }
}

impl<'t> SeqAccess<'t> for &mut Items<'_, 't> {
    type Error = Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'t>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        if self.next == NONE {
            return Ok(None);
        }
        let document = self.document;
        let node = document.node(self.next);
        self.next = node.next;
        self.found += 1;
        seed.deserialize(Value { document, node }).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.document.siblings(self.next).take(MOST).count())
    }
}

struct Members<'d, 't> {
    document: &'d Document<'t>,
    next: Id,
    /// The member whose key was read last.
    value: Option<Node>,
}

impl Members<'_, '_> {
    fn finish(self) -> Result<(), Error> {
        if self.next == NONE {
            return Ok(());
        }
        let key = self.document.key(self.document.node(self.next).key());
        let key = wire_core::text::shown(key);
        Err(Error::custom(format_args!(
            "an object has the member {key} too, expected no more members"
        )))
    }
}

impl<'t> MapAccess<'t> for &mut Members<'_, 't> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'t>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        if self.next == NONE {
            return Ok(None);
        }
        let node = self.document.node(self.next);
        self.next = node.next;
        self.value = Some(node);
        seed.deserialize(Key::new(self.document.key_text(node.key()))).map(Some)
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'t>>(&mut self, seed: S) -> Result<S::Value, Error> {
        let node = self.value.take();
        let node = node.ok_or_else(|| Error::custom("a value is asked for before its key"))?;
        seed.deserialize(Value { document: self.document, node })
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.document.siblings(self.next).take(MOST).count())
    }
}
