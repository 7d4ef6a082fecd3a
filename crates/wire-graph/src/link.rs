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

use crate::extract::{Definition, Facts, Import, Qualifier, Reference, Use};
use crate::lang::Language;

/// A file of the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct File<'f> {
    /// From the root of the tree, with `/`.
    pub(crate) path: &'f str,
    pub(crate) language: &'static Language,
    pub(crate) facts: &'f Facts,
}

/// A definition, or a file.
#[derive(Debug)]
pub(crate) struct Symbol {
    pub(crate) name: String,
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
}

/// More definitions with one name than this, or imports with one word, are not told apart.
const MANY: usize = 64;

/// The graph of files, which are in the order of their paths.
pub(crate) fn link(files: &[File<'_>]) -> Graph {
    let mut linker = Linker { files, ..Linker::default() };
    for (file, _) in files.iter().enumerate() {
        linker.define(file);
    }
    linker.find_callers();
    let mut edges = BTreeMap::new();
    for (file, File { facts, .. }) in files.iter().enumerate() {
        let around = Around::new(&facts.definitions);
        let symbols = &linker.symbols_of[file];
        for (n, definition) in facts.definitions.iter().enumerate() {
            let owner = linker.owner(file, definition);
            let owner = owner.or_else(|| around.parents[n].map(|parent| symbols[parent + 1]));
            edges.insert((owner.unwrap_or(symbols[0]), symbols[n + 1], "contains"), true);
        }
        for reference in &facts.references {
            let from = around.at(&facts.definitions, reference.at);
            let implementing = reference.of.as_ref().map(|name| linker.type_named(file, name));
            let around = || Some(from.map_or(symbols[0], |n| symbols[n + 1]));
            let Some(source) = implementing.unwrap_or_else(around) else { continue };
            if let Some((target, is_resolved)) = linker.target(file, from, reference) {
                let kind = match (reference.used_as, linker.graph.symbols[target].kind) {
                    (Use::Call, "type" | "class") | (Use::Type, _) => "references",
                    (Use::Call | Use::Macro, _) => "calls",
                    (Use::Implements, _) => "implements",
                };
                *edges.entry((source, target, kind)).or_default() |= is_resolved;
            }
        }
    }
    let edges = edges.into_iter().filter(|((source, target, _), _)| source != target);
    linker.graph.edges = edges
        .map(|((source, target, kind), is_resolved)| Edge { source, target, kind, is_resolved })
        .collect();
    linker.graph
}

/// A name in a family of languages.
type Name<'f> = (&'static str, &'f str);

#[derive(Default)]
struct Linker<'f> {
    files: &'f [File<'f>],
    graph: Graph,
    /// Of each file the symbol of the file itself, then those of its definitions.
    symbols_of: Vec<Vec<usize>>,
    qualified: HashMap<String, usize>,
    /// The type whose member each symbol is.
    container: Vec<Option<&'f str>>,
    by_name: HashMap<Name<'f>, Vec<usize>>,
    by_file: HashMap<(usize, &'f str), Vec<usize>>,
    by_owner: HashMap<(Name<'f>, &'f str), Vec<usize>>,
    /// The files that call a name of something: `x.name()`.
    callers: HashMap<Name<'f>, Vec<usize>>,
}

impl<'f> Linker<'f> {
    fn define(&mut self, file: usize) {
        let File { path, language, facts } = self.files[file];
        self.graph.files.push(path.to_owned());
        let separator = language.separator;
        let short = module(path, separator, &SKIPPED);
        let whole = module(path, separator, &[]);
        let end = path.rsplit_once('.').map_or("", |(_, end)| end);
        let longest = format!("{whole}{separator}{end}");
        // The files of a folder are one package of Go, and have names of their own.
        let is_go = language.family == "go";
        let first = match &*short {
            _ if is_go => &longest,
            "" => ROOT,
            short => short,
        };
        let own = self.unique([first, &whole, &longest], file);
        let name = own.rsplit(separator).next().unwrap_or(&own).to_owned();
        let symbol = Symbol {
            name,
            qualified: own.clone(),
            kind: "file",
            file,
            line: 1,
            signature: path.to_owned(),
            comment: String::new(),
        };
        let mut symbols = vec![self.add(symbol, None)];
        let package = module(folder(path), separator, &SKIPPED);
        let own = match &*own {
            _ if is_go => &package,
            ROOT => "",
            own => own,
        };
        for definition in &facts.definitions {
            let parts = definition.containers.iter().chain([&definition.name]);
            let parts = parts.map(String::as_str).collect::<Vec<_>>().join(separator);
            let names = [own, &whole, &longest].map(|own| {
                if own.is_empty() { parts.clone() } else { format!("{own}{separator}{parts}") }
            });
            let qualified = self.unique(names.each_ref().map(String::as_str), file);
            let container = definition.member_of.as_deref();
            if let Some(known) = self.qualified.get(&qualified) {
                // Once more in this file: under another condition, or an overload.
                symbols.push(*known);
                continue;
            }
            let symbol = Symbol {
                name: definition.name.clone(),
                qualified,
                kind: definition.kind,
                file,
                line: definition.line,
                signature: definition.signature.clone(),
                comment: definition.comment.clone(),
            };
            let id = self.add(symbol, container);
            symbols.push(id);
            let name = (language.family, definition.name.as_str());
            self.by_name.entry(name).or_default().push(id);
            self.by_file.entry((file, name.1)).or_default().push(id);
            let owners: HashSet<&str> = if definition.containers.is_empty() {
                owners(path).collect()
            } else {
                definition.containers.iter().map(String::as_str).collect()
            };
            for owner in owners {
                self.by_owner.entry((name, owner)).or_default().push(id);
            }
        }
        self.symbols_of.push(symbols);
    }

