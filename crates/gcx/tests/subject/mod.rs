//! The glue between the conformance corpus and this crate.

use gcx::{ErrorKind, Header, Reader, Row, StreamReader, Writer};
use wire_conformance::{Failure, Options, Rows, Section, Subject};
use wire_core::Payload;

pub(crate) struct Gcx;

fn failure(error: &gcx::Error) -> Failure {
    Failure::new(error.code(), error.position(), error)
}

fn section(header: &Header<'_>) -> Section {
    let meta = header.all_meta().map(|(key, value)| (key.to_owned(), value.to_owned()));
    Section {
        tool: header.tool().to_owned(),
        fields: header.fields().map(str::to_owned).collect(),
        meta: meta.collect(),
        declared: header.rows(),
        ..Section::default()
    }
}

fn cells(row: &Row<'_>) -> Vec<String> {
    row.cells().iter().map(ToString::to_string).collect()
}

fn write(sections: &[Section], options: &Options) -> Result<Vec<u8>, gcx::Error> {
    let mut writer = Writer::new(Vec::new());
    match options.escape_commas.as_deref() {
        None => {}
        Some("written") => writer = writer.escape_commas(),
        Some(other) => panic!("escape_commas is {other:?}"),
    }
    for section in sections {
        let mut header = Header::new(&section.tool, &section.fields);
        for (key, value) in &section.meta {
            header = header.with_meta(key, value);
        }
        if let Some(rows) = section.declared {
            header = header.with_rows(rows);
        }
        writer.begin(&header)?;
        for comment in &section.comments {
            writer.comment(comment)?;
        }
        for row in &section.rows {
            writer.row(row)?;
        }
    }
    writer.finish()
}

fn required(options: &Options) -> bool {
    match options.final_newline.as_deref() {
        None => false,
        Some("required") => true,
        Some(other) => panic!("final_newline is {other:?}"),
    }
}

fn read_slice(input: &[u8], options: &Options) -> Result<Vec<Section>, gcx::Error> {
    let mut reader = Reader::from_slice(input)?.limits(options.limits());
    if required(options) {
        reader = reader.require_final_newline();
    }
    let mut sections = Vec::new();
    while let Some(header) = reader.next_section()? {
        let mut section = section(&header);
        while let Some(row) = reader.next_row()? {
            section.rows.push(cells(&row));
        }
        sections.push(section);
    }
    Ok(sections)
}

fn read_stream(input: &[u8], options: &Options) -> Result<Vec<Section>, gcx::Error> {
    let mut reader = StreamReader::new(input).limits(options.limits());
    if required(options) {
        reader = reader.require_final_newline();
    }
    let mut sections = Vec::new();
    while let Some(header) = reader.next_section()? {
        let mut section = section(&header);
        while let Some(row) = reader.next_row()? {
            section.rows.push(cells(&row));
        }
        sections.push(section);
    }
    Ok(sections)
}

impl Rows for Gcx {
    fn write(&self, sections: &[Section], options: &Options) -> Result<Vec<u8>, Failure> {
        write(sections, options).map_err(|error| failure(&error))
    }

    fn read(&self, input: &[u8], options: &Options) -> Result<Vec<Section>, Failure> {
        let slice = read_slice(input, options).map_err(|error| failure(&error));
        let stream = read_stream(input, options).map_err(|error| failure(&error));
        // What is not UTF-8 somewhere is so for a slice at once, and for a stream when it comes to it.
        let late = slice.as_ref().is_err_and(|failure| failure.code == "invalid_utf8");
        let place = |outcome: &Result<Vec<Section>, Failure>| match outcome {
            Ok(sections) => format!("{sections:?}"),
            Err(failure) => format!("{} {:?}", failure.code, failure.position),
        };
        if place(&slice) != place(&stream) && !late {
            return Err(Failure::disagreement("the readers of slices and streams"));
        }
        slice
    }
}

impl Subject for Gcx {
    fn format(&self) -> &'static str {
        "gcx"
    }

    fn error_codes(&self) -> Vec<&'static str> {
        ErrorKind::ALL.iter().map(|kind| kind.code()).collect()
    }

    fn rows(&self) -> Option<&dyn Rows> {
        Some(self)
    }

    fn encode(&self, _: &Payload<'_>, _: &Options) -> Result<Vec<u8>, Failure> {
        Err(Failure::new("unsupported", None, &"the crate has rows only"))
    }

    fn decode(&self, _: &[u8], _: &Options) -> Result<Payload<'static>, Failure> {
        Err(Failure::new("unsupported", None, &"the crate has rows only"))
    }
}
