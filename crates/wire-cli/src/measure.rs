//! What a text costs.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

/// Bytes behind gzip at its default level.
pub(crate) fn gzip(bytes: &[u8]) -> usize {
    const NEVER: &str = "because a vector takes all that is written";
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect(NEVER);
    encoder.finish().expect(NEVER).len()
}

#[expect(clippy::cast_precision_loss, reason = "sizes of texts are small integers")]
pub(crate) fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

/// The part of `before` that is not there in `after`; negative where there is more. Nothing of nothing.
pub(crate) fn part_saved(before: usize, after: usize) -> f64 {
    if before == after { 0.0 } else { 1.0 - ratio(after, before) }
}

/// `25.0 %`.
pub(crate) fn percent(part: f64) -> String {
    let text = format!("{:.1} %", part * 100.0);
    // What rounds to nothing has no sign.
    if text == "-0.0 %" { "0.0 %".to_owned() } else { text }
}

/// The mean of the two in the middle, of an even number of them.
pub(crate) fn median(mut parts: Vec<f64>) -> f64 {
    parts.sort_by(f64::total_cmp);
    let middle = parts.len() / 2;
    if parts.len().is_multiple_of(2) {
        f64::midpoint(parts[middle - 1], parts[middle])
    } else {
        parts[middle]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_parts() {
        assert_eq!(median(vec![0.4, 0.1, 0.3]), 0.3);
        assert_eq!(median(vec![0.5, 0.0, 0.25, 1.0]), 0.375);
        assert_eq!(percent(part_saved(200, 150)), "25.0 %");
        assert_eq!(percent(part_saved(100, 102)), "-2.0 %");
        assert_eq!(percent(part_saved(0, 0)), "0.0 %");
        assert_eq!(percent(part_saved(1_000_000, 1_000_001)), "0.0 %");
    }
}
