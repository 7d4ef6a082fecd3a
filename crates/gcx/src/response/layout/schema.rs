//! What a layout is made of.

use Kind::{Integer, List, Number, Scalar, Text, Truth};
use Source::{Any, Many, One, Texts, Whole, Word};

/// The layout of the response of some tools.
#[derive(Debug)]
#[non_exhaustive]
pub struct Layout {
    /// The names of the tools that have it.
    pub tools: &'static [&'static str],
    /// What an array is, where the response is one.
    pub array: Array,
    /// The sections, in the order in which they are written.
    pub sections: &'static [Section],
    /// The objects from which cells of [`Owner::Joined`] are taken.
    pub join: Option<Join>,
}

/// What an array is, where a tool answers with one instead of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Array {
    /// No response.
    Refused,
    /// The rows of the first section; decoding gives the object.
    Rows,
    /// The rows of the first section; decoding gives the array again, unless there are metadata or
    /// other sections.
    Canonical,
    /// Rows of all sections, each with the suffix of its own, without the dot, or its label in the
    /// member `section`.
    BySection,
}

/// A section of a layout.
#[derive(Debug)]
#[non_exhaustive]
pub struct Section {
    /// What stands behind the tool's name in that of the section: nothing, or as `.nodes`.
    pub suffix: &'static str,
    /// Where its rows are in the response.
    pub source: Source,
    /// What a response without them means.
    pub absence: Absence,
    /// Another name of the section where rows say which they are of ([`Array::BySection`]); empty
    /// if there is none.
    pub label: &'static str,
    /// The columns, in the order in which they are written; none where the [fallback](Source::Any)
    /// decides.
    pub cells: &'static [Cell],
    /// Metadata from members beside the rows.
    pub meta: &'static [Meta],
}

/// Where the rows of a section are in a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// The response is the only row.
    Whole,
    /// The object in this member is the only row.
    One(&'static str),
    /// The value in this member is the only cell of the only row.
    Word(&'static str),
    /// The objects of the array in the member of one of these names. Decoding gives the first name.
    /// Where a section has one column, a string is taken for an object with it.
    Many(&'static [&'static str]),
    /// The strings of the array in this member.
    Texts(&'static str),
    /// The value in this member, by the fallback.
    Any(&'static str),
}

/// What a response means that does not have the rows of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Absence {
    /// It is no response of the tool.
    Refused,
    /// The section has no rows. Decoding gives an empty array.
    NoRows,
    /// There is no section.
    NoSection,
}

/// A column, and the member of the row's object that it stands for.
#[derive(Debug)]
#[non_exhaustive]
pub struct Cell {
    /// The name of the column.
    pub column: &'static str,
    /// The names that the member may have. Decoding gives the first.
    pub members: &'static [&'static str],
    /// The object that has the member.
    pub owner: Owner,
    /// What the member holds.
    pub kind: Kind,
    /// Whether the cell may be empty.
    pub required: Required,
    /// Whether there is the column only if any row has the member.
    pub if_any: bool,
}

/// Whose member a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Owner {
    /// The row's.
    Row,
    /// That of the object that the [`Join`] finds.
    Joined,
}

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A string.
    Text,
    /// An integer. `3.0` is one, and written `3`.
    Integer,
    /// A number. Integral ones come back as integers.
    Number,
    /// `true` or `false`.
    Truth,
    /// A number or a truth value.
    Scalar,
    /// An array of strings: with commas between them, or as JSON if one of them has a comma, is
    /// empty or begins with a bracket. Never absent: empty is the empty array.
    List,
}

impl Kind {
    /// What it is called in messages and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Text => "text",
            Integer => "integer",
            Number => "number",
            Truth => "truth value",
            Scalar => "number or truth value",
            List => "array of strings",
        }
    }
}

/// Whether a cell may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Required {
    /// Never.
    Always,
    /// If the cell of this column is not.
    Unless(&'static str),
    /// Always.
    Never,
}

/// A key of a header, and the member of the response of the same name.
#[derive(Debug)]
#[non_exhaustive]
pub struct Meta {
    /// The name.
    pub key: &'static str,
    /// What it holds.
    pub kind: Kind,
}

/// Cells that come from objects elsewhere in the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Join {
    /// The member with the array of the objects.
    pub list: &'static str,
    /// The member of these objects by which they are found.
    pub id: &'static str,
    /// The member of the row that says which.
    pub by: &'static str,
}

impl Layout {
    /// Whether a member of the response has a place.
    pub(in crate::response) fn knows(&self, member: &str) -> bool {
        self.join.is_some_and(|join| join.list == member)
            || self.sections.iter().any(|section| {
                section.source == Whole
                    || section.source.members().contains(&member)
                    || section.meta.iter().any(|meta| meta.key == member)
            })
    }

    /// Whether there is a section of this suffix, which is given without its dot.
    pub(in crate::response) fn has_section(&self, name: &str) -> bool {
        self.sections.iter().any(|section| section.suffix.strip_prefix('.') == Some(name))
    }

    /// Whether the response has several sections, so that their names are not the tool's.
    pub fn has_named_sections(&self) -> bool {
        self.sections.iter().any(|section| !section.suffix.is_empty())
    }
}

impl Section {
    /// Whether its rows are objects, rather than texts.
    pub(in crate::response) fn has_objects(&self) -> bool {
        !matches!(self.source, Word(_) | Texts(_) | Any(_))
    }
}

impl Source {
    /// The names of the member that holds the rows, the first of which decoding gives; none for the
    /// response itself.
    pub fn members(&self) -> &[&'static str] {
        match self {
            Whole => &[],
            One(member) | Word(member) | Texts(member) | Any(member) => {
                std::slice::from_ref(member)
            }
            Many(members) => members,
        }
    }

    /// Whether the section has exactly one row, which is not declared (ruling X4).
    pub fn is_one_row(&self) -> bool {
        matches!(self, Whole | One(_) | Word(_))
    }
}
