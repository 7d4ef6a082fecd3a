//! Any type of serde from a text.

use std::borrow::Cow;
use std::marker::PhantomData;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer,
    MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::error::{Error, Kind};
use super::number::Number;
use super::reader::{Reader, Token};
use super::write::{LITERALS, VALUES};
use crate::__private::text::shown;

/// The value of a text.
///
/// # Errors
///
/// The first error of the text, or why it is not a value of the type, with the value's position.
pub fn from_str<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, Error> {
    let mut reader = Reader::new(text);
    let value = reader.read(PhantomData)?;
    reader.end()?;
    Ok(value)
}

impl<'de> Reader<'de> {
    /// Reads a value of a type. An error of the type has the value's offset.
    fn read<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        self.peek();
        let start = self.offset();
        seed.deserialize(self).map_err(|error| error.at(start))
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
        Error::invalid_type(found, visitor).at(self.start())
    }

    fn visit<V: Visitor<'de>>(&mut self, token: Token<'de>, visitor: V) -> Result<V::Value, Error> {
        let start = self.start();
        let depth = self.depth();
        let made = match token {
            Token::Null => visitor.visit_unit(),
            Token::Bool(truth) => visitor.visit_bool(truth),
            Token::Number(number) => {
                self.number_to(number, visitor).map_err(|error| error.of_number(number.literal()))
            }
            Token::String(string) => string_to(string.decode(), visitor),
            Token::Array => {
                let value = visitor.visit_seq(Items(self));
                value.and_then(|value| self.no_more_items(depth).map(|()| value))
            }
            Token::Object => {
                let value = visitor.visit_map(Items(self));
                value.and_then(|value| self.no_more_keys(depth).map(|()| value))
            }
        };
        made.map_err(|error: Error| error.at(start))
    }

    /// An integer of 64 bits, or a double. An integer of more digits is an error, since no double is
    /// asked for (ruling A6).
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
        if number.is_integer() {
            return Err(self.out_of_range(number, "an integer of 64 bits"));
        }
        self.double_to(number, visitor)
    }

    fn double_to<V: Visitor<'de>>(
        &self,
        number: Number<'_>,
        visitor: V,
    ) -> Result<V::Value, Error> {
        match number.as_f64() {
            Some(double) => visitor.visit_f64(double),
            None => Err(self.out_of_range(number, "a number in the range of doubles")),
        }
    }

    #[cold]
    fn out_of_range(&self, number: Number<'_>, expected: &str) -> Error {
        let message = format!("the number is {}, expected {expected}", shown(number.literal()));
        Error::new(Kind::OutOfRange, self.start(), message)
    }

    /// Reads the end of the array at this depth, if the visitor has not.
    fn no_more_items(&mut self, depth: usize) -> Result<(), Error> {
        if self.depth() == depth && self.item()? {
            return Err(Error::custom("the array has more items").at(self.offset()));
        }
        Ok(())
    }

    fn no_more_keys(&mut self, depth: usize) -> Result<(), Error> {
        if self.depth() == depth && self.key()?.is_some() {
            return Err(Error::custom("the object has more members").at(self.start()));
        }
        Ok(())
    }
}

pub(super) fn string_to<'de, V: Visitor<'de>>(
    text: Cow<'de, str>,
    visitor: V,
) -> Result<V::Value, Error> {
    match text {
        Cow::Borrowed(plain) => visitor.visit_borrowed_str(plain),
        Cow::Owned(text) => visitor.visit_string(text),
    }
}

macro_rules! long_integers {
    ($($method:ident $visit:ident),*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let token = self.value()?;
            if let Token::Number(number) = token
                && number.is_integer()
                && let Ok(integer) = number.literal().parse()
            {
                return visitor.$visit(integer).map_err(|error: Error| error.at(self.start()));
            }
            self.visit(token, visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let token = self.value()?;
        self.visit(token, visitor)
    }

    long_integers! { deserialize_i128 visit_i128, deserialize_u128 visit_u128 }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value()? {
            Token::Number(number) if number.as_u64().is_none() && number.as_i64().is_none() => {
                let start = self.start();
                self.double_to(number, visitor).map_err(|error: Error| error.at(start))
            }
            token => self.visit(token, visitor),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.peek() == Some(b'n') {
            self.value()?;
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
            let token = self.value()?;
            if let Token::Number(number) = token
                && name == LITERALS
            {
                return visitor.visit_borrowed_bytes(number.literal().as_bytes());
            }
            return self.visit(token, visitor);
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.value()? {
            Token::String(string) => {
                let start = self.start();
                let name: Result<_, Error> =
                    visitor.visit_enum(string.decode().into_deserializer());
                name.map_err(|error| error.at(start))
            }
            Token::Object => {
                let depth = self.depth();
                let value = visitor.visit_enum(Items(&mut *self))?;
                self.no_more_keys(depth)?;
                Ok(value)
            }
            _ => Err(Error::custom("expected the name of a variant, or an object with it")
                .at(self.start())),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value()? {
            token @ Token::Array => self.visit(token, visitor),
            token => Err(self.unexpected_type(token, &visitor)),
        }
    }

    /// No array of the members, which derived types would accept.
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value()? {
            token @ Token::Object => self.visit(token, visitor),
            token => Err(self.unexpected_type(token, &visitor)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.skip_any_depth()?;
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 char str string bytes byte_buf unit unit_struct
        tuple tuple_struct identifier
    }
}

/// The items of an array, or the members of an object.
struct Items<'r, 'de>(&'r mut Reader<'de>);

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        if self.0.item()? { self.0.read(seed).map(Some) } else { Ok(None) }
    }
}

impl<'de> MapAccess<'de> for Items<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        match self.0.key()? {
            Some(key) => {
                let start = self.0.start();
                seed.deserialize(Key(key.decode())).map(Some).map_err(|error| error.at(start))
            }
            None => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        self.0.read(seed)
    }
}

impl<'de> EnumAccess<'de> for Items<'_, 'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        match self.0.key()? {
            Some(key) => Ok((seed.deserialize(Key(key.decode()))?, self)),
            None => Err(Error::custom("expected a variant").at(self.0.start())),
        }
    }
}

impl<'de> VariantAccess<'de> for Items<'_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Deserialize::deserialize(self.0)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
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

/// A key, which is also read as a number or a boolean where the type of the keys is one.
pub(super) struct Key<'de>(pub(super) Cow<'de, str>);

macro_rules! parsed {
    ($($method:ident $visit:ident),*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self.0.parse() {
                Ok(value) => visitor.$visit(value),
                Err(_) => self.deserialize_any(visitor),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Key<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        string_to(self.0, visitor)
    }

    parsed! {
        deserialize_bool visit_bool, deserialize_i8 visit_i8, deserialize_i16 visit_i16,
        deserialize_i32 visit_i32, deserialize_i64 visit_i64, deserialize_i128 visit_i128,
        deserialize_u8 visit_u8, deserialize_u16 visit_u16, deserialize_u32 visit_u32,
        deserialize_u64 visit_u64, deserialize_u128 visit_u128, deserialize_f32 visit_f32,
        deserialize_f64 visit_f64
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(self.0.into_deserializer())
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct
        identifier ignored_any
    }
}
