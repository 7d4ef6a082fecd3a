//! The glue between the conformance corpus and the choice that this crate makes.

use serde_json::{Value, json};
use wire_conformance::{Choices, Subject};
use wire_core::{Runs, TokenCounter};
use wire_mcp::{Call, Options, Shows, View, rewrite};

pub(crate) struct Choice;

impl Subject for Choice {
    fn format(&self) -> &'static str {
        "choice"
    }

    fn error_codes(&self) -> Vec<&'static str> {
        Vec::new()
    }

    fn choices(&self) -> Option<&dyn Choices> {
        Some(self)
    }
}

impl Choices for Choice {
    fn estimate(&self, text: &str) -> usize {
        Runs.count(text)
    }

    fn choose(&self, came: &str) -> String {
        let result = json!({ "content": [{ "type": "text", "text": came }] }).to_string();
        let shows = Shows::of(View::Texts);
        match rewrite(&Options::new(Runs), &Call::of(&[]).shown(&shows), &result).result {
            Ok(sent) => {
                let sent: Value = serde_json::from_str(&sent).expect("because it is a result");
                sent["content"][0]["text"].as_str().expect("because it has a text").to_owned()
            }
            Err(_) => came.to_owned(),
        }
    }
}
