//! `wire-eval comprehension --questions`: questions that others ask about data of theirs, with the
//! right answers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use wire_core::json::{self, Json};

use crate::arm::Arm;
use crate::dataset::{Family, Random, rows, value};
use crate::failure::{Failure, read, say};
use crate::log::Key;
use crate::prompt::{Sent, prompt, split};
use crate::question::{Context, Truth};
use crate::run::prompt::{Judge, Prompt};

/// A line of the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with data, question, answer and kind")]
struct Line {
    data: Value,
    question: String,
    #[serde(deserialize_with = "answer")]
    answer: Value,
    kind: String,
}

/// Any number: one that can't be an answer has an error of its own.
fn answer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
    serde_json::to_value(Json::deserialize(deserializer)?).map_err(serde::de::Error::custom)
}

/// A question about some data.
pub(crate) struct Given {
    line: Line,
    truth: Truth,
    /// The number of its data in the file, from 1.
    dataset: usize,
    /// Among those of its kind about the same data, from 0.
    number: usize,
}

/// Reads the questions of a file. Lines with equal data are about one dataset.
///
/// # Errors
///
/// Data: a line is not a question, or asks what an earlier one does; the message has its number.
pub(crate) fn questions(path: &Path) -> Result<Vec<Given>, Failure> {
    let mut datasets = BTreeMap::new();
    let mut numbers = BTreeMap::<_, usize>::new();
    let mut asked = BTreeMap::new();
    let mut questions = Vec::new();
    let text = read(path)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    for (index, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        let wrong = |message| Failure::Data {
            file: path.display().to_string(),
            message: format!("line {}: {message}", index + 1),
        };
        let (line, truth) = line(text).map_err(wrong)?;
        let next = datasets.len() + 1;
        let dataset = *datasets.entry(line.data.to_string()).or_insert(next);
        if let Some(earlier) = asked.insert((dataset, line.question.trim().to_owned()), index + 1) {
            return Err(wrong(format!(
                "it asks the same about the same data as line {earlier}, expected another question"
            )));
        }
        let number = numbers.entry((dataset, line.kind.clone())).or_default();
        *number += 1;
        questions.push(Given { number: *number - 1, line, truth, dataset });
    }
    if questions.is_empty() {
        return Err(Failure::Data {
            file: path.display().to_string(),
            message: "it has no line, expected a question in each".to_owned(),
        });
    }
    // All that is asked about one text comes together, so that a server reads it once.
    questions.sort_by_key(|question| question.dataset);
    Ok(questions)
}

fn line(text: &str) -> Result<(Line, Truth), String> {
    // It refuses what serde_json would change: large integers, and names that appear twice.
    let line: Line = json::from_str(text).map_err(|error| {
        format!("column {}: {error}", text[..error.offset()].chars().count() + 1)
    })?;
    if !(line.data.is_array() || line.data.is_object()) {
        return Err("data is a scalar, expected an array or an object".to_owned());
    }
    if line.question.trim().is_empty() || line.question.contains("</data>") {
        return Err("question is not one, expected a text without `</data>`".to_owned());
    }
    if line.kind.is_empty() || line.kind.contains(|c: char| c.is_control() || c == '|') {
        return Err("kind is not a name, expected a text of one line without `|`".to_owned());
    }
    let truth = Truth::given(&line.answer).map_err(|found| format!(
        "answer is {found}, expected a text, a number in digits, true or false for yes or no, a list of texts or numbers, or \
         {{\"number\": 1.5, \"tolerance\": 0.1}}",
    ))?;
    Ok((line, truth))
}

/// At most so many questions of each kind, drawn by the seed.
pub(crate) fn sample(questions: Vec<Given>, most: usize, seed: u64) -> Vec<Given> {
    let mut random = Random::new(seed, 0, 0);
    let mut left: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for question in &questions {
        left.entry(question.line.kind.clone()).or_insert((0, most)).0 += 1;
    }
    let is_drawn = |question: &Given| {
        let (of, wanted) = left.get_mut(&question.line.kind).expect("because all were counted");
        let is_drawn = random.below(*of) < *wanted;
        *of -= 1;
        *wanted -= usize::from(is_drawn);
        is_drawn
    };
    questions.into_iter().filter(is_drawn).collect()
}

/// Every question in every arm.
pub(crate) fn prompts(questions: &[Given], arms: &[Arm]) -> Vec<Prompt> {
    let mut prompts = Vec::new();
    for arm in arms {
        for about in questions.chunk_by(|one, next| one.dataset == next.dataset) {
            let (data, name) = (&about[0].line.data, format!("data-{}", about[0].dataset));
            let text = match arm.call("data", data) {
                Ok(Some(text)) => text,
                Ok(None) => continue,
                // Data of others may have values that a format can't represent.
                Err(failure) => {
                    say("warning", &format!("{name} is left out of {}: {failure}", arm.name));
                    continue;
                }
            };
            prompts.extend(about.iter().map(|Given { line, truth, number, .. }| {
                let asked = format!("{} {}", line.question.trim(), truth.form().instruction());
                let asked = prompt(Family::Given, arm.primer.as_deref(), &text, &asked);
                Prompt {
                    key: Key {
                        dataset: name.clone(),
                        arm: arm.name.clone(),
                        question: line.kind.clone(),
                        number: *number,
                        repeat: 0,
                    },
                    family: Family::Given.name(),
                    size: rows(data).map_or(1, <[Value]>::len),
                    sent: Arc::new(Sent::first(asked)),
                    judge: judge(data, &line.question, truth.clone()),
                    given: Some(line.answer.clone()),
                }
            }));
        }
    }
    prompts
}

/// The judge of answers to a prompt with a question of a file; `None` if its data can't be read.
pub(crate) fn judge_of(sent: &Sent, answer: &Value) -> Option<Judge> {
    let truth = Truth::given(answer).ok()?;
    let (_, data, question) = split(&sent.text)?;
    let question = question.strip_suffix(truth.form().instruction())?;
    Some(judge(&value(&format!("{data}\n"))?, question, truth))
}

/// An answer may not name what else is in the places of the right one: other values of its members.
fn judge(data: &Value, question: &str, truth: Truth) -> Judge {
    let mut names = BTreeSet::new();
    if let Truth::Name(wanted) | Truth::Names(wanted) = &truth {
        let mut members = BTreeMap::new();
        add_texts(data, "", &mut members);
        names =
            members.into_values().filter(|texts| !texts.is_disjoint(wanted)).flatten().collect();
    }
    let context = Context { names, question: question.trim().to_owned() };
    Judge { truth, context: Arc::new(context) }
}

/// Adds the texts and numbers of a value by the names of the members that have them.
fn add_texts<'v>(
    value: &'v Value,
    name: &'v str,
    members: &mut BTreeMap<&'v str, BTreeSet<String>>,
) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| add_texts(item, name, members)),
        Value::Object(object) => {
            object.iter().for_each(|(name, value)| add_texts(value, name, members));
        }
        Value::String(text) => _ = members.entry(name).or_default().insert(text.clone()),
        Value::Number(number) => _ = members.entry(name).or_default().insert(number.to_string()),
        Value::Null | Value::Bool(_) => {}
    }
}
