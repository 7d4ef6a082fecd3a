//! JSON text: from tokens and trees.

use std::fmt;

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
    /// [`Pretty`](Layout::Pretty) if `pretty`, else [`Compact`](Layout::Compact).
    pub const fn of(pretty: bool) -> Self {
        if pretty { Layout::Pretty } else { Layout::Compact }
    }
}

/// The name of the newtype struct by which [`Json`] asks a deserializer for the
/// literals of numbers. A deserializer that knows the name passes a number as the bytes of its
/// literal; to any other it is a newtype struct.
pub const LITERALS: &str = "$wire::literals";

/// The name of the newtype struct by which a type learns whether this reader reads it: this reader
/// calls the visitor's method for the value, any other deserializer calls `visit_newtype_struct`.
pub const VALUES: &str = "$wire::values";

/// The name of the struct by which `serde_json` passes a number to a serializer, and the name of
/// its only field, in a build in which its numbers keep all digits (its feature
/// `arbitrary_precision`, which any crate of a build can switch on). The field is the literal.
///
/// It is no promise of `serde_json`, but what every version of it has done; tests of the format
/// crates fail if that changes.
pub const SERDE_JSON_NUMBER: &str = "$serde_json::private::Number";

/// The same of a text that is JSON already, its `RawValue`.
pub const SERDE_JSON_RAW_VALUE: &str = "$serde_json::private::RawValue";

/// Appends values to a text. The caller says where arrays, objects, items and keys begin and end.
///
/// ```
/// use wire_core::json::{Layout, Writer};
///
/// let mut out = String::new();
/// let mut writer = Writer::new(&mut out, Layout::Compact);
/// writer.begin('{');
/// writer.next();
/// writer.string("ids");
/// writer.colon();
/// writer.begin('[');
/// for id in ["7", "8.50"] {
///     writer.next();
///     writer.raw(id);
/// }
/// writer.end(']');
/// writer.end('}');
/// assert_eq!(out, r#"{"ids":[7,8.50]}"#);
/// ```
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

    /// The text between a key and its value.
    pub fn colon(&mut self) {
        self.out.push_str(if self.layout == Layout::Pretty { ": " } else { ":" });
    }

    /// The end of an array or object that was begun.
    ///
    /// # Panics
    ///
    /// May panic if none is open.
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
    /// The first error of the value. The text then has the part before it.
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
