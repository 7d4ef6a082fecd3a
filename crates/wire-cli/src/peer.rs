//! Other people's formats, with which `stats` and `auto` compare. No command writes them.

#[cfg(feature = "toon")]
pub(crate) use self::with_toon::forms;
#[cfg(not(feature = "toon"))]
pub(crate) use self::without_toon::forms;

#[cfg(feature = "toon")]
mod with_toon {
    use serde_json::Value;
    use wire_core::json::{Text, equal};
    use wire_core::{Codec, CodecError};
    use wire_input::{Form, Held, Minified, rounded};
    use wire_registry::json::Json;

    use crate::input::Input;

    /// The name of Token-Oriented Object Notation.
    const TOON: &str = "toon";
    /// The most bytes of JSON that are written in it.
    const LARGEST: usize = 4 << 20;

    /// The content of an input as TOON, written by the package of its authors.
    ///
    /// It is for comparison: `auto` does not offer it, since no command reads it back.
    pub(crate) fn forms(held: &Held<'_>, input: &Input) -> Vec<Form> {
        let losses = match held {
            Held::Response { original: Some(lost), .. } => vec![lost.clone()],
            _ => Vec::new(),
        };
        vec![match value_of(held, input) {
            Ok((value, rounded)) => written(&value, losses.into_iter().chain(rounded).collect()),
            Err(error) => Form::text(TOON, losses, Err(error)),
        }]
    }

    /// The content of an input as JSON, and what is lost of its decimals.
    fn value_of(held: &Held<'_>, input: &Input) -> Result<(Value, Option<String>), CodecError> {
        let value = match held {
            Held::Payload(payload) => {
                let mut json = Vec::new();
                Json::compact().encode(payload, &mut json)?;
                check_size(json.len())?;
                serde_json::from_slice(&json).expect("because it was written as JSON")
            }
            Held::Query(response) => response.to_value(),
            Held::Response { value, .. } | Held::Value(value) => return of_text(value, input),
        };
        Ok((value, None))
    }

    fn of_text(value: &Minified, input: &Input) -> Result<(Value, Option<String>), CodecError> {
        let json = value.text();
        check_size(json.len())?;
        let text = Text::new(json);
        let value = serde_json::to_value(&text).map_err(|_| {
            let error = text.error().expect("because only a number can be refused");
            CodecError::new(error.kind().code(), None, error.message().to_owned())
        })?;
        Ok((value, rounded(text.doubles(), json, &input.place_in())))
    }

    /// Rejects inputs that are too large for an encoder and a decoder that copy the tree.
    fn check_size(bytes: usize) -> Result<(), CodecError> {
        if bytes <= LARGEST {
            return Ok(());
        }
        let message =
            "JSON of more than 4 MiB is not written in it, which would use 50 times its memory";
        Err(CodecError::new("too_large", None, message))
    }

    fn written(value: &Value, mut losses: Vec<String>) -> Form {
        let text = toon_format::encode_default(value)
            .map_err(|error| CodecError::new("toon", None, error.to_string()));
        if let Ok(text) = &text {
            match toon_format::decode_strict::<Value>(text) {
                Ok(back) if equal(&back.to_string(), &value.to_string()) => {}
                _ => losses.push("not every value decodes to an equal one".to_owned()),
            }
        }
        Form::text(TOON, losses, text)
    }
}

#[cfg(not(feature = "toon"))]
mod without_toon {
    use wire_input::{Form, Held};

    use crate::input::Input;

    /// Nothing.
    pub(crate) fn forms(_: &Held<'_>, _: &Input) -> Vec<Form> {
        Vec::new()
    }
}
