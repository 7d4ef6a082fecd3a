//! A server that speaks both protocols, and the program.

#![allow(clippy::unwrap_used)] // a test that can not begin has failed

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// The server's treatment of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Act {
    /// Answers with this text.
    Answer(&'static str),
    /// Answers with a text that ends where the limit of tokens is.
    Cut(&'static str),
    /// A status and a message that quotes the key.
    Status(u16),
    /// Too many requests; again in so many hundredths of a second.
    Later(u16),
    /// Too many requests; again at that date.
    LaterAt(&'static str),
    /// An answer that quotes the key, and moves the cursor.
    Quote,
    /// A status and a message that moves the cursor.
    Escapes,
    /// The prompt does not fit, and the message says by how much.
    TooLong,
    /// Says nothing for longer than anybody waits.
    Silence,
    /// A reply that is no JSON.
    NoJson,
    /// JSON without an answer.
    NoAnswer,
    /// Half of a reply.
    Half,
    /// Closes the connection.
    HangUp,
    /// Sends elsewhere.
    Redirect,
    /// A text that is no JSON, and quotes the key where others would cut it.
    Prose,
    /// Ends without a word.
    Nothing,
    /// Answers with this JSON.
    Json(fn(&str, &Value) -> Value),
}

/// A request, as it came.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Value,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// A server on this machine.
pub(crate) struct Server {
    pub(crate) address: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// A server that does with each request what `act` says, which is given its number, from 0.
    pub(crate) fn start(act: impl Fn(usize, &Request) -> Act + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (all, act) = (Arc::clone(&requests), Arc::new(act));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (all, act) = (Arc::clone(&all), Arc::clone(&act));
                thread::spawn(move || {
                    // The client may go away at any time.
                    let _ = serve(stream, &all, &*act);
                });
            }
        });
        Server { address, requests }
    }

    /// The requests so far.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }
}

fn serve(
    stream: TcpStream,
    all: &Mutex<Vec<Request>>,
    act: &dyn Fn(usize, &Request) -> Act,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length").map(|(_, value)| value);
    let mut body = vec![0; length.and_then(|value| value.parse().ok()).unwrap_or(0)];
    reader.read_exact(&mut body)?;
    let request = Request { path, headers, body: serde_json::from_slice(&body).unwrap() };
    let number = {
        let mut all = all.lock().unwrap();
        all.push(request.clone());
        all.len() - 1
    };
    reply(stream, &request, act(number, &request))
}

