//! No model: what tests the kit itself. All that it knows it reads from the prompt, but for the
//! answers to questions of a file.

use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

use clap::ValueEnum;

use super::reply::{Backend, Problem, Reply};
use crate::prompt::{self, Sent};
use crate::question::Truth;

/// How it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Manner {
    /// Answers from the data in the prompt alone; --questions from their answers.
    Oracle,
    /// Answers as `oracle` does, in a full sentence.
    Talkative,
    /// Answers incorrectly.
    Wrong,
    /// Answers with garbled text.
    Garbled,
    /// Answers as `oracle` does, after two seconds.
    Slow,
    /// Fails every third prompt once, and every seventh prompt always.
    Failing,
}

impl Manner {
    pub(super) fn name(self) -> &'static str {
        match self {
            Manner::Oracle => "oracle",
            Manner::Talkative => "talkative",
            Manner::Wrong => "wrong",
            Manner::Garbled => "garbled",
            Manner::Slow => "slow",
            Manner::Failing => "failing",
        }
    }
}

/// The mock.
pub(super) struct Mock {
    manner: Manner,
    timeout: Duration,
    /// The answers to questions of a file, by the digests of their prompts.
    given: BTreeMap<String, Truth>,
}

/// The delay of the slow mock.
const SLOW: Duration = Duration::from_secs(2);
/// The oracle's answer if the data does not contain it.
const UNKNOWN: &str = "The data does not say.";

impl Mock {
    /// A mock that knows the answers to prompts with these digests.
    pub(super) fn new(manner: Manner, timeout: Duration, given: BTreeMap<String, Truth>) -> Self {
        Mock { manner, timeout, given }
    }
}

impl Backend for Mock {
    fn ask(&self, prompt: &Sent, attempt: u32) -> Result<Reply, Problem> {
        let passing = |message: &str| Problem::Passing { message: message.to_owned(), after: None };
        match self.manner {
            Manner::Slow => {
                thread::sleep(SLOW.min(self.timeout));
                if self.timeout < SLOW {
                    return Err(passing("no answer in time"));
                }
            }
            Manner::Failing => {
                let number: u32 = prompt
                    .text
                    .bytes()
                    .fold(0, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte)));
                if number.is_multiple_of(7) || number.is_multiple_of(3) && attempt == 1 {
                    return Err(passing("status 529: overloaded"));
                }
            }
            Manner::Oracle | Manner::Talkative | Manner::Wrong | Manner::Garbled => {}
        }
        let text = if self.manner == Manner::Garbled {
            "\u{fffd}}} ~~ \u{fffd}".to_owned()
        } else {
            self.answer(prompt)
        };
        // It has no vocabulary, so it reports no tokens.
        let model = Some(format!("mock-{}", self.manner.name()));
        Ok(Reply { text, model, ..Reply::default() })
    }

    fn takes_time(&self) -> bool {
        false
    }
}

impl Mock {
    fn answer(&self, prompt: &Sent) -> String {
        let read = || prompt::parts(prompt).and_then(|(data, question)| question.truth(&data));
        match self.given.get(&prompt.sha256).cloned().or_else(read) {
            None => UNKNOWN.to_owned(),
            Some(truth) => match self.manner {
                Manner::Wrong => untrue(&truth),
                Manner::Talkative => {
                    format!("From the data, the answer is:\n\n**{}**", truth.answer())
                }
                _ => truth.answer(),
            },
        }
    }
}

/// An answer that is close, and not true.
fn untrue(truth: &Truth) -> String {
    match truth {
        Truth::Number(number) => format!("{number}7"),
        Truth::Near { number, tolerance } => {
            (number.parse().unwrap_or(0.0) + 2.0 * tolerance + 1.0).to_string()
        }
        Truth::Name(names) => format!("{}.x", names.first().map_or("", String::as_str)),
        Truth::Names(names) => {
            names.iter().map(|name| format!("{name}.x")).collect::<Vec<_>>().join("\n")
        }
        Truth::YesOrNo(yes) => Truth::YesOrNo(!yes).answer(),
        Truth::Counts(counts) => {
            Truth::Counts(counts.iter().map(|(what, count)| (what.clone(), count + 1)).collect())
                .answer()
        }
    }
}
