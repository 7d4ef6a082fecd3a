//! The forms of a value, and the choice of the one with the fewest tokens that decodes to an equal
//! value (rulings M2 and X17). No other module calls the formats.

use std::borrow::Cow;
use std::cell::OnceCell;

use wire_core::TokenCounter;
use wire_registry::{Chooser, INPUT};

use crate::Format;
use crate::counted::Counted;
use crate::json::{self, Json, quoted};
use crate::reading::Reading;

#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) format: Format,
    text: Counted<'static>,
    quoted: OnceCell<Counted<'static>>,
    /// Its tokens by the measure of the choice.
    pub(crate) cost: usize,
    /// `true` if it stands for a text that wrapped another one.
    pub(crate) is_unwrapped: bool,
}

impl Written {
    /// A text that the caller has proven.
    pub(crate) fn of(format: Format, text: String, measure: Measure<'_>) -> Self {
        let cost = measure.count(&text);
        let text = Counted::new(text);
        Written { format, text, quoted: OnceCell::new(), cost, is_unwrapped: false }
    }

    /// The same for the text of a block that wrapped another one.
    pub(crate) fn unwrapped(self) -> Self {
        Written { is_unwrapped: true, ..self }
    }

    pub(crate) fn text(&self) -> &Counted<'static> {
        &self.text
    }

    /// It as a string of JSON.
    pub(crate) fn quoted(&self) -> &Counted<'static> {
        self.quoted.get_or_init(|| Counted::quoted(&self.text.text))
    }
}

/// The counts of a text.
#[derive(Clone, Copy)]
pub(crate) struct Measure<'a> {
    pub(crate) counter: &'a dyn TokenCounter,
    /// `true` if the text is a string of JSON for the model, in which some characters are escaped.
    pub(crate) escapes: bool,
    /// Texts whose counts are kept, since they are asked for elsewhere.
    pub(crate) shared: &'a [&'a Counted<'a>],
}

impl Measure<'_> {
    /// The cost of a text as it came.
    pub(crate) fn came(self, text: &Reading<'_>) -> usize {
        let counted = if self.escapes { text.quoted() } else { text.came() };
        counted.tokens(self.counter)
    }
}

/// Counts a text as it is, or as a string of JSON.
impl TokenCounter for Measure<'_> {
    fn name(&self) -> &str {
        self.counter.name()
    }

    fn is_estimate(&self) -> bool {
        self.counter.is_estimate()
    }

    fn count(&self, text: &str) -> usize {
        self.count_up_to(text, usize::MAX).expect("because no text has more")
    }

    fn count_up_to(&self, text: &str, most: usize) -> Option<usize> {
        if let Some(shared) = self.shared.iter().find(|own| own.text == text) {
            return shared.up_to(most, self.counter);
        }
        let quoted = self.escapes.then(|| quoted(text));
        self.counter.count_up_to(quoted.as_deref().unwrap_or(text), most)
    }
}

/// The smallest form of a value. `None` if the text as it came is chosen, or no form decodes to an
/// equal value.
pub(crate) fn smallest(
    value: &Json<'_>,
    came: Option<&Reading<'_>>,
    formats: &[Format],
    tool: &str,
    measure: Measure<'_>,
) -> Option<Written> {
    let json = match came {
        Some(came) => Cow::Borrowed(&*came.minified().text),
        None => Cow::Owned(json::minified(value)),
    };
    let shared = came.filter(|_| !measure.escapes).map(|came| [came.came(), came.minified()]);
    let measure = Measure { shared: shared.as_ref().map_or(&[], |both| both), ..measure };
    let mut chooser = Chooser::new(&measure);
    if let Some(came) = came {
        chooser.offer(INPUT, Ok(came.text));
    }
    for format in Format::ALL.iter().copied().filter(|format| formats.contains(format)) {
        let text = match format {
            Format::Json => Some((*json).into()),
            Format::Gcf => generic(value, &json).map(Cow::Owned),
            Format::Gcx => rows(value, &json, tool).map(Cow::Owned),
        };
        if let Some(text) = text {
            chooser.offer(format.name(), Ok(text));
        }
    }
    let chosen = chooser.choose_proven(|_, text| says(text, value, &json)).ok()?;
    let (cost, text) = (chosen.tokens, Counted::new(chosen.text));
    if !measure.escapes {
        text.remember(cost);
    }
    let format = Format::from_name(chosen.format)?;
    Some(Written { format, text, quoted: OnceCell::new(), cost, is_unwrapped: false })
}

/// The generic profile of GCF, unless its text is so much larger than the JSON that it has more
/// tokens.
fn generic(value: &Json<'_>, json: &str) -> Option<String> {
    let prepared = gcf::Encoder::new().prepare(value).ok()?;
    prepared.to_string_unless_large(json.len())
}

fn rows(value: &Json<'_>, json: &str, tool: &str) -> Option<String> {
    json::is_rows(value).then(|| gcx::json_to_gcx(tool, json).ok())?
}

/// The JSON of a text in one of the forms, GCX1 or GCF.
pub(crate) fn decoded(text: &str) -> Option<String> {
    if text.starts_with("GCX1") { gcx::gcx_to_json(text).ok() } else { gcf::gcf_to_json(text).ok() }
}

/// Returns `true` if a text decodes to this value, of which the minified JSON is given. The same JSON
/// to the byte is the same value; other spellings of numbers and other orders of members are compared.
fn says(text: &str, value: &Json<'_>, json: &str) -> bool {
    let is_value = |back: &str| json::parse(back).is_some_and(|back| back == *value);
    decoded(text).map_or_else(|| is_value(text), |back| back == json || is_value(&back))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Content;
    use crate::json::in_frame;
    use wire_core::WordPunctuation;

    fn chosen(text: &str, formats: &[Format]) -> Option<Written> {
        let raw = in_frame(quoted(text));
        let content = Content::of_texts(&[&raw]).unwrap();
        let came = Reading::new(&content.texts[0], false);
        let measure = Measure { counter: &WordPunctuation, escapes: false, shared: &[] };
        smallest(came.value().unwrap(), Some(&came), formats, "t", measure)
    }

    #[test]
    fn digits_beyond_a_double_stay_json() {
        for digits in ["12345678901234567890123", "0.12345678901234567890123"] {
            let text = format!("{{ \"rows\": [{{\"id\": {digits}}}, {{\"id\": {digits}}}] }}");
            let written = chosen(&text, &[Format::Gcf]);
            assert!(written.is_none(), "{written:?}");
        }
    }

    #[test]
    fn long_integers_can_be_rows() {
        let text =
            "[{\"id\": 12345678901234567890123, \"name\": \"x\"}, {\"id\": 1, \"name\": \"y\"}]";
        let written = chosen(text, Format::ALL).unwrap();
        assert_eq!(written.format, Format::Gcx);
        assert!(written.text().text.contains("12345678901234567890123"));
    }

    /// A server decides what a result is, and a call must not need gigabytes.
    #[test]
    fn rows_without_common_members_are_not_squared() {
        let rows: Vec<String> =
            (0..3_000).map(|number| format!("{{\"m{number}\":{number}}}")).collect();
        let json = format!("[{}]", rows.join(","));
        let value = json::parse(&json).unwrap();
        assert!(generic(&value, &json).is_none());
        assert!(super::rows(&value, &json, "t").unwrap().len() < 2 * json.len());
    }
}
