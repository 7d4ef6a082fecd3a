//! A page for people: one file, which needs nothing else.

use std::fmt::Write;

use crate::audit::report::{Report, name};
use crate::text::{escaped, grouped};

const MOST_BARS: usize = 20;

const HEAD: &str = r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Where one's own tokens went</title>
<style>
:root { color-scheme: light dark; --fewer: light-dark(#9ec5f4, #2b5a92); --left: light-dark(#1f5fae, #7fb2f0); --quiet: light-dark(#555, #aaa) }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100% } td { padding: .2rem .5rem .2rem 0; overflow-wrap: anywhere }
.number { text-align: right; white-space: nowrap } .bar { width: 40% } .bar div { display: flex; height: 1rem }
.left { background: var(--left) } .fewer { background: var(--fewer) } small { color: var(--quiet) }
.key { display: inline-block; width: 1rem; height: .8rem } code { overflow-wrap: anywhere }
</style>
"#;

pub(crate) fn page(report: &Report<'_>) -> String {
    let mut page = HEAD.to_owned();
    // To write to a string can't fail.
    let mut line = |line: &str| {
        let _ = writeln!(page, "{line}");
    };
    line(&format!("<h1>{}</h1>", escaped(&report.verdict())));
    if report.total.results > 0 {
        chart(report, &mut line);
    }
    let unread = report.unread();
    if !unread.is_empty() {
        line("<h2>Not read, or not all of it</h2>\n<ul>");
        for said in unread {
            line(&format!("<li>{}</li>", escaped(&said)));
        }
        line("</ul>");
    }
    page
}

/// The tools, what saves most of their results, and how that was counted.
fn chart(report: &Report<'_>, line: &mut impl FnMut(&str)) {
    line("<h2>Tokens of results, by tool</h2>");
    line(
        "<p><span class=\"key left\"></span> stay <span class=\"key fewer\"></span> would be saved</p>\n<table>",
    );
    let most = report.rows.first().map_or(1, |(_, sums)| sums.tokens.max(1));
    for ((source, server, tool), sums) in report.rows.iter().take(MOST_BARS) {
        let width = |tokens: u64| tokens * 1000 / most;
        let [left, fewer] = [width(sums.tokens - sums.saved.min(sums.tokens)), width(sums.saved)]
            .map(|width| format!("{}.{}%", width / 10, width % 10));
        line(&format!(
            "<tr><td>{}<br><small>{}</small></td><td class=\"bar\"><div><span class=\"left\" style=\"width:{left}\"></span><span class=\"fewer\" style=\"width:{fewer}\"></span></div></td><td class=\"number\">{}<br><small>{} less</small></td></tr>",
            escaped(&name(server.as_deref(), tool)),
            escaped(source.title()),
            grouped(sums.tokens),
            grouped(sums.saved)
        ));
    }
    line("</table>");
    if !report.changes.is_empty() {
        line("<h2>What saves most</h2>\n<ol>");
        for change in &report.changes {
            let (command, what) = (escaped(&change.command), escaped(&change.what));
            line(&format!(
                "<li><code>{command}</code><br>{} tokens less: {what}</li>",
                grouped(change.saved)
            ));
        }
        line("</ol>");
    }
    line("<h2>How it was counted</h2>");
    report.sentences().iter().for_each(|sentence| line(&format!("<p>{}</p>", escaped(sentence))));
}
