//! The sizes of documents in each form, and the times of writing and reading.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wire_core::TokenCounter as _;
use wire_tokens::measure::ratio;
use wire_tokens::{Counter, Counts};

use super::document::Document;
use super::form::{CHOICES, FORMS, JSON};

/// Strings of more bytes than this are long: no form saves any of their bytes.
const LONG: usize = 40;
/// How often writing and reading are timed; the fastest counts.
const RUNS: usize = 5;

/// A document in each form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Measured {
    pub(crate) kind: String,
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<String>,
    /// The part of minified JSON's bytes that are names of members which occurred at the same path
    /// before.
    pub(crate) repeated_names: f64,
    /// The part of them that are long strings.
    pub(crate) long_texts: f64,
    /// The forms that can represent it, by name.
    pub(crate) forms: BTreeMap<String, Sizes>,
}

/// How large a text is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sizes {
    pub(crate) bytes: usize,
    /// Tokens, by the name of the counter.
    pub(crate) tokens: BTreeMap<String, usize>,
    /// Whether reading the text gave the same value.
    pub(crate) comes_back: bool,
}

/// The times of writing and reading all documents, as multiples of those of minified JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Times {
    pub(crate) form: String,
    pub(crate) write: f64,
    pub(crate) read: Option<f64>,
}

impl Measured {
    pub(crate) fn of(document: &Document, counters: &[Counter], counts: &Counts) -> Self {
        let mut forms = BTreeMap::new();
        for form in &FORMS {
            let Some(text) = (form.write)(&document.value) else { continue };
            let tokens = counters
                .iter()
                .map(|&counter| (counter.name().to_owned(), counts.tokens(counter, &text).count))
                .collect();
            let comes_back = form.says(&text, &document.value);
            forms.insert(form.name.to_owned(), Sizes { bytes: text.len(), tokens, comes_back });
        }
        let all = forms.get(JSON).map_or(1, |sizes| sizes.bytes);
        let (mut names, mut texts) = (Names::default(), 0);
        account(&document.value, &mut names, &mut texts);
        Measured {
            kind: document.kind.clone(),
            name: document.name.clone(),
            source: document.source.clone(),
            repeated_names: rounded(ratio(names.repeated, all)),
            long_texts: rounded(ratio(texts, all)),
            forms,
        }
    }

    /// The tokens of a form, if it can represent the document and they were counted.
    pub(crate) fn tokens(&self, form: &str, counter: Counter) -> Option<usize> {
        self.forms.get(form)?.tokens.get(counter.name()).copied()
    }

    /// The choice of `wirefmt auto`: of the forms that decode to the same value, the one with the
    /// fewest tokens; on a tie the earlier one.
    pub(crate) fn cheapest(&self, counter: Counter) -> Option<(&'static str, usize)> {
        let comes_back = |form: &&str| self.forms.get(*form).is_some_and(|sizes| sizes.comes_back);
        let forms = CHOICES.into_iter().filter(comes_back);
        forms
            .filter_map(|form| Some((form, self.tokens(form, counter)?)))
            .min_by_key(|(_, tokens)| *tokens)
    }
}

/// So many digits that a record of it can be read.
fn rounded(part: f64) -> f64 {
    (part * 10_000.0).round() / 10_000.0
}

/// The names of members, once for each path.
#[derive(Default)]
struct Names<'v> {
    below: BTreeMap<&'v str, Names<'v>>,
    repeated: usize,
}

/// Adds the bytes of names that occurred at the same path before, and of long strings.
fn account<'v>(value: &'v Value, names: &mut Names<'v>, texts: &mut usize) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                let is_new = !names.below.contains_key(&**name);
                let below = names.below.entry(name).or_default();
                let before = below.repeated;
                account(value, below, texts);
                names.repeated += below.repeated - before;
                if !is_new {
                    // With quotes and a colon.
                    names.repeated += name.len() + 3;
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| account(value, names, texts)),
        Value::String(text) if text.len() > LONG => *texts += text.len(),
        _ => {}
    }
}

/// The times of all documents in each form, relative to minified JSON: ratios of this machine at
/// this moment.
pub(crate) fn times(documents: &[Document]) -> Vec<Times> {
    let seconds = |work: &dyn Fn()| {
        let time = |_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        };
        (0..RUNS).map(time).fold(f64::INFINITY, f64::min)
    };
    let mut times = Vec::new();
    let mut json = (1.0, 1.0);
    // The first of all works would pay for memory that the others find.
    for document in documents {
        drop((FORMS[0].write)(&document.value).map(|text| (FORMS[0].read)(&text)));
    }
    for form in &FORMS {
        // Each form is compared over the documents that it can represent.
        let held: Vec<(&Value, String)> =
            documents.iter().filter_map(|it| Some((&it.value, (form.write)(&it.value)?))).collect();
        let write = |with: fn(&Value) -> Option<String>| {
            seconds(&|| held.iter().for_each(|(value, _)| drop(black_box(with(black_box(value))))))
        };
        let read = |with: fn(&str) -> Option<Value>| {
            seconds(&|| held.iter().for_each(|(_, text)| drop(black_box(with(black_box(text))))))
        };
        let (written, was_read) = (write(form.write), read(form.read));
        if form.name == JSON {
            json = (written, was_read);
        }
        let base = if held.len() == documents.len() { json.0 } else { write(FORMS[0].write) };
        let is_read = held.first().is_some_and(|(_, text)| (form.read)(text).is_some());
        times.push(Times {
            form: form.name.to_owned(),
            write: rounded(written / base),
            read: is_read.then(|| rounded(was_read / json.1)),
        });
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_are_repeated_where_they_stood_at_the_same_place() {
        let value = json!([{ "id": 1, "at": { "id": 2 } }, { "id": 3, "at": { "id": 4, "x": 5 } }]);
        let (mut names, mut texts) = (Names::default(), 0);
        account(&value, &mut names, &mut texts);
        // "id": and "at": of the second row, and the "id": in it.
        assert_eq!((names.repeated, texts), (15, 0));
        account(&json!(["y".repeat(LONG), "y".repeat(LONG + 1)]), &mut names, &mut texts);
        assert_eq!(texts, LONG + 1);
    }
}
