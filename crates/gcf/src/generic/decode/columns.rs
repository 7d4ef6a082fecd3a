//! The list of fields in the header of a table, and what the columns are in the rows (sections
//! 2a.3, 7.4.1, 7.4.5.1 and 7.4.6).

use std::borrow::Cow;

use hashbrown::{HashMap, HashSet};
use wire_core::MAX_NESTING;
use wire_core::text::shown;

use super::document::{KeyId, NO_KEY, Node};
use super::parse::Parser;
use crate::ErrorKind;
use crate::generic::grammar::{PATH, is_path, read_key};
use crate::generic::problem::Problem;
use crate::generic::scalar::{Mark, mark, quoted_length, read_scalar, trimmed};

/// A member of the rows, or of an object in them.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) key: KeyId,
    pub(super) of: Source,
}

/// The source of a member's value.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// The cell of this index.
    Cell(usize),
    /// An object with these members, and all of their cells.
    Object { members: Vec<usize>, cells: Vec<usize> },
    /// The scalar in the header (specification 3.6).
    Constant(Node),
    /// The scalar in the line before the group (specification 3.6).
    Group,
}

/// The message for a keyed map without values (section 7.2a.4).
pub(super) const ONE_FIELD: &str =
    "a keyed map has one field, expected the key and at least one more";

#[derive(Debug)]
pub(super) struct Columns {
    /// The first is the row. Objects are before their members.
    pub(super) all: Vec<Column>,
    by_name: HashMap<(usize, KeyId), usize>,
    /// The number of cells in a row, without its key.
    pub(super) width: usize,
    /// `true` if the rows begin with a key, and are members of an object.
    pub(super) has_keys: bool,
    /// `true` if the members of the rows are the cells, in their order.
    pub(super) is_plain: bool,
    /// The bytes that each row repeats: of names and constants.
    pub(super) repeated: usize,
    /// The field of the groups, and the column that no two rows have alike (specification 3.6).
    pub(super) group: Option<(KeyId, usize)>,
    /// `true` if later tables may leave this list of fields out.
    pub(super) can_be_shared: bool,
}

pub(super) const ROW: usize = 0;
/// The bytes of memory that are counted for an object without a cell.
const OBJECT: usize = 512;

impl Columns {
    fn new(has_keys: bool) -> Self {
        let of = Source::Object { members: Vec::new(), cells: Vec::new() };
        Columns {
            all: vec![Column { key: NO_KEY, of }],
            by_name: HashMap::new(),
            width: 0,
            has_keys,
            is_plain: true,
            repeated: 0,
            group: None,
            can_be_shared: true,
        }
    }

