//! Values one by one, in memory that does not grow with their number: `--stream`.

mod sink;

use std::io::Write;
use std::path::Path;

use gcf::Reader;
use wire_core::json::{Doubles, Json, Layout};
use wire_core::{CodecError, Position};
use wire_input::value::{self, Cut, JsonText, Piece, Pieces};
use wire_registry::Registry;

use self::sink::{Names, Sink};
use crate::args::{BigIntegers, ConvertOptions};
use crate::batch::Working;
use crate::failure::Failure;
use crate::input::{Input, Opened};
use crate::output::Stopped;
use crate::source::Source;
use wire_input::Kind;

/// An input that is read value by value, or that has to be read whole.
pub(super) enum Stream {
    Values(Values),
    Whole(Input),
}

/// The values of an input.
pub(super) struct Values {
    opened: Opened,
    /// None for GCF.
    cut: Option<Cut>,
}

/// The changes of the numbers of a stream.
#[derive(Default)]
pub(super) struct Numbers {
    /// How many integers are strings.
    pub(super) strings: usize,
    doubles: Doubles,
    /// The position of the first decimal that was rounded, or of its row.
    first_rounded: Option<Position>,
    /// `true` if the first value decided that all are items.
    pub(super) are_items: bool,
}

impl Numbers {
    /// Adds those of a value. `place` is the position in the input of an offset in its text.
    fn add(&mut self, json: &JsonText<'_>, place: impl Fn(usize) -> Option<Position>) {
        let doubles = json.doubles();
        self.strings += json.strings();
        self.doubles.append(doubles, 0);
        self.first_rounded = self.first_rounded.or_else(|| place(doubles.first_rounded?));
    }

    /// Descriptions of what was lost (ruling A7).
    pub(super) fn losses(&self) -> Vec<String> {
        value::losses(&self.doubles, self.first_rounded)
    }
}

impl Stream {
    /// Opens a file, or standard input for `-`, and detects its format from its beginning.
    pub(super) fn open(
        path: &Path,
        options: &ConvertOptions,
        registry: &Registry,
    ) -> Result<Self, Failure> {
        let mut opened = Opened::open(path, Telling::default().enough())?;
        let kind_of = |head: &Input| {
            head.detect_reading(options.from.as_deref(), &options.reading, registry)
                .map(|document| document.kind)
        };
        // An empty input is an array that was cut off.
        let is_array = || matches!(opened.head.bytes.trim_ascii_start(), [] | [b'[', ..]);
        let cut = match kind_of(&opened.head)? {
            Kind::Value(Source::JsonLines) => Some(Cut::Lines),
            Kind::Value(Source::JsonValues) => Some(Cut::Values),
            Kind::Json(_) if is_array() => Some(Cut::Array),
            Kind::Generic => None,
            // Only all of it shows whether another value follows an object of several lines.
            Kind::Json(_) => {
                opened = opened.whole()?;
                match kind_of(&opened.head)? {
                    Kind::Value(_) => Some(Cut::Values),
                    _ => return Ok(Stream::Whole(opened.head)),
                }
            }
            _ => return Ok(Stream::Whole(opened.whole()?.head)),
        };
        Ok(Stream::Values(Values { opened, cut }))
    }
}

impl Values {
    /// How messages call the input.
    pub(super) fn name(&self) -> &str {
        &self.opened.head.name
    }

    /// Writes all values in a format, and says what became of their numbers.
    pub(super) fn convert(
        self,
        to: &'static str,
        options: &ConvertOptions,
        working: &Working,
        writer: &mut dyn Write,
    ) -> Result<Numbers, Stopped> {
        let mut numbers = Numbers::default();
        let check_loss = |numbers: &Numbers| {
            let losses = if options.deny_loss { numbers.losses() } else { Vec::new() };
            if losses.is_empty() { Ok(()) } else { Err(Failure::loss(to, &losses)) }
        };
        let name = self.opened.head.name.clone();
        let encoding = |error: gcf::Error| Failure::encode(name.clone(), to, error);
        let mut sink = Sink::new(to, options.stream.flatten()).map_err(encoding)?;
        let mut take = |sink: &mut Sink| {
            let written = sink.written();
            let outcome = writer.write_all(written);
            written.clear();
            outcome
        };
        let size = self.opened.size;
        let reader = working.counted(self.opened.into_reader(), size);
        match self.cut {
            Some(cut) => {
                let mut pieces = Pieces::new(reader, cut);
                while let Some(piece) =
                    pieces.next_piece().map_err(|error| unreadable(&name, error))?
                {
                    let pushed = push(&piece, options.big_integers, &mut sink, &mut numbers);
                    pushed.map_err(|error| refused(&name, &piece, &error))?;
                    check_loss(&numbers)?;
                    take(&mut sink)?;
                }
            }
            None => {
                let refused = |error: gcf::Error| unreadable(&name, error);
                let mut rows = Reader::new(reader).map_err(refused)?;
                let table = rows.next_table().map_err(|error| no_array(&name, Some(error)))?;
                let Some(table) =
                    table.filter(|table| table.name.is_none() && table.kind != gcf::TableKind::Map)
                else {
                    return Err(no_array(&name, None).into());
                };
                while let Some(value) = rows.next_row::<Json<'_>>().map_err(refused)? {
                    let pushed = if sink.is_gcf() {
                        let text = value.to_text(Layout::Compact);
                        let json = JsonText::item(&text).signed();
                        // A row may lack fields of its table.
                        let pushed = sink.push(&json, || match (&table.fields[..], names(&text)) {
                            ([], names) => names,
                            (fields, Names::Flat(_)) => Names::Flat(fields.to_vec()),
                            (_, names) => names,
                        });
                        numbers.add(&json, |_| rows.row_position());
                        json.error(text.as_bytes()).map_or(pushed, Err)
                    } else {
                        sink.push_json(&value);
                        Ok(())
                    };
                    pushed.map_err(|error| not_written(&name, rows.row_position(), &error))?;
                    check_loss(&numbers)?;
                    take(&mut sink)?;
                }
                rows.next_table().map_err(refused)?;
            }
        }
        numbers.are_items = sink.chose_items();
        writer.write_all(&sink.finish().map_err(encoding)?)?;
        Ok(numbers)
    }
}

