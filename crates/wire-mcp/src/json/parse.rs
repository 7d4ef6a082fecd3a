//! The parser. `serde_json` reads numbers as doubles, so it is used for strings only.

use std::borrow::Cow;
use std::collections::HashSet;

use wire_core::MAX_NESTING;

use super::number::is_number;
use super::{Json, Member};

/// In objects of at most this many members, duplicate names are found by comparing each pair; in
/// larger ones, by a hash set.
const SEARCHED: usize = 16;

impl<'a> Json<'a> {
    /// The value of a text. `None` if it is not JSON, is nested too deep, or has an object with a
    /// name twice.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        let mut parser = Parser { text, at: 0 };
        let value = parser.value(MAX_NESTING)?;
        parser.space();
        (parser.at == text.len()).then_some(value)
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// Whether the next byte that is not white space is this one, which is then read.
    fn next_is(&mut self, byte: u8) -> bool {
        self.space();
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn value(&mut self, depth: usize) -> Option<Json<'a>> {
        self.space();
        match self.peek()? {
            b'{' => self.object(depth.checked_sub(1)?),
            b'[' => self.array(depth.checked_sub(1)?),
            b'"' => self.string().map(Json::String),
            b't' => self.word("true", Json::Bool(true)),
            b'f' => self.word("false", Json::Bool(false)),
            b'n' => self.word("null", Json::Null),
            _ => self.number(),
        }
    }

    fn word(&mut self, word: &str, value: Json<'a>) -> Option<Json<'a>> {
        let found = self.text.as_bytes()[self.at..].starts_with(word.as_bytes());
        self.at += word.len();
        found.then_some(value)
    }

    fn number(&mut self) -> Option<Json<'a>> {
        let rest = &self.text[self.at..];
        let ends = |byte: u8| !matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
        let end = rest.bytes().position(ends).unwrap_or(rest.len());
        self.at += end;
        is_number(&rest[..end]).then_some(Json::Number(Cow::Borrowed(&rest[..end])))
    }

    fn string(&mut self) -> Option<Cow<'a, str>> {
        let start = self.at;
        self.at += 1;
        let mut is_plain = true;
        loop {
            match self.peek()? {
                b'"' => break,
                b'\\' => {
                    is_plain = false;
                    self.at += 2;
                }
                0..=0x1f => return None,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        let quoted = self.text.get(start..self.at)?;
        if is_plain {
            return Some(Cow::Borrowed(&quoted[1..quoted.len() - 1]));
        }
        serde_json::from_str(quoted).ok().map(Cow::Owned)
    }

    fn array(&mut self, depth: usize) -> Option<Json<'a>> {
        self.at += 1;
        let mut items = Vec::new();
        if self.next_is(b']') {
            return Some(Json::Array(items));
        }
        loop {
            items.push(self.value(depth)?);
            if !self.next_is(b',') {
                return self.next_is(b']').then_some(Json::Array(items));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Option<Json<'a>> {
        self.at += 1;
        let mut members: Vec<Member<'a>> = Vec::new();
        if self.next_is(b'}') {
            return Some(Json::Object(members));
        }
        loop {
            self.space();
            if self.peek()? != b'"' {
                return None;
            }
            let key = self.string()?;
            if !self.next_is(b':') {
                return None;
            }
            members.push((key, self.value(depth)?));
            if !self.next_is(b',') {
                break;
            }
        }
        (self.next_is(b'}') && are_distinct(&members)).then_some(Json::Object(members))
    }
}

fn are_distinct(members: &[Member<'_>]) -> bool {
    if members.len() <= SEARCHED {
        let is_new = |(at, (key, _)): (usize, &Member<'_>)| {
            members[..at].iter().all(|(other, _)| other != key)
        };
        return members.iter().enumerate().all(is_new);
    }
    let mut names = HashSet::with_capacity(members.len());
    members.iter().all(|(key, _)| names.insert(&**key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_json_is_refused() {
        for text in [
            "",
            " ",
            "{",
            "[1,]",
            "{\"a\":1,}",
            "{a:1}",
            "[1 2]",
            "nul",
            "\"\n\"",
            "\"\\x\"",
            "1 1",
            "\"a",
            "\"\\",
            "{\"a\"}",
            "[,1]",
            "\u{feff}1",
            "\"\\ud800\"",
            "'a'",
        ] {
            assert!(Json::parse(text).is_none(), "{text:?}");
        }
    }

    #[test]
    fn a_name_twice_is_refused() {
        assert!(Json::parse(r#"{"a":1,"\u0061":2}"#).is_none());
        let many: Vec<String> = (0..40).map(|n| format!("\"k{}\":1", n % 39)).collect();
        assert!(Json::parse(&format!("{{{}}}", many.join(","))).is_none());
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(Json::parse(&nested(MAX_NESTING)).is_some());
        assert!(Json::parse(&nested(MAX_NESTING + 1)).is_none());
        assert!(Json::parse(&"[".repeat(1_000_000)).is_none());
    }
}
