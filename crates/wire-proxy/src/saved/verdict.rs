//! The client's view of a server's results: as the server sends them, and through the proxy. Each
//! client has proxies of its own, which get the frames of one session.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use wire_mcp::{CallRecord, Client as Row, Clients, Left, Proxy, Structured, Tokens, View};

use crate::agents::Agent;
use crate::init::saving;
use crate::options::names::{Choice, NamePattern};
use crate::options::{Options, file};
use crate::saved::table::{Sum, Table, TableFormat, drawn};
use crate::text::{change, grouped, in_shell, printable};

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

/// What a client shows of a result, if that is known.
pub(crate) fn view(row: &Row) -> Option<View> {
    row.shows.as_ref().map(|shows| shows.what.view)
}

/// Returns `true` for a view with both `content` and `structuredContent`.
pub(crate) fn shows_both(view: Option<View>) -> bool {
    matches!(view, Some(View::Both | View::Result))
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
        self.table().total()
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
        let left = reasons.clone().max_by_key(count).unwrap_or(Left::NoFewer);
        format!("{left}{}", option(left))
    }

    /// The rows of tools, as this client shows their results.
    fn table(&self) -> Table {
        let mut table = Table::default();
        for call in &self.shadows[0].calls {
            if let Some(shown) = call.view {
                let structured = call.structured.filter(|_| shows_both(view(self.row)));
                table.of(&call.tool).add(shown, structured.map(|_| call.content), 0.0);
            }
        }
        table
    }

    /// The fate of the results of a tool, and why.
    fn explain(&self, tool: &str) -> Vec<String> {
        let calls = self.shadows[0].calls.iter().filter(|call| call.tool == tool);
        let one = |call: &CallRecord| {
            let Tokens { came, went, .. } = call.view.unwrap_or(call.content);
            let forms: Vec<&str> = call.formats.iter().map(|format| format.name()).collect();
            let mut line =
                format!(": {} → {} tokens; ", grouped(came as u64), grouped(went as u64));
            let why = call.why().map(|why| printable(&why)).unwrap_or_default();
            line += &match call.left {
                Some(left) if left.is_by_name() => {
                    format!("kept: {why}; to rewrite: --not-verbatim {}", printable(tool))
                }
                Some(left) => format!("left alone: {why}{}", option(left)),
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

/// A server that was tried, by its name, and what clients show of its results.
pub(crate) type Tried = (String, Vec<Verdict>);

/// What is saved on a server: a line for each group of clients, and a table of its tools.
pub(crate) fn said((server, verdicts): &Tried) -> String {
    let Some(first) = verdicts.first().filter(|first| first.sum().calls > 0) else {
        return String::new();
    };
    let one = |verdict: &Verdict| {
        let Tokens { came, went, .. } = verdict.sum().tokens;
        let checked = if went < came { ", values checked equal" } else { "" };
        [verdict.said() + checked].into_iter().chain(verdict.notes()).collect::<Vec<_>>().join("; ")
    };
    let lines = lines(server, verdicts.iter().map(|verdict| (verdict, one(verdict)))).join("\n");
    let rows = first.table().shown(TableFormat::Text);
    format!("{lines}\n\nTools, as {} shows their results:\n\n{rows}", first.row.title)
}

/// The tools of all servers, as each client shows their results.
pub(crate) fn rows(tried: &[Tried], format: TableFormat) -> String {
    let mut rows = Vec::new();
    for (server, verdicts) in tried {
        for verdict in verdicts {
            let table = verdict.table();
            rows.extend(
                table.rows.into_iter().map(|(tool, sum)| {
                    (vec![server.clone(), verdict.row.title.clone(), tool], sum)
                }),
            );
        }
    }
    drawn(&["server", "client", "tool"], rows, None, format)
}

/// Why results of a tool were left alone, or what they were written as.
pub(crate) fn explained(tool: &str, tried: &[Tried]) -> Vec<String> {
    let of_server = |(server, verdicts): &Tried| {
        let name = match tried {
            [_] => tool.to_owned(),
            _ => format!("{tool} of {server}"),
        };
        let each = |verdict: &Verdict| verdict.explain(tool);
        let each =
            verdicts.iter().flat_map(|own| each(own).into_iter().map(move |said| (own, said)));
        lines(&name, each)
    };
    tried.iter().flat_map(of_server).collect()
}

/// All servers in one table, those that save most first, and what the proxy saves for each client.
pub(crate) fn summary(tried: &[Tried]) -> String {
    let mut rows: Vec<(Vec<String>, Sum)> = Vec::new();
    let mut clients: Vec<(&Row, Vec<(&str, Sum)>)> = Vec::new();
    let mut notes = Vec::new();
    for (server, verdicts) in tried {
        let called = || verdicts.iter().filter(|verdict| verdict.sum().calls > 0);
        for verdict in called() {
            let (title, sum) = (&verdict.row.title, verdict.sum());
            match rows
                .iter_mut()
                .find(|(names, own)| names[0] == *server && own.tokens == sum.tokens)
            {
                Some((names, _)) if names[1].split(", ").any(|own| own == title) => {}
                Some((names, _)) => names[1] += &format!(", {title}"),
                None => rows.push((vec![server.clone(), title.clone()], sum)),
            }
            match clients.iter_mut().find(|(row, _)| row.title == *title) {
                Some((_, servers)) => servers.push((server, sum)),
                None => clients.push((verdict.row, vec![(server, sum)])),
            }
        }
        let own = called().map(|verdict| (verdict, format!(": {}", verdict.notes().join("; "))));
        notes.extend(lines(server, own.filter(|(_, said)| said != ": ")));
    }
    if rows.is_empty() {
        return "no tool was called, so nothing is known; `--call NAME` or `--all`\n".to_owned();
    }
    rows.sort_by_key(|(_, sum)| std::cmp::Reverse(fewer(sum)));
    // A sum of all rows would count a server with several rows several times.
    let names: BTreeSet<&str> = rows.iter().map(|(names, _)| &*names[0]).collect();
    let is_once = names.len() == rows.len();
    let total = is_once.then(|| Sum::of(rows.iter().map(|(_, sum)| sum)));
    let mut text = drawn(&["server", "client"], rows, total, TableFormat::Text);
    for (row, servers) in clients {
        text += &format!(
            "\nOf the results of {} of your servers, as {} shows them: {}\n",
            servers.len(),
            row.title,
            Sum::of(servers.iter().map(|(_, sum)| sum)).said()
        );
        let gaining = servers.iter().filter(|(_, sum)| fewer(sum) > 0);
        let gaining: BTreeSet<String> =
            gaining.map(|(name, _)| format!(" --server {}", in_shell(name))).collect();
        let agent = Agent::configured().find(|agent| agent.title() == row.title);
        if let Some(agent) = agent.filter(|_| !gaining.is_empty()) {
            let names: String = gaining.into_iter().collect();
            let command = format!("wire-proxy init {}{names} --write", agent.row().name);
            text += &format!("  {}\n", printable(&command));
        }
    }
    if !notes.is_empty() {
        text += "\n";
    }
    for note in notes {
        text += &format!("  {note}\n");
    }
    text
}

/// How many tokens fewer a client shows.
fn fewer(sum: &Sum) -> usize {
    sum.tokens.came.saturating_sub(sum.tokens.went)
}

/// The option that changes it.
fn option(left: Left) -> &'static str {
    match left {
        Left::NoText => "; --structured text writes one, which costs tokens",
        Left::Schema => "; --structured drop removes the schema",
        _ => "",
    }
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
