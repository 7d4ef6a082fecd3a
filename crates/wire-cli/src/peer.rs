//! Other people's formats beside ours: what `stats` compares with, and nothing writes.

use crate::forms::Form;

/// The name of Token-Oriented Object Notation.
#[cfg(feature = "toon")]
const TOON: &str = "toon";

/// TOON of what these forms hold, by the package of its authors; none without JSON among them.
///
/// It is for comparison: `auto` does not offer it, since no command reads it back.
#[cfg(feature = "toon")]
pub(crate) fn toon(forms: &[Form]) -> Option<Form> {
    use wire_core::CodecError;

    use crate::forms::same;
    use crate::source::JSON;
    use crate::value;

    let json = forms.iter().find(|form| form.format == JSON)?;
    let text = json.bytes.as_ref().ok()?;
    let held = value::parse(text).ok()?.into_value_with(|digits| {
        let message = format!("the integer is {digits}, expected one of 64 bits");
        Err(CodecError::new("out_of_range", None, message))
    });
    let value = match held {
        Ok(value) => value,
        Err(error) => return Some(Form::text(TOON, Vec::new(), Err(error))),
    };
    let mut losses = json.losses.clone();
    let text = toon_format::encode_default(&value)
        .map_err(|error| CodecError::new("toon", None, error.to_string()));
    if let Ok(text) = &text {
        match toon_format::decode_strict::<serde_json::Value>(text) {
            Ok(back) if same(&back, &value) => {}
            _ => losses.push("not all comes back as it was".to_owned()),
        }
    }
    Some(Form::text(TOON, losses, text))
}

/// Nothing: the feature `toon` is off.
#[cfg(not(feature = "toon"))]
pub(crate) fn toon(_: &[Form]) -> Option<Form> {
    None
}
