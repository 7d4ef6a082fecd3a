//! `cargo xtask store`: replicas of wire-graph behind a store that is slow, gone, full and changed,
//! and callers who see none of it but in tokens. What asks is `examples/load.rs` of wire-graph.

use std::env;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use serde::Deserialize;
use xtask::tools::{Outcome, git, read, root, run_in, target, works};

const SERVERS: [&str; 2] = ["redis-server", "valkey-server"];
const HOW: &str = "install one: on Debian and Ubuntu `apt-get install redis-server`, or `valkey-server` where there is a package";
/// How long callers ask in a state.
const STATE: Duration = Duration::from_secs(2);
/// The longest wait for something that should happen at once.
const PATIENCE: Duration = Duration::from_secs(60);
/// What wire-graph is built of: a second version too, and callers ask about it.
const CRATES: [&str; 9] = [
    "gcb",
    "gcf",
    "gcx",
    "goon",
    "wire-core",
    "wire-graph",
    "wire-registry",
    "wire-store",
    "wire-tokens",
];

#[derive(Args)]
pub(crate) struct Options {
    /// The server, a program [default: redis-server, and two replicas with valkey-server, where they are].
    #[arg(long, value_name = "PROGRAM")]
    server: Option<String>,
}

pub(crate) fn run(options: &Options) -> Outcome {
    let is_there = |program: &str| works(Command::new(program).arg("--version"));
    let servers: Vec<&str> = match &options.server {
        Some(program) => vec![program],
        None => SERVERS.into_iter().filter(|program| is_there(program)).collect(),
    };
    if servers.is_empty() || servers.iter().any(|program| !is_there(program)) {
        return Err(format!(
            "there is no {}; {HOW}",
            if servers.is_empty() { "redis-server" } else { servers[0] }
        ));
    }
    let bench = Bench::new()?;
    let mut tables = Vec::new();
    for count in [2, 4] {
        tables
            .push((format!("{count} replicas, {}", servers[0]), bench.states(count, servers[0])?));
    }
    if let Some(second) = servers.get(1) {
        tables.push((format!("2 replicas, {second}"), bench.states(2, second)?));
    }
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("\nThe load of this machine at the end: {load}");
    print_tables(&tables);
    let failed: u32 =
        tables.iter().flat_map(|(_, rows)| rows).map(|(_, row)| row.failed + row.wrong).sum();
    if failed > 0 {
        return Err(format!(
            "{failed} answers failed or were wrong, expected none; the lines above say which"
        ));
    }
    Ok(())
}

/// The same in `cargo xtask ci`, where a server is installed, as on the forge.
pub(crate) fn run_if_installed() -> Outcome {
    if !SERVERS.iter().any(|program| works(Command::new(program).arg("--version"))) {
        println!("skipped: redis-server is not installed");
        return Ok(());
    }
    run(&Options { server: None })
}

