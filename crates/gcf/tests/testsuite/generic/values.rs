//! Values of every form.

use proptest::prelude::*;
use serde_json::Value;

/// Texts that look like something else.
const AWKWARD: &[&str] = &[
    "",
    "-",
    "~",
    "^",
    "^{a}",
    "true",
    "0",
    "-0",
    "1.5",
    "01",
    "1e5",
    "#x",
    "# x",
    "@0",
    ".x",
    "a|b",
    "a,b",
    "a\"b",
    "a\\b",
    "a\nb",
    "\u{85}",
    "\u{a0}",
    "[1]: x",
    "=x",
    "{}",
    "## x",
    "##! summary",
    "a}b",
    " a",
    "a ",
    "1.٥",
];

/// Texts that look like something else, and ordinary ones.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-c]{1,2}",
        2 => proptest::sample::select(AWKWARD).prop_map(str::to_owned),
        1 => "\\PC{0,6}",
        1 => proptest::collection::vec(any::<char>(), 0..4).prop_map(|chars| chars.into_iter().collect()),
    ]
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[a-d]",
        1 => proptest::sample::select(&["", "a>b", ">", "x>", "a b", "key", "_key", "1", "@a", "a,b"][..]).prop_map(str::to_owned),
        1 => text(),
    ]
}

pub(crate) fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-3i64..4).prop_map(Value::from),
        proptest::num::f64::NORMAL.prop_map(|double| as_read(double.into())),
        text().prop_map(Value::from),
    ]
}

fn object(value: impl Strategy<Value = Value> + Clone + 'static) -> impl Strategy<Value = Value> {
    proptest::collection::vec((key(), value), 0..5)
        .prop_map(|members| Value::Object(members.into_iter().collect()))
}

/// Rows of one kind, now and then without a member, so that tables have all their forms.
pub(crate) fn records(
    value: impl Strategy<Value = Value> + Clone + 'static,
) -> impl Strategy<Value = Vec<Value>> {
    let fields = proptest::collection::btree_set(key(), 1..4);
    fields.prop_flat_map(move |fields| {
        let fields: Vec<String> = fields.into_iter().collect();
        let cell = prop_oneof![1 => Just(None), 6 => value.clone().prop_map(Some)];
        let row = proptest::collection::vec(cell, fields.len()).prop_map(move |cells| {
            let members = fields.iter().cloned().zip(cells);
            Value::Object(members.filter_map(|(field, cell)| Some((field, cell?))).collect())
        });
        proptest::collection::vec(row, 0..4)
    })
}

pub(crate) fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            object(inner.clone()),
            records(inner.clone()).prop_map(Value::from),
            records(inner.clone()).prop_map(|rows| {
                let members = rows.into_iter().enumerate().map(|(at, row)| (format!("k{at}"), row));
                Value::Object(members.collect())
            }),
            proptest::collection::vec(inner, 0..4).prop_map(Value::from),
        ]
        .boxed()
    })
}

/// A value as it comes back: doubles without a fraction below 2^53 are integers.
pub(crate) fn as_read(value: Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            let double = number.as_f64().expect("because it is one");
            #[expect(clippy::cast_possible_truncation, reason = "it is below 2^53")]
            if double.fract() == 0.0 && double.abs() < 2f64.powi(53) {
                (double as i64).into()
            } else {
                number.into()
            }
        }
        Value::Array(items) => items.into_iter().map(as_read).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(key, value)| (key, as_read(value))).collect()
        }
        other => other,
    }
}
