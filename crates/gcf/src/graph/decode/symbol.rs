//! Symbol lines, `@id kind qualified_name score provenance`, and references to earlier payloads.

use wire_core::__private::text::{is_token, shown};
use wire_core::{Kind, Provenance, Symbol};

use super::line::Diagnosis;
use crate::ErrorKind;
use crate::graph::dialect::Grammar;
use crate::graph::grammar::{EDGE_ARROW, REFERENCE_MARK};

/// A symbol line as it is in the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SymbolLine<'a> {
    pub(crate) id: u32,
    /// The kind, expanded.
    pub(crate) kind: Kind<'a>,
    pub(crate) qualified_name: &'a str,
    /// The score; finite.
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
#[inline]
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
    let (kind, after_kind) = field(line, after_id, short)?;
    let (qualified_name, after_name) =
        field(line, after_kind, |bytes| memchr::memchr(b' ', bytes))?;
    let (score_text, after_score) = field(line, after_name, short)?;
    // `field` has seen the space at `after_score`.
    let provenance = &line[after_score + 1..];
    if provenance.is_empty() {
        return Err(wrong_shape(line));
    }

    let kind = match Kind::from_abbreviation(kind) {
        Kind::Other(word) if !is_token(word.as_str()) => {
            return Err(not_a_token(line, "kind", kind, after_id));
        }
        kind => kind,
    };
    if !is_token(qualified_name) {
        return Err(not_a_token(line, "qualified name", qualified_name, after_kind));
    }
    let Some(score) = score(score_text, grammar) else {
        return Err(bad_score(line, score_text, after_name, grammar));
    };
    let provenance = match Provenance::from(provenance) {
        Provenance::Other(_) if !is_token(provenance) => {
            return Err(not_a_token(line, "provenance", provenance, after_score));
        }
        provenance => provenance,
    };
    Ok(SymbolLine { id, kind, qualified_name, score, provenance })
}

/// The id of a reference line, `@id  # previously transmitted`; `None` for other lines.
pub(crate) fn reference_line(line: &str) -> Option<u32> {
    let digits = line.strip_prefix('@')?.strip_suffix(REFERENCE_MARK)?;
    crate::graph::grammar::decimal(digits).and_then(|id| u32::try_from(id).ok())
}

/// The decimal id that starts at byte `at` of `line`, and the byte after it.
///
/// # Errors
///
/// `invalid_symbol_id` when there are no digits, or the number is beyond `u32`.
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

/// The field after the space at byte `at`, and its end. It is not the last field of the line.
#[inline]
fn field(
    line: &str,
    at: usize,
    end: impl Fn(&[u8]) -> Option<usize>,
) -> Result<(&str, usize), Diagnosis> {
    let rest = &line.as_bytes()[at..];
    if let [b' ', field @ ..] = rest
        && let Some(length @ 1..) = end(field)
    {
        return Ok((&line[at + 1..at + 1 + length], at + 1 + length));
    }
    Err(wrong_shape(line))
}

/// The end of a short field. Calling `memchr` is worthwhile only for names.
#[inline]
fn short(field: &[u8]) -> Option<usize> {
    field.iter().position(|&byte| byte == b' ')
}

/// Nearly all scores have two decimals, which integers represent exactly. Any other score is parsed
/// by the standard library and must be finite (ruling G6).
#[inline]
fn score(text: &str, grammar: &Grammar) -> Option<f64> {
    if let [whole @ b'0'..=b'9', b'.', tens @ b'0'..=b'9', ones @ b'0'..=b'9'] = text.as_bytes() {
        let hundredths =
            u32::from(whole - b'0') * 100 + u32::from(tens - b'0') * 10 + u32::from(ones - b'0');
        return Some(f64::from(hundredths) / 100.0);
    }
    slow_score(text, grammar)
}

