//! Values one by one, in memory that does not grow with their number: `--stream`.

mod sink;

use std::io::Write;
use std::path::Path;

use gcf::generic::Reader;
use wire_core::value::{JsonText, StrictValue};
use wire_core::{CodecError, Position};
use wire_registry::Registry;

use self::sink::Sink;
use crate::args::{BigIntegers, ConvertOptions, StreamForm};
use crate::document::{Document, Kind};
use crate::failure::Failure;
use crate::input::{Input, Opened};
use crate::output::Stopped;
use crate::progress::Working;
use crate::source::Source;
use crate::value::{self, AsStrings, Cut, Integers, Piece, Pieces};

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

impl Stream {
    /// Opens a file, or standard input for `-`, and detects its format from its beginning.
    pub(super) fn open(
        path: &Path,
        options: &ConvertOptions,
        registry: &Registry,
    ) -> Result<Self, Failure> {
        let opened = Opened::open(path, Telling::default().enough())?;
        let document = Document::detect(&opened.head, options.from.as_deref(), registry)
            .inferring_types(options.csv.infer_types)?;
        // An empty input is an array that was cut off.
        let is_array = || matches!(opened.head.bytes.trim_ascii_start(), [] | [b'[', ..]);
        let cut = match document.kind {
            Kind::Value(Source::JsonLines) => Some(Cut::Lines),
            Kind::Json(_) if is_array() => Some(Cut::Array),
            Kind::Generic => None,
            _ => return Ok(Stream::Whole(opened.whole()?)),
        };
        Ok(Stream::Values(Values { opened, cut }))
    }
}

impl Values {
    /// How messages call the input.
    pub(super) fn name(&self) -> &str {
        &self.opened.head.name
    }

    /// Writes all values in a format, and says how many integers are strings.
    pub(super) fn convert(
        self,
        to: &'static str,
        form: StreamForm,
        big_integers: BigIntegers,
        working: &Working,
        writer: &mut dyn Write,
    ) -> Result<usize, Stopped> {
        let mut strings = 0;
        let name = self.opened.head.name.clone();
        let encoding = |error: gcf::Error| Failure::encode(name.clone(), to, error);
        let mut sink = Sink::new(to, form).map_err(encoding)?;
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
                let mut pieces = Pieces::new(reader, &name, cut);
                while let Some(piece) = pieces.next()? {
                    let pushed = push(&piece, big_integers, &mut sink);
                    strings += pushed.map_err(|error| piece.refused(&name, &error))?;
                    take(&mut sink)?;
                }
            }
            None => {
                let refused = |error: gcf::Error| unreadable(&name, error);
                let mut rows = Reader::new(reader).map_err(refused)?;
                let table = rows.next_table().map_err(|error| no_array(&name, Some(error)))?;
                let Some(table) = table.filter(|table| table.name.is_none() && !table.is_map)
                else {
                    return Err(no_array(&name, None).into());
                };
                while let Some(StrictValue(value)) = rows.next_row().map_err(refused)? {
                    // A row may lack fields of its table.
                    let names = || match &table.fields[..] {
                        [] => Some(value.as_object()?.keys().cloned().collect()),
                        fields => Some(fields.to_vec()),
                    };
                    sink.push(&value, names)
                        .map_err(|error| not_written(&name, rows.row_position(), &error))?;
                    take(&mut sink)?;
                }
                rows.next_table().map_err(refused)?;
            }
        }
        writer.write_all(&sink.finish().map_err(encoding)?)?;
        Ok(strings)
    }
}

/// Writes the value of a JSON text, and returns how many integers became strings. An error has its
/// position in the text, if it has one.
fn push(piece: &Piece, big_integers: BigIntegers, sink: &mut Sink) -> Result<usize, CodecError> {
    // If a line ends too early, the error is at its end, before the line ending.
    let text = value::text(&piece.bytes)?.trim_end_matches(['\r', '\n']);
    if !sink.is_gcf() {
        value::check_item(text.as_bytes(), Integers::All)?;
        return sink.push(&value::parse(text.as_bytes())?, || None).map(|()| 0);
    }
    let (integers, held) = match big_integers {
        BigIntegers::Error => (Integers::Signed, Integers::All),
        BigIntegers::String => (Integers::All, Integers::Signed),
    };
    let text = AsStrings::of(text, held);
    let json = JsonText::new(&text.text);
    let made = sink.push(&json, || {
        let object = wire_core::value::from_str(&text.text).ok()?;
        Some(object.as_object()?.keys().cloned().collect())
    });
    if made.is_err() || json.has_large_doubles() {
        // An error of the text itself is first, and has its position.
        value::check_item(text.original().as_bytes(), integers)?;
    }
    made.map(|()| text.count())
}

/// The error of a text of GCF, which is not in memory.
#[cold]
fn unreadable(name: &str, error: gcf::Error) -> Failure {
    let error = CodecError::from(error);
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
    /// Whether enough was read. For an object that is its line and something after it, because the
    /// line may be a JSON line or the beginning of a payload. For anything else it is a part of its
    /// line.
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
