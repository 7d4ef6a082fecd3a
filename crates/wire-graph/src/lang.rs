//! The languages: a grammar, and the queries that find definitions, references and imports.

use std::sync::LazyLock;

use tree_sitter::Query;
use {tree_sitter_go as go, tree_sitter_javascript as js, tree_sitter_python as py};
use {tree_sitter_rust as rs, tree_sitter_typescript as ts};

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

/// `queries` are the tags of the grammar's own package, and what these lack.
fn language(
    family: &'static str,
    grammar: impl Into<tree_sitter::Language>,
    queries: &[&str],
) -> Language {
    let grammar = grammar.into();
    let query = Query::new(&grammar, &queries.join("\n")).expect("the queries fit the grammar");
    let separator = if family == "rust" { "::" } else { "." };
    Language { family, separator, grammar, query }
}

type Lazy = LazyLock<Language>;

static RUST: Lazy = Lazy::new(|| {
    language("rust", rs::LANGUAGE, &[rs::TAGS_QUERY, include_str!("../queries/rust.scm")])
});
static PYTHON: Lazy = Lazy::new(|| {
    language("python", py::LANGUAGE, &[py::TAGS_QUERY, include_str!("../queries/python.scm")])
});
static JAVASCRIPT: Lazy = Lazy::new(|| {
    // TypeScript's grammar has another node for what a class extends.
    let extends = "(class_heritage (identifier) @name) @reference.implementation";
    language("js", js::LANGUAGE, &[js::TAGS_QUERY, SCRIPT, extends])
});
static TYPESCRIPT: Lazy = Lazy::new(|| language("js", ts::LANGUAGE_TYPESCRIPT, &TYPED));
static TSX: Lazy = Lazy::new(|| language("js", ts::LANGUAGE_TSX, &TYPED));
static GO: Lazy = Lazy::new(|| {
    language("go", go::LANGUAGE, &[go::TAGS_QUERY, include_str!("../queries/go.scm")])
});

const SCRIPT: &str = include_str!("../queries/javascript.scm");
const TYPED: [&str; 4] =
    [js::TAGS_QUERY, SCRIPT, ts::TAGS_QUERY, include_str!("../queries/typescript.scm")];

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
