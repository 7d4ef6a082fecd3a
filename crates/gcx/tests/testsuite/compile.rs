//! The compiler's messages for mistakes that newcomers make: a package is checked that depends on
//! this crate and on nothing else.

use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// The compiler's messages for a program with this body of `main`.
fn said(main: &str) -> Result<String, Box<dyn Error>> {
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("newcomer");
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::create_dir_all(package.join("src"))?;
    fs::write(
        package.join("Cargo.toml"),
        format!(
            "[package]\nname = \"newcomer\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\nwire-gcx = {{ path = {:?} }}\n",
            here.to_string_lossy()
        ),
    )?;
    // The versions of the workspace, so that nothing has to be fetched.
    fs::copy(here.join("../../Cargo.lock"), package.join("Cargo.lock"))?;
    fs::write(
        package.join("src/main.rs"),
        format!("#[allow(dead_code)]\nstruct Found {{ total: u32 }}\n\nfn main() {{\n{main}\n}}\n"),
    )?;
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["check", "--quiet", "--offline", "--color", "never", "--target-dir"])
        .arg(package.join("target"))
        .current_dir(&package)
        .output()?;
    Ok(String::from_utf8(output.stderr)?)
}

#[test]
fn rows_that_are_no_list() {
    let mistakes = "    let _ = gcx::to_string(\"search\", &Found { total: 7 });
    let _ = gcx::Encoder::new().to_vec(\"search\", Found { total: 7 });
    let _ = gcx::to_writer(Vec::new(), \"search\", [Found { total: 7 }]);";
    let said = said(mistakes).unwrap();
    let mut lines = said.lines();
    for found in ["`&Found`", "`Found`", "`[Found; 1]`"] {
        for expected in [
            &format!("error[E0277]: {found} is not a list of rows that serde can serialize"),
            "expected a slice, a `Vec` or an iterator of rows",
            "= note: pass a single row as a list of one: `[&row]`",
            "= note: the type of a row needs `#[derive(serde::Serialize)]`",
            "= note: encode any other JSON, such as the answer of a tool, with `gcx::encode_layout` or `gcx::encode_response`",
        ] {
            assert!(lines.any(|line| line.contains(expected)), "{expected} is missing in\n{said}");
        }
    }
    assert!(said.contains("could not compile `newcomer`"), "{said}");
}
