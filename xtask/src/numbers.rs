//! Numbers as pages have them.

/// Fewer tokens with a minus, more with a plus.
pub fn change(saved: f64) -> String {
    match percent(saved.abs()) {
        none if none == "0 %" => none,
        part if saved > 0.0 => format!("−{part}"),
        part => format!("+{part}"),
    }
}

/// Whole percents.
pub fn percent(part: f64) -> String {
    format!("{:.0} %", part * 100.0)
}

/// An integer with a comma between thousands.
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).expect("because digits are ASCII"))
        .collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!([0.477, -0.065, 0.001, -0.001].map(change), ["−48 %", "+6 %", "0 %", "0 %"]);
        assert_eq!([7, 1_000, 1_234_567].map(thousands), ["7", "1,000", "1,234,567"]);
    }
}
