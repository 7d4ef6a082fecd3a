//! Python's `repr` of a value that JSON has, as servers in Python send that print what a database
//! returned (ruling M18). Only the one spelling that `repr` writes is read, so that the same text can
//! be made of the value again.

use std::borrow::Cow;
use std::collections::HashSet;

use unicode_general_category::{GeneralCategory as Category, get_general_category};

use crate::json::{Json, minified};

/// Nested deeper, no text is read.
const MAX_DEPTH: usize = 127;

/// The JSON of a text that is exactly the `repr` of a list or a dictionary in Python, with values that
/// JSON has: `None`, booleans, integers, finite floats, strings, lists, and dictionaries whose keys are
/// strings. `None` of all other texts, also of those with a character of which versions of Python
/// print different things: one that came after Unicode 13, or half of a surrogate pair.
///
/// ```
/// use wire_mcp::repr_to_json;
///
/// let json = repr_to_json(r#"[{'id': 1, 'note': "it's", 'due': None}]"#);
/// assert_eq!(json.as_deref(), Some(r#"[{"id":1,"note":"it's","due":null}]"#));
/// assert_eq!(repr_to_json("[{'id': Decimal('1.50')}]"), None);
/// ```
pub fn repr_to_json(text: &str) -> Option<String> {
    parse(text).as_ref().map(minified)
}

/// The value of a text that is exactly the `repr` of a list or a dictionary of JSON's types.
pub(crate) fn parse(text: &str) -> Option<Json<'static>> {
    if !text.starts_with(['[', '{']) {
        return None;
    }
    let mut reader = Reader { rest: text, depth: 0 };
    let value = reader.value()?;
    reader.rest.is_empty().then_some(value)
}

struct Reader<'t> {
    rest: &'t str,
    depth: usize,
}

impl Reader<'_> {
    fn take(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    // value = list / dictionary / string / number / "None" / "True" / "False"
    fn value(&mut self) -> Option<Json<'static>> {
        Some(match self.rest.as_bytes().first()? {
            b'[' => Json::Array(self.items("[", "]", Self::value)?),
            b'{' => Json::Object(self.members()?),
            b'\'' | b'"' => Json::String(self.string()?.into()),
            b'N' => self.take("None").then_some(Json::Null)?,
            b'T' => self.take("True").then_some(Json::Bool(true))?,
            b'F' => self.take("False").then_some(Json::Bool(false))?,
            _ => Json::Number(self.number()?.to_owned().into()),
        })
    }

    // list = "[" [value *(", " value)] "]"
    fn items<T>(
        &mut self,
        begin: &str,
        end: &str,
        mut item: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH || !self.take(begin) {
            return None;
        }
        let mut items = Vec::new();
        while !self.take(end) {
            if !items.is_empty() && !self.take(", ") {
                return None;
            }
            items.push(item(self)?);
        }
        self.depth -= 1;
        Some(items)
    }

    // dictionary = "{" [member *(", " member)] "}", member = string ": " value; no key is there twice.
    fn members(&mut self) -> Option<Vec<(Cow<'static, str>, Json<'static>)>> {
        let member = |reader: &mut Self| {
            let key = reader.string()?;
            reader.take(": ").then_some(())?;
            Some((Cow::Owned(key), reader.value()?))
        };
        let members = self.items("{", "}", member)?;
        let mut keys = HashSet::with_capacity(members.len());
        members.iter().all(|(key, _)| keys.insert(&**key)).then_some(())?;
        Some(members)
    }

    // number = integer without leading zeros / double as `repr` spells it; JSON has both spellings.
    fn number(&mut self) -> Option<&str> {
        let is_in = |byte: &u8| byte.is_ascii_digit() || b"+-.e".contains(byte);
        let length = self.rest.bytes().take_while(|byte| is_in(byte)).count();
        let (number, rest) = self.rest.split_at(length);
        self.rest = rest;
        let digits = number.strip_prefix('-').unwrap_or(number);
        let is_integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let is_repr = if is_integer {
            number == "0" || !digits.starts_with('0')
        } else {
            number.parse().is_ok_and(|double: f64| double.is_finite() && number == spelled(double))
        };
        is_repr.then_some(number)
    }

    // string = "'" *char "'" / '"' *char '"'; the second only if a "'" and no '"' is in it.
    fn string(&mut self) -> Option<String> {
        let quote = self.rest.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
        self.rest = &self.rest[1..];
        let mut text = String::new();
        loop {
            let c = self.rest.chars().next()?;
            self.rest = &self.rest[c.len_utf8()..];
            match c {
                '\\' => text.push(self.escaped(quote)?),
                c if c == quote => break,
                c if is_raw(c)? => text.push(c),
                _ => return None,
            }
        }
        let is_single = !text.contains('\'') || text.contains('"');
        (is_single == (quote == '\'')).then_some(text)
    }

    /// The character of an escape, behind its backslash.
    fn escaped(&mut self, quote: char) -> Option<char> {
        let kind = self.rest.chars().next()?;
        self.rest = &self.rest[kind.len_utf8()..];
        let (digits, least) = match kind {
            '\\' => return Some('\\'),
            // Only where both marks are in the text, which is checked at its end.
            '\'' if quote == '\'' => return Some('\''),
            'n' => return Some('\n'),
            'r' => return Some('\r'),
            't' => return Some('\t'),
            'x' => (2, 0),
            'u' => (4, 0x100),
            'U' => (8, 0x1_0000),
            _ => return None,
        };
        let number = self.rest.get(..digits)?;
        self.rest = &self.rest[digits..];
        let is_small = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let number =
            number.bytes().all(is_small).then(|| u32::from_str_radix(number, 16).ok())??;
        let c = char::from_u32(number).filter(|_| number >= least)?;
        let has_own = matches!(c, '\n' | '\r' | '\t');
        (!has_own && !is_raw(c)?).then_some(c)
    }
}

