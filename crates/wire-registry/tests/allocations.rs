//! Allocations of a report from encoding: counted, so that every run says the same.

use allocation_counter::measure;
use wire_core::{Codec, Components, Edge, Payload, Symbol};
use wire_registry::Registry;

fn registry() -> Registry {
    const DISTINCT: &str = "because the names are distinct";
    let mut registry = Registry::new();
    registry.register(gcf::Gcf::default()).expect(DISTINCT);
    registry.register(gcb::Gcb::default()).expect(DISTINCT);
    registry.register(gcx::Gcx::default()).expect(DISTINCT);
    registry
}

/// A payload whose symbols and edges are in order.
fn ordered(count: u32) -> Payload<'static> {
    let symbols = (0..count).map(|id| {
        Symbol::new("function", format!("pkg.Symbol{id:05}")).with_score(0.5).with_distance(0)
    });
    let edges = (1..count).map(|id| Edge::new(id - 1, id, "calls"));
    let (symbols, edges) = (symbols.collect(), edges.collect());
    Payload { tool: "search".into(), symbols, edges, ..Payload::default() }
}

/// The allocations of encoding, and those of encoding with a report.
fn allocations(codec: &dyn Codec, payload: &Payload<'_>) -> [u64; 2] {
    const VALID: &str = "because the payload is valid in every format";
    let encode = || codec.encode(payload, &mut Vec::new()).expect(VALID);
    let with_report = || drop(codec.encode_with_report(payload, &mut Vec::new()).expect(VALID));
    // A first run may set up what later ones use.
    encode();
    with_report();
    [measure(encode), measure(with_report)].map(|found| found.count_total)
}

#[test]
fn a_report_of_no_losses_allocates_nothing() {
    let registry = registry();
    for count in [1, 10, 1_000] {
        for codec in registry.codecs() {
            let name = codec.info().name();
            let mut payload = ordered(count);
            codec.info().fidelity().project(&mut payload);
            let report = codec.encode_with_report(&payload, &mut Vec::new()).unwrap();
            assert!(report.is_clean(), "{name}: {}", report.losses);
            let [plain, with_report] = allocations(codec, &payload);
            assert_eq!(plain, with_report, "{name} of {count} symbols");
        }
    }
}

/// The list of losses is all that there is, however many symbols lose something.
#[test]
fn a_report_of_losses_does_not_grow_with_the_payload() {
    let components = Components { blast_radius: 0.125, ..Components::default() };
    for codec in registry().codecs() {
        let [few, many] = [10, 1_000].map(|count| {
            let mut payload = ordered(count);
            for symbol in &mut payload.symbols {
                *symbol = symbol.clone().with_signature("fn a()").with_components(components);
            }
            let [plain, with_report] = allocations(codec, &payload);
            with_report - plain
        });
        assert_eq!(few, many, "{}", codec.info().name());
        assert!(few <= 1, "{}: {few}", codec.info().name());
    }
}
