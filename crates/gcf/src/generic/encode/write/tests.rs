use proptest::prelude::*;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::super::record::tape_of;
use super::*;
use crate::generic::to_string;

/// An object whose members keep their order.
#[derive(Debug, Clone)]
struct Row(Vec<(&'static str, Value)>);

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// Rows that draw on a few values, so that many are alike.
fn rows() -> impl Strategy<Value = Vec<Row>> {
    let values = vec![
        json!(null),
        json!(1),
        json!("x|y"),
        json!({"p": 1, "q": null}),
        json!({"p": null, "q": null}),
        json!({"p": {"r": "s"}, "q": 2}),
        json!({}),
        json!([1]),
        json!([{"p": 1}]),
        json!([{"p": 1, "q": {"r": 2}}, {"p": null, "q": {"r": 3}}]),
    ];
    proptest::sample::subsequence(values, 1..4).prop_flat_map(|values| {
        let in_order = proptest::sample::subsequence(vec!["a", "key", ">"], 0..4);
        let keys = prop_oneof![3 => Just(vec!["a", "key"]), 2 => in_order.clone(), 1 => in_order.prop_shuffle()];
        let values = proptest::collection::vec(proptest::sample::select(values), 3);
        let row = (keys, values)
            .prop_map(|(keys, values)| Row(keys.into_iter().zip(values).collect()));
        proptest::collection::vec(row, 1..7)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Rows whose trees are forgotten are surveyed and written value by value. Either way the
    /// text decodes to them.
    #[test]
    fn rows_in_one_piece_are_those_of_their_cells(rows in rows(), is_map in any::<bool>()) {
        let text = |whole: bool, config: Encoder| {
            let tape = if is_map {
                tape_of(&rows.iter().enumerate().collect::<BTreeMap<_, _>>())
            } else {
                tape_of(&rows)
            };
            let mut tape = tape.expect("because it is JSON");
            if !whole {
                tape.forget_trees_of_rows();
            }
            let mut text = String::new();
            body(&tape, config, &mut text);
            text
        };
        for config in [
            Encoder::new(),
            Encoder::new().spec(Spec::V3_6),
            Encoder::new().flatten(false),
        ] {
            let whole = text(true, config);
            prop_assert_eq!(&whole, &text(false, config));
            let tape = tape_of(&rows).unwrap();
            let (mut text, mut left, mut pieces) = (String::new(), String::new(), String::new());
            body(&tape, config, &mut text);
            body_in_pieces(&tape, config, &mut left, 8, &mut |piece| {
                pieces.push_str(piece);
                piece.clear();
                ControlFlow::Continue(())
            });
            prop_assert_eq!(pieces + &left, text);
            let read: Value =
                crate::generic::from_str(&format!("GCF profile=generic\n{whole}")).unwrap();
            let value = if is_map {
                json!(rows.iter().enumerate().collect::<BTreeMap<_, _>>())
            } else {
                json!(rows)
            };
            prop_assert_eq!(read, value);
        }
    }
}

/// For those who look for the format with the fewest tokens.
#[test]
fn a_text_that_is_much_larger_than_the_json_is_not_made() {
    let made = |value: &Value| {
        let prepared = Encoder::new().prepare(value).unwrap();
        let text = prepared.to_string_unless_large(value.to_string().len());
        assert!(text.as_ref().is_none_or(|text| *text == to_string(value).unwrap()));
        text
    };
    let sparse = |count: usize| -> Value {
        (0..count).map(|number| json!({format!("m{number}"): number})).collect()
    };
    assert!(made(&sparse(150)).is_some(), "it is small");
    assert!(made(&sparse(600)).is_none());
    // The indentation of a deep value is most of its text, and by most counters no token.
    let mut deep: Value = (0..600).map(|number| (format!("b{number}"), json!({}))).collect();
    for _ in 0..115 {
        deep = json!({"a": deep});
    }
    let text = made(&deep).unwrap();
    assert!(text.len() > 16 * deep.to_string().len() && text.len() > 1 << 16);
}

/// A writer that fails, or limits the text, gets one piece and no more, and no more is made.
#[test]
fn a_text_is_made_only_as_far_as_it_is_wanted() {
    let many = |value: Value| Value::Array(vec![value; 20_000]);
    let object = |value: Value| -> Value {
        (0..20_000).map(|number| (format!("m{number}"), value.clone())).collect()
    };
    let sparse: Vec<Value> =
        (0..1_000).map(|number| json!({format!("m{number}"): number})).collect();
    for value in [
        many(json!(1)),
        many(json!({"a": 1})),
        many(json!([1])),
        many(json!({"a": [1], "b": {"c": [{}]}})),
        object(json!(1)),
        object(json!([])),
        object(json!({"a": 1})),
        object(json!({"a": [{"b": 1}]})),
        json!({"a": many(json!([{"b": [1]}]))}),
        json!(sparse),
    ] {
        let tape = tape_of(&value).expect("because it is JSON");
        let (mut out, mut calls) = (String::new(), 0);
        body_in_pieces(&tape, Encoder::new(), &mut out, 64, &mut |_| {
            calls += 1;
            ControlFlow::Break(())
        });
        assert_eq!(calls, 1, "{value}");
        // A table's header and a row of all columns are the longest lines.
        assert!(out.len() < 10_000, "{} bytes of {value}", out.len());
    }
}
