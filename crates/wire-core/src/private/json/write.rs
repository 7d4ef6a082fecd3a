//! JSON text: from tokens, trees, and what serde reads.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::error::Error;
use super::reader::{Reader, Str, Token};
use super::tree::Json;

/// The layout of a text.
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

/// The name of the newtype struct by which [`write_json`] and [`Json`] ask a deserializer for the
/// literals of numbers. A deserializer that knows the name passes a number as the bytes of its
/// literal; to any other it is a newtype struct.
pub const LITERALS: &str = "$wire::literals";

/// The name of the newtype struct by which a type learns whether it is read by this reader, which
/// passes the value itself; to any other deserializer it is a newtype struct.
pub const VALUES: &str = "$wire::values";

/// Appends values to a text. The caller says where arrays, objects, items and keys begin and end.
#[derive(Debug)]
pub struct Writer<'o> {
    out: &'o mut String,
    layout: Layout,
    depth: usize,
    is_empty: bool,
}

impl<'o> Writer<'o> {
    /// A writer that appends to `out`.
    pub fn new(out: &'o mut String, layout: Layout) -> Self {
        Writer { out, layout, depth: 0, is_empty: false }
    }

    /// A number, `true`, `false`, `null`, or a string in quotes, as it is.
    pub fn raw(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// A string.
    pub fn string(&mut self, text: &str) {
        push_quoted(self.out, text);
    }

    /// The beginning of an array or object: `[` or `{`.
    pub fn begin(&mut self, bracket: char) {
        self.out.push(bracket);
        self.depth += 1;
        self.is_empty = true;
    }

    /// The beginning of an item or of a key.
    pub fn next(&mut self) {
        if !std::mem::take(&mut self.is_empty) {
            self.out.push(',');
        }
        self.line();
    }

    /// What is between a key and its value.
    pub fn colon(&mut self) {
        self.out.push_str(if self.layout == Layout::Pretty { ": " } else { ":" });
    }

    /// The end of an array or object.
    pub fn end(&mut self, bracket: char) {
        self.depth -= 1;
        if !std::mem::take(&mut self.is_empty) {
            self.line();
        }
        self.out.push(bracket);
    }

    fn line(&mut self) {
        if self.layout == Layout::Pretty {
            self.out.push('\n');
            self.out.extend(std::iter::repeat_n("  ", self.depth));
        }
    }
}

/// Appends a string in quotes, with only the escapes that JSON requires.
pub fn push_quoted(out: &mut String, text: &str) {
    out.push('"');
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\t' => "\\t",
            b'\r' => "\\r",
            0x08 => "\\b",
            0x0c => "\\f",
            0..=0x1f => "",
            _ => continue,
        };
        out.push_str(&text[from..at]);
        out.push_str(escape);
        if escape.is_empty() {
            out.push_str(&format!("\\u{byte:04x}"));
        }
        from = at + 1;
    }
    out.push_str(&text[from..]);
    out.push('"');
}

/// How strings of a text are written again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strings {
    /// With the escapes that they have.
    AsWritten,
    /// With only the escapes that JSON requires.
    Shortest,
}

/// A text in another layout. Numbers are copied as they are written.
///
/// # Errors
///
/// The first error of the text.
pub fn laid_out(text: &str, layout: Layout, strings: Strings) -> Result<String, Error> {
    let mut out = String::with_capacity(text.len() + 1);
    let mut reader = Reader::new(text);
    Writer::new(&mut out, layout).value(&mut reader, strings)?;
    reader.end()?;
    Ok(out)
}

