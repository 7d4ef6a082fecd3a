//! Laws of every payload and every input.

use proptest::prelude::*;
use wire_conformance::strategy::{Numbers, Shape, Text, Vocabulary, payload};
use wire_core::{Codec, Components, Payload};

const SHAPE: Shape = Shape {
    text: Text::Any,
    numbers: Numbers::Any,
    max_distance: 255,
    vocabulary: Vocabulary::Listed,
};

fn projected(payload: &Payload<'static>) -> Payload<'static> {
    let mut projected = payload.clone();
    gcb::Gcb::default().info().fidelity().project(&mut projected);
    projected
}

/// A number as it comes back: an infinity where it is refused (ruling B7).
#[allow(clippy::cast_possible_truncation)] // that is what becomes of it
fn projected_number(number: f64) -> f32 {
    number as f32
}

/// Debug text, in which NaN is equal to itself.
fn shown(payload: &Payload<'_>) -> String {
    format!("{payload:?}")
}

proptest! {
    // Every cut of a payload is read in four ways.
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn no_cut_goes_unnoticed(payload in payload(Shape { numbers: Numbers::Singles, ..SHAPE })) {
        let bytes = gcb::to_vec(&payload).unwrap();
        for cut in 0..bytes.len() {
            prop_assert!(gcb::from_slice(&bytes[..cut]).is_err(), "cut at {}", cut);
            prop_assert!(gcb::View::new(&bytes[..cut]).is_err(), "cut at {}", cut);
            prop_assert!(gcb::SharedView::from_bytes(bytes[..cut].to_vec()).is_err(), "cut at {}", cut);
            prop_assert!(read(&bytes[..cut]).is_err(), "cut at {}", cut);
        }
    }
}

proptest! {
    #[test]
    fn a_payload_comes_back_up_to_the_fidelity(payload in payload(SHAPE)) {
        let is_beyond = |number: f64| number.is_finite() && projected_number(number).is_infinite();
        let beyond = payload.symbols.iter().any(|symbol| {
            let Components { blast_radius, confidence, recency, distance } = symbol.components;
            [symbol.score, blast_radius, confidence, recency, distance].into_iter().any(is_beyond)
        });
        let bytes = match gcb::to_vec(&payload) {
            Ok(bytes) => bytes,
            Err(error) => {
                prop_assert!(beyond && error.code() == "out_of_range", "{}", error);
                return Ok(());
            }
        };
        prop_assert!(!beyond);
        let back = gcb::from_slice(&bytes).unwrap();
        prop_assert_eq!(shown(&back), shown(&projected(&payload)));
    }

    #[test]
    fn six_digits_come_back_exactly(payload in payload(Shape { numbers: Numbers::SixDigits, ..SHAPE })) {
        let mut expected = payload.clone();
        expected.pack_root = None;
        let bytes = gcb::to_vec(&payload).unwrap();
        prop_assert_eq!(&gcb::from_slice(&bytes).unwrap(), &expected);
    }

    #[test]
    fn decoding_and_encoding_gives_the_same_bytes(payload in payload(Shape { numbers: Numbers::Singles, ..SHAPE })) {
        let bytes = gcb::to_vec(&payload).unwrap();
        prop_assert_eq!(gcb::to_vec(&gcb::from_slice(&bytes).unwrap()).unwrap(), bytes);
    }

    #[test]
    fn a_shared_view_is_the_view_of_its_bytes(payload in payload(Shape { numbers: Numbers::Singles, ..SHAPE })) {
        let bytes = gcb::to_vec(&payload).unwrap();
        let view = gcb::View::new(&bytes).unwrap();
        let shared = gcb::SharedView::from_bytes(bytes.clone()).unwrap();
        let lent = shared.view();
        prop_assert_eq!(
            (lent.tool(), lent.tokens_used(), lent.token_budget()),
            (view.tool(), view.tokens_used(), view.token_budget())
        );
        for (lent, symbol) in lent.symbols().zip(view.symbols()) {
            prop_assert_eq!(lent.qualified_name(), symbol.qualified_name());
            prop_assert_eq!(lent.score().to_bits(), symbol.score().to_bits());
        }
        let ends = |view: gcb::View<'_>| {
            view.edges().map(|edge| (edge.source(), edge.target())).collect::<Vec<_>>()
        };
        prop_assert_eq!(lent.symbols().len(), payload.symbols.len());
        prop_assert_eq!(ends(lent), ends(view));
        prop_assert_eq!(shared.to_payload(), gcb::from_slice(&bytes).unwrap());
        prop_assert_eq!(&shared.clone().into_bytes()[..], &bytes[..]);
        // No copy is made of what is shared.
        prop_assert_eq!(shared.clone().bytes().as_ptr(), shared.bytes().as_ptr());
    }

    #[test]
    fn any_input_is_decoded_or_refused_with_an_offset(tail in any::<Vec<u8>>()) {
        let input = [b"GCB1\x01", &tail[..]].concat();
        match gcb::from_slice(&input) {
            Ok(payload) => prop_assert!(gcb::to_vec(&payload).is_ok()),
            Err(error) => prop_assert!(error.offset().is_some_and(|offset| offset <= input.len() as u64)),
        }
    }
}

fn read(input: &[u8]) -> Result<(), gcb::Error> {
    let mut reader = gcb::Reader::new(input)?;
    while reader.next_edge()?.is_some() {}
    Ok(())
}
