//! The languages: a grammar, and the queries that find definitions, references and imports.

use std::sync::LazyLock;

use tree_sitter::Query;

/// A language that can be read.
#[derive(Debug)]
pub(crate) struct Language {
    /// Languages of one family call each other: JavaScript and TypeScript.
    pub(crate) family: &'static str,
    /// Between the parts of a qualified name.
    pub(crate) separator: &'static str,
    pub(crate) grammar: tree_sitter::Language,
    pub(crate) query: Query,
}

impl Language {
    /// `queries` are the tags of the grammar's own package, and what these lack.
    fn new(
        family: &'static str,
        separator: &'static str,
        grammar: tree_sitter::Language,
        queries: &[&str],
    ) -> Self {
        let query = Query::new(&grammar, &queries.join("\n")).expect("the queries fit the grammar");
        Language { family, separator, grammar, query }
    }
}

type Lazy = LazyLock<Language>;

static RUST: Lazy = Lazy::new(|| {
    let queries = [tree_sitter_rust::TAGS_QUERY, include_str!("../queries/rust.scm")];
    Language::new("rust", "::", tree_sitter_rust::LANGUAGE.into(), &queries)
});
static PYTHON: Lazy = Lazy::new(|| {
    let queries = [tree_sitter_python::TAGS_QUERY, include_str!("../queries/python.scm")];
    Language::new("python", ".", tree_sitter_python::LANGUAGE.into(), &queries)
});
static JAVASCRIPT: Lazy = Lazy::new(|| {
    // TypeScript's grammar has another node for what a class extends.
    let extends = "(class_heritage (identifier) @name) @reference.implementation";
    let queries = [tree_sitter_javascript::TAGS_QUERY, JAVASCRIPT_QUERY, extends];
    Language::new("js", ".", tree_sitter_javascript::LANGUAGE.into(), &queries)
});
static TYPESCRIPT: Lazy = Lazy::new(|| {
    Language::new(
        "js",
        ".",
        tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        &TYPESCRIPT_QUERIES,
    )
});
static TSX: Lazy = Lazy::new(|| {
    Language::new("js", ".", tree_sitter_typescript::LANGUAGE_TSX.into(), &TYPESCRIPT_QUERIES)
});
static GO: Lazy = Lazy::new(|| {
    let queries = [tree_sitter_go::TAGS_QUERY, include_str!("../queries/go.scm")];
    Language::new("go", ".", tree_sitter_go::LANGUAGE.into(), &queries)
});

const JAVASCRIPT_QUERY: &str = include_str!("../queries/javascript.scm");
const TYPESCRIPT_QUERIES: [&str; 4] = [
    tree_sitter_javascript::TAGS_QUERY,
    JAVASCRIPT_QUERY,
    tree_sitter_typescript::TAGS_QUERY,
    include_str!("../queries/typescript.scm"),
];

/// The language of a file, by its extension.
pub(crate) fn of(path: &str) -> Option<&'static Language> {
    let language = match path.rsplit_once('.')?.1 {
        "rs" => &RUST,
        "py" | "pyi" => &PYTHON,
        "js" | "mjs" | "cjs" | "jsx" => &JAVASCRIPT,
        "ts" | "mts" | "cts" => &TYPESCRIPT,
        "tsx" => &TSX,
        "go" => &GO,
        _ => return None,
    };
    Some(language)
}