    /// The columns of an array's rows, in the value that comes next.
    ///
    /// ```abnf
    /// columns = "{" field *( "," field ) "}" [ *SP "group=" key ]
    /// ```
    pub(super) fn of_array<'t>(parser: &mut Parser<'t>, list: &'t str) -> Result<Self, Problem> {
        let wrong = |kind, at: &str, message: &str| Err(Problem::new(kind, at, message));
        let (fields, rest) = fields(list)?;
        let group = group_of(rest)?;
        let mut columns = Columns::new(false);
        let (mut key, mut group_key) = (None, None);
        for field in fields {
            let column = match field.constant {
                _ if group.as_ref() == Some(&field.name) => {
                    if field.is_key || field.constant.is_some() {
                        let message = "the field of the groups is the key or a constant, expected another field";
                        return wrong(ErrorKind::InvalidGroupHeader, field.at, message);
                    }
                    let column = columns.add(parser, ROW, &field, &field.name, Source::Group)?;
                    group_key = Some(columns.all[column].key);
                    column
                }
                Some(token) => {
                    parser.tables.have_constants = true;
                    columns.repeated += repeated_value(token);
                    let constant = parser.document.constant(token)?;
                    columns.add(parser, ROW, &field, &field.name, Source::Constant(constant))?
                }
                None => columns.add_cell(parser, &field, group.is_none())?,
            };
            if field.is_key {
                if group.is_none() {
                    let message = "a field is marked with `@`, expected a name: only rows in groups and deltas have such keys";
                    return wrong(ErrorKind::InvalidFieldList, field.at, message);
                }
                if key.replace(column).is_some() {
                    let message = "two fields are marked with `@`, expected one";
                    return wrong(ErrorKind::InvalidGroupHeader, field.at, message);
                }
            }
        }
        if columns.width == 0 {
            let message = "every field of the table is a constant, expected at least one that has a cell in each row";
            return wrong(ErrorKind::NoBareColumn, list, message);
        }
        if group.is_some() {
            parser.tables.have_groups = true;
            columns.group = group_key.zip(key);
            if columns.group.is_none() {
                let message = "the fields of rows in groups lack the one that is marked with `@`, or that of the groups, expected both";
                return wrong(ErrorKind::InvalidGroupHeader, list, message);
            }
        }
        Ok(columns)
    }

    /// The columns of a keyed map's rows, without the one of the keys (section 7.2a.2).
    pub(super) fn of_keyed_map<'t>(
        parser: &mut Parser<'t>,
        list: &'t str,
    ) -> Result<Self, Problem> {
        let (fields, rest) = fields(list)?;
        nothing_behind(rest)?;
        let mut columns = Columns::new(true);
        let (label, values) = fields.split_first().expect("because a list has a field");
        plain(label)?;
        for field in values {
            plain(field)?;
            if field.name == label.name {
                return Err(twice(field));
            }
            columns.add_cell(parser, field, true)?;
        }
        if columns.width == 0 {
            return Err(Problem::new(ErrorKind::InvalidCount, list, ONE_FIELD));
        }
        Ok(columns)
    }

    /// The columns of the rows of a set with a key, and the index of the key among them (section
    /// 10a.1).
    pub(super) fn of_keyed_set<'t>(
        parser: &mut Parser<'t>,
        list: &'t str,
    ) -> Result<(Self, usize), Problem> {
        let (fields, rest) = fields(list)?;
        nothing_behind(rest)?;
        let mut columns = Columns::new(false);
        let mut key = None;
        for (index, field) in fields.into_iter().enumerate() {
            if field.is_key && key.replace(index).is_some() {
                let message = "two fields are marked with `@`, expected one";
                return Err(Problem::new(ErrorKind::InvalidFieldList, field.at, message));
            }
            if field.constant.is_some() {
                let message = "a field is a constant, expected a name alone";
                return Err(Problem::new(ErrorKind::InvalidFieldList, field.at, message));
            }
            columns.add_cell(parser, &field, false)?;
        }
        let Some(key) = key else {
            let message = "no field is marked with `@`, expected this mark before the key";
            return Err(Problem::new(ErrorKind::InvalidFieldList, list, message));
        };
        Ok((columns, key))
    }

    fn add(
        &mut self,
        parser: &mut Parser<'_>,
        parent: usize,
        field: &Field<'_>,
        name: &str,
        of: Source,
    ) -> Result<usize, Problem> {
        let key = parser.intern(name, field.at)?;
        let column = self.all.len();
        if self.by_name.insert((parent, key), column).is_some() {
            return Err(twice(field));
        }
        let Source::Object { members, .. } = &mut self.all[parent].of else {
            return Err(twice(field));
        };
        members.push(column);
        self.repeated += repeated(name);
        if let Source::Object { .. } = of {
            self.repeated += OBJECT;
        }
        if let Source::Constant(_) | Source::Group = of {
            self.can_be_shared = false;
        }
        self.is_plain &= matches!(of, Source::Cell(_)) && parent == ROW;
        self.all.push(Column { key, of });
        Ok(column)
    }

    /// Adds a field that has a cell: a member of the row, or of an object if its name is a path.
    fn add_cell(
        &mut self,
        parser: &mut Parser<'_>,
        field: &Field<'_>,
        has_paths: bool,
    ) -> Result<usize, Problem> {
        let cell = self.width;
        self.width += 1;
        let (mut parent, mut name) = (ROW, &*field.name);
        if has_paths && is_path(name) {
            // The table and its rows are around it.
            if parser.depth + 2 + name.matches(PATH).count() > MAX_NESTING {
                let message = format!(
                    "a path leads deeper than {MAX_NESTING} levels, expected at most that many"
                );
                return Err(Problem::new(ErrorKind::TooDeep, field.at, message));
            }
            while let Some((first, rest)) = name.split_once(PATH) {
                let key = parser.intern(first, field.at)?;
                parent = match self.by_name.get(&(parent, key)) {
                    Some(&known) => known,
                    None => {
                        let of = Source::Object { members: Vec::new(), cells: Vec::new() };
                        self.add(parser, parent, field, first, of)?
                    }
                };
                let Source::Object { cells, .. } = &mut self.all[parent].of else {
                    return Err(twice(field));
                };
                cells.push(cell);
                name = rest;
            }
        }
        self.add(parser, parent, field, name, Source::Cell(cell))
    }

    pub(super) fn find(&self, key: KeyId) -> Option<&Source> {
        self.by_name.get(&(ROW, key)).map(|&column| &self.all[column].of)
    }

    /// The same columns with other indices of their keys.
    pub(super) fn with_keys(&self, other: &mut impl FnMut(KeyId) -> KeyId) -> Self {
        let mut columns = Columns { all: self.all.clone(), by_name: HashMap::new(), ..*self };
        for column in &mut columns.all[1..] {
            column.key = other(column.key);
        }
        let names = self.by_name.iter();
        columns.by_name = names.map(|(&(of, key), &at)| ((of, other(key)), at)).collect();
        columns
    }

    pub(super) fn members(&self) -> impl Iterator<Item = &Column> {
        let members = match &self.all[ROW].of {
            Source::Object { members, .. } => &members[..],
            _ => &[],
        };
        members.iter().map(|&member| &self.all[member])
    }
}

