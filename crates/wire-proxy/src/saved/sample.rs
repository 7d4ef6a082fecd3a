//! A small MCP server, for `wire-proxy try` where no server is configured: orders, and a graph of
//! calls.

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};

use crate::failure::Failure;

/// Answers requests until standard input ends.
pub(crate) fn run() -> Result<u8, Failure> {
    let failed = |error: io::Error| Failure::Io(error.to_string());
    for line in io::stdin().lock().lines() {
        let Ok(request) = serde_json::from_str::<Value>(&line.map_err(failed)?) else { continue };
        let Some(id) = request.get("id") else { continue };
        let answer = match result(&request) {
            Some(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            None => {
                json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "not offered"}})
            }
        };
        writeln!(io::stdout().lock(), "{answer}").map_err(failed)?;
    }
    Ok(0)
}

fn result(request: &Value) -> Option<Value> {
    let tool = |name: &str, description: &str| {
        json!({"name": name, "description": description, "inputSchema": {"type": "object"},
            "annotations": {"readOnlyHint": true}})
    };
    match request["method"].as_str()? {
        "initialize" => Some(json!({
            "protocolVersion": request["params"]["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "sample", "version": env!("CARGO_PKG_VERSION")},
        })),
        "tools/list" => Some(json!({"tools": [
            tool("list_orders", "Twenty orders."),
            tool("call_graph", "Functions, and which of them call which."),
        ]})),
        "tools/call" => {
            let value = match request["params"]["name"].as_str()? {
                "list_orders" => orders(),
                "call_graph" => graph(),
                _ => return None,
            };
            // As the SDKs write it: twice, and the text with white space.
            let text = json!({"type": "text", "text": format!("{value:#}")});
            Some(json!({"content": [text], "structuredContent": {"result": value}}))
        }
        _ => None,
    }
}

fn orders() -> Value {
    const CUSTOMERS: [&str; 4] = ["Ann Varga", "Bo Lind", "Cleo Diaz", "Dev Okafor"];
    let order = |(number, customer): (u32, &&str)| {
        json!({
            "order_id": 58101 + number,
            "customer": customer,
            "due": format!("2026-{:02}-{:02}", number % 9 + 1, number * 7 % 28 + 1),
            "total": f64::from(2000 + number * 3713 % 30_000) / 100.0,
            "paid": number % 3 != 0,
        })
    };
    (0..20).zip(CUSTOMERS.iter().cycle()).map(order).collect()
}

fn graph() -> Value {
    const NAMES: [&str; 8] =
        ["main", "read", "parse", "check", "convert", "encode", "write", "report"];
    let function = |(number, name): (usize, &&str)| json!({"name": name, "file": format!("src/{name}.rs"), "line": 10 + number * 17});
    let functions: Vec<Value> = NAMES.iter().enumerate().map(function).collect();
    let call = |number: usize| json!({"from": NAMES[number % 8], "to": NAMES[(number * 3 + 1) % 8], "calls": number % 4 + 1});
    json!({"functions": functions, "calls": (0..16).map(call).collect::<Vec<_>>()})
}
