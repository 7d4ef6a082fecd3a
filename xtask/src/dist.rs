//! `cargo xtask dist`: the archives of a release and the packages for pip and npm that have the same
//! programs, each installed into an empty environment and run by its installed name.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;

use crate::packages::{folder as folder_of, version, workspace_of};
use xtask::folders::emptied;
use xtask::tools::{Outcome, root, run_in, target};

#[derive(Args)]
pub(crate) struct Options {
    /// Only this package.
    #[arg(long, value_name = "PACKAGE", value_parser = PROGRAMS.map(|program| program.package))]
    package: Option<String>,
    /// What to build for [default: this machine's, on Linux without a C library
    /// (TRIPLE-linux-musl) where rustup has that target].
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
}

/// A program that is released as an archive.
struct Program {
    package: &'static str,
    name: &'static str,
    /// The first command, in an empty root, and what it prints among other things.
    first: (&'static [&'static str], &'static str),
    /// The largest program, in bytes.
    largest: u64,
}

const PROGRAMS: [Program; 3] = [
    Program {
        package: "wire-cli",
        name: "wirefmt",
        first: (&["formats"], "gcf"),
        largest: 25_000_000,
    },
    Program {
        package: "wire-proxy",
        name: "wire-proxy",
        first: (&["schema"], "$schema"),
        largest: 20_000_000,
    },
    Program {
        package: "wire-eval",
        name: "wire-eval",
        first: (
            &["cost", "--sizes", "3", "--families", "rows", "--counter", "word-punctuation"],
            "gcx",
        ),
        largest: 20_000_000,
    },
];

const SHELLS: [(&str, &str); 4] =
    [("bash", "bash"), ("zsh", "zsh"), ("fish", "fish"), ("powershell", "ps1")];

pub(crate) fn run(options: &Options) -> Outcome {
    let root = root();
    let triple = match &options.target {
        Some(triple) => triple.clone(),
        None => default_triple()?,
    };
    let folder = target().join("dist");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let wanted = |program: &&Program| {
        options.package.as_deref().is_none_or(|package| package == program.package)
    };
    for program in PROGRAMS.iter().filter(wanted) {
        println!("--- {} for {triple}", program.name);
        let archive = program.archive(&folder, &triple)?;
        program.try_out(&archive, &folder, &triple)?;
        program.packages(&root, &folder, &triple)?;
    }
    Ok(())
}

