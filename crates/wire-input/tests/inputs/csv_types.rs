//! Types of the cells of CSV.

use wire_input::value::{Integers, Tree, read};
use wire_input::{Csv, Source, Types};

/// The JSON of a column of these cells, and the type that is reported.
fn column(cells: &[&str]) -> (String, String) {
    let quoted: Vec<String> = cells.iter().map(|cell| format!("\"{cell}\"\n")).collect();
    let csv = Csv { types: Some(Types::All), ..Csv::new(b',') };
    let text = format!("a\n{}", quoted.concat());
    let Tree { json, warnings, .. } =
        read(Source::Csv(csv), text.as_bytes(), Integers::Any, false).unwrap();
    let types = warnings.iter().find(|warning| warning.code == "types").unwrap();
    (json, types.message.clone())
}

#[test]
fn numbers_are_what_writing_them_gives_back() {
    for text in [
        "0",
        "7",
        "-7",
        "9223372036854775807",
        "-9223372036854775808",
        "0.5",
        "-0.5",
        "19.99",
        "0.0001",
    ] {
        assert_eq!(column(&[text]).0, format!("[{{\"a\":{text}}}]"));
    }
    for text in [
        "007",
        "1.50",
        "+1",
        "-0",
        "-0.0",
        "1.0",
        ".5",
        "5.",
        "1e3",
        "1E3",
        "1e-7",
        "0.0000001",
        "inf",
        "NaN",
        "-",
        ".",
        "1-2",
        "1.2.3",
        " 1",
        "1 ",
        "1_000",
        "1,5",
        "0x1f",
        "9223372036854775808",
        "-9223372036854775809",
        "18446744073709551615",
        "123456789012345678901234567890",
        "0.1000000000000000055511151231257827",
        "٣",
    ] {
        assert_eq!(column(&[text]).0, format!("[{{\"a\":\"{text}\"}}]"));
    }
}

#[test]
fn a_column_is_of_a_type_if_all_of_its_cells_are() {
    for (cells, kind) in [
        (&["", ""][..], "null"),
        (&["1", "", "-2"], "integer"),
        (&["1", "2.5"], "number"),
        (&["2.5", "1", ""], "number"),
        (&["true", "", "false"], "boolean"),
        (&["true", "1"], "string"),
        (&["1", "true"], "string"),
        (&["1", "007", "2"], "string"),
        (&["True"], "string"),
        (&["null"], "string"),
        (&[" "], "string"),
    ] {
        assert_eq!(column(cells).1, format!("types of columns: a {kind}"), "{cells:?}");
    }
}
