//! A pull reader of a text: the caller asks for values, items and keys.

use std::borrow::Cow;
use std::collections::HashSet;

use super::error::{Error, ErrorKind};
use super::number::{Fidelity, Number, scan};
use crate::MAX_NESTING;
use crate::text::shown;

/// The treatment of a key that an object has twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Duplicates {
    /// It is an error, at the second key.
    #[default]
    Refused,
    /// The caller checks.
    Passed,
}

/// Which decimals are an error (ruling A7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Decimals {
    /// None.
    #[default]
    Any,
    /// Those beyond doubles.
    InRange,
    /// Those that are not exactly a double.
    Exact,
}

/// The beginning of a value. After `Array` the caller calls [`Reader::item`], after `Object`
/// [`Reader::key`], each until the end.
#[derive(Clone, Copy, Debug)]
pub enum Token<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as it is written.
    Number(Number<'a>),
    /// A string, with its escapes.
    String(Str<'a>),
    /// `[`, which is read.
    Array,
    /// `{`, which is read.
    Object,
}

/// A string as it is written, between the quotes. Its escapes are valid.
#[derive(Clone, Copy, Debug)]
pub struct Str<'a> {
    raw: &'a str,
    /// How many bytes are before the first escape; all, if there is none.
    plain: usize,
}

impl<'a> Str<'a> {
    /// The text; it is borrowed if there are no escapes.
    pub fn decode(self) -> Cow<'a, str> {
        if self.plain == self.raw.len() {
            return Cow::Borrowed(self.raw);
        }
        let mut out = String::with_capacity(self.raw.len());
        unescape(self.raw, &mut out);
        Cow::Owned(out)
    }

    /// The text, in a buffer if there are escapes.
    pub(super) fn decode_in<'b>(self, buffer: &'b mut String) -> &'b str
    where
        'a: 'b,
    {
        if self.plain == self.raw.len() {
            return self.raw;
        }
        buffer.clear();
        unescape(self.raw, buffer);
        buffer
    }

    /// As it is written, without the quotes.
    pub fn raw(self) -> &'a str {
        self.raw
    }

    /// The text in the source, if it has no escapes.
    pub fn borrowed(self) -> Option<&'a str> {
        (self.plain == self.raw.len()).then_some(self.raw)
    }
}

/// Reads a text from its beginning to its end.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    text: &'a str,
    /// The next byte.
    at: usize,
    /// Where the last token began.
    start: usize,
    depth: usize,
    /// `true` if the last token opened an array or object.
    is_opened: bool,
    most: usize,
    duplicates: Duplicates,
    decimals: Decimals,
    lone_surrogates: bool,
    /// The keys of the open objects.
    keys: Vec<Cow<'a, str>>,
    open: Vec<Keys<'a>>,
    /// Memory for `Reader::walk`.
    walked: Vec<bool>,
}

/// Where an object's keys begin in the list of all. Of many keys there is a set, too.
#[derive(Clone, Debug)]
struct Keys<'a> {
    from: usize,
    set: Option<HashSet<Cow<'a, str>>>,
}

impl<'a> Reader<'a> {
    /// A reader of a text.
    pub fn new(text: &'a str) -> Self {
        Reader {
            text,
            at: 0,
            start: 0,
            depth: 0,
            is_opened: false,
            most: MAX_NESTING,
            duplicates: Duplicates::Refused,
            decimals: Decimals::Any,
            lone_surrogates: false,
            keys: Vec::new(),
            open: Vec::new(),
            walked: Vec::new(),
        }
    }

    /// The treatment of duplicate keys. The default is [`Duplicates::Refused`].
    #[must_use]
    pub fn duplicates(mut self, duplicates: Duplicates) -> Self {
        self.duplicates = duplicates;
        self
    }

    /// Refuses decimals beyond doubles. By default any decimal is accepted.
    #[must_use]
    pub fn in_doubles(mut self) -> Self {
        self.decimals = self.decimals.max(Decimals::InRange);
        self
    }

