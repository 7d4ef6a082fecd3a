//! Finds the relevant parts of a frame, as slices of it, without parsing the rest into values.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use wire_core::json::{Duplicates, Reader, Token};
use wire_core::text::offset_in;

use crate::limits::MAX_ITEMS;

/// The members of an object: names, and values as they are written.
#[derive(Debug)]
pub(crate) struct Members<'a> {
    text: &'a str,
    members: Vec<(Cow<'a, str>, &'a str)>,
}

impl<'a> Members<'a> {
    /// The members of a text. `None` if it is not an object, has a name twice, or has too many
    /// members.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        let mut reader = reader(text);
        let Token::Object = reader.value().ok()? else { return None };
        let mut members = Vec::new();
        while let Some(key) = reader.key().ok()? {
            if members.len() == MAX_ITEMS {
                return None;
            }
            members.push((key.decode(), reader.skip().ok()?));
        }
        reader.end().ok()?;
        are_distinct(&members).then_some(Members { text, members })
    }

    pub(crate) fn get(&self, name: &str) -> Option<&'a str> {
        self.members.iter().find(|(key, _)| key == name).map(|(_, value)| *value)
    }

    /// The value of a member that is a text.
    pub(crate) fn get_text(&self, name: &str) -> Option<Cow<'a, str>> {
        text(self.get(name)?)
    }

    /// Returns `true` if there is a member of this name that is not `null`.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| value != "null")
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.members.iter().map(|(key, _)| &**key)
    }

    /// All members, with values as they are written.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &'a str)> {
        self.members.iter().map(|(key, value)| (&**key, *value))
    }

    /// The last member's value, as where something is added after it.
    pub(crate) fn last(&self) -> Option<&'a str> {
        self.members.last().map(|(_, value)| *value)
    }

    /// The range to remove from the text for a member, with one of the commas next to it.
    pub(crate) fn cut(&self, name: &str) -> Option<&'a str> {
        let at = self.members.iter().position(|(key, _)| key == name)?;
        let end = range(self.text, self.members[at].1).end;
        if at > 0 {
            return Some(&self.text[range(self.text, self.members[at - 1].1).end..end]);
        }
        let start = self.text.find('{')? + 1;
        let rest = &self.text[end..];
        let after = rest.trim_start_matches([' ', '\t', '\n', '\r']);
        let comma = if after.starts_with(',') { rest.len() - after.len() + 1 } else { 0 };
        Some(&self.text[start..end + comma])
    }
}

/// Returns `true` if no name is there twice.
fn are_distinct(members: &[(Cow<'_, str>, &str)]) -> bool {
    /// Comparing with as many is faster than hashing.
    const FEW: usize = 16;
    let names = || members.iter().map(|(name, _)| &**name);
    if members.len() <= FEW {
        return names().enumerate().all(|(at, name)| names().take(at).all(|other| other != name));
    }
    let mut known = HashSet::with_capacity(members.len());
    names().all(|name| known.insert(name))
}

/// The elements of an array as they are written. `None` if it is not an array, or has too many.
pub(crate) fn elements(text: &str) -> Option<Vec<&str>> {
    let mut elements = Vec::new();
    each_element(text, |element| {
        // One more tells that there are too many.
        if elements.len() <= MAX_ITEMS {
            elements.push(element);
        }
    })?;
    (elements.len() <= MAX_ITEMS).then_some(elements)
}

/// Passes on the elements of an array as they are written, of which there may be any number. `None`
/// if it is not an array, which may be known only after some of them.
pub(crate) fn each_element<'a>(text: &'a str, mut take: impl FnMut(&'a str)) -> Option<()> {
    let mut reader = reader(text);
    let Token::Array = reader.value().ok()? else { return None };
    while reader.item().ok()? {
        take(reader.skip().ok()?);
    }
    reader.end().ok()
}

/// The text that is written here in quotes.
pub(crate) fn text(value: &str) -> Option<Cow<'_, str>> {
    match Reader::new(value).value().ok()? {
        Token::String(text) => Some(text.decode()),
        _ => None,
    }
}

/// The ids, as they are written, of the answers in a frame that can't be read: it is not JSON, has a
/// name twice, or is only the beginning of one. Strings and brackets are enough to find them.
pub(crate) fn answered_ids(frame: &str) -> Vec<&str> {
    let level = if frame.trim_start().starts_with('[') { 2 } else { 1 };
    let (mut depth, mut at) = (0_usize, 0);
    let (mut ids, mut found, mut is_answer) = (Vec::new(), Vec::new(), None);
    while let Some(byte) = frame.as_bytes().get(at) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                let end = at + quoted_end(&frame[at..]);
                let name = text(&frame[at..end]);
                let rest = frame[end..].trim_start();
                if let Some(value) = rest.strip_prefix(':').filter(|_| depth == level) {
                    match name.as_deref() {
                        Some("id") => ids.extend(scalar(value)),
                        Some("result" | "error") => is_answer = is_answer.or(Some(true)),
                        Some("method") => is_answer = Some(false),
                        _ => {}
                    }
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
        if depth < level {
            // The end of a message.
            let ended = std::mem::take(&mut ids);
            if is_answer.take() == Some(true) {
                found.extend(ended);
            }
        }
    }
    if is_answer == Some(true) {
        found.extend(ids);
    }
    found
}

/// The length of the string that begins here with its quote.
fn quoted_end(rest: &str) -> usize {
    let mut is_escaped = false;
    let is_end = |byte: u8| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    };
    rest.bytes().skip(1).position(is_end).map_or(rest.len(), |end| end + 2)
}

