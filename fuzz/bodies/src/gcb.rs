//! GCB1.

use wire_core::Payload;

use crate::same::same;

/// What decodes encodes to the same bytes; the view and the reader agree.
pub fn gcb_decode(input: &[u8]) {
    let view = gcb::View::new(input);
    let Ok(payload) = gcb::from_slice(input) else {
        assert!(view.is_err(), "the view takes what the decoder refuses");
        return;
    };
    let encoded = gcb::to_vec(&payload).expect("because it decodes");
    let any_nan = payload.symbols.iter().any(|symbol| {
        let c = symbol.components;
        [symbol.score, c.blast_radius, c.confidence, c.recency, c.distance]
            .iter()
            .any(|number| number.is_nan())
    });
    // The bits of a NaN are no part of its value.
    assert!(any_nan || encoded == input, "decoding and encoding changes the bytes");

    let view = view.expect("because it decodes");
    assert!(
        view.symbols()
            .map(|symbol| symbol.qualified_name())
            .eq(payload.symbols.iter().map(|s| &*s.qualified_name))
    );
    assert!(
        view.edges().map(|edge| edge.target()).eq(payload.edges.iter().map(|edge| edge.target))
    );
    let mut reader = gcb::Reader::new(input).expect("because it decodes");
    let mut read = Payload { tool: payload.tool.clone(), ..Payload::default() };
    read.tokens_used = reader.tokens_used();
    read.token_budget = reader.token_budget();
    while let Some(symbol) = reader.next_symbol().expect("because it decodes") {
        read.symbols.push(symbol);
    }
    while let Some(edge) = reader.next_edge().expect("because it decodes") {
        read.edges.push(edge);
    }
    assert!(same(&read, &payload), "the reader gives another payload");
}
