//! Objects of a response that supply cells to the rows of other objects.

use std::collections::{BTreeSet, HashMap, HashSet};

use wire_core::text::shown;

use super::layout::{Cell, Join, Layout, Owner};
use super::parts::{Part, Row, member};
use super::problem::{invalid_at, wrong};
use crate::Error;
use crate::escape::without_carriage_returns;
use crate::json::{Json, Member, get};

/// The objects that supply cells to rows which refer to them.
pub(super) struct Joined<'v> {
    join: Join,
    cells: Vec<&'static Cell>,
    by_id: HashMap<&'v str, Row<'v>>,
    /// `true` if an object of the list appears twice.
    repeated: bool,
}

impl<'v> Joined<'v> {
    /// Collects the objects of a response. Objects with the same name must not contradict each
    /// other.
    pub(super) fn new(
        join: Join,
        layout: &'static Layout,
        response: &'v Json<'v>,
    ) -> Result<Self, Error> {
        let cells = layout.sections.iter().flat_map(|section| section.cells);
        let cells: Vec<&Cell> = cells.filter(|cell| cell.owner == Owner::Joined).collect();
        let mut by_id: HashMap<&str, Row<'_>> = HashMap::new();
        let mut repeated = false;
        let items = match response.get(join.list) {
            None | Some(Json::Null) => &[][..],
            Some(Json::Array(items)) => items,
            Some(other) => return Err(wrong(join.list, other, "an array")),
        };
        for (index, value) in items.iter().enumerate() {
            let row = Row { value, list: join.list, index: Some(index) };
            let Json::Object(object) = value else {
                return Err(wrong(&row.path(None), value, "an object"));
            };
            let path = |name: &str| row.path(Some(name));
            let id = get(object, join.id).unwrap_or(&Json::Null);
            let Some(id) = id.as_str() else { return Err(wrong(&path(join.id), id, "a string")) };
            let Some(first) = by_id.get(id) else {
                by_id.insert(id, row);
                continue;
            };
            repeated = true;
            for cell in &cells {
                let (one, other) = (
                    first
                        .value
                        .as_object()
                        .map_or(Ok(None), |first| member(first, cell.members, path))?,
                    member(object, cell.members, path)?,
                );
                if one.map(|(_, value)| value) != other.map(|(_, value)| value) {
                    let message = format!(
                        "{} differs from that of {} before, expected the same",
                        path(cell.members[0]),
                        shown(id)
                    );
                    return Err(invalid_at(&message));
                }
            }
        }
        Ok(Joined { join, cells, by_id, repeated })
    }

    /// The object that a row refers to.
    pub(super) fn of(&self, row: &[Member<'_>]) -> Option<Row<'v>> {
        self.by_id.get(get(row, self.join.by)?.as_str()?).copied()
    }

    /// Reports the objects that no row refers to or that have no cells, and the members without a
    /// cell.
    pub(super) fn report(&self, parts: &[Part<'v>], left_out: &mut BTreeSet<String>) {
        let rows =
            parts.iter().flat_map(|part| if let Part::Rows(rows) = part { &rows[..] } else { &[] });
        // Cells can't contain carriage returns, so other rows and nodes may be decoded with the
        // same id.
        let broken = |id: &str| id.contains('\r');
        let by = self.join.by;
        let is_broken =
            |row: &&Row<'_>| row.value.get(by).and_then(Json::as_str).is_some_and(broken);
        left_out.extend(rows.clone().find(is_broken).map(|row| row.pattern(by)));
        let used: HashSet<&str> =
            rows.filter_map(|row| row.value.get(self.join.by)?.as_str()).collect();
        let list = self.join.list;
        for (id, row) in &self.by_id {
            let Json::Object(object) = row.value else { continue };
            let is_cell = |key: &str| self.cells.iter().any(|cell| cell.members.contains(&key));
            let shows = object.iter().any(|(key, value)| is_cell(key) && !is_empty(value));
            if !used.contains(id) || !shows || self.repeated {
                left_out.insert(format!("{list}[]"));
            }
            if used.contains(id) {
                let unknown = object
                    .iter()
                    .map(|(key, _)| key)
                    .filter(|key| *key != self.join.id && !is_cell(key));
                left_out.extend(unknown.map(|key| format!("{list}[].{key}")));
            }
        }
    }
}

fn is_empty(value: &Json<'_>) -> bool {
    value.is_null() || value.as_str().is_some_and(|text| without_carriage_returns(text).is_empty())
}
