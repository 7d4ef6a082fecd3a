//! Counters as options, and what they say.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use wire_registry::{INPUT, Reason, Smallest};
use wire_tokens::Counter;

use crate::failure::plural;
use crate::measure::part_saved;
use crate::source::JSON;

/// A text without the line end of a file, which is no part of minified JSON.
pub(crate) fn without_line_end<'t>(format: &str, text: &'t str) -> &'t str {
    if format == JSON { text.trim_end() } else { text }
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
                _ => "no form that `auto` takes has fewer".to_owned(),
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