fn default_triple() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output();
    let output = output.map_err(|error| format!("`rustc` can't be run: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or_else(|| "`rustc -vV` names no host".to_owned())?;
    let musl = host.replace("-linux-gnu", "-linux-musl");
    let installed = Command::new("rustup").args(["target", "list", "--installed"]).output();
    let has_musl = installed.is_ok_and(|output| {
        String::from_utf8_lossy(&output.stdout).lines().any(|line| line == musl)
    });
    Ok(if has_musl { musl } else { host.to_owned() })
}

impl Program {
    fn file(&self, triple: &str) -> String {
        format!("{}{}", self.name, if triple.contains("windows") { ".exe" } else { "" })
    }

    /// Builds the program, and returns where it is.
    fn built(&self, triple: &str) -> Result<PathBuf, String> {
        let mut arguments = vec!["build", "--profile", "dist", "--locked", "--target", triple];
        let target = target();
        let folder = target.to_string_lossy();
        arguments.extend(["--package", self.package, "--target-dir", &folder]);
        run_in(&workspace_of(self.package), "cargo", &arguments, &[]).map_err(|problem| {
            format!("{problem}; the target is installed by `rustup target add {triple}`")
        })?;
        let binary = target.join(triple).join("dist").join(self.file(triple));
        let size = fs::metadata(&binary).map_err(|error| failed(&binary, &error))?.len();
        println!("{}: {size} bytes", self.file(triple));
        if size > self.largest {
            return Err(format!(
                "{} has {size} bytes, expected at most {}",
                self.name, self.largest
            ));
        }
        Ok(binary)
    }

    /// Builds the program and packs it with everything that comes with it.
    fn archive(&self, folder: &Path, triple: &str) -> Result<PathBuf, String> {
        let binary = self.built(triple)?;
        let package = folder_of(self.package);
        let stem = format!("{}-{}-{triple}", self.name, version(self.package)?);
        let staged = folder.join(&stem);
        emptied(&staged)?;
        for folder in ["completions", "man"] {
            emptied(&staged.join(folder))?;
        }
        let copy = |from: &Path| {
            let name = from.file_name().unwrap_or_default();
            fs::copy(from, staged.join(name)).map(|_| ()).map_err(|error| failed(from, &error))
        };
        copy(&binary)?;
        for name in ["LICENSE-MIT", "LICENSE-APACHE", "README.md"] {
            copy(&package.join(name))?;
        }
        for (shell, extension) in SHELLS {
            let script = printed(Command::new(&binary).args(["completions", shell]))?;
            let path = staged.join("completions").join(format!("{}.{extension}", self.name));
            fs::write(&path, script).map_err(|error| failed(&path, &error))?;
        }
        let page = staged.join("man").join(format!("{}.1", self.name));
        let text = printed(Command::new(&binary).arg("man"))?;
        fs::write(&page, text).map_err(|error| failed(&page, &error))?;
        // Both kinds of `tar` know `-a`, and bsdtar, which Windows has, makes a zip of it.
        let extension = if triple.contains("windows") { "zip" } else { "tgz" };
        let archive = format!("{stem}.{extension}");
        let arguments = match extension {
            "zip" => ["-a", "-c", "-f", &archive, &stem],
            _ => ["-c", "-z", "-f", &archive, &stem],
        };
        run_in(folder, "tar", &arguments, &[])?;
        Ok(folder.join(archive))
    }

    /// Unpacks an archive into an empty folder and runs the first command there.
    fn try_out(&self, archive: &Path, folder: &Path, triple: &str) -> Outcome {
        let empty = folder.join("root");
        emptied(&empty)?;
        let path = archive.to_string_lossy();
        run_in(&empty, "tar", &["-x", "-f", &path, "--strip-components", "1"], &[])?;
        self.runs(&empty.join(self.file(triple)))?;
        let size = fs::metadata(archive).map_err(|error| failed(archive, &error))?.len();
        println!("{path}: {size} bytes; the program runs in a folder of its own");
        Ok(())
    }

    /// Makes the packages for pip and npm, and tries them.
    fn packages(&self, root: &Path, folder: &Path, triple: &str) -> Outcome {
        let folder = folder.to_string_lossy();
        let mut arguments = vec!["packaging/packages.py", &folder, triple, self.package, self.name];
        arguments.extend(self.first.0);
        run_in(root, "python3", &arguments, &[])
    }

    /// Runs the first command of a program, in an empty environment.
    fn runs(&self, program: &Path) -> Outcome {
        let (arguments, expected) = self.first;
        let mut command = Command::new(program);
        if !cfg!(windows) {
            // Windows needs some of it to start anything.
            command.env_clear();
        }
        let text = printed(command.args(arguments))?;
        if String::from_utf8_lossy(&text).contains(expected) {
            return Ok(());
        }
        Err(format!("`{} {}` prints no {expected:?}", self.name, arguments.join(" ")))
    }
}

fn printed(command: &mut Command) -> Result<Vec<u8>, String> {
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("{command:?} can't be run: {error}"))?;
    if output.status.success() { Ok(output.stdout) } else { Err(format!("{command:?} failed")) }
}

fn failed(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `cargo binstall` finds the archives by what the manifests say.
    #[test]
    fn manifests_name_the_archives() {
        for program in PROGRAMS {
            let path = folder_of(program.package).join("Cargo.toml");
            let manifest = fs::read_to_string(path).unwrap();
            for line in [
                "pkg-url = \"{ repo }/releases/download/{ name }-v{ version }/{ bin }-{ version }-{ target }{ archive-suffix }\"",
                "bin-dir = \"{ bin }-{ version }-{ target }/{ bin }{ binary-ext }\"",
                "pkg-fmt = \"tgz\"",
            ] {
                assert!(manifest.contains(line), "{}: {line}", program.package);
            }
        }
    }
}
