//! All edges of a small tree in each language.

use std::path::Path;
use std::process::Command;

fn edges(tree: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/trees").join(tree);
    let output = Command::new(env!("CARGO_BIN_EXE_wire-graph"))
        .args(["edges", "--tree"])
        .arg(folder)
        .output();
    let output = output.expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("names are UTF-8")
}

#[test]
fn rust() {
    insta::assert_snapshot!(edges("rust"));
}

#[test]
fn python() {
    insta::assert_snapshot!(edges("python"));
}

#[test]
fn javascript() {
    insta::assert_snapshot!(edges("javascript"));
}

#[test]
fn typescript() {
    insta::assert_snapshot!(edges("typescript"));
}

#[test]
fn go() {
    insta::assert_snapshot!(edges("go"));
}
