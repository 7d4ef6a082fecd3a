//! The roots of payloads (ruling G11).

use wire_core::number::Digits;
use wire_core::text::is_token;
use wire_core::{Limits, PackRoot, Payload};

use super::decode::Decoder;
use super::dialect::Dialect;
use super::encode::{Encoder, Identity};
use super::refused::{bad_score, not_a_token, out_of_range, reserved_kind};
use crate::Error;
use crate::root::RootAlgorithm;

impl RootAlgorithm {
    /// Returns `true` if this is the root of the payload as it is.
    pub(in crate::graph) fn is_root_of(self, root: &PackRoot<'_>, payload: &Payload<'_>) -> bool {
        self.root(payload).is_ok_and(|found| found == *root)
    }

    /// The root of the payload itself. A GCF text rounds scores to two decimals, so the root of the
    /// decoded text often differs: see [`Encoder::pack_root`](super::Encoder::pack_root).
    ///
    /// ```
    /// use gcf::graph::RootAlgorithm;
    ///
    /// let root = RootAlgorithm::PackRootV1.root(&wire_core::Payload::default())?;
    /// assert!(root.as_str().starts_with("sha256:e3b0c442")); // of nothing
    /// # Ok::<(), gcf::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `invalid_name` for a name that is not a token; `edge_index_out_of_range`; and for
    /// `PackRootV1` also `invalid_score` (not finite) and `reserved_kind`.
    pub fn root(self, payload: &Payload<'_>) -> Result<PackRoot<'static>, Error> {
        let (symbols, edges) = match self {
            RootAlgorithm::Identity => identity_records(payload)?,
            RootAlgorithm::PackRootV1 => pack_root_v1_records(payload)?,
        };
        let mut records = symbols;
        records.extend(edges);
        Ok(self.of_records(&records))
    }
}

/// Lines to hash, sorted: of symbols, and of edges.
type Records = (Vec<Vec<u8>>, Vec<Vec<u8>>);

/// The qualified names, and `source TAB target TAB type`, without duplicates.
fn identity_records(payload: &Payload<'_>) -> Result<Records, Error> {
    let mut names = Vec::with_capacity(payload.symbols.len());
    for (index, symbol) in payload.symbols.iter().enumerate() {
        names.push(token(&symbol.qualified_name, || format!("symbols[{index}].qualified_name"))?);
    }
    let mut edges = edge_records(payload, "", &names)?;
    let mut symbols: Vec<Vec<u8>> = names.iter().map(|name| format!("{name}\n").into()).collect();
    for records in [&mut symbols, &mut edges] {
        records.sort_unstable();
        records.dedup();
    }
    Ok((symbols, edges))
}

/// `S TAB kind TAB name TAB score TAB provenance TAB distance`, and `E TAB source-kind TAB
/// source-name TAB target-kind TAB target-name TAB type`.
fn pack_root_v1_records(payload: &Payload<'_>) -> Result<Records, Error> {
    let mut symbols = Vec::with_capacity(payload.symbols.len());
    let mut keys = Vec::with_capacity(payload.symbols.len());
    for (index, symbol) in payload.symbols.iter().enumerate() {
        let place = || format!("symbols[{index}]");
        if symbol.kind.is_shadowed_by_abbreviation() {
            return Err(reserved_kind(&place(), symbol.kind.as_str()));
        }
        if !symbol.score.is_finite() {
            return Err(bad_score(&place(), symbol.score));
        }
        let kind = token(symbol.kind.abbreviation(), || place() + ".kind")?;
        let name = token(&symbol.qualified_name, || place() + ".qualified_name")?;
        let provenance = token(symbol.provenance.as_str(), || place() + ".provenance")?;
        let key = format!("{kind}\t{name}");
        let mut record = format!("S\t{key}\t").into_bytes();
        record.extend_from_slice(Digits::new().canonical(symbol.score).as_bytes());
        record.extend(format!("\t{provenance}\t{}\n", symbol.distance).bytes());
        symbols.push(record);
        keys.push(key);
    }
    let mut edges = edge_records(payload, "E\t", &keys)?;
    symbols.sort_unstable();
    edges.sort_unstable();
    Ok((symbols, edges))
}

/// The source, the target and the type of every edge; `symbols` has the fields for source and
/// target, by index.
fn edge_records<S: AsRef<str>>(
    payload: &Payload<'_>,
    mark: &str,
    symbols: &[S],
) -> Result<Vec<Vec<u8>>, Error> {
    let mut records = Vec::with_capacity(payload.edges.len());
    for (index, edge) in payload.edges.iter().enumerate() {
        let end = |what, end: u32| match symbols.get(end as usize) {
            Some(symbol) => Ok(symbol.as_ref()),
            None => Err(out_of_range(index, what, end, symbols.len())),
        };
        let (source, target) = (end("source", edge.source)?, end("target", edge.target)?);
        let edge_type = token(edge.edge_type.as_str(), || format!("edges[{index}].edge_type"))?;
        records.push(format!("{mark}{source}\t{target}\t{edge_type}\n").into_bytes());
    }
    Ok(records)
}

/// Records are lines of fields separated by tabs, so a field must contain neither. A name that is
/// not a token can't be in a payload's text anyway.
fn token(text: &str, what: impl FnOnce() -> String) -> Result<&str, Error> {
    if is_token(text) { Ok(text) } else { Err(not_a_token(&what(), text)) }
}

impl Encoder {
    /// The pack root of the payload as its text represents it: scores have two decimals, and white
    /// space in names is replaced if the options ask for it. Both sides of an exchange compute this
    /// root (ruling G11).
    ///
    /// # Errors
    ///
    /// As [`Encoder::encode`], except for the tool, and as
    /// [`RootAlgorithm::root`](super::RootAlgorithm::root).
    pub fn pack_root(&self, payload: &Payload<'_>) -> Result<PackRoot<'static>, Error> {
        // A root does not include the tool, and this dialect does not require one.
        let identity = Identity { tool: "", pack_root: None };
        let text = self.dialect(Dialect::V3).to_string_as(payload, identity)?;
        self.roots().root(&decode_own(&text))
    }

    /// The payload as a decoder of the text returns it, with its root; and the text, whose header
    /// states the root.
    pub(in crate::graph) fn on_the_wire(
        self,
        payload: &Payload<'_>,
    ) -> Result<(Payload<'static>, PackRoot<'static>, String), Error> {
        let tool = &*payload.tool;
        let text = self.to_string_as(payload, Identity { tool, pack_root: None })?;
        let mut wired = decode_own(&text).into_owned();
        let root = self.roots().root(&wired)?;
        wired.pack_root = Some(root.clone());
        let text = self.to_string_as(payload, Identity { tool, pack_root: Some(&root) })?;
        Ok((wired, root, text))
    }
}

/// Decodes the text that an encoder has just written, without limits on its size.
fn decode_own(text: &str) -> Payload<'_> {
    let limits = Limits::DEFAULT.with_items(usize::MAX).with_line_bytes(usize::MAX);
    Decoder::new().limits(limits).from_str(text).expect("because it was encoded")
}