type Rows = Vec<(&'static str, Row)>;

/// What the load program prints.
#[derive(Deserialize)]
struct Row {
    requests: u32,
    failed: u32,
    wrong: u32,
    /// Unchanged, deltas, full.
    outcomes: [u32; 3],
    tokens: f64,
    full_tokens: f64,
    p50: f64,
    p99: f64,
}

impl Row {
    /// Shares of unchanged, deltas, full; tokens of full; milliseconds.
    fn cells(&self) -> String {
        let percent = |part: f64, all: f64| 100.0 * part / all.max(1.0);
        let all = f64::from(self.requests - self.failed);
        let [unchanged, delta, full] = self.outcomes.map(|count| percent(f64::from(count), all));
        let tokens = percent(self.tokens, self.full_tokens);
        let Row { p50, p99, .. } = self;
        format!("{unchanged:.0}/{delta:.0}/{full:.0} | {tokens:.1} | {p50:.0}/{p99:.0} |")
    }
}

fn print_tables(tables: &[(String, Rows)]) {
    let column = " outcomes | tokens | ms |";
    println!("\n| state | failed, wrong |{}", column.repeat(tables.len()));
    println!("|---|--:|{}", "--:|--:|--:|".repeat(tables.len()));
    for (n, (state, _)) in tables[0].1.iter().enumerate() {
        let rows: Vec<&Row> = tables.iter().map(|(_, rows)| &rows[n].1).collect();
        let sum = |count: fn(&Row) -> u32| rows.iter().map(|row| count(row)).sum::<u32>();
        let (failed, wrong) = (sum(|row| row.failed), sum(|row| row.wrong));
        let cells: Vec<String> = rows.iter().map(|row| row.cells()).collect();
        println!("| {state} | {failed}, {wrong} | {}", cells.join(" "));
    }
    let names: Vec<&str> = tables.iter().map(|(name, _)| name.as_str()).collect();
    let requests: u32 = tables.iter().flat_map(|(_, rows)| rows).map(|(_, row)| row.requests).sum();
    println!(
        "\n{requests} requests; {}. Outcomes are % unchanged, deltas, full; tokens % of full; ms p50, p99.",
        names.join("; ")
    );
}

/// What is built once.
struct Bench {
    graph: PathBuf,
    /// The same whose keys have another version.
    second: PathBuf,
    load: PathBuf,
    folder: Folder,
}

/// A temporary folder, in which the tree is that is edited.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Bench {
    fn new() -> Result<Self, String> {
        let start = Instant::now();
        let second = second_version()?;
        let graph = root().join("crates/wire-graph");
        let build = [
            "build",
            "--release",
            "--locked",
            "--quiet",
            "--bin",
            "wire-graph",
            "--example",
            "load",
        ];
        run_in(&graph, "cargo", &build, &[])?;
        let folder = Folder(env::temp_dir().join(format!("wire-store-{}", std::process::id())));
        for file in
            files()?.iter().filter(|file| Path::new(file).extension() == Some("rs".as_ref()))
        {
            let path = file.strip_prefix("crates/").expect("sources are of crates");
            write(&folder.0.join("tree").join(path), read(&root().join(file))?)?;
        }
        println!("built in {:.0} s", start.elapsed().as_secs_f64());
        let release = target().join("graph/release");
        Ok(Bench {
            graph: release.join("wire-graph"),
            second,
            load: release.join("examples/load"),
            folder,
        })
    }

    /// All states, with replicas of this number.
    fn states(&self, count: usize, program: &str) -> Result<Rows, String> {
        let mut rows = Rows::new();
        let mut fleet = Fleet::start(self, count, "memory:")?;
        fleet.steady("no store: well", &mut rows, |_| Ok(()))?;
        fleet.seldom("no store: seldom asked", &mut rows)?;
        fleet.restart()?;
        fleet.steady("no store: all restarted", &mut rows, |_| Ok(()))?;
        is("full answers after a restart without a store", last(&rows).outcomes[2])?;
        fleet.steady("no store: rolling restart", &mut rows, Fleet::roll)?;
        drop(fleet);

        let mut server = Server::start(program, &self.folder.0)?;
        let mut fleet = Fleet::start(self, count, &server.address())?;
        fleet.steady("well", &mut rows, |_| Ok(()))?;
        fleet.seldom("seldom asked", &mut rows)?;
        fleet.restart()?;
        fleet.steady("all restarted", &mut rows, |_| Ok(()))?;
        is("deltas after a restart", last(&rows).outcomes[1])?;
        is("packs that the server had", fleet.metric("reads_total{result=\"engine\"}")?)?;
        fleet.steady("rolling restart", &mut rows, Fleet::roll)?;
        fleet.steady("slow", &mut rows, |_| server.slow())?;
        fleet.steady("frozen", &mut rows, |_| server.signal("-STOP"))?;
        is("failures while it was frozen", fleet.metric("writes_total{result=\"failed\"}")?)?;
        server.signal("-CONT")?;
        fleet.steady("killed -9", &mut rows, |_| server.process.kill())?;
        fleet.restart()?;
        fleet.steady("gone, all restarted", &mut rows, |_| Ok(()))?;
        is("reads that failed or were spared", fleet.metric("reads_total{result=\"spared\"}")?)?;
        server.restart()?;
        fleet.steady("back, empty", &mut rows, |_| Ok(()))?;
        is("packs in a server that is back", server.count("wire:1:*")?)?;
        fleet.steady("emptied", &mut rows, |_| server.ask("FLUSHALL").map(|_| ()))?;
        server.ask("CONFIG SET maxmemory 1")?;
        fleet.steady("full", &mut rows, |_| Ok(()))?;
        is("writes that were refused", fleet.metric("writes_total{result=\"failed\"}")?)?;
        server.ask("CONFIG SET maxmemory 0")?;
        is("packs that were tampered with", server.tamper()?)?;
        fleet.restart()?;
        fleet.steady("tampered, all restarted", &mut rows, |_| Ok(()))?;
        is("packs that were dropped", fleet.metric("dropped_total")?)?;
        fleet.steady("a replica killed -9", &mut rows, |fleet| fleet.replicas[0].process.kill())?;
        fleet.replicas[0].start(self, &self.graph)?;
        fleet.steady("half upgraded", &mut rows, Fleet::upgrade)?;
        is("packs of this version", server.count("wire:1:*")?)?;
        is("packs of the other version", server.count("wire:2:*")?)?;
        drop((fleet, server));

        let disk = Disk::new(&self.folder.0.join("packs"))?;
        let mut fleet = Fleet::start(self, count, &format!("folder:{}", disk.path.display()))?;
        fleet.steady("folder: well", &mut rows, |_| Ok(()))?;
        fleet.restart()?;
        fleet.steady("folder: all restarted", &mut rows, |_| Ok(()))?;
        is("deltas from a folder", last(&rows).outcomes[1])?;
        fleet.steady("folder: disk full", &mut rows, |_| disk.fill())?;
        is("files that could not be written", fleet.metric("writes_total{result=\"failed\"}")?)?;
        Ok(rows)
    }
}

