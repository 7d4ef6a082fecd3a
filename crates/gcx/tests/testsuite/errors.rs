//! The messages that people read, and their positions.

use std::fmt::Write as _;

use gcx::{Header, SliceReader, Writer};

#[test]
fn decoding() {
    let mut text = String::new();
    for input in [
        "",
        "\nGCX1 tool=t fields=a\n",
        "# comment\nGCX1 tool=t fields=a\n",
        "{\"a\": 1}",
        "GCX1",
        "GCX1\n",
        "GCX tool=t fields=a\n",
        "GCX2 tool=t fields=a\n",
        "GCX1-stream tool=t fields=a\n",
        "GCX1 fields=a\n",
        "GCX1 tool= fields=a\n",
        "GCX1 tool=t\n",
        "GCX1 tool=t fields=\n",
        "GCX1 tool=t fields=a,,b\n",
        "GCX1 tool=t fields=a,b,a\n",
        "GCX1 tool=t tool=u fields=a\n",
        "GCX1 tool=t fields=a k=1 k=2\n",
        "GCX1 tool=t fields=a rows=1 rows=1\n",
        "GCX1 tool=t fields=a rows=many\n",
        "GCX1 tool=t fields=a rows=-1\n",
        "GCX1 tool=t fields=a word\n",
        "GCX1  tool=t fields=a\n",
        "GCX1 tool=t fields=a \n",
        "GCX1 tool=t fields=a,b\nx\ty\tz\n",
        "GCX1 tool=t fields=a rows=2\nx\n",
        "GCX1 tool=t fields=a rows=1\nx\ny\n",
        "GCX1 tool=t fields=a rows=1\nGCX1 tool=u fields=a\n",
        "GCX1 tool=t fields=a\nx",
        "GCX1 tool=größe fields=a rows=2\nx",
    ] {
        let mut reader = SliceReader::new(input);
        let outcome = (|| {
            while reader.next_section()?.is_some() {}
            Ok::<(), gcx::Error>(())
        })();
        let error = outcome.expect_err("because it is wrong");
        let _ = writeln!(text, "{input:?}\n    {}: {error}", error.code());
    }
    insta::assert_snapshot!(text);
}

#[test]
fn encoding() {
    let header = |fields: &[&'static str]| Header::new("t", fields.iter().copied());
    let mut text = String::new();
    let mut say = |what: &str, outcome: Result<(), gcx::Error>| {
        let error = outcome.expect_err(what);
        let _ = writeln!(text, "{what}\n    {}: {error}", error.code());
    };
    for (what, header) in [
        ("no tool", Header::new("", ["a"])),
        ("a tool of a carriage return", Header::new("\r", ["a"])),
        ("no fields", header(&[])),
        ("an empty field", header(&["a", ""])),
        ("a comma", header(&["a,b"])),
        ("a field twice", header(&["a", "b", "a"])),
        ("a field twice but for a carriage return", header(&["a", "a\r"])),
        ("tool as metadata", header(&["a"]).with_meta("tool", "u")),
        ("rows as metadata", header(&["a"]).with_meta("rows", "1")),
        ("an empty key", header(&["a"]).with_meta("", "u")),
    ] {
        let mut writer = Writer::new(Vec::new());
        say(what, writer.begin(&header));
        assert_eq!(writer.finish().unwrap(), b"", "{what}");
    }
    let mut writer = Writer::new(Vec::new());
    say("a row before the header", writer.row(["x"]));
    say("a comment before the header", writer.comment("x"));
    writer.begin(&header(&["a", "b"]).with_rows(1)).unwrap();
    say("a cell too few", writer.row(["x"]));
    say("a cell too many", writer.row(["x", "y", "z"]));
    say("a row too few", writer.begin(&header(&["a"])));
    writer.row(["x", "y"]).unwrap();
    say("a row too many", writer.row(["x", "y"]));
    writer.comment("two\nlines").unwrap();
    assert_eq!(writer.finish().unwrap(), b"GCX1 tool=t fields=a,b rows=1\nx\ty\n# two\n# lines\n");
    insta::assert_snapshot!(text);
}
