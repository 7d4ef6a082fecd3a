//! Group lines: `## targets`, `## edges [8]`, and the trailer of a streamed payload.

use wire_core::__private::text::shown;

use super::header::Summary;
use super::line::Diagnosis;
use crate::ErrorKind;
use crate::graph::dialect::{Comments, Grammar, GroupCounts, SectionCounts};
use crate::graph::grammar::{
    COMMENT_PREFIX, EDGES, GROUP_PREFIX, SUMMARY_PREFIXES, decimal, distance_of_group,
    indented_comment,
};

/// A group line as it is in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Group {
    /// Symbols at this distance follow.
    Symbols {
        /// Hops from the targets.
        distance: u32,
        /// The number of symbols from `[N]`, which 3.x allows; `None` without a count and for
        /// `[?]`.
        declared: Option<u64>,
    },
    /// Edges follow.
    Edges {
        /// The number of edges from `[N]`; `None` without a count and for `[?]`.
        declared: Option<u64>,
    },
}

/// A line that does not begin with `@` and is not the header.
pub(crate) enum OtherLine<'a> {
    Blank,
    /// The text after `# `.
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
        && let Some(comment) = indented_comment(line)
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
    if let Some(behind) = name.strip_prefix(EDGES) {
        if behind.is_empty() {
            return Ok(OtherLine::Group(Group::Edges { declared: None }));
        }
        if let Some(bracket) = behind.strip_prefix(' ') {
            let declared =
                count(bracket, line.len() - bracket.len(), grammar.section_counts, "edges")?;
            return Ok(OtherLine::Group(Group::Edges { declared }));
        }
    }
    let (group, bracket) = match name.split_once(' ') {
        Some((group, bracket)) if grammar.group_counts == GroupCounts::Every => {
            (group, Some(bracket))
        }
        _ => (name, None),
    };
    let Some(distance) = distance_of_group(group) else { return Err(unknown_group(line)) };
    let declared = match bracket {
        Some(bracket) => {
            count(bracket, line.len() - bracket.len(), grammar.section_counts, "symbols")?
        }
        None => None,
    };
    Ok(OtherLine::Group(Group::Symbols { distance, declared }))
}

/// The distance of the group of a line with a wrong count; `None` for the group of edges.
pub(crate) fn distance_of_line(line: &str) -> Option<u32> {
    distance_of_group(line.strip_prefix(GROUP_PREFIX)?.split(' ').next()?)
}

/// `[N]` or `[?]`.
fn count(
    bracket: &str,
    at: usize,
    form: SectionCounts,
    what: &str,
) -> Result<Option<u64>, Diagnosis> {
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
        format!("the number of {what} is {}, expected {expected}", shown(bracket)),
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
