//! A server that answers in a thousand mean ways: slow, cut, refused, run-on, broken, of wrong types.
//!
//! A way is a status, a header, a body, how it is framed and how it is sent, each chosen from a seed.
//! Whatever comes, a run ends in time, says only what was answered, and can be gone on with.

#![allow(clippy::unwrap_used)] // a test that can not begin has failed

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use oorandom::Rand32;
use serde_json::{Value, json};

use crate::common::{KEY, Place};

const WAYS: usize = 1000;
/// Longer than the client waits.
const LATE: Duration = Duration::from_millis(700);
const PATIENCE: &str = "0.4";

#[derive(Clone, Copy, Debug, PartialEq)]
enum Framing {
    Length,
    Chunked,
    UntilClosed,
    AfterContinue,
    LongHeader,
    TwiceTheLength,
    SaidToBeZipped,
    LengthTooLong,
    LengthTooShort,
    ChunksCut,
    ChunksWithoutSize,
    NoHead,
    HangUp,
    HangUpUnread,
}

impl Framing {
    const ALL: [Framing; 14] = [
        Framing::Length,
        Framing::Chunked,
        Framing::UntilClosed,
        Framing::AfterContinue,
        Framing::LongHeader,
        Framing::TwiceTheLength,
        Framing::SaidToBeZipped,
        Framing::LengthTooLong,
        Framing::LengthTooShort,
        Framing::ChunksCut,
        Framing::ChunksWithoutSize,
        Framing::NoHead,
        Framing::HangUp,
        Framing::HangUpUnread,
    ];