fn last(rows: &Rows) -> &Row {
    &rows.last().expect("a state was run").1
}

/// Fails where something did not happen, so that the state was not the one that is meant.
fn is(what: &str, count: u32) -> Outcome {
    if count == 0 { Err(format!("{what}: none, expected some")) } else { Ok(()) }
}

/// The files of git that wire-graph is built of.
fn files() -> Result<Vec<String>, String> {
    let crates = CRATES.map(|name| format!("crates/{name}"));
    let list = [&["ls-files", "Cargo.toml"][..], &crates.each_ref().map(String::as_str)].concat();
    let files = git(&root(), &list).ok_or("this is not a clone of git")?;
    Ok(files.lines().map(str::to_owned).collect())
}

/// Builds wire-graph with keys of the next layout, as another version of the library would have.
fn second_version() -> Result<PathBuf, String> {
    let copy = target().join("store/second");
    for file in files()? {
        let bytes = fs::read(root().join(&file)).map_err(|error| format!("{file}: {error}"))?;
        let text = match String::from_utf8(bytes) {
            Ok(text) if file == "crates/wire-store/src/store.rs" => {
                let changed = text.replace("\"wire:1:\"", "\"wire:2:\"");
                if changed == text {
                    return Err(format!("{file} has no layout `wire:1:`, expected one"));
                }
                changed.into_bytes()
            }
            Ok(text) => text.into_bytes(),
            Err(error) => error.into_bytes(),
        };
        write(&copy.join(&file), text)?;
    }
    let manifest = copy.join("crates/wire-graph/Cargo.toml");
    let to = target().join("graph");
    let build = ["build", "--release", "--locked", "--quiet", "--bin", "wire-graph"];
    let places =
        ["--manifest-path", &*manifest.to_string_lossy(), "--target-dir", &*to.to_string_lossy()];
    run_in(&root(), "cargo", &[&build[..], &places].concat(), &[])?;
    let program = target().join("store/wire-graph-2");
    fs::copy(to.join("release/wire-graph"), &program).map_err(|error| error.to_string())?;
    Ok(program)
}

