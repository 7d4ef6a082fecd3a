//! Room in lists of which hostile input may have an item in every few bytes.

use wire_core::Limits;

/// Appends to a list. One that is full gets room for `most` items, this one and as many as can
/// follow it, where `Vec` doubles, and has up to three times of what its items take in use while it
/// copies them.
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
    // A line in which line endings are escaped has more items than `most` knows of.
    list.reserve_exact(most.max(length / 2 + 4));
    list.push(item);
}

/// The number of lines of which `is_item` holds. It is given the text from the line's start on.
pub(crate) fn lines(text: &str, is_item: impl Fn(&[u8]) -> bool) -> usize {
    let text = text.as_bytes();
    let behind = memchr::memchr_iter(b'\n', text).filter(|end| is_item(&text[end + 1..]));
    usize::from(is_item(text)) + behind.count()
}

/// Whether the text begins with a line that is not blank.
pub(crate) fn begins_line(text: &[u8]) -> bool {
    !matches!(text, [] | [b'\n' | b'\r', ..])
}
