//! Texts for people: numbers, and what may be shown of a stranger's text.

#![allow(clippy::cast_precision_loss)] // counts are far below 2^52

/// A text of a server, a session or a file, which a terminal must not obey.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// The same as text of an HTML page.
pub(crate) fn escaped(text: &str) -> String {
    let text = printable(text).replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
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
        assert_eq!(change(4544, 2148), "−53 %");
        assert_eq!([change(7, 7), change(0, 5), change(100, 150)], ["0 %", "0 %", "+50 %"]);
        assert_eq!([share(1, 3), share(0, 0)], ["33 %", "-"]);
    }
}
