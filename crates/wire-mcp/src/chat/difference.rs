//! The difference between two values, as lines that change one into the other (ruling M21).

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use std::iter;

use wire_core::json::Member;

use crate::json::{Json, minified};

use super::read::{Key, Value, changes};

/// The first members of rows that may name them.
const COLUMNS: usize = 4;

/// The bytes of a line for a whole value beside those of the path and of the value.
const WHOLE: usize = "\n = ".len();

/// The difference between an old value and a new one.
pub(super) struct Difference<'v> {
    change: Change<'v>,
    pub(super) lines: usize,
    /// About the bytes of the lines. At the root there is no line for a whole value, which has too
    /// many.
    pub(super) cost: usize,
    /// About the bytes of the new value as JSON.
    size: usize,
}

/// What makes a new value of an old one.
enum Change<'v> {
    None,
    /// The new value in the place of the old one.
    Whole(&'v Value),
    Inside {
        /// Members that are gone, and items from the last one on.
        gone: Vec<Key<'v>>,
        /// Those that stay and differ, with the indexes of the new value, and new members.
        changed: Vec<(Key<'v>, Change<'v>)>,
        /// New items at the end.
        more: &'v [Value],
    },
}

impl<'v> Difference<'v> {
    fn whole(new: &'v Value, path: usize) -> Self {
        let size = size(new);
        Difference { change: Change::Whole(new), lines: 1, cost: path + WHOLE + size, size }
    }

    /// Both values are walked once.
    pub(super) fn between(old: &'v Value, new: &'v Value) -> Self {
        let difference = between(old, new, 0);
        match difference.change {
            Change::Whole(_) => Difference { cost: usize::MAX, ..difference },
            _ => difference,
        }
    }

    /// Writes what follows the name of the old value in a reference.
    pub(super) fn write(&self, text: &mut String) {
        match self.lines {
            0 => text.push('.'),
            lines => text.extend([", but for ", &changes(lines), ":\n"]),
        }
        write(&self.change, &mut String::new(), text);
    }
}

fn write(change: &Change<'_>, path: &mut String, text: &mut String) {
    let length = path.len();
    match change {
        Change::None => {}
        Change::Whole(new) => text.extend([path, " = ", &minified(new), "\n"]),
        Change::Inside { gone, changed, more } => {
            for key in gone {
                key.push(path);
                text.extend(["without ", path, "\n"]);
                path.truncate(length);
            }
            for (key, change) in changed {
                key.push(path);
                write(change, path, text);
                path.truncate(length);
            }
            let list = if path.is_empty() { "rows" } else { path };
            more.iter().for_each(|item| text.extend([list, " also has ", &minified(item), "\n"]));
        }
    }
}

/// The difference at a path of so many bytes.
fn between<'v>(old: &'v Value, new: &'v Value, path: usize) -> Difference<'v> {
    match (old, new) {
        (Json::Object(old), Json::Object(members)) => {
            let mut inside = Inside::new(path);
            let by_name = LazyCell::new(|| by_name(old));
            let mut kept = 0;
            for (at, (name, value)) in members.iter().enumerate() {
                let was = match old.get(at) {
                    Some((own, was)) if own == name => Some(was),
                    _ => by_name.get(&**name).copied(),
                };
                kept += usize::from(was.is_some());
                inside.pair(Key::Name(Cow::Borrowed(name)), was, value);
            }
            if kept < old.len() {
                let names = self::by_name(members);
                let gone = old.iter().filter(|(name, _)| !names.contains_key(&**name));
                gone.for_each(|(name, _)| inside.gone(Key::Name(Cow::Borrowed(name))));
            }
            inside.difference(new, &[])
        }
        (Json::Array(old), Json::Array(items)) => {
            let mut inside = Inside::new(path);
            let Some(stays) = stays(old, items) else { return Difference::whole(new, path) };
            let kept = iter::zip(old, &stays).filter(|(_, stays)| **stays).map(|(was, _)| was);
            let mut count = 0;
            for (was, value) in iter::zip(kept, items) {
                inside.pair(Key::Index(count), Some(was), value);
                count += 1;
            }
            let gone = stays.iter().enumerate().rev().filter(|(_, stays)| !**stays);
            gone.for_each(|(at, _)| inside.gone(Key::Index(at)));
            inside.difference(new, &items[count..])
        }
        _ if old == new => Difference { change: Change::None, lines: 0, cost: 0, size: size(new) },
        _ => Difference::whole(new, path),
    }
}

