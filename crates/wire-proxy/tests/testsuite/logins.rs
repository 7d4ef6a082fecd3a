//! Logins at a server with a URL, by the OAuth of a server of our own. The test is the browser: it
//! is given the link, and goes where the link redirects to.

#![cfg(unix)]
#![allow(clippy::unwrap_used)] // helpers of tests

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::fake::{HELLO, LONG, Message, Upstream, reply, reply_with};
use serde_json::{Value, json};
use tempfile::TempDir;

const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;

/// The way in which the server logs in.
#[derive(Clone)]
struct Rules {
    authorization_endpoint: Option<String>,
    /// How long a token is good for, in seconds.
    expires_in: u64,
    /// The answer to a renewal, in place of a token.
    renewal: Option<(&'static str, Value)>,
    /// The secret that a registration gets.
    secret: Option<&'static str>,
    token: &'static str,
    /// How long an answer with a token takes.
    delay: Duration,
    /// `true` if `initialize` needs a login, too.
    is_closed: bool,
}

/// A server that is its own server of authorization.
struct Authority {
    upstream: Upstream,
    rules: Arc<Mutex<Rules>>,
}

impl Authority {
    fn start() -> Self {
        let rules = Rules {
            authorization_endpoint: None,
            expires_in: 3600,
            renewal: None,
            secret: None,
            token: "token",
            delay: Duration::ZERO,
            is_closed: false,
        };
        let rules = Arc::new(Mutex::new(rules));
        let shared = Arc::clone(&rules);
        let upstream = Upstream::start(move |asked, stream| {
            answer(asked, stream, &shared.lock().unwrap().clone())
        });
        Authority { upstream, rules }
    }

    fn rule(&self, change: impl FnOnce(&mut Rules)) {
        change(&mut self.rules.lock().unwrap());
    }

    fn url(&self) -> String {
        self.upstream.url()
    }
}

fn answer(asked: &Message, stream: &mut TcpStream, rules: &Rules) -> bool {
    let json = |stream: &mut TcpStream, value: Value| {
        reply(stream, "application/json", value.to_string().as_bytes())
    };
    let origin = format!("http://{}", asked.header("host").unwrap());
    let path = asked.first.split(' ').nth(1).unwrap();
    let body = String::from_utf8_lossy(&asked.body);
    if path.contains("oauth-protected-resource") {
        return json(
            stream,
            json!({"resource": format!("{origin}/srv"), "authorization_servers": [origin]}),
        );
    }
    if path.contains("oauth-authorization-server") {
        let own = format!("{origin}/authorize");
        return json(
            stream,
            json!({
                "issuer": origin, "token_endpoint": format!("{origin}/token"),
                "authorization_endpoint": rules.authorization_endpoint.as_ref().unwrap_or(&own),
                "registration_endpoint": format!("{origin}/register"),
                "response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"]
            }),
        );
    }
    match path {
        "/register" => {
            let mut client: Value = serde_json::from_str(&body).unwrap();
            client["client_id"] = json!("registered");
            if let Some(secret) = rules.secret {
                client["client_secret"] = json!(secret);
            }
            reply_with(
                stream,
                "201 Created",
                "Content-Type: application/json\r\n",
                client.to_string().as_bytes(),
            )
        }
        "/token" => {
            let is_renewal = body.contains("grant_type=refresh_token");
            if let Some((status, error)) = rules.renewal.as_ref().filter(|_| is_renewal) {
                let head = "Content-Type: application/json\r\n";
                return reply_with(stream, status, head, error.to_string().as_bytes());
            }
            thread::sleep(rules.delay);
            json(
                stream,
                json!({
                    "access_token": rules.token, "token_type": "bearer",
                    "expires_in": rules.expires_in, "refresh_token": "renewal"
                }),
            )
        }
        "/srv" if !rules.is_closed && body.contains("\"initialize\"") => json(
            stream,
            json!({"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": "2025-11-25", "capabilities": {}}}),
        ),
        "/srv" => {
            let metadata = format!("{origin}/.well-known/oauth-protected-resource/srv");
            let head = format!("WWW-Authenticate: Bearer resource_metadata=\"{metadata}\"\r\n");
            reply_with(stream, "401 Unauthorized", &head, b"")
        }
        _ => reply_with(stream, "404 Not Found", "", b""),
    }
}

/// A user's folders, and a browser that writes down the link that it is given.
struct Home {
    folder: TempDir,
}

