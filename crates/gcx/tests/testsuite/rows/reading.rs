//! Rows as they are read, whoever wrote them.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use gcx::{ErrorKind, Reader, SliceReader};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Kind, Sparse, both_ways};

#[test]
fn text_is_borrowed_where_it_has_no_escapes() {
    #[derive(Deserialize, Debug)]
    struct Borrowed<'a> {
        id: &'a str,
        #[serde(borrow)]
        sig: Cow<'a, str>,
    }
    let text = "GCX1 tool=t fields=id,sig\na\tb\nc\td\\te\n";
    let rows: Vec<Borrowed<'_>> = gcx::from_str(text).unwrap();
    assert!(matches!(rows[0].sig, Cow::Borrowed("b")) && rows[0].id == "a");
    assert_eq!((rows[1].id, &*rows[1].sig), ("c", "d\te"));
    let error = gcx::from_str::<Vec<&str>>("GCX1 tool=t fields=id\na\\tb\n").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidCell);
}

#[derive(Deserialize, PartialEq, Debug)]
struct Short {
    a: u8,
    b: String,
    c: Option<u8>,
}

#[test]
fn columns_in_any_order_missing_or_more() {
    let text = "GCX1 tool=t fields=d,other,c,a total=7\n4\tx\t3\t1\n\ty\t3\t1\n";
    let rows: Vec<Sparse> = gcx::from_str(text).unwrap();
    assert_eq!(rows[0], Sparse { a: 1, b: None, c: 3, d: Some(4) });
    assert_eq!(rows[1], Sparse { a: 1, b: None, c: 3, d: None });
    // A short row: what is missing is empty.
    let rows: Vec<Short> = gcx::from_str("GCX1 tool=t fields=a,b,c\n1\n").unwrap();
    assert_eq!(rows, [Short { a: 1, b: String::new(), c: None }]);
    let rows: Vec<(u8, String, Option<u8>)> =
        gcx::from_str("GCX1 tool=t fields=a,b,c\n1\n").unwrap();
    assert_eq!(rows, [(1, String::new(), None)]);
}

#[test]
fn one_row_may_be_no_sequence() {
    let text = "GCX1 tool=t fields=a,c\n1\t2\n";
    assert_eq!(gcx::from_str::<Sparse>(text).unwrap(), Sparse { a: 1, c: 2, ..Sparse::default() });
    let map: BTreeMap<String, u8> = gcx::from_str(text).unwrap();
    assert_eq!(map["c"], 2);
    let rows: [(u8, u8); 1] = gcx::from_str(text).unwrap();
    assert_eq!(rows, [(1, 2)]);
    let ignored: serde::de::IgnoredAny = gcx::from_str(text).unwrap();
    let _ = ignored;
}

#[test]
fn values_are_rehydrated_where_the_type_does_not_say() {
    let text = "GCX1 tool=t fields=a,b,c,d,e,f,g\n1\t-2.5\ttrue\t[1,{\"x\":null}]\t007\t[1\t\n";
    let rows: Vec<Value> = gcx::from_str(text).unwrap();
    let expected =
        json!([{"a": 1, "b": -2.5, "c": true, "d": [1, {"x": null}], "e": "007", "f": "[1"}]);
    assert_eq!(Value::from(rows), expected);
}

#[test]
fn rows_one_at_a_time() {
    let text = "GCX1 tool=a fields=id,n rows=2\nx\t1\ny\ttwo\nGCX1 tool=b fields=id\nz\n";
    let mut reader = SliceReader::new(text);
    let header = reader.next_section().unwrap().unwrap();
    assert_eq!(reader.next_record::<(&str, u8)>(&header).unwrap(), Some(("x", 1)));
    let error = reader.next_record::<(&str, u8)>(&header).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 3, column 3: the cell is \"two\", expected an integer of the type u8"
    );
    let mut stream = Reader::new(text.as_bytes());
    let header = stream.next_section().unwrap().unwrap();
    stream.next_record::<(String, u8)>(&header).unwrap();
    let late = stream.next_record::<(String, u8)>(&header).unwrap_err();
    assert_eq!((late.position(), late.to_string()), (error.position(), error.to_string()));
    let header = stream.next_section().unwrap().unwrap();
    assert_eq!(stream.next_record::<String>(&header).unwrap().as_deref(), Some("z"));
    assert_eq!(stream.next_record::<String>(&header).unwrap(), None);
    assert!(stream.next_section().unwrap().is_none());
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Default)]
struct Defaults {
    a: u8,
    #[serde(default, skip_serializing_if = "HashMap::is_empty")]
    map: HashMap<String, u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    list: Vec<u8>,
}

#[test]
fn fields_with_defaults() {
    both_ways(
        &[
            Defaults { a: 1, ..Defaults::default() },
            Defaults { a: 2, map: HashMap::from([("x".into(), 1)]), list: vec![3] },
        ],
        &["fields=a,map,list rows=2", "1\t\t", "2\t{\"x\":1}\t[3]"],
    );
}

#[test]
fn lists_and_objects_borrow() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Part<'a> {
        name: &'a str,
    }
    type Borrowed<'a> = (Vec<&'a str>, Vec<&'a str>, Part<'a>);
    let text = "GCX1 tool=t fields=a,b,c\nx,y\t[\"z\"]\t{\"name\":\"n\"}\n";
    let rows: Vec<Borrowed<'_>> = gcx::from_str(text).unwrap();
    assert_eq!(rows, [(vec!["x", "y"], vec!["z"], Part { name: "n" })]);
}

#[test]
fn one_column_of_any_name_may_be_the_value() {
    let text = "GCX1 tool=t fields=line rows=2\n3\n\n";
    assert_eq!(gcx::from_str::<Vec<Option<u8>>>(text).unwrap(), [Some(3), None]);
    let text = "GCX1 tool=t fields=kind\nfunction\n";
    assert_eq!(gcx::from_str::<Vec<Kind>>(text).unwrap(), [Kind::Function]);
}