/// Writes a file, with its folders, unless it is so already: cargo goes by times.
fn write(path: &Path, text: impl AsRef<[u8]>) -> Outcome {
    if fs::read(path).is_ok_and(|old| old == text.as_ref()) {
        return Ok(());
    }
    let folder = path.parent().expect("it is in a folder");
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(path, text));
    written.map_err(|error| format!("{}: {error}", path.display()))
}

/// A process that ends with the state that needs it.
struct Process(Child);

impl Process {
    fn start(command: &mut Command) -> Result<Self, String> {
        let program = command.get_program().to_string_lossy().into_owned();
        command.spawn().map(Process).map_err(|error| format!("{program}: {error}"))
    }

    fn signal(&self, signal: &str) -> Outcome {
        let id = self.0.id().to_string();
        xtask::tools::run(Command::new("kill").args([signal, &id]))
    }

    fn kill(&mut self) -> Outcome {
        self.0.kill().and_then(|()| self.0.wait()).map(|_| ()).map_err(|error| error.to_string())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}

fn free_port() -> Result<u16, String> {
    let bound = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    bound.map(|address| address.port()).map_err(|error| error.to_string())
}

/// Waits until something is so.
fn until(what: &str, mut is_so: impl FnMut() -> bool) -> Outcome {
    let start = Instant::now();
    while !is_so() {
        if start.elapsed() > PATIENCE {
            return Err(format!("{what} in {PATIENCE:?}"));
        }
        thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

/// A process of wire-graph, on one port whenever it is started.
struct Replica {
    process: Process,
    port: u16,
    store: String,
}

impl Replica {
    fn new(bench: &Bench, store: &str) -> Result<Self, String> {
        let port = free_port()?;
        let process = Replica::process(bench, &bench.graph, port, store)?;
        Ok(Replica { process, port, store: store.to_owned() })
    }

    /// Starts it again, and waits until it can answer.
    fn start(&mut self, bench: &Bench, program: &Path) -> Outcome {
        self.process = Replica::process(bench, program, self.port, &self.store)?;
        self.wait(bench)
    }

    fn process(bench: &Bench, program: &Path, port: u16, store: &str) -> Result<Process, String> {
        let log = File::create(Replica::log(bench, port)).map_err(|error| error.to_string())?;
        let mut command = Command::new(program);
        command.arg(bench.folder.0.join("tree"));
        command.args([
            "--listen",
            &format!("127.0.0.1:{port}"),
            "--single-tenant",
            "--store",
            store,
        ]);
        Process::start(command.stderr(log).stdout(Stdio::null()).stdin(Stdio::null()))
    }

    fn log(bench: &Bench, port: u16) -> PathBuf {
        bench.folder.0.join(format!("{port}.log"))
    }

    /// It has the tree when it says so.
    fn wait(&self, bench: &Bench) -> Outcome {
        let log = Replica::log(bench, self.port);
        let is_ready = || fs::read_to_string(&log).is_ok_and(|text| text.contains(" edges in "));
        until("a replica did not read the tree", is_ready)
    }
}

/// Replicas, a reference without a store, and the callers.
struct Fleet<'b> {
    bench: &'b Bench,
    replicas: Vec<Replica>,
    _reference: Replica,
    _load: Process,
    to_load: ChildStdin,
    from_load: Receiver<String>,
}

impl<'b> Fleet<'b> {
    /// At the end each caller has an answer to each question.
    fn start(bench: &'b Bench, count: usize, store: &str) -> Result<Self, String> {
        let reference = Replica::new(bench, "memory:")?;
        let new = |_| Replica::new(bench, store);
        let replicas = (0..count).map(new).collect::<Result<Vec<_>, _>>()?;
        let mut command = Command::new(&bench.load);
        command.arg(bench.folder.0.join("tree"));
        for replica in [&reference].into_iter().chain(&replicas) {
            replica.wait(bench)?;
            command.arg(format!("127.0.0.1:{}", replica.port));
        }
        let mut load = Process::start(command.stdin(Stdio::piped()).stdout(Stdio::piped()))?;
        let to_load = load.0.stdin.take().expect("it is piped");
        let lines = BufReader::new(load.0.stdout.take().expect("it is piped")).lines();
        let (send, from_load) = channel();
        thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| send.send(line)));
        let mut fleet =
            Fleet { bench, replicas, _reference: reference, _load: load, to_load, from_load };
        // Each question of ten.
        fleet.rounds(1, 10)?;
        fleet.row("first answers", &mut Rows::new())?;
        Ok(fleet)
    }