/// The number or the string that begins here, if it is whole.
fn scalar(rest: &str) -> Option<&str> {
    let rest = rest.trim_start();
    let end = if rest.starts_with('"') {
        quoted_end(rest)
    } else {
        rest.find([',', '}', ']', ' ', '\t', '\n', '\r'])?
    };
    rest.get(..end)
}

/// The range of a slice in `whole`.
pub(crate) fn range(whole: &str, part: &str) -> Range<usize> {
    let start = offset_in(whole.as_bytes(), part.as_ptr())
        .expect("because the parts of a frame are slices of it");
    start..start + part.len()
}

/// A reader of a frame. Others check the names and escapes of the values in it.
fn reader(text: &str) -> Reader<'_> {
    Reader::new(text).duplicates(Duplicates::Passed).lone_surrogates(true).max_nesting(usize::MAX)
}

/// The length of the JSON with which a text begins, at any depth and with names twice; or where it
/// is not JSON any more.
pub(crate) fn json_length(text: &str) -> Result<usize, usize> {
    reader(text).skip().map(str::len).map_err(|error| error.offset())
}

pub(crate) fn is_json(text: &str) -> bool {
    let mut reader = reader(text);
    reader.skip().is_ok() && reader.end().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_slices() {
        let text = r#" {"a" : [1, 2 ] ,"b":"x\n", "\u0063":12345678901234567890123} "#;
        let members = Members::parse(text).unwrap();
        assert_eq!(members.get("a"), Some("[1, 2 ]"));
        assert_eq!(members.get_text("b").as_deref(), Some("x\n"));
        assert_eq!(members.get("c"), Some("12345678901234567890123"));
        assert_eq!(&text[range(text, members.get("a").unwrap())], "[1, 2 ]");
        assert_eq!(elements("[1, 2 ]"), Some(vec!["1", "2"]));
        assert!(Members::parse(r#"{"a":1,"\u0061":2}"#).is_none());
        assert!(Members::parse("[]").is_none() && elements("{}").is_none());
    }

    #[test]
    fn a_member_is_cut_with_a_comma() {
        for (text, name, left) in [
            (r#"{"a":1}"#, "a", "{}"),
            (r#"{ "a" : 1 }"#, "a", "{ }"),
            (r#"{"a":1, "b":2}"#, "a", r#"{ "b":2}"#),
            (r#"{"a":1 , "b":2}"#, "b", r#"{"a":1}"#),
            (r#" {"a":1,"b":[2],"c":3}"#, "b", r#" {"a":1,"c":3}"#),
            (r#"{ "a":1 ,"b":2}"#, "a", r#"{"b":2}"#),
        ] {
            let members = Members::parse(text).unwrap();
            let cut = range(text, members.cut(name).unwrap());
            assert_eq!(format!("{}{}", &text[..cut.start], &text[cut.end..]), left, "{text}");
        }
    }

    #[test]
    fn the_ids_of_answers_are_found_in_what_can_not_be_read() {
        for (frame, expected) in [
            (r#"{"jsonrpc":"2.0","id":1,"result":{"id":2,"x":NaN}}"#, &["1"][..]),
            (r#"{"result":{}, "id" : "a\"}" ,"result":{}}"#, &[r#""a\"}""#]),
            (r#"{"id":1,"id":2,"error":{}}"#, &["1", "2"]),
            (r#"{"\u0069d":7,"result":{"content":[{"text":"cut"#, &["7"]),
            (r#"[{"id":1,"result":{}},{"id":2,"method":"x"}, {"id":3,"error":NaN}"#, &["1", "3"]),
            (r#"{"id":1,"method":"sampling/createMessage","params":{"result":NaN}}"#, &[]),
            (r#"{"result":{},"method":"x","id":4}"#, &[]),
            (r#"{"id":12"#, &[]),
            ("banner \"id\":1,\"result\":", &[]),
            ("}]\"", &[]),
        ] {
            assert_eq!(answered_ids(frame), expected, "{frame}");
        }
    }

    /// The values in a frame are of the two ends; the proxy passes them on.
    #[test]
    fn a_frame_may_be_less_strict_than_its_texts() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        for value in [&*deep, r#""\ud800""#, r#"{"a":1,"a":2}"#] {
            let frame = format!(r#"{{"id":1,"result":{value}}}"#);
            assert!(is_json(&frame));
            assert_eq!(Members::parse(&frame).unwrap().get("result"), Some(value));
        }
    }

    #[test]
    fn long_lists_are_refused() {
        let list = |n: usize| format!("[{}1]", "1,".repeat(n - 1));
        assert!(elements(&list(MAX_ITEMS)).is_some());
        assert!(elements(&list(MAX_ITEMS + 1)).is_none());
    }
}
