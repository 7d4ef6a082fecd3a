//! A run: its estimate, its calls, and its log.

mod calls;
pub(crate) mod options;
pub(crate) mod prompt;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use indicatif::{ProgressBar, ProgressStyle};
use wire_core::TokenCounter;
use wire_tokens::{Counter, digest};

use crate::args::RunSeeds;
use crate::backend::BackendOptions;
use crate::failure::{Failure, say};
use crate::log::{Key, Log, Measure, Outcome, Run, Task, Writer, is_begun};
use calls::{Calls, Stop};
use options::RunOptions;
use prompt::Prompt;

/// Tokens of prompts that are sent without being asked again.
const UNASKED: usize = 2_000_000;

/// The questions, and their data.
pub(crate) struct Plan {
    pub(crate) task: Task,
    pub(crate) prompts: Vec<Prompt>,
    pub(crate) seeds: RunSeeds,
    pub(crate) arms: Vec<String>,
    pub(crate) measure: Measure,
    pub(crate) examples: u32,
}

/// Sends the prompts, and returns the log when all are answered or have failed. None: nothing was
/// to be sent.
pub(crate) fn run(
    plan: Plan,
    log_path: &Path,
    backend_options: &BackendOptions,
    options: &RunOptions,
) -> Result<Option<Log>, Failure> {
    let Plan { task, mut prompts, seeds, arms, measure, examples } = plan;
    if measure == Measure::Likelihood {
        backend_options.check_likelihood()?;
    }
    let mut known = BTreeSet::new();
    if let Some(twice) = prompts.iter().find(|prompt| !known.insert(&prompt.key)) {
        let message = format!(
            "{} appears twice, expected data of different names and sizes",
            twice.key.dataset
        );
        return Err(Failure::Usage(message));
    }
    if let Some(most) = options.max_context {
        fit(&mut prompts, most as usize, backend_options.max_tokens() as usize, options.counter)?;
    }
    let keyed = prompts.iter().map(|prompt| {
        let Key { dataset, arm, question, number, .. } = &prompt.key;
        let given = prompt.given.as_ref().map(|given| format!("{given}\n")).unwrap_or_default();
        format!("{dataset}\n{arm}\n{question}\n{number}\n{}\n{given}", prompt.sent.sha256)
    });
    // Without randomness, the same prompt has the same answer.
    let is_greedy = backend_options.temperature() == Some(0.0);
    let repeats = options.repeats.unwrap_or(if is_greedy { 1 } else { 3 });
    let prompts_sha256 = digest(&keyed.collect::<String>());
    let this = Run {
        task,
        wire_eval: env!("CARGO_PKG_VERSION").to_owned(),
        backend: backend_options.label(),
        temperature: backend_options.temperature(),
        max_tokens: backend_options.max_tokens(),
        seed: seeds.first,
        seeds: seeds.named,
        repeats,
        calls: prompts.len() * repeats as usize,
        arms,
        measure,
        examples,
        stop: backend_options.stop().to_vec(),
        counter: options.counter.name().to_owned(),
        price_input: options.price_input,
        price_output: options.price_output,
        prompts_sha256,
    };
    if log_path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(Failure::Usage(format!(
            "{} is not a regular file, expected the name of a log, which is read again",
            log_path.display()
        )));
    }
    let earlier = earlier(log_path, options)?;
    if let Some(log) = &earlier
        && log.run != this
        && log.has_answers()
    {
        return Err(Failure::Usage(format!(
            "{} is of another run ({}), expected the same backend, data, questions and options to go on with it, or another --log",
            log_path.display(),
            difference(&log.run, &this),
        )));
    }
    let answered = earlier.as_ref().map(Log::answered).unwrap_or_default();
    let tokens = tokens(&prompts, options.counter);
    let calls = calls(&prompts, repeats, is_greedy, &answered);
    let asked = calls.iter().map(Vec::len).sum();
    let input: usize = calls.iter().map(|same| tokens[same[0].0]).sum();
    estimate((calls.len(), asked, answered.len(), input), backend_options, options);
    if options.dry_run {
        return Ok(None);
    }
    if input > UNASKED && backend_options.may_cost() && !options.yes {
        return Err(Failure::Usage(format!(
            "that is more than {UNASKED} tokens, expected --yes, or fewer --sizes, --arms or --repeats"
        )));
    }
    let backend = backend_options.backend()?;
    let writer = Writer::open(log_path, &this, earlier.as_ref())?;
    let progress = progress(calls.len());
    let concurrency = options.concurrency.unwrap_or(if backend_options.is_local() { 1 } else { 4 });
    let calls_of = Calls {
        prompts: &prompts,
        tokens: &tokens,
        options,
        concurrency: concurrency.into(),
        measure,
        ends: backend_options.stop(),
        stop: Stop::default(),
        is_answered: AtomicBool::new(false),
    };
    let made = calls_of.make(&calls, &*backend, writer, &progress);
    progress.finish_and_clear();
    if let Err(Failure::Provider(message)) = &made
        && Log::read(log_path).is_ok_and(|log| log.has_answers())
    {
        return Err(Failure::Provider(format!(
            "{message}; what was answered is in the log, and --resume goes on"
        )));
    }
    made?;
    complete(log_path, answered.len(), asked).map(Some)
}

