//! Types of Rust by way of serde, and values that JSON has not.

use std::collections::BTreeMap;

use gcf::ErrorKind;
use gcf::{from_str, to_string};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::HEADER;
use super::values::as_read;

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
fn without_a_policy_a_session_sends_deltas_alone() {
    use gcf::keyed::{KeyedSet, Policy, Session};

    let set = |turn: u32| KeyedSet::from_rows("id", &json!([{"id": 1, "turn": turn}])).unwrap();
    let mut session = Session::new(set(0), Policy::default());
    assert!((1..100).all(|turn| !session.next(set(turn)).is_full));
}

#[test]
fn sets_and_deltas_are_equal_by_their_rows_in_any_order() {
    use gcf::keyed::{Delta, KeyedSet};

    let rows = json!([{"id": 1, "n": "x"}, {"id": 2, "n": null}]);
    let set = KeyedSet::from_rows("id", &rows).unwrap();
    let turned = json!([{"id": 2, "n": null}, {"id": 1, "n": "x"}]);
    assert_eq!(set, KeyedSet::from_rows("id", &turned).unwrap());
    for other in [
        json!([{"id": 1, "n": "x"}]),
        json!([{"id": 1, "n": "x"}, {"id": 2, "n": "null"}]),
        json!([{"id": 1, "n": "x"}, {"id": 3, "n": null}]),
        json!([{"n": "x", "id": 1}, {"n": null, "id": 2}]),
    ] {
        assert_ne!(set, KeyedSet::from_rows("id", &other).unwrap(), "{other}");
    }
    assert_ne!(set, set.clone().with_name("orders"));
    let map = json!({"1": {"n": "x"}, "2": {"n": null}});
    assert_ne!(set, KeyedSet::from_map("id", &map).unwrap());
    // An emptied map is none of the lists, as text, too.
    let emptied = KeyedSet::from_map("id", &json!({})).unwrap();
    let read = emptied.to_string().parse::<gcf::keyed::Message>().unwrap().apply(None).unwrap();
    assert_eq!(read, emptied);

    let delta = |added: &Value, removed: &[u32]| {
        let mut delta = Delta::new(&set, set.root(), set.root());
        delta.add(added).unwrap();
        delta.remove(removed).unwrap();
        delta
    };
    let added = json!([{"id": 5, "n": 1}, {"id": 4, "n": 1}]);
    let turned = json!([{"id": 4, "n": 1}, {"id": 5, "n": 1}]);
    assert_eq!(delta(&added, &[1, 2]), delta(&turned, &[2, 1]));
    assert_ne!(delta(&added, &[1, 2]), delta(&added, &[1]));
}
