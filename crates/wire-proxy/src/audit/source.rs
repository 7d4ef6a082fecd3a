//! Whose a session is.

use serde_json::Value;

use crate::agents::Agent;

/// The client of a line of a session, if only one writes such lines.
pub(crate) fn of_line(line: &Value) -> Option<Agent> {
    let has = |name: &str| line.get(name).is_some();
    let kind = line["type"].as_str().unwrap_or_default();
    if has("payload") && has("timestamp") {
        return Agent::named("codex");
    }
    if line["data"].is_object() && kind.contains('.') {
        return Agent::named("copilot");
    }
    if has("$set") || has("projectHash") || kind == "gemini" && has("id") {
        return Agent::named("gemini");
    }
    if has("uuid") && has("sessionId") {
        let message = &line["message"];
        if message.get("parts").is_some() || kind == "tool_result" {
            return Agent::named("qwen");
        }
        return message.get("content").and_then(|_| Agent::named("claude-code"));
    }
    None
}

/// Returns `true` if a version is later than the one whose sessions were observed, but for the last
/// of its numbers.
pub(crate) fn is_later(version: &str, observed: &str) -> bool {
    let numbers = |version: &str| -> Vec<u64> {
        version.split(['.', '-', '+']).map_while(|part| part.parse().ok()).take(2).collect()
    };
    numbers(version) > numbers(observed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_two_numbers() {
        for (version, is_new) in
            [("2.1.999", false), ("2.2.0", true), ("10.0", true), ("1.9", false), ("x", false)]
        {
            assert_eq!(is_later(version, "2.1.331"), is_new, "{version}");
        }
    }
}
