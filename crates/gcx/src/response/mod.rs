//! The responses of tools, from and to JSON: by the layout of the tool, as a shape of a workspace, or by the fallback.

mod decode;
mod encode;
mod envelope;
mod fallback;
pub mod layout;
mod types;

use std::collections::BTreeSet;
use std::io::Write;

use serde_json::Value;
use wire_core::text::shown;

use self::envelope::Envelope;
pub(crate) use self::fallback::Form;
use self::layout::Layout;
use crate::decode::{Reader, Sections};
use crate::encode::{Encoder, Writer};
use crate::grammar::TYPED;
use crate::header::Header;
use crate::{Error, ErrorKind};

/// Writes a response. Gives the paths of what the tool's layout has no place for.
pub(crate) fn encode<W: Write>(
    writer: &mut Writer<W>,
    tool: &str,
    response: &Value,
    form: Form,
    options: &Encoder,
) -> Result<BTreeSet<String>, Error> {
    if form == Form::Plain {
        if let Some(layout) = Layout::of(tool) {
            return encode::response(writer, tool, layout, response, options);
        }
        if let Some(envelope) = Envelope::of(tool) {
            return envelope.encode(writer, response, options);
        }
        if let Some((owner, _)) = Layout::of_section(tool) {
            let message = format!(
                "the tool is {}, a section of the response of {owner}, expected the tool itself",
                shown(tool)
            );
            return Err(Error::encode(ErrorKind::InvalidShape, message));
        }
    }
    fallback::write(writer, Header::new(tool, [""; 0]), response, form, options)?;
    Ok(BTreeSet::new())
}

/// The JSON of a response.
pub(crate) fn decode(mut reader: Reader<'_>) -> Result<Value, Error> {
    // The header decides; what is read of it is read again.
    let mut start = reader.clone();
    let header = start.section()?.unwrap_or_default();
    if header.meta(TYPED).is_none() {
        if let Some((tool, layout)) = Layout::of_section(header.tool()) {
            return decode::response(&mut reader, tool, layout);
        }
        if let Some(envelope) = Envelope::of(header.tool()) {
            return envelope.decode(reader);
        }
    }
    let value = fallback::read(&mut start, &header)?;
    if let Some(another) = start.section()? {
        let message = format!("there is a second section, {}, expected one", shown(another.tool()));
        return Err(Error::at(ErrorKind::InvalidShape, start.line_place(), message));
    }
    Ok(value)
}
