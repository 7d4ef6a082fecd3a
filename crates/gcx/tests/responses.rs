//! What holds for every response: any JSON in the typed form, and what every layout says.

use std::collections::BTreeMap;

use gcx::json::Exact;
use gcx::layout::{Absence, Array, Cell, Join, Kind, Layout, Owner, Required, Section, Source};
use gcx::{Decoder, Encoder, Gcx};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use wire_conformance::strategy::{Numbers, Shape, Text, Vocabulary, payload};
use wire_core::Codec;

/// Text with everything that is escaped, that begins other lines, and that looks like other values.
fn text() -> impl Strategy<Value = String> {
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

fn scalar() -> impl Strategy<Value = Value> {
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

fn any_json() -> impl Strategy<Value = Value> {
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

/// Debug text, in which both zeros differ, whatever the order of members.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("{:?}", items.iter().map(shown).collect::<Vec<_>>()),
        Value::Object(members) => {
            let sorted: BTreeMap<_, _> =
                members.iter().map(|(key, value)| (key, shown(value))).collect();
            format!("{sorted:?}")
        }
        scalar => format!("{scalar:?}"),
    }
}

fn optional<S: Strategy<Value = Value>>(value: S) -> impl Strategy<Value = Option<Value>> {
    proptest::option::of(value)
}

/// A text that a layout keeps: not empty, without carriage returns.
fn kept() -> impl Strategy<Value = String> {
    text().prop_map(|text| format!("{}.", text.replace('\r', "")))
}

/// What a member of this kind may hold, as decoding gives it; none if it is not there.
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
fn kept_plain() -> impl Strategy<Value = Value> {
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
fn any_response() -> impl Strategy<Value = (&'static str, Value)> {
    (0..Layout::ALL.len())
        .prop_map(|index| &Layout::ALL[index])
        .prop_flat_map(|layout| (proptest::sample::select(layout.tools), response(layout)))
}

/// Gives every member of the rows another of its names.
fn renamed(layout: &Layout, value: &mut Value) {
    for section in layout.sections {
        let rename = |object: &mut Value| {
            for cell in section
                .cells
                .iter()
                .filter(|cell| cell.owner == Owner::Row && cell.members.len() > 1)
            {
                let Value::Object(object) = object else { return };
                let value = object.remove(cell.members[0]);
                object.extend(value.map(|value| (cell.members[1].to_owned(), value)));
            }
        };
        match (section.source, &mut *value) {
            (Source::Whole, object) => rename(object),
            (_, Value::Array(rows)) => rows.iter_mut().for_each(rename),
            (Source::One(member), object) => rename(&mut object[member]),
            (Source::Many(names), Value::Object(object)) => {
                let Some(mut rows) = object.remove(names[0]) else { continue };
                rows.as_array_mut().into_iter().flatten().for_each(rename);
                object.insert((*names.last().expect("because a list has a name")).to_owned(), rows);
            }
            _ => {}
        }
    }
}

/// JSON text with integers of any length.
fn exact_text() -> impl Strategy<Value = String> {
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

proptest! {
    #[test]
    fn digits_of_any_length_come_back(text in exact_text()) {
        let value: Exact = text.parse().unwrap();
        // The literals, as they stand in the text.
        let literals = |text: &str| -> Vec<String> {
            wire_core::value::integers(text).map(|(_, digits)| digits.to_owned()).collect()
        };
        prop_assert_eq!(literals(&value.to_string()), literals(&text));
        let typed = gcx::encode_typed("t", &value).unwrap();
        prop_assert_eq!(&gcx::decode_exact(&typed).unwrap(), &value, "{}", typed);
        let raw: &serde_json::value::RawValue = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&gcx::encode_typed("t", raw).unwrap(), &typed);
        // As a value it is the same, or an error.
        match gcx::decode_response(&typed) {
            Ok(read) => prop_assert_eq!(shown(&value.clone().into_value().unwrap()), shown(&read)),
            Err(error) => {
                prop_assert_eq!(error.code(), "out_of_range");
                prop_assert!(error.position().is_some());
                prop_assert!(value.clone().into_value().is_err());
            }
        }
        let once = gcx::decode_exact(&gcx::encode_response("t", &value).unwrap()).unwrap();
        let again = gcx::decode_exact(&gcx::encode_response("t", &once).unwrap()).unwrap();
        prop_assert!(again == once || value.to_string().starts_with('"'), "{again} {once}");
    }

    #[test]
    fn what_stands_behind_a_layout_comes_back(
        (tool, response) in any_response(),
        members in btree_map("[a-z]{1,3}|[ -~]{1,4}|typed|rows|extras|fields|lang", any_json(), 1..4),
        further in btree_map("[a-z]{1,3}|lang|rank", prop_oneof![kept_plain(), scalar()], 0..3),
        only in any::<bool>(),
    ) {
        let layout = Layout::of(tool).unwrap();
        let mut value = response.clone();
        // What a layout knows comes back in its canonical form.
        let names = |section: &'static Section| {
            let members = section.cells.iter().flat_map(|cell| cell.members);
            let meta = section.meta.iter().map(|meta| &meta.key);
            members.chain(meta).chain(section.source.members()).copied()
        };
        let known: Vec<&str> = layout
            .sections
            .iter()
            .flat_map(names)
            .chain(layout.join.map(|join| join.list))
            .chain(["section"])
            .collect();
        let extend = |object: &mut Value, with: &BTreeMap<String, Value>| {
            if let Value::Object(object) = object {
                for (key, value) in with.iter().filter(|(key, _)| !known.contains(&key.as_str())) {
                    object.insert(key.clone(), value.clone());
                }
            }
        };
        let first = layout.sections[0].source.members().first();
        match (&mut value, first) {
            (Value::Array(rows), _) => rows.iter_mut().for_each(|row| extend(row, &further)),
            // A section by the fallback has the canonical form of that.
            _ if matches!(layout.sections[0].source, Source::Any(_)) => {}
            (value, Some(list)) => {
                let rows = value.get_mut(*list).and_then(Value::as_array_mut);
                rows.into_iter().flatten().for_each(|row| extend(row, &further));
            }
            _ => {}
        }
        extend(&mut value, &members);
        let encoder = Encoder::new().extra_columns();
        let encoded = encoder.encode_response(tool, &value).unwrap();
        prop_assert!(encoded.left_out.is_empty());
        prop_assert_eq!(shown(&gcx::decode_response(&encoded.text).unwrap()), shown(&value), "{}", encoded.text);
        let exact = gcx::decode_exact(&encoded.text).unwrap().into_value().unwrap();
        prop_assert_eq!(shown(&exact), shown(&value), "{}", encoded.text);
        let may_miss = layout.sections.iter().any(|section| section.absence == Absence::NoSection);
        if !may_miss && encoded.text.len() < 500 {
            cuts_are_errors(&encoded.text)?;
        }
        if only {
            let followed = encoder.layout_only().encode_response(tool, &value).unwrap();
            prop_assert_eq!(followed.left_out.is_empty(), followed.text == encoded.text);
            gcx::decode_response(&followed.text).unwrap();
        }
    }

    #[test]
    fn any_json_comes_back_in_the_typed_form(value in any_json(), commas in any::<bool>()) {
        let encoder = if commas { Encoder::new().escape_commas() } else { Encoder::new() };
        for tool in ["t", "search_symbols", "get_callers.nodes"] {
            let text = encoder.encode_typed(tool, &value).unwrap();
            prop_assert_eq!(shown(&gcx::decode_response(&text).unwrap()), shown(&value), "{}", text);
        }
    }

    #[test]
    fn what_the_fallback_gives_it_gives_again(value in any_json()) {
        prop_assume!(!value.is_string());
        let once = gcx::decode_response(&gcx::encode_response("t", &value).unwrap()).unwrap();
        let text = gcx::encode_response("t", &once).unwrap();
        prop_assert_eq!(shown(&gcx::decode_response(&text).unwrap()), shown(&once), "{}", text);
    }

    #[test]
    fn canonical_responses_come_back((tool, value) in any_response()) {
        let encoded = Encoder::new().encode_response(tool, &value).unwrap();
        prop_assert_eq!(&encoded.left_out, &Vec::<String>::new());
        prop_assert_eq!(shown(&gcx::decode_response(&encoded.text).unwrap()), shown(&value), "{}", encoded.text);
        // By other names it is the same text, and what has no place is told.
        let mut other = value.clone();
        renamed(Layout::of(tool).unwrap(), &mut other);
        prop_assert_eq!(&gcx::encode_response(tool, &other).unwrap(), &encoded.text);
        if let Value::Object(object) = &mut other {
            object.insert("a member that nobody knows".to_owned(), json!(1));
            let more = Encoder::new().layout_only().encode_response(tool, &other).unwrap();
            prop_assert_eq!(more.text, encoded.text);
            prop_assert_eq!(more.left_out, ["a member that nobody knows"]);
            // By default it is kept, with all others.
            let whole = gcx::encode_response(tool, &other).unwrap();
            prop_assert_eq!(shown(&gcx::decode_response(&whole).unwrap()), shown(&other), "{}", whole);
        }
    }

    #[test]
    fn a_layout_fails_no_tool_and_leaves_nothing_out(
        tool in proptest::sample::select(Layout::ALL.iter().flat_map(|layout| layout.tools.iter().copied()).chain(["get_callers.nodes", "contracts.list", "analyze.cycles"]).collect::<Vec<_>>()),
        value in any_json(),
        (other_tool, response) in any_response(),
        member in "[a-z_]{1,12}",
    ) {
        // Any JSON, the response of another tool, and one with a member changed.
        let mut changed = response.clone();
        if let Value::Object(object) = &mut changed {
            object.insert(member, value.clone());
        }
        for (tool, value) in [(tool, &value), (tool, &response), (other_tool, &changed)] {
            let encoded = Encoder::new().encode_response(tool, value).unwrap();
            prop_assert!(encoded.left_out.is_empty());
            let back = gcx::decode_response(&encoded.text).unwrap();
            if shown(&back) != shown(value) {
                // The canonical form: the layout took all of it, and gives the same text again.
                let by_layout = Encoder::new().layout_only().encode_response(tool, value).unwrap();
                prop_assert_eq!((&by_layout.text, by_layout.left_out.len()), (&encoded.text, 0));
                prop_assert_eq!(&gcx::encode_response(tool, &back).unwrap(), &encoded.text);
            }
        }
    }

    #[test]
    fn what_serde_serializes_is_a_response_as_its_value_is(value in any_json()) {
        #[derive(serde::Serialize)]
        struct Response<'v> { id: u8, more: Option<&'v Value> }
        let json = json!({"id": 7, "more": value});
        let response = Response { id: 7, more: Some(&value) };
        prop_assert_eq!(gcx::encode_response("t", &response).unwrap(), gcx::encode_response("t", &json).unwrap());
        prop_assert_eq!(gcx::encode_typed("t", &response).unwrap(), gcx::encode_typed("t", &json).unwrap());
    }

    #[test]
    fn no_cut_of_a_response_goes_unnoticed((tool, value) in any_response(), typed in any::<bool>()) {
        // Sections that may be missing are no loss that anybody could see.
        let layout = Layout::of(tool).unwrap();
        let may_miss = layout.sections.iter().any(|section| section.absence == Absence::NoSection);
        prop_assume!(typed || !may_miss);
        let text = if typed { gcx::encode_typed(tool, &value) } else { gcx::encode_response(tool, &value) }.unwrap();
        cuts_are_errors(&text)?;
    }

    #[test]
    fn no_cut_of_the_fallback_goes_unnoticed(value in any_json(), typed in any::<bool>()) {
        let text = if typed { gcx::encode_typed("t", &value) } else { gcx::encode_response("t", &value) }.unwrap();
        cuts_are_errors(&text)?;
    }

    #[test]
    fn anything_is_a_response_or_an_error(tool in proptest::sample::select(vec![
        "t fields=value", "t fields=a,b typed=objects:string?,json", "search_symbols fields=id,kind,name,line", "error fields=code,message,detail",
        "find_usages fields=from,to,edge_kind,from_line", "contracts.list fields=id,providers", "tool_request fields=tool,scope,repo",
    ]), body in any::<String>(), lines in vec(vec(text(), 0..5), 0..4)) {
        for body in [body, lines.iter().map(|cells| cells.join("\t") + "\n").collect()] {
            let text = format!("GCX1 tool={tool}\n{body}\n");
            if let Err(error) = gcx::decode_response(&text) {
                let position = error.position().expect("because it is about a place");
                prop_assert!(position.offset <= text.len() as u64);
            }
        }
    }

    #[test]
    fn payloads_come_back(payload in payload(Shape {
        text: Text::Any,
        numbers: Numbers::Finite,
        max_distance: u32::MAX,
        vocabulary: Vocabulary::Open,
    }), cut in any::<prop::sample::Index>()) {
        let codec = Gcx::default();
        let strict = Gcx::new(Decoder::new().require_final_newline());
        let mut out = b"before".to_vec();
        match codec.encode(&payload, &mut out) {
            Ok(()) => {
                let mut expected = payload.clone();
                codec.info().fidelity().project(&mut expected);
                prop_assert_eq!(codec.decode(&out[6..]).unwrap(), expected);
                let cut = cut.index(out.len() - 6);
                prop_assert!(strict.decode(&out[6..6 + cut]).is_err(), "cut at {}", cut);
            }
            Err(error) => {
                prop_assert_eq!(error.code(), "invalid_name");
                prop_assert_eq!(out, b"before");
            }
        }
    }
}

