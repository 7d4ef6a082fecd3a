//! The text format of Prometheus.

use std::fmt::Write as _;

/// Appends the samples of a metric: for each its labels, in braces or empty, and its number.
pub(crate) fn family(
    page: &mut String,
    name: &str,
    kind: &str,
    help: &str,
    samples: impl IntoIterator<Item = (String, f64)>,
) {
    let _ = writeln!(page, "# HELP wire_proxy_{name} {help}\n# TYPE wire_proxy_{name} {kind}");
    for (labels, value) in samples {
        let _ = writeln!(page, "wire_proxy_{name}{labels} {value}");
    }
}
