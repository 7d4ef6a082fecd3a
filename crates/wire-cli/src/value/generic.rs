//! GCF's generic profile as JSON values.

use gcf::generic::Decoder;
use serde_json::Value;
use wire_core::value::StrictValue;
use wire_core::{CodecError, Limits};

use crate::converted::Warning;

/// A decoder of local files, which are as large as they are.
pub(crate) fn decoder(bytes: &[u8]) -> Decoder {
    let size = bytes.len().max(Limits::DEFAULT.line_bytes);
    Decoder::new().limits(Limits::DEFAULT.with_line_bytes(size).with_items(size))
}

/// The value of a text.
pub(super) fn read(bytes: &[u8]) -> Result<Value, CodecError> {
    Ok(decoder(bytes).from_slice::<StrictValue>(bytes)?.0)
}

/// The value in a model's answer, and the repairs.
pub(crate) fn recover(bytes: &[u8]) -> Result<(Value, Vec<Warning>), CodecError> {
    let (StrictValue(value), recovery) = decoder(bytes).recover_slice(bytes)?;
    Ok((value, recovery.repairs.iter().map(Warning::of_repair).collect()))
}