    /// If `true`, refuses decimals that are not exactly a double (ruling A7), and so those beyond
    /// doubles; `false` changes nothing.
    #[must_use]
    pub fn exact(mut self, is_exact: bool) -> Self {
        if is_exact {
            self.decimals = Decimals::Exact;
        }
        self
    }

    /// Accepts escapes of half a surrogate pair, which the grammar of JSON allows and JavaScript
    /// writes. They are decoded as U+FFFD. The default is an error.
    #[must_use]
    pub fn lone_surrogates(mut self, accepted: bool) -> Self {
        self.lone_surrogates = accepted;
        self
    }

    /// How deep values may be nested. The default is [`MAX_NESTING`]; a reader that only
    /// [skips](Reader::skip) may allow any depth, since that does not recurse.
    #[must_use]
    pub fn max_nesting(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    /// The whole text, with what is not read yet.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Where the last token begins.
    pub fn start(&self) -> usize {
        self.start
    }

    /// How many arrays and objects are open.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The offset after what was read.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// The beginning of the next value.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Syntax`] and [`ErrorKind::UnexpectedEnd`] if no value is next,
    /// [`ErrorKind::TooDeep`] at a bracket beyond the limit; [`ErrorKind::OutOfRange`] and
    /// [`ErrorKind::Inexact`] if the reader refuses some decimals. Reading can't go on after an
    /// error.
    #[inline]
    pub fn value(&mut self) -> Result<Token<'a>, Error> {
        let first = self.peek();
        self.start = self.at;
        match first {
            Some(b'"') => self.string().map(Token::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b'{') => self.open(Token::Object),
            Some(b'[') => self.open(Token::Array),
            Some(b't') => self.word("true", Token::Bool(true)),
            Some(b'f') => self.word("false", Token::Bool(false)),
            Some(b'n') => self.word("null", Token::Null),
            _ => Err(self.unexpected(self.at, "a value")),
        }
    }

    /// Returns `true` if another item follows in the array. If not, the array ends.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Syntax`] and [`ErrorKind::UnexpectedEnd`].
    ///
    /// # Panics
    ///
    /// If no array is open, in a build that checks arithmetic.
    #[inline]
    pub fn item(&mut self) -> Result<bool, Error> {
        let is_first = std::mem::take(&mut self.is_opened);
        match self.peek() {
            Some(b']') => {
                self.at += 1;
                self.depth -= 1;
                Ok(false)
            }
            Some(_) if is_first => Ok(true),
            Some(b',') => {
                self.at += 1;
                if self.peek() == Some(b']') {
                    return Err(self.unexpected(self.at, "an item after the comma"));
                }
                Ok(true)
            }
            _ if is_first => Err(self.unexpected(self.at, "a value or `]`")),
            _ => Err(self.unexpected(self.at, "`,` or `]`")),
        }
    }

