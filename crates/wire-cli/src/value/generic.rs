//! GCF's generic profile as JSON text.

use gcf::generic::Decoder;
use wire_core::__private::json::{Json, Layout};
use wire_core::{CodecError, Limits};

use crate::converted::Warning;

/// A decoder of local files, which are as large as they are.
pub(crate) fn decoder(bytes: &[u8]) -> Decoder {
    let size = bytes.len().max(Limits::DEFAULT.line_bytes);
    Decoder::new().limits(Limits::DEFAULT.with_line_bytes(size).with_items(size))
}

/// The JSON text of the value in a model's answer, and the repairs.
pub(crate) fn recover(bytes: &[u8]) -> Result<(String, Vec<Warning>), CodecError> {
    let (value, recovery) = decoder(bytes).recover_slice::<Json<'_>>(bytes)?;
    let repairs = recovery.repairs.iter().map(Warning::of_repair).collect();
    Ok((value.to_text(Layout::Compact), repairs))
}
