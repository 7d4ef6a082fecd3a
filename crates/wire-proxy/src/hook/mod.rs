//! `wire-proxy hook`: the output of an agent's tool goes back with fewer tokens and the same values
//! (ruling H1). Whatever happens, the program exits with 0: what is not changed has no answer.

mod commands;
mod event;
mod options;

use std::io::{self, Read, Write};
use std::panic;
use std::time::Instant;

use wire_mcp::wire_core::TokenCounter;
use wire_mcp::wire_core::text::offset_in;
use wire_mcp::{Call, CallRecord, Left, Limit, rewrite};

use crate::agents::Agent;
#[cfg(test)]
use crate::agents::HookOf;
use crate::failure::{Failure, print, say};
use crate::hook::commands::Commands;
use crate::hook::event::read;
use crate::log::Recorder;
use crate::text::printable;

pub(crate) use event::{Past, Reason, made};
pub(crate) use options::{Hook, HookSettings, settings_of};

/// Answers an event, or says what the answer would be.
pub(crate) fn run(options: &Hook) -> Result<u8, Failure> {
    let Some(agent) = options.of.0 else { return test(options) };
    // The agent's output counts more than what went wrong.
    if let Ok(Err(error)) = panic::catch_unwind(|| answer(agent, options)) {
        say(format_args!("the output is not changed: {error}"));
    }
    Ok(0)
}

fn answer(agent: Agent, options: &Hook) -> Result<(), String> {
    let start = Instant::now();
    let settings = options::settings(options);
    // Read in any case: an agent may take a pipe that breaks for an error.
    let most = settings.as_ref().map_or(0, |settings| settings.event_bytes);
    let event = input(most).map_err(|error| error.to_string())?;
    let (settings, Ok(event)) = (settings?, event) else { return Ok(()) };
    let mut records = Vec::new();
    if let Ok(answer) = rewritten(agent, &event, &settings, &mut records) {
        writeln!(io::stdout(), "{answer}").map_err(|error| error.to_string())?;
    }
    if let Some(path) = settings.stats.as_deref() {
        let mut recorder = Recorder::open(path)?;
        let elapsed = start.elapsed();
        for record in &records {
            recorder.call(record, elapsed);
        }
    }
    Ok(())
}

