//! Strings in quotes: which strings need quotes, and what they contain (specification 3.5.3,
//! sections 2.2 and 2.4).

use std::borrow::Cow;

use wire_core::json::push_quoted;

use super::looks_like_number;
use crate::ErrorKind;
use crate::generic::problem::Problem;

/// The classes of bytes that decide whether a string can be written without quotes.
mod class {
    /// A delimiter: the text is quoted.
    pub(super) const QUOTED: u8 = 1;
    /// A quote, a backslash or a control character: the text is quoted, and this is escaped.
    pub(super) const ESCAPED: u8 = 8;
    /// The first byte of characters outside of ASCII of which some are quoted.
    pub(super) const WIDE: u8 = 2;
    /// `[`: the text may look like the header of an array.
    pub(super) const BRACKET: u8 = 4;

    pub(super) const OF: [u8; 256] = {
        let mut table = [0; 256];
        let mut byte = 0u8;
        loop {
            table[byte as usize] = match byte {
                0..=0x1f | b'"' | b'\\' => ESCAPED,
                b'|' | b',' => QUOTED,
                b'[' => BRACKET,
                // U+0080 to U+00A0, U+1680, U+2000 to U+205F, U+3000, U+FEFF.
                0xc2 | 0xe1 | 0xe2 | 0xe3 | 0xef => WIDE,
                _ => 0,
            };
            if byte == u8::MAX {
                break table;
            }
            byte += 1;
        }
    };

    /// `true` if a text without classes can't be anything else if it begins with this byte.
    pub(super) const BEGINS_PLAIN: [bool; 256] = {
        let mut table = [false; 256];
        let mut byte = 0u8;
        loop {
            table[byte as usize] = !matches!(
                byte,
                b' ' | b'#' | b'@' | b'.' | b'0'..=b'9' | b'+' | b'-' | b'~' | b'^' | b't' | b'f'
            );
            if byte == u8::MAX {
                break table;
            }
            byte += 1;
        }
    };
}

/// Returns `true` if the bare form of a text would be read as something else (section 2.4). Both
/// delimiters count in every context, as in every implementation.
fn needs_quotes(text: &str, classes: u8) -> bool {
    let bytes = text.as_bytes();
    let (Some(&first), Some(&last)) = (bytes.first(), bytes.last()) else { return true };
    if classes & (class::QUOTED | class::ESCAPED) != 0 || first == b' ' || last == b' ' {
        return true;
    }
    let special = match first {
        b'#' | b'@' | b'.' => true,
        b'0'..=b'9' | b'+' | b'-' => text == "-" || looks_like_number(bytes),
        b'~' => text == "~",
        b'^' => text == "^" || (bytes.get(1) == Some(&b'{') && last == b'}'),
        b't' => text == "true",
        b'f' => text == "false",
        _ => false,
    };
    special
        || (classes & class::BRACKET != 0 && looks_like_array(text))
        || (classes & class::WIDE != 0 && text.chars().any(is_quoted_wide))
}

/// White space and control characters outside of ASCII.
fn is_quoted_wide(c: char) -> bool {
    matches!(c, '\u{80}'..='\u{9f}' | '\u{feff}') || (!c.is_ascii() && c.is_whitespace())
}

/// Returns `true` if a line with the string in it could be read as the header of an inline array:
/// brackets followed by a colon.
fn looks_like_array(text: &str) -> bool {
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let Some(close) = rest[open..].find(']') else { return false };
        rest = &rest[open + close + 1..];
        if rest.trim_start().starts_with(':') {
            return true;
        }
    }
    false
}

type Block = [u8; 16];

/// Returns `true` if no byte of the block has a class. Written so that the compiler compares all of
/// them at once.
#[inline]
fn has_no_class(block: &Block) -> bool {
    let classes = block.map(|byte| {
        let is = |condition: bool| if condition { 0xff } else { 0u8 };
        // A byte that is negative as a signed number is not ASCII.
        is(byte.cast_signed() < 0x20)
            | is(byte == b'"')
            | is(byte == b'\\')
            | is(byte == b'|')
            | is(byte == b',')
            | is(byte == b'[')
    });
    u128::from_ne_bytes(classes) == 0
}

#[inline]
fn is_without_class(bytes: &[u8]) -> bool {
    // If the bytes do not fill the last block, it overlaps the one before; short texts are padded
    // with bytes that have no class.
    if let Some(last) = bytes.last_chunk() {
        let (blocks, _) = bytes.as_chunks();
        return blocks.iter().fold(has_no_class(last), |all, block| all & has_no_class(block));
    }
    let mut block = [b'x'; 16];
    if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        block[..8].copy_from_slice(first);
        block[8..].copy_from_slice(last);
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        block[..4].copy_from_slice(first);
        block[4..8].copy_from_slice(last);
    } else {
        return classes(bytes) == 0;
    }
    has_no_class(&block)
}

