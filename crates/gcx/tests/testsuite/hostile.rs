//! Input that is made to hurt, and readers and writers that fail.

use std::collections::HashMap;

use gcx::{Decoder, ErrorKind, Reader, SliceReader};
use serde::Deserialize;
use serde_json::Value;
use wire_conformance::faults::{Dribble, Full, Last};
use wire_core::Limits;

#[derive(Deserialize)]
struct Row {
    f0: String,
    f39999: String,
    other: Option<String>,
}

/// A section with many fields and many short rows: a reader that filled rows up would take time and
/// memory of their product, ten thousand million cells.
#[test]
fn many_fields_and_many_short_rows() {
    const COUNT: usize = 40_000;
    let fields: Vec<String> = (0..COUNT).map(|n| format!("f{n}")).collect();
    let rows = "x\n".repeat(COUNT);
    let text = format!("GCX1 tool=t fields={} rows={COUNT}\n{rows}", fields.join(","));
    let structs: Vec<Row> = gcx::from_str(&text).unwrap();
    assert!(
        structs.iter().all(|row| row.f0 == "x" && row.f39999.is_empty() && row.other.is_none())
    );
    assert_eq!(structs.len(), COUNT);
    let maps: Vec<HashMap<String, String>> = gcx::from_reader(text.as_bytes()).unwrap();
    assert!(maps.iter().all(|row| row.len() == 1));
    let values = gcx::decode_response(&text).unwrap();
    assert_eq!(values[COUNT - 1], serde_json::json!({"f0": "x"}));

    let columns = format!("objects:string{}", ",string*".repeat(COUNT - 1));
    let typed = text.replacen('\n', &format!(" typed={columns}\n"), 1);
    assert_eq!(gcx::decode_response(&typed).unwrap(), values);
    // Where each cell that is missing would make a member, it is an error.
    let full = typed.replace('*', "");
    assert_eq!(gcx::decode_response(&full).unwrap_err().kind(), ErrorKind::InvalidCell);
}

fn is_cell<T>(outcome: Result<T, gcx::Error>) -> bool {
    outcome.is_err_and(|error| error.kind() == ErrorKind::InvalidCell)
}

#[test]
fn nesting_without_end() {
    for open in ["[", "{\"a\":"] {
        let text = format!("GCX1 tool=t fields=value\n{}\n", open.repeat(100_000));
        // For the plain form it is text.
        assert!(gcx::decode_response(&text).unwrap().is_string());
        let objects = gcx::from_str::<Vec<HashMap<String, Value>>>(&text).unwrap();
        assert!(objects[0]["value"].is_string());
        assert!(open != "[" || is_cell(gcx::from_str::<Vec<Vec<Value>>>(&text)));
        let typed = text.replacen("value\n", "value typed=value:json\n", 1);
        assert_eq!(gcx::decode_response(&typed).unwrap_err().kind(), ErrorKind::InvalidCell);
        let list = text.replacen("t fields=value\n", "analyze.cycles fields=nodes rows=1\n", 1);
        assert!(gcx::decode_response(&list).is_err() || open.starts_with('{'));
    }
    // A tree that is deeper than any that JSON readers make.
    let deep = (0..100_000).fold(Value::Null, |inner, _| Value::Array(vec![inner]));
    for outcome in [gcx::encode_layout("t", &deep), gcx::encode_response("t", &deep)] {
        assert_eq!(outcome.unwrap_err().kind(), ErrorKind::TooDeep);
    }
    // Taken apart by hand: dropping it whole would recurse.
    let mut rest = deep;
    while let Value::Array(mut items) = rest {
        rest = items.pop().unwrap_or_default();
    }
}

#[test]
fn lines_of_many_megabytes() {
    let source = "a\tb\n".repeat(1 << 19);
    let text = gcx::to_string("t", [&source]).unwrap();
    assert!(text.len() > 5 << 19);
    assert_eq!(gcx::from_str::<Vec<String>>(&text).unwrap(), std::slice::from_ref(&source));
    assert_eq!(gcx::from_reader::<_, Vec<String>>(text.as_bytes()).unwrap(), [source]);
    let small = Decoder::new().limits(Limits::DEFAULT.with_line_bytes(1 << 20));
    for error in [
        small.from_str::<Vec<String>>(&text).unwrap_err(),
        small.from_reader::<_, Vec<String>>(text.as_bytes()).unwrap_err(),
        small.decode_response(&text).unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::LineTooLong);
    }
}

#[test]
fn slow_and_failing_readers() {
    let text = gcx::to_string("t", ["größe", "b"]).unwrap();
    let slow = |last| Dribble::new(text.as_bytes(), last);
    assert_eq!(gcx::from_reader::<_, Vec<String>>(slow(Last::End)).unwrap(), ["größe", "b"]);
    let error = gcx::from_reader::<_, Vec<String>>(slow(Last::Dies)).unwrap_err();
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Io, "the line went dead"));
    // Nothing follows an error.
    let mut reader = Reader::new(slow(Last::Dies));
    assert!(reader.next_section().unwrap().is_some());
    assert!(reader.next_row().unwrap().is_some() && reader.next_row().unwrap().is_some());
    assert!(reader.next_row().is_err());
    assert!(reader.next_row().unwrap().is_none() && reader.next_section().unwrap().is_none());
}

#[test]
fn failing_writers_are_errors() {
    assert_eq!(gcx::to_writer(Full, "t", [1]).unwrap_err().kind(), ErrorKind::Io);
}

#[test]
fn bytes_that_are_no_text() {
    let input = b"GCX1 tool=t fields=a\ngr\xc3\xb6\xff\n";
    let slice = gcx::from_slice::<Vec<String>>(input).unwrap_err();
    let stream = gcx::from_reader::<_, Vec<String>>(&input[..]).unwrap_err();
    assert_eq!(slice.kind(), ErrorKind::InvalidUtf8);
    assert_eq!((slice.position(), slice.to_string()), (stream.position(), stream.to_string()));
    assert!(SliceReader::from_slice(input).is_err());
}
