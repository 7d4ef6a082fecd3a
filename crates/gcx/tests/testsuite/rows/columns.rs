//! The columns and cells of every kind of type, in both directions.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{External, Kind, Range, Sparse, both_ways};

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Everything {
    zebra: String,
    #[serde(rename = "kind")]
    what: Kind,
    line: Option<u32>,
    delta: i64,
    score: f64,
    single: f32,
    large: u128,
    exported: bool,
    letter: char,
    tags: Vec<String>,
    pair: (u8, String),
    range: Range,
    counts: BTreeMap<u8, i8>,
    nothing: (),
}

#[test]
fn fields_of_every_type() {
    both_ways(
        &[
            Everything {
                zebra: "#1\ta\\b\nGCX1".into(),
                what: Kind::TypeAlias,
                line: Some(7),
                delta: i64::MIN,
                score: 1e-7,
                single: 0.1,
                large: u128::MAX,
                exported: true,
                letter: '\t',
                tags: vec!["a,b".into(), "<c>".into()],
                pair: (3, "x".into()),
                range: Range { start: 1, end: 2 },
                counts: BTreeMap::from([(10, -1), (9, 1)]),
                nothing: (),
            },
            Everything {
                zebra: String::new(),
                what: Kind::Function,
                line: None,
                delta: 0,
                score: 1e21,
                single: f32::MAX,
                large: 0,
                exported: false,
                letter: '"',
                tags: vec![],
                pair: (0, String::new()),
                range: Range { start: 0, end: 0 },
                counts: BTreeMap::new(),
                nothing: (),
            },
        ],
        &[
            "fields=zebra,kind,line,delta,score,single,large,exported,letter,tags,pair,range,counts,nothing rows=2",
            "\\#1\\ta\\\\b\\nGCX1\ttype_alias\t7\t-9223372036854775808\t1e-7\t0.1\t340282366920938463463374607431768211455\ttrue\t\\t\t[\"a,b\",\"<c>\"]\t[3,\"x\"]\t{\"end\":2,\"start\":1}\t{\"10\":-1,\"9\":1}\t",
            "\tfunction\t\t0\t1e+21\t3.4028235e+38\t0\tfalse\t\"\t[]\t[0,\"\"]\t{\"end\":0,\"start\":0}\t{}\t",
        ],
    );
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Default)]
struct Flat {
    id: String,
    #[serde(flatten)]
    range: Option<FlatRange>,
    #[serde(flatten)]
    more: HashMap<String, Value>,
    last: u8,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct FlatRange {
    start: u32,
    end: u32,
}

#[test]
fn flattened_fields_stand_where_they_are_declared_and_keys_are_sorted() {
    // A hash map, whose order is another in each run.
    let more = |keys: &[&str]| keys.iter().map(|&key| (key.to_owned(), json!(key.len()))).collect();
    let rows = [
        Flat { id: "a".into(), more: more(&["zz", "m", "q"]), last: 1, ..Flat::default() },
        Flat {
            id: "b".into(),
            range: Some(FlatRange { start: 1, end: 2 }),
            more: more(&["n", "zz", "aaa"]),
            last: 2,
        },
    ];
    assert_eq!(
        gcx::to_string("t", &rows).unwrap(),
        "GCX1 tool=t fields=id,m,q,zz,start,end,aaa,n,last rows=2\n\
         a\t1\t1\t2\t\t\t\t\t1\nb\t\t\t2\t1\t2\t3\t1\t2\n"
    );
    let back: Vec<Flat> =
        gcx::from_str("GCX1 tool=t fields=id,start,end,k,last\nb\t1\t2\ttrue\t9\n").unwrap();
    let expected = Flat {
        id: "b".into(),
        range: Some(FlatRange { start: 1, end: 2 }),
        more: HashMap::from([("k".to_owned(), json!(true))]),
        last: 9,
    };
    assert_eq!(back, [expected]);
}

#[test]
fn fields_that_are_left_out_have_their_place() {
    both_ways(
        &[
            Sparse { a: 1, c: 3, ..Sparse::default() },
            Sparse { a: 1, b: Some(2), c: 3, d: Some(4) },
        ],
        &["fields=a,b,c,d rows=2", "1\t\t3\t", "1\t2\t3\t4"],
    );
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Default)]
struct AllSkipped {
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
}

