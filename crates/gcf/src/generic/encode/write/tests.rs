use proptest::prelude::*;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::super::record::tape_of;
use super::*;

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
