//! The header: query type, version, counts, pagination, and the columns of an aggregation.

use std::collections::HashSet;
use std::fmt::Write as _;

use wire_core::text::shown;

use super::name::check_name;
use super::options::{EncodeReport, Options};
use crate::grammar::{Field, HEADER};
use crate::response::{Column, GraphResponse, GroupColumn, GroupKind, Pagination, QueryType};
use crate::version::Version;
use crate::{Error, ErrorKind};

pub(super) fn section(
    options: &Options,
    response: &GraphResponse,
    nodes: usize,
    edges: usize,
    report: &mut EncodeReport,
) -> Result<String, Error> {
    let mut text = format!("{HEADER}\n");
    let mut field = |field: Field, value: &str| {
        let _ = writeln!(text, "{}:{value}", field.name());
    };
    field(Field::QueryType, response.query_type.name());
    field(Field::GoonVersion, options.version.name());
    field(Field::Nodes, &nodes.to_string());
    field(Field::Edges, &edges.to_string());
    if let Some(pagination) = &response.pagination {
        let Pagination { has_more, total_rows, truncated, next_cursor } = pagination;
        if *has_more {
            field(Field::HasMore, "true");
        }
        let first = options.version == Version::V1_0_0;
        let mut refuse = |what: &str| {
            if options.drop_unrepresentable {
                report.pagination_members += 1;
                return Ok(());
            }
            let message = format!(
                "version {} does not have `{what}` of the pagination, expected no value",
                options.version.name()
            );
            Err(Error::encode(ErrorKind::NotRepresentable, message))
        };
        if let Some(total) = total_rows {
            if first {
                field(Field::TotalRows, &total.to_string());
            } else {
                refuse("total_rows")?;
            }
        }
        if *truncated == Some(true) {
            if first {
                refuse("truncated")?;
            } else {
                field(Field::Truncated, "true");
            }
        }
        if let Some(cursor) = next_cursor {
            if cursor.is_empty() || cursor.contains(char::is_control) {
                let message = format!("the cursor is {}, expected one line of text", shown(cursor));
                return Err(Error::encode(ErrorKind::InvalidName, message));
            }
            if first {
                refuse("next_cursor")?;
            } else {
                field(Field::NextCursor, cursor);
            }
        }
    }
    if response.query_type == QueryType::Aggregation {
        field(Field::Rows, &response.rows.len().to_string());
        let mut names = HashSet::new();
        let mut unique = |name: &str| {
            check_name("a column", name)?;
            if names.insert(name.to_owned()) {
                return Ok(());
            }
            let message =
                format!("two columns have the name {}, expected different names", shown(name));
            Err(Error::encode(ErrorKind::DuplicateColumn, message))
        };
        let groups: Vec<String> = response
            .group_columns
            .iter()
            .map(|column| {
                unique(&column.name)?;
                group(column)
            })
            .collect::<Result<_, Error>>()?;
        let metrics: Vec<String> = response
            .columns
            .iter()
            .map(|column| {
                unique(&column.name)?;
                metric(column)
            })
            .collect::<Result<_, Error>>()?;
        for (kind, descriptors) in [(Field::GroupBy, groups), (Field::Aggregations, metrics)] {
            if !descriptors.is_empty() {
                field(kind, &descriptors.join(","));
            }
        }
    }
    Ok(text)
}

/// `name(kind)` or `name(kind:detail)`.
fn group(column: &GroupColumn) -> Result<String, Error> {
    let GroupColumn { name, kind, node: _, entity, property } = column;
    let (word, detail, other) = match kind {
        GroupKind::Node => ("node", entity, property),
        GroupKind::Property => {
            ("property", &property.clone().filter(|property| property != name), entity)
        }
    };
    if let Some(other) = other {
        let message = format!(
            "the group column {} is of the kind {word} and has {}, which is of the other kind",
            shown(name),
            shown(other)
        );
        return Err(Error::encode(ErrorKind::NotRepresentable, message));
    }
    match detail {
        None => Ok(format!("{name}({word})")),
        Some(detail) => {
            check_name("the entity or property of a group column", detail)?;
            Ok(format!("{name}({word}:{detail})"))
        }
    }
}

/// `name(function)`, `name(function:target)` or `name(function:target.property)`.
fn metric(column: &Column) -> Result<String, Error> {
    let Column { name, function, target, property } = column;
    check_name("the function of a column", function)?;
    match (target, property) {
        (None, None) => Ok(format!("{name}({function})")),
        (None, Some(property)) => {
            let message = format!(
                "a column has the property {} and no target, expected a target",
                shown(property)
            );
            Err(Error::encode(ErrorKind::InvalidName, message))
        }
        (Some(target), property) => {
            check_name("the target of a column", target)?;
            if target.contains('.') {
                let message = format!(
                    "the target of a column is {}, expected a name without `.`",
                    shown(target)
                );
                return Err(Error::encode(ErrorKind::InvalidName, message));
            }
            let Some(property) = property else {
                return Ok(format!("{name}({function}:{target})"));
            };
            check_name("the property of a column", property)?;
            Ok(format!("{name}({function}:{target}.{property})"))
        }
    }
}
