//! Rows one by one, in both directions.

use gcf::{Decoder, LIMITS, Reader, TableHead, TableKind, Writer, from_str};
use serde_json::{Value, json};

#[test]
fn streams_take_flat_rows_only() {
    let mut writer = Writer::new(Vec::new()).unwrap();
    assert_eq!(writer.row(&json!({"a": 1})).unwrap_err().code(), "not_streamable");
    assert_eq!(
        writer.begin(&TableHead::rows(["a>b"]).with_name("t")).unwrap_err().code(),
        "not_streamable"
    );
    assert_eq!(
        writer.begin(&TableHead::rows([""; 0]).with_name("t")).unwrap_err().code(),
        "not_streamable"
    );
    assert_eq!(
        writer.begin(&TableHead::rows(["a", "a"]).with_name("t")).unwrap_err().code(),
        "duplicate_field_name"
    );
    writer.begin(&TableHead::rows(["a"]).with_name("t")).unwrap();
    assert_eq!(
        writer.begin(&TableHead::rows(["a"]).with_name("t")).unwrap_err().code(),
        "duplicate_key"
    );
    for row in [json!({"b": 1}), json!({"a": [1]}), json!({"a": {}}), json!(1)] {
        assert_eq!(writer.row(&row).unwrap_err().code(), "not_streamable", "{row}");
    }
    assert_eq!(writer.member("k", &json!({"a": 1})).unwrap_err().code(), "not_streamable");
    writer.begin(&TableHead::map(["a"]).with_name("m")).unwrap();
    writer.member("k", &json!({"a": 1})).unwrap();
    assert_eq!(writer.member("k", &json!({"a": 1})).unwrap_err().code(), "duplicate_key");
    let text = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert_eq!(
        text,
        "GCF profile=generic\n## t [?]{a}\n## m [?:]{key,a}\nk|1\n##! summary counts=0,1\n"
    );
    assert_eq!(from_str::<Value>(&text).unwrap(), json!({"t": [], "m": {"k": {"a": 1}}}));
}

#[test]
fn a_table_or_items_can_be_the_whole_value() {
    let mut writer = Writer::new(Vec::new()).unwrap();
    assert_eq!(writer.row(&1).unwrap_err().code(), "not_streamable");
    writer.begin(&TableHead::rows(["a", "b"])).unwrap();
    assert_eq!(writer.row(&1).unwrap_err().code(), "not_streamable");
    writer.row(&json!({"b": 1})).unwrap();
    assert_eq!(
        writer.begin(&TableHead::rows(["a"]).with_name("t")).unwrap_err().code(),
        "duplicate_key"
    );
    assert_eq!(writer.begin(&TableHead::items()).unwrap_err().code(), "duplicate_key");
    let text = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert_eq!(text, "GCF profile=generic\n## [?]{a,b}\n~|1\n##! summary counts=1\n");
    assert_eq!(from_str::<Value>(&text).unwrap(), json!([{"b": 1}]));

    let mut writer = Writer::new(Vec::new()).unwrap();
    writer.begin(&TableHead::map(["a"])).unwrap();
    writer.member("k", &json!({"a": 1})).unwrap();
    writer.member("l", &json!({"a": 2})).unwrap();
    assert_eq!(
        writer.begin(&TableHead::items().with_name("x")).unwrap_err().code(),
        "duplicate_key"
    );
    let text = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert_eq!(from_str::<Value>(&text).unwrap(), json!({"k": {"a": 1}, "l": {"a": 2}}));

    let mut writer = Writer::new(Vec::new()).unwrap();
    writer.begin(&TableHead::items().with_name("x")).unwrap();
    assert_eq!(
        writer.begin(&TableHead::items().with_name("x")).unwrap_err().code(),
        "duplicate_key"
    );
    assert_eq!(writer.begin(&TableHead::rows(["a"])).unwrap_err().code(), "duplicate_key");
    assert_eq!(writer.member("k", &1).unwrap_err().code(), "not_streamable");
    assert_eq!(writer.row(&u64::MAX).unwrap_err().code(), "out_of_range");
    // As deep as all at once: the array and the object around it count.
    let nested = |depth: usize| (1..depth).fold(json!([]), |value, _| json!([value]));
    writer.row(&nested(125)).unwrap();
    assert_eq!(writer.row(&nested(126)).unwrap_err().code(), "too_deep");
    writer.row(&true).unwrap();
    let text = String::from_utf8(writer.get_mut().clone()).unwrap();
    assert!(text.ends_with("\n@1 =true\n"), "{text}");
    let text = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert_eq!(from_str::<Value>(&text).unwrap(), json!({"x": [nested(125), true]}));
}

