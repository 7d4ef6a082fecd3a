//! The changes of configuration that save most, as commands.

use std::collections::BTreeMap;
use std::path::Path;

use crate::agents::Agent;
use crate::audit::totals::{Sums, Totals};
use crate::text::in_shell;

const MOST: usize = 3;

/// A change, and the tokens that it saves, with those before it made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) saved: u64,
    pub(crate) command: String,
    pub(crate) what: String,
}

/// The changes that save most, the largest first; `config` is the file that `--config` names.
pub(crate) fn of(totals: &Totals, config: Option<&Path>) -> Vec<Change> {
    let mut clients: BTreeMap<Agent, Sums> = BTreeMap::new();
    for ((source, ..), row) in &totals.rows {
        clients.entry(*source).or_default().plus(row);
    }
    let mut changes = Vec::new();
    for (source, sums) in clients {
        // The larger of both counts whole, and the other what it adds.
        let (hook, proxy) = if sums.hook >= sums.proxy {
            (sums.hook, sums.proxy_beyond)
        } else {
            (sums.hook_beyond, sums.proxy)
        };
        let title = source.title();
        if source.row().config.is_some() {
            let name = &source.row().name;
            changes.push(Change {
                saved: hook,
                command: format!("wire-proxy init {name} --hook --write"),
                what: format!("the hook of {title}"),
            });
            let drop = if sums.drops > 0 { " --structured drop" } else { "" };
            changes.push(Change {
                saved: proxy,
                command: format!("wire-proxy init {name}{drop} --write"),
                what: format!("the proxy before the servers of {title}"),
            });
        } else {
            let drop = if sums.drops > 0 { " --structured drop" } else { "" };
            changes.push(Change {
                saved: proxy,
                command: format!("wire-proxy{drop} -- COMMAND"),
                what: format!("as the command of each server in the configuration of {title}"),
            });
        }
    }
    let file = config
        .map_or(String::new(), |path| format!(" --config {}", in_shell(&path.to_string_lossy())));
    let mut named: BTreeMap<&str, u64> = BTreeMap::new();
    for ((.., tool), row) in &totals.rows {
        // A name goes into a command, so it must be no more than a name.
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        if tool.chars().all(is_name) {
            *named.entry(tool).or_default() += row.named;
        }
    }
    changes.extend(named.into_iter().map(|(tool, saved)| Change {
        saved,
        command: format!("wire-proxy config --not-verbatim {tool}{file}"),
        what: format!("if no model writes back what {tool} returns, with the hook or the proxy"),
    }));
    changes.retain(|change| change.saved > 0);
    changes.sort_by(|a, b| (b.saved, &a.command).cmp(&(a.saved, &b.command)));
    changes.truncate(MOST);
    changes
}