    /// The first of these names that is no file's and that no other file has; else the last one with a
    /// number.
    fn unique(&self, names: [&str; 3], file: usize) -> String {
        let is_free = |name: &str| {
            let other = self.qualified.get(name).map(|id| &self.graph.symbols[*id]);
            other.is_none_or(|other| other.file == file && other.kind != "file")
        };
        match names.into_iter().find(|name| is_free(name)) {
            Some(free) => free.to_owned(),
            None => {
                let mut numbered = (2..).map(|n| format!("{}#{n}", names[2]));
                numbered.find(|name| is_free(name)).expect("numbers do not end")
            }
        }
    }

    fn add(&mut self, symbol: Symbol, container: Option<&'f str>) -> usize {
        let id = self.graph.symbols.len();
        self.qualified.insert(symbol.qualified.clone(), id);
        self.graph.symbols.push(symbol);
        self.container.push(container);
        id
    }

    fn find_callers(&mut self) {
        for (at, File { language, facts, .. }) in self.files.iter().enumerate() {
            let calls = facts.references.iter().filter(|reference| {
                reference.used_as == Use::Call
                    && matches!(reference.qualifier, Qualifier::Value | Qualifier::Name(_))
            });
            let names: HashSet<&str> = calls.map(|reference| &*reference.name).collect();
            for name in names {
                self.callers.entry((language.family, name)).or_default().push(at);
            }
        }
    }

    /// The type in the same file whose member a definition is.
    fn owner(&self, file: usize, definition: &Definition) -> Option<usize> {
        let here = self.by_file.get(&(file, definition.member_of.as_deref()?))?;
        here.iter().copied().find(|id| is_type(self.graph.symbols[*id].kind))
    }

    /// The type that an `impl` of a file is for.
    fn type_named(&self, file: usize, name: &str) -> Option<usize> {
        let name = name.to_owned();
        let used_as = Use::Type;
        let reference = Reference { name, qualifier: Qualifier::None, used_as, of: None, at: 0 };
        self.target(file, None, &reference).map(|(id, _)| id)
    }

