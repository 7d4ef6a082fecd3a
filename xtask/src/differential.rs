//! `cargo xtask differential`: the same bytes as other people's implementations on random input,
//! and each reads what both write.
//!
//! The crates of `benches/` always run. The packages in other languages are installed into the
//! target folder; where that can't be done, they are skipped by name.

use std::path::Path;
use std::process::Command;

use clap::Args;

use crate::tools::{Outcome, root, run_in, works};

#[derive(Args)]
pub(crate) struct Options {
    /// How many documents are compared; of payloads and deltas a tenth.
    #[arg(long, default_value_t = 20_000)]
    documents: u64,
}

impl Options {
    /// Few enough for a test.
    pub(crate) fn for_ci() -> Self {
        Options { documents: 10_000 }
    }
}

/// A package in another language.
struct Package {
    name: &'static str,
    version: &'static str,
    language: &'static str,
    /// What runs it, and what installs it into a folder.
    program: &'static str,
    install: fn(&str, &str) -> Command,
}

/// The versions that are compared with. Later ones may write another specification.
const PACKAGES: [Package; 2] = [
    Package {
        name: "gcf-python",
        version: "2.8.0",
        language: "python",
        program: "python3",
        install: |package, folder| {
            let mut command = Command::new("python3");
            let arguments = ["-m", "pip", "install", "--quiet", "--no-deps", "--target", folder];
            command.args(arguments).arg(package.replace('@', "=="));
            command
        },
    },
    Package {
        name: "@blackwell-systems/gcf",
        version: "2.5.2",
        language: "node",
        program: "node",
        install: |package, folder| {
            let mut command = Command::new("npm");
            command.args(["install", "--silent", "--prefix", folder, package]);
            command
        },
    },
];

pub(crate) fn run(options: &Options) -> Outcome {
    let benches = root().join("benches");
    let documents = options.documents.to_string();
    let environment = [("DOCUMENTS", documents.as_str())];
    for (folder, tests) in [
        (benches.clone(), &["differential", "generic"][..]),
        (benches.join("gcf-3.0"), &["generic"][..]),
    ] {
        let mut arguments = vec!["test", "--locked"];
        for test in tests {
            arguments.extend(["--test", test]);
        }
        run_in(&folder, "cargo", &arguments, &environment)?;
    }
    for package in &PACKAGES {
        let Package { name, version, language, .. } = package;
        let folder = root().join("target/peers").join(format!("{language}-{version}"));
        if let Err(why) = install(package, &folder) {
            println!("skipped: {name} {version}: {why}");
            continue;
        }
        println!("{name} {version}");
        let folder = folder.to_string_lossy();
        let arguments = [
            "run",
            "--locked",
            "--quiet",
            "--example",
            "others",
            "--",
            language,
            &folder,
            &documents,
        ];
        run_in(&benches, "cargo", &arguments, &[])?;
    }
    Ok(())
}

fn install(package: &Package, folder: &Path) -> Result<(), String> {
    if !works(Command::new(package.program).arg("--version")) {
        return Err(format!("`{}` is not installed", package.program));
    }
    let done = folder.join("installed");
    if done.exists() {
        return Ok(());
    }
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let wanted = format!("{}@{}", package.name, package.version);
    if !works(&mut (package.install)(&wanted, &folder.to_string_lossy())) {
        return Err("it can't be installed here".to_owned());
    }
    std::fs::write(&done, "").map_err(|error| format!("{}: {error}", done.display()))
}
