//! Counters of the engine, and the page of them for Prometheus. No contents, no names of tools.

use std::collections::HashMap;
use std::time::Duration;

use wire_mcp::chat::Chat;

use crate::http::metrics::family;
use crate::serve::answers::ROUTES;

/// Sums over the requests so far.
#[derive(Debug, Default)]
pub(super) struct Totals {
    /// Answers by the name of their route and the first digit of their status.
    pub(super) answers: HashMap<(&'static str, u16), usize>,
    /// The time from the heads of these requests to their answers.
    pub(super) answering: Duration,
    /// The time spent on bodies, and their bytes.
    pub(super) rewriting: Duration,
    pub(super) bytes: usize,
    /// The counts of these bodies.
    pub(super) chats: Chat,
}

impl Totals {
    /// A body was rewritten, or looked at.
    pub(super) fn rewrote(&mut self, chat: &Chat, bytes: usize, elapsed: Duration) {
        self.rewriting += elapsed;
        self.bytes += bytes;
        self.chats.results += chat.results;
        self.chats.changed += chat.changed;
        self.chats.tokens = self.chats.tokens.plus(chat.tokens);
    }

    /// The page, in the text format of Prometheus, with the requests and the bytes under way.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    pub(super) fn page(&self, requests: usize, bytes: usize) -> String {
        let Chat { results, changed, tokens, .. } = &self.chats;
        let answers = ROUTES.iter().flat_map(|route| (2..6).map(move |digit| (route.name, digit)));
        let answers = answers.map(|answer @ (name, digit)| {
            let count = self.answers.get(&answer).copied().unwrap_or_default();
            (format!("{{route=\"{name}\",status=\"{digit}xx\"}}"), count as f64)
        });
        let stages = [("came", tokens.came), ("went", tokens.went)];
        let tokens = stages.map(|(stage, n)| (format!("{{stage=\"{stage}\"}}"), n as f64));
        let seconds = |time: Duration| vec![(String::new(), time.as_secs_f64())];
        let one = |count: usize| vec![(String::new(), count as f64)];

        let mut page = String::new();
        let mut add = |name, help, samples| family(&mut page, name, "counter", help, samples);
        let help = "Requests by what they ask for and the status of the answer.";
        add("requests_total", help, answers.collect());
        let help = "Time from the heads of these requests to their answers.";
        add("request_seconds_total", help, seconds(self.answering));
        add("request_bytes_total", "Bytes of the bodies that were looked at.", one(self.bytes));
        add("results_total", "Results of tools in them, again in each request.", one(*results));
        add("rewritten_results_total", "Those that were rewritten.", one(*changed));
        add("result_tokens_total", "Tokens of the texts of results.", tokens.to_vec());
        add("rewriting_seconds_total", "Time spent on these bodies.", seconds(self.rewriting));
        let help = "Requests that are read or worked on.";
        family(&mut page, "requests_under_way", "gauge", help, one(requests));
        family(&mut page, "bytes_under_way", "gauge", "Bytes of their bodies.", one(bytes));
        page
    }
}
