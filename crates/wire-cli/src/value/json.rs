//! JSON text: what is in it, the same text in another layout, and its errors.

use wire_core::__private::json::{Error, Kind, Layout, Reader, Strings, Token, Writer};
use wire_core::{CodecError, MAX_NESTING, Position};

use super::checked::Checked;
use crate::source::JSON_PRETTY;

/// A text that may be JSON: a whole input, or a line of it.
#[derive(Clone, Copy)]
pub(super) struct Part<'t> {
    pub(super) text: &'t str,
    /// Its offset in the input.
    pub(super) offset: usize,
    /// Whether it is an item of an array, which nests it one level deeper.
    pub(super) is_item: bool,
}

impl<'t> Part<'t> {
    /// A whole input.
    pub(super) fn whole(text: &'t str) -> Self {
        Part { text, offset: 0, is_item: false }
    }

    pub(super) fn reader(self) -> Reader<'t> {
        Reader::new(self.text).max_nesting(MAX_NESTING - usize::from(self.is_item))
    }

    /// What is in the text, in the memory of its reader.
    pub(super) fn check(self) -> Result<Checked, Error> {
        let mut reader = self.reader();
        let checked = match reader.value()? {
            Token::Array => {
                let (mut items, mut are_objects) = (0, true);
                while reader.item()? {
                    are_objects &= reader.peek() == Some(b'{');
                    items += 1;
                    reader.skip()?;
                }
                Checked::Array { items, are_objects }
            }
            Token::Object => {
                let mut members = 0;
                while reader.key()?.is_some() {
                    members += 1;
                    reader.skip()?;
                }
                Checked::Object { members }
            }
            _ => Checked::Scalar,
        };
        reader.end()?;
        Ok(checked)
    }

    /// The error of the text as one of the input.
    #[cold]
    pub(super) fn refused(self, input: &[u8], error: &Error) -> CodecError {
        let position = Position::in_text(input, self.offset.saturating_add(error.offset()));
        let mut message = error.message().to_owned();
        let code = match error.kind() {
            Kind::UnexpectedEnd => "json_unexpected_end",
            kind => kind.code(),
        };
        if error.kind() == Kind::TooDeep && self.is_item {
            message = format!(
                "arrays and objects are nested more than {MAX_NESTING} levels deep, with the array that this value is an item of"
            );
        }
        let starts_line = position.line > 1 && position.column == 1;
        if error.kind() == Kind::Syntax && starts_line && message.ends_with(AFTER_A_VALUE) {
            message += "; values on lines of their own are --from jsonl";
        }
        CodecError::new(code, Some(position), message)
    }
}

const AFTER_A_VALUE: &str = "expected the end of the text";

/// The layout of a form of JSON.
pub(super) fn layout(form: &str) -> Layout {
    Layout::of(form == JSON_PRETTY)
}

/// An array of texts, each of which is written by itself, in one of the forms of JSON.
pub(super) fn array_again<'t>(
    parts: impl Iterator<Item = Part<'t>>,
    input: &[u8],
    form: &str,
) -> Result<String, CodecError> {
    let mut json = String::with_capacity(input.len() + 3);
    let mut writer = Writer::new(&mut json, layout(form));
    writer.begin('[');
    for part in parts {
        writer.next();
        let mut reader = part.reader();
        let written = writer.value(&mut reader, Strings::Shortest).and_then(|()| reader.end());
        written.map_err(|error| part.refused(input, &error))?;
    }
    writer.end(']');
    json.push('\n');
    Ok(json)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(part: Part<'_>) -> Result<Checked, (String, u64)> {
        part.check().map_err(|error| {
            let error = part.refused(part.text.as_bytes(), &error);
            (error.code().to_owned(), error.position().expect("it has one").offset)
        })
    }

    #[test]
    fn a_text_is_counted() {
        let many: Vec<String> = (0..40).map(|key| format!("\"{key}\": {key}")).collect();
        let object = format!("{{{}, \"\\u0061\": 1}}", many.join(", "));
        for (text, counts, is_rows) in [
            ("[1, {}, []]", (3, "item"), false),
            ("[{\"a\": 1}, {\"a\": [2]}]", (2, "item"), true),
            ("[]", (0, "item"), true),
            ("7.5", (1, "scalar"), false),
            ("null", (1, "scalar"), false),
            ("[1e400, 99999999999999999999999]", (2, "item"), false),
            (&object, (41, "member"), false),
        ] {
            let checked = outcome(Part::whole(text)).unwrap();
            assert_eq!((checked.counts(), checked.is_rows()), (counts, is_rows), "{text}");
        }
    }

    #[test]
    fn errors_are_the_first_by_their_codes_and_positions() {
        let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        for (text, code, at) in [
            ("[1,\n x]".to_owned(), "json_syntax", 5),
            ("[1,\n".to_owned(), "json_unexpected_end", 4),
            ("{\"a\":1,\n\"a\":2}".to_owned(), "duplicate_key", 8),
            ("{\"a\":{\"b\":1,\"\\u0062\":2}, x".to_owned(), "duplicate_key", 12),
            (deep(128), "too_deep", 127),
        ] {
            let found = outcome(Part::whole(&text)).unwrap_err();
            assert_eq!(found, (code.to_owned(), at), "{text}");
        }
        assert!(outcome(Part::whole(&deep(127))).is_ok());
    }

    #[test]
    fn items_are_nested_in_their_array() {
        let item = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let of = |text: &str| outcome(Part { text, offset: 0, is_item: true });
        of(&item(126)).unwrap();
        of(&format!("[\"{}\\\"{}\"]", "[".repeat(200), "[".repeat(200))).unwrap();
        for levels in [127, 128, 400] {
            assert_eq!(of(&item(levels)), Err(("too_deep".to_owned(), 126)));
        }
        let text = format!("{{\"a\":1,\"a\":{}}}", item(200));
        assert_eq!(of(&text).unwrap_err().0, "duplicate_key");
    }
}
