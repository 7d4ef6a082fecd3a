//! The graph of a tree: which definition a reference means. The rule, all of it:
//!
//! - `self.f` is a member of a definition around it;
//! - `T::f`, `module.f`: a member of what is named `T`, or a definition in a file, folder or package
//!   with that name;
//! - `x.f()`: the only method with this name whose type the file names, if most files that call the
//!   name do so: a guess. Thus `iter` is nobody's;
//! - `f()`, `T`: a definition of this file, or with a name that the file imports from a path with a
//!   part that the import names (`crate` and `super` are the package); of the same package for
//!   macros, and if the file imports all names of a module, which are guesses, and in Go;
//! - `m!` means macros only, `impl T` and uses of types mean types only.
//!
//! Of several, one in the file wins, then one in the package; among imported ones, that whose path
//! the imports name most. If more than one is left, there is no edge.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::extract::{Definition, Facts, Import, Qualifier, Reference, Use};
use crate::lang::Language;

/// A file of the tree.
#[derive(Debug)]
pub(crate) struct File<'f> {
    /// From the root of the tree, with `/`.
    pub(crate) path: &'f str,
    pub(crate) language: &'static Language,
    pub(crate) facts: Arc<Facts>,
}

/// A definition, or a file.
#[derive(Debug)]
pub(crate) struct Symbol {
    /// Unique in the graph, without white space.
    pub(crate) qualified: String,
    pub(crate) kind: &'static str,
    /// Index in [`Graph::files`].
    pub(crate) file: usize,
    pub(crate) line: usize,
    pub(crate) signature: String,
    pub(crate) comment: String,
}

/// An edge between two symbols, by their indices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) source: usize,
    pub(crate) target: usize,
    /// `contains`, `calls`, `references` or `implements`.
    pub(crate) kind: &'static str,
    /// Scope says it; otherwise it is a guess.
    pub(crate) is_resolved: bool,
}

/// The symbols of a tree and the edges between them.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) files: Vec<String>,
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) edges: Vec<Edge>,
    /// Of each symbol the indices of its edges.
    edges_of: Vec<Vec<usize>>,
}

impl Graph {
    /// The edges of a symbol, and the symbols at their other ends.
    pub(crate) fn around(&self, id: usize) -> impl Iterator<Item = (&Edge, usize)> {
        let edges = self.edges_of[id].iter().map(|n| &self.edges[*n]);
        edges.map(move |edge| (edge, if edge.source == id { edge.target } else { edge.source }))
    }
}

/// More definitions with one name than this, or imports with one word, are not told apart.
const MANY: usize = 64;

/// The graph of files, which are in the order of their paths.
pub(crate) fn link(files: &[File<'_>]) -> Graph {
    let mut linker = Linker { files, ..Linker::default() };
    for (file, _) in files.iter().enumerate() {
        linker.define(file);
    }
    let mut edges = BTreeMap::new();
    for (file, File { facts, .. }) in files.iter().enumerate() {
        let symbols = &linker.symbols_of[file];
        for (definition, symbol) in facts.definitions.iter().zip(symbols) {
            let owner = linker.owner(file, definition).unwrap_or(symbols[definition.within]);
            edges.insert((owner, *symbol, "contains"), true);
        }
        for reference in &facts.references {
            let implementing = reference.of.as_ref().map(|name| linker.type_named(file, name));
            let source = implementing.unwrap_or(Some(symbols[reference.within]));
            let target = linker.target(file, reference);
            let Some((source, (target, is_resolved))) = source.zip(target) else { continue };
            let kind = match (reference.used_as, linker.graph.symbols[target].kind) {
                (Use::Call, "type" | "class") | (Use::Type, _) => "references",
                (Use::Call | Use::Macro, _) => "calls",
                (Use::Implements, _) => "implements",
            };
            *edges.entry((source, target, kind)).or_default() |= is_resolved;
        }
    }
    let mut graph = linker.graph;
    graph.edges_of = vec![Vec::new(); graph.symbols.len()];
    edges.retain(|(source, target, _), _| source != target);
    for (n, ((source, target, kind), is_resolved)) in edges.into_iter().enumerate() {
        graph.edges.push(Edge { source, target, kind, is_resolved });
        graph.edges_of[source].push(n);
        graph.edges_of[target].push(n);
    }
    graph
}

/// A name in a family of languages.
type Name<'f> = (&'static str, &'f str);

/// Where a name is looked for.
#[derive(PartialEq, Eq, Hash)]
enum Scope<'f> {
    Tree,
    File(usize),
    /// A definition around it, or at the top of a file what the file is reached by.
    Owner(&'f str),
}

#[derive(Default)]
struct Linker<'f> {
    files: &'f [File<'f>],
    graph: Graph,
    /// The symbols of each file's definitions.
    symbols_of: Vec<Vec<usize>>,
    qualified: HashMap<String, usize>,
    /// The type whose member each symbol is.
    container: Vec<Option<&'f str>>,
    named: HashMap<(Scope<'f>, Name<'f>), Vec<usize>>,
    /// The files that call a name of something: `x.name()`.
    callers: HashMap<Name<'f>, Vec<usize>>,
}

