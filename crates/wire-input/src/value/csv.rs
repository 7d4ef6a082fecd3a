//! CSV with a header, as an array of objects.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use ::csv::{QuoteStyle, StringRecord};
use indexmap::IndexMap;
use serde_json::{Map, Value};
use wire_core::json::Json;
use wire_core::text::shown;
use wire_core::{CodecError, Position};

use super::csv_types::Column;
use crate::source::{Csv, Types};
use crate::warning::{Warning, plural};

const SYNTAX: &str = "csv_syntax";

/// The possible delimiters of cells.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// The records that show what is between cells.
const SAMPLE: usize = 1000;

/// The rows as objects with the names of the header, and the warnings about them.
pub(super) fn read(text: &str, csv: Csv) -> Result<(Value, Vec<Warning>), CodecError> {
    let mut warnings = Vec::new();
    let named = sep(text);
    // The line of `sep=` is blank for the reader, so that all positions stay.
    let skipped = named.map_or(0, |(_, length)| length);
    let line = || shown(text.lines().next().unwrap_or_default());
    let (delimiter, note) = match (csv.delimiter, named) {
        (Some(delimiter), Some((other, _))) if other != delimiter => {
            let (line, named) = (line(), called(delimiter));
            (delimiter, Some(format!("the line {line} is ignored: --delimiter names {named}")))
        }
        // Its name says that the file has tabs.
        (None, Some((delimiter, _))) if csv.usual != b',' && delimiter != csv.usual => {
            let (line, named) = (line(), called(delimiter));
            let message = format!(
                "read with {named} between the cells, as the line {line} says; --delimiter chooses"
            );
            (delimiter, Some(message))
        }
        (Some(delimiter), _) | (None, Some((delimiter, _))) => (delimiter, None),
        (None, None) => found(text, csv.usual),
    };
    warnings.extend(note.map(|message| Warning::note("delimiter", message)));
    let position = |offset: usize| Position::in_text(text.as_bytes(), skipped + offset);
    let body = &text[skipped..];
    let failed = |error: &::csv::Error| {
        // The reader's position of a record is before the line endings in front of it.
        let at = error.position().and_then(|at| usize::try_from(at.byte()).ok()).map(|at| {
            let rest = body.get(at..).unwrap_or_default();
            body.len() - rest.trim_start_matches(['\r', '\n']).len()
        });
        let message = match error.kind() {
            ::csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                let cells = if *len == 1 { "cell" } else { "cells" };
                let row = at.map_or("", |at| &body[at..]).lines().next().unwrap_or_default();
                let is_comment =
                    row.starts_with('#') || *expected_len == 1 && body.starts_with('#');
                let file = if skipped > 0 { "tail -n +2 FILE" } else { "cat FILE" };
                let hint = mended(is_comment, row, delimiter, file);
                format!("a row has {len} {cells}, expected {expected_len}; {hint}")
            }
            _ => error.to_string(),
        };
        CodecError::new(SYNTAX, at.map(position), message)
    };
    check_quotes(body, delimiter)
        .map_err(|(at, message)| CodecError::new(SYNTAX, Some(position(at)), message))?;
    let mut reader = reader(body, delimiter).flexible(false).from_reader(body.as_bytes());
    let header = reader.headers().map_err(|error| failed(&error))?;
    let (header, renamed) = unique(header, csv.renames).map_err(|name| {
        let offset = body.len() - body.trim_start_matches(['\r', '\n']).len();
        let message = format!(
            "the header has {} twice, expected once; --rename-duplicates tells them apart",
            shown(&name)
        );
        CodecError::new("duplicate_key", Some(position(offset)), message)
    })?;
    if renamed > 0 {
        let message = format!("columns with one name have numbers ({})", plural(renamed, "column"));
        warnings.push(Warning::note("renamed", message));
    }
    if header.len() == 1 {
        check_empty_lines(body, delimiter, position)?;
    }
    let (mut rows, mut quoted) = (Vec::new(), Vec::new());
    for row in reader.records() {
        let row = row.map_err(|error| failed(&error))?;
        if csv.types == Some(Types::Unquoted) {
            let at = row.position().map_or(0, |at| usize::try_from(at.byte()).unwrap_or_default());
            quoted.push(are_quoted(body, at, delimiter, header.len()));
        }
        let members = header.iter().zip(&row).map(|(name, cell)| (name.clone(), cell.into()));
        rows.push(Value::Object(members.collect()));
    }
    if rows.is_empty() && !header.is_empty() {
        let message = "there are no rows, so the names of the columns are lost";
        warnings.push(Warning::loss(message));
    } else if csv.types.is_some() && !header.is_empty() {
        let columns = Column::of_rows(header.len(), &rows, &quoted);
        for (index, row) in rows.iter_mut().enumerate() {
            let members = row.as_object_mut().into_iter().flat_map(Map::values_mut);
            for (at, (column, cell)) in columns.iter().zip(members).enumerate() {
                if !quoted.get(index).is_some_and(|row| row[at]) {
                    column.take(cell);
                }
            }
        }
        warnings.push(Column::report(&header, &columns));
    }
    Ok((Value::Array(rows), warnings))
}

