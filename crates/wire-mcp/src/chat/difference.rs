//! The lines that change one value into another (ruling M21).

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};

use wire_core::json::Member;

use crate::json::{Json, minified};

use super::read::{Key, LINES, Value, push};

/// The first members of rows that may name them.
const COLUMNS: usize = 4;

/// The lines that change an old value into a new one.
#[derive(Default)]
pub(super) struct Difference<'v> {
    /// The lines without the values at their ends. Where they are too many, some are missing.
    pub(super) lines: Vec<(String, Option<&'v Value>)>,
    /// About the bytes of all lines.
    pub(super) cost: usize,
    /// The bytes of the new value's text: with as many a difference is of no use.
    most: usize,
    /// The path to where the values are compared.
    path: String,
}

impl<'v> Difference<'v> {
    /// The difference, if it has at most 100 lines, and fewer bytes than `most`. A text that is no JSON
    /// has none, since at the root no line is a whole value. Both values are walked once.
    pub(super) fn between(old: &'v Value, new: &'v Value, most: usize) -> Option<Self> {
        let mut difference = Difference { most, ..Difference::default() };
        difference.inside(old, new)?;
        let is_small = difference.cost < most && difference.lines.len() <= LINES;
        is_small.then_some(difference)
    }

    /// Adds the lines for what differs inside of two values, and returns about the bytes of the new
    /// one as JSON. `None` if only a line for the whole value says it.
    fn inside(&mut self, old: &'v Value, new: &'v Value) -> Option<usize> {
        let mut bytes = "{}".len();
        match (old, new) {
            (Json::Object(old), Json::Object(new)) => {
                let (was, is) = (members_of(old), members_of(new));
                for (at, (name, value)) in old.iter().enumerate() {
                    if is(at, name).is_none() {
                        self.pair(&Key::String((&**name).into()), Some(value), None);
                    }
                }
                for (at, (name, value)) in new.iter().enumerate() {
                    bytes += name.len() + "\"\":,".len();
                    bytes += self.pair(&Key::String((&**name).into()), was(at, name), Some(value));
                }
            }
            (Json::Array(old), Json::Array(new)) => {
                let (kept, gone) = kept_and_gone(old, new)?;
                for (at, value) in gone.into_iter().rev() {
                    self.pair(&Key::Number(at.to_string().into()), Some(value), None);
                }
                for (at, item) in new.iter().enumerate() {
                    bytes += ",".len()
                        + if let Some((_, was)) = kept.get(at) {
                            self.pair(&Key::Number(at.to_string().into()), Some(was), Some(item))
                        } else {
                            let list = if self.path.is_empty() { "rows" } else { "" };
                            self.line(list, " also has ", Some(item), minified(item).len())
                        };
                }
            }
            _ => return (old == new).then(|| minified(new).len()),
        }
        Some(bytes)
    }

    /// Adds the lines for a member or an item that is new, gone or another one: one line for all of
    /// it, if that is not longer. Returns about the bytes of the new value.
    fn pair(&mut self, key: &Key<'_>, old: Option<&'v Value>, new: Option<&'v Value>) -> usize {
        let (path, lines, cost) = (self.path.len(), self.lines.len(), self.cost);
        push(&mut self.path, key);
        let inside = old.zip(new).and_then(|(old, new)| self.inside(old, new));
        let bytes = inside.unwrap_or_else(|| new.map_or(0, |new| minified(new).len()));
        if inside.is_none() || self.cost - cost >= self.path.len() + "\n = ".len() + bytes {
            self.lines.truncate(lines);
            self.cost = cost;
            let (before, after) = if new.is_some() { ("", " = ") } else { ("without ", "") };
            self.line(before, after, new, bytes);
        }
        self.path.truncate(path);
        bytes
    }

    /// Adds a line: the path between two words, and a value of about so many bytes, which it returns.
    fn line(&mut self, before: &str, after: &str, value: Option<&'v Value>, bytes: usize) -> usize {
        self.cost += before.len() + self.path.len() + after.len() + bytes + 1;
        if self.cost < self.most && self.lines.len() <= LINES {
            self.lines.push((format!("{before}{}{after}", self.path), value));
        }
        bytes
    }
}

/// Finds members by their names, without an index where they have the same order.
fn members_of<'v>(members: &'v [Member<'static>]) -> impl Fn(usize, &str) -> Option<&'v Value> {
    let by_name = LazyCell::new(|| -> HashMap<&str, &Value> {
        members.iter().map(|(name, value)| (&**name, value)).collect()
    });
    move |at, name| match members.get(at) {
        Some((own, value)) if own == name => Some(value),
        _ => by_name.get(name).copied(),
    }
}

/// Rows of a list, with their indexes.
type Rows<'v> = Vec<(usize, &'v Value)>;

/// The rows of a list that are in a new one, too, and the others: all and none, if that is as long,
/// else by the first member that names the rows of both. `None` if there is no such member.
fn kept_and_gone<'v>(old: &'v [Value], new: &[Value]) -> Option<(Rows<'v>, Rows<'v>)> {
    if new.len() >= old.len() {
        return Some((old.iter().enumerate().collect(), Vec::new()));
    }
    let mut columns = old.first()?.as_object()?.iter().take(COLUMNS);
    columns.find_map(|(column, _)| {
        let (was, is) = (names(old, column)?, names(new, column)?);
        let is: HashSet<&str> = is.into_iter().collect();
        Some(old.iter().enumerate().partition(|(at, _)| is.contains(was[*at])))
    })
}

/// The texts of a member of all rows, if no two are equal.
fn names<'v>(rows: &'v [Value], column: &str) -> Option<Vec<&'v str>> {
    let names: Option<Vec<&str>> = rows.iter().map(|row| row.get(column)?.as_str()).collect();
    names.filter(|names| names.iter().collect::<HashSet<_>>().len() == names.len())
}
