//! Payloads as their text represents them, and their roots (ruling G11).

use wire_core::{Limits, PackRoot, Payload};

use super::decode::Decoder;
use super::dialect::Dialect;
use super::encode::{Encoder, Identity};
use crate::Error;

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
