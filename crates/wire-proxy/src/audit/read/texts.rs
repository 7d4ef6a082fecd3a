//! The texts of contents.

use std::borrow::Cow;

use serde_json::Value;

pub(crate) fn items(value: &Value) -> impl Iterator<Item = &Value> + Clone {
    value.as_array().into_iter().flatten()
}

/// The texts of a content: a string, or blocks of which some are texts. `None` for other shapes.
pub(crate) fn texts(content: &Value) -> Option<Vec<Cow<'_, str>>> {
    match content {
        Value::Null => Some(Vec::new()),
        Value::String(text) => Some(vec![text.into()]),
        Value::Array(blocks) => {
            Some(blocks.iter().filter_map(|block| block["text"].as_str()).map(Cow::from).collect())
        }
        _ => None,
    }
}
