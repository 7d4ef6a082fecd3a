//! Minified JSON: no white space, only the escapes that JSON requires, and numbers in their
//! original notation.

use super::Json;

impl Json<'_> {
    /// The value as minified JSON.
    pub(crate) fn minified(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    fn write(&self, out: &mut String) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(true) => out.push_str("true"),
            Json::Bool(false) => out.push_str("false"),
            Json::Number(digits) => out.push_str(digits),
            Json::String(text) => push_quoted(text, out),
            Json::Array(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    item.write(out);
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
                    value.write(out);
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
pub(super) fn quoted(text: &str) -> String {
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
    fn only_what_json_asks_for() {
        let text = "{ \"a\" : [ 1.0 , -0e5, \"\\u00e9\\/\\u0001\\n\" ] , \"b\":{} , \"c\" : [ ] }";
        let minified = Json::parse(text).unwrap().minified();
        assert_eq!(minified, "{\"a\":[1.0,-0e5,\"é/\\u0001\\n\"],\"b\":{},\"c\":[]}");
    }
}
