//! The JSON value of anything that serde serializes, from which responses are encoded (rulings X14,
//! A6).
//!
//! `serde_json` has such a serializer, too, but it converts NaN to `null`.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Number;
use wire_core::text::shown;
use wire_core::{MAX_NESTING, forward_serialize, serialize_elements, serialize_fields};

use super::key;
use crate::ErrorKind;
use crate::error::Problem;
use crate::json::{self, Decimals, Json, NUMBER, Object, RAW_VALUE};

/// The value that is serialized.
pub(crate) fn value_of<T: Serialize + ?Sized>(value: &T) -> Result<Json, Problem> {
    value.serialize(Place { depth: 0 })
}

/// The maximum depth of a response: an array of objects, and the JSON in their cells.
const DEEPEST: usize = MAX_NESTING + 2;

/// The destination of a value.
struct Place {
    /// The arrays and objects around it.
    depth: usize,
}

impl Place {
    /// The destination of values in an array or object.
    fn nested(&self) -> Result<usize, Problem> {
        if self.depth == DEEPEST {
            let message = format!(
                "a value is nested deeper than {MAX_NESTING} levels, expected at most that many"
            );
            return Err(Problem::new(ErrorKind::TooDeep, message));
        }
        Ok(self.depth + 1)
    }

    fn items(&self, variant: Option<&'static str>) -> Result<Items, Problem> {
        Ok(Items { variant, depth: self.nested()?, values: Vec::new() })
    }

    fn members(&self, variant: Option<&'static str>) -> Result<Members, Problem> {
        Ok(Members {
            variant,
            depth: self.nested()?,
            object: Object::default(),
            key: None,
            text: None,
        })
    }
}

macro_rules! long_integers {
    ($($method:ident $type:ty),*) => {$(
        fn $method(self, value: $type) -> Result<Json, Problem> {
            let integer = i64::try_from(value).map(Number::from);
            let integer = integer.or_else(|_| u64::try_from(value).map(Number::from));
            Ok(integer.map_or_else(|_| Json::Digits(value.to_string()), Json::Number))
        }
    )*};
}

impl Serializer for Place {
    type Ok = Json;
    type Error = Problem;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Items;
    type SerializeTupleVariant = Items;
    type SerializeMap = Members;
    type SerializeStruct = Members;
    type SerializeStructVariant = Members;

    fn serialize_i64(self, value: i64) -> Result<Json, Problem> {
        Ok(Json::Number(value.into()))
    }

    fn serialize_u64(self, value: u64) -> Result<Json, Problem> {
        Ok(Json::Number(value.into()))
    }

    long_integers! { serialize_i128 i128, serialize_u128 u128 }

    fn serialize_bool(self, value: bool) -> Result<Json, Problem> {
        Ok(Json::Bool(value))
    }

    fn serialize_str(self, value: &str) -> Result<Json, Problem> {
        Ok(value.into())
    }

    fn serialize_f64(self, value: f64) -> Result<Json, Problem> {
        Number::from_f64(value).map(Json::Number).ok_or_else(|| {
            let message = format!("a number is {value}, expected a finite number");
            Problem::new(ErrorKind::NonFiniteNumber, message)
        })
    }

    fn serialize_unit(self) -> Result<Json, Problem> {
        Ok(Json::Null)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Json, Problem> {
        let content = value.serialize(Place { depth: self.nested()? })?;
        Ok(of_variant(Some(variant), content))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items, Problem> {
        self.items(None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items, Problem> {
        self.items(Some(variant))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members, Problem> {
        self.members(None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Members, Problem> {
        self.members(Some(variant))
    }

    forward_serialize! {
        integers f32 char bytes none some unit_struct unit_variant newtype_struct tuple tuple_struct struct_as_map
    }
}

/// The content of a variant, as its only member.
fn of_variant(variant: Option<&'static str>, content: Json) -> Json {
    match variant {
        None => content,
        Some(variant) => Json::Object(Object::from_iter([(variant.to_owned(), content)])),
    }
}

/// An array that is being built.
struct Items {
    variant: Option<&'static str>,
    depth: usize,
    values: Vec<Json>,
}

impl Items {
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Problem> {
        self.values.push(value.serialize(Place { depth: self.depth })?);
        Ok(())
    }

    #[allow(clippy::unnecessary_wraps)] // as the other writers have it
    fn close(self) -> Result<Json, Problem> {
        Ok(of_variant(self.variant, Json::Array(self.values)))
    }
}

serialize_elements! { Items => Result<Json, Problem> }

/// An object that is being built.
struct Members {
    variant: Option<&'static str>,
    depth: usize,
    object: Object,
    key: Option<String>,
    /// The value instead of the struct: the JSON of a text.
    text: Option<Json>,
}

impl Members {
    fn insert(&mut self, key: String, value: Json) -> Result<(), Problem> {
        if self.object.contains_key(&key) {
            let message = format!("the key {} appears twice, expected once", shown(&key));
            return Err(Problem::new(ErrorKind::DuplicateField, message));
        }
        self.object.insert(key, value);
        Ok(())
    }

    fn field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Problem> {
        let value = value.serialize(Place { depth: self.depth })?;
        match (name, &value) {
            (NUMBER | RAW_VALUE, Json::String(text)) => {
                let parsed = json::parse(text, Decimals::Nearest);
                self.text = Some(parsed.map_err(<Problem as serde::ser::Error>::custom)?);
                Ok(())
            }
            _ => self.insert(name.to_owned(), value),
        }
    }

    #[allow(clippy::unnecessary_wraps)] // as the other writers have it
    fn close(self) -> Result<Json, Problem> {
        Ok(of_variant(self.variant, self.text.unwrap_or(Json::Object(self.object))))
    }
}

impl SerializeMap for Members {
    type Ok = Json;
    type Error = Problem;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Problem> {
        self.key = Some(key::name(key)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Problem> {
        let key = self.key.take().expect("because serde gives the key first");
        let value = value.serialize(Place { depth: self.depth })?;
        self.insert(key, value)
    }

    fn end(self) -> Result<Json, Problem> {
        self.close()
    }
}

serialize_fields! { Members => Result<Json, Problem> }
