//! Making the calls: several at a time, again where they fail, and into a log.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use wire_core::{Payload, TokenCounter};
use wire_tokens::{Counter, digest};

use crate::args::{counter, say};
use crate::backend::{Backend, BackendOptions, Problem};
use crate::failure::Failure;
use crate::generation;
use crate::log::{Call, Judged, Key, Log, Outcome, Run, Task, Writer, is_begun};
use crate::question::{Context, Score, Truth, score};

/// How calls are made.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "How it is run")]
pub(crate) struct RunOptions {
    /// How often each prompt is sent.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) repeats: u32,

    /// Go on with the run of the log: calls that were answered are not made again, those that failed are.
    #[arg(long)]
    resume: bool,

    /// Say what would be asked and what it would cost, and ask nothing.
    #[arg(long)]
    dry_run: bool,

    /// Calls at a time.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: u16,

    /// How often a call that fails is made; each time the wait before it doubles, or is what the provider asks for.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=20))]
    attempts: u32,

    /// Seconds before a call is made for the second time.
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = amount)]
    backoff: f64,

    /// Send more than two million tokens to somebody who may charge for them.
    #[arg(long)]
    yes: bool,

    /// What counts the tokens of the estimate.
    #[arg(long, value_name = "COUNTER", default_value_t = Counter::Cl100kBase, value_parser = counter())]
    pub(crate) counter: Counter,

    /// The price of a million tokens of prompts, in whatever currency.
    #[arg(long, value_name = "PRICE", value_parser = amount)]
    price_input: Option<f64>,

    /// The price of a million tokens of answers.
    #[arg(long, value_name = "PRICE", requires = "price_input", value_parser = amount)]
    price_output: Option<f64>,
}

fn amount(text: &str) -> Result<f64, String> {
    let amount = text.parse().ok().filter(|amount: &f64| (0.0..=1e9).contains(amount));
    amount.ok_or_else(|| "expected a number from 0".to_owned())
}

/// Tokens of prompts that are sent without being asked again.
const UNASKED: usize = 2_000_000;

/// A prompt, and how its answers are judged.
pub(crate) struct Prompt {
    pub(crate) key: Key,
    pub(crate) family: &'static str,
    pub(crate) size: usize,
    pub(crate) text: Arc<str>,
    pub(crate) judge: Judge,
}

/// What makes an answer right.
pub(crate) enum Judge {
    Question { truth: Truth, context: Arc<Context> },
    Payload(Arc<Payload<'static>>),
}

impl Prompt {
    fn judged(&self, answer: &str) -> Judged {
        match &self.judge {
            Judge::Question { truth, context } => {
                let Score { exact, lenient } = score(truth, context, answer);
                Judged::Score { exact, lenient }
            }
            Judge::Payload(wanted) => {
                Judged::Written(generation::compare(&self.key.arm, wanted, answer))
            }
        }
    }

