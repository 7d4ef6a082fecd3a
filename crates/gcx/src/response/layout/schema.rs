//! The parts of a layout.

use Kind::{Integer, List, Number, Scalar, Text, Truth};
use Source::{Any, Many, One, Texts, Whole, Word};

/// The layout of the response of some tools.
#[derive(Debug)]
#[non_exhaustive]
pub struct Layout {
    /// The names of the tools that have it.
    pub tools: &'static [&'static str],
    /// The treatment of a response that is an array.
    pub array: Array,
    /// The sections, in the order in which they are written.
    pub sections: &'static [Section],
    /// The objects that supply the cells of [`Owner::Joined`].
    pub join: Option<Join>,
}

/// The treatment of a response that is an array instead of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Array {
    /// It is not a response of the tool.
    Refused,
    /// The array contains the rows of the first section; decoding returns the object.
    Rows,
    /// The array contains the rows of the first section; decoding returns the array again, unless
    /// there are metadata or other sections.
    Canonical,
    /// The array contains rows of all sections. The member `section` of each has the suffix of its
    /// section, without the dot, or its label.
    BySection,
}

/// A section of a layout.
#[derive(Debug)]
#[non_exhaustive]
pub struct Section {
    /// Follows the tool's name in the name of the section: empty, or for example `.nodes`.
    pub suffix: &'static str,
    /// The part of the response that contains its rows.
    pub source: Source,
    /// The meaning of a response without these rows.
    pub absence: Absence,
    /// Another name of the section, for rows that name their section ([`Array::BySection`]); empty
    /// when there is no such name.
    pub label: &'static str,
    /// The columns, in the order in which they are written; empty when the [fallback](Source::Any)
    /// decides.
    pub cells: &'static [Cell],
    /// Metadata from members beside the rows.
    pub meta: &'static [Meta],
}

/// The part of a response that contains the rows of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// The response is the only row.
    Whole,
    /// The object in this member is the only row.
    One(&'static str),
    /// The value in this member is the only cell of the only row.
    Word(&'static str),
    /// The objects of the array in the member with one of these names. Decoding uses the first
    /// name. In a section with one column, a string is read as an object with that member.
    Many(&'static [&'static str]),
    /// The strings of the array in this member.
    Texts(&'static str),
    /// The value in this member, by the fallback.
    Any(&'static str),
}

/// The meaning of a response without the rows of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Absence {
    /// It is not a response of the tool.
    Refused,
    /// The section has no rows. Decoding returns an empty array.
    NoRows,
    /// The section is left out.
    NoSection,
}

/// A column, and the member of the row's object that it contains.
#[derive(Debug)]
#[non_exhaustive]
pub struct Cell {
    /// The name of the column.
    pub column: &'static str,
    /// The possible names of the member. Decoding uses the first.
    pub members: &'static [&'static str],
    /// The object that has the member.
    pub owner: Owner,
    /// The type of the member.
    pub kind: Kind,
    /// `true` if the cell must have a value.
    pub required: Required,
    /// `true` if the column is written only if a row has the member.
    pub if_any: bool,
}

/// The object that has the member of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Owner {
    /// The object of the row.
    Row,
    /// The object that the [`Join`] finds.
    Joined,
}

/// The type of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A string.
    Text,
    /// An integer. `3.0` is one, and written `3`.
    Integer,
    /// A number. Integral numbers are decoded as integers.
    Number,
    /// `true` or `false`.
    Truth,
    /// A number or a truth value.
    Scalar,
    /// An array of strings: separated by commas, or as JSON when one of them has a comma, is empty
    /// or begins with a bracket. It is never absent: an empty cell is the empty array.
    List,
}

impl Kind {
    /// The name in messages and tables.
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

/// The need of a value in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Required {
    /// The cell must not be empty.
    Always,
    /// The cell may be empty only if the cell of this column is not.
    Unless(&'static str),
    /// The cell may be empty.
    Never,
}

/// A key of a header, and the member of the response with the same name.
#[derive(Debug)]
#[non_exhaustive]
pub struct Meta {
    /// The name.
    pub key: &'static str,
    /// Its type.
    pub kind: Kind,
}

/// Cells that come from objects elsewhere in the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Join {
    /// The member with the array of the objects.
    pub list: &'static str,
    /// The member of these objects that identifies them.
    pub id: &'static str,
    /// The member of the row that refers to one of them.
    pub by: &'static str,
}

impl Layout {
    /// Returns `true` if the layout has this member of the response.
    pub(in crate::response) fn knows(&self, member: &str) -> bool {
        self.join.is_some_and(|join| join.list == member)
            || self.sections.iter().any(|section| {
                section.source == Whole
                    || section.source.members().contains(&member)
                    || section.meta.iter().any(|meta| meta.key == member)
            })
    }

    /// Returns `true` if there is a section with this suffix, given without its dot.
    pub(in crate::response) fn has_section(&self, name: &str) -> bool {
        self.sections.iter().any(|section| section.suffix.strip_prefix('.') == Some(name))
    }

    /// Returns `true` if the response has several sections, whose names then differ from the
    /// tool's.
    pub fn has_named_sections(&self) -> bool {
        self.sections.iter().any(|section| !section.suffix.is_empty())
    }
}

impl Section {
    /// Returns `true` if its rows are objects, rather than texts.
    pub(in crate::response) fn has_objects(&self) -> bool {
        !matches!(self.source, Word(_) | Texts(_) | Any(_))
    }
}

impl Source {
    /// The possible names of the member with the rows; decoding uses the first. Empty when the rows
    /// are the response itself.
    pub fn members(&self) -> &[&'static str] {
        match self {
            Whole => &[],
            One(member) | Word(member) | Texts(member) | Any(member) => {
                std::slice::from_ref(member)
            }
            Many(members) => members,
        }
    }

    /// Returns `true` if the section has exactly one row, which is not declared (ruling X4).
    pub fn is_one_row(&self) -> bool {
        matches!(self, Whole | One(_) | Word(_))
    }
}
