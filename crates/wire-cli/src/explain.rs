//! `wirefmt explain`: what an error code means, what causes it, and how to fix it.
//!
//! `explain.json` has an entry for each code of each format: its cause, for example an input that
//! has it, and its fix; and its meaning where the summary of the format's crate is not enough.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;
use strsim::levenshtein;

use crate::diagnostic::MessageFormat;
use crate::failure::{Failure, shown};
use crate::output;

const TABLE: &str = include_str!("explain.json");

/// The row of the table for a code.
#[derive(Deserialize)]
struct Entry {
    meaning: Option<String>,
    cause: Option<String>,
    fix: String,
}

/// The formats in the order of the output: their names in the table, and for people.
const FORMATS: [(&str, &str); 9] = [
    ("wirefmt", "wirefmt"),
    ("gcf", "GCF"),
    ("gcf_repairs", "GCF, a repair"),
    ("gcb", "GCB1"),
    ("gcx", "GCX1"),
    ("goon", "GOON"),
    ("json", "JSON"),
    ("xml", "XML"),
    ("markdown", "Markdown"),
];

const HOW_TO_FIND: &str = "\
The code of an error is in brackets after `error`:

  error[invalid_node_line]: a symbol line has 4 fields, expected 5: …

In Rust and Python it is `code` of the error. Then:

  wirefmt explain invalid_node_line

All codes:
";

/// How many names a mistyped code gets.
const MOST_NEAR: usize = 3;

pub(crate) fn run(code: Option<&str>, message_format: MessageFormat) -> Result<(), Failure> {
    let table = table();
    let Some(code) = code else { return output::to_stdout(index(&table).as_bytes()) };
    // As a message has it, `error[code]`, or as a name of Rust.
    let name = code.rsplit_once('[').map_or(code, |(_, rest)| rest).trim_end_matches([']', ':']);
    let name = name.to_ascii_lowercase().replace('-', "_");
    let mut text = String::new();
    for (format, title) in FORMATS {
        let Some(entry) = table[format].get(&*name) else { continue };
        let meaning = entry.meaning.as_deref().or_else(|| summary(format, &name));
        let meaning = meaning.unwrap_or_default();
        let (cause, fix) = (entry.cause.as_deref(), &entry.fix);
        if message_format == MessageFormat::Json {
            let object = serde_json::json!({
                "code": name, "format": format, "meaning": meaning, "cause": cause, "fix": fix,
            });
            let _ = writeln!(text, "{object}");
            continue;
        }
        let gap = if text.is_empty() { "" } else { "\n" };
        let _ = writeln!(text, "{gap}{name} ({title})\n  meaning: {meaning}");
        if let Some(cause) = cause {
            let _ = writeln!(text, "  cause:   for example {cause}");
        }
        let _ = writeln!(text, "  fix:     {fix}");
    }
    if text.is_empty() {
        return Err(unknown(&name, &table));
    }
    output::to_stdout(text.as_bytes())
}

type Table = BTreeMap<String, BTreeMap<String, Entry>>;

fn table() -> Table {
    serde_json::from_str(TABLE).expect("because a test reads it")
}

/// How to find a code, and all codes of each format.
fn index(table: &Table) -> String {
    const WIDTH: usize = 100;
    let mut text = HOW_TO_FIND.to_owned();
    for (format, title) in FORMATS {
        let mut line = format!("  {title}:");
        for code in table[format].keys() {
            if line.len() + 1 + code.len() > WIDTH {
                let _ = writeln!(text, "{line}");
                "   ".clone_into(&mut line);
            }
            let _ = write!(line, " {code}");
        }
        let _ = writeln!(text, "{line}");
    }
    text
}

/// The format crate's text for a code.
fn summary(format: &str, code: &str) -> Option<&'static str> {
    codes(format).into_iter().find_map(|(known, summary)| (known == code).then_some(summary))
}

/// The codes of a format's crate, with what they mean.
fn codes(format: &str) -> Vec<(&'static str, &'static str)> {
    macro_rules! all {
        ($kinds:ty) => {
            <$kinds>::ALL.iter().map(|kind| (kind.code(), kind.summary())).collect()
        };
    }
    match format {
        "gcf" => all!(gcf::ErrorKind),
        "gcf_repairs" => all!(gcf::graph::RepairKind),
        "gcb" => all!(gcb::ErrorKind),
        "gcx" => all!(gcx::ErrorKind),
        "goon" => all!(goon::ErrorKind),
        "json" => all!(wire_registry::json::JsonErrorKind),
        "xml" => all!(wire_registry::xml::XmlErrorKind),
        "markdown" => all!(wire_registry::markdown::MarkdownErrorKind),
        _ => Vec::new(),
    }
}

fn unknown(code: &str, table: &Table) -> Failure {
    let mut near: Vec<(usize, &str)> = table
        .values()
        .flat_map(BTreeMap::keys)
        .map(|known| (levenshtein(code, known), &**known))
        .filter(|(distance, known)| *distance <= 2 + known.len() / 5 || known.contains(code))
        .filter(|_| !code.is_empty())
        .collect();
    near.sort_unstable();
    near.dedup();
    near.truncate(MOST_NEAR);
    let near: Vec<String> = near.into_iter().map(|(_, known)| format!("`{known}`")).collect();
    let failure = Failure::usage(format!("there is no code {:?}", shown(code)));
    if near.is_empty() {
        failure.with_hint("`wirefmt explain` lists all codes")
    } else {
        failure.with_hint(&format!("did you mean {}?", near.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn the_table_has_the_codes_of_every_crate() {
        let table = table();
        for (format, _) in FORMATS {
            let mut codes: Vec<&str> = codes(format).iter().map(|(code, _)| *code).collect();
            codes.sort_unstable();
            if format == "wirefmt" {
                assert!(table[format].values().all(|entry| entry.meaning.is_some()));
            } else {
                assert_eq!(table[format].keys().collect::<Vec<_>>(), codes, "{format}");
            }
        }
        assert_eq!(table.len(), FORMATS.len());
    }

    /// Every code that a snapshot of the program shows can be explained.
    #[test]
    fn the_table_has_the_codes_of_messages() {
        let table = table();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testsuite");
        let mut count = 0;
        for snapshots in ["snapshots", "cli/snapshots"] {
            for file in fs::read_dir(folder.join(snapshots)).unwrap() {
                let text = fs::read_to_string(file.unwrap().path()).unwrap();
                for code in text.split("\nerror[").skip(1).filter_map(|rest| rest.split(']').next())
                {
                    assert!(table.values().any(|of| of.contains_key(code)), "{code}");
                    count += 1;
                }
            }
        }
        assert!(count > 50, "{count} codes in the snapshots");
    }
}