fn classes(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |all, &byte| all | class::OF[usize::from(byte)])
}

/// Returns `true` if a text is one of those without quotes of which nothing but the first byte and
/// the last one need be looked at by itself: nearly all are.
#[inline]
fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (Some(&first), Some(&last)) = (bytes.first(), bytes.last()) else { return false };
    class::BEGINS_PLAIN[usize::from(first)] && last != b' ' && is_without_class(bytes)
}

/// Appends a text, in quotes if need be.
#[inline]
pub(in crate::generic) fn push_text(out: &mut String, text: &str) {
    if is_plain(text) {
        out.push_str(text);
    } else {
        push_other_text(out, text);
    }
}

#[inline(never)]
fn push_other_text(out: &mut String, text: &str) {
    let classes = classes(text.as_bytes());
    if !needs_quotes(text, classes) {
        out.push_str(text);
    } else if classes & class::ESCAPED == 0 {
        out.push('"');
        out.push_str(text);
        out.push('"');
    } else {
        push_quoted(out, text);
    }
}

/// The quoted string at the start of `text`, and its length in bytes with its quotes (section 2.2).
pub(in crate::generic) fn read_quoted(text: &str) -> Result<(Cow<'_, str>, usize), Problem> {
    let bytes = text.as_bytes();
    let mut value = String::new();
    let mut at = 1;
    loop {
        let from = at;
        at = memchr::memchr2(b'"', b'\\', &bytes[at..]).map_or(bytes.len(), |plain| at + plain);
        let is_control = |byte: &u8| *byte < 0x20;
        // Without stopping at the first, many are looked at together.
        if bytes[from..at].iter().fold(false, |any, byte| any | is_control(byte)) {
            at = from + bytes[from..at].iter().position(is_control).unwrap_or_default();
        }
        match bytes.get(at) {
            Some(b'"') if from == 1 => return Ok((Cow::Borrowed(&text[1..at]), at + 1)),
            Some(b'"') => {
                value.push_str(&text[from..at]);
                return Ok((Cow::Owned(value), at + 1));
            }
            Some(b'\\') => {
                value.push_str(&text[from..at]);
                let (c, length) = escape(&text[at..])?;
                value.push(c);
                at += length;
            }
            Some(_) => {
                let message = "a quoted text has a control character, expected its escape";
                return Err(Problem::new(ErrorKind::InvalidEscape, &text[at..], message));
            }
            None => {
                let message = "a quoted text does not end, expected a quote";
                return Err(Problem::new(ErrorKind::UnterminatedQuote, &text[at..], message));
            }
        }
    }
}

/// The length in bytes of the quoted string at the start of `text`, with its quotes.
pub(in crate::generic) fn quoted_length(text: &str) -> Result<usize, Problem> {
    let mut at = 1;
    while let Some(found) = memchr::memchr2(b'"', b'\\', &text.as_bytes()[at..]) {
        at += found + 1;
        if text.as_bytes()[at - 1] == b'"' {
            return Ok(at);
        }
        at = (at + 1).min(text.len());
    }
    let message = "a quoted text does not end, expected a quote";
    Err(Problem::new(ErrorKind::UnterminatedQuote, &text[text.len()..], message))
}

/// The character of the escape at the start of `text`, and the length of the escape in bytes.
fn escape(text: &str) -> Result<(char, usize), Problem> {
    let plain = match text.as_bytes().get(1) {
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode_escape(text),
        _ => {
            let message = "an escape is unknown, expected \\\", \\\\, \\/, \\b, \\f, \\n, \\r, \\t or \\uXXXX";
            return Err(Problem::new(ErrorKind::InvalidEscape, text, message));
        }
    };
    Ok((plain, 2))
}

fn unicode_escape(text: &str) -> Result<(char, usize), Problem> {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        let hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u16::from_str_radix(digits, 16).ok().filter(|_| hexadecimal)
    };
    // The second unit is used only after the first half of a pair.
    let units = unit(0).into_iter().chain(unit(0).and(unit(6)));
    match char::decode_utf16(units).next() {
        Some(Ok(c)) => Ok((c, 6 * c.len_utf16())),
        Some(Err(_)) => {
            let message = "an escape is half a pair of surrogates, expected both halves";
            Err(Problem::new(ErrorKind::InvalidSurrogate, text, message))
        }
        None => {
            let message = "an escape is not \\u and four hexadecimal digits, expected them";
            Err(Problem::new(ErrorKind::InvalidEscape, text, message))
        }
    }
}
