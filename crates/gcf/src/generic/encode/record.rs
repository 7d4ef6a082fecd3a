//! The serializer that records a value on a [`Tape`].

use serde::ser::{Serialize, SerializeMap, Serializer};
use wire_core::json::{SERDE_JSON_NUMBER, SERDE_JSON_RAW_VALUE};
use wire_core::number::Digits;
use wire_core::text::shown;
use wire_core::{MAX_NESTING, forward_serialize, serialize_elements, serialize_fields};

use super::key;
use super::recorded::{Members, Recorded, kind};
use super::shape::{EMPTY, ShapeId, TreeId};
use super::tape::{Tape, flag};
use crate::generic::scalar::{out_of_range, push_double, push_integer, push_text};
use crate::{Error, ErrorKind};

pub(super) fn tape_of<T: Serialize + ?Sized>(value: &T) -> Result<Tape, Error> {
    tape_within(value, 0)
}

/// Records a value that is nested in this many arrays and objects.
pub(super) fn tape_within<T: Serialize + ?Sized>(value: &T, depth: usize) -> Result<Tape, Error> {
    let mut tape = Tape::new();
    value.serialize(Recorder { tape: &mut tape, depth, within: EMPTY })?;
    tape.end();
    Ok(tape)
}

struct Recorder<'t> {
    tape: &'t mut Tape,
    /// The arrays and objects around it.
    depth: usize,
    /// The keys so far of the object around it.
    within: ShapeId,
}

impl<'t> Recorder<'t> {
    #[inline]
    fn scalar(self, write: impl FnOnce(&mut String, &mut Digits)) -> Recorded {
        self.tape.push_scalar(write);
        Recorded::SCALAR
    }

    fn null(self) -> Recorded {
        self.tape.push_null();
        Recorded::NULL
    }

    #[inline]
    fn enter(&self) -> Result<usize, Error> {
        if self.depth < MAX_NESTING { Ok(self.depth + 1) } else { Err(too_deep()) }
    }

    #[inline]
    fn array(self) -> Result<Array<'t>, Error> {
        let depth = self.enter()?;
        let Recorder { tape, within, .. } = self;
        let at = tape.begin_array();
        Ok(Array { tape, at, depth, within, kinds: 0, tree: None, alike: true, around: None })
    }

    #[inline]
    fn object(self) -> Result<Object<'t>, Error> {
        let depth = self.enter()?;
        let Recorder { tape, within, .. } = self;
        let at = tape.begin_object();
        let members = Members::new(tape);
        Ok(Object { tape, at, depth, within, members, special: None, around: None })
    }

    #[cold]
    fn special(self, special: Special) -> Object<'t> {
        let Recorder { tape, depth, within } = self;
        let members = Members::new(tape);
        Object { tape, at: 0, depth, within, members, special: Some(special), around: None }
    }

    /// An object with one member: the content of a variant.
    fn variant(self, variant: &'static str) -> Result<(Recorder<'t>, VariantWrapper), Error> {
        let Object { tape, at, depth, within, mut members, .. } = self.object()?;
        members.key(tape, within, variant);
        Ok((Recorder { tape, depth, within: members.shape }, VariantWrapper { at, members }))
    }
}

#[cold]
fn too_deep() -> Error {
    let message =
        format!("a value is nested deeper than {MAX_NESTING} levels, expected at most that many");
    Error::encode(ErrorKind::TooDeep, message)
}

/// The object around the content of a variant.
#[derive(Clone, Copy)]
struct VariantWrapper {
    at: usize,
    members: Members,
}

impl VariantWrapper {
    fn end(mut self, tape: &mut Tape, made: Recorded) -> Result<Recorded, Error> {
        self.members.add(tape, made);
        self.members.end(tape, self.at)
    }
}

macro_rules! integers {
    ($($method:ident $type:ty),*) => {$(
        fn $method(self, value: $type) -> Result<Recorded, Error> {
            let integer = i64::try_from(value)
                .map_err(|_| Error::encode(ErrorKind::OutOfRange, out_of_range(&value.to_string())))?;
            Ok(self.scalar(|out, _| push_integer(out, integer)))
        }
    )*};
}

impl<'t> Serializer for Recorder<'t> {
    type Ok = Recorded;
    type Error = Error;
    type SerializeSeq = Array<'t>;
    type SerializeTuple = Array<'t>;
    type SerializeTupleStruct = Array<'t>;
    type SerializeTupleVariant = Array<'t>;
    type SerializeMap = Object<'t>;
    type SerializeStruct = Object<'t>;
    type SerializeStructVariant = Object<'t>;

    integers! {
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64, serialize_i128 i128,
        serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64, serialize_u128 u128
    }

    fn serialize_bool(self, value: bool) -> Result<Recorded, Error> {
        Ok(self.scalar(|out, _| out.push_str(if value { "true" } else { "false" })))
    }

