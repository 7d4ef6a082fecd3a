//! `cargo xtask dist`: the archives of a release and the packages for pip and npm that have the same
//! programs, each installed into an empty environment and run by its installed name.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use xshell::{Shell, cmd};
use xtask::tools::{Outcome, emptied, shell, target};

use crate::packages::{Package, published};

#[derive(Args)]
pub(crate) struct Options {
    /// The package of a program.
    #[arg(long, value_name = "PACKAGE", value_parser = PROGRAMS.map(|program| program.package))]
    package: String,
    /// What to build for: on Linux without a C library, as `x86_64-unknown-linux-musl`.
    #[arg(long, value_name = "TRIPLE")]
    target: String,
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

pub(crate) fn run(Options { package, target: triple }: &Options) -> Outcome {
    let sh = shell()?;
    let folder = sh.create_dir(target().join("dist"))?;
    let program = PROGRAMS.iter().find(|program| program.package == package);
    let program = program.context("clap knows the packages of programs")?;
    let published = published()?;
    let published = published.iter().find(|(_, published)| published.name == *package);
    let (workspace, package) = published.context("a program is not published")?;
    let archive = program.archive(&sh, workspace, package, &folder, triple)?;
    program.try_out(&sh, &archive, &folder.join("root"), triple)?;
    // The packages for pip and npm are made of the same, and tried.
    let (crate_name, name, first) = (program.package, program.name, program.first.0);
    let script = "packaging/packages.py";
    Ok(cmd!(sh, "python3 {script} {folder} {triple} {crate_name} {name} {first...}").run()?)
}

impl Program {
    fn file(&self, triple: &str) -> String {
        format!("{}{}", self.name, if triple.contains("windows") { ".exe" } else { "" })
    }

    /// Builds the program, and returns where it is.
    fn built(&self, sh: &Shell, workspace: &str, triple: &str) -> Result<PathBuf> {
        let (package, target) = (self.package, target());
        let _folder = sh.push_dir(workspace);
        let build = ["--profile", "dist", "--locked", "--target", triple, "--package", package];
        cmd!(sh, "cargo build {build...} --target-dir {target}")
            .run()
            .with_context(|| format!("the target is installed by `rustup target add {triple}`"))?;
        let binary = target.join(triple).join("dist").join(self.file(triple));
        let size = binary.metadata()?.len();
        println!("{}: {size} bytes", self.file(triple));
        let (name, largest) = (self.name, self.largest);
        ensure!(size <= largest, "{name} has {size} bytes, expected at most {largest}");
        Ok(binary)
    }

    /// Builds the program and packs it with everything that comes with it.
    fn archive(
        &self,
        sh: &Shell,
        workspace: &str,
        package: &Package,
        folder: &Path,
        triple: &str,
    ) -> Result<PathBuf> {
        let binary = self.built(sh, workspace, triple)?;
        let stem = format!("{}-{}-{triple}", self.name, package.version);
        let staged = folder.join(&stem);
        emptied(sh, &staged)?;
        sh.copy_file(&binary, &staged)?;
        for name in ["LICENSE-MIT", "LICENSE-APACHE", "README.md"] {
            sh.copy_file(package.folder().join(name), &staged)?;
        }
        for (shell, extension) in SHELLS {
            let script = cmd!(sh, "{binary} completions {shell}").output()?.stdout;
            let file = format!("completions/{}.{extension}", self.name);
            sh.write_file(staged.join(file), script)?;
        }
        let page = cmd!(sh, "{binary} man").output()?.stdout;
        sh.write_file(staged.join("man").join(format!("{}.1", self.name)), page)?;
        let _folder = sh.push_dir(folder);
        // Both kinds of `tar` know `-a`, and bsdtar, which Windows has, makes a zip of it.
        let archive = if triple.contains("windows") {
            let archive = format!("{stem}.zip");
            cmd!(sh, "tar -a -c -f {archive} {stem}").run()?;
            archive
        } else {
            let archive = format!("{stem}.tgz");
            cmd!(sh, "tar -c -z -f {archive} {stem}").run()?;
            archive
        };
        Ok(folder.join(archive))
    }

    /// Unpacks an archive into an empty folder and runs the first command there, in an empty
    /// environment.
    fn try_out(&self, sh: &Shell, archive: &Path, empty: &Path, triple: &str) -> Outcome {
        emptied(sh, empty)?;
        cmd!(sh, "tar -x -f {archive} -C {empty} --strip-components 1").run()?;
        let (program, (arguments, expected)) = (empty.join(self.file(triple)), self.first);
        let mut command = cmd!(sh, "{program} {arguments...}");
        if !cfg!(windows) {
            // Windows needs some of it to start anything.
            command = command.env_clear();
        }
        ensure!(command.read()?.contains(expected), "{} prints no {expected:?}", self.name);
        let size = archive.metadata()?.len();
        println!("{}: {size} bytes; the program runs in a folder of its own", archive.display());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `cargo binstall` finds the archives by what the manifests say.
    #[test]
    fn manifests_name_the_archives() {
        let published = published().unwrap();
        for program in PROGRAMS {
            let is_it = |(_, package): &&(_, Package)| package.name == program.package;
            let (_, package) = published.iter().find(is_it).unwrap();
            let archive = "{ name }-v{ version }/{ bin }-{ version }-{ target }{ archive-suffix }";
            let expected = serde_json::json!({
                "pkg-url": format!("{{ repo }}/releases/download/{archive}"),
                "bin-dir": "{ bin }-{ version }-{ target }/{ bin }{ binary-ext }",
                "pkg-fmt": "tgz",
            });
            let binstall = package.metadata["binstall"].as_object().unwrap();
            for (name, value) in expected.as_object().unwrap() {
                assert_eq!(binstall.get(name), Some(value), "{}", program.package);
            }
        }
    }
}