impl Home {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let browser = folder.path().join("browser");
        let link = folder.path().join("link");
        fs::write(&browser, format!("#!/bin/sh\nprintf '%s' \"$1\" > {}\n", link.display()))
            .unwrap();
        fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
        Home { folder }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
        command.args(arguments).env("XDG_DATA_HOME", self.path()).env("HOME", self.path());
        command.env("BROWSER", self.path().join("browser"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn link(&self) -> PathBuf {
        self.path().join("link")
    }

    /// `wire-proxy login`, with the redirection that the link asks for and these parameters.
    fn log_in(&self, url: &str, parameters: &str) -> Output {
        let child = self.command(&["login", url]).spawn().unwrap();
        self.browse(parameters);
        child.wait_with_output().unwrap()
    }

    /// Waits for a link, and goes where it redirects to, with these parameters.
    fn browse(&self, parameters: &str) {
        let start = Instant::now();
        let link = loop {
            let link = fs::read_to_string(self.link()).unwrap_or_default();
            if link.contains("state=") {
                break reqwest::Url::parse(&link).unwrap();
            }
            assert!(start.elapsed() < LONG, "no browser is opened");
            thread::sleep(Duration::from_millis(5));
        };
        fs::remove_file(self.link()).unwrap();
        let named = |wanted: &str| {
            let mut pairs = link.query_pairs();
            pairs.find(|(name, _)| name == wanted).unwrap().1.into_owned()
        };
        let redirect = reqwest::Url::parse(&named("redirect_uri")).unwrap();
        let address: SocketAddr = redirect.socket_addrs(|| None).unwrap()[0];
        let mut stream = TcpStream::connect(address).unwrap();
        let path = redirect.path();
        let state = named("state");
        write!(
            stream,
            "GET {path}?state={state}&{parameters} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
        )
        .unwrap();
    }
}

/// A run of `wire-proxy URL`, and its answers.
struct Run {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Run {
    fn of(home: &Home, url: &str) -> Self {
        let mut child = home.command(&[url]).stderr(Stdio::null()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Run { child, lines }
    }

    fn ask(&mut self, frame: &str) -> String {
        writeln!(self.child.stdin.as_ref().unwrap(), "{frame}").unwrap();
        self.lines.next().unwrap().unwrap()
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// rmcp says only in words that the server answered a renewal with an error, so this fails when it
/// changes them.
#[test]
fn a_renewal_that_the_server_refuses_needs_another_login() {
    let authority = Authority::start();
    authority.rule(|rules| rules.expires_in = 0);
    let home = Home::new();
    let output = home.log_in(&authority.url(), "code=the-code");
    assert!(output.status.success(), "{}", errors(&output));
    for (status, error, words) in [
        ("401 Unauthorized", json!({"error": "invalid_client"}), "the server asks for a login"),
        ("400 Bad Request", json!({"error": "invalid_grant"}), "the server asks for a login"),
        ("503 Busy", json!("later"), "the login can't be renewed"),
    ] {
        authority.rule(|rules| rules.renewal = Some((status, error)));
        let mut run = Run::of(&home, &authority.url());
        assert!(run.ask(HELLO).contains("protocolVersion"));
        let refused = run.ask(LIST);
        assert!(refused.contains(words) && refused.contains("wire-proxy login"), "{refused}");
    }
    assert!(!home.link().exists(), "a browser was opened in the middle of a session");
}

/// The system starts other programs than a browser for other schemes, without a click.
#[test]
fn only_links_for_a_browser_are_opened() {
    let authority = Authority::start();
    let home = Home::new();
    for (link, scheme) in [
        ("file:///etc/passwd", "file"),
        ("javascript:alert(1)", "javascript"),
        ("data:text/html,x", "data"),
        ("smb://h/x", "smb"),
        ("vscode://x/y", "vscode"),
        ("ms-msdt:/id", "ms-msdt"),
        ("tel:1", "tel"),
        ("mailto:a@b.example", "mailto"),
        ("ftp://h/x", "ftp"),
        ("FILE:///x", "file"),
        ("http://h.example/authorize", "http"),
        ("http://127.0.0.1.evil.example/", "http"),
    ] {
        authority.rule(|rules| rules.authorization_endpoint = Some(link.to_owned()));
        let output = home.command(&["login", &authority.url()]).output().unwrap();
        let said = errors(&output);
        assert!(!output.status.success() && said.contains(&format!("{scheme:?}")), "{said}");
        assert!(!said.contains("response_type") && !home.link().exists(), "{said}");
        // In front of a client, too.
        let mut command = home.command(&[&authority.url()]);
        command.stdin(Stdio::piped());
        let child = command.spawn().unwrap();
        writeln!(child.stdin.as_ref().unwrap(), "{}", HELLO.replace("initialize", "tools/list"))
            .unwrap();
        let output = child.wait_with_output().unwrap();
        let answer = String::from_utf8_lossy(&output.stdout).into_owned() + &errors(&output);
        assert!(
            answer.contains(&format!("the scheme {scheme:?}").replace('"', "\\\"")),
            "{answer}"
        );
        assert!(!answer.contains("response_type") && !home.link().exists(), "{answer}");
    }
    authority.rule(|rules| rules.authorization_endpoint = None);
    let output = home.log_in(&format!("{}?key=QUERYSECRET", authority.url()), "code=the-code");
    let said = errors(&output) + &String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("log in to"), "{said}");
    assert!(!said.contains("QUERYSECRET"), "{said}");
}

#[test]
fn what_a_redirection_says_is_cleaned() {
    let authority = Authority::start();
    let home = Home::new();
    let long = "A".repeat(20_000);
    let parameters = format!(
        "error=access_denied&error_description=%1B%5D0%3Bpwned%07%1B%5B2Kno%E2%80%AE{long}"
    );
    let said = errors(&home.log_in(&authority.url(), &parameters));
    assert!(said.contains("the login is refused: access_denied"), "{said}");
    assert!(!said.contains(['\u{1b}', '\u{7}', '\u{202e}']) && said.len() < 3000, "{said}");
}

#[test]
fn the_secret_of_a_registration_is_kept_for_renewals() {
    let authority = Authority::start();
    authority.rule(|rules| {
        rules.expires_in = 0;
        rules.secret = Some("registered-secret");
    });
    let home = Home::new();
    let output = home.log_in(&authority.url(), "code=the-code");
    assert!(output.status.success(), "{}", errors(&output));
    while authority.upstream.asked.try_recv().is_ok() {}
    let mut run = Run::of(&home, &authority.url());
    run.ask(HELLO);
    run.ask(LIST);
    let mut asked = std::iter::from_fn(|| authority.upstream.asked.try_recv().ok());
    let renewal = asked.find(|asked| asked.text().contains("grant_type=refresh_token"));
    let renewal = renewal.expect("a renewal");
    let is_sent = renewal.text().contains("registered-secret")
        || renewal.header("authorization").is_some_and(|header| header.starts_with("Basic "));
    assert!(is_sent, "{renewal:?}");
}

#[test]
fn a_renewal_that_is_under_way_is_waited_for() {
    for signal in ["TERM", "INT"] {
        let authority = Authority::start();
        authority.rule(|rules| rules.expires_in = 0);
        let home = Home::new();
        assert!(home.log_in(&authority.url(), "code=the-code").status.success());
        authority.rule(|rules| {
            rules.expires_in = 3600;
            rules.delay = Duration::from_millis(600);
        });
        let mut run = Run::of(&home, &authority.url());
        writeln!(run.child.stdin.as_ref().unwrap(), "{HELLO}").unwrap();
        let mut asked = authority.upstream.asked.iter();
        assert!(asked.any(|asked| asked.text().contains("grant_type=refresh_token")));
        let pid = run.child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &pid]).status().unwrap().success());
        run.child.wait().unwrap();
        let output = home.command(&["logins"]).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(
            said.contains("ends in 59 min") || said.contains("ends in 60 min"),
            "{signal}: {said}"
        );
    }
}

#[test]
fn a_browser_in_the_terminal_is_not_started_under_a_client() {
    let authority = Authority::start();
    authority.rule(|rules| rules.is_closed = true);
    for name in ["lynx", "w3m", "links"] {
        let home = Home::new();
        let browser = home.path().join(name);
        fs::write(&browser, "#!/bin/sh\necho BROWSER-WRITES-HERE\ncat\n").unwrap();
        fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
        let mut command = home.command(&[&authority.url()]);
        let mut child = command.env("BROWSER", &browser).spawn().unwrap();
        writeln!(child.stdin.as_ref().unwrap(), "{HELLO}").unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let link = lines.find(|line| line.as_ref().unwrap().contains("log in to"));
        assert!(link.is_some(), "the link is printed");
        thread::sleep(Duration::from_millis(300));
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{name}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_login_goes_on_when_nobody_can_read_its_messages() {
    let authority = Authority::start();
    for arguments in [&["login"][..], &[]] {
        let home = Home::new();
        let mut command = home.command(&[arguments, &[&authority.url()]].concat());
        command.stderr(fs::File::create("/dev/full").unwrap());
        let child = command.spawn().unwrap();
        if arguments.is_empty() {
            authority.rule(|rules| rules.is_closed = true);
            writeln!(child.stdin.as_ref().unwrap(), "{HELLO}").unwrap();
        }
        home.browse("code=the-code");
        // The server asks for a login, whatever it is sent.
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let logins = home.command(&["logins"]).output().unwrap();
        let logins = String::from_utf8(logins.stdout).unwrap();
        assert!(logins.contains(&authority.url()), "{logins}");
    }
}

#[test]
fn a_token_that_no_header_can_have_is_refused() {
    let authority = Authority::start();
    authority.rule(|rules| rules.token = "to\nken");
    let output = Home::new().log_in(&authority.url(), "code=the-code");
    let said = errors(&output);
    assert!(!output.status.success() && said.contains("characters that no header has"), "{said}");
}

#[test]
fn a_broken_file_hides_no_other_login() {
    let authority = Authority::start();
    let home = Home::new();
    assert!(home.log_in(&authority.url(), "code=the-code").status.success());
    let folder = home.path().join("wire-proxy/logins");
    fs::write(folder.join("broken.json"), "{").unwrap();
    let output = home.command(&["logins"]).output().unwrap();
    assert!(output.status.success() && errors(&output).contains("broken.json"));
    assert!(String::from_utf8(output.stdout).unwrap().contains(&authority.url()));
}
