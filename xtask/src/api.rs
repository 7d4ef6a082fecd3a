//! The public interface of each library as text, so that a review sees what a change does to it.
//!
//! rustdoc writes it as JSON, which is unstable: each Rust has a version of its own, and
//! `public-api` reads one. `RUSTC_BOOTSTRAP` lets a stable rustdoc write it. Only rustdoc gets this
//! variable, through this program, since a cargo that has it builds all dependencies anew.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use public_api::Builder;
use rustdoc_types::FORMAT_VERSION;
use serde::Deserialize;

use crate::packages::libraries;
use crate::tools::{Outcome, root, run_in, target};

/// The Rust whose rustdoc writes the version that is read.
const RUST: &str = "1.95.0";

/// Tells this program that cargo calls it as rustdoc.
const AS_RUSTDOC: &str = "XTASK_AS_RUSTDOC";

/// The page of each library, and its text.
pub(crate) fn snapshots() -> Result<Vec<(String, String)>, String> {
    let target = target();
    let json = |library: &str| target.join("doc").join(format!("{library}.json"));
    for (_, library) in libraries() {
        // Nothing that an earlier run left is read.
        let _ = fs::remove_file(json(&library));
    }
    let this = env::current_exe().map_err(|error| error.to_string())?;
    let folder = target.to_string_lossy();
    let mut arguments = vec!["doc", "--quiet", "--no-deps", "--lib", "--all-features", "--locked"];
    arguments.extend(["--target-dir", &folder]);
    arguments.extend(libraries().flat_map(|(package, _)| ["--package", package]));
    let environment = [
        ("RUSTDOC", &*this.to_string_lossy()),
        ("RUSTDOCFLAGS", "-Z unstable-options --output-format json"),
        (AS_RUSTDOC, "1"),
    ];
    run_in(&root(), "cargo", &arguments, &environment)?;
    let page = |(package, library): (&str, String)| {
        Ok((format!("docs/api/{package}.txt"), snapshot(&json(&library))?))
    };
    libraries().map(page).collect()
}

/// Runs rustdoc with the arguments of this program, where it is called as that.
pub(crate) fn as_rustdoc() -> Option<ExitCode> {
    env::var_os(AS_RUSTDOC)?;
    let status =
        Command::new("rustdoc").args(env::args_os().skip(1)).env("RUSTC_BOOTSTRAP", "1").status();
    Some(match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

fn snapshot(path: &Path) -> Result<String, String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    readable(&fs::read_to_string(path).map_err(|error| failed(&error))?)?;
    let api = Builder::from_rustdoc_json(path).omit_blanket_impls(true).build();
    Ok(text(api.map_err(|error| failed(&error))?.items().map(ToString::to_string)))
}

/// Fails where rustdoc's JSON has another version than the one that is read.
fn readable(json: &str) -> Outcome {
    #[derive(Deserialize)]
    struct Version {
        format_version: u32,
    }
    let Version { format_version } =
        serde_json::from_str(json).map_err(|error| format!("rustdoc's JSON: {error}"))?;
    if format_version == FORMAT_VERSION {
        return Ok(());
    }
    Err(format!(
        "this Rust writes version {format_version} of rustdoc's JSON, expected {FORMAT_VERSION}, which Rust {RUST} writes. Run it with \
         that Rust: `RUSTUP_TOOLCHAIN={RUST} cargo xtask generate api`. Or go over to this one: put the versions of `public-api` and \
         `rustdoc-types` that read {format_version} into xtask/Cargo.toml, and the version of this Rust into xtask/src/api.rs"
    ))
}

/// An item a line. Of the auto traits, which nearly all types have, it says which types are not
/// `Send`, `Sync` or `Unpin`.
fn text(items: impl Iterator<Item = String>) -> String {
    const UNSAID: &[&str] = &[
        " core::marker::Send for ",
        " core::marker::Sync for ",
        " core::marker::Unpin for ",
        "core::marker::Freeze for ",
        "core::marker::UnsafeUnpin for ",
        "core::panic::unwind_safe::RefUnwindSafe for ",
        "core::panic::unwind_safe::UnwindSafe for ",
        // Comes with `PartialEq`.
        "core::marker::StructuralPartialEq for ",
    ];
    let is_said = |line: &String| {
        !(line.starts_with("impl") && UNSAID.iter().any(|name| line.contains(name)))
    };
    items.filter(is_said).flat_map(|line| [line, "\n".to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_version_says_how_to_go_on() {
        assert_eq!(readable(&format!("{{\"format_version\":{FORMAT_VERSION}}}")), Ok(()));
        let problem = readable(r#"{"root":0,"format_version":12}"#).unwrap_err();
        assert!(problem.contains("version 12 of rustdoc's JSON"), "{problem}");
        assert!(problem.contains(&format!("RUSTUP_TOOLCHAIN={RUST}")), "{problem}");
    }

    #[test]
    fn of_auto_traits_only_those_are_listed_that_a_type_has_not() {
        let lines = [
            "impl<'a> core::marker::Send for a::View<'a>",
            "impl !core::marker::Sync for a::Cell",
            "impl !core::panic::unwind_safe::UnwindSafe for a::Cell",
            "impl core::marker::Copy for a::Cell",
        ];
        let text = text(lines.map(str::to_owned).into_iter());
        assert_eq!(
            text,
            "impl !core::marker::Sync for a::Cell\nimpl core::marker::Copy for a::Cell\n"
        );
    }
}
