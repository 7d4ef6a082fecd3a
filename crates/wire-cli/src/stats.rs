//! `wirefmt stats`: the tokens of an input in each format, and what uses them.

use std::fmt::Write as _;

use rayon::prelude::*;
use serde_json::{Value, json};
use wire_core::Representation;
use wire_registry::Registry;
use wire_tokens::Counter;

use crate::args::{StatsFormat, StatsOptions};
use crate::classes::{Classes, Shares};
use crate::converted::Remark;
use crate::diagnostic::Diagnostics;
use crate::document::Document;
use crate::failure::{Failure, shown};
use crate::formats::registry;
use crate::forms::{Form, Held};
use crate::input::Input;
use crate::inputs::{self, Work};
use crate::measure::{gzip, part_saved, percent, ratio};
use crate::progress::Working;
use crate::source::{INPUT, JSON, JSON_PRETTY};
use crate::{batch, output, peer, table};

pub(crate) fn run(options: &StatsOptions, diagnostics: &Diagnostics) -> Result<(), Failure> {
    let registry = registry(gcf::graph::Encoder::new());
    let works = inputs::expand(&options.files, options.from.as_deref(), &registry)?;
    let measure = Measure {
        counters: if options.counter.is_empty() {
            Counter::OWN.to_vec()
        } else {
            options.counter.clone()
        },
    };
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
}

/// The size of a text; binary data has no tokens.
#[derive(Clone)]
struct Cost {
    bytes: usize,
    gzip: usize,
    /// By the counters, and the classes of their tokens.
    tokens: Vec<(usize, Shares)>,
}