impl Writer<'_> {
    /// The next value of a reader. Numbers are copied as they are written.
    ///
    /// # Errors
    ///
    /// The first error of the value.
    pub fn value(&mut self, reader: &mut Reader<'_>, strings: Strings) -> Result<(), Error> {
        let mut buffer = String::new();
        // Of each open array or object, whether it is an object.
        let mut open = Vec::new();
        loop {
            match reader.value()? {
                Token::Array => {
                    self.begin('[');
                    open.push(false);
                }
                Token::Object => {
                    self.begin('{');
                    open.push(true);
                }
                Token::String(string) => self.string_again(string, strings, &mut buffer),
                _ => self.raw(&reader.text()[reader.start()..reader.offset()]),
            }
            while let Some(&is_object) = open.last() {
                if is_object {
                    if let Some(key) = reader.key()? {
                        self.next();
                        self.string_again(key, strings, &mut buffer);
                        self.colon();
                        break;
                    }
                    self.end('}');
                } else {
                    if reader.item()? {
                        self.next();
                        break;
                    }
                    self.end(']');
                }
                open.pop();
            }
            if open.is_empty() {
                return Ok(());
            }
        }
    }

    fn string_again(&mut self, string: Str<'_>, strings: Strings, buffer: &mut String) {
        if strings == Strings::Shortest && string.borrowed().is_none() {
            return self.string(string.decode_in(buffer));
        }
        self.out.push('"');
        self.out.push_str(string.raw());
        self.out.push('"');
    }
}

impl Json<'_> {
    /// The text of the value. Numbers are as they were written.
    pub fn to_text(&self, layout: Layout) -> String {
        let mut out = String::new();
        self.write(&mut Writer::new(&mut out, layout));
        out
    }

    /// Appends the value.
    pub fn write(&self, writer: &mut Writer<'_>) {
        match self {
            Json::Null => writer.raw("null"),
            Json::Bool(true) => writer.raw("true"),
            Json::Bool(false) => writer.raw("false"),
            Json::Number(literal) => writer.raw(literal),
            Json::String(text) => writer.string(text),
            Json::Array(items) => {
                writer.begin('[');
                for item in items {
                    writer.next();
                    item.write(writer);
                }
                writer.end(']');
            }
            Json::Object(members) => {
                writer.begin('{');
                for (key, value) in members {
                    writer.next();
                    writer.string(key);
                    writer.colon();
                    value.write(writer);
                }
                writer.end('}');
            }
        }
    }
}

/// Minified, or pretty with `{:#}`.
impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text(if f.alternate() { Layout::Pretty } else { Layout::Compact }))
    }
}

/// Appends the text of what a deserializer reads, which has to refuse duplicate keys.
///
/// # Errors
///
/// The errors of the deserializer; numbers that are not finite are reported to it.
pub fn write_json<'de, D: Deserializer<'de>>(
    deserializer: D,
    out: &mut String,
    layout: Layout,
) -> Result<(), D::Error> {
    Value(&mut Writer::new(out, layout)).deserialize(deserializer)
}

struct Value<'w, 'o>(&'w mut Writer<'o>);

impl<'de> DeserializeSeed<'de> for Value<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_newtype_struct(LITERALS, self)
    }
}

impl<'de> Visitor<'de> for Value<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bytes<E>(self, literal: &[u8]) -> Result<(), E> {
        self.0.raw(&String::from_utf8_lossy(literal));
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.0.raw("null");
        Ok(())
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.0.raw(if value { "true" } else { "false" });
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.0.raw(&value.to_string());
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.0.raw(&value.to_string());
        Ok(())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<(), E> {
        if !value.is_finite() {
            return Err(E::custom(format_args!("the number is {value}, expected a finite number")));
        }
        self.0.raw(zmij::Buffer::new().format_finite(value));
        Ok(())
    }

    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        self.0.string(value);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        self.0.begin('[');
        while seq.next_element_seed(Item(&mut *self.0))?.is_some() {}
        self.0.end(']');
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.0.begin('{');
        while map.next_key_seed(Key(&mut *self.0))?.is_some() {
            self.0.colon();
            map.next_value_seed(Value(&mut *self.0))?;
        }
        self.0.end('}');
        Ok(())
    }
}

/// An item of an array.
struct Item<'w, 'o>(&'w mut Writer<'o>);

impl<'de> DeserializeSeed<'de> for Item<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.0.next();
        Value(self.0).deserialize(deserializer)
    }
}

/// The key of a member.
struct Key<'w, 'o>(&'w mut Writer<'o>);

impl<'de> DeserializeSeed<'de> for Key<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.0.next();
        deserializer.deserialize_str(Value(self.0))
    }
}
