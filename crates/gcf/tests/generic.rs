//! What holds for every value and every text of the generic profile.

use std::cell::Cell;
use std::collections::BTreeMap;

use gcf::ErrorKind;
use gcf::generic::{Decoder, Encoder, RowReader, RowWriter, Spec, from_str, to_string};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

const HEADER: &str = "GCF profile=generic\n";

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

fn scalar() -> impl Strategy<Value = Value> {
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
fn records(
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

fn value() -> impl Strategy<Value = Value> {
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
fn as_read(value: Value) -> Value {
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

/// Whether the first line behind the header begins a table, of an array or of a keyed map.
fn begins_table(text: &str, closing: &str) -> bool {
    let line = text.lines().nth(1).unwrap_or_default();
    line.starts_with("## ") && line.contains(closing)
}

#[test]
fn rows_are_read_one_by_one_as_all_at_once() {
    let tables = Cell::new(0);
    proptest!(|(rows in records(value().boxed()), spec in proptest::sample::select(Spec::ALL))| {
        let text = Encoder::new().spec(spec).to_string(&json!({ "t": rows })).unwrap();
        let whole: Value = from_str(&text).unwrap();
        let mut reader = RowReader::new(text.as_bytes()).unwrap();
        let table = match reader.next_table() {
            Ok(Some(table)) => table,
            // An array that is no table is not read row by row.
            other => {
                prop_assert!(!begins_table(&text, "]{"), "{}", text);
                prop_assert_eq!(other.unwrap_err().code(), "unrecognized_line", "{}", text);
                return Ok(());
            }
        };
        tables.set(tables.get() + 1);
        prop_assert_eq!(table.name.as_deref(), Some("t"));
        let mut found = Vec::new();
        while let Some(row) = reader.next_row::<Value>().unwrap_or_else(|error| panic!("{error}\n{text}")) {
            found.push(row);
        }
        prop_assert_eq!(&whole["t"], &Value::from(found));
        prop_assert_eq!(reader.next_table().unwrap(), None);
    });
    assert!(tables.get() > 50, "{tables:?} of the texts had a table");
}

#[test]
fn members_are_read_one_by_one_as_all_at_once() {
    let tables = Cell::new(0);
    proptest!(|(rows in records(value().boxed()))| {
        let map: Map<String, Value> = rows.into_iter().enumerate().map(|(at, row)| (at.to_string(), row)).collect();
        let text = to_string(&map).unwrap();
        let whole: Value = from_str(&text).unwrap();
        let mut reader = RowReader::new(text.as_bytes()).unwrap();
        let table = match reader.next_table() {
            Ok(Some(table)) if table.is_map && table.name.is_none() => table,
            // A map of one object, say, has members of its own.
            Ok(_) => {
                prop_assert!(!begins_table(&text, ":]{") || !text.contains("\n## ["), "{}", text);
                return Ok(());
            }
            Err(error) => {
                prop_assert!(!begins_table(&text, ":]{"), "{}", text);
                prop_assert_eq!(error.code(), "unrecognized_line", "{}", text);
                return Ok(());
            }
        };
        tables.set(tables.get() + 1);
        prop_assert!(table.is_map);
        let mut found = Map::new();
        while let Some((key, row)) = reader.next_member::<Value>().unwrap_or_else(|error| panic!("{error}\n{text}")) {
            found.insert(key, row);
        }
        prop_assert_eq!(whole, Value::from(found));
    });
    assert!(tables.get() > 50, "{tables:?} of the texts had a keyed map");
}

proptest! {
    #[test]
    fn a_value_comes_back_from_every_form(value in value()) {
        for encoder in [Encoder::new(), Encoder::new().without_flattening(), Encoder::new().spec(Spec::V3_6)] {
            let text = encoder.to_string(&value).unwrap();
            prop_assert!(text.starts_with(HEADER) && text.ends_with('\n') && !text.contains(" \n"), "{}", text);
            let back: Value = Decoder::new().require_final_newline().from_str(&text).unwrap();
            prop_assert_eq!(&back, &as_read(value.clone()), "{}", text);
            // And what comes back is the same text.
            prop_assert_eq!(encoder.to_string(&back).unwrap(), text);
        }
    }

    #[test]
    fn every_entry_point_agrees(value in value()) {
        let encoder = Encoder::new();
        let text = encoder.to_string(&value).unwrap();
        prop_assert_eq!(text.as_bytes(), &encoder.to_vec(&value).unwrap()[..]);
        let mut written = Vec::new();
        encoder.to_writer(&mut written, &value).unwrap();
        prop_assert_eq!(text.as_bytes(), &written[..]);
        let back: Value = from_str(&text).unwrap();
        prop_assert_eq!(&back, &gcf::generic::from_slice::<Value>(text.as_bytes()).unwrap());
        prop_assert_eq!(&back, &gcf::generic::from_reader::<_, Value>(text.as_bytes()).unwrap());
        let (found, recovery) = Decoder::new().recover::<Value>(&text).unwrap();
        prop_assert_eq!(&back, &found);
        prop_assert!(recovery.is_empty());
        let crlf = text.replace('\n', "\r\n");
        prop_assert_eq!(&back, &from_str::<Value>(&crlf).unwrap());
    }

    #[test]
    fn no_cut_of_a_counted_text_goes_unnoticed(rows in records(scalar().boxed()), cut in any::<prop::sample::Index>()) {
        prop_assume!(!rows.is_empty());
        let text = to_string(&rows).unwrap();
        // Objects that are no columns have no count: neither items nor what is attached without a cell.
        prop_assume!(!text.contains('>') && !text.contains("{}"));
        let at = cut.index(text.len());
        prop_assume!(text.is_char_boundary(at) && at > HEADER.len());
        let decoder = Decoder::new().require_final_newline();
        prop_assert!(decoder.from_str::<Value>(&text[..at]).is_err(), "{}", &text[..at]);
    }

    #[test]
    fn a_stream_is_the_same_value(rows in proptest::collection::vec(proptest::collection::vec(proptest::option::of(scalar()), 3), 0..6)) {
        let fields = ["id", "a b", "c,d"];
        let object = |row: &Vec<Option<Value>>| -> Value {
            let cells = fields.iter().zip(row).filter_map(|(field, cell)| Some(((*field).to_owned(), cell.clone()?)));
            Value::Object(cells.collect())
        };
        let rows: Vec<Value> = rows.iter().map(object).collect();
        let mut writer = RowWriter::new(Vec::new()).unwrap();
        writer.table("rows", fields).unwrap();
        for row in &rows {
            writer.row(row).unwrap();
        }
        writer.map("by key", fields).unwrap();
        for (at, row) in rows.iter().enumerate() {
            writer.member(&at.to_string(), row).unwrap();
        }
        let text = String::from_utf8(writer.finish().unwrap()).unwrap();
        let by_key: Map<String, Value> = rows.iter().enumerate().map(|(at, row)| (at.to_string(), row.clone())).collect();
        let expected = json!({ "rows": rows, "by key": by_key });
        prop_assert_eq!(from_str::<Value>(&text).unwrap(), expected, "{}", text);
    }
}

#[test]
fn nothing_that_is_read_panics() {
    let read = Cell::new(0);
    proptest!(|(lines in proptest::collection::vec("(  ){0,3}(## )?(@[0-2] |\\.a )?([a-c]|\"a\"|\"a>b\")?(=|\\[[0-2?]\\]|\\[2:\\])?(\\{@?a,?b?=?1?\\})?:? ?[-~^|,a1\"]{0,5}", 0..8))| {
        let text = format!("{HEADER}{}\n", lines.join("\n"));
        if let Ok(value) = from_str::<Value>(&text) {
            read.set(read.get() + 1);
            let again = to_string(&value).unwrap();
            prop_assert_eq!(from_str::<Value>(&again).unwrap(), value, "{}", text);
        }
        let _ = Decoder::new().recover::<Value>(&text);
        // The header is right, so that a reader begins.
        let mut reader = RowReader::new(text.as_bytes()).unwrap();
        while let Ok(Some(_)) = reader.next_table() {}
    });
    assert!(read.get() > 10, "{read:?} of the texts were read");
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum External {
    Unit,
    New(u8),
    Tuple(u8, String),
    Struct { a: Option<i32>, b: Vec<External> },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Internal {
    Unit,
    Struct { a: f64 },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
    New(String),
    Tuple(i8, i8),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Number(i64),
    Text(String),
    List(Vec<Untagged>),
    Members { a: bool },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Inner {
    x: u16,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct UnitStruct;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Everything {
    external: Vec<External>,
    internal: Vec<Internal>,
    adjacent: Vec<Adjacent>,
    untagged: Vec<Untagged>,
    #[serde(flatten)]
    inner: Inner,
    by_number: BTreeMap<i32, String>,
    by_truth: BTreeMap<bool, u8>,
    by_variant: BTreeMap<char, Option<()>>,
    tuple: (u8, String, Option<char>),
    single: f32,
    small: i128,
    unit: (),
    unit_struct: UnitStruct,
    nested: Option<Box<Option<u8>>>,
    bytes: Bytes,
}

#[derive(Debug, PartialEq)]
struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Bytes)
    }
}

fn everything() -> Everything {
    Everything {
        external: vec![
            External::Unit,
            External::New(7),
            External::Tuple(1, "a|b".into()),
            External::Struct { a: None, b: vec![External::Unit] },
        ],
        internal: vec![Internal::Unit, Internal::Struct { a: 1.0 }],
        adjacent: vec![Adjacent::Unit, Adjacent::New("-".into()), Adjacent::Tuple(-1, 2)],
        untagged: vec![
            Untagged::Number(-5),
            Untagged::Text("5".into()),
            Untagged::List(vec![Untagged::Members { a: true }]),
        ],
        inner: Inner {
            x: 3,
            rest: BTreeMap::from([("extra".to_owned(), json!([1, {"y": null}]))]),
        },
        by_number: BTreeMap::from([(-1, "m".into()), (20, "t".into())]),
        by_truth: BTreeMap::from([(true, 1)]),
        by_variant: BTreeMap::from([('ü', None)]),
        tuple: (255, String::new(), Some('~')),
        single: 0.1,
        small: i128::from(i64::MIN),
        unit: (),
        unit_struct: UnitStruct,
        nested: Some(Box::new(Some(1))),
        bytes: Bytes(vec![0, 255]),
    }
}

#[test]
fn every_kind_of_type_goes_both_ways_and_is_what_serde_json_makes_of_it() {
    let value = everything();
    let text = to_string(&value).unwrap();
    assert_eq!(from_str::<Everything>(&text).unwrap(), value, "{text}");
    let as_json = as_read(serde_json::to_value(&value).unwrap());
    // A single is written in its own shortest digits, and not in those of the double.
    let read: Value = from_str(&text).unwrap();
    assert_eq!(read["single"], json!(0.1));
    let mut as_json = as_json;
    as_json["single"] = json!(0.1);
    assert_eq!(read, as_json);
    for rows in [vec![&value, &value], vec![&value]] {
        let text = to_string(&rows).unwrap();
        let back: Vec<Everything> = from_str(&text).unwrap();
        assert!(back.iter().eq(rows), "{text}");
    }
}

#[test]
fn texts_are_borrowed_where_they_have_no_escapes() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Row<'a> {
        id: &'a str,
        #[serde(borrow)]
        name: Option<&'a str>,
    }
    let text = format!("{HEADER}## [2]{{id,name}}\n\"1\"|Alice\nb|-\n");
    let rows: Vec<Row<'_>> = from_str(&text).unwrap();
    assert_eq!(rows, [Row { id: "1", name: Some("Alice") }, Row { id: "b", name: None }]);
    let escaped = format!("{HEADER}## [1]{{id,name}}\n\"a\\n\"|b\n");
    let error = from_str::<Vec<Row<'_>>>(&escaped).unwrap_err();
    assert_eq!((error.code(), error.position().unwrap().line), ("invalid_value", 3));
}

#[test]
fn what_the_type_does_not_take_is_an_error_with_its_place() {
    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only its types count")]
    struct Row {
        id: u8,
        on: bool,
    }
    fn refused<'de, T: Deserialize<'de> + std::fmt::Debug>(text: &'de str) -> (String, u64, u64) {
        let error = from_str::<T>(text).unwrap_err();
        let position = error.position().unwrap();
        assert_eq!(error.kind(), ErrorKind::InvalidValue);
        (error.to_string(), position.line, position.column)
    }
    let rows = "GCF profile=generic\n## [2]{id,on}\n1|true\n300|false\n";
    let (message, line, column) = refused::<Vec<Row>>(rows);
    assert_eq!((line, column), (4, 1), "{message}");
    assert!(message.contains("300"), "{message}");
    assert_eq!(refused::<(u8, u8)>("GCF profile=generic\n## [3]: 1,2,3\n").1, 2);
    assert_eq!(refused::<External>("GCF profile=generic\nNew=1\nOther=2\n").1, 2);
    assert_eq!(refused::<External>("GCF profile=generic\n## [1]: 1\n").1, 2);
    assert_eq!(refused::<External>("GCF profile=generic\n=5\n").1, 2);
    assert_eq!(refused::<Vec<String>>("GCF profile=generic\n## [2]: a,5\n").2, 11);
    assert_eq!(refused::<BTreeMap<u8, u8>>("GCF profile=generic\na=1\n").1, 2);
}

/// Reads an object's first member or an array's first value, and leaves the rest.
#[derive(Debug)]
struct First;

impl<'de> Deserialize<'de> for First {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(First)
    }
}

impl<'de> serde::de::Visitor<'de> for First {
    type Value = First;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a member or a value")
    }

    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<First, A::Error> {
        map.next_entry::<String, Value>().map(|_| First)
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<First, A::Error> {
        seq.next_element::<Value>().map(|_| First)
    }
}

#[test]
fn what_a_type_leaves_unread_is_an_error() {
    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only what it leaves counts")]
    struct Holder {
        o: First,
    }
    #[track_caller]
    fn refused<T: serde::de::DeserializeOwned + std::fmt::Debug>(value: &Value, unread: &str) {
        let text = to_string(value).unwrap();
        let error = from_str::<T>(&text).expect_err(&text);
        assert_eq!(error.kind(), ErrorKind::InvalidValue, "{text}");
        assert!(error.to_string().contains(unread), "{error}: {text}");
    }
    refused::<First>(&json!({"a": 1, "b": 2}), r#"the member "b" too"#);
    refused::<First>(&json!([1, 2]), "more values, expected 1");
    refused::<First>(&json!([{"a": [1]}, {"a": [2]}]), "more values, expected 1");
    // Rows of a table, whose members are columns, the columns of an object, or attachments.
    refused::<Vec<First>>(&json!([{"a": 1, "b": 2}, {"a": 3, "b": 4}]), r#"the member "b" too"#);
    refused::<Vec<First>>(&json!([{"a": 1}, {"a": 3, "b": [1]}]), r#"the member "b" too"#);
    refused::<Vec<First>>(
        &json!([{"a": 1, "o": {"p": 5, "q": 6}}, {"a": 3, "o": {"p": 7, "q": 8}}]),
        r#"the member "o" too"#,
    );
    let nested = json!([{"o": {"p": 5, "q": 6}}, {"o": {"p": 7, "q": 8}}]);
    refused::<Vec<Holder>>(&nested, r#"the member "q" too"#);
    refused::<Holder>(&json!({"o": {"p": 5, "q": [6, 7]}}), r#"the member "q" too"#);
    // One that holds no more than what is read is none.
    from_str::<Vec<First>>(&to_string(&json!([{"a": 1}, {"a": [2]}, [3]])).unwrap()).unwrap();
}

#[test]
fn what_json_has_not_is_refused() {
    struct Twice;
    impl Serialize for Twice {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map([("a", 1), ("a", 2)])
        }
    }
    let refused = |error: gcf::Error| (error.code(), error.to_string());
    let (code, message) = refused(to_string(&u64::MAX).unwrap_err());
    assert_eq!(code, "out_of_range");
    assert!(
        message.contains("18446744073709551615") && message.contains("as strings"),
        "{message}"
    );
    assert_eq!(refused(to_string(&u128::MAX).unwrap_err()).0, "out_of_range");
    for double in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(refused(to_string(&[double]).unwrap_err()).0, "out_of_range");
        assert_eq!(refused(to_string(&double).unwrap_err()).0, "out_of_range");
    }
    assert_eq!(refused(to_string(&BTreeMap::from([(vec![1], 1)])).unwrap_err()).0, "invalid_value");
    assert_eq!(refused(to_string(&Twice).unwrap_err()).0, "duplicate_key");
}

#[test]
fn streams_take_flat_rows_only() {
    let mut writer = RowWriter::new(Vec::new()).unwrap();
    assert_eq!(writer.row(&json!({"a": 1})).unwrap_err().code(), "not_streamable");
    assert_eq!(writer.table("t", ["a>b"]).unwrap_err().code(), "not_streamable");
    assert_eq!(writer.table("t", []).unwrap_err().code(), "not_streamable");
    assert_eq!(writer.table("t", ["a", "a"]).unwrap_err().code(), "duplicate_field_name");
    writer.table("t", ["a"]).unwrap();
    assert_eq!(writer.table("t", ["a"]).unwrap_err().code(), "duplicate_key");
    for row in [json!({"b": 1}), json!({"a": [1]}), json!({"a": {}}), json!(1)] {
        assert_eq!(writer.row(&row).unwrap_err().code(), "not_streamable", "{row}");
    }
    assert_eq!(writer.member("k", &json!({"a": 1})).unwrap_err().code(), "not_streamable");
    writer.map("m", ["a"]).unwrap();
    writer.member("k", &json!({"a": 1})).unwrap();
    assert_eq!(writer.member("k", &json!({"a": 1})).unwrap_err().code(), "duplicate_key");
    let text = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert_eq!(
        text,
        "GCF profile=generic\n## t [?]{a}\n## m [?:]{key,a}\nk|1\n##! summary counts=0,1\n"
    );
    assert_eq!(from_str::<Value>(&text).unwrap(), json!({"t": [], "m": {"k": {"a": 1}}}));
}

#[test]
fn rows_keep_what_stands_before_a_line_ending() {
    let text = "GCF profile=generic\n## [2]{id,c}\n1|a\r\r\n@1 2|^\r\n.c {}\n    x=b\r\r\n";
    let mut reader = RowReader::new(text.as_bytes()).unwrap();
    reader.next_table().unwrap();
    let mut rows = Vec::new();
    while let Some(row) = reader.next_row::<Value>().unwrap() {
        rows.push(row);
    }
    assert_eq!(rows, [json!({"id": 1, "c": "a\r"}), json!({"id": 2, "c": {"x": "b\r"}})]);
    assert_eq!(from_str::<Value>(text).unwrap(), Value::from(rows));
}

#[test]
fn mistakes_in_streams_have_their_place() {
    let read = |text: &str| -> Result<usize, gcf::Error> {
        let mut reader = RowReader::new(text.as_bytes())?;
        let mut rows = 0;
        while let Some(table) = reader.next_table()? {
            if table.is_map {
                while reader.next_member::<Value>()?.is_some() {
                    rows += 1;
                }
            } else {
                while reader.next_row::<Value>()?.is_some() {
                    rows += 1;
                }
            }
        }
        Ok(rows)
    };
    for (text, code, line) in [
        ("GCF profile=graph\n", "unknown_profile", 1),
        ("GCF profile=generic\na=1\n", "unrecognized_line", 2),
        ("GCF profile=generic\n## a\n", "unrecognized_line", 2),
        ("GCF profile=generic\n## t [2]{a}\n1\n", "count_mismatch", 2),
        ("GCF profile=generic\n## t [1]{a}\n1\n2\n", "count_mismatch", 2),
        ("GCF profile=generic\n## t [2]{a}\n1\n2|3\n", "row_width_mismatch", 4),
        (
            "GCF profile=generic\n## t [2]{a}\n@0 ^\n.a [1]: 1\n@5 ^\n.a [1]: 1\n",
            "invalid_item_id",
            5,
        ),
        (
            "GCF profile=generic\n## t [2]{a}\n@0 ^\n.a [1]: 1\n@1 ^\n.a [2]: 1\n",
            "count_mismatch",
            6,
        ),
        ("GCF profile=generic\n## t [?]{a}\n1\n##! summary counts=2\n", "count_mismatch", 4),
        ("GCF profile=generic\n## t [?]{a}\n1\n## t [?]{a}\n2\n", "duplicate_key", 4),
        ("GCF profile=generic\n## m [2:]{key,a}\nk|1\nk|2\n", "duplicate_key", 4),
        ("GCF profile=generic\n## t [?]{a}\n1", "missing_final_newline", 3),
        ("GCF profile=generic\n## t [2]{@a,g} group=g\ng=1 [2]\n1\n2\n", "not_streamable", 2),
        ("GCF profile=generic\n## t [?]{a}\n1\n##! summary counts=1\nx\n", "unrecognized_line", 5),
        ("GCF profile=generic\n## t [1]{a}\n  1\n", "invalid_indent", 3),
        ("GCF profile=generic\n## t [?]{a}\n1\n##!xxxxxxxxé\n", "unrecognized_line", 4),
        // The index of a row ends with its line.
        ("GCF profile=generic\n## t [1]{a}\n@0x\n 1\n", "invalid_indent", 4),
    ] {
        let error = read(text).unwrap_err();
        assert_eq!(
            (error.code(), error.position().map(|position| position.line)),
            (code, Some(line)),
            "{text}\n{error}"
        );
    }
    for (text, code, line) in [
        ("GCF profile=generic\n## t [1]{a}\n@0 ^\n.a {}\n    name=Al", "missing_final_newline", 5),
        ("GCF profile=generic\n## [1]{a}\n1\n## x [1]{a}\n2\n", "duplicate_key", 4),
    ] {
        let error = read(text).unwrap_err();
        assert_eq!(
            (error.code(), error.position().map(|position| position.line)),
            (code, Some(line)),
            "{text}\n{error}"
        );
    }
    // Counts in rows are the trailer's, too; and what is declared beside constants is not shared.
    let nested = "GCF profile=generic\n## t [?]{a}\n@0 ^\n.a [?]{x}\n    1\n@1 ^\n.a [?]\n    2\n    3\n##! summary counts=2,1,2\n";
    assert_eq!(read(nested).unwrap(), 2);
    assert!(from_str::<Value>(nested).is_ok());
    let constants = "GCF profile=generic\n## t [3]{a}\n@0 ^\n.a [2]{x,c=1}\n    1\n    2\n@1 ^\n.a [1]{y}\n    3\n@2 ^\n.a [1]\n    4\n";
    assert_eq!(read(constants).unwrap(), 3);
    let text = "GCF profile=generic\n# c\n## t [2]{a,b}\n@0 ^{x,y,z}|^\n1|2|3\n.b [1]{q}\n    5\n\n@1 ^|^\n4|5|6\n.b [1]\n    6\n## u [1]{a}\n1";
    assert_eq!(read(text).unwrap(), 3);
}

#[test]
fn answers_of_models_are_mended() {
    let rows = json!({"users": [{"id": 1, "name": "Alice"}, {"id": 2, "name": "Bob"}]});
    for (answer, expected, repairs) in [
        (
            "```gcf\nGCF profile=generic\n## users [2]{id,name}\n1|Alice\n2|Bob\n```\n",
            rows.clone(),
            vec!["code_fence", "code_fence"],
        ),
        (
            "  GCF profile=generic\n  ## users [2]{id,name}\n  1|Alice\n  2|Bob\n",
            rows.clone(),
            vec!["decoration"; 4],
        ),
        (
            "{\"text\": \"GCF profile=generic\\n## users [2]{id,name}\\n1|Alice\\n2|Bob\\n\"}",
            rows.clone(),
            vec!["surrounding_text", "escaped_newlines"],
        ),
        (
            "GCF profile=generic\n## users [3]{id,name}\n1|Alice\n2|Bob\n",
            rows.clone(),
            vec!["wrong_count"],
        ),
        (
            "GCF profile=generic\n## users [3]{id,name}\n1|Alice\n2|Bob\n3\n",
            rows.clone(),
            vec!["wrong_count", "left_out"],
        ),
        (
            "GCF profile=generic\na=1\nso that is it\nb=2",
            json!({"a": 1, "b": 2}),
            vec!["left_out", "missing_final_newline"],
        ),
        (
            "GCF profile=generic\n## s\n\tx=1\n\u{a0}\u{a0}y=2\n",
            json!({"s": {"x": 1, "y": 2}}),
            vec!["white_space", "white_space"],
        ),
        ("GCF profile=generic\n\u{200b}a=1\n", json!({"a": 1}), vec!["invisible_characters"]),
        ("GCF profile=generic\r\na=1\r\n\r", json!({"a": 1}), vec!["white_space"]),
        (
            "GCF profile=generic\r\r\na=1\r\r\nb=2\r\r\n",
            json!({"a": 1, "b": 2}),
            vec!["white_space"; 3],
        ),
        ("\n\nGCF profile=generic\na=1\n", json!({"a": 1}), vec!["surrounding_text"]),
    ] {
        let (value, recovery) = Decoder::new()
            .recover::<Value>(answer)
            .unwrap_or_else(|error| panic!("{error}\n{answer}"));
        assert_eq!(value, expected, "{answer}");
        let found: Vec<&str> = recovery.repairs.iter().map(|repair| repair.kind.code()).collect();
        assert_eq!(found, repairs, "{answer}");
    }
    for (answer, expected) in [
        ("I write GCF profile=generic.\n\nGCF profile=generic\na=1\n", json!({"a": 1})),
        ("I will use GCF profile=generic\n```\nGCF profile=generic\na=1\n```\n", json!({"a": 1})),
        ("> GCF profile=generic\n> ## b\n>   c=2\n", json!({"b": {"c": 2}})),
        ("1. GCF profile=generic\n   a=1\n", json!({"a": 1})),
        (
            "{\"x\": \"GCF profile=generic\\r\\na=caf\\u00e9\\r\\n\", \"y\": 1}",
            json!({"a": "café"}),
        ),
        ("x\nGCF profile=generic\na=\"b\u{200b}c\"\n", json!({"a": "b\u{200b}c"})),
    ] {
        let (value, _) = Decoder::new().recover::<Value>(answer).unwrap();
        assert_eq!(value, expected, "{answer}");
    }
    // Where nothing is left of what looks like the format, the first thing that was wrong is the error, with its place.
    let error = Decoder::new()
        .recover::<Value>("Hello\nGCF profile=generic\n@x=three words\n")
        .unwrap_err();
    assert_eq!((error.code(), error.position().unwrap().line), ("nothing_to_recover", 2));
    let error =
        Decoder::new().recover::<Value>("Hello\nGCF profile=generic\n## a [1]{\n").unwrap_err();
    assert_eq!((error.code(), error.position().unwrap().line), ("invalid_field_list", 3));
}

/// A mention of the header is no value, and hides none (ruling G16).
#[test]
fn a_mention_of_the_header_is_no_value() {
    for mention in [
        "GCF profile=generic is a header.\nSo be it.\n",
        "- GCF profile=generic begins a value.\n",
        "Hello\nGCF profile=generic\nthree words here\n",
        "The header is GCF profile=generic, and rows follow.",
        "A text begins with `GCF profile=generic`.\nIt has rows.\n",
        "```\nGCF profile=generic\n```\nis the header\n",
        "The header is:\n\nGCF profile=generic\n\n# Rows\nRows follow it.\n",
    ] {
        let error = Decoder::new().recover::<Value>(mention).unwrap_err();
        assert_eq!(error.code(), "nothing_to_recover", "{mention}");
    }
    // A mention before the value does not hide it.
    let answer = "The header is\nGCF profile=generic\nas said. Here it is:\n```\nGCF profile=generic\na=1\n```\n";
    assert_eq!(Decoder::new().recover::<Value>(answer).unwrap().0, json!({"a": 1}));
    let answer = "Result: GCF profile=generic\ntags[2]: x,y\n";
    assert_eq!(Decoder::new().recover::<Value>(answer).unwrap().0, json!({"tags": ["x", "y"]}));
    // What looks like the format behind the value is a loss.
    let answer = "```\nGCF profile=generic\na=1\n```\n## rows [2]{a,b}\n1|2\nThat is all.\n";
    let (value, recovery) = Decoder::new().recover::<Value>(answer).unwrap();
    assert_eq!(value, json!({"a": 1}));
    let kinds: Vec<&str> = recovery.repairs.iter().map(|repair| repair.kind.code()).collect();
    assert_eq!(kinds, ["code_fence", "code_fence", "left_out", "left_out", "surrounding_text"]);
    assert_eq!(
        Decoder::new().recover::<Value>("no such thing").unwrap_err().code(),
        "missing_header"
    );
    assert_eq!(
        Decoder::new().recover::<u8>("GCF profile=generic\n=300\n").unwrap_err().code(),
        "invalid_value"
    );
}

/// Arrays in each other, so many deep.
struct Deep(usize);

impl Serialize for Deep {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 == 0 {
            serializer.serialize_unit()
        } else {
            serializer.collect_seq([Deep(self.0 - 1)])
        }
    }
}

/// What it gives in a stack of 2 MiB.
fn in_a_small_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(2 << 20);
        let thread = builder.spawn_scoped(scope, run).expect("because there is room for a thread");
        thread.join().expect("because nothing in it panics")
    })
}

#[test]
fn depth_is_bounded_both_ways() {
    let codes = in_a_small_stack(|| {
        let mut codes = vec![to_string(&Deep(100_000)).unwrap_err().code()];
        let sections = (0..4_000)
            .map(|level| format!("{}## a\n", "  ".repeat(level)))
            .collect::<Vec<_>>()
            .concat();
        let items = (0..4_000)
            .map(|level| format!("{}@0 [1]\n", "  ".repeat(level)))
            .collect::<Vec<_>>()
            .concat();
        let path = vec!["a"; 100_000].join(">");
        for text in [
            format!("{HEADER}{sections}"),
            format!("{HEADER}## [1]\n{items}"),
            format!("{HEADER}## [1]{{\"{path}\"}}\n1\n"),
        ] {
            codes.push(from_str::<Value>(&text).unwrap_err().code());
            codes.push(from_str::<serde::de::IgnoredAny>(&text).unwrap_err().code());
        }
        let deepest = to_string(&Deep(127)).unwrap();
        assert!(from_str::<Value>(&deepest).is_ok());
        codes
    });
    assert_eq!(codes, ["too_deep"; 7]);
    assert_eq!(to_string(&Deep(128)).unwrap_err().code(), "too_deep");
}

#[test]
fn keys_are_the_numbers_that_json_has() {
    struct AsMap([(f32, u8); 1]);
    impl Serialize for AsMap {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map(self.0)
        }
    }
    assert_eq!(
        to_string(&BTreeMap::from([("1", 1), ("01", 2)])).unwrap(),
        format!("{HEADER}\"01\"=2\n\"1\"=1\n")
    );
    for text in ["\"01\"=2", "\"+1\"=2", "\"1.0\"=2", "\" 1\"=2"] {
        assert!(from_str::<BTreeMap<u32, u8>>(&format!("{HEADER}{text}\n")).is_err(), "{text}");
    }
    // As serde_json writes such keys.
    for double in [1e-5f32, 1e16, 0.1, 3.0] {
        let map = [(double, 1)];
        let json: Value = serde_json::to_value(AsMap(map)).unwrap();
        assert_eq!(from_str::<Value>(&to_string(&AsMap(map)).unwrap()).unwrap(), json);
    }
}

