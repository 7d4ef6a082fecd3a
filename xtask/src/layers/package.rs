//! What the files of a package import.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Item, UseTree, Visibility};

use crate::tools::root;

/// Who imports whom, by paths from the repository's folder.
pub(super) type Imports = BTreeSet<(String, String)>;

/// The modules of a package.
#[derive(Default)]
pub(super) struct Package {
    /// By path; the library and the program are roots of the same name, since no package of ours
    /// has both.
    modules: BTreeMap<Vec<String>, Module>,
}

#[derive(Default)]
struct Module {
    file: String,
    /// Items that are defined here.
    items: BTreeSet<String>,
    uses: Vec<Use>,
    /// What items name, segment by segment.
    paths: BTreeSet<Vec<String>>,
}

/// One name that a `use` brings in.
struct Use {
    /// None with `*`.
    name: Option<String>,
    path: Vec<String>,
    is_shown: bool,
}

impl Package {
    pub(super) fn read(folder: &Path) -> Result<Self, String> {
        let mut package = Package::default();
        for name in ["lib.rs", "main.rs"] {
            let file = folder.join("src").join(name);
            if file.exists() {
                package.file(&file, &folder.join("src"), Vec::new())?;
            }
        }
        Ok(package)
    }

    /// Reads a file; `beside` is the folder of the modules that it declares.
    fn file(&mut self, file: &Path, beside: &Path, path: Vec<String>) -> Result<(), String> {
        let failed = |error: String| format!("{}: {error}", file.display());
        let text = fs::read_to_string(file).map_err(|error| failed(error.to_string()))?;
        let parsed = syn::parse_file(&text).map_err(|error| failed(error.to_string()))?;
        let name = file.strip_prefix(root()).unwrap_or(file).display().to_string();
        self.items(parsed.items, &name, beside, path)
    }

    fn items(
        &mut self,
        items: Vec<Item>,
        file: &str,
        beside: &Path,
        path: Vec<String>,
    ) -> Result<(), String> {
        let mut module = Module { file: file.to_owned(), ..Module::default() };
        for item in items {
            if attributes(&item)
                .iter()
                .any(|attribute| is_test(attribute) || is_elsewhere(attribute))
            {
                continue;
            }
            match item {
                Item::Mod(inner) => {
                    let name = inner.ident.to_string();
                    let below = beside.join(&name);
                    let path = [&path[..], std::slice::from_ref(&name)].concat();
                    match inner.content {
                        Some((_, items)) => self.items(items, file, &below, path)?,
                        None => {
                            let own = beside.join(format!("{name}.rs"));
                            let own = if own.exists() { own } else { below.join("mod.rs") };
                            self.file(&own, &below, path)?;
                        }
                    }
                }
                Item::Use(item) => {
                    let is_shown = !matches!(item.vis, Visibility::Inherited);
                    add_uses(&item.tree, Vec::new(), is_shown, &mut module.uses);
                }
                item => {
                    module.items.extend(name_of(&item));
                    add_paths(item.to_token_stream(), &mut module.paths);
                }
            }
        }
        self.modules.insert(path, module);
        Ok(())
    }

    /// Which file imports which. A name that a module shows for one beneath it is no import of the
    /// module's.
    pub(super) fn imports(&self) -> Imports {
        let mut imports = Imports::new();
        for (path, module) in &self.modules {
            let uses = module.uses.iter().filter(|used| {
                let target = self.absolute(path, &used.path);
                !(used.is_shown && target.is_some_and(|target| target.starts_with(path)))
            });
            let named = uses.map(|used| &used.path).chain(&module.paths);
            for target in named.filter_map(|named| self.file_of(path, named)) {
                if target != module.file {
                    imports.insert((module.file.clone(), target.to_owned()));
                }
            }
        }
        imports
    }

    /// The file of what a path names in a module, if it is one of the package's items.
    fn file_of(&self, module: &[String], path: &[String]) -> Option<&str> {
        self.resolve(module, path, 0)
    }

