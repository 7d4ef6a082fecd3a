//! Inputs that people have: values one after the other, several documents, compressed files.

use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::common::{folder, shown, text, wirefmt};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("because a vector takes all");
    encoder.finish().expect("because a vector takes all")
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

#[test]
fn values_one_after_the_other_are_an_array() {
    let folder = folder();
    let path = folder.path();
    let pretty = "{\n  \"a\": 1\n}\n{\n  \"a\": 2\n}\n";
    let expected = "[{\"a\":1},{\"a\":2}]\n";
    fs::write(path.join("jq.json"), pretty).unwrap();
    fs::write(path.join("jq.jsonl"), pretty).unwrap();
    for (arguments, input, expected) in [
        (&["jq.json", "--to", "json"][..], "", expected),
        (&["jq.jsonl", "--to", "json"], "", expected),
        (&["--to", "json"], pretty, expected),
        (&["--from", "jsonl", "--to", "json", "--stream"], pretty, expected),
        (&["jq.json", "--to", "gcf"], "", "GCF profile=generic\n## [2]{a}\n1\n2\n"),
        (&["jq.json", "--to", "gcx"], "", "GCX1 tool=rows fields=a rows=2\n1\n2\n"),
        (
            &["jq.jsonl", "--to", "gcf", "--stream"],
            "",
            "GCF profile=generic\n## [?]{a}\n1\n2\n##! summary counts=2\n",
        ),
        (&["--to", "json"], "[{\"id\":1}][{\"id\":2}]", "[[{\"id\":1}],[{\"id\":2}]]\n"),
        (&["--to", "json"], "[{\"id\":1}]\n[{\"id\":2}]\n", "[[{\"id\":1}],[{\"id\":2}]]\n"),
        // Some on one line, some not.
        (&["--to", "json"], "{\"a\":1}\n{\n \"a\": 2\n}\n", "[{\"a\":1},{\"a\":2}]\n"),
        (&["--to", "json"], "{\n \"a\": 1\n}\n\n[2]\n\"x\"\n", "[{\"a\":1},[2],\"x\"]\n"),
        // Scalars, as `jq '.[].id'` writes them.
        (&["--to", "json"], "1\n2\n3\n", "[1,2,3]\n"),
        (&["--to", "json"], "\"a\"\n\n\"b\"\n", "[\"a\",\"b\"]\n"),
        (&["--to", "json"], "null\ntrue\n-1.50\n", "[null,true,-1.50]\n"),
        // A scalar of its own.
        (&["--to", "gcf"], "5\n", "GCF profile=generic\n=5\n"),
        (&["--to", "json"], "\"x y\"", "\"x y\"\n"),
        (&["--to", "json"], "null", "null\n"),
    ] {
        let output = wirefmt(path, &[&["convert"], arguments].concat(), input.as_bytes());
        assert_eq!(text(&output.stdout), expected, "{arguments:?} {}", shown(&output));
    }
    for command in ["check", "auto", "stats", "view"] {
        let output = wirefmt(path, &[command, "jq.json"], b"");
        assert!(output.status.success(), "{}", shown(&output));
    }
    // What is wrong in one of them is where it is, also where they are counted.
    for (arguments, input, place) in [
        (&["convert", "--to", "gcf"][..], "{\n\"a\":1}\n{\"a\":,}\n", ":3:6"),
        (&["check", "-"], "{\n\"a\":1}\n{\"a\":,}\n", ":3:6"),
        (&["check", "-"], "{\"a\":1}\n{\n\"a\":,}\n{}\n", ":3:5"),
        (&["convert", "--to", "json"], "1\n{\n\"a\":2\n}\n{\"a\":,}\n", ":5:6"),
        (
            &["convert", "--from", "jsonl", "--to", "gcf", "--stream"],
            "{\n\"a\":1}\n{\"a\":,}\n",
            ":3:6",
        ),
        // A value that is named is one.
        (&["convert", "--from", "json", "--to", "gcf"], pretty, ":4:1"),
    ] {
        let output = wirefmt(path, arguments, input.as_bytes());
        assert!(text(&output.stderr).contains("error[json_syntax]"), "{}", shown(&output));
        assert!(text(&output.stderr).contains(place), "{}", shown(&output));
    }
    let digits = "{\n\"a\":1}\n{\n\"a\":0.12345678901234567890123}";
    for more in [&[][..], &["--stream"]] {
        let arguments = [&["convert", "--from", "jsonl", "--to", "gcf"], more].concat();
        let output = wirefmt(path, &arguments, digits.as_bytes());
        let expected = "(1 decimal, the first at line 4, column 5)";
        assert!(text(&output.stderr).contains(expected), "{}", shown(&output));
    }
}

