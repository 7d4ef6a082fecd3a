//! GCF's generic profile as JSON text.

use gcf::Decoder;
use gcf::graph::Repair;
use wire_core::json::{Json, Layout};
use wire_core::{CodecError, Limits};

/// A decoder of local files, which are as large as they are.
pub(crate) fn decoder(bytes: &[u8]) -> Decoder {
    let size = bytes.len().max(Limits::DEFAULT.line_bytes);
    Decoder::new().limits(Limits::DEFAULT.with_line_bytes(size).with_items(size))
}

/// The JSON text of the value in a model's answer, and the repairs.
///
/// # Errors
///
/// If nothing of the answer is a value.
pub fn recover(bytes: &[u8]) -> Result<(String, Vec<Repair>), CodecError> {
    let (value, recovery) = decoder(bytes).recover::<Json<'_>>(bytes)?;
    Ok((value.to_text(Layout::Compact), recovery.repairs))
}
