//! A seeded generator of JSON: tables, nested records, hostile names and texts, numbers at every boundary.

use serde_json::{Map, Number, Value};

use crate::rng::Rng;

/// Keys that share columns often, and awkward ones.
pub(crate) const FIELDS: &[&str] =
    &["id", "name", "total", "items", "meta", "tags", "a", "b", "key", "_key"];
pub(crate) const HOSTILE_FIELDS: &[&str] = &[
    "", "a b", "a>b", ">", "x>", "a,b", "a|b", "a\"b", "1", "a=b", "[1]", "@id", ".x", "größe",
    "a\nb", "-", "~", "{}",
];
const TEXTS: &[&str] =
    &["Alice", "Bob", "shipped", "x y", "us-east-1", "2024-01-02", "a/b", "Ünï", "日本"];
const HOSTILE_TEXTS: &[&str] = &[
    "",
    " ",
    " a",
    "a ",
    "-",
    "~",
    "^",
    "^{a}",
    "^{a",
    "^{a,b}|c",
    "true",
    "false",
    "null",
    "0",
    "-0",
    "01",
    "1.5",
    "1e5",
    "+1",
    ".5",
    "1.",
    "1e",
    "-.5",
    "+.5",
    "#x",
    "# x",
    "@0",
    ".x",
    "a|b",
    "a,b",
    "a\"b",
    "a\\b",
    "a\nb",
    "\t",
    "\r",
    "\u{0}",
    "\u{7f}",
    "\u{85}",
    "\u{a0}x",
    "x\u{2028}",
    "\u{feff}",
    "e\u{301}",
    "[1]: x",
    "a[2]:",
    "x[y] : z",
    "][:",
    "=",
    "=x",
    "a=b",
    "{}",
    "[2]",
    "## x",
    "##! summary",
    "a}b",
    "🎉",
    "1.٥",
    "٥",
    "+٥",
    "GCF profile=generic",
    "a: b",
];
const NUMBERS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    0.5,
    -2.5,
    1e-6,
    9.999_999e-7,
    1e-7,
    5e-324,
    1.797_693_134_862_315_7e308,
    9_007_199_254_740_991.0,
    9_007_199_254_740_992.0,
    9_007_199_254_740_994.0,
    1e15,
    1e16,
    1e20,
    1e21,
    1e22,
    123_456.789,
    9.223_372_036_854_776e18,
    0.1,
    1e100,
];
const INTEGERS: &[i64] = &[
    0,
    1,
    -1,
    42,
    i64::MAX,
    i64::MIN,
    9_007_199_254_740_991,
    9_007_199_254_740_992,
    -9_007_199_254_740_993,
    1_000_000,
];

fn key(rng: &mut Rng, hostile: bool) -> String {
    if hostile && rng.below(4) == 0 { rng.pick(HOSTILE_FIELDS) } else { rng.pick(FIELDS) }
        .to_owned()
}

pub(crate) fn scalar(rng: &mut Rng, hostile: bool) -> Value {
    match rng.below(10) {
        0 => Value::Null,
        1 => (rng.below(2) == 0).into(),
        2 | 3 => rng.below(5).into(),
        4 if hostile => rng.pick(INTEGERS).into(),
        5 if hostile => Number::from_f64(rng.pick(NUMBERS)).into(),
        5 => Number::from_f64(rng.below(1_000) as f64 / 100.0).into(),
        6 if hostile => rng.pick(HOSTILE_TEXTS).into(),
        7 if hostile => {
            let (first, second) = (rng.pick(HOSTILE_TEXTS), rng.pick(HOSTILE_TEXTS));
            format!("{first}{second}").into()
        }
        _ => rng.pick(TEXTS).into(),
    }
}

fn object(rng: &mut Rng, depth: usize, hostile: bool) -> Value {
    let mut members = Map::new();
    for _ in 0..rng.below(5) {
        members.insert(key(rng, hostile), value(rng, depth, hostile));
    }
    members.into()
}

/// Objects of one kind: the same keys with the same kinds of values, now and then without one, or with another.
fn records(rng: &mut Rng, depth: usize, hostile: bool) -> Vec<Value> {
    let fields: Vec<(String, usize)> =
        (0..1 + rng.below(4)).map(|_| (key(rng, hostile), rng.below(6))).collect();
    let inner: Vec<String> = (0..1 + rng.below(4)).map(|_| key(rng, hostile)).collect();
    let ragged = rng.below(3) == 0;
    let constant = rng.below(4) == 0;
    let common = scalar(rng, hostile);
    let record = |rng: &mut Rng| {
        let mut members = Map::new();
        for (name, kind) in &fields {
            if ragged && rng.below(5) == 0 {
                continue;
            }
            let of_inner = |rng: &mut Rng| -> Value {
                inner
                    .iter()
                    .map(|name| (name.clone(), scalar(rng, hostile)))
                    .collect::<Map<_, _>>()
                    .into()
            };
            let value = match kind {
                _ if ragged && rng.below(10) == 0 => value(rng, depth, hostile),
                0 if depth > 0 => of_inner(rng),
                1 if depth > 0 => {
                    (0..rng.below(3)).map(|_| of_inner(rng)).collect::<Vec<_>>().into()
                }
                2 if depth > 0 => value(rng, depth, hostile),
                3 if constant => common.clone(),
                _ => scalar(rng, hostile),
            };
            members.insert(name.clone(), value);
        }
        Value::from(members)
    };
    (0..rng.below(5)).map(|_| record(rng)).collect()
}

fn value(rng: &mut Rng, depth: usize, hostile: bool) -> Value {
    if depth == 0 {
        return scalar(rng, hostile);
    }
    match rng.below(8) {
        0 | 1 => object(rng, depth - 1, hostile),
        2 | 3 => records(rng, depth - 1, hostile).into(),
        4 => {
            let members = records(rng, depth - 1, hostile);
            members
                .into_iter()
                .map(|member| (key(rng, hostile), member))
                .collect::<Map<_, _>>()
                .into()
        }
        5 => (0..rng.below(4)).map(|_| scalar(rng, hostile)).collect::<Vec<_>>().into(),
        6 => (0..rng.below(4)).map(|_| value(rng, depth - 1, hostile)).collect::<Vec<_>>().into(),
        _ => scalar(rng, hostile),
    }
}

/// A document of this seed.
pub fn document(seed: u64) -> Value {
    let mut rng = Rng::new(seed);
    let hostile = !seed.is_multiple_of(3);
    let depth = 1 + rng.below(4);
    value(&mut rng, depth, hostile)
}
