//! The format of an answer, by what a request accepts (RFC 9110, section 12.5.1).

use proptest::prelude::*;
use wire_registry::Registry;

fn registry() -> Registry {
    let mut registry = Registry::new();
    registry.register(gcf::Gcf::default()).expect("because the name is free");
    registry.register(gcb::Gcb::default()).expect("because the name is free");
    registry
}

#[test]
fn the_best_that_is_acceptable() {
    const GCF: &str = "application/vnd.gcf+text";
    const GCB: &str = "application/vnd.gcb";
    let registry = registry();
    for (accept, expected) in [
        // No preference.
        ("", Some("json")),
        ("  ", Some("json")),
        ("*/*", Some("json")),
        // By name, whatever the case and the white space.
        (GCF, Some("gcf")),
        ("Application/VND.GCF+Text", Some("gcf")),
        (" application/xml ,, ", Some("xml")),
        ("application/vnd.gcf+text ; charset=UTF-8", Some("gcf")),
        // The weight decides, and not the order.
        ("application/vnd.gcb;q=0.5, application/vnd.gcf+text;q=0.9", Some("gcf")),
        ("application/vnd.gcb;q=0.501,application/vnd.gcf+text;q=0.5", Some("gcb")),
        ("application/json;q=0.1, */*;q=0.2", Some("xml")),
        // Of equal weights the one that is named, and then the first.
        ("*/*, application/vnd.gcb", Some("gcb")),
        ("text/*, application/xml", Some("xml")),
        ("application/xml, application/json", Some("xml")),
        // Browsers.
        ("text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", Some("xml")),
        // Old Java clients, whose `*` is no range and whose weights lack a 0.
        ("text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", Some("json")),
        ("application/xml; q=.2, application/vnd.gcb; q=.3", Some("gcb")),
        ("text/html, *", None),
        // Wildcards.
        ("text/*", Some("markdown")),
        ("application/*;q=0.1", Some("json")),
        ("image/*", None),
        // 0 forbids: the most specific range has the say.
        ("application/json;q=0", None),
        ("*/*, application/json;q=0", Some("xml")),
        ("*/*;q=0", None),
        ("application/*;q=0, application/xml", Some("xml")),
        ("image/png", None),
        // What is no range is ignored.
        ("json", Some("json")),
        ("*/xml, application/vnd.gcb", Some("gcb")),
        ("application/xml;q=2, application/vnd.gcb;q=0.1", Some("gcb")),
        ("application/xml;version=1, application/vnd.gcb", Some("gcb")),
        ("application/xml;charset=iso-8859-1", None),
        ("application/vnd.gcf+text;version=3", None),
        ("application/vnd.gcf+text;version=3, */*;q=0.1", Some("json")),
        ("application/xml;x=\"a,b\", application/vnd.gcb;q=0.1", Some("gcb")),
    ] {
        let found = registry.negotiate(accept).map(|codec| codec.info().name());
        assert_eq!(found, expected, "{accept:?}");
    }
    assert!(Registry::empty().negotiate("*/*").is_none());
    assert_eq!(registry.negotiate(GCB).map(|codec| codec.info().name()), Some("gcb"));
}

proptest! {
    /// Whatever is named with a weight, what is chosen has the highest one.
    #[test]
    fn nothing_acceptable_has_a_higher_weight(weights in proptest::collection::vec(0_u16..=1000, 4)) {
        let types = ["application/json", "application/xml", "application/vnd.gcf+text", "application/vnd.gcb"];
        let ranges: Vec<String> = types
            .iter()
            .zip(&weights)
            .map(|(name, weight)| format!("{name};q={}.{:03}", weight / 1000, weight % 1000))
            .collect();
        let registry = registry();
        let chosen = registry.negotiate(&ranges.join(", ")).map(|codec| codec.info().media_type());
        let highest = *weights.iter().max().unwrap();
        let first = weights.iter().position(|weight| *weight == highest).map(|at| types[at]);
        prop_assert_eq!(chosen, first.filter(|_| highest > 0));
    }

    #[test]
    fn no_text_is_too_odd(accept in "[ -~é]{0,60}") {
        let _ = registry().negotiate(&accept);
    }
}
