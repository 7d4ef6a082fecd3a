//! The report for people.

#![allow(clippy::cast_precision_loss)] // counts are far below 2^52

use std::collections::BTreeMap;
use std::fmt::Write;

use comfy_table::CellAlignment;
use comfy_table::presets::NOTHING;

use crate::audit::bill::{self, Input};
use crate::audit::changes::{self, Change};
use crate::audit::options::Audit;
use crate::audit::simulate::{REWRITTEN, Simulator};
use crate::audit::totals::{ClientSums, Key, Sums, Totals, Why};
use crate::text::{counted, grouped, printable, share};

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
            changes: changes::of(totals, options.config.as_deref()),
            rows,
            counter: simulator.counter.name().to_string(),
            price: options.price,
        }
    }

    /// The first line.
    pub(crate) fn verdict(&self) -> String {
        let total = &self.total;
        let results = counted(total.results, "tool result");
        if total.saved == 0 {
            return match total.results {
                0 => "no tool results".to_owned(),
                _ => format!("{results}, {} tokens: nothing is saved", grouped(total.tokens)),
            };
        }
        let ways = match (total.hook > 0, total.proxy > 0, total.drops > 0) {
            (true, _, true) => "the hook and drop",
            (true, true, false) => "the hook and the proxy",
            (true, false, false) => "the hook",
            (false, _, true) => "the proxy and drop",
            (false, ..) => "the proxy",
        };
        // Both in the same unit.
        let tokens = |tokens: u64| match total.saved {
            ..1_000_000 => grouped(tokens),
            _ => format!("{:.1} M", tokens as f64 / 1e6),
        };
        let bill = match self.part_of_bill(bill::CACHED) {
            Some(part) => format!("{part} lower, by the providers' cache rules"),
            None => "lower, by how much no session says".to_owned(),
        };
        format!(
            "With {ways} the input bill is {bill}; {} of the {} tokens ({}) of {results} are saved",
            tokens(total.saved),
            tokens(total.tokens),
            share(total.saved, total.tokens),
        )
    }

    /// The part of the input bill that is saved, if that is known; `cached` is the price of a cached
    /// token where sessions do not say the provider.
    fn part_of_bill(&self, cached: u64) -> Option<String> {
        let Input { requests, all, saved, .. } = &self.clients.input;
        let (all, saved) = (all.price(cached), saved.price(cached));
        let part = 100.0 * saved / all;
        match part {
            _ if all <= 0.0 || *requests == 0 => None,
            1.0.. => Some(format!("{part:.0} %")),
            _ => Some("under 1 %".to_owned()),
        }
    }

    /// Sentences on caches, estimates and money.
    pub(crate) fn sentences(&self) -> Vec<String> {
        let Input { requests, estimated, all, saved } = &self.clients.input;
        let counter = format!("Tokens of results are counted by {}", self.counter);
        if all.tokens == 0 {
            return vec![format!("{counter}.")];
        }
        let mut said = vec![format!(
            "{counter}, those of prompts by the providers: {}{}, of which {} were cached. A cached token costs 0.1 of the price, and one that Anthropic writes to its cache 1.25, or 2 for an hour.",
            grouped(all.tokens),
            if *requests > 0 {
                format!(" of {}", counted(*requests, "request"))
            } else {
                String::new()
            },
            share(all.cached, all.tokens)
        )];
        if all.elsewhere > 0 && *requests > 0 {
            let parts = bill::CACHED_ELSEWHERE.map(|cached| self.part_of_bill(cached));
            let [quarter, half] = parts.map(Option::unwrap_or_default);
            said.push(format!(
                "If cached tokens of other providers cost 0.25 of the price, {quarter} of the bill is saved; if 0.5, {half}."
            ));
        }
        if *estimated > 0 {
            said.push(format!(
                "This is an estimate for {}, whose usage no session records one by one: the cache is taken to have the prompt before.",
                counted(*estimated, "request")
            ));
        }
        if let Some(price) = self.price.filter(|_| *requests > 0) {
            let [saved, all] = [saved, all].map(|bill| bill.price(bill::CACHED) * price / 1e6);
            said.push(format!(
                "At a price of {price} for a million tokens, {saved:.4} of {all:.4} is saved."
            ));
        }
        said
    }

    /// The results that were not rewritten, and why.
    fn reasons(&self) -> Vec<(&'static str, &Why)> {
        let whys = self.totals.whys.iter().map(|(sentence, why)| (*sentence, why));
        let mut whys: Vec<_> = whys.filter(|(sentence, _)| *sentence != REWRITTEN).collect();
        whys.sort_by_key(|(sentence, why)| (std::cmp::Reverse(why.tokens), *sentence));
        whys
    }

    /// The files that were not read, or not as it was observed.
    pub(crate) fn unread(&self) -> Vec<String> {
        let mut said = Vec::new();
        for (reason, skipped) in &self.totals.skipped {
            let names: Vec<String> = skipped.names.iter().map(|name| printable(name)).collect();
            let more = if skipped.files > names.len() as u64 { ", …" } else { "" };
            let files = counted(skipped.files, "file");
            said.push(format!("{reason}: {files} ({}{more})", names.join(", ")));
        }
        for (source, sums) in &self.totals.clients {
            let title = source.title();
            if sums.broken > 0 {
                said.push(format!("{title}: {}", counted(sums.broken, "broken line")));
            }
            if sums.odd > 0 {
                said.push(format!("{title}: {} of an unknown shape", counted(sums.odd, "result")));
            }
            let observed = source.shows().1;
            let later = sums.versions.iter().filter(|(version, _)| is_later(version, observed));
            for (version, sessions) in later.take(MOST_ROWS) {
                said.push(format!(
                    "{title} {}: {} of a version later than {observed}, which was observed",
                    printable(version),
                    counted(*sessions, "session")
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
        if self.total.results == 0 {
            self.read().iter().for_each(|said| line(said));
            return text;
        }
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
        for (sentence, Why { results, tokens, decided }) in reasons {
            let results = counted(*results, "result");
            line(&format!("  {sentence}: {results}, {}", counted(*tokens, "token")));
            for by in decided {
                line(&format!("    {}", printable(by)));
            }
        }
        self.read().iter().for_each(|said| line(said));
        for ((source, server, tool), sums) in &self.rows {
            if let Some((_, sample)) = &sums.sample {
                let name = printable(&name(server.as_deref(), tool));
                line(&format!("\n{} {name}:\n  {}", source.title(), sample.escape_debug()));
            }
        }
        text
    }

    /// What was read, and what was not.
    fn read(&self) -> Vec<String> {
        let unread = self.unread();
        let files = counted(self.totals.files, "file");
        let mut said = vec![format!(
            "\nRead: {files}, {:.1} MB. {}",
            self.totals.bytes as f64 / 1e6,
            if unread.is_empty() { "" } else { "But:" }
        )];
        said.extend(unread.into_iter().map(|own| format!("  {own}")));
        said
    }

    fn table(&self) -> comfy_table::Table {
        let mut table = comfy_table::Table::new();
        let header =
            ["client", "server", "tool", "results", "tokens", "json", "gcf", "gcx", "saved"];
        table.load_preset(NOTHING).set_header(header);
        for ((source, server, tool), sums) in self.rows.iter().take(MOST_ROWS) {
            table.add_row(row([source.title(), server_name(server.as_deref()), tool], sums));
        }
        // A sum of one row says nothing new.
        let mut clients: BTreeMap<_, (u64, Sums)> = BTreeMap::new();
        for ((source, ..), sums) in &self.rows {
            let (rows, own) = clients.entry(source).or_default();
            *rows += 1;
            own.plus(sums);
        }
        if clients.len() > 1 {
            for (source, (_, sums)) in clients.iter().filter(|(_, (rows, _))| *rows > 1) {
                table.add_row(row([source.title(), "all", "all"], sums));
            }
        }
        if self.rows.len() > 1 {
            table.add_row(row(["all", "all", "all"], &self.total));
        }
        for column in table.column_iter_mut().skip(3) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table
    }
}

fn row(names: [&str; 3], sums: &Sums) -> Vec<String> {
    let [json, gcf, gcx] = sums.forms;
    let numbers = [sums.results, sums.tokens, json, gcf, gcx, sums.saved];
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
