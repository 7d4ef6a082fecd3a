//! The container image of a program: built by the Dockerfile, with no other image and no network,
//! and run.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::tools::{Outcome, run_in, works};

/// Where systems keep the certificates of authorities in one file.
const CERTIFICATES: [&str; 2] =
    ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"];
/// A call, the server's answer to which has white space.
const CALL: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search"}}"#;
/// How its text goes on.
const WRITTEN: &str = r#""text":"[{\"id\":1,\"name\":\"a\"},{\"id\":2,\"name\":\"b\"}]""#;
const TAG: &str = "wire-trial";

/// Puts the certificates beside the program, where the Dockerfile copies them from.
pub(super) fn certificates(folder: &Path) -> Outcome {
    let there = CERTIFICATES.iter().find(|path| Path::new(path).exists());
    let there = there.ok_or_else(|| {
        format!(
            "the image needs the certificates of authorities, expected {}; on Debian `apt-get install ca-certificates` installs them",
            CERTIFICATES.join(" or ")
        )
    })?;
    let path = folder.join("ca-certificates.crt");
    fs::copy(there, &path).map(|_| ()).map_err(|error| format!("{}: {error}", path.display()))
}

/// Builds the image, and runs the program in it: its version, and a call to a server. Says that it
/// is skipped where nothing builds images.
pub(super) fn try_out(root: &Path, folder: &Path, name: &str, triple: &str) -> Outcome {
    if !works(Command::new("docker").arg("info")) {
        println!("skipped: `docker` does not work here, so that the image is not built");
        return Ok(());
    }
    let server = folder.join("server");
    build_server(root, &server, triple)?;
    let outcome = build(root).and_then(|()| judge(name, &server));
    // What is left over does no harm.
    works(Command::new("docker").args(["image", "rm", "--force", TAG]));
    outcome
}

/// Builds a server without a C library of its own, as the image has none.
fn build_server(root: &Path, server: &Path, triple: &str) -> Outcome {
    let (source, output) = (root.join("xtask/src/dist/server.rs"), server.to_string_lossy());
    let source = source.to_string_lossy();
    let options = ["--edition", "2024", "--target", triple, "-C", "target-feature=+crt-static"];
    run_in(root, "rustc", &[&options[..], &["-o", &output, &source]].concat(), &[])
}

fn build(folder: &Path) -> Outcome {
    let mut docker = Command::new("docker");
    docker.args(["build", "--network", "none", "--tag", TAG, "."]).current_dir(folder);
    printed(&mut docker, "").map(|_| ())
}

fn judge(name: &str, server: &Path) -> Outcome {
    let docker = || {
        let mut docker = Command::new("docker");
        docker.args(["run", "--rm", "--interactive", "--network", "none"]);
        docker
    };
    let version = printed(docker().args([TAG, "--version"]), "")?;
    let volume = format!("{}:/server:ro", server.display());
    let call = format!("{CALL}\n");
    let answer = printed(docker().args(["--volume", &volume, TAG, "--", "/server"]), &call)?;
    if !version.starts_with(name) || !answer.contains(WRITTEN) {
        return Err(format!("in the image, the program printed {version:?} and {answer:?}"));
    }
    println!("in the image, {} answers a call through a server", version.trim());
    Ok(())
}

/// What a command prints that gets this input.
fn printed(command: &mut Command, input: &str) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("it can't be run: {error}");
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(failed)?;
    // A program that reads nothing closes its end.
    let _ = child.stdin.take().map(|mut stdin| stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().map_err(failed)?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("{command:?} failed"))
}