/// A note on the columns that have a type, which `--infer-types` reads.
pub(crate) fn typed_columns(text: &[u8], csv: Csv) -> Option<Warning> {
    if csv.types.is_some() {
        return None;
    }
    let text = std::str::from_utf8(text).ok()?;
    let (_, warnings) = read(text, Csv { types: Some(Types::All), ..csv }).ok()?;
    let report = warnings.into_iter().find(|warning| warning.code == "types")?;
    let columns = report.details?.1;
    let is_typed = |kind: &&Value| !matches!(kind.as_str(), Some("string" | "null"));
    let typed = columns.as_object()?.values().filter(is_typed).count();
    (typed > 0).then(|| {
        let message = format!("{} could have a type: try --infer-types", plural(typed, "column"));
        Warning::note("infer_types", message)
    })
}

fn reader(text: &str, delimiter: u8) -> ::csv::ReaderBuilder {
    let mut builder = ::csv::ReaderBuilder::new();
    builder.delimiter(delimiter).flexible(true).buffer_capacity(text.len().min(1 << 16));
    builder
}

/// The delimiter that a first line `sep=;` names, in any case and with or without quotes, and the
/// length of the line. A spreadsheet may write blanks or commas behind it.
fn sep(text: &str) -> Option<(u8, usize)> {
    let end = text.find(['\n', '\r']).unwrap_or(text.len());
    let line_end = if text[end..].starts_with("\r\n") { 2 } else { 1 };
    let own = text[..end].trim_end_matches([' ', ',']);
    let own = if own.ends_with('=') { &text[..end] } else { own };
    let own = own.strip_prefix('"').and_then(|own| own.strip_suffix('"')).unwrap_or(own);
    let (name, value) = own.split_once('=')?;
    let [delimiter] = value.as_bytes() else { return None };
    let is_sep = name.eq_ignore_ascii_case("sep") && *delimiter != b'"';
    is_sep.then_some((*delimiter, text.len().min(end + line_end)))
}

/// The delimiter of the cells of a text: what gives all of its records the same number of cells,
/// and most of them. A note says what else it could be, or that it is not the usual.
fn found(text: &str, usual: u8) -> (u8, Option<String>) {
    let cells = |delimiter: u8| {
        let mut records = reader(text, delimiter)
            .has_headers(false)
            .from_reader(text.as_bytes())
            .into_records()
            .take(SAMPLE)
            .map(|record| record.map_or(0, |record| record.len()));
        let first = records.next().unwrap_or_default();
        (delimiter, if records.all(|cells| cells == first) { first } else { 0 })
    };
    let all = DELIMITERS.into_iter().map(cells).filter(|(_, cells)| *cells > 1);
    // A delimiter that makes the quotes wrong is taken only if all of them do.
    let (quoted, others): (Vec<_>, Vec<_>) =
        all.partition(|(delimiter, _)| check_quotes(text, *delimiter).is_ok());
    let mut candidates = if quoted.is_empty() { others } else { quoted };
    // Of equal ones the usual.
    candidates.sort_by_key(|(delimiter, cells)| (std::cmp::Reverse(*cells), *delimiter != usual));
    let Some(&(delimiter, cells)) = candidates.first() else {
        return (of_the_first(text, usual), None);
    };
    if candidates.len() == 1 && delimiter == usual {
        return (delimiter, None);
    }
    let mut message =
        format!("read with {} between the cells: {}", called(delimiter), plural(cells, "column"));
    for (other, cells) in &candidates[1..] {
        message += &format!("; with {} it has {}", called(*other), plural(*cells, "column"));
    }
    message += "; --delimiter chooses";
    (delimiter, Some(message))
}

