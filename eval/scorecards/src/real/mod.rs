//! Documents as programs print them, in every form: JSON, YAML, CSV, TOON, GCX1 and GCF.

mod forms;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wire_registry::Chooser;
use wire_tokens::measure::part_saved;
use wire_tokens::{Counter, TokenCounter as _};
use xtask::numbers::{change, thousands};
use xtask::tools::{root, shell};

use self::forms::{CHOICES, FORMS, JSON};

/// The counts of the documents that were collected from package managers and servers, whose
/// contents are not kept. `cargo xtask scorecard real --collect` writes it.
const RECORD: &str = include_str!("fetched.json");
const COUNTERS: [Counter; 2] = [Counter::O200kBase, Counter::Cl100kBase];
/// The column of the chosen form.
const AUTO: &str = "auto";
/// The columns of the scorecard, ours first.
const OURS_FIRST: [&str; 8] =
    [AUTO, "GCF 3.5", "GCF 3.6", "GCX1", "TOON", "CSV", "YAML", "pretty JSON"];
/// The kinds of data in the README's table.
const KINDS: [&str; 3] = ["public tables", "MCP memory", "npm metadata"];

/// A part of a page.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum Part {
    /// Three kinds of data, by two vocabularies: the README's.
    Real,
    /// Each kind of data, by one vocabulary: the scorecard's.
    Kinds,
}

/// The sizes of documents in each form: those of the repository, and those that were collected.
#[derive(Debug)]
pub(crate) struct Real {
    made: Vec<Document>,
    fetched: Record,
}

/// The counts of a collection. The file `sources.json` of its folder has the members but the
/// documents' forms.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Record {
    date: String,
    tools: Vec<String>,
    documents: Vec<Document>,
}

/// A document in each form that can represent it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Document {
    /// The folder that it is in.
    kind: String,
    name: String,
    /// The command that printed it.
    source: String,
    forms: BTreeMap<String, Size>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Size {
    bytes: usize,
    /// Tokens, by the name of the counter.
    tokens: BTreeMap<String, usize>,
    /// `true` if reading the text gave the same value, of forms that are read.
    comes_back: Option<bool>,
}

impl Real {
    /// Measures the documents of the repository, and the JSON files in a folder and in the folders
    /// in it, each a kind. Without a folder the kept counts of those that were collected are used.
    pub(crate) fn measure(folder: Option<&Path>) -> Result<Self> {
        let made = Record::of(&root().join("fixtures/payloads/real"))?.documents;
        let fetched = match folder {
            Some(folder) => Record::of(folder)?,
            None => serde_json::from_str(RECORD).expect("because it was written by this"),
        };
        Ok(Real { made, fetched })
    }

    /// The counts of what was collected, as JSON with a final newline.
    pub(crate) fn record(&self) -> String {
        let text = serde_json::to_string(&self.fetched).expect("because its keys are strings");
        // A line for each document, so that a new collection shows what changed.
        text.replace("{\"kind\"", "\n{\"kind\"") + "\n"
    }

    /// A part of a page.
    pub(crate) fn part(&self, part: Part) -> Result<String> {
        match part {
            Part::Real => self.three_kinds(),
            Part::Kinds => self.all_kinds(Counter::O200kBase),
        }
    }

    /// Every kind and every document by each vocabulary, and where they come from.
    pub(crate) fn markdown(&self) -> Result<String> {
        let mut text = String::new();
        for counter in COUNTERS {
            let _ = writeln!(text, "By {}:\n\n{}", counter.name(), self.all_kinds(counter)?);
            for it in self.all() {
                let counts = OURS_FIRST.map(|form| it.tokens(form, counter));
                let counts = counts.map(|count| count.map_or("–".to_owned(), thousands));
                let _ = writeln!(text, "| {}: {} | {} |", it.kind, it.name, counts.join(" | "));
            }
            text.push('\n');
        }
        let _ = writeln!(text, "{} {}\n", self.fetched.date, self.fetched.tools.join(", "));
        for it in &self.fetched.documents {
            let _ = writeln!(text, "| {}: {} | {} |", it.kind, it.name, it.source);
        }
        Ok(text)
    }

