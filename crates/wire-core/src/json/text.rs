//! A JSON text as a value to serialize, without a tree.

use std::cell::RefCell;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::error::{Error, ErrorKind};
use super::number::{Fidelity, Number};
use super::reader::{Reader, Token};

/// A JSON text as a `Serialize`. It can be serialized once.
///
/// If the serializer fails, [`Text::error`] is the error of the text, if that was the reason; if it
/// is `None`, [`Text::offset`] is where the value or key begins that the serializer rejected.
#[derive(Debug)]
pub struct Text<'t> {
    state: RefCell<State<'t>>,
    big_integers_as_strings: bool,
    is_signed: bool,
}

#[derive(Debug)]
struct State<'t> {
    reader: Reader<'t>,
    buffer: String,
    error: Option<Error>,
    strings: usize,
    doubles: Doubles,
}

impl<'t> Text<'t> {
    /// The value of a text. Integers have 64 bits, with or without a sign; others are an error, and
    /// so are duplicate keys. Decimals are their nearest doubles.
    pub fn new(text: &'t str) -> Self {
        Text::of(Reader::new(text))
    }

    /// The next value of a reader, and nothing after it but white space.
    pub fn of(reader: Reader<'t>) -> Self {
        let state = State {
            reader,
            buffer: String::new(),
            error: None,
            strings: 0,
            doubles: Doubles::default(),
        };
        Text { state: RefCell::new(state), big_integers_as_strings: false, is_signed: false }
    }

    /// Sets whether integers that the target can't represent are strings of their digits (ruling
    /// A6). The default is an error.
    #[must_use]
    pub fn big_integers_as_strings(mut self, as_strings: bool) -> Self {
        self.big_integers_as_strings = as_strings;
        self
    }

    /// Sets whether the target has only integers of 64 bits with a sign. The default is no.
    #[must_use]
    pub fn signed(mut self, is_signed: bool) -> Self {
        self.is_signed = is_signed;
        self
    }

    /// The error of the text at which serializing ended.
    pub fn error(&self) -> Option<Error> {
        self.state.borrow().error.clone()
    }

    /// Where the last token begins.
    pub fn offset(&self) -> usize {
        self.state.borrow().reader.start()
    }

    /// The number of integers that were serialized as strings.
    pub fn strings(&self) -> usize {
        self.state.borrow().strings
    }

    /// The changes of the decimals.
    pub fn doubles(&self) -> Doubles {
        self.state.borrow().doubles
    }

    /// Calls `each` with every item of the text, which is an array. `each` serializes the item, and
    /// returns whether there are to be more calls.
    ///
    /// # Errors
    ///
    /// The error of the text, and [`ErrorKind::Data`] if it is not an array.
    pub fn each_item(&self, mut each: impl FnMut(&Item<'_, 't>) -> bool) -> Result<(), Error> {
        if !matches!(self.step(Reader::value)?, Token::Array) {
            let error = Error::new(ErrorKind::Data, self.offset(), "it is not an array");
            return self.step(|_| Err(error));
        }
        while self.step(Reader::item)? {
            if !each(&Item(self)) {
                return self.error().map_or(Ok(()), Err);
            }
        }
        self.step(Reader::end)
    }