/// The calls that are not answered yet. Those of one prompt are together if the answer is the same:
/// the first is made for all.
fn calls(
    prompts: &[Prompt],
    repeats: u32,
    is_greedy: bool,
    answered: &BTreeSet<&Key>,
) -> Vec<Vec<(usize, Key)>> {
    let mut calls: Vec<Vec<(usize, Key)>> = Vec::new();
    let mut first = BTreeMap::new();
    for repeat in 1..=repeats {
        for (index, prompt) in prompts.iter().enumerate() {
            let key = Key { repeat, ..prompt.key.clone() };
            if answered.contains(&key) {
                continue;
            }
            let place = *first.entry(&prompt.sent.sha256).or_insert(calls.len());
            if is_greedy && place < calls.len() {
                calls[place].push((index, key));
            } else {
                calls.push(vec![(index, key)]);
            }
        }
    }
    calls
}

/// Leaves out questions that don't fit into the context in one of the arms, so that all arms are
/// asked the same, and says which.
///
/// # Errors
///
/// Usage: nothing is left.
fn fit(
    prompts: &mut Vec<Prompt>,
    most: usize,
    answer: usize,
    counter: Counter,
) -> Result<(), Failure> {
    let question = |prompt: &Prompt| {
        let Key { dataset, question, number, .. } = &prompt.key;
        (dataset.clone(), question.clone(), *number)
    };
    let too_long: BTreeSet<_> = prompts
        .iter()
        .zip(tokens(prompts, counter))
        .filter(|(_, tokens)| tokens + answer > most)
        .map(|(prompt, _)| question(prompt))
        .collect();
    let all = prompts.len();
    prompts.retain(|prompt| !too_long.contains(&question(prompt)));
    if prompts.is_empty() {
        let message = format!("no question fits into --max-context {most} in every arm");
        return Err(Failure::Usage(message));
    }
    if !too_long.is_empty() {
        let datasets: BTreeSet<&str> = too_long.iter().map(|(dataset, ..)| &**dataset).collect();
        let datasets = datasets.into_iter().collect::<Vec<_>>().join(", ");
        let left_out = all - prompts.len();
        say(
            "note",
            &format!(
                "{left_out} prompts don't fit into {most} tokens with an answer of {answer} in every arm, and are left out: of {datasets}"
            ),
        );
    }
    Ok(())
}

