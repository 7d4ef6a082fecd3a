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
