//! What makes an input cheap to send and easy to look at: types of CSV, the input among the
//! formats, tables that fit.

use std::fs;
use std::path::Path;

use crate::common::{folder, shown, text, wirefmt};
use serde_json::{Value, json};

/// Columns of every type, and of texts that look like one.
const TYPES: &str = "\
id,zip,price,rate,sign,paid,mixed,note,none,big
1,007,19.99,1.50,+1,true,true,,,9223372036854775808
2,123,5,2,2,false,1,hello,,1
-3,,,0.1,3,,x,\"a, b\",,2
";

/// The outputs of these, one after the other.
fn report(folder: &Path, commands: &[&[&str]]) -> String {
    let one = |arguments: &&[&str]| {
        let output = wirefmt(folder, arguments, b"");
        format!("$ wirefmt {}\n{}\n", arguments.join(" "), shown(&output))
    };
    commands.iter().map(one).collect()
}

#[test]
fn types_are_inferred_and_reported() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("types.csv"), TYPES).unwrap();
    fs::write(path.join("types.tsv"), "a\tb\n1\tx\n").unwrap();
    fs::write(path.join("none.csv"), "a,b\n").unwrap();
    insta::assert_snapshot!(report(
        path,
        &[
            &["convert", "types.csv", "--to", "json", "--infer-types"],
            &["convert", "types.csv", "--to", "gcf", "--infer-types", "-q"],
            &["convert", "types.csv", "--to", "gcx", "--infer-types", "--typed", "-q"],
            &["convert", "types.csv", "--to", "json", "--infer-types", "--message-format", "json"],
            &["auto", "types.csv", "--infer-types", "--among", "json"],
            &[
                "stats",
                "types.tsv",
                "--infer-types",
                "--counter",
                "word-punctuation",
                "--format",
                "csv"
            ],
            &["view", "types.csv", "--infer-types"],
            &["check", "types.csv", "types.tsv", "--infer-types"],
            &["convert", "none.csv", "--to", "json", "--infer-types"],
            &["convert", "pack.json", "--to", "gcf", "--infer-types"],
            &["view", "pack.json", "--infer-types"],
        ]
    ));
    // Of the same file on standard input.
    let piped = ["convert", "-", "--from", "csv", "--to", "json", "--infer-types", "-q"];
    let output = wirefmt(path, &piped, TYPES.as_bytes());
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value[0]["id"], json!(1));
}

/// The text of a column that is its name and its two cells.
type CellOf<'a> = &'a dyn Fn(&(String, [&str; 2])) -> String;

/// What was inferred is written back as the text that it was.
#[test]
fn inferred_types_lose_no_text() {
    let folder = folder();
    let cells = [
        "0",
        "-0",
        "1",
        "01",
        "1.0",
        "0.1",
        "-0.1",
        "1e5",
        "1e-7",
        "0.00001",
        "1e21",
        "100000000000000000000",
        "12345678.9",
        "0.30000000000000004",
        "9007199254740993",
        "1.7976931348623157e308",
        "inf",
        "nan",
        "null",
        "true",
        "TRUE",
        " 1",
        "1,5",
        "5.",
        ".5",
        "--1",
        "1_0",
        "٣",
    ];
    // A column for each two of them.
    let columns: Vec<(String, [&str; 2])> = cells
        .iter()
        .flat_map(|first| ["", "7", "true", "2.5", first].map(|second| [*first, second]))
        .enumerate()
        .map(|(number, cells)| (format!("a{number}"), cells))
        .collect();
    let line = |cell: CellOf<'_>| {
        columns.iter().map(|column| format!("\"{}\"", cell(column))).collect::<Vec<_>>().join(",")
    };
    let csv = format!(
        "{}\n{}\n{}\n",
        line(&|column| column.0.clone()),
        line(&|column| column.1[0].to_owned()),
        line(&|column| column.1[1].to_owned())
    );
    for to in ["json", "gcf", "gcx"] {
        let there = ["convert", "-", "--from", "csv", "--to", to, "--infer-types", "-q"];
        let there = [&there[..], if to == "gcx" { &["--typed"] } else { &[] }].concat();
        let output = wirefmt(folder.path(), &there, csv.as_bytes());
        assert!(output.status.success(), "{to}: {}", shown(&output));
        let back = ["convert", "-", "--from", to, "--to", "json", "-q"];
        let output = wirefmt(folder.path(), &back, &output.stdout);
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        for (name, cells) in &columns {
            for (row, cell) in cells.iter().enumerate() {
                let found = match &value[row][name] {
                    Value::Null => String::new(),
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                assert_eq!(&found, cell, "{to} {name} {cells:?}");
            }
        }
    }
}

