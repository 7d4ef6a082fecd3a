//! `wirefmt stats`: the tokens of an input in each format.

use std::fmt::Write as _;

use rayon::prelude::*;
use serde_json::{Value, json};
use wire_core::{Representation, TokenCounter};
use wire_input::Form;
use wire_registry::{Chooser, Registry};
use wire_tokens::Counter;

use crate::args::{StatsFormat, StatsOptions};
use crate::batch::Working;
use crate::diagnostic::{Diagnostics, Remark};
use crate::failure::{Failure, plural, shown};
use crate::input::{self, Input, Work};
use crate::measure::{change, gzip, part_saved};
use crate::source::{INPUT, JSON, JSON_PRETTY, registry};
use crate::{batch, output, peer, table, tokens};

pub(crate) fn run(options: &StatsOptions, diagnostics: &Diagnostics) -> Result<(), Failure> {
    let registry = registry(gcf::graph::Encoder::new());
    let works = input::expand(&options.files, options.from.as_deref(), &registry)?;
    let measure = Measure { counters: options.counter.clone(), is_verbose: options.verbose };
    let (mut all, mut files) = (Vec::new(), 0);
    let mut is_first = true;
    let work = |work: &Work| {
        let is_quiet = diagnostics.is_quiet() || !works.is_single;
        let _working = Working::on(&work.path, is_quiet, false);
        measure.file(work, options, &registry)
    };
    let outcome =
        batch::run(&works, &options.batch, diagnostics, work, |_, (name, rows, left_out)| {
            for remark in &left_out {
                diagnostics.say(&name, remark);
            }
            let text = match options.format {
                StatsFormat::Table if options.total => String::new(),
                StatsFormat::Table => {
                    let gap = if is_first { "" } else { "\n" };
                    format!("{gap}{}", measure.tables(&name, &rows))
                }
                StatsFormat::Json => format!("{}\n", measure.object(&name, &rows)),
                StatsFormat::Csv => {
                    let head = if is_first { Measure::head() } else { String::new() };
                    head + &measure.lines(&name, &rows)
                }
            };
            is_first = false;
            files += 1;
            add(&mut all, rows);
            output::to_stdout(text.as_bytes())
        });
    if (files > 1 || options.total) && files > 0 && options.format == StatsFormat::Table {
        let title = if files == 1 { "1 file".to_owned() } else { format!("all {files} files") };
        let gap = if options.total { "" } else { "\n" };
        output::to_stdout(format!("{gap}{}", measure.tables(&title, &all)).as_bytes())?;
    }
    outcome
}

/// The size of an input in a format.
struct Row {
    format: &'static str,
    outcome: Result<Cost, String>,
    losses: Vec<String>,
    /// `true` if no command writes the format.
    is_peer: bool,
    /// `true` if `auto` chooses it by default.
    is_candidate: bool,
}

/// The size of a text; binary data has no tokens.
#[derive(Clone)]
struct Cost {
    bytes: usize,
    /// Without the line end of JSON.
    counted: usize,
    gzip: usize,
    /// By the counters.
    tokens: Vec<usize>,
}

/// The sum over several files, for formats that can represent all of them.
fn add(all: &mut Vec<Row>, rows: Vec<Row>) {
    if all.is_empty() {
        *all = rows;
        return;
    }
    for sum in all.iter_mut() {
        let row = rows.iter().find(|row| row.format == sum.format);
        if !sum.losses.is_empty() || row.is_some_and(|row| !row.losses.is_empty()) {
            sum.losses = vec!["something of some files".to_owned()];
        }
        match (&mut sum.outcome, row.map(|row| &row.outcome)) {
            (Ok(sum), Some(Ok(cost))) => {
                sum.bytes += cost.bytes;
                sum.counted += cost.counted;
                sum.gzip += cost.gzip;
                for (sum, tokens) in sum.tokens.iter_mut().zip(&cost.tokens) {
                    *sum += tokens;
                }
            }
            (outcome @ Ok(_), _) => {
                *outcome = Err(not_in_all(sum.format));
            }
            _ => {}
        }
    }
    for row in rows {
        if !all.iter().any(|sum| sum.format == row.format) {
            let outcome = Err(not_in_all(row.format));
            all.push(Row { outcome, losses: Vec::new(), ..row });
        }
    }
}

/// Why there is no sum for a format.
fn not_in_all(format: &str) -> String {
    match format {
        INPUT => "not every file is text".to_owned(),
        _ => "not every file can be written in it".to_owned(),
    }
}

fn cell(saved: Option<f64>) -> String {
    saved.map_or_else(|| "–".to_owned(), change)
}

const NEVER: &str = "because a vector takes all that is written";

struct Measure {
    counters: Vec<Counter>,
    is_verbose: bool,
}