#[test]
fn rows_without_any_field() {
    both_ways(&[AllSkipped::default(), AllSkipped::default()], &["fields=value rows=2", "", ""]);
    both_ways(&[BTreeMap::<String, u8>::new()], &["fields=value rows=1", "{}"]);
    both_ways::<Sparse>(&[], &["fields=value rows=0"]);
}

#[test]
fn maps_have_a_column_for_each_key() {
    let rows = [
        BTreeMap::from([("b", 1), ("größe", 2)]),
        BTreeMap::from([("a", 3), ("B", 4), ("x=y z", 5)]),
    ];
    let text = gcx::to_string("t", &rows).unwrap();
    assert_eq!(text, "GCX1 tool=t fields=B,a,b,größe,x\\=y\\ z rows=2\n\t\t1\t2\t\n4\t3\t\t\t5\n");
    let back: Vec<BTreeMap<String, Option<u8>>> = gcx::from_str(&text).unwrap();
    assert_eq!(back[0].get("b"), Some(&Some(1)));
    assert_eq!(back[0].get("a"), Some(&None));
    // The same as what a tree of values gives.
    let tree = serde_json::to_value(&rows).unwrap();
    assert_eq!(gcx::to_string("t", tree.as_array().unwrap()).unwrap(), text);
    assert_eq!(gcx::encode_layout("t", &tree).unwrap(), text);
}

#[test]
fn values_are_cells_of_one_column() {
    both_ways(&[1.5, -3.0], &["fields=value rows=2", "1.5", "-3"]);
    both_ways(
        &["a".to_owned(), String::new(), "#".into()],
        &["fields=value rows=3", "a", "", "\\#"],
    );
    both_ways(&[Some(true), None], &["fields=value rows=2", "true", ""]);
    both_ways(&[vec![1, 2], vec![]], &["fields=value rows=2", "[1,2]", "[]"]);
    both_ways(
        &[(1, "a".to_owned()), (2, "b".to_owned())],
        &["fields=value rows=2", "[1,\"a\"]", "[2,\"b\"]"],
    );
    both_ways(&[Kind::Function], &["fields=value rows=1", "function"]);
}

#[test]
fn a_map_may_have_one_member_called_value() {
    let map = |text: &str| HashMap::from([("value".to_owned(), text.to_owned())]);
    both_ways(&[map("x"), map("{@id}")], &["fields=value rows=2", "x", "{@id}"]);
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(tag = "type")]
enum Internal {
    Call { from: String },
    Import { path: String, depth: u8 },
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Call { from: String },
    Count(u8),
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(untagged)]
enum Untagged {
    Named { name: String },
    Counted { count: u64 },
}

#[test]
fn enums_in_each_representation() {
    both_ways(
        &[
            External::Note("n".into()),
            External::Call { from: "a".into(), at: 3 },
            External::Pair(1, 2),
        ],
        &["fields=Note,Call,Pair rows=3", "n\t\t", "\t{\"at\":3,\"from\":\"a\"}\t", "\t\t[1,2]"],
    );
    both_ways(
        &[Internal::Call { from: "a".into() }, Internal::Import { path: "p".into(), depth: 1 }],
        &["fields=type,from,path,depth rows=2", "Call\ta\t\t", "Import\t\tp\t1"],
    );
    both_ways(
        &[Adjacent::Call { from: "a".into() }, Adjacent::Count(3)],
        &["fields=t,c rows=2", "Call\t{\"from\":\"a\"}", "Count\t3"],
    );
    both_ways(&[Untagged::Named { name: "a".into() }], &["fields=name rows=1", "a"]);
    both_ways(&[Untagged::Counted { count: 3 }], &["fields=count rows=1", "3"]);
}

