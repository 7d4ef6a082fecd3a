//! What clients would show the model of the same results.

use std::fmt::Write as _;

use serde_json::{Value, json};
use wire_mcp::{Clients, Options, Proxy, Structured, Tokens};
use wire_tokens::Counter;
use wire_tokens::measure::part_saved;

/// A row for each client that was observed and has a name. Results that say where on this machine
/// the run was are left out.
pub(crate) fn table(lines: &str, folder: &str) -> String {
    let mut page = String::from(
        "\n## What clients show\n\nThe same results, also those that are left alone, by the views in\n[the table of clients](../clients.md#what-is-known-of-each-client), with `--structured auto`.\n\n| client | as sent | through the proxy | fewer |\n|---|--:|--:|--:|\n",
    );
    let lines = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let direct: Vec<Value> = lines.filter(|line| line["policy"] == "keep").collect();
    for client in &Clients::known().clients {
        let is_observed = client.shows.as_ref().is_some_and(|shows| shows.observed.is_some());
        let Some(name) = client.names.first().filter(|_| is_observed) else { continue };
        let hello = json!({"clientInfo": {"name": name.replace('*', "server")}});
        let options = || Options::new(Counter::O200kBase).structured(Structured::Auto);
        let mut proxy = Proxy::new(options());
        let mut sum = Tokens::default();
        for line in &direct {
            let result = &line["direct"];
            if line["kind"] == "tools" {
                // The next server.
                proxy = Proxy::new(options().statistics(true));
                ask(&proxy, "initialize", &hello, &json!({}));
                ask(&proxy, "tools/list", &json!({}), &json!({"tools": result}));
            } else if !result.to_string().contains(folder) {
                let view = ask(&proxy, "tools/call", &json!({"name": line["tool"]}), result);
                sum = sum.plus(view.unwrap_or_default());
            }
        }
        let part = 100.0 * part_saved(sum.came, sum.went);
        let _ = writeln!(page, "| {} | {} | {} | {part:.1} % |", client.title, sum.came, sum.went);
    }
    page
}

/// A request and its answer; what the client shows of it.
fn ask(proxy: &Proxy, method: &str, params: &Value, result: &Value) -> Option<Tokens> {
    proxy.from_client(json!({"id": 1, "method": method, "params": params}).to_string().as_bytes());
    let answer = json!({"id": 1, "result": result}).to_string();
    proxy.from_server(answer.as_bytes()).calls.first()?.view
}
