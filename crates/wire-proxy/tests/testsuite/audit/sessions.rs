//! Small sessions, in the shapes observed of Claude Code 2.1.331, Codex 0.169.0, Copilot CLI
//! 1.0.102, and of OpenCode, Gemini CLI, Qwen Code, Cline and Continue of the same week.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use serde_json::{Value, json};
use wire_tokens::{Counter, TokenCounter};

/// The result of a server.
fn orders() -> String {
    orders_of(20)
}

fn orders_of(count: u32) -> String {
    let order = |id: u32| json!({"id": id, "customer": (["Ada", "Grace", "Edsger"][id as usize % 3]), "total": id * 7, "paid": id.is_multiple_of(2)});
    serde_json::to_string_pretty(&(1..=count).map(order).collect::<Vec<_>>()).unwrap()
}

fn blocks() -> Value {
    json!([{"type": "text", "text": orders()}])
}

fn lines(values: &[Value]) -> String {
    values.iter().flat_map(|value| [value.to_string(), "\n".to_owned()]).collect()
}

/// A call, its result, and as many requests with it.
pub(crate) fn claude_code(after: u64) -> String {
    let request = |id: u64, content: Value| {
        json!({
            "type": "assistant", "uuid": format!("a{id}"), "sessionId": "s", "version": "2.1.331", "requestId": format!("r{id}"),
            "message": {
                "id": format!("m{id}"), "role": "assistant", "model": "m", "content": content,
                "usage": {"input_tokens": 4, "cache_creation_input_tokens": 900, "cache_read_input_tokens": 16000}
            }
        })
    };
    let call =
        json!([{"type": "tool_use", "id": "t1", "name": "mcp__shop__list_orders", "input": {}}]);
    let result = json!([{"type": "tool_result", "tool_use_id": "t1", "content": blocks()}]);
    let result = json!({
        "type": "user", "uuid": "u1", "sessionId": "s", "version": "2.1.331",
        "message": {"role": "user", "content": result}
    });
    let said = json!([{"type": "text", "text": "Done."}]);
    let later = (1..=after).map(|id| request(id, said.clone()));
    let all: Vec<Value> = [request(0, call), result].into_iter().chain(later).collect();
    lines(&all)
}

fn codex() -> String {
    let line = |kind: &str, payload: Value| json!({"timestamp": "2026-11-25T08:00:00Z", "type": kind, "payload": payload});
    let usage = |id: &str| {
        let usage = json!({"input_tokens": 9000, "cached_input_tokens": 8000});
        line("token_usage_record", json!({"response_id": id, "usage": usage}))
    };
    let call = json!({"type": "function_call", "name": "list_orders", "namespace": "mcp__shop", "arguments": "{}", "call_id": "c1"});
    let item = json!({"type": "McpToolCall", "id": "c1", "server": "shop", "tool": "list_orders", "result": {"content": blocks()}});
    let seen = json!([
        {"type": "input_text", "text": "Wall time: 0.0037 seconds\nOutput:\n"},
        {"type": "input_text", "text": orders()}
    ]);
    let output = json!({"type": "function_call_output", "call_id": "c1", "output": seen});
    lines(&[
        line("session_meta", json!({"cli_version": "0.169.0"})),
        line("response_item", call),
        usage("r1"),
        line("event_msg", json!({"type": "item_completed", "item": item})),
        line("response_item", output),
        usage("r2"),
    ])
}

fn copilot() -> String {
    let own: Value = serde_json::from_str(&orders()).unwrap();
    let call = json!({"toolCallId": "c1", "toolName": "shop-list_orders", "arguments": {}, "mcpServerName": "shop", "mcpToolName": "list_orders"});
    let metrics = json!({"context_current_tokens": 12000.0, "result_token_count": 400});
    let done = json!({"toolCallId": "c1", "success": true, "result": {"content": own.to_string()}, "toolTelemetry": {"metrics": metrics}});
    lines(&[
        json!({"type": "session.start", "data": {"copilotVersion": "1.0.102"}}),
        json!({"type": "assistant.turn_start", "data": {}}),
        json!({"type": "tool.execution_start", "data": call}),
        json!({"type": "tool.execution_complete", "data": done}),
        json!({"type": "assistant.turn_start", "data": {}}),
    ])
}