    fn all(&self) -> impl Iterator<Item = &Document> {
        self.made.iter().chain(&self.fetched.documents)
    }

    /// The kinds of documents in their order, and the number of documents of each.
    fn kinds(&self) -> Vec<(&str, usize)> {
        let mut kinds: Vec<(&str, usize)> = Vec::new();
        for document in self.all() {
            match kinds.last_mut() {
                Some((kind, count)) if *kind == document.kind => *count += 1,
                _ => kinds.push((&document.kind, 1)),
            }
        }
        kinds
    }

    /// The tokens of all documents of a kind in a form, or in the form that `wirefmt auto` chooses
    /// for each. `None` if the form can't represent all of them.
    fn tokens(&self, kind: &str, form: &str, counter: Counter) -> Option<usize> {
        self.all().filter(|it| it.kind == kind).map(|it| it.tokens(form, counter)).sum()
    }

    /// The change in tokens of a kind from minified JSON to a form.
    fn change(&self, kind: &str, form: &str, counter: Counter) -> String {
        let tokens = |form| self.tokens(kind, form, counter);
        let saved = tokens(JSON).zip(tokens(form)).map(|(json, ours)| part_saved(json, ours));
        saved.map_or("–".to_owned(), change)
    }

    fn json(&self, kind: &str, counter: Counter) -> Result<String> {
        let tokens = self.tokens(kind, JSON, counter).filter(|tokens| *tokens > 0);
        tokens.map(thousands).with_context(|| format!("{kind} has no JSON"))
    }

    /// All kinds in every form, against minified JSON.
    fn all_kinds(&self, counter: Counter) -> Result<String> {
        let mut text = format!(
            "| data | documents | {JSON} | {} |\n|---|--:|--:|{}\n",
            OURS_FIRST.join(" | ").replace(AUTO, "`auto`"),
            "--:|".repeat(OURS_FIRST.len())
        );
        for (kind, documents) in self.kinds() {
            let json = self.json(kind, counter)?;
            let cells = OURS_FIRST.map(|form| self.change(kind, form, counter)).join(" | ");
            let _ = writeln!(text, "| {kind} | {documents} | {json} | {cells} |");
        }
        Ok(text)
    }

    /// Three kinds in every form, against minified JSON.
    fn three_kinds(&self) -> Result<String> {
        let columns: Vec<(&str, Counter)> =
            KINDS.iter().flat_map(|kind| COUNTERS.map(|counter| (*kind, counter))).collect();
        let heads = KINDS.map(|kind| format!(" {kind}, o200k | cl100k |")).concat();
        let counts = columns.iter().map(|(kind, counter)| self.json(kind, *counter));
        let counts = counts.collect::<Result<Vec<_>, _>>()?.join(" | ");
        let mut text = format!(
            "| |{heads}\n|---|{}\n| {JSON}, tokens | {counts} |\n",
            "--:|".repeat(columns.len())
        );
        let forms = FORMS.iter().skip(1).map(|form| (form.name, form.name));
        for (name, form) in forms.chain([("`auto`", AUTO)]) {
            let cells = columns.iter().map(|(kind, counter)| self.change(kind, form, *counter));
            let _ = writeln!(text, "| {name} | {} |", cells.collect::<Vec<_>>().join(" | "));
        }
        let _ = writeln!(
            text,
            "\nThe change in tokens against minified JSON; minus is fewer. cl100k is the vocabulary of GPT-4. Collected on {}.",
            self.fetched.date
        );
        Ok(text)
    }
}

