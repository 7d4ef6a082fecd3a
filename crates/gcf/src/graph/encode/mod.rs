//! Encoding: header, groups of symbols, edges.

mod edges;
mod header;
mod names;
mod short;
mod symbols;

use wire_core::Payload;

pub(super) use self::edges::out_of_range;
pub(super) use self::header::{Identity, SessionField};
pub(super) use self::names::{NamePolicy, not_a_token};
pub(super) use self::symbols::{SymbolIds, bad_score, reserved_kind};
use super::dialect::{AddedDistance, Dialect};
use super::root::RootAlgorithm;
use crate::Error;

/// Options of encoding, and the encoder.
///
/// ```
/// use gcf::graph::{Dialect, Encoder};
/// use wire_core::{Payload, Symbol};
///
/// let mut payload = Payload { tool: "t".into(), ..Payload::default() };
/// payload.symbols = vec![Symbol::new("function", "operator new").with_score(0.5)];
/// let encoder = Encoder::new().dialect(Dialect::V1_4);
/// assert_eq!(encoder.to_string(&payload).unwrap_err().code(), "invalid_name");
///
/// let mut out = Vec::new();
/// let report = encoder.replace_white_space('_').encode(&payload, &mut out)?;
/// assert_eq!(report.names_changed, 1);
/// assert!(out.ends_with(b"@0 fn operator_new 0.50 structural\n"));
/// # Ok::<(), gcf::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Encoder {
    dialect: Dialect,
    names: NamePolicy,
    /// None: the dialect's.
    root: Option<RootAlgorithm>,
    /// None: the dialect's.
    added_distance: Option<AddedDistance>,
}

/// What an encoder did beyond writing the payload as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EncodeReport {
    /// The number of names and words in which white space was replaced.
    pub names_changed: usize,
}

impl Encoder {
    /// An encoder of [`Dialect::V1`] that refuses names with white space.
    pub const fn new() -> Self {
        Encoder {
            dialect: Dialect::V1,
            names: NamePolicy::Refuse,
            root: None,
            added_distance: None,
        }
    }

    /// Sets the dialect (default [`Dialect::V1`]).
    #[must_use]
    pub const fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }

    /// Writes `with` for every white-space character in a name (default: such a name is an error).
    ///
    /// Real names do hold spaces (`operator new`, `<impl A for B>::f`), and a symbol line has no way
    /// to quote them (ruling G5). [`Encoder::encode`] says how many names it changed. Empty names and
    /// control characters stay errors.
    #[must_use]
    pub const fn replace_white_space(mut self, with: char) -> Self {
        self.names = NamePolicy::ReplaceWhiteSpace(with);
        self
    }

    /// Sets the algorithm of pack roots (default that of the dialect: [`RootAlgorithm::Identity`] before 3,
    /// then [`RootAlgorithm::PackRootV1`]).
    #[must_use]
    pub const fn root_algorithm(mut self, algorithm: RootAlgorithm) -> Self {
        self.root = Some(algorithm);
        self
    }

    /// Writes the distance of every symbol that a delta adds (default: as the dialect does, that is from 3 on;
    /// always with [`RootAlgorithm::PackRootV1`], which sees distances).
    #[must_use]
    pub const fn distances_in_deltas(mut self) -> Self {
        self.added_distance = Some(AddedDistance::Required);
        self
    }

    /// The algorithm of its roots.
    pub(in crate::graph) fn roots(self) -> RootAlgorithm {
        self.root.unwrap_or(self.dialect.rules().root)
    }

    /// Whether the symbols that a delta adds have their distance.
    pub(in crate::graph) fn writes_distances(self) -> bool {
        let rule = self.added_distance.unwrap_or(self.dialect.rules().added_distance);
        rule == AddedDistance::Required || self.roots() == RootAlgorithm::PackRootV1
    }

    /// What it does with names.
    pub(in crate::graph) fn names(self) -> NamePolicy {
        self.names
    }

    /// The dialect that it writes.
    pub(in crate::graph) const fn written_dialect(self) -> Dialect {
        self.dialect
    }

    /// Appends the encoded payload to `out`.
    ///
    /// # Errors
    ///
    /// `invalid_name`, `reserved_kind`, `invalid_score` (not finite) or `edge_index_out_of_range`,
    /// naming the symbol or edge. Then `out` is what it was before the call.
    pub fn encode(&self, payload: &Payload<'_>, out: &mut Vec<u8>) -> Result<EncodeReport, Error> {
        let start = out.len();
        let mut writer = Writer::new(out, *self);
        match writer.payload(payload, Identity::of(payload), self.dialect) {
            Ok(()) => Ok(writer.report),
            Err(error) => {
                out.truncate(start);
                Err(error)
            }
        }
    }

    /// The encoded payload.
    ///
    /// # Errors
    ///
    /// As [`Encoder::encode`].
    pub fn to_vec(&self, payload: &Payload<'_>) -> Result<Vec<u8>, Error> {
        let mut out = Vec::with_capacity(estimated_size(payload));
        self.encode(payload, &mut out)?;
        Ok(out)
    }

    /// The encoded payload as a string.
    ///
    /// # Errors
    ///
    /// As [`Encoder::encode`].
    pub fn to_string(&self, payload: &Payload<'_>) -> Result<String, Error> {
        let text = self.to_vec(payload)?;
        Ok(String::from_utf8(text).expect("because it is made of strings and ASCII"))
    }
}

impl Encoder {
    /// The text with another tool and pack root in its header.
    pub(in crate::graph) fn to_string_as(
        self,
        payload: &Payload<'_>,
        identity: Identity<'_>,
    ) -> Result<String, Error> {
        let mut out = Vec::with_capacity(estimated_size(payload));
        let mut writer = Writer::new(&mut out, self);
        writer.payload(payload, identity, self.dialect)?;
        Ok(String::from_utf8(out).expect("because it is made of strings and ASCII"))
    }
}

/// Enough for most payloads; a guess too low costs a reallocation.
fn estimated_size(payload: &Payload<'_>) -> usize {
    let names: usize = payload.symbols.iter().map(|symbol| symbol.qualified_name.len()).sum();
    128 + names + payload.symbols.len() * 40 + payload.edges.len() * 28
}

/// The payload's bytes so far, and the options that lines need.
pub(super) struct Writer<'o> {
    out: &'o mut Vec<u8>,
    names: NamePolicy,
    report: EncodeReport,
}

impl<'o> Writer<'o> {
    pub(super) fn new(out: &'o mut Vec<u8>, encoder: Encoder) -> Self {
        Writer { out, names: encoder.names, report: EncodeReport::default() }
    }
}

impl Writer<'_> {
    fn payload(
        &mut self,
        payload: &Payload<'_>,
        identity: Identity<'_>,
        dialect: Dialect,
    ) -> Result<(), Error> {
        let rules = dialect.rules();
        self.header(payload, identity, SessionField::Absent, rules)?;
        let ids = self.symbols(payload, rules)?;
        self.edges(payload, &ids, rules)
    }

    /// What is done with names.
    pub(super) fn names(&self) -> NamePolicy {
        self.names
    }

    pub(super) fn report(&self) -> EncodeReport {
        self.report
    }

    pub(in crate::graph) fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    pub(in crate::graph) fn number(&mut self, number: impl itoa::Integer) {
        self.out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
    }
}
