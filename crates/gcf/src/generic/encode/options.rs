//! The options of encoding.

use std::io::Write;

use serde::Serialize;

use super::prepared::Prepared;
use super::record::tape_of;
use super::rows::groups;
use crate::Error;
use crate::generic::grammar::HEADER_LINE;

/// A specification of the generic profile that can be written. Decoders read both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Spec {
    /// 3.5.3, which every implementation since 3.2 reads.
    #[default]
    V3_5,
    /// 3.6: a column that is the same in every row of a table moves into its header, as
    /// `name=value` (ruling G14). Readers of earlier specifications refuse it.
    V3_6,
}

impl Spec {
    /// Every specification, the default first.
    pub const ALL: &'static [Spec] = &[Spec::V3_5, Spec::V3_6];

    /// Its name: `3.5` or `3.6`.
    pub const fn name(self) -> &'static str {
        match self {
            Spec::V3_5 => "3.5",
            Spec::V3_6 => "3.6",
        }
    }

    /// The specification with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Spec::ALL.iter().copied().find(|spec| spec.name() == name)
    }
}

/// Encodes values. The functions [`to_string`](crate::to_string) and its siblings do so
/// with the default options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoder {
    /// `true` if objects in rows can be columns of their own.
    pub(super) flatten: bool,
    pub(super) spec: Spec,
    /// `true` if a decimal of a JSON text that is not a double is an error.
    #[cfg(feature = "json")]
    pub(super) exact: bool,
}

impl Default for Encoder {
    fn default() -> Self {
        Encoder::new()
    }
}

impl Encoder {
    /// The default options.
    pub const fn new() -> Self {
        Encoder {
            flatten: true,
            spec: Spec::V3_5,
            #[cfg(feature = "json")]
            exact: false,
        }
    }

    /// Sets the specification to write (default [`Spec::V3_5`]).
    #[must_use]
    pub const fn spec(mut self, spec: Spec) -> Self {
        self.spec = spec;
        self
    }

    /// Sets whether objects in the rows of a table are columns of their own where they can be
    /// (default `true`, section 7.4.6). With `false` they are attachments, as specification 3.0 and
    /// 3.1 had it.
    #[must_use]
    pub const fn flatten(mut self, flattened: bool) -> Self {
        self.flatten = flattened;
        self
    }

    /// Sets whether a decimal of a JSON text that is not the shortest text of a double is an
    /// error, `inexact_number` (default `false`: it is rounded to the nearest double, ruling A7).
    ///
    /// ```
    /// use gcf::Encoder;
    ///
    /// let json = "[0.5,0.12345678901234567890123]";
    /// assert_eq!(
    ///     Encoder::new().json_to_gcf(json)?,
    ///     "GCF profile=generic\n## [2]: 0.5,0.12345678901234568\n"
    /// );
    /// let error = Encoder::new().exact(true).json_to_gcf(json).unwrap_err();
    /// assert_eq!(
    ///     (error.code(), error.position().unwrap().offset),
    ///     ("inexact_number", 5)
    /// );
    /// # Ok::<(), gcf::Error>(())
    /// ```
    #[cfg(feature = "json")]
    #[must_use]
    pub const fn exact(mut self, exact: bool) -> Self {
        self.exact = exact;
        self
    }

    /// Encodes a value. An encoder does not limit the length of lines. To decode a line of more
    /// than 64 MiB, such as that of a very long string or array of scalars, a
    /// [`Decoder`](crate::Decoder) needs a higher limit than
    /// [`LIMITS`](crate::LIMITS).
    ///
    /// # Errors
    ///
    /// * `out_of_range` for integers outside of 64 bits with a sign, with the number and the remedy
    ///   (section 2.3.2), and for NaN and infinities,
    /// * `duplicate_key` for a map that gives a key twice (section 2a.2),
    /// * `too_deep` for arrays and objects nested more than 127 levels deep,
    /// * `invalid_value` for map keys that JSON can't represent either, and for errors of a
    ///   `Serialize` implementation.
    pub fn to_string<T: Serialize + ?Sized>(&self, value: &T) -> Result<String, Error> {
        self.prepare(value).map(Prepared::into_string)
    }

    /// A value, ready to be written: what is wrong with it is said here, before there is any text.
    ///
    /// # Errors
    ///
    /// As [`Encoder::to_string`].
    pub fn prepare<T: Serialize + ?Sized>(&self, value: &T) -> Result<Prepared, Error> {
        Ok(Prepared { tape: tape_of(value)?, options: *self })
    }

    /// Encodes an array of flat objects with its rows in groups, so that a value that many rows
    /// share is written once for each group (ruling G14). `group` is the field of that value. `key`
    /// is a field whose value is different in every object. Every object has both. The text is of
    /// specification 3.6, whatever [`Encoder::spec`] says.
    ///
    /// Groups are in the order of their first objects. **Unlike all other functions of this module,
    /// this one does not keep the order of the array.**
    ///
    /// ```
    /// use gcf::Encoder;
    /// use serde_json::json;
    ///
    /// let staff = json!([
    ///     {"id": 1, "dept": "Eng"},
    ///     {"id": 2, "dept": "Ops"},
    ///     {"id": 3, "dept": "Eng"},
    /// ]);
    /// let text = Encoder::new().to_string_in_groups(&staff, "id", "dept")?;
    /// assert_eq!(
    ///     text,
    ///     "GCF profile=generic\n## [3]{@id,dept} group=dept\ndept=Eng [2]\n1\n3\n\
    ///      dept=Ops [1]\n2\n"
    /// );
    /// # Ok::<(), gcf::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Encoder::to_string`]; `not_groupable`, with the reason, if the value is not such
    /// an array; and `duplicate_key` if two objects have the same key.
    pub fn to_string_in_groups<T: Serialize + ?Sized>(
        &self,
        value: &T,
        key: &str,
        group: &str,
    ) -> Result<String, Error> {
        let mut text = HEADER_LINE.to_owned();
        groups(value, key, group, &mut text)?;
        Ok(text)
    }

    /// A value as bytes.
    ///
    /// # Errors
    ///
    /// As [`Encoder::to_string`].
    pub fn to_vec<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>, Error> {
        self.to_string(value).map(String::into_bytes)
    }

    /// Writes a value, in pieces of some 64 KiB, so that the text is never in memory as a whole.
    /// The writer needs no buffer.
    ///
    /// # Errors
    ///
    /// As [`Encoder::to_string`], before anything is written, and `io` when the writer fails.
    pub fn to_writer<W: Write, T: Serialize + ?Sized>(
        &self,
        writer: W,
        value: &T,
    ) -> Result<(), Error> {
        Ok(self.prepare(value)?.to_writer(writer)?)
    }
}