impl<'f> Linker<'f> {
    fn define(&mut self, file: usize) {
        let File { path, language, facts } = &self.files[file];
        self.graph.files.push((*path).to_owned());
        let separator = language.separator;
        let short = module(path, separator, &SKIPPED);
        let whole = module(path, separator, &[]);
        let end = path.rsplit_once('.').map_or("", |(_, end)| end);
        let longest = format!("{whole}{separator}{end}");
        // The files of a folder are one package of Go, and have names of their own.
        let is_go = language.family == "go";
        let mut own = match &*short {
            _ if is_go => longest.clone(),
            "" => ROOT.to_owned(),
            _ => short,
        };
        let mut symbols = Vec::new();
        for definition in &facts.definitions {
            let parts = definition.containers.iter().chain([&definition.name]).map(String::as_str);
            let named = |file: &String| {
                let parts = [&**file].into_iter().chain(parts.clone());
                parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(separator)
            };
            let qualified = self.unique(&[&own, &whole, &longest].map(named), file);
            if let Some(known) = self.qualified.get(&qualified) {
                // Once more in this file: under another condition, or an overload.
                symbols.push(*known);
                continue;
            }
            let is_file = definition.kind == "file";
            if is_file {
                own = match &*qualified {
                    _ if is_go => module(folder(path), separator, &SKIPPED),
                    ROOT => String::new(),
                    own => own.to_owned(),
                };
            }
            let id = self.graph.symbols.len();
            symbols.push(id);
            self.qualified.insert(qualified.clone(), id);
            self.container.push(definition.member_of.as_deref());
            self.graph.symbols.push(Symbol {
                qualified,
                kind: definition.kind,
                file,
                line: definition.line,
                signature: if is_file { (*path).to_owned() } else { definition.signature.clone() },
                comment: definition.comment.clone(),
            });
            let owners: HashSet<&str> = if definition.containers.is_empty() {
                owners(path).collect()
            } else {
                definition.containers.iter().map(String::as_str).collect()
            };
            let scopes = owners.into_iter().map(Scope::Owner);
            for scope in scopes.chain([Scope::Tree, Scope::File(file)]) {
                let name = (language.family, definition.name.as_str());
                self.named.entry((scope, name)).or_default().push(id);
            }
        }
        self.symbols_of.push(symbols);
        for Reference { name, qualifier, used_as, .. } in &facts.references {
            if *used_as == Use::Call && matches!(qualifier, Qualifier::Value | Qualifier::Name(_)) {
                let files = self.callers.entry((language.family, name)).or_default();
                if files.last() != Some(&file) {
                    files.push(file);
                }
            }
        }
    }

    /// The first of these names that is no file's and that no other file has; else the last one with a
    /// number.
    fn unique(&self, names: &[String; 3], file: usize) -> String {
        let is_free = |name: &String| {
            let other = self.qualified.get(name).map(|id| &self.graph.symbols[*id]);
            other.is_none_or(|other| other.file == file && other.kind != "file")
        };
        let numbered = (2..).map(|n| format!("{}#{n}", names[2]));
        let mut all = names.iter().cloned().chain(numbered);
        all.find(is_free).expect("numbers do not end")
    }

    /// The type in the same file whose member a definition is.
    fn owner(&self, file: usize, definition: &'f Definition) -> Option<usize> {
        let name = (self.files[file].language.family, definition.member_of.as_deref()?);
        let here = self.named.get(&(Scope::File(file), name))?;
        here.iter().copied().find(|id| is_type(self.graph.symbols[*id].kind))
    }

    /// The type that an `impl` of a file is for.
    fn type_named(&self, file: usize, name: &str) -> Option<usize> {
        let (name, used_as) = (name.to_owned(), Use::Type);
        let qualifier = Qualifier::None;
        let reference = Reference { name, qualifier, used_as, of: None, within: 0 };
        self.target(file, &reference).map(|(id, _)| id)
    }