/// The sum over several files, for formats that can represent all of them.
fn add(all: &mut Vec<Row>, rows: Vec<Row>) {
    if all.is_empty() {
        *all = rows;
        return;
    }
    for sum in all.iter_mut() {
        let row = rows.iter().find(|row| row.format == sum.format);
        sum.losses.clear();
        match (&mut sum.outcome, row.map(|row| &row.outcome)) {
            (Ok(sum), Some(Ok(cost))) => {
                sum.bytes += cost.bytes;
                sum.gzip += cost.gzip;
                for ((sum, shares), (tokens, more)) in sum.tokens.iter_mut().zip(&cost.tokens) {
                    *sum += tokens;
                    *shares += *more;
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

fn part(part: Option<f64>) -> String {
    part.map_or_else(|| "–".to_owned(), percent)
}

const NEVER: &str = "because a vector takes all that is written";

struct Measure {
    counters: Vec<Counter>,
}

impl Measure {
    fn file(
        &self,
        work: &Work,
        options: &StatsOptions,
        registry: &Registry,
    ) -> Result<(String, Vec<Row>, Vec<Remark>), Failure> {
        let input = Input::read(&work.path)?;
        let document = Document::detect(&input, options.from.as_deref(), registry)
            .inferring_types(options.csv.infer_types)?;
        let of_input = document.text_format();
        let (held, left_out) = Held::read(document, options.tool.as_deref())?;
        let (mut forms, peers) = rayon::join(|| held.forms(registry), || peer::forms(&held));
        drop(held);
        forms.extend(peers);
        let same = |form: &Form| form.bytes.as_ref().is_ok_and(|bytes| *bytes == input.bytes);
        let same = forms.iter().position(same);
        let mut forms: Vec<(&str, Form)> =
            forms.into_iter().map(|form| (form.format, form)).collect();
        if let (Some(syntax), None) = (of_input, same) {
            let text = String::from_utf8_lossy(&input.bytes).into_owned();
            forms.insert(0, (syntax, Form::text(INPUT, Vec::new(), Ok(text))));
        }
        let row = |(syntax, form)| self.row(syntax, form);
        let mut rows: Vec<Row> = forms.into_par_iter().map(row).collect();
        if let (Some(_), Some(index)) = (of_input, same) {
            let outcome = rows[index].outcome.clone();
            rows.insert(0, Row { format: INPUT, outcome, losses: Vec::new() });
        }
        Ok((input.name, rows, left_out))
    }

    /// The size of a form. Its tokens are classified as a text in the format `syntax`.
    fn row(&self, syntax: &str, form: Form) -> Row {
        let outcome = form.bytes.map_err(|error| error.to_string()).map(|bytes| {
            let text = match form.representation {
                Representation::Text => Some(String::from_utf8_lossy(&bytes)),
                Representation::Binary => None,
            };
            let tokens_of = |text: &str| {
                let classes = Classes::of(text, syntax);
                let count = |counter: &Counter| {
                    let shares = classes.shares(*counter);
                    (shares.counts().iter().sum(), shares)
                };
                self.counters.par_iter().map(count).collect()
            };
            let (tokens, gzip) =
                rayon::join(|| text.as_deref().map(tokens_of).unwrap_or_default(), || gzip(&bytes));
            Cost { bytes: bytes.len(), gzip, tokens }
        });
        Row { format: form.format, outcome, losses: form.losses }
    }

    /// The savings compared with minified and pretty JSON: of the bytes if `counter` is `None`,
    /// otherwise of its tokens.
    fn saved(rows: &[Row], cost: &Cost, counter: Option<usize>) -> [Option<f64>; 2] {
        [JSON, JSON_PRETTY].map(|base| {
            let base = rows.iter().find(|row| row.format == base)?.outcome.as_ref().ok()?;
            match counter {
                None => Some(part_saved(base.bytes, cost.bytes)),
                Some(index) => {
                    let tokens = |cost: &Cost| Some(cost.tokens.get(index)?.0);
                    Some(part_saved(tokens(base)?, tokens(cost)?))
                }
            }
        })
    }

    fn tables(&self, name: &str, rows: &[Row]) -> String {
        let mut text = format!("{}\n{}", shown(name), Self::sizes(rows));
        for row in rows {
            let _ = match &row.outcome {
                Err(why) if row.format == INPUT => writeln!(text, "{INPUT} has no sum: {why}"),
                Err(why) => writeln!(text, "{} is not measured: {}", row.format, shown(why)),
                Ok(_) if row.losses.is_empty() => Ok(()),
                Ok(_) => writeln!(text, "{} loses: {}", row.format, row.losses.join("; ")),
            };
        }
        for (index, counter) in self.counters.iter().enumerate() {
            let _ = write!(text, "\nby {counter}\n{}", Self::tokens(rows, index));
        }
        text
    }

    /// Bytes, plain and after gzip.
    fn sizes(rows: &[Row]) -> String {
        let fields = ["format", "bytes", "saved of json", "of json-pretty", "gzip bytes"];
        let mut table = table::new(fields.into_iter());
        table::align_right(&mut table, 1..fields.len());
        for row in rows {
            let Ok(cost) = &row.outcome else { continue };
            let [json, pretty] = Self::saved(rows, cost, None).map(part);
            let (bytes, gzip) = (cost.bytes.to_string(), cost.gzip.to_string());
            table.add_row([row.format.to_owned(), bytes, json, pretty, gzip]);
        }
        table::text(&table)
    }

    /// The tokens of a counter, and where they go.
    fn tokens(rows: &[Row], counter: usize) -> String {
        let fields = ["format", "tokens", "saved of json", "of json-pretty"];
        let mut table = table::new(fields.into_iter().chain(Shares::NAMES));
        table::align_right(&mut table, 1..fields.len() + Shares::NAMES.len());
        for row in rows {
            let Ok(cost) = &row.outcome else { continue };
            let Some((tokens, shares)) = cost.tokens.get(counter) else { continue };
            let [json, pretty] = Self::saved(rows, cost, Some(counter)).map(part);
            let counts = shares.counts();
            let whole = counts.iter().sum::<usize>().max(1);
            let shares = counts.map(|count| format!("{:.0} %", 100.0 * ratio(count, whole)));
            let start = [row.format.to_owned(), tokens.to_string(), json, pretty];
            table.add_row(start.into_iter().chain(shares));
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
                    .map(|(index, (counter, (tokens, shares)))| {
                        let [json, pretty] = Self::saved(rows, cost, Some(index));
                        let mut object = json!({
                            "counter": counter.as_str(),
                            "tokens": tokens,
                            "saved_of_json": json,
                            "saved_of_json_pretty": pretty,
                        });
                        for (name, count) in Shares::NAMES.iter().zip(shares.counts()) {
                            object[*name] = count.into();
                        }
                        object
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
        let fields = "file,format,bytes,gzip_bytes,bytes_saved_of_json,bytes_saved_of_json_pretty,counter,tokens,tokens_saved_of_json,tokens_saved_of_json_pretty";
        format!("{fields},{}\n", Shares::NAMES.join(","))
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
                let rest = std::iter::repeat_n(String::new(), 4 + Shares::NAMES.len());
                writer.write_record(start.iter().cloned().chain(rest)).expect(NEVER);
            }
            for (index, (counter, (tokens, shares))) in
                self.counters.iter().zip(&cost.tokens).enumerate()
            {
                let [json, pretty] = Self::saved(rows, cost, Some(index)).map(part);
                let rest = [counter.as_str().to_owned(), tokens.to_string(), json, pretty];
                let rest = rest.into_iter().chain(shares.counts().map(|count| count.to_string()));
                writer.write_record(start.iter().cloned().chain(rest)).expect(NEVER);
            }
        }
        String::from_utf8(writer.into_inner().expect(NEVER)).expect("because its cells are text")
    }
}
