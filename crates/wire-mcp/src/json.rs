//! JSON values as this crate needs them, and how it and its clients spell them.

use wire_core::json::{Decimal, Layout, push_quoted};
use wire_core::number::Digits;

pub(crate) use wire_core::json::Json;

/// The value of a text. `None` if it is not JSON, is nested too deep, or has an object with a name
/// twice.
pub(crate) fn parse(text: &str) -> Option<Json<'_>> {
    Json::parse(text).ok()
}

/// Returns `true` if it is an array of objects, and of at least one.
pub(crate) fn is_rows(value: &Json<'_>) -> bool {
    let Json::Array(items) = value else { return false };
    !items.is_empty() && items.iter().all(|item| matches!(item, Json::Object(_)))
}

/// The names of the members of an object, in their order.
pub(crate) fn names<'v>(value: &'v Json<'_>) -> Option<impl Iterator<Item = &'v str>> {
    let Json::Object(members) = value else { return None };
    Some(members.iter().map(|(key, _)| &**key))
}

/// The value of the only member of an object, if it has this name.
pub(crate) fn only_member<'v, 'a>(value: &'v Json<'a>, name: &str) -> Option<&'v Json<'a>> {
    let Json::Object(members) = value else { return None };
    match members.as_slice() {
        [(key, value)] if key == name => Some(value),
        _ => None,
    }
}

/// The text that a value wraps: it is a string, or `{"result": "<text>"}` (ruling M19).
pub(crate) fn wrapped<'v>(value: &'v Json<'_>) -> Option<&'v str> {
    match only_member(value, "result").unwrap_or(value) {
        Json::String(text) => Some(text),
        _ => None,
    }
}

/// Returns `true` if it is `{"content": "<text>"}`, as tools wrap texts that have to be quoted
/// exactly, or a list with such an item (ruling M5).
pub(crate) fn is_verbatim(value: &Json<'_>) -> bool {
    let wraps = |value: &Json<'_>| matches!(only_member(value, "content"), Some(Json::String(_)));
    match value {
        Json::Array(items) => items.iter().any(wraps),
        value => wraps(value),
    }
}

/// Without white space, with only the escapes that JSON requires, and numbers as they were written.
pub(crate) fn minified(value: &Json<'_>) -> String {
    value.to_text(Layout::Compact)
}

/// The value as JavaScript minifies it: numbers are the nearest doubles. Members stay in their
/// order, although those with numeric names would move.
pub(crate) fn in_doubles(value: &Json<'_>) -> String {
    let mut digits = Digits::new();
    let mut spell = |number: &str| match number.parse::<f64>() {
        Ok(double) if double.is_finite() => Some(digits.shortest(double).to_owned()),
        _ => Some("null".to_owned()),
    };
    respelled(value, &mut spell).map(|value| minified(&value)).unwrap_or_default()
}

/// The value as `serde_json` minifies it: integers of 64 bits, other numbers as doubles. `None` if a
/// number is beyond these.
pub(crate) fn as_serde(value: &Json<'_>) -> Option<String> {
    let mut spell = |number: &str| {
        let integer = number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok();
        if integer && number != "-0" {
            return Some(number.to_owned());
        }
        let double = number.parse().ok().filter(|double: &f64| double.is_finite())?;
        serde_json::to_string(&double).ok()
    };
    respelled(value, &mut spell).map(|value| minified(&value))
}

/// Returns `true` if all numbers are integers that every reader spells alike.
pub(crate) fn has_short_integers(value: &Json<'_>) -> bool {
    let is_short =
        |number: &str| number.len() < 16 && number != "-0" && !number.contains(['.', 'e', 'E']);
    match value {
        Json::Number(number) => is_short(number),
        Json::Array(items) => items.iter().all(has_short_integers),
        Json::Object(members) => members.iter().all(|(_, value)| has_short_integers(value)),
        Json::Null | Json::Bool(_) | Json::String(_) => true,
    }
}

/// The value with other texts for its numbers; `None` if there is none for one of them.
fn respelled<'a>(
    value: &Json<'a>,
    spell: &mut impl FnMut(&str) -> Option<String>,
) -> Option<Json<'a>> {
    Some(match value {
        Json::Number(number) => Json::Number(spell(number)?.into()),
        Json::Array(items) => {
            Json::Array(items.iter().map(|item| respelled(item, spell)).collect::<Option<_>>()?)
        }
        Json::Object(members) => {
            let members = members.iter();
            let members = members.map(|(key, value)| Some((key.clone(), respelled(value, spell)?)));
            Json::Object(members.collect::<Option<_>>()?)
        }
        other => other.clone(),
    })
}

