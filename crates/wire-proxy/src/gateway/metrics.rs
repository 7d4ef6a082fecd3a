//! Counters of a server, and the page of them for Prometheus. No contents, no names of tools.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use wire_mcp::Actions;

use crate::http::metrics;

/// The counters of a server.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// Answers by the first digit of their status.
    answers: [AtomicU64; 6],
    unreachable: AtomicU64,
    broken: AtomicU64,
    under_way: AtomicU64,
    rewritten: AtomicU64,
    calls: AtomicU64,
    came: AtomicU64,
    minified: AtomicU64,
    went: AtomicU64,
    nanoseconds: AtomicU64,
}

impl Metrics {
    /// A request came.
    pub(crate) fn began(&self) {
        self.under_way.fetch_add(1, Relaxed);
    }

    /// All of its answer went, or the client went away.
    pub(crate) fn ended(&self) {
        self.under_way.fetch_sub(1, Relaxed);
    }

    /// The server answered with this status.
    pub(crate) fn answered(&self, status: u16) {
        self.answers[usize::from(status / 100).min(5)].fetch_add(1, Relaxed);
    }

    /// The server could not be reached.
    pub(crate) fn unreachable(&self) {
        self.unreachable.fetch_add(1, Relaxed);
    }

    /// An answer broke off.
    pub(crate) fn broke(&self) {
        self.broken.fetch_add(1, Relaxed);
    }

    /// A frame was looked at, and rewritten or not.
    pub(crate) fn looked(&self, actions: &Actions<'_>, is_rewritten: bool, elapsed: Duration) {
        self.rewritten.fetch_add(u64::from(is_rewritten), Relaxed);
        self.nanoseconds.fetch_add(u64::try_from(elapsed.as_nanos()).unwrap_or(0), Relaxed);
        for call in &actions.calls {
            let both = call.both();
            self.calls.fetch_add(1, Relaxed);
            for (sum, tokens) in
                [(&self.came, both.came), (&self.minified, both.minified), (&self.went, both.went)]
            {
                sum.fetch_add(tokens as u64, Relaxed);
            }
        }
    }
}

/// A server on the page.
pub(crate) struct Row<'a> {
    pub(crate) server: &'a str,
    pub(crate) metrics: &'a Metrics,
    pub(crate) sessions: usize,
}

/// A number of a server, with the rest of its labels.
type Sample = (String, f64);

/// The page, in the text format of Prometheus.
#[allow(clippy::cast_precision_loss)] // counts are far below 2^52
pub(crate) fn page(rows: &[Row<'_>]) -> String {
    let one = |counter: fn(&Metrics) -> &AtomicU64| {
        move |row: &Row<'_>| vec![(String::new(), counter(row.metrics).load(Relaxed) as f64)]
    };
    let answers = |row: &Row<'_>| -> Vec<Sample> {
        let samples = row.metrics.answers.iter().enumerate().skip(1);
        samples
            .map(|(digit, n)| (format!(",status=\"{digit}xx\""), n.load(Relaxed) as f64))
            .collect()
    };
    let tokens = |row: &Row<'_>| -> Vec<Sample> {
        let Metrics { came, minified, went, .. } = row.metrics;
        let stages = [("came", came), ("minified", minified), ("went", went)];
        stages.map(|(stage, n)| (format!(",stage=\"{stage}\""), n.load(Relaxed) as f64)).to_vec()
    };
    let seconds =
        |row: &Row<'_>| vec![(String::new(), row.metrics.nanoseconds.load(Relaxed) as f64 / 1e9)];
    let mut page = String::new();
    let mut family =
        |name: &str, kind: &str, help: &str, samples: &dyn Fn(&Row<'_>) -> Vec<Sample>| {
            let of = |row: &Row<'_>| {
                let server = format!("{{server=\"{}\"", row.server);
                let labelled = move |(labels, value)| (format!("{server}{labels}}}"), value);
                samples(row).into_iter().map(labelled)
            };
            metrics::family(&mut page, name, kind, help, rows.iter().flat_map(of));
        };
    family("answers_total", "counter", "Answers of the server by status.", &answers);
    family(
        "unreachable_total",
        "counter",
        "Requests that did not reach the server.",
        &one(|m| &m.unreachable),
    );
    family("broken_answers_total", "counter", "Answers that broke off.", &one(|m| &m.broken));
    family(
        "requests_under_way",
        "gauge",
        "Requests whose answer is not complete.",
        &one(|m| &m.under_way),
    );
    family("sessions", "gauge", "Sessions that are remembered.", &|row| {
        vec![(String::new(), row.sessions as f64)]
    });
    family(
        "rewritten_frames_total",
        "counter",
        "Messages of the server that were rewritten.",
        &one(|m| &m.rewritten),
    );
    family("rewriting_seconds_total", "counter", "Time spent on messages of the server.", &seconds);
    family(
        "calls_total",
        "counter",
        "Calls that were counted; only with --stats.",
        &one(|m| &m.calls),
    );
    family(
        "tokens_total",
        "counter",
        "Tokens of these calls, in both fields together; only with --stats.",
        &tokens,
    );
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire_mcp::{Options, Proxy};
    use wire_tokens::Counter;

    #[test]
    fn the_page_is_text_of_prometheus() {
        let metrics = Metrics::default();
        metrics.began();
        metrics.answered(202);
        let proxy = Proxy::new(Options::new(Counter::O200kBase).statistics(true));
        proxy.from_client(br#"{"id":1,"method":"tools/list"}"#);
        let actions = proxy.from_server(br#"{"id":1,"result":{"tools":[{"name":"a"}]}}"#);
        metrics.looked(&actions, true, Duration::from_millis(1500));
        let page = page(&[Row { server: "mcp", metrics: &metrics, sessions: 3 }]);
        insta::assert_snapshot!(page);
    }
}
