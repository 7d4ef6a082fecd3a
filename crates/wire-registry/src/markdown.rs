//! Markdown as a codec that only encodes (ruling R3).
//!
//! ```text
//! # Context (63/5000 tokens)
//!
//! ## Targets
//!
//! - `billing.Ledger.Post` (method, score: 0.78, lsp_resolved)
//!   `func (l *Ledger) Post(e Entry) error`
//!
//! ## Related
//!
//! - `billing.NewServer` (function, score: 0.54, structural)
//!
//! ## Relationships
//!
//! - `billing.NewServer` calls `billing.Ledger.Post`
//! ```
//!
//! Symbols are grouped by distance: Targets (0), Related (1), Extended (2), and Distance N. A
//! signature of several lines is a code block. The status of an edge follows it in parentheses.

use wire_core::ErrorDetail;
use wire_core::number::push_hundredths;
use wire_core::text::shown;
use wire_core::{
    Audience, Codec, CodecError, CodecInfo, Directions, Edge, Fidelity, Field, Loss, Payload,
    Symbol, SymbolOrder, Treatment, error_kinds,
};

error_kinds! {
    /// The kinds of error of the Markdown codec. The codes are stable.
    MarkdownErrorKind {
        EncodeOnly = "encode_only", "Markdown is written for people and can't be decoded";
        NotRepresentable = "markdown_not_representable", "the payload contains what a line can't represent: NaN, an infinity, a name that is empty or has a control character, an edge to no symbol";
    }
}

/// Encodes a payload as a Markdown document of `CommonMark`.
///
/// ```
/// use wire_core::{Codec, Payload, Symbol};
/// use wire_registry::markdown::Markdown;
///
/// let mut payload = Payload::default();
/// payload.symbols = vec![Symbol::new("type", "Ledger").with_score(0.5)];
/// let mut text = Vec::new();
/// Markdown.encode(&payload, &mut text)?;
/// assert_eq!(text, b"# Context (0/0 tokens)\n\n## Targets\n\n\
///  - `Ledger` (type, score: 0.50, structural)\n");
/// assert_eq!(Markdown.decode(&text).unwrap_err().code(), "encode_only");
/// # Ok::<(), wire_core::CodecError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Markdown;

const INFO: CodecInfo = CodecInfo::new("markdown", "Markdown, for people; it can't be read back.")
    .with_aliases(&["md"])
    .with_audience(Audience::People)
    .with_directions(Directions::EncodeOnly)
    .with_extensions(&["md", "markdown"])
    .with_media_type("text/markdown")
    .with_fidelity(
        Fidelity::new(&[
            Loss::new(Field::Tool, Treatment::Dropped),
            Loss::new(Field::PackRoot, Treatment::Dropped),
            Loss::new(Field::Score, Treatment::TwoDecimals),
            Loss::new(Field::Components, Treatment::Dropped),
        ])
        .with_order(SymbolOrder::ByDistance),
    );

impl Codec for Markdown {
    fn info(&self) -> &CodecInfo {
        &INFO
    }

    fn encode(&self, payload: &Payload<'_>, out: &mut Vec<u8>) -> Result<(), CodecError> {
        let start = out.len();
        document(payload, out).map_err(|message| {
            out.truncate(start);
            error(MarkdownErrorKind::NotRepresentable, message)
        })
    }

    /// # Errors
    ///
    /// Always `encode_only`.
    fn decode<'a>(&self, _: &'a [u8]) -> Result<Payload<'a>, CodecError> {
        let message = "Markdown is for people and can't be decoded, expected another format";
        Err(error(MarkdownErrorKind::EncodeOnly, message.to_owned()))
    }
}

fn error(kind: MarkdownErrorKind, message: String) -> CodecError {
    CodecError::new(kind.code(), None, ErrorDetail::new(kind, None, message))
}

fn document(payload: &Payload<'_>, out: &mut Vec<u8>) -> Result<(), String> {
    let Payload { tokens_used, token_budget, symbols, edges, .. } = payload;
    push(out, &[&format!("# Context ({tokens_used}/{token_budget} tokens)\n")]);
    let order = payload.distance_order();
    let distance = |index: u32| symbols[index as usize].distance;
    for group in order.chunk_by(|a, b| distance(*a) == distance(*b)) {
        let title = match distance(group[0]) {
            0 => "Targets".to_owned(),
            1 => "Related".to_owned(),
            2 => "Extended".to_owned(),
            distance => format!("Distance {distance}"),
        };
        push(out, &["\n## ", &title, "\n\n"]);
        for &index in group {
            item(index, &symbols[index as usize], out)?;
        }
    }
    if !edges.is_empty() {
        push(out, &["\n## Relationships\n\n"]);
    }
    for (index, edge) in edges.iter().enumerate() {
        relationship(index, edge, symbols, out)?;
    }
    Ok(())
}

