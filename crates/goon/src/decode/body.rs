//! The sections after the header: nodes, edges or paths, rows.

use std::collections::{HashMap, HashSet};

use wire_core::Limits;
use wire_core::text::shown;

use super::edges::{End, read_edges, read_paths};
use super::group::check_items;
use super::header::Header;
use super::lines::Lines;
use super::nodes::read_nodes;
use super::rows::read_row;
use crate::grammar::{EDGES, NODES, PATHS, ROWS};
use crate::response::{GraphResponse, GroupKind, QueryType};
use crate::{Error, ErrorKind};

/// Reads the sections after the header.
pub(super) fn read<'a>(
    lines: &mut Lines<'a>,
    header: Header<'a>,
    limits: Limits,
) -> Result<GraphResponse, Error> {
    let Header {
        query_type,
        nodes: stated_nodes,
        edges: stated_edges,
        rows: stated_rows,
        group_columns,
        columns,
        pagination,
        ..
    } = header;
    lines.section(NODES)?;
    let (mut nodes, sizes, known) = read_nodes(lines, limits, query_type)?;
    let ends_checked = query_type != QueryType::Aggregation;
    let is_known = |end: &End<'_>| !ends_checked || known.get(end.entity_type, end.id).is_some();
    let edges = if query_type == QueryType::PathFinding {
        lines.section(PATHS)?;
        read_paths(lines, limits, &is_known)?
    } else {
        lines.section(EDGES)?;
        read_edges(lines, limits, &is_known)?
    };
    let mut rows = Vec::new();
    let mut lifted = HashSet::new();
    let (mut copied, most) = (0, lines.size().saturating_mul(64).saturating_add(16 << 20));
    let names: HashMap<&str, bool> = group_columns
        .iter()
        .map(|column| (&*column.name, column.kind == GroupKind::Node))
        .chain(columns.iter().map(|column| (&*column.name, false)))
        .collect();
    if query_type == QueryType::Aggregation {
        lines.section(ROWS)?;
        while let Some(line) = lines.next()? {
            if line.text.starts_with('@') && !line.text.contains('=') {
                return Err(line.malformed(ErrorKind::InvalidSection, "a row, or the end"));
            }
            check_items(line, rows.len(), limits, "rows")?;
            let mut row = read_row(line, &names)?;
            for (name, at, entity_type, id) in row.nodes {
                let Some(place) = known.get(entity_type, id) else {
                    let message = format!(
                        "the cell names the node {entity_type}:{id}, expected a node of the text"
                    );
                    return Err(line.error(ErrorKind::DanglingCell, at, message));
                };
                lifted.insert(place);
                // Each cell copies its whole node. A large node named in many rows would let a
                // short text fill the memory.
                copied += sizes[place];
                if copied > most {
                    let message = format!(
                        "the nodes in the rows' cells have more than {most} bytes together, expected at most that many"
                    );
                    return Err(line.error(ErrorKind::TooManyItems, at, message));
                }
                row.cells.insert(name.to_owned(), nodes[place].to_cell());
            }
            rows.push(row.cells);
        }
    } else if let Some(line) = lines.next()? {
        let message = format!("the line is {}, expected the end", shown(line.text));
        return Err(line.error(ErrorKind::InvalidSection, 0, message));
    }
    stated_nodes.check(nodes.len(), "nodes")?;
    stated_edges.check(edges.len(), "edges")?;
    if let Some(stated) = stated_rows {
        stated.check(rows.len(), "rows")?;
    }
    let mut place = 0;
    nodes.retain(|_| {
        place += 1;
        !lifted.contains(&(place - 1))
    });
    Ok(GraphResponse {
        format_version: None,
        query_type,
        nodes,
        edges,
        columns,
        group_columns,
        rows,
        pagination,
    })
}
