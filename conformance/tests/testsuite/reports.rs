//! What holds for the reports of every codec of the family.

use gcf::graph::{Decoder, Dialect, Encoder};
use proptest::prelude::*;
use wire_conformance::strategy::{Numbers, Shape, Text, Vocabulary, payload};
use wire_core::{Codec, Payload, Symbol};
use wire_registry::Registry;

const DISTINCT: &str = "because the names of the codecs are distinct";

fn shape() -> impl Strategy<Value = Shape> {
    let text = prop_oneof![Just(Text::Tokens), Just(Text::Any)];
    let numbers = prop_oneof![Just(Numbers::Finite), Just(Numbers::Any)];
    let vocabulary = prop_oneof![Just(Vocabulary::Listed), Just(Vocabulary::Open)];
    (text, numbers, vocabulary).prop_map(|(text, numbers, vocabulary)| Shape {
        text,
        numbers,
        max_distance: 255,
        vocabulary,
    })
}

/// Every codec; GCF in each dialect, and replacing white space, too.
fn codecs() -> Vec<Registry> {
    let gcf = Dialect::ALL.iter().flat_map(|dialect| {
        let plain = Encoder::new().dialect(*dialect);
        [plain, plain.replace_white_space(Some('_'))].map(|encoder| {
            let mut registry = Registry::empty();
            registry.register(gcf::Gcf::new(encoder, Decoder::new())).expect(DISTINCT);
            registry
        })
    });
    let mut registry = Registry::new();
    registry.register(gcb::Gcb::default()).expect(DISTINCT);
    registry.register(gcx::Gcx::default()).expect(DISTINCT);
    registry.register(goon::Goon::default()).expect(DISTINCT);
    std::iter::once(registry).chain(gcf).collect()
}

proptest! {
    #[test]
    fn a_report_changes_no_byte(payload in shape().prop_flat_map(payload)) {
        for codec in codecs().iter().flat_map(Registry::codecs) {
            let (mut plain, mut reported) = (b"before".to_vec(), b"before".to_vec());
            let outcome = codec.encode(&payload, &mut plain);
            let report = codec.encode_with_report(&payload, &mut reported);
            prop_assert_eq!(&plain, &reported, "{}", codec.info().name());
            match (outcome, report) {
                (Ok(()), Ok(report)) => {
                    prop_assert_eq!(report.losses, codec.info().fidelity().report(&payload));
                }
                (Err(error), Err(other)) => prop_assert_eq!(error.to_string(), other.to_string()),
                (plain, reported) => prop_assert!(false, "{:?}, {:?}", plain, reported),
            }
        }
    }
}

#[test]
fn reports_count_the_names_that_were_changed() {
    let symbols = ["operator new", "b"].map(|name| Symbol::new("function", name));
    let payload = Payload { tool: "t".into(), symbols: symbols.into(), ..Payload::default() };
    let report = |encoder| {
        let codec = gcf::Gcf::new(encoder, Decoder::new());
        codec.encode_with_report(&payload, &mut Vec::new())
    };
    assert_eq!(report(Encoder::new()).unwrap_err().code(), "invalid_name");
    let report = report(Encoder::new().replace_white_space(Some('_'))).unwrap();
    assert_eq!((report.names_changed, report.losses.is_clean()), (1, true));
    assert!(!report.is_clean());
    // Of all others there is nothing to say but what their fidelity says.
    let registry = Registry::new();
    let json = registry.get("json").unwrap().encode_with_report(&payload, &mut Vec::new());
    assert!(json.unwrap().is_clean());
}