#[test]
fn documents_of_yaml_are_an_array() {
    let folder = folder();
    let yaml = b"kind: A\n---\nkind: B\n";
    let output = wirefmt(folder.path(), &["convert", "--from", "yaml", "--to", "gcf"], yaml);
    let expected = "GCF profile=generic\n## [2]{kind}\nA\nB\n";
    assert_eq!(text(&output.stdout), expected, "{}", shown(&output));
}

#[test]
fn compressed_inputs_are_what_they_contain() {
    let folder = folder();
    let path = folder.path();
    let csv = b"id,name\n1,a\n2,b\n";
    let lines = b"{\"id\":1}\n{\"id\":2}\n";
    let json = "[{\"id\":1},{\"id\":2}]\n";
    fs::create_dir(path.join("in")).unwrap();
    let both = [zstd(&lines[..9]), zstd(&lines[9..])].concat();
    let members = [gzip(&lines[..9]), gzip(&lines[9..])].concat();
    for (name, bytes) in [("a.csv.gz", gzip(csv)), ("b.jsonl.zst", both.clone())] {
        fs::write(path.join("in").join(name), bytes).unwrap();
    }
    fs::write(path.join("c.gz"), &members).unwrap();
    let output = wirefmt(path, &["convert", "in", "--to", "json", "-O", "out"], b"");
    assert!(output.status.success(), "{}", shown(&output));
    let read = |name: &str| fs::read_to_string(path.join("out").join(name)).unwrap();
    assert_eq!(read("a.json"), "[{\"id\":\"1\",\"name\":\"a\"},{\"id\":\"2\",\"name\":\"b\"}]\n");
    assert_eq!(read("b.json"), json);
    for (arguments, input) in [
        (&["c.gz"][..], &b""[..]),
        (&["c.gz", "--stream"], b""),
        (&[], &members),
        (&[], &both),
        (&["--stream"], &both),
    ] {
        let arguments = [&["convert", "--to", "json"], arguments].concat();
        let output = wirefmt(path, &arguments, input);
        assert_eq!(text(&output.stdout), json, "{}", shown(&output));
    }
    // A text that is kept as it is keeps the extension of what it is.
    let output = wirefmt(path, &["auto", "in/a.csv.gz", "-O", "kept"], b"");
    assert_eq!(fs::read(path.join("kept/a.csv")).unwrap(), csv, "{}", shown(&output));
    // Cut or changed data is no data.
    let mut changed = zstd(lines);
    let last = changed.len() - 1;
    changed[last] ^= 1;
    for input in
        [&members[..members.len() - 3], &gzip(lines)[..8], &both[..both.len() - 3], &changed]
    {
        for more in [&[][..], &["--stream"]] {
            let arguments = [&["convert", "--from", "jsonl", "--to", "json"], more].concat();
            let output = wirefmt(path, &arguments, input);
            assert_eq!(output.status.code(), Some(3), "{}", shown(&output));
        }
    }
}

