//! A text as a `serde_json::Value`, in less time than through serde: vectors and maps are created
//! with the size of the rows.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::Decoder;
use crate::Error;

/// The most items that room is made for at once, whatever a text says of itself.
const MOST: usize = 1 << 12;

impl Decoder {
    /// The value of a text: the same as [`Decoder::from_str`] gives for a [`Value`], in less time.
    ///
    /// ```
    /// use gcf::generic::Decoder;
    ///
    /// let value = Decoder::new().to_value("GCF profile=generic\n## [2]{id,unit}\n1|kg\n2|-\n")?;
    /// assert_eq!(value, serde_json::json!([{"id": 1, "unit": "kg"}, {"id": 2, "unit": null}]));
    /// # Ok::<(), gcf::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Decoder::from_str`].
    pub fn to_value(&self, text: &str) -> Result<Value, Error> {
        self.read(text, |value| Values.deserialize(value))
    }
}

#[derive(Clone, Copy)]
struct Values;

impl<'de> DeserializeSeed<'de> for Values {
    type Value = Value;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Values {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        let number = Number::from_f64(value);
        number
            .map(Value::Number)
            .ok_or_else(|| E::custom(format_args!("the number is {value}, expected a finite one")))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::with_capacity(seq.size_hint().unwrap_or_default().min(MOST));
        while let Some(item) = seq.next_element_seed(Values)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Map::with_capacity(map.size_hint().unwrap_or_default().min(MOST));
        while let Some(key) = map.next_key::<String>()? {
            let value = map.next_value_seed(Values)?;
            if members.insert(key, value).is_some() {
                return Err(A::Error::custom("a key appears twice, expected once"));
            }
        }
        Ok(Value::Object(members))
    }
}
