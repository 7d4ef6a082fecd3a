//! Text of formats: lines and their positions, tokens, and input as it is shown in messages.
//!
//! A reader of a line format takes lines from a [`LineReader`], which has one of them in memory. Its
//! scanners get one line each and don't know where it is, so their errors are a [`Diagnosis`]: a
//! kind, an offset in the line, and a message; the reader adds the position.
//!
//! ```
//! use wire_core::text::{Diagnosis, LineReader, is_token, shown};
//!
//! wire_core::error_kinds! {
//!     /// What is wrong.
//!     ErrorKind {
//!         InvalidName = "invalid_name", "a line is not a name";
//!         InvalidUtf8 = "invalid_utf8", "the input is not UTF-8";
//!         LineTooLong = "line_too_long", "a line is longer than the limit";
//!         Io = "io", "the reader failed";
//!     }
//!     /// Why names could not be read.
//!     Error(Io, InvalidUtf8, LineTooLong)
//! }
//!
//! fn name(line: &str) -> Result<&str, Diagnosis<ErrorKind>> {
//!     if is_token(line) {
//!         return Ok(line);
//!     }
//!     let found =
//!         format!("found {}, expected a name without spaces", shown(line));
//!     Err(Diagnosis::new(ErrorKind::InvalidName, 0, found))
//! }
//!
//! fn names(input: &[u8]) -> Result<Vec<String>, Error> {
//!     let mut lines = LineReader::new(input, 1_000);
//!     let mut names = Vec::new();
//!     while lines.advance()? {
//!         let name = name(lines.text()?).map_err(|error| {
//!             let position =
//!                 error.position(lines.line(), lines.number(), lines.start());
//!             Error::at(error.kind, position, error.into_message())
//!         })?;
//!         names.push(name.to_owned());
//!     }
//!     Ok(names)
//! }
//! assert_eq!(names(b"a\nb\n")?, ["a", "b"]);
//! let error = names(b"a\nb c\n").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "line 2, column 1: found \"b c\", expected a name without spaces"
//! );
//! # let _ = Error::encode(ErrorKind::Io, "");
//! # let _ = Error::utf8(b"");
//! # Ok::<(), Error>(())
//! ```
//!
//! Whatever a message shows of an input goes through [`shown`] or [`escaped`], so that it can't move
//! a terminal's cursor or forge a line.

mod diagnosis;
mod lines;

pub use self::diagnosis::{Diagnosis, Fault};
pub use self::lines::{LineError, LineReader};

/// Returns `true` if `text` can be one of the space-separated fields of a line: not empty, and
/// without white space and control characters (ruling G5; both as Unicode defines them).
///
/// ```
/// use wire_core::text::is_token;
///
/// assert!(is_token("pkg.Größe"));
/// assert!(!is_token("operator new") && !is_token("") && !is_token("a\u{a0}b"));
/// ```
#[inline]
pub fn is_token(text: &str) -> bool {
    if is_printable(text.as_bytes()) {
        return !text.is_empty();
    }
    !text.chars().any(breaks_token)
}

/// Returns `true` if all bytes are `!` to `~`.
#[inline]
fn is_printable(bytes: &[u8]) -> bool {
    // There is no early exit, so that the compiler compares 16 bytes at a time. The last 16 bytes
    // overlap the ones before, so that no remainder is compared byte by byte.
    const WIDTH: usize = 16;
    let all = |bytes: &[u8]| bytes.iter().fold(true, |all, byte| all & matches!(byte, 0x21..=0x7e));
    let (chunks, rest) = bytes.as_chunks::<WIDTH>();
    match bytes.last_chunk::<WIDTH>() {
        Some(last) => chunks.iter().fold(all(last), |whole, chunk| whole & all(chunk)),
        None => all(rest),
    }
}

