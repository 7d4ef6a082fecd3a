//! Reports of runs: Markdown and JSON, from their logs alone.

mod calls;
mod comprehension;
mod likelihood;
mod slips;
pub(crate) mod stats;
pub(crate) mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use serde_json::{Value, json};

use crate::failure::{Failure, print, read, say, write};
use crate::log::{Log, Outcome, Task};
use calls::is_reported;
use table::Table;

/// What to report.
#[derive(Clone, Debug, Args)]
pub(crate) struct ReportOptions {
    /// Log files of runs.
    #[arg(required = true, value_name = "LOG", value_hint = ValueHint::FilePath)]
    logs: Vec<PathBuf>,

    /// Output format.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ReportFormat::Markdown, conflicts_with = "write")]
    format: ReportFormat,

    /// The arm to compare the others with.
    #[arg(long, value_name = "ARM", default_value = BASELINE)]
    baseline: String,

    /// Write report.md and report.json to a folder instead.
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    write: Option<PathBuf>,

    /// As --write, with the logs beside them, so that `wire-eval verify` can check it all.
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, conflicts_with_all = ["write", "format", "baseline"])]
    publish: Option<PathBuf>,
}

/// The default baseline of comparisons.
pub(crate) const BASELINE: &str = "json";
/// Kinds of errors that are listed.
const MOST_ERRORS: usize = 10;

/// How to write a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    Markdown,
    Json,
}

/// The results of a run.
struct Section {
    title: String,
    facts: Vec<String>,
    tables: Vec<Table>,
}

pub(crate) fn run(options: &ReportOptions) -> Result<(), Failure> {
    let logs = options.logs.iter().map(|path| Log::read(path)).collect::<Result<Vec<_>, _>>()?;
    let mut arms = logs.iter().flat_map(|log| &log.run.arms);
    if options.baseline != BASELINE && !arms.any(|arm| *arm == options.baseline) {
        let message =
            format!("--baseline is {:?}, which is not an arm of these runs", options.baseline);
        return Err(Failure::Usage(message));
    }
    let report = Report::new(&logs, &options.baseline);
    match options.write.as_ref().or(options.publish.as_ref()) {
        Some(folder) => {
            std::fs::create_dir_all(folder)
                .map_err(|source| Failure::Output { file: folder.display().to_string(), source })?;
            for (name, text) in report.files() {
                write(&folder.join(name), &text)?;
            }
            let logs = options.logs.iter().filter(|_| options.publish.is_some());
            for (index, log) in logs.enumerate() {
                // Sorted by name they are in the order of the report.
                write(&folder.join(format!("run-{:02}.jsonl", index + 1)), &read(log)?)?;
            }
            Ok(())
        }
        None => print(&match options.format {
            ReportFormat::Markdown => report.markdown(),
            ReportFormat::Json => report.json(),
        }),
    }
}

/// Prints the report of a run that has ended, if it was more than a plan.
///
/// # Errors
///
/// Provider: calls failed. The report is printed all the same.
pub(crate) fn print_of(run: Option<Log>) -> Result<(), Failure> {
    let Some(log) = run else { return Ok(()) };
    print(&Report::new(std::slice::from_ref(&log), BASELINE).markdown())?;
    let kinds = failures(&log);
    if kinds.is_empty() {
        return Ok(());
    }
    for (error, count) in &kinds {
        say("warning", &format!("failed {count} times: {error}"));
    }
    let failed: usize = kinds.iter().map(|(_, count)| count).sum();
    let all = log.calls.len();
    Err(Failure::Provider(format!("{failed} of {all} calls failed; --resume makes them again")))
}

/// The kinds of failures, the most frequent first: an example of each, and its number of calls.
/// Messages of one kind differ only in their numbers, as those of prompts that are too long.
fn failures(log: &Log) -> Vec<(String, usize)> {
    let mut kinds: BTreeMap<String, (String, usize)> = BTreeMap::new();
    for call in &log.calls {
        let Outcome::Failed { error } = &call.outcome else { continue };
        let error = error.split_whitespace().collect::<Vec<_>>().join(" ");
        // The status is the kind; other numbers are of this call.
        let status = error.split(':').next().filter(|status| status.starts_with("status "));
        let kind = error.replace(|letter: char| letter.is_ascii_digit(), "");
        let kind = format!("{}{kind}", status.unwrap_or_default());
        kinds.entry(kind).or_insert((error, 0)).1 += 1;
    }
    let mut kinds: Vec<(String, usize)> = kinds.into_values().collect();
    kinds.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    kinds
}

