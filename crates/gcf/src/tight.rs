//! Room in lists of which hostile input may have an item in every few bytes.

use wire_core::Limits;

/// What is left of an input, and how little of it an item takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rest<'a> {
    /// The input from the item on that is to be appended.
    pub(crate) text: &'a str,
    /// What begins the next part of the input, which has no such items.
    pub(crate) until: Option<&'static str>,
    /// The length of the shortest line that has an item, with its line ending.
    pub(crate) shortest: usize,
}

impl Rest<'_> {
    /// The largest number of items, one a line. The last line may lack its line ending.
    fn items(self) -> usize {
        let text = self.text.as_bytes();
        let end = self.until.and_then(|until| memchr::memmem::find(text, until.as_bytes()));
        let text = &text[..end.unwrap_or(text.len())];
        memchr::memchr_iter(b'\n', text).count().min(text.len() / self.shortest) + 1
    }
}

/// Appends to a list. One that is full gets room for all that can follow, where `Vec` doubles and has up to three times
/// of what its items take in use while it copies them.
#[inline(always)]
#[allow(clippy::inline_always)] // as the scanners of plain lines
pub(crate) fn push<T>(list: &mut Vec<T>, item: T, rest: Rest<'_>, limits: Limits) {
    if list.len() == list.capacity() {
        grow_and_push(list, item, rest, limits);
    } else {
        list.push(item);
    }
}

#[cold]
#[inline(never)]
fn grow_and_push<T>(list: &mut Vec<T>, item: T, rest: Rest<'_>, limits: Limits) {
    let length = list.len();
    let possible = rest.items().min(limits.items.saturating_sub(length));
    // Parts of the input may take turns, and a line whose line endings are escaped is several.
    list.reserve_exact(possible.max(length / 4 + 4));
    list.push(item);
}
