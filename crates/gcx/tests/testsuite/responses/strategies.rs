//! Any JSON, and canonical responses of every layout.

use std::collections::BTreeMap;

use gcx::layout::{Absence, Array, Cell, Join, Kind, Layout, Owner, Required, Section, Source};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Text with everything that is escaped, that begins other lines, and that looks like other values.
pub(crate) fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        proptest::sample::select(vec![
            "\\", "\t", "\n", "\r", " ", "=", ",", "#", "GCX1 ", "[", "]", "{}", "\"", "true",
            "null", "42", "-0", "1.0", "1e21", "\u{0}", "\u{1f}", "\u{7f}", "\u{2028}", "ö", "𝄞",
            "?", "*",
        ])
        .prop_map(str::to_owned),
        "[a-z]{0,4}",
        any::<String>(),
    ];
    vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

pub(crate) fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-9i64..10).prop_map(Value::from),
        (-9i32..10).prop_map(|number| Value::from(f64::from(number))),
        any::<f64>()
            .prop_filter("JSON has finite numbers", |number| number.is_finite())
            .prop_map(Value::from),
        Just(json!(-0.0)),
        text().prop_map(Value::from),
    ]
}

pub(crate) fn any_json() -> impl Strategy<Value = Value> {
    let tree = scalar().prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::from),
            btree_map(prop_oneof!["[a-c]", text()], inner, 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    });
    // Arrays of objects with few keys, whose columns have types.
    let cell = prop_oneof![3 => any::<i64>().prop_map(Value::from), 1 => Just(Value::Null)];
    let row = btree_map("[a-c]", prop_oneof![cell, scalar()], 0..4)
        .prop_map(|members| Value::Object(members.into_iter().collect()));
    prop_oneof![tree, vec(row, 0..5).prop_map(Value::from)]
}

fn optional<S: Strategy<Value = Value>>(value: S) -> impl Strategy<Value = Option<Value>> {
    proptest::option::of(value)
}

/// A text that a layout keeps: not empty, without carriage returns.
fn kept() -> impl Strategy<Value = String> {
    text().prop_map(|text| format!("{}.", text.replace('\r', "")))
}

/// The values of a member of this kind, as decoding returns them; `None` if the member is absent.
fn member(kind: Kind, required: bool) -> BoxedStrategy<Option<Value>> {
    let number = prop_oneof![
        any::<i64>().prop_map(Value::from),
        (0.0..1.0)
            .prop_filter("not an integer", |number: &f64| *number > 0.0)
            .prop_map(Value::from),
    ];
    let value = match kind {
        Kind::Text => kept().prop_map(Value::from).boxed(),
        Kind::Integer => any::<i64>().prop_map(Value::from).boxed(),
        Kind::Number => number.boxed(),
        Kind::Truth => any::<bool>().prop_map(Value::from).boxed(),
        Kind::Scalar => prop_oneof![any::<bool>().prop_map(Value::from), number].boxed(),
        Kind::List => {
            let element = text().prop_map(|text| text.replace('\r', ""));
            return vec(element, 0..4).prop_map(|texts| Some(texts.into())).boxed();
        }
        other => panic!("the kind {other:?} is new"),
    };
    if required { value.prop_map(Some).boxed() } else { optional(value).boxed() }
}

/// The object of a row with the canonical names.
fn row(section: &'static Section) -> BoxedStrategy<Value> {
    let cells: Vec<&Cell> = section.cells.iter().filter(|cell| cell.owner == Owner::Row).collect();
    let members: Vec<_> =
        cells.iter().map(|cell| member(cell.kind, cell.required != Required::Never)).collect();
    members
        .prop_map(move |values| {
            let named = cells.iter().zip(values);
            Value::Object(
                named
                    .filter_map(|(cell, value)| Some((cell.members[0].to_owned(), value?)))
                    .collect(),
            )
        })
        .boxed()
}

