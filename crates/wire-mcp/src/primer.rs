//! The sentence that [`Options::primer`](crate::Options::primer) adds.

use crate::Format;
use crate::json::quoted_in_frame;
use crate::raw::{Members, range, text};
use crate::splice::Edit;

/// The sentence about these forms; `None` if a model does not need one, because all of them are
/// JSON.
pub(crate) fn sentence(formats: &[Format]) -> Option<String> {
    let parts: Vec<&str> = Format::ALL
        .iter()
        .filter(|format| formats.contains(format))
        .filter_map(|format| match format {
            Format::Json => None,
            Format::Gcf => Some(
                "GCF (`name=value` lines; `## name [n]{a,b}` heads n rows of cells split by `|`; `-` is null, `~` is absent)",
            ),
            Format::Gcx => Some(
                "GCX1 (a header whose `fields` name the columns, then a line for each row, cells split by tabs)",
            ),
        })
        .collect();
    let is_needed = !parts.is_empty();
    is_needed.then(|| format!("JSON in its results may be written as {}.", parts.join(" or ")))
}

/// A text as it was, with the sentence, and the edit that adds it.
pub(crate) struct Primed {
    pub(crate) edit: Edit,
    /// The unchanged text; empty if there was none.
    pub(crate) before: String,
    pub(crate) after: String,
}

/// Adds the sentence to a member of an object: to the description of a tool, or to a server's
/// instructions. `None` if it has the sentence, or is not a text.
pub(crate) fn added(
    frame: &str,
    object: &Members<'_>,
    member: &str,
    sentence: &str,
) -> Option<Primed> {
    let Some(raw) = object.get(member) else {
        let at = range(frame, object.last()?).end;
        let edit = Edit::insert(at, format!(",\"{member}\":{}", quoted_in_frame(sentence)));
        return Some(Primed { edit, before: String::new(), after: sentence.to_owned() });
    };
    let before = text(raw)?.into_owned();
    if before.contains(sentence) {
        return None;
    }
    // In front, because clients cut long descriptions at their end.
    let separator = if before.is_empty() || before.starts_with('\n') { "" } else { "\n" };
    let more = format!("{sentence}{separator}");
    let written = quoted_in_frame(&more);
    // Within the quotes that are there.
    let at = range(frame, raw).start + 1;
    let edit = Edit::insert(at, written[1..written.len() - 1].to_owned());
    Some(Primed { edit, after: format!("{more}{before}"), before })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::splice::splice;

    #[test]
    fn a_sentence_is_about_the_forms_that_are_tried() {
        assert_eq!(sentence(&[]), None);
        assert_eq!(sentence(&[Format::Json]), None);
        for (formats, has_gcf, has_gcx) in [
            (&[Format::Gcf][..], true, false),
            (&[Format::Gcx, Format::Json], false, true),
            (&[Format::Gcx, Format::Gcf], true, true),
        ] {
            let sentence = sentence(formats).unwrap();
            assert_eq!(sentence.contains("GCF"), has_gcf);
            assert_eq!(sentence.contains("GCX1"), has_gcx);
            assert_eq!(sentence.matches(". ").count(), 0, "one sentence: {sentence}");
        }
    }

    #[test]
    fn all_bytes_beside_it_stay() {
        for (tool, expected) in [
            (r#"{"name":"a"}"#, r#"{"name":"a","description":"S."}"#),
            (r#"{ "description" : "" , "name":"a"}"#, r#"{ "description" : "S." , "name":"a"}"#),
            (r#"{"description":"\u0041 b"}"#, r#"{"description":"S.\n\u0041 b"}"#),
            (r#"{"description":"\na"}"#, r#"{"description":"S.\na"}"#),
            (r#"{"description":"\"a"}"#, r#"{"description":"S.\n\"a"}"#),
        ] {
            let members = Members::parse(tool).unwrap();
            let primed = added(tool, &members, "description", "S.").unwrap();
            let out = splice(tool, vec![primed.edit]);
            assert_eq!(out, expected);
            let members = Members::parse(&out).unwrap();
            assert_eq!(members.get_text("description").unwrap(), primed.after);
            assert!(added(&out, &members, "description", "S.").is_none(), "twice");
        }
        for tool in [r#"{"description":null}"#, r#"{"description":["a"]}"#, "{}"] {
            assert!(
                added(tool, &Members::parse(tool).unwrap(), "description", "S.").is_none(),
                "{tool}"
            );
        }
    }
}