impl Document {
    fn of(kind: &str, path: &Path, known: &Record) -> Result<Self> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let value: Value = read(path)?;
        let mut forms = BTreeMap::new();
        for form in &FORMS {
            let Some(text) = (form.write)(&value) else { continue };
            let count = |counter: Counter| (counter.name().to_owned(), counter.count(&text));
            let tokens = COUNTERS.map(count).into();
            let comes_back = form.comes_back(&text, &value);
            forms.insert(form.name.to_owned(), Size { bytes: text.len(), tokens, comes_back });
        }
        let known = known.documents.iter().find(|it| it.kind == kind && it.name == name);
        let source = known.map_or(String::new(), |it| it.source.clone());
        Ok(Document { kind: kind.to_owned(), name, source, forms })
    }

    fn tokens(&self, form: &str, counter: Counter) -> Option<usize> {
        if form == AUTO {
            let forms = CHOICES.into_iter().filter_map(|(form, name)| {
                let size = self.forms.get(form).filter(|size| size.comes_back == Some(true))?;
                Some((name, size.bytes, *size.tokens.get(counter.name())?))
            });
            let chosen = Chooser::of_counted(counter.name(), counter.is_estimate(), forms);
            return chosen.map(|chosen| chosen.tokens);
        }
        self.forms.get(form)?.tokens.get(counter.name()).copied()
    }
}

impl Record {
    /// The documents of a folder, in the order of their paths.
    fn of(folder: &Path) -> Result<Self> {
        let sources = folder.join("sources.json");
        let known = if sources.exists() { read(&sources)? } else { Record::default() };
        let mut documents = Vec::new();
        let sh = shell()?;
        let below = sh.read_dir(folder)?.into_iter().filter(|path| path.is_dir());
        for folder in std::iter::once(folder.to_owned()).chain(below) {
            let kind = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            for path in sh.read_dir(&folder)? {
                if path.extension().is_some_and(|ending| ending == "json") && path != sources {
                    documents.push(Document::of(&kind, &path, &known)?);
                }
            }
        }
        let place = folder.display();
        ensure!(!documents.is_empty(), "{place} has no JSON files, or folders with some");
        Ok(Record { documents, ..known })
    }
}

fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T> {
    let text = xtask::tools::read(path)?;
    serde_json::from_str(&text).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::fs;
    use xtask::tools::target;

    /// Every form that is read gives the value of each document again: those of the repository,
    /// those that were collected, and one with texts with quotes and blanks, long integers, objects
    /// in rows and missing members, of which CSV has no rows.
    #[test]
    fn a_folder_is_counted_and_our_forms_come_back() {
        let folder = target().join("tmp/real");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("lists")).unwrap();
        let problem = Real::measure(Some(&folder)).unwrap_err().to_string();
        assert!(problem.ends_with("real has no JSON files, or folders with some"), "{problem}");
        let rows = r#"[
            { "id": 1, "name": "a: \"b\"\n", "price": 2.0, "tags": ["x", "1", "null", ""], "more": { "none": null } },
            { "id": -9007199254740993, "name": " padded ", "price": 0.1, "tags": [], "more": {} }
        ]"#;
        let many: Vec<Value> = (0..9).map(|id| json!({"id": id, "name": "a name"})).collect();
        let many = Value::from(many).to_string();
        let sources = r#"{"date": "2026-01-02", "tools": ["t 1"], "documents": [{"kind": "lists", "name": "rows", "source": "t list"}]}"#;
        for (name, text) in [("rows", &*many), ("lists/rows", rows), ("sources", sources)] {
            fs::write(folder.join(format!("{name}.json")), text).unwrap();
        }
        let counted = Real::measure(Some(&folder)).unwrap();
        let tokens = |kind, form| counted.tokens(kind, form, Counter::O200kBase).unwrap();
        assert!(tokens("real", AUTO) < tokens("real", JSON));
        assert!(tokens("real", AUTO) <= tokens("real", "GCF 3.5"));
        assert_eq!(counted.tokens("lists", "CSV", Counter::O200kBase), None);
        assert!(counted.markdown().unwrap().contains("| lists: rows | t list |"));
        let record: Record = serde_json::from_str(&counted.record()).unwrap();
        assert_eq!(record.documents.len(), 2);
        for it in Real::measure(None).unwrap().all().chain(&record.documents) {
            assert!(it.forms.len() >= 5, "{it:?}");
            assert!(it.forms.values().all(|size| size.comes_back != Some(false)), "{it:?}");
        }
        fs::write(folder.join("lists/broken.json"), "[1,\n 2").unwrap();
        let problem = format!("{:#}", Real::measure(Some(&folder)).unwrap_err());
        assert!(problem.contains("line 2"), "{problem}");
    }
}