/// Standard input. What is too large is read to its end, so that the agent can write all of it.
pub(crate) fn input(most: usize) -> io::Result<Result<String, Reason>> {
    let mut bytes = Vec::new();
    let mut stdin = io::stdin().lock();
    stdin.by_ref().take((most as u64).saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() > most {
        io::copy(&mut stdin, &mut io::sink())?;
        return Ok(Err(Reason::TooLarge(most)));
    }
    Ok(String::from_utf8(bytes).map_err(|error| Reason::Unknown(error.to_string())))
}

/// The answer to an event. Records are made of outputs that are not changed, too.
pub(crate) fn rewritten(
    agent: Agent,
    text: &str,
    settings: &HookSettings,
    records: &mut Vec<CallRecord>,
) -> Result<String, Reason> {
    let commands = Commands::new(settings.commands.iter().map(String::as_str));
    let event = read(agent, text, &commands)?;
    let row = agent.row();
    let hook = row.hook.as_ref().expect("because its event was read");
    let shows = if event.mcp.is_some() { &hook.mcp } else { &hook.commands };
    // Cline shows the whole list or object as one JSON text.
    let cuts = |text: &str| match shows.limit {
        Some(Limit::Characters { most, .. }) => text.chars().count() > most,
        _ => false,
    };
    if cuts(event.base) {
        return Err(Reason::Result(Left::Cut, Left::Cut.to_string()));
    }
    let mut reason = Reason::Failed;
    let mut went = String::new();
    let mut at = 0;
    for output in &event.outputs {
        let start = offset_in(event.base.as_bytes(), output.raw.as_ptr());
        let start = start.expect("because an output is a slice of the base");
        let (before, after) = output.kind.around();
        let tools: Vec<&str> = output.tools.iter().map(String::as_str).collect();
        let result = format!("{before}{}{after}", output.raw);
        let call = Call::of(&tools).client(&*row.client).shown(shows);
        let call = call.arguments(event.mcp.unwrap_or_default());
        let found = rewrite(&settings.options, &call, &result);
        let by = found.record.as_ref().and_then(|record| record.decided.clone());
        records.extend(found.record);
        match found.result {
            Ok(new) => {
                went.push_str(&event.base[at..start]);
                went.push_str(&new[before.len()..new.len() - after.len()]);
                at = start + output.raw.len();
            }
            Err(unchanged) => {
                // Of the names that the tool may have, the first whose words decided.
                let decides = |tool: &&&str| unchanged.is_by_words_of(tool);
                let tool = tools.iter().find(decides).copied().unwrap_or_default();
                reason = Reason::Result(unchanged, unchanged.of(tool, by.as_deref()));
            }
        }
    }
    if at == 0 {
        return Err(reason);
    }
    went.push_str(&event.base[at..]);
    let is_fewer = || settings.counter.count(&went) < settings.counter.count(event.base);
    if cuts(&went) || agent.is("cline") && !is_fewer() {
        // They are not what went out.
        records.clear();
        return Err(Reason::Result(Left::Cut, Left::Cut.to_string()));
    }
    let (before, after) = event.around;
    Ok(format!("{before}{went}{after}"))
}

/// `wire-proxy hook test`.
fn test(options: &Hook) -> Result<u8, Failure> {
    let mut settings = options::settings(options).map_err(Failure::Usage)?;
    settings.options = settings.options.statistics(true);
    let event = input(settings.event_bytes).map_err(|error| Failure::Io(error.to_string()))?;
    let Some(agent) = event.as_ref().ok().and_then(|event| event::agent(event)) else {
        let reason = event.err().map_or_else(
            || "expected the event of an agent's hook, as JSON".to_owned(),
            |reason| reason.to_string(),
        );
        return print(format!("unchanged: {reason}\n").as_bytes());
    };
    let mut records = Vec::new();
    let answer = rewritten(agent, event.as_deref().unwrap_or_default(), &settings, &mut records);
    let text = match answer {
        Err(reason) => format!("unchanged: {}\n", printable(&reason.to_string())),
        Ok(answer) => {
            let shown = || records.iter().filter_map(|record| record.view);
            let went: usize = shown().map(|tokens| tokens.went).sum();
            let came: usize = shown().map(|tokens| tokens.came).sum();
            format!("{went} tokens instead of {came}:\n{answer}\n")
        }
    };
    print(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use wire_mcp::says_the_same;

    use super::*;

    /// The last line of an output.
    const COPILOT: &str = "\n<shellId: 0 completed with exit code 0>";

    /// Numbers that are the same in each run.
    struct Random(u64);

    impl Random {
        fn below(&mut self, most: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            usize::try_from(self.0 >> 33).unwrap() % most
        }

        fn one<'a>(&mut self, texts: &[&'a str]) -> &'a str {
            texts[self.below(texts.len())]
        }

        fn text(&mut self) -> String {
            const PARTS: [&str; 22] = [
                "a",
                "x y",
                "7",
                ": ",
                ", ",
                "\n",
                "\r\n",
                "\t",
                "\"",
                "\\",
                "{",
                "[",
                "]",
                "}",
                "|",
                "<b>",
                "</b>",
                "\u{1b}[31m",
                "\u{0}\u{7f}",
                "\u{fffd}",
                "日本",
                "\u{2028}",
            ];
            (0..self.below(9)).map(|_| PARTS[self.below(PARTS.len())]).collect()
        }

        fn value(&mut self, depth: usize) -> Value {
            const NUMBERS: [&str; 7] =
                ["0", "-0.0", "1.50", "1e400", "12345678901234567890123", "7", "1E-3"];
            match self.below(if depth == 0 { 4 } else { 7 }) {
                0 => Value::Null,
                1 => json!(self.below(2) == 1),
                2 => serde_json::from_str(NUMBERS[self.below(7)]).unwrap_or(json!(7)),
                3 => json!(self.text()),
                4 => (0..self.below(5)).map(|_| self.value(depth - 1)).collect(),
                5 => self.rows(),
                _ => (0..self.below(5)).map(|_| (self.text(), self.value(depth - 1))).collect(),
            }
        }

        fn rows(&mut self) -> Value {
            let count = self.below(20);
            (0..count)
                .map(|id| json!({"id": id, "name": self.text(), "open": self.below(2) == 1}))
                .collect()
        }

        fn json(&mut self) -> String {
            let value = if self.below(2) == 0 { self.rows() } else { self.value(3) };
            match self.below(3) {
                0 => serde_json::to_string_pretty(&value).unwrap(),
                // Digits that a number of serde does not hold, and a name twice.
                1 => value
                    .to_string()
                    .replace("\"id\":7", "\"id\":12345678901234567890123,\"id\":1.0"),
                _ => value.to_string(),
            }
        }

        /// The output of a command.
        fn output(&mut self) -> String {
            let (json, text) = (self.json(), self.text());
            let said = self.one(&["Found:", "Rows (3)", "That is all.", &text]).to_owned();
            match self.below(10) {
                0 | 1 => json,
                9 => json!({"result": format!("These are the rows:\n{json}")}).to_string(),
                2 => format!("{said}\n{json}\n{}", self.one(&["That is all.", &text])),
                3 => format!("```json\n{json}\n```\n{said}"),
                4 => format!("<r>{json}</r>\n{said}\nMore: {json}"),
                5 => format!("{{\"id\":1,\"s\":{text:?}}}\n").repeat(self.below(9)),
                6 => json.replace('{', "\u{1b}[1m{").replace(',', ",\u{1b}[0m"),
                7 => json.chars().take(self.below(json.len() + 1)).collect(),
                _ => format!("\u{feff}{json}{}", self.one(&["\n", "", " \r\n", "GCX1 tool=x\n"])),
            }
        }
    }

    /// The event of an agent with these texts, and where its texts are, before and after.
    fn event(agent: Agent, is_mcp: bool, texts: &[String]) -> (Value, &'static str, &'static str) {
        const COMMAND: &str = "gh pr list --json number";
        let blocks: Value =
            texts.iter().map(|text| json!({"type": "text", "text": text})).collect();
        let (text, is_cline) = (texts[0].clone(), agent.is("cline"));
        let (tool, text, came, went) = match (&*agent.row().name, is_mcp) {
            ("claude-code", _) => {
                let tool = if is_mcp { "mcp__a__list" } else { "Bash" };
                (tool, text, "/tool_response", "/hookSpecificOutput/updatedToolOutput")
            }
            ("copilot", true) => ("a-list", text, "/toolResult", "/modifiedResult"),
            ("copilot", false) => {
                let text = format!("{text}{COPILOT}");
                ("bash", text, "/toolResult", "/modifiedResult")
            }
            ("opencode", false) => ("bash", text, "/output/output", "/output"),
            ("cline", false) => {
                let commands = json!([
                    {"query": COMMAND, "result": text, "success": true},
                    {"query": "cat a", "result": text, "success": true}
                ]);
                ("run_commands", commands.to_string(), "/output", "/output")
            }
            _ if is_cline => {
                ("a__list", json!({"content": blocks}).to_string(), "/output", "/output")
            }
            _ => ("a_list", text, "/output", ""),
        };
        let past =
            Past { tool, is_mcp, command: COMMAND, file: None, text, blocks, is_text: false };
        (made(agent, &past).unwrap(), came, went)
    }

    /// The texts of an output, in their order.
    fn texts(value: &Value) -> Vec<&str> {
        match value {
            Value::String(text) => vec![text],
            Value::Array(items) => items.iter().flat_map(texts).collect(),
            Value::Object(members) => members.values().flat_map(texts).collect(),
            _ => Vec::new(),
        }
    }

    fn assert_same(came: &str, went: &str) {
        // Copilot's own line is no part of the output.
        let [came, went] = [came, went].map(|text| text.strip_suffix(COPILOT).unwrap_or(text));
        // A form is all of a text that is JSON; else every other byte stays.
        let value = serde_json::from_str::<Value>(came);
        let is_new = value.is_ok() && came != went;
        // What is wrapped goes out without its wrapping.
        let wrapped = value.ok().and_then(|value| Some(value.get("result")?.as_str()?.to_owned()));
        let came = match &wrapped {
            Some(inner) if is_new => inner,
            _ if is_new => came.trim(),
            _ => came,
        };
        assert!(says_the_same(came, went), "{came}\n---\n{went}");
    }

    #[test]
    fn no_output_changes_its_value_or_has_more_tokens() {
        let options = Hook { of: HookOf(None), config: Some("/dev/null".into()), stats: None };
        let settings = options::settings(&options).unwrap();
        let mut random = Random(7);
        let mut changed = 0;
        for _ in 0..1000 {
            let agents: Vec<Agent> = Agent::hooked().collect();
            let agent = agents[random.below(agents.len())];
            let is_mcp = random.below(2) == 1;
            let outputs: Vec<String> = (0..=random.below(3)).map(|_| random.output()).collect();
            let (event, came, went) = event(agent, is_mcp, &outputs);
            let mut records = Vec::new();
            let answer = rewritten(agent, &event.to_string(), &settings, &mut records);
            let Ok(text) = answer else { continue };
            changed += 1;
            let answer: Value = serde_json::from_str(&text).unwrap();
            let (came, went) = (event.pointer(came).unwrap(), answer.pointer(went).unwrap());
            let (before, after) = (texts(came), texts(went));
            if before.len() == after.len() {
                std::iter::zip(&before, &after)
                    .for_each(|(before, after)| assert_same(before, after));
            } else {
                // A row a block became one list.
                let rows: Vec<&str> = outputs.iter().map(String::as_str).collect();
                let list = after.iter().find(|text| text.len() > 9).unwrap();
                assert_same(&format!("[{}]", rows.join(",")), list);
            }
            let tokens = |value: &Value, texts: &[&str]| {
                if agent.is("cline") {
                    return settings.counter.count(&value.to_string());
                }
                texts.iter().map(|text| settings.counter.count(text)).sum()
            };
            assert!(tokens(went, &after) < tokens(came, &before), "{text}");
        }
        assert!(changed > 300, "{changed}");
    }
}
