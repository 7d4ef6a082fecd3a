//! JSON text as a value to serialize, without a tree in between.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};

use super::NUMBER;

/// The text of a JSON value as a `Serialize`: the members of objects in their order, an integer
/// that fits in 64 bits as an integer, and any other number as a double.
///
/// An error in the text becomes an error of the serializer without a position;
/// [`flaw`](super::flaw) finds the position. The serializer has to reject duplicate keys.
///
/// ```
/// let text = wire_core::value::JsonText::new(r#" {"b": [1, 2.50], "a": "\u0041"} "#);
/// assert_eq!(serde_json::to_string(&text).unwrap(), r#"{"b":[1,2.5],"a":"A"}"#);
/// ```
#[derive(Debug)]
pub struct JsonText<'t> {
    text: &'t str,
    large: Cell<bool>,
}

impl<'t> JsonText<'t> {
    /// The value of this text.
    pub fn new(text: &'t str) -> Self {
        JsonText { text, large: Cell::new(false) }
    }

    /// Whether a number was serialized as a double beyond the range of signed 64-bit integers. If
    /// not, every integer of the text was serialized as an integer (ruling A6).
    pub fn has_large_doubles(&self) -> bool {
        self.large.get()
    }

    /// Passes the items of an array to `items`, one after the other.
    ///
    /// # Errors
    ///
    /// When the text is not JSON or not an array, or `items` rejects an item. The position of the
    /// error has no meaning.
    pub fn each_item(&self, items: &mut impl Items) -> serde_json::Result<()> {
        let mut deserializer = serde_json::Deserializer::from_str(self.text);
        deserializer.deserialize_seq(EachItem { items, source: self })?;
        deserializer.end()
    }

    /// Whether this is a piece of the text.
    fn contains(&self, piece: &str) -> bool {
        self.text.as_bytes().as_ptr_range().contains(&piece.as_ptr())
    }

    fn double(&self, double: f64) -> f64 {
        const SMALLEST: f64 = 9.2e18;
        if double.abs() >= SMALLEST {
            self.large.set(true);
        }
        double
    }

    /// A number from its literal, in a build in which `serde_json` keeps all digits. The result is
    /// the same as in every other build.
    #[cold]
    fn literal<S: Serializer, E: serde::de::Error>(
        &self,
        literal: &str,
        serializer: S,
    ) -> Result<S::Ok, E> {
        let is_integer = !literal.contains(['.', 'e', 'E']) && literal != "-0";
        let made = match (literal.parse::<u64>(), literal.parse::<i64>(), literal.parse::<f64>()) {
            (Ok(integer), ..) if is_integer => serializer.serialize_u64(integer),
            (_, Ok(integer), _) if is_integer => serializer.serialize_i64(integer),
            (.., Ok(double)) if double.is_finite() => serializer.serialize_f64(self.double(double)),
            _ => return Err(E::custom("number out of range")),
        };
        made.map_err(E::custom)
    }
}

impl Serialize for JsonText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut deserializer = serde_json::Deserializer::from_str(self.text);
        let made = deserializer.deserialize_any(Transcoder { serializer, source: self });
        let made = made.map_err(S::Error::custom)?;
        deserializer.end().map_err(S::Error::custom)?;
        Ok(made)
    }
}

/// Receives the items of the array: see [`JsonText::each_item`].
pub trait Items {
    /// Receives an item, which can be serialized once.
    ///
    /// # Errors
    ///
    /// Why the item is rejected; then there are no further calls.
    fn item<T: Serialize>(&mut self, item: &T) -> Result<(), String>;
}

struct EachItem<'c, I> {
    items: &'c mut I,
    source: &'c JsonText<'c>,
}

impl<'de, I: Items> Visitor<'de> for EachItem<'_, I> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let EachItem { items, source } = self;
        while seq.next_element_seed(EachItem { items: &mut *items, source })?.is_some() {}
        Ok(())
    }
}

impl<'de, I: Items> DeserializeSeed<'de> for EachItem<'_, I> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let nested = Nested { deserializer: Cell::new(Some(deserializer)), source: self.source };
        self.items.item(&nested).map_err(D::Error::custom)
    }
}

/// Serializes what it reads.
struct Transcoder<'c, S> {
    serializer: S,
    source: &'c JsonText<'c>,
}

