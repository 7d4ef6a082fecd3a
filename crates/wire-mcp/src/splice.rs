//! Edits of a frame: all bytes beside them stay as they are.

use std::ops::Range;

/// A range of a frame, and its replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
}

impl Edit {
    pub(crate) fn cut(range: Range<usize>) -> Self {
        Edit { range, text: String::new() }
    }

    pub(crate) fn insert(at: usize, text: String) -> Self {
        Edit { range: at..at, text }
    }
}

/// The frame with these edits, which do not overlap.
pub(crate) fn splice(frame: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| edit.range.start);
    let added: usize = edits.iter().map(|edit| edit.text.len()).sum();
    let mut out = String::with_capacity(frame.len() + added);
    let mut at = 0;
    for edit in edits {
        out.push_str(&frame[at..edit.range.start]);
        out.push_str(&edit.text);
        at = edit.range.end;
    }
    out.push_str(&frame[at..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_stays() {
        let edits = vec![
            Edit { range: 4..5, text: "XX".into() },
            Edit::cut(0..2),
            Edit::insert(6, "!".into()),
        ];
        assert_eq!(splice("abcdef", edits), "cdXXf!");
    }
}