/// The canonical responses of a layout.
fn response(layout: &'static Layout) -> BoxedStrategy<Value> {
    let parts: Vec<_> = layout
        .sections
        .iter()
        .map(|section| {
            let part = match section.source {
                Source::Whole | Source::One(_) => row(section),
                Source::Word(_) => kept().prop_map(Value::from).boxed(),
                Source::Many(_) => vec(row(section), 0..4).prop_map(Value::from).boxed(),
                Source::Texts(_) => vec(text().prop_map(|text| text.replace('\r', "")), 0..4)
                    .prop_map(Value::from)
                    .boxed(),
                // Of the plain form, what it keeps.
                Source::Any(_) => vec(btree_map("[a-c]", kept_plain(), 1..3), 1..3)
                    .prop_map(|rows| {
                        let keys: Vec<String> =
                            rows.iter().flat_map(BTreeMap::keys).cloned().collect();
                        let fill = |row: &BTreeMap<String, Value>| -> Value {
                            let value = |key: &String| row.get(key).cloned().unwrap_or("".into());
                            keys.iter()
                                .map(|key| (key.clone(), value(key)))
                                .collect::<Map<_, _>>()
                                .into()
                        };
                        rows.iter().map(fill).collect()
                    })
                    .boxed(),
                other => panic!("the source {other:?} is new"),
            };
            let meta: Vec<_> = section.meta.iter().map(|meta| member(meta.kind, false)).collect();
            let there = match section.absence {
                Absence::NoSection => any::<bool>().boxed(),
                _ => Just(true).boxed(),
            };
            (part, meta, there)
        })
        .collect();
    parts
        .prop_map(|parts| assemble(layout, parts))
        .prop_filter("an outline has a part", |value| *value != json!({}))
        .boxed()
}

/// A value of a cell that the plain form keeps.
pub(crate) fn kept_plain() -> impl Strategy<Value = Value> {
    prop_oneof![
        "[a-z]{0,3}x".prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from)
    ]
}

fn assemble(layout: &Layout, parts: Vec<(Value, Vec<Option<Value>>, bool)>) -> Value {
    let mut object = Map::new();
    let mut plain = layout.array == Array::Canonical;
    for (index, (section, (part, meta, there))) in layout.sections.iter().zip(parts).enumerate() {
        let Some(member) = section.source.members().first().filter(|_| there) else {
            if there {
                return part;
            }
            continue;
        };
        plain &= index == 0;
        object.insert((*member).to_owned(), part);
        for (meta, value) in section.meta.iter().zip(meta) {
            plain &= value.is_none();
            object.extend(value.map(|value| (meta.key.to_owned(), value)));
        }
    }
    if let Some(Join { list, id, by, .. }) = layout.join {
        // Of every other end an object, with members that tell them apart.
        let mut nodes: Vec<Value> = Vec::new();
        for edge in object["edges"].as_array().into_iter().flatten() {
            let known = nodes.iter().any(|node| node[id] == edge[by]);
            if !known && edge[by].as_str().is_some_and(|text| text.len() % 2 == 0) {
                nodes.push(json!({id: edge[by], "name": "n", "start_line": nodes.len()}));
            }
        }
        object.insert(list.to_owned(), nodes.into());
    }
    if plain {
        return object.into_iter().next().expect("because there is a section").1;
    }
    object.into()
}

/// A tool with a layout, and a canonical response of it.
pub(crate) fn any_response() -> impl Strategy<Value = (&'static str, Value)> {
    (0..Layout::ALL.len())
        .prop_map(|index| &Layout::ALL[index])
        .prop_flat_map(|layout| (proptest::sample::select(layout.tools), response(layout)))
}

/// JSON text with integers of any length.
pub(crate) fn exact_text() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        2 => "-?[1-9][0-9]{17,40}",
        1 => Just("100000000000000000000".to_owned()),
        1 => Just("1e20".to_owned()),
        1 => scalar().prop_map(|value| value.to_string()),
        1 => "[0-9]{20,30}".prop_map(|digits| format!("{digits:?}")),
    ];
    scalar.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(","))),
            btree_map("[a-c]", inner, 0..4).prop_map(|members| {
                let members: Vec<String> =
                    members.iter().map(|(key, value)| format!("{key:?}:{value}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}
