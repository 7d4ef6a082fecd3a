//! Questions: one table of their wordings, with their arguments and true answers.
//!
//! A wording contains no term of a single format: no names of sections, no sigils. The true answer
//! is computed from the data, never from a text of it. The oracle of the mock backend decodes the
//! text of a prompt, and computes the answer from that by the same table.

mod call;
mod graph;
mod mention;
mod pack;
mod row;
mod score;
mod template;

pub(crate) use mention::Context;
pub(crate) use row::{Slip, slip};
pub(crate) use score::{Score, score};
pub(crate) use template::{Template, Truth};

use std::sync::Arc;

use crate::dataset::{Dataset, Family, Random, Transcript};

/// Every question, in the order of reports.
pub(crate) fn templates() -> impl Iterator<Item = &'static Template> {
    let templates = pack::TEMPLATES.iter().chain(graph::TEMPLATES).chain(row::TEMPLATES);
    // Last, because the random numbers of a template are those of its index.
    templates.chain(call::TEMPLATES).chain(row::MIDDLE)
}

/// A question about some data.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) template: &'static Template,
    arguments: Vec<String>,
}

impl Question {
    /// The questions about a dataset and their true answers; the same seed gives the same
    /// questions. A question without a single true answer is left out.
    pub(crate) fn about(dataset: &Dataset, seed: u64) -> Vec<(Question, Truth)> {
        let mut questions = Vec::new();
        for (index, template) in templates().enumerate() {
            if template.family != dataset.family() {
                continue;
            }
            let mut random = Random::new(seed, index as u64, dataset.size() as u64);
            for arguments in (template.choose)(dataset, &mut random) {
                let question = Question { template, arguments };
                if let Some(truth) = question.truth(dataset) {
                    questions.push((question, truth));
                }
            }
        }
        questions
    }

    /// The question in words, with how to answer.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let mut arguments = self.arguments.iter();
        for (index, part) in self.template.wording.split("{}").enumerate() {
            if index > 0 {
                text.push_str(arguments.next().map_or("", String::as_str));
            }
            text.push_str(part);
        }
        format!("{text} {}", self.template.form.instruction())
    }

    /// The question whose words these are.
    pub(crate) fn from_text(family: Family, text: &str) -> Option<Question> {
        templates().filter(|template| template.family == family).find_map(|template| {
            let rest = text.strip_suffix(template.form.instruction())?.trim_end();
            let arguments = arguments(template.wording, rest)?;
            Some(Question { template, arguments })
        })
    }

    /// The true answers for a dataset.
    pub(crate) fn truth(&self, dataset: &Dataset) -> Option<Truth> {
        (self.template.truth)(dataset, &self.arguments)
    }

    /// The names that an answer may mention.
    pub(crate) fn context(&self, dataset: &Dataset) -> Context {
        let names = (self.template.names)(dataset, &self.arguments);
        Context { names, question: self.text() }
    }
}

/// A question of a conversation.
pub(crate) struct Asked {
    pub(crate) question: Question,
    pub(crate) truth: Truth,
    pub(crate) context: Arc<Context>,
    /// The number of the call that has to be shown by then, from 1.
    pub(crate) call: usize,
}

