//! Any type of serde from a text.

use std::borrow::Cow;
use std::marker::PhantomData;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer,
    MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::error::{Error, ErrorKind};
use super::key::Key;
use super::number::Number;
use super::reader::{Reader, Str, Token};
use super::write::{LITERALS, VALUES};
use crate::de::visit_text;
use crate::number::Digits;
use crate::text::shown;

/// The value of a text.
///
/// # Errors
///
/// The first error of the text, or why it is not a value of the type, with the value's position.
pub fn from_str<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, Error> {
    Reader::new(text).into_value()
}

impl<'t> Reader<'t> {
    /// The value of the whole text.
    ///
    /// # Errors
    ///
    /// As [`from_str`].
    pub fn into_value<T: Deserialize<'t>>(mut self) -> Result<T, Error> {
        let value = self.values().read(PhantomData)?;
        self.end()?;
        Ok(value)
    }

    /// The next value, for a type that may borrow from the text.
    pub fn values(&mut self) -> Values<'_, 't, 't> {
        Values { reader: self, lend: Cow::Borrowed, has_large_doubles: false }
    }

    /// The next value, for any type.
    pub fn copies<'de>(&mut self) -> Values<'_, 't, 'de> {
        let lend = |text: &str| Cow::Owned(text.to_owned());
        Values { reader: self, lend, has_large_doubles: false }
    }
}

/// The next value of a reader, which serde reads.
#[derive(Debug)]
pub struct Values<'r, 't, 'de> {
    reader: &'r mut Reader<'t>,
    /// A text without escapes as long as serde needs it.
    lend: fn(&'t str) -> Cow<'de, str>,
    has_large_doubles: bool,
}

impl<'t, 'de> Values<'_, 't, 'de> {
    /// Reads an integer beyond 64 bits as the double that is written in these digits, if there is
    /// one. By default it is an error (ruling A6), unless the type has more bits or is a double.
    #[must_use]
    pub fn with_large_doubles(self) -> Self {
        Values { has_large_doubles: true, ..self }
    }

    fn again(&mut self) -> Values<'_, 't, 'de> {
        Values { reader: &mut *self.reader, ..*self }
    }

    /// Reads a value of a type. An error of the type has the value's offset.
    fn read<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        self.reader.peek();
        let start = self.reader.offset();
        seed.deserialize(self.again()).map_err(|error| error.at(start))
    }

    fn text(&self, string: Str<'t>) -> Cow<'de, str> {
        match string.decode() {
            Cow::Borrowed(plain) => (self.lend)(plain),
            Cow::Owned(text) => Cow::Owned(text),
        }
    }

    /// The error for a value of another type than the visitor expects.
    #[cold]
    fn unexpected_type<'v, V: Visitor<'v>>(&self, token: Token<'_>, visitor: &V) -> Error {
        let text;
        let found = match token {
            Token::Null => Unexpected::Unit,
            Token::Bool(truth) => Unexpected::Bool(truth),
            Token::Number(number) => {
                text = format!("the number {}", shown(number.literal()));
                Unexpected::Other(&text)
            }
            Token::String(string) => {
                text = string.decode().into_owned();
                Unexpected::Str(&text)
            }
            Token::Array => Unexpected::Seq,
            Token::Object => Unexpected::Map,
        };
        Error::invalid_type(found, visitor).at(self.reader.start())
    }

    fn visit<V: Visitor<'de>>(mut self, token: Token<'t>, visitor: V) -> Result<V::Value, Error> {
        let start = self.reader.start();
        let depth = self.reader.depth();
        let made = match token {
            Token::Null => visitor.visit_unit(),
            Token::Bool(truth) => visitor.visit_bool(truth),
            Token::Number(number) => {
                self.number_to(number, visitor).map_err(|error| error.of_number(number.literal()))
            }
            Token::String(string) => visit_text(self.text(string), visitor),
            Token::Array => {
                let value = visitor.visit_seq(Items(self.again()));
                value.and_then(|value| self.no_more_items(depth).map(|()| value))
            }
            Token::Object => {
                let value = visitor.visit_map(Items(self.again()));
                value.and_then(|value| self.no_more_keys(depth).map(|()| value))
            }
        };
        made.map_err(|error: Error| error.at(start))
    }

    /// An integer of 64 bits, or a double.
    fn number_to<V: Visitor<'de>>(
        &self,
        number: Number<'_>,
        visitor: V,
    ) -> Result<V::Value, Error> {
        if let Some(integer) = number.as_u64() {
            return visitor.visit_u64(integer);
        }
        if let Some(integer) = number.as_i64() {
            return visitor.visit_i64(integer);
        }
        let Some(double) = number.as_f64() else {
            return Err(self.reader.beyond_doubles(number));
        };
        let is_written_so = || Digits::new().shortest(double) == number.literal();
        if number.is_integer() && !(self.has_large_doubles && is_written_so()) {
            let expected = "an integer of 64 bits";
            return Err(self.reader.refused(ErrorKind::OutOfRange, number, expected));
        }
        visitor.visit_f64(double)
    }

    /// Reads the end of the array at this depth, if the visitor has not.
    fn no_more_items(&mut self, depth: usize) -> Result<(), Error> {
        if self.reader.depth() == depth && self.reader.item()? {
            return Err(Error::custom("the array has more items").at(self.reader.offset()));
        }
        Ok(())
    }

    fn no_more_keys(&mut self, depth: usize) -> Result<(), Error> {
        if self.reader.depth() == depth && self.reader.key()?.is_some() {
            return Err(Error::custom("the object has more members").at(self.reader.start()));
        }
        Ok(())
    }
}

