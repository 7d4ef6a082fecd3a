//! Questions about what calls of tools answered. The first argument of each but `follow` is the
//! number of a call.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::template::{Form, Template, Truth, no_names};
use crate::dataset::{Dataset, Entries, Family, Random, Transcript, said, scalars};

const FAMILY: Family = Family::Calls;
/// The question whose answer names an entry.
pub(super) const FIND: &str = "call_find";
/// The question about an entry that an earlier answer names.
pub(super) const FOLLOW: &str = "call_follow";
/// The question about a call that others have followed.
pub(super) const EARLIER: &str = "call_earlier";

pub(super) const TEMPLATES: &[Template] = &[
    Template {
        id: "call_count",
        family: FAMILY,
        wording: "How many entries does call {} list?",
        form: Form::Number,
        choose: |dataset, _| each(dataset, |call, _| Some(vec![call])),
        truth: |dataset, arguments| {
            Some(Truth::number(transcript(dataset)?.entries(&arguments[0])?.rows.len()))
        },
        names: no_names,
    },
    Template {
        id: "call_value",
        family: FAMILY,
        wording: "In call {}, what is the {} of the entry whose {} is {}?",
        form: Form::Name,
        choose: |dataset, random| each(dataset, |call, entries| value_of(call, entries, random)),
        truth: value_truth,
        names: value_names,
    },
    Template {
        id: "call_filter",
        family: FAMILY,
        wording: "In call {}, how many entries have {} as their {}?",
        form: Form::Number,
        choose: |dataset, random| {
            each(dataset, |call, entries| {
                // What some have, and not all.
                let mut pairs = BTreeSet::new();
                for (path, value) in entries.rows.iter().flatten() {
                    let text = said(value);
                    if (2..entries.rows.len()).contains(&entries.count(path, &text)) {
                        pairs.insert((text, path.clone()));
                    }
                }
                let pairs: Vec<_> = pairs.into_iter().collect();
                let (text, path) = (!pairs.is_empty()).then(|| random.pick(&pairs).clone())?;
                Some(vec![call, text, path])
            })
        },
        truth: |dataset, arguments| {
            let entries = transcript(dataset)?.entries(&arguments[0])?;
            Some(Truth::number(entries.count(&arguments[2], &arguments[1])))
        },
        names: no_names,
    },
    Template {
        id: FIND,
        family: FAMILY,
        wording: "Which entry of call {} has {} as its {}? Give its {}.",
        form: Form::Name,
        choose: |dataset, random| {
            each(dataset, |call, entries| {
                let mut pairs = BTreeSet::new();
                for (path, value) in entries.rows.iter().flatten() {
                    let text = said(value);
                    if *path != entries.key && entries.only(path, &text).is_some() {
                        pairs.insert((text, path.clone()));
                    }
                }
                let pairs: Vec<_> = pairs.into_iter().collect();
                let (text, path) = (!pairs.is_empty()).then(|| random.pick(&pairs).clone())?;
                Some(vec![call, text, path, entries.key.clone()])
            })
        },
        truth: |dataset, arguments| {
            let entries = transcript(dataset)?.entries(&arguments[0])?;
            Some(truth(entries.only(&arguments[2], &arguments[1])?.get(&arguments[3])?))
        },
        names: |dataset, arguments| values(dataset, &arguments[0], &arguments[3]),
    },
    Template {
        id: "call_member",
        family: FAMILY,
        wording: "In what call {} answered, what is {}?",
        form: Form::Name,
        choose: |dataset, random| {
            let calls = transcript(dataset).map(|transcript| transcript.calls.as_slice());
            let mut chosen = Vec::new();
            for (index, (_, value)) in calls.unwrap_or_default().iter().enumerate() {
                let Some(object) = value.as_object() else { continue };
                let paths: Vec<String> = scalars(object).into_keys().collect();
                if !paths.is_empty() {
                    chosen.push(vec![(index + 1).to_string(), random.pick(&paths).clone()]);
                }
            }
            chosen
        },
        truth: |dataset, arguments| {
            let object = transcript(dataset)?.value(&arguments[0])?.as_object()?;
            Some(truth(scalars(object).get(&arguments[1])?))
        },
        names: |dataset, arguments| {
            let value = transcript(dataset).and_then(|transcript| transcript.value(&arguments[0]));
            let all = value.and_then(Value::as_object).map(scalars).unwrap_or_default();
            texts(all.values()).collect()
        },
    },
    Template {
        id: EARLIER,
        family: FAMILY,
        wording: "Back to call {}: what is the {} of the entry whose {} is {}?",
        form: Form::Name,
        choose: |dataset, random| {
            let mut chosen = each(dataset, |call, entries| value_of(call, entries, random));
            let last = transcript(dataset).map_or(0, |transcript| transcript.calls.len());
            chosen.retain(|arguments| arguments[0] != last.to_string());
            chosen
        },
        truth: value_truth,
        names: value_names,
    },
    Template {
        id: FOLLOW,
        family: FAMILY,
        wording: "Take the entry that you gave in answer {}: in call {}, what is its {}?",
        form: Form::Name,
        // What was answered before is not known yet: `conversation` asks it.
        choose: |_, _| Vec::new(),
        truth: |dataset, arguments| {
            let transcript = transcript(dataset)?;
            let number: usize = arguments[0].parse().ok()?;
            let given = transcript.said.get(number.checked_sub(1)?)?;
            let entries = transcript.entries(&arguments[1])?;
            Some(truth(entries.only(&entries.key, given)?.get(&arguments[2])?))
        },
        names: |dataset, arguments| values(dataset, &arguments[1], &arguments[2]),
    },
];

