//! Redis itself: two replicas over a server that the test starts on a free port of the loopback, and
//! stops, freezes and empties. `WIRE_REDIS_SERVER` names the program, else `redis-server` is on the
//! path. Run it by `cargo test -p wire-store --features redis --test redis`.

#![allow(clippy::unwrap_used)] // helpers of tests

use std::env;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use gcf::graph::{
    Answer, Dialect, Encoder, Exchange, FullReason, Outcome, Payload, Replica, Request, Symbol,
};
use tempfile::TempDir;
use wire_store::{Options, Store, Tenant};

const UNKNOWN: Outcome = Outcome::Full(FullReason::UnknownRoot);

/// A server, which ends with the test.
struct Server {
    process: Child,
    port: u16,
    arguments: Vec<String>,
    folder: TempDir,
}

impl Server {
    fn start(arguments: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let arguments: Vec<_> = arguments.iter().map(|&text| text.to_owned()).collect();
        let process = spawn(port, &arguments, &folder);
        let server = Server { process, port, arguments, folder };
        server.wait();
        server
    }

    fn address(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Waits until it answers, whatever it answers.
    fn wait(&self) {
        let start = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(start.elapsed() < Duration::from_secs(60), "redis-server does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Ends it as the system does when it has no memory left.
    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Starts it again on the same port, empty.
    fn restart(&mut self) {
        self.process = spawn(self.port, &self.arguments, &self.folder);
        self.wait();
    }

    fn signal(&self, name: &str) {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args([name, id.as_str()]).status().unwrap().success());
    }

    fn query<T: redis::FromRedisValue>(&self, words: &[&[u8]]) -> T {
        let mut connection = redis::Client::open(self.address()).unwrap().get_connection().unwrap();
        let mut command = redis::Cmd::new();
        for word in words {
            command.arg(*word);
        }
        command.query(&mut connection).unwrap()
    }

    fn keys(&self) -> Vec<String> {
        self.query(&[b"KEYS", b"*"])
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn spawn(port: u16, arguments: &[String], folder: &TempDir) -> Child {
    let program = env::var("WIRE_REDIS_SERVER").unwrap_or_else(|_| "redis-server".to_owned());
    Command::new(&program)
        .args(["--bind", "127.0.0.1", "--port", &port.to_string(), "--save", "", "--dir"])
        .arg(folder.path())
        .args(arguments)
        .stdout(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| {
            panic!(
                "{program}: {error}; install redis-server (`apt-get install redis-server`), or name the program in WIRE_REDIS_SERVER"
            )
        })
}

/// A process that has just started. No slow machine is a failure, unless a test is about that.
fn started(address: &str) -> (Store, Exchange<Tenant>) {
    with_timeout(address, Duration::from_secs(30))
}

fn with_timeout(address: &str, timeout: Duration) -> (Store, Exchange<Tenant>) {
    let mut options = Options::default();
    options.timeout = timeout;
    options.pause = Duration::from_millis(20);
    options.refresh = Duration::ZERO;
    let store = Store::open_with(address, options).unwrap();
    let server = Exchange::with_store(Encoder::new().dialect(Dialect::V3), store.tenant("acme"));
    (store, server)
}

/// A payload of 30 symbols, of which one is new in each version.
fn version(version: u32) -> Payload<'static> {
    let mut payload = Payload { tool: "t".into(), ..Payload::default() };
    let names = (0..29).map(|n| format!("pkg.Old{n}")).chain([format!("pkg.New{version}")]);
    payload.symbols = names.map(|name| Symbol::new("function", name)).collect();
    payload
}

async fn reader(server: &Exchange<Tenant>, payload: &Payload<'_>) -> Replica {
    let mut text = String::new();
    server.answer_async(Request::Full, payload, &mut text).await.unwrap();
    Replica::from_answer(&text).unwrap()
}

async fn answer(server: &Exchange<Tenant>, reader: &Replica, payload: &Payload<'_>) -> Answer {
    server.answer_async(reader.request(), payload, &mut String::new()).await.unwrap()
}

async fn outcome(server: &Exchange<Tenant>, reader: &Replica, payload: &Payload<'_>) -> Outcome {
    answer(server, reader, payload).await.outcome
}

/// Asks new processes until one gets a delta: the breaker and the connection need a moment.
async fn shared_again(address: &str, server: &Exchange<Tenant>, held: &Replica) {
    let start = Instant::now();
    loop {
        outcome(server, held, held.payload()).await;
        if outcome(&started(address).1, held, &version(99)).await == Outcome::Delta {
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "nothing is shared again");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn replicas_share_packs_and_tenants_do_not() {
    let redis = Server::start(&[]);
    let held = reader(&started(&redis.address()).1, &version(1)).await;
    let (store, second) = started(&redis.address());
    assert_eq!(outcome(&second, &held, &version(2)).await, Outcome::Delta);
    assert_eq!((store.counts().reads_engine, store.counts().writes_done), (1, 1));
    let other = Exchange::with_store(Encoder::new().dialect(Dialect::V3), store.tenant("globex"));
    assert_eq!(outcome(&other, &held, &version(2)).await, UNKNOWN);
    let keys = redis.keys();
    assert_eq!(keys.len(), 3, "{keys:?}");
    for key in keys {
        assert!(key.starts_with("wire:1:") && key.len() == 71, "{key}");
        let seconds: i64 = redis.query(&[b"TTL", key.as_bytes()]);
        assert!((86_000..=86_400).contains(&seconds), "{seconds}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_was_killed_is_used_again_when_it_is_back() {
    let mut redis = Server::start(&[]);
    let (store, server) = started(&redis.address());
    let held = reader(&server, &version(1)).await;
    redis.kill();
    // Memory has it, and a process that starts now answers in full, and says why.
    assert_eq!(outcome(&server, &held, &version(2)).await, Outcome::Delta);
    assert!(store.counts().writes_failed > 0);
    let answer = answer(&started(&redis.address()).1, &held, &version(2)).await;
    assert_eq!(answer.outcome, Outcome::Full(FullReason::StoreFailed));
    assert!(answer.store_error.is_some());
    redis.restart();
    assert_eq!(redis.keys(), [""; 0]);
    shared_again(&redis.address(), &server, &held).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_frozen_is_not_waited_for() {
    let redis = Server::start(&[]);
    let (_, patient) = started(&redis.address());
    let held = reader(&patient, &version(1)).await;
    let (store, server) = with_timeout(&redis.address(), Duration::from_millis(50));
    redis.signal("-STOP");
    for n in 2..20 {
        let outcome = outcome(&server, &held, &version(n)).await;
        assert!(matches!(outcome, Outcome::Full(_)), "{outcome:?}");
    }
    let counts = store.counts();
    assert!(counts.reads_failed + counts.writes_failed >= 3, "{counts:?}");
    assert_eq!((counts.reads_engine, counts.writes_done), (0, 0));
    redis.signal("-CONT");
    shared_again(&redis.address(), &patient, &held).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_that_was_changed_is_removed_and_counted() {
    let redis = Server::start(&[]);
    let held = reader(&started(&redis.address()).1, &version(1)).await;
    let key = &redis.keys()[0];
    let text: String = redis.query(&[b"GET", key.as_bytes()]);
    for bad in [text.replace("Old7", "Evil").into_bytes(), vec![0xff; 100], vec![b'x'; 3 << 20]] {
        redis.query::<()>(&[b"SET", key.as_bytes(), &bad]);
        let (store, server) = started(&redis.address());
        assert_eq!(outcome(&server, &held, &version(2)).await, UNKNOWN);
        assert_eq!(store.counts().dropped, 1);
        assert_eq!(redis.query::<u32>(&[b"EXISTS", key.as_bytes()]), 0);
    }
    // Nor is a value of another type one.
    redis.query::<()>(&[b"RPUSH", key.as_bytes(), b"x"]);
    let answer = answer(&started(&redis.address()).1, &held, &version(2)).await;
    assert_eq!(answer.outcome, Outcome::Full(FullReason::StoreFailed));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_full_costs_no_delta_of_this_process() {
    let redis = Server::start(&["--maxmemory", "1", "--maxmemory-policy", "noeviction"]);
    let (store, server) = started(&redis.address());
    let held = reader(&server, &version(1)).await;
    assert_eq!(outcome(&server, &held, &version(2)).await, Outcome::Delta);
    assert!(store.counts().writes_failed > 0);
    assert_eq!(redis.keys(), [""; 0]);
    redis.query::<()>(&[b"CONFIG", b"SET", b"maxmemory", b"0"]);
    shared_again(&redis.address(), &server, &held).await;
}

/// A connection that failed for good is made anew, too.
#[tokio::test(flavor = "multi_thread")]
async fn a_password_that_is_corrected_needs_no_restart() {
    let redis = Server::start(&["--requirepass", "old"]);
    let address = format!("redis://:new@127.0.0.1:{}", redis.port);
    let (store, server) = started(&address);
    let held = reader(&server, &version(1)).await;
    assert_eq!((store.counts().writes_failed, store.counts().writes_done), (1, 0));
    let client = redis::Client::open(format!("redis://:old@127.0.0.1:{}", redis.port)).unwrap();
    let mut set = redis::cmd("CONFIG");
    set.arg("SET").arg("requirepass").arg("new");
    set.query::<()>(&mut client.get_connection().unwrap()).unwrap();
    shared_again(&address, &server, &held).await;
}
