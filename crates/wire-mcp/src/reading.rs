//! Facts about a text. Each is computed at most once, and only when it is needed.

use std::cell::OnceCell;

use wire_core::TokenCounter;

use crate::content::Text;
use crate::counted::Counted;
use crate::data::is_data;
use crate::json::{self, Json};
use crate::parts::{self, Part};
use crate::raw::is_json;
use crate::repr;
use crate::verbatim::is_quoted;

/// A text with its value and its tokens.
#[derive(Debug)]
pub(crate) struct Reading<'t> {
    /// The text as it came.
    pub(crate) text: &'t str,
    /// As the frame has it, in quotes.
    raw: Option<&'t str>,
    is_plain: bool,
    value: OnceCell<Option<Json<'t>>>,
    /// `true` if a Python `repr` counts as its JSON (ruling M18).
    reads_repr: bool,
    repr: OnceCell<Option<Json<'t>>>,
    inside: OnceCell<Option<Vec<Part<'t>>>>,
    is_data: OnceCell<bool>,
    /// The text that it wraps as JSON.
    unwrapped: Option<Box<Reading<'t>>>,
    came: Counted<'t>,
    minified: OnceCell<Counted<'t>>,
    quoted: OnceCell<Counted<'t>>,
    quoted_minified: OnceCell<Counted<'t>>,
    spelled: OnceCell<Option<Counted<'t>>>,
}

impl<'t> Reading<'t> {
    /// The reading of a block's text, where the client sees an `outputSchema` or not.
    pub(crate) fn new(text: &'t Text<'_>, shows_schema: bool) -> Self {
        let unwrapped = text.unwrapped.as_deref();
        let unwrapped = unwrapped.map(|inner| Box::new(Self::of(inner, text.is_plain)));
        let reads_repr = !shows_schema && !text.is_resource;
        Reading {
            raw: Some(text.raw),
            unwrapped,
            reads_repr,
            ..Self::of(&text.value, text.is_plain)
        }
    }

    fn of(text: &'t str, is_plain: bool) -> Self {
        Reading {
            text,
            raw: None,
            is_plain,
            value: OnceCell::new(),
            reads_repr: false,
            repr: OnceCell::new(),
            inside: OnceCell::new(),
            is_data: OnceCell::new(),
            unwrapped: None,
            came: Counted::new(text),
            minified: OnceCell::new(),
            quoted: OnceCell::new(),
            quoted_minified: OnceCell::new(),
            spelled: OnceCell::new(),
        }
    }

