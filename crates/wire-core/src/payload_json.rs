//! The JSON form of a payload, as `Serialize` and `Deserialize` (ruling R1).
//!
//! Member names and their order are those of the format's documentation. On write, `pack_root`,
//! `signature`, `status` and `edges` are left out when absent, empty or `unchanged`. On read, these
//! four and `components` may be absent or null; every other member is required; unknown members are
//! ignored. Edges are by name, so a payload can't be written when an edge uses a name that two
//! symbols share.

mod read;
mod write;

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use crate::payload::{Edge, Payload, Symbol};

    fn payload() -> Payload<'static> {
        Payload {
            tool: "t".into(),
            tokens_used: 1,
            token_budget: 2,
            symbols: vec![
                Symbol::new("function", "a\n").with_score(0.1 + 0.2).with_signature("fn a()"),
                Symbol::new("widget", "b").with_distance(7),
            ],
            edges: vec![Edge::new(1, 0, "calls"), Edge::new(0, 1, "likes").with_status("added")],
            ..Payload::default()
        }
    }

    #[test]
    fn the_form_is_the_documented_one() {
        let text = serde_json::to_string(&payload()).unwrap();
        assert_eq!(
            text,
            concat!(
                r#"{"tool":"t","tokens_used":1,"token_budget":2,"symbols":["#,
                r#"{"qualified_name":"a\n","kind":"function","score":0.30000000000000004,"signature":"fn a()","#,
                r#""provenance":"structural","distance":0,"components":"#,
                r#"{"blast_radius":0.0,"confidence":0.0,"recency":0.0,"distance":0.0}},"#,
                r#"{"qualified_name":"b","kind":"widget","score":0.0,"#,
                r#""provenance":"structural","distance":7,"components":"#,
                r#"{"blast_radius":0.0,"confidence":0.0,"recency":0.0,"distance":0.0}}],"#,
                r#""edges":[{"source":"b","target":"a\n","edge_type":"calls"},"#,
                r#"{"source":"a\n","target":"b","edge_type":"likes","status":"added"}]}"#,
            )
        );
        let back: Payload<'_> = serde_json::from_str(&text).unwrap();
        assert_eq!(back, payload());
    }

    #[test]
    fn text_is_borrowed_where_it_holds_no_escape() {
        let text = serde_json::to_string(&payload()).unwrap();
        let back: Payload<'_> = serde_json::from_str(&text).unwrap();
        assert!(matches!(back.tool, Cow::Borrowed(_)));
        assert!(matches!(back.symbols[0].qualified_name, Cow::Owned(_)));
        assert!(matches!(back.symbols[0].signature, Cow::Borrowed(_)));
    }

    #[test]
    fn what_json_cannot_hold_is_refused() {
        let mut nan = payload();
        nan.symbols[1].score = f64::NAN;
        let error = serde_json::to_string(&nan).unwrap_err().to_string();
        assert!(error.starts_with("symbols[1].score is NaN"), "{error}");
        let mut ambiguous = payload();
        ambiguous.symbols.push(Symbol::new("type", "b"));
        let error = serde_json::to_string(&ambiguous).unwrap_err().to_string();
        assert!(error.contains(r#"more than one symbol is named "b""#), "{error}");
        let mut dangling = payload();
        dangling.edges[1].target = 2;
        let error = serde_json::to_string(&dangling).unwrap_err().to_string();
        assert!(error.starts_with("edges[1].target is 2, and there are 2 symbols"), "{error}");
    }

    #[test]
    fn optional_members_may_be_absent_or_null() {
        let text = r#"{"tool":"t","tokens_used":0,"token_budget":0,"pack_root":"","extra":[1],
            "symbols":[{"qualified_name":"a","kind":"function","score":1,"signature":null,
            "provenance":"x","distance":0}],"edges":[
            {"source":"a","target":"a","edge_type":"calls","status":""}]}"#;
        let payload: Payload<'_> = serde_json::from_str(text).unwrap();
        assert!(payload.pack_root.is_none() && payload.edges[0].status.is_unchanged());
        assert!(payload.symbols[0].signature.is_empty());
    }
}
