//! `structuredContent` of a result.

use std::cell::OnceCell;

use crate::clients::Shows;
use crate::content::Content;
use crate::counted::Counted;
use crate::json::{self, Json};
use crate::reading::Reading;
use crate::verbatim::is_quoted;

/// `structuredContent`, as it is written and as a value. A value that can't be read proves nothing.
pub(crate) struct Structured<'a> {
    pub(crate) raw: &'a str,
    value: OnceCell<Option<Json<'a>>>,
    minified: OnceCell<Counted<'a>>,
    doubles: OnceCell<Option<Counted<'a>>>,
}

impl<'a> Structured<'a> {
    pub(crate) fn new(raw: &'a str) -> Self {
        Structured {
            raw,
            value: OnceCell::new(),
            minified: OnceCell::new(),
            doubles: OnceCell::new(),
        }
    }

    fn value(&self) -> Option<&Json<'a>> {
        self.value.get_or_init(|| json::parse(self.raw)).as_ref()
    }

    /// It as minified JSON, as clients show it.
    pub(crate) fn minified(&self) -> &Counted<'a> {
        self.minified.get_or_init(|| match self.value() {
            Some(value) => Counted::new(json::minified(value)),
            None => Counted::new(self.raw),
        })
    }

    /// The same by a client whose numbers are doubles, if it is another text.
    pub(crate) fn in_doubles(&self) -> Option<&Counted<'a>> {
        let doubles = || {
            let text = json::in_doubles(self.value()?);
            (text != self.minified().text).then(|| Counted::new(text))
        };
        self.doubles.get_or_init(doubles).as_ref()
    }

    /// Returns `true` if a text is the spelling of a client that shows one copy of equal ones.
    pub(crate) fn is_spelled(&self, text: &str, shows: &Shows) -> bool {
        // Most texts have another length.
        text.len() <= self.raw.len().saturating_mul(6)
            && self.in_spelling_of(shows).is_some_and(|own| own == text)
    }

    /// That spelling, if it has the same value.
    pub(crate) fn spelled(&self, shows: &Shows) -> Option<String> {
        let value = self.value()?;
        let text = self.in_spelling_of(shows)?;
        json::parse(&text).is_some_and(|same| same == *value).then_some(text)
    }

    fn in_spelling_of(&self, shows: &Shows) -> Option<String> {
        let value = self.value()?;
        // Copilot CLI and Qwen Code.
        if shows.is_glued() { json::as_serde(value) } else { Some(json::in_doubles(value)) }
    }

    /// Returns `true` if it is a text that has to be quoted, in a wrapper; not if it is
    /// `{"result": "<text>"}`, which is that text.
    pub(crate) fn is_quoted(&self) -> bool {
        self.value().is_some_and(|value| json::wrapped(value).is_none() && is_quoted(value))
    }

    /// The values that a text can represent instead: itself, or its only member `result`.
    fn sayable(&self) -> impl Iterator<Item = &Json<'a>> {
        let result = self.value().and_then(|value| json::only_member(value, "result"));
        [self.value(), result].into_iter().flatten()
    }

    /// The value that a text of it says: what a result wraps as `{"result": X}`, or all of it.
    pub(crate) fn told(&self) -> Option<&Json<'a>> {
        let is_large = |value: &&Json<'_>| matches!(value, Json::Array(_) | Json::Object(_));
        self.sayable().filter(is_large).last()
    }

    /// Returns `true` if this text says all of it.
    pub(crate) fn is_equal_to(&self, text: &Reading<'_>) -> bool {
        self.value().is_some_and(|value| text.says(value))
    }

    /// Returns `true` if this text says it, or its only member `result`.
    pub(crate) fn is_said_by(&self, text: &Reading<'_>) -> bool {
        self.sayable().any(|value| text.says(value))
    }

    /// The list whose items the blocks of a result are.
    pub(crate) fn list_of(
        &self,
        content: &Content<'_>,
        texts: &[Reading<'_>],
    ) -> Option<&Json<'a>> {
        self.sayable().filter(|_| content.is_bare).find(|value| {
            let Json::Array(items) = value else { return false };
            items.len() == texts.len()
                && items.iter().zip(texts).all(|(item, text)| text.says(item))
        })
    }
}
