//! The table of tokens: for readers of `content`, of `structuredContent`, and of both.

#![allow(clippy::cast_precision_loss)] // counts are far below 2^52

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;
use wire_core::TokenCounter;
use wire_tokens::Counter;

use super::answers::{Answer, minified};

/// Tokens of what a reader sees.
#[derive(Clone, Copy, Debug, Default)]
struct Tokens {
    came: usize,
    minified: usize,
    went: usize,
}

impl Tokens {
    fn plus(self, other: Tokens) -> Tokens {
        Tokens {
            came: self.came + other.came,
            minified: self.minified + other.minified,
            went: self.went + other.went,
        }
    }
}

const READERS: [&str; 3] = ["`content`", "`structuredContent`", "both"];

/// Sums by server, policy and reader.
pub(crate) struct Table {
    rows: BTreeMap<(String, String), (usize, [Tokens; 3])>,
    /// What readers of `structuredContent` see of the memory server's graph, under `drop`.
    memory: Tokens,
    /// Lists of the Python SDK, one block an item, under `drop`.
    lists: Tokens,
    /// Answers that use more tokens than as sent, or minified.
    worse: Vec<String>,
}

impl Table {
    pub(crate) fn of(answers: &[Answer]) -> Self {
        let mut table = Table {
            rows: BTreeMap::new(),
            memory: Tokens::default(),
            lists: Tokens::default(),
            worse: Vec::new(),
        };
        for answer in answers {
            let readers = tokens(answer);
            let [content, alone, both] = readers;
            // What is left alone, because it may have to be quoted, is not minified.
            let is_verbatim = answer.direct == answer.through;
            if content.went
                > content.came.min(if is_verbatim { content.came } else { content.minified })
            {
                table.worse.push(format!("{} of {}: {content:?}", answer.tool, answer.server));
            }
            let is_read = ["read_graph", "search_nodes", "open_nodes"].contains(&&*answer.tool);
            if answer.policy == "drop" && answer.server == "memory" && is_read {
                table.memory = table.memory.plus(alone);
            }
            let blocks = answer.direct["content"].as_array().map_or(0, Vec::len);
            if answer.policy == "drop"
                && blocks > 2
                && answer.tool.starts_with("list_")
                && answer.tool != "list_names"
            {
                table.lists = table.lists.plus(both);
            }
            // Numbers on a page must not depend on the machine.
            if !answer.has_path {
                let key = (answer.server.clone(), answer.policy.clone());
                let (calls, sums) = table.rows.entry(key).or_default();
                *calls += 1;
                for (sum, tokens) in sums.iter_mut().zip(readers) {
                    *sum = sum.plus(tokens);
                }
            }
        }
        table
    }

    /// What the proxy promises of tokens, and does not hold.
    pub(crate) fn missed(&self) -> Vec<String> {
        let mut missed = self.worse.clone();
        for (what, before, after, least) in [
            (
                "the graph of memory, readers of structuredContent, drop, of minified JSON",
                self.memory.minified,
                self.memory.went,
                18.0,
            ),
            (
                "lists of one block an item, readers of both, drop, of as sent",
                self.lists.came,
                self.lists.went,
                60.0,
            ),
        ] {
            let saved = part(before, after);
            println!("{what}: {before} → {after} tokens, {saved:.1} % fewer, at least {least} %");
            if saved < least {
                missed.push(format!("{what}: {saved:.1} % fewer"));
            }
        }
        missed
    }

    /// The page.
    pub(crate) fn page(&self) -> String {
        let mut page = String::from(
            "# What the proxy saves\n\n\
             Tokens (o200k) of the results of real servers, for the official Python client over stdio, directly and through\n\
             [`wire-proxy`](../proxy.md). Every result was compared with the direct one. `cargo xtask proxy` measures this page.\n\n\
             A client shows a model the text of a result (`content`), `structuredContent`, or both. The policy `keep` is the default;\n\
             `drop` leaves out `structuredContent` where the text says the same.\n\n\
             | server | policy | reader | results | as sent | minified | through the proxy | fewer than minified | fewer than as sent |\n\
             |---|---|---|--:|--:|--:|--:|--:|--:|\n",
        );
        for ((server, policy), (calls, readers)) in &self.rows {
            for (reader, Tokens { came, minified, went }) in READERS.iter().zip(readers) {
                let (of_minified, of_sent) = (part(*minified, *went), part(*came, *went));
                let _ = writeln!(
                    page,
                    "| {server} | {policy} | {reader} | {calls} | {came} | {minified} | {went} | {of_minified:.1} % | {of_sent:.1} % |"
                );
            }
        }
        page.push_str(
            "\nResults without JSON are in the table, too, and stay as they are. `memory`, `filesystem` and `everything` are the npm packages\n\
             of these names; `lists` and `pages` are servers of the Python SDK: lists of models, which come one block an item, and tools\n\
             that come in pages. `read_graph` of `memory` is named as what is rewritten under `drop` (`--not-verbatim read_graph`), and\n\
             is left alone under `keep`.\n",
        );
        page
    }
}

/// What each reader sees of an answer. One without `structuredContent` is its texts for all of
/// them.
fn tokens(answer: &Answer) -> [Tokens; 3] {
    let tokens = |text: &str| Counter::O200kBase.count(text);
    let texts = |result: &Value| -> Vec<String> {
        let blocks = result["content"].as_array().into_iter().flatten();
        blocks.filter_map(|block| Some(block["text"].as_str()?.to_owned())).collect()
    };
    let sum = |texts: &[String]| texts.iter().map(|text| tokens(text)).sum();
    let direct = texts(&answer.direct);
    let small: Vec<String> =
        direct.iter().map(|text| minified(text).unwrap_or_else(|| text.clone())).collect();
    let content =
        Tokens { came: sum(&direct), minified: sum(&small), went: sum(&texts(&answer.through)) };
    let structured = |result: &Value| result.get("structuredContent").map(Value::to_string);
    let Some(came) = structured(&answer.direct).map(|json| tokens(&json)) else {
        return [content; 3];
    };
    let kept = structured(&answer.through).map(|json| tokens(&json));
    let alone = Tokens { came, minified: came, went: kept.unwrap_or(content.went) };
    let both = Tokens { went: content.went + kept.unwrap_or(0), ..content.plus(alone) };
    [content, alone, both]
}

/// How many percent fewer.
fn part(before: usize, after: usize) -> f64 {
    if before == 0 { 0.0 } else { 100.0 - 100.0 * after as f64 / before as f64 }
}