/// Numbers that have other types than those of `deserialize_any`. A single is not rounded twice.
macro_rules! numbers {
    ($($method:ident $visit:ident, $fits:expr;)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let token = self.reader.value()?;
            if let Token::Number(number) = token
                && let Some(number) = number.literal().parse().ok().filter($fits)
            {
                let start = self.reader.start();
                return visitor.$visit(number).map_err(|error: Error| error.at(start));
            }
            self.visit(token, visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for Values<'_, '_, 'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let token = self.reader.value()?;
        self.visit(token, visitor)
    }

    numbers! {
        deserialize_i128 visit_i128, |_| true;
        deserialize_u128 visit_u128, |_| true;
        deserialize_f32 visit_f32, |single: &f32| single.is_finite();
        deserialize_f64 visit_f64, |double: &f64| double.is_finite();
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.reader.peek() == Some(b'n') {
            self.reader.value()?;
            return visitor.visit_none();
        }
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == LITERALS || name == VALUES {
            let token = self.reader.value()?;
            if let Token::Number(number) = token
                && name == LITERALS
            {
                return visitor.visit_bytes(number.literal().as_bytes());
            }
            return self.visit(token, visitor);
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let token = self.reader.value()?;
        let start = self.reader.start();
        match token {
            Token::String(string) => {
                let name = visitor.visit_enum(self.text(string).into_deserializer());
                name.map_err(|error: Error| error.at(start))
            }
            Token::Object => {
                let depth = self.reader.depth();
                let value = visitor.visit_enum(Items(self.again()))?;
                self.no_more_keys(depth)?;
                Ok(value)
            }
            _ => {
                Err(Error::custom("expected the name of a variant, or an object with it").at(start))
            }
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.reader.value()? {
            token @ Token::Array => self.visit(token, visitor),
            token => Err(self.unexpected_type(token, &visitor)),
        }
    }

    /// No array of the members, which derived types would accept.
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.reader.value()? {
            token @ Token::Object => self.visit(token, visitor),
            token => Err(self.unexpected_type(token, &visitor)),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.reader.skip_any_depth()?;
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 char str string bytes byte_buf unit unit_struct
        tuple tuple_struct struct identifier
    }
}

/// The items of an array, or the members of an object.
struct Items<'r, 't, 'de>(Values<'r, 't, 'de>);

impl<'de> SeqAccess<'de> for Items<'_, '_, 'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        if self.0.reader.item()? { self.0.read(seed).map(Some) } else { Ok(None) }
    }
}

impl<'de> MapAccess<'de> for Items<'_, '_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let Some(key) = self.0.reader.key()? else { return Ok(None) };
        let start = self.0.reader.start();
        seed.deserialize(Key::new(self.0.text(key)))
            .map(Some)
            .map_err(|error: Error| error.at(start))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        self.0.read(seed)
    }
}

impl<'de> EnumAccess<'de> for Items<'_, '_, 'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(mut self, seed: V) -> Result<(V::Value, Self), Error> {
        let variant = self.next_key_seed(seed)?;
        let none = || Error::custom("expected a variant").at(self.0.reader.start());
        Ok((variant.ok_or_else(none)?, self))
    }
}

impl<'de> VariantAccess<'de> for Items<'_, '_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Deserialize::deserialize(self.0)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(mut self, seed: T) -> Result<T::Value, Error> {
        self.0.read(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.0.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.deserialize_map(visitor)
    }
}
