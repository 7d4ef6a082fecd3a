//! Lists whose capacity is bounded by the input, which may be hostile.

use wire_core::Limits;

/// Appends to a list. A full list grows to the capacity for `most` items, which is this item and as
/// many as can follow it. `Vec` would double instead, and while it copies, use up to three times
/// the memory of the items.
#[inline(always)]
#[allow(clippy::inline_always)] // as the scanners of plain lines
pub(crate) fn push<T>(list: &mut Vec<T>, item: T, limits: Limits, most: impl FnOnce() -> usize) {
    if list.len() == list.capacity() {
        grow_and_push(list, item, limits, most);
    } else {
        list.push(item);
    }
}

#[cold]
#[inline(never)]
fn grow_and_push<T>(list: &mut Vec<T>, item: T, limits: Limits, most: impl FnOnce() -> usize) {
    let length = list.len();
    let most = most().min(limits.items.saturating_sub(length));
    // A line with escaped line endings has more items than `most` includes.
    list.reserve_exact(most.max(length / 2 + 4));
    list.push(item);
}

/// The number of lines for which `is_item` is true. It is called with the text from the start of
/// the line on.
pub(crate) fn lines(text: &str, is_item: impl Fn(&[u8]) -> bool) -> usize {
    let text = text.as_bytes();
    let behind = memchr::memchr_iter(b'\n', text).filter(|end| is_item(&text[end + 1..]));
    usize::from(is_item(text)) + behind.count()
}

/// Returns `true` if the text begins with a line that is not blank.
pub(crate) fn begins_line(text: &[u8]) -> bool {
    !matches!(text, [] | [b'\n' | b'\r', ..])
}
