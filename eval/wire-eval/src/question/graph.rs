//! Questions about responses of graph queries.

use std::collections::{BTreeMap, BTreeSet};

use goon::{GraphResponse, Node, QueryType};
use serde_json::Value;

use super::template::{Form, Template, Truth, no_names, once};
use crate::dataset::{Dataset, Family};

const FAMILY: Family = Family::Responses;

pub(super) const TEMPLATES: &[Template] = &[
    Template {
        id: "property",
        family: FAMILY,
        wording: "What is the {} of the {} with id {}?",
        form: Form::Name,
        choose: |dataset, random| {
            let Some(response) = response(dataset) else { return Vec::new() };
            let known: Vec<Vec<String>> = response
                .nodes
                .iter()
                .flat_map(|node| {
                    let texts = node.properties.iter().filter(|(_, value)| is_plain(value));
                    texts.map(|(key, _)| {
                        vec![key.clone(), node.entity_type.clone(), node.id.to_string()]
                    })
                })
                .collect();
            if known.is_empty() { Vec::new() } else { vec![random.pick(&known).clone()] }
        },
        truth: |dataset, arguments| {
            let node = node(response(dataset)?, &arguments[1], &arguments[2])?;
            Some(Truth::name(shown(node.properties.get(&arguments[0])?)?))
        },
        names: |dataset, arguments| {
            let nodes = response(dataset).into_iter().flat_map(|response| &response.nodes);
            nodes.filter_map(|node| shown(node.properties.get(&arguments[0])?)).collect()
        },
    },
    Template {
        id: "type_count",
        family: FAMILY,
        wording: "How many nodes are of type {}?",
        form: Form::Number,
        choose: |dataset, random| {
            let nodes = response(dataset).into_iter().flat_map(|response| &response.nodes);
            let types: BTreeSet<&String> = nodes.map(|node| &node.entity_type).collect();
            let types: Vec<&String> = types.into_iter().collect();
            if types.is_empty() { Vec::new() } else { vec![vec![(*random.pick(&types)).clone()]] }
        },
        truth: |dataset, arguments| {
            let nodes = response(dataset)?.nodes.iter();
            Some(Truth::number(nodes.filter(|node| node.entity_type == arguments[0]).count()))
        },
        names: no_names,
    },
    Template {
        id: "type_counts",
        family: FAMILY,
        wording: "How many nodes are there of each type?",
        form: Form::Counts,
        choose: |dataset, random| match response(dataset) {
            Some(response) if !response.nodes.is_empty() => once(dataset, random),
            _ => Vec::new(),
        },
        truth: |dataset, _| {
            let mut counts = BTreeMap::new();
            for node in &response(dataset)?.nodes {
                *counts.entry(node.entity_type.clone()).or_default() += 1;
            }
            Some(Truth::Counts(counts))
        },
        names: no_names,
    },
    Template {
        id: "path_end",
        family: FAMILY,
        wording: "The first steps of several paths are edges from the {} with id {}. Follow the one over the {} with id {} to its last step: \
                  what is the id of the node where it ends?",
        form: Form::Number,
        choose: |dataset, random| {
            let paths: Vec<[(String, i64); 3]> = paths(dataset).collect();
            if paths.is_empty() {
                return Vec::new();
            }
            let [(start, start_id), (second, second_id), _] = random.pick(&paths).clone();
            vec![vec![start, start_id.to_string(), second, second_id.to_string()]]
        },
        truth: |dataset, arguments| {
            let wanted = |end: &(String, i64), at: usize| {
                end.0 == arguments[at] && end.1.to_string() == arguments[at + 1]
            };
            let ends: BTreeSet<i64> = paths(dataset)
                .filter(|[start, second, _]| wanted(start, 0) && wanted(second, 2))
                .map(|[_, _, (_, id)]| id)
                .collect();
            (ends.len() == 1).then(|| Truth::number(ends.first().copied().unwrap_or_default()))
        },
        names: no_names,
    },
    Template {
        id: "aggregated",
        family: FAMILY,
        wording: "What is the {} where {}?",
        form: Form::Number,
        choose: |dataset, random| {
            let known: Vec<Vec<String>> =
                aggregated(dataset).map(|(metric, of, _)| vec![metric, of]).collect();
            if known.is_empty() { Vec::new() } else { vec![random.pick(&known).clone()] }
        },
        truth: |dataset, arguments| {
            let mut found = aggregated(dataset)
                .filter(|(metric, of, _)| [metric, of].into_iter().eq(arguments));
            let (.., number) = found.next()?;
            found.next().is_none().then_some(Truth::Number(number))
        },
        names: no_names,
    },
];

fn response(dataset: &Dataset) -> Option<&GraphResponse> {
    match dataset {
        Dataset::Response(response) => Some(response),
        _ => None,
    }
}

/// Returns `true` if it is a text that every format writes as it is.
fn is_plain(value: &Value) -> bool {
    let special = |c: char| c.is_control() || c == '"' || c == '\\';
    value.as_str().is_some_and(|text| !text.is_empty() && !text.contains(special))
}

/// A text or a number, as it is written.
fn shown(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn node<'r>(response: &'r GraphResponse, entity: &str, id: &str) -> Option<&'r Node> {
    response.nodes.iter().find(|node| node.entity_type == entity && node.id.to_string() == id)
}

/// For each path with at least two steps: the start, the node after the first step, and the end.
fn paths(dataset: &Dataset) -> impl Iterator<Item = [(String, i64); 3]> {
    let response =
        response(dataset).filter(|response| response.query_type == QueryType::PathFinding);
    let mut steps: BTreeMap<u64, BTreeMap<u64, &goon::Edge>> = BTreeMap::new();
    for edge in response.into_iter().flat_map(|response| &response.edges) {
        if let (Some(path), Some(step)) = (edge.path_id, edge.step) {
            steps.entry(path).or_default().insert(step, edge);
        }
    }
    steps.into_values().filter(|steps| steps.len() > 1).filter_map(|steps| {
        let (first, last) = (steps.values().next()?, steps.values().last()?);
        Some([
            (first.from.clone(), first.from_id),
            (first.to.clone(), first.to_id),
            (last.to.clone(), last.to_id),
        ])
    })
}

/// For each row: a metric, a description of the row's group, and the metric's number.
fn aggregated(dataset: &Dataset) -> impl Iterator<Item = (String, String, String)> {
    response(dataset).into_iter().flat_map(|response| {
        response.rows.iter().flat_map(move |row| {
            let group = |group: &goon::GroupColumn| match row.get(&group.name)? {
                Value::Object(node) => {
                    Some(format!("the {} has the id {}", group.name, node.get("id")?))
                }
                value => Some(format!("the {} is {}", group.name, shown(value)?)),
            };
            let groups: Option<Vec<String>> = response.group_columns.iter().map(group).collect();
            let groups =
                groups.filter(|groups| !groups.is_empty()).map(|groups| groups.join(" and "));
            response.columns.iter().filter_map(move |column| {
                let number = row.get(&column.name).filter(|value| value.is_number())?;
                Some((column.name.clone(), groups.clone()?, number.to_string()))
            })
        })
    })
}
