//! Running `wirefmt` in a folder of its own.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

pub(crate) const PAYLOAD: &str = r#"{"tool":"t","tokens_used":1,"token_budget":2,"pack_root":"a1b2","symbols":[
{"qualified_name":"pkg.Near","kind":"function","score":0.777,"signature":"fn near()","provenance":"structural","distance":1},
{"qualified_name":"pkg.Auth","kind":"method","score":0.5,"provenance":"lsp_resolved","distance":0}],
"edges":[{"source":"pkg.Near","target":"pkg.Auth","edge_type":"calls","status":"added"}]}
"#;

pub(crate) const AS_GCF: &str = "GCF tool=t budget=2 tokens=1 symbols=2 pack_root=a1b2\n## targets\n@0 method pkg.Auth 0.50 lsp_resolved\n## related\n@1 fn pkg.Near 0.78 structural\n## edges\n@0<@1 calls added\n";

/// Runs `wirefmt` in a folder, with this on its standard input.
pub(crate) fn wirefmt(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wirefmt"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .env_remove("COLUMNS")
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("because the binary was built for this test");
    // A command that fails early doesn't read its input.
    let _ = child.stdin.take().expect("because it is piped").write_all(input);
    child.wait_with_output().expect("because the child was spawned")
}

pub(crate) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("because there is room for temporary files");
    fs::write(folder.path().join("pack.json"), PAYLOAD).expect("because the folder is there");
    folder
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("because it is text")
}

/// The output of the command, for a snapshot.
pub(crate) fn shown(output: &Output) -> String {
    format!(
        "exit code: {}\n--- stdout\n{}--- stderr\n{}",
        output.status.code().expect("because it was not killed"),
        text(&output.stdout),
        text(&output.stderr)
    )
}