    /// Returns `true` if the body may arrive as it is.
    fn is_whole(self) -> bool {
        (self as usize) < (Framing::LengthTooLong as usize)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Body {
    Good,
    /// A value of it is another: `Mutated(place, value)`.
    Mutated(u32, usize),
    Cut(u32),
    Twice,
    RunOn,
    Stream,
    Page,
    Nothing,
    Binary,
    Deep,
    Huge,
    Over,
    Quotes,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Pace {
    AtOnce,
    InPieces,
    Late,
    /// Byte after byte, for longer than anybody waits.
    Trickle,
}

#[derive(Clone, Debug)]
struct Way {
    status: u16,
    after: Option<&'static str>,
    body: Body,
    framing: Framing,
    pace: Pace,
}

impl Way {
    fn of(run: usize, number: usize) -> Way {
        let mut random = Rand32::new((run as u64) << 32 | number as u64);
        // The generator's first numbers of near seeds are near.
        random.rand_u32();
        let mut below = |bound: usize| random.rand_range(0..u32::try_from(bound).unwrap()) as usize;
        // Half of all parts are fine, so that the others meet in every combination.
        let statuses = [400, 408, 409, 413, 422, 429, 500, 502, 503, 529, 599, 201, 204];
        let status = match below(40) {
            0 => [301, 302, 401, 403, 404][below(5)],
            1..=24 => 200,
            _ => statuses[below(statuses.len())],
        };
        let waits =
            ["0", "0.01", "-1", "soon", "", "Sun, 06 Nov 1994 08:49:37 GMT", "7200", "1e400"];
        // The last two ask for more than anybody waits, and end the run.
        let waits = if below(20) == 0 { &waits[..] } else { &waits[..6] };
        let after = (below(2) == 0).then(|| waits[below(waits.len())]);
        let body = match below(24) {
            0..=8 => Body::Good,
            9..=13 => {
                let value = below(values().len());
                Body::Mutated(random.rand_u32(), value)
            }
            14 => Body::Cut(random.rand_u32()),
            15 => Body::Twice,
            16 => Body::RunOn,
            17 => Body::Stream,
            18 => Body::Page,
            19 => Body::Nothing,
            20 => Body::Binary,
            21 => [Body::Deep, Body::Huge][usize::from(random.rand_range(0..10) == 0)],
            22 => Body::Over,
            _ => Body::Quotes,
        };
        let mut below = |bound: usize| random.rand_range(0..u32::try_from(bound).unwrap()) as usize;
        let framing = match below(2) {
            0 => Framing::Length,
            _ => Framing::ALL[below(Framing::ALL.len())],
        };
        let pace = match below(20) {
            0 => Pace::Late,
            1 => Pace::Trickle,
            2..=6 => Pace::InPieces,
            _ => Pace::AtOnce,
        };
        Way { status, after, body, framing, pace }
    }

    const GOOD: Way = Way {
        status: 200,
        after: None,
        body: Body::Good,
        framing: Framing::Length,
        pace: Pace::AtOnce,
    };
}

/// The value in place of one of a reply.
fn values() -> Vec<Value> {
    vec![
        Value::Null,
        json!(true),
        json!(-1),
        json!(0.5),
        json!(u64::MAX),
        json!(1e308),
        json!(""),
        json!("10"),
        json!("\u{1b}[2J\u{202e}\u{0}"),
        json!(KEY),
        json!([]),
        json!({}),
        json!([[["10"]]]),
        json!({ "message": { "content": "10" } }),
    ]
}

/// An answer as of llama.cpp's server, or of any other.
pub(crate) fn good(path: &str, request: &Value) -> Value {
    match path {
        "/v1/chat/completions" | "/v1/completions" => {
            let choice = if path == "/v1/completions" {
                json!({ "text": " 10\n\nThe data", "finish_reason": "stop" })
            } else {
                json!({ "message": { "role": "assistant", "content": "10" }, "finish_reason": "stop" })
            };
            json!({
                "model": "model-of-2026", "choices": [choice],
                "usage": { "prompt_tokens": 1000, "completion_tokens": 3 },
            })
        }
        "/apply-template" => {
            json!({ "prompt": format!("<user>{}<model>", request["messages"][0]["content"]) })
        }
        "/tokenize" => {
            let text: Vec<char> = request["content"].as_str().unwrap().chars().collect();
            let token = |part: &[char]| {
                let piece: String = part.iter().collect();
                let id: u32 = piece.bytes().map(u32::from).sum();
                json!({ "id": id, "piece": piece })
            };
            json!({ "tokens": text.chunks(3).map(token).collect::<Vec<_>>() })
        }
        "/completion" => {
            let id = &request["logit_bias"][0][0];
            let top = if id.as_u64() > Some(300) { json!(7) } else { id.clone() };
            json!({ "completion_probabilities": [{ "id": id, "logprob": -0.5, "top_logprobs": [{ "id": top }] }] })
        }
        path => panic!("nobody asks for {path}"),
    }
}

/// The pointers of every value.
fn places(value: &Value, at: &str, all: &mut Vec<String>) {
    all.push(at.to_owned());
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate().take(3) {
                places(item, &format!("{at}/{index}"), all);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                places(member, &format!("{at}/{name}"), all);
            }
        }
        _ => {}
    }
}

/// The body, and the answers that it may be read as.
fn body(kind: Body, path: &str, request: &Value) -> (Vec<u8>, Vec<String>) {
    let mut reply = good(path, request);
    let is_answer = path.ends_with("completions");
    let answers = |reply: &Value| {
        let choice = &reply["choices"][0];
        let text = if choice["text"].is_string() {
            &choice["text"]
        } else {
            &choice["message"]["content"]
        };
        // Without a text an end is an empty answer.
        let text = text.as_str().unwrap_or_default().replace(KEY, "…");
        if is_answer { vec![text] } else { Vec::new() }
    };
    match kind {
        Body::Good => (reply.to_string().into(), answers(&reply)),
        Body::Mutated(place, value) => {
            let mut all = Vec::new();
            places(&reply, "", &mut all);
            let place = &all[place as usize % all.len()];
            *reply.pointer_mut(place).unwrap() = values()[value].clone();
            (reply.to_string().into(), answers(&reply))
        }
        Body::Cut(at) => {
            let bytes: Vec<u8> = reply.to_string().into();
            (bytes[..at as usize % bytes.len()].to_vec(), Vec::new())
        }
        Body::Twice => (format!("{reply}{reply}").into(), Vec::new()),
        Body::RunOn => {
            let text = "and so on ".repeat(10_000);
            if is_answer {
                reply["choices"][0] = json!({ "text": text, "message": { "content": text }, "finish_reason": "length" });
            }
            (reply.to_string().into(), answers(&reply))
        }
        Body::Stream => (format!("data: {reply}\n\ndata: [DONE]\n\n").into(), Vec::new()),
        Body::Page => (b"<html><body>Bad gateway</body></html>".to_vec(), Vec::new()),
        Body::Nothing => (Vec::new(), Vec::new()),
        Body::Binary => ([0xff, 0, 0xfe, b'{', 0xc3].repeat(99), Vec::new()),
        Body::Deep => ("[".repeat(100_000).into(), Vec::new()),
        Body::Huge => (format!("\"{}\"", "x".repeat(17 << 20)).into(), Vec::new()),
        Body::Over => {
            let message = "request (9999 tokens) exceeds the available context size (64 tokens)";
            (json!({ "error": { "code": 400, "message": message } }).to_string().into(), Vec::new())
        }
        Body::Quotes => {
            let message = format!("{}{KEY}\u{1b}[2J", "x".repeat(195));
            (json!({ "error": { "message": message } }).to_string().into(), Vec::new())
        }
    }
}

/// A server of mean ways, until it is told to be good.
struct Mean {
    run: usize,
    is_good: AtomicBool,
    requests: AtomicUsize,
    answers: Mutex<BTreeSet<String>>,
}

impl Mean {
    fn start(run: usize) -> (Arc<Self>, String) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/v1", listener.local_addr().unwrap());
        let mean = Arc::new(Mean {
            run,
            is_good: AtomicBool::new(false),
            requests: AtomicUsize::new(0),
            answers: Mutex::default(),
        });
        let of_thread = Arc::clone(&mean);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let mean = Arc::clone(&of_thread);
                thread::spawn(move || {
                    // The client may go away at any time.
                    let _ = mean.serve(stream);
                });
            }
        });
        (mean, address)
    }

    fn serve(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        let is_good = self.is_good.load(Ordering::Relaxed);
        let way = if is_good { Way::GOOD } else { Way::of(self.run, number) };
        if way.framing == Framing::HangUpUnread {
            return Ok(());
        }
        let (path, request) = read(&stream)?;
        let (body, answers) = body(way.body, &path, &request);
        if way.status == 200 && way.framing.is_whole() {
            self.answers.lock().unwrap().extend(answers);
        }
        let bytes = framed(&way, &body);
        match way.pace {
            Pace::AtOnce => stream.write_all(&bytes),
            Pace::InPieces => bytes.chunks(bytes.len() / 5 + 1).try_for_each(|piece| {
                thread::sleep(Duration::from_millis(1));
                stream.write_all(piece)
            }),
            Pace::Late => {
                thread::sleep(LATE);
                stream.write_all(&bytes)
            }
            Pace::Trickle => {
                let begin = Instant::now();
                for byte in bytes.iter().take_while(|_| begin.elapsed() < LATE) {
                    stream.write_all(&[*byte])?;
                    thread::sleep(Duration::from_millis(20));
                }
                Ok(())
            }
        }
    }
}

