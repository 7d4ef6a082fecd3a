//! `cargo xtask dist`: the archives of a release, each tried in a folder of its own, and the program
//! of the image, which the Dockerfile copies.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;

use crate::tools::{Outcome, read, root, run_in, target};

#[derive(Args)]
pub(crate) struct Options {
    /// Only this package.
    #[arg(long, value_name = "PACKAGE", value_parser = PROGRAMS.map(|program| program.package))]
    package: Option<String>,
    /// What to build for [default: this machine's, on Linux without a C library:
    /// TRIPLE-linux-musl].
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
    /// The largest one in its container image, if it has an image.
    largest_in_image: Option<u64>,
}

const PROGRAMS: [Program; 3] = [
    Program {
        package: "wire-cli",
        name: "wirefmt",
        first: (&["formats"], "gcf"),
        largest: 80_000_000,
        largest_in_image: None,
    },
    Program {
        package: "wire-proxy",
        name: "wire-proxy",
        first: (&["schema"], "$schema"),
        // Two vocabularies are 47 MB of it, and 3 MB in the image.
        largest: 60_000_000,
        largest_in_image: Some(15_000_000),
    },
    Program {
        package: "wire-eval",
        name: "wire-eval",
        first: (
            &["cost", "--sizes", "3", "--families", "rows", "--counter", "word-punctuation"],
            "gcx",
        ),
        largest: 60_000_000,
        largest_in_image: None,
    },
];

/// Where systems keep the certificates of authorities in one file.
const CERTIFICATES: [&str; 2] =
    ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"];
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
        if triple.contains("-linux-") {
            program.for_image(&root, &folder, &triple)?;
        }
        let archive = program.archive(&root, &folder, &triple)?;
        program.try_out(&archive, &folder, &triple)?;
    }
    Ok(())
}

fn default_triple() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output();
    let output = output.map_err(|error| format!("`rustc` can't be run: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or_else(|| "`rustc -vV` names no host".to_owned())?;
    Ok(host.replace("-linux-gnu", "-linux-musl"))
}

impl Program {
    fn file(&self, triple: &str) -> String {
        format!("{}{}", self.name, if triple.contains("windows") { ".exe" } else { "" })
    }

    /// Builds the program for its container image, which is small, beside the certificates that the
    /// Dockerfile copies. What is built with glibc finds no host by its name there, so that it is
    /// for a trial alone.
    fn for_image(&self, root: &Path, folder: &Path, triple: &str) -> Outcome {
        let Some(largest) = self.largest_in_image else { return Ok(()) };
        let is_static = [("RUSTFLAGS", "-C target-feature=+crt-static")];
        let environment = if triple.contains("-linux-musl") { &[][..] } else { &is_static };
        let binary = self.built(root, triple, &["--features", "compact"], environment, largest)?;
        let image = folder.join("image");
        fs::create_dir_all(&image).map_err(|error| failed(&image, &error))?;
        let there = CERTIFICATES.iter().map(Path::new).find(|path| path.exists());
        let there = there.ok_or_else(|| {
            format!(
                "the image needs the certificates of authorities, expected {}; on Debian `apt-get install ca-certificates` installs them",
                CERTIFICATES.join(" or ")
            )
        })?;
        for (from, name) in [(&*binary, self.name), (there, "ca-certificates.crt")] {
            fs::copy(from, image.join(name)).map_err(|error| failed(from, &error))?;
        }
        self.runs(&image.join(self.name))
    }

    /// Builds the program, and returns where it is.
    fn built(
        &self,
        root: &Path,
        triple: &str,
        features: &[&str],
        environment: &[(&str, &str)],
        largest: u64,
    ) -> Result<PathBuf, String> {
        let arguments = [
            "build",
            "--profile",
            "dist",
            "--locked",
            "--target",
            triple,
            "--package",
            self.package,
        ];
        run_in(root, "cargo", &[&arguments, features].concat(), environment).map_err(
            |problem| format!("{problem}; the target is installed by `rustup target add {triple}`"),
        )?;
        let binary = target().join(triple).join("dist").join(self.file(triple));
        let size = fs::metadata(&binary).map_err(|error| failed(&binary, &error))?.len();
        println!("{} {}: {size} bytes", self.file(triple), features.join(" "));
        if size > largest {
            return Err(format!("{} has {size} bytes, expected at most {largest}", self.name));
        }
        Ok(binary)
    }

    /// Builds the program and packs it with everything that comes with it.
    fn archive(&self, root: &Path, folder: &Path, triple: &str) -> Result<PathBuf, String> {
        let binary = self.built(root, triple, &[], &[], self.largest)?;
        let package = root.join("crates").join(self.package);
        let stem = format!("{}-{}-{triple}", self.name, version(&package)?);
        let staged = folder.join(&stem);
        if staged.exists() {
            fs::remove_dir_all(&staged).map_err(|error| failed(&staged, &error))?;
        }
        for folder in ["completions", "man"] {
            let folder = staged.join(folder);
            fs::create_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
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
        if empty.exists() {
            fs::remove_dir_all(&empty).map_err(|error| failed(&empty, &error))?;
        }
        fs::create_dir_all(&empty).map_err(|error| failed(&empty, &error))?;
        let path = archive.to_string_lossy();
        run_in(&empty, "tar", &["-x", "-f", &path, "--strip-components", "1"], &[])?;
        self.runs(&empty.join(self.file(triple)))?;
        let size = fs::metadata(archive).map_err(|error| failed(archive, &error))?.len();
        println!("{path}: {size} bytes; the program runs in a folder of its own");
        Ok(())
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

/// The version that a package's manifest states.
fn version(package: &Path) -> Result<String, String> {
    let path = package.join("Cargo.toml");
    let manifest = read(&path)?;
    let version = manifest.lines().find_map(|line| line.strip_prefix("version = "));
    let version = version.ok_or_else(|| format!("{} states no version", path.display()))?;
    Ok(version.trim_matches('"').to_owned())
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
            let path = root().join("crates").join(program.package).join("Cargo.toml");
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
