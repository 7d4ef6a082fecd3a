//! Tools and results that are bound to a user interface (ruling M11): a widget reads
//! `structuredContent` or parses the text, so nothing of them is changed.

use crate::raw::{Members, elements, text};

/// The members of `_meta` that name a user interface.
const INTERFACES: [&str; 3] = ["ui", "ui/resourceUri", "openai/outputTemplate"];
/// The members that say who sees a tool.
const VISIBILITY: [&str; 2] = ["visibility", "ui/visibility"];

/// Returns `true` if a tool or a result is bound to a user interface. One whose `_meta` can't be
/// read could be.
pub(crate) fn is_bound(members: &Members<'_>) -> bool {
    if is_for_the_app(members) {
        return true;
    }
    let Some(meta) = members.get("_meta").filter(|meta| *meta != "null") else { return false };
    Members::parse(meta)
        .is_none_or(|meta| INTERFACES.iter().any(|name| meta.has(name)) || is_for_the_app(&meta))
}

/// Returns `true` if a visibility names only the app.
fn is_for_the_app(members: &Members<'_>) -> bool {
    let is_app = |raw: &str| text(raw).is_some_and(|name| name == "app");
    let names_app = |raw: &str| match elements(raw) {
        Some(names) => !names.is_empty() && names.iter().all(|name| is_app(name)),
        None => is_app(raw),
    };
    VISIBILITY.iter().filter_map(|name| members.get(name)).any(names_app)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interfaces_are_named_in_the_metadata() {
        for bound in [
            r#"{"_meta":{"ui":{"resourceUri":"ui://a"}}}"#,
            r#"{"_meta":{"ui":{}}}"#,
            r#"{"_meta":{"ui/resourceUri":"ui://a"}}"#,
            r#"{"_meta":{"u\u0069/resourceUri":"ui://a"}}"#,
            r#"{"_meta":{"x":1,"openai/outputTemplate":"ui://a"}}"#,
            r#"{"_meta":{"x":1,"x":2}}"#,
            r#"{"_meta":{"visibility":["app"]}}"#,
            r#"{"visibility":"app"}"#,
        ] {
            assert!(is_bound(&Members::parse(bound).unwrap()), "{bound}");
        }
        for free in [
            "{}",
            r#"{"_meta":null}"#,
            r#"{"_meta":{}}"#,
            r#"{"_meta":{"ui":null,"uI":1,"openai/widgetDescription":"a"}}"#,
            r#"{"ui":{"resourceUri":"ui://a"}}"#,
            r#"{"_meta":{"visibility":["model","app"]}}"#,
            r#"{"_meta":{"visibility":[]}}"#,
        ] {
            assert!(!is_bound(&Members::parse(free).unwrap()), "{free}");
        }
    }
}
