//! The shortest digits that read back.

/// A buffer for the text of a double.
///
/// ```
/// let mut digits = wire_core::number::Digits::new();
/// assert_eq!(digits.shortest(1e16), "10000000000000000");
/// assert_eq!(digits.canonical(1e16), "1e+16");
/// ```
#[derive(Default)]
pub struct Digits {
    /// Text without an exponent, which is nearly all.
    plain: zmij::Buffer,
    other: String,
}

impl Digits {
    /// Memory for one text at a time.
    #[must_use]
    pub fn new() -> Self {
        Digits::default()
    }

    /// `value` in the shortest digits that read back, written as ECMAScript's Number-to-String does
    /// (ruling X6): `1`, `0.00001`, `1e-7`, `1e+21`. Both zeros are `0`.
    ///
    /// The caller has checked that `value` is finite; otherwise the text is `NaN` or `Infinity`.
    #[inline]
    pub fn shortest(&mut self, value: f64) -> &str {
        if (1e-3..1e9).contains(&value.abs()) {
            let text = self.plain.format_finite(value);
            return text.strip_suffix(".0").unwrap_or(text);
        }
        self.shortest_other(value)
    }

    fn shortest_other(&mut self, value: f64) -> &str {
        if !value.is_finite() {
            return match value {
                _ if value.is_nan() => "NaN",
                0.0.. => "Infinity",
                _ => "-Infinity",
            };
        }
        if value == 0.0 {
            return "0";
        }
        let text = self.plain.format_finite(value);
        match text.split_once('e') {
            None => text.strip_suffix(".0").unwrap_or(text),
            Some((mantissa, exponent)) => {
                let exponent: i32 =
                    exponent.parse().expect("an exponent of a double is a small integer");
                self.other.clear();
                push_scientific(&mut self.other, mantissa, exponent);
                &self.other
            }
        }
    }

    /// `value` as GCF 3.x writes numbers that are hashed (3.5.3, section 2.3.1): the shortest
    /// digits that read back, plain from 1e-6 up to 2^53 and with an exponent outside. Both zeros
    /// are `0`.
    ///
    /// The caller has checked that `value` is finite; otherwise the text is `NaN` or `Infinity`.
    #[inline]
    pub fn canonical(&mut self, value: f64) -> &str {
        const FIRST_BEYOND: f64 = 9_007_199_254_740_992.0; // 2^53
        // Below that, ECMAScript's layout is the same.
        if !value.is_finite() || value.abs() < FIRST_BEYOND {
            return self.shortest(value);
        }
        self.canonical_beyond(value)
    }

    fn canonical_beyond(&mut self, value: f64) -> &str {
        let text = self.plain.format_finite(value.abs());
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let exponent: usize = exponent.parse().expect("because the value is large");
        let digits = format!("{whole}{fraction}");
        let (first, rest) = digits.trim_end_matches('0').split_at(1);
        let sign = if value < 0.0 { "-" } else { "" };
        let point = if rest.is_empty() { "" } else { "." };
        self.other = format!("{sign}{first}{point}{rest}e+{}", exponent + whole.len() - 1);
        &self.other
    }
}

impl std::fmt::Debug for Digits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Digits").finish_non_exhaustive()
    }
}

/// Appends [`Digits::shortest`].
pub fn push_shortest(out: &mut Vec<u8>, value: f64) {
    out.extend_from_slice(Digits::new().shortest(value).as_bytes());
}

/// Writes `mantissa`e`exponent` (one digit before the point) as ECMAScript does.
fn push_scientific(out: &mut String, mantissa: &str, exponent: i32) {
    let unsigned = mantissa.strip_prefix('-').unwrap_or(mantissa);
    if unsigned.len() != mantissa.len() {
        out.push('-');
    }
    let (first, rest) = unsigned.split_at(1);
    let rest = rest.strip_prefix('.').unwrap_or(rest);
    let rest = if rest == "0" { "" } else { rest };
    match exponent {
        0..=20 => {
            let places = usize::try_from(exponent).expect("not negative in this arm");
            let (whole, fraction) = rest.split_at(rest.len().min(places));
            out.push_str(first);
            out.push_str(whole);
            out.extend(std::iter::repeat_n('0', places - whole.len()));
            if !fraction.is_empty() {
                out.push('.');
                out.push_str(fraction);
            }
        }
        -6..=-1 => {
            let zeros = usize::try_from(-exponent - 1).expect("not negative in this arm");
            out.push_str("0.");
            out.extend(std::iter::repeat_n('0', zeros));
            out.push_str(first);
            out.push_str(rest);
        }
        _ => {
            let point = if rest.is_empty() { "" } else { "." };
            out.push_str(&format!("{first}{point}{rest}e{exponent:+}"));
        }
    }
}