impl Measure {
    fn file(
        &self,
        work: &Work,
        options: &StatsOptions,
        registry: &Registry,
    ) -> Result<(String, Vec<Row>, Vec<Remark>), Failure> {
        let input = Input::read(&work.path)?;
        let document = input.detect_reading(options.from.as_deref(), &options.reading, registry)?;
        let of_input = document.text_format();
        let is_text = of_input.is_some();
        let (held, left_out) = input.held(&document, options.tool.as_deref())?;
        let (forms, peers) = rayon::join(
            || held.forms(&input.bytes, registry, &input.place_in()),
            || peer::forms(&held, &input),
        );
        let is_candidate = |format: &str| format == INPUT || held.is_candidate(format);
        let forms = forms.into_iter().map(|form| (form, false));
        let mut forms: Vec<(Form, bool)> =
            forms.chain(peers.into_iter().map(|form| (form, true))).collect();
        let is_input = |form: &Form| form.bytes.as_ref().is_ok_and(|bytes| *bytes == input.bytes);
        let same = forms.iter().position(|(form, _)| is_input(form));
        if is_text && same.is_none() {
            let text = String::from_utf8_lossy(&input.bytes).into_owned();
            forms.insert(0, (Form::text(INPUT, Vec::new(), Ok(text)), false));
        }
        let row = |(form, is_peer): (Form, bool)| {
            let is_candidate = !is_peer && is_candidate(form.format);
            let format = of_input.filter(|_| form.format == INPUT).unwrap_or(form.format);
            Row { is_candidate, ..self.row(form, format, is_peer) }
        };
        let mut rows: Vec<Row> = forms.into_par_iter().map(row).collect();
        if let (true, Some(index)) = (is_text, same) {
            let outcome = rows[index].outcome.clone();
            let (losses, is_peer, is_candidate) = (Vec::new(), false, true);
            rows.insert(0, Row { format: INPUT, outcome, losses, is_peer, is_candidate });
        }
        Ok((input.name, rows, left_out))
    }

    /// The size of a form, whose text is in this format.
    fn row(&self, form: Form, format: &str, is_peer: bool) -> Row {
        let outcome = form.bytes.map_err(|error| error.to_string()).map(|bytes| {
            let text = String::from_utf8_lossy(&bytes);
            let text = tokens::without_line_end(format, &text);
            let tokens = || match form.representation {
                Representation::Text => {
                    self.counters.par_iter().map(|counter| counter.count(text)).collect()
                }
                Representation::Binary => Vec::new(),
            };
            let (tokens, gzip) = rayon::join(tokens, || gzip(&bytes));
            Cost { bytes: bytes.len(), counted: text.len(), gzip, tokens }
        });
        let (format, losses) = (form.format, form.losses);
        Row { format, outcome, losses, is_peer, is_candidate: false }
    }

    /// The savings compared with minified and pretty JSON: of the bytes if `counter` is `None`,
    /// otherwise of its tokens.
    fn saved(rows: &[Row], cost: &Cost, counter: Option<usize>) -> [Option<f64>; 2] {
        [JSON, JSON_PRETTY].map(|base| {
            let base = rows.iter().find(|row| row.format == base)?.outcome.as_ref().ok()?;
            match counter {
                None => Some(part_saved(base.bytes, cost.bytes)),
                Some(index) => Some(part_saved(*base.tokens.get(index)?, *cost.tokens.get(index)?)),
            }
        })
    }

    /// The form that `auto` takes, by the first counter.
    fn verdict(&self, rows: &[Row]) -> Option<String> {
        let tokens = |row: &Row| row.outcome.as_ref().ok()?.tokens.first().copied();
        let candidates = rows.iter().filter(|row| row.losses.is_empty() && row.is_candidate);
        let counted = candidates
            .filter_map(|row| Some((row.format, row.outcome.as_ref().ok()?.counted, tokens(row)?)));
        let by = self.counters[0];
        let chosen = Chooser::of_counted(by.name(), by.is_estimate(), counted)?;
        let json = rows.iter().find(|row| row.format == JSON).and_then(tokens);
        Some(tokens::verdict(&chosen, json))
    }

    fn tables(&self, name: &str, rows: &[Row]) -> String {
        let verdict = self.verdict(rows).unwrap_or_else(|| "nothing can be counted".to_owned());
        let mut text = format!("{}: {verdict}\n{}", shown(name), self.tokens(rows));
        if !self.is_verbose {
            let lossy = rows.iter().filter(|row| row.outcome.is_err() || !row.losses.is_empty());
            let lossy = lossy.count();
            if lossy > 0 {
                let _ = writeln!(text, "-v says why of {}", plural(lossy, "format"));
            }
            return text;
        }
        for row in rows {
            let _ = match &row.outcome {
                Err(why) if row.format == INPUT => writeln!(text, "{INPUT} has no sum: {why}"),
                Err(why) => writeln!(text, "{} is not measured: {}", row.format, shown(why)),
                Ok(_) if row.losses.is_empty() => Ok(()),
                Ok(_) => writeln!(text, "{} loses: {}", row.format, row.losses.join("; ")),
            };
        }
        let _ = write!(text, "\n{}", Self::sizes(rows));
        text
    }

