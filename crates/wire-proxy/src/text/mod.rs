//! Texts for people: numbers, and what may be shown of a stranger's text.

#![allow(clippy::cast_precision_loss)] // counts are far below 2^52

/// A text of a server, a session or a file on one line, which a terminal must not obey.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|c| if is_obeyed(c) { '\u{fffd}' } else { c }).collect()
}

/// Returns `true` for a character that controls a terminal, ends a line, or turns text around.
fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A message of several lines, in which strangers' texts may be.
pub(crate) fn message(text: &str) -> String {
    let keeps = |c: char| matches!(c, '\n' | '\t') || !is_obeyed(c);
    text.chars().map(|c| if keeps(c) { c } else { '\u{fffd}' }).collect()
}

/// The same as text of an HTML page.
pub(crate) fn escaped(text: &str) -> String {
    let text = printable(text).replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// A path as one word of a shell's command.
pub(crate) fn in_shell(path: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/\\.:_-".contains(c);
    if path.chars().all(is_plain) {
        return path.to_owned();
    }
    format!("'{}'", path.replace('\'', r"'\''"))
}

/// A number with commas.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number of things: one, or more of them.
pub(crate) fn counted(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// A part of a whole in percent, without a fraction; `-` of nothing.
pub(crate) fn share(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    format!("{:.0} %", 100.0 * part as f64 / whole as f64)
}

/// A change in percent with its sign, without a fraction, which is never rounded to none.
pub(crate) fn change(before: usize, after: usize) -> String {
    if before == 0 || before == after {
        return "0 %".to_owned();
    }
    let part = (after.abs_diff(before) * 200 / before).div_ceil(2);
    format!("{}{part} %", if after < before { "−" } else { "+" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_for_people() {
        assert_eq!(["0", "999", "1,000", "1,234,567"], [0, 999, 1000, 1_234_567].map(grouped));
        assert_eq!([counted(1, "file"), counted(1200, "file")], ["1 file", "1,200 files"]);
        assert_eq!(change(4544, 2148), "−53 %");
        assert_eq!([change(7, 7), change(0, 5), change(100, 150)], ["0 %", "0 %", "+50 %"]);
        assert_eq!([share(1, 3), share(0, 0)], ["33 %", "-"]);
    }

    #[test]
    fn nothing_that_a_terminal_obeys_is_printed() {
        let odd = "a\u{1b}[2K\r\u{7}\u{202e}b\u{2028}\u{85}é";
        assert_eq!(printable(odd), "a\u{fffd}[2K\u{fffd}\u{fffd}\u{fffd}b\u{fffd}\u{fffd}é");
        assert_eq!(message("a\n\tb\u{1b}"), "a\n\tb\u{fffd}");
        assert_eq!(escaped("<a\"\u{202e}&"), "&lt;a&quot;\u{fffd}&amp;");
    }
}
