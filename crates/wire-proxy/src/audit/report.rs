//! The report for people.

#![allow(clippy::cast_precision_loss)] // counts are far below 2^52

use std::collections::BTreeMap;
use std::fmt::Write;

use comfy_table::CellAlignment;
use comfy_table::presets::NOTHING;

use crate::audit::changes::{self, Change};
use crate::audit::options::Audit;
use crate::audit::simulate::{REWRITTEN, Simulator};
use crate::audit::totals::{ClientSums, Key, Sums, Totals};
use crate::options::file;
use crate::text::{grouped, in_shell, printable, share};

/// The most rows of the table for people; `--json` has all.
const MOST_ROWS: usize = 30;

/// The sums, and what follows from them.
pub(crate) struct Report<'a> {
    pub(crate) totals: &'a Totals,
    pub(crate) total: Sums,
    pub(crate) clients: ClientSums,
    pub(crate) changes: Vec<Change>,
    /// The rows, those with the most tokens first.
    pub(crate) rows: Vec<(&'a Key, &'a Sums)>,
    pub(crate) counter: String,
    /// Of a million tokens of input.
    price: Option<f64>,
}

impl<'a> Report<'a> {
    pub(crate) fn new(totals: &'a Totals, options: &Audit, simulator: &Simulator) -> Self {
        let mut rows: Vec<_> = totals.rows.iter().collect();
        rows.sort_by_key(|(key, sums)| (std::cmp::Reverse(sums.tokens), *key));
        Report {
            totals,
            total: totals.total(),
            clients: totals.all_clients(),
            changes: changes::of(totals, &options_file(options)),
            rows,
            counter: simulator.counter.name().to_string(),
            price: options.price,
        }
    }

    /// The first line.
    pub(crate) fn verdict(&self) -> String {
        let total = &self.total;
        if total.results == 0 {
            return "no tool results".to_owned();
        }
        let (sent, prompts) = (self.clients.sent_of_prompts, self.clients.prompts);
        // Prompts that are smaller than what is in them were not all counted.
        let of_input = if prompts == 0 || sent > prompts {
            "an unknown share of all input".to_owned()
        } else {
            format!("{} of all input", share(sent, prompts))
        };
        let ways = match (total.hook > 0, total.proxy > 0, total.drops > 0) {
            (true, _, true) => "the hook and drop",
            (true, true, false) => "the hook and the proxy",
            (true, false, false) => "the hook",
            (false, _, true) => "the proxy and drop",
            (false, ..) => "the proxy",
        };
        format!(
            "{} tool results, {} tokens, {of_input}; {} ({}) less with {ways}",
            grouped(total.results),
            short(total.tokens),
            short(total.saved),
            share(total.saved, total.tokens),
        )
    }

    /// Sentences on how often results were sent, caches and money.
    pub(crate) fn sentences(&self) -> Vec<String> {
        let (total, clients) = (&self.total, &self.clients);
        let mut said = vec![
            format!(
                "Counted once, by {}: {} tokens, {} less. As often as they were sent, with {} requests: {} tokens, {} less.",
                self.counter,
                grouped(total.tokens),
                grouped(total.saved),
                grouped(clients.requests),
                grouped(total.again),
                grouped(total.saved_again)
            ),
            format!(
                "By form alone: {} less with json, {} with gcf, {} with gcx.",
                grouped(total.forms[0]),
                grouped(total.forms[1]),
                grouped(total.forms[2])
            ),
        ];
        if clients.contexts > 0 {
            said.push(format!(
                "Results were {} of the contexts at their largest.",
                share(clients.once, clients.contexts)
            ));
        }
        if clients.prompts > 0 {
            said.push(format!(
                "All prompts had {} tokens, by the providers' own counts; {} ({}) of these are cached prompt tokens, which providers count as input too.",
                grouped(clients.prompts),
                grouped(clients.cached),
                share(clients.cached, clients.prompts)
            ));
        }
        if let Some(price) = self.price {
            let cost = |tokens: u64| tokens as f64 * price / 1e6;
            said.push(format!(
                "At {price} a million tokens of input: {:.4} less if each result is paid once, {:.4} if with each request. What comes from a cache costs less.",
                cost(total.saved),
                cost(total.saved_again)
            ));
        }
        said
    }

    /// The results that were not rewritten, and why.
    fn reasons(&self) -> Vec<(&'static str, u64, u64)> {
        let whys = self.totals.whys.iter().filter(|(why, _)| **why != REWRITTEN);
        let mut whys: Vec<_> =
            whys.map(|(why, (results, tokens))| (*why, *results, *tokens)).collect();
        whys.sort_by_key(|(sentence, _, tokens)| (std::cmp::Reverse(*tokens), *sentence));
        whys
    }

