//! Where values are cut, whatever a buffer has of them.

use std::io::BufReader;

use wire_input::value::{Cut, Piece, Pieces};

fn cut(text: &str, cut: Cut, size: usize) -> Result<Vec<(String, u64, u64, u64)>, String> {
    let mut pieces = Pieces::new(BufReader::with_capacity(size, text.as_bytes()), cut);
    let mut found = Vec::new();
    while let Some(Piece { bytes, start, .. }) =
        pieces.next_piece().map_err(|error| error.message())?
    {
        let text = String::from_utf8(bytes).unwrap();
        found.push((text, start.offset, start.line, start.column));
    }
    Ok(found)
}

#[test]
fn an_item_comes_before_what_is_wrong_after_it() {
    let mut pieces = Pieces::new("[1]x".as_bytes(), Cut::Array);
    assert!(pieces.next_piece().is_ok_and(|piece| piece.is_some_and(|piece| piece.bytes == b"1")));
    assert!(pieces.next_piece().is_err_and(|error| error.message().contains("more text")));
}

#[test]
fn values_are_cut_wherever_the_buffer_ends() {
    let array = " [ {\"a\": [1, \"]\\\",\"]},\n \"é\\\\\" ,[[],{}], 7\n] \n";
    for size in 1..=array.len() {
        assert_eq!(
            cut(array, Cut::Array, size).unwrap(),
            [
                ("{\"a\": [1, \"]\\\",\"]}".to_owned(), 3, 1, 4),
                ("\"é\\\\\" ".to_owned(), 24, 2, 2),
                ("[[],{}]".to_owned(), 32, 2, 9),
                ("7\n".to_owned(), 41, 2, 18),
            ],
            "{size}"
        );
        let lines = "{}\n\n \r\n[1,\r\n7";
        let found = cut(lines, Cut::Lines, size).unwrap();
        assert_eq!(
            found,
            [
                ("{}\n".to_owned(), 0, 1, 1),
                ("[1,\r\n".to_owned(), 7, 4, 1),
                ("7".to_owned(), 12, 5, 1)
            ]
        );
    }
    let values = " {\"a\": [\"}\"]}[1]\n\n7 \"x\\\"\"true{\n}";
    for size in 1..=values.len() {
        let found = cut(values, Cut::Values, size).unwrap();
        let found: Vec<_> = found.iter().map(|(text, offset, ..)| (&**text, *offset)).collect();
        let expected = [
            ("{\"a\": [\"}\"]}", 1),
            ("[1]", 13),
            ("7", 18),
            ("\"x\\\"\"", 20),
            ("true", 25),
            ("{\n}", 29),
        ];
        assert_eq!(found, expected, "{size}");
    }
    assert_eq!(cut("[]", Cut::Array, 9).unwrap(), []);
    assert_eq!(cut("", Cut::Lines, 9).unwrap(), []);
}

#[test]
fn what_is_no_array_is_refused() {
    for (text, message) in [
        ("[1,]", "found `]`, expected an item after the comma"),
        ("[,1]", "found `,`, expected a value"),
        ("[1,,2]", "found `,`, expected a value"),
        ("[1] 2", "found more text, expected the end of the text"),
        ("[1", "the text ends, expected `,` or `]`"),
        ("[", "the text ends, expected `,` or `]`"),
        ("[1, ", "the text ends, expected `,` or `]`"),
        ("{}", "found another value, expected an array"),
        (" ", "the text ends, expected a value"),
        ("", "the text ends, expected a value"),
    ] {
        assert_eq!(cut(text, Cut::Array, 2).unwrap_err(), message, "{text}");
    }
}
