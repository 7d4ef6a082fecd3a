//! What a model has to quote exactly stays as it came (ruling M5), and what is data does not.

#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};
use wire_mcp::{Call, Left, Options, Reads, Rule, named_data_file, rewrite};

use crate::COUNTER;

/// Names of tools of public servers, with labels of what they answer (`reader`: a file or document;
/// `data`; `open`: not told by the name; the set `review`: rows) and what their words make of them.
const NAMES: &str = include_str!("cases/names.tsv");

fn options() -> Options {
    Options::new(COUNTER)
}

/// Why the result with this text is left alone, if it is.
fn left(options: &Options, tool: &str, arguments: Option<&Value>, text: &str) -> Option<Left> {
    let result = json!({"content": [{"type": "text", "text": text}]}).to_string();
    let tools = [tool];
    let mut call = Call::of(&tools);
    let arguments = arguments.map(Value::to_string);
    if let Some(arguments) = &arguments {
        call = call.arguments(arguments);
    }
    rewrite(options, &call, &result).result.err()
}

fn rows(count: usize) -> Value {
    (0..count).map(|id| json!({"id": id, "name": format!("name {id}"), "count": 7 * id})).collect()
}

#[test]
fn names_are_read_by_their_words() {
    let rows = rows(3).to_string();
    for line in NAMES.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, set, _, words] = fields[..] else { panic!("{line}") };
        let reads = Reads::of(name);
        match (set, words) {
            // The ruling keeps rows of a name that ends so: they may be what is in a file.
            ("review", _) if name.ends_with("_files") || name.ends_with("_source") => {
                assert_eq!(left(&options(), name, None, &rows), Some(Left::File), "{name}");
            }
            ("review", _) => assert_eq!(left(&options(), name, None, &rows), None, "{name}"),
            (_, "keep") => assert!(matches!(reads, Reads::File { .. }), "{name}: {reads}"),
            (_, "if long") => assert!(matches!(reads, Reads::Something { .. }), "{name}: {reads}"),
            _ => assert_eq!(reads, Reads::Nothing, "{name}"),
        }
    }
}

#[test]
fn words_end_at_marks_capitals_and_digits() {
    let file = |name: &str| matches!(Reads::of(name), Reads::File { .. });
    for name in [
        "readFile",
        "ReadFile",
        "READ_FILE",
        "read-file",
        "read.file",
        "read/file",
        "read:file",
        "get_file_text_by_path",
        "HTTPGetFile",
        "getXMLPage",
        "read2files",
        "fs_read",
        "FSRead",
        "git_show",
        "read",
        "Read",
        "view",
        "server__read_file",
        "a__b__open",
        "cat",
    ] {
        assert!(file(name), "{name}: {}", Reads::of(name));
    }
    for name in [
        "readFileInfo",
        "read_file_list",
        "list_files",
        "get",
        "load",
        "read_file__search",
        "files",
        "catalog_search",
        "category_list",
        "get_thread",
        "thread_file_count",
        "by_file",
        "",
        "__",
        "lesen_datei",
        "файл",
        "get_user_by_file",
    ] {
        assert!(!file(name), "{name}: {}", Reads::of(name));
    }
    for (name, word) in [
        ("read_query", "read"),
        ("fetch_orders", "fetch"),
        ("db_read_rows", "read"),
        ("tables_view", "view"),
        ("read_file_list", "read"),
    ] {
        assert_eq!(Reads::of(name), Reads::Something { word: word.to_owned() }, "{name}");
    }
}

