//! The reasons why a run could not start.

/// What ended a run before it was one.
pub(crate) enum Failure {
    /// Options, or a file of them, that can't be read.
    Usage(String),
    /// Input or output.
    Io(String),
    /// The server can't be started.
    NotStarted(String),
}
