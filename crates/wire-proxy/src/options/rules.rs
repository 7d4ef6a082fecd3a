//! Settings for some tools and clients, as the file says them.

use schemars::JsonSchema;
use serde::Deserialize;
use wire_mcp::{InvalidPattern, Policy, Rule, Structured};

use crate::options::names::{Choice, FormatName, NamePattern, PolicyName, StructuredName, forms};

/// Settings for the tools and clients that match.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RuleTable {
    /// A pattern of names of tools; every tool by default.
    tools: Option<NamePattern>,
    /// A pattern of names of clients, as in their `clientInfo`; every client by default.
    clients: Option<NamePattern>,
    /// Whether results are rewritten.
    policy: Option<PolicyName>,
    /// Policy for `structuredContent`.
    structured: Option<StructuredName>,
    /// Whether results are not rewritten, as for tools that read files.
    verbatim: Option<bool>,
    /// Formats to try.
    formats: Option<Vec<FormatName>>,
}

impl RuleTable {
    pub(crate) fn verbatim(tools: NamePattern, is_verbatim: bool) -> Self {
        RuleTable { tools: Some(tools), verbatim: Some(is_verbatim), ..RuleTable::default() }
    }

    pub(crate) fn forget_policy(&mut self) {
        self.policy = None;
    }

    pub(crate) fn is_off(&self) -> bool {
        self.policy.is_some_and(|own| own.0 == Policy::Off)
    }

    /// Takes out what a folder's file may not say (ruling C1), and returns its names.
    pub(crate) fn keep_what_a_folder_may_say(&mut self) -> impl Iterator<Item = &'static str> {
        let taken = [
            (self.policy.take_if(|own| own.0 == Policy::On).is_some(), "rules.policy"),
            (
                self.structured.take_if(|own| own.0 != Structured::Keep).is_some(),
                "rules.structured",
            ),
            (self.verbatim.take_if(|own| !*own).is_some(), "not-verbatim"),
        ];
        taken.into_iter().filter_map(|(is_taken, name)| is_taken.then_some(name))
    }

    pub(crate) fn rule(&self) -> Result<Rule, InvalidPattern> {
        let mut rule = Rule::new();
        if let Some(NamePattern(pattern)) = &self.tools {
            rule = rule.tools(pattern)?;
        }
        if let Some(NamePattern(pattern)) = &self.clients {
            rule = rule.clients(pattern)?;
        }
        if let Some(Choice(policy)) = self.policy {
            rule = rule.policy(policy);
        }
        if let Some(Choice(structured)) = self.structured {
            rule = rule.structured(structured);
        }
        if let Some(formats) = &self.formats {
            rule = rule.formats(&forms(formats));
        }
        if let Some(verbatim) = self.verbatim {
            rule = rule.verbatim(verbatim);
        }
        Ok(rule)
    }
}