    fn serialize_f64(self, value: f64) -> Result<Recorded, Error> {
        if !value.is_finite() {
            return Err(Error::encode(ErrorKind::OutOfRange, out_of_range(&value.to_string())));
        }
        Ok(self.scalar(|out, digits| push_double(out, digits, value)))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<Recorded, Error> {
        Ok(self.scalar(|out, _| push_text(out, value)))
    }

    fn serialize_unit(self) -> Result<Recorded, Error> {
        Ok(self.null())
    }

    forward_serialize! {
        f32 char bytes none some unit_struct unit_variant newtype_struct tuple tuple_struct
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Recorded, Error> {
        let (Recorder { tape, depth, within }, outer) = self.variant(variant)?;
        let made = value.serialize(Recorder { tape: &mut *tape, depth, within })?;
        outer.end(tape, made)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Array<'t>, Error> {
        self.array()
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Array<'t>, Error> {
        let (inner, outer) = self.variant(variant)?;
        Ok(Array { around: Some(outer), ..inner.array()? })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Object<'t>, Error> {
        self.object()
    }

    #[inline]
    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Object<'t>, Error> {
        match name {
            // Neither is an object: the one is a number, the other is refused.
            SERDE_JSON_NUMBER => Ok(self.special(Special::Number)),
            SERDE_JSON_RAW_VALUE => Ok(self.special(Special::RawValue)),
            _ => self.object(),
        }
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Object<'t>, Error> {
        let (inner, outer) = self.variant(variant)?;
        Ok(Object { around: Some(outer), ..inner.object()? })
    }
}

pub(super) struct Array<'t> {
    tape: &'t mut Tape,
    at: usize,
    depth: usize,
    within: ShapeId,
    kinds: u8,
    /// The tree of the first item that has one, and whether all others have the same.
    tree: Option<TreeId>,
    alike: bool,
    around: Option<VariantWrapper>,
}

impl Array<'_> {
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let Array { depth, within, .. } = *self;
        let made = value.serialize(Recorder { tape: &mut *self.tape, depth, within })?;
        self.kinds |= made.kind();
        if let Some(tree) = made.tree() {
            self.alike &= *self.tree.get_or_insert(tree) == tree;
        }
        Ok(())
    }

    fn close(self) -> Result<Recorded, Error> {
        let Array { kinds, tree, alike, .. } = self;
        let flags = if kind::only(kinds, kind::NULL | kind::SCALAR) {
            flag::SCALARS
        } else if tree.is_some() && alike && kind::only(kinds, kind::FLAT | kind::ALL_NULL) {
            flag::ALIKE
        } else {
            0
        };
        self.tape.end_array(self.at, flags);
        match self.around {
            None => Ok(Recorded::ARRAY),
            Some(outer) => outer.end(self.tape, Recorded::ARRAY),
        }
    }
}

serialize_elements! { Array<'_> => Result<Recorded, Error> }

/// A value that is not an object although serde passes it as one.
#[derive(Clone, Copy)]
enum Special {
    Number,
    RawValue,
}

pub(super) struct Object<'t> {
    tape: &'t mut Tape,
    at: usize,
    depth: usize,
    within: ShapeId,
    members: Members,
    special: Option<Special>,
    around: Option<VariantWrapper>,
}

impl Object<'_> {
    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let (depth, within) = (self.depth, self.members.shape);
        let made = value.serialize(Recorder { tape: &mut *self.tape, depth, within })?;
        self.members.add(self.tape, made);
        Ok(())
    }

    fn field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        if let Some(special) = self.special {
            return self.special(special, value);
        }
        self.members.key(self.tape, self.within, key);
        self.value(value)
    }

    /// A number that `serde_json` keeps as text is one in the text too.
    #[cold]
    fn special<T: Serialize + ?Sized>(&mut self, special: Special, value: &T) -> Result<(), Error> {
        let text = key::name(value)?;
        self.members.count += 1;
        let recorder = Recorder { tape: &mut *self.tape, depth: self.depth, within: EMPTY };
        match special {
            Special::RawValue => {
                let message = format!(
                    "a value is the raw JSON {}, expected a value that is not raw JSON",
                    shown(&text)
                );
                return Err(Error::encode(ErrorKind::InvalidValue, message));
            }
            Special::Number if text.contains(['.', 'e', 'E']) => {
                recorder.serialize_f64(text.parse().unwrap_or(f64::NAN))?;
            }
            Special::Number => match text.parse::<i64>() {
                Ok(integer) => drop(recorder.serialize_i64(integer)?),
                Err(_) => return Err(Error::encode(ErrorKind::OutOfRange, out_of_range(&text))),
            },
        }
        Ok(())
    }

    #[inline]
    fn close(self) -> Result<Recorded, Error> {
        let made = match self.special {
            None => self.members.end(self.tape, self.at)?,
            Some(_) if self.members.count == 1 => Recorded::SCALAR,
            Some(_) => return Err(no_content()),
        };
        match self.around {
            None => Ok(made),
            Some(outer) => outer.end(self.tape, made),
        }
    }
}

#[cold]
fn no_content() -> Error {
    let message = "a number or raw JSON of serde_json has no text, or several, expected one";
    Error::encode(ErrorKind::InvalidValue, message)
}

impl SerializeMap for Object<'_> {
    type Ok = Recorded;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        key::with(key, |text: &str| self.members.key(self.tape, self.within, text))
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.value(value)
    }

    #[inline]
    fn end(self) -> Result<Recorded, Error> {
        self.close()
    }
}

serialize_fields! { Object<'_> => Result<Recorded, Error> }