/// Whether `repr` writes a character as it is, in every version of Python: by Unicode 13. `None` of
/// characters that came later.
fn is_raw(c: char) -> Option<bool> {
    match get_general_category(c) {
        Category::Unassigned | Category::Surrogate => None,
        Category::Control
        | Category::Format
        | Category::PrivateUse
        | Category::LineSeparator
        | Category::ParagraphSeparator => Some(false),
        Category::SpaceSeparator => Some(c == ' '),
        _ => Some(true),
    }
}

/// A double as `repr` spells it: the fewest digits, of which the last is even if two are as near, and
/// an exponent below 1e-4 and from 1e16 on.
#[allow(clippy::cast_possible_wrap)] // a double has some 17 digits
fn spelled(double: f64) -> String {
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(double.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let digits = all.trim_start_matches('0');
    let zeros = all.len() - digits.len();
    let digits = digits.trim_end_matches('0');
    // The value is 0.DIGITS times ten to the power of `point`.
    let exponent: isize = exponent.parse().expect("because it is a number");
    let point = exponent + whole.len() as isize - zeros as isize;
    let sign = if double.is_sign_negative() { "-" } else { "" };
    if digits.is_empty() {
        return format!("{sign}0.0");
    }
    if !(-3..=16).contains(&point) {
        let (first, rest) = digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        let mark = if point < 1 { '-' } else { '+' };
        return format!("{sign}{first}{dot}{rest}e{mark}{:02}", (point - 1).abs());
    }
    let Ok(point @ 1..) = usize::try_from(point) else {
        return format!("{sign}0.{}{digits}", "0".repeat(point.unsigned_abs()));
    };
    let digits = format!("{digits:0<point$}");
    let (whole, fraction) = digits.split_at(point);
    format!("{sign}{whole}.{}", if fraction.is_empty() { "0" } else { fraction })
}