    /// The key of the next member. If there is none, the object ends.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Syntax`], [`ErrorKind::UnexpectedEnd`], and [`ErrorKind::DuplicateKey`] unless
    /// the caller checks.
    ///
    /// # Panics
    ///
    /// If no object is open, in a build that checks arithmetic.
    #[inline]
    pub fn key(&mut self) -> Result<Option<Str<'a>>, Error> {
        let is_first = std::mem::take(&mut self.is_opened);
        match self.peek() {
            Some(b'}') => {
                self.at += 1;
                self.depth -= 1;
                if self.duplicates == Duplicates::Refused
                    && let Some(keys) = self.open.pop()
                {
                    self.keys.truncate(keys.from);
                }
                return Ok(None);
            }
            Some(_) if is_first => {}
            Some(b',') => {
                self.at += 1;
                self.peek();
            }
            _ if is_first => return Err(self.unexpected(self.at, "a key in quotes or `}`")),
            _ => return Err(self.unexpected(self.at, "`,` or `}`")),
        }
        if self.peek() != Some(b'"') {
            return Err(self.unexpected(self.at, "a key in quotes"));
        }
        self.start = self.at;
        let key = self.string()?;
        if self.duplicates == Duplicates::Refused {
            self.check_new(key)?;
        }
        if self.peek() != Some(b':') {
            return Err(self.unexpected(self.at, "`:`"));
        }
        self.at += 1;
        Ok(Some(key))
    }

    /// Reads a value and returns its text.
    ///
    /// # Errors
    ///
    /// The first error in it, as those of [`value`](Reader::value), [`item`](Reader::item) and
    /// [`key`](Reader::key).
    pub fn skip(&mut self) -> Result<&'a str, Error> {
        self.peek();
        let start = self.at;
        self.walk(|_, _| Ok(()))?;
        Ok(&self.text[start..self.at])
    }

    /// Reads a value without recursion, and calls `each` with the token of every value in it and
    /// the token's offset.
    ///
    /// # Errors
    ///
    /// As [`skip`](Reader::skip), and what `each` returns.
    pub fn walk(
        &mut self,
        mut each: impl FnMut(Token<'a>, usize) -> Result<(), Error>,
    ) -> Result<(), Error> {
        // Of each open array or object of the value, whether it is an object.
        let mut open = std::mem::take(&mut self.walked);
        open.clear();
        loop {
            let token = self.value()?;
            each(token, self.start)?;
            match token {
                Token::Array => open.push(false),
                Token::Object => open.push(true),
                _ => {}
            }
            while let Some(&is_object) = open.last() {
                let is_more = if is_object { self.key()?.is_some() } else { self.item()? };
                if is_more {
                    break;
                }
                open.pop();
            }
            if open.is_empty() {
                self.walked = open;
                return Ok(());
            }
        }
    }

    /// Reads a value of any depth, which nobody recurses into.
    pub(super) fn skip_any_depth(&mut self) -> Result<&'a str, Error> {
        let most = std::mem::replace(&mut self.most, usize::MAX);
        let text = self.skip();
        self.most = most;
        text
    }

    /// Checks that nothing but white space follows. Whether arrays and objects are closed is what
    /// [`item`](Reader::item) and [`key`](Reader::key) say.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Syntax`], at what follows.
    pub fn end(&mut self) -> Result<(), Error> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.unexpected(self.at, "the end of the text")),
        }
    }

    /// The next byte that is not white space, without reading it.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.at += 1,
                next => return next.copied(),
            }
        }
    }

    #[inline]
    fn open(&mut self, token: Token<'a>) -> Result<Token<'a>, Error> {
        if self.depth == self.most {
            return Err(self.too_deep());
        }
        self.at += 1;
        self.depth += 1;
        self.is_opened = true;
        if self.duplicates == Duplicates::Refused && matches!(token, Token::Object) {
            self.open.push(Keys { from: self.keys.len(), set: None });
        }
        Ok(token)
    }

    #[inline]
    fn word(&mut self, word: &str, token: Token<'a>) -> Result<Token<'a>, Error> {
        let rest = &self.text.as_bytes()[self.at..];
        if !rest.starts_with(word.as_bytes()) {
            let same = rest.iter().zip(word.bytes()).take_while(|(a, b)| **a == *b).count();
            return Err(self.unexpected(self.at + same, &format!("`{word}`")));
        }
        self.at += word.len();
        Ok(token)
    }

    #[inline]
    fn number(&mut self) -> Result<Token<'a>, Error> {
        match scan(self.text.as_bytes(), self.at) {
            Ok((end, whole)) => {
                self.at = end;
                let literal = &self.text[self.start..end];
                let number = Number { literal, whole: whole - self.start };
                if self.decimals != Decimals::Any {
                    self.check(number)?;
                }
                Ok(Token::Number(number))
            }
            Err(at) => Err(self.wrong_number(at)),
        }
    }

    fn check(&self, number: Number<'_>) -> Result<(), Error> {
        if number.is_integer() {
            return Ok(());
        }
        match number.fidelity() {
            Fidelity::OutOfRange => Err(self.beyond_doubles(number)),
            Fidelity::Rounded(_) if self.decimals == Decimals::Exact => {
                Err(self.refused(ErrorKind::Inexact, number, "a number that is exactly a double"))
            }
            _ => Ok(()),
        }
    }

    #[cold]
    pub(super) fn beyond_doubles(&self, number: Number<'_>) -> Error {
        self.refused(ErrorKind::OutOfRange, number, "a number in the range of doubles")
    }

    /// The error for the number that was read last.
    #[cold]
    pub(super) fn refused(&self, kind: ErrorKind, number: Number<'_>, expected: &str) -> Error {
        let message = format!("the number is {}, expected {expected}", shown(number.literal()));
        Error::new(kind, self.start, message)
    }

    /// A string whose opening quote is next.
    #[inline]
    fn string(&mut self) -> Result<Str<'a>, Error> {
        let bytes = self.text.as_bytes();
        let start = self.at + 1;
        let first = after_plain(bytes, start);
        let mut at = first;
        loop {
            match bytes.get(at) {
                Some(b'"') => {
                    self.at = at + 1;
                    return Ok(Str { raw: &self.text[start..at], plain: first - start });
                }
                Some(b'\\') => {
                    at = match bytes.get(at + 1) {
                        Some(b'"' | b'\\' | b'n') => at + 2,
                        _ => self.after_escape(at)?,
                    };
                    at = after_plain(bytes, at);
                }
                _ => return Err(self.in_string(at)),
            }
        }
    }

    /// The offset after the escape at `at`.
    fn after_escape(&self, at: usize) -> Result<usize, Error> {
        let bytes = self.text.as_bytes();
        let hex = |at: usize| {
            let digits = bytes.iter().skip(at).take(4);
            let wrong = digits.take_while(|byte| byte.is_ascii_hexdigit()).count();
            if wrong < 4 {
                return Err(self.unexpected(at + wrong, "4 hexadecimal digits after `\\u`"));
            }
            Ok(u16::from_str_radix(&self.text[at..at + 4], 16).expect("because it is checked"))
        };
        match bytes.get(at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
            Some(b'u') => match hex(at + 2)? {
                _ if self.lone_surrogates => Ok(at + 6),
                0xd800..=0xdbff => {
                    for (next, mark) in [(at + 6, b'\\'), (at + 7, b'u')] {
                        match bytes.get(next) {
                            Some(byte) if *byte == mark => {}
                            Some(_) => return Err(self.lone_half(at)),
                            None => return Err(self.unexpected(next, "the second half of a pair")),
                        }
                    }
                    match hex(at + 8)? {
                        0xdc00..=0xdfff => Ok(at + 12),
                        _ => Err(self.lone_half(at)),
                    }
                }
                0xdc00..=0xdfff => Err(self.lone_half(at)),
                _ => Ok(at + 6),
            },
            _ => Err(self.unexpected(at + 1, "an escape: one of `\"\\/bfnrtu`")),
        }
    }

    #[inline]
    fn check_new(&mut self, key: Str<'a>) -> Result<(), Error> {
        /// Comparing with as many is faster than hashing.
        const FEW: usize = 16;
        let Some(keys) = self.open.last_mut() else { return Ok(()) };
        let key = key.decode();
        let known = &self.keys[keys.from..];
        let is_known = match &keys.set {
            Some(set) => set.contains(&key),
            None => known.contains(&key),
        };
        if is_known {
            return Err(duplicate(self.start, &key));
        }
        if let Some(set) = &mut keys.set {
            set.insert(key);
            return Ok(());
        }
        if known.len() == FEW {
            let set = keys.set.insert(known.iter().cloned().collect());
            set.insert(key);
            return Ok(());
        }
        self.keys.push(key);
        Ok(())
    }

    #[cold]
    fn unexpected(&self, at: usize, expected: &str) -> Error {
        let Some(rest) = self.text.get(at..) else {
            return Error::new(ErrorKind::UnexpectedEnd, self.text.len(), ended(expected));
        };
        match rest.chars().next() {
            None => Error::new(ErrorKind::UnexpectedEnd, at, ended(expected)),
            Some('\u{feff}') if at == 0 => Error::new(
                ErrorKind::Syntax,
                0,
                format!("found a byte order mark, expected {expected}"),
            ),
            Some(c) => {
                let found = match word(rest) {
                    own @ ("NaN" | "Infinity" | "nan" | "inf") => {
                        format!("{own}, a number that JSON does not have")
                    }
                    own @ ("None" | "True" | "False") => format!("{own}, a word of Python"),
                    own @ "undefined" => format!("{own}, a word of JavaScript"),
                    _ => shown(c.encode_utf8(&mut [0; 4])),
                };
                Error::new(ErrorKind::Syntax, at, format!("found {found}, expected {expected}"))
            }
        }
    }

    #[cold]
    fn in_string(&self, at: usize) -> Error {
        if at >= self.text.len() {
            return Error::new(ErrorKind::UnexpectedEnd, self.text.len(), ended("a closing quote"));
        }
        let c = self.text.as_bytes()[at];
        let message =
            format!("found the control character U+{c:04X} in a string, expected an escape");
        Error::new(ErrorKind::Syntax, at, message)
    }

    #[cold]
    fn lone_half(&self, at: usize) -> Error {
        let found = &self.text[at..at + 6];
        let message = format!("found {found} alone, expected both halves of a surrogate pair");
        Error::new(ErrorKind::Syntax, at, message)
    }

    #[cold]
    fn wrong_number(&self, at: usize) -> Error {
        let before = &self.text[self.start..at];
        if before == "0" || before == "-0" {
            return Error::new(
                ErrorKind::Syntax,
                at,
                "a number begins with 0, expected no more digits",
            );
        }
        self.unexpected(at, "a digit")
    }

    #[cold]
    fn too_deep(&self) -> Error {
        let message = format!("arrays and objects are nested more than {} levels deep", self.most);
        Error::new(ErrorKind::TooDeep, self.at, message)
    }
}

