//! `wire-proxy audit`: what the results of tools cost in past sessions, and what they would have
//! cost. Files are only read, and nothing is sent.

mod bill;
mod cache;
mod call;
mod changes;
mod files;
mod html;
mod machine;
mod options;
mod read;
mod report;
mod session;
mod simulate;
mod totals;

use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use wire_tokens::TokenCounter;

use crate::agents::Agent;
use crate::audit::cache::Cache;
use crate::audit::files::Found;
use crate::audit::report::Report;
use crate::audit::simulate::Simulator;
use crate::audit::totals::Totals;
use crate::failure::{Failure, print, say};

use crate::text::{counted, printable};

pub(crate) use options::Audit;

/// The most workers; more need more memory, and no session has so many files.
const MOST_WORKERS: usize = 8;

pub(crate) fn run(options: &Audit) -> Result<u8, Failure> {
    let simulator = Simulator::new(options).map_err(Failure::Usage)?;
    let mut totals = Totals::default();
    let found = find(options, &mut totals)?;
    // The vocabulary is loaded once.
    simulator.counter.count("");
    work(&found, &simulator, &mut totals);
    let report = Report::new(&totals, options, &simulator);
    if let Some(path) = &options.html {
        fs::write(path, html::page(&report))
            .map_err(|error| Failure::Io(format!("{}: {error}", path.display())))?;
    }
    let text = if options.json { machine::json(&report) } else { report.text() };
    print(text.as_bytes())
}

/// The files to read, which are said first.
fn find(options: &Audit, totals: &mut Totals) -> Result<Vec<Found>, Failure> {
    let named = options.folder.as_ref();
    if let Some(folder) = named.filter(|folder| !folder.exists()) {
        return Err(Failure::Usage(format!("{}: there is no such folder", folder.display())));
    }
    let folders: Vec<(&str, PathBuf)> = match named {
        Some(folder) => vec![("sessions", folder.clone())],
        None => Agent::read()
            .flat_map(|agent| {
                agent.folders().into_iter().map(move |folder| (agent.title(), folder))
            })
            .collect(),
    };
    let mut all = Vec::new();
    for (title, folder) in &folders {
        let found = files::find(folder, totals);
        let bytes: u64 = found.iter().map(|file| file.bytes).sum();
        say(format_args!(
            "reads {title}: {}, {}, {:.1} MB; nothing is changed or sent",
            printable(&folder.display().to_string()),
            counted(found.len() as u64, "file"),
            megabytes(bytes)
        ));
        all.extend(found);
    }
    if folders.is_empty() {
        return Err(Failure::Usage(format!(
            "no sessions of {} are here; name their folder",
            Agent::read().map(Agent::title).collect::<Vec<_>>().join(", ")
        )));
    }
    all.sort_by(|a, b| (b.bytes, &a.path).cmp(&(a.bytes, &b.path)));
    all.dedup();
    Ok(all)
}

#[expect(clippy::cast_precision_loss, reason = "for people")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// Reads the files, the largest first. Counting takes nearly all of the time, so a worker for each
/// core counts first; the sums are then made in the order of the files, and are always the same.
fn work(found: &[Found], simulator: &Simulator, totals: &mut Totals) {
    let bytes: u64 = found.iter().map(|file| file.bytes).sum();
    let progress = ProgressBar::with_draw_target(Some(2 * bytes), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:40} {percent} %, {eta} left");
    progress.set_style(style.expect("because the template is ours"));
    let read = |file: &Found, cache: &Cache, totals: &mut Totals| {
        let read = || files::read(file, simulator, cache, totals, &progress);
        panic::catch_unwind(AssertUnwindSafe(read)).is_ok()
    };
    let (cache, next) = (Cache::default(), AtomicUsize::new(0));
    let count = || {
        let mut unused = Totals::default();
        while let Some(file) = found.get(next.fetch_add(1, Ordering::Relaxed)) {
            read(file, &cache, &mut unused);
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from).min(MOST_WORKERS);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(count);
        }
    });
    let cache = cache.with_counts_alone();
    for file in found {
        if !read(file, &cache, totals) {
            totals.skip("not read: a fault of this program", Path::new(&file.path));
        }
    }
    progress.finish_and_clear();
}
