//! Counters as options.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use rayon::prelude::*;
use wire_core::TokenCounter;
use wire_tokens::Counter;

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

/// Takes the names of the counters that count themselves.
pub(crate) fn counters() -> impl TypedValueParser<Value = Counter> {
    let value = |counter: Counter| {
        PossibleValue::new(counter.as_str()).alias(counter.alias()).help(counter.description())
    };
    PossibleValuesParser::new(Counter::OWN.iter().copied().map(value))
        .map(|name| Counter::from_name(&name).expect("because it is one of those"))
}