fn opencode(path: &Path) {
    let database = Connection::open(path).unwrap();
    let tables = "CREATE TABLE session (id TEXT, version TEXT); CREATE TABLE part (id TEXT, session_id TEXT, data TEXT);
        INSERT INTO session VALUES ('s', '1.18.4')";
    database.execute_batch(tables).unwrap();
    let state = json!({"status": "completed", "input": {}, "output": orders(), "metadata": {"truncated": false}});
    let command = json!({"status": "completed", "input": {"command": "gh pr list --json number"}, "output": orders(), "metadata": {"exit": 0, "truncated": false}});
    let usage = json!({"input": 600, "cache": {"read": 9000, "write": 0}});
    for part in [
        json!({"type": "step-start"}),
        json!({"type": "tool", "tool": "shop_list_orders", "callID": "o1", "state": state}),
        json!({"type": "tool", "tool": "bash", "callID": "o2", "state": command}),
        json!({"type": "step-finish", "tokens": usage}),
        json!({"type": "step-start"}),
        json!({"type": "step-finish", "tokens": usage}),
    ] {
        let row = ("p", "s", part.to_string());
        database.execute("INSERT INTO part VALUES (?, ?, ?)", row).unwrap();
    }
}

fn gemini() -> String {
    let response = json!({"functionResponse": {"name": "mcp_shop_list_orders", "response": {"output": orders()}}});
    let call = json!({"id": "g1", "name": "mcp_shop_list_orders", "args": {}, "status": "success", "result": [response], "resultDisplay": "uncut"});
    let first = json!({"id": "m1", "type": "gemini", "tokens": {"input": 7000, "cached": 0}});
    let mut whole = first.clone();
    whole["toolCalls"] = json!([call]);
    lines(&[
        json!({"sessionId": "s", "projectHash": "p", "kind": "main"}),
        first,
        json!({"$set": {"lastUpdated": "2026-11-25"}}),
        whole,
        json!({"id": "m2", "type": "gemini", "tokens": {"input": 7700, "cached": 6000}}),
    ])
}

fn qwen() -> String {
    let line = |kind: &str, uuid: &str, parts: Value| {
        json!({
            "uuid": uuid, "sessionId": "s", "type": kind, "version": "0.19.2", "message": {"parts": parts},
            "usageMetadata": {"promptTokenCount": 15000, "cachedContentTokenCount": 12000}
        })
    };
    let arguments = json!({"name": "mcp__shop__list_orders", "arguments": {}});
    let output = json!({"id": "q1", "name": "tool_call", "response": {"output": orders()}});
    lines(&[
        line(
            "assistant",
            "1",
            json!([{"functionCall": {"id": "q1", "name": "tool_call", "args": arguments}}]),
        ),
        line("tool_result", "2", json!([{"functionResponse": output}])),
        line("assistant", "3", json!([{"text": "Done."}])),
    ])
}

fn cline() -> String {
    let call = json!({"type": "tool_use", "id": "l1", "name": "shop__list_orders", "input": {}});
    let stored = json!({"content": blocks()}).to_string();
    let result = json!({"type": "tool_result", "tool_use_id": "l1", "name": "shop__list_orders", "content": stored});
    let metrics = json!({"inputTokens": 11000, "cacheReadTokens": 9000});
    json!({"messages": [
        {"role": "assistant", "content": [call], "metrics": metrics},
        {"role": "user", "content": [result]},
        {"role": "assistant", "content": [{"type": "text", "text": "Done."}], "metrics": metrics}
    ]})
    .to_string()
}

fn continue_cli() -> String {
    let function = json!({"name": "list_orders", "arguments": "{}"});
    let state = json!({"toolCallId": "n1", "toolCall": {"id": "n1", "function": function}, "status": "done", "output": [{"content": blocks().to_string(), "name": "Tool Result"}]});
    json!({"sessionId": "s", "history": [
        {"message": {"role": "assistant", "content": ""}, "toolCallStates": [state]},
        {"message": {"role": "assistant", "content": "Done."}}
    ]})
    .to_string()
}

/// A request as the provider counts it.
pub(crate) struct Request {
    pub(crate) read: u64,
    pub(crate) written: u64,
    pub(crate) new: u64,
}

/// A session with a call for each result, of so many orders.
#[derive(Default)]
pub(crate) struct Long {
    pub(crate) results: Vec<u32>,
    /// What is written to the cache stays for an hour.
    pub(crate) is_for_an_hour: bool,
}

