//! Which beginnings of a payload are payloads (ruling A3), pinned.

use gcf::graph::{Decoder, Dialect, Encoder};
use wire_conformance::{Corpus, fixtures_dir};
use wire_core::{TokenCounter, WordPunctuation};

/// The documented ten-symbol example, as the case of this name has it.
fn example(name: &str) -> String {
    let corpus = Corpus::load(&fixtures_dir()).expect("because the repository has it");
    let text = corpus
        .cases_of("gcf")
        .find(|case| case.id == format!("gcf/graph/documented_example.json#{name}"))
        .and_then(|case| case.operation.text().map(<[u8]>::to_vec))
        .expect("because the corpus has the example");
    String::from_utf8(text).expect("because GCF is text")
}

/// How many beginnings of the text decode, the whole text among them.
fn accepted(text: &str, decoder: Decoder) -> usize {
    (0..=text.len()).filter(|&cut| decoder.from_str(&text[..cut]).is_ok()).count()
}

#[test]
fn beginnings_of_the_documented_example() {
    let strict = Decoder::new();
    let careful = strict.require_final_newline(true);
    let v1 = example("ten_symbols_v1");
    assert_eq!(v1.len(), 1079);
    assert_eq!(WordPunctuation.count(&v1), 233);
    // Without a count of edges: the last symbol's last word (12) and its line ending, the group
    // line and its line ending, and the types of eight edges (6 times 5 letters, twice 10) with
    // theirs.
    assert_eq!(accepted(&v1, strict), 12 + 1 + 2 + (6 * 5 + 2 * 10 + 8));
    // Only whole lines: the last symbol, the group, eight edges.
    assert_eq!(accepted(&v1, careful), 10);
    let counted = example("ten_symbols_v1_4");
    // The last edge's type, letter by letter, and the whole text.
    assert_eq!(accepted(&counted, strict), 10 + 1);
    assert_eq!(accepted(&counted, careful), 1);
    // A stream without its trailer is a payload (1.4, section 6b), so a cut at a line's end is one.
    let streamed = example("ten_symbols_streamed");
    assert_eq!(
        (streamed.len(), accepted(&streamed, strict), accepted(&streamed, careful)),
        (1151, 66, 24)
    );
    let payload = gcf::graph::from_str(&v1).expect("because it is the example");
    let ranked =
        Encoder::new().dialect(Dialect::V3).to_string(&payload).expect("because it decodes");
    assert_eq!((ranked.len(), accepted(&ranked, strict)), (1105, 10 + 1));
    assert_eq!(accepted(&ranked, careful), 1);
}