#[test]
fn auto_never_makes_an_input_larger() {
    let folder = folder();
    let path = folder.path();
    let inputs = [
        ("a.csv", "id,name\n1,a\n2,b\n"),
        ("b.csv", "id\n1\n"),
        ("c.yaml", "a: 1\nb: [x, y]\n"),
        ("d.toml", "a = 1\n"),
        ("e.jsonl", "{\"a\":1}\n{\"a\":2}\n"),
        ("f.json", "{\"a\": [1, 2, {\"b\": null}]}"),
        ("g.gcf", "GCF profile=generic\n# a comment\na=1\n"),
        ("h.gcx", "GCX1 tool=foo fields=a,b etag=x\n1\t2\n"),
        ("i.xml", "<context tool='t' tokens_used='0' token_budget='0' trace='1'/>"),
        ("j.tsv", "a\tb\n"),
    ];
    for (name, input) in inputs {
        fs::write(path.join(name), input).unwrap();
        for counter in ["word-punctuation", "cl100k_base", "o200k_base"] {
            let output = wirefmt(path, &["auto", name, "--counter", counter], b"");
            assert!(output.status.success(), "{}", shown(&output));
            let counter = wire_tokens::Counter::from_name(counter).unwrap();
            let count = |text: &str| wire_core::TokenCounter::count(&counter, text);
            assert!(count(&text(&output.stdout)) <= count(input), "{}", shown(&output));
            if text(&output.stderr).contains("kept as it is") {
                assert_eq!(text(&output.stdout), input);
            }
        }
    }
    // In a folder it keeps its extension, and is known to be there.
    fs::create_dir(path.join("in")).unwrap();
    fs::copy(path.join("a.csv"), path.join("in/a.csv")).unwrap();
    insta::assert_snapshot!(report(
        path,
        &[
            &["auto", "in", "-O", "out"],
            &["auto", "in", "-O", "out", "--skip-existing"],
            &["auto", "a.csv", "-o", "a.json"],
            &["auto", "i.xml"],
            &["auto", "i.xml", "--allow-loss", "any"],
        ]
    ));
    assert_eq!(fs::read_to_string(path.join("out/a.csv")).unwrap(), inputs[0].1);
}

#[test]
fn rows_are_offered_as_gcx_and_shown_beside_toon() {
    let folder = folder();
    let path = folder.path();
    let row =
        |id: u32| json!({ "id": id, "name": format!("name {id}"), "active": id.is_multiple_of(2) });
    let rows: Vec<Value> = (0..20).map(row).collect();
    fs::write(path.join("rows.json"), Value::from(rows).to_string()).unwrap();
    fs::write(path.join("big.json"), "{\"a\":123456789012345678901234567890}").unwrap();
    let stats = ["stats", "rows.json", "--counter", "o200k_base", "--format", "json"];
    let object: Value = serde_json::from_slice(&wirefmt(path, &stats, b"").stdout).unwrap();
    let formats: Vec<&str> = object["formats"]
        .as_array()
        .unwrap()
        .iter()
        .map(|format| format["format"].as_str().unwrap())
        .collect();
    let toon: &[&str] = if cfg!(feature = "toon") { &["toon"] } else { &[] };
    assert_eq!(formats, [&["input", "json", "json-pretty", "gcf", "gcx"], toon].concat());
    insta::assert_snapshot!(report(
        path,
        &[
            &["auto", "rows.json", "--among", "gcx", "--counter", "o200k_base"],
            &["stats", "rows.json", "--counter", "o200k_base"],
            &["stats", "big.json", "--counter", "o200k_base"],
        ]
    ));
    // What is counted in parallel comes out in one order.
    let again: Value = serde_json::from_slice(&wirefmt(path, &stats, b"").stdout).unwrap();
    assert_eq!(again, object);
}

#[test]
fn views_have_the_columns_that_fit() {
    let folder = folder();
    let path = folder.path();
    let wide = |row: u32| -> Value {
        let member =
            |column: u32| (format!("column_{column}"), json!(format!("value {row}/{column}")));
        (0..12).map(member).collect::<serde_json::Map<_, _>>().into()
    };
    let rows: Vec<Value> = (0..5).map(wide).collect();
    fs::write(path.join("wide.json"), Value::from(rows).to_string()).unwrap();
    let long = json!([{ "id": 1, "text": "lorem ipsum ".repeat(30), "名前": "東京".repeat(40) }, { "id": 2 }]);
    fs::write(path.join("long.json"), long.to_string()).unwrap();
    fs::write(path.join("two.json"), "{\"a\":[{\"x\":1}],\"b\":[{\"y\":2}],\"c\":3}").unwrap();
    fs::write(path.join("text.json"), "[1,\"x\"]").unwrap();
    insta::assert_snapshot!(report(
        path,
        &[
            &["view", "wide.json"],
            &["view", "wide.json", "--width", "60", "--max-rows", "2"],
            &["view", "wide.json", "--width", "0", "--max-rows", "1"],
            &["view", "wide.json", "--width", "1", "--max-rows", "0"],
            &["view", "wide.json", "--columns", "column_11,column_0"],
            &[
                "view",
                "wide.json",
                "--columns",
                "column_1,column_2,column_3",
                "--width",
                "20",
                "--max-rows",
                "1"
            ],
            &["view", "long.json"],
            &["view", "long.json", "--width", "40"],
            &["view", "two.json", "--columns", "y"],
            &["view", "pack.json", "--columns", "kind,type"],
            &["view", "wide.json", "--columns", "column_1,colum_2"],
            &["view", "text.json", "--columns", "a"],
            &["view", "wide.json", "--max-rows", "x"],
        ]
    ));
    // Each table by itself is as wide as it may be.
    for width in [20, 33, 80, 200] {
        for file in ["wide.json", "long.json", "pack.json"] {
            let output = wirefmt(path, &["view", file, "--width", &width.to_string()], b"");
            let rows = text(&output.stdout);
            let is_table = |line: &&str| line.starts_with(' ') || line.starts_with('─');
            for line in rows.lines().filter(is_table) {
                let wide = unicode_width::UnicodeWidthStr::width(line);
                assert!(wide <= width, "{width} {line}");
            }
        }
    }
}
