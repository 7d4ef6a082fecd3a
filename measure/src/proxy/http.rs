//! `cargo xtask proxy --http`: the official clients over streamable HTTP, directly and through the
//! proxy, where every answer is compared with the direct one; logins; and the protocol's suite.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::answers::hold;
use xtask::tools::Outcome;

/// How much the proxy's memory may grow over the last nine of ten thousand calls, in KiB.
const MAX_GROWTH: u64 = 8 << 10;

/// A line of the clients.
#[derive(Deserialize)]
struct Line {
    kind: String,
    server: String,
    policy: String,
    tool: String,
    direct: Value,
    through: Value,
    #[serde(default)]
    seconds: f64,
    #[serde(default)]
    memory: Vec<u64>,
    /// Why a scenario is expected to fail.
    #[serde(default)]
    reason: String,
    /// Of half of the calls, and of 99 %: directly, and through the proxy.
    #[serde(default)]
    milliseconds: [[u64; 2]; 2],
}

/// Fails where a client saw something else through the proxy.
pub(crate) fn judged(lines: &str) -> Outcome {
    if lines.is_empty() {
        return Err("nothing was tried".to_owned());
    }
    let mut compared = BTreeMap::<String, usize>::new();
    for line in lines.lines() {
        let line: Line = serde_json::from_str(line).map_err(|error| format!("{line}: {error}"))?;
        let place = format!("{}, {}, {}", line.server, line.policy, line.tool);
        line.judge().map_err(|problem| format!("{place}: {problem}"))?;
        match &*line.kind {
            "call" => *compared.entry(line.server).or_default() += 1,
            "login" => println!("a login: {}", line.tool),
            "conformance" => {
                let outcome = if line.reason.is_empty() {
                    "passes".to_owned()
                } else {
                    format!("fails as expected: {}", line.reason)
                };
                println!("the protocol's suite: {} {outcome}", line.tool);
            }
            _ => {}
        }
    }
    for (server, calls) in compared {
        println!("{calls:4} answers say what the direct ones say: {server}");
    }
    Ok(())
}

impl Line {
    fn judge(&self) -> Outcome {
        let Line { direct, through, .. } = self;
        let differ = || Err(format!("{direct} became {through}"));
        match &*self.kind {
            "call" | "tools" => {
                let is_error = direct["isError"] == true || direct.get("raised").is_some();
                let is_kept = self.kind == "tools" && self.policy == "keep";
                hold(direct, through, is_error || is_kept)
            }
            // A dead server gives different messages; a client's timeout gives the same one.
            "fault" => {
                let is_own = |outcome: &Value| {
                    let outcome = outcome.as_str().unwrap_or_default();
                    outcome == "answered" || outcome.starts_with("TimeoutError")
                };
                let is_same = direct == through || (!is_own(direct) && !is_own(through));
                if is_same { Ok(()) } else { differ() }
            }
            "sign-in" => {
                let told = direct.as_str().zip(through.as_str());
                let is_told = told.is_some_and(|(direct, through)| through.contains(direct));
                if is_told { Ok(()) } else { differ() }
            }
            "many" => {
                let first = self.memory.first().copied().unwrap_or(0);
                let grown = self.memory.last().copied().unwrap_or(u64::MAX).saturating_sub(first);
                let calls = direct.as_f64().unwrap_or_default();
                println!(
                    "{direct} calls, 32 at once: {:.0} a second, {grown} KiB of memory more at the end, at most {MAX_GROWTH}",
                    calls / self.seconds.max(f64::MIN_POSITIVE)
                );
                if grown > MAX_GROWTH {
                    return Err(format!("memory grows: {:?} KiB", self.memory));
                }
                if direct == through { Ok(()) } else { differ() }
            }
            "crowd" => {
                let memory = self.memory.first().copied().unwrap_or_default() >> 10;
                let [[before, slow_before], [half, slow]] = self.milliseconds;
                println!(
                    "500 clients at once: {through} of {direct} answers are those of their calls; half within {half} ms and 99 % within {slow} ms, directly {before} and {slow_before} ms; {memory} MiB"
                );
                if direct == through { Ok(()) } else { differ() }
            }
            _ if direct == through => Ok(()),
            _ => differ(),
        }
    }
}