/// A report of runs.
pub(crate) struct Report(Vec<Section>);

impl Report {
    pub(crate) fn new(logs: &[Log], baseline: &str) -> Self {
        Report(Log::pooled(logs).iter().map(|log| section(log, baseline)).collect())
    }

    /// As Markdown.
    pub(crate) fn markdown(&self) -> String {
        let mut text = "# Evaluation\n".to_owned();
        for section in &self.0 {
            let _ = writeln!(text, "\n## {}\n", section.title);
            for fact in &section.facts {
                let _ = writeln!(text, "- {fact}");
            }
            text.extend(section.tables.iter().map(|table| table.markdown(3)));
        }
        text
    }

    /// The files of a report.
    pub(crate) fn files(&self) -> [(&'static str, String); 2] {
        [("report.md", self.markdown()), ("report.json", self.json())]
    }

    fn json(&self) -> String {
        let section = |section: &Section| {
            let tables: Vec<Value> = section.tables.iter().map(Table::object).collect();
            json!({ "title": section.title, "facts": section.facts, "tables": tables })
        };
        let runs: Vec<Value> = self.0.iter().map(section).collect();
        format!("{:#}\n", json!({ "runs": runs }))
    }
}

fn section(log: &Log, baseline: &str) -> Section {
    let mut models = BTreeSet::new();
    let (mut answered, mut cut) = (0, 0);
    for call in &log.calls {
        match &call.outcome {
            Outcome::Answered { model, is_cut, .. } => {
                models.extend(model.as_deref());
                answered += 1;
                cut += usize::from(*is_cut);
            }
            Outcome::Failed { .. } => {}
        }
    }
    let run = &log.run;
    let models: Vec<&str> = models.into_iter().collect();
    let models = if models.is_empty() { "not stated".to_owned() } else { models.join(", ") };
    let temperature =
        run.temperature.map_or("the provider's".to_owned(), |temperature| temperature.to_string());
    let mut facts = vec![
        format!("Backend: {}; model as it calls itself: {models}", run.backend),
        format!(
            "wire-eval {}, {}, repeats: {}, temperature: {temperature}, answers of at most {} tokens",
            run.wire_eval,
            run.seeds_in_words(),
            run.repeats,
            run.max_tokens
        ),
        format!(
            "{}{} calls: {answered} answered, {} failed (neither right nor wrong), {cut} answers cut off",
            log.calls.len(),
            if run.calls > log.calls.len() { format!(" of {}", run.calls) } else { String::new() },
            log.calls.len() - answered
        ),
        format!(
            "Tokens of prompts: {}",
            if is_reported(log) {
                "as the provider counts them".to_owned()
            } else {
                format!("estimated by {}", run.counter)
            }
        ),
    ];
    if run.backend.starts_with("mock") {
        facts.insert(
            0,
            "**No model was asked**: the answers are those of a mock, which tests `wire-eval`."
                .to_owned(),
        );
    }
    if run.examples > 0 {
        facts.push(format!(
            "Each question is a text to go on with, after {} examples of its kind about other data",
            run.examples
        ));
    }
    if run.task == Task::Conversation {
        facts.push("Before each question are the right answers to those before it, so that a mistake counts once and every arm has the same context".to_owned());
    }
    if let Some(price) = run.price_input {
        let output = run
            .price_output
            .map_or(String::new(), |price| format!(", {price} a million tokens of answers"));
        facts.push(format!(
            "Prices as given for the run: {price} a million tokens of prompts{output}"
        ));
    }
    if run.repeats < 3 && run.temperature != Some(0.0) {
        facts.push("Fewer than three repeats: how much answers vary is not known".to_owned());
    }
    let errors = failures(log);
    for (error, count) in errors.iter().take(MOST_ERRORS) {
        facts.push(format!("Failed {count} times: {error}"));
    }
    if errors.len() > MOST_ERRORS {
        facts.push(format!("{} other kinds of errors, in the log", errors.len() - MOST_ERRORS));
    }
    if !errors.is_empty() {
        facts.push(
            "Where calls failed in one format and not in another, only the pairs below compare the same questions".to_owned(),
        );
    }
    let (title, tables) = match run.task {
        Task::Comprehension => ("Comprehension", comprehension::tables(log, baseline)),
        Task::Conversation => ("Conversation", comprehension::tables(log, baseline)),
    };
    Section { title: format!("{title}: {}", run.backend), facts, tables }
}
