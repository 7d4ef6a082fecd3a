//! Counters of the engine, and the page of them for Prometheus. No contents, no names of tools.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use hyper::StatusCode;

use crate::http::metrics::family;
use crate::serve::answers::{Counts, Route};

#[derive(Debug, Default)]
pub(super) struct Metrics {
    /// Answers of each route by the first digit of their status.
    answers: [[AtomicU64; 6]; Route::ALL.len()],
    nanoseconds: AtomicU64,
    bytes: AtomicU64,
    results: AtomicU64,
    changed: AtomicU64,
    came: AtomicU64,
    went: AtomicU64,
    rewriting: AtomicU64,
}

fn add(counter: &AtomicU64, more: usize) {
    counter.fetch_add(more as u64, Relaxed);
}

fn add_time(counter: &AtomicU64, elapsed: Duration) {
    counter.fetch_add(u64::try_from(elapsed.as_nanos()).unwrap_or(0), Relaxed);
}

impl Metrics {
    /// A request was answered, so long after its head.
    pub(super) fn answered(&self, route: Route, status: StatusCode, elapsed: Duration) {
        let digit = usize::from(status.as_u16() / 100).min(5);
        self.answers[route as usize][digit].fetch_add(1, Relaxed);
        add_time(&self.nanoseconds, elapsed);
    }

    /// A body was rewritten, or looked at.
    pub(super) fn rewrote(&self, counts: &Counts, bytes: usize, elapsed: Duration) {
        add(&self.bytes, bytes);
        add(&self.results, counts.results);
        add(&self.changed, counts.changed);
        add(&self.came, counts.came);
        add(&self.went, counts.went);
        add_time(&self.rewriting, elapsed);
    }

    /// The page, in the text format of Prometheus, with the requests and the bytes under way.
    #[allow(clippy::cast_precision_loss)] // counts are far below 2^52
    pub(super) fn page(&self, requests: usize, bytes: usize) -> String {
        let get = |counter: &AtomicU64| counter.load(Relaxed) as f64;
        let one = |counter| vec![(String::new(), get(counter))];
        let seconds = |counter| vec![(String::new(), get(counter) / 1e9)];
        let answers = Route::ALL.iter().zip(&self.answers).flat_map(|(route, answers)| {
            let name = route.name();
            answers.iter().enumerate().skip(2).map(move |(digit, counter)| {
                (format!("{{route=\"{name}\",status=\"{digit}xx\"}}"), get(counter))
            })
        });
        let stages = [("came", &self.came), ("went", &self.went)];
        let tokens = stages.map(|(stage, n)| (format!("{{stage=\"{stage}\"}}"), get(n)));
        let mut page = String::new();
        for (name, help, samples) in [
            (
                "requests_total",
                "Requests by what they ask for and the status of the answer.",
                answers.collect(),
            ),
            (
                "request_seconds_total",
                "Time from the heads of these requests to their answers.",
                seconds(&self.nanoseconds),
            ),
            ("request_bytes_total", "Bytes of the bodies that were looked at.", one(&self.bytes)),
            (
                "results_total",
                "Results of tools in them, again in each request.",
                one(&self.results),
            ),
            ("rewritten_results_total", "Those that were rewritten.", one(&self.changed)),
            ("result_tokens_total", "Tokens of the texts of results.", tokens.to_vec()),
            ("rewriting_seconds_total", "Time spent on these bodies.", seconds(&self.rewriting)),
        ] {
            family(&mut page, name, "counter", help, samples);
        }
        for (name, help, number) in [
            ("requests_under_way", "Requests that are read or worked on.", requests),
            ("bytes_under_way", "Bytes of their bodies.", bytes),
        ] {
            family(&mut page, name, "gauge", help, vec![(String::new(), number as f64)]);
        }
        page
    }
}