/// The differences in an object or a list.
struct Inside<'v> {
    gone: Vec<Key<'v>>,
    changed: Vec<(Key<'v>, Change<'v>)>,
    lines: usize,
    cost: usize,
    size: usize,
    /// The bytes of the path to it.
    path: usize,
}

impl<'v> Inside<'v> {
    fn new(path: usize) -> Self {
        Inside { gone: Vec::new(), changed: Vec::new(), lines: 0, cost: 0, size: 2, path }
    }

    /// A member or an item, and what it was, if it is not new.
    fn pair(&mut self, key: Key<'v>, old: Option<&'v Value>, new: &'v Value) {
        let path = self.path + key.size();
        let part = match old {
            Some(old) => between(old, new, path),
            None => Difference::whole(new, path),
        };
        self.lines += part.lines;
        self.cost += part.cost;
        self.size += part.size + 1 + if matches!(key, Key::Name(_)) { key.size() + 2 } else { 0 };
        if part.lines > 0 {
            self.changed.push((key, part.change));
        }
    }

    fn gone(&mut self, key: Key<'v>) {
        self.lines += 1;
        self.cost += self.path + key.size() + "\nwithout ".len();
        self.gone.push(key);
    }

    /// The difference to a value, a list with more items or none.
    fn difference(mut self, new: &'v Value, more: &'v [Value]) -> Difference<'v> {
        for item in more {
            let size = size(item);
            self.lines += 1;
            self.cost += self.path.max(4) + "\n also has ".len() + size;
            self.size += size + 1;
        }
        let Inside { gone, changed, lines, cost, size, path } = self;
        if lines == 0 {
            return Difference { change: Change::None, lines, cost, size };
        }
        // At the root nothing can be written as a whole.
        if path > 0 && cost >= path + WHOLE + size {
            return Difference {
                change: Change::Whole(new),
                lines: 1,
                cost: path + WHOLE + size,
                size,
            };
        }
        Difference { change: Change::Inside { gone, changed, more }, lines, cost, size }
    }
}

/// Whether each row of a list is in a new one, too: all of them, if that is as long, else by the
/// first member that names the rows of both. `None` if there is no such member.
fn stays(old: &[Value], new: &[Value]) -> Option<Vec<bool>> {
    if new.len() >= old.len() {
        return Some(vec![true; old.len()]);
    }
    let columns = old.first()?.as_object()?.iter().take(COLUMNS);
    columns.map(|(column, _)| column).find_map(|column| {
        let (old, new) = (names(old, column)?, names(new, column)?);
        let known: HashSet<&str> = new.iter().copied().collect();
        let are_distinct =
            |names: &[&str]| names.iter().collect::<HashSet<_>>().len() == names.len();
        let stays = || old.iter().map(|name| known.contains(name)).collect();
        (are_distinct(&old) && are_distinct(&new)).then(stays)
    })
}

/// The texts of a member of all rows.
fn names<'v>(rows: &'v [Value], column: &str) -> Option<Vec<&'v str>> {
    rows.iter().map(|row| row.get(column)?.as_str()).collect()
}

fn by_name<'m>(members: &'m [Member<'static>]) -> HashMap<&'m str, &'m Value> {
    members.iter().map(|(name, value)| (&**name, value)).collect()
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
