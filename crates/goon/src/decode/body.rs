//! The sections behind the header: nodes, edges or paths, rows.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;
use wire_core::Limits;
use wire_core::text::shown;

use super::header::{Header, Stated};
use super::index::{Index, Ordered};
use super::lines::{Line, Lines};
use crate::grammar::{
    ARROW, DEPTH, EDGES, LENGTH_SUFFIX, NODES, PATH, PATHS, PLAIN_NAME, ROWS, STEP, count, cut, id,
    is_name, is_own, run_of,
};
use crate::response::{Edge, GraphResponse, GroupKind, LARGEST, Node, QueryType, Row};
use crate::value::{is_length, read_bare, read_quoted};
use crate::{Error, ErrorKind};

/// Reads what follows the header.
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
                        "the cell names the node {entity_type}:{id}, which is not there, expected one that is"
                    );
                    return Err(line.error(ErrorKind::DanglingCell, at, message));
                };
                lifted.insert(place);
                // Each cell is the whole node again: of a large one in many rows a short text would fill the memory.
                copied += sizes[place];
                if copied > most {
                    let message = format!(
                        "the nodes in the rows' cells take more than {most} bytes, expected at most as many"
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

fn check_items(line: Line<'_>, found: usize, limits: Limits, what: &str) -> Result<(), Error> {
    if found < limits.items {
        return Ok(());
    }
    let message = format!("there are more than {} {what}, expected at most as many", limits.items);
    Err(line.error(ErrorKind::TooManyItems, 0, message))
}

/// A depth, or the number of a path.
fn place(text: &str) -> Option<u64> {
    count(text).filter(|place| *place <= LARGEST)
}

/// A group of nodes or edges that is being read.
struct Group<'a> {
    name: &'a str,
    stated: Stated<'a>,
    found: usize,
}

impl<'a> Group<'a> {
    /// The group that a line begins, as `User(3):`; none if the line is no beginning.
    fn begin(line: Line<'a>) -> Option<Self> {
        let (name, digits) = line.text().strip_suffix("):")?.split_once('(')?;
        let stated = Stated::new(count(digits)?, line, line.at(digits));
        is_name(name).then_some(Group { name, stated, found: 0 })
    }

    /// That the group has as many members as it says.
    fn end(group: Option<Self>, what: &str) -> Result<(), Error> {
        group.map_or(Ok(()), |group| group.stated.check(group.found, what))
    }
}

/// Whether a line is of the next section rather than of this one. Names may begin with `@`, too.
fn is_marker(line: Line<'_>) -> bool {
    line.text.starts_with('@') && Group::begin(line).is_none() && !line.text.contains(ARROW)
}

/// The nodes, about how many bytes each takes, and where each is.
fn read_nodes<'a>(
    lines: &mut Lines<'a>,
    limits: Limits,
    query_type: QueryType,
) -> Result<(Vec<Node>, Vec<usize>, Index<'a>), Error> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut sizes = Vec::new();
    let mut index = Index::default();
    let mut groups = HashSet::new();
    let mut group: Option<Group<'_>> = None;
    while let Some(line) = lines.peek()?.filter(|line| !is_marker(*line)) {
        lines.next()?;
        if let Some(next) = Group::begin(line) {
            // Rows put the nodes of an aggregation in their order, so that a type comes in runs (ruling N13).
            if query_type != QueryType::Aggregation && !groups.insert(next.name) {
                return Err(line.malformed(ErrorKind::InvalidNodeLine, "each type once"));
            }
            Group::end(group.replace(next), "nodes")?;
            continue;
        }
        let malformed = || {
            line.malformed(
                ErrorKind::InvalidNodeLine,
                "`Type(count):`, or the id of a node and its properties behind such a line",
            )
        };
        let group = group.as_mut().ok_or_else(malformed)?;
        let (digits, rest) = cut(line.text(), b' ')
            .map_or((line.text(), None), |(digits, rest)| (digits, Some(rest)));
        let id = id(digits).ok_or_else(malformed)?;
        check_items(line, nodes.len(), limits, "nodes")?;
        if !index.of_type_mut(group.name).insert(id, nodes.len()) {
            let message = format!("the node {}:{id} is there twice, expected once", group.name);
            return Err(line.error(ErrorKind::DuplicateNode, 0, message));
        }
        group.found += 1;
        let mut properties = BTreeMap::new();
        if let Some(rest) = rest {
            let mut pairs = Pairs { line, rest: Some(rest), kind: ErrorKind::InvalidNodeLine };
            while let Some(Pair { key, value, at }) = pairs.next(|_| false)? {
                if is_own(key) {
                    let message = format!(
                        "a property has the key {}, expected another than the node's own",
                        shown(key)
                    );
                    return Err(line.error(ErrorKind::DuplicateKey, line.at(key), message));
                }
                let value = value.read(line)?;
                if value.is_null() {
                    let message =
                        "a property is `null`, expected another value or no such property";
                    return Err(line.error(ErrorKind::InvalidValue, at, message));
                }
                insert(line, &mut properties, key, value)?;
            }
        }
        let count = properties.len();
        nodes.push(Node { entity_type: group.name.to_owned(), id, properties });
        sizes.push(line.text.len() + 64 * count);
    }
    Group::end(group, "nodes")?;
    Ok((nodes, sizes, index))
}