/// The bytes that are counted for repeating a name whose value has a cell.
pub(super) fn repeated(name: &str) -> usize {
    const EACH: usize = 16;
    name.len() + EACH
}

/// The bytes that are counted for repeating a value without a cell.
pub(super) fn repeated_value(token: &str) -> usize {
    const MEMBER: usize = 128;
    token.len() + MEMBER
}

/// The names of an inline schema (section 7.4.5.1). They are the keys of objects, and never paths.
///
/// ```abnf
/// schema = "^{" key *( "," key ) "}"
/// ```
pub(super) fn names<'t>(parser: &mut Parser<'t>, list: &'t str) -> Result<Vec<KeyId>, Problem> {
    let malformed = |problem: Problem| match problem.kind {
        ErrorKind::InvalidFieldList => {
            Problem { kind: ErrorKind::InvalidAttachmentMarker, ..problem }
        }
        _ => problem,
    };
    let (fields, rest) = fields(list).map_err(malformed)?;
    if !rest.is_empty() {
        let message = format!("a schema is followed by {}, expected nothing after it", shown(rest));
        return Err(Problem::new(ErrorKind::InvalidAttachmentMarker, rest, message));
    }
    let mut names = Vec::new();
    let mut seen = HashSet::new();
    for field in fields {
        plain(&field).map_err(malformed)?;
        let key = parser.intern(&field.name, field.at)?;
        if !seen.insert(key) {
            return Err(twice(&field));
        }
        names.push(key);
    }
    Ok(names)
}

#[derive(Debug)]
pub(super) struct Field<'de> {
    pub(super) name: Cow<'de, str>,
    /// Its position, for errors.
    pub(super) at: &'de str,
    /// `true` if a `@` marks it as the column that no two rows have alike.
    pub(super) is_key: bool,
    pub(super) constant: Option<&'de str>,
}

