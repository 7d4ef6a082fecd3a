//! The table of clients in the documentation, made from the data of `wire-mcp`.

use std::fmt::Write as _;

use wire_mcp::{Client, Clients, Code, Shows, Statement};

/// A row a client.
pub(crate) fn table() -> String {
    let table = Clients::known();
    let mut text = String::from(
        "| client | name in `clientInfo` | shows the model | programs read results | `auto` | note |\n|---|---|---|---|---|---|\n",
    );
    for client in &table.clients {
        let names: Vec<String> = client.names.iter().map(|name| format!("`{name}`")).collect();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            client.title,
            known(&names.join(", ")),
            said(client.shows.as_ref(), shows),
            said(client.code.as_ref(), code),
            auto(client),
            client.note.as_deref().unwrap_or_default(),
        );
    }
    let _ = writeln!(
        text,
        "\nNo statements were found on {} for {}. The names are those of [a public list]({}) of {}.",
        table.not_found.date,
        table.not_found.titles.join(", "),
        table.names.source,
        table.names.date,
    );
    text
}

fn known(text: &str) -> &str {
    if text.is_empty() { "not known" } else { text }
}

/// What was said, with its source and day.
fn said<T: Copy>(statement: Option<&Statement<T>>, words: fn(T) -> &'static str) -> String {
    statement.map_or_else(
        || "not known".to_owned(),
        |said| format!("{} ([{}]({}))", words(said.what), said.date, said.source),
    )
}

fn shows(shows: Shows) -> &'static str {
    match shows {
        Shows::Content => "`content`",
        Shows::Structured => "`structuredContent`",
        Shows::Both => "both",
        other => panic!("{other:?} has no words"),
    }
}

fn code(code: Code) -> &'static str {
    match code {
        Code::Never => "no",
        Code::Sometimes => "sometimes",
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