fn read(stream: &TcpStream) -> std::io::Result<(String, Value)> {
    let mut reader = BufReader::new(stream);
    let (mut first, mut length) = (String::new(), 0);
    reader.read_line(&mut first)?;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    Ok((path, serde_json::from_slice(&body).unwrap()))
}

fn framed(way: &Way, body: &[u8]) -> Vec<u8> {
    let after = way.after.map(|after| format!("retry-after: {after}\r\n")).unwrap_or_default();
    let head = |more: String| {
        let status = way.status;
        format!("HTTP/1.1 {status} X\r\nconnection: close\r\nlocation: /there\r\n{after}{more}\r\n")
            .into_bytes()
    };
    let length = |length: usize| format!("content-length: {length}\r\n");
    let chunks = |size: &dyn Fn(&[u8]) -> String| -> Vec<u8> {
        let chunk = |part: &[u8]| [size(part).as_bytes(), part, b"\r\n"].concat();
        body.chunks(1000).flat_map(chunk).collect()
    };
    let chunked = || head("transfer-encoding: chunked\r\n".to_owned());
    let sized: &dyn Fn(&[u8]) -> String = &|part| format!("{:x}\r\n", part.len());
    match way.framing {
        Framing::Length => [head(length(body.len())), body.to_vec()].concat(),
        Framing::Chunked => [chunked(), chunks(sized), b"0\r\n\r\n".to_vec()].concat(),
        Framing::ChunksCut => [chunked(), chunks(sized)].concat(),
        Framing::ChunksWithoutSize => [chunked(), chunks(&|_| "xyz\r\n".to_owned())].concat(),
        Framing::UntilClosed => [head(String::new()), body.to_vec()].concat(),
        Framing::AfterContinue => {
            let first = b"HTTP/1.1 100 Continue\r\n\r\n".to_vec();
            [first, head(length(body.len())), body.to_vec()].concat()
        }
        Framing::LongHeader => {
            let long = format!("x-long: {}\r\n", "y".repeat(100_000));
            [head(length(body.len()) + &long), body.to_vec()].concat()
        }
        Framing::TwiceTheLength => [head(length(body.len()).repeat(2)), body.to_vec()].concat(),
        Framing::SaidToBeZipped => {
            [head(length(body.len()) + "content-encoding: gzip\r\n"), body.to_vec()].concat()
        }
        Framing::LengthTooLong => [head(length(body.len() + 9)), body.to_vec()].concat(),
        Framing::LengthTooShort => [head(length(body.len() / 2)), body.to_vec()].concat(),
        Framing::NoHead => body.to_vec(),
        Framing::HangUp | Framing::HangUpUnread => Vec::new(),
    }
}

