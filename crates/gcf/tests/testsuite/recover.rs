//! Laws of recovery: what was done to a text is undone, and said.

use gcf::graph::RepairKind::{CodeFence, EscapedNewlines, SurroundingText};
use gcf::graph::{Decoder, Dialect, Encoder, Recovery, RepairKind};
use proptest::prelude::*;
use wire_conformance::strategy::{Numbers, Shape, Text, Vocabulary, payload};
use wire_core::Payload;

const SHAPE: Shape = Shape {
    text: Text::Tokens,
    numbers: Numbers::SixDigits,
    max_distance: 9,
    vocabulary: Vocabulary::Open,
};

const WRITABLE: &str = "because the names are tokens";

fn recover(answer: &str) -> (Payload<'static>, Recovery) {
    Decoder::new().recover(answer).unwrap_or_else(|error| panic!("{error}\n{answer}"))
}

fn kinds(recovery: &Recovery) -> Vec<RepairKind> {
    let mut kinds: Vec<RepairKind> = recovery.repairs.iter().map(|repair| repair.kind).collect();
    kinds.dedup();
    kinds
}

/// A payload in a dialect that counts its edges, and its text.
fn text() -> impl Strategy<Value = (Payload<'static>, String)> {
    let dialect = proptest::sample::select(&[Dialect::V1_4, Dialect::V3]);
    (payload(SHAPE), dialect).prop_map(|(payload, dialect)| {
        let text = Encoder::new().dialect(dialect).to_string(&payload).expect(WRITABLE);
        (gcf::graph::from_str(&text).expect(WRITABLE).into_owned(), text)
    })
}

/// As [`text`], with names that no repair of characters would change, and known kinds.
fn plain_text() -> impl Strategy<Value = (Payload<'static>, String)> {
    let shape = Shape { vocabulary: Vocabulary::Listed, ..SHAPE };
    let dialect = proptest::sample::select(&[Dialect::V1_4, Dialect::V3]);
    (payload(shape), dialect).prop_map(|(mut payload, dialect)| {
        let plain = |name: &str| -> String {
            name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
        };
        payload.tool = plain(&payload.tool).into();
        payload.pack_root = None;
        for symbol in &mut payload.symbols {
            symbol.qualified_name = plain(&symbol.qualified_name).into();
        }
        let text = Encoder::new().dialect(dialect).to_string(&payload).expect(WRITABLE);
        (gcf::graph::from_str(&text).expect(WRITABLE).into_owned(), text)
    })
}