/// The delimiter of a text whose records have not the same number of cells: the usual, unless only
/// another one is in its first line, so that the rows that are too short or too long are errors.
fn of_the_first(text: &str, usual: u8) -> u8 {
    let lines = text.trim_start_matches('\u{feff}').lines();
    let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with(['#', '"']));
    let (first, more) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let has = |delimiter: &u8| first.as_bytes().contains(delimiter);
    let others = DELIMITERS.into_iter().filter(|delimiter| more.as_bytes().contains(delimiter));
    if has(&usual) { usual } else { others.into_iter().find(has).unwrap_or(usual) }
}

/// How messages call what is between cells.
fn called(delimiter: u8) -> String {
    match delimiter {
        b'\t' => "tabs".to_owned(),
        b'!'..=b'~' => format!("`{}`", char::from(delimiter)),
        _ => shown(char::from(delimiter).encode_utf8(&mut [0; 4])),
    }
}

/// The names of a header. Those that are there twice have a number, or the first is an error.
fn unique(header: &StringRecord, renames: bool) -> Result<(Vec<String>, usize), String> {
    let header_names: HashSet<&str> = header.iter().collect();
    let mut taken: HashSet<String> = HashSet::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let (mut names, mut changed) = (Vec::with_capacity(header.len()), 0);
    for name in header {
        let mut new = name.to_owned();
        if taken.contains(name) {
            if !renames {
                return Err(new);
            }
            // Lower numbers are taken.
            let number = numbers.entry(name).or_insert(2);
            while taken.contains(&new) || header_names.contains(&*new) {
                new = format!("{name}_{number}");
                *number += 1;
            }
            changed += 1;
        }
        taken.insert(new.clone());
        names.push(new);
    }
    Ok((names, changed))
}

/// The rows of a JSON text as CSV: an array of objects of scalars. A member that is null or missing
/// is an empty cell. All cells are quoted if the text would else be read with another delimiter.
///
/// # Errors
///
/// Why it is none: the first cell that is not a scalar.
pub fn write(json: &str, delimiter: u8) -> Result<String, String> {
    const NEVER: &str = "because a vector takes all that is written";
    let value = Json::parse(json).expect("because it was written as JSON");
    let Json::Array(items) = value else { return Err("it is not an array of objects".to_owned()) };
    let mut names: IndexMap<Cow<'_, str>, usize> = IndexMap::new();
    let mut rows = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        let Json::Object(members) = item else {
            return Err(format!("row {} is not an object", index + 1));
        };
        let mut row = Vec::with_capacity(names.len());
        for (name, value) in members {
            let found = match value {
                Json::Array(_) => "an array",
                Json::Object(_) => "an object",
                _ => {
                    let next = names.len();
                    let column = *names.entry(name).or_insert(next);
                    row.resize(row.len().max(column + 1), Cow::Borrowed(""));
                    row[column] = cell(value);
                    continue;
                }
            };
            return Err(format!("row {} has {found} in {}", index + 1, shown(&name)));
        }
        rows.push(row);
    }
    for row in &mut rows {
        row.resize(names.len(), Cow::Borrowed(""));
    }
    let with = |style: QuoteStyle| {
        let mut builder = ::csv::WriterBuilder::new();
        let mut writer = builder.delimiter(delimiter).quote_style(style).from_writer(Vec::new());
        if !names.is_empty() {
            writer.write_record(names.keys().map(|name| name.as_bytes())).expect(NEVER);
        }
        for row in &rows {
            writer.write_record(row.iter().map(|cell| cell.as_bytes())).expect(NEVER);
        }
        let text = writer.into_inner().expect(NEVER);
        String::from_utf8(text).expect("because its cells are text")
    };
    let text = with(QuoteStyle::Necessary);
    if sep(&text).is_some() {
        // The header would be read as the name of a delimiter.
        return Ok(format!("sep={}\n{text}", char::from(delimiter)));
    }
    // A byte order mark would be no part of the first name.
    let is_read = found(&text, delimiter).0 == delimiter && !text.starts_with('\u{feff}');
    Ok(if is_read { text } else { with(QuoteStyle::Always) })
}