/// The question about an entry of an earlier answer: it uses another path than the question of that
/// answer.
pub(super) fn follow(
    transcript: &Transcript,
    answer: usize,
    found: &[String],
    random: &mut Random,
) -> Option<Vec<String>> {
    let entries = transcript.entries(&found[0])?;
    let entry = entries.only(&found[2], &found[1])?;
    let paths: Vec<&String> = entry.keys().filter(|path| !found[2..].contains(path)).collect();
    let path = (!paths.is_empty()).then(|| (*random.pick(&paths)).clone())?;
    Some(vec![answer.to_string(), found[0].clone(), path])
}

fn transcript(dataset: &Dataset) -> Option<&Transcript> {
    match dataset {
        Dataset::Calls(transcript) => Some(transcript),
        _ => None,
    }
}

/// The questions about each call that lists entries.
fn each(
    dataset: &Dataset,
    mut choose: impl FnMut(String, &Entries) -> Option<Vec<String>>,
) -> Vec<Vec<String>> {
    let Some(transcript) = transcript(dataset) else { return Vec::new() };
    let calls = (1..=transcript.calls.len()).map(|number| number.to_string());
    calls.filter_map(|call| choose(call.clone(), &transcript.entries(&call)?)).collect()
}

/// A value of an entry: the call, the path, the key and its value.
fn value_of(call: String, entries: &Entries, random: &mut Random) -> Option<Vec<String>> {
    let pairs: Vec<(&String, &BTreeMap<String, Value>)> = entries
        .rows
        .iter()
        .flat_map(|row| {
            row.keys().filter(|path| **path != entries.key).map(move |path| (path, row))
        })
        .collect();
    let (path, row) = *(!pairs.is_empty()).then(|| random.pick(&pairs))?;
    Some(vec![call, path.clone(), entries.key.clone(), said(&row[&entries.key])])
}

fn value_truth(dataset: &Dataset, arguments: &[String]) -> Option<Truth> {
    let entries = transcript(dataset)?.entries(&arguments[0])?;
    Some(truth(entries.only(&arguments[2], &arguments[3])?.get(&arguments[1])?))
}

fn value_names(dataset: &Dataset, arguments: &[String]) -> BTreeSet<String> {
    values(dataset, &arguments[0], &arguments[1])
}

/// The texts that a path has in a call.
fn values(dataset: &Dataset, call: &str, path: &str) -> BTreeSet<String> {
    let entries = transcript(dataset).and_then(|transcript| transcript.entries(call));
    entries.map(|entries| entries.values(path)).unwrap_or_default()
}

fn texts<'v>(values: impl Iterator<Item = &'v Value>) -> impl Iterator<Item = String> {
    values.filter_map(Value::as_str).map(str::to_owned)
}

fn truth(value: &Value) -> Truth {
    match value {
        Value::Number(_) => Truth::Number(said(value)),
        other => Truth::name(said(other)),
    }
}
