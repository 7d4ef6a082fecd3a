//! Writes what serde reads as JSON text, without a tree.

use std::fmt;
use std::io;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};

/// The layout of JSON text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Without white space.
    #[default]
    Compact,
    /// Indented by two spaces.
    Pretty,
}

impl Layout {
    /// Whether it is indented.
    pub const fn of(pretty: bool) -> Self {
        if pretty { Layout::Pretty } else { Layout::Compact }
    }
}

/// Appends the JSON text of what a deserializer reads to `out`, as `serde_json` would write its
/// `Value`. The deserializer has to reject duplicate keys.
///
/// ```
/// use wire_core::value::{Layout, write_json};
///
/// let mut out = Vec::new();
/// let mut deserializer = serde_json::Deserializer::from_str(r#"{"b": [1, 2.50], "a": "\u0041"}"#);
/// write_json(&mut deserializer, &mut out, Layout::Compact)?;
/// assert_eq!(out, br#"{"b":[1,2.5],"a":"A"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Errors
///
/// The errors of the deserializer, unchanged; numbers that are not finite are reported to it. Then
/// `out` contains a part of the text.
pub fn write_json<'de, D: Deserializer<'de>>(
    deserializer: D,
    out: &mut Vec<u8>,
    layout: Layout,
) -> Result<(), D::Error> {
    match layout {
        Layout::Compact => {
            Place { out, formatter: &mut CompactFormatter }.deserialize(deserializer)
        }
        Layout::Pretty => {
            Place { out, formatter: &mut PrettyFormatter::new() }.deserialize(deserializer)
        }
    }
}

/// Writing to a vector can't fail.
fn written(result: io::Result<()>) {
    result.expect("because a vector takes all that is written");
}

/// The destination of a value.
struct Place<'o, F> {
    out: &'o mut Vec<u8>,
    formatter: &'o mut F,
}

impl<F> Place<'_, F> {
    fn nested(&mut self) -> Place<'_, F> {
        Place { out: &mut *self.out, formatter: &mut *self.formatter }
    }
}

impl<'de, F: Formatter> DeserializeSeed<'de> for Place<'_, F> {
    type Value = ();

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, F: Formatter> Visitor<'de> for Place<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        written(self.formatter.write_null(self.out));
        Ok(())
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        written(self.formatter.write_bool(self.out, value));
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        written(self.formatter.write_i64(self.out, value));
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        written(self.formatter.write_u64(self.out, value));
        Ok(())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<(), E> {
        if !value.is_finite() {
            return Err(E::custom(format_args!("the number is {value}, expected a finite number")));
        }
        written(self.formatter.write_f64(self.out, value));
        Ok(())
    }

    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        push_string(self.out, value);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
        written(self.formatter.begin_array(self.out));
        let mut is_first = true;
        while seq.next_element_seed(Item { place: self.nested(), is_first })?.is_some() {
            is_first = false;
        }
        written(self.formatter.end_array(self.out));
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        written(self.formatter.begin_object(self.out));
        let mut is_first = true;
        while map.next_key_seed(Key { place: self.nested(), is_first })?.is_some() {
            is_first = false;
            written(self.formatter.begin_object_value(self.out));
            map.next_value_seed(self.nested())?;
            written(self.formatter.end_object_value(self.out));
        }
        written(self.formatter.end_object(self.out));
        Ok(())
    }
}

/// The destination of an item of an array.
struct Item<'o, F> {
    place: Place<'o, F>,
    is_first: bool,
}

impl<'de, F: Formatter> DeserializeSeed<'de> for Item<'_, F> {
    type Value = ();

    #[inline]
    fn deserialize<D: Deserializer<'de>>(mut self, deserializer: D) -> Result<(), D::Error> {
        written(self.place.formatter.begin_array_value(self.place.out, self.is_first));
        self.place.nested().deserialize(deserializer)?;
        written(self.place.formatter.end_array_value(self.place.out));
        Ok(())
    }
}

/// The destination of the key of a member.
struct Key<'o, F> {
    place: Place<'o, F>,
    is_first: bool,
}

impl<'de, F: Formatter> DeserializeSeed<'de> for Key<'_, F> {
    type Value = ();

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<F: Formatter> Visitor<'_> for Key<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<(), E> {
        let Place { out, formatter } = self.place;
        written(formatter.begin_object_key(out, self.is_first));
        push_string(out, key);
        written(formatter.end_object_key(out));
        Ok(())
    }
}

/// Appends a JSON string.
fn push_string(out: &mut Vec<u8>, text: &str) {
    serde_json::to_writer(out, text).expect("because a vector takes all that is written");
}