    /// What a reference means, and whether scope says so.
    fn target(&self, file: usize, reference: &Reference) -> Option<(usize, bool)> {
        let File { language, facts, .. } = &self.files[file];
        let name = (language.family, reference.name.as_str());
        let fits = |id: &usize| {
            let kind = self.graph.symbols[*id].kind;
            match reference.used_as {
                Use::Call => matches!(kind, "function" | "method" | "class" | "type"),
                Use::Macro => kind == "macro",
                Use::Implements | Use::Type => is_type(kind),
            }
        };
        let named = |scope| {
            let found = self.named.get(&(scope, name)).filter(|found| found.len() <= MANY);
            found.into_iter().flatten().copied().filter(fits)
        };
        let guess = || {
            let mut found = named(Scope::Tree).filter(|id| {
                self.container[*id].is_some_and(|owner| self.is_known(owner, name, facts))
            });
            found.next().filter(|_| found.next().is_none()).map(|id| (id, false))
        };
        let mut is_resolved = true;
        let found: Vec<usize> = match &reference.qualifier {
            Qualifier::Value => return guess(),
            Qualifier::Own => {
                let owners = facts.definitions[reference.within].containers.iter().rev();
                owners.flat_map(|owner| named(Scope::Owner(owner))).collect()
            }
            Qualifier::Name(owner) => {
                let found: Vec<usize> = named(Scope::Owner(owner)).collect();
                let may_be_value = language.separator == "." && reference.used_as == Use::Call;
                if found.is_empty() && may_be_value {
                    return guess();
                }
                found
            }
            Qualifier::None => {
                let bare = |scope| {
                    named(scope).filter(|id| {
                        self.graph.symbols[*id].kind != "method" || reference.used_as != Use::Call
                    })
                };
                let is_open = facts.imports.contains_key("*") || reference.used_as == Use::Macro;
                let here: Vec<usize> = bare(Scope::File(file)).collect();
                if !here.is_empty() {
                    here
                } else if let Some(imports) = facts.imports.get(name.1) {
                    let imports = imports.iter().take(MANY);
                    let parts = |id: &usize| {
                        imports.clone().filter_map(|import| self.parts(file, import, *id)).max()
                    };
                    let most = bare(Scope::Tree).filter_map(|id| parts(&id)).max()?;
                    bare(Scope::Tree).filter(|id| parts(id) == Some(most)).collect()
                } else if is_open || language.family == "go" {
                    is_resolved = language.family == "go";
                    bare(Scope::Tree).filter(|id| self.is_near(file, *id)).collect()
                } else {
                    return None;
                }
            }
        };
        self.nearest(file, found).map(|id| (id, is_resolved))
    }

    /// Most of the files that call the name name its type, and so does this one.
    fn is_known(&self, owner: &str, name: Name<'_>, facts: &Facts) -> bool {
        let some = self.callers.get(&name).map_or(&[][..], |all| &all[..all.len().min(200)]);
        let is_knowing = |file: &&usize| self.files[**file].facts.words.contains(owner);
        facts.words.contains(owner) && some.iter().filter(is_knowing).count() * 2 >= some.len()
    }

    /// How many parts of a symbol's path an import names; `None` if it imports from somewhere else.
    fn parts(&self, file: usize, import: &Import, id: usize) -> Option<usize> {
        let path = self.files[self.graph.symbols[id].file].path;
        let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem).replace('-', "_");
        let named = stem.split(['/', '.']).filter(|part| import.words.contains(*part)).count();
        let is_from_there = match import.first.as_deref() {
            Some("crate" | "self" | "super") => self.is_near(file, id),
            Some(first) => stem.split('/').any(|part| part == first),
            None => named > 0,
        };
        is_from_there.then_some(named)
    }

    fn is_near(&self, file: usize, id: usize) -> bool {
        let other = self.files[self.graph.symbols[id].file].path;
        package(other) == package(self.files[file].path)
    }

    /// The only one in the file, else in the package, else of all.
    fn nearest(&self, file: usize, mut found: Vec<usize>) -> Option<usize> {
        let is_far = |id: &usize| (self.graph.symbols[*id].file != file, !self.is_near(file, *id));
        let nearest = found.iter().map(is_far).min()?;
        found.retain(|id| is_far(id) == nearest);
        found.sort_unstable();
        found.dedup();
        if let [only] = found[..] { Some(only) } else { None }
    }
}

fn is_type(kind: &str) -> bool {
    matches!(kind, "type" | "class" | "interface")
}

/// The name of a file that has none: `src/lib.rs`.
const ROOT: &str = "root";
/// Parts of paths that say nothing.
const SKIPPED: [&str; 7] = ["src", "crates", "mod", "lib", "__init__", "index", "main"];

/// `crates/gcf/src/graph/mod.rs` → `gcf::graph`; `recipes/mcp_server.py` → `recipes.mcp_server`.
fn module(path: &str, separator: &str, skipped: &[&str]) -> String {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let parts: Vec<_> = stem.split('/').filter(|part| !skipped.contains(part)).collect();
    // A crate's name has no `-`.
    let is_odd = |c: char| c.is_whitespace() || c.is_control() || (c == '-' && separator == "::");
    parts.join(separator).replace(is_odd, "_")
}

/// What a file belongs to: its first folders up to `src`, `tests` and the like, else its folder.
fn package(path: &str) -> &str {
    let ends = ["src/", "tests/", "examples/", "benches/"];
    let is_whole = |at: &usize| *at == 0 || path.as_bytes()[at - 1] == b'/';
    match ends.iter().filter_map(|end| path.find(end).filter(is_whole)).min() {
        Some(end) => path[..end].trim_end_matches('/'),
        None => folder(path),
    }
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The names by which other files reach a definition of this one: of the file, its folder, its package.
fn owners(path: &str) -> impl Iterator<Item = &str> {
    let file = path.rsplit('/').next().and_then(|file| file.split('.').next());
    let folders = [folder(path), package(path)].map(|path| path.rsplit('/').next());
    folders.into_iter().chain([file]).flatten()
}
