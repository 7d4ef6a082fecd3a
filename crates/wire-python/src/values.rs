//! What serde serializes, on the tape: values of Rust on their way to Python.

use std::fmt;

use serde::ser::{Error as _, Impossible, Serialize, SerializeMap, Serializer};
use wire_core::json::{SERDE_JSON_NUMBER, SERDE_JSON_RAW_VALUE};
use wire_core::{forward_serialize, serialize_elements};

use crate::tape::Tape;

/// The tape of a value.
pub(crate) fn tape_of<T: Serialize + ?Sized>(value: &T) -> Result<Tape<'static>, Unwritable> {
    let mut tape = Tape::default();
    value.serialize(Record(&mut tape))?;
    Ok(tape)
}

/// A value has what JSON has not, as the variants of an enum.
#[derive(Debug)]
pub(crate) struct Unwritable(String);

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unwritable {}

impl serde::ser::Error for Unwritable {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Unwritable(message.to_string())
    }
}

struct Record<'t>(&'t mut Tape<'static>);

impl<'t> Serializer for Record<'t> {
    type Ok = ();
    type Error = Unwritable;
    type SerializeSeq = Items<'t>;
    type SerializeTuple = Items<'t>;
    type SerializeTupleStruct = Items<'t>;
    type SerializeTupleVariant = Items<'t>;
    type SerializeMap = Members<'t>;
    type SerializeStruct = Members<'t>;
    type SerializeStructVariant = Impossible<(), Unwritable>;

    fn serialize_bool(self, value: bool) -> Result<(), Unwritable> {
        self.0.bool(value);
        Ok(())
    }

    fn serialize_i64(self, value: i64) -> Result<(), Unwritable> {
        self.0.integer(value);
        Ok(())
    }

    fn serialize_u64(self, value: u64) -> Result<(), Unwritable> {
        self.0.unsigned(value);
        Ok(())
    }

    fn serialize_f64(self, value: f64) -> Result<(), Unwritable> {
        self.0.double(value);
        Ok(())
    }

    fn serialize_str(self, value: &str) -> Result<(), Unwritable> {
        self.0.text(value);
        Ok(())
    }

    fn serialize_unit(self) -> Result<(), Unwritable> {
        self.0.null();
        Ok(())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: &T,
    ) -> Result<(), Unwritable> {
        Err(Unwritable::custom(variant))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'t>, Unwritable> {
        Ok(Items { tape: self.0, count: 0 })
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items<'t>, Unwritable> {
        Err(Unwritable::custom(variant))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members<'t>, Unwritable> {
        Ok(Members { tape: self.0, count: 0, digits: false })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Unwritable> {
        Err(Unwritable::custom(variant))
    }

    forward_serialize! {
        integers f32 char bytes none some unit_struct unit_variant newtype_struct tuple tuple_struct struct_as_map
    }
}

struct Items<'t> {
    tape: &'t mut Tape<'static>,
    count: usize,
}

impl Items<'_> {
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        self.count += 1;
        value.serialize(Record(&mut *self.tape))
    }

    #[allow(clippy::unnecessary_wraps)] // as serde has it
    fn close(self) -> Result<(), Unwritable> {
        self.tape.array(self.count);
        Ok(())
    }
}

serialize_elements! { Items<'_> => Result<(), Unwritable> }

struct Members<'t> {
    tape: &'t mut Tape<'static>,
    count: usize,
    /// It is no object, but the literal of a number.
    digits: bool,
}

impl SerializeMap for Members<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Unwritable> {
        self.count += 1;
        key.serialize(Record(&mut *self.tape))?;
        self.tape.last_text_is_key();
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        value.serialize(Record(&mut *self.tape))
    }

    fn end(self) -> Result<(), Unwritable> {
        if !self.digits {
            self.tape.object(self.count);
        }
        Ok(())
    }
}

impl serde::ser::SerializeStruct for Members<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Unwritable> {
        if name == SERDE_JSON_RAW_VALUE || name == SERDE_JSON_NUMBER {
            self.digits = true;
            value.serialize(Record(&mut *self.tape))?;
            self.tape.last_text_is_number();
            return Ok(());
        }
        self.serialize_entry(name, value)
    }

    fn end(self) -> Result<(), Unwritable> {
        SerializeMap::end(self)
    }
}
