//! Warnings about an input that could be read.

use serde_json::Value;

/// Something to know about how an input was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// The stable name, `loss` if something is lost.
    pub code: &'static str,
    /// The event, for people.
    pub message: String,
    /// `true` if something of the input is lost; otherwise it is a note.
    pub is_loss: bool,
    /// The same for programs: a name and a value.
    pub details: Option<(&'static str, Value)>,
}

impl Warning {
    /// Something of the input is lost.
    pub(crate) fn loss(message: impl Into<String>) -> Self {
        Warning { code: "loss", message: message.into(), is_loss: true, details: None }
    }

    /// A note on how the input was interpreted.
    pub(crate) fn note(code: &'static str, message: String) -> Self {
        Warning { code, message, is_loss: false, details: None }
    }

    /// The same, with details for programs.
    pub(crate) fn with_details(self, name: &'static str, value: Value) -> Self {
        Warning { details: Some((name, value)), ..self }
    }
}

/// `1 item`, `2 items`.
pub fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