fn reply(mut stream: TcpStream, request: &Request, act: Act) -> std::io::Result<()> {
    let anthropic = request.path.starts_with("/v1/messages");
    let answer = |text: &str, is_cut: bool| {
        if anthropic {
            json!({
                "model": "model-of-2026",
                "content": [{ "type": "text", "text": text }],
                "stop_reason": if is_cut { "max_tokens" } else { "end_turn" },
                "usage": { "input_tokens": 1000, "output_tokens": 3 },
            })
        } else {
            json!({
                "model": "model-of-2026",
                "choices": [{
                    "message": { "role": "assistant", "content": text },
                    "finish_reason": if is_cut { "length" } else { "stop" },
                }],
                "usage": { "prompt_tokens": 1000, "completion_tokens": 3 },
            })
        }
    };
    let key = request.header("x-api-key").or_else(|| request.header("authorization"));
    let error = |key: Option<&str>| json!({ "error": { "message": format!("something about {}", key.unwrap_or("no key")) } });
    let (status, more, body) = match act {
        Act::Answer(text) => (200, String::new(), answer(text, false).to_string()),
        Act::Json(reply) => (200, String::new(), reply(&request.path, &request.body).to_string()),
        Act::Cut(text) => (200, String::new(), answer(text, true).to_string()),
        Act::Status(status) => (status, String::new(), error(key).to_string()),
        Act::Later(hundredths) => {
            let after = format!("retry-after: {}\r\n", f64::from(hundredths) / 100.0);
            (429, after, error(key).to_string())
        }
        Act::LaterAt(date) => (429, format!("retry-after: {date}\r\n"), error(key).to_string()),
        Act::Quote => {
            let text = format!("\u{1b}[2J{} \u{202e}", key.unwrap_or_default());
            (200, String::new(), answer(&text, false).to_string())
        }
        Act::Escapes => {
            let error = json!({ "error": { "message": "no\u{1b}[2J\u{9b}31m\u{200b} way" } });
            (400, String::new(), error.to_string())
        }
        Act::TooLong => {
            let tokens = request.body.to_string().len() / 4;
            let message =
                format!("request ({tokens} tokens) exceeds the available context size (64 tokens)");
            (400, String::new(), json!({ "error": { "message": message } }).to_string())
        }
        Act::Silence => {
            thread::sleep(Duration::from_secs(3));
            return Ok(());
        }
        Act::NoJson => (200, String::new(), "<html>".to_owned()),
        Act::NoAnswer => (200, String::new(), "{\"content\": 7}".to_owned()),
        Act::Half => {
            let body = answer("1", false).to_string();
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
            return stream
                .write_all(&[head.as_bytes(), &body.as_bytes()[..body.len() / 2]].concat());
        }
        Act::HangUp => return Ok(()),
        Act::Redirect => {
            let port = stream.local_addr()?.port();
            let elsewhere = format!("location: http://127.0.0.1:{port}/elsewhere\r\n");
            (302, elsewhere, error(key).to_string())
        }
        Act::Prose => (400, String::new(), format!("{} {}", "x".repeat(190), key.unwrap_or(""))),
        Act::Nothing => {
            let mut body = answer("", true);
            if anthropic {
                body["content"] = json!([]);
            } else {
                body["choices"][0]["message"]["content"] = Value::Null;
            }
            (200, String::new(), body.to_string())
        }
    };
    let head = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nconnection: close\r\n{more}content-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(&[head.as_bytes(), body.as_bytes()].concat())
}

/// The key that tests use.
pub(crate) const KEY: &str = "sk-secret-of-tests";

/// A folder to work in, and the program in it.
pub(crate) struct Place {
    pub(crate) folder: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        Place { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Starts the program, and does not wait for its end.
    pub(crate) fn start(&self, arguments: &[&str]) -> std::process::Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wire-eval"));
        command.args(arguments).current_dir(self.folder.path());
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        command.spawn().unwrap()
    }

    /// Runs the program, with keys in its environment.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, &[("ANTHROPIC_API_KEY", KEY), ("OPENAI_API_KEY", KEY)])
    }

    pub(crate) fn run_with(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wire-eval"));
        command.args(arguments).current_dir(self.folder.path());
        let keys = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"];
        let proxies = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"];
        for name in keys.into_iter().chain(proxies) {
            command.env_remove(name);
        }
        Ran(command.envs(environment.iter().copied()).output().unwrap())
    }

    /// The calls of a log.
    pub(crate) fn calls(&self, log: &str) -> Vec<Value> {
        let records = self.text(log);
        let records = records.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        records.filter(|record| record["record"] == "call").collect()
    }
}

/// The outcome of a run of the program.
pub(crate) struct Ran(Output);

impl Ran {
    pub(crate) fn code(&self) -> i32 {
        self.0.status.code().unwrap()
    }

    pub(crate) fn stdout(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).unwrap()
    }

    pub(crate) fn stderr(&self) -> String {
        String::from_utf8(self.0.stderr.clone()).unwrap()
    }

    /// Its output, if all went well.
    #[track_caller]
    pub(crate) fn fine(&self) -> String {
        assert_eq!(self.code(), 0, "{}", self.stderr());
        self.stdout()
    }

    /// Its output about the calls that did not fail.
    #[track_caller]
    pub(crate) fn in_part(&self) -> String {
        let said = self.stderr();
        assert_eq!(self.code(), 3, "{said}");
        assert!(said.ends_with("calls failed; --resume makes them again\n"), "{said}");
        self.stdout()
    }

    /// Its message, if it failed with this code and printed nothing.
    #[track_caller]
    pub(crate) fn failed(&self, code: i32) -> String {
        assert_eq!((self.code(), self.stdout().as_str()), (code, ""), "{}", self.stderr());
        self.stderr()
    }
}

/// A payload of the corpus.
pub(crate) fn pack(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/payloads");
    folder.join(name).display().to_string()
}
