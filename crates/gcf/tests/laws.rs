//! Laws of every payload and every text.

use std::cell::Cell;

use gcf::graph::{Decoder, Dialect, Encoder, StreamHead};
use proptest::prelude::*;
use wire_conformance::strategy::{Numbers, Shape, Text, Vocabulary, payload};
use wire_core::Payload;

const SHAPE: Shape = Shape {
    text: Text::Tokens,
    numbers: Numbers::Finite,
    max_distance: u32::MAX,
    vocabulary: Vocabulary::Open,
};

fn dialect() -> impl Strategy<Value = Dialect> {
    proptest::sample::select(Dialect::ALL)
}

fn projected(payload: &Payload<'static>, dialect: Dialect) -> Payload<'static> {
    let mut projected = payload.clone();
    dialect.fidelity().project(&mut projected);
    projected
}

proptest! {
    #[test]
    fn a_payload_comes_back_up_to_the_fidelity(payload in payload(SHAPE), dialect in dialect()) {
        let text = Encoder::new().dialect(dialect).to_string(&payload).unwrap();
        let back = gcf::graph::from_str(&text).unwrap();
        prop_assert_eq!(&back, &projected(&payload, dialect));
        // And what comes back is the same text.
        prop_assert_eq!(Encoder::new().dialect(dialect).to_string(&back).unwrap(), text);
    }

    #[test]
    fn every_entry_point_agrees(payload in payload(SHAPE), dialect in dialect()) {
        let encoder = Encoder::new().dialect(dialect);
        let text = encoder.to_string(&payload).unwrap();
        let mut appended = b"before".to_vec();
        encoder.encode(&payload, &mut appended).unwrap();
        prop_assert_eq!(&appended[6..], text.as_bytes());
        let from_str = gcf::graph::from_str(&text).unwrap();
        prop_assert_eq!(&from_str, &gcf::graph::from_slice(text.as_bytes()).unwrap());
        prop_assert_eq!(&from_str, &gcf::graph::from_reader(text.as_bytes()).unwrap());
        let (lenient, report) = Decoder::new().decode_lenient(&text).unwrap();
        prop_assert_eq!(&from_str, &lenient);
        prop_assert!(report.is_clean(), "{:?}", report);
    }

    #[test]
    fn the_order_of_distances_does_not_matter(payload in payload(SHAPE), dialect in dialect()) {
        // Ids are given in the order of distances, so a canonical payload is the same text.
        let mut canonical = payload.clone();
        canonical.canonicalize();
        let encoder = Encoder::new().dialect(dialect);
        prop_assert_eq!(encoder.to_string(&payload).unwrap(), encoder.to_string(&canonical).unwrap());
    }

    #[test]
    fn no_order_matters_to_v3(payload in payload(SHAPE), seed in any::<u64>()) {
        // Apart from symbols of one rank and edges between the same ends, which keep their order.
        let mut payload = payload;
        let distinct = u32::try_from(payload.symbols.len()).unwrap();
        for (place, symbol) in (0u32..distinct).zip(&mut payload.symbols) {
            symbol.score = f64::from(place);
        }
        payload.edges.sort_by_key(|edge| (edge.source, edge.target));
        payload.edges.dedup_by_key(|edge| (edge.source, edge.target));
        let mut shuffled = payload.clone();
        let mut state = seed;
        let mut below = |bound: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            usize::try_from(state >> 33).unwrap() % bound.max(1)
        };
        for place in (1..shuffled.symbols.len()).rev() {
            let (other, last) = (below(place + 1), place);
            shuffled.symbols.swap(other, last);
            let swap = |end: u32| match usize::try_from(end).unwrap() {
                end if end == other => u32::try_from(last).unwrap(),
                end if end == last => u32::try_from(other).unwrap(),
                _ => end,
            };
            for edge in &mut shuffled.edges {
                (edge.source, edge.target) = (swap(edge.source), swap(edge.target));
            }
        }
        for place in (1..shuffled.edges.len()).rev() {
            shuffled.edges.swap(below(place + 1), place);
        }
        let encoder = Encoder::new().dialect(Dialect::V3);
        prop_assert_eq!(encoder.to_string(&shuffled).unwrap(), encoder.to_string(&payload).unwrap());
    }

    #[test]
    fn a_stream_is_read_like_a_buffered_payload(
        payload in payload(SHAPE),
        dialect in proptest::sample::select(&[Dialect::V1_4, Dialect::V3][..]),
    ) {
        let mut payload = payload;
        payload.canonicalize();
        let head = StreamHead {
            tool: &payload.tool,
            token_budget: payload.token_budget,
            tokens_used: payload.tokens_used,
            pack_root: payload.pack_root.clone(),
        };
        let mut stream = Encoder::new().dialect(dialect).writer(Vec::new(), &head).unwrap();
        for (index, symbol) in (0u32..).zip(&payload.symbols) {
            prop_assert_eq!(stream.symbol(symbol).unwrap(), index);
        }
        for edge in &payload.edges {
            stream.edge(edge).unwrap();
        }
        let text = stream.finish().unwrap();
        // Nothing is sorted on the way, so the order is that of the payload in every dialect.
        prop_assert_eq!(gcf::graph::from_slice(&text).unwrap(), projected(&payload, Dialect::V1));
    }

    #[test]
    fn line_endings_do_not_matter(payload in payload(SHAPE)) {
        let text = gcf::graph::to_string(&payload).unwrap();
        let crlf = text.replace('\n', "\r\n");
        prop_assert_eq!(gcf::graph::from_str(&crlf).unwrap(), gcf::graph::from_str(&text).unwrap());
    }

    #[test]
    fn any_text_is_decoded_or_refused_with_a_place(text in any::<String>(), head in any::<bool>()) {
        let text = if head { format!("GCF tool=t\n{text}") } else { text };
        match gcf::graph::from_str(&text) {
            Ok(payload) => prop_assert!(gcf::graph::to_string(&payload).is_ok()),
            Err(error) => prop_assert!(error.position().is_some()),
        }
    }
}

/// Every cut of a payload is another text to read.
fn cuts() -> ProptestConfig {
    ProptestConfig::with_cases(64)
}

proptest! {
    #![proptest_config(cuts())]

    #[test]
    fn no_cut_of_a_counted_payload_goes_unnoticed(
        payload in payload(SHAPE),
        dialect in proptest::sample::select(&[Dialect::V1_4, Dialect::V3][..]),
    ) {
        let text = Encoder::new().dialect(dialect).to_string(&payload).unwrap();
        let decoder = Decoder::new().require_final_newline(true);
        for cut in 0..text.len() {
            prop_assert!(decoder.from_slice(&text.as_bytes()[..cut]).is_err(), "cut at {}", cut);
        }
    }
}

#[test]
fn a_cut_of_an_uncounted_payload_loses_edges_at_most() {
    let taken = Cell::new(0);
    proptest!(cuts(), |(payload in payload(SHAPE))| {
        let text = gcf::graph::to_string(&payload).unwrap();
        let whole = gcf::graph::from_str(&text).unwrap();
        let decoder = Decoder::new().require_final_newline(true);
        for cut in 0..text.len() {
            if let Ok(part) = decoder.from_slice(&text.as_bytes()[..cut]) {
                taken.set(taken.get() + 1);
                prop_assert_eq!(&part.symbols, &whole.symbols);
                prop_assert_eq!(&part.edges[..], &whole.edges[..part.edges.len()]);
            }
        }
    });
    assert!(taken.get() > 50, "{taken:?} of the cuts were taken");
}
