//! The part of an input that an error is about, for people to look at.

use annotate_snippets::{Annotation, AnnotationKind, Snippet};
use wire_core::text::is_hidden;

use crate::failure::Place;

/// A line of the input, or a row of its bytes, with the position in it.
pub(crate) struct Shown {
    source: String,
    /// The number in front of it: of the line, or of the row's first byte.
    line: usize,
    /// The place, as bytes of `source`.
    place: std::ops::Range<usize>,
    /// Where it is, when the renderer can't tell from `source`: in bytes, and in lines that are
    /// cut.
    pub(crate) place_in_words: Option<String>,
}

/// More of a line is cut off on both sides.
const WIDEST: usize = 160;

impl Shown {
    pub(crate) fn snippet(&self, file: String) -> Snippet<'_, Annotation<'_>> {
        let path = self.place_in_words.is_none().then_some(file);
        Snippet::source(&*self.source)
            .path(path)
            .line_start(self.line)
            .annotation(AnnotationKind::Primary.span(self.place.clone()))
    }
}

/// The lines to show for an error at a position.
pub(crate) fn around(place: &Place, syntax: Syntax) -> Shown {
    let &Place { part: ref input, start: part_start, position } = place;
    let offset =
        usize::try_from(position.offset - part_start).unwrap_or(usize::MAX).min(input.len());
    if position.line == 0 {
        return bytes_around(input, offset);
    }
    let start = input[..offset].iter().rposition(|&byte| byte == b'\n').map_or(0, |lf| lf + 1);
    let end = input[offset..]
        .iter()
        .position(|&byte| byte == b'\n')
        .map_or(input.len(), |lf| offset + lf);
    let before = String::from_utf8_lossy(&input[start..offset]);
    let after = String::from_utf8_lossy(&input[offset..end]);
    let after = after.trim_end_matches('\r');

    let before_length = before.chars().count();
    // Of a line that is not all there, the renderer would count wrongly.
    let is_partial = part_start > 0 && position.column != before_length as u64 + 1;
    let cut_before = if before_length > WIDEST { before_length - WIDEST / 2 } else { 0 };
    let mut source: String =
        if cut_before > 0 || is_partial { "…".into() } else { String::new() };
    source.extend(before.chars().skip(cut_before).map(visible));
    let place = source.len();
    source.extend(after.chars().take(WIDEST).map(visible));
    let cut_after = after.chars().nth(WIDEST).is_some();
    if cut_after {
        source.push('…');
    }
    let (shown_before, shown_after) = source.split_at(place);
    let token = token_length(shown_after, shown_before, syntax);
    let line = usize::try_from(position.line).unwrap_or(usize::MAX);
    let place_in_words = (cut_before > 0 || is_partial).then(|| position.to_string());
    Shown { source, line, place: place..place + token, place_in_words }
}

/// The characters that end a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// Strings in quotes, and delimiters.
    Json,
    /// White space, and the end of a quoted key after a delimiter of JSON.
    Words,
    /// The end of a number.
    Numbers,
}

impl Syntax {
    /// The syntax of the input that an error with this code is about.
    pub(crate) fn of(code: &str) -> Self {
        match code {
            "out_of_range" => Syntax::Numbers,
            "too_deep" => Syntax::Json,
            code if code.starts_with("json_") || code.ends_with("_symbol_name") => Syntax::Json,
            _ => Syntax::Words,
        }
    }
}

/// The length of what an error at the start of `text` is about.
fn token_length(text: &str, before: &str, syntax: Syntax) -> usize {
    let of = |is_part: fn(&char) -> bool| -> usize {
        text.chars().take_while(is_part).map(char::len_utf8).sum()
    };
    let words = || of(|c| !c.is_whitespace());
    // Where a string begins, or the last byte of a value.
    let opens = before.trim_end().ends_with([':', '[', '{', ',']);
    match text.strip_prefix('"').map(|quoted| (opens, quoted.find('"'))) {
        Some((true, Some(end))) => end + 2,
        _ if syntax == Syntax::Words => words(),
        _ if syntax == Syntax::Numbers => {
            match of(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.' | '_')) {
                0 => words(),
                length => length,
            }
        }
        _ => text.chars().next().filter(|c| !c.is_whitespace()).map_or(0, char::len_utf8),
    }
}

/// A character, or a visible symbol for one that can't be shown, so that columns stay aligned.
fn visible(c: char) -> char {
    match c {
        '\t' => ' ',
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        c if c.is_control() || is_hidden(c) => '\u{fffd}',
        c => c,
    }
}

/// A row of sixteen bytes in hexadecimal.
fn bytes_around(input: &[u8], offset: usize) -> Shown {
    let row = offset / 16 * 16;
    let bytes = &input[row.min(input.len())..(row + 16).min(input.len())];
    let row_of_bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x} ")).collect();
    let mut source = row_of_bytes.concat();
    let place = (offset - row) * 3;
    if place >= source.len() {
        source.push_str("(end)");
    }
    let width = if offset < input.len() { 2 } else { 5 };
    Shown {
        source,
        line: row,
        place: place..place + width,
        place_in_words: Some(format!("offset {offset}")),
    }
}

#[cfg(test)]
mod tests {
    use wire_core::Position;

    use super::*;

    fn marked(text: &str, offset: usize) -> (String, String) {
        let position = Position::in_text(text.as_bytes(), offset);
        let shown = around(&Place { part: text.into(), start: 0, position }, Syntax::Words);
        let mark = shown.source[shown.place.clone()].to_owned();
        (shown.source, mark)
    }

    #[test]
    fn the_line_and_the_token() {
        assert_eq!(marked("ab\ncd ef\n", 3), ("cd ef".into(), "cd".into()));
        assert_eq!(marked("ab\ncd ef\r\n", 6), ("cd ef".into(), "ef".into()));
        assert_eq!(marked("ab", 2), ("ab".into(), String::new()));
        assert_eq!(marked("", 0), (String::new(), String::new()));
        assert_eq!(marked("a\u{1b}[31m b", 0).0, "a␛[31m b");
        let long = "x".repeat(1000);
        let (source, mark) = marked(&long, 500);
        assert!(source.chars().count() < 300 && source.starts_with('…') && source.ends_with('…'));
        assert_eq!(mark.chars().count(), 161);
    }

    #[test]
    fn of_a_part_the_place_is_in_words_unless_its_line_is_whole() {
        let shown = |start, line, column| {
            let position = Position { offset: start + 3, line, column };
            let place = Place { part: b"ab cd".to_vec(), start, position };
            let shown = around(&place, Syntax::Words);
            (shown.source, shown.place_in_words)
        };
        assert_eq!(shown(0, 1, 4), ("ab cd".to_owned(), None));
        assert_eq!(shown(10, 3, 4), ("ab cd".to_owned(), None));
        let in_words = Some("line 1, column 14".to_owned());
        assert_eq!(shown(10, 1, 14), ("…ab cd".to_owned(), in_words));
    }

    #[test]
    fn bytes_are_shown_in_rows() {
        let shown = |input: Vec<u8>, offset| {
            let place = Place { part: input, start: 0, position: Position::in_binary(offset) };
            let shown = around(&place, Syntax::Words);
            shown.source[shown.place.clone()].to_owned()
        };
        assert_eq!(shown((0..40).collect(), 18), "12");
        assert_eq!(shown((0..40).collect(), 40), "(end)");
        assert_eq!(shown(Vec::new(), 0), "(end)");
    }
}
