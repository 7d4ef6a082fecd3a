//! `cargo xtask layers`: files that import each other (docs/architecture.md, "Layers").

mod package;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use clap::Args;
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

use self::package::{Imports, Package};
use crate::tools::{Outcome, root};

#[derive(Args)]
pub(crate) struct Options {
    /// Print what each file imports.
    #[arg(long)]
    imports: bool,
}

/// Folders that hold packages of this repository.
const PACKAGES: [&str; 4] = ["crates", "conformance", "fuzz/bodies", "xtask"];
/// The page that names the pairs that may import each other, each with its reason.
const PAGE: &str = "docs/architecture.md";
const PAIRS: &str = "## Layers";

/// Fails where files import each other that the page does not name, or the page names pairs that do
/// not.
pub(crate) fn run(options: &Options) -> Outcome {
    let mut imports = BTreeSet::new();
    for package in packages()? {
        imports.extend(Package::read(&package)?.imports());
    }
    if options.imports {
        for (from, to) in &imports {
            println!("{from} imports {to}");
        }
    }
    let natural =
        pairs(&fs::read_to_string(root().join(PAGE)).map_err(|e| format!("{PAGE}: {e}"))?);
    let idle: Vec<String> = natural
        .iter()
        .filter(|(a, b)| !joined(&imports, a, b))
        .map(|(a, b)| format!("{a} and {b} do not import each other"))
        .collect();
    if !idle.is_empty() {
        return Err(format!("{PAGE} names pairs that are none: {}", idle.join("; ")));
    }
    let circles = circles(&imports, &natural);
    if circles.is_empty() {
        println!("{} imports, no circles but {} pairs with a reason", imports.len(), natural.len());
        return Ok(());
    }
    let told: Vec<String> = circles.iter().map(|circle| told(circle, &imports)).collect();
    Err(format!(
        "{} circles of files that import each other: move what both need beneath them, or name a natural pair in {PAGE} with its reason\n{}",
        circles.len(),
        told.join("\n")
    ))
}

fn joined(imports: &Imports, a: &str, b: &str) -> bool {
    let has = |a: &str, b: &str| imports.contains(&(a.to_owned(), b.to_owned()));
    has(a, b) && has(b, a)
}

fn told(circle: &[String], imports: &Imports) -> String {
    let within = |(from, to): &&(String, String)| circle.contains(from) && circle.contains(to);
    let lines = imports.iter().filter(within).map(|(from, to)| format!("  {from} imports {to}"));
    format!("{} files:\n{}", circle.len(), lines.collect::<Vec<_>>().join("\n"))
}

/// The groups of files each of which imports the others, directly or not.
fn circles(imports: &Imports, natural: &BTreeSet<(String, String)>) -> Vec<Vec<String>> {
    let mut graph = DiGraphMap::<&str, ()>::new();
    for (from, to) in imports {
        let pair = if from < to { (from, to) } else { (to, from) };
        if !natural.contains(&(pair.0.clone(), pair.1.clone())) {
            graph.add_edge(from, to, ());
        }
    }
    let mut circles: Vec<Vec<String>> = tarjan_scc(&graph)
        .into_iter()
        .filter(|circle| circle.len() > 1)
        .map(|circle| {
            let mut files: Vec<String> = circle.into_iter().map(str::to_owned).collect();
            files.sort();
            files
        })
        .collect();
    circles.sort();
    circles
}

/// The pairs in the table of the page: the first two cells of each row, in backticks.
fn pairs(page: &str) -> BTreeSet<(String, String)> {
    let section = page.split_once(PAIRS).map_or("", |(_, rest)| rest);
    let section = section.split("\n## ").next().unwrap_or_default();
    let cell = |text: &str| text.trim().strip_prefix('`')?.strip_suffix('`').map(str::to_owned);
    section
        .lines()
        .filter_map(|line| {
            let mut cells = line.trim_start_matches('|').split('|');
            let (a, b) = (cell(cells.next()?)?, cell(cells.next()?)?);
            Some(if a < b { (a, b) } else { (b, a) })
        })
        .collect()
}

/// The folders with a `src` below the folders of packages.
fn packages() -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for folder in PACKAGES.map(|folder| root().join(folder)) {
        if folder.join("Cargo.toml").exists() {
            found.push(folder);
            continue;
        }
        let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let with_source = |path: &PathBuf| path.join("src").exists();
        found.extend(entries.filter_map(|entry| Some(entry.ok()?.path())).filter(with_source));
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_imports_one_that_imports_it() {
        run(&Options { imports: false }).unwrap_or_else(|problem| panic!("{problem}"));
    }

    #[test]
    fn circles_are_found_whatever_their_length() {
        let import = |from: &str, to: &str| (from.to_owned(), to.to_owned());
        let imports = Imports::from([
            import("a", "b"),
            import("b", "c"),
            import("c", "a"),
            import("c", "d"),
            import("d", "e"),
            import("e", "d"),
        ]);
        let all = circles(&imports, &BTreeSet::new());
        assert_eq!(all, [vec!["a", "b", "c"], vec!["d", "e"]]);
        let page = "x\n## Layers\n\n| a | b | why |\n|---|---|---|\n| `e` | `d` | they are one |\n\n## Next\n| `a` | `b` |";
        assert_eq!(circles(&imports, &pairs(page)), [vec!["a", "b", "c"]]);
    }
}