    fn tell(&mut self, line: &str) -> Outcome {
        writeln!(self.to_load, "{line}").map_err(|error| format!("the load program: {error}"))
    }

    fn hear(&self) -> Result<String, String> {
        self.from_load
            .recv_timeout(2 * PATIENCE)
            .map_err(|error| format!("the load program: {error}"))
    }

    /// Edits the tree, and lets callers ask ten times a second each, while something happens.
    fn steady(
        &mut self,
        state: &'static str,
        rows: &mut Rows,
        happens: impl FnOnce(&mut Self) -> Outcome,
    ) -> Outcome {
        self.tell("run")?;
        self.hear()?;
        let start = Instant::now();
        happens(self).map_err(|problem| format!("{state}: {problem}"))?;
        thread::sleep(STATE.saturating_sub(start.elapsed()));
        self.tell("stop")?;
        self.row(state, rows)
    }

    /// Edits the tree, and lets each caller ask once, some times.
    fn seldom(&mut self, state: &'static str, rows: &mut Rows) -> Outcome {
        self.rounds(8, 1)?;
        self.row(state, rows)
    }

    /// Edits the tree some times; at each time every caller asks so often.
    fn rounds(&mut self, rounds: usize, asks: usize) -> Outcome {
        self.tell(&format!("rounds {rounds} {asks}"))?;
        (0..rounds).try_for_each(|_| self.hear().map(|_| ()))
    }

    fn row(&mut self, state: &'static str, rows: &mut Rows) -> Outcome {
        let line = self.hear()?;
        let row: Row = serde_json::from_str(&line).map_err(|error| format!("{error}: {line}"))?;
        println!("{state}: {line}");
        rows.push((state, row));
        Ok(())
    }

    /// Ends all replicas, and starts them: their memory is empty.
    fn restart(&mut self) -> Outcome {
        for replica in &mut self.replicas {
            replica.process.kill()?;
            replica.process =
                Replica::process(self.bench, &self.bench.graph, replica.port, &replica.store)?;
        }
        self.replicas.iter().try_for_each(|replica| replica.wait(self.bench))
    }

    /// Ends one after the other as a deployment does, and waits for each until it is back.
    fn roll(&mut self) -> Outcome {
        self.roll_to(self.replicas.len(), &self.bench.graph)
    }

    /// The same for half of them, which then are of the second version.
    fn upgrade(&mut self) -> Outcome {
        self.roll_to(self.replicas.len() / 2, &self.bench.second)
    }

    fn roll_to(&mut self, count: usize, program: &Path) -> Outcome {
        for replica in &mut self.replicas[..count] {
            replica.process.signal("-TERM")?;
            until("a replica did not end", || matches!(replica.process.0.try_wait(), Ok(Some(_))))?;
            replica.start(self.bench, program)?;
        }
        Ok(())
    }

    /// The sum of a number of the stores of all replicas.
    fn metric(&self, name: &str) -> Result<u32, String> {
        let mut sum = 0;
        for replica in &self.replicas {
            let page = talk(replica.port, "GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n")?;
            let value =
                page.lines().find_map(|line| line.strip_prefix(&format!("wire_store_{name} ")));
            let value = value.and_then(|value| value.parse::<u32>().ok());
            sum += value
                .ok_or_else(|| format!("there is no wire_store_{name} on the page:\n{page}"))?;
        }
        Ok(sum)
    }
}

/// Sends a request, and reads until the end.
fn talk(port: u16, request: &str) -> Result<String, String> {
    let talk = || {
        let mut stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(request.as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).map(|_| answer)
    };
    talk().map_err(|error: std::io::Error| format!("127.0.0.1:{port}: {error}"))
}

