//! The tables of clients in the documentation, made from the data of `wire-mcp`.

use std::fmt::Write as _;

use wire_mcp::{Client, Clients, Code, Limit, Shows, Statement, View};

/// What nobody observed or stated.
const UNKNOWN: &str = "?";

/// A row a client.
pub(crate) fn table() -> String {
    let table = Clients::known();
    let mut text = String::from(
        "| client | name in `clientInfo` | shows the model | is cut beyond | programs read results | `auto` | note |\n|---|---|---|---|---|---|---|\n",
    );
    for client in &table.clients {
        let names: Vec<String> = client.names.iter().map(|name| format!("`{name}`")).collect();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} |",
            client.title,
            known(&names.join(", ")),
            said(client.shows.as_ref(), shows),
            client
                .shows
                .as_ref()
                .and_then(|shows| shows.what.limit)
                .map_or_else(String::new, limit),
            said(client.code.as_ref(), |code| code_of(*code).to_owned()),
            auto(client),
            client.note.as_deref().unwrap_or_default(),
        );
    }
    text.push_str("\n| client | checks `structuredContent` | `$defs` of a tool | `instructions` |\n|---|---|---|---|\n");
    for Client { title, mcp, .. } in &table.clients {
        let Some(mcp) = mcp.as_ref().map(|said| &said.what) else { continue };
        let checks = if mcp.checks { "yes" } else { "no" };
        let definitions = mcp.definitions.as_deref().unwrap_or("loaded later");
        let _ = writeln!(text, "| {title} | {checks} | {definitions} | {} |", mcp.instructions);
    }
    let _ = writeln!(
        text,
        "\nNo statements were found on {} for {}. Names that were not observed are those of [a public list]({}) of {}.",
        table.not_found.date,
        table.not_found.titles.join(", "),
        table.names.source,
        table.names.date,
    );
    text
}

fn known(text: &str) -> &str {
    if text.is_empty() { UNKNOWN } else { text }
}

/// What was said: observed in a version, or stated on a page, and the day.
fn said<T>(statement: Option<&Statement<T>>, words: fn(&T) -> String) -> String {
    let Some(said) = statement else { return UNKNOWN.to_owned() };
    let basis = match (&said.observed, &said.stated) {
        (Some(version), _) => format!("{version}, {}", said.date),
        (_, Some(page)) => format!("[{}]({page})", said.date),
        _ => panic!("{} has no source", words(&said.what)),
    };
    format!("{}; {basis}", words(&said.what))
}

fn shows(shows: &Shows) -> String {
    let view = match shows.view {
        View::Texts => "`content`",
        View::Structured => "`structuredContent`",
        View::Both => "both",
        View::Array => "`content` as JSON",
        View::Result => "the whole result as JSON",
        other => panic!("{other:?} has no words"),
    };
    let joined = match shows.separator.as_deref() {
        None => "",
        Some("") => ", blocks joined by nothing",
        Some("\n") => ", blocks joined by a line end",
        Some("\n\n") => ", blocks joined by a blank line",
        Some(_) => ", each block between tags",
    };
    let copies = if shows.one_copy { ", one copy of equal ones" } else { "" };
    format!("{view}{joined}{copies}")
}

fn limit(limit: Limit) -> String {
    match limit {
        Limit::Characters { most, alone: true, .. } => {
            format!("{most} characters, if it is one block")
        }
        Limit::Characters { most, .. } => format!("{most} characters"),
        Limit::Bytes { most, .. } => format!("{most} bytes"),
        Limit::Lines { bytes, lines } => format!("{bytes} bytes or {lines} lines"),
        Limit::File { characters, tokens } => {
            format!("{characters} characters or {tokens} tokens: a file for programs")
        }
        other => panic!("{other:?} has no words"),
    }
}

fn code_of(code: Code) -> &'static str {
    match code {
        Code::Never => "no",
        Code::Sometimes => "sometimes",
        Code::Marked => "in calls with a mark, which pass untouched",
        Code::Always => "always",
        other => panic!("{other:?} has no words"),
    }
}

/// What the policy `auto` does there, if the proxy can tell the client by its name.
fn auto(client: &Client) -> &'static str {
    if client.names.is_empty() {
        return "–";
    }
    match (client.passes_untouched(), client.auto_drops()) {
        (true, _) => "untouched",
        (false, true) => "drops",
        (false, false) => "keeps",
    }
}
