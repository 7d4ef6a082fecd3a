//! Group lines: `## targets`, `## edges [8]`, and the trailer of a streamed payload.

use wire_core::text::shown;

use super::diagnosis::Diagnosis;
use super::header::Summary;
use crate::ErrorKind;
use crate::graph::dialect::{Comments, Grammar, SectionCounts};
use crate::graph::grammar::{
    COMMENT_PREFIX, EDGES, GROUP_PREFIX, SUMMARY_PREFIXES, decimal, distance_of_group,
};

/// A group line, as it stands in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Group {
    /// Symbols at this distance follow.
    Symbols {
        /// Hops from the targets.
        distance: u32,
    },
    /// Edges follow.
    Edges {
        /// The number of edges, from `[N]`; `None` without a count and with `[?]`.
        declared: Option<u64>,
    },
}

/// A line that does not begin with `@` and is not the header.
pub(crate) enum OtherLine<'a> {
    Blank,
    /// The text behind `# `.
    Comment(&'a str),
    Group(Group),
    Summary(Summary<'a>),
}

/// Scans a line that does not begin with `@`.
pub(crate) fn other_line<'a>(line: &'a str, grammar: &Grammar) -> Result<OtherLine<'a>, Diagnosis> {
    if line.is_empty() {
        return Ok(OtherLine::Blank);
    }
    if let Some(comment) = line.strip_prefix(COMMENT_PREFIX) {
        return Ok(OtherLine::Comment(comment));
    }
    if grammar.comments == Comments::Indented
        && let Some(comment) = line.trim_start_matches(' ').strip_prefix(COMMENT_PREFIX)
    {
        return Ok(OtherLine::Comment(comment));
    }
    for prefix in SUMMARY_PREFIXES {
        if let Some(rest) = line.strip_prefix(prefix)
            && (rest.is_empty() || rest.starts_with(' '))
        {
            return Summary::scan(line, prefix.len()).map(OtherLine::Summary);
        }
    }
    let Some(name) = line.strip_prefix(GROUP_PREFIX) else {
        return Err(if line.starts_with("##") { unknown_group(line) } else { unrecognized(line) });
    };
    if let Some(count) = name.strip_prefix(EDGES) {
        if count.is_empty() {
            return Ok(OtherLine::Group(Group::Edges { declared: None }));
        }
        if let Some(bracket) = count.strip_prefix(' ') {
            let declared = edge_count(bracket, line.len() - bracket.len(), grammar.section_counts)?;
            return Ok(OtherLine::Group(Group::Edges { declared }));
        }
    }
    match distance_of_group(name) {
        Some(distance) => Ok(OtherLine::Group(Group::Symbols { distance })),
        None => Err(unknown_group(line)),
    }
}

/// `[N]` or `[?]`.
fn edge_count(bracket: &str, at: usize, form: SectionCounts) -> Result<Option<u64>, Diagnosis> {
    let canonical = |digits: &str| digits == "0" || !digits.starts_with('0');
    match bracket.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some("?") => return Ok(None),
        Some(digits) => {
            if let Some(count) = decimal(digits)
                && (form == SectionCounts::Digits || canonical(digits))
            {
                return Ok(Some(count));
            }
        }
        None => {}
    }
    let expected = match form {
        SectionCounts::Digits => "`[N]` or `[?]`",
        SectionCounts::Canonical => "`[N]` without leading zeros, or `[?]`",
    };
    Err(Diagnosis::new(
        ErrorKind::InvalidCount,
        at,
        format!("the number of edges is {}, expected {expected}", shown(bracket)),
    ))
}

#[cold]
fn unknown_group(line: &str) -> Diagnosis {
    Diagnosis::new(
        ErrorKind::UnknownGroup,
        0,
        format!(
            "the group is {}, expected `## targets`, `## related`, `## extended`, `## distance_N` or `## edges`",
            shown(line)
        ),
    )
}

#[cold]
pub(crate) fn unrecognized(line: &str) -> Diagnosis {
    let message = format!(
        "the line is {}, expected a symbol line `@id …`, an edge line `@target<@source …` under `## edges`, \
         a group `## …` or a comment `# …`",
        shown(line)
    );
    Diagnosis::new(ErrorKind::UnrecognizedLine, 0, message)
}
