//! The generic profile of GCF beside another implementation, on random values.

use std::collections::BTreeMap;

use gcf::generic::{Decoder, Encoder, Spec};
use serde_json::Value;

use crate::json::document;

/// Another implementation.
pub struct Peer {
    /// The specification that it writes.
    pub spec: Spec,
    pub encode: fn(&Value) -> Result<String, String>,
    pub decode: fn(&str) -> Result<Value, String>,
}

/// Why the two may differ. Each is a thing that the other one can't read back itself, so that there is nothing to agree with.
pub const EXPLAINED: &[(&str, &str)] = &[(
    "shared schema beside names with `>`",
    "the other one leaves the list of fields out of a later attached table although its rows have members whose names have a `>`, \
     which are no columns; it writes cells for them all the same, and refuses its own text for its width",
)];

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
    for seed in 0..count {
        let value = document(seed);
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
        "{count} documents, {} of them with an explained difference",
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
    (ours != theirs && !reads_itself && has_path_name(value)).then_some(EXPLAINED[0].0)
}

/// Whether an object has a member with a `>` in its name.
fn has_path_name(value: &Value) -> bool {
    match value {
        Value::Object(members) => {
            members.iter().any(|(name, value)| name.contains('>') || has_path_name(value))
        }
        Value::Array(items) => items.iter().any(has_path_name),
        _ => false,
    }
}

/// A value as it comes back: numbers in their canonical kind.
fn as_read(value: &Value) -> Value {
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
