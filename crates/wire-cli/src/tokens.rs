//! Counters as options, and what they say.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use rayon::prelude::*;
use wire_core::TokenCounter;
use wire_registry::{INPUT, Reason, Smallest};
use wire_tokens::Counter;

use crate::failure::plural;
use crate::measure::part_saved;

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

/// The answer to the question of which form to take: `124 → 97 tokens (−22 %) as gcx, by
/// o200k_base; minified JSON is the baseline`. `json` are the tokens of minified JSON.
pub(crate) fn verdict(chosen: &Smallest, json: Option<usize>) -> String {
    let Smallest { format, tokens, counter, .. } = chosen;
    let form = if *format == INPUT { "as it is".to_owned() } else { format!("as {format}") };
    let words = plural(*tokens, "token");
    match json {
        Some(json) if json != *tokens => {
            let change = -100.0 * part_saved(json, *tokens);
            let digits = usize::from(change.abs() < 1.0);
            let percent = format!("{change:+.digits$}").replace('-', "−");
            format!(
                "{json} → {words} ({percent} %) {form}, by {counter}; minified JSON is the baseline"
            )
        }
        Some(_) => {
            let like = if *format == INPUT { ", like minified JSON" } else { "" };
            let why = match chosen.reason {
                Reason::NearFewest(_) => chosen.reason.to_string(),
                _ => "no other form has fewer".to_owned(),
            };
            format!("{words} {form}{like}, by {counter}; {why}")
        }
        None => format!("{words} {form}, by {counter}"),
    }
}

/// Takes the names of the counters that count themselves.
pub(crate) fn counters() -> impl TypedValueParser<Value = Counter> {
    let value = |counter: Counter| {
        PossibleValue::new(counter.name()).alias(counter.alias()).help(counter.description())
    };
    PossibleValuesParser::new(Counter::OWN.iter().copied().map(value))
        .map(|name| Counter::from_name(&name).expect("because it is one of those"))
}
