//! No model: what tests the kit itself. All that it knows it reads from the prompt.

use std::thread;
use std::time::Duration;

use clap::ValueEnum;

use super::reply::{Backend, Problem, Reply};
use crate::generation;
use crate::prompt::{self, Sent};
use crate::question::Truth;

/// How it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Manner {
    /// Decodes the data in the prompt and answers from it alone.
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
}

/// The delay of the slow mock.
const SLOW: Duration = Duration::from_secs(2);
/// The oracle's answer if the data does not contain it.
const UNKNOWN: &str = "The data does not say.";

impl Mock {
    pub(super) fn new(manner: Manner, timeout: Duration) -> Self {
        Mock { manner, timeout }
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
        } else if let Some(request) = generation::Request::from_prompt(&prompt.text) {
            self.written(&request)
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
        let truth = prompt::parts(prompt).and_then(|(dataset, question)| question.truth(&dataset));
        match truth {
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

    fn written(&self, request: &generation::Request) -> String {
        let Some(text) = request.written() else { return UNKNOWN.to_owned() };
        match self.manner {
            Manner::Wrong => text.replacen("calls", "tests", 1).replacen("0.", "1.", 1),
            Manner::Talkative => format!("Here it is:\n\n```\n{text}```\n\nAnything else?"),
            _ => text,
        }
    }
}

/// An answer that is close, and not true.
fn untrue(truth: &Truth) -> String {
    match truth {
        Truth::Number(number) | Truth::Near { number, .. } => format!("{number}7"),
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
