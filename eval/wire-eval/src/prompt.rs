//! The text of a question, as it is sent and as the mock backend and `verify` read it.

use std::sync::Arc;

use wire_tokens::digest;

use crate::dataset::{Dataset, Family, Transcript};
use crate::question::Question;

const BEGIN: &str = "\n\n<data>\n";
const END: &str = "\n</data>\n\n";
/// The end of a text that a model is to go on with.
const ANSWER: &str = "\nAnswer:";

/// A message to a model, with the earlier messages.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sent {
    pub(crate) text: Arc<str>,
    /// The message before it, and the answer to that.
    pub(crate) after: Option<(Arc<Sent>, Arc<str>)>,
    /// The SHA-256 of all of it.
    pub(crate) sha256: String,
}

impl Sent {
    /// A message with nothing before it.
    pub(crate) fn first(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        Sent { sha256: digest(&text), text, after: None }
    }

    /// A message that follows an answer.
    pub(crate) fn after(before: Arc<Sent>, answer: &str, text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let sha256 = digest(&format!("{}\n{answer}\n{text}", before.sha256));
        Sent { text, after: Some((before, answer.into())), sha256 }
    }

    /// Returns `true` if it is a text to go on with, and not a message.
    pub(crate) fn is_plain(&self) -> bool {
        self.after.is_none() && self.text.ends_with(ANSWER)
    }

    /// The whole conversation, the oldest message first: messages and their answers. The last
    /// message has no answer yet.
    pub(crate) fn turns(&self) -> Vec<(&str, Option<&str>)> {
        let (mut turns, mut this, mut answer) = (Vec::new(), self, None);
        loop {
            turns.push((&*this.text, answer));
            let Some((before, answered)) = &this.after else { break };
            (this, answer) = (before, Some(&**answered));
        }
        turns.reverse();
        turns
    }

    /// The same as one text, for backends without conversations.
    pub(crate) fn flat(&self) -> String {
        let mut flat = String::new();
        for (text, answer) in self.turns() {
            flat += text;
            if let Some(answer) = answer {
                flat += &format!("\n\nYour answer was:\n\n{answer}\n\n");
            }
        }
        flat
    }
}

fn data_of(text: &str) -> &str {
    text.strip_suffix('\n').unwrap_or(text)
}

fn introduced(introduction: &str, primer: Option<&str>) -> String {
    match primer {
        Some(primer) => format!("{introduction}\n\n{}", primer.trim_end()),
        None => introduction.to_owned(),
    }
}

/// The prompt: what the data is, the data, and the question. Nothing in it says which format the
/// data is in, unless a primer does.
pub(crate) fn prompt(family: Family, primer: Option<&str>, data: &str, question: &str) -> String {
    let introduction = introduced(family.introduction(), primer);
    format!("{introduction}{BEGIN}{}{END}{question}", data_of(data))
}

/// A text to go on with: prompts with their answers, and a last prompt without one.
pub(crate) fn with_examples(examples: &[(String, String)], last: &str) -> String {
    let mut text = String::new();
    for (prompt, answer) in examples {
        text.extend([prompt, ANSWER, " ", answer, "\n\n"]);
    }
    text += last;
    text + ANSWER
}

/// The beginning of a conversation.
pub(crate) fn opening(primer: Option<&str>) -> String {
    introduced(Family::Calls.introduction(), primer) + "\n\n"
}

/// The answer of a call, and the first question after it.
pub(crate) fn call(number: usize, tool: &str, data: &str, question: &Question) -> String {
    format!("Call {number}, of {tool}, answered:{BEGIN}{}{END}{}", data_of(data), question.text())
}

/// The data and the question of a prompt, for whoever can decode the one and knows the other.
pub(crate) fn parts(sent: &Sent) -> Option<(Dataset, Question)> {
    let opening = sent.turns()[0].0;
    if opening.starts_with(Family::Calls.introduction()) {
        conversation(sent)
    } else {
        single(&sent.text)
    }
}

/// What stands before the data, the data, and the question.
pub(crate) fn split(prompt: &str) -> Option<(&str, &str, &str)> {
    let (introduction, rest) = match prompt.strip_suffix(ANSWER) {
        // The last question is asked, those before it are examples.
        Some(prompt) => prompt.rsplit_once(BEGIN)?,
        None => prompt.split_once(BEGIN)?,
    };
    let (data, question) = rest.rsplit_once(END)?;
    Some((introduction, data, question))
}

fn single(prompt: &str) -> Option<(Dataset, Question)> {
    let (introduction, data, question) = split(prompt)?;
    let mut families = Family::ALL.into_iter();
    let family = families.find(|family| introduction.starts_with(family.introduction()))?;
    let dataset = Dataset::from_text(family, &format!("{data}\n"))?;
    Some((dataset, Question::from_text(family, question)?))
}

fn conversation(sent: &Sent) -> Option<(Dataset, Question)> {
    let mut transcript = Transcript::default();
    let mut asked = None;
    for (text, answer) in sent.turns() {
        let mut question = text;
        if let Some((introduction, rest)) = text.split_once(BEGIN) {
            let (data, rest) = rest.rsplit_once(END)?;
            let (_, tool) = introduction.strip_suffix(", answered:")?.rsplit_once(", of ")?;
            transcript.add(tool, &format!("{data}\n"))?;
            question = rest;
        }
        transcript.said.extend(answer.map(str::to_owned));
        asked = Some(question);
    }
    Some((Dataset::Calls(transcript), Question::from_text(Family::Calls, asked?)?))
}
