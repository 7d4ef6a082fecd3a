//! Choosing a format by the `Accept` of an HTTP request (RFC 9110, section 12.5.1).

/// One media range of an `Accept`, with its weight.
#[derive(Debug, PartialEq)]
pub(crate) struct Range<'a> {
    kind: &'a str,
    subtype: &'a str,
    /// `true` if it has a parameter that no format has. Then it matches no format.
    is_foreign: bool,
    /// `true` if it has the parameter `charset=utf-8`, which every text of a format has.
    has_charset: bool,
    /// In thousandths.
    quality: u16,
}

/// A measure of how well a media type fits an `Accept`: a larger one is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fit {
    /// In thousandths; more than 0.
    quality: u16,
    /// [`BY_NAME`] for the type by its name, one more where the range has a `charset`, 1 for
    /// `application/*`, 0 for `*/*`.
    specificity: u8,
    /// Of equal ranges the first one counts.
    before: std::cmp::Reverse<usize>,
}

/// The specificity of a type by its name.
const BY_NAME: u8 = 2;

/// The media ranges of an `Accept`. Anything that is not a media range is ignored.
pub(crate) fn ranges(accept: &str) -> Vec<Range<'_>> {
    outside_quotes(accept, b',').filter_map(range).collect()
}

/// The fit of this media type; `None` when it is not acceptable. Without any range, every type is
/// acceptable.
pub(crate) fn fit(ranges: &[Range<'_>], media_type: &str) -> Option<Fit> {
    if ranges.is_empty() {
        return Some(Fit { quality: 1_000, specificity: 0, before: std::cmp::Reverse(0) });
    }
    // A codec may state a parameter with its type; it does not count here.
    let (name, _) = media_type.split_once(';').unwrap_or((media_type, ""));
    let (kind, subtype) = name.trim_end().split_once('/')?;
    let is = |range: &str, name: &str| range.eq_ignore_ascii_case(name);
    let specificity = |range: &Range<'_>| match (range.kind, range.subtype) {
        _ if range.is_foreign => None,
        ("*", "*") => Some(0),
        (wanted, "*") if is(wanted, kind) => Some(1),
        (wanted, name) if is(wanted, kind) && is(name, subtype) => {
            Some(BY_NAME + u8::from(range.has_charset))
        }
        _ => None,
    };
    // The most specific range decides, even when it forbids the type.
    let fits = ranges.iter().enumerate().filter_map(|(at, range)| {
        let before = std::cmp::Reverse(at);
        Some(Fit { quality: range.quality, specificity: specificity(range)?, before })
    });
    let best = fits.max_by_key(|fit| (fit.specificity, fit.before))?;
    // Between formats a charset does not count: each has it.
    (best.quality > 0).then(|| Fit { specificity: best.specificity.min(BY_NAME), ..best })
}

fn range(text: &str) -> Option<Range<'_>> {
    let mut parts = outside_quotes(text, b';').map(str::trim);
    let (kind, subtype) = parts.next()?.split_once('/')?;
    let is_token = |name: &str| !name.is_empty() && !name.contains([' ', '\t', '/']);
    if !is_token(kind) || !is_token(subtype) || (kind == "*" && subtype != "*") {
        return None;
    }
    let (mut quality, mut is_foreign, mut has_charset) = (1_000, false, false);
    for parameter in parts.filter(|parameter| !parameter.is_empty()) {
        let (name, value) = parameter.split_once('=')?;
        match name.trim().to_ascii_lowercase().as_str() {
            "q" => {
                quality = thousandths(value.trim())?;
                // The rest was an extension of the header, and was never used.
                break;
            }
            "charset" if value.trim().trim_matches('"').eq_ignore_ascii_case("utf-8") => {
                has_charset = true;
            }
            _ => is_foreign = true,
        }
    }
    Some(Range { kind, subtype, is_foreign, has_charset, quality })
}

/// A weight: 0 to 1 with at most three decimals. `.2`, as old Java clients write it, is 0.2.
fn thousandths(weight: &str) -> Option<u16> {
    let (whole, decimals) = match weight.split_once('.') {
        Some(("", decimals)) if !decimals.is_empty() => ("0", decimals),
        Some(parts) => parts,
        None => (weight, ""),
    };
    let digits = decimals.bytes().all(|byte| byte.is_ascii_digit()) && decimals.len() <= 3;
    let decimals: u16 = if digits { format!("{decimals:0<3}").parse().ok()? } else { return None };
    match whole {
        "0" => Some(decimals),
        "1" if decimals == 0 => Some(1_000),
        _ => None,
    }
}

/// The parts between separators outside of quoted strings.
fn outside_quotes(text: &str, separator: u8) -> impl Iterator<Item = &str> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    text.split(move |c: char| {
        let escapes = is_quoted && c == '\\' && !is_escaped;
        if c == '"' && !is_escaped {
            is_quoted = !is_quoted;
        }
        is_escaped = escapes;
        !is_quoted && c == char::from(separator)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_have_three_decimals_at_most() {
        let weights = ["1", "1.", "1.000", "0", "0.5", "0.05", "0.005", "0.", ".2", ".25"];
        let found = weights.map(thousandths);
        let expected = [1_000, 1_000, 1_000, 0, 500, 50, 5, 0, 200, 250].map(Some);
        assert_eq!(found, expected);
        for wrong in ["", "2", "1.001", "0.0001", "-1", "0.5x", "NaN", ".", ".1234", "+.5", "+0.5"]
        {
            assert_eq!(thousandths(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_range_with_a_charset_is_more_specific() {
        let quality = |accept: &str, media_type: &str| {
            fit(&ranges(accept), media_type).map(|fit| fit.quality)
        };
        let both = "text/markdown;q=0, text/markdown;charset=utf-8;q=0.5";
        assert_eq!(quality(both, "text/markdown"), Some(500));
        assert_eq!(quality("text/markdown;q=0.2", "text/markdown; charset=utf-8"), Some(200));
        assert_eq!(quality("text/markdown", "text/plain; charset=utf-8"), None);
    }

    #[test]
    fn separators_in_quotes_separate_nothing() {
        let parts: Vec<_> = outside_quotes(r#"a;x="1,2\",3",b"#, b',').collect();
        assert_eq!(parts, [r#"a;x="1,2\",3""#, "b"]);
    }
}