#[test]
fn a_small_text_is_no_huge_value() {
    // Rows of two bytes that repeat a name of a hundred thousand, a constant, the key of a schema, or the value of a group.
    let long = "x".repeat(100_000);
    let rows = "1\n".repeat(10_000);
    let few = Decoder::new().repeated_bytes(1 << 20);
    let mut largest = String::new();
    let keys: String = (0..10_000).map(|at| format!("{at}\n")).collect::<Vec<_>>().concat();
    let bodies: String = (1..10_000).map(|at| format!("@{at} ^\n1\n")).collect::<Vec<_>>().concat();
    for text in [
        format!("{HEADER}## [10000]{{{long}}}\n{rows}"),
        format!("{HEADER}## [10000]{{a=\"{long}\",b}}\n{rows}"),
        format!("{HEADER}## [10000]{{c}}\n@0 ^{{{long}}}\n1\n{bodies}"),
        format!("{HEADER}## [10000]{{@a,g}} group=g\ng={long} [10000]\n{keys}"),
    ] {
        assert_eq!(few.from_str::<Value>(&text).unwrap_err().kind(), ErrorKind::TooLarge);
        // Mending would read it again and again.
        let mended = few.recover::<Value>(&text.replacen("[10000]", "[9999]", 1));
        assert_eq!(mended.unwrap_err().kind(), ErrorKind::TooLarge);
        let mut reader = RowReader::new(text.as_bytes()).unwrap().repeated_bytes(1 << 20);
        let error = reader.next_table().and_then(|_| reader.next_table()).unwrap_err();
        // Rows in groups are not for this reader.
        assert!(error.kind() == ErrorKind::TooLarge || text.contains("group="), "{error}");
        largest = text;
    }
    assert_eq!(from_str::<Value>(&largest).unwrap_err().kind(), ErrorKind::TooLarge);
    // What rows repeat in tables of their own is summed up, too.
    let attached = format!(".a [20]{{c={long},b}}\n{}", "    1\n".repeat(20));
    let rows: Vec<String> = (0..10).map(|at| format!("@{at} ^\n{attached}")).collect();
    let text = format!("{HEADER}## [10]{{a}}\n{}", rows.concat());
    let bytes = 10 << 20;
    let few_rows = Decoder::new().repeated_bytes(bytes);
    assert_eq!(few_rows.from_str::<Value>(&text).unwrap_err().kind(), ErrorKind::TooLarge);
    let mut reader = RowReader::new(text.as_bytes()).unwrap().repeated_bytes(bytes);
    let error = reader.next_table().and_then(|_| reader.next_table()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge);
    // Keys of a map that look like any other.
    let names: String =
        (0..60_000).map(|n| format!("\"\\u00000-{n}\",")).collect::<Vec<_>>().concat();
    let text = format!(
        "{HEADER}## [2:]{{key,a}}\n@0 x|^{{p,q,r}}\n1|2|3\n@1 y|^\n.a [60001]: {names}kkk0\n"
    );
    let mut reader = RowReader::new(text.as_bytes()).unwrap();
    assert!(reader.next_table().and_then(|_| reader.next_table()).unwrap().is_none());
    // Rows of one byte that repeat thousands of short constants.
    let constants: String = (0..10_000).map(|n| format!("c{n}=1,")).collect::<Vec<_>>().concat();
    let text = format!("{HEADER}## [1000]{{{constants}b}}\n{}", "1\n".repeat(1_000));
    assert_eq!(few.from_str::<Value>(&text).unwrap_err().kind(), ErrorKind::TooLarge);
    // A hundred rows are fine.
    let few = format!("{HEADER}## [100]{{{long}}}\n{}", "1\n".repeat(100));
    assert!(from_str::<Value>(&few).is_ok());
}

