//! Files of exact counts, and counters as options.

use std::path::Path;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use rayon::prelude::*;
use wire_core::TokenCounter;
use wire_tokens::{Counter, Counts, CountsError};

use crate::failure::Failure;
use crate::input::Input;

/// The tokens of several texts, counted in parallel, and each text once.
pub(crate) fn count_all(counter: Counter, texts: &[&str]) -> Vec<usize> {
    let first = |text: &str| texts.iter().position(|other| *other == text);
    let count = |(index, text): (usize, &&str)| {
        if first(text) == Some(index) { counter.count(text) } else { 0 }
    };
    let mut counts: Vec<usize> = texts.par_iter().enumerate().map(count).collect();
    for (index, text) in texts.iter().enumerate() {
        counts[index] = counts[first(text).unwrap_or(index)];
    }
    counts
}

/// The counts of a file, if there is one.
pub(crate) fn counts(path: Option<&Path>) -> Result<Counts, Failure> {
    let Some(path) = path else { return Ok(Counts::default()) };
    let input = Input::read(path)?;
    Counts::from_json(&input.bytes).map_err(|error| match error {
        CountsError::Json(error) => input.refused(wire_registry::json::error(&input.bytes, &error)),
        error => Failure::usage(format!("{}: {error}", input.name)),
    })
}

/// Takes the names of counters.
pub(crate) fn counters() -> impl TypedValueParser<Value = Counter> {
    let value = |counter: Counter| {
        PossibleValue::new(counter.as_str()).alias(counter.alias()).help(counter.description())
    };
    PossibleValuesParser::new(Counter::ALL.iter().copied().map(value))
        .map(|name| Counter::from_name(&name).expect("because it is one of those"))
}
