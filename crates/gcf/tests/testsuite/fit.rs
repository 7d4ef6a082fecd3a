//! Laws of fitting a payload into a token budget.

use gcf::Gcf;
use gcf::graph::{Decoder, Dialect, Encoder};
use proptest::prelude::*;
use wire_conformance::strategy::{Numbers, Shape, Text, Vocabulary, payload};
use wire_core::{Codec, FitError, Payload, TokenCounter, WordPunctuation, fit_to_budget};

const SHAPE: Shape = Shape {
    text: Text::Tokens,
    numbers: Numbers::Finite,
    max_distance: 5,
    vocabulary: Vocabulary::Open,
};

fn codec(dialect: Dialect) -> Gcf {
    Gcf::new(Encoder::new().dialect(dialect), Decoder::new())
}

fn cost(codec: &Gcf, payload: &Payload<'_>) -> u64 {
    let mut out = Vec::new();
    codec.encode(payload, &mut out).expect("because the names are tokens");
    WordPunctuation.count(std::str::from_utf8(&out).expect("because GCF is text")) as u64
}

/// A name that is one of a kind, so that symbols can be told apart.
fn named(mut payload: Payload<'static>) -> Payload<'static> {
    for (index, symbol) in payload.symbols.iter_mut().enumerate() {
        symbol.qualified_name = format!("s{index}").into();
    }
    payload
}

proptest! {
    #[test]
    fn what_fits_is_the_longest_beginning_of_the_ranking(
        payload in payload(SHAPE).prop_map(named),
        dialect in proptest::sample::select(Dialect::ALL),
        budget in 0u64..200,
    ) {
        let codec = codec(dialect);
        let fitted = match fit_to_budget(&payload, &codec, &WordPunctuation, budget) {
            Ok(fitted) => fitted,
            Err(FitError::BudgetTooSmall { needed, .. }) => {
                prop_assert!(needed > budget);
                return Ok(());
            }
            Err(error) => panic!("{error}"),
        };
        let kept = &fitted.payload;
        prop_assert_eq!(kept.token_budget, budget);
        prop_assert_eq!(kept.tokens_used, cost(&codec, kept));
        prop_assert!(kept.tokens_used <= budget);
        prop_assert_eq!(kept.symbols.len() + fitted.symbols_left_out, payload.symbols.len());
        prop_assert_eq!(kept.edges.len() + fitted.edges_left_out, payload.edges.len());
        prop_assert_eq!(kept.pack_root.is_some(), payload.pack_root.is_some() && fitted.symbols_left_out == 0);

        // By score, then by distance, then by place.
        let mut ranked: Vec<usize> = (0..payload.symbols.len()).collect();
        ranked.sort_by(|&a, &b| {
            let (a, b) = (&payload.symbols[a], &payload.symbols[b]);
            b.score.partial_cmp(&a.score).unwrap().then(a.distance.cmp(&b.distance))
        });
        let mut expected: Vec<usize> = ranked[..kept.symbols.len()].to_vec();
        expected.sort_unstable();
        let names: Vec<String> = expected.iter().map(|index| format!("s{index}")).collect();
        prop_assert!(kept.symbols.iter().map(|s| &*s.qualified_name).eq(names.iter().map(|n| &**n)));
        // Exactly the edges among them.
        let among = payload
            .edges
            .iter()
            .filter(|edge| [edge.source, edge.target].iter().all(|end| expected.contains(&(*end as usize))));
        prop_assert_eq!(among.count(), kept.edges.len());

        // One more would not fit.
        if fitted.symbols_left_out > 0 {
            let mut longer = payload.clone();
            let among = |index: usize| ranked[..=kept.symbols.len()].contains(&index);
            let place = |end: u32| u32::try_from((0..end as usize).filter(|&i| among(i)).count()).unwrap();
            longer.edges.retain(|edge| among(edge.source as usize) && among(edge.target as usize));
            for edge in &mut longer.edges {
                (edge.source, edge.target) = (place(edge.source), place(edge.target));
            }
            let mut index = 0;
            longer.symbols.retain(|_| { index += 1; among(index - 1) });
            longer.pack_root = longer.pack_root.filter(|_| fitted.symbols_left_out == 1);
            (longer.token_budget, longer.tokens_used) = (budget, budget + 1);
            prop_assert!(cost(&codec, &longer) > budget);
        } else {
            let mut whole = payload.clone();
            (whole.token_budget, whole.tokens_used) = (budget, kept.tokens_used);
            prop_assert_eq!(&whole, kept);
        }
        // A larger budget never keeps less.
        let more = fit_to_budget(&payload, &codec, &WordPunctuation, budget + 7).unwrap();
        prop_assert!(more.payload.symbols.len() >= kept.symbols.len());
    }

    #[test]
    fn the_budget_that_a_payload_costs_is_enough(payload in payload(SHAPE)) {
        let codec = codec(Dialect::V1);
        let fitted = fit_to_budget(&payload, &codec, &WordPunctuation, 1_000_000).unwrap();
        prop_assert_eq!(fitted.symbols_left_out, 0);
        let cost = fitted.payload.tokens_used;
        prop_assert_eq!(fit_to_budget(&payload, &codec, &WordPunctuation, cost).unwrap().symbols_left_out, 0);
        if !payload.symbols.is_empty() {
            prop_assert!(fit_to_budget(&payload, &codec, &WordPunctuation, cost - 1).unwrap().symbols_left_out > 0);
        }
    }
}

#[test]
fn errors_say_what_is_needed() {
    let payload = Payload { tool: "t".into(), ..Payload::default() };
    let error = fit_to_budget(&payload, &codec(Dialect::V1), &WordPunctuation, 3).unwrap_err();
    assert_eq!(error.code(), "budget_too_small");
    assert_eq!(
        error.to_string(),
        "the budget is 3 tokens, expected at least 13, which a payload without symbols uses"
    );
    let unwritable = Payload::default();
    let error = fit_to_budget(&unwritable, &codec(Dialect::V1), &WordPunctuation, 100).unwrap_err();
    assert_eq!(error.code(), "invalid_name");
}

/// Counts how often it is asked.
struct Counting(std::sync::atomic::AtomicUsize);

impl TokenCounter for Counting {
    fn name(&self) -> &'static str {
        "counting"
    }

    fn count(&self, text: &str) -> usize {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        WordPunctuation.count(text)
    }
}

#[test]
fn the_text_is_not_encoded_for_each_symbol() {
    let symbol = |n: u32| {
        wire_core::Symbol::new("function", format!("pkg.f{n}"))
            .with_score(f64::from(n % 100) / 100.0)
    };
    let payload = Payload {
        tool: "t".into(),
        symbols: (0..10_000).map(symbol).collect(),
        ..Payload::default()
    };
    let counting = Counting(0.into());
    let fitted = fit_to_budget(&payload, &codec(Dialect::V1), &counting, 20_000).unwrap();
    assert!(fitted.payload.symbols.len() > 1_000 && fitted.symbols_left_out > 0);
    let asked = counting.0.load(std::sync::atomic::Ordering::Relaxed);
    // Three times for each of the 15 lengths that are tried: the text says what it costs.
    assert!(asked <= 3 * 16, "{asked}");
}
