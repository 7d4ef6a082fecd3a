//! Input that is made to hurt, and readers and writers that fail.

use gcf::ErrorKind;
use gcf::graph::{Decoder, from_reader, from_str, to_writer};
use wire_conformance::faults::{Dribble, Full, Last};
use wire_core::{Limits, Payload};

#[test]
fn a_declared_count_reserves_no_more_than_the_input_can_hold() {
    // Would be 2^64 symbols of 144 bytes.
    let error = from_str("GCF tool=t symbols=18446744073709551615\n").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::CountMismatch);
    let error = from_str("GCF tool=t symbols=0\n## edges [18446744073709551615]\n").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::CountMismatch);
}

#[test]
fn limits_hold() {
    let long = format!("GCF tool=t\n# {}\n", "x".repeat(2_000_000));
    assert_eq!(from_str(&long).unwrap_err().kind(), ErrorKind::LineTooLong);
    let wide = Decoder::new().limits(Limits::DEFAULT.with_line_bytes(3_000_000));
    assert!(wide.from_str(&long).is_ok());
    // The specification asks for lines of at least 65,536 bytes.
    assert!(from_str(&format!("GCF tool=t\n# {}\n", "x".repeat(65_536))).is_ok());

    let two = "GCF tool=t\n@0 fn a 0.5 x\n@1 fn b 0.5 x\n## edges\n@0<@1 calls\n@1<@0 calls\n";
    assert!(Decoder::new().limits(Limits::DEFAULT.with_items(2)).from_str(two).is_ok());
    let one = Decoder::new().limits(Limits::DEFAULT.with_items(1));
    assert_eq!(one.from_str(two).unwrap_err().kind(), ErrorKind::TooManyItems);
    assert_eq!(one.decode_lenient(two).unwrap_err().kind(), ErrorKind::TooManyItems);
}

#[test]
fn many_groups_of_edges_take_linear_time() {
    // To look at all that follows each of them would take much longer.
    for group in ["## edges [0]\n", "## edges\n", "## edges [0]\n\n"] {
        let text = format!("GCF tool=t\n{}", group.repeat(150_000));
        assert_eq!(from_str(&text).unwrap().edges, []);
        assert_eq!(Decoder::new().decode_lenient(&text).unwrap().0.edges, []);
    }
    // Nor is there room made for edges that are not there.
    let text = format!("GCF tool=t\n## edges\n{}", "\n".repeat(1_000));
    assert_eq!(from_str(&text).unwrap().edges.capacity(), 0);
}

#[test]
fn many_header_fields_take_linear_time() {
    // A quadratic check for duplicates would take minutes here.
    let fields = (0..60_000).map(|n| format!(" k{n}=v")).collect::<Vec<_>>().concat();
    assert!(from_str(&format!("GCF tool=t{fields}\n")).is_ok());
}

#[test]
fn many_bad_lines_take_linear_time() {
    // Counting the lines before each of them would take an hour.
    let text = format!("GCF tool=t\n{}", "x\n".repeat(300_000));
    let (_, report) = Decoder::new().decode_lenient(&text).unwrap();
    assert_eq!(report.skipped.len(), 300_000);
    let last = report.skipped.last().unwrap();
    assert_eq!((last.line, last.offset), (300_001, text.len() as u64 - 2));
    let few = Decoder::new().limits(Limits::DEFAULT.with_items(10));
    assert_eq!(few.decode_lenient(&text).unwrap_err().kind(), ErrorKind::TooManyItems);
}

#[test]
fn a_clean_report_is_what_the_same_decoder_takes() {
    let open = "GCF tool=t symbols=1\n@0 fn a 0.5 x";
    for decoder in [Decoder::new(), Decoder::new().require_final_newline(true)] {
        for text in [
            open,
            "GCF tool=t\n@0 fn a 0.5 x\n## edges [2]\n@0<@0 calls\n",
            "GCF tool=t\n",
            "GCF tool=t\nx\n",
        ] {
            let (_, report) = decoder.decode_lenient(text).unwrap();
            assert_eq!(report.is_clean(), decoder.from_str(text).is_ok(), "{text}");
        }
    }
}

#[test]
fn text_is_borrowed() {
    let payload = from_str("GCF tool=t symbols=1\n@0 fn pkg.größe 0.5 x\n").unwrap();
    assert!(matches!(payload.tool, std::borrow::Cow::Borrowed(_)));
    assert!(matches!(payload.symbols[0].qualified_name, std::borrow::Cow::Borrowed(_)));
}

#[test]
fn ids_far_apart_take_no_more_room_than_ids_in_a_row() {
    let text = "GCF tool=t symbols=2\n@4294967295 fn a 0.5 x\n@7 fn b 0.5 x\n## edges\n@7<@4294967295 calls\n";
    let payload = from_str(text).unwrap();
    assert_eq!((payload.edges[0].source, payload.edges[0].target), (0, 1));
}

#[test]
fn failing_readers_and_writers_are_errors() {
    let error = from_reader(Dribble::new(b"GCF tool=t symbols=0\n", Last::Dies)).unwrap_err();
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Io, "the line went dead"));
    let payload = Payload { tool: "t".into(), ..Payload::default() };
    assert_eq!(to_writer(Full, &payload).unwrap_err().kind(), ErrorKind::Io);
}

#[test]
fn recovery_takes_linear_time() {
    // Each would take much longer if any part of it looked at a line again and again.
    let long = 40_000;
    let mut found = 0;
    for (unit, header) in [
        ("GCF", ""),
        ("GCF ", ""),
        ("GCF a", ""),
        ("GCF1", ""),
        ("@1 ", "GCF tool=t\n"),
        ("@1\u{a0}", "GCF tool=t\n"),
        ("1. ", "GCF tool=t\n"),
        ("> ", "GCF tool=t\n"),
        ("- @0 fn a 0.5", "GCF tool=t\n"),
        ("`", "GCF tool=t\n"),
        ("\\n@1 fn a 0.5 x", "GCF tool=t"),
        ("\\u003c", "GCF tool=t\\n"),
        ("&lt;&amp;", "GCF tool=t\n"),
        ("fn a 0.5 x\n", "GCF tool=t\n"),
        ("@0 fn a 0.5 x\n", "GCF tool=t\n"),
        ("x\n", "GCF tool=t\n"),
        ("```\n", "GCF tool=t\n"),
        ("## edges [9]\n", "GCF tool=t\n"),
    ] {
        let answer = format!("{header}{}", unit.repeat(long / unit.len()));
        if let Ok((payload, recovery)) = Decoder::new().recover(&answer) {
            assert_eq!(recovery.found_symbols, payload.symbols.len() as u64, "{unit}");
            found += 1;
        }
    }
    assert!(found >= 5, "{found} of the answers had a payload");
}

#[test]
fn deltas_are_bounded() {
    let limits = Limits::DEFAULT.with_items(1).with_line_bytes(80);
    let decoder = Decoder::new().limits(limits);
    let head = "GCF tool=t delta=true base_root=a new_root=b\n";
    let many = format!("{head}## removed\nfn a\nfn b\n");
    assert_eq!(decoder.decode_delta(&many).unwrap_err().kind(), ErrorKind::TooManyItems);
    let long = format!("{head}## removed\nfn {}\n", "a".repeat(100));
    assert_eq!(decoder.decode_delta(&long).unwrap_err().kind(), ErrorKind::LineTooLong);
    assert!(decoder.decode_delta(&format!("{head}## removed\nfn a\n")).is_ok());
    assert_eq!(decoder.decode_delta(b"GCF\xff\n").unwrap_err().kind(), ErrorKind::InvalidUtf8);
}
