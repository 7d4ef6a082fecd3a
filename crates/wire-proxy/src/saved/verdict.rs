//! The client's view of a server's results: as the server sends them, and through the proxy. Each
//! client has proxies of its own, which get the frames of one session.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use wire_mcp::{CallRecord, Client as Row, Clients, Left, Proxy, Structured, Tokens};

use crate::agents::Agent;
use crate::init::saving;
use crate::options::names::{Choice, NamePattern};
use crate::options::{Options, file};
use crate::saved::table::{Sum, Table, TableFormat, drawn};
use crate::text::{change, grouped, printable};

/// Where a request without `initialize` has the information about the client.
const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";

/// A client's view under some options.
struct Shadow {
    /// The options, as the command line has them; `None` for those that tools are named by.
    options: Option<String>,
    proxy: Proxy,
    calls: Vec<CallRecord>,
}

impl Shadow {
    fn new(config: &Options, options: &Options, said: Option<String>) -> Result<Self, String> {
        let proxy = Proxy::new(file::options(config, options, None)?.statistics(true));
        Ok(Shadow { options: said, proxy, calls: Vec::new() })
    }

    /// The rows of tools.
    fn table(&self) -> Table {
        let mut table = Table::default();
        for call in &self.calls {
            if let Some(view) = call.view {
                table.of(&call.tool).add(view, call.content, 0.0);
            }
        }
        table
    }

    fn tokens(&self) -> Tokens {
        let calls = self.calls.iter().filter_map(|call| call.view);
        calls.fold(Tokens::default(), Tokens::plus)
    }
}

/// A client, with the options that save there first, and others that could save more.
pub(crate) struct Verdict {
    row: &'static Row,
    shadows: Vec<Shadow>,
}

/// The verdicts of the client that is named, or of those that `init` knows.
pub(crate) fn of(
    client: Option<&str>,
    config: &Options,
    options: &Options,
    found: &[Agent],
) -> Result<Vec<Verdict>, String> {
    let rows = match client {
        Some(name) => vec![row(name)?],
        None if found.is_empty() => Agent::configured().map(Agent::client).collect(),
        None => found.iter().map(|agent| agent.client()).collect(),
    };
    rows.into_iter().map(|row| Verdict::new(row, config, options)).collect()
}

/// The row of a client by its name for `init`, in `clientInfo`, or in the table.
pub(crate) fn row(name: &str) -> Result<&'static Row, String> {
    let table = Clients::known();
    let titled = |row: &&Row| row.title.eq_ignore_ascii_case(name);
    let row = Agent::named(name)
        .map(Agent::client)
        .or_else(|| table.named(name))
        .or_else(|| table.clients.iter().find(titled));
    match row {
        Some(row) if row.shows.is_some() && !row.names.is_empty() => Ok(row),
        Some(row) => Err(format!(
            "--client: {} can't be recognized by a name, or what it shows is not known, so the proxy counts every view; leave --client out",
            row.title
        )),
        None => {
            let known = table.clients.iter().filter(|row| row.shows.is_some());
            let names: Vec<&str> = known.flat_map(|row| &row.names).map(|name| &**name).collect();
            Err(format!("--client: {name:?} is unknown, expected one of: {}", names.join(", ")))
        }
    }
}

impl Verdict {
    fn new(row: &'static Row, config: &Options, options: &Options) -> Result<Self, String> {
        let with = |structured: Option<Structured>, verbatim: bool| {
            let structured = structured.map(Choice).or(options.structured);
            let mut options = Options { structured, ..options.clone() };
            if !verbatim {
                options.not_verbatim.push(NamePattern("*".to_owned()));
            }
            options
        };
        let own = options.structured.map(|policy| policy.0).or_else(|| saving(row));
        let said = |policy: Option<Structured>| match policy {
            Some(policy) if policy != Structured::Keep => format!("--structured {}", policy.name()),
            _ => String::new(),
        };
        let mut shadows = vec![
            Shadow::new(config, &with(own, true), Some(said(own)))?,
            Shadow::new(config, &with(own, false), None)?,
        ];
        if !matches!(own, Some(Structured::Drop | Structured::Auto)) {
            let drop = Some(Structured::Drop);
            shadows.push(Shadow::new(config, &with(drop, true), Some(said(drop)))?);
        }
        Ok(Verdict { row, shadows })
    }