    /// The files that were not read, or not as it was observed.
    pub(crate) fn unread(&self) -> Vec<String> {
        let mut said = Vec::new();
        for (reason, skipped) in &self.totals.skipped {
            let names: Vec<String> = skipped.names.iter().map(|name| printable(name)).collect();
            let more = if skipped.files > names.len() as u64 { ", …" } else { "" };
            let files = grouped(skipped.files);
            said.push(format!("{reason}: {files} ({}{more})", names.join(", ")));
        }
        for (source, sums) in &self.totals.clients {
            let title = source.title();
            if sums.broken > 0 {
                said.push(format!("{title}: {} broken lines", grouped(sums.broken)));
            }
            if sums.odd > 0 {
                said.push(format!("{title}: {} results of an unknown shape", grouped(sums.odd)));
            }
            let observed = source.shows().1;
            let later = sums.versions.iter().filter(|(version, _)| is_later(version, observed));
            for (version, sessions) in later.take(MOST_ROWS) {
                said.push(format!(
                    "{title} {}: {} sessions of a version later than {observed}, which was observed",
                    printable(version),
                    grouped(*sessions)
                ));
            }
        }
        said
    }

    /// All of it as text.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("{}\n", self.verdict());
        // To write to a string can't fail.
        let mut line = |line: &str| {
            let _ = writeln!(text, "{}", line.trim_end());
        };
        line("");
        self.table().to_string().lines().for_each(&mut line);
        if self.rows.len() > MOST_ROWS {
            line(&format!("  and {} more; --json has all", self.rows.len() - MOST_ROWS));
        }
        if !self.changes.is_empty() {
            line("\nWhat saves most:");
        }
        for change in &self.changes {
            line(&format!(
                "  {}\n    {} tokens less: {}",
                change.command,
                grouped(change.saved),
                change.what
            ));
        }
        line("");
        self.sentences().iter().for_each(|sentence| line(sentence));
        let reasons = self.reasons();
        if !reasons.is_empty() {
            line("\nLeft as they are:");
        }
        for (sentence, results, tokens) in reasons {
            line(&format!(
                "  {sentence}: {} results, {} tokens",
                grouped(results),
                grouped(tokens)
            ));
        }
        let unread = self.unread();
        let (files, bytes) = (grouped(self.totals.files), self.totals.bytes as f64 / 1e6);
        line(&format!(
            "\nRead: {files} files, {bytes:.1} MB. {}",
            if unread.is_empty() { "" } else { "But:" }
        ));
        for said in unread {
            line(&format!("  {said}"));
        }
        for ((source, server, tool), sums) in &self.rows {
            if let Some((_, sample)) = &sums.sample {
                let name = printable(&name(server.as_deref(), tool));
                line(&format!("\n{} {name}:\n  {}", source.title(), sample.escape_debug()));
            }
        }
        text
    }

    fn table(&self) -> comfy_table::Table {
        let mut table = comfy_table::Table::new();
        let header = [
            "client", "server", "tool", "results", "tokens", "json", "gcf", "gcx", "saved", "sent",
        ];
        table.load_preset(NOTHING).set_header(header);
        for ((source, server, tool), sums) in self.rows.iter().take(MOST_ROWS) {
            table.add_row(row([source.title(), server_name(server.as_deref()), tool], sums));
        }
        let mut clients: BTreeMap<_, Sums> = BTreeMap::new();
        self.rows
            .iter()
            .for_each(|((source, ..), sums)| clients.entry(source).or_default().plus(sums));
        for (source, sums) in &clients {
            table.add_row(row([source.title(), "all", "all"], sums));
        }
        table.add_row(row(["all", "all", "all"], &self.total));
        for column in table.column_iter_mut().skip(3) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table
    }
}

fn row(names: [&str; 3], sums: &Sums) -> Vec<String> {
    let [json, gcf, gcx] = sums.forms;
    let numbers = [sums.results, sums.tokens, json, gcf, gcx, sums.saved, sums.again];
    names.map(printable).into_iter().chain(numbers.map(grouped)).collect()
}

/// The name of a server for people.
pub(crate) fn server_name(server: Option<&str>) -> &str {
    match server {
        None => "-",
        Some("") => "?",
        Some(server) => server,
    }
}

/// A tool with its server.
pub(crate) fn name(server: Option<&str>, tool: &str) -> String {
    server.map_or_else(|| tool.to_owned(), |server| format!("{} {tool}", server_name(Some(server))))
}

/// A large number with one digit after the point.
fn short(tokens: u64) -> String {
    if tokens < 100_000 { grouped(tokens) } else { format!("{:.1} M", tokens as f64 / 1e6) }
}

/// The file of options that counts, as a shell reads it.
fn options_file(options: &Audit) -> String {
    let own = options.config.clone().map_or_else(file::own_path, Ok);
    own.map_or_else(|_| "wire-proxy.toml".to_owned(), |path| in_shell(&path.to_string_lossy()))
}

/// Returns `true` if a version is later than the one whose sessions were observed, but for the last
/// of its numbers.
fn is_later(version: &str, observed: &str) -> bool {
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
