//! Settings for some tools and clients, as the file says them.

use schemars::JsonSchema;
use serde::Deserialize;
use wire_mcp::{InvalidPattern, Rule};

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
