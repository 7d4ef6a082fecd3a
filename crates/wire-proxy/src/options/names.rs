//! The values of options, on the command line and in the file.

use std::borrow::Cow;
use std::fmt::Debug;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Value, json};
use wire_mcp::{Format, Policy, Repeats, Rule, Structured};
use wire_tokens::Counter;

/// A value of an option with a list of values.
pub(crate) trait Choose: Copy + Debug + Send + Sync + 'static {
    /// Its name and description in the schema of the file.
    const SCHEMA: (&'static str, &'static str);
    /// Every value.
    const CHOICES: &'static [Choice<Self>];

    fn name(self) -> &'static str;
    /// Its description in help and in the schema.
    fn help(self) -> &'static str;
}

/// One of the values of an option, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String", bound(deserialize = "T: Choose"))]
pub(crate) struct Choice<T>(pub(crate) T);

pub(crate) type FormatName = Choice<Format>;
pub(crate) type StructuredName = Choice<Structured>;
pub(crate) type PolicyName = Choice<Policy>;
pub(crate) type RepeatsName = Choice<Repeats>;

impl<T: Choose> TryFrom<String> for Choice<T> {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        T::CHOICES.iter().find(|choice| choice.0.name() == name).copied().ok_or_else(|| {
            let names: Vec<&str> = T::CHOICES.iter().map(|choice| choice.0.name()).collect();
            format!("{name:?} is unknown, expected one of: {}", names.join(", "))
        })
    }
}

impl<T: Choose> ValueEnum for Choice<T> {
    fn value_variants<'a>() -> &'a [Self] {
        T::CHOICES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = self.0.help();
        Some(PossibleValue::new(self.0.name()).help(help.strip_suffix('.').unwrap_or(help)))
    }
}

impl<T: Choose> JsonSchema for Choice<T> {
    fn schema_name() -> Cow<'static, str> {
        T::SCHEMA.0.into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let choice = |choice: &Choice<T>| json!({"description": choice.0.help(), "type": "string", "const": choice.0.name()});
        let choices: Vec<Value> = T::CHOICES.iter().map(choice).collect();
        json_schema!({"description": T::SCHEMA.1, "oneOf": choices})
    }
}

/// The values of an option that are wire-mcp's, with their help.
macro_rules! choices {
    ($type:ident, $name:literal, $description:literal, $($value:ident => $help:literal,)+) => {
        impl Choose for $type {
            const SCHEMA: (&'static str, &'static str) = ($name, $description);
            const CHOICES: &'static [Choice<Self>] = &[$(Choice($type::$value)),+];

            fn name(self) -> &'static str {
                $type::name(self)
            }

            fn help(self) -> &'static str {
                let values = [$(($type::$value, $help)),+];
                values.into_iter().find(|(value, _)| *value == self).map_or("", |(_, help)| help)
            }
        }
    };
}

choices! {
    Format, "FormatName", "A format of texts.",
    Json => "Minified JSON.",
    Gcf => "The generic profile of GCF.",
    Gcx => "GCX1, for lists of objects.",
}

choices! {
    Structured, "StructuredName", "Policy for `structuredContent`.",
    Keep => "Keep it.",
    Drop => "Drop it if the text has the same value; `outputSchema` is removed from the tools.",
    Auto => "As `drop` for clients that are known to show the model this field, alone or with the text, and to run no code over it.",
    Text => "Keep it, and write its text into results without a text, for clients that show the model texts alone; this costs tokens.",
}

choices! {
    Policy, "PolicyName", "Whether results are rewritten.",
    On => "Results are rewritten.",
    Off => "Everything passes byte for byte.",
    Minify => "Results stay JSON, at most minified: for small local models.",
}

choices! {
    Repeats, "RepeatsName", "Which results become references to earlier ones.",
    Exact => "Results that are equal to an earlier one.",
    Delta => "Those, and results that differ from an earlier one in few members.",
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

pub(crate) fn forms(names: &[FormatName]) -> Vec<Format> {
    names.iter().map(|Choice(format)| *format).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_can_be_chosen() {
        assert_eq!(forms(Format::CHOICES), Format::ALL);
        assert_eq!(Structured::CHOICES.len(), Structured::ALL.len());
        assert_eq!(Policy::CHOICES.len(), Policy::ALL.len());
        let error = PolicyName::try_from("yes".to_owned()).unwrap_err();
        assert_eq!(error, "\"yes\" is unknown, expected one of: on, off, minify");
    }
}
