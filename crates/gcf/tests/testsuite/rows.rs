//! Rows that are read one by one are those of the whole text, and what is wrong with them is so at
//! the same place.

use std::cell::Cell;

use gcf::Error;
use gcf::{Reader, TableKind, from_slice};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value};

/// Tables with everything that a row can have: indices, attachments by name and by position,
/// schemas that are shared, paths, constants, keys, counts that are left to the trailer; and arrays
/// of items.
const TEXTS: [&str; 13] = [
    "GCF profile=generic\n## rows [3]{id,at,tags}\n@0 1|^{x,y}|^\n10|-\n.tags [2]: a,b\n@1 2|^|-\n3|\"p|q\"\n3|~|\"\"\n",
    "GCF profile=generic\n## [?]{k=\"c,d\",\"a>b\",\"a>c\",v}\n1|2|x\n@1 ~|~|^\n.v [2]{n,m}\n    1|2\n    3|4\n@2 -|-|^\n.v [1]\n    5|6\n# between\n\n4|5|y\n##! summary counts=4\n",
    "GCF profile=generic\n## one [2]{a,b}\n1|true\n2|1.5e3\n## two [2:]{key,n,m}\n@0 x|^|1\n.n {}\n    p=1\n    ## q [1]{z}\n    1\n\"y\\n\"|2|-\n",
    "GCF profile=generic\r\n## t [2]{a,b}\r\n@0 ^|x\r\n.a [?]: 1,2,3\r\n5|\"é\"\r\n##! summary counts=3\r\n",
    "GCF profile=generic\n## t [?]{\"a>\",b}\n@0 ^|1\n.\"a>\" {}\n    x=1\n.\"b>c\" [1]{d}\n    1\n@1 -|2\n.\"b>c\" [1]\n    2\n##! summary counts=2\n",
    "GCF profile=generic\n## t [1]{id,o}\n@0 1|^{a,b}\n2|3\n",
    "GCF profile=generic\n## t [2]{id,o}\n1|~\n@1 2|^\n.o [2]: a,b\n",
    "GCF profile=generic\n## [?]\n@0 =1\n# c\n@1 {}\n  a=1\n  ## b\n    c=2\n\n@2 [2]: x,y\n@3 [2]{a,b}\n  1|2\n  @1 3|^\n  .b {}\n      z=1\n@4 [0]\n@5 {}\n##! summary counts=6\n",
    "GCF profile=generic\n## items [3]\n@0 [2:]{key,a}\n  x|1\n  y|2\n@1 [?]: 1\n@2 =\"a|b\"\n## none [0]\n## t [1]{a}\n1\n##! summary counts=1\n",
    "GCF profile=generic\n## [2]\n@0 {}\n  a=1\n@1 =2\n",
    "GCF profile=generic\n## [2]{a,b}\n##x|1\n##! summaryx|2\n",
    "GCF profile=generic\n## t [?]{a}\n1\n##!xxxxxxxxé\n",
    "GCF profile=generic\n## t [?]{a,b}\n##|1\n@1 ##! summary|2\n##! summary counts=2\n",
];

/// All tables of a text, as the value that they are.
fn by_rows(text: &[u8]) -> Result<Value, Error> {
    let mut reader = Reader::new(text)?;
    let (mut members, mut root) = (Map::new(), None);
    while let Some(table) = reader.next_table()? {
        let rows = if table.kind == TableKind::Map {
            let mut rows = Map::new();
            while let Some((key, row)) = reader.next_member()? {
                rows.insert(key, row);
            }
            Value::Object(rows)
        } else {
            let mut rows = Vec::new();
            while let Some(row) = reader.next_row()? {
                rows.push(row);
            }
            Value::Array(rows)
        };
        match table.name {
            Some(name) => drop(members.insert(name, rows)),
            None => root = Some(rows),
        }
    }
    Ok(root.unwrap_or(Value::Object(members)))
}

