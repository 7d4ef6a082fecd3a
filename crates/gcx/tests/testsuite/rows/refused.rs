//! Rows that can't be written, and texts that can't be read.

use std::collections::BTreeMap;

use gcx::{Decoder, Encoder, ErrorKind, SliceReader};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{External, Kind, Range};

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
    say("128 levels in a response", gcx::encode_layout("t", &json!({"a": deep(128)})));
    say("no tool", gcx::to_string("", [1]));
    say("typed as metadata", Encoder::new().meta("typed", "x").to_string("t", [1]));
    say("metadata twice", Encoder::new().meta("a", "x").meta("a", "y").to_string("t", [1]));
    say("rows as metadata", Encoder::new().meta("rows", "1").to_string("t", [1]));
    insta::assert_snapshot!(text);
    // As deep as serde_json reads.
    for value in [deep(127), json!({"a": deep(127)})] {
        let text = gcx::encode_layout("t", &value).unwrap();
        assert_eq!(gcx::decode_response(&text).unwrap(), value);
        let text = gcx::encode_response("t", &value).unwrap();
        assert_eq!(gcx::decode_response(&text).unwrap(), value);
    }
    assert_eq!(
        Encoder::new().escape_commas(true).to_string("t", [BTreeMap::from([("a,b", 1)])]).unwrap(),
        "GCX1 tool=t fields=a\\,b rows=1\n1\n"
    );
}

/// The outcomes of both readers.
fn rows<T: DeserializeOwned>(text: &str) -> Result<(), gcx::Error> {
    let stream = gcx::from_reader::<_, Vec<T>>(text.as_bytes()).map(drop);
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
    let decoder = Decoder::new().require_final_newline(true);
    say("a cut", decoder.from_str::<Vec<u8>>("GCX1 tool=t fields=value rows=1\n1").map(drop));
    insta::assert_snapshot!(text);
}

#[test]
fn a_header_of_another_section_is_an_error() {
    let text = "GCX1 tool=a fields=x\n1\nGCX1 tool=b fields=x,y\n1\t2\n";
    let mut reader = SliceReader::new(text);
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
    let text = gcx::encode_layout("t", &response).unwrap();
    assert!(text.starts_with("GCX1 tool=t fields=value\n{"));
    assert_eq!(gcx::decode_response(&text).unwrap(), response);
}
