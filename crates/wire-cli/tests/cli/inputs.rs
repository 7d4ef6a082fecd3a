//! Inputs that people have: values one after the other, several documents, compressed files.

use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::common::{folder, shown, text, wirefmt};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
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
    let digits = "{\"a\":1}\n{\n\"a\":0.12345678901234567890123}";
    let output = wirefmt(path, &["convert", "--from", "jsonl", "--to", "gcf"], digits.as_bytes());
    assert!(text(&output.stderr).contains("json_unexpected_end"), "{}", shown(&output));
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
