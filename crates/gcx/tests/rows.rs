//! Rows from types, and back: what serde's attributes do to columns and cells.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use gcx::{Decoder, Encoder, ErrorKind, Reader, StreamReader};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Writes rows, checks the lines, and reads them back.
#[track_caller]
fn both_ways<T>(rows: &[T], lines: &[&str])
where
    T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let text = gcx::to_string("t", rows).expect("because it is a row");
    assert_eq!(text, format!("GCX1 tool=t {}\n", lines.join("\n")));
    assert_eq!(gcx::to_vec("t", rows).expect("because it is a row"), text.as_bytes());
    let mut written = Vec::new();
    gcx::to_writer(&mut written, "t", rows).expect("because it is a row");
    assert_eq!(written, text.as_bytes());
    assert_eq!(gcx::from_str::<Vec<T>>(&text).expect("because it is a row"), rows, "{text}");
    assert_eq!(gcx::from_slice::<Vec<T>>(text.as_bytes()).expect("because it is a row"), rows);
    assert_eq!(gcx::from_reader::<Vec<T>>(text.as_bytes()).expect("because it is a row"), rows);
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Function,
    TypeAlias,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Range {
    start: u32,
    end: u32,
}

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

#[derive(Serialize, Deserialize, PartialEq, Debug, Default)]
struct Sparse {
    a: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<u8>,
    c: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    d: Option<u8>,
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
    assert_eq!(gcx::encode_response("t", &tree).unwrap(), text);
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
enum External {
    Call { from: String, at: u32 },
    Pair(u8, u8),
    Note(String),
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

/// Rows are looked over for bytes to escape as wholes, so that one such byte is the least that there is.
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
    let mut reader = Reader::new(text);
    let header = reader.next_section().unwrap().unwrap();
    assert_eq!(reader.next_record::<(&str, u8)>(&header).unwrap(), Some(("x", 1)));
    let error = reader.next_record::<(&str, u8)>(&header).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 3, column 3: the cell is \"two\", expected an integer of the type u8"
    );
    let mut stream = StreamReader::new(text.as_bytes());
    let header = stream.next_section().unwrap().unwrap();
    stream.next_record::<(String, u8)>(&header).unwrap();
    let late = stream.next_record::<(String, u8)>(&header).unwrap_err();
    assert_eq!((late.position(), late.to_string()), (error.position(), error.to_string()));
    let header = stream.next_section().unwrap().unwrap();
    assert_eq!(stream.next_record::<String>(&header).unwrap().as_deref(), Some("z"));
    assert_eq!(stream.next_record::<String>(&header).unwrap(), None);
    assert!(stream.next_section().unwrap().is_none());
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the signature is serde's
fn refuse<S: serde::Serializer>(_: &u8, _: S) -> Result<S::Ok, S::Error> {
    Err(serde::ser::Error::custom("it does not want to"))
}

#[test]
fn what_cannot_be_written() {
    #[derive(Serialize)]
    struct Row<T> {
        id: &'static str,
        value: T,
    }
    #[derive(Serialize)]
    struct Refuses(#[serde(serialize_with = "refuse")] u8);
    #[derive(Serialize)]
    struct Twice {
        a: u8,
        #[serde(flatten)]
        more: BTreeMap<&'static str, u8>,
    }
    let deep = |levels: usize| (1..levels).fold(json!([]), |inner, _| json!([inner]));
    let mut text = String::new();
    let mut say = |what: &str, outcome: Result<String, gcx::Error>| {
        let error = outcome.expect_err(what);
        text += &format!("{what}\n    {}: {error}\n", error.code());
    };
    let row = |value| [Row { id: "a", value: 0.0 }, Row { id: "b", value }];
    say("NaN", gcx::to_string("t", row(f64::NAN)));
    say("an infinity", gcx::to_string("t", row(f64::NEG_INFINITY)));
    say("NaN in an array", gcx::to_string("t", [Row { id: "a", value: vec![f32::NAN] }]));
    say(
        "a key of bytes",
        gcx::to_string("t", [Row { id: "a", value: BTreeMap::from([(vec![1], 1)]) }]),
    );
    say("a key of nothing", gcx::to_string("t", [BTreeMap::from([((), 1)])]));
    say("a value among rows", gcx::to_string("t", [json!({"a": 1}), json!(2)]));
    say("nothing among rows", gcx::to_string("t", [Some(Range { start: 1, end: 2 }), None]));
    say("a value that refuses", gcx::to_string("t", [Row { id: "a", value: Refuses(1) }]));
    say("a field twice", gcx::to_string("t", [Twice { a: 1, more: BTreeMap::from([("a", 2)]) }]));
    say(
        "a key twice in an object",
        gcx::to_string(
            "t",
            [Row { id: "a", value: Twice { a: 1, more: BTreeMap::from([("a", 2)]) } }],
        ),
    );
    say("a comma in a key", gcx::to_string("t", [BTreeMap::from([("a,b", 1)])]));
    say("an empty key", gcx::to_string("t", [BTreeMap::from([("", 1)])]));
    say("128 levels", gcx::to_string("t", [deep(128)]));
    say("128 levels in a response", gcx::encode_response("t", &json!({"a": deep(128)})));
    say("no tool", gcx::to_string("", [1]));
    say("typed as metadata", Encoder::new().with_meta("typed", "x").to_string("t", [1]));
    say(
        "metadata twice",
        Encoder::new().with_meta("a", "x").with_meta("a", "y").to_string("t", [1]),
    );
    say("rows as metadata", Encoder::new().with_meta("rows", "1").to_string("t", [1]));
    insta::assert_snapshot!(text);
    // As deep as serde_json reads.
    for value in [deep(127), json!({"a": deep(127)})] {
        let text = gcx::encode_response("t", &value).unwrap();
        assert_eq!(gcx::decode_response(&text).unwrap(), value);
        let text = gcx::encode_typed("t", &value).unwrap();
        assert_eq!(gcx::decode_response(&text).unwrap(), value);
    }
    assert_eq!(
        Encoder::new().escape_commas().to_string("t", [BTreeMap::from([("a,b", 1)])]).unwrap(),
        "GCX1 tool=t fields=a\\,b rows=1\n1\n"
    );
}

/// What both readers say of rows.
fn rows<T: DeserializeOwned>(text: &str) -> Result<(), gcx::Error> {
    let stream = gcx::from_reader::<Vec<T>>(text.as_bytes()).map(drop);
    let slice = gcx::from_str::<Vec<T>>(text).map(drop);
    let shown = |outcome: &Result<(), gcx::Error>| {
        outcome.as_ref().map_err(|error| (error.to_string(), error.position())).map(drop)
    };
    assert_eq!(shown(&stream), shown(&slice));
    slice
}

#[test]
fn what_cannot_be_read() {
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct Row {
        id: String,
        n: u8,
        #[serde(default)]
        tags: Vec<String>,
        #[serde(default)]
        range: Option<Range>,
    }
    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Strict {
        id: String,
    }
    let mut text = String::new();
    let mut say = |input: &str, outcome: Result<(), gcx::Error>| {
        let error = outcome.expect_err(input);
        text += &format!("{input:?}\n    {}: {error}\n", error.code());
    };
    for input in [
        "GCX1 tool=t fields=id,n\na\t256\n",
        "GCX1 tool=t fields=id,n\na\t+1\n",
        "GCX1 tool=t fields=id,n\ngröße\t\n",
        "GCX1 tool=t fields=id,n\na\n",
        "GCX1 tool=t fields=id\na\n",
        "GCX1 tool=t fields=id,n,tags\na\t1\t[1\n",
        "GCX1 tool=t fields=id,n,tags\na\t1\t[1]\n",
        "GCX1 tool=t fields=id,n,range\na\t1\tx\n",
        "GCX1 tool=t fields=id,n,range\na\t1\t{\"start\":1}\n",
        "GCX1 tool=t fields=id,n,range\na\t1\t{\"start\":1,\"start\":1,\"end\":2}\n",
        "GCX1 tool=t fields=id,n\na\t1\nGCX1 tool=u fields=id\n",
        "GCX1 tool=t fields=id,n rows=2\na\t1\n",
        "",
    ] {
        say(input, rows::<Row>(input));
    }
    say("Strict", rows::<Strict>("GCX1 tool=t fields=id,n\na\t1\n"));
    say("a variant", rows::<Kind>("GCX1 tool=t fields=value\nmethod\n"));
    say("no variant", rows::<External>("GCX1 tool=t fields=Note,Pair\n\t\n"));
    say("two variants", rows::<External>("GCX1 tool=t fields=Note,Pair\nx\t[1,2]\n"));
    say("a truth value", rows::<bool>("GCX1 tool=t fields=value\nTrue\n"));
    say("a double", rows::<f64>("GCX1 tool=t fields=value\nNaN\n"));
    say("a single", rows::<f32>("GCX1 tool=t fields=value\n1e39\n"));
    say("a letter", rows::<char>("GCX1 tool=t fields=value\nab\n"));
    say("a tuple", rows::<(u8, u8)>("GCX1 tool=t fields=a,b,c\n1\t2\t3\n"));
    say("a scalar of many columns", rows::<u8>("GCX1 tool=t fields=a,b\n1\t2\n"));
    say("rows too many", gcx::from_str::<[u8; 1]>("GCX1 tool=t fields=value\n1\n2\n").map(drop));
    say("rows too few", gcx::from_str::<[u8; 2]>("GCX1 tool=t fields=value\n1\n").map(drop));
    say("no row", gcx::from_str::<Range>("GCX1 tool=t fields=start,end\n").map(drop));
    let decoder = Decoder::new().require_final_newline();
    say("a cut", decoder.from_str::<Vec<u8>>("GCX1 tool=t fields=value rows=1\n1").map(drop));
    insta::assert_snapshot!(text);
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

#[test]
fn a_header_of_another_section_is_an_error() {
    let text = "GCX1 tool=a fields=x\n1\nGCX1 tool=b fields=x,y\n1\t2\n";
    let mut reader = Reader::new(text);
    let first = reader.next_section().unwrap().unwrap();
    reader.next_section().unwrap();
    let error = reader.next_record::<BTreeMap<String, u8>>(&first).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidRow);
}

#[test]
fn names_that_each_row_would_have_again() {
    let long = "x".repeat(257);
    let text = format!("GCX1 tool=t fields={long},b\n1\n");
    let error = gcx::from_str::<Vec<Value>>(&text).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidShape);
    assert_eq!(gcx::decode_response(&text).unwrap_err().kind(), ErrorKind::InvalidShape);
    // A response with such a key is one value.
    let response = json!({ long: 1 });
    let text = gcx::encode_response("t", &response).unwrap();
    assert!(text.starts_with("GCX1 tool=t fields=value\n{"));
    assert_eq!(gcx::decode_response(&text).unwrap(), response);
}
