//! What a conversion gives, before anything is written.

use std::io::{self, Write};

use gcf::Prepared;
use gcf::graph::Repair;
use serde_json::Value;

use crate::failure::plural;

/// Data, and the messages about it.
pub(crate) struct Converted {
    pub(crate) data: Data,
    /// Descriptions of what is lost, which `--deny-loss` rejects.
    pub(crate) losses: Vec<String>,
    /// The remarks to print after the data is written, in this order.
    pub(crate) remarks: Vec<Remark>,
}

/// The data to write.
pub(crate) enum Data {
    Bytes(Vec<u8>),
    /// A value, which becomes text as it is written.
    Value(Box<Prepared>),
}

impl Data {
    /// The text or bytes.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write_to(&mut bytes).expect("because memory can be written");
        bytes
    }

    pub(crate) fn write_to(&self, writer: &mut dyn Write) -> io::Result<()> {
        match self {
            Data::Bytes(bytes) => writer.write_all(bytes),
            Data::Value(prepared) => prepared.to_writer(writer),
        }
    }
}

impl From<Vec<u8>> for Data {
    fn from(bytes: Vec<u8>) -> Self {
        Data::Bytes(bytes)
    }
}

impl From<String> for Data {
    fn from(text: String) -> Self {
        Data::Bytes(text.into_bytes())
    }
}

impl From<Prepared> for Data {
    fn from(prepared: Prepared) -> Self {
        Data::Value(Box::new(prepared))
    }
}

impl Converted {
    /// Data of which there is nothing to say.
    pub(crate) fn plain(data: impl Into<Data>) -> Self {
        Converted { data: data.into(), losses: Vec::new(), remarks: Vec::new() }
    }

    /// The same, with the number of integers that became strings.
    pub(crate) fn with_big_integers(mut self, count: usize) -> Self {
        self.remarks.extend(Remark::big_integers(count));
        self
    }

    /// Data in a format that loses something.
    pub(crate) fn lossy(data: impl Into<Data>, format: &str, losses: Vec<String>) -> Self {
        let remarks =
            losses.iter().map(|loss| Remark::loss(format!("in {format} {loss}"))).collect();
        Converted { data: data.into(), losses, remarks }
    }

    /// What became of this data, with the losses and remarks of both.
    pub(crate) fn followed_by(mut self, next: Converted) -> Self {
        self.losses.extend(next.losses);
        self.remarks.extend(next.remarks);
        Converted { data: next.data, ..self }
    }

    /// The same, of an input of whose reading this has to be said.
    pub(crate) fn read_with(mut self, warnings: Vec<Warning>) -> Self {
        let losses = warnings.iter().filter(|warning| warning.is_loss);
        self.losses.extend(losses.map(|warning| warning.remark.message.clone()));
        self.remarks.extend(warnings.into_iter().map(Remark::from));
        self
    }
}

/// A remark about reading an input.
pub(crate) struct Warning {
    remark: Remark,
    pub(crate) is_loss: bool,
}

impl Warning {
    /// Something of the input is lost.
    pub(crate) fn loss(message: impl Into<String>) -> Self {
        Warning { remark: Remark::loss(message.into()), is_loss: true }
    }

    /// A note on how the input was interpreted.
    pub(crate) fn note(remark: Remark) -> Self {
        Warning { remark, is_loss: false }
    }

    /// A repair in a model's answer.
    pub(crate) fn of_repair(repair: &Repair) -> Self {
        let reason =
            repair.reason.map(|reason| format!(": {}", reason.summary())).unwrap_or_default();
        let message = format!("line {}: {}{reason}", repair.line, repair.kind.summary());
        let remark = Remark::warning(repair.kind.code(), message);
        Warning { remark, is_loss: repair.kind.is_loss() }
    }
}

impl From<Warning> for Remark {
    fn from(warning: Warning) -> Self {
        warning.remark
    }
}

/// A message on standard error that is not a failure.
#[derive(Clone, Debug)]
pub(crate) struct Remark {
    pub(crate) level: RemarkLevel,
    pub(crate) code: &'static str,
    pub(crate) message: String,
    /// A further member of the JSON message.
    pub(crate) details: Option<(&'static str, Value)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RemarkLevel {
    /// Something may be wrong.
    Warning,
    /// What was done.
    Note,
}

impl Remark {
    /// A note that integers became strings because the target can't represent them
    /// (`--big-integers string`); `None` if there are no such integers.
    pub(crate) fn big_integers(count: usize) -> Option<Self> {
        let message = format!(
            "integers beyond 64 bits are strings of their digits ({})",
            plural(count, "integer")
        );
        (count > 0).then(|| Remark::note("big_integers", message))
    }

    pub(crate) fn warning(code: &'static str, message: String) -> Self {
        Remark { level: RemarkLevel::Warning, code, message, details: None }
    }

    pub(crate) fn note(code: &'static str, message: String) -> Self {
        Remark { level: RemarkLevel::Note, code, message, details: None }
    }

    /// The same, with a member for JSON messages.
    pub(crate) fn with_details(self, name: &'static str, value: Value) -> Self {
        Remark { details: Some((name, value)), ..self }
    }

    pub(crate) fn loss(message: String) -> Self {
        Remark::warning("loss", message)
    }
}
