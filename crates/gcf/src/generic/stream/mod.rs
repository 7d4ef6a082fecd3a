//! Tables row by row, in memory that does not grow with them (specification 3.5.3, section 8).

mod lines;
mod reader;
mod writer;

pub use reader::Reader;
pub use writer::Writer;

/// A table whose rows come next: as a [`Reader`] finds it, and as a [`Writer`] begins it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableHead {
    /// The name of the table; `None` if the table is the whole value.
    pub name: Option<String>,
    /// The kind of its rows.
    pub kind: TableKind,
    /// The declared number of rows, unless it is left to the trailer. A writer always leaves it
    /// there.
    pub count: Option<u64>,
    /// The names of the members that the header declares for the rows, in its order, without the
    /// key of a map; empty for items.
    pub fields: Vec<String>,
}

/// The kind of the rows of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableKind {
    /// Of an array of objects, one a row.
    Rows,
    /// Of an object of objects, whose rows have keys.
    Map,
    /// Of an array of any values, with an item for each: `## name [N]`.
    Items,
}

impl TableHead {
    /// A table of an array of objects with these fields.
    pub fn rows<F: Into<String>>(fields: impl IntoIterator<Item = F>) -> Self {
        Self::of(TableKind::Rows, fields.into_iter().map(Into::into).collect())
    }

    /// A table of an object of objects with these fields.
    pub fn map<F: Into<String>>(fields: impl IntoIterator<Item = F>) -> Self {
        Self::of(TableKind::Map, fields.into_iter().map(Into::into).collect())
    }

    /// An array of any values (section 7.6).
    pub const fn items() -> Self {
        Self::of(TableKind::Items, Vec::new())
    }

    /// Sets the name (default: the table is the whole value).
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    const fn of(kind: TableKind, fields: Vec<String>) -> Self {
        TableHead { name: None, kind, count: None, fields }
    }
}
