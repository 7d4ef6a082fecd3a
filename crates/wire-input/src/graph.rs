//! Responses of graph queries: their text, and what it loses.

use std::collections::HashSet;

use goon::{EncodeReport, Encoder, GraphResponse, Node, Pagination, Version};
use serde_json::Value;

/// Returns `true` if a version has the members of a response's pagination.
pub fn has_pagination(version: Version, response: &GraphResponse) -> bool {
    let mut probe = GraphResponse::new(response.query_type);
    probe.pagination.clone_from(&response.pagination);
    Encoder::new().version(version).to_string(&probe).is_ok()
}

/// The lowest version that has the members of a response's pagination (ruling N17).
pub fn lowest_version(response: &GraphResponse) -> Version {
    let has = |version: &Version| has_pagination(*version, response);
    Version::ALL.iter().copied().find(has).unwrap_or_default()
}

/// The text of a response, and what it loses. A text that equals the original loses nothing.
///
/// # Errors
///
/// What the version can't represent.
pub fn encode(
    encoder: &Encoder,
    response: &GraphResponse,
    original: &[u8],
) -> Result<(String, Vec<String>), goon::Error> {
    let mut bytes = Vec::new();
    let report = encoder.encode(response, &mut bytes)?;
    let is_same = bytes == original;
    let text = String::from_utf8(bytes).expect("because it is a text");
    let losses = if is_same { Vec::new() } else { losses(encoder, response, &text, report) };
    Ok((text, losses))
}

/// The losses of a response when its text is decoded.
fn losses(
    encoder: &Encoder,
    response: &GraphResponse,
    text: &str,
    report: EncodeReport,
) -> Vec<String> {
    let mut losses = Vec::new();
    let cells = report.conflicting_nodes;
    if cells > 0 {
        losses.push(format!(
            "nodes keep the properties that came first: {cells} cells with other ones are dropped"
        ));
    }
    if response.format_version.is_some() {
        losses.push("the version of the JSON form is dropped".to_owned());
    }
    if response.group_columns.iter().any(|column| column.node.is_some()) {
        losses.push("the aliases of group columns are dropped".to_owned());
    }
    let wanted = comparable(response.clone());
    let comes_back =
        |text: &str| goon::from_str(text).is_ok_and(|response| comparable(response) == wanted);
    if comes_back(text) {
        return losses;
    }
    // In the text without cuts, the remaining differences are changed values. Without cuts two
    // nodes may differ, which is an error.
    let whole = encoder.long_text(None).other_text(None).to_string(response).ok();
    let is_cut = whole.as_ref().is_none_or(|whole| whole.len() != text.len());
    if is_cut {
        let cells = match report.cut_cells {
            0 => String::new(),
            1 => ", among them a cell of a row, whose length is not written".to_owned(),
            cells => format!(", among them {cells} cells of rows, whose lengths are not written"),
        };
        losses.push(format!("long texts are cut{cells}"));
    }
    if !(is_cut && whole.is_some_and(|whole| comes_back(&whole))) {
        losses.push(
            "not every value decodes to an equal one, such as null and empty values, strings that look like numbers, integral \
             doubles, nested values, control characters, datetimes with a space, repeated edges and their positions"
                .to_owned(),
        );
    }
    losses
}

/// A response in a form for comparisons: sorted as a text sorts it, and without the members that a
/// text leaves out.
fn comparable(mut response: GraphResponse) -> String {
    response.format_version = None;
    for column in &mut response.group_columns {
        column.node = None;
        column.property = column.property.take().filter(|property| *property != column.name);
    }
    let mut nodes: Vec<Node> = std::mem::take(&mut response.nodes);
    for row in &mut response.rows {
        for cell in row.values_mut() {
            if let Ok(node) = Node::from_cell(cell) {
                *cell = Value::String(format!("{}:{}", node.entity_type, node.id));
                nodes.push(node);
            }
        }
    }
    let sorted = |mut lines: Vec<String>| {
        lines.sort();
        lines.dedup();
        lines.join("\n")
    };
    let nodes = sorted(nodes.iter().map(|node| format!("{node:?}")).collect());
    let edges = sorted(response.edges.iter().map(|edge| format!("{edge:?}")).collect());
    let said = |pagination: &Pagination| {
        pagination.has_more
            || pagination.total_rows.is_some()
            || pagination.truncated == Some(true)
            || pagination.next_cursor.is_some()
    };
    let GraphResponse { columns, group_columns, rows, pagination, .. } = response;
    let pagination = pagination.filter(said);
    format!("{nodes}\n{edges}\n{columns:?} {group_columns:?} {rows:?} {pagination:?}")
}

/// All nodes of a response: its own, and those that the cells of its rows are.
pub fn nodes(response: &GraphResponse) -> Vec<Node> {
    let mut nodes = response.nodes.clone();
    let mut known: HashSet<(String, i64)> =
        nodes.iter().map(|node| (node.entity_type.clone(), node.id)).collect();
    for cell in response.rows.iter().flat_map(|row| row.values()).filter(|cell| cell.is_object()) {
        if let Ok(node) = Node::from_cell(cell)
            && known.insert((node.entity_type.clone(), node.id))
        {
            nodes.push(node);
        }
    }
    nodes
}
