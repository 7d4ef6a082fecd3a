//! The container image of a program: built by the Dockerfile, with no other image and no network,
//! and run.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::tools::{Outcome, run_in};

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
    let Some(builder) = Builder::found(folder) else {
        println!(
            "skipped: neither `docker` nor `buildah` works here, so that the image is not built"
        );
        return Ok(());
    };
    let server = folder.join("server");
    build_server(root, &server, triple)?;
    let outcome = builder.build(root).and_then(|()| builder.judge(name, &server));
    builder.clean();
    outcome
}

/// Builds a server without a C library of its own, as the image has none.
fn build_server(root: &Path, server: &Path, triple: &str) -> Outcome {
    let (source, output) = (root.join("xtask/src/dist/server.rs"), server.to_string_lossy());
    let source = source.to_string_lossy();
    let options = ["--edition", "2024", "--target", triple, "-C", "target-feature=+crt-static"];
    run_in(root, "rustc", &[&options[..], &["-o", &output, &source]].concat(), &[])
}

/// What builds images.
enum Builder {
    Docker,
    /// With its own storage in a folder, which needs no daemon and no file system of its own.
    Buildah(PathBuf),
}

impl Builder {
    fn found(folder: &Path) -> Option<Self> {
        let works = |command: &mut Command| {
            let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
            status.is_ok_and(|status| status.success())
        };
        if works(Command::new("docker").arg("info")) {
            return Some(Builder::Docker);
        }
        works(Command::new("buildah").arg("--version"))
            .then(|| Builder::Buildah(folder.join("containers")))
    }

    fn command(&self) -> Command {
        match self {
            Builder::Docker => Command::new("docker"),
            Builder::Buildah(storage) => {
                let mut buildah = Command::new("buildah");
                buildah.args(["--storage-driver", "vfs", "--root"]).arg(storage.join("root"));
                buildah.arg("--runroot").arg(storage.join("run"));
                buildah
            }
        }
    }

    fn build(&self, root: &Path) -> Outcome {
        let mut command = self.command();
        match self {
            Builder::Docker => command.args(["build", "--network", "none"]),
            Builder::Buildah(_) => command.args(["build", "--isolation", "chroot"]),
        };
        printed(command.args(["--tag", TAG, "."]).current_dir(root), "").map(|_| ())
    }

    /// Runs the program in the image, with a file of this machine as `/server`.
    fn run(
        &self,
        name: &str,
        server: Option<&Path>,
        arguments: &[&str],
        input: &str,
    ) -> Result<String, String> {
        let volume = server.map(|server| format!("{}:/server:ro", server.display()));
        let volume = volume.iter().flat_map(|volume| ["--volume", volume]);
        let mut command = self.command();
        match self {
            Builder::Docker => {
                command.args(["run", "--rm", "--interactive", "--network", "none"]);
                command.args(volume).arg(TAG);
            }
            Builder::Buildah(_) => {
                let container = printed(self.command().args(["from", TAG]), "")?;
                command.args(["run", "--isolation", "chroot"]).args(volume);
                // It ignores the entry point.
                command.args([container.trim(), "--", &format!("/{name}")]);
            }
        }
        printed(command.args(arguments), input)
    }

    fn judge(&self, name: &str, server: &Path) -> Outcome {
        let version = self.run(name, None, &["--version"], "")?;
        let answer = self.run(name, Some(server), &["--", "/server"], &format!("{CALL}\n"))?;
        if !version.starts_with(name) || !answer.contains(WRITTEN) {
            return Err(format!("in the image, the program printed {version:?} and {answer:?}"));
        }
        println!("in the image, {} answers a call through a server", version.trim());
        Ok(())
    }

    /// What is left over does no harm.
    fn clean(&self) {
        let mut commands = vec![self.command()];
        match self {
            Builder::Docker => {
                commands[0].args(["image", "rm", "--force", TAG]);
            }
            Builder::Buildah(_) => {
                commands[0].args(["rm", "--all"]);
                commands.push(self.command());
                commands[1].args(["rmi", "--all", "--force"]);
            }
        }
        for command in &mut commands {
            let _ = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        }
        if let Builder::Buildah(storage) = self {
            let _ = fs::remove_dir_all(storage);
        }
    }
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::tools::{root, target};

    /// With a program that is built in a second in place of the proxy.
    #[test]
    fn the_dockerfile_builds_an_image_that_runs() {
        let folder = target().join("dist/stand-in");
        let Some(builder) = Builder::found(&folder) else {
            println!("skipped: neither `docker` nor `buildah` works here");
            return;
        };
        let copied = folder.join("target/dist/image");
        fs::create_dir_all(&copied).unwrap();
        for name in ["Dockerfile", ".dockerignore"] {
            fs::copy(root().join(name), folder.join(name)).unwrap();
        }
        certificates(&copied).unwrap();
        let triple = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
        build_server(&root(), &copied.join("wire-proxy"), &triple).unwrap();
        let built = builder.build(&folder);
        let printed = built.and_then(|()| builder.run("wire-proxy", None, &[], "a call\n"));
        builder.clean();
        assert!(printed.as_ref().is_ok_and(|text| text.contains("\"id\":1,")), "{printed:?}");
    }
}
