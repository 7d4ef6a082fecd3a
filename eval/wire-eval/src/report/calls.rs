//! The figures of a log for the tables.

use std::collections::BTreeSet;

use super::stats::{mean_and_median, number};
use wire_core::TokenCounter;
use wire_tokens::Counter;

use crate::log::{Call, Log, Outcome};

/// The arms of a log in the order of its run.
pub(super) fn arms(log: &Log) -> Vec<&str> {
    let known: BTreeSet<&str> = log.calls.iter().map(|call| call.key.arm.as_str()).collect();
    log.run.arms.iter().map(String::as_str).filter(|arm| known.contains(arm)).collect()
}

/// Returns `true` if the provider counted the tokens of every prompt: means over some of them could
/// not be compared.
pub(super) fn is_reported(log: &Log) -> bool {
    let counted =
        |call: &Call| matches!(call.outcome, Outcome::Answered { input_tokens: Some(_), .. });
    log.calls.iter().all(counted)
}

/// The mean of the tokens of all prompts, also of those that were not answered.
pub(super) fn mean_tokens<'c>(log: &Log, calls: impl Iterator<Item = &'c Call>) -> Option<f64> {
    let is_reported = is_reported(log);
    let tokens = calls.map(|call| match call.outcome {
        Outcome::Answered { input_tokens: Some(tokens), .. } if is_reported => {
            usize::try_from(tokens).unwrap_or(usize::MAX)
        }
        _ => call.prompt_tokens,
    });
    mean_and_median(tokens.map(number).collect()).map(|(mean, _)| mean)
}

/// The price of a thousand answers at the prices of the run: by the provider's counts, or without
/// them by the counter of the run.
pub(super) fn price<'c>(log: &Log, calls: impl Iterator<Item = &'c Call>) -> Option<f64> {
    let input_price = log.run.price_input?;
    let output_price = log.run.price_output.unwrap_or(0.0);
    let counter = Counter::from_name(&log.run.counter)?;
    let is_reported = is_reported(log);
    let tokens = |count: u64| number(usize::try_from(count).unwrap_or(usize::MAX));
    let prices = calls.filter_map(|call| match &call.outcome {
        Outcome::Answered { answer, input_tokens, output_tokens, .. } => {
            let input =
                input_tokens.filter(|_| is_reported).map_or(number(call.prompt_tokens), tokens);
            let output = output_tokens.map_or_else(|| number(counter.count(answer)), tokens);
            Some((input * input_price + output * output_price) / 1e6)
        }
        Outcome::Failed { .. } => None,
    });
    mean_and_median(prices.collect()).map(|(mean, _)| mean * 1000.0)
}
