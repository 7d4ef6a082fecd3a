//! The difference between two values, as lines that change one into the other (ruling M21).

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use std::iter;

use wire_core::json::Member;

use crate::json::{Json, minified};

use super::read::{Key, Value};

/// The first members of rows that may name them.
const COLUMNS: usize = 4;

/// The bytes of a line for a whole value beside those of the path and of the value.
const WHOLE: usize = "\n = ".len();

/// The difference between an old value and a new one.
#[derive(Default)]
pub(super) struct Difference<'v> {
    /// The new value, if it is written in the place of the old one. There is no line for that at the
    /// root.
    pub(super) whole: Option<&'v Value>,
    /// Members that are gone, and items from the last one on.
    gone: Vec<Key<'v>>,
    /// Those that stay and differ, with the indexes of the new value, and new members.
    changed: Vec<(Key<'v>, Difference<'v>)>,
    /// New items at the end.
    more: &'v [Value],
    pub(super) lines: usize,
    /// About the bytes of the lines.
    pub(super) cost: usize,
    /// About the bytes of the new value as JSON.
    size: usize,
}

impl<'v> Difference<'v> {
    /// The new value at a path of so many bytes.
    fn whole(new: &'v Value, size: usize, path: usize) -> Self {
        let cost = path + WHOLE + size;
        Difference { whole: Some(new), lines: 1, cost, size, ..Difference::default() }
    }

    /// Adds a member or an item, and what it was, if it is not new.
    fn pair(&mut self, path: usize, key: Key<'v>, old: Option<&'v Value>, new: &'v Value) {
        let path = path + key.size();
        let part = match old {
            Some(old) => between(old, new, path),
            None => Difference::whole(new, size(new), path),
        };
        self.lines += part.lines;
        self.cost += part.cost;
        self.size += part.size + 1 + if matches!(key, Key::Name(_)) { key.size() + 2 } else { 0 };
        if part.lines > 0 {
            self.changed.push((key, part));
        }
    }

    fn gone(&mut self, path: usize, key: Key<'v>) {
        self.lines += 1;
        self.cost += path + key.size() + "\nwithout ".len();
        self.gone.push(key);
    }

    /// Writes the lines at a path.
    pub(super) fn write(&self, path: &mut String, text: &mut String) {
        let length = path.len();
        if let Some(new) = self.whole {
            text.extend([path, " = ", &minified(new), "\n"]);
        }
        for key in &self.gone {
            key.push(path);
            text.extend(["without ", path, "\n"]);
            path.truncate(length);
        }
        for (key, change) in &self.changed {
            key.push(path);
            change.write(path, text);
            path.truncate(length);
        }
        let list = if path.is_empty() { "rows" } else { path };
        self.more.iter().for_each(|item| text.extend([list, " also has ", &minified(item), "\n"]));
    }
}

/// The difference at a path of so many bytes. Both values are walked once.
pub(super) fn between<'v>(old: &'v Value, new: &'v Value, path: usize) -> Difference<'v> {
    let mut inside = Difference { size: 2, ..Difference::default() };
    match (old, new) {
        (Json::Object(old), Json::Object(members)) => {
            let (was, is) = (members_of(old), members_of(members));
            for (at, (name, value)) in members.iter().enumerate() {
                inside.pair(path, Key::of(name), was(at, name), value);
            }
            for (at, (name, _)) in old.iter().enumerate() {
                if is(at, name).is_none() {
                    inside.gone(path, Key::of(name));
                }
            }
        }
        (Json::Array(old), Json::Array(items)) => {
            let Some((kept, gone)) = kept_and_gone(old, items) else {
                return Difference::whole(new, size(new), path);
            };
            for (at, ((_, was), value)) in iter::zip(&kept, items).enumerate() {
                inside.pair(path, Key::Index(at), Some(was), value);
            }
            gone.iter().rev().for_each(|(at, _)| inside.gone(path, Key::Index(*at)));
            inside.more = &items[kept.len()..];
            for item in inside.more {
                let size = size(item);
                inside.lines += 1;
                inside.cost += path.max(4) + "\n also has ".len() + size;
                inside.size += size + 1;
            }
        }
        _ if old == new => return Difference { size: size(new), ..Difference::default() },
        _ => return Difference::whole(new, size(new), path),
    }
    // At the root nothing can be written as a whole.
    let is_whole = path > 0 && inside.lines > 0 && inside.cost >= path + WHOLE + inside.size;
    if is_whole { Difference::whole(new, inside.size, path) } else { inside }
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
    let columns = old.first()?.as_object()?.iter().take(COLUMNS);
    columns.map(|(column, _)| column).find_map(|column| {
        let (was, is) = (names(old, column)?, names(new, column)?);
        let known: HashSet<&&str> = is.iter().collect();
        let are_distinct =
            known.len() == is.len() && was.iter().collect::<HashSet<_>>().len() == was.len();
        are_distinct.then(|| old.iter().enumerate().partition(|(at, _)| known.contains(&was[*at])))
    })
}

/// The texts of a member of all rows.
fn names<'v>(rows: &'v [Value], column: &str) -> Option<Vec<&'v str>> {
    rows.iter().map(|row| row.get(column)?.as_str()).collect()
}

/// About the bytes of a value as JSON.
fn size(value: &Value) -> usize {
    match value {
        Json::Null | Json::Bool(_) => 4,
        Json::Number(literal) => literal.len(),
        Json::String(text) => text.len() + 2,
        Json::Array(items) => items.iter().map(|item| size(item) + 1).sum::<usize>() + 2,
        Json::Object(members) => {
            let member = |(name, value): &Member<'static>| name.len() + size(value) + 4;
            members.iter().map(member).sum::<usize>() + 2
        }
    }
}