#[test]
fn delimiters_of_csv_are_found_named_or_told() {
    let folder = folder();
    let path = folder.path();
    let german = "Datum;Betrag, EUR;Text\n01.02.2026;1,50;a\n02.02.2026;2,50;b\n";
    let of_german = r#"[{"Datum":"01.02.2026","Betrag, EUR":"1,50","Text":"a"},{"Datum":"02.02.2026","Betrag, EUR":"2,50","Text":"b"}]"#;
    for (arguments, input, expected, said) in [
        (
            &[][..],
            german,
            of_german,
            "read with `;` between the cells: 3 columns; with `,` it has 2 columns; --delimiter",
        ),
        (&["--delimiter", ";"], german, of_german, ""),
        (&[], "a;b\n1;2\n", r#"[{"a":"1","b":"2"}]"#, "read with `;` between the cells"),
        (&[], "a|b\n1|2\n", r#"[{"a":"1","b":"2"}]"#, "read with `|` between the cells"),
        (&[], "a\tb\n1\t2\n", r#"[{"a":"1","b":"2"}]"#, "read with tabs between the cells"),
        (&[], "a,b\n1,x;y\n2,z\n", r#"[{"a":"1","b":"x;y"},{"a":"2","b":"z"}]"#, ""),
        (&[], "sep=;\na;b\n1;2\n", r#"[{"a":"1","b":"2"}]"#, ""),
        (&[], "SEP=;\r\na;b\r\n1;2\r\n", r#"[{"a":"1","b":"2"}]"#, ""),
        (&[], "\"sep=;\"\na;b\n1;2\n", r#"[{"a":"1","b":"2"}]"#, ""),
        (&[], "sep=;,,\na;b\n1;2\n", r#"[{"a":"1","b":"2"}]"#, ""),
        (&[], "sep=; \ra;b\r1;2\r", r#"[{"a":"1","b":"2"}]"#, ""),
        (&["--delimiter", "tab"], "a,b\tc\n1\t2\n", r#"[{"a,b":"1","c":"2"}]"#, ""),
        // One column: empty lines in a cell are its own.
        (&[], "a\n\"x\n\ny\"\n\"\"\nz\n\n", r#"[{"a":"x\n\ny"},{"a":""},{"a":"z"}]"#, ""),
        (&[], "a\r\n\"x\r\n\r\ny\"\r\nz\r\n", r#"[{"a":"x\r\n\r\ny"},{"a":"z"}]"#, ""),
        (
            &["--infer-types=unquoted"],
            "id,zip,n,e\n1,\"10115\",\"\",\n2,\"20095\",3,\"x\ny\"\n",
            r#"[{"id":1,"zip":"10115","n":"","e":null},{"id":2,"zip":"20095","n":"3","e":"x\ny"}]"#,
            "types of columns: id integer, zip string, n string, e string",
        ),
        (
            &["--infer-types"],
            "id,zip\n1,\"10115\"\n",
            r#"[{"id":1,"zip":10115}]"#,
            "types of columns: id integer, zip integer",
        ),
        // A quoted delimiter is none.
        (&[], "\"a;b\",c\n\"1;2\",3\n", r#"[{"a;b":"1;2","c":"3"}]"#, ""),
        (&["--delimiter", ","], "a;b\n1;2\n", r#"[{"a;b":"1;2"}]"#, ""),
        (
            &["--rename-duplicates"],
            "a,a,a_2,a\n1,2,3,4\n",
            r#"[{"a":"1","a_3":"2","a_2":"3","a_4":"4"}]"#,
            "columns with one name have numbers (2 columns)",
        ),
    ] {
        let arguments = [&["convert", "--from", "csv", "--to", "json"], arguments].concat();
        let output = wirefmt(path, &arguments, input.as_bytes());
        assert_eq!(text(&output.stdout).trim_end(), expected, "{}", shown(&output));
        assert!(text(&output.stderr).contains(said), "{}", shown(&output));
        assert_eq!(said.is_empty(), output.stderr.is_empty(), "{}", shown(&output));
    }
    // Many of one name take no square of their number.
    let many = vec!["a"; 20_000].join(",") + "\n";
    let convert = ["convert", "--from", "csv", "--to", "json", "--rename-duplicates"];
    let output = wirefmt(path, &convert, (many.clone() + &many).as_bytes());
    assert!(text(&output.stdout).contains("\"a_20000\":\"a\""));
    // A line `sep=` that an option or the file's name contradicts is told.
    fs::write(path.join("rows.tsv"), "sep=;\na\tb;c\n1\t2;3\n").unwrap();
    for (arguments, expected, said) in [
        (
            &["--delimiter", "tab"][..],
            r#"[{"a":"1","b;c":"2;3"}]"#,
            "note: rows.tsv: the line \"sep=;\" is ignored: --delimiter names tabs\n",
        ),
        (
            &[],
            r#"[{"a\tb":"1\t2","c":"3"}]"#,
            "note: rows.tsv: read with `;` between the cells, as the line \"sep=;\" says; --delimiter chooses\n",
        ),
        (&["--from", "csv"], r#"[{"a\tb":"1\t2","c":"3"}]"#, ""),
        (&["--delimiter", ";"], r#"[{"a\tb":"1\t2","c":"3"}]"#, ""),
    ] {
        let arguments = [&["convert", "rows.tsv", "--to", "json"], arguments].concat();
        let output = wirefmt(path, &arguments, b"");
        assert_eq!(text(&output.stdout).trim_end(), expected, "{}", shown(&output));
        assert_eq!(text(&output.stderr), said);
    }
}

#[test]
fn csv_that_is_refused_names_its_fault_and_what_mends_it() {
    let folder = folder();
    let path = folder.path();
    for (input, expected) in [
        ("a,a\n1,2\n", "error[duplicate_key]: the header has \"a\" twice"),
        // What no delimiter cuts into equal rows is what it says that it is.
        ("a,b\n1;2\n3,4\n", "a row has 1 cell, expected 2"),
        ("a;b\n1;\"x\"y\n", "standard input:2:6"),
        ("sep=;\na;b\n\"1;2\n", "standard input:3:1"),
        ("sep=;\na;b\n1\n", "standard input:3:1"),
        ("a,b\r\n1\r\n", "standard input:2:1"),
        ("a,b\r\n1,2\r\n\r\n3\r\n", "standard input:4:1"),
        ("sep=;\r\na;b\r\n1\r\n", "standard input:3:1"),
        ("a\n\"x\n\ny\"\n\nz\n", "standard input:5:1"),
        ("a;b;c\n1;2\n3;4;5\n", "a row has 2 cells, expected 3; `cat FILE | mlr --icsv --ifs ';'"),
        ("a\tb\tc\n1\t2\n", "a row has 2 cells, expected 3; `cat FILE | mlr --icsv --ifs '\\t'"),
        ("# c\na;b\n1;2\n", "takes them out"),
        ("sep=|\na|b\n1\n", "`tail -n +2 FILE | mlr --icsv --ifs '|'"),
        ("a,b\n\"5 ft 6\\\"\",1\n", "a quoted cell has `\\\"` in it"),
        ("a,b,c\n1,2\n", "--allow-ragged-csv-input unsparsify` makes rows equally long"),
        ("# of today\na,b\n1,2\n", "`cat FILE | grep -v '^#'` takes them out"),
        ("a,b\n1,2\n# the end\n", "`cat FILE | grep -v '^#'` takes them out"),
        ("a,b\n\"x \\\"y\\\"\",2\n", "a quoted cell has `\\\"` in it"),
        ("a,b\n1, \"x, y\"\n", "delimiter=\",\", skipinitialspace=True"),
    ] {
        let arguments = ["convert", "--from", "csv", "--to", "json"];
        let output = wirefmt(path, &arguments, input.as_bytes());
        assert!(text(&output.stderr).contains(expected), "{}", shown(&output));
    }
    let output = wirefmt(path, &["convert", "--from", "csv", "--to", "json"], b"a,b\n\xe4,2\n");
    assert!(text(&output.stderr).contains("`iconv -f latin1 -t utf-8 FILE`"), "{}", shown(&output));
}

#[test]
fn types_of_csv_are_told_where_tokens_are_counted() {
    let folder = folder();
    let path = folder.path();
    let typed = "id,name\n1,a\n2,b\n";
    for (command, notes) in [("auto", 1), ("stats", 1), ("check", 0)] {
        let output = wirefmt(path, &[command, "-", "--from", "csv"], typed.as_bytes());
        let hint = "note: standard input: 1 column could have a type: try --infer-types";
        assert_eq!(text(&output.stderr).matches(hint).count(), notes, "{}", shown(&output));
    }
}

#[test]
fn rows_of_scalars_become_csv_and_rows_again() {
    let folder = folder();
    let path = folder.path();
    let convert = |to: &[&str], json: &str| {
        wirefmt(path, &[&["convert", "--from", "json"], to].concat(), json.as_bytes())
    };
    let json = r#"[{"id":1,"name":"a, b","ok":true},{"id":2,"name":"line\nbreak","ok":false}]"#;
    let csv = "id,name,ok\n1,\"a, b\",true\n2,\"line\nbreak\",false\n";
    let output = convert(&["--to", "csv", "--deny-loss"], json);
    assert_eq!(text(&output.stdout), csv, "{}", shown(&output));
    let arguments = ["convert", "--from", "csv", "--to", "json", "--infer-types", "-q"];
    let back = wirefmt(path, &arguments, csv.as_bytes());
    assert_eq!(text(&back.stdout).trim_end(), json);
    let output = convert(&["-o", "rows.tsv"], json);
    assert!(output.status.success() && output.stderr.is_empty(), "{}", shown(&output));
    let tsv = fs::read_to_string(path.join("rows.tsv")).unwrap();
    assert!(tsv.starts_with("id\tname\tok\n1\ta, b\ttrue\n"), "{tsv}");
    // From any format that has rows.
    let gcf = b"GCF profile=generic\n## [2]{a,b}\n1|x\n2|y\n";
    let output = wirefmt(path, &["convert", "--to", "csv"], gcf);
    assert_eq!(text(&output.stdout), "a,b\n1,x\n2,y\n", "{}", shown(&output));
    for (json, is_lossy) in [
        (r#"[{"a":null},{"a":1}]"#, false),
        ("[]", false),
        (r#"[{"a":1},{"b":1}]"#, true),
        (r#"[{"a":"1"}]"#, true),
        (r#"[{"a":""}]"#, true),
        (r#"[{"a":1.50}]"#, true),
    ] {
        let output = convert(&["--to", "csv"], json);
        let loss = "in csv not every value decodes to an equal one";
        assert_eq!(text(&output.stderr).contains(loss), is_lossy, "{json} {}", shown(&output));
    }
    for (json, expected) in [
        (
            r#"[{"id":1},{"id":2,"tags":["a"]}]"#,
            "row 2 has an array in \"tags\", expected objects of",
        ),
        (r#"[{"id":{}}]"#, "row 1 has an object in \"id\""),
        ("[1]", "row 1 is not an object"),
        ("{}", "it is not an array of objects"),
    ] {
        let output = convert(&["--to", "csv"], json);
        let message = text(&output.stderr);
        assert!(message.contains("error[not_rows]") && message.contains(expected), "{message}");
        assert_eq!(output.status.code(), Some(1));
    }
}

/// Whatever is in the cells, the text is read with the delimiter that it was written with.
#[test]
fn csv_reads_back_without_naming_its_delimiter() {
    let folder = folder();
    let path = folder.path();
    for json in [
        r#"[{"a|b":"x|y"},{"a|b":"p|q"}]"#,
        r#"[{"a;b;c":"x;y;z","d":"1;2;3"},{"a;b;c":"p;q;r","d":"4;5;6"}]"#,
        r#"[{"a":"x\ty\tz","b,c":true},{"a":"p;q","b,c":null}]"#,
        r#"[{"a":"x","b;c|d;e|f":"y;z|u;v|w"}]"#,
        r#"[{"sep=;":"x"}]"#,
        r#"[{"sep=":1,"":2}]"#,
        r#"[{"SEP=,":"x"}]"#,
        "[{\"\u{feff}a\":\"x\"}]",
        r#"[{"a":"x\n\ny"},{"a":"\n"}]"#,
    ] {
        for file in ["rows.csv", "rows.tsv"] {
            let arguments = ["convert", "--from", "json", "-o", file, "--deny-loss"];
            let written = wirefmt(path, &arguments, json.as_bytes());
            assert!(written.status.success(), "{json}: {}", shown(&written));
            let back = wirefmt(path, &["convert", file, "--to", "json", "--infer-types"], b"");
            assert_eq!(text(&back.stdout).trim_end(), json, "{file}: {}", shown(&back));
        }
    }
    // Quotes only where they are needed.
    let arguments = ["convert", "--from", "json", "--to", "csv"];
    let output = wirefmt(path, &arguments, br#"[{"a":"x|y","b":1},{"a":"z","b":2}]"#);
    assert_eq!(text(&output.stdout), "a,b\nx|y,1\nz,2\n");
}

/// `auto --pass` can stand in any pipe.
#[test]
fn what_is_no_data_passes_as_it_came() {
    let folder = folder();
    let path = folder.path();
    let cut = &gzip(b"[1]")[..9];
    for input in [
        &b"hello world\n"[..],
        b"",
        b"\xef\xbb\xbfhello",
        b"\xff\xfe\x00",
        b"{\"a\": 1,",
        b"{\"a\": 1} trailing",
        cut,
    ] {
        let output = wirefmt(path, &["auto", "--pass"], input);
        assert!(output.status.success(), "{input:?} {:?}", output.status);
        assert_eq!(output.stdout, input);
        assert!(text(&output.stderr).contains("note: standard input: written as it came"));
        assert!(!wirefmt(path, &["auto"], input).status.success(), "{input:?}");
    }
    let rows = "[{\"id\": 1, \"name\": \"a\"}, {\"id\": 2, \"name\": \"b\"}, {\"id\": 3, \"name\": \"c\"}]";
    let [passed, plain] = [&["auto", "--pass"][..], &["auto"]]
        .map(|arguments| wirefmt(path, arguments, rows.as_bytes()).stdout);
    assert!(passed == plain && passed.starts_with(b"GC"), "{}", text(&passed));
}

/// A log whose first record is nested is written as items, and one that is not as rows.
#[test]
fn the_first_record_of_a_stream_decides_its_form() {
    let folder = folder();
    let nested = "{\"id\":1,\"tags\":[\"a\"]}\n{\"id\":2,\"o\":{\"x\":1}}\n";
    let stream = |form: &str, input: &str| {
        let arguments = ["convert", "--from", "jsonl", "--to", "gcf", form];
        wirefmt(folder.path(), &arguments, input.as_bytes())
    };
    let output = stream("--stream", nested);
    let expected = "GCF profile=generic\n## [?]\n@0 {}\n  id=1\n  tags[1]: a\n@1 {}\n  id=2\n  ## o\n    x=1\n##! summary counts=2\n";
    assert_eq!(text(&output.stdout), expected, "{}", shown(&output));
    assert!(text(&output.stderr).contains("note: standard input: written as items"));
    let back = wirefmt(folder.path(), &["convert", "--to", "jsonl", "--stream"], &output.stdout);
    assert_eq!(text(&back.stdout), nested);
    // What is named, or decided, stays.
    for (form, input) in [("--stream=rows", nested), ("--stream", "{\"id\":1}\n{\"id\":[]}\n")] {
        let output = stream(form, input);
        assert!(text(&output.stderr).contains("error[not_streamable]"), "{}", shown(&output));
    }
    let output = stream("--stream=items", nested);
    assert!(output.stderr.is_empty() && text(&output.stdout) == expected, "{}", shown(&output));
}

/// Of package managers some write JSON into such a file, and some TOML.
#[test]
fn a_lock_is_what_is_in_it() {
    let folder = folder();
    let path = folder.path();
    for (file, input, expected) in [
        ("Cargo.lock", "# made\nversion = 4\n", "{\"version\":4}\n"),
        ("poetry.lock", "[[package]]\nname = \"x\"\n", "{\"package\":[{\"name\":\"x\"}]}\n"),
        ("composer.lock", "{\"packages\": []}", "{\"packages\":[]}\n"),
        ("b.lock", "[\"x\"]", "[\"x\"]\n"),
    ] {
        fs::write(path.join(file), input).unwrap();
        let output = wirefmt(path, &["convert", file, "--to", "json"], b"");
        assert_eq!(text(&output.stdout), expected, "{}", shown(&output));
    }
    fs::write(path.join("yarn.lock"), "# yarn lockfile v1\nx@^1:\n  version \"1.0\"\n").unwrap();
    let output = wirefmt(path, &["convert", "yarn.lock", "--to", "json"], b"");
    assert!(text(&output.stderr).contains("unknown_input_format"), "{}", shown(&output));
    let table = b"[build-system]\nrequires = [\"x\"]\n";
    let output = wirefmt(path, &["auto"], table);
    assert!(text(&output.stderr).contains("TOML is --from toml"), "{}", shown(&output));
}

/// Keys with points and arrays nest together.
#[test]
fn toml_that_is_nested_too_deep_is_an_error() {
    let folder = folder();
    let path = folder.path();
    let (key, open, close) = (vec!["a"; 78].join("."), "[".repeat(70), "]".repeat(70));
    let text = format!("[{key}]\n{key} = {open}1{close}\n");
    for command in [&["check", "-"][..], &["convert", "--to", "json"], &["auto"], &["stats"]] {
        let output = wirefmt(path, &[command, &["--from", "toml"]].concat(), text.as_bytes());
        assert!(
            String::from_utf8_lossy(&output.stderr).contains("error[too_deep]"),
            "{}",
            shown(&output)
        );
    }
}
