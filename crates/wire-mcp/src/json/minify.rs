//! Minified JSON: no white space, only the escapes that JSON requires, and numbers in their
//! original notation.

use wire_core::number::Digits;

use super::Json;

impl Json<'_> {
    /// The value as minified JSON.
    pub(crate) fn minified(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, &mut |digits, out| out.push_str(digits));
        text
    }

    /// The value as JavaScript minifies it: numbers are the nearest doubles. Members stay in their
    /// order, although those with numeric names would move.
    pub(crate) fn in_doubles(&self) -> String {
        let (mut text, mut memory) = (String::new(), Digits::new());
        self.write(&mut text, &mut |digits, out| match digits.parse::<f64>() {
            Ok(double) if double.is_finite() => out.push_str(memory.shortest(double)),
            _ => out.push_str("null"),
        });
        text
    }

    /// The value as `serde_json` minifies it: integers of 64 bits, other numbers as doubles. `None`
    /// if a number is beyond these.
    pub(crate) fn as_serde(&self) -> Option<String> {
        let mut is_beyond = false;
        let mut text = String::new();
        self.write(&mut text, &mut |digits, out| {
            let integer = digits.parse::<i64>().is_ok() || digits.parse::<u64>().is_ok();
            match digits.parse::<f64>().map(|double| serde_json::to_string(&double)) {
                _ if integer && digits != "-0" => out.push_str(digits),
                Ok(Ok(double)) if double != "null" => out.push_str(&double),
                _ => is_beyond = true,
            }
        });
        (!is_beyond).then_some(text)
    }

    fn write(&self, out: &mut String, number: &mut dyn FnMut(&str, &mut String)) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(true) => out.push_str("true"),
            Json::Bool(false) => out.push_str("false"),
            Json::Number(digits) => number(digits, out),
            Json::String(text) => push_quoted(text, out),
            Json::Array(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    item.write(out, number);
                }
                out.push(']');
            }
            Json::Object(members) => {
                out.push('{');
                for (at, (key, value)) in members.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    push_quoted(key, out);
                    out.push(':');
                    value.write(out, number);
                }
                out.push('}');
            }
        }
    }
}

/// Most texts have nothing to escape.
fn push_quoted(text: &str, out: &mut String) {
    if text.bytes().any(|byte| byte < 0x20 || byte == b'"' || byte == b'\\') {
        out.push_str(&quoted(text));
        return;
    }
    out.push('"');
    out.push_str(text);
    out.push('"');
}

/// A text as a frame has it, in quotes. Characters at which some readers end a line are escaped,
/// too.
pub(crate) fn quoted_in_frame(text: &str) -> String {
    const ENDS: [(char, &str); 3] =
        [('\u{85}', "\\u0085"), ('\u{2028}', "\\u2028"), ('\u{2029}', "\\u2029")];
    let quoted = quoted(text);
    if !quoted.contains(ENDS.map(|(end, _)| end)) {
        return quoted;
    }
    ENDS.iter().fold(quoted, |text, (end, escape)| text.replace(*end, escape))
}

/// A text as JSON has it, in quotes.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("because a text is always JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_ends_in_a_frame() {
        assert_eq!(quoted_in_frame("a\u{85}\u{2028}\u{2029}\n"), r#""a\u0085\u2028\u2029\n""#);
        assert_eq!(quoted_in_frame("é"), "\"é\"");
    }

    #[test]
    fn clients_spell_numbers_as_they_hold_them() {
        let json = Json::parse("[1.0, 1.50, -0, 12345678901234567890123, 1E+3, 0.1]").unwrap();
        assert_eq!(json.in_doubles(), "[1,1.5,0,1.2345678901234568e+22,1000,0.1]");
        let serde = json.as_serde().unwrap();
        assert!(serde.starts_with("[1.0,1.5,-0.0,1.2345678901234568e"), "{serde}");
        assert!(serde.ends_with("22,1000.0,0.1]"), "{serde}");
        assert_eq!(Json::parse("[1e400]").unwrap().as_serde(), None);
        assert_eq!(Json::parse("[1e400]").unwrap().in_doubles(), "[null]");
    }

    #[test]
    fn only_what_json_asks_for() {
        let text = "{ \"a\" : [ 1.0 , -0e5, \"\\u00e9\\/\\u0001\\n\" ] , \"b\":{} , \"c\" : [ ] }";
        let minified = Json::parse(text).unwrap().minified();
        assert_eq!(minified, "{\"a\":[1.0,-0e5,\"é/\\u0001\\n\"],\"b\":{},\"c\":[]}");
    }
}
