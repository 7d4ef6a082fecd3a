//! The formats of payloads.

use wire_core::{CodecInfo, Representation};
use wire_registry::Registry;

/// The formats of payloads, by their index in the registry.
pub(crate) struct Formats {
    pub(crate) registry: Registry,
    pub(crate) names: Vec<&'static str>,
}

impl Formats {
    /// Every codec of the family.
    pub(crate) fn new() -> Self {
        const DISTINCT: &str = "because the names of the family's codecs are distinct";
        let mut registry = Registry::new();
        registry.register(gcf::Gcf::default()).expect(DISTINCT);
        registry.register(gcb::Gcb::default()).expect(DISTINCT);
        registry.register(gcx::Gcx::default()).expect(DISTINCT);
        registry.register(goon::Goon::default()).expect(DISTINCT);
        let names = registry.list().map(CodecInfo::name).collect();
        Formats { registry, names }
    }

    pub(crate) fn place(&self, name: &str) -> usize {
        let place = self.names.iter().position(|known| *known == name);
        place.expect("because the registry has every format of the family")
    }

    fn is_text(&self, name: &str) -> bool {
        let codec = self.registry.get(name).expect("because it is registered");
        codec.info().representation() == Representation::Text
    }

    /// The text formats, which have tokens.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &'static str> {
        self.names.iter().copied().filter(|name| self.is_text(name))
    }
}