/// The fields of the list that `text` begins with, and the text after it.
///
/// ```abnf
/// field = [ "@" ] key [ "=" scalar ]
/// ```
fn fields(text: &str) -> Result<(Vec<Field<'_>>, &str), Problem> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        // The first character of `rest` opens the list or separates two fields.
        rest = rest[1..].trim_start_matches(' ');
        let at = rest;
        let is_key = rest.starts_with('@');
        rest = &rest[usize::from(is_key)..];
        let Some((name, length)) = read_key(rest)? else {
            let message =
                format!("a list of fields has {}, expected a name or a quoted name", shown(rest));
            return Err(Problem::new(ErrorKind::InvalidFieldList, rest, message));
        };
        rest = &rest[length..];
        let mut constant = None;
        if let Some(value) = rest.strip_prefix('=') {
            let length = constant_length(value)?;
            constant = Some(constant_of(&value[..length])?);
            rest = &value[length..];
        }
        rest = rest.trim_start_matches(' ');
        found.push(Field { name, at, is_key, constant });
        match rest.as_bytes().first() {
            Some(b',') => {}
            Some(b'}') => return Ok((found, &rest[1..])),
            _ => {
                let message = format!("a list of fields has {}, expected `,` or `}}`", shown(rest));
                return Err(Problem::new(ErrorKind::InvalidFieldList, rest, message));
            }
        }
    }
}

fn constant_length(value: &str) -> Result<usize, Problem> {
    let blank = value.len() - value.trim_start_matches(' ').len();
    let quoted =
        if value[blank..].starts_with('"') { blank + quoted_length(&value[blank..])? } else { 0 };
    let rest = value.as_bytes()[quoted..].iter();
    Ok(quoted + rest.take_while(|byte| !matches!(byte, b',' | b'}')).count())
}

fn constant_of(value: &str) -> Result<&str, Problem> {
    let token = trimmed(value);
    if token.is_empty() || mark(token) != Mark::Scalar {
        let found = shown(token);
        let message =
            format!("a constant is {found}, expected a scalar; write an empty string as \"\"");
        return Err(Problem::new(ErrorKind::InvalidConstValue, value, message));
    }
    // No row may be there to read it.
    read_scalar(token)?;
    Ok(token)
}

/// Refuses a field that is more than a name.
fn plain(field: &Field<'_>) -> Result<(), Problem> {
    if !field.is_key && field.constant.is_none() {
        return Ok(());
    }
    let message = format!("a field is {}, expected only a name", shown(field.at));
    Err(Problem::new(ErrorKind::InvalidFieldList, field.at, message))
}

#[cold]
fn twice(field: &Field<'_>) -> Problem {
    let message = format!(
        "a list of fields has {} twice, or as a field and as the beginning of a path, expected once",
        shown(&field.name)
    );
    Problem::new(ErrorKind::DuplicateFieldName, field.at, message)
}

/// The column by which the rows are grouped, which the header names after the list of fields.
fn group_of(rest: &str) -> Result<Option<Cow<'_, str>>, Problem> {
    let Some(name) = rest.trim_start_matches(' ').strip_prefix("group=") else {
        nothing_behind(rest)?;
        return Ok(None);
    };
    match read_key(name)? {
        Some((key, length)) if length == name.len() => Ok(Some(key)),
        _ => {
            let message = format!("the field of the groups is {}, expected a name", shown(name));
            Err(Problem::new(ErrorKind::InvalidGroupHeader, name, message))
        }
    }
}

fn nothing_behind(rest: &str) -> Result<(), Problem> {
    if rest.is_empty() {
        return Ok(());
    }
    let message =
        format!("a list of fields is followed by {}, expected the end of the line", shown(rest));
    Err(Problem::new(ErrorKind::MalformedHeaderField, rest, message))
}