#[test]
fn cells_are_in_the_order_of_the_fields() {
    let mut writer = Writer::new(Vec::new()).unwrap();
    writer.begin(&TableHead::rows(["a", "b", "c"])).unwrap();
    for row in [
        json!({"a": 1, "b": 2, "c": 3}),
        json!({"c": 3, "a": 1}),
        json!({"b": 2, "c": 3}),
        json!({"c": 3, "b": 2, "a": 1}),
        json!({"b": 2, "a": 1}),
    ] {
        writer.row(&row).unwrap();
    }
    for row in [json!({"a": 1, "d": 2}), json!({"a": 1, "b": 2, "c": 3, "d": 4})] {
        let message = writer.row(&row).unwrap_err().to_string();
        assert_eq!(message, "a row has the field \"d\", expected those of the table only");
    }
    let text = String::from_utf8(writer.finish().unwrap()).unwrap();
    let rows = "1|2|3\n1|~|3\n~|2|3\n1|2|3\n1|2|~\n";
    assert_eq!(text, format!("GCF profile=generic\n## [?]{{a,b,c}}\n{rows}##! summary counts=5\n"));
}

/// The time of a row is that of its fields, in whatever order: in square time this takes minutes.
#[test]
fn wide_rows_end() {
    const FIELDS: usize = 30_000;
    let names: Vec<String> =
        (0..FIELDS).map(|number| format!("a field of number {number}")).collect();
    let mut writer = Writer::new(Vec::new()).unwrap();
    writer.begin(&TableHead::rows(&names)).unwrap();
    let row = |names: &mut dyn Iterator<Item = &String>| {
        names.map(|name| (name.clone(), json!(1))).collect::<serde_json::Map<_, _>>()
    };
    writer.row(&row(&mut names.iter())).unwrap();
    writer.row(&row(&mut names.iter().rev())).unwrap();
    writer.finish().unwrap();
}

#[test]
fn readers_tell_the_fields_of_a_table_and_where_a_row_begins() {
    let text = "GCF profile=generic\n\n## t [2]{a,\"b c\",\"d>e\",\"d>f\"}\n1|~|2|3\n# text\n4|5|6|7\n\
                ## m [1:]{key,x}\nk|1\n## i [1]\n@0 =1\n";
    let mut reader = Reader::new(text.as_bytes()).unwrap();
    assert_eq!(reader.row_position(), None);
    let mut places = Vec::new();
    let mut fields = Vec::new();
    while let Some(table) = reader.next_table().unwrap() {
        if table.kind == TableKind::Map {
            while reader.next_member::<Value>().unwrap().is_some() {
                places.push(reader.row_position().unwrap().line);
            }
        } else {
            while reader.next_row::<Value>().unwrap().is_some() {
                places.push(reader.row_position().unwrap().line);
            }
        }
        fields.push(table.fields);
    }
    assert_eq!(places, [4, 6, 8, 10]);
    assert_eq!(fields, [vec!["a", "b c", "d"], vec!["x"], vec![]]);
}

#[test]
fn rows_keep_what_stands_before_a_line_ending() {
    let text = "GCF profile=generic\n## [2]{id,c}\n1|a\r\r\n@1 2|^\r\n.c {}\n    x=b\r\r\n";
    let mut reader = Reader::new(text.as_bytes()).unwrap();
    reader.next_table().unwrap();
    let mut rows = Vec::new();
    while let Some(row) = reader.next_row::<Value>().unwrap() {
        rows.push(row);
    }
    assert_eq!(rows, [json!({"id": 1, "c": "a\r"}), json!({"id": 2, "c": {"x": "b\r"}})]);
    assert_eq!(from_str::<Value>(text).unwrap(), Value::from(rows));
}