    pub(crate) fn json(&self) -> Option<&Json<'t>> {
        self.value.get_or_init(|| json::parse(self.text)).as_ref()
    }

    /// Its value, if it is the `repr` of one in Python.
    pub(crate) fn repr(&self) -> Option<&Json<'t>> {
        let repr = || {
            let may_be = self.reads_repr && self.is_plain && self.json().is_none();
            if may_be { repr::parse(self.text) } else { None }
        };
        self.repr.get_or_init(repr).as_ref()
    }

    /// Its value, if it is an array or an object that may be rewritten.
    pub(crate) fn value(&self) -> Option<&Json<'t>> {
        let begins = self.text.trim_start_matches([' ', '\t', '\n', '\r']);
        if !self.is_plain || !begins.starts_with(['{', '[']) {
            return None;
        }
        self.json().or_else(|| self.repr()).filter(|value| !is_quoted(value))
    }

    /// Its parts, if it is no JSON and has JSON in it.
    fn parts(&self) -> Option<&[Part<'t>]> {
        let parts = || {
            let is_json = self.json().is_some() || self.repr().is_some() || is_json(self.text);
            let is_prose = self.is_plain && !is_json;
            is_prose.then(|| parts::parts(self.text)).flatten()
        };
        self.inside.get_or_init(parts).as_deref()
    }

    fn is_data(&self) -> bool {
        *self.is_data.get_or_init(|| self.parts().is_some_and(is_data))
    }

    /// Its parts, if it is data with JSON in it that may be rewritten.
    pub(crate) fn inside(&self) -> Option<&[Part<'t>]> {
        self.parts().filter(|_| self.is_data())
    }

    /// The JSON in it, or in the text that it wraps.
    pub(crate) fn values(&self) -> Vec<&Json<'t>> {
        if let Some(unwrapped) = self.unwrapped() {
            return unwrapped.values();
        }
        let inside = self.inside().into_iter().flatten();
        let inside = inside.filter_map(|part| match part {
            Part::Json { value, .. } => Some(value),
            _ => None,
        });
        self.json().or_else(|| self.repr()).into_iter().chain(inside).collect()
    }

    /// Returns `true` if it is JSON lines, and nothing else.
    pub(crate) fn is_lines(&self) -> bool {
        self.parts().is_some_and(|parts| {
            parts.iter().all(|part| match part {
                Part::Literal(text) => text.trim().is_empty(),
                Part::Json { .. } => true,
                Part::Form(_) => false,
            })
        })
    }

    /// Returns `true` if it has JSON in it that a model may have to copy.
    pub(crate) fn is_copied(&self) -> bool {
        let unwrapped = self.unwrapped().is_some_and(Reading::is_copied);
        unwrapped || self.parts().is_some() && !self.is_data()
    }

    /// Returns `true` if it is JSON, or has JSON in it, that may be rewritten.
    pub(crate) fn has_json(&self) -> bool {
        match self.unwrapped() {
            Some(unwrapped) => unwrapped.has_json(),
            None => self.value().is_some() || self.inside().is_some(),
        }
    }

    /// The text that it wraps as JSON.
    pub(crate) fn unwrapped(&self) -> Option<&Reading<'t>> {
        self.unwrapped.as_deref()
    }

    /// Returns `true` if it says the same as a value: it is the value's JSON, or the value is this
    /// text.
    pub(crate) fn says(&self, value: &Json<'_>) -> bool {
        match value {
            Json::String(text) if *text == self.text => true,
            value => self.json().or_else(|| self.repr()).is_some_and(|own| own == value),
        }
    }

    pub(crate) fn came(&self) -> &Counted<'t> {
        &self.came
    }

    /// It minified, as a string of JSON.
    pub(crate) fn quoted_minified(&self) -> &Counted<'t> {
        self.quoted_minified.get_or_init(|| Counted::quoted(&self.minified().text))
    }

    /// It as a string of JSON.
    pub(crate) fn quoted(&self) -> &Counted<'t> {
        self.quoted.get_or_init(|| {
            let raw = self.raw.filter(|raw| json::is_quoted_as_here(raw));
            raw.map_or_else(|| Counted::quoted(self.text), Counted::new)
        })
    }

    /// It as minified by a client whose numbers are integers of 64 bits or doubles, if it is JSON.
    pub(crate) fn spelled(&self) -> Option<&Counted<'t>> {
        let spelled = || {
            let value = self.json()?;
            if self.value().is_some() && json::has_short_integers(value) {
                return None;
            }
            let text = json::as_serde(value);
            text.filter(|text| *text != self.minified().text).map(Counted::new)
        };
        match self.spelled.get_or_init(spelled) {
            Some(spelled) => Some(spelled),
            None => self.json().map(|_| self.minified()),
        }
    }

    /// Its value as minified JSON, or the text with the JSON in it minified.
    pub(crate) fn minified(&self) -> &Counted<'t> {
        let minified = self.minified.get_or_init(|| match (self.value(), self.inside()) {
            (Some(value), _) => Counted::new(json::minified(value)),
            (None, Some(parts)) => Counted::new(parts::minified(parts)),
            (None, None) => Counted::new(self.text),
        });
        if minified.text == self.text { &self.came } else { minified }
    }

    /// Returns `true` if it uses at least this many tokens, both unchanged and minified.
    pub(crate) fn costs(&self, tokens: usize, counter: &dyn TokenCounter) -> bool {
        let costs = |text| crate::counted::cost([text], tokens, counter);
        costs(&self.came) && costs(self.minified())
    }
}
