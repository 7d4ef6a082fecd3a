//! Documents as programs print them, in every form: JSON, YAML, CSV, TOON, GCX1 and GCF.

mod forms;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wire_registry::Chooser;
use wire_tokens::measure::part_saved;
use wire_tokens::{Counter, TokenCounter as _};

use self::forms::{CHOICES, FORMS, JSON};
use crate::card::{Scorecard, Section};
use crate::scorecards::{Inputs, of};

/// The counts of the documents that were collected from package managers and servers, whose
/// contents are not kept. `cargo xtask scorecard real --collect` writes it.
const RECORD: &str = include_str!("fetched.json");

/// The sizes of documents in each form: those of the repository, and those that were collected.
#[derive(Debug)]
pub struct Real {
    made: Vec<Document>,
    fetched: Record,
    counters: Vec<Counter>,
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
    ///
    /// # Errors
    ///
    /// The problem of a file, or that there is none.
    pub fn measure(inputs: &Inputs, folder: Option<&Path>) -> Result<Self, String> {
        let made = Record::of(&inputs.fixtures.join("payloads/real"), inputs)?.documents;
        let fetched = match folder {
            Some(folder) => Record::of(folder, inputs)?,
            None => serde_json::from_str(RECORD).map_err(of("fetched.json"))?,
        };
        Ok(Real { made, fetched, counters: inputs.counters.clone() })
    }

    /// The tables in Markdown.
    pub fn markdown(&self) -> String {
        self.card().markdown()
    }

    /// The counts of what was collected, as JSON with a final newline.
    pub fn record(&self) -> String {
        let text = serde_json::to_string(&self.fetched).expect("because its keys are strings");
        // A line for each document, so that a new collection shows what changed.
        text.replace("{\"kind\"", "\n{\"kind\"") + "\n"
    }

    /// The names of the forms, in the order of the tables.
    pub fn forms() -> impl Iterator<Item = &'static str> {
        FORMS.iter().map(|form| form.name)
    }

    /// The tokens of all documents of a kind in a form, or in the form that `wirefmt auto` chooses
    /// for each. `None` if the form can't represent all of them, or nothing was counted.
    pub fn tokens(&self, kind: &str, form: &str, counter: Counter) -> Option<usize> {
        let documents = self.all().filter(|it| it.kind == kind).map(|it| it.tokens(form, counter));
        documents.reduce(|one, other| Some(one? + other?)).flatten()
    }

    /// The part of minified JSON's tokens that a form saves of a kind; negative where it has more.
    pub fn saved(&self, kind: &str, form: &str, counter: Counter) -> Option<f64> {
        Some(part_saved(self.tokens(kind, JSON, counter)?, self.tokens(kind, form, counter)?))
    }

    /// The kinds of documents in their order, and the number of documents of each.
    pub fn kinds(&self) -> Vec<(&str, usize)> {
        let mut kinds: Vec<(&str, usize)> = Vec::new();
        for document in self.all() {
            match kinds.last_mut() {
                Some((kind, count)) if *kind == document.kind => *count += 1,
                _ => kinds.push((&document.kind, 1)),
            }
        }
        kinds
    }

    /// The day of the collection: `2026-11-24`.
    pub fn date(&self) -> &str {
        &self.fetched.date
    }

    fn all(&self) -> impl Iterator<Item = &Document> {
        self.made.iter().chain(&self.fetched.documents)
    }

    pub(crate) fn card(&self) -> Scorecard {
        let mut sections = Vec::new();
        let forms: Vec<&str> = Real::forms().chain([AUTO]).collect();
        for &counter in &self.counters {
            let heading = format!("Tokens against minified JSON, by {}", counter.name());
            let mut section = Section::new(heading, &[&["data"], &forms[..]].concat());
            for (kind, _) in self.kinds() {
                let mut row = vec![kind.into(), self.tokens(kind, JSON, counter).into()];
                let change = |form: &&str| self.saved(kind, form, counter).into();
                row.extend(forms[1..].iter().map(change));
                section.row(row);
            }
            sections.push(section);
        }
        for &counter in &self.counters {
            let heading = format!("Tokens of each document, by {}", counter.name());
            let mut section = Section::new(heading, &[&["document"], &forms[..]].concat());
            for it in self.all() {
                let mut row = vec![(&*it.title()).into()];
                row.extend(forms.iter().map(|form| it.tokens(form, counter).into()));
                section.row(row);
            }
            sections.push(section);
        }
        let columns = ["form", "documents", "decode to the same"];
        let mut section = Section::new("Round trips", &columns);
        for form in Real::forms() {
            let held: Vec<&Size> = self.all().filter_map(|it| it.forms.get(form)).collect();
            let back: Vec<bool> = held.iter().filter_map(|size| size.comes_back).collect();
            let whole = back.iter().filter(|comes_back| **comes_back).count();
            let whole = (!back.is_empty()).then_some(whole);
            section.row(vec![form.into(), held.len().into(), whole.into()]);
        }
        sections.push(section);
        let mut section = Section::new("What was collected", &["document", "bytes", "source"])
            .with_intro(format!("{} {}", self.fetched.date, self.fetched.tools.join(", ")));
        for it in &self.fetched.documents {
            let bytes = it.forms.get(JSON).map(|size| size.bytes);
            section.row(vec![(&*it.title()).into(), bytes.into(), (&*it.source).into()]);
        }
        sections.push(section);
        Scorecard {
            title: "Real data in every form",
            intro: "The output of programs as minified JSON, and the change in tokens in other forms, minus is fewer; all documents of a kind together. `kubernetes`,\n\
                    `github`, `logs` and `tables` are lists after public schemas (`fixtures/payloads/real`); the others were collected. YAML is written by\n\
                    `saphyr`, CSV by `csv`, TOON by `toon-format`; GCX1 is the typed form; GCF is the generic profile. `auto` is the choice of\n\
                    `wirefmt auto`: for each document the first of minified JSON and GCF 3.5 with at most 3 % more than the fewest tokens."
                .to_owned(),
            sections,
        }
    }
}

