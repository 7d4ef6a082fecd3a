//! Which files of a crate import each other in a circle, and which folders import each other: none
//! of them can be read, moved or tested alone.

#![allow(clippy::unwrap_used)] // helpers of tests

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, UseTree, Visibility};
use xtask::tools::{git, root};

/// The crates that have any, with the number of files in the largest circle, and of pairs of folders
/// that import each other. These numbers may only become smaller.
const KNOWN: [(&str, usize, usize); 10] = [
    ("conformance", 0, 1),
    ("crates/gcf", 7, 0),
    ("crates/gcx", 8, 3),
    ("crates/wire-cli", 5, 1),
    ("crates/wire-core", 2, 0),
    ("crates/wire-input", 4, 2),
    ("crates/wire-js/modules/page", 3, 0),
    ("crates/wire-proxy", 2, 0),
    ("crates/wire-registry", 2, 0),
    ("eval/wire-eval", 4, 2),
];

/// A module's path from the root of its crate.
type Module = Vec<String>;

/// The modules that each module imports, and the names that it exports again.
#[derive(Default)]
struct Crate {
    imports: BTreeMap<Module, Vec<Module>>,
    exports: BTreeMap<Module, BTreeMap<String, Module>>,
}

/// What a file imports: paths from `crate`, `self`, `super` or a module of its own.
#[derive(Default)]
struct File {
    module: Module,
    imported: Vec<Module>,
    exported: BTreeMap<String, Module>,
    children: BTreeSet<String>,
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|name| name == "test")
    })
}

impl File {
    /// The path from the root of the crate; `None` of another crate's.
    fn absolute(&self, path: &[String]) -> Option<Module> {
        let (first, rest) = path.split_first()?;
        let parent = &self.module[..self.module.len().saturating_sub(1)];
        let base = match first.as_str() {
            "crate" => &[],
            "self" => &self.module[..],
            "super" => parent,
            child if self.children.contains(child) => return Some([&self.module, path].concat()),
            _ => return None,
        };
        Some([base, rest].concat())
    }

    fn add(&mut self, tree: &UseTree, mut path: Module, is_export: bool) {
        match tree {
            UseTree::Path(next) => {
                path.push(next.ident.to_string());
                self.add(&next.tree, path, is_export);
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.add(tree, path.clone(), is_export));
            }
            UseTree::Glob(_) => self.imported.extend(self.absolute(&path)),
            UseTree::Name(_) | UseTree::Rename(_) => {
                let (from, to) = match tree {
                    UseTree::Rename(name) => (&name.ident, name.rename.to_string()),
                    UseTree::Name(name) => (&name.ident, name.ident.to_string()),
                    _ => unreachable!("it is a name"),
                };
                if from != "self" {
                    path.push(from.to_string());
                }
                let Some(path) = self.absolute(&path) else { return };
                if is_export {
                    self.exported.insert(to, path);
                } else {
                    self.imported.push(path);
                }
            }
        }
    }
}

impl<'ast> Visit<'ast> for File {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if !is_test(&item.attrs) {
            let is_export = !matches!(item.vis, Visibility::Inherited);
            self.add(&item.tree, Vec::new(), is_export);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Module = path.segments.iter().map(|part| part.ident.to_string()).collect();
        if names.len() > 1 {
            self.imported.extend(self.absolute(&names));
        }
        visit::visit_path(self, path);
    }
}

/// The files below a folder that are Rust.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

impl Crate {
    fn read(folder: &Path) -> Self {
        let mut read = Crate::default();
        for path in sources(folder) {
            let name = path.strip_prefix(folder).unwrap().with_extension("");
            let mut module: Module =
                name.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
            module.pop_if(|name| matches!(name.as_str(), "mod" | "lib" | "main"));
            let parsed = syn::parse_file(&fs::read_to_string(&path).unwrap()).unwrap();
            let children = parsed.items.iter().filter_map(|item| match item {
                Item::Mod(child) if child.content.is_none() => Some(child.ident.to_string()),
                _ => None,
            });
            let children = children.collect();
            let mut file = File { module: module.clone(), children, ..File::default() };
            file.visit_file(&parsed);
            read.imports.entry(module.clone()).or_default().extend(file.imported);
            read.exports.entry(module).or_default().extend(file.exported);
        }
        read
    }