impl Long {
    /// The instructions and the definitions of tools, and what the model writes for a call.
    const START: u64 = 16_000;
    const CALL: u64 = 90;
    /// What is behind the last mark of what is to be cached.
    const NEW: u64 = 4;

    /// The usage by Anthropic's rules: each request reads what the one before wrote or read.
    pub(crate) fn requests(&self) -> Vec<Request> {
        let mut prompts = vec![Long::START];
        for orders in &self.results {
            let result = Counter::O200kBase.count(&orders_of(*orders)) as u64;
            prompts.push(prompts[prompts.len() - 1] + Long::CALL + result);
        }
        let before = std::iter::once(0).chain(prompts.iter().map(|prompt| prompt - Long::NEW));
        let one = |(prompt, read): (&u64, u64)| Request {
            read,
            written: prompt - read - Long::NEW,
            new: Long::NEW,
        };
        prompts.iter().zip(before).map(one).collect()
    }

    /// What a request costs, in tokens that no cache has.
    pub(crate) fn price(&self, own: &Request) -> f64 {
        let write = if self.is_for_an_hour { 2.0 } else { 1.25 };
        own.new as f64 + write * own.written as f64 + 0.1 * own.read as f64
    }

    pub(crate) fn claude_code(&self) -> String {
        let mut all = Vec::new();
        for (id, own) in self.requests().iter().enumerate() {
            let call = json!([{"type": "tool_use", "id": format!("t{id}"), "name": "mcp__shop__list_orders", "input": {}}]);
            let hour = if self.is_for_an_hour { own.written } else { 0 };
            let usage = json!({
                "input_tokens": own.new, "cache_creation_input_tokens": own.written, "cache_read_input_tokens": own.read,
                "cache_creation": {"ephemeral_5m_input_tokens": own.written - hour, "ephemeral_1h_input_tokens": hour}
            });
            let message = json!({"id": format!("m{id}"), "role": "assistant", "model": "m", "content": call, "usage": usage});
            all.push(json!({"type": "assistant", "uuid": format!("a{id}"), "sessionId": "s", "version": "2.1.331", "requestId": format!("r{id}"), "message": message}));
            if let Some(orders) = self.results.get(id) {
                let blocks = json!([{"type": "text", "text": orders_of(*orders)}]);
                let result = json!([{"type": "tool_result", "tool_use_id": format!("t{id}"), "content": blocks}]);
                all.push(json!({"type": "user", "uuid": format!("u{id}"), "sessionId": "s", "version": "2.1.331", "message": {"role": "user", "content": result}}));
            }
        }
        lines(&all)
    }

    pub(crate) fn copilot(&self, is_recorded: bool) -> String {
        let requests = self.requests();
        let mut all = vec![json!({"type": "session.start", "data": {"copilotVersion": "1.0.102"}})];
        for (id, own) in requests.iter().enumerate() {
            all.push(json!({"type": "assistant.turn_start", "data": {}}));
            if let Some(orders) = self.results.get(id) {
                let id = format!("c{id}");
                let call = json!({"toolCallId": id, "toolName": "shop-list_orders", "arguments": {}, "mcpServerName": "shop", "mcpToolName": "list_orders"});
                let metrics = json!({"context_current_tokens": own.read + own.written + own.new});
                let done = json!({"toolCallId": id, "success": true, "result": {"content": orders_of(*orders)}, "toolTelemetry": {"metrics": metrics}});
                all.push(json!({"type": "tool.execution_start", "data": call}));
                all.push(json!({"type": "tool.execution_complete", "data": done}));
            }
        }
        let sum = |part: fn(&Request) -> u64| requests.iter().map(part).sum::<u64>();
        let usage = json!({"inputTokens": sum(|own| own.read + own.written + own.new), "cacheReadTokens": sum(|own| own.read)});
        let metrics = json!({"gpt-5": {"usage": usage}});
        if is_recorded {
            all.push(json!({"type": "session.shutdown", "data": {"modelMetrics": metrics}}));
        }
        lines(&all)
    }
}

/// Writes a session of each client.
pub(crate) fn write(folder: &Path) {
    opencode(&folder.join("opencode.db"));
    for (name, text) in [
        ("claude-code.jsonl", claude_code(3)),
        ("codex.jsonl", codex()),
        ("copilot.jsonl", copilot()),
        ("gemini.jsonl", gemini()),
        ("qwen.jsonl", qwen()),
        ("cline.messages.json", cline()),
        ("continue.json", continue_cli()),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
}
