//! The inputs that this repository makes itself, as JSON: the same bytes everywhere.

use serde_json::Value;

use super::{github, kubernetes, rows};

/// The folder that they are in.
const FOLDER: &str = "fixtures/payloads/real";

/// Each: where it is, and what it holds.
pub(crate) fn made() -> Vec<(String, String)> {
    let inputs: [(&str, Value); 10] = [
        ("kubernetes/pods", kubernetes::pods()),
        ("kubernetes/events", kubernetes::events()),
        ("github/issues", github::issues()),
        ("github/issue_list", github::issue_list()),
        ("github/pull_files", github::pull_files()),
        ("logs/access", rows::access_log()),
        ("logs/application", rows::application_log()),
        ("tables/orders", rows::orders()),
        ("tables/metrics", rows::metrics()),
        ("tables/open_orders", rows::open_orders()),
    ];
    let file =
        |(name, value): (&str, Value)| (format!("{FOLDER}/{name}.json"), format!("{value}\n"));
    inputs.into_iter().map(file).collect()
}
