//! A code graph over MCP, and on the command line.

mod answer;
mod extract;
mod index;
mod lang;
mod link;
mod listen;
mod rank;
mod scorecard;
mod server;
mod world;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use clap::{Args, Parser, Subcommand};
use rmcp::ServiceExt;

use answer::{Answer, Format, NodeFormat, Question, Tree};
use listen::Listen;
use server::Server;
use wire_store::Store;

/// Answers questions about a source tree over MCP: ranked symbols, and the calls between them.
///
/// Reads Rust, Python, JavaScript, TypeScript and Go, and writes nothing into the tree. As a server of
/// Claude Code: claude mcp add graph -- wire-graph .
#[derive(Debug, Parser)]
#[command(
    name = "wire-graph",
    version,
    args_conflicts_with_subcommands = true,
    max_term_width = 100
)]
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
    Context {
        /// What is to be done, in words.
        #[arg(long, required_unless_present = "files", conflicts_with = "files")]
        task: Option<String>,
        /// Files of the tree, from its root.
        files: Vec<String>,
        #[command(flatten)]
        how: How,
    },
    /// Prints what depends on a symbol, by distance.
    Blast {
        /// A qualified name, or an end of it that no other symbol has.
        symbol: String,
        /// How many edges are followed, at most 6.
        #[arg(long, value_name = "N", default_value_t = 2)]
        depth: i64,
        #[command(flatten)]
        how: How,
    },
    /// Prints the neighbours of a symbol in both directions, with path, line and signature.
    Query {
        /// A qualified name, or an end of it that no other symbol has.
        symbol: String,
        /// How many edges are followed, at most 3.
        #[arg(long, value_name = "N", default_value_t = 1)]
        depth: i64,
        /// The format of the answer.
        #[arg(long, value_enum, default_value_t)]
        format: NodeFormat,
        #[command(flatten)]
        on: On,
    },
    /// Prints the symbols and calls that are new, gone or changed between two revisions of git.
    Diff {
        /// The older revision.
        from: String,
        /// The newer revision [default: the files as they are].
        to: Option<String>,
        #[command(flatten)]
        how: How,
    },
    /// Prints all edges, one a line: file and line of the source, source, kind, target, how it is known.
    Edges {
        /// The folder of the source tree.
        #[arg(default_value = ".")]
        tree: PathBuf,
    },
    /// Prints what answers about the source of wire cost, as tables of Markdown.
    #[command(hide = true)]
    Scorecard {
        /// The commit of the tree; the ten before it are asked, too.
        #[arg(default_value = "HEAD")]
        commit: String,
        /// The folder of a clone of wire.
        #[arg(long, value_name = "FOLDER", default_value = ".")]
        tree: PathBuf,
    },
}

#[derive(Debug, Args)]
struct How {
    /// The format of the answer.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    on: On,
}

#[derive(Debug, Args)]
struct On {
    /// The most tokens of the answer (o200k).
    #[arg(long, value_name = "N", default_value_t = 5000)]
    token_budget: i64,
    /// The folder of the source tree.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    tree: PathBuf,
}

