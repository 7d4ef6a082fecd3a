//! JSON inside a text (ruling M12): after a sentence, in a Markdown fence, between tags, as JSON
//! lines, behind a byte order mark. A text is written anew from its parts, taken apart again, and
//! compared part by part.

use std::iter;

use wire_core::TokenCounter;
use wire_registry::is_near;

use crate::Format;
use crate::candidates::{Measure, Written, decoded, smallest};
use crate::json;
use crate::parts::{self, Part, form_end, joined, spelled, without_label};
use crate::raw::range;
use crate::reading::Reading;
use crate::verbatim::is_quoted;

/// The text with each JSON in its form, if that has fewer tokens. With `at_lines_only` forms begin
/// lines, for clients that join blocks with nothing.
pub(crate) fn rewritten(
    reading: &Reading<'_>,
    formats: &[Format],
    tool: &str,
    measure: Measure<'_>,
    at_lines_only: bool,
) -> Option<Written> {
    let (text, parts) = (reading.text, reading.inside()?);
    // Nobody could tell its forms from ours.
    if parts.iter().any(|part| matches!(part, Part::Form(_))) {
        return None;
    }
    let in_json: &[Format] = if formats.contains(&Format::Json) { &[Format::Json] } else { &[] };
    let mut written = Vec::new();
    let out = joined(parts, |own, value, lines| {
        let (before, after) = (&text[..range(text, own).start], &text[range(text, own).end..]);
        let begins_line = before.is_empty() || before.ends_with('\n');
        let may_be_form = ends_form(after) && (begins_line || !at_lines_only);
        let new = |formats| {
            let form = smallest(value, None, formats, tool, measure)?;
            let mut new = match form.format {
                Format::Json => spelled(value, lines),
                _ => form.text().text.to_string(),
            };
            if form.format != Format::Json && !new.ends_with('\n') {
                new.push('\n');
            }
            let is_whole = form.format == Format::Json || form_end(&new) == new.len();
            let (came, goes) = (measure.count(own), measure.count(&new));
            // As the chooser has it: minified JSON for any saving, a form for more than the margin.
            let saves = match form.format {
                Format::Json => goes < came,
                _ => !is_near(came, goes, &measure),
            };
            (is_whole && saves).then_some((form.format, new))
        };
        let forms = Some(formats).filter(|_| may_be_form);
        let mut tried = forms.into_iter().chain([in_json]).filter(|_| !is_quoted(value));
        let new = tried.find_map(new)?;
        written.push(new.0);
        Some(new)
    });
    let format = written.into_iter().max()?;
    let is_less = measure.count(&out) < measure.came(reading);
    let is_proven = is_less && same(parts, &parts::parts(&out)?);
    is_proven.then(|| Written::of(format, out, measure))
}

/// Returns `true` if a text says what another one says by ruling M12: the same bytes but for the
/// JSON in it, which is in forms or spelled in another way, and for the labels of fences around
/// forms.
pub fn says_the_same(came: &str, went: &str) -> bool {
    came == went
        || parts::parts(came).zip(parts::parts(went)).is_some_and(|(came, went)| same(&came, &went))
}

fn same(came: &[Part<'_>], went: &[Part<'_>]) -> bool {
    let is_form = |at: usize| matches!(went.get(at), Some(Part::Form(_)));
    let is_same = |(at, pair): (usize, (&Part<'_>, &Part<'_>))| match pair {
        (Part::Literal(came), Part::Literal(went)) => {
            came == went || is_form(at + 1) && without_label(came).is_some_and(|came| came == *went)
        }
        (Part::Json { value, lines, .. }, Part::Json { value: other, lines: others, .. }) => {
            value == other && lines == others
        }
        (Part::Json { value, .. }, Part::Form(form)) => {
            decoded(form).is_some_and(|back| json::parse(&back).is_some_and(|back| back == *value))
        }
        (Part::Form(came), Part::Form(went)) => came == went,
        _ => false,
    };
    came.len() == went.len() && iter::zip(came, went).enumerate().all(is_same)
}

/// Returns `true` if a form that ends with its line end ends before this text.
fn ends_form(after: &str) -> bool {
    after.is_empty()
        || after.starts_with("</")
        || after.starts_with('\n')
        || after.starts_with("\r\n")
}