    /// Reads on, and keeps the error.
    #[inline]
    fn step<T>(&self, read: impl FnOnce(&mut Reader<'t>) -> Result<T, Error>) -> Result<T, Error> {
        let state = &mut *self.state.borrow_mut();
        read(&mut state.reader).inspect_err(|error| state.error = Some(error.clone()))
    }

    #[inline]
    fn read<T, E: serde::ser::Error>(
        &self,
        read: impl FnOnce(&mut Reader<'t>) -> Result<T, Error>,
    ) -> Result<T, E> {
        self.step(read).map_err(|error| E::custom(error.message()))
    }

    #[inline]
    fn number<S: Serializer>(&self, number: Number<'t>, serializer: S) -> Result<S::Ok, S::Error> {
        match number.as_u64() {
            Some(integer) if !self.is_signed || i64::try_from(integer).is_ok() => {
                serializer.serialize_u64(integer)
            }
            _ => self.other_number(number, serializer),
        }
    }

    fn other_number<S: Serializer>(
        &self,
        number: Number<'t>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        if !number.is_integer() {
            return serializer.serialize_f64(self.double(number)?);
        }
        if let Some(integer) = number.as_i64() {
            return serializer.serialize_i64(integer);
        }
        if self.big_integers_as_strings {
            self.state.borrow_mut().strings += 1;
            return serializer.serialize_str(number.literal());
        }
        let sign = if self.is_signed { " with a sign" } else { "" };
        let expected = format!("an integer of 64 bits{sign}");
        self.read(|reader| Err(reader.refused(ErrorKind::OutOfRange, number, &expected)))
    }

    fn double<E: serde::ser::Error>(&self, number: Number<'t>) -> Result<f64, E> {
        let offset = self.offset();
        let fidelity = self.state.borrow_mut().doubles.add(number, offset);
        match fidelity {
            Fidelity::Exact(double) | Fidelity::Rounded(double) => Ok(double),
            Fidelity::OutOfRange => self.read(|reader| Err(reader.beyond_doubles(number))),
        }
    }
}

/// The treatment of decimals that are written as their nearest doubles (ruling A7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Doubles {
    /// How many become other numbers.
    pub rounded: usize,
    /// The offset of the first of these.
    pub first_rounded: Option<usize>,
    /// How many are zero with a minus sign, which many formats write without it.
    pub negative_zeros: usize,
}

impl Doubles {
    /// The changes of the decimals of a text.
    ///
    /// # Errors
    ///
    /// The first error of the text; a decimal beyond doubles is one.
    pub fn of(text: &str) -> Result<Self, Error> {
        Doubles::of_reader(Reader::new(text))
    }

    /// The same of the text of a reader, which decides what else is an error.
    ///
    /// # Errors
    ///
    /// As [`Doubles::of`].
    pub fn of_reader(reader: Reader<'_>) -> Result<Self, Error> {
        let mut reader = reader.in_doubles();
        let mut doubles = Doubles::default();
        reader.walk(|token, offset| {
            if let Token::Number(number) = token
                && !number.is_integer()
            {
                doubles.add(number, offset);
            }
            Ok(())
        })?;
        reader.end()?;
        Ok(doubles)
    }

    /// Adds a number at an offset. Integers do not become doubles.
    fn add(&mut self, number: Number<'_>, offset: usize) -> Fidelity {
        let fidelity = number.fidelity();
        match fidelity {
            Fidelity::Rounded(_) => {
                self.rounded += 1;
                self.first_rounded.get_or_insert(offset);
            }
            Fidelity::Exact(double) if double == 0.0 && number.is_negative_zero() => {
                self.negative_zeros += 1;
            }
            Fidelity::Exact(_) | Fidelity::OutOfRange => {}
        }
        fidelity
    }

    /// Adds those of another text, which begins at an offset of this one.
    pub fn append(&mut self, other: Doubles, offset: usize) {
        self.rounded += other.rounded;
        self.negative_zeros += other.negative_zeros;
        self.first_rounded = self.first_rounded.or(other.first_rounded.map(|at| offset + at));
    }
}

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let made = Item(self).serialize(serializer)?;
        self.read(Reader::end)?;
        Ok(made)
    }
}

/// The next value of a [`Text`]. It can be serialized once.
#[derive(Debug)]
pub struct Item<'c, 't>(&'c Text<'t>);

impl Serialize for Item<'_, '_> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.0;
        match text.read(Reader::value)? {
            Token::Null => serializer.serialize_unit(),
            Token::Bool(truth) => serializer.serialize_bool(truth),
            Token::Number(number) => text.number(number, serializer),
            Token::String(string) => match string.borrowed() {
                Some(plain) => serializer.serialize_str(plain),
                None => {
                    let mut buffer = std::mem::take(&mut text.state.borrow_mut().buffer);
                    let made = serializer.serialize_str(string.decode_in(&mut buffer));
                    text.state.borrow_mut().buffer = buffer;
                    made
                }
            },
            Token::Array => {
                let mut items = serializer.serialize_seq(None)?;
                while text.read(Reader::item)? {
                    items.serialize_element(self)?;
                }
                items.end()
            }
            Token::Object => {
                let mut members = serializer.serialize_map(None)?;
                while let Some(key) = text.read(Reader::key)? {
                    match key.borrowed() {
                        Some(plain) => members.serialize_key(plain)?,
                        None => members.serialize_key(&*key.decode())?,
                    }
                    members.serialize_value(self)?;
                }
                members.end()
            }
        }
    }
}
