//! The log of a run: JSON lines.
//!
//! The first line describes the run. Each prompt is written once, and each call has a line that
//! refers to its prompt. Lines are written when calls end, so that a stopped run can be resumed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use fs4::fs_std::FileExt;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::failure::{Failure, say};
use crate::prompt::Sent;
use crate::question::Score;

/// A line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "snake_case")]
pub(crate) enum Record {
    /// The description of the run, in the first line.
    Run(Run),
    /// A prompt, before the first call with it.
    Prompt {
        sha256: String,
        /// In a conversation, the earlier messages.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<After>,
        text: String,
    },
    Call(Call),
}

/// The conversation before a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct After {
    /// The message before it.
    sha256: String,
    /// The answer to that.
    answer: String,
}

/// The task for the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Task {
    /// To answer questions about data.
    Comprehension,
    /// To answer questions about several pieces of data, which stay in the context.
    Conversation,
}

/// The run: equal for a run that is resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) task: Task,
    /// The version of this program.
    pub(crate) wire_eval: String,
    pub(crate) backend: String,
    pub(crate) temperature: Option<f64>,
    pub(crate) max_tokens: u32,
    pub(crate) seed: u64,
    /// The seeds, if there are several; then the names of datasets have theirs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) seeds: Vec<u64>,
    pub(crate) repeats: u32,
    /// The calls that it has when it is whole; 0 if the log does not say.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) calls: usize,
    pub(crate) arms: Vec<String>,
    /// A measure beside the answers.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) measure: Measure,
    /// Examples before each question; with some, the prompts are texts to go on with.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) examples: u32,
    /// Texts that end an answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) stop: Vec<String>,
    /// The counter of the estimates.
    pub(crate) counter: String,
    /// The price of a million tokens of prompts, in the currency of the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) price_input: Option<f64>,
    /// The price of a million tokens of answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) price_output: Option<f64>,
    /// The SHA-256 of all prompts, one after the other: changes with the data, the questions and
    /// the formats' texts.
    pub(crate) prompts_sha256: String,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// What is measured of a right answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Measure {
    /// Whether the model gives it.
    #[default]
    Answers,
    /// Also how likely it is to the model, token by token.
    Likelihood,
}

impl Run {
    fn all_seeds(&self) -> Vec<u64> {
        if self.seeds.is_empty() { vec![self.seed] } else { self.seeds.clone() }
    }

    fn is_of_the_plan_of(&self, other: &Run) -> bool {
        let Run { seed, calls, .. } = *other;
        let (seeds, prompts_sha256) = (other.seeds.clone(), other.prompts_sha256.clone());
        Run { seed, seeds, calls, prompts_sha256, ..self.clone() } == *other
    }

    /// The seeds in words: `1..50`, or a list.
    pub(crate) fn seeds_in_words(&self) -> String {
        let seeds = self.all_seeds();
        let is_range = seeds.len() > 2 && seeds.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        match (seeds.first(), seeds.last()) {
            (Some(first), Some(last)) if is_range => format!("seeds {first}..{last}"),
            _ => {
                let list: Vec<String> = seeds.iter().map(u64::to_string).collect();
                let noun = if seeds.len() == 1 { "seed" } else { "seeds" };
                format!("{noun} {}", list.join(", "))
            }
        }
    }
}

/// A call, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Call {
    #[serde(flatten)]
    pub(crate) key: Key,
    /// The kind of the dataset.
    pub(crate) family: String,
    /// Symbols, nodes or rows; of a conversation the turn, from 1.
    pub(crate) size: usize,
    /// The prompt.
    pub(crate) prompt_sha256: String,
    /// Its tokens by the counter of the run: an estimate where the provider does not say.
    pub(crate) prompt_tokens: usize,
    /// The right answer of a question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) expected: Option<String>,
    /// The same as a file of questions gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) given: Option<Value>,
    /// How often the provider was asked; 0 where it was asked the same for another call.
    pub(crate) attempts: u32,
    #[serde(flatten)]
    pub(crate) outcome: Outcome,
}

/// The properties that identify a call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Key {
    // Logs keep the name that they began with.
    #[serde(rename = "material")]
    pub(crate) dataset: String,
    pub(crate) arm: String,
    /// The kind of question.
    pub(crate) question: String,
    /// From 0, where a kind of question is asked several times.
    pub(crate) number: usize,
    /// From 1.
    pub(crate) repeat: u32,
}

/// Answered, or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Outcome {
    Answered {
        answer: String,
        model: Option<String>,
        input_tokens: Option<u64>,
        output_tokens: Option<u64>,
        is_cut: bool,
        /// From sending the prompt to having the answer, without earlier attempts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        milliseconds: Option<u64>,
        /// The right answer's tokens, if their likelihood was measured.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        likelihood: Vec<Token>,
        score: Score,
    },
    /// Neither right nor wrong.
    Failed { error: String },
}