#[test]
fn what_reads_a_file_passes_whatever_it_is() {
    let scalars = rows(5).to_string();
    let object = json!({"name": "x", "contributors": rows(4)}).to_string();
    let wrapped = json!({"rows": rows(5)}).to_string();
    let two = rows(2).to_string();
    let mut source = rows(3);
    source[1]["body"] = json!("short");
    source[0]["body"] = json!("short");
    source[2]["body"] = json!("short");
    let source = source.to_string();
    for (tool, text, is_kept) in [
        ("get_notes", &scalars, false),
        ("get_notes", &wrapped, false),
        ("get_notes", &object, true),
        ("get_notes", &two, true),
        ("get_notes", &source, true),
        ("read_file", &scalars, true),
        ("get_page_source", &scalars, true),
        ("read", &scalars, true),
        ("list_notes", &object, false),
    ] {
        let expected = is_kept.then_some(Left::File);
        assert_eq!(left(&options(), tool, None, text), expected, "{tool} {text}");
    }
    let path = json!({"path": "notes.json"});
    assert_eq!(left(&options(), "get_notes", Some(&path), &scalars), Some(Left::File));
    // Blocks that are rows together.
    let block = |row: &Value| json!({"type": "text", "text": row.to_string()});
    let blocks: Vec<Value> = rows(5).as_array().unwrap().iter().map(block).collect();
    let of = |tool: &str, blocks: &[Value]| {
        rewrite(&options(), &Call::of(&[tool]), &json!({"content": blocks}).to_string())
            .result
            .err()
    };
    assert_eq!(of("get_notes", &blocks), None);
    assert_eq!(of("get_notes", &blocks[..2]), Some(Left::File));
}

#[test]
fn what_reads_something_passes_with_a_long_text() {
    let short = rows(9).to_string();
    let mut long = rows(9);
    long[4]["name"] = json!("x".repeat(257));
    let mut lines = rows(9);
    lines[4]["name"] = json!("a\nb");
    for tool in ["read_query", "read_graph", "fetch_orders", "tables_view"] {
        assert_eq!(left(&options(), tool, None, &short), None, "{tool}");
        let of = |value: &Value| left(&options(), tool, None, &value.to_string());
        assert_eq!((of(&long), of(&lines)), (Some(Left::LongText), Some(Left::LongText)), "{tool}");
        let inside = format!("Found 9 rows:\n{long}");
        assert_eq!(left(&options(), tool, None, &inside), Some(Left::LongText), "{tool}");
    }
    // A result passes as a whole: with a value that is quoted alone, and with a text that is no JSON.
    let block = |text: &str| json!({"type": "text", "text": text});
    let of = |tool: &str, texts: [&str; 2]| {
        let blocks: Vec<Value> = texts.map(block).to_vec();
        rewrite(&options(), &Call::of(&[tool]), &json!({"content": blocks}).to_string())
            .result
            .err()
    };
    let quoted = json!({"path": "a", "body": "a line\nand another"}).to_string();
    for other in [&*quoted, "See above.\nThere is more."] {
        assert_eq!(of("read_query", [&short, other]), Some(Left::LongText), "{other}");
        assert_eq!(of("list_rows", [&short, other]), None, "{other}");
    }
    assert_eq!(of("read_query", [&short, "See above."]), None);
    let mut one = rows(9);
    one[4]["name"] = json!("a line\n");
    assert_eq!(left(&options(), "read_query", None, &one.to_string()), None);
    assert_eq!(left(&options(), "get_notes", None, &one.to_string()), Some(Left::File));
    for value in [&long, &lines] {
        assert_eq!(left(&options(), "catalog_search", None, &value.to_string()), None);
    }
    let free = options().rule(Rule::new().tools("read_*").unwrap().verbatim(false));
    assert_eq!(left(&free, "read_query", None, &long.to_string()), None);
    assert_eq!(left(&free, "read_file", None, &short), None);
}

#[test]
fn what_is_mostly_one_text_passes() {
    let text = "fn main() {\n    println!(\"{}\", 1);\n}\n".repeat(9);
    // Indented, so that it would be minified.
    let kept =
        |value: &Value| left(&options(), "t", None, &format!("{value:#}")) == Some(Left::Quoted);
    let quoted = json!({"content": "short"});
    for value in [
        json!({"path": "a.rs", "size": 9, "body": text}),
        json!([{"path": "a.rs", "body": text}]),
        json!({"data": {"a": [text]}}),
        // As JSON writes it: escapes count on both sides.
        json!({"path": "/tmp/a", "output": format!("{}\n\n..", "\u{1b}[31m".repeat(60))}),
        json!({"result": quoted}),
        json!([quoted]),
        quoted,
    ] {
        assert!(kept(&value), "{value}");
    }
    assert!(!kept(&json!({"rows": rows(90), "body": text})));
    assert!(!kept(&json!({"content": rows(9)})));
}