fn insert(
    line: Line<'_>,
    into: &mut BTreeMap<String, Value>,
    key: &str,
    value: Value,
) -> Result<(), Error> {
    if into.insert(key.to_owned(), value).is_some() {
        let message = format!("the key {} appears twice, expected once", shown(key));
        return Err(line.error(ErrorKind::DuplicateKey, line.at(key), message));
    }
    Ok(())
}

/// One end of an edge.
struct End<'a> {
    entity_type: &'a str,
    id: i64,
}

impl<'a> End<'a> {
    /// `Type:id`.
    fn read(text: &'a str) -> Option<Self> {
        let (entity_type, digits) = cut(text, b':')?;
        is_name(entity_type).then_some(End { entity_type, id: id(digits)? })
    }
}

fn edge(from: &End<'_>, edge_type: &str, to: &End<'_>) -> Edge {
    Edge::new((from.entity_type, from.id), edge_type, (to.entity_type, to.id))
}

fn check_end(
    line: Line<'_>,
    end: &End<'_>,
    is_known: &impl Fn(&End<'_>) -> bool,
) -> Result<(), Error> {
    if is_known(end) {
        return Ok(());
    }
    let message = format!(
        "the end {}:{} is not among the nodes, expected one that is",
        end.entity_type, end.id
    );
    Err(line.error(ErrorKind::DanglingEdge, 0, message))
}

fn read_edges(
    lines: &mut Lines<'_>,
    limits: Limits,
    is_known: &impl Fn(&End<'_>) -> bool,
) -> Result<Vec<Edge>, Error> {
    let mut edges: Vec<Edge> = Vec::new();
    let mut seen = Ordered::default();
    let mut groups = HashSet::new();
    let mut group: Option<Group<'_>> = None;
    while let Some(line) = lines.peek()?.filter(|line| !is_marker(*line)) {
        lines.next()?;
        if let Some(next) = Group::begin(line) {
            if !groups.insert(next.name) {
                return Err(line.malformed(ErrorKind::InvalidEdgeLine, "each type once"));
            }
            seen = Ordered::default();
            Group::end(group.replace(next), "edges")?;
            continue;
        }
        let malformed = || {
            line.malformed(
                ErrorKind::InvalidEdgeLine,
                "`TYPE(count):`, or `Type:id --> Type:id` behind such a line",
            )
        };
        let group = group.as_mut().ok_or_else(malformed)?;
        let (from, rest) = cut(line.text(), b' ').ok_or_else(malformed)?;
        let rest = rest.strip_prefix(ARROW).and_then(|rest| rest.strip_prefix(' '));
        let rest = rest.ok_or_else(malformed)?;
        let (to, depth) = match cut(rest, b' ') {
            None => (rest, None),
            Some((to, depth)) => {
                let depth = depth.strip_prefix(DEPTH).and_then(place);
                (to, Some(depth.ok_or_else(malformed)?))
            }
        };
        let (Some(from), Some(to)) = (End::read(from), End::read(to)) else {
            return Err(malformed());
        };
        check_end(line, &from, is_known)?;
        check_end(line, &to, is_known)?;
        check_items(line, edges.len(), limits, "edges")?;
        if !seen.insert((from.entity_type, from.id, to.entity_type, to.id, depth), ()) {
            let message = "the edge is there twice, expected once";
            return Err(line.error(ErrorKind::DuplicateEdge, 0, message));
        }
        group.found += 1;
        edges.push(Edge { depth, ..edge(&from, group.name, &to) });
    }
    Group::end(group, "edges")?;
    Ok(edges)
}

fn read_paths(
    lines: &mut Lines<'_>,
    limits: Limits,
    is_known: &impl Fn(&End<'_>) -> bool,
) -> Result<Vec<Edge>, Error> {
    let mut edges: Vec<Edge> = Vec::new();
    let mut seen = HashSet::new();
    while let Some(line) = lines.peek()?.filter(|line| !line.text.starts_with('@')) {
        lines.next()?;
        let malformed = || {
            line.malformed(
                ErrorKind::InvalidPathLine,
                "`path=K: Type:id --TYPE--> Type:id …`, each K once",
            )
        };
        let (digits, chain) = line
            .text()
            .strip_prefix(PATH)
            .and_then(|rest| rest.split_once(": "))
            .ok_or_else(malformed)?;
        let path_id =
            place(digits).filter(|path_id| seen.insert(*path_id)).ok_or_else(malformed)?;
        let mut parts = chain.split(' ');
        let mut from = parts.next().and_then(End::read).ok_or_else(malformed)?;
        check_end(line, &from, is_known)?;
        let mut step = 0;
        while let Some(name) = parts.next() {
            let name = name.strip_prefix(STEP).and_then(|rest| rest.strip_suffix(ARROW));
            let name = name.filter(|name| is_name(name)).ok_or_else(malformed)?;
            let to = parts.next().and_then(End::read).ok_or_else(malformed)?;
            check_end(line, &to, is_known)?;
            check_items(line, edges.len(), limits, "edges")?;
            edges.push(Edge { path_id: Some(path_id), step: Some(step), ..edge(&from, name, &to) });
            from = to;
            step += 1;
        }
        if step == 0 {
            return Err(malformed());
        }
    }
    Ok(edges)
}

/// A row: its cells, and those that name nodes, with the columns and the bytes of their keys.
struct Cells<'a> {
    cells: Row,
    nodes: Vec<(&'a str, usize, &'a str, i64)>,
}

fn read_row<'a>(line: Line<'a>, columns: &HashMap<&str, bool>) -> Result<Cells<'a>, Error> {
    let mut row = Cells { cells: Row::new(), nodes: Vec::new() };
    if line.text.is_empty() {
        return Ok(row);
    }
    let mut pairs = Pairs { line, rest: Some(line.text()), kind: ErrorKind::InvalidRowLine };
    let mut last: Option<(&str, Value)> = None;
    while let Some(Pair { key, value, at }) =
        pairs.next(|key| columns.get(key).copied().unwrap_or_default())?
    {
        let is_node = match columns.get(key) {
            Some(is_node) => *is_node,
            None if follows_its_text(key, last.as_ref()) => false,
            None => {
                let message = format!("the cell {} is of no column, expected one", shown(key));
                return Err(line.error(ErrorKind::UnnamedColumn, line.at(key), message));
            }
        };
        let value = match value {
            Token::Bare(text) if is_node && text != "null" => {
                let end = End::read(text).ok_or_else(|| {
                    let message =
                        format!("the cell is {}, expected `Type:id` or `null`", shown(text));
                    line.error(ErrorKind::InvalidValue, at, message)
                })?;
                row.nodes.push((key, line.at(key), end.entity_type, end.id));
                Value::Null
            }
            token => token.read(line)?,
        };
        if !columns.contains_key(key) && !last.is_some_and(|(_, text)| is_length(&value, &text)) {
            let message = format!(
                "the cell {} is of no column, and no length of a text that was cut, expected one",
                shown(key)
            );
            return Err(line.error(ErrorKind::UnnamedColumn, line.at(key), message));
        }
        insert(line, &mut row.cells, key, value.clone())?;
        last = Some((key, value));
    }
    Ok(row)
}

