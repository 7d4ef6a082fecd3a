//! Which rules and error codes have cases.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use serde::Deserialize;
use serde_json::Value;

use crate::corpus::{Corpus, CorpusError};
use crate::subject::Subject;

/// The rules of a format, as its `rules.json` lists them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    format: String,
    #[serde(rename = "rules")]
    list: Vec<Rule>,
    /// Error codes that no case can show, and why.
    #[serde(default)]
    untested_codes: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    id: String,
    text: String,
    source: String,
    #[serde(default)]
    only: Option<Sign>,
    #[serde(default)]
    why: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Sign {
    Positive,
    Negative,
}

/// The cases of every rule and error code of a format.
#[derive(Debug)]
pub struct Coverage {
    rows: Vec<Row>,
    /// What is wrong beyond missing cases.
    problems: Vec<String>,
}

#[derive(Debug)]
struct Row {
    format: &'static str,
    id: String,
    what: String,
    positive: Vec<String>,
    negative: Vec<String>,
    needs_positive: bool,
    needs_negative: bool,
}

impl Coverage {
    /// Counts the cases of the subject's format.
    ///
    /// # Errors
    ///
    /// When the format has no readable `rules.json`.
    pub fn of(corpus: &Corpus, subject: &dyn Subject) -> Result<Self, CorpusError> {
        let format = subject.format();
        let path = corpus.root().join(format).join("rules.json");
        let text = fs::read(&path)
            .map_err(|error| CorpusError::new(format!("{}: {error}", path.display())))?;
        let rules: Rules = serde_json::from_slice(&text)
            .map_err(|error| CorpusError::new(format!("{}: {error}", path.display())))?;
        Ok(Self::count(corpus, subject, rules))
    }

    fn count(corpus: &Corpus, subject: &dyn Subject, rules: Rules) -> Self {
        let format = subject.format();
        let mut problems = Vec::new();
        if rules.format != format {
            problems.push(format!("{format}/rules.json is about {:?}", rules.format));
        }
        let mut rows = Vec::new();
        for rule in rules.list {
            if rule.only.is_some() != rule.why.is_some() {
                problems.push(format!("{format} {}: `only` and `why` go together", rule.id));
            }
            rows.push(Row {
                format,
                what: format!("{} ({})", rule.text, rule.source),
                positive: Vec::new(),
                negative: Vec::new(),
                needs_positive: rule.only != Some(Sign::Negative),
                needs_negative: rule.only != Some(Sign::Positive),
                id: rule.id,
            });
        }
        let codes = subject.error_codes();
        for code in &codes {
            let untested = rules.untested_codes.get(*code);
            rows.push(Row {
                format,
                id: format!("`{code}`"),
                what: untested
                    .map_or_else(|| "error code".to_owned(), |why| format!("error code; {why}")),
                positive: Vec::new(),
                negative: Vec::new(),
                needs_positive: false,
                needs_negative: untested.is_none(),
            });
        }
        for code in subject.repair_codes() {
            rows.push(Row {
                format,
                id: format!("repair `{code}`"),
                what: "code of a repair".to_owned(),
                positive: Vec::new(),
                negative: Vec::new(),
                needs_positive: true,
                needs_negative: false,
            });
        }
        for code in rules.untested_codes.keys() {
            if !codes.contains(&&**code) {
                problems.push(format!("{format}: untested code `{code}` is no error code"));
            }
        }
        for case in corpus.cases_of(format) {
            let code = case.operation.error().map(|error| format!("`{}`", error.code));
            for id in case.rules.iter().cloned().chain(code) {
                match rows.iter_mut().find(|row| row.id == id) {
                    Some(row) if case.operation.is_positive() => row.positive.push(case.id.clone()),
                    Some(row) => row.negative.push(case.id.clone()),
                    None => {
                        problems.push(format!("{} cites {id}, which is no rule or code", case.id));
                    }
                }
            }
            if let Some(report) = case.operation.report() {
                // A reason in a report shows the code as well as an error does.
                let lists = [report.get("skipped"), report.get("repairs")];
                for entry in lists.into_iter().flatten().filter_map(Value::as_array).flatten() {
                    let reason = entry["reason"].as_str().map(|code| format!("`{code}`"));
                    let repair = entry["repair"].as_str().map(|code| format!("repair `{code}`"));
                    for id in reason.into_iter().chain(repair) {
                        if let Some(row) = rows.iter_mut().find(|row| row.id == id) {
                            row.positive.push(case.id.clone());
                        }
                    }
                }
            }
        }
        for (code, why) in &rules.untested_codes {
            let id = format!("`{code}`");
            if rows.iter().any(|row| row.id == id && !row.negative.is_empty()) {
                problems.push(format!("{format} {id} is called untested ({why}) and has a case"));
            }
        }
        Coverage { rows, problems }
    }

    /// What is missing; empty when every rule and code has its cases.
    pub fn gaps(&self) -> Vec<String> {
        let mut gaps = self.problems.clone();
        for row in &self.rows {
            for (sign, needed, cases) in [
                ("positive", row.needs_positive, &row.positive),
                ("negative", row.needs_negative, &row.negative),
            ] {
                if needed && cases.is_empty() {
                    gaps.push(format!("{} {} has no {sign} case", row.format, row.id));
                }
            }
        }
        gaps
    }

    /// The table: a row a rule, with the number of its cases and the first of each kind.
    pub fn table(&self) -> String {
        let mut text = String::from(
            "| format | rule | positive | negative | what it says |\n|---|---|---|---|---|\n",
        );
        for row in &self.rows {
            let cell = |cases: &[String], needed: bool| match cases.first() {
                Some(first) => format!("{} ({first})", cases.len()),
                None if needed => "**missing**".to_owned(),
                None => "–".to_owned(),
            };
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} |",
                row.format,
                row.id,
                cell(&row.positive, row.needs_positive),
                cell(&row.negative, row.needs_negative),
                row.what.replace('|', "\\|")
            );
        }
        text
    }
}