#[test]
fn rows_one_by_one_are_those_of_the_whole_text() {
    for text in TEXTS {
        let whole: Value = from_slice(text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(by_rows(text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}")), whole);
    }
}

/// A count that ends with the last line shows that the text is whole, wherever it stands.
#[test]
fn a_text_without_its_last_line_ending_is_whole_to_both_or_to_none() {
    let mut whole = 0;
    for text in TEXTS {
        let cut = text.trim_end_matches(['\r', '\n']).as_bytes();
        let read = from_slice::<Value>(cut);
        whole += usize::from(read.is_ok());
        assert_eq!(by_rows(cut).ok(), read.ok(), "{text}");
    }
    assert!(whole > 2, "{whole}");
}

/// What a type says of a row has the place of the row, also where the type says it of the whole
/// row.
#[test]
fn what_a_type_refuses_is_so_at_its_row() {
    #[derive(Debug, serde::Deserialize)]
    #[serde(try_from = "Map<String, Value>")]
    struct Small;
    impl TryFrom<Map<String, Value>> for Small {
        type Error = String;
        fn try_from(row: Map<String, Value>) -> Result<Self, String> {
            if row["a"] == 1 { Ok(Small) } else { Err("a is not 1".to_owned()) }
        }
    }
    let text = "GCF profile=generic\n## t [2]{a}\n1\n# between\n2\n";
    let mut reader = Reader::new(text.as_bytes()).unwrap();
    reader.next_table().unwrap().unwrap();
    assert!(reader.next_row::<Small>().unwrap().is_some());
    let error = reader.next_row::<Small>().unwrap_err();
    let place = error.position().unwrap();
    assert_eq!((error.code(), place.line, place.column), ("invalid_value", 5, 1));
}

#[test]
fn what_is_wrong_with_a_row_is_so_at_its_place() {
    for (text, code, line, column, offset) in [
        ("## t [2]{a,b}\n1|2\n3|\"x\n", "unterminated_quote", 4, 5, 42),
        ("## t [2]{a,b}\n1|2\n# c\n\n@1 3|99999999999999999999\n", "out_of_range", 6, 6, 48),
        ("## t [1]{a}\n@0 ^\n.a {}\n    x=1\n    x=2\n", "duplicate_key", 6, 5, 55),
    ] {
        let text = format!("GCF profile=generic\n{text}");
        let error = by_rows(text.as_bytes()).unwrap_err();
        let place = error.position().unwrap();
        assert_eq!(
            (error.code(), place.line, place.column, place.offset),
            (code, line, column, offset)
        );
        let whole = from_slice::<Value>(text.as_bytes()).unwrap_err();
        assert_eq!((whole.code(), whole.position()), (code, Some(place)));
    }
}

fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let change = (
        any::<prop::sample::Index>(),
        0..3_u8,
        prop::sample::select(&b"0^~-|@.\"{}[],:# \n\rkx"[..]),
    );
    let cut = any::<bool>();
    (prop::sample::select(&TEXTS[..]), prop::collection::vec(change, 1..4), cut).prop_map(
        |(text, changes, cut)| {
            let mut bytes = text.as_bytes().to_vec();
            if cut {
                bytes.pop();
            }
            for (index, what, byte) in changes {
                let at = index.index(bytes.len());
                match what {
                    0 => bytes[at] = byte,
                    1 => bytes.insert(at, byte),
                    _ => drop(bytes.remove(at)),
                }
            }
            bytes
        },
    )
}

/// What is found where lines are cut: in the whole text before anything else, row by row when it is
/// their turn.
const OF_LINES: [&str; 5] =
    ["invalid_utf8", "invalid_indent", "tab_indentation", "unrecognized_line", "count_mismatch"];

#[test]
fn damage_is_told_alike() {
    let compared = Cell::new(0);
    let mut runner = TestRunner::new(ProptestConfig {
        cases: 4096,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let alike = |bytes: Vec<u8>| {
        match (by_rows(&bytes), from_slice::<Value>(&bytes)) {
            (Ok(rows), whole) => prop_assert_eq!(whole.expect("because its rows are read"), rows),
            // What is no table, and what stands in groups, is the decoder's alone.
            (Err(error), Ok(_)) => {
                let alone = ["unrecognized_line", "not_streamable", "count_mismatch"];
                prop_assert!(alone.contains(&error.code()), "{}", error);
            }
            (Err(rows), Err(whole)) => {
                let is_of_lines = |error: &Error| OF_LINES.contains(&error.code());
                if !is_of_lines(&rows) && !is_of_lines(&whole) {
                    compared.set(compared.get() + 1);
                    prop_assert_eq!(rows.code(), whole.code(), "{} / {}", &rows, &whole);
                    prop_assert_eq!(rows.position(), whole.position(), "{} / {}", &rows, &whole);
                }
            }
        }
        Ok(())
    };
    runner.run(&damaged(), alike).unwrap_or_else(|failure| panic!("{failure}"));
    assert!(compared.get() > 1_000, "only {} errors were compared", compared.get());
}