/// The questions about calls, in order: about each call, then about earlier ones, then about values
/// that earlier answers name. Calls without questions are left out of the transcript.
pub(crate) fn conversation(transcript: &Transcript, seed: u64) -> (Transcript, Vec<Asked>) {
    let mut transcript = Transcript { said: Vec::new(), ..transcript.clone() };
    let about = |transcript: &Transcript| {
        let mut questions = Question::about(&Dataset::Calls(transcript.clone()), seed);
        // Words of the data may make a question read as another.
        questions.retain(|(question, _)| {
            let again = Question::from_text(Family::Calls, &question.text());
            again.is_some_and(|again| again.arguments == question.arguments)
        });
        questions
    };
    let mut questions = about(&transcript);
    let has_question = |number: usize, questions: &[(Question, Truth)]| {
        questions.iter().any(|(question, _)| question.arguments[0] == number.to_string())
    };
    let (mut number, before) = (0, transcript.calls.len());
    transcript.calls.retain(|_| {
        number += 1;
        has_question(number, &questions)
    });
    if transcript.calls.len() < before {
        questions = about(&transcript);
    }
    // By call; what goes back to one comes last.
    let last = transcript.calls.len();
    let call_of = |question: &Question| question.arguments[0].parse().unwrap_or(last);
    questions.sort_by_key(|(question, _)| {
        let is_earlier = question.template.id == call::EARLIER;
        (is_earlier, call_of(question))
    });
    let mut asked: Vec<Asked> = Vec::new();
    let ask = |question: Question, truth: Truth, transcript: &mut Transcript| {
        let context = question.context(&Dataset::Calls(transcript.clone()));
        let call = if question.template.id == call::FOLLOW { last } else { call_of(&question) };
        transcript.said.push(truth.answer());
        Asked { question, truth, context: Arc::new(context), call }
    };
    for (question, truth) in questions {
        asked.push(ask(question, truth, &mut transcript));
    }
    let template = call::TEMPLATES.iter().find(|template| template.id == call::FOLLOW);
    let template = template.expect("because it is in the table");
    for answer in 1..=asked.len() {
        let found = &asked[answer - 1].question;
        if found.template.id != call::FIND {
            continue;
        }
        let mut random = Random::new(seed, answer as u64, transcript.size() as u64);
        let arguments = call::follow(&transcript, answer, &found.arguments, &mut random);
        if let Some(arguments) = arguments {
            let question = Question { template, arguments };
            if let Some(truth) = question.truth(&Dataset::Calls(transcript.clone())) {
                asked.push(ask(question, truth, &mut transcript));
            }
        }
    }
    transcript.said.clear();
    (transcript, asked)
}

/// The parts of a text where a wording has `{}`.
fn arguments(wording: &str, text: &str) -> Option<Vec<String>> {
    let mut parts = wording.split("{}");
    let mut rest = text.strip_prefix(parts.next()?)?;
    let mut arguments = Vec::new();
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        let end = if parts.peek().is_none() {
            rest.len().checked_sub(part.len()).filter(|end| rest.get(*end..) == Some(part))?
        } else {
            rest.find(part)?
        };
        arguments.push(rest[..end].to_owned());
        rest = &rest[end + part.len()..];
    }
    rest.is_empty().then_some(arguments)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::dataset::generate;

    #[test]
    fn questions_are_read_back() {
        for family in Family::ALL {
            for named in generate(family, 50, 3) {
                let questions = Question::about(&named.dataset, 3);
                assert!(!questions.is_empty(), "{}", named.name);
                for (question, truth) in questions {
                    let again = Question::from_text(family, &question.text())
                        .unwrap_or_else(|| panic!("{}", question.text()));
                    assert_eq!(again.template.id, question.template.id, "{}", question.text());
                    assert_eq!(again.arguments, question.arguments);
                    assert_eq!(again.truth(&named.dataset), Some(truth));
                }
            }
        }
    }

    #[test]
    fn every_question_is_asked() {
        let mut asked = BTreeSet::new();
        for family in Family::ALL {
            for named in generate(family, 50, 1) {
                for (question, _) in Question::about(&named.dataset, 1) {
                    asked.insert(question.template.id);
                }
            }
        }
        if let Dataset::Calls(calls) = &generate(Family::Calls, 50, 1)[0].dataset {
            asked.extend(conversation(calls, 1).1.iter().map(|asked| asked.question.template.id));
        }
        let all: BTreeSet<&str> = templates().map(|template| template.id).collect();
        assert_eq!(asked, all);
    }

    /// Words that only one of the formats uses for its parts.
    #[test]
    fn wordings_are_neutral() {
        let introductions = Family::REPORTED.map(Family::introduction).into_iter();
        let asked =
            templates().flat_map(|template| [template.wording, template.form.instruction()]);
        for wording in introductions.chain(asked) {
            let wording = wording.to_lowercase();
            for word in [
                "target", "row", "result", "record", "related", "extended", "section", "@", "#",
                "header", "field", "member", "element", "tag", "column",
            ] {
                assert!(!wording.contains(word), "{wording}: {word}");
            }
        }
    }
}
