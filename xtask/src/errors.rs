//! docs/errors.md: every error of every format, with a bad line, how to fix it, and the case of the
//! corpus that shows it.
//!
//! The codes and their meanings come from the crates, the bad lines from the corpus, and the fixes
//! from `errors.json`. An entry there is a fix. It may also have a bad input, if no line of a case
//! says enough, and a meaning, if the summary of the crate is too short to be understood alone. The
//! errors of `wirefmt` itself are in that file only; a test compares them with its messages.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use serde::Deserialize;
use serde_json::Value;
use wire_conformance::{Case, Corpus, fixtures_dir};

const FIXES: &str = include_str!("errors.json");

/// A longer line is no example.
const LONGEST: usize = 80;

const HEAD: &str = "# Errors

<!-- written by `cargo xtask generate errors` -->

This page is for those who got an error. It has every code of `wirefmt` and of the formats: what it means, an example, and how to
fix it. The code is in brackets after `error`; search the page for it.

```text
error[invalid_node_line]: a symbol line has 4 fields, expected 5: `@id kind qualified_name score provenance`
 --> pack.gcf:3:1
  |
3 | @0 fn a 0.5
  | ^^
```

Codes never change, so programs may compare them; messages may change. A *warning* has a sentence and no code: the output is
written, and the sentence says what it leaves out. A damaged text can often be [recovered](formats/gcf-recovery.md).

