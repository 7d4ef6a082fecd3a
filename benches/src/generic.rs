//! The generic profile of GCF beside another implementation, on random values.

use std::collections::BTreeMap;

use gcf::{Decoder, Encoder, Spec};
use serde_json::Value;

use crate::json::document;

/// Another implementation.
pub struct Peer {
    /// The specification that it writes.
    pub spec: Spec,
    /// Whether it has no integers, so that it can't tell 2^53 from 2^53 + 1, nor either from a
    /// double.
    pub one_kind_of_number: bool,
    pub encode: Answer<Value, String>,
    pub decode: Answer<str, Value>,
}

/// What an implementation makes of an argument, or what it says is wrong.
pub type Answer<A, B> = Box<dyn Fn(&A) -> Result<B, String>>;

/// Why the two may differ. Each is a thing that the other one can't read back itself, so that there
/// is nothing to agree with.
pub const EXPLAINED: &[(&str, &str)] = &[
    (
        "shared schema beside names with `>`",
        "the other one leaves the list of fields out of a later attached table although its rows have members whose names have a `>`, \
         which are no columns; it writes cells for them all the same, and refuses its own text for its width",
    ),
    (
        "names that begin with `[`",
        "both write the same, and the other one takes the bracket inside of the quotes for that of an array",
    ),
];

/// The number of documents that a test compares: `DOCUMENTS`, or few enough for a test.
pub fn documents() -> u64 {
    std::env::var("DOCUMENTS").ok().and_then(|count| count.parse().ok()).unwrap_or(20_000)
}

/// Compares so many documents.
///
/// # Panics
///
/// Where the two differ and nothing explains it.
pub fn compare(peer: &Peer, count: u64) {
    let mut explained: BTreeMap<&str, u64> = BTreeMap::new();
    let mut skipped = 0;
    for seed in 0..count {
        let value = document(seed);
        if peer.one_kind_of_number && has_large_number(&value) {
            skipped += 1;
            continue;
        }
        let expected = as_read(&value);
        let ours =
            Encoder::new().spec(peer.spec).to_string(&value).expect("because it is in the domain");
        let back: Value = Decoder::new()
            .from_str(&ours)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{ours}"));
        assert_eq!(back, expected, "seed {seed}\n{ours}");

        let theirs = (peer.encode)(&value).expect("because it is in the domain");
        let read = (peer.decode)(&theirs);
        let reads_itself = read.as_ref().is_ok_and(|read| as_read(read) == expected);
        if ours == theirs && reads_itself {
            continue;
        }
        match explanation(&value, &ours, &theirs, reads_itself) {
            Some(why) => *explained.entry(why).or_default() += 1,
            None => panic!(
                "seed {seed}: {value}\nours\n{ours}\ntheirs\n{theirs}\nwhich they read as {read:?}"
            ),
        }
        // What they write and read, we read.
        if reads_itself {
            let read: Value = Decoder::new()
                .from_str(&theirs)
                .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{theirs}"));
            assert_eq!(read, expected, "seed {seed}\n{theirs}");
        }
    }
    println!(
        "{} documents, {} of them with an explained difference",
        count - skipped,
        explained.values().sum::<u64>()
    );
    for (why, found) in explained {
        println!("{found:8}  {why}");
    }
}

fn explanation(
    value: &Value,
    ours: &str,
    theirs: &str,
    reads_itself: bool,
) -> Option<&'static str> {
    if reads_itself {
        return None;
    }
    if ours == theirs {
        return has_name(value, |name| name.starts_with('[')).then_some(EXPLAINED[1].0);
    }
    has_name(value, |name| name.contains('>')).then_some(EXPLAINED[0].0)
}

/// Whether a number has a whole value of 2^53 or more.
pub(crate) fn has_large_number(value: &Value) -> bool {
    match value {
        Value::Number(number) => number
            .as_f64()
            .is_some_and(|double| double.fract() == 0.0 && double.abs() >= 9_007_199_254_740_991.0),
        Value::Array(items) => items.iter().any(has_large_number),
        Value::Object(members) => members.values().any(has_large_number),
        _ => false,
    }
}

/// Whether an object has a member with such a name.
fn has_name(value: &Value, is_such: fn(&str) -> bool) -> bool {
    match value {
        Value::Object(members) => {
            members.iter().any(|(name, value)| is_such(name) || has_name(value, is_such))
        }
        Value::Array(items) => items.iter().any(|item| has_name(item, is_such)),
        _ => false,
    }
}

/// A value as it comes back: numbers in their canonical kind.
pub fn as_read(value: &Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            let double = number.as_f64().expect("because it is one");
            let is_plain = double.fract() == 0.0 && double.abs() < 9_007_199_254_740_992.0;
            if is_plain { (double as i64).into() } else { value.clone() }
        }
        Value::Array(items) => items.iter().map(as_read).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), as_read(value))).collect()
        }
        other => other.clone(),
    }
}