    /// A message that goes to the server, as this client would send it.
    pub(crate) fn asks(&self, message: &Value) {
        let mut message = message.clone();
        let name = self.row.names.first().map_or("", |name| &**name).replace('*', "server");
        for info in [
            "/params/clientInfo/name".to_owned(),
            format!("/params/_meta/{}/name", CLIENT_INFO.replace('/', "~1")),
        ] {
            if let Some(own) = message.pointer_mut(&info) {
                *own = json!(name);
            }
        }
        let text = message.to_string();
        for shadow in &self.shadows {
            shadow.proxy.from_client(text.as_bytes());
        }
    }

    /// A frame of the server.
    pub(crate) fn gets(&mut self, frame: &[u8]) {
        for shadow in &mut self.shadows {
            shadow.calls.extend(shadow.proxy.from_server(frame).calls);
        }
    }

    /// What the client shows of all calls.
    pub(crate) fn sum(&self) -> Sum {
        self.shadows[0].table().total()
    }

    /// The options that save there, and what they save.
    fn said(&self) -> String {
        let options = self.shadows[0].options.as_ref().filter(|options| !options.is_empty());
        let with = options.map_or(String::new(), |options| format!(" with {options}"));
        format!("{with}: {}", self.sum().said())
    }

    /// Which other options would save more, or why none does.
    fn notes(&self) -> Vec<String> {
        let (main, others) = self.shadows.split_first().expect("because there are two at least");
        let Tokens { came, went, .. } = main.tokens();
        let mut notes = Vec::new();
        let reprs = main.calls.iter().filter(|call| call.repr).map(|call| &*call.tool);
        for tool in reprs.collect::<BTreeSet<&str>>() {
            notes.push(format!(
                "{} answers in Python's repr: `json.dumps` in the server would save as much",
                printable(tool)
            ));
        }
        let best = others.iter().min_by_key(|shadow| shadow.tokens().went);
        match best.map(|best| (best, best.tokens().went)) {
            Some((best, fewer)) if fewer < went => {
                let options = best.options.clone().unwrap_or_else(|| self.not_verbatim());
                let percent = change(came, fewer);
                notes.push(format!("{options}: {} ({percent})", grouped(fewer as u64)));
            }
            _ if went == came => notes.push(format!("no option saves here: {}", self.reason())),
            _ => {}
        }
        notes
    }

    /// The option that rewrites the tools which are left alone by their names.
    fn not_verbatim(&self) -> String {
        let calls =
            self.shadows[0].calls.iter().filter(|call| call.left.is_some_and(Left::is_by_name));
        let names: BTreeSet<&str> = calls.map(|call| &*call.tool).collect();
        let options: Vec<String> =
            names.iter().map(|name| format!("--not-verbatim {}", printable(name))).collect();
        options.join(" ")
    }

    /// Why no option saves anything: the reason of most results where no tool is left alone by its
    /// name.
    fn reason(&self) -> String {
        let calls = &self.shadows[1].calls;
        if calls.is_empty() {
            return "there is no result that could be rewritten".to_owned();
        }
        let reasons = calls.iter().map(|call| call.left.unwrap_or(Left::NoFewer));
        let count = |left: &Left| reasons.clone().filter(|other| other == left).count();
        sentence(reasons.clone().max_by_key(count).unwrap_or(Left::NoFewer))
    }

    /// The rows of tools, as this client shows their results.
    pub(crate) fn table(&self) -> (String, Table) {
        let heading = format!("Tools, as {} shows their results:", self.row.title);
        (heading, self.shadows[0].table())
    }

    /// The fate of the results of a tool, and why.
    fn explain(&self, tool: &str) -> Vec<String> {
        let calls = self.shadows[0].calls.iter().filter(|call| call.tool == tool);
        let one = |call: &CallRecord| {
            let Tokens { came, went, .. } = call.view.unwrap_or(call.content);
            let forms: Vec<&str> = call.formats.iter().map(|format| format.name()).collect();
            let mut line =
                format!(": {} → {} tokens; ", grouped(came as u64), grouped(went as u64));
            line += &match call.left {
                Some(left) if left.is_by_name() => format!(
                    "kept: {}; to rewrite: --not-verbatim {}",
                    printable(&left.of(tool)),
                    printable(tool)
                ),
                Some(left) => format!("left alone: {}", sentence(left)),
                None if forms.is_empty() => "the text stays".to_owned(),
                None => format!("written as {}", forms.join(", ")),
            };
            line += if call.unwrapped { ", unwrapped" } else { "" };
            line += if call.repr {
                "; a Python repr: `json.dumps` in the server would save as much"
            } else {
                ""
            };
            line += match (call.structured, call.dropped, call.repeats) {
                (None, ..) => "",
                (_, true, _) => "; `structuredContent` is removed",
                (_, _, true) => {
                    "; `structuredContent` says the same and stays: --structured drop removes it"
                }
                (_, _, false) => "; `structuredContent` stays: the text does not say the same",
            };
            line
        };
        calls.map(one).collect()
    }
}