/// Returns `true` if the character ends a token: white space or a control character.
#[inline]
pub fn breaks_token(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// The offset in `whole` of the byte that `part` points at, which may be the one right after
/// `whole`; `None` if it is elsewhere. It is for readers that get slices of an input from another
/// parser and have to say where they are.
///
/// ```
/// use wire_core::text::offset_in;
///
/// let line = "1|kg";
/// assert_eq!(offset_in(line.as_bytes(), line[2..].as_ptr()), Some(2));
/// ```
#[inline]
pub fn offset_in(whole: &[u8], part: *const u8) -> Option<usize> {
    let offset = part.addr().checked_sub(whole.as_ptr().addr());
    offset.filter(|&offset| offset <= whole.len())
}

/// The text of these bytes. A crate adds its own kind and position to the error.
///
/// ```
/// use wire_core::text::from_utf8;
///
/// assert_eq!(from_utf8(b"id"), Ok("id"));
/// let message = "the byte 0xff is not UTF-8, expected UTF-8 text".to_owned();
/// assert_eq!(from_utf8(b"id\xff"), Err((2, message)));
/// ```
///
/// # Errors
///
/// The offset of the first byte that is not valid UTF-8, and a message.
#[inline]
pub fn from_utf8(input: &[u8]) -> Result<&str, (usize, String)> {
    std::str::from_utf8(input).map_err(|error| {
        let at = error.valid_up_to();
        (at, format!("the byte 0x{:02x} is not UTF-8, expected UTF-8 text", input[at]))
    })
}

/// Returns `true` if two texts are equal. It is fast for keys, most of which have 4 to 16 bytes:
/// they are compared as two numbers that may overlap. Calling the comparison for any length takes
/// three times as long.
///
/// ```
/// assert!(
///     wire_core::text::is_same("status", "status")
///         && !wire_core::text::is_same("status", "state")
/// );
/// ```
#[inline]
pub fn is_same(a: &str, b: &str) -> bool {
    fn ends<const N: usize>(key: &[u8]) -> Option<(&[u8; N], &[u8; N])> {
        key.first_chunk().zip(key.last_chunk())
    }
    let (a, b) = (a.as_bytes(), b.as_bytes());
    match a.len() {
        length if length != b.len() => false,
        2..4 => ends::<2>(a) == ends::<2>(b),
        4..8 => ends::<4>(a) == ends::<4>(b),
        8..=16 => ends::<8>(a) == ends::<8>(b),
        _ => a == b,
    }
}

/// Returns `true` if the character is invisible, so that a text with it looks like another text.
/// These are the default-ignorable code points of Unicode (soft hyphens, direction marks, joiners,
/// fillers, variation selectors, tags), the separators of lines and paragraphs, and the annotation
/// marks. Control characters are not included.
///
/// ```
/// use wire_core::text::is_hidden;
///
/// assert!(
///     is_hidden('\u{200b}') && is_hidden('\u{e0041}') && is_hidden('\u{2028}')
/// );
/// // A combining character is seen.
/// assert!(!is_hidden('\u{301}') && !is_hidden('字'));
/// ```
pub fn is_hidden(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// `text` for a terminal: control characters and [hidden](is_hidden) ones are written as escapes of
/// Rust, so that they can't move the cursor, forge a line or hide.
///
/// ```
/// assert_eq!(
///     wire_core::text::escaped("a\u{1b}[2J\u{202e}é\n"),
///     r"a\u{1b}[2J\u{202e}é\n"
/// );
/// ```
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|c| push_escaped(&mut out, c));
    out
}

fn push_escaped(out: &mut String, c: char) {
    match c {
        _ if is_hidden(c) => out.extend(c.escape_unicode()),
        _ if c.is_control() => out.extend(c.escape_debug()),
        _ => out.push(c),
    }
}

/// `text` for a message: quoted, [escaped], and cut after 60 characters, so that input can't make a
/// message longer than a line or two.
///
/// ```
/// assert_eq!(wire_core::text::shown("a\tb\"\u{200b}"), r#""a\tb\"\u{200b}""#);
/// assert!(wire_core::text::shown(&"x".repeat(1000)).chars().count() < 70);
/// ```
pub fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut out = String::from('"');
    for c in text.chars().take(LONGEST) {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            _ => push_escaped(&mut out, c),
        }
    }
    out.push('"');
    if text.chars().nth(LONGEST).is_some() {
        out.push('…');
    }
    out
}

/// The end of the message of a decoder that does not read a text which begins so: which of GCF, GCX1
/// and GOON reads it, or nothing.
///
/// ```
/// use wire_core::text::read_by;
///
/// assert_eq!(read_by("GCX1 tool=t fields=a"), ", which the format gcx reads");
/// assert_eq!(read_by("hello"), "");
/// ```
pub fn read_by(line: &str) -> &'static str {
    match line.split([' ', '\r', '\n']).next() {
        Some("GCF") => ", which the format gcf reads",
        Some("GCX1") => ", which the format gcx reads",
        Some("@header") => ", which the format goon reads",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_judged_like_its_class() {
        for c in '\0'..=char::MAX {
            let text = c.to_string();
            assert_eq!(is_token(&text), !(c.is_whitespace() || c.is_control()), "{c:?}");
        }
        assert!(!is_token(""));
    }

    /// By the tables of Unicode, of every code point.
    #[test]
    fn whatever_is_ignored_by_default_is_hidden() {
        use icu_properties::CodePointSetData;
        use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory};

        let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
        let category = icu_properties::CodePointMapData::<GeneralCategory>::new();
        for c in '\0'..=char::MAX {
            // Marks of annotations are not ignorable, and seen by nobody.
            let others = matches!(c, '\u{2028}' | '\u{2029}' | '\u{fff9}'..='\u{fffb}');
            assert_eq!(is_hidden(c), ignorable.contains(c) || others, "{c:?}");
            let shown = escaped(&c.to_string());
            assert_eq!(shown == c.to_string(), !is_hidden(c) && !c.is_control(), "{c:?}");
            if category.get(c) == GeneralCategory::NonspacingMark && !ignorable.contains(c) {
                assert_eq!(super::shown(&c.to_string()), format!("\"{c}\""));
            }
        }
    }

    #[test]
    fn texts_are_the_same_where_every_byte_is() {
        for length in 0..24 {
            let text = "x".repeat(length);
            assert!(is_same(&text, &text.clone()));
            assert!(!is_same(&text, &format!("{text}x")));
            for at in 0..length {
                let mut other = text.clone();
                other.replace_range(at..=at, "y");
                assert!(!is_same(&text, &other), "{other}");
            }
        }
    }

    #[test]
    fn every_place_is_looked_at() {
        for length in 1..70 {
            assert!(is_printable("x".repeat(length).as_bytes()));
            for at in 0..length {
                let mut bytes = vec![b'x'; length];
                bytes[at] = b' ';
                assert!(!is_printable(&bytes), "{at} of {length}");
            }
        }
    }
}
