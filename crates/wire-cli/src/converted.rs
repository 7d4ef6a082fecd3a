//! What a conversion gives, before anything is written.

/// Data, and what has to be said of it.
pub(crate) struct Converted {
    pub(crate) bytes: Vec<u8>,
    /// What is lost, in words: what `--deny-loss` refuses.
    pub(crate) losses: Vec<String>,
    /// What to say once the data is written, in this order.
    pub(crate) remarks: Vec<Remark>,
}

impl Converted {
    /// Data of which there is nothing to say.
    pub(crate) fn plain(bytes: impl Into<Vec<u8>>) -> Self {
        Converted { bytes: bytes.into(), losses: Vec::new(), remarks: Vec::new() }
    }

    /// Data in a format that loses something.
    pub(crate) fn lossy(bytes: impl Into<Vec<u8>>, format: &str, losses: Vec<String>) -> Self {
        let remarks =
            losses.iter().map(|loss| Remark::loss(format!("in {format} {loss}"))).collect();
        Converted { bytes: bytes.into(), losses, remarks }
    }
}

/// A message on standard error that is no failure.
#[derive(Clone, Debug)]
pub(crate) struct Remark {
    pub(crate) level: RemarkLevel,
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RemarkLevel {
    /// Something may be wrong.
    Warning,
    /// What was done.
    Note,
}

impl Remark {
    pub(crate) fn warning(code: &'static str, message: String) -> Self {
        Remark { level: RemarkLevel::Warning, code, message }
    }

    pub(crate) fn note(code: &'static str, message: String) -> Self {
        Remark { level: RemarkLevel::Note, code, message }
    }

    pub(crate) fn loss(message: String) -> Self {
        Remark::warning("loss", message)
    }
}
