//! Compares sizes or token counts: saved parts, percentages and medians.

/// `part` of `whole`: 1 is all of it.
#[expect(clippy::cast_precision_loss, reason = "sizes of texts are small integers")]
pub fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

/// The part of `before` that `after` saves; negative when `after` is larger, and 0 when `before`
/// is 0.
pub fn part_saved(before: usize, after: usize) -> f64 {
    if before == after { 0.0 } else { 1.0 - ratio(after, before) }
}

/// A part as a percentage.
///
/// ```
/// use wire_tokens::measure::{part_saved, percent};
///
/// assert_eq!(percent(part_saved(200, 150)), "25.0 %");
/// ```
pub fn percent(part: f64) -> String {
    let text = format!("{:.1} %", part * 100.0);
    // A value that rounds to zero has no sign.
    if text == "-0.0 %" { "0.0 %".to_owned() } else { text }
}

/// A saved part as a change in percent: minus is fewer.
///
/// ```
/// use wire_tokens::measure::{change, part_saved};
///
/// assert_eq!(change(part_saved(200, 150)), "−25.0 %");
/// ```
pub fn change(saved: f64) -> String {
    let text = percent(-saved);
    match text.strip_prefix('-') {
        Some(fewer) => format!("−{fewer}"),
        None if text == "0.0 %" => text,
        None => format!("+{text}"),
    }
}

/// The median; the mean of the two middle numbers when their number is even, and NaN when there are
/// no numbers.
pub fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match numbers[..] {
        [] => f64::NAN,
        _ if numbers.len().is_multiple_of(2) => f64::midpoint(numbers[middle - 1], numbers[middle]),
        _ => numbers[middle],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_parts() {
        assert_eq!(median(vec![0.4, 0.1, 0.3]), 0.3);
        assert_eq!(median(vec![0.5, 0.0, 0.25, 1.0]), 0.375);
        assert!(median(Vec::new()).is_nan());
        assert_eq!(percent(part_saved(200, 150)), "25.0 %");
        assert_eq!(percent(part_saved(100, 102)), "-2.0 %");
        let parts =
            [(200, 150), (100, 102), (0, 0), (1_000_000, 1_000_001), (1_000_001, 1_000_000)];
        let changes = parts.map(|(before, after)| change(part_saved(before, after)));
        assert_eq!(changes, ["−25.0 %", "+2.0 %", "0.0 %", "0.0 %", "0.0 %"]);
        assert_eq!(percent(part_saved(0, 0)), "0.0 %");
        assert_eq!(percent(part_saved(1_000_000, 1_000_001)), "0.0 %");
    }
}
