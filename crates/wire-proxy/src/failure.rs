//! The reasons why a run could not start.

/// The error that prevented a run.
pub(crate) enum Failure {
    /// Options, or a file of them, that can't be read.
    Usage(String),
    /// Input or output.
    Io(String),
    /// The server can't be started.
    NotStarted(String),
}