/// The item of a symbol.
fn item(index: u32, symbol: &Symbol<'_>, out: &mut Vec<u8>) -> Result<(), String> {
    let of = |what: &'static str| move || format!("symbols[{index}].{what}");
    if !symbol.score.is_finite() {
        return Err(format!(
            "symbols[{index}].score is {}, expected a finite number",
            symbol.score
        ));
    }
    let name = code(line(&symbol.qualified_name, of("qualified_name"))?);
    let kind = escaped(line(symbol.kind.as_str(), of("kind"))?);
    push(out, &["- ", &name, " (", &kind, ", score: "]);
    push_hundredths(out, symbol.score);
    let provenance = escaped(line(symbol.provenance.as_str(), of("provenance"))?);
    push(out, &[", ", &provenance, ")\n"]);
    signature(&symbol.signature, out);
    Ok(())
}

/// A signature below its item: a code span for one line, or a code block for several.
fn signature(signature: &str, out: &mut Vec<u8>) {
    // Line breaks alone, and white space alone, would not be a code span.
    let is_line = !signature.contains(char::is_control) && !signature.trim().is_empty();
    if signature.is_empty() {
    } else if is_line {
        push(out, &["  ", &code(signature), "\n"]);
    } else {
        let fence = "`".repeat(longest_run(signature).max(2) + 1);
        push(out, &["\n  ", &fence, "\n"]);
        // Each of these characters ends a line.
        for line in signature.replace("\r\n", "\n").split(['\n', '\r']) {
            push(out, &["  ", line, "\n"]);
        }
        push(out, &["  ", &fence, "\n\n"]);
    }
}

fn relationship(
    index: usize,
    edge: &Edge<'_>,
    symbols: &[Symbol<'_>],
    out: &mut Vec<u8>,
) -> Result<(), String> {
    let name_of = |what: &'static str, end: u32| {
        let symbol = symbols.get(end as usize).ok_or_else(|| {
            format!("edges[{index}].{what} is {end}, and there are {} symbols", symbols.len())
        })?;
        Ok::<_, String>(code(&symbol.qualified_name))
    };
    let of = |what: &'static str| move || format!("edges[{index}].{what}");
    let (source, target) = (name_of("source", edge.source)?, name_of("target", edge.target)?);
    let edge_type = escaped(line(edge.edge_type.as_str(), of("edge_type"))?);
    push(out, &["- ", &source, " ", &edge_type, " ", &target]);
    if !edge.status.is_unchanged() {
        push(out, &[" (", &escaped(line(edge.status.as_str(), of("status"))?), ")"]);
    }
    push(out, &["\n"]);
    Ok(())
}

fn push(out: &mut Vec<u8>, parts: &[&str]) {
    for part in parts {
        out.extend_from_slice(part.as_bytes());
    }
}

/// Checks that a text fits in a line and is visible there.
fn line(text: &str, what: impl FnOnce() -> String) -> Result<&str, String> {
    if text.trim().is_empty() || text.contains(char::is_control) {
        return Err(format!(
            "{} is {}, expected text without control characters",
            what(),
            shown(text)
        ));
    }
    Ok(text)
}

/// A code span, between more backticks than the text contains. Where the text begins or ends with a
/// backtick, it is padded with spaces.
fn code(text: &str) -> String {
    let fence = "`".repeat(longest_run(text) + 1);
    // CommonMark strips one space from each side of a text that begins and ends with a space.
    let padded = text.starts_with('`')
        || text.ends_with('`')
        || (text.starts_with(' ') && text.ends_with(' '));
    let pad = if padded { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// The longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

/// Text without markup: a backslash precedes what Markdown would read as markup. Underscores inside
/// words are not markup.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let inside = before.is_some_and(char::is_alphanumeric)
            && rest.peek().is_some_and(|next| next.is_alphanumeric());
        if matches!(c, '\\' | '`' | '*' | '[' | ']' | '<' | '&' | '~' | '!')
            || (c == '_' && !inside)
        {
            out.push('\\');
        }
        out.push(c);
        before = Some(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_hold_backticks_and_words_no_markup() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("``"), "``` `` ```");
        assert_eq!(code(" a "), "`  a  `");
        assert_eq!(escaped("lsp_resolved"), "lsp_resolved");
        assert_eq!(escaped("_a*b_"), "\\_a\\*b\\_");
    }
}