/// A token of the right answer, after the prompt and the tokens before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Token {
    pub(crate) text: String,
    /// The natural logarithm of its probability.
    pub(crate) log: f64,
    /// `true` if no other token is likelier.
    pub(crate) likeliest: bool,
}

/// A log that is read.
#[derive(Clone, Debug)]
pub(crate) struct Log {
    pub(crate) run: Run,
    /// The prompts that it has, by their digests.
    pub(crate) prompts: BTreeMap<String, Arc<Sent>>,
    /// The last of each key.
    pub(crate) calls: Vec<Call>,
    /// Bytes of the lines that are whole.
    length: usize,
}

/// How to fix a damaged line.
const AGAIN: &str = "; remove the line, and --resume makes its call again";

impl Log {
    /// Reads a log. A last line that was not written to its end is left out with a warning.
    ///
    /// # Errors
    ///
    /// Data: any other line that is damaged, so that no answer is lost unnoticed.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let bytes = fs::read(path)
            .map_err(|source| Failure::Input { file: path.display().to_string(), source })?;
        let wrong = |line: usize, message: String| Failure::Data {
            file: path.display().to_string(),
            message: format!("line {line}: {message}"),
        };
        let (mut run, mut prompts, mut length) = (None, BTreeMap::new(), 0);
        let mut calls: Vec<Call> = Vec::new();
        let mut known = BTreeMap::new();
        for (index, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
            if !line.ends_with(b"\n") {
                let message = format!(
                    "{}, line {}: the line is cut off, and its call does not count",
                    path.display(),
                    index + 1
                );
                say("warning", &message);
                break;
            }
            let record: Record = serde_json::from_slice(line).map_err(|error| {
                let hint = if index > 0 { AGAIN } else { "" };
                wrong(index + 1, format!("not a record of a run: {error}{hint}"))
            })?;
            match record {
                Record::Run(first) if index == 0 => run = Some(first),
                Record::Run(_) => {
                    return Err(wrong(index + 1, "another run, expected one a file".to_owned()));
                }
                Record::Prompt { sha256, after, text } => {
                    let sent = sent(&prompts, after, text)
                        .filter(|sent| sent.sha256 == sha256)
                        .ok_or_else(|| {
                            wrong(
                                index + 1,
                                format!("the prompt does not have the digest {sha256}"),
                            )
                        })?;
                    prompts.insert(sha256, Arc::new(sent));
                }
                Record::Call(call) if !prompts.contains_key(&call.prompt_sha256) => {
                    let message = format!("the prompt of the call is not before it{AGAIN}");
                    return Err(wrong(index + 1, message));
                }
                Record::Call(call) => match known.get(&call.key) {
                    Some(&place) => calls[place] = call,
                    None => {
                        known.insert(call.key.clone(), calls.len());
                        calls.push(call);
                    }
                },
            }
            length += line.len();
        }
        let run =
            run.ok_or_else(|| wrong(1, "no run, expected one in the first line".to_owned()))?;
        calls.sort_by(|a, b| a.key.cmp(&b.key));
        Ok(Log { run, prompts, calls, length })
    }

    /// Returns `true` if a call was answered, so that something would be lost with the log.
    pub(crate) fn has_answers(&self) -> bool {
        self.calls.iter().any(|call| matches!(call.outcome, Outcome::Answered { .. }))
    }

    /// Logs of one plan about different data as one log: they differ only in seeds and prompts.
    /// Others stay as they are, such as two runs of the same seed.
    pub(crate) fn pooled(logs: &[Log]) -> Vec<Log> {
        let mut pooled: Vec<Log> = Vec::new();
        for log in logs {
            let seeds = log.run.all_seeds();
            let same = pooled.iter_mut().find(|other| {
                other.run.is_of_the_plan_of(&log.run)
                    && other.run.all_seeds().iter().all(|seed| !seeds.contains(seed))
            });
            match same {
                Some(other) => other.add(log.clone()),
                None => pooled.push(log.clone()),
            }
        }
        pooled
    }

    fn add(&mut self, mut log: Log) {
        for log in [&mut *self, &mut log] {
            if log.run.seeds.is_empty() {
                log.run.seeds = vec![log.run.seed];
                for call in &mut log.calls {
                    call.key.dataset = of_seed(&call.key.dataset, log.run.seed);
                }
            }
        }
        self.run.seeds.extend(log.run.seeds);
        self.run.seeds.sort_unstable();
        // Unknown if one of them is.
        let is_known = self.run.calls > 0 && log.run.calls > 0;
        self.run.calls = if is_known { self.run.calls + log.run.calls } else { 0 };
        self.prompts.extend(log.prompts);
        self.calls.extend(log.calls);
        self.calls.sort_by(|a, b| a.key.cmp(&b.key));
    }

    /// The calls that need not be made again.
    pub(crate) fn answered(&self) -> BTreeSet<&Key> {
        let is_answered = |call: &&Call| matches!(call.outcome, Outcome::Answered { .. });
        self.calls.iter().filter(is_answered).map(|call| &call.key).collect()
    }
}