    /// A path from the package's root, if its first segments say where it begins.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Vec<String>> {
        let first = path.first()?;
        let mut at = match first.as_str() {
            "crate" => Vec::new(),
            "self" => module.to_vec(),
            "super" => module[..module.len().checked_sub(1)?].to_vec(),
            name => {
                let child = [module, &[name.to_owned()]].concat();
                self.modules.contains_key(&child).then_some(child)?
            }
        };
        for segment in &path[1..] {
            match segment.as_str() {
                "super" => drop(at.pop()),
                name => at.push(name.to_owned()),
            }
        }
        Some(at)
    }

    fn resolve(&self, module: &[String], path: &[String], depth: usize) -> Option<&str> {
        const MOST: usize = 16;
        if depth > MOST {
            return None;
        }
        if let Some(absolute) = self.absolute(module, path) {
            // The module that is deepest on the way, and what is named in it.
            let cut = (0..=absolute.len())
                .rev()
                .find(|&cut| self.modules.contains_key(&absolute[..cut]))?;
            let (inner, rest) = absolute.split_at(cut);
            let name = rest.first()?;
            return self.item(inner, name, &rest[1..], depth + 1);
        }
        let (first, rest) = path.split_first()?;
        self.item(module, first, rest, depth + 1)
    }

    /// The file of an item that is named in a module, which may have it by a `use`.
    fn item(&self, module: &[String], name: &str, rest: &[String], depth: usize) -> Option<&str> {
        let found = self.modules.get(module)?;
        if found.items.contains(name) {
            return Some(&found.file);
        }
        let by_name = found.uses.iter().filter(|used| used.name.as_deref() == Some(name));
        let by_name = by_name.map(|used| [&used.path[..], rest].concat());
        let all = found.uses.iter().filter(|used| used.name.is_none());
        let all = all.map(|used| [&used.path[..], &[name.to_owned()], rest].concat());
        by_name.chain(all).find_map(|path| self.resolve(module, &path, depth))
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether what has the attribute is there for tests only.
fn is_test(attribute: &Attribute) -> bool {
    let text = attribute.meta.to_token_stream().to_string();
    text == "test" || text == "cfg (test)"
}

/// Whether a module is a file of another package.
fn is_elsewhere(attribute: &Attribute) -> bool {
    attribute.path().is_ident("path")
}

fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

fn add_uses(tree: &UseTree, before: Vec<String>, is_shown: bool, uses: &mut Vec<Use>) {
    let with = |name: &dyn ToString| [&before[..], &[name.to_string()]].concat();
    match tree {
        UseTree::Path(path) => add_uses(&path.tree, with(&path.ident), is_shown, uses),
        UseTree::Group(group) => {
            group.items.iter().for_each(|tree| add_uses(tree, before.clone(), is_shown, uses));
        }
        UseTree::Glob(_) => uses.push(Use { name: None, path: before, is_shown }),
        UseTree::Name(name) if name.ident == "self" => {
            uses.push(Use { name: before.last().cloned(), path: before, is_shown });
        }
        UseTree::Name(name) => {
            uses.push(Use {
                name: Some(name.ident.to_string()),
                path: with(&name.ident),
                is_shown,
            });
        }
        UseTree::Rename(name) => {
            uses.push(Use {
                name: Some(name.rename.to_string()),
                path: with(&name.ident),
                is_shown,
            });
        }
    }
}

/// Adds all paths of two segments or more: single names are brought in by a `use`, or are the
/// file's own.
fn add_paths(tokens: TokenStream, paths: &mut BTreeSet<Vec<String>>) {
    let mut path: Vec<String> = Vec::new();
    let mut colons = 0;
    let mut keep = |path: &mut Vec<String>| {
        let path = std::mem::take(path);
        if path.len() > 1 {
            paths.insert(path);
        }
    };
    let mut inner = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                if colons != 2 {
                    keep(&mut path);
                }
                path.push(name.to_string());
                colons = 0;
            }
            TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
            TokenTree::Group(group) => {
                keep(&mut path);
                colons = 0;
                inner.push(group.stream());
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {
                keep(&mut path);
                colons = 0;
            }
        }
    }
    keep(&mut path);
    for tokens in inner {
        add_paths(tokens, paths);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_followed_to_the_file_that_defines_them() {
        let mut package = Package::default();
        let mut add = |path: &[&str], text: &str| {
            let path: Vec<String> = path.iter().map(|&name| name.to_owned()).collect();
            let file = format!("{}.rs", path.join("_"));
            let items = syn::parse_file(text).unwrap().items;
            package.items(items, &file, Path::new("none"), path).unwrap();
        };
        add(&[], "pub use outer::Shown;");
        add(&["outer"], "pub use self::inner::Shown; use crate::other::*; fn f(_: Thing) {}");
        add(&["outer", "inner"], "pub struct Shown; fn g() { super::super::other::thing() }");
        add(
            &["other"],
            "pub struct Thing; pub fn thing() { use_it(&[crate::Shown]) } #[cfg(test)] use super::outer::f;",
        );
        let imports: Vec<String> =
            package.imports().into_iter().map(|(from, to)| format!("{from} {to}")).collect();
        assert_eq!(imports, ["other.rs outer_inner.rs", "outer_inner.rs other.rs"]);
    }
}
