//! JSON and XML, and telling formats.

use wire_core::Codec;
use wire_registry::json::Json;
use wire_registry::xml::Xml;

use crate::same::same;

/// What decodes can be encoded, and comes back equal.
pub fn json_decode(input: &[u8]) {
    let Ok(payload) = Json::compact().decode(input) else { return };
    for codec in [Json::compact(), Json::pretty()] {
        let mut encoded = Vec::new();
        codec.encode(&payload, &mut encoded).expect("because it decodes");
        let back = codec.decode(&encoded).expect("because it was encoded");
        assert!(same(&back, &payload), "{back:?}\n{payload:?}");
    }
}

/// What decodes can be encoded, and comes back as the fidelity says; what is written is written
/// again the same.
pub fn xml_decode(input: &[u8]) {
    let Ok(mut payload) = Xml.decode(input) else { return };
    let mut encoded = Vec::new();
    Xml.encode(&payload, &mut encoded).expect("because it decodes");
    let back = Xml.decode(&encoded).expect("because it was encoded");
    let mut again = Vec::new();
    Xml.encode(&back, &mut again).expect("because it decodes");
    assert_eq!(encoded, again);
    Xml.info().fidelity().project(&mut payload);
    assert!(same(&back, &payload), "{back:?}\n{payload:?}");
}

/// Telling a format, and decoding by it, never panics.
pub fn detect(input: &[u8]) {
    let mut registry = wire_registry::Registry::new();
    registry.register(gcf::Gcf::default()).expect("because the names are distinct");
    registry.register(gcb::Gcb::default()).expect("because the names are distinct");
    registry.register(gcx::Gcx::default()).expect("because the names are distinct");
    registry.register(goon::Goon::default()).expect("because the names are distinct");
    if let Some(codec) = registry.detect(input)
        && let Err(error) = codec.decode(input)
    {
        assert!(!error.code().is_empty() && !error.to_string().is_empty());
        assert!(error.position().is_none_or(|position| position.offset <= input.len() as u64));
    }
}