/// That each beginning of a text is an error.
fn cuts_are_errors(text: &str) -> Result<(), TestCaseError> {
    let strict = Decoder::new().require_final_newline();
    for cut in (0..text.len()).filter(|&cut| text.is_char_boundary(cut)) {
        let cut_off = &text[..cut];
        prop_assert!(strict.decode_response(cut_off).is_err(), "cut at {} of {:?}", cut, text);
    }
    Ok(())
}

/// Each of serde's kinds as a response is what `serde_json` makes of it, but for numbers that it would change.
#[test]
fn what_serde_has_is_a_response() {
    #[derive(serde::Serialize)]
    enum Kind {
        Unit,
        Newtype(u8),
        Tuple(u8, char),
        Struct { a: f32 },
    }
    #[derive(serde::Serialize)]
    struct All<'a> {
        kinds: Vec<Kind>,
        map: std::collections::BTreeMap<i8, u8>,
        tuple: (Option<bool>, Option<bool>, &'a [u8]),
        raw: &'a serde_json::value::RawValue,
    }
    let all = All {
        kinds: vec![Kind::Unit, Kind::Newtype(1), Kind::Tuple(2, 'x'), Kind::Struct { a: 0.5 }],
        map: [(-1, 3)].into(),
        tuple: (None, Some(true), b"ab"),
        raw: serde_json::from_str(r#"{"b": [1.0, -0.0], "a": "x"}"#).unwrap(),
    };
    let value = serde_json::to_value(&all).unwrap();
    let typed = gcx::encode_typed("t", &all).unwrap();
    assert_eq!(gcx::decode_response(&typed).unwrap(), value);
    assert_eq!(typed, gcx::encode_typed("t", &value).unwrap());
    assert_eq!(gcx::encode_typed("t", &f64::NAN).unwrap_err().code(), "non_finite_number");
    // Digits are kept, in rows as in responses.
    let raw = |text| serde_json::from_str::<&serde_json::value::RawValue>(text).unwrap();
    assert_eq!(
        gcx::to_string("t", [raw("[1, 18446744073709551616]"), raw("18446744073709551616")])
            .unwrap(),
        "GCX1 tool=t fields=value rows=2\n[1,18446744073709551616]\n18446744073709551616\n"
    );
}

/// The cell would be empty, and that of `None`.
#[test]
fn an_option_of_a_variant_without_a_name_is_an_error() {
    #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug)]
    enum Kind {
        #[serde(rename = "")]
        Unnamed,
        Named,
    }
    #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug)]
    struct Row<K> {
        kind: K,
    }
    let options = [Row { kind: Some(Kind::Named) }, Row { kind: None }];
    let text = gcx::to_string("t", &options).unwrap();
    assert_eq!(gcx::from_str::<Vec<Row<Option<Kind>>>>(&text).unwrap(), options);
    for rows in [
        vec![Row { kind: Some(Kind::Unnamed) }],
        vec![Row { kind: None }, Row { kind: Some(Kind::Unnamed) }],
    ] {
        assert_eq!(gcx::to_string("t", &rows).unwrap_err().code(), "invalid_value");
    }
    let nested = [Row { kind: Some(Some(Kind::Unnamed)) }];
    assert_eq!(gcx::to_string("t", &nested).unwrap_err().code(), "invalid_value");
    // Without an option it is what it is, and so it is in JSON.
    let rows = [Row { kind: Kind::Unnamed }, Row { kind: Kind::Named }];
    let text = gcx::to_string("t", &rows).unwrap();
    assert_eq!(gcx::from_str::<Vec<Row<Kind>>>(&text).unwrap(), rows);
    let rows = [Row { kind: vec![Some(Kind::Unnamed), None] }];
    let text = gcx::to_string("t", &rows).unwrap();
    assert_eq!(gcx::from_str::<Vec<Row<Vec<Option<Kind>>>>>(&text).unwrap(), rows);
    assert_eq!(gcx::to_string("t", [Some(Kind::Unnamed)]).unwrap_err().code(), "invalid_value");
}

/// A cell of JSON without a type has no other numbers than its text.
#[test]
fn cells_of_json_hold_their_integers() {
    #[derive(serde::Deserialize)]
    struct Inner {
        a: u8,
    }
    type Rows<T> = Vec<BTreeMap<String, T>>;
    let text = "GCX1 tool=t fields=a\n[1,18446744073709551616]\n";
    let wide: Rows<Vec<u128>> = gcx::from_str(text).unwrap();
    assert_eq!(wide[0]["a"], [1, u128::from(u64::MAX) + 1]);
    let doubles: Rows<Vec<f64>> = gcx::from_str(text).unwrap();
    assert_eq!(doubles[0]["a"][1].to_bits(), 18_446_744_073_709_551_616_f64.to_bits());
    for error in [
        gcx::from_str::<Rows<Vec<Value>>>(text).unwrap_err(),
        gcx::from_str::<Rows<Vec<u64>>>(text).unwrap_err(),
    ] {
        assert_eq!(
            (error.code(), error.position().map(|place| place.line)),
            ("out_of_range", Some(2))
        );
    }
    // What nobody asks for is passed over.
    let text = "GCX1 tool=t fields=a\n{\"a\":1,\"b\":18446744073709551617}\n";
    let read: Rows<Inner> = gcx::from_str(text).unwrap();
    assert_eq!(read[0]["a"].a, 1);
    // What a double is written as is that double (ruling X6).
    let text = "GCX1 tool=t fields=a\n{\"k\":[100000000000000000000]}\n";
    let read: Rows<BTreeMap<String, Value>> = gcx::from_str(text).unwrap();
    assert_eq!(read[0]["a"]["k"], json!([1e20]));
    let keyed: Rows<BTreeMap<u8, Option<u128>>> =
        gcx::from_str("GCX1 tool=t fields=a\n{\"7\":18446744073709551616,\"8\":null}\n").unwrap();
    assert_eq!(keyed[0]["a"][&7], Some(u128::from(u64::MAX) + 1));
}

/// Ids that a cell can't tell apart, since it has no carriage return.
#[test]
fn nodes_whose_ids_come_out_the_same_are_written_whole() {
    let response = json!({
        "edges": [{"from": "a\r", "to": "t", "kind": "calls"}, {"from": "a", "to": "t", "kind": "calls"}],
        "nodes": [{"id": "a\r", "name": "x"}, {"id": "a", "name": "y"}],
    });
    let text = gcx::encode_response("find_usages", &response).unwrap();
    assert_eq!(gcx::decode_response(&text).unwrap(), response);
}

/// As a tool's name is written without its carriage returns, so it is looked up.
#[test]
fn a_tool_is_looked_up_as_it_is_written() {
    for tool in ["search_symbols\r", "get_callers\r.x", "\rtool_names"] {
        let value = json!([1]);
        let text = gcx::encode_response(tool, &value).unwrap();
        assert_eq!(gcx::decode_response(&text).unwrap(), value, "{text}");
    }
}

/// Digits without an end are a number, too, and one that is out of the range of doubles is none.
#[test]
fn integers_longer_than_any_double_are_kept() {
    let long = format!("{{\"a\": [-{0}, 1],  \"b\": {0}}}", "7".repeat(400));
    let value: Exact = long.parse().unwrap();
    assert_eq!(value.to_string(), long.replace(' ', ""));
    let text = gcx::encode_typed("t", &value).unwrap();
    assert_eq!(gcx::decode_exact(&text).unwrap(), value);
    assert!(format!("[{}, 1e400]", "7".repeat(400)).parse::<Exact>().is_err());
    let error = format!("[{}, x]", "7".repeat(400)).parse::<Exact>().unwrap_err();
    assert_eq!(error.column(), 404);
}

/// Objects without a member in common: a column each would be the square of the text.
#[test]
fn sparse_objects_take_no_square_of_their_text() {
    let rows: Value = (0..2000).map(|n| json!({format!("k{n}"): 1})).collect();
    let symbols: Value = (0..2000)
        .map(|n| json!({"id": "a", "kind": "k", "name": "n", format!("k{n}"): 1}))
        .collect();
    let encoder = Encoder::new().extra_columns();
    let written = [
        gcx::encode_response("search_symbols", &rows),
        gcx::encode_typed("t", &rows),
        encoder
            .encode_response("search_symbols", &json!({"results": [], "facets": rows}))
            .map(|encoded| encoded.text.split_once(".facets fields").unwrap().1.to_owned())
            .map(|rest| format!("GCX1 tool=t fields{rest}")),
    ];
    let text = encoder.encode_response("search_symbols", &symbols).unwrap().text;
    assert!(text.len() < 2 * symbols.to_string().len(), "{}", text.len());
    assert_eq!(gcx::decode_response(&text).unwrap(), symbols);
    for text in written {
        let text = text.unwrap();
        assert!(text.len() < 2 * rows.to_string().len(), "{}", text.len());
        assert_eq!(gcx::decode_response(&text).unwrap(), rows);
    }
}

#[test]
fn integers_are_themselves_or_an_error() {
    let largest = json!({"a": u64::MAX, "b": i64::MIN});
    assert_eq!(
        gcx::decode_response(&gcx::encode_response("t", &largest).unwrap()).unwrap(),
        largest
    );
    let larger = u128::from(u64::MAX) + 1;
    let typed = gcx::encode_typed("t", &larger).unwrap();
    assert_eq!(gcx::decode_exact(&typed).unwrap().to_string(), larger.to_string());
    assert_eq!(gcx::decode_response(&typed).unwrap_err().code(), "out_of_range");
    let plain = gcx::encode_response("t", &i128::MIN).unwrap();
    assert_eq!(gcx::decode_exact(&plain).unwrap().to_string(), i128::MIN.to_string());
}
