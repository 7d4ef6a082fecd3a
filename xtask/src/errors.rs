//! docs/errors.md: the catalogue of errors, from the kinds that each crate lists, with a case of
//! the corpus for each.

use std::fmt::Write as _;
use std::fs;

use serde_json::Value;
use wire_conformance::{Case, Corpus, fixtures_dir};

const HEAD: &str = "# Errors

<!-- written by `cargo xtask generate errors` -->

Every error has a code, which stays what it is: programs may compare it, and so do the cases of the corpus. An error of text has a
line and a column from 1 and an offset in bytes from 0, one of GCB1 its offset; what it says names what was found and what was
expected. `wirefmt --message-format json` prints all of that as an object.

The last column has a case of [the corpus](https://github.com/wire-formats/wire/tree/main/fixtures) that shows the error, or says why
there is none.
";

/// The codes of a format, with what they mean.
struct Kinds {
    heading: &'static str,
    about: &'static str,
    /// The format, as the corpus calls it.
    format: &'static str,
    codes: Vec<(&'static str, &'static str)>,
}

macro_rules! kinds {
    ($heading:literal, $about:literal, $format:literal, $kinds:ty) => {
        Kinds {
            heading: $heading,
            about: $about,
            format: $format,
            codes: <$kinds>::ALL.iter().map(|kind| (kind.code(), kind.summary())).collect(),
        }
    };
}

fn all() -> [Kinds; 8] {
    [
        kinds!("GCF", "`gcf::ErrorKind`, of both profiles.", "gcf", gcf::ErrorKind),
        kinds!(
            "Repairs of GCF",
            "`gcf::graph::RepairKind`: what recovery reports. No errors, but they have codes, too.",
            "gcf",
            gcf::graph::RepairKind
        ),
        kinds!("GCB1", "`gcb::ErrorKind`.", "gcb", gcb::ErrorKind),
        kinds!("GCX1", "`gcx::ErrorKind`.", "gcx", gcx::ErrorKind),
        kinds!("GOON", "`goon::ErrorKind`.", "goon", goon::ErrorKind),
        kinds!(
            "JSON",
            "`wire_registry::json::JsonErrorKind`.",
            "json",
            wire_registry::json::JsonErrorKind
        ),
        kinds!(
            "XML",
            "`wire_registry::xml::XmlErrorKind`.",
            "xml",
            wire_registry::xml::XmlErrorKind
        ),
        kinds!(
            "Markdown",
            "`wire_registry::markdown::MarkdownErrorKind`.",
            "markdown",
            wire_registry::markdown::MarkdownErrorKind
        ),
    ]
}

/// The page of the errors.
pub(crate) fn page() -> Result<String, String> {
    let corpus = Corpus::load(&fixtures_dir()).map_err(|error| error.to_string())?;
    let mut page = HEAD.to_owned();
    for kinds in all() {
        let _ = write!(page, "\n## {}\n\n{}\n\n", kinds.heading, kinds.about);
        page.push_str("| code | when | case |\n|---|---|---|\n");
        for (code, summary) in &kinds.codes {
            let case = corpus.cases_of(kinds.format).find(|case| shows(case, code));
            let case = match case {
                Some(case) => format!("`{}`", case.id),
                None => format!("none: {}", untested(kinds.format, code)?),
            };
            let _ = writeln!(page, "| `{code}` | {} | {case} |", summary.replace('|', "\\|"));
        }
    }
    Ok(page)
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

fn shows(case: &Case, code: &str) -> bool {
    let error = case.operation.error().map(|error| &*error.code);
    let repairs = case.operation.report().and_then(|report| report.get("repairs")?.as_array());
    error == Some(code) || repairs.is_some_and(|all| all.iter().any(|one| one["repair"] == code))
}
