//! `./try` and `./test` on machines that lack something, with stubs in place of what they call.
#![cfg(unix)]
#![allow(clippy::unwrap_used)] // these are tests

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What every machine has.
const COMMON: [&str; 6] = ["sh", "dirname", "head", "cat", "mkdir", "chmod"];
/// Stands for cargo: says what it was asked, and builds programs that do the same.
const CARGO: &str = r#"#!/bin/sh
echo "cargo $*"
for name in wirefmt wire-proxy; do
    mkdir -p "$CARGO_TARGET_DIR/release"
    printf '#!/bin/sh\necho %s "$*"\n' $name > "$CARGO_TARGET_DIR/release/$name"
    chmod +x "$CARGO_TARGET_DIR/release/$name"
done
"#;

/// A machine with nothing but what is put into its folder of programs.
struct Machine(PathBuf);

impl Machine {
    fn new(name: &str, programs: &[(&str, &str)]) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("bin")).unwrap();
        for name in COMMON {
            let there = ["/bin", "/usr/bin"].map(|folder| Path::new(folder).join(name));
            symlink(
                there.iter().find(|path| path.exists()).unwrap(),
                folder.join("bin").join(name),
            )
            .unwrap();
        }
        for (name, script) in programs {
            let path = folder.join("bin").join(name);
            fs::write(&path, script).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        Machine(folder)
    }

    fn run(&self, script: &str, arguments: &[&str]) -> (Output, String) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let output = Command::new(root.join(script))
            .args(arguments)
            .env_clear()
            .env("PATH", self.0.join("bin"))
            .env("HOME", &self.0)
            .env("CARGO_TARGET_DIR", self.0.join("target"))
            .output()
            .unwrap();
        let printed = [&*output.stdout, &output.stderr].concat();
        let printed = String::from_utf8(printed).unwrap();
        (output, printed)
    }
}

const CC: (&str, &str) = ("cc", "#!/bin/sh\n");

#[test]
fn what_is_missing_is_named_with_its_package() {
    let bare = Machine::new("bare", &[]);
    for script in ["try", "test"] {
        let (output, printed) = bare.run(script, &[]);
        assert_eq!(output.status.code(), Some(1), "{printed}");
        for part in ["sh.rustup.rs | sh", "--yes", "`cc` is not installed", "libc6-dev"] {
            assert!(printed.contains(part), "{script}: {part}: {printed}");
        }
    }
    let (output, printed) = bare.run("try", &["--yes"]);
    assert!(printed.contains("apt-get install curl"), "{printed}");
    assert_eq!(output.status.code(), Some(1), "{printed}");
}

#[test]
fn yes_installs_rust() {
    // In place of rustup's script: one that installs the stub of cargo where rustup does.
    let rustup = format!(
        "#!/bin/sh\ncat <<'END'\nmkdir -p \"$HOME/.cargo/bin\"\ncat > \"$HOME/.cargo/bin/cargo\" <<'CARGO'\n{CARGO}CARGO\nchmod +x \"$HOME/.cargo/bin/cargo\"\nEND\n"
    );
    let machine = Machine::new("fresh", &[CC, ("curl", &rustup)]);
    let (output, printed) = machine.run("test", &["--yes"]);
    assert!(output.status.success() && printed == "cargo xtask test\n", "{printed}");
    // Where Rust is, nothing is installed.
    let (output, printed) = machine.run("try", &[]);
    assert!(output.status.success(), "{printed}");
    let calls: Vec<&str> = printed.lines().filter(|line| line.starts_with("cargo")).collect();
    let [build] = calls[..] else { panic!("{printed}") };
    assert!(build.ends_with(" -p wire-cli -p wire-proxy"), "{build}");
    assert_eq!(printed.matches("Next:").count(), 1, "{printed}");
    let sample = "wire-proxy try --sample";
    let next = "\nNext:\n  ./try FILE";
    for part in ["wirefmt stats ", "open_orders.json", "wirefmt auto ", sample, next] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
}

#[test]
fn a_file_is_counted_and_nothing_is_built_for_one_that_is_not_there() {
    let machine = Machine::new("equipped", &[CC, ("cargo", CARGO)]);
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let (output, printed) = machine.run("try", &[file]);
    assert!(output.status.success() && !printed.contains("Next:"), "{printed}");
    assert!(printed.contains(&format!("wirefmt stats {file} --counter o200k_base")), "{printed}");
    for arguments in [&["no-such-file"][..], &[file, file], &["--no-such-option"]] {
        let (output, printed) = machine.run("try", arguments);
        assert_eq!(output.status.code(), Some(2), "{printed}");
        assert!(!printed.contains("cargo"), "{printed}");
    }
}
