//! Whether the first minutes with a library work: the examples of its README, in a new package that
//! has only what the README's own `cargo add` lines above them name.
//!
//! The tests of the workspace run these examples, too, but with the development dependencies of the
//! crate.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::follow::blocks;
use crate::packages::{PUBLISHED, check, folder, libraries, refusal, workspace};
use crate::tools::{Outcome, root, target};

/// Checks the examples of every library's README, and those of the workspace's, which may use every
/// library.
pub(crate) fn run() -> Outcome {
    let root = root();
    let scratch = target().join("readmes");
    if scratch.exists() {
        fs::remove_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
    }
    let mut names = Vec::new();
    for (package, _) in libraries() {
        let readme = Path::new("crates").join(folder(package)).join("README.md");
        let text = fs::read_to_string(root.join(&readme))
            .map_err(|error| format!("{}: {error}", readme.display()))?;
        let examples = examples(&text).map_err(|error| format!("{}: {error}", readme.display()))?;
        for (at, example) in examples.iter().enumerate() {
            let name = format!("{package}-readme-{}", at + 1);
            write(&scratch.join(&name).join("Cargo.toml"), &example.manifest(&name, &root))?;
            write(&scratch.join(&name).join("src/main.rs"), &program(&example.code))?;
            names.push((name, readme.display().to_string()));
        }
    }
    let all: BTreeMap<String, Vec<String>> = libraries()
        .map(|(package, _)| package.to_owned())
        .chain(["serde_json".to_owned()])
        .map(|package| (package, Vec::new()))
        .collect();
    let text = fs::read_to_string(root.join("README.md"))
        .map_err(|error| format!("README.md: {error}"))?;
    for (at, (_, code)) in blocks(&text).into_iter().filter(|(info, _)| *info == "rust").enumerate()
    {
        let name = format!("readme-{}", at + 1);
        let example = Example { dependencies: all.clone(), code };
        write(&scratch.join(&name).join("Cargo.toml"), &example.manifest(&name, &root))?;
        write(&scratch.join(&name).join("src/main.rs"), &program(&example.code))?;
        names.push((name, "README.md".to_owned()));
    }
    let refused = format!("{}-refused", REFUSED.package);
    let example = Example {
        dependencies: [(REFUSED.package.to_owned(), Vec::new())].into(),
        code: REFUSED.code.to_owned(),
    };
    write(&scratch.join(&refused).join("Cargo.toml"), &example.manifest(&refused, &root))?;
    write(&scratch.join(&refused).join("src/main.rs"), &program(&example.code))?;
    workspace(&root, &scratch, "")?;
    for (name, readme) in names {
        check(&scratch, &name).map_err(|problem| {
            format!(
                "{problem}: an example of {readme} needs more than the `cargo add` lines above it name; let the crate re-export it"
            )
        })?;
    }
    let message = refusal(&scratch, &refused)?;
    if REFUSED.says.iter().all(|part| message.contains(part)) {
        return Ok(());
    }
    Err(format!(
        "{refused}: expected a message with {:?}, and the compiler says:\n{message}",
        REFUSED.says
    ))
}

/// A program that must not compile, and what the compiler's message says to do instead.
struct Refused {
    package: &'static str,
    code: &'static str,
    says: &'static [&'static str],
}

/// A mistake of the first minutes: a struct that is no list of rows.
const REFUSED: Refused = Refused {
    package: "wire-gcx",
    code: "struct One;\nlet _ = gcx::to_string(\"t\", &One);\n",
    says: &["is not a list of rows that serde can serialize", "pass a single row as a list of one"],
};

/// An example, and what a package has that was made by the `cargo add` lines above it.
#[derive(Debug, PartialEq)]
struct Example {
    /// The features of each dependency.
    dependencies: BTreeMap<String, Vec<String>>,
    code: String,
}

impl Example {
    fn manifest(&self, name: &str, root: &Path) -> String {
        let mut text = format!(
            "[package]\nname = \"{name}\"\nedition = \"2024\"\npublish = false\n\n[dependencies]\n"
        );
        for (dependency, features) in &self.dependencies {
            let source = if PUBLISHED.contains(&dependency.as_str()) {
                format!(
                    "path = {:?}",
                    root.join("crates").join(folder(dependency)).to_string_lossy()
                )
            } else {
                "version = \"*\"".to_owned()
            };
            let _ = writeln!(text, "{dependency} = {{ {source}, features = {features:?} }}");
        }
        text
    }
}

