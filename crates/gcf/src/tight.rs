//! Lists of what hostile input may have one of in every two bytes.

/// Appends to a list that grows by a quarter, where `Vec` doubles: so much more than its items take is never in use.
pub(crate) fn push<T>(list: &mut Vec<T>, item: T) {
    if list.len() == list.capacity() {
        list.reserve_exact(list.len() / 4 + 4);
    }
    list.push(item);
}
