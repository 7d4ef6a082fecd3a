//! What options take, on the command line and in the file.

use clap::ValueEnum;
use schemars::JsonSchema;
use serde::Deserialize;
use wire_mcp::{Format, Policy, Rule, Structured};
use wire_tokens::Counter;

/// A form of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FormatName {
    /// Minified JSON.
    Json,
    /// The generic profile of GCF.
    Gcf,
    /// GCX1, for lists of objects.
    Gcx,
}

/// What becomes of `structuredContent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum StructuredName {
    /// It stays.
    Keep,
    /// It is dropped where the text says the same; `outputSchema` is removed from the tools.
    Drop,
    /// As `drop` for clients that are known to show the model nothing else and to run no code over
    /// it.
    Auto,
}

/// Whether results are rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PolicyName {
    /// They are.
    On,
    /// Everything passes byte for byte.
    Off,
}

/// The name of a counter that there is.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(with = "String")]
pub(crate) struct CounterName(pub(crate) Counter);

impl Default for CounterName {
    fn default() -> Self {
        CounterName(Counter::O200kBase)
    }
}

impl TryFrom<String> for CounterName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        name.parse().map(CounterName)
    }
}

/// A pattern of names that can be read.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(with = "String")]
pub(crate) struct NamePattern(pub(crate) String);

impl TryFrom<String> for NamePattern {
    type Error = String;

    fn try_from(pattern: String) -> Result<Self, String> {
        match Rule::new().tools(&pattern) {
            Ok(_) => Ok(NamePattern(pattern)),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// The forms of these names.
pub(crate) fn forms(names: &[FormatName]) -> Vec<Format> {
    names.iter().copied().map(Format::from).collect()
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::Json => Format::Json,
            FormatName::Gcf => Format::Gcf,
            FormatName::Gcx => Format::Gcx,
        }
    }
}

impl From<StructuredName> for Structured {
    fn from(name: StructuredName) -> Self {
        match name {
            StructuredName::Keep => Structured::Keep,
            StructuredName::Drop => Structured::Drop,
            StructuredName::Auto => Structured::Auto,
        }
    }
}

impl From<PolicyName> for Policy {
    fn from(name: PolicyName) -> Self {
        match name {
            PolicyName::On => Policy::On,
            PolicyName::Off => Policy::Off,
        }
    }
}