/// Redis or Valkey, on a port of its own, with nothing on a disk.
struct Server {
    process: Process,
    program: String,
    folder: PathBuf,
    port: u16,
}

impl Server {
    fn start(program: &str, folder: &Path) -> Result<Self, String> {
        let port = free_port()?;
        let process = Server::process(program, folder, port)?;
        let server =
            Server { process, program: program.to_owned(), folder: folder.to_owned(), port };
        server.wait().map(|()| server)
    }

    fn restart(&mut self) -> Outcome {
        self.process = Server::process(&self.program, &self.folder, self.port)?;
        self.wait()
    }

    fn process(program: &str, folder: &Path, port: u16) -> Result<Process, String> {
        let mut command = Command::new(program);
        command.args([
            "--bind",
            "127.0.0.1",
            "--port",
            &port.to_string(),
            "--save",
            "",
            "--appendonly",
            "no",
        ]);
        command.arg("--pidfile").arg(folder.join("server.pid")).arg("--dir").arg(folder);
        Process::start(command.stdout(Stdio::null()).stdin(Stdio::null()))
    }

    fn wait(&self) -> Outcome {
        until("the server did not start", || self.ask("PING").is_ok())
    }

    fn address(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    fn signal(&self, signal: &str) -> Outcome {
        self.process.signal(signal)
    }

    /// Lets it run for a moment now and then.
    fn slow(&self) -> Outcome {
        let start = Instant::now();
        while start.elapsed() < STATE {
            self.signal("-STOP")?;
            thread::sleep(Duration::from_millis(80));
            self.signal("-CONT")?;
            thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }

    /// The answer to a command.
    fn ask(&self, command: &str) -> Result<String, String> {
        let answer = talk(self.port, &format!("{command}\r\nQUIT\r\n"))?;
        if answer.starts_with('-') { Err(format!("{command}: {answer}")) } else { Ok(answer) }
    }

    /// The number that a script returns.
    fn script(&self, script: &str) -> Result<u32, String> {
        let answer = self.ask(&format!("EVAL \"{script}\" 0"))?;
        let number = answer.lines().next().and_then(|line| line.strip_prefix(':')?.parse().ok());
        number.ok_or_else(|| format!("{script}: {answer}"))
    }

    fn count(&self, keys: &str) -> Result<u32, String> {
        self.script(&format!("return #redis.call('keys', '{keys}')"))
    }

    /// Changes each pack: an edge has another type, or the end is missing.
    fn tamper(&self) -> Result<u32, String> {
        self.script(
            "local keys = redis.call('keys', 'wire:*') \
             for _, key in ipairs(keys) do \
             local text, changed = string.gsub(redis.call('get', key), ' calls', ' references', 1) \
             if changed == 0 then text = string.sub(text, 1, -6) end \
             redis.call('set', key, text, 'keepttl') end \
             return #keys",
        )
    }
}

/// A folder that can be full: a small file system, if this user may mount one.
struct Disk {
    path: PathBuf,
    is_mounted: bool,
}

impl Disk {
    fn new(path: &Path) -> Result<Self, String> {
        fs::create_dir_all(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let is_mounted =
            works(Command::new("mount").args(["-t", "tmpfs", "-o", "size=4m", "tmpfs"]).arg(path));
        if !is_mounted {
            println!(
                "no tmpfs can be mounted: a folder that is gone is instead of a disk that is full"
            );
        }
        Ok(Disk { path: path.to_owned(), is_mounted })
    }

    fn fill(&self) -> Outcome {
        if !self.is_mounted {
            let gone = fs::remove_dir_all(&self.path).and_then(|()| fs::write(&self.path, ""));
            return gone.map_err(|error| error.to_string());
        }
        let mut file = File::create(self.path.join("full")).map_err(|error| error.to_string())?;
        while file.write_all(&[0; 512]).is_ok() {}
        Ok(())
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        if self.is_mounted {
            // At once, even if a replica has a file of it.
            let _ = Command::new("umount").arg("--lazy").arg(&self.path).status();
        } else {
            let _ = fs::remove_file(&self.path);
        }
    }
}
