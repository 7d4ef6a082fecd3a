//! Tabs after the indicators `:` and `?`. They separate like spaces, but the parser refuses them
//! before some characters.

use std::borrow::Cow;
use std::ops::Range;

use saphyr_parser::{Event, Parser};

/// The text with spaces for the tabs after an indicator, so that every position stays. In scalars
/// tabs are content.
pub(super) fn readable(text: &str) -> Cow<'_, str> {
    let runs = runs(text);
    if runs.is_empty() {
        return text.into();
    }
    let mut bytes = text.as_bytes().to_vec();
    for run in &runs {
        bytes[run.bytes.clone()].fill(b' ');
    }
    let spaces =
        String::from_utf8(bytes.clone()).expect("because a space stands for a space or tab");
    // Where the spaces are wrong, they are inside of a scalar, whose beginning and end stay.
    let mut runs = runs.iter().peekable();
    for event in Parser::new_from_str(&spaces) {
        let Ok((event, span)) = event else { break };
        if !matches!(event, Event::Scalar(..)) {
            continue;
        }
        while runs.next_if(|run| run.index < span.start.index()).is_some() {}
        while let Some(run) = runs.next_if(|run| run.index < span.end.index()) {
            bytes[run.bytes.clone()].copy_from_slice(&text.as_bytes()[run.bytes.clone()]);
        }
    }
    String::from_utf8(bytes).expect("because a space stands for a space or tab").into()
}

/// White space with a tab after an indicator.
struct Run {
    bytes: Range<usize>,
    /// The number of characters before it, by which the parser counts.
    index: usize,
}

fn runs(text: &str) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut characters = text.char_indices().enumerate().peekable();
    while let Some((index, (at, c))) = characters.next() {
        if !matches!(c, ':' | '?') {
            continue;
        }
        let (start, mut end, mut has_tab) = (at + 1, at + 1, false);
        while let Some((_, (_, c))) = characters.next_if(|(_, (_, c))| matches!(c, ' ' | '\t')) {
            has_tab |= c == '\t';
            end += 1;
        }
        if has_tab {
            runs.push(Run { bytes: start..end, index: index + 1 });
        }
    }
    runs
}