    /// The tokens by each counter.
    fn tokens(&self, rows: &[Row]) -> String {
        let counters = self.counters.iter().map(TokenCounter::name);
        let of_counters = counters.flat_map(|counter| [counter, "against json"]);
        let fields: Vec<&str> = std::iter::once("format").chain(of_counters).chain([""]).collect();
        let mut table = table::new(fields.iter().copied());
        table::align_right(&mut table, 1..fields.len() - 1);
        for row in rows {
            let Ok(cost) = &row.outcome else { continue };
            if cost.tokens.is_empty() {
                continue;
            }
            let of_counter = |(index, tokens): (usize, &usize)| {
                let [json, _] = Self::saved(rows, cost, Some(index)).map(cell);
                [tokens.to_string(), json]
            };
            let cells = cost.tokens.iter().enumerate().flat_map(of_counter);
            let note = match (row.is_peer, row.losses.is_empty()) {
                (true, _) => "to compare",
                (false, true) => "",
                (false, false) => "loses something",
            };
            let start = std::iter::once(row.format.to_owned());
            table.add_row(start.chain(cells).chain([note.to_owned()]));
        }
        table::text(&table)
    }

    /// Bytes, plain and after gzip.
    fn sizes(rows: &[Row]) -> String {
        let fields = ["format", "bytes", "against json", "against json-pretty", "gzip bytes"];
        let mut table = table::new(fields.into_iter());
        table::align_right(&mut table, 1..fields.len());
        for row in rows {
            let Ok(cost) = &row.outcome else { continue };
            let [json, pretty] = Self::saved(rows, cost, None).map(cell);
            let (bytes, gzip) = (cost.bytes.to_string(), cost.gzip.to_string());
            table.add_row([row.format.to_owned(), bytes, json, pretty, gzip]);
        }
        table::text(&table)
    }

    fn object(&self, name: &str, rows: &[Row]) -> Value {
        let formats: Vec<Value> = rows
            .iter()
            .map(|row| {
                let cost = match &row.outcome {
                    Ok(cost) => cost,
                    Err(why) => return json!({ "format": row.format, "error": why }),
                };
                let counts: Vec<Value> = self
                    .counters
                    .iter()
                    .zip(&cost.tokens)
                    .enumerate()
                    .map(|(index, (counter, tokens))| {
                        let [json, pretty] = Self::saved(rows, cost, Some(index));
                        json!({
                            "counter": counter.name(),
                            "tokens": tokens,
                            "saved_of_json": json,
                            "saved_of_json_pretty": pretty,
                        })
                    })
                    .collect();
                let [json, pretty] = Self::saved(rows, cost, None);
                json!({
                    "format": row.format,
                    "bytes": cost.bytes,
                    "gzip_bytes": cost.gzip,
                    "saved_of_json": json,
                    "saved_of_json_pretty": pretty,
                    "losses": row.losses,
                    "counts": counts,
                })
            })
            .collect();
        json!({ "file": name, "formats": formats })
    }

    fn head() -> String {
        "file,format,bytes,gzip_bytes,bytes_saved_of_json,bytes_saved_of_json_pretty,counter,tokens,tokens_saved_of_json,tokens_saved_of_json_pretty\n".to_owned()
    }

    /// A row for each format and counter; of binary formats one without a counter.
    fn lines(&self, name: &str, rows: &[Row]) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let part = |part: Option<f64>| part.map(|part| format!("{part:.4}")).unwrap_or_default();
        for row in rows {
            let Ok(cost) = &row.outcome else { continue };
            let [json, pretty] = Self::saved(rows, cost, None).map(part);
            let (bytes, gzip) = (cost.bytes.to_string(), cost.gzip.to_string());
            let start = [name.to_owned(), row.format.to_owned(), bytes, gzip, json, pretty];
            if cost.tokens.is_empty() {
                let rest = std::iter::repeat_n(String::new(), 4);
                writer.write_record(start.iter().cloned().chain(rest)).expect(NEVER);
            }
            for (index, (counter, tokens)) in self.counters.iter().zip(&cost.tokens).enumerate() {
                let [json, pretty] = Self::saved(rows, cost, Some(index)).map(part);
                let rest = [counter.name().to_owned(), tokens.to_string(), json, pretty];
                writer.write_record(start.iter().cloned().chain(rest)).expect(NEVER);
            }
        }
        String::from_utf8(writer.into_inner().expect(NEVER)).expect("because its cells are text")
    }
}