/// Lines that begin with a name and its clients; equal ones are one.
fn lines<'v>(name: &str, of: impl Iterator<Item = (&'v Verdict, String)>) -> Vec<String> {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for (verdict, said) in of {
        let title = &*verdict.row.title;
        match groups.iter_mut().find(|(own, _)| *own == said) {
            Some((_, titles)) => titles.push(title),
            None => groups.push((said, vec![title])),
        }
    }
    let line = |(said, mut titles): (String, Vec<&str>)| {
        titles.dedup();
        let show = if titles.len() > 1 { "show" } else { "shows" };
        format!("{}, as {} {show} it{said}", printable(name), titles.join(", "))
    };
    groups.into_iter().map(line).collect()
}

/// What is saved on a server: a line for each group of clients.
pub(crate) fn said(server: &str, verdicts: &[Verdict]) -> Vec<String> {
    let one = |verdict: &Verdict| {
        let Tokens { came, went, .. } = verdict.sum().tokens;
        let checked = if went < came { ", values checked equal" } else { "" };
        [verdict.said() + checked].into_iter().chain(verdict.notes()).collect::<Vec<_>>().join("; ")
    };
    lines(server, verdicts.iter().map(|verdict| (verdict, one(verdict))))
}

/// Why results of a tool were left alone, or what they were written as.
pub(crate) fn explained(tool: &str, verdicts: &[Verdict]) -> Vec<String> {
    let each =
        |verdict| Verdict::explain(verdict, tool).into_iter().map(move |said| (verdict, said));
    lines(tool, verdicts.iter().flat_map(each))
}

/// All servers in one table, those that save most first, and which are worth the proxy.
pub(crate) fn summary(tried: &[(String, Vec<Verdict>)]) -> String {
    let mut rows: Vec<(Vec<String>, Sum)> = Vec::new();
    let mut notes = Vec::new();
    for (server, verdicts) in tried {
        for verdict in verdicts {
            let (title, sum) = (&verdict.row.title, verdict.sum());
            match rows
                .iter_mut()
                .find(|(names, own)| names[0] == *server && own.tokens == sum.tokens)
            {
                Some((names, _)) if names[1].split(", ").any(|own| own == title) => {}
                Some((names, _)) => names[1] += &format!(", {title}"),
                None if sum.calls > 0 => rows.push((vec![server.clone(), title.clone()], sum)),
                None => {}
            }
        }
        let own = |verdict| (verdict, format!(": {}", Verdict::notes(verdict).join("; ")));
        let own = verdicts.iter().filter(|verdict| verdict.sum().calls > 0).map(own);
        notes.extend(lines(server, own.filter(|(_, said)| said != ": ")));
    }
    let fewer = |sum: &Sum| sum.tokens.came.saturating_sub(sum.tokens.went);
    rows.sort_by_key(|(_, sum)| std::cmp::Reverse(fewer(sum)));
    let mut total = Sum::default();
    for (_, sum) in &rows {
        total.plus(sum);
    }
    let mut gaining: Vec<&str> = Vec::new();
    for (names, _) in rows.iter().filter(|(_, sum)| fewer(sum) > 0) {
        if !gaining.contains(&&*names[0]) {
            gaining.push(&names[0]);
        }
    }
    let advice = match &*gaining {
        [] => "none of them gains by the proxy".to_owned(),
        names => {
            let count = if names.len() == 1 { "this one" } else { "these" };
            format!("wrap {count}, by `init CLIENT --server NAME`: {}", names.join(", "))
        }
    };
    let mut text = drawn(&["server", "client"], rows, TableFormat::Text);
    if total.calls > 0 {
        text += &format!("\nOf all your servers: {}; {}.\n", total.said(), printable(&advice));
    }
    for note in notes {
        text += &format!("  {note}\n");
    }
    text
}

/// The reason, with the option that changes it.
fn sentence(left: Left) -> String {
    let option = match left {
        Left::NoText => "; --structured text writes one, which costs tokens",
        Left::Schema => "; --structured drop removes the schema",
        _ => "",
    };
    format!("{left}{option}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_are_found_by_each_of_their_names() {
        for name in ["claude-code", "Claude Code", "claude code"] {
            assert_eq!(row(name).unwrap().title, "Claude Code");
        }
        assert_eq!(row("qwen-cli-mcp-client-x").unwrap().title, "Qwen Code");
        assert!(row("Mastra").unwrap_err().contains("counts every view"));
        assert!(row("nobody").unwrap_err().contains("expected one of: claude-code"));
    }
}