#[test]
fn a_call_that_names_a_data_file_gets_its_bytes() {
    let value = json!({"name": "x", "contributors": rows(4)}).to_string();
    for arguments in [
        json!({"path": "package.json"}),
        json!({"paths": ["src/a.txt", "b/Cargo.LOCK"]}),
        json!({"url": "https://h/a.geojson?x=1#y"}),
        json!({"path": "a.json", "limit": 10, "encoding": "utf-8"}),
    ] {
        assert!(named_data_file(&arguments.to_string()).is_some(), "{arguments}");
        assert_eq!(left(&options(), "t", Some(&arguments), &value), Some(Left::DataFile));
        let lines = "{\"a\": 1, \"b\": \"x\"}\n".repeat(9);
        assert_eq!(left(&options(), "t", Some(&arguments), &lines), Some(Left::DataFile));
        let inside = format!("Found it:\n{value}");
        assert_eq!(left(&options(), "t", Some(&arguments), &inside), None, "{arguments}");
    }
    // Of two values of one name it is not known which one the server reads.
    let result = json!({"content": [{"type": "text", "text": value}]}).to_string();
    let twice = Call::of(&["t"]).arguments(r#"{"path": "a.json", "path": "b"}"#);
    assert_eq!(rewrite(&options(), &twice, &result).result.err(), Some(Left::DataFile));
    for arguments in [
        json!({}),
        json!([]),
        json!({"path": "package.json", "query": "a"}),
        json!({"path": "package.json", "jq": ".a"}),
        json!({"path": "*.json"}),
        json!({"q": "what is in package.json"}),
        json!({"path": "src/main.rs"}),
        json!({"filter": {"path": "a.json"}}),
        json!({"options": {"path": "a.json"}}),
        json!({"path": 7}),
    ] {
        assert_eq!(named_data_file(&arguments.to_string()), None, "{arguments}");
        assert_eq!(left(&options(), "t", Some(&arguments), &value), None, "{arguments}");
    }
}

/// A report of each reason that a call has: the words of a name, an argument or a text, but nothing
/// that an argument or a text says.
#[test]
fn reports_say_what_decided() {
    let why = |tool: &str, arguments: Value, text: &Value| {
        let result = json!({"content": [{"type": "text", "text": text.to_string()}]}).to_string();
        let options = options().statistics(true);
        let output =
            rewrite(&options, &Call::of(&[tool]).arguments(&arguments.to_string()), &result);
        output.record.unwrap().why().unwrap()
    };
    let (data, secret) = (rows(4), "secret ".repeat(99));
    let none = || json!({});
    for (found, expected) in [
        (
            why("read_file", none(), &data),
            "`read_file` reads a file, by `read` and `file` in its name",
        ),
        (
            why("db__fetch_rows", none(), &json!([{"note": secret}])),
            "`db__fetch_rows` reads something, by `fetch` in its name, and a text of 695 bytes in it has several lines or over 256 bytes",
        ),
        (
            why("t", json!({"a": 1, "path": "secret.JSON"}), &data),
            "its argument `path` names a `.json` file",
        ),
        (
            why("t", json!({"paths": ["a", "secret.csv?b"]}), &data),
            "its argument `paths` names a `.csv` file",
        ),
        (
            why("t", none(), &json!({"id": 1, "note": secret.repeat(9)})),
            "most of it is a text of 6 kB, which a model may have to quote",
        ),
        (
            why("t", none(), &json!({"content": "secret"})),
            "a text is alone in `content`, which a model may have to quote",
        ),
    ] {
        assert_eq!(found, expected);
    }
}
