//! The options of an encoder, used by all sections, and the report of what was dropped or cut.

use crate::value::Strings;
use crate::version::Version;

/// The options that the methods of [`Encoder`](crate::Encoder) set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// The version that is written.
    pub(crate) version: Version,
    /// The way in which strings are written.
    pub(super) strings: Strings,
    /// `true` if a decimal of a JSON text that is not a double is an error.
    pub(crate) exact: bool,
    /// `true` if data that the format can't represent is dropped.
    pub(super) drop_unrepresentable: bool,
}

impl Options {
    pub(super) const DEFAULT: Options = Options {
        version: Version::V1_0_0,
        strings: Strings::DEFAULT,
        exact: false,
        drop_unrepresentable: false,
    };
}

impl Default for Options {
    fn default() -> Self {
        Options::DEFAULT
    }
}

/// The numbers of cells that were cut, and of parts that
/// [`Encoder::drop_unrepresentable`](crate::Encoder::drop_unrepresentable) dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EncodeReport {
    /// The number of cells of rows whose text was cut. The text does not state their length (ruling
    /// N16), unlike that of properties of nodes.
    pub cut_cells: usize,
    /// The number of cells whose node appeared earlier with other properties.
    pub conflicting_nodes: usize,
    /// The number of members of the pagination that the version does not have.
    pub pagination_members: usize,
}

impl EncodeReport {
    /// Returns `true` if all numbers are zero. What the format itself drops, and the cut properties
    /// of nodes, are not counted here: see [`CodecInfo`](wire_core::CodecInfo) and the limits on
    /// texts.
    pub fn is_clean(&self) -> bool {
        *self == EncodeReport::default()
    }
}
