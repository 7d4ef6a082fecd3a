//! What a token of the text formats may hold.

/// Whether `text` can stand as one field of a line of space-separated fields: not empty, no white
/// space, no control character (ruling G5, in Unicode's sense of both).
///
/// ```
/// use wire_core::text::is_token;
///
/// assert!(is_token("pkg.Größe"));
/// assert!(!is_token("operator new") && !is_token("") && !is_token("a\u{a0}b"));
/// ```
#[inline]
pub fn is_token(text: &str) -> bool {
    // One pass without an early exit, so that the compiler can compare 16 bytes at a time.
    let plain = text.bytes().fold(true, |plain, byte| plain & matches!(byte, 0x21..=0x7e));
    if plain {
        return !text.is_empty();
    }
    !text.chars().any(breaks_token)
}

/// Whether the character ends a token: white space or a control character.
#[inline]
pub fn breaks_token(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// `text` for a message: quoted, escaped, and cut after 60 characters, so that no input can make a
/// message longer than a line or two.
///
/// ```
/// assert_eq!(wire_core::text::shown("a\tb"), r#""a\tb""#);
/// assert!(wire_core::text::shown(&"x".repeat(1000)).chars().count() < 70);
/// ```
pub fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    if text.chars().nth(LONGEST).is_none() {
        return format!("{text:?}");
    }
    let cut: String = text.chars().take(LONGEST).collect();
    format!("{cut:?}…")
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
}