fn cell(value: Json<'_>) -> Cow<'_, str> {
    match value {
        Json::Bool(truth) => if truth { "true" } else { "false" }.into(),
        Json::Number(text) | Json::String(text) => text,
        Json::Null | Json::Array(_) | Json::Object(_) => "".into(),
    }
}

/// The end of the cell that begins here, and whether it is in quotes.
///
/// # Errors
///
/// Quotes that don't end, or not with their cell: readers of CSV make different things of them.
fn cell_end(
    bytes: &[u8],
    start: usize,
    delimiter: u8,
) -> Result<(usize, bool), (usize, &'static str)> {
    let is_end = |at: usize| {
        bytes.get(at).is_none_or(|&byte| byte == delimiter || matches!(byte, b'\n' | b'\r'))
    };
    let mut at = start;
    if bytes.get(at) != Some(&b'"') {
        while !is_end(at) {
            at += 1;
        }
        return Ok((at, false));
    }
    at += 1;
    loop {
        match bytes[at..].iter().position(|&byte| byte == b'"') {
            None => return Err((start, "a quoted cell does not end, expected a quote")),
            Some(length) if bytes.get(at + length + 1) == Some(&b'"') => at += length + 2,
            Some(length) => {
                at += length + 1;
                break;
            }
        }
    }
    if is_end(at) {
        return Ok((at, true));
    }
    Err((at, "text follows a quoted cell, expected the next cell or the end of the line"))
}

/// Refuses quotes that are not those of whole cells.
fn check_quotes(text: &str, delimiter: u8) -> Result<(), (usize, &'static str)> {
    let mut at = 0;
    while at < text.len() {
        at = cell_end(text.as_bytes(), at, delimiter)
            .map_err(|(place, message)| {
                let is_escaped = text[at..].starts_with('"') && text[at..].contains("\\\"");
                (place, if is_escaped { ESCAPED } else { message })
            })?
            .0
            + 1;
    }
    Ok(())
}

/// What mends quotes behind a backslash.
const ESCAPED: &str = r#"a quoted cell has `\"` in it, expected `""` for a quote; `python3 -c 'import csv, sys; csv.writer(sys.stdout).writerows(csv.reader(sys.stdin, escapechar="\\", doublequote=False))' < FILE` writes it"#;

/// Whether each cell of the record that begins here is in quotes.
fn are_quoted(text: &str, record: usize, delimiter: u8, cells: usize) -> Vec<bool> {
    let rest = text.get(record..).unwrap_or_default();
    let mut at = text.len() - rest.trim_start_matches(['\r', '\n']).len();
    let next = || {
        let (end, is_quoted) =
            cell_end(text.as_bytes(), at, delimiter).unwrap_or((text.len(), false));
        at = end + 1;
        is_quoted
    };
    std::iter::repeat_with(next).take(cells).collect()
}

/// Refuses empty lines between rows of one cell: each could be an empty cell, or nothing.
fn check_empty_lines(
    text: &str,
    delimiter: u8,
    position: impl Fn(usize) -> Position,
) -> Result<(), CodecError> {
    let body = text.trim_end_matches(['\r', '\n']);
    let mut at = 0;
    while at < body.len() {
        if at > 0 && body[at..].starts_with(['\r', '\n']) {
            let message = "a line is empty, expected a cell; write an empty cell as \"\"";
            return Err(CodecError::new(SYNTAX, Some(position(at)), message));
        }
        let end = cell_end(body.as_bytes(), at, delimiter).map_or(body.len(), |(end, _)| end);
        let line_end = if body[end..].starts_with("\r\n") { 2 } else { 1 };
        at = end + line_end;
    }
    Ok(())
}

/// What mends rows that have not as many cells as the header.
fn mended(is_comment: bool, row: &str, delimiter: u8, file: &str) -> String {
    if is_comment {
        return format!("CSV has no comments; `{file} | grep -v '^#'` takes them out");
    }
    let name =
        if delimiter == b'\t' { "\\t".to_owned() } else { char::from(delimiter).to_string() };
    let mut cells = row.split(char::from(delimiter));
    if cells.any(|cell| cell.starts_with(' ') && cell.trim_start_matches(' ').starts_with('"')) {
        return format!(
            "a space before a quote makes it text; `{file} | python3 -c 'import csv, sys; csv.writer(sys.stdout).writerows(csv.reader(sys.stdin, delimiter=\"{name}\", skipinitialspace=True))'` takes it out"
        );
    }
    format!(
        "`{file} | mlr --icsv --ifs '{name}' --ocsv --allow-ragged-csv-input unsparsify` makes rows equally long"
    )
}
