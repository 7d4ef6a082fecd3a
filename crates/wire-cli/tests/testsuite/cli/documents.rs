//! The kind of an input is one to every command and every option.

use std::fs;

use crate::common::{PAYLOAD, folder, shown, text, wirefmt};

#[test]
fn an_input_is_one_thing_to_all() {
    let folder = folder();
    let path = folder.path();
    let delta = "GCF tool=t delta=true base_root=a new_root=b\n";
    for (name, bytes) in [
        ("rows.yaml", "- a: 1\n- a: 2\n"),
        ("payload.yaml", PAYLOAD),
        ("broken.yaml", "- a: [1\n"),
        ("broken.json", "[{\"a\": 1}"),
        // The extension of another format.
        ("array.gcf", "[{\"a\": 1}]"),
        ("array", "[1, 2]"),
        ("number.gcf", "5"),
        ("number.goon", "5"),
        ("almost.json", "{\"tool\": \"t\"}"),
        ("delta.gcf", delta),
        ("large.json", &PAYLOAD.replace("0.777", "1e400")),
        ("text.txt", "hello\n"),
    ] {
        fs::write(path.join(name), bytes).unwrap();
    }
    for (arguments, code, said) in [
        // What is for graphs says what the others are, of a base, too.
        (&["apply", "rows.yaml", "delta.gcf"][..], 1, "error[not_a_graph]: rows.yaml is yaml"),
        (&["apply", "array", "delta.gcf"], 1, "error[not_a_graph]: array is json, 2 items"),
        // Edges of JSON are not those of a document in YAML.
        (&["convert", "rows.yaml", "--to", "gcf", "--lossy", "edges"], 2, "accepts only payloads"),
        (&["convert", "payload.yaml", "--to", "gcb", "--lossy", "edges"], 1, "error[not_a_graph]"),
        // Rows have no budget, whatever they are written in.
        (
            &["convert", "rows.yaml", "--to", "gcx", "--budget", "9"],
            2,
            "--budget does not apply to a tool's response",
        ),
        // What is broken is that first, and then no array of objects.
        (&["convert", "broken.yaml", "--to", "gcx", "--typed"], 1, "error[yaml_syntax]"),
        (&["convert", "broken.json", "--to", "gcx", "--typed"], 1, "error[json_unexpected_end]"),
        // An array is JSON, whatever its name ends in.
        (&["convert", "array.gcf", "--to", "gcx", "--tool", "t"], 0, ""),
        (&["convert", "array", "--to", "json", "--profile", "graph"], 1, "error[json_data]"),
        (&["check", "array", "--as", "payload"], 1, "error[json_data]"),
        // A format that is named is the format.
        (
            &["check", "text.txt", "--from", "gcf", "--as", "value"],
            2,
            "--as applies only to JSON, and the input is gcf",
        ),
        (
            &["check", "pack.json", "--from", "gcf", "--as", "value"],
            2,
            "--as applies only to JSON, and the input is gcf",
        ),
        (&["view", "delta.gcf", "--from", "json"], 1, "error[json_syntax]"),
        (&["check", "number.gcf", "--as", "value"], 0, ""),
        (&["check", "number.goon", "--as", "value"], 0, ""),
        // A number that no double holds is where it is, whatever the payload becomes.
        (&["convert", "large.json", "--to", "gcf"], 1, "error[out_of_range]"),
        (&["convert", "large.json", "--to", "gcb"], 1, "error[out_of_range]"),
        (&["root", "large.json"], 1, "error[out_of_range]"),
        // What is unknown is that before it has no options.
        (
            &["convert", "text.txt", "--to", "goon", "--goon-version", "1.0.0"],
            1,
            "error[unknown_input_format]",
        ),
    ] {
        let output = wirefmt(path, arguments, b"");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", shown(&output));
        assert!(text(&output.stderr).contains(said), "{arguments:?}: {}", shown(&output));
    }
    // A hint that would not help is none.
    let hint = |arguments: &[&str]| {
        let output = wirefmt(path, &[&["check", "almost.json"], arguments].concat(), b"");
        text(&output.stderr).contains("--as value checks it as any JSON")
    };
    assert!(hint(&[]) && !hint(&["--from", "gcf"]));
}
