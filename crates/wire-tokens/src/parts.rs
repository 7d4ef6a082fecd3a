//! A lower bound of the number of parts of a text, found without cutting it.
//!
//! A vocabulary cuts a text into parts, and each part has at least one token. Where parts begin is
//! decided by letters, digits and punctuation, so that a scan of the bytes finds most of them. That
//! is many times as fast as counting. It shows for most texts with more tokens than another one
//! that they have more.
//!
//! Only cuts that both vocabularies make are counted, and only between ASCII characters: any other
//! character may be a letter, a mark, a digit, a space or a sign, so nothing is known about the cut
//! after it.
//!
//! ```text
//! letters       [^\r\n\p{L}\p{N}]?\p{L}+    one part, with at most one other
//!                                          character before it;
//!                                          's and the like may belong to the part
//!                                          before
//! digits        \p{N}{1,3}                 a part for each three
//! punctuation    ?[^\s\p{L}\p{N}]+[\r\n/]*  one part, unless it is one character
//!                                          before a letter,
//!                                         or follows the end of a line, as / does
//! ```

/// The class of a byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Digit,
    Punctuation,
    Space,
    /// Not ASCII, or a control character.
    Unknown,
}

impl Class {
    const fn of(byte: u8) -> Self {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            b'\t'..=b'\r' | b' ' => Class::Space,
            b'!'..=b'~' => Class::Punctuation,
            _ => Class::Unknown,
        }
    }
}

/// The class of each byte.
const CLASSES: [Class; 256] = {
    let mut classes = [Class::Unknown; 256];
    let mut byte = 0;
    while byte < 128 {
        classes[byte as usize] = Class::of(byte);
        byte += 1;
    }
    classes
};

/// So many parts that a text has at least; not many more than `most` are looked for.
pub(crate) fn fewest(text: &str, most: usize) -> usize {
    let bytes = text.as_bytes();
    let class = |at: usize| bytes.get(at).map_or(Class::Space, |byte| CLASSES[usize::from(*byte)]);
    let (mut parts, mut at, mut before) = (0, 0, Class::Space);
    while at < bytes.len() && parts <= most {
        let (start, own) = (at, class(at));
        while at < bytes.len() && class(at) == own {
            at += 1;
        }
        let last = start.checked_sub(1).map(|at| bytes[at]);
        parts += match own {
            _ if before == Class::Unknown => 0,
            Class::Letter => usize::from(last != Some(b'\'')),
            Class::Digit => (at - start).div_ceil(3),
            Class::Punctuation => {
                let is_apart =
                    at - start > 1 || !matches!(class(at), Class::Letter | Class::Unknown);
                usize::from(is_apart && !matches!(last, Some(b'\r' | b'\n')))
            }
            Class::Space | Class::Unknown => 0,
        };
        before = own;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found_by_their_classes() {
        for (text, parts) in [
            ("", 0),
            ("  \n", 0),
            ("go on", 2),
            ("don't", 1),
            ("1234", 2),
            ("{\n  \"name\": \"a\",", 5),
            (";\n//x", 2),
            ("é1,,a", 2),
            ("a\u{1}b", 1),
        ] {
            assert_eq!(fewest(text, usize::MAX), parts, "{text:?}");
        }
        assert_eq!(fewest(&"a ".repeat(100), 7), 8);
    }
}