| in | the code | the position |
|---|---|---|
| `wirefmt` | in brackets; with `--message-format json` the member `code` | `file:line:column`; with JSON `line`, `column` and `offset` |
| Rust | `error.code()`, or `error.kind()` for a `match` | `error.position()` |
| Python | `error.code` ([attributes](python.md#errors)) | `error.line`, `error.column`, `error.offset` |

- Lines and columns count from 1, offsets in bytes from 0. Errors of GCB1, which is not text, have the offset only.
- [Exit codes](cli.md#input-and-output) of `wirefmt` are 1 for wrong data, 2 for wrong usage, and 3 if reading or writing failed.
- In the examples `→` is a tab.
- One code may be in several tables. Look in the table of your format.
- The column *case* is for implementers: the case of [the corpus](https://github.com/wire-formats/wire/tree/main/fixtures) that
  shows the error, or why there is none.
- Terms are in the [glossary](glossary.md), such as [dialect](glossary.md#dialect) (a version of GCF's text),
  [distance](glossary.md#distance) (edges from what was asked for) and [provenance](glossary.md#provenance) (how a symbol is known).
";

/// The errors of the command line itself, in `errors.json`.
const PROGRAM: &str = "program";

const PROGRAM_HEAD: &str = "
## wirefmt

Errors of the program itself, and of the JSON, YAML, TOML and CSV that it reads. The exit code is 2 for `usage`, 3 for `input`,
`output` and `no_files`, 128 and the number of the signal for `interrupted`, and 1 for the others.

| code | when | an example | fix |
|---|---|---|---|
";

/// The codes of a format, with what they mean.
struct Kinds {
    heading: &'static str,
    about: &'static str,
    /// The format, as the corpus calls it.
    format: &'static str,
    /// The format, as `errors.json` calls it.
    fixes: &'static str,
    codes: Vec<(&'static str, &'static str)>,
}

/// How to fix an error.
#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Fix(String),
    Whole {
        /// What is said instead of the crate's summary.
        when: Option<String>,
        /// What is shown instead of a line of a case.
        bad: Option<String>,
        fix: String,
    },
}

impl Entry {
    /// When the error occurs, a bad input, and the fix.
    fn parts(self) -> (Option<String>, Option<String>, String) {
        match self {
            Entry::Fix(fix) => (None, None, fix),
            Entry::Whole { when, bad, fix } => (when, bad, fix),
        }
    }
}

macro_rules! kinds {
    ($heading:literal, $about:literal, $format:literal, $fixes:literal, $kinds:ty) => {
        Kinds {
            heading: $heading,
            about: $about,
            format: $format,
            fixes: $fixes,
            codes: <$kinds>::ALL.iter().map(|kind| (kind.code(), kind.summary())).collect(),
        }
    };
}

/// The repairs of GCF, which are no errors and have codes all the same.
const REPAIRS: &str = "gcf_repairs";

fn all() -> [Kinds; 8] {
    [
        kinds!(
            "GCF",
            "`gcf::ErrorKind`, of [the graph profile](formats/gcf.md), [texts across calls](formats/gcf-sessions.md) and \
             [the generic profile](formats/gcf-generic.md).",
            "gcf",
            "gcf",
            gcf::ErrorKind
        ),
        kinds!(
            "Repairs of GCF",
            "`gcf::graph::RepairKind`: what [recovery](formats/gcf.md#recovery) reports. Repairs are not errors.",
            "gcf",
            "gcf_repairs",
            gcf::graph::RepairKind
        ),
        kinds!(
            "GCB1",
            "`gcb::ErrorKind`, of [GCB1](formats/gcb.md).",
            "gcb",
            "gcb",
            gcb::ErrorKind
        ),
        kinds!(
            "GCX1",
            "`gcx::ErrorKind`, of [GCX1](formats/gcx.md).",
            "gcx",
            "gcx",
            gcx::ErrorKind
        ),
        kinds!(
            "GOON",
            "`goon::ErrorKind`, of [GOON](formats/goon.md).",
            "goon",
            "goon",
            goon::ErrorKind
        ),
        kinds!(
            "JSON",
            "`wire_registry::json::JsonErrorKind`, of [the JSON form](formats/json.md).",
            "json",
            "json",
            wire_registry::json::JsonErrorKind
        ),
        kinds!(
            "XML",
            "`wire_registry::xml::XmlErrorKind`, of [XML](formats/xml.md).",
            "xml",
            "xml",
            wire_registry::xml::XmlErrorKind
        ),
        kinds!(
            "Markdown",
            "`wire_registry::markdown::MarkdownErrorKind`, of [Markdown](formats/markdown.md).",
            "markdown",
            "markdown",
            wire_registry::markdown::MarkdownErrorKind
        ),
    ]
}

/// The page of the errors.
pub(crate) fn page() -> Result<String, String> {
    let corpus = Corpus::load(&fixtures_dir()).map_err(|error| error.to_string())?;
    let mut fixes: BTreeMap<String, BTreeMap<String, Entry>> =
        serde_json::from_str(FIXES).map_err(|error| format!("errors.json: {error}"))?;
    let mut page = HEAD.to_owned();
    program(&mut page, fixes.remove(PROGRAM).unwrap_or_default())?;
    for kinds in all() {
        let _ = write!(page, "\n## {}\n\n{}\n\n", kinds.heading, kinds.about);
        page.push_str("| code | when | a bad line | fix | case |\n|---|---|---|---|---|\n");
        let mut fixes = fixes.remove(kinds.fixes).unwrap_or_default();
        for (code, summary) in &kinds.codes {
            let missing = || format!("errors.json: {} has no {code}", kinds.fixes);
            let entry = fixes.remove(*code).ok_or_else(missing)?;
            let (case, line) = example(&corpus, &kinds, code);
            let case = match case {
                Some(case) => format!("`{}`", case.id),
                None => format!("none: {}", untested(kinds.format, code)?),
            };
            let (when, bad, fix) = entry.parts();
            let needs_bad = || {
                format!(
                    "errors.json: {}: {code} needs `bad`, since no case has a line",
                    kinds.fixes
                )
            };
            let bad = bad.or(line.map(|line| format!("`{line}`"))).ok_or_else(needs_bad)?;
            let row = cells([when.as_deref().unwrap_or(summary), &bad, &fix]);
            let _ = writeln!(page, "| `{code}` | {row} | {case} |");
        }
        if let Some(code) = fixes.keys().next() {
            return Err(format!("errors.json: {} has no such code: {code}", kinds.fixes));
        }
    }
    Ok(page)
}

/// Cells of a table.
fn cells(cells: [&str; 3]) -> String {
    cells.map(|cell| cell.replace('|', "\\|")).join(" | ")
}

/// The table of the errors of `wirefmt` itself.
fn program(page: &mut String, entries: BTreeMap<String, Entry>) -> Result<(), String> {
    page.push_str(PROGRAM_HEAD);
    for (code, entry) in entries {
        let (Some(when), Some(bad), fix) = entry.parts() else {
            return Err(format!("errors.json: {PROGRAM}: {code} needs `when` and `bad`"));
        };
        let _ = writeln!(page, "| `{code}` | {} |", cells([&when, &bad, &fix]));
    }
    Ok(())
}

/// The case that shows a code with the shortest text, and the line of that text where it is.
fn example<'c>(
    corpus: &'c Corpus,
    kinds: &Kinds,
    code: &str,
) -> (Option<&'c Case>, Option<String>) {
    let shown = corpus.cases_of(kinds.format).filter_map(|case| {
        let line =
            if kinds.fixes == REPAIRS { repaired(case, code)? } else { refused(case, code)? };
        let text = case.operation.text().unwrap_or_default();
        Some((case, line_of(text, line), text.len()))
    });
    let shortest = shown.min_by_key(|(_, line, length)| (line.is_none(), *length));
    shortest.map_or((None, None), |(case, line, _)| (Some(case), line))
}

/// The line of an error, 0 where it has none, if the case has this one.
fn refused(case: &Case, code: &str) -> Option<u64> {
    case.operation.error().filter(|error| error.code == code).map(|error| error.line.unwrap_or(0))
}

/// The line of a repair, 0 where it has none, if the case has this one.
fn repaired(case: &Case, code: &str) -> Option<u64> {
    let repairs = case.operation.report()?.get("repairs")?.as_array()?;
    repairs
        .iter()
        .find(|repair| repair["repair"] == code)
        .map(|repair| repair["line"].as_u64().unwrap_or(0))
}

/// A line of a text, from 1, if it says something to a reader.
fn line_of(text: &[u8], line: u64) -> Option<String> {
    let index = usize::try_from(line.checked_sub(1)?).ok()?;
    let line = std::str::from_utf8(text).ok()?.split('\n').nth(index)?.trim_end_matches('\r');
    let is_clear = |c: char| c == '\t' || !c.is_control() && c != '`';
    let is_example =
        !line.is_empty() && line.chars().count() <= LONGEST && line.chars().all(is_clear);
    is_example.then(|| line.replace('\t', "→"))
}

/// Why no case shows a code, as the rules of its format say.
fn untested(format: &str, code: &str) -> Result<String, String> {
    let path = fixtures_dir().join(format).join("rules.json");
    let failed = |error: String| format!("{}: {error}", path.display());
    let text = fs::read(&path).map_err(|error| failed(error.to_string()))?;
    let rules: Value = serde_json::from_slice(&text).map_err(|error| failed(error.to_string()))?;
    let why = rules["untested_codes"][code].as_str();
    why.map(str::to_owned)
        .ok_or_else(|| failed(format!("no case shows {code}, and nothing says why")))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use wire_conformance::fixtures_dir;

    /// The page has every code that a snapshot of the command line shows.
    #[test]
    fn the_page_has_the_codes_of_messages() {
        let page = super::page().unwrap();
        let folder = fixtures_dir().join("../crates/wire-cli/tests");
        let mut codes = 0;
        for snapshots in [folder.join("snapshots"), folder.join("cli/snapshots")] {
            let Ok(files) = fs::read_dir(&snapshots) else { continue };
            for file in files {
                let text = fs::read_to_string(file.unwrap().path()).unwrap();
                for code in text.split("error[").skip(1).filter_map(|rest| rest.split(']').next()) {
                    assert!(page.contains(&format!("| `{code}` |")), "errors.json lacks {code}");
                    codes += 1;
                }
            }
        }
        assert!(codes > 50, "{codes} codes in the snapshots");
    }
}
