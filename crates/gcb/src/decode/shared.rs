//! The view that owns its bytes, for caches (ruling B5).

use std::ops::Range;

use bytes::Bytes;
use wire_core::Payload;

use super::options::Decoder;
use super::view::{Outline, View};
use crate::Error;
use crate::layout::{MAGIC, varint_length};

/// A payload that was validated once, together with its bytes. A cache can store it, share it
/// between threads, and read it any number of times. A clone shares the bytes.
///
/// ```
/// use std::collections::HashMap;
///
/// # let payload = wire_core::Payload {
/// #     symbols: vec![wire_core::Symbol::new("function", "a").with_score(0.9)],
/// #     ..Default::default()
/// # };
/// let mut cache = HashMap::new();
/// cache.insert("task-17", gcb::SharedView::from_bytes(gcb::to_vec(&payload)?)?);
///
/// let cached = cache["task-17"].clone();
/// assert_eq!(
///     cached
///         .view()
///         .symbols()
///         .map(|symbol| symbol.qualified_name())
///         .collect::<Vec<_>>(),
///     ["a"]
/// );
/// # Ok::<(), gcb::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SharedView {
    bytes: Bytes,
    tool: Range<usize>,
    outline: Outline,
}

impl SharedView {
    /// Validates `bytes` strictly and keeps them. [`Bytes`] and `Vec<u8>` are kept without copying.
    ///
    /// # Errors
    ///
    /// As [`Decoder::from_slice`].
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<Self, Error> {
        Decoder::new().shared_view(bytes)
    }

    /// The payload, without validating it again.
    pub fn view(&self) -> View<'_> {
        let tool = std::str::from_utf8(&self.bytes[self.tool.clone()])
            .expect("because the tool was validated");
        View { bytes: &self.bytes, tool, outline: self.outline }
    }

    /// The bytes, unchanged.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The bytes alone, to be sent or stored elsewhere.
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }

    /// Builds the payload, with text borrowed from the bytes.
    pub fn to_payload(&self) -> Payload<'_> {
        let payload = self.outline.decoder.from_slice(&self.bytes);
        payload.expect("because the bytes were validated")
    }
}

impl Decoder {
    /// Validates `bytes` once and keeps them: see [`SharedView`].
    ///
    /// # Errors
    ///
    /// As [`Decoder::from_slice`].
    pub fn shared_view(&self, bytes: impl Into<Bytes>) -> Result<SharedView, Error> {
        let bytes = bytes.into();
        let View { tool, outline, .. } = self.view(&bytes)?;
        let start = MAGIC.len() + 1 + varint_length(tool.len() as u64);
        let tool = start..start + tool.len();
        Ok(SharedView { bytes, tool, outline })
    }
}
