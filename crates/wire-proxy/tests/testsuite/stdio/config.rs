//! Who decides what: the user's own file everything, a folder's file only what makes less (ruling
//! C1).

use super::*;

const ROWS: &str =
    r#"[{\"id\":1,\"name\":\"aa\"},{\"id\":2,\"name\":\"aa\"},{\"id\":3,\"name\":\"aa\"}]"#;

/// A folder of somebody, and a user's home.
struct Place {
    folder: tempfile::TempDir,
    home: tempfile::TempDir,
}

impl Place {
    fn new(folder: &str, own: &str) -> Self {
        let place =
            Place { folder: tempfile::tempdir().unwrap(), home: tempfile::tempdir().unwrap() };
        fs::write(place.file(), folder).unwrap();
        if !own.is_empty() {
            fs::create_dir_all(place.own().parent().unwrap()).unwrap();
            fs::write(place.own(), own).unwrap();
        }
        place
    }

    fn file(&self) -> std::path::PathBuf {
        self.folder.path().join("wire-proxy.toml")
    }

    fn own(&self) -> std::path::PathBuf {
        self.home.path().join(".config/wire-proxy/wire-proxy.toml")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
        command.args(arguments).current_dir(self.folder.path()).env("HOME", self.home.path());
        command.env_remove("XDG_CONFIG_HOME");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
        let mut child = self.command(arguments).spawn().unwrap();
        // Not read where the arguments are not valid.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        let [out, errors] =
            [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (output.status.code(), out, errors)
    }

    /// The answer of the hook to a result of a tool, and what it says.
    fn hook(&self, tool: &str, more: &[&str]) -> (String, String) {
        let event = format!(
            r#"{{"hook_event_name":"PostToolUse","tool_name":"mcp__s__{tool}","tool_input":{{}},"tool_response":[{{"type":"text","text":"{ROWS}"}}]}}"#
        );
        let (code, out, errors) = self.run(&[&["hook", "claude-code"], more].concat(), &event);
        assert_eq!(code, Some(0), "{errors}");
        (out, errors)
    }
}

#[test]
fn a_folder_writes_nowhere_and_adds_no_command() {
    let place = Place::new("", "");
    let target = place.home.path().join(".bashrc");
    fs::write(&target, "# mine\n").unwrap();
    let text = format!(
        "stats = {target:?}\nnot-verbatim = [\"*\"]\nstructured = \"drop\"\n[hook]\ncommands = [\"cat\", \"!curl\"]\n"
    );
    fs::write(place.file(), text).unwrap();
    let event = format!(
        r#"{{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{{"command":"cat package.json"}},"tool_response":{{"stdout":"{ROWS}","stderr":"","interrupted":false,"isImage":false}}}}"#
    );
    let (code, out, errors) = place.run(&["hook", "claude-code"], &event);
    assert_eq!((code, &*out), (Some(0), ""), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    for name in ["hook.commands", "not-verbatim", "stats", "structured"] {
        assert!(errors.contains(name), "{name}: {errors}");
    }
    assert!(errors.contains(place.own().to_str().unwrap()), "{errors}");
    assert!(place.hook("read_file", &[]).0.is_empty() && !place.hook("list", &[]).0.is_empty());
    // What it excludes counts.
    let curl = event.replace("cat package.json", "curl http://localhost/items");
    assert_eq!(place.run(&["hook", "claude-code"], &curl).1, "");
    assert_eq!(fs::read_to_string(target).unwrap(), "# mine\n");
    // The same file decides all where its user names it.
    let (_, out, errors) =
        place.run(&["hook", "claude-code", "--config", "wire-proxy.toml"], &event);
    assert!(out.contains("updatedToolOutput") && errors.is_empty(), "{errors}");
}

#[test]
fn what_makes_less_counts_and_the_user_has_the_last_word() {
    for (folder, own, more, is_rewritten) in [
        ("", "", &[][..], true),
        ("policy = \"off\"", "", &[], false),
        ("policy = \"off\"", "policy = \"on\"", &[], true),
        ("policy = \"off\"\n[[rules]]\npolicy = \"minify\"", "", &[], false),
        ("policy = \"off\"", "[[rules]]\ntools = \"li*\"\npolicy = \"on\"", &[], true),
        ("policy = \"off\"", "[[rules]]\ntools = \"other\"\npolicy = \"on\"", &[], false),
        (
            "[[rules]]\ntools = \"list\"\npolicy = \"off\"\n[[rules]]\npolicy = \"minify\"",
            "",
            &[],
            false,
        ),
        ("verbatim = [\"list\"]", "", &[], false),
        ("verbatim = [\"list\"]\n[[rules]]\nverbatim = false", "", &[], false),
        ("verbatim = [\"list\"]", "not-verbatim = [\"list\"]", &[], true),
        ("not-verbatim = [\"list\"]", "verbatim = [\"list\"]", &[], false),
        ("dry-run = true", "", &[], false),
        ("formats = []", "", &[], false),
        ("formats = []", "formats = [\"gcf\"]", &[], true),
        ("[limits]\nhook-bytes = 100", "", &[], false),
        ("[limits]\nhook-bytes = 100", "[limits]\nhook-bytes = 100000", &[], false),
        ("[limits]\nhook-bytes = 100000000", "[limits]\nhook-bytes = 100", &[], false),
        ("[limits]\ntext-bytes = 10", "", &[], false),
        ("policy = \"off\"", "", &["--config", "/dev/null"], true),
    ] {
        let place = Place::new(folder, own);
        let (out, errors) = place.hook("list", more);
        assert_eq!(!out.is_empty(), is_rewritten, "{folder}\n--\n{own}\n--\n{errors}");
    }
    // Limits are never raised, and the folder's rules never say `drop`.
    let place =
        Place::new("[limits]\nframe-bytes = 999999999\n[[rules]]\nstructured = \"drop\"", "");
    let (_, errors) = place.hook("list", &[]);
    assert!(errors.contains("limits upwards") && errors.contains("rules.structured"), "{errors}");
    // Arguments decide over both files.
    let place = Place::new("policy = \"off\"", "");
    for (more, text) in [(&[][..], ANSWER), (&["--policy", "on"], WRITTEN)] {
        let script = r#"read -r line; printf '%s\n' "$ANSWER""#;
        let mut command = proxy(more, script);
        command.current_dir(place.folder.path()).env("HOME", place.home.path());
        let child = command.env_remove("XDG_CONFIG_HOME").spawn().unwrap();
        writeln!(child.stdin.as_ref().unwrap(), "{CALL}").unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(String::from_utf8(output.stdout).unwrap().contains(text));
    }
}

#[test]
fn no_file_hangs_or_fills_the_memory() {
    for make in ["ln -s /dev/zero", "mkfifo", "ln -s /dev/stdin", "mkdir"] {
        let place = Place::new("", "");
        fs::remove_file(place.file()).unwrap();
        let script = format!("{make} wire-proxy.toml");
        let made =
            Command::new("sh").args(["-c", &script]).current_dir(place.folder.path()).status();
        assert!(made.unwrap().success());
        let (out, errors) = place.hook("list", &[]);
        assert!(out.is_empty() && errors.contains("expected a regular file"), "{make}: {errors}");
    }
    let place = Place::new(&"#".repeat(2 << 20), "");
    assert!(place.hook("list", &[]).1.contains("more than 1048576 bytes"));
}

#[test]
fn servers_of_a_folder_are_started_by_their_user_alone() {
    let text = "[http]\nlisten = \"127.0.0.1:0\"\nallow-hosts = [\"evil.example\"]\n[servers.a]\nupstream = \"http://127.0.0.1:9/\"\n";
    let place = Place::new(text, "");
    for arguments in [&[][..], &["--listen", "127.0.0.1:0"]] {
        let (code, _, errors) = place.run(arguments, "");
        assert_eq!(code, Some(2), "{errors}");
        assert!(errors.contains("wire-proxy --config wire-proxy.toml"), "{errors}");
    }
    let mut child = place.command(&["--config", "wire-proxy.toml"]).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut first).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(first.contains("listening on http://127.0.0.1:"), "{first}");
}

#[test]
fn the_own_file_is_named() {
    let place = Place::new("", "");
    let (code, out, _) = place.run(&["config"], "");
    assert_eq!((code, out.trim_end()), (Some(0), place.own().to_str().unwrap()));
    let mut command = place.command(&["config"]);
    let output = command.env("XDG_CONFIG_HOME", "/somewhere").output().unwrap();
    assert_eq!(output.stdout, b"/somewhere/wire-proxy/wire-proxy.toml\n");
    let output = command.env("XDG_CONFIG_HOME", "relative").output().unwrap();
    assert_eq!(output.stdout, format!("{}\n", place.own().display()).as_bytes());
    // In the folder of the own file it is not a stranger's.
    fs::create_dir_all(place.own().parent().unwrap()).unwrap();
    fs::write(place.own(), "stats = \"calls.jsonl\"\n").unwrap();
    let folder = place.own().parent().unwrap().to_owned();
    let output = place.command(&["config"]).current_dir(folder).output().unwrap();
    assert!(output.stderr.is_empty());
}