impl<'de, S: Serializer> Visitor<'de> for Transcoder<'_, S> {
    type Value = S::Ok;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<S::Ok, E> {
        self.serializer.serialize_unit().map_err(E::custom)
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<S::Ok, E> {
        self.serializer.serialize_bool(value).map_err(E::custom)
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<S::Ok, E> {
        self.serializer.serialize_i64(value).map_err(E::custom)
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<S::Ok, E> {
        self.serializer.serialize_u64(value).map_err(E::custom)
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<S::Ok, E> {
        self.serializer.serialize_f64(self.source.double(value)).map_err(E::custom)
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<S::Ok, E> {
        self.serializer.serialize_str(value).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<S::Ok, A::Error> {
        let Transcoder { serializer, source } = self;
        let mut items = serializer.serialize_seq(None).map_err(A::Error::custom)?;
        while seq.next_element_seed(Item { items: &mut items, source })?.is_some() {}
        items.end().map_err(A::Error::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<S::Ok, A::Error> {
        let Transcoder { serializer, source } = self;
        let first = match map.next_key_seed(FirstKey(source))? {
            Some(First::Number) => {
                return source.literal(&map.next_value::<String>()?, serializer);
            }
            Some(First::Key(key)) => Some(key),
            None => None,
        };
        let mut members = serializer.serialize_map(None).map_err(A::Error::custom)?;
        if let Some(key) = first {
            members.serialize_key(&&*key).map_err(A::Error::custom)?;
            map.next_value_seed(Member { members: &mut members, source })?;
            while map.next_key_seed(Key(&mut members))?.is_some() {
                map.next_value_seed(Member { members: &mut members, source })?;
            }
        }
        members.end().map_err(A::Error::custom)
    }
}

/// The first key of an object.
enum First<'de> {
    Key(Cow<'de, str>),
    /// A number, whose literal follows.
    Number,
}

struct FirstKey<'c>(&'c JsonText<'c>);

impl<'de> DeserializeSeed<'de> for FirstKey<'_> {
    type Value = First<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<First<'de>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for FirstKey<'_> {
    type Value = First<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    /// An object of the text may have the same key as the one that marks a number in `serde_json`;
    /// only the object's key is borrowed from the text.
    fn visit_borrowed_str<E>(self, key: &'de str) -> Result<First<'de>, E> {
        if key == NUMBER && !self.0.contains(key) {
            return Ok(First::Number);
        }
        Ok(First::Key(Cow::Borrowed(key)))
    }

    fn visit_str<E>(self, key: &str) -> Result<First<'de>, E> {
        Ok(First::Key(Cow::Owned(key.to_owned())))
    }
}

/// Any other key of an object.
struct Key<'m, M>(&'m mut M);

impl<'de, M: SerializeMap> DeserializeSeed<'de> for Key<'_, M> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<M: SerializeMap> Visitor<'_> for Key<'_, M> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: serde::de::Error>(self, key: &str) -> Result<(), E> {
        // By reference, as maps do: serializers of rows use this to distinguish keys of maps from
        // declared fields.
        self.0.serialize_key(&key).map_err(E::custom)
    }
}

struct Item<'m, 'c, Q> {
    items: &'m mut Q,
    source: &'c JsonText<'c>,
}

impl<'de, Q: SerializeSeq> DeserializeSeed<'de> for Item<'_, '_, Q> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let nested = Nested { deserializer: Cell::new(Some(deserializer)), source: self.source };
        self.items.serialize_element(&nested).map_err(D::Error::custom)
    }
}

struct Member<'m, 'c, M> {
    members: &'m mut M,
    source: &'c JsonText<'c>,
}

impl<'de, M: SerializeMap> DeserializeSeed<'de> for Member<'_, '_, M> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let nested = Nested { deserializer: Cell::new(Some(deserializer)), source: self.source };
        self.members.serialize_value(&nested).map_err(D::Error::custom)
    }
}

/// A value in an array or object. It is read when it is serialized, which can happen only once.
struct Nested<'c, D> {
    deserializer: Cell<Option<D>>,
    source: &'c JsonText<'c>,
}

impl<'de, D: Deserializer<'de>> Serialize for Nested<'_, D> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let deserializer = self.deserializer.take();
        let deserializer = deserializer
            .ok_or_else(|| S::Error::custom("a value of a text is serialized twice"))?;
        let transcoder = Transcoder { serializer, source: self.source };
        deserializer.deserialize_any(transcoder).map_err(S::Error::custom)
    }
}
