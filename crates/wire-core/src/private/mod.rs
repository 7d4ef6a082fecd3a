//! Helpers of the crates of this workspace. Nobody else may use them. Within a minor version this
//! module only grows, so that a patch never breaks a published crate.

#[cfg(any(feature = "serde", feature = "value"))]
pub mod de;
mod diagnosis;
#[cfg(any(feature = "serde", feature = "value"))]
pub mod json;
pub mod lines;
pub mod number;
pub mod text;
#[cfg(feature = "value")]
mod value;

use std::borrow::Cow;

pub use self::diagnosis::{Diagnosis, Fault};
#[cfg(feature = "value")]
pub use self::value::StrictValue;
pub use crate::error::Detail;
use crate::payload::{Components, Edge, Symbol};
use crate::position::Position;
pub use crate::vocab::{Abbreviated, Block, Listed};
use crate::vocab::{EdgeStatus, EdgeType, Kind, Provenance};
pub use crate::{
    forward_deserialize, forward_serialize, map_key, refuse_content, serialize_elements,
    serialize_fields,
};

/// A symbol with all its fields, for decoders: setting the fields one by one makes decoding GCB1 a
/// tenth slower.
#[inline]
pub fn symbol<'a>(
    kind: Kind<'a>,
    qualified_name: Cow<'a, str>,
    score: f64,
    provenance: Provenance<'a>,
    distance: u32,
    signature: Cow<'a, str>,
    components: Components,
) -> Symbol<'a> {
    Symbol { qualified_name, kind, score, provenance, distance, signature, components }
}

/// An edge with all its fields, for decoders: see [`symbol`].
#[inline]
pub fn edge<'a>(
    source: u32,
    target: u32,
    edge_type: EdgeType<'a>,
    status: EdgeStatus<'a>,
) -> Edge<'a> {
    Edge { source, target, edge_type, status }
}

/// The position of the byte at offset `at` of one line. `text` is the line, `line` its number from
/// 1, and `start` its offset in the input. It is for readers that know which line they are in: its
/// time depends on the length of the line only.
pub fn position_in_line(text: &[u8], line: u64, start: u64, at: usize) -> Position {
    let column = Position::in_text(&text[..at.min(text.len())], at).column;
    Position { offset: start + at as u64, line, column }
}