/// The log of a run that had `answered` calls before and was to make `asked`, if all were made and
/// some were answered.
fn complete(log_path: &Path, answered: usize, asked: usize) -> Result<Log, Failure> {
    let log = Log::read(log_path)?;
    let failed =
        log.calls.iter().filter(|call| matches!(call.outcome, Outcome::Failed { .. })).count();
    if failed > 0 && failed == log.calls.len() {
        let made = if failed < asked {
            format!("; the run stopped after {failed} of {asked} calls")
        } else {
            String::new()
        };
        return Err(Failure::Provider(format!(
            "every call failed, the first with: {}{made}",
            first_error(&log).unwrap_or_default()
        )));
    }
    let all = answered + asked;
    if log.calls.len() < all {
        return Err(Failure::Provider(format!(
            "the first calls failed, the first with: {}; the run stopped, and {} of {all} calls were not made; what was answered is in the log, and --resume goes on",
            first_error(&log).unwrap_or_default(),
            all - log.calls.len(),
        )));
    }
    Ok(log)
}

/// The log that the run goes on with, or begins anew because it has no answers.
fn earlier(path: &Path, options: &RunOptions) -> Result<Option<Log>, Failure> {
    if !is_begun(path) || (options.dry_run && !options.resume) {
        return Ok(None);
    }
    if options.resume {
        return Log::read(path).map(Some);
    }
    match Log::read(path) {
        Ok(log) if !log.has_answers() => Ok(Some(log)),
        _ => Err(Failure::Usage(format!(
            "{} exists, expected a new name, or --resume to go on with its run",
            path.display()
        ))),
    }
}

/// The tokens of each prompt. A conversation's context is known once, and not again with each turn.
fn tokens(prompts: &[Prompt], counter: Counter) -> Vec<usize> {
    let mut known = BTreeMap::<&str, usize>::new();
    let mut tokens = Vec::new();
    for Prompt { sent, .. } in prompts {
        let before = sent.after.as_ref().map_or(0, |(before, answer)| {
            let before = known.get(before.sha256.as_str());
            before.copied().unwrap_or_default() + counter.count(answer)
        });
        let sum = before + counter.count(&sent.text);
        known.insert(&sent.sha256, sum);
        tokens.push(sum);
    }
    tokens
}

fn first_error(log: &Log) -> Option<&str> {
    log.calls.iter().find_map(|call| match &call.outcome {
        Outcome::Failed { error } => Some(error.as_str()),
        Outcome::Answered { .. } => None,
    })
}

/// The first thing in which two runs differ.
fn difference(there: &Run, here: &Run) -> String {
    let values = |run: &Run| serde_json::to_value(run).expect("because a run is plain data");
    let (there, here) = (values(there), values(here));
    let mut names =
        [&there, &here].into_iter().filter_map(|run| run.as_object()).flat_map(|run| run.keys());
    let name = names.find(|name| there[name.as_str()] != here[name.as_str()]);
    let said = |name: &String| {
        format!("{name}: there {}, here {}", there[name.as_str()], here[name.as_str()])
    };
    name.map(said).unwrap_or_default()
}

/// Prints the number of calls and the estimate before the run.
fn estimate(
    (calls, asked, answered, input): (usize, usize, usize, usize),
    backend: &BackendOptions,
    options: &RunOptions,
) {
    let output = calls * backend.max_tokens() as usize;
    let mut before = String::new();
    if asked > calls {
        before += &format!(", for {asked} with equal prompts, which are sent once");
    }
    if answered > 0 {
        before += &format!(", {answered} are answered already");
    }
    let mut text = format!(
        "{calls} calls of {}{before}; ≈ {input} tokens of prompts by {}, at most {output} of answers",
        backend.label(),
        options.counter,
    );
    if let Some(price) = options.price_input {
        #[allow(clippy::cast_precision_loss)] // prices need no 53 bits
        let cost = |tokens: usize, price: f64| tokens as f64 * price / 1e6;
        let answers = options.price_output.map(|price| cost(output, price));
        let answers = answers.map(|cost| format!(", at most {cost:.2} for answers"));
        text +=
            &format!("; ≈ {:.2} for prompts{}", cost(input, price), answers.unwrap_or_default());
    }
    say("note", &text);
}

fn progress(calls: usize) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} calls, {eta} left {msg}");
    ProgressBar::new(calls as u64).with_style(style.expect("because the template is valid"))
}