/// The column of the chosen form.
const AUTO: &str = "auto";

impl Document {
    fn of(kind: &str, path: &Path, known: &Record, inputs: &Inputs) -> Result<Self, String> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let value: Value = read(path)?;
        let mut forms = BTreeMap::new();
        for form in &FORMS {
            let Some(text) = (form.write)(&value) else { continue };
            let count = |counter: &Counter| (counter.name().to_owned(), counter.count(&text));
            let tokens = inputs.counters.iter().map(count).collect();
            let comes_back = form.comes_back(&text, &value);
            forms.insert(form.name.to_owned(), Size { bytes: text.len(), tokens, comes_back });
        }
        let known = known.documents.iter().find(|it| it.kind == kind && it.name == name);
        let source = known.map_or(String::new(), |it| it.source.clone());
        Ok(Document { kind: kind.to_owned(), name, source, forms })
    }

    fn title(&self) -> String {
        format!("{}: {}", self.kind, self.name)
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
    fn of(folder: &Path, inputs: &Inputs) -> Result<Self, String> {
        let sources = folder.join("sources.json");
        let known = if sources.exists() { read(&sources)? } else { Record::default() };
        let mut documents = Vec::new();
        let entries = entries(folder)?;
        let below = entries.iter().filter(|path| path.is_dir());
        for folder in std::iter::once(&folder.to_owned()).chain(below) {
            let kind = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            for path in self::entries(folder)? {
                if path.extension().is_some_and(|ending| ending == "json") && path != sources {
                    documents.push(Document::of(&kind, &path, &known, inputs)?);
                }
            }
        }
        if documents.is_empty() {
            return Err(format!("{} has no JSON files, or folders with some", folder.display()));
        }
        Ok(Record { documents, ..known })
    }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(of(&folder.to_string_lossy()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T, String> {
    let text = fs::read(path).map_err(of(&path.to_string_lossy()))?;
    serde_json::from_slice(&text).map_err(of(&path.to_string_lossy()))
}
