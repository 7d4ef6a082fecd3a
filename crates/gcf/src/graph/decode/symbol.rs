//! Symbol lines, `@id kind qualified_name score provenance`, and references to earlier payloads.

use wire_core::text::{is_token, offset_in, shown};
use wire_core::{Kind, Provenance, Symbol};

use crate::ErrorKind;
use crate::graph::dialect::Grammar;
use crate::graph::grammar::{EDGE_ARROW, REFERENCE_MARK};
use crate::lines::Diagnosis;

/// A symbol line as it is in the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SymbolLine<'a> {
    pub(crate) id: u32,
    pub(crate) kind: Kind<'a>,
    pub(crate) qualified_name: &'a str,
    pub(crate) score: f64,
    pub(crate) provenance: Provenance<'a>,
}

impl<'a> SymbolLine<'a> {
    /// The symbol at this distance. A line contains no signature and no components.
    #[inline]
    pub(crate) fn into_symbol(self, distance: u32) -> Symbol<'a> {
        Symbol::new(self.kind, self.qualified_name)
            .with_score(self.score)
            .with_provenance(self.provenance)
            .with_distance(distance)
    }
}

const SHAPE: &str = "`@id kind qualified_name score provenance`";

/// Scans a line that begins with `@` in a group of symbols.
pub(crate) fn symbol_line<'a>(
    line: &'a str,
    grammar: &Grammar,
) -> Result<SymbolLine<'a>, Diagnosis> {
    let (id, after_id) = leading_id(line, 1)?;
    match line.as_bytes().get(after_id) {
        None | Some(b' ' | b'\t') => {}
        Some(&EDGE_ARROW) => return Err(misplaced_edge()),
        Some(_) => return Err(bad_id(line, 1)),
    }
    let mut words = line[after_id..].splitn(5, ' ');
    let mut word = |is_wanted: fn(&str) -> bool| {
        words.next().filter(|word| is_wanted(word)).ok_or_else(|| wrong_shape(line))
    };
    word(str::is_empty)?;
    let mut field = || word(|word| !word.is_empty());
    let (kind, qualified_name, score_text, provenance) = (field()?, field()?, field()?, field()?);

    let kind = match Kind::from_abbreviation(kind) {
        Kind::Other(word) if !is_token(word.as_str()) => {
            return Err(not_a_token(line, "kind", kind));
        }
        kind => kind,
    };
    if !is_token(qualified_name) {
        return Err(not_a_token(line, "qualified name", qualified_name));
    }
    let Some(score) = score(score_text, grammar) else {
        return Err(bad_score(line, score_text, grammar));
    };
    let provenance = match Provenance::from(provenance) {
        Provenance::Other(_) if !is_token(provenance) => {
            return Err(not_a_token(line, "provenance", provenance));
        }
        provenance => provenance,
    };
    Ok(SymbolLine { id, kind, qualified_name, score, provenance })
}

/// The id of a reference line, `@id  # previously transmitted`; `None` for other lines.
pub(crate) fn reference_line(line: &str) -> Option<u32> {
    let digits = line.strip_prefix('@')?.strip_suffix(REFERENCE_MARK)?;
    crate::header::decimal(digits).and_then(|id| u32::try_from(id).ok())
}

/// The decimal id that starts at byte `at` of `line`, and the byte after it.
#[inline]
pub(crate) fn leading_id(line: &str, at: usize) -> Result<(u32, usize), Diagnosis> {
    let bytes = line.as_bytes();
    let mut value: u64 = 0;
    let mut end = at;
    while let Some(digit @ b'0'..=b'9') = bytes.get(end) {
        value = value * 10 + u64::from(digit - b'0');
        end += 1;
        if value > u64::from(u32::MAX) {
            return Err(bad_id(line, at));
        }
    }
    match u32::try_from(value) {
        Ok(id) if end > at => Ok((id, end)),
        _ => Err(bad_id(line, at)),
    }
}

/// A score, which must be finite (ruling G6).
fn score(text: &str, grammar: &Grammar) -> Option<f64> {
    if grammar.has_canonical_numbers && !has_two_decimals(text) {
        return None;
    }
    // The character check excludes `inf`, `nan` and notations that other libraries can't read.
    let decimal =
        text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E'));
    if !decimal {
        return None;
    }
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// Returns `true` if the text is `[-]DIGITS.2DIGIT`.
fn has_two_decimals(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.strip_prefix('-')
        .unwrap_or(text)
        .split_once('.')
        .is_some_and(|(whole, part)| digits(whole) && digits(part) && part.len() == 2)
}

#[cold]
fn bad_id(line: &str, at: usize) -> Diagnosis {
    let found = shown(line[at..].split([' ', '\t', '<']).next().unwrap_or_default());
    let message =
        format!("`@` is followed by {found}, expected a decimal id of at most 4294967295");
    Diagnosis::new(ErrorKind::InvalidSymbolId, at, message)
}

#[cold]
fn misplaced_edge() -> Diagnosis {
    let message =
        format!("an edge line is in a group of symbols, expected {SHAPE}, or `## edges` before it");
    Diagnosis::new(ErrorKind::InvalidNodeLine, 0, message)
}

#[cold]
fn bad_score(line: &str, found: &str, grammar: &Grammar) -> Diagnosis {
    if line.split(' ').count() != 5 {
        return wrong_shape(line);
    }
    let expected = if grammar.has_canonical_numbers {
        "a decimal number with two decimals such as `0.78`"
    } else {
        "a finite decimal number such as `0.78`"
    };
    let message = format!("the score is {}, expected {expected}", shown(found));
    Diagnosis::new(ErrorKind::InvalidScore, place(line, found), message)
}

/// The error of a line that does not have five fields; it describes the fields found.
#[cold]
fn wrong_shape(line: &str) -> Diagnosis {
    let (at, problem) = match (line.find('\t'), line.find("  ")) {
        (Some(tab), _) => (tab, "contains a tab"),
        _ if line.ends_with(' ') => (line.len(), "has an empty field"),
        (_, Some(space)) => (space + 1, "has an empty field"),
        _ => {
            let count = line.split(' ').count();
            let message = format!("a symbol line has {count} fields, expected 5: {SHAPE}");
            return Diagnosis::new(ErrorKind::InvalidNodeLine, 0, message);
        }
    };
    let message =
        format!("a symbol line {problem}, expected single spaces between its fields: {SHAPE}");
    Diagnosis::new(ErrorKind::InvalidNodeLine, at, message)
}

/// The error of a field with a character that ends tokens. When the line contains extra spaces, its
/// fields are not the intended ones.
#[cold]
fn not_a_token(line: &str, what: &str, found: &str) -> Diagnosis {
    if found.contains('\t') || line.split(' ').count() != 5 {
        return wrong_shape(line);
    }
    let message =
        format!("the {what} is {}, expected no white space and no control character", shown(found));
    Diagnosis::new(ErrorKind::InvalidName, place(line, found), message)
}

fn place(line: &str, word: &str) -> usize {
    offset_in(line.as_bytes(), word.as_ptr()).unwrap_or_default()
}
