//! The changes between two payloads, as a delta of GCF.

use gcf::graph::{Decoder, Delta, Encoder};
use wire_core::json::{Json as Tree, Layout};
use wire_core::{Codec, CodecError, Payload};
use wire_input::wire_registry::Registry;
use wire_input::wire_registry::json::Json;
use wire_input::{Document, Form, JsonKind, Minified};

use crate::Tokens;

/// The second of two payloads: as JSON, as GCF, and as a delta of GCF to the first. `None` if the
/// value is not a list of two payloads.
pub(crate) fn forms(value: &Minified, registry: &Registry) -> Option<Vec<Form>> {
    let Ok(Tree::Array(items)) = Tree::parse(value.text()) else { return None };
    let [base, new] = &items[..] else { return None };
    let [base, new] = [base, new].map(|item| item.to_text(Layout::Compact));
    let payload = |json: &str| {
        let document = Document::detect(json.as_bytes(), None, Some("json"), registry);
        (document.json() == Some(JsonKind::Payload))
            .then(|| Json::compact().decode(json.as_bytes()).ok())?
            .map(Payload::into_owned)
    };
    let (base, new) = (payload(&base)?, payload(&new)?);
    let mut full = Vec::new();
    let gcf = gcf::Gcf::default();
    let losses = gcf.info().fidelity().report(&new).in_words();
    let full = gcf.encode(&new, &mut full).map(|()| String::from_utf8_lossy(&full).into_owned());
    Some(vec![
        Form::text("json", Vec::new(), json_of(&new)),
        Form::text("gcf", losses.clone(), full),
        Form::text("delta", losses, delta(&base, &new)),
    ])
}

/// A delta that leads from the one payload to the other.
fn delta(base: &Payload<'_>, new: &Payload<'_>) -> Result<String, CodecError> {
    let encoder = Encoder::new();
    let delta = Delta::between(base, new, &encoder, &Tokens)?.map_err(|why| {
        CodecError::new(why.code(), None, format!("there is no delta: {}", why.summary()))
    })?;
    let text = encoder.delta_to_string(&delta)?;
    Decoder::new().decode_delta(&text)?.apply(base)?;
    Ok(text)
}

/// The JSON form of a payload.
pub(crate) fn json_of(payload: &Payload<'_>) -> Result<String, CodecError> {
    let mut made = Vec::new();
    Json::compact().encode(payload, &mut made)?;
    Ok(String::from_utf8(made).expect("because JSON is text"))
}