#[test]
fn mistakes_in_streams_have_their_place() {
    let read = |text: &str| -> Result<usize, gcf::Error> {
        let mut reader = Reader::new(text.as_bytes())?;
        let mut rows = 0;
        while let Some(table) = reader.next_table()? {
            if table.kind == TableKind::Map {
                while reader.next_member::<Value>()?.is_some() {
                    rows += 1;
                }
            } else {
                while reader.next_row::<Value>()?.is_some() {
                    rows += 1;
                }
            }
        }
        Ok(rows)
    };
    let check = |text: &str, code: &str, line: u64| {
        let error = read(text).unwrap_err();
        let place = error.position().map(|position| position.line);
        assert_eq!((error.code(), place), (code, Some(line)), "{text}\n{error}");
    };
    for (text, code, line) in [
        ("GCF profile=graph\n", "unknown_profile", 1),
        ("GCF profile=generic\na=1\n", "unrecognized_line", 2),
        ("GCF profile=generic\n## a\n", "unrecognized_line", 2),
        ("GCF profile=generic\n## t [2]{a}\n1\n", "count_mismatch", 2),
        ("GCF profile=generic\n## t [1]{a}\n1\n2\n", "count_mismatch", 2),
        ("GCF profile=generic\n## t [2]{a}\n1\n2|3\n", "row_width_mismatch", 4),
        (
            "GCF profile=generic\n## t [2]{a}\n@0 ^\n.a [1]: 1\n@5 ^\n.a [1]: 1\n",
            "invalid_item_id",
            5,
        ),
        (
            "GCF profile=generic\n## t [2]{a}\n@0 ^\n.a [1]: 1\n@1 ^\n.a [2]: 1\n",
            "count_mismatch",
            6,
        ),
        ("GCF profile=generic\n## t [?]{a}\n1\n##! summary counts=2\n", "count_mismatch", 4),
        ("GCF profile=generic\n## t [?]{a}\n1\n## t [?]{a}\n2\n", "duplicate_key", 4),
        ("GCF profile=generic\n## m [2:]{key,a}\nk|1\nk|2\n", "duplicate_key", 4),
        ("GCF profile=generic\n## t [?]{a}\n1", "missing_final_newline", 3),
        ("GCF profile=generic\n## t [2]{@a,g} group=g\ng=1 [2]\n1\n2\n", "not_streamable", 2),
        ("GCF profile=generic\n## t [?]{a}\n1\n##! summary counts=1\nx\n", "unrecognized_line", 5),
        ("GCF profile=generic\n## t [1]{a}\n  1\n", "invalid_indent", 3),
        // The index of a row ends with its line.
        ("GCF profile=generic\n## t [1]{a}\n@0x\n 1\n", "invalid_indent", 4),
        // A line of one tab is not blank.
        ("GCF profile=generic\n\t\n## t [1]{a}\n1\n", "tab_indentation", 2),
        ("GCF profile=generic\n## t [2]{a}\n1\n \t\n2\n", "tab_indentation", 4),
        ("GCF profile=generic\n## [0]\n\t", "tab_indentation", 3),
        ("GCF profile=generic\n## t [?]{a}\n1\n##! summary counts=1\n\t", "tab_indentation", 5),
    ] {
        check(text, code, line);
    }
    for (text, code, line) in [
        ("GCF profile=generic\n## t [1]{a}\n@0 ^\n.a {}\n    name=Al", "missing_final_newline", 5),
        ("GCF profile=generic\n## [1]{a}\n1\n## x [1]{a}\n2\n", "count_mismatch", 2),
        ("GCF profile=generic\n## [?]{a}\n1\n## x [1]{a}\n2\n", "unrecognized_line", 4),
        // Other members are not for readers of rows, but the count is right.
        ("GCF profile=generic\n## t [1]{a}\n1\nx=1\n", "unrecognized_line", 4),
        ("GCF profile=generic\n## t [1]\n@0 =1\nx[2]: 1,2\n", "unrecognized_line", 4),
        ("GCF profile=generic\n## t [1]{a}\n1\n2\n", "count_mismatch", 2),
    ] {
        check(text, code, line);
    }
    // Counts in rows are the trailer's, too; and what is declared beside constants is not shared.
    let nested = "GCF profile=generic\n## t [?]{a}\n@0 ^\n.a [?]{x}\n    1\n@1 ^\n.a [?]\n    2\n    3\n##! summary counts=2,1,2\n";
    assert_eq!(read(nested).unwrap(), 2);
    assert!(from_str::<Value>(nested).is_ok());
    let constants = "GCF profile=generic\n## t [3]{a}\n@0 ^\n.a [2]{x,c=1}\n    1\n    2\n@1 ^\n.a [1]{y}\n    3\n@2 ^\n.a [1]\n    4\n";
    assert_eq!(read(constants).unwrap(), 3);
    let text = "GCF profile=generic\n# c\n## t [2]{a,b}\n@0 ^{x,y,z}|^\n1|2|3\n.b [1]{q}\n    5\n\n@1 ^|^\n4|5|6\n.b [1]\n    6\n## u [1]{a}\n1";
    assert_eq!(read(text).unwrap(), 3);
}

