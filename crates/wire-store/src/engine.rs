//! What is behind the memory of a store.

use std::future::Future;
use std::pin::Pin;

use gcf::graph::StoreError;

/// The answer of an engine, when it comes.
pub(crate) type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Texts by keys such as `wire:1:<64 hexadecimal digits>`, kept for a limited time and in a limited
/// space.
pub(crate) trait Engine: Send + Sync {
    /// The text of a key. One that is longer than any that was put may be cut.
    fn get<'a>(&'a self, key: &'a str) -> Answer<'a, Option<Vec<u8>>>;

    /// Writes a text.
    fn put<'a>(&'a self, key: &'a str, text: Vec<u8>) -> Answer<'a, ()>;

    /// Removes a text, if there is one.
    fn remove<'a>(&'a self, key: &'a str) -> Answer<'a, ()>;
}
