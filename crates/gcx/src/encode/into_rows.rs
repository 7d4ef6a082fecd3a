//! The types that can be the rows of a section.

use serde::Serialize;

/// The rows that [`to_string`](crate::to_string) and its siblings accept: everything that iterates
/// over values that serde can serialize, such as a slice, a `Vec`, an iterator, or a map (by its
/// entries).
///
/// The trait exists for the compiler's message about other types. It has one blanket
/// implementation.
///
/// ```
/// #[derive(serde::Serialize)]
/// struct Symbol {
///     id: u32,
/// }
/// let one = Symbol { id: 7 };
/// assert_eq!(gcx::to_string("t", [&one])?, "GCX1 tool=t fields=id rows=1\n7\n");
/// assert_eq!(
///     gcx::to_string("t", (1..3).map(|id| Symbol { id }))?,
///     "GCX1 tool=t fields=id rows=2\n1\n2\n"
/// );
/// # Ok::<(), gcx::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of rows that serde can serialize",
    label = "expected a slice, a `Vec` or an iterator of rows",
    note = "pass a single row as a list of one: `[&row]`",
    note = "the type of a row needs `#[derive(serde::Serialize)]`",
    note = "encode any other JSON, such as the answer of a tool, with `gcx::encode_layout` or `gcx::encode_response`"
)]
pub trait IntoRows {
    /// The type of a row.
    type Row: Serialize;
    /// The iterator over the rows.
    type Rows: Iterator<Item = Self::Row>;

    /// The rows, in their order.
    fn into_rows(self) -> Self::Rows;
}

#[diagnostic::do_not_recommend] // so that the message above is what is said
impl<I> IntoRows for I
where
    I: IntoIterator,
    I::Item: Serialize,
{
    type Row = I::Item;
    type Rows = I::IntoIter;

    #[inline]
    fn into_rows(self) -> I::IntoIter {
        self.into_iter()
    }
}