/// The name of the dataset of a seed, among those of other seeds.
pub(crate) fn of_seed(name: &str, seed: u64) -> String {
    format!("{name}-seed-{seed}")
}

/// The prompt of a line; `None` if the message that it follows is missing.
fn sent(prompts: &BTreeMap<String, Arc<Sent>>, after: Option<After>, text: String) -> Option<Sent> {
    Some(match after {
        None => Sent::first(text),
        Some(After { sha256, answer }) => {
            Sent::after(Arc::clone(prompts.get(&sha256)?), &answer, text)
        }
    })
}

/// Returns `true` if there is a log, or anything else that a log must not replace.
pub(crate) fn is_begun(path: &Path) -> bool {
    fs::read(path).is_ok_and(|bytes| !is_cut_off(&bytes))
}

/// Returns `true` if nothing was written, or the first line was not written to its end.
fn is_cut_off(bytes: &[u8]) -> bool {
    const BEGIN: &[u8] = br#"{"record":"run","#;
    let shorter = bytes.len().min(BEGIN.len());
    !bytes.contains(&b'\n') && bytes[..shorter] == BEGIN[..shorter]
}

/// A log that is written.
pub(crate) struct Writer {
    file: File,
    name: String,
    prompts: BTreeSet<String>,
    /// `true` if a line may be incomplete, so that no line may follow it.
    has_failed: bool,
}

impl Writer {
    /// Begins a log, or continues one after its complete lines. One without an answer is begun
    /// anew. The log is locked against other runs.
    ///
    /// # Errors
    ///
    /// Usage: another run is writing it, or has written it since `earlier` was read.
    pub(crate) fn open(path: &Path, run: &Run, earlier: Option<&Log>) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let failed = |source| Failure::Output { file: name.clone(), source };
        let taken = || {
            Failure::Usage(format!("another run writes {name}, expected its end, or another --log"))
        };
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false);
        let mut file = file.open(path).map_err(failed)?;
        match FileExt::try_lock_exclusive(&file) {
            Ok(true) => {}
            Ok(false) => return Err(taken()),
            Err(source) => return Err(failed(source)),
        }
        // Whoever had the lock before may have written since the log was read.
        let length = earlier.map_or(0, |log| log.length as u64);
        let mut rest = Vec::new();
        let read = file.seek(SeekFrom::Start(length)).and_then(|_| file.read_to_end(&mut rest));
        read.map_err(failed)?;
        let is_half_a_line = earlier.is_some() && !rest.contains(&b'\n');
        if !is_half_a_line && !is_cut_off(&rest) {
            return Err(taken());
        }
        let earlier = earlier.filter(|log| log.has_answers());
        let length = if earlier.is_some() { length } else { 0 };
        let cut = file.set_len(length).and_then(|()| file.seek(SeekFrom::End(0)));
        cut.map_err(failed)?;
        let prompts = earlier.map(|log| log.prompts.keys().cloned().collect()).unwrap_or_default();
        let mut writer = Writer { file, name, prompts, has_failed: false };
        if earlier.is_none() {
            writer.write(&Record::Run(run.clone()))?;
        }
        Ok(writer)
    }

    /// Writes a call, after its prompt.
    pub(crate) fn call(&mut self, call: Call, prompt: &Sent) -> Result<(), Failure> {
        // What was said before it comes first.
        let mut missing = Vec::new();
        let mut next = Some(prompt);
        while let Some(prompt) = next.filter(|prompt| self.prompts.insert(prompt.sha256.clone())) {
            missing.push(prompt);
            next = prompt.after.as_ref().map(|(before, _)| &**before);
        }
        for prompt in missing.into_iter().rev() {
            let after = prompt.after.as_ref().map(|(before, answer)| After {
                sha256: before.sha256.clone(),
                answer: answer.to_string(),
            });
            let (sha256, text) = (prompt.sha256.clone(), prompt.text.to_string());
            self.write(&Record::Prompt { sha256, after, text })?;
        }
        self.write(&Record::Call(call))
    }

    fn write(&mut self, record: &Record) -> Result<(), Failure> {
        if self.has_failed {
            return Ok(());
        }
        let mut line = serde_json::to_string(record).expect("because a record is plain data");
        line.push('\n');
        self.file.write_all(line.as_bytes()).map_err(|source| {
            self.has_failed = true;
            Failure::Output { file: self.name.clone(), source }
        })
    }
}
