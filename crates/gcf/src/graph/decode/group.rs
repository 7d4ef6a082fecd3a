//! Group lines: `## targets`, `## edges [8]`, and the trailer of a streamed payload.

use wire_core::text::shown;

use super::header::Summary;
use crate::ErrorKind;
use crate::graph::dialect::Grammar;
use crate::graph::grammar::{EDGES, SUMMARY_PREFIXES, distance_of_group};
use crate::header::decimal;
use crate::lines::{COMMENT_PREFIX, Diagnosis, GROUP_PREFIX, is_indented_comment};

/// A group line, with the count from `[N]`, which symbols may have from 3 on; `None` without a count and
/// for `[?]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Symbols { distance: u32, declared: Option<u64> },
    Edges { declared: Option<u64> },
}

/// A line that does not begin with `@` and is not the header.
pub(crate) enum OtherLine {
    Blank,
    Comment,
    Group(Group),
    Summary(Summary),
}

/// Scans a line that does not begin with `@`.
pub(crate) fn other_line(line: &str, grammar: &Grammar) -> Result<OtherLine, Diagnosis> {
    if line.is_empty() {
        return Ok(OtherLine::Blank);
    }
    if line.starts_with(COMMENT_PREFIX)
        || (grammar.has_indented_comments && is_indented_comment(line))
    {
        return Ok(OtherLine::Comment);
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
            let declared = count(bracket, line.len() - bracket.len(), grammar, "edges")?;
            return Ok(OtherLine::Group(Group::Edges { declared }));
        }
    }
    let (group, bracket) = match name.split_once(' ') {
        Some((group, bracket)) if grammar.counts_every_group => (group, Some(bracket)),
        _ => (name, None),
    };
    let Some(distance) = distance_of_group(group) else { return Err(unknown_group(line)) };
    let declared = match bracket {
        Some(bracket) => count(bracket, line.len() - bracket.len(), grammar, "symbols")?,
        None => None,
    };
    Ok(OtherLine::Group(Group::Symbols { distance, declared }))
}

/// The group of a line with a wrong count.
pub(crate) fn group_of_line(line: &str) -> Group {
    let name = line.strip_prefix(GROUP_PREFIX).and_then(|name| name.split(' ').next());
    match name.and_then(distance_of_group) {
        None => Group::Edges { declared: None },
        Some(distance) => Group::Symbols { distance, declared: None },
    }
}

/// `[N]` or `[?]`.
fn count(
    bracket: &str,
    at: usize,
    grammar: &Grammar,
    what: &str,
) -> Result<Option<u64>, Diagnosis> {
    let is_allowed =
        |digits: &str| !grammar.has_canonical_numbers || digits == "0" || !digits.starts_with('0');
    let digits = bracket.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let count = digits.filter(|digits| is_allowed(digits)).and_then(decimal);
    if count.is_some() || digits == Some("?") {
        return Ok(count);
    }
    let expected = if grammar.has_canonical_numbers {
        "`[N]` without leading zeros, or `[?]`"
    } else {
        "`[N]` or `[?]`"
    };
    let message = format!("the number of {what} is {}, expected {expected}", shown(bracket));
    Err(Diagnosis::new(ErrorKind::InvalidCount, at, message))
}

#[cold]
fn unknown_group(line: &str) -> Diagnosis {
    let line = shown(line);
    let message = format!(
        "the group is {line}, expected `## targets`, `## related`, `## extended`, `## distance_N` or `## edges`"
    );
    Diagnosis::new(ErrorKind::UnknownGroup, 0, message)
}

#[cold]
pub(crate) fn unrecognized(line: &str) -> Diagnosis {
    let line = shown(line);
    let message = format!(
        "the line is {line}, expected a symbol line `@id …`, an edge line `@target<@source …` under `## edges`, a group `## …` or a comment `# …`"
    );
    Diagnosis::new(ErrorKind::UnrecognizedLine, 0, message)
}