    /// What a reference means, and whether scope says so.
    fn target(
        &self,
        file: usize,
        from: Option<usize>,
        reference: &Reference,
    ) -> Option<(usize, bool)> {
        let File { language, facts, .. } = self.files[file];
        let name = (language.family, reference.name.as_str());
        let fits = |id: &usize| {
            let kind = self.graph.symbols[*id].kind;
            match reference.used_as {
                Use::Call => matches!(kind, "function" | "method" | "class" | "type"),
                Use::Macro => kind == "macro",
                Use::Implements | Use::Type => is_type(kind),
            }
        };
        let owned_by = |owner: &str| -> Vec<usize> {
            let found = self.by_owner.get(&(name, owner)).filter(|found| found.len() <= MANY);
            let found = found.into_iter().flatten();
            found.copied().filter(fits).collect()
        };
        let all = || {
            let found = self.by_name.get(&name).filter(|found| found.len() <= MANY);
            found.into_iter().flatten().copied().filter(fits)
        };
        let guess = || {
            let mut found = all().filter(|id| {
                self.container[*id].is_some_and(|owner| self.is_known(owner, name, facts))
            });
            found.next().filter(|_| found.next().is_none()).map(|id| (id, false))
        };
        match &reference.qualifier {
            Qualifier::Own => {
                let containers = from.map_or(&[][..], |n| &facts.definitions[n].containers);
                let own = containers.iter().rev().map(|owner| owned_by(owner));
                self.nearest(file, own.flatten().collect()).map(|id| (id, true))
            }
            Qualifier::Name(owner) => {
                let found = owned_by(owner);
                let may_be_value = language.separator == "." && reference.used_as == Use::Call;
                if found.is_empty() && may_be_value {
                    return guess();
                }
                self.nearest(file, found).map(|id| (id, true))
            }
            Qualifier::Value => guess(),
            Qualifier::None => {
                let is_bare = |id: &usize| {
                    self.graph.symbols[*id].kind != "method" || reference.used_as != Use::Call
                };
                let here = self.by_file.get(&(file, name.1));
                if here.is_some_and(|here| here.len() > MANY) {
                    return None;
                }
                let here = here.into_iter().flatten().copied();
                let here: Vec<usize> = here.filter(fits).filter(is_bare).collect();
                if !here.is_empty() {
                    return only(here).map(|id| (id, true));
                }
                if let Some(imports) = facts.imports_of.get(name.1) {
                    let imports = imports.iter().take(MANY).map(|n| &facts.imports[*n]);
                    let named = |id: &usize| {
                        imports.clone().filter_map(|import| self.named(file, import, *id)).max()
                    };
                    let most = all().filter(is_bare).filter_map(|id| named(&id)).max()?;
                    let found = all().filter(is_bare).filter(|id| named(id) == Some(most));
                    return self.nearest(file, found.collect()).map(|id| (id, true));
                }
                let is_go = language.family == "go";
                let is_open = is_go || facts.has_glob || reference.used_as == Use::Macro;
                let near = all().filter(is_bare).filter(|id| is_open && self.is_near(file, *id));
                only(near.collect()).map(|id| (id, is_go))
            }
        }
    }

    /// Most of the files that call the name name its type, and so does this one.
    fn is_known(&self, owner: &str, name: Name<'_>, facts: &Facts) -> bool {
        let callers = self.callers.get(&name).map_or(&[][..], Vec::as_slice);
        let some = &callers[..callers.len().min(200)];
        let knowing = some.iter().filter(|file| self.files[**file].facts.words.contains(owner));
        facts.words.contains(owner) && knowing.count() * 2 >= some.len()
    }

    /// How many parts of a symbol's path an import names; `None` if it imports from somewhere else.
    fn named(&self, file: usize, import: &Import, id: usize) -> Option<usize> {
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

    /// The one in the file, else the one in the package, else the only one.
    fn nearest(&self, file: usize, found: Vec<usize>) -> Option<usize> {
        let pick = |is_wanted: &dyn Fn(usize) -> bool| -> Vec<usize> {
            found.iter().copied().filter(|id| is_wanted(*id)).collect()
        };
        let here = pick(&|id| self.graph.symbols[id].file == file);
        let near = pick(&|id| self.is_near(file, id));
        only([here, near, found].into_iter().find(|some| !some.is_empty())?)
    }
}

/// The only one, which may be there more than once.
fn only(mut found: Vec<usize>) -> Option<usize> {
    found.sort_unstable();
    found.dedup();
    if let [only] = found[..] { Some(only) } else { None }
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
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let last = |path: &str| path.rsplit('/').next().map_or(0, str::len);
    let package = package(path);
    [
        file.split('.').next().unwrap_or(file),
        &folder[folder.len() - last(folder)..],
        &package[package.len() - last(package)..],
    ]
    .into_iter()
}

/// The definitions around a byte of a file.
struct Around {
    sorted: Vec<usize>,
    parents: Vec<Option<usize>>,
}

impl Around {
    fn new(definitions: &[Definition]) -> Self {
        let mut sorted: Vec<usize> = (0..definitions.len()).collect();
        sorted
            .sort_by_key(|&n| (definitions[n].bytes.0, std::cmp::Reverse(definitions[n].bytes.1)));
        let mut parents = vec![None; definitions.len()];
        let mut open: Vec<usize> = Vec::new();
        for &n in &sorted {
            while open.pop_if(|last| definitions[*last].bytes.1 <= definitions[n].bytes.0).is_some()
            {
            }
            parents[n] = open.last().copied();
            open.push(n);
        }
        Around { sorted, parents }
    }

    /// The innermost definition around a byte.
    fn at(&self, definitions: &[Definition], byte: usize) -> Option<usize> {
        let before = self.sorted.partition_point(|&n| definitions[n].bytes.0 <= byte);
        let mut at = before.checked_sub(1).map(|n| self.sorted[n]);
        while let Some(n) = at
            && byte >= definitions[n].bytes.1
        {
            at = self.parents[n];
        }
        at
    }
}