    fn expected(&self) -> Option<String> {
        match &self.judge {
            Judge::Question { truth, .. } => Some(truth.answer()),
            Judge::Payload(_) => None,
        }
    }
}

/// The longest wait between two calls, unless the provider asks for a longer one.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// Sends the prompts, and returns the log when all are answered or have failed. None: nothing was to be sent.
pub(crate) fn run(
    task: Task,
    prompts: &[Prompt],
    (seed, arms, log_path): (u64, Vec<String>, &PathBuf),
    (backend_options, options): (&BackendOptions, &RunOptions),
) -> Result<Option<Log>, Failure> {
    let digests: Vec<String> = prompts.iter().map(|prompt| digest(&prompt.text)).collect();
    let mut known = BTreeSet::new();
    if let Some(twice) = prompts.iter().find(|prompt| !known.insert(&prompt.key)) {
        let message = format!(
            "{} is there twice, expected data of different names and sizes",
            twice.key.material
        );
        return Err(Failure::Usage(message));
    }
    let keyed = prompts.iter().zip(&digests).map(|(prompt, digest)| {
        let Key { material, arm, question, number, .. } = &prompt.key;
        format!("{material}\n{arm}\n{question}\n{number}\n{digest}\n")
    });
    let prompts_sha256 = digest(&keyed.collect::<String>());
    let this = Run {
        task,
        wire_eval: env!("CARGO_PKG_VERSION").to_owned(),
        backend: backend_options.label(),
        temperature: backend_options.temperature(),
        max_tokens: backend_options.max_tokens(),
        seed,
        repeats: options.repeats,
        arms,
        counter: options.counter.as_str().to_owned(),
        prompts_sha256,
    };
    if log_path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(Failure::Usage(format!(
            "{} is no regular file, expected a name for a log, which is read again",
            log_path.display()
        )));
    }
    let is_begun = is_begun(log_path);
    if is_begun && !options.resume {
        return Err(Failure::Usage(format!(
            "{} exists, expected a new name, or --resume to go on with its run",
            log_path.display()
        )));
    }
    let earlier = is_begun.then(|| Log::read(log_path)).transpose()?;
    if let Some(log) = &earlier
        && log.run != this
    {
        return Err(Failure::Usage(format!(
            "{} is of another run ({}), expected the same backend, data, questions and options to go on with it, or another --log",
            log_path.display(),
            difference(&log.run, &this),
        )));
    }
    let answered = earlier.as_ref().map(Log::answered).unwrap_or_default();
    let tokens: Vec<usize> =
        prompts.iter().map(|prompt| options.counter.count(&prompt.text)).collect();
    let mut calls: Vec<(usize, Key)> = Vec::new();
    for repeat in 1..=options.repeats {
        for (index, prompt) in prompts.iter().enumerate() {
            let key = Key { repeat, ..prompt.key.clone() };
            if !answered.contains(&key) {
                calls.push((index, key));
            }
        }
    }
    let input: usize = calls.iter().map(|(index, _)| tokens[*index]).sum();
    estimate((calls.len(), answered.len(), input), backend_options, options);
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
    let calls_of =
        Calls { prompts, digests: &digests, tokens: &tokens, options, stop: Stop::default() };
    let made = calls_of.make(&calls, &*backend, writer, &progress);
    progress.finish_and_clear();
    made?;
    let log = Log::read(log_path)?;
    let failed =
        log.calls.iter().filter(|call| matches!(call.outcome, Outcome::Failed { .. })).count();
    if failed > 0 && failed == log.calls.len() {
        return Err(Failure::Provider(format!(
            "every call failed, the first with: {}",
            first_error(&log).unwrap_or_default()
        )));
    }
    if failed > 0 {
        let noun = if failed == 1 { "call" } else { "calls" };
        say("warning", &format!("{failed} {noun} failed; --resume makes them again"));
    }
    Ok(Some(log))
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
    let members = there.as_object().into_iter().flatten();
    members
        .filter(|(name, value)| here[name.as_str()] != **value)
        .map(|(name, value)| format!("{name}: there {value}, here {}", here[name.as_str()]))
        .next()
        .unwrap_or_default()
}

/// Says what it is about to do.
fn estimate(
    (calls, answered, input): (usize, usize, usize),
    backend: &BackendOptions,
    options: &RunOptions,
) {
    let output = calls * backend.max_tokens() as usize;
    let before =
        if answered > 0 { format!(", {answered} are answered already") } else { String::new() };
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

struct Calls<'a> {
    prompts: &'a [Prompt],
    digests: &'a [String],
    tokens: &'a [usize],
    options: &'a RunOptions,
    stop: Stop,
}

/// Wakes those who wait when the run stops.
#[derive(Default)]
struct Stop(Mutex<bool>, Condvar);

impl Stop {
    const UNPOISONED: &str = "because nothing panics while it is held";

