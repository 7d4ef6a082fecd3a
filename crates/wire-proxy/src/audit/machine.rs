//! The report for programs.

use serde_json::{Value, json};

use crate::audit::bill;
use crate::audit::report::Report;

/// All of it as one object.
pub(crate) fn json(report: &Report<'_>) -> String {
    let (total, input, totals) = (&report.total, &report.clients.input, report.totals);
    let row = |sums: &crate::audit::totals::Sums| {
        json!({
            "results": sums.results, "tokens": sums.tokens, "saved": sums.saved,
            "json": sums.forms[0], "gcf": sums.forms[1], "gcx": sums.forms[2],
            "hook": sums.hook, "proxy": sums.proxy, "drop": sums.drops,
        })
    };
    let rows = report.rows.iter().map(|((source, server, tool), sums)| {
        let mut value = row(sums);
        value["client"] = json!(source.title());
        value["server"] = json!(server);
        value["tool"] = json!(tool);
        if let Some((_, sample)) = &sums.sample {
            value["sample"] = json!(sample);
        }
        value
    });
    let changes = report.changes.iter().map(
        |change| json!({"saved": change.saved, "command": change.command, "what": change.what}),
    );
    let skipped = totals.skipped.iter().map(|(reason, skipped)| {
        json!({"reason": reason, "files": skipped.files, "names": skipped.names})
    });
    let sources = totals.clients.iter().map(|(source, sums)| {
        json!({
            "client": source.title(), "sessions": sums.sessions, "requests": sums.input.requests,
            "copies": sums.copies, "broken": sums.broken, "odd": sums.odd, "versions": sums.versions,
        })
    });
    let whys = totals.whys.iter().map(|(reason, why)| {
        json!({
            "reason": reason, "results": why.results, "tokens": why.tokens, "decided": why.decided,
        })
    });
    let value = json!({
        "verdict": report.verdict(),
        "counter": report.counter,
        "total": row(total),
        "input": {
            "requests": input.requests, "estimated_requests": input.estimated,
            "tokens": input.all.tokens, "cached_tokens": input.all.cached,
            "bill": input.all.price(bill::CACHED), "saved": input.saved.price(bill::CACHED),
        },
        "files": totals.files,
        "bytes": totals.bytes,
        "rows": rows.collect::<Vec<Value>>(),
        "clients": sources.collect::<Vec<Value>>(),
        "changes": changes.collect::<Vec<Value>>(),
        "outcomes": whys.collect::<Vec<Value>>(),
        "skipped": skipped.collect::<Vec<Value>>(),
    });
    format!("{value:#}\n")
}
