//! Random payloads for property tests.

use proptest::collection::vec;
use proptest::prelude::*;
use wire_core::{
    Components, Edge, EdgeStatus, EdgeType, Kind, PackRoot, Payload, Provenance, Symbol,
};

/// Which payloads to make.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// What names and words may hold.
    pub text: Text,
    /// Which numbers scores and components are.
    pub numbers: Numbers,
    /// The largest distance.
    pub max_distance: u32,
    /// Whether kinds, provenances, edge types and statuses outside the vocabularies occur.
    pub vocabulary: Vocabulary,
}

/// What names may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// Tokens: no white space, no control character, never empty.
    Tokens,
    /// Anything.
    Any,
}

/// Which numbers occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Finite doubles.
    Finite,
    /// Finite doubles that round to a finite single.
    Singles,
    /// Six significant digits at most.
    SixDigits,
    /// All doubles, NaN and infinities among them.
    Any,
}

/// Which words occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vocabulary {
    /// Those of the tables.
    Listed,
    /// Others too, but for the abbreviations of GCF.
    Open,
}

/// Payloads of up to twelve symbols and edges.
pub fn payload(shape: Shape) -> impl Strategy<Value = Payload<'static>> {
    let head = (text(shape.text), any::<u64>(), any::<u64>(), proptest::option::of(token()));
    (head, vec(symbol(shape), 0..12)).prop_flat_map(move |((tool, used, budget, root), symbols)| {
        let count = u32::try_from(symbols.len()).expect("because there are at most twelve");
        let edges = vec(edge(shape, count.max(1)), if count == 0 { 0..1 } else { 0..12 });
        (Just((tool, used, budget, root)), Just(symbols), edges).prop_map(
            move |((tool, tokens_used, token_budget, root), symbols, edges)| Payload {
                tool: tool.into(),
                tokens_used,
                token_budget,
                pack_root: root.map(|root| PackRoot::new(root).expect("because it is a token")),
                edges: if symbols.is_empty() { Vec::new() } else { edges },
                symbols,
            },
        )
    })
}

/// A token of ASCII, other letters and punctuation.
fn token() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z][a-zA-Z0-9_./:<>@#=-]{0,30}",
        any::<String>().prop_map(|text| {
            let token: String =
                text.chars().filter(|c| !wire_core::text::breaks_token(*c)).collect();
            if token.is_empty() { "x".to_owned() } else { token }
        }),
    ]
}

fn text(text: Text) -> BoxedStrategy<String> {
    match text {
        Text::Tokens => token().boxed(),
        Text::Any => prop_oneof![token(), any::<String>()].boxed(),
    }
}

/// A word of the table, or one outside.
fn word(listed: &'static [&'static str], shape: Shape) -> impl Strategy<Value = String> {
    let known = proptest::sample::select(listed).prop_map(str::to_owned);
    match shape.vocabulary {
        Vocabulary::Listed => known.boxed(),
        Vocabulary::Open => prop_oneof![3 => known, 1 => text(shape.text)].boxed(),
    }
}

fn number(numbers: Numbers) -> BoxedStrategy<f64> {
    match numbers {
        Numbers::SixDigits => (0u32..1_000_000, -6i32..=0)
            .prop_map(|(digits, exponent)| {
                format!("{digits}e{exponent}").parse().expect("because it is a number")
            })
            .boxed(),
        Numbers::Finite => prop_oneof![
            0.0..1.0f64,
            any::<f64>().prop_filter("finite", |number| number.is_finite()),
        ]
        .boxed(),
        Numbers::Singles => prop_oneof![
            0.0..1.0f64,
            -f64::from(f32::MAX)..=f64::from(f32::MAX),
            any::<f32>().prop_filter("finite", |number| number.is_finite()).prop_map(f64::from),
        ]
        .boxed(),
        Numbers::Any => {
            prop_oneof![0.0..1.0f64, any::<f64>(), Just(f64::NAN), Just(f64::INFINITY)].boxed()
        }
    }
}

fn symbol(shape: Shape) -> impl Strategy<Value = Symbol<'static>> {
    const KINDS: &[&str] = &[
        "function",
        "type",
        "method",
        "interface",
        "route_handler",
        "external",
        "env_var",
        "process",
    ];
    const PROVENANCES: &[&str] = &["ast_inferred", "lsp_resolved", "otel_trace", "structural"];
    let signature = prop_oneof![Just(String::new()), any::<String>()];
    let components = [(); 4].map(|()| number(shape.numbers));
    let distance = prop_oneof![0..=shape.max_distance.min(4), 0..=shape.max_distance];
    (
        text(shape.text),
        word(KINDS, shape),
        number(shape.numbers),
        word(PROVENANCES, shape),
        distance,
        signature,
        components,
    )
        .prop_map(|(name, kind, score, provenance, distance, signature, components)| {
            let kind = Kind::from(kind);
            let kind = if kind.is_shadowed_by_abbreviation() { Kind::Function } else { kind };
            let [blast_radius, confidence, recency, near] = components;
            Symbol::new(kind, name)
                .with_score(score)
                .with_provenance(Provenance::from(provenance))
                .with_distance(distance)
                .with_signature(signature)
                .with_components(Components { blast_radius, confidence, recency, distance: near })
        })
}

fn edge(shape: Shape, symbols: u32) -> impl Strategy<Value = Edge<'static>> {
    const TYPES: &[&str] = &[
        "calls",
        "imports",
        "implements",
        "references",
        "depends_on",
        "tests",
        "executes_process",
    ];
    const STATUSES: &[&str] = &["unchanged", "added", "removed"];
    (0..symbols, 0..symbols, word(TYPES, shape), word(STATUSES, shape)).prop_map(
        |(source, target, edge_type, status)| {
            Edge::new(source, target, EdgeType::from(edge_type))
                .with_status(EdgeStatus::from(status))
        },
    )
}
