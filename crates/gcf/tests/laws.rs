//! What holds for every payload and every text.

use gcf::graph::{Decoder, Dialect, Encoder, Event};
use proptest::prelude::*;
use wire_conformance::strategy::{Numbers, Shape, Text, Vocabulary, payload};
use wire_core::{Codec, Payload};

const SHAPE: Shape = Shape {
    text: Text::Tokens,
    numbers: Numbers::Finite,
    max_distance: u32::MAX,
    vocabulary: Vocabulary::Open,
};

fn dialect() -> impl Strategy<Value = Dialect> {
    proptest::sample::select(Dialect::ALL)
}

fn projected(payload: &Payload<'static>) -> Payload<'static> {
    let mut projected = payload.clone();
    gcf::Gcf::default().info().fidelity().project(&mut projected);
    projected
}

proptest! {
    #[test]
    fn a_payload_comes_back_up_to_the_fidelity(payload in payload(SHAPE), dialect in dialect()) {
        let text = Encoder::new().dialect(dialect).to_string(&payload).unwrap();
        let back = gcf::graph::from_str(&text).unwrap();
        prop_assert_eq!(&back, &projected(&payload));
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
        let (lenient, report) = Decoder::new().from_str_lenient(&text).unwrap();
        prop_assert_eq!(&from_str, &lenient);
        prop_assert!(report.is_clean(), "{:?}", report);

        let (mut symbols, mut edges) = (0, 0);
        for event in Decoder::new().events(&text) {
            match event.unwrap() {
                Event::Symbol(line) => {
                    prop_assert_eq!(line.qualified_name, &*from_str.symbols[symbols].qualified_name);
                    symbols += 1;
                }
                Event::Edge(line) => {
                    prop_assert_eq!(line.source, from_str.edges[edges].source);
                    edges += 1;
                }
                _ => {}
            }
        }
        prop_assert_eq!((symbols, edges), (from_str.symbols.len(), from_str.edges.len()));
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
    fn line_endings_do_not_matter(payload in payload(SHAPE)) {
        let text = gcf::graph::to_string(&payload).unwrap();
        let crlf = text.replace('\n', "\r\n");
        prop_assert_eq!(gcf::graph::from_str(&crlf).unwrap(), gcf::graph::from_str(&text).unwrap());
    }

    #[test]
    fn no_cut_of_a_counted_payload_goes_unnoticed(payload in payload(SHAPE)) {
        let text = Encoder::new().dialect(Dialect::V1_4).to_string(&payload).unwrap();
        let decoder = Decoder::new().require_final_newline();
        for cut in 0..text.len() {
            prop_assert!(decoder.from_slice(&text.as_bytes()[..cut]).is_err(), "cut at {}", cut);
        }
    }

    #[test]
    fn a_cut_of_an_uncounted_payload_loses_edges_at_most(payload in payload(SHAPE)) {
        let text = gcf::graph::to_string(&payload).unwrap();
        let whole = gcf::graph::from_str(&text).unwrap();
        for cut in 0..text.len() {
            if let Ok(part) = Decoder::new().require_final_newline().from_slice(&text.as_bytes()[..cut]) {
                prop_assert_eq!(&part.symbols, &whole.symbols);
                prop_assert_eq!(&part.edges[..], &whole.edges[..part.edges.len()]);
            }
        }
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