/// One run against a mean server, which is good in the end; returns its requests while it was mean.
fn survives(run: usize) -> usize {
    let (server, address) = Mean::start(run);
    let place = Place::new();
    let plan = format!(
        "comprehension --families rows --sizes 10 --arms json,csv --log log.jsonl --backend openai \
         --base-url {address} --model m --repeats 2 --temperature 0.5 --attempts 2 --backoff 0.001 \
         --timeout {PATIENCE} --concurrency 4"
    );
    let mut arguments: Vec<&str> = plan.split(' ').collect();
    // Each other run also asks for likelihoods, each third has examples.
    let has_likelihood = run.is_multiple_of(2);
    if has_likelihood {
        arguments.extend(["--measure", "likelihood", "--kinds", "entry_count"]);
    }
    if run.is_multiple_of(3) {
        arguments.extend(["--examples", "1"]);
    }
    let ran = place.run(&arguments);
    let requests = server.requests.load(Ordering::Relaxed);
    let context = || {
        let ways: Vec<Way> = (0..requests).map(|number| Way::of(run, number)).collect();
        format!("run {run}: {}\n{}\n{ways:#?}", ran.stderr(), ran.stdout())
    };
    assert!(matches!(ran.code(), 0 | 3), "{}", context());
    let calls = if has_likelihood { 4 } else { 12 };
    let log = place.text("log.jsonl");
    for said in [ran.stdout(), ran.stderr()] {
        let moves = |letter: char| letter != '\n' && letter.is_control() || letter == '\u{202e}';
        assert!(!said.contains(KEY) && !said.contains(moves), "{}", context());
    }
    assert!(!log.contains(KEY), "{}", context());
    // What was answered is what the server said, and nothing else is an answer.
    let said = server.answers.lock().unwrap().clone();
    let logged = place.calls("log.jsonl");
    let answers: Vec<&str> = logged.iter().filter_map(|call| call["answer"].as_str()).collect();
    for answer in &answers {
        let is_said = |text: &String| text.split("\n\n").next() == Some(answer) || text == answer;
        assert!(said.iter().any(is_said), "{answer:?}\n{}", context());
    }
    assert_eq!(ran.code() == 0, answers.len() == calls, "{}", context());
    place.run(&["report", "log.jsonl"]).fine();
    // Going on with a good server, nothing that was answered is asked again, and the rest is.
    server.is_good.store(true, Ordering::Relaxed);
    let resumed = place.run(&[&arguments[..], &["--resume"]].concat());
    assert_eq!(resumed.code(), 0, "{}\n{}", resumed.stderr(), context());
    let logged = place.calls("log.jsonl");
    let answered = logged.iter().filter(|call| call["answer"].is_string()).count();
    assert!(answered >= calls, "{}", context());
    if !has_likelihood {
        place.run(&["report", "log.jsonl", "--publish", "out"]).fine();
        place.run(&["verify", "out"]).fine();
    }
    requests
}

#[test]
fn a_thousand_mean_ways_to_answer() {
    let (next, ways) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while ways.load(Ordering::Relaxed) < WAYS {
                    let run = next.fetch_add(1, Ordering::Relaxed);
                    assert!(run < WAYS, "the server is hardly asked");
                    ways.fetch_add(survives(run), Ordering::Relaxed);
                }
            });
        }
    });
}
