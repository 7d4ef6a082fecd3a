//! Templates: the wording of a question, and its true answer.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use serde_json::Value;

use super::mention::is_plain;
use crate::dataset::{Dataset, Family, Random};

/// The kind of an answer, and how to ask for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Number,
    Name,
    Names,
    YesOrNo,
    Counts,
}

impl Form {
    /// The text after the question.
    pub(crate) fn instruction(self) -> &'static str {
        match self {
            Form::Number => "Answer with the number only, in digits.",
            Form::Name => "Answer with that only, spelled as in the data.",
            Form::Names => "Answer with those only, spelled as in the data, one a line.",
            Form::YesOrNo => "Answer with yes or no only.",
            Form::Counts => "Answer with one line for each, as `what: how many`, and nothing else.",
        }
    }
}

/// The true answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Truth {
    /// This number, as it is written.
    Number(String),
    /// A number that differs from this by at most the tolerance.
    Near {
        number: String,
        tolerance: f64,
    },
    /// One of these: spellings of one thing, or things of which each is right.
    Name(BTreeSet<String>),
    /// All of these, and no others.
    Names(BTreeSet<String>),
    YesOrNo(bool),
    /// How many there are of each.
    Counts(BTreeMap<String, usize>),
}

impl Truth {
    pub(super) fn name(name: impl Into<String>) -> Self {
        Truth::Name(BTreeSet::from([name.into()]))
    }

    pub(super) fn number(number: impl Display) -> Self {
        Truth::Number(format!("{number}"))
    }

    /// The answer to a question of a file; `None` if it is none.
    pub(crate) fn given(answer: &Value) -> Option<Truth> {
        let digits = |value: &Value| {
            let number = value.is_number().then(|| value.to_string())?;
            is_plain(&number).then_some(number)
        };
        let text = |value: &Value| match value {
            Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
            value => digits(value),
        };
        Some(match answer {
            Value::Bool(yes) => Truth::YesOrNo(*yes),
            Value::Number(_) => Truth::Number(digits(answer)?),
            Value::String(_) => Truth::name(text(answer)?),
            Value::Array(items) if !items.is_empty() => {
                Truth::Names(items.iter().map(text).collect::<Option<_>>()?)
            }
            Value::Object(members) if members.len() == 2 => {
                let tolerance = members.get("tolerance")?.as_f64().filter(|by| *by >= 0.0)?;
                Truth::Near { number: digits(members.get("number")?)?, tolerance }
            }
            _ => return None,
        })
    }

    /// How to ask for it.
    pub(crate) fn form(&self) -> Form {
        match self {
            Truth::Number(_) | Truth::Near { .. } => Form::Number,
            Truth::Name(_) => Form::Name,
            Truth::Names(_) => Form::Names,
            Truth::YesOrNo(_) => Form::YesOrNo,
            Truth::Counts(_) => Form::Counts,
        }
    }

    /// The answer that says just this.
    pub(crate) fn answer(&self) -> String {
        match self {
            Truth::Number(number) | Truth::Near { number, .. } => number.clone(),
            Truth::Name(names) => names.first().cloned().unwrap_or_default(),
            Truth::Names(names) => names.iter().cloned().collect::<Vec<_>>().join("\n"),
            Truth::YesOrNo(true) => "yes".to_owned(),
            Truth::YesOrNo(false) => "no".to_owned(),
            Truth::Counts(counts) => {
                let line = |(what, count): (&String, &usize)| format!("{what}: {count}");
                counts.iter().map(line).collect::<Vec<_>>().join("\n")
            }
        }
    }
}

/// A kind of question.
#[derive(Debug)]
pub(crate) struct Template {
    /// Its name in logs and reports.
    pub(crate) id: &'static str,
    pub(crate) family: Family,
    /// The wording; `{}` stands for an argument.
    pub(super) wording: &'static str,
    pub(crate) form: Form,
    /// The arguments of each question; empty if the data has nothing to ask about.
    pub(super) choose: fn(&Dataset, &mut Random) -> Vec<Vec<String>>,
    /// The true answer for these arguments; `None` if there are several, such as two highest
    /// scores.
    pub(super) truth: fn(&Dataset, &[String]) -> Option<Truth>,
    /// All names of the kind that is asked for, to distinguish an answer with another name from one
    /// without a name.
    pub(super) names: fn(&Dataset, &[String]) -> BTreeSet<String>,
}

/// One question without arguments.
pub(super) fn once(_: &Dataset, _: &mut Random) -> Vec<Vec<String>> {
    vec![Vec::new()]
}

/// For answers that are not names.
pub(super) fn no_names(_: &Dataset, _: &[String]) -> BTreeSet<String> {
    BTreeSet::new()
}