    /// The module that defines what a path names.
    fn resolved(&self, path: &[String]) -> Module {
        let mut at = path.len();
        while !self.imports.contains_key(&path[..at]) {
            at -= 1;
        }
        let (module, rest) = path.split_at(at);
        match rest.first().and_then(|name| self.exports[module].get(name)) {
            Some(other) if other != path => self.resolved(other),
            _ => module.to_vec(),
        }
    }

    /// The modules that each module imports, as they are defined.
    fn graph(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        let edges = |(module, paths): (&Module, &Vec<Module>)| {
            let targets = paths.iter().map(|path| self.resolved(path));
            targets.filter(|target| target != module).collect()
        };
        self.imports.iter().map(|own| (own.0, edges(own))).collect()
    }

    /// The largest circle of files.
    fn circle(&self) -> Vec<String> {
        let graph = self.graph();
        let reached = |from: &Module| {
            let (mut seen, mut left) = (BTreeSet::new(), vec![from.clone()]);
            while let Some(module) = left.pop() {
                left.extend(
                    graph[&module].iter().filter(|next| seen.insert((*next).clone())).cloned(),
                );
            }
            seen
        };
        let reached: BTreeMap<&Module, BTreeSet<Module>> =
            graph.keys().map(|module| (*module, reached(module))).collect();
        let circle = |from: &Module| -> Vec<String> {
            let together = reached[from].iter().filter(|to| reached[to].contains(from));
            together.map(|module| module.join("/")).collect()
        };
        graph.keys().map(|module| circle(module)).max_by_key(Vec::len).unwrap_or_default()
    }

    /// The folders that import each other.
    fn pairs(&self) -> BTreeSet<(String, String)> {
        let room = |module: &Module| module.first().cloned().unwrap_or_default();
        let edges: BTreeSet<(String, String)> = (self.graph().iter())
            .flat_map(|(from, targets)| targets.iter().map(|to| (room(from), room(to))))
            .filter(|(from, to)| from != to && !from.is_empty() && !to.is_empty())
            .collect();
        let is_pair = |(from, to): &&(String, String)| {
            from < to && edges.contains(&(to.clone(), from.clone()))
        };
        edges.iter().filter(is_pair).cloned().collect()
    }
}

#[test]
fn circles_and_pairs_only_become_fewer() {
    let listed = git(&["ls-files", "*/Cargo.toml"]).unwrap();
    let mut found = Vec::new();
    for folder in listed.lines().filter_map(|file| file.strip_suffix("/Cargo.toml")) {
        let source = root().join(folder).join("src");
        let source = if source.is_dir() { Crate::read(&source) } else { Crate::default() };
        let (circle, pairs) = (source.circle(), source.pairs());
        if !circle.is_empty() || !pairs.is_empty() {
            println!("{folder}: {circle:?}, {pairs:?}");
            found.push((folder, circle.len(), pairs.len()));
        }
    }
    assert_eq!(found, KNOWN, "write a number that became smaller into the table; none may grow");
}

#[test]
fn the_root_of_the_proxy_has_five_files() {
    let names = fs::read_dir(root().join("crates/wire-proxy/src"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = names.filter(|path| path.is_file()).collect();
    files.sort();
    let names: Vec<&str> =
        files.iter().map(|path| path.file_stem().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["args", "failure", "frames", "main", "shells"]);
}

#[test]
fn a_circle_and_a_pair_are_found() {
    let folder = std::env::temp_dir().join(format!("rooms-{}", std::process::id()));
    fs::create_dir_all(folder.join("a")).unwrap();
    fs::create_dir_all(folder.join("b")).unwrap();
    for (file, text) in [
        ("lib.rs", "mod a; mod b; mod c; pub use a::deep::A;"),
        ("a/mod.rs", "pub(crate) mod deep;"),
        ("a/deep.rs", "use crate::b::B; pub struct A;"),
        ("b/mod.rs", "mod other; pub(crate) use other::B;"),
        ("b/other.rs", "pub(crate) struct B; fn f(_: crate::A) {}"),
        ("c.rs", "#[cfg(test)] mod tests { use crate::b::B; } use super::A;"),
    ] {
        fs::write(folder.join(file), text).unwrap();
    }
    let source = Crate::read(&folder);
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(source.circle(), ["a/deep", "b/other"]);
    assert_eq!(source.pairs(), BTreeSet::from([("a".to_owned(), "b".to_owned())]));
}