#[test]
fn the_options_of_the_decoder_are_those_of_its_reader() {
    let read = |decoder: Decoder, text: &str| {
        let mut reader = decoder.reader(text.as_bytes())?;
        while reader.next_table()?.is_some() {
            while reader.next_row::<Value>()?.is_some() {}
        }
        Ok::<(), gcf::Error>(())
    };
    let decoder = Decoder::new();
    // Counts before the rows and behind them show that the text is whole, and don't have to.
    for text in [
        "GCF profile=generic\n## a [2]{id}\n1\n2",
        "GCF profile=generic\n## a [?]{id}\n1\n##! summary counts=1",
    ] {
        read(decoder, text).unwrap();
        let careful = decoder.require_final_newline(true);
        let whole: Result<Value, _> = careful.from_str(text);
        let (rows, whole) = (read(careful, text).unwrap_err(), whole.unwrap_err());
        assert_eq!(rows.code(), "missing_final_newline", "{text}");
        assert_eq!((rows.kind(), rows.position()), (whole.kind(), whole.position()), "{text}");
        read(careful, &format!("{text}\n")).unwrap();
        read(careful.require_final_newline(false), text).unwrap();
    }
    let short = decoder.limits(LIMITS.with_line_bytes(20));
    let error = read(short, "GCF profile=generic\n## a [2]{id,name,more}\n").unwrap_err();
    assert_eq!(error.code(), "line_too_long");
}

/// What is wrong after the last row or item is the same error, whether a text is read whole or row
/// by row.
#[test]
fn lines_after_a_table_are_judged_as_in_a_whole_text() {
    let streamed = |text: &str| -> Result<(), gcf::Error> {
        let mut reader = Reader::new(text.as_bytes())?;
        while let Some(table) = reader.next_table()? {
            if table.kind == TableKind::Map {
                while reader.next_member::<Value>()?.is_some() {}
            } else {
                while reader.next_row::<Value>()?.is_some() {}
            }
        }
        Ok(())
    };
    let tables = [
        ("[1]{a,b}", "1|2\n"),
        ("[?]{a,b}", "1|2\n"),
        ("[0]{a,b}", ""),
        ("[?]{a,b}", ""),
        ("[1]{a,b}", "@0 1|^\n.b [1]: 1\n"),
        ("[1]{a,b}", "@0 1|^\n.b {}\n    x=1\n"),
        ("[?]{a,b}", "@0 1|^\n.b {}\n    x=1\n"),
        ("[1:]{key,a}", "k|1\n"),
        ("[?:]{key,a}", "k|1\n"),
        ("[1]", "@0 =1\n"),
        ("[?]", "@0 =1\n"),
        ("[1]", "@0 [1]: 1\n"),
        ("[1]", "@0 {}\n"),
        ("[1]", "@0 {}\n  a=1\n"),
        ("[1]", "@0 [1]\n  @0 =1\n"),
        ("[?]", "@0 {}\n  a=1\n"),
        ("[0]", ""),
    ];
    let lines = [
        "# c",
        "  # c",
        "    # c",
        " # c",
        "\t# c",
        "  \t# c",
        "#",
        "  #",
        " #",
        "\t#",
        "  \t",
        "\t",
        "",
        "x",
        "  x",
        " x",
        "\tx",
        "    x",
        "      x",
        "x=1",
        "  x=1",
        "## u",
        "## u [0]{a}",
        "  ## u [0]{a}",
        " ## u [0]{a}",
        "\t## u [0]{a}",
        "##",
        "  ##",
        "##!",
        "##! x",
        "  ##! x",
        "\t##! x",
        "@1 =1",
        "@7 =1",
    ];
    let (mut texts, mut wrong) = (0, 0);
    let mut different = Vec::new();
    for ((head, rows), name) in tables.into_iter().flat_map(|table| [(table, ""), (table, "t ")]) {
        for line in lines {
            for end in ["\n", ""] {
                let summary = head.contains('?').then_some("##! summary counts=1\n");
                for rest in std::iter::once("").chain(summary) {
                    let text =
                        format!("GCF profile=generic\n## {name}{head}\n{rows}{line}{end}{rest}");
                    let found = |result: Result<(), gcf::Error>| {
                        result.map_err(|error| (error.code(), error.position()))
                    };
                    let whole = found(from_str::<Value>(&text).map(drop));
                    let rows = found(streamed(&text));
                    texts += 1;
                    wrong += usize::from(whole.is_err());
                    // Other members than tables are not for readers of rows.
                    let is_member = !name.is_empty() && matches!(line, "## u" | "x=1");
                    if whole != rows && !is_member {
                        different.push(format!("{text:?}\n  whole {whole:?}\n  rows  {rows:?}"));
                    }
                }
            }
        }
    }
    assert!(texts > 3_000 && wrong > 1_000, "{texts} texts, {wrong} wrong");
    assert!(different.is_empty(), "{} of {texts}:\n{}", different.len(), different.join("\n"));
}
