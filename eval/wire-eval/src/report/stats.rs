//! Intervals and comparisons.

use wire_tokens::measure::median;

use crate::dataset::Random;

/// How many of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) of: usize,
    pub(crate) right: usize,
}

impl Part {
    pub(crate) fn add(&mut self, is_right: bool) {
        self.of += 1;
        self.right += usize::from(is_right);
    }

    /// From 0 to 1; `None` without any counts.
    pub(crate) fn rate(self) -> Option<f64> {
        (self.of > 0).then(|| number(self.right) / number(self.of))
    }

    /// Wilson's interval of 95 %: where the rate of all calls like these may lie.
    pub(crate) fn interval(self) -> Option<(f64, f64)> {
        const Z: f64 = 1.959_963_984_540_054;
        let (rate, n) = (self.rate()?, number(self.of));
        let middle = rate + Z * Z / (2.0 * n);
        let half = Z * (rate * (1.0 - rate) / n + Z * Z / (4.0 * n * n)).sqrt();
        let all = 1.0 + Z * Z / n;
        Some((((middle - half) / all).max(0.0), ((middle + half) / all).min(1.0)))
    }
}

#[allow(clippy::cast_precision_loss)] // counts of calls need no 53 bits
pub(crate) fn number(count: usize) -> f64 {
    count as f64
}

/// The two-sided sign test: how likely it is that of `wins + losses` pairs that differ so many or
/// more go one way, if each goes either way as likely.
pub(crate) fn sign_test(wins: usize, losses: usize) -> f64 {
    let n = wins + losses;
    // Binomial coefficients over 2ⁿ, by logarithms: products of hundreds of factors leave the range
    // of doubles.
    let log_factorial = |n: usize| (1..=n).map(|k| number(k).ln()).sum::<f64>();
    let all = log_factorial(n);
    let tail: f64 = (0..=wins.min(losses))
        .map(|k| {
            (all - log_factorial(k) - log_factorial(n - k) - number(n) * std::f64::consts::LN_2)
                .exp()
        })
        .sum();
    (2.0 * tail).min(1.0)
}

/// Samples of the bootstrap.
const SAMPLES: usize = 2000;
/// With fewer tables than this, other samples of them say nothing.
pub(crate) const FEWEST_TABLES: usize = 5;

/// The interval of 95 % of the mean difference of pairs, given as (number of pairs, sum of their
/// differences) of each table: tables are drawn again, not pairs, because questions about one table
/// are not independent. `None` with fewer than five tables.
pub(crate) fn bootstrap(tables: &[(usize, f64)]) -> Option<(f64, f64)> {
    if tables.len() < FEWEST_TABLES {
        return None;
    }
    // The same numbers for the same log.
    let mut random = Random::new(1, 0, 0);
    let mut means: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            let (mut pairs, mut sum) = (0, 0.0);
            for _ in tables {
                let (of_table, difference) = random.pick(tables);
                pairs += of_table;
                sum += difference;
            }
            sum / number(pairs)
        })
        .collect();
    means.sort_by(f64::total_cmp);
    Some((means[SAMPLES / 40], means[SAMPLES - 1 - SAMPLES / 40]))
}

/// The mean and the median; `None` without numbers.
pub(crate) fn mean_and_median(mut numbers: Vec<f64>) -> Option<(f64, f64)> {
    if numbers.is_empty() {
        return None;
    }
    // Sums of doubles depend on their order.
    numbers.sort_by(f64::total_cmp);
    let mean = numbers.iter().sum::<f64>() / number(numbers.len());
    Some((mean, median(numbers)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the published formula, to four decimals.
    #[test]
    fn intervals_are_wilsons() {
        let rounded = |right, of| {
            let (low, high) = Part { of, right }.interval().unwrap();
            [low, high].map(|bound| (bound * 10_000.0).round() / 10_000.0)
        };
        assert_eq!(rounded(6, 6), [0.6097, 1.0]);
        assert_eq!(rounded(4, 6), [0.3000, 0.9032]);
        assert_eq!(rounded(0, 10), [0.0, 0.2775]);
        assert_eq!(rounded(81, 263), [0.2553, 0.3662]);
        assert_eq!(Part::default().interval(), None);
    }

    #[test]
    fn signs_are_tested() {
        let rounded = |wins, losses| (sign_test(wins, losses) * 10_000.0).round() / 10_000.0;
        assert_eq!(rounded(0, 0), 1.0);
        assert_eq!(rounded(5, 0), 0.0625);
        assert_eq!(rounded(8, 2), 0.1094);
        assert_eq!(rounded(2, 8), 0.1094);
        assert_eq!(rounded(500, 500), 1.0);
    }

    #[test]
    fn tables_are_drawn_again() {
        // All tables alike: no other sample has another mean.
        assert_eq!(bootstrap(&[(2, -1.0); 9]), Some((-0.5, -0.5)));
        assert_eq!(bootstrap(&[(2, -1.0); 4]), None);
        // Of 100 tables with one pair each, of which 20 differ: close to Wilson's interval, 13 to 29.
        let tables: Vec<(usize, f64)> =
            (0..100).map(|table| (1, if table < 20 { 1.0 } else { 0.0 })).collect();
        let (low, high) = bootstrap(&tables).unwrap();
        assert!((0.10..0.15).contains(&low) && (0.25..0.30).contains(&high), "{low} {high}");
        assert_eq!(bootstrap(&tables), Some((low, high)));
        // The same pairs in few tables: the questions of a table go one way, so the interval is wider.
        let (wider, highest) =
            bootstrap(&[(20, 20.0), (20, 0.0), (20, 0.0), (20, 0.0), (20, 0.0)]).unwrap();
        assert!(wider < low && highest > high, "{wider} {highest}");
    }

    #[test]
    fn medians_are_in_the_middle() {
        assert_eq!(mean_and_median(vec![9.0, 1.0, 2.0]), Some((4.0, 2.0)));
        assert_eq!(mean_and_median(vec![4.0, 1.0]), Some((2.5, 2.5)));
        assert_eq!(mean_and_median(Vec::new()), None);
    }
}
