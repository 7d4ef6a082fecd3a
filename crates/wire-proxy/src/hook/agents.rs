//! Agents that let a hook replace the output of a tool, as observed. What they show is data, in
//! `agents.json`.

use std::sync::OnceLock;

use serde::Deserialize;
use serde::de::IgnoredAny;
use wire_mcp::Shows;

/// An agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Agent {
    ClaudeCode,
    Copilot,
    Opencode,
    Cline,
}

/// Facts about an agent's hook.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    agent: Agent,
    /// Its common name.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the page, which a test compares"))]
    title: String,
    /// Its name in `clientInfo`.
    pub(crate) client: String,
    /// The version whose hooks were observed.
    #[cfg_attr(not(test), expect(dead_code, reason = "as above"))]
    observed: String,
    /// The day of the observation.
    #[cfg_attr(not(test), expect(dead_code, reason = "as above"))]
    date: String,
    /// Its part of the answer for a command.
    pub(crate) commands: Shows,
    /// The same for a tool of an MCP server.
    pub(crate) mcp: Shows,
}

impl Agent {
    /// The agent that this event is of.
    pub(crate) fn of(event: &str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Marks {
            agent: Option<Agent>,
            tool_response: Option<IgnoredAny>,
            #[serde(rename = "toolResult")]
            tool_result: Option<IgnoredAny>,
        }
        let marks: Marks = serde_json::from_str(event).ok()?;
        let claude_code = marks.tool_response.map(|_| Agent::ClaudeCode);
        marks.agent.or(claude_code).or(marks.tool_result.map(|_| Agent::Copilot))
    }

    pub(crate) fn row(self) -> &'static Row {
        let mut rows = rows().iter();
        rows.find(|row| row.agent == self).expect("because a test finds every agent")
    }
}

fn rows() -> &'static [Row] {
    static ROWS: OnceLock<Vec<Row>> = OnceLock::new();
    ROWS.get_or_init(|| {
        serde_json::from_str(include_str!("agents.json")).expect("because a test reads the table")
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_page_names_the_observed_versions() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/hook.md");
        let page = fs::read_to_string(page).unwrap();
        for agent in [Agent::ClaudeCode, Agent::Copilot, Agent::Opencode, Agent::Cline] {
            let Row { title, observed, date, .. } = agent.row();
            assert!(
                page.contains(&format!("{title} {observed}")) && page.contains(date),
                "{title}"
            );
        }
    }
}