#[test]
fn large_texts_take_linear_time() {
    // Each would take minutes if anything in it were quadratic.
    const MANY: usize = 100_000;
    let wide: String = (0..MANY).map(|n| format!("f{n}")).collect::<Vec<_>>().join(",");
    let nulls = vec!["~"; MANY].join("|");
    let marks = vec!["^"; MANY].join("|");
    let attachments = (0..MANY).rev().map(|n| format!(".f{n} [0]\n")).collect::<Vec<_>>().concat();
    let members = (0..MANY).map(|n| format!("f{n}=1\n")).collect::<Vec<_>>().concat();
    let extras = (0..MANY).map(|n| format!(".\"a>{n}\" =1\n")).collect::<Vec<_>>().concat();
    let keyed = (0..MANY).map(|n| format!("k{n}|1\n")).collect::<Vec<_>>().concat();
    for text in [
        format!("{HEADER}## [1]{{{wide}}}\n{nulls}\n"),
        format!("{HEADER}## [1]{{{wide}}}\n@0 {marks}\n{attachments}"),
        format!("{HEADER}## [1]{{a}}\n@0 1\n{extras}"),
        format!("{HEADER}{members}"),
        format!("{HEADER}## [{MANY}:]{{key,a}}\n{keyed}"),
        format!("{HEADER}## [?]{{a}}\n{}", "1\n".repeat(MANY)),
        format!("{HEADER}{}a=1\n", "# c\n".repeat(MANY)),
    ] {
        assert!(from_str::<serde::de::IgnoredAny>(&text).is_ok());
        let value: Value = from_str(&text).unwrap();
        assert_eq!(from_str::<Value>(&to_string(&value).unwrap()).unwrap(), value);
    }
    let error =
        from_str::<Value>(&format!("{HEADER}## [18446744073709551615]{{a}}\n1\n")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::CountMismatch);
    // Rows whose objects are nested deep.
    let mut row = json!({"x": 1});
    for _ in 0..80 {
        row = json!({"n": row, "l": [1, 2]});
    }
    let rows: Vec<Value> = vec![row; 100];
    let text = to_string(&rows).unwrap();
    assert_eq!(from_str::<Vec<Value>>(&text).unwrap(), rows);
}

#[test]
fn a_text_may_be_a_whole_file() {
    let value =
        json!([{"path": "a", "source": "x\n".repeat(1 << 20)}, {"path": "b", "source": ""}]);
    let text = gcf::generic::to_string(&value).unwrap();
    assert_eq!(gcf::generic::from_str::<Value>(&text).unwrap(), value);
    let mut reader = gcf::generic::RowReader::new(text.as_bytes()).unwrap();
    reader.next_table().unwrap();
    assert_eq!(reader.next_row::<Value>().unwrap().as_ref(), value.get(0));
    assert_eq!(gcf::generic::Decoder::default().from_str::<Value>(&text).unwrap(), value);
}