fn main() -> ExitCode {
    let Arguments { command, tree, listen } = Arguments::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let done = runtime.map_err(|error| error.to_string()).and_then(|runtime| {
        // The store waits on its clock and network.
        let _entered = runtime.enter();
        match command {
            None => runtime.block_on(serve(&tree, listen)),
            Some(command) => answer(command),
        }
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            let _ = writeln!(io::stderr(), "wire-graph: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// A tree whose folder there is.
fn open(folder: &Path, store: &str) -> Result<Tree, String> {
    let problem = |what: String| {
        format!("{}: {what}, expected the folder of a source tree", folder.display())
    };
    let root = fs::canonicalize(folder).map_err(|error| problem(error.to_string()))?;
    if !root.is_dir() {
        return Err(problem("not a folder".to_owned()));
    }
    let store = Store::open(store).map_err(|error| format!("--store: {error}"))?;
    Ok(Tree::new(root, store))
}

async fn serve(folder: &Path, listen: Listen) -> Result<(), String> {
    let store = listen.store.as_deref().unwrap_or(MEMORY);
    let is_one = listen.tenant_header.is_none();
    if store != MEMORY && is_one && !listen.single_tenant {
        return Err("a store that others may share needs --tenant-header NAME or --single-tenant"
            .to_owned());
    }
    // Failures of the store, a line a minute; rmcp has a line for each request.
    let errors = tracing_subscriber::fmt().with_writer(io::stderr).with_ansi(false);
    errors.with_max_level(tracing_subscriber::filter::LevelFilter::WARN).init();
    let tree = Arc::new(open(folder, store)?);
    let first = Arc::clone(&tree);
    // The first question finds it done, or waits for it.
    thread::spawn(move || {
        let begun = Instant::now();
        let world = first.world();
        let (files, symbols) = (world.graph.files.len(), world.graph.symbols.len());
        let edges = world.graph.edges.len();
        let mut lines = vec![format!(
            "{files} files, {symbols} symbols, {edges} edges in {:.1?}",
            begun.elapsed()
        )];
        lines.extend(first.report());
        for line in lines {
            let _ = writeln!(io::stderr(), "wire-graph: {line}");
        }
    });
    if let Some(address) = listen.address {
        if is_one {
            let _ = writeln!(io::stderr(), "wire-graph: all clients are one tenant");
        }
        return listen::serve(tree, address, listen)
            .await
            .map_err(|error| format!("{address}: {error}"));
    }
    let service = Server { tree, tenant_header: None }.serve(rmcp::transport::stdio()).await;
    let service = service.map_err(|error| error.to_string())?;
    service.waiting().await.map(|_| ()).map_err(|error| error.to_string())
}

/// The store of one process.
const MEMORY: &str = "memory:";

fn answer(command: Command) -> Result<(), String> {
    let answer = match command {
        Command::Context { task, files, how } => {
            pack(task.map_or(Question::Files(files), Question::Task), &how)?
        }
        Command::Blast { symbol, depth, how } => pack(
            Question::BlastRadius { symbol, depth: server::within("--depth", depth, 6)? },
            &how,
        )?,
        Command::Diff { from, to, how } => pack(Question::Difference { from, to }, &how)?,
        Command::Query { symbol, depth, format, on } => {
            let depth = server::within("--depth", depth, 3)?;
            open(&on.tree, MEMORY)?.query(&symbol, depth, format, on.budget()?)?
        }
        Command::Edges { tree } => edges(&open(&tree, MEMORY)?),
        Command::Scorecard { commit, tree } => {
            Answer::Text(scorecard::scorecard(&tree, &answer::registry(), &commit)?)
        }
    };
    let bytes = match answer {
        Answer::Text(text) if text.ends_with('\n') => text.into_bytes(),
        Answer::Text(text) => (text + "\n").into_bytes(),
        Answer::Bytes(bytes) => bytes,
    };
    match io::stdout().write_all(&bytes) {
        // Who reads it has read enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(|error| error.to_string()),
    }
}

fn pack(question: Question, how: &How) -> Result<Answer, String> {
    let tree = open(&how.on.tree, MEMORY)?;
    let payload = tree.payload(question, how.format, how.on.budget()?)?;
    tree.write(&payload, how.format, "", "")
}

impl On {
    fn budget(&self) -> Result<u64, String> {
        server::within("--token-budget", self.token_budget, server::MOST_TOKENS).map(u64::from)
    }
}

fn edges(tree: &Tree) -> Answer {
    let world = tree.world();
    let mut text = String::new();
    for edge in &world.graph.edges {
        let [source, target] = [edge.source, edge.target].map(|id| &world.graph.symbols[id]);
        let known = if edge.is_resolved { "ast_resolved" } else { "ast_inferred" };
        let path = &world.graph.files[source.file];
        text += &format!(
            "{path}:{}\t{}\t{}\t{}\t{known}\n",
            source.line, source.qualified, edge.kind, target.qualified
        );
    }
    Answer::Text(text)
}
