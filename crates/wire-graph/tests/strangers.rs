//! Trees of strangers.

use std::fs;
use std::io::Write as _;
#[cfg(unix)]
use std::io::{BufRead as _, BufReader, Lines};
use std::path::Path;
#[cfg(unix)]
use std::process::{Child, ChildStderr, ExitStatus};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A tree with these files.
fn tree(files: &[(&str, &str)]) -> TempDir {
    let tree = tempfile::tempdir().expect("a folder");
    for (path, text) in files {
        let path = tree.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    tree
}

fn run(tree: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wire-graph"));
    command.args(arguments).arg("--tree").arg(tree).output().expect("the program runs")
}

fn printed(tree: &Path, arguments: &[&str]) -> String {
    let output = run(tree, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it is text")
}

fn git(tree: &Path, arguments: &[&str]) {
    let mut git = Command::new("git");
    git.arg("-C").arg(tree).args(["-c", "user.name=test", "-c", "user.email=test@example.org"]);
    let output = git.args(arguments).output().expect("git runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[cfg(unix)]
#[test]
fn a_missing_object_is_not_fetched_by_a_command_of_the_configuration() {
    let tree = tree(&[("x.py", "def f():\n    pass\n")]);
    let path = tree.path();
    let ran = path.join("ran");
    git(path, &["init", "--quiet"]);
    git(path, &["add", "."]);
    git(path, &["commit", "--quiet", "-m", "one"]);
    let object = Command::new("git").arg("-C").arg(path).args(["rev-parse", "HEAD:x.py"]).output();
    let object = String::from_utf8(object.expect("git runs").stdout).expect("a hash");
    for (key, value) in [
        ("core.repositoryformatversion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", "ssh://x/y"),
        ("core.sshCommand", &format!("touch {}; false", ran.display())),
    ] {
        git(path, &["config", key, value]);
    }
    let (folder, file) = object.trim().split_at(2);
    fs::remove_file(path.join(".git/objects").join(folder).join(file))
        .expect("the object is loose");
    assert!(!run(path, &["diff", "HEAD"]).status.success());
    assert!(!ran.exists());
}

#[cfg(unix)]
#[test]
fn ignore_files_that_are_no_plain_files_are_not_opened() {
    let tree = tree(&[
        ("a/x.py", "def f(): pass\n"),
        ("b/y.py", "def g(): pass\n"),
        ("z.py", "def h(): pass\n"),
    ]);
    let pipe = Command::new("mkfifo").arg(tree.path().join("a/.gitignore")).status();
    assert!(pipe.expect("mkfifo runs").success());
    std::os::unix::fs::symlink("/dev/zero", tree.path().join("b/.ignore")).expect("a link");
    let edges = printed(tree.path(), &["edges"]);
    assert!(edges.contains("z.h") && !edges.contains("x.f") && !edges.contains("y.g"), "{edges}");
    // At the root, no ignore file is read at all.
    let pipe = Command::new("mkfifo").arg(tree.path().join(".gitignore")).status();
    assert!(pipe.expect("mkfifo runs").success());
    assert!(printed(tree.path(), &["edges"]).contains("z.h"));
}

/// Each took minutes where a step looks at everything before it again.
#[test]
fn texts_that_nobody_writes_end() {
    let each = |count, part: fn(usize) -> String| (0..count).map(part).collect::<String>();
    let functions = each(300, |n| format!("fn f{n}(){{}}\n"));
    let texts = [
        ("deep.rs", "mod m{".repeat(450) + &functions + &"}".repeat(450)),
        ("named.rs", each(300, |n| format!("mod {}{n}{{", "m".repeat(900))) + &functions),
        ("comments.rs", "//\n".repeat(100_000) + "fn f() {}\n"),
        ("brackets.py", "(\n".repeat(500_000)),
        ("brackets.js", "{\n".repeat(500_000)),
        ("lambdas.py", "lambda:\n".repeat(100_000)),
        ("imports.py", "import a\n".repeat(14_000) + &"b()\n".repeat(32_000)),
        ("calls.js", "[\n".repeat(900) + &"f(),\n".repeat(200_000)),
        ("equal.rs", each(44_000, |n| format!("mod m{n}{{fn f(){{f()}}}}\n"))),
    ];
    for (name, text) in &texts {
        let tree = tree(&[(name, text), ("there.py", "def there():\n    pass\n")]);
        assert!(printed(tree.path(), &["edges"]).contains("there.there"), "{name}");
    }
}

#[test]
fn no_two_symbols_have_one_name() {
    let calls = "import { f } from \"./cc.js\";\nfunction own() {}\nf();\n";
    let names = ["index.js", "main.js", "p.js", "p.ts", "p/index.js", "src/p.js"];
    let files: Vec<_> = names
        .iter()
        .map(|name| (*name, calls))
        .chain([("cc.js", "export function f() {}\n")])
        .collect();
    let tree = tree(&files);
    let edges = printed(tree.path(), &["edges"]);
    let mut contained: Vec<&str> = edges
        .lines()
        .filter(|line| line.contains("\tcontains\t"))
        .map(|line| line.split('\t').nth(3).expect("a target"))
        .collect();
    assert_eq!(contained.len(), 7, "{edges}");
    contained.sort_unstable();
    contained.dedup();
    assert_eq!(contained.len(), 7, "{edges}");
}

#[cfg(unix)]
#[test]
fn control_characters_go_nowhere() {
    let name = "esc\u{1b}[31m\u{1}.py";
    let tree = tree(&[(name, "def shown(a=\"\u{1}\u{1b}[31m\"):\n    pass\n")]);
    for format in ["gcf", "json", "xml", "markdown", "gcx", "goon"] {
        let text = printed(tree.path(), &["context", "--task", "shown", "--format", format]);
        assert!(text.contains("shown") && !text.contains('\u{1b}'), "{text}");
    }
    let edges = printed(tree.path(), &["edges"]);
    assert!(!edges.contains('\u{1b}'), "{edges}");
}

#[test]
fn what_is_never_read_is_no_difference() {
    let tree = tree(&[
        (".github/hidden.py", "def hidden(): pass\n"),
        ("ignored.py", "def ignored(): pass\n"),
        ("there.py", "def there(\n    a,\n):\n    pass\n"),
        ("gone.py", "def gone(): pass\n"),
    ]);
    git(tree.path(), &["init", "--quiet"]);
    git(tree.path(), &["add", "."]);
    git(tree.path(), &["commit", "--quiet", "-m", "one"]);
    fs::write(tree.path().join(".gitignore"), "ignored.py\n").expect("a file");
    fs::remove_file(tree.path().join("gone.py")).expect("it is there");
    // As git checks it out on Windows.
    let there = "def there(\r\n    a,\r\n):\r\n    pass\r\n";
    fs::write(tree.path().join("there.py"), there).expect("a file");
    let difference = printed(tree.path(), &["diff", "HEAD"]);
    assert!(difference.contains("symbols=1") && difference.contains("gone.gone"), "{difference}");
}

#[test]
fn a_file_may_be_named_by_its_whole_path() {
    let tree = tree(&[("shop/x.py", "def f():\n    pass\n")]);
    let path = tree.path().join("shop/x.py");
    let answer = printed(tree.path(), &["context", path.to_str().expect("a name")]);
    assert!(answer.contains("shop.x.f"), "{answer}");
    assert_eq!(answer, printed(tree.path(), &["context", "./shop/x.py"]));
}

/// The service waits five seconds for answers once it has read the end. This tree takes longer.
#[test]
fn who_closes_standard_input_gets_answers_still() {
    let functions = |n: usize| format!("def f{n}():\n    return f{}()\n", n / 2);
    let text: String = (0..20_000).map(functions).collect();
    let names: Vec<String> = (0..14).map(|n| format!("m{n}.py")).collect();
    let files: Vec<_> = names.iter().map(|name| (&**name, &*text)).collect();
    let tree = tree(&files);
    let mut server = Command::new(env!("CARGO_BIN_EXE_wire-graph"));
    server.arg(tree.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut server = server.spawn().expect("the program runs");
    let mut input = server.stdin.take().expect("it is piped");
    for message in [
        r#""id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}"#,
        r#""method":"notifications/initialized""#,
        r#""id":2,"method":"tools/call","params":{"name":"blast_radius","arguments":{"symbol":"m0.f1"}}"#,
    ] {
        writeln!(input, "{{\"jsonrpc\":\"2.0\",{message}}}").expect("it reads");
    }
    drop(input);
    let output = server.wait_with_output().expect("it ends");
    let answers = String::from_utf8(output.stdout).expect("it is text");
    assert!(answers.contains("m0.f1"), "{answers}");
}

#[test]
fn what_generators_call_is_called() {
    let tree = tree(&[
        (
            "x.py",
            "def f(n): return n\n\
             def any_of(all): return any(f(n) for n in all)\n\
             def list_of(all): return [f(n) for n in all if f(n)]\n\
             def lazy(all):\n    for n in all:\n        yield f(n)\n",
        ),
        ("y.js", "function g() {}\nfunction h() { return function* inner() { yield g(); }; }\n"),
    ]);
    let edges = printed(tree.path(), &["edges"]);
    for (caller, called) in
        [("x.any_of", "x.f"), ("x.list_of", "x.f"), ("x.lazy", "x.f"), ("y.h", "y.g")]
    {
        let edge = format!("\t{caller}\tcalls\t{called}\tast_resolved\n");
        assert!(edges.contains(&edge), "{caller}: {edges}");
    }
}

/// Neither those of files nor those of folders; and one that is there is no file of a revision.
#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;

    let outside =
        tree(&[("secret.py", "def secret(): pass\n"), ("more/own.py", "def own(): pass\n")]);
    let tree = tree(&[("there.py", "def there(): pass\n"), ("was.py", "def was(): pass\n")]);
    let (path, outside) = (tree.path(), outside.path());
    git(path, &["init", "--quiet"]);
    git(path, &["add", "."]);
    git(path, &["commit", "--quiet", "-m", "one"]);
    fs::remove_file(path.join("was.py")).expect("it is there");
    symlink(outside.join("secret.py"), path.join("was.py")).expect("a link");
    symlink(outside.join("more"), path.join("more")).expect("a link");
    symlink(path, path.join("round")).expect("a link");
    let edges = printed(path, &["edges"]);
    assert_eq!(edges, "there.py:1\tthere\tcontains\tthere.there\tast_resolved\n");
    let difference = printed(path, &["diff", "HEAD"]);
    assert!(difference.contains("symbols=0"), "{difference}");
    // What a server says when it has read the tree.
    let mut server = Server::start(path, &[]);
    server.said("1 links, not followed: was.py");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_server() {
    use std::net::TcpStream;
    use std::os::unix::process::ExitStatusExt as _;

    let tree = tree(&[("x.py", "def f(): pass\n")]);
    let mut server = Server::start(tree.path(), &[]);
    server.said("1 files, ");
    assert_eq!(server.end("TERM").signal(), Some(15));
    for signal in ["TERM", "INT"] {
        let mut server = Server::start(tree.path(), &["--listen", "127.0.0.1:0"]);
        let line = server.said("listening on http://");
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        // Who is connected and asks nothing does not hold it.
        let idle = TcpStream::connect(address.expect("an address")).expect("it listens");
        assert!(server.end(signal).success());
        drop(idle);
    }
}

/// A server, which is killed when it is dropped.
#[cfg(unix)]
struct Server {
    process: Child,
    lines: Lines<BufReader<ChildStderr>>,
}

#[cfg(unix)]
impl Server {
    fn start(tree: &Path, arguments: &[&str]) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wire-graph"));
        command.arg(tree).args(arguments).stdin(Stdio::piped()).stdout(Stdio::null());
        let mut process = command.stderr(Stdio::piped()).spawn().expect("the program runs");
        let lines = BufReader::new(process.stderr.take().expect("it is piped")).lines();
        Server { process, lines }
    }

    /// The first line with a text.
    fn said(&mut self, text: &str) -> String {
        let mut lines = self.lines.by_ref().map(|line| line.expect("it is text"));
        lines.find(|line| line.contains(text)).expect("it says so")
    }

    fn end(&mut self, signal: &str) -> ExitStatus {
        let kill =
            Command::new("kill").args(["-s", signal]).arg(self.process.id().to_string()).status();
        assert!(kill.expect("kill runs").success());
        self.process.wait().expect("it ends")
    }
}

#[cfg(unix)]
impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn mistakes_say_what_was_expected() {
    let tree = tree(&[("x.py", "def f():\n    pass\n")]);
    for (arguments, expected) in [
        (&["context", "--task", "zzz"][..], "expected what is to be done"),
        (&["context"], "<--task <TASK>|FILES>"),
        (&["context", "--task", "f", "--token-budget", "0"], "expected 1 to"),
        (&["blast", "nobody"], "no symbol is named"),
        (&["blast", "nobody", "--depth", "9"], "expected 1 to 6"),
        (&["query", "x.f", "--depth", "4"], "expected 1 to 3"),
        (&["diff", "HEAD"], "is not a revision of git here: fatal: not a git repository"),
    ] {
        let output = run(tree.path(), arguments);
        let problem = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && problem.contains(expected), "{arguments:?}: {problem}");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_wire-graph")).arg("contxt").output();
    let problem = String::from_utf8(output.expect("it runs").stderr).expect("text");
    assert!(problem.contains("or one of: context, blast, query, diff, edges"), "{problem}");
}
