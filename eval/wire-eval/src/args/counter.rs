//! Counters by their names.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use wire_tokens::Counter;

/// Takes the names of counters.
pub(crate) fn counter() -> impl TypedValueParser<Value = Counter> {
    let value = |counter: Counter| {
        PossibleValue::new(counter.name()).alias(counter.alias()).help(counter.description())
    };
    PossibleValuesParser::new(Counter::ALL.iter().copied().map(value))
        .map(|name| Counter::from_name(&name).expect("because it is one of those"))
}