/// Whether a key can say how long the text before it was.
fn follows_its_text(key: &str, last: Option<&(&str, Value)>) -> bool {
    last.is_some_and(|(before, _)| key.strip_suffix(LENGTH_SUFFIX) == Some(before))
}

/// A key, its token, and the byte of the line at which that begins.
struct Pair<'a> {
    key: &'a str,
    value: Token<'a>,
    at: usize,
}

/// What stands behind a key.
enum Token<'a> {
    Bare(&'a str),
    /// The text, without quotes and escapes.
    Quoted(String),
}

impl Token<'_> {
    fn read(self, line: Line<'_>) -> Result<Value, Error> {
        match self {
            Token::Quoted(text) => Ok(Value::String(text)),
            Token::Bare(text) => read_bare(text).ok_or_else(|| {
                let message =
                    format!("the value is {}, expected a bare or a quoted token", shown(text));
                line.error(ErrorKind::InvalidValue, line.at(text), message)
            }),
        }
    }
}

/// The pairs of a line, with one space between them.
struct Pairs<'a> {
    line: Line<'a>,
    rest: Option<&'a str>,
    kind: ErrorKind,
}

impl<'a> Pairs<'a> {
    /// The next pair. Of a node's cell no quote opens a text.
    fn next(&mut self, is_node: impl Fn(&str) -> bool) -> Result<Option<Pair<'a>>, Error> {
        let Some(rest) = self.rest else { return Ok(None) };
        let malformed =
            || self.line.malformed(self.kind, "`key=value` pairs with one space between them");
        // A plain name is one by its bytes.
        let plain = run_of(PLAIN_NAME, rest.as_bytes());
        let (key, value) = match rest.as_bytes().get(plain) {
            Some(b'=') if plain > 0 => (&rest[..plain], &rest[plain + 1..]),
            _ => cut(rest, b'=').filter(|(key, _)| is_name(key)).ok_or_else(malformed)?,
        };
        let at = self.line.at(value);
        if !value.starts_with('"') || is_node(key) {
            let (token, rest) =
                cut(value, b' ').map_or((value, None), |(token, rest)| (token, Some(rest)));
            self.rest = rest;
            return Ok(Some(Pair { key, value: Token::Bare(token), at }));
        }
        let wrong = |problem: &str| {
            let message = format!(
                "a quoted value has {problem}, expected the escapes \\\\, \\\", \\n, \\r, \\t and a quote at its end"
            );
            self.line.error(ErrorKind::InvalidValue, at, message)
        };
        let (text, length) = read_quoted(value).map_err(|(_, problem)| wrong(&problem))?;
        self.rest = match &value[length..] {
            "" => None,
            rest => Some(rest.strip_prefix(' ').ok_or_else(|| wrong("more behind its quote"))?),
        };
        Ok(Some(Pair { key, value: Token::Quoted(text), at }))
    }
}
