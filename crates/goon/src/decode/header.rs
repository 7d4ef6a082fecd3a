//! The header, up to the marker of the nodes.

use wire_core::text::{read_by, shown};

use super::lines::{Line, Lines};
use crate::grammar::{Field, HEADER, count, is_name};
use crate::response::{Column, GroupColumn, GroupKind, Pagination, QueryType};
use crate::version::Version;
use crate::{Error, ErrorKind};

/// A count that the header states, and the position of its digits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stated<'a> {
    pub(super) count: u64,
    line: Line<'a>,
    at: usize,
}

impl<'a> Stated<'a> {
    pub(super) fn new(count: u64, line: Line<'a>, at: usize) -> Self {
        Stated { count, line, at }
    }

    /// Checks that `found` is the stated count.
    pub(super) fn check(&self, found: usize, what: &str) -> Result<(), Error> {
        if self.count == found as u64 {
            return Ok(());
        }
        let message = format!(
            "the count is {}, found {found} {what}, expected as many as stated",
            self.count
        );
        Err(self.line.error(ErrorKind::CountMismatch, self.at, message))
    }
}

/// The content of the header.
#[derive(Debug)]
pub(super) struct Header<'a> {
    pub(super) query_type: QueryType,
    pub(super) version: Version,
    pub(super) nodes: Stated<'a>,
    pub(super) edges: Stated<'a>,
    pub(super) rows: Option<Stated<'a>>,
    pub(super) group_columns: Vec<GroupColumn>,
    pub(super) columns: Vec<Column>,
    pub(super) pagination: Option<Pagination>,
}

/// Reads the header.
pub(super) fn read<'a>(lines: &mut Lines<'a>) -> Result<Header<'a>, Error> {
    // The first line is checked first, even if it has no line ending.
    match lines.peek() {
        Ok(Some(line)) if line.text == HEADER => lines.next()?,
        Err(error) if error.kind() != ErrorKind::MissingFinalNewline => return Err(error),
        other => {
            let start = wire_core::Position { offset: 0, line: 1, column: 1 };
            let line = other.ok().flatten().map_or("", |line| line.text);
            let message = match read_by(line) {
                "" => format!("the input does not begin with the line {HEADER}, expected it"),
                read_by => format!(
                    "the input begins with {}{read_by}, expected the line {HEADER}",
                    shown(line)
                ),
            };
            return Err(Error::at(ErrorKind::NotGoon, start, message));
        }
    };
    let mut fields = Fields { lines, last: None };

    let (line, value) = fields.required(Field::QueryType)?;
    let query_type = QueryType::from_name(value).ok_or_else(|| {
        let words = QueryType::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ");
        invalid(line, format!("the query type is {}, expected one of {words}", shown(value)))
    })?;
    let (line, value) = fields.required(Field::GoonVersion)?;
    let version = Version::from_name(value).ok_or_else(|| {
        let words =
            Version::ALL.iter().map(|version| version.name()).collect::<Vec<_>>().join(", ");
        let message = format!("the version is {}, expected one of {words}", shown(value));
        line.error(ErrorKind::UnsupportedVersion, 0, message)
    })?;
    let nodes = fields.count(Field::Nodes)?;
    let edges = fields.count(Field::Edges)?;

    let mut pagination: Option<Pagination> = None;
    if fields.truth(Field::HasMore)? {
        pagination.get_or_insert_default().has_more = true;
    }
    if version == Version::V1_0_0 {
        if let Some((line, value)) = fields.optional(Field::TotalRows)? {
            let total = count(value).ok_or_else(|| not_a_count(line, value))?;
            pagination.get_or_insert_default().total_rows = Some(total);
        }
    } else {
        if fields.truth(Field::Truncated)? {
            pagination.get_or_insert_default().truncated = Some(true);
        }
        if let Some((line, value)) = fields.optional(Field::NextCursor)? {
            if value.is_empty() || value.contains(char::is_control) {
                return Err(invalid(
                    line,
                    format!("the cursor is {}, expected a text", shown(value)),
                ));
            }
            pagination.get_or_insert_default().next_cursor = Some(value.to_owned());
        }
    }
    let mut header = Header {
        query_type,
        version,
        nodes,
        edges,
        rows: None,
        group_columns: Vec::new(),
        columns: Vec::new(),
        pagination,
    };
    if query_type == QueryType::Aggregation {
        header.rows = Some(fields.count(Field::Rows)?);
        let mut last = None;
        if let Some((line, value)) = fields.optional(Field::GroupBy)? {
            last = Some(line);
            header.group_columns =
                value.split(',').map(|text| group(line, text)).collect::<Result<_, _>>()?;
        }
        if let Some((line, value)) = fields.optional(Field::Aggregations)? {
            last = Some(line);
            header.columns =
                value.split(',').map(|text| metric(line, text)).collect::<Result<_, _>>()?;
        }
        let names = header.group_columns.iter().map(|column| &column.name);
        let names: Vec<&String> =
            names.chain(header.columns.iter().map(|column| &column.name)).collect();
        let unique: std::collections::HashSet<&&String> = names.iter().collect();
        if let Some(line) = last.filter(|_| unique.len() < names.len()) {
            return Err(invalid(
                line,
                "two columns have the same name, expected different names".to_owned(),
            ));
        }
    }
    fields.end()?;
    Ok(header)
}