fn slow_score(text: &str, grammar: &Grammar) -> Option<f64> {
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
    let found = line[at..].split([' ', '\t', '<']).next().unwrap_or_default();
    Diagnosis::new(
        ErrorKind::InvalidSymbolId,
        at,
        format!(
            "`@` is followed by {}, expected a decimal id of at most {}",
            shown(found),
            u32::MAX
        ),
    )
}

#[cold]
fn misplaced_edge() -> Diagnosis {
    let message =
        format!("an edge line is in a group of symbols, expected {SHAPE}, or `## edges` before it");
    Diagnosis::new(ErrorKind::InvalidNodeLine, 0, message)
}

#[cold]
fn bad_score(line: &str, found: &str, after_name: usize, grammar: &Grammar) -> Diagnosis {
    if line.split(' ').count() != 5 {
        return wrong_shape(line);
    }
    let expected = if grammar.has_canonical_numbers {
        "a decimal number with two decimals such as `0.78`"
    } else {
        "a finite decimal number such as `0.78`"
    };
    Diagnosis::new(
        ErrorKind::InvalidScore,
        after_name + 1,
        format!("the score is {}, expected {expected}", shown(found)),
    )
}

/// The error of a line that does not have five fields; it describes the fields found.
#[cold]
fn wrong_shape(line: &str) -> Diagnosis {
    let at = |at: usize| at.min(line.len());
    if let Some(tab) = line.find('\t') {
        return Diagnosis::new(
            ErrorKind::InvalidNodeLine,
            at(tab),
            format!(
                "a symbol line contains a tab, expected single spaces between its fields: {SHAPE}"
            ),
        );
    }
    let empty =
        if line.ends_with(' ') { Some(line.len()) } else { line.find("  ").map(|space| space + 1) };
    if let Some(empty) = empty {
        return Diagnosis::new(
            ErrorKind::InvalidNodeLine,
            at(empty),
            format!(
                "a symbol line has an empty field, expected single spaces between its fields: {SHAPE}"
            ),
        );
    }
    let count = line.split(' ').count();
    Diagnosis::new(
        ErrorKind::InvalidNodeLine,
        0,
        format!("a symbol line has {count} fields, expected 5: {SHAPE}"),
    )
}

/// The error of a field with a character that ends tokens. When the line contains extra spaces, its
/// fields are not the intended ones.
#[cold]
fn not_a_token(line: &str, what: &str, found: &str, before: usize) -> Diagnosis {
    if found.contains('\t') || line.split(' ').count() != 5 {
        return wrong_shape(line);
    }
    Diagnosis::new(
        ErrorKind::InvalidName,
        before + 1,
        format!("the {what} is {}, expected no white space and no control character", shown(found)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fast_score_is_the_parsed_one() {
        for n in 0..1000u32 {
            let text = format!("{}.{:02}", n / 100, n % 100);
            for grammar in [Grammar::of(None), Grammar::of(Some("graph"))] {
                assert_eq!(score(&text, grammar), Some(text.parse().unwrap()));
            }
        }
        for (text, value) in [
            ("1", Some(1.0)),
            ("-0.50", Some(-0.5)),
            ("12.34", Some(12.34)),
            ("0.123456", Some(0.123_456)),
            ("1e-3", Some(0.001)),
            ("1e999", None),
            ("inf", None),
            ("NaN", None),
            ("0x1", None),
            ("abc", None),
            ("-", None),
        ] {
            assert_eq!(score(text, Grammar::of(None)), value, "{text}");
        }
        for (text, value) in [
            ("-0.50", Some(-0.5)),
            ("12.34", Some(12.34)),
            ("007.10", Some(7.1)),
            ("1", None),
            ("1.", None),
            (".50", None),
            ("0.5", None),
            ("0.500", None),
            ("+0.50", None),
            ("--0.50", None),
            ("5.0e", None),
            ("1e0.00", None),
        ] {
            assert_eq!(score(text, Grammar::of(Some("graph"))), value, "{text}");
        }
    }
}