proptest! {
    #[test]
    fn what_is_whole_needs_no_repair((payload, text) in text()) {
        let (recovered, recovery) = recover(&text);
        prop_assert_eq!(recovered, payload);
        prop_assert!(recovery.repairs.is_empty(), "{:?}", recovery);
    }

    #[test]
    fn surroundings_are_taken_off(
        (payload, text) in plain_text(),
        fence in proptest::sample::select(&["```", "```gcf", "~~~"][..]),
    ) {
        let answer = format!("Here it is.\n\n{fence}\n{text}{}\n\nSo much.\n", &fence[..3]);
        let (recovered, recovery) = recover(&answer);
        prop_assert_eq!(recovered, payload);
        prop_assert_eq!(
            kinds(&recovery),
            [SurroundingText, CodeFence, SurroundingText],
        );
    }

    #[test]
    fn lines_are_mended(
        (payload, text) in plain_text(),
        prefix in proptest::sample::select(&["- ", "  ", "> ", "3. ", "\u{2022} "][..]),
    ) {
        let answer = text.lines().map(|line| format!("{prefix}{line}\n")).collect::<Vec<_>>().concat();
        let (recovered, recovery) = recover(&answer);
        prop_assert_eq!(&recovered, &payload);
        prop_assert_eq!(kinds(&recovery), [RepairKind::Decoration; 1]);

        let (recovered, recovery) = recover(&text.replace(' ', "\u{a0}"));
        prop_assert_eq!(recovered, payload);
        prop_assert_eq!(kinds(&recovery), [RepairKind::WhiteSpace; 1]);
    }

    #[test]
    fn escaped_text_is_unescaped((payload, text) in plain_text()) {
        let answer = serde_json::json!({ "result": text }).to_string();
        let (recovered, recovery) = recover(&answer);
        prop_assert_eq!(recovered, payload);
        prop_assert_eq!(kinds(&recovery), [SurroundingText, EscapedNewlines]);
    }

    #[test]
    fn ids_are_given_where_they_lack((payload, text) in plain_text()) {
        let answer: String = text
            .lines()
            .map(|line| match line.split_once(' ') {
                Some((id, rest)) if id.starts_with('@') && !id.contains('<') => format!("{rest}\n"),
                _ => format!("{line}\n"),
            })
            .collect();
        let (recovered, recovery) = recover(&answer);
        prop_assert_eq!(&recovered, &payload);
        prop_assert_eq!(recovery.repairs.len(), payload.symbols.len());
    }

    #[test]
    fn cuts_are_reported((payload, text) in plain_text(), cut in any::<prop::sample::Index>()) {
        let end = (0..=cut.index(text.len())).rfind(|&end| text.is_char_boundary(end)).unwrap();
        let (recovered, recovery) = match Decoder::new().recover(&text[..end]) {
            Ok(recovered) => recovered,
            Err(error) => {
                // Inside the first field of the header, or before anything that it is about (ruling
                // G16).
                let most = match error.code() {
                    "nothing_to_recover" => {
                        text.match_indices('\n').nth(1).map_or(text.len(), |(end, _)| end + 1)
                    }
                    _ => text.find(" tool=").unwrap() + " tool=".len(),
                };
                prop_assert!(end < most, "{}", error);
                return Ok(());
            }
        };
        prop_assert!(recovered.symbols.len() <= payload.symbols.len());
        prop_assert_eq!(recovery.found_symbols, recovered.symbols.len() as u64);
        prop_assert_eq!(recovery.found_edges, recovered.edges.len() as u64);
        // A cut inside the last word does not show, if every count is right.
        let strict = gcf::graph::from_str(&text[..end]).is_ok();
        prop_assert_eq!(recovery.repairs.is_empty(), strict);
        if !recovered.symbols.is_empty() {
            let whole = recovered.symbols.len() - 1;
            prop_assert_eq!(&recovered.symbols[..whole], &payload.symbols[..whole]);
        }
    }

    #[test]
    fn anything_is_an_account_or_an_error(answer in any::<String>()) {
        if let Ok((payload, recovery)) = Decoder::new().recover(&answer) {
            prop_assert_eq!(recovery.found_symbols, payload.symbols.len() as u64);
        }
        let nearly = format!("GCF tool=t\n{answer}\n@0 fn a 0.50 x\n");
        let (payload, _) = recover(&nearly);
        prop_assert!(!payload.symbols.is_empty() || answer.contains("GCF"), "{nearly}");
    }
}

#[test]
fn escapes_are_those_of_json() {
    for (escaped, name) in [
        (r"\\", r"\"),
        (r"\/", "/"),
        ("\\\"", "\""),
        (r"\u003c", "<"),
        (r"\ud83d\ude00!", "\u{1f600}!"),
        (r"\u00e9\u0041", "éA"),
        // These are no escapes.
        (r"\ud83d", r"\ud83d"),
        (r"\u00", r"\u00"),
        (r"\u+0ff", r"\u+0ff"),
        (r"\users\u00e9", r"\usersé"),
        (r"\Models", r"\Models"),
    ] {
        let answer = format!(r#"{{"a": "GCF tool=t\n## targets\n@0 fn {escaped}- 0.50 x\n"}}"#);
        let (payload, _) = recover(&answer);
        assert_eq!(payload.symbols[0].qualified_name, format!("{name}-"), "{answer}");
    }
}

#[test]
fn a_header_is_a_word_with_fields() {
    for (line, tool) in [
        ("GCF tool=t", Some("t")),
        ("  - `GCF tool=t`", Some("t")),
        ("GCF\u{a0}tool=t", Some("t")),
        ("the GCF, or GCF tool=t", Some("t")),
        ("MYGCF tool=t", None),
        ("_GCF tool=t", None),
        ("GCF is a format", None),
        ("GCF", None),
    ] {
        let (payload, recovery) = recover(&format!("{line}\n@0 fn a 0.50 x\n"));
        assert_eq!(payload.tool, tool.unwrap_or_default(), "{line}");
        let is_missing = kinds(&recovery).contains(&RepairKind::MissingHeader);
        assert_eq!(is_missing, tool.is_none(), "{line}");
    }
}

#[test]
fn entities_are_their_characters_once() {
    let line = "@0&nbsp;fn a&lt;b&gt;&quot;c&#39;&amp;lt; 0.50 x";
    let (payload, recovery) = recover(&format!("GCF tool=t\n{line}\n"));
    assert_eq!(payload.symbols[0].qualified_name, "a<b>\"c'&lt;");
    assert!(kinds(&recovery).contains(&RepairKind::HtmlEntities), "{recovery:?}");
}