/// Rows are looked over for bytes to escape as wholes, so that one such byte is the least that
/// there is.
#[test]
fn one_byte_to_escape_in_a_row() {
    for (byte, escaped) in [("\t", "\\t"), ("\n", "\\n"), ("\\", "\\\\")] {
        for cell in [byte.to_owned(), format!("a{byte}"), format!("{byte}b"), format!("a{byte}b")] {
            let shown = cell.replace(byte, escaped);
            for at in 0..3 {
                let mut row = ["x".to_owned(), "y".to_owned(), "z".to_owned()];
                row[at].clone_from(&cell);
                let mut line = row.clone();
                line[at].clone_from(&shown);
                let columns = ["a", "b", "c"].map(str::to_owned).into_iter();
                let row: BTreeMap<_, _> = columns.zip(row).collect();
                both_ways(&[row], &["fields=a,b,c rows=1", &line.join("\t")]);
            }
            let one = BTreeMap::from([("a".to_owned(), cell.clone())]);
            both_ways(&[one], &["fields=a rows=1", &shown]);
        }
    }
    let returned = gcx::to_string("t", [BTreeMap::from([("a", "x\ry"), ("b", "z")])]).unwrap();
    assert_eq!(returned, "GCX1 tool=t fields=a,b rows=1\nxy\tz\n");
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(tag = "t", content = "c")]
enum Signal {
    Ping,
    Count(u8),
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(tag = "type")]
enum Change {
    Import { depth: Option<u8>, by: Option<String> },
    Drop,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Event {
    at: u8,
    #[serde(flatten)]
    what: External,
}

#[test]
fn empty_cells_are_no_members_where_the_type_does_not_say() {
    both_ways(
        &[Untagged::Named { name: "a".into() }, Untagged::Counted { count: 3 }],
        &["fields=name,count rows=2", "a\t", "\t3"],
    );
    both_ways(&[Signal::Ping, Signal::Count(3)], &["fields=t,c rows=2", "Ping\t", "Count\t3"]);
    both_ways(
        &[
            Change::Import { depth: None, by: None },
            Change::Drop,
            Change::Import { depth: Some(1), by: Some("a".into()) },
        ],
        &["fields=type,depth,by rows=3", "Import\t\t", "Drop\t\t", "Import\t1\ta"],
    );
    // A variant that is flattened has to be the only one with a cell.
    both_ways(
        &[Event { at: 1, what: External::Pair(1, 2) }],
        &["fields=at,Pair rows=1", "1\t[1,2]"],
    );
}

#[derive(Serialize, Deserialize, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Id(String);

#[test]
fn keys_that_are_no_strings() {
    both_ways(&[BTreeMap::from([(1u32, 2), (10, 3)])], &["fields=1,10 rows=1", "2\t3"]);
    both_ways(&[BTreeMap::from([(true, 2)])], &["fields=true rows=1", "2"]);
    both_ways(&[BTreeMap::from([(Id("a".into()), 2)])], &["fields=a rows=1", "2"]);
    both_ways(&[BTreeMap::from([('x', 2)])], &["fields=x rows=1", "2"]);
}

#[test]
fn json_that_is_text_already() {
    let raw = |text: &str| serde_json::value::RawValue::from_string(text.to_owned()).unwrap();
    let rows = [BTreeMap::from([("a", raw("{ \"z\": 1.0, \"b\": [] }")), ("b", raw("\"x\""))])];
    assert_eq!(
        gcx::to_string("t", &rows).unwrap(),
        "GCX1 tool=t fields=a,b rows=1\n{\"b\":[],\"z\":1}\tx\n"
    );
    assert_eq!(gcx::to_string("t", [raw("3")]).unwrap(), "GCX1 tool=t fields=value rows=1\n3\n");
}