/// The Rust examples of a README.
fn examples(readme: &str) -> Result<Vec<Example>, String> {
    let mut dependencies = BTreeMap::new();
    let mut examples = Vec::new();
    for (info, text) in blocks(readme) {
        if info == "sh" {
            for line in text.lines() {
                add(&mut dependencies, line)?;
            }
        } else if info.split(',').next() == Some("rust") {
            examples.push(Example { dependencies: dependencies.clone(), code: text });
        }
    }
    if dependencies.is_empty() || examples.is_empty() {
        return Err(
            "expected a `cargo add` line in a `sh` block, and an example below it".to_owned()
        );
    }
    Ok(examples)
}

/// Does what a `cargo add` line does. A package of ours is not published, so that its line has the
/// path of a clone.
fn add(dependencies: &mut BTreeMap<String, Vec<String>>, line: &str) -> Outcome {
    let Some(arguments) = line.strip_prefix("cargo add ") else { return Ok(()) };
    let ours = arguments.split_whitespace().find(|name| PUBLISHED.contains(name));
    if let Some(name) = ours {
        let expected = format!("cargo add {name} --path ../wire/crates/{}", folder(name));
        if line != expected {
            return Err(format!("`{line}`: expected `{expected}`, from a clone"));
        }
        dependencies.insert(name.to_owned(), Vec::new());
        return Ok(());
    }
    let (names, features) = arguments.split_once(" --features ").unwrap_or((arguments, ""));
    if names.contains("--") || features.contains(' ') {
        return Err(format!(
            "`{line}`: expected `cargo add NAME…`, or that with `--features A,B` at its end"
        ));
    }
    for name in names.split_whitespace() {
        let features = features.split(',').filter(|feature| !feature.is_empty());
        dependencies.insert(name.to_owned(), features.map(str::to_owned).collect());
    }
    Ok(())
}

/// The program that rustdoc makes of an example.
fn program(code: &str) -> String {
    let lines = code.lines().map(|line| line.strip_prefix("# ").unwrap_or(line));
    let code = lines.collect::<Vec<_>>().join("\n");
    if code.trim_end().ends_with("(())") {
        let inner = format!("fn inner() -> Result<(), impl std::fmt::Debug> {{\n{code}\n}}");
        format!("fn main() {{\n{inner}\ninner().unwrap()\n}}\n")
    } else {
        format!("fn main() {{\n{code}\n}}\n")
    }
}

fn write(path: &Path, text: &str) -> Outcome {
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    folder
        .and_then(|()| fs::write(path, text))
        .map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_has_what_is_added_above_it() {
        let readme = "```sh\ncargo add wire-gcf --path ../wire/crates/gcf\n```\n```rust\na\n```\n```sh\ncargo add serde --features derive,rc\n```\n```rust,no_run\nb\n```\n";
        let examples = examples(readme).unwrap();
        let names = |at: usize| examples[at].dependencies.keys().cloned().collect::<Vec<_>>();
        assert_eq!(
            (names(0), names(1)),
            (vec!["wire-gcf".to_owned()], vec!["serde".to_owned(), "wire-gcf".to_owned()])
        );
        assert_eq!(examples[1].dependencies["serde"], ["derive", "rc"]);
        assert_eq!(examples[1].code, "b\n");
    }

    #[test]
    fn a_readme_without_a_line_to_add_it_is_refused() {
        assert!(examples("```rust\na\n```\n").is_err());
        for line in [
            "serde --no-default-features",
            "wire-gcf",
            "wire-gcf --path crates/gcf",
            "wire-gcf wire-gcb",
        ] {
            let readme = format!("```sh\ncargo add {line}\n```\n```rust\na\n```\n");
            assert!(examples(&readme).is_err(), "{line}");
        }
    }

    #[test]
    fn an_example_that_returns_a_result_is_a_function() {
        assert!(
            program("let a = b()?;\n# Ok::<(), E>(())\n")
                .contains("Ok::<(), E>(())\n}\ninner().unwrap()")
        );
        assert_eq!(program("a();\n"), "fn main() {\na();\n}\n");
    }
}
