//! A code graph over MCP, and on the command line.

mod answer;
mod extract;
mod index;
mod lang;
mod link;
mod listen;
mod rank;
mod server;
mod world;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, anyhow, bail, ensure};
use clap::{Args, CommandFactory, Parser, Subcommand};
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use tokio::io::AsyncWriteExt as _;
use tokio::task;

use answer::{Answer, Between, How, Neighbours, Question, Radius, Tree};
use listen::Listen;
use server::Server;
use wire_store::Store;

/// Answers questions about a source tree over MCP: ranked symbols, and the calls between them.
///
/// Reads Rust, Python, JavaScript, TypeScript and Go, and writes nothing into the tree. As a server of
/// Claude Code: claude mcp add graph -- wire-graph .
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,

    /// The folder of the source tree.
    #[arg(default_value = ".")]
    tree: PathBuf,

    #[command(flatten)]
    listen: Listen,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Prints the symbols that matter for a task, or those in and around files.
    Context(Asked<Context>),
    /// Prints what depends on a symbol, by distance.
    Blast(Asked<Radius>),
    /// Prints the neighbours of a symbol in both directions, with path, line and signature.
    Query(Asked<Neighbours, ()>),
    /// Prints the symbols and calls that are new, gone or changed between two revisions of git.
    Diff(Asked<Between>),
    /// Prints all edges, one a line: file and line of the source, source, kind, target, how it is known.
    Edges(Asked<(), ()>),
}

#[derive(Debug, Args)]
struct Asked<W: Args, H: Args = How> {
    #[command(flatten)]
    what: W,
    #[command(flatten)]
    how: H,
    /// The folder of the source tree.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    tree: PathBuf,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct Context {
    /// What is to be done, in words.
    #[arg(long)]
    task: Option<String>,
    /// Files of the tree, from its root.
    files: Vec<String>,
}

#[tokio::main]
async fn main() {
    let Arguments { command, tree, listen } = Arguments::parse();
    let done = match command {
        None => serve(&tree, listen).await,
        // It waits for a store.
        Some(command) => task::block_in_place(|| print(command)),
    };
    if let Err(problem) = &done {
        let _ = writeln!(io::stderr(), "wire-graph: {problem}");
    }
    // Questions that nobody waits for any more end, too.
    process::exit(i32::from(done.is_err()))
}

/// A tree whose folder there is.
fn open(folder: &Path, store: &str) -> Result<Tree> {
    let expected = "expected the folder of a source tree";
    let root = fs::canonicalize(folder).map_err(|error| {
        let command = Arguments::command();
        let commands: Vec<_> = command.get_subcommands().map(clap::Command::get_name).collect();
        anyhow!("{}: {error}, {expected}, or one of: {}", folder.display(), commands.join(", "))
    })?;
    ensure!(root.is_dir(), "{}: not a folder, {expected}", folder.display());
    let store = Store::open(store).map_err(|error| anyhow!("--store: {error}"))?;
    Ok(Tree::new(root, store))
}

async fn serve(folder: &Path, listen: Listen) -> Result<()> {
    let store = listen.store.as_deref().unwrap_or(MEMORY);
    let is_one = listen.tenant_header.is_none();
    if store != MEMORY && is_one && !listen.single_tenant {
        bail!("a store that others may share needs --tenant-header NAME or --single-tenant");
    }
    // Failures of the store, a line a minute; rmcp has a line for each request.
    let errors = tracing_subscriber::fmt().with_writer(io::stderr).with_ansi(false);
    errors.with_max_level(tracing_subscriber::filter::LevelFilter::WARN).init();
    let tree = Arc::new(open(folder, store)?);
    let first = Arc::clone(&tree);
    // The first question finds it done, or waits for it.
    task::spawn_blocking(move || {
        let begun = Instant::now();
        let graph = &first.world().0.graph;
        let (files, symbols, edges) = (graph.files.len(), graph.symbols.len(), graph.edges.len());
        let time = begun.elapsed();
        let counts = format!("{files} files, {symbols} symbols, {edges} edges in {time:.1?}");
        for line in [counts].into_iter().chain(first.report()) {
            let _ = writeln!(io::stderr(), "wire-graph: {line}");
        }
    });
    if let Some(address) = listen.address.clone() {
        if is_one {
            let _ = writeln!(io::stderr(), "wire-graph: all clients are one tenant");
        }
        return listen::serve(tree, &address, listen)
            .await
            .map_err(|error| anyhow!("{address}: {error}"));
    }
    // Clients may end standard input before they have their answers. The service waits five seconds
    // for these once it has read the end, so it reads that after the first index.
    let (input, mut all) = tokio::io::simplex(1 << 16);
    let indexed = Arc::clone(&tree);
    tokio::spawn(async move {
        let _ = tokio::io::copy(&mut tokio::io::stdin(), &mut all).await;
        let _ = task::spawn_blocking(move || drop(indexed.world())).await;
        all.shutdown().await
    });
    match Server(tree).serve((input, tokio::io::stdout())).await {
        Ok(service) => service.waiting().await.map(drop).map_err(Into::into),
        // A client that goes before it has begun.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// The store of one process.
const MEMORY: &str = "memory:";

fn print(command: Command) -> Result<()> {
    let answer = match command {
        Command::Context(Asked { what: Context { task, files }, how, tree }) => {
            pack(&tree, task.map_or(Question::Files(files), Question::Task), &how)?
        }
        Command::Blast(Asked { what, how, tree }) => pack(&tree, Question::Radius(what), &how)?,
        Command::Diff(Asked { what, how, tree }) => pack(&tree, Question::Between(what), &how)?,
        Command::Query(Asked { what, tree, .. }) => open(&tree, MEMORY)?.query(&what)?,
        Command::Edges(Asked { tree, .. }) => Answer::Text(edges(&open(&tree, MEMORY)?)),
    };
    let bytes = match answer {
        Answer::Text(text) => format!("{}\n", text.trim_end_matches('\n')).into_bytes(),
        Answer::Bytes(bytes) => bytes,
    };
    match io::stdout().write_all(&bytes) {
        // Who reads it has read enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

fn pack(tree: &Path, question: Question, how: &How) -> Result<Answer> {
    open(tree, MEMORY)?.pack(question, how, "", "")
}

fn edges(tree: &Tree) -> String {
    let graph = &tree.world().0.graph;
    let line = |edge: &link::Edge| {
        let [source, target] = [edge.source, edge.target].map(|id| &graph.symbols[id]);
        let known = if edge.is_resolved { "ast_resolved" } else { "ast_inferred" };
        let path = index::printable(&graph.files[source.file]);
        let (line, kind) = (source.line, edge.kind);
        format!("{path}:{line}\t{}\t{kind}\t{}\t{known}\n", source.qualified, target.qualified)
    };
    graph.edges.iter().map(line).collect()
}
