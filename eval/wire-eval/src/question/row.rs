//! Questions about rows.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Question;
use super::template::{Form, Template, Truth, no_names, once};
use crate::dataset::{Dataset, Family, Random, rows};

const FAMILY: Family = Family::Rows;

const CELL: &str = "cell";

pub(super) const TEMPLATES: &[Template] = &[
    Template {
        id: "entry_count",
        family: FAMILY,
        wording: "How many entries are listed?",
        form: Form::Number,
        choose: once,
        truth: |dataset, _| Some(Truth::number(all(dataset).len())),
        names: no_names,
    },
    Template {
        id: CELL,
        family: FAMILY,
        wording: "What is the {} of the entry whose id is {}?",
        form: Form::Name,
        choose: |dataset, random| {
            // Not every format calls every value by its name in the JSON; these are called alike.
            let known = with_id(dataset, &["kind", "name"]);
            if known.is_empty() { Vec::new() } else { vec![random.pick(&known).clone()] }
        },
        truth: |dataset, arguments| {
            text(only(dataset, &arguments[1])?, &arguments[0]).map(Truth::name)
        },
        names: |dataset, arguments| values(dataset, &arguments[0]),
    },
    Template {
        id: "filter",
        family: FAMILY,
        wording: "Which of the entries have the {} {}? List their ids.",
        form: Form::Names,
        choose: |dataset, random: &mut Random| {
            let known = with_id(dataset, &["kind"]);
            let values: BTreeSet<(&str, &str)> = known
                .iter()
                .filter_map(|arguments| {
                    let row =
                        all(dataset).iter().find(|row| text(row, "id") == Some(&arguments[1]))?;
                    Some((arguments[0].as_str(), text(row, &arguments[0])?))
                })
                .collect();
            let values: Vec<_> = values.into_iter().collect();
            if values.is_empty() {
                return Vec::new();
            }
            let (key, value) = *random.pick(&values);
            vec![vec![key.to_owned(), value.to_owned()]]
        },
        truth: |dataset, arguments| {
            let fitting =
                all(dataset).iter().filter(|row| text(row, &arguments[0]) == Some(&arguments[1]));
            let ids: Option<BTreeSet<String>> =
                fitting.map(|row| text(row, "id").map(str::to_owned)).collect();
            ids.filter(|ids| !ids.is_empty()).map(Truth::Names)
        },
        names: |dataset, _| {
            all(dataset).iter().filter_map(|row| text(row, "id")).map(str::to_owned).collect()
        },
    },
];

/// Look-ups by the position of row and column: in a large table models may lose count of either.
pub(super) const MIDDLE: &[Template] = &[
    Template {
        id: "middle_row_first_column",
        family: FAMILY,
        wording: "The entry whose id is {}: what is its kind?",
        form: Form::Name,
        choose: |dataset, random| middle(dataset, "kind", random),
        truth: |dataset, arguments| {
            only(dataset, &arguments[0])?.get("kind")?.as_str().map(Truth::name)
        },
        names: |dataset, _| values(dataset, "kind"),
    },
    // The question names no column, since GCX calls it `line`.
    Template {
        id: "middle_row_last_column",
        family: FAMILY,
        wording: "On which line does the entry begin whose id is {}?",
        form: Form::Number,
        choose: |dataset, random| middle(dataset, "start_line", random),
        truth: |dataset, arguments| {
            only(dataset, &arguments[0])?.get("start_line")?.as_u64().map(Truth::number)
        },
        names: no_names,
    },
];

/// The kinds of wrong answers about a value of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Slip {
    OtherColumn,
    OtherRow,
    OtherCell,
    NoCell,
}

impl Slip {
    pub(crate) const ALL: [Slip; 4] =
        [Slip::OtherColumn, Slip::OtherRow, Slip::OtherCell, Slip::NoCell];

    /// Its name in reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Slip::OtherColumn => "another column of the row",
            Slip::OtherRow => "the column in another row",
            Slip::OtherCell => "another column in another row",
            Slip::NoCell => "no value of the data",
        }
    }
}

/// The origin of a wrong answer to a question about one value; `None` for other questions.
pub(crate) fn slip(dataset: &Dataset, question: &Question, answer: &str) -> Option<Slip> {
    if question.template.id != CELL {
        return None;
    }
    let (key, id) = (&question.arguments[0], &question.arguments[1]);
    let answer = answer.trim().trim_matches(['"', '`', '*', '\'']);
    let is_said = |value: &Value| match value {
        Value::String(text) => text == answer,
        Value::Number(number) => number.to_string() == answer,
        _ => false,
    };
    let mut slips = BTreeSet::from([Slip::NoCell]);
    for row in all(dataset) {
        let is_row = text(row, "id") == Some(id);
        for (name, _) in row.as_object().into_iter().flatten().filter(|(_, value)| is_said(value)) {
            slips.insert(match (is_row, name == key) {
                (true, _) => Slip::OtherColumn,
                (false, true) => Slip::OtherRow,
                (false, false) => Slip::OtherCell,
            });
        }
    }
    slips.pop_first()
}

fn all(dataset: &Dataset) -> &[Value] {
    match dataset {
        Dataset::Rows { value, .. } => rows(value).unwrap_or_default(),
        _ => &[],
    }
}

fn text<'v>(row: &'v Value, key: &str) -> Option<&'v str> {
    row.get(key)?.as_str()
}

/// The entry with this id, if there is just one.
fn only<'d>(dataset: &'d Dataset, id: &str) -> Option<&'d Value> {
    let mut found = all(dataset).iter().filter(|row| text(row, "id") == Some(id));
    found.next().filter(|_| found.next().is_none())
}

/// Tables with fewer entries have no middle to speak of.
const FEWEST: usize = 30;

/// The id of an entry in the middle third that has this member.
fn middle(dataset: &Dataset, key: &str, random: &mut Random) -> Vec<Vec<String>> {
    let rows = Some(all(dataset)).filter(|rows| rows.len() >= FEWEST).unwrap_or_default();
    let third = rows.len() / 3;
    let rows = rows[third..rows.len() - third].iter().filter(|row| row.get(key).is_some());
    let ids: Vec<&str> = rows.filter_map(|row| text(row, "id")).collect();
    if ids.is_empty() { Vec::new() } else { vec![vec![(*random.pick(&ids)).to_owned()]] }
}

/// Every text that a member has.
fn values(dataset: &Dataset, key: &str) -> BTreeSet<String> {
    all(dataset).iter().filter_map(|row| text(row, key)).map(str::to_owned).collect()
}

/// Each of the keys with the id of each row that has it as a text.
fn with_id(dataset: &Dataset, keys: &[&str]) -> Vec<Vec<String>> {
    let mut known = Vec::new();
    for row in all(dataset) {
        for key in keys {
            if let (Some(id), Some(_)) = (text(row, "id"), text(row, key)) {
                known.push(vec![(*key).to_owned(), id.to_owned()]);
            }
        }
    }
    known
}
