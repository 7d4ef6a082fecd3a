//! The counts are those of `tiktoken-rs`, on texts that are made to differ.

use proptest::collection::vec;
use proptest::prelude::*;
use tiktoken_rs::CoreBPE;
use wire_core::TokenCounter;

use crate::Counter;

/// Holds a text against both vocabularies: the count, and where each token is.
fn check(text: &str) {
    let vocabularies: [(Counter, &CoreBPE); 2] = [
        (Counter::Cl100kBase, tiktoken_rs::cl100k_base_singleton()),
        (Counter::O200kBase, tiktoken_rs::o200k_base_singleton()),
    ];
    for (counter, tiktoken) in vocabularies {
        let tokens = tiktoken.encode_ordinary(text);
        let count = tokens.len();
        assert_eq!(counter.count(text), count, "{counter} {text:?}");
        let lengths = tiktoken._decode_native_and_split(tokens).map(|token| token.len());
        let pieces = counter.pieces(text).map(|(_, length)| length);
        assert!(pieces.eq(lengths), "{counter} {text:?}");
        // What decides without counting never says that there are more.
        assert_eq!(counter.count_up_to(text, count), Some(count), "{counter} {text:?}");
        assert!(counter.bounds(text.len()).contains(&counter.count(text)), "{counter} {text:?}");
    }
}

/// What the patterns of the vocabularies tell apart, and what people write.
fn part() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => any::<String>(),
        4 => "[ -~]{0,40}",
        3 => "[a-zA-Z]{1,12}",
        3 => "[0-9]{1,20}",
        // White space of every kind, which is cut by what follows.
        4 => "[ \t\r\n\u{b}\u{c}\u{85}\u{a0}\u{1680}\u{2003}\u{2028}\u{2029}\u{202f}\u{3000}]{1,12}",
        3 => "( |\n|\r\n|\t){1,30}",
        2 => "('s|'S|'t|'re|'VE|'ll|'d|'\u{17f}|’s){1,4}",
        2 => "[/.,:;=\"|{}\\[\\]()<>@#_-]{1,30}",
        // Letters of many scripts, of either case or none, and marks.
        2 => "\\p{L}{1,12}",
        2 => "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]{1,8}[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]{0,8}",
        2 => "\\p{N}{1,8}",
        2 => "[一-龥ぁ-ゖァ-ヺ가-힣]{1,20}",
        2 => "[😀-🙏🚀-🛿👩👨🏽\u{200d}\u{fe0f}🇦-🇿]{1,8}",
        1 => "[\u{0}-\u{1f}\u{7f}-\u{9f}]{1,8}",
        1 => "\\p{Cf}{1,4}",
        1 => prop_oneof![
            Just("<|endoftext|>"), Just("<|fim_prefix|>"), Just("<|fim_middle|>"), Just("<|im_start|>"),
            Just("<|endofprompt|>"), Just("<|"), Just("|>"),
        ].prop_map(str::to_owned),
        1 => (prop_oneof!["[a-zA-Z0-9]", "[=\\-_*/ \n]", "\\PC"], 1_usize..400)
            .prop_map(|(text, times)| text.repeat(times)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, ..ProptestConfig::default() })]

    #[test]
    fn counts_are_those_of_tiktoken(parts in vec(part(), 0..8)) {
        check(&parts.concat());
    }
}

#[test]
fn runs_are_counted_as_tiktoken_does() {
    for run in [
        "a", "A", " ", "\n", "\r\n", "\t", "0", "=", "-", "字", "é", "e\u{301}", "🙂", "ab", " a",
        "\u{0}", "\u{a0}", "ſ",
    ] {
        for times in [1, 2, 3, 7, 63, 64, 127, 128, 129, 1_000] {
            let run = run.repeat(times);
            for text in
                [run.clone(), format!("x{run}"), format!("{run}y"), format!("x{run} {run}y")]
            {
                check(&text);
            }
        }
    }
}

#[test]
fn longer_runs_are_counted_in_pieces() {
    // An exact count of such a text needs minutes in this build.
    let tokens = |run: &str| {
        let text = run.repeat((4 << 20) / run.len());
        let lengths = Counter::O200kBase.pieces(&text).map(|(_, length)| length);
        assert_eq!(lengths.sum::<usize>(), text.len(), "{run:?}");
        Counter::O200kBase.count(&text)
    };
    for run in [" ", "a", "aB", "=", "字", "e\u{301}", "abcdefghijklmnopqrstuvwxyz"] {
        let tokens = tokens(run);
        let exact = tiktoken_rs::o200k_base_singleton().encode_ordinary(&run.repeat(4096)).len();
        let expected = (4 << 20) / (4096 * run.len()) * exact;
        assert!(tokens.abs_diff(expected) <= expected / 16, "{run:?}: {tokens}, {expected}");
    }
}

/// The texts of the corpus: what the counters are for.
#[test]
fn the_corpus_is_counted_as_tiktoken_does() {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures");
    let mut folders = vec![std::path::PathBuf::from(fixtures)];
    let mut bytes = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                // Enough of a long one, since the debug build counts it four times.
                let text: Vec<char> = text.chars().take(20_000).collect();
                // No run in a piece is so long that it is not counted exactly.
                for piece in text.chunks(4_000) {
                    let piece: String = piece.iter().collect();
                    check(&piece);
                    bytes += piece.len();
                }
            }
        }
    }
    assert!(bytes > 1_000_000, "{bytes}");
}