    fn stop(&self) {
        *self.0.lock().expect(Self::UNPOISONED) = true;
        self.1.notify_all();
    }

    /// Waits so long, or until the run stops; says which.
    fn wait(&self, time: Duration) -> bool {
        let stopped = self.0.lock().expect(Self::UNPOISONED);
        let waited = self.1.wait_timeout_while(stopped, time, |stopped| !*stopped);
        *waited.expect(Self::UNPOISONED).0
    }
}

/// A wait that is worth a word.
const LONG_WAIT: Duration = Duration::from_secs(30);

impl Calls<'_> {
    /// Makes the calls. Stops where there is no hope, or the log can't be written.
    fn make(
        &self,
        calls: &[(usize, Key)],
        backend: &dyn Backend,
        writer: Writer,
        progress: &ProgressBar,
    ) -> Result<(), Failure> {
        let next = AtomicUsize::new(0);
        let shared = Mutex::new((writer, None));
        thread::scope(|scope| {
            for _ in 0..usize::from(self.options.concurrency).min(calls.len()) {
                scope.spawn(|| {
                    while let Some((index, key)) = calls.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let prompt = &self.prompts[*index];
                        let made = self.call(*index, key, backend);
                        let mut shared = shared.lock().expect("because no call panics");
                        let written = match made {
                            Ok(Some(call)) => shared.0.call(call, &prompt.text),
                            Ok(None) => return,
                            Err(failure) => Err(failure),
                        };
                        if let Err(failure) = written {
                            shared.1.get_or_insert(failure);
                            next.store(calls.len(), Ordering::Relaxed);
                            self.stop.stop();
                        }
                        progress.inc(1);
                    }
                });
            }
        });
        let (_, failure) = shared.into_inner().expect("because no call panics");
        failure.map_or(Ok(()), Err)
    }

    fn first_wait(&self) -> Duration {
        Duration::from_secs_f64(self.options.backoff.min(3600.0))
    }

    /// Waits double up to this.
    fn longest_wait(&self) -> Duration {
        LONGEST_WAIT.max(self.first_wait())
    }

    /// Makes a call, again and again where it fails; none when the run stops meanwhile.
    fn call(
        &self,
        index: usize,
        key: &Key,
        backend: &dyn Backend,
    ) -> Result<Option<Call>, Failure> {
        let prompt = &self.prompts[index];
        let mut wait = self.first_wait();
        let mut attempts = 0;
        let outcome = loop {
            attempts += 1;
            match backend.ask(&prompt.text, attempts) {
                Ok(reply) => {
                    break Outcome::Answered {
                        judged: prompt.judged(&reply.text),
                        answer: reply.text,
                        model: reply.model,
                        input_tokens: reply.input_tokens,
                        output_tokens: reply.output_tokens,
                        is_cut: reply.is_cut,
                    };
                }
                Err(Problem::Hopeless(message)) => {
                    return Err(Failure::Provider(format!(
                        "the provider refuses: {message}; what was answered is in the log, and --resume goes on"
                    )));
                }
                Err(Problem::Passing { after, .. }) if attempts < self.options.attempts => {
                    let time = after.unwrap_or(wait.min(self.longest_wait()));
                    if time > LONG_WAIT {
                        say(
                            "note",
                            &format!("waiting for {} s, as the provider asks", time.as_secs()),
                        );
                    }
                    if self.stop.wait(time) {
                        return Ok(None);
                    }
                    wait = wait.saturating_mul(2);
                }
                Err(Problem::Passing { message, .. } | Problem::Refused(message)) => {
                    break Outcome::Failed { error: message };
                }
            }
        };
        Ok(Some(Call {
            key: key.clone(),
            family: prompt.family.to_owned(),
            size: prompt.size,
            prompt_sha256: self.digests[index].clone(),
            prompt_tokens: self.tokens[index],
            expected: prompt.expected(),
            attempts,
            outcome,
        }))
    }
}
