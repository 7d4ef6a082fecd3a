//! The responses of tools, from and to JSON: by the layout of the tool, as a shape of a workspace,
//! or by the fallback.

mod cells;
mod decode;
mod encode;
mod envelope;
mod extras;
mod fallback;
mod joined;
pub mod layout;
mod parts;
mod problem;
mod straight;
mod types;

use std::collections::BTreeSet;

use wire_core::json;
use wire_core::text::shown;

use self::envelope::Envelope;
pub(crate) use self::fallback::Form;
use self::layout::Layout;
pub(crate) use self::straight::Origin;
use crate::decode::cell::Beyond;
use crate::decode::{Sections, SliceReader};
use crate::encode::{Misfits, Options};
use crate::escape::without_carriage_returns;
use crate::grammar::TYPED;
use crate::header::Header;
use crate::json::Json;
use crate::{Error, ErrorKind};

/// A text, and the paths of what was dropped from it.
type Written = (Vec<u8>, BTreeSet<String>);

/// Writes a response (ruling X13). It uses the first form that fits: a shape of a workspace, the
/// layout of the tool, or the typed fallback. A tool without a layout uses the plain fallback.
/// Returns the paths of what was dropped, which is empty unless the options force the layout.
pub(crate) fn encode(
    tool: &str,
    response: &Json<'_>,
    form: Form,
    options: &Options,
) -> Result<Written, Error> {
    // As it is written.
    let tool = &*without_carriage_returns(tool);
    let fallback = |form| {
        let mut writer = options.writer(Vec::new());
        fallback::write(&mut writer, Header::new(tool, [""; 0]), response, form, options)?;
        Ok((writer.finish()?, BTreeSet::new()))
    };
    if form == Form::Typed {
        return fallback(form);
    }
    if let Some(envelope) = Envelope::of(tool) {
        // These are not tools: by the format's description, JSON of another shape is rejected.
        let mut writer = options.writer(Vec::new());
        let left_out = envelope.encode(&mut writer, response, options)?;
        return Ok((writer.finish()?, left_out));
    }
    match (by_layout(tool, response, options), options.misfits) {
        (None, _) => fallback(form),
        (Some(outcome), Misfits::LeftOut) => outcome,
        (Some(Ok((text, left_out))), Misfits::Typed) if left_out.is_empty() => Ok((text, left_out)),
        (Some(_), Misfits::Typed) => fallback(Form::Typed),
    }
}

/// Writes the response given as JSON text without a tree; `None` when a tree is needed.
pub(crate) fn encode_text(
    tool: &str,
    json: &str,
    origin: Origin,
    form: Form,
    options: &Options,
) -> Option<Result<String, Error>> {
    let tool = &*without_carriage_returns(tool);
    let has_layout = Envelope::of(tool).is_some()
        || Layout::of(tool).or(Layout::of_section(tool).map(|(_, layout)| layout)).is_some();
    if form == Form::Plain && has_layout {
        return None;
    }
    straight::section(tool, json, origin, form, options)
}

/// The response in the layout of its tool, and what was dropped; `None` when the tool has no
/// layout.
fn by_layout(tool: &str, response: &Json<'_>, options: &Options) -> Option<Result<Written, Error>> {
    let mut writer = options.writer(Vec::new());
    let left_out = if let Some(layout) = Layout::of(tool) {
        encode::response(&mut writer, tool, layout, response, options)
    } else {
        let (owner, _) = Layout::of_section(tool)?;
        let message = format!(
            "the tool is {}, a section of the response of {owner}, expected the tool itself",
            shown(tool)
        );
        Err(Error::encode(ErrorKind::InvalidShape, message))
    };
    Some(left_out.and_then(|left_out| Ok((writer.finish()?, left_out))))
}

/// The JSON of a response.
pub(crate) fn decode(mut reader: SliceReader<'_>, beyond: Beyond) -> Result<Json<'static>, Error> {
    // The header decides; what was read of the section is read again.
    let mut start = reader.clone();
    let header = start.section()?.unwrap_or_default();
    if header.meta(TYPED).is_none() {
        if let Some((tool, layout)) = Layout::of_section(header.tool()) {
            return decode::response(&mut reader, tool, layout, beyond);
        }
        if let Some(envelope) = Envelope::of(header.tool()) {
            return envelope.decode(reader);
        }
    }
    let value = fallback::read(&mut start, &header, beyond)?;
    check_only(&mut start)?;
    Ok(value)
}

/// Appends the JSON text of a response, with the literals of its numbers. For an array of the
/// fallback, only one item at a time is in memory as a value.
pub(crate) fn decode_text(
    reader: SliceReader<'_>,
    writer: &mut json::Writer<'_>,
) -> Result<(), Error> {
    let mut start = reader.clone();
    let header = start.section()?.unwrap_or_default();
    let tool = header.tool();
    let has_layout = header.meta(TYPED).is_none()
        && (Layout::of_section(tool).is_some() || Envelope::of(tool).is_some());
    if has_layout || !fallback::is_array(&header) {
        decode(reader, Beyond::Literals)?.write(writer);
        return Ok(());
    }
    writer.begin('[');
    fallback::each_item(&mut start, &header, Beyond::Literals, |item| {
        writer.next();
        item.write(writer);
    })?;
    check_only(&mut start)?;
    writer.end(']');
    Ok(())
}

/// Checks that no other section follows.
fn check_only(reader: &mut SliceReader<'_>) -> Result<(), Error> {
    if let Some(another) = reader.section()? {
        let message =
            format!("there is a second section, {}, expected one section", shown(another.tool()));
        return Err(Error::at(ErrorKind::InvalidShape, reader.line_place(), message));
    }
    Ok(())
}