/// The word that begins a text, of at most as many letters as the longest that is told.
fn word(text: &str) -> &str {
    const LONGEST: usize = "undefined".len();
    let letters = text.bytes().take(LONGEST + 1).take_while(u8::is_ascii_alphanumeric).count();
    &text[..letters]
}

#[cold]
fn ended(expected: &str) -> String {
    format!("the text ends, expected {expected}")
}

#[cold]
fn duplicate(at: usize, key: &str) -> Error {
    Error::new(
        ErrorKind::DuplicateKey,
        at,
        format!("the key {} appears twice, expected once", shown(key)),
    )
}

/// The offset of the first byte that is not plain text: a quote, a backslash or a control character.
/// Eight bytes are compared at once.
#[inline]
fn after_plain(bytes: &[u8], mut at: usize) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const HIGHS: u64 = ONES << 7;
    while let Some(chunk) = bytes.get(at..at + 8) {
        let word = u64::from_le_bytes(chunk.try_into().expect("because it has 8 bytes"));
        let is_zero = |word: u64| word.wrapping_sub(ONES) & !word;
        let quote = is_zero(word ^ (ONES * u64::from(b'"')));
        let backslash = is_zero(word ^ (ONES * u64::from(b'\\')));
        let control = word.wrapping_sub(ONES * 0x20) & !word;
        let found = (quote | backslash | control) & HIGHS;
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while bytes.get(at).is_some_and(|byte| !matches!(byte, b'"' | b'\\' | 0..=0x1f)) {
        at += 1;
    }
    at
}

/// Appends the text of a string whose escapes are valid.
fn unescape(mut raw: &str, out: &mut String) {
    let hex = |raw: &str| u32::from_str_radix(&raw[..4], 16).expect("because it was checked");
    while let Some((plain, rest)) = raw.split_once('\\') {
        out.push_str(plain);
        let mut length = 1;
        out.push(match rest.as_bytes()[0] {
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                length = 5;
                let mut code = hex(&rest[1..]);
                if (0xd800..0xdc00).contains(&code)
                    && rest[5..].starts_with("\\u")
                    && let low @ 0xdc00..=0xdfff = hex(&rest[7..])
                {
                    length = 11;
                    code = 0x10000 + (code - 0xd800) * 0x400 + low - 0xdc00;
                }
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            same => char::from(same),
        });
        raw = &rest[length..];
    }
    out.push_str(raw);
}