/// The fields of the header, in their fixed order.
struct Fields<'l, 'a> {
    lines: &'l mut Lines<'a>,
    last: Option<Field>,
}

impl<'a> Fields<'_, 'a> {
    /// The value of this field, if it comes next.
    fn optional(&mut self, field: Field) -> Result<Option<(Line<'a>, &'a str)>, Error> {
        let Some(line) = self.lines.peek()? else { return Ok(None) };
        let value = line.text().strip_prefix(field.name()).and_then(|rest| rest.strip_prefix(':'));
        let Some(value) = value else { return Ok(None) };
        self.lines.next()?;
        self.last = Some(field);
        Ok(Some((line, value)))
    }

    fn required(&mut self, field: Field) -> Result<(Line<'a>, &'a str), Error> {
        if let Some(found) = self.optional(field)? {
            return Ok(found);
        }
        let found = self.lines.peek()?.map_or("the end".to_owned(), |line| shown(line.text));
        let message = format!("the header continues with {found}, expected `{}:…`", field.name());
        Err(Error::at(ErrorKind::InvalidHeader, self.lines.place()?, message))
    }

    fn count(&mut self, field: Field) -> Result<Stated<'a>, Error> {
        let (line, value) = self.required(field)?;
        let stated = count(value).ok_or_else(|| not_a_count(line, value))?;
        Ok(Stated::new(stated, line, line.at(value)))
    }

    fn truth(&mut self, field: Field) -> Result<bool, Error> {
        match self.optional(field)? {
            None => Ok(false),
            Some((_, "true")) => Ok(true),
            Some((line, value)) => Err(invalid(
                line,
                format!("`{}` is {}, expected `true` or no such field", field.name(), shown(value)),
            )),
        }
    }

    /// Checks that a section follows.
    fn end(&mut self) -> Result<(), Error> {
        let Some(line) = self.lines.peek()?.filter(|line| !line.text.starts_with('@')) else {
            return Ok(());
        };
        let name = line.text().split(':').next().unwrap_or_default();
        let problem = match (Field::from_name(name), self.last) {
            (Some(field), Some(last)) if field <= last => "is out of order, or appears twice",
            (Some(_), _) => "is not allowed in such a response",
            (None, _) => "is not a field of the header",
        };
        Err(invalid(line, format!("{} {problem}, expected {}", shown(name), crate::grammar::NODES)))
    }
}

#[cold]
fn invalid(line: Line<'_>, message: String) -> Error {
    line.error(ErrorKind::InvalidHeader, 0, message)
}

#[cold]
fn not_a_count(line: Line<'_>, value: &str) -> Error {
    invalid(line, format!("the count is {}, expected digits without leading zeros", shown(value)))
}

/// `name(word)` or `name(word:detail)`.
fn descriptor<'a>(
    line: Line<'_>,
    text: &'a str,
) -> Result<(&'a str, &'a str, Option<&'a str>), Error> {
    let parts = text.strip_suffix(')').and_then(|rest| rest.split_once('('));
    let split = parts.map(|(name, rest)| match rest.split_once(':') {
        Some((word, detail)) => (name, word, Some(detail)),
        None => (name, rest, None),
    });
    let valid = |name: &str| is_name(name);
    split
        .filter(|(name, word, detail)| valid(name) && valid(word) && detail.is_none_or(valid))
        .ok_or_else(|| {
            invalid(
                line,
                format!(
                    "a column is {}, expected `name(word)` or `name(word:detail)`",
                    shown(text)
                ),
            )
        })
}

fn group(line: Line<'_>, text: &str) -> Result<GroupColumn, Error> {
    let (name, word, detail) = descriptor(line, text)?;
    let (name, detail) = (name.to_owned(), detail.map(str::to_owned));
    match word {
        "node" => Ok(GroupColumn {
            name,
            kind: GroupKind::Node,
            node: None,
            entity: detail,
            property: None,
        }),
        "property" => Ok(GroupColumn {
            name,
            kind: GroupKind::Property,
            node: None,
            entity: None,
            property: detail,
        }),
        _ => Err(invalid(
            line,
            format!("a group column is of the kind {}, expected `node` or `property`", shown(word)),
        )),
    }
}

fn metric(line: Line<'_>, text: &str) -> Result<Column, Error> {
    let (name, function, detail) = descriptor(line, text)?;
    let (target, property) = match detail.map(|detail| detail.split_once('.').ok_or(detail)) {
        None => (None, None),
        Some(Err(target)) => (Some(target), None),
        Some(Ok((target, property))) => (Some(target), Some(property)),
    };
    if target == Some("") || property == Some("") {
        return Err(invalid(
            line,
            format!("a column is {}, expected `name(function:target.property)`", shown(text)),
        ));
    }
    Ok(Column {
        name: name.to_owned(),
        function: function.to_owned(),
        target: target.map(str::to_owned),
        property: property.map(str::to_owned),
    })
}