/// One text for all numbers of a value. A number whose exponent is too long is returned unchanged.
pub(crate) fn canonical(text: &str) -> String {
    Decimal::of(text).map_or_else(|| text.to_owned(), |decimal| decimal.to_string())
}

/// A text as JSON has it, in quotes.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    push_quoted(&mut quoted, text);
    quoted
}

/// Returns `true` if a text in quotes has only the escapes that [`quoted`] writes.
pub(crate) fn is_quoted_as_here(raw: &str) -> bool {
    !raw.contains("\\u") && !raw.contains("\\/")
}

/// A text in quotes as a frame has it: characters at which some readers end a line are escaped,
/// too.
pub(crate) fn in_frame(quoted: String) -> String {
    const ENDS: [(char, &str); 3] =
        [('\u{85}', "\\u0085"), ('\u{2028}', "\\u2028"), ('\u{2029}', "\\u2029")];
    if !quoted.contains(ENDS.map(|(end, _)| end)) {
        return quoted;
    }
    ENDS.iter().fold(quoted, |text, (end, escape)| text.replace(*end, escape))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes() {
        let of = |text| parse(text).unwrap();
        assert!(is_verbatim(&of(r#"{"content":"x"}"#)));
        assert!(!is_verbatim(&of(r#"{"content":1}"#)));
        assert!(!is_verbatim(&of(r#"{"content":"x","more":1}"#)));
        assert!(is_verbatim(&of(r#"[1,{"content":"x"}]"#)) && !is_verbatim(&of("[[]]")));
        assert!(is_rows(&of("[{}]")) && !is_rows(&of("[]")) && !is_rows(&of("[1]")));
    }

    #[test]
    fn no_line_ends_in_a_frame() {
        assert_eq!(in_frame(quoted("a\u{85}\u{2028}\u{2029}\n")), r#""a\u0085\u2028\u2029\n""#);
        assert_eq!(in_frame(quoted("é")), "\"é\"");
    }

    #[test]
    fn escapes_are_those_that_json_requires() {
        let text = "a\"\\ /u\n\t\u{8}é";
        assert!(is_quoted_as_here(&quoted(text)), "{}", quoted(text));
        assert!(!is_quoted_as_here(r#""\u00e9""#) && !is_quoted_as_here(r#""a\/b""#));
    }

    #[test]
    fn clients_spell_numbers_as_they_hold_them() {
        let json = parse("[1.0, 1.50, -0, 12345678901234567890123, 1E+3, 0.1]").unwrap();
        assert_eq!(in_doubles(&json), "[1,1.5,0,1.2345678901234568e+22,1000,0.1]");
        let serde = as_serde(&json).unwrap();
        assert!(serde.starts_with("[1.0,1.5,-0.0,1.2345678901234568e"), "{serde}");
        assert!(serde.ends_with("22,1000.0,0.1]"), "{serde}");
        assert_eq!(as_serde(&parse("[1e400]").unwrap()), None);
        assert_eq!(in_doubles(&parse("[1e400]").unwrap()), "[null]");
    }

    #[test]
    fn only_what_json_asks_for() {
        let text = "{ \"a\" : [ 1.0 , -0e5, \"\\u00e9\\/\\u0001\\n\" ] , \"b\":{} , \"c\" : [ ] }";
        let expected = "{\"a\":[1.0,-0e5,\"é/\\u0001\\n\"],\"b\":{},\"c\":[]}";
        assert_eq!(minified(&parse(text).unwrap()), expected);
    }

    #[test]
    fn equal_numbers_have_one_text() {
        for (a, b) in [("1", "1.0"), ("1", "10e-1"), ("100", "1E+2"), ("0", "-0.0")] {
            assert_eq!(canonical(a), canonical(b), "{a} {b}");
        }
        assert_ne!(canonical("0.1"), canonical("0.10000000000000001"));
        assert_eq!(canonical("1e99999999999999999999"), "1e99999999999999999999");
    }
}
