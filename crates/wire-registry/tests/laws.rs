//! What holds for every payload in JSON, and for the registry.

use proptest::prelude::*;
use wire_conformance::strategy::{Numbers, Shape, Text, Vocabulary, payload};
use wire_core::{Codec, CodecError, CodecInfo, Payload};
use wire_registry::Registry;
use wire_registry::json::Json;

const SHAPE: Shape = Shape {
    text: Text::Any,
    numbers: Numbers::Finite,
    max_distance: u32::MAX,
    vocabulary: Vocabulary::Open,
};

/// JSON has edges by name, so names have to be told apart.
fn with_distinct_names(mut payload: Payload<'static>) -> Payload<'static> {
    for (index, symbol) in payload.symbols.iter_mut().enumerate() {
        symbol.qualified_name = format!("{}#{index}", symbol.qualified_name).into();
    }
    payload
}

proptest! {
    // Every cut of a document is another document to read.
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn no_cut_goes_unnoticed(payload in payload(SHAPE)) {
        let mut text = Vec::new();
        Json::compact().encode(&with_distinct_names(payload), &mut text).unwrap();
        // Without its line ending the document is whole.
        for cut in 0..text.len() - 1 {
            let error = Json::compact().decode(&text[..cut]).unwrap_err();
            prop_assert!(error.position().is_some());
        }
    }
}

proptest! {
    #[test]
    fn a_payload_comes_back_exactly(payload in payload(SHAPE)) {
        let payload = with_distinct_names(payload);
        for codec in [Json::compact(), Json::pretty()] {
            let mut text = Vec::new();
            codec.encode(&payload, &mut text).unwrap();
            prop_assert_eq!(&codec.decode(&text).unwrap(), &payload);
            prop_assert_eq!(text.last(), Some(&b'\n'));
        }
    }

    #[test]
    fn json_through_gcb_is_the_same_document(payload in payload(Shape {
        numbers: Numbers::SixDigits, max_distance: 255, vocabulary: Vocabulary::Listed, ..SHAPE
    })) {
        let mut payload = with_distinct_names(payload);
        payload.pack_root = None;
        let mut json = Vec::new();
        Json::compact().encode(&payload, &mut json).unwrap();
        let bytes = gcb::to_vec(&Json::compact().decode(&json).unwrap()).unwrap();
        let mut back = Vec::new();
        Json::compact().encode(&gcb::from_slice(&bytes).unwrap(), &mut back).unwrap();
        prop_assert_eq!(back, json);
    }
}

struct Named(CodecInfo);

impl Codec for Named {
    fn info(&self) -> &CodecInfo {
        &self.0
    }

    fn encode(&self, _: &Payload<'_>, _: &mut Vec<u8>) -> Result<(), CodecError> {
        Ok(())
    }

    fn decode<'a>(&self, _: &'a [u8]) -> Result<Payload<'a>, CodecError> {
        Ok(Payload::default())
    }
}

#[test]
fn names_and_aliases_are_distinct() {
    let mut registry = Registry::new();
    registry.register(gcb::Gcb::default()).unwrap();
    for (name, aliases, taken) in [
        ("json", &[][..], Some("json")),
        ("binary", &[], Some("binary")),
        ("mine", &["ours", "gcb"], Some("gcb")),
        ("mine", &["ours"], None),
        ("ours", &[], Some("ours")),
    ] {
        let outcome = registry.register(Named(CodecInfo::new(name, "").with_aliases(aliases)));
        assert_eq!(outcome.err().map(|error| error.name), taken, "{name}");
    }
    let names: Vec<_> = registry.list().map(CodecInfo::name).collect();
    assert_eq!(names, ["json", "json-pretty", "gcb", "mine"]);
    assert_eq!(Registry::empty().list().count(), 0);
}

#[test]
fn an_unknown_name_lists_what_there_is() {
    let registry = Registry::new();
    let error = registry.encode("gfc", &Payload::default()).unwrap_err();
    assert_eq!(error.code(), "unknown_format");
    assert_eq!(
        error.to_string(),
        r#"there is no format "gfc", expected one of: json, json-pretty"#
    );
}

#[test]
fn formats_are_known_by_their_first_bytes_and_extensions() {
    let mut registry = Registry::new();
    registry.register(gcf::Gcf::default()).unwrap();
    registry.register(gcb::Gcb::default()).unwrap();
    let name = |input: &[u8]| registry.detect(input).map(|codec| codec.info().name());
    assert_eq!(name(b" \n{\"tool\""), Some("json"));
    assert_eq!(name(b"GCF tool=t"), Some("gcf"));
    assert_eq!(name(b"GCB1\x01"), Some("gcb"));
    assert_eq!(name(b"GCX1 tool=t"), None);
    assert_eq!(name(b""), None);
    let extension =
        |extension: &str| registry.by_extension(extension).map(|codec| codec.info().name());
    assert_eq!(
        (extension("GCF"), extension("json"), extension("txt")),
        (Some("gcf"), Some("json"), None)
    );
}