/// Writes the value of a JSON text, and adds what became of its numbers. An error has its position
/// in the text, if it has one.
fn push(
    piece: &Piece,
    big_integers: BigIntegers,
    sink: &mut Sink,
    numbers: &mut Numbers,
) -> Result<(), CodecError> {
    // If a line ends too early, the error is at its end, before the line ending.
    let text = value::text(&piece.bytes)?.trim_end_matches(['\r', '\n']);
    if !sink.is_gcf() {
        sink.push_json(&value::parse_item(text.as_bytes())?);
        return Ok(());
    }
    let as_strings = big_integers == BigIntegers::String;
    let json = JsonText::item(text).signed().big_integers_as_strings(as_strings);
    let made = sink.push(&json, || names(text));
    if let Some(error) = json.error(text.as_bytes()) {
        return Err(error);
    }
    numbers.add(&json, |at| Some(piece.place(Position::in_text(&piece.bytes, at))));
    made
}

/// The names of the members of a JSON text, if it is an object.
fn names(json: &str) -> Names {
    let Ok(Json::Object(members)) = Json::parse(json) else { return Names::None };
    let is_nested = |(_, value): &(_, Json<'_>)| matches!(value, Json::Array(_) | Json::Object(_));
    let is_flat = !members.is_empty() && !members.iter().any(is_nested);
    let names = members.into_iter().map(|(key, _)| key.into()).collect();
    if is_flat { Names::Flat(names) } else { Names::Nested(names) }
}

/// The error of a value, of which no more is in memory.
#[cold]
fn refused(name: &str, piece: &Piece, error: &CodecError) -> Failure {
    Failure::decode_part(name, &*piece.bytes, piece.start.offset, piece.refused(error))
}

/// The error of an input that is not in memory.
#[cold]
fn unreadable(name: &str, error: impl Into<CodecError>) -> Failure {
    let error = error.into();
    if error.code() == "io" {
        return Failure::input(name, &std::io::Error::other(error.to_string()));
    }
    let start = error.position().map_or(0, |position| position.offset);
    Failure::decode_part(name, [], start, error)
}

/// The failure to write a row or item of GCF, which is no longer in memory.
#[cold]
fn not_written(name: &str, place: Option<Position>, error: &CodecError) -> Failure {
    let start = place.map_or(0, |place| place.offset);
    let error = CodecError::new(error.code(), place, error.to_string());
    Failure::decode_part(name, [], start, error)
}

/// The failure of a text of GCF whose value is not an array with a row or item for each value.
#[cold]
fn no_array(name: &str, error: Option<gcf::Error>) -> Failure {
    let hint =
        "--stream accepts only arrays: `## [N]{fields}` or `## [N]`; omit it for other values";
    match error {
        Some(error) if matches!(error.code(), "unrecognized_line" | "not_streamable") => {
            unreadable(name, error).with_hint(hint)
        }
        Some(error) => unreadable(name, error),
        None => Failure::of_file(name, "not_streamable", "the value is an object").with_hint(hint),
    }
}

/// Reads until the beginning of an input shows its format.
#[derive(Default)]
struct Telling {
    /// The end of the first line that is not blank.
    line_end: Option<usize>,
}

impl Telling {
    /// Returns `true` if enough was read. For an object that is its line and something after it,
    /// because the line may be a JSON line or the beginning of a payload. For anything else it is a
    /// part of its line.
    fn enough(mut self) -> impl FnMut(&[u8], usize) -> bool {
        // An array of one line may be all of the input.
        const ENOUGH: usize = 64 << 10;
        move |head, known| {
            let blank = head.len() - head.trim_ascii_start().len();
            if blank == head.len() {
                return false;
            }
            let from = known.max(blank);
            self.line_end = self
                .line_end
                .or_else(|| Some(from + head[from..].iter().position(|&byte| byte == b'\n')?));
            match self.line_end {
                Some(end) => !head[end..].trim_ascii().is_empty(),
                None => head[blank] != b'{' && head.len() >= ENOUGH,
            }
        }
    }
}
