//! The forms of a value, and the cheapest of them that was read back and found equal (ruling M2).
//! Nothing else calls the formats.

use gcx::json::Exact;
use wire_core::TokenCounter;

use crate::Format;
use crate::json::Json;

/// What a value is written as.
#[derive(Debug)]
pub(crate) struct Choice {
    /// The form and the text; `None` where the text as it came is cheapest.
    pub(crate) text: Option<(Format, String)>,
    /// The tokens of what goes out.
    pub(crate) tokens: usize,
    /// The tokens of minified JSON.
    pub(crate) minified: usize,
}

/// What a value came as.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Original<'a> {
    /// Its only text, if it is one.
    pub(crate) text: Option<&'a str>,
    /// The tokens of all its texts.
    pub(crate) tokens: usize,
}

/// The cheapest of the text as it came, and of these forms of its value. On a tie the earlier one.
pub(crate) fn cheapest(
    original: Original<'_>,
    value: &Json<'_>,
    formats: &[Format],
    tool: &str,
    counter: &dyn TokenCounter,
) -> Choice {
    let json = value.minified();
    let minified =
        if original.text == Some(&*json) { original.tokens } else { counter.count(&json) };
    let mut candidates = Vec::new();
    for format in Format::ALL.iter().copied().filter(|format| formats.contains(format)) {
        let (text, tokens) = match format {
            Format::Json => (Some(json.clone()), minified),
            Format::Gcf => counted(gcf::generic::to_string(value).ok(), counter),
            Format::Gcx => counted(rows(value, &json, tool), counter),
        };
        candidates
            .extend(text.filter(|_| tokens < original.tokens).map(|text| (tokens, format, text)));
    }
    // The order of forms decides where tokens are equal.
    candidates.sort_by_key(|(tokens, format, _)| (*tokens, *format));
    let proven = candidates.into_iter().find(|(_, format, text)| says(*format, text, value));
    match proven {
        Some((tokens, format, text)) => Choice { text: Some((format, text)), tokens, minified },
        None => Choice { text: None, tokens: original.tokens, minified },
    }
}

fn counted(text: Option<String>, counter: &dyn TokenCounter) -> (Option<String>, usize) {
    let tokens = text.as_deref().map_or(0, |text| counter.count(text));
    (text, tokens)
}

fn rows(value: &Json<'_>, json: &str, tool: &str) -> Option<String> {
    if !value.is_rows() {
        return None;
    }
    let exact: Exact = json.parse().ok()?;
    gcx::encode_typed(tool, &exact).ok()
}

/// Whether a text, read back, is this value.
fn says(format: Format, text: &str, value: &Json<'_>) -> bool {
    match format {
        Format::Json => Json::parse(text).is_some_and(|back| back == *value),
        Format::Gcf => {
            gcf::generic::from_str::<Json<'static>>(text).is_ok_and(|back| back == *value)
        }
        Format::Gcx => gcx::decode_exact(text)
            .is_ok_and(|back| Json::parse(&back.to_string()).is_some_and(|back| back == *value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire_core::WordPunctuation;

    fn chosen(text: &str, formats: &[Format]) -> Choice {
        let value = Json::parse(text).unwrap();
        let original = Original { text: Some(text), tokens: WordPunctuation.count(text) };
        cheapest(original, &value, formats, "t", &WordPunctuation)
    }

    #[test]
    fn digits_beyond_a_double_stay_json() {
        for digits in ["12345678901234567890123", "0.12345678901234567890123"] {
            let text = format!("{{ \"rows\": [{{\"id\": {digits}}}, {{\"id\": {digits}}}] }}");
            let choice = chosen(&text, &[Format::Gcf]);
            assert!(choice.text.is_none(), "{choice:?}");
        }
    }

    #[test]
    fn long_integers_can_be_rows() {
        let text =
            "[{\"id\": 12345678901234567890123, \"name\": \"x\"}, {\"id\": 1, \"name\": \"y\"}]";
        let (format, text) = chosen(text, Format::ALL).text.unwrap();
        assert_eq!(format, Format::Gcx);
        assert!(text.contains("12345678901234567890123"));
    }

    #[test]
    fn a_tie_goes_as_it_came() {
        let choice = chosen("{}", Format::ALL);
        assert!(choice.text.is_none());
        assert_eq!((choice.tokens, choice.minified), (2, 2));
    }
}
