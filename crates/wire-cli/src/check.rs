//! `wirefmt check`.

use std::fmt::Write as _;
use std::path::Path;

use gcf::graph::{Decoder, Recovery, Repair};
use gcf::keyed::Message;
use gcx::SliceReader;
use goon::{GraphResponse, QueryType};
use serde_json::json;
use wire_core::{CodecError, Position, Representation};
use wire_input::{graph, response, value};
use wire_registry::Registry;

use crate::args::{CheckOptions, Judged};
use crate::batch::Working;
use crate::diagnostic::{Diagnostics, Remark};
use crate::document::only_gcf;
use crate::failure::{Failure, plural, shown};
use crate::input::{self, Input, Work};
use crate::source::{GCF, GCX, GOON, JSON, Source, registry};
use crate::{batch, output};
use wire_input::{Answer, Document, JsonKind, Kind};

pub(crate) fn run(options: &CheckOptions, diagnostics: &Diagnostics) -> Result<(), Failure> {
    let registry = registry(gcf::graph::Encoder::new());
    let works = if options.recover {
        only_gcf(options.from.as_deref())?;
        input::expand_answers(&options.files, &registry)?
    } else {
        input::expand(&options.files, options.from.as_deref(), &registry)?
    };
    let work = |work: &Work| {
        let is_quiet = diagnostics.is_quiet() || !works.is_single;
        let _working = Working::on(&work.path, is_quiet, false);
        check(&work.path, options, &registry)
    };
    batch::run(&works, &options.batch, diagnostics, work, |_, summary| {
        for remark in &summary.remarks {
            diagnostics.say(&summary.file, remark);
        }
        let text =
            if diagnostics.is_for_machines() { summary.object() } else { summary.sentence() };
        match output::to_stdout(text.as_bytes()) {
            // Nobody reads the summaries any more; the exit code still has to be right.
            Err(failure) if failure.is_closed_pipe() => {}
            outcome => outcome?,
        }
        match summary.repairs() {
            0 => Ok(()),
            repairs => Err(Failure::repairs(summary.file, repairs)),
        }
    })
}

/// The content of a valid file.
struct Summary {
    file: String,
    format: &'static str,
    /// The tool, or the type of the query, of a response.
    tool: Option<String>,
    /// How many of what.
    counts: [(usize, &'static str); 2],
    recovery: Option<Recovery>,
    /// The remarks about reading it.
    remarks: Vec<Remark>,
}

impl Summary {
    fn new(
        input: &Input,
        format: &'static str,
        tool: Option<String>,
        counts: [(usize, &'static str); 2],
    ) -> Self {
        Summary {
            file: input.name.clone(),
            format,
            tool,
            counts,
            recovery: None,
            remarks: Vec::new(),
        }
    }

    /// The summary of a text of GCF's generic profile.
    fn generic(input: &Input, counts: [(usize, &'static str); 2]) -> Self {
        Summary::new(input, GCF, Some("generic".to_owned()), counts)
    }

    /// The number of repairs that would be needed.
    fn repairs(&self) -> usize {
        self.recovery.as_ref().map_or(0, |recovery| recovery.repairs.len())
    }

    /// `pack.gcf: gcf, 10 symbols, 8 edges`, and a line for each repair.
    fn sentence(&self) -> String {
        let tool = self.tool.as_ref().map(|tool| format!(", {}", shown(tool)));
        let [one, other] = self.counts.map(|(count, noun)| plural(count, noun));
        let (file, format) = (shown(&self.file), self.format);
        let mut text = format!("{file}: {format}{}, {one}, {other}\n", tool.unwrap_or_default());
        let Some(recovery) = &self.recovery else { return text };
        for (declared, noun) in
            [(recovery.declared_symbols, "symbol"), (recovery.declared_edges, "edge")]
        {
            if let Some(count) = declared.and_then(|count| usize::try_from(count).ok()) {
                let _ = writeln!(text, "  declared: {}", plural(count, noun));
            }
        }
        if self.tool.is_none() {
            let _ = writeln!(text, "  last good line: {}", recovery.last_good_line);
        }
        for Repair { line, kind, reason, .. } in &recovery.repairs {
            let reason = reason.map(|reason| format!(": {}", reason.summary())).unwrap_or_default();
            let _ = writeln!(text, "  line {line}: {}: {}{reason}", kind.code(), kind.summary());
        }
        text
    }

    /// The same as JSON.
    fn object(&self) -> String {
        let Summary { file, format, tool, counts, recovery, .. } = self;
        let mut object = json!({ "file": file, "format": format });
        if let Some(tool) = tool {
            object["tool"] = tool.as_str().into();
        }
        for (count, noun) in counts {
            object[format!("{noun}s")] = (*count).into();
        }
        if let Some(recovery) = recovery {
            object["declared_symbols"] = recovery.declared_symbols.into();
            object["declared_edges"] = recovery.declared_edges.into();
            object["last_good_line"] = recovery.last_good_line.into();
            object["repairs"] = json!([]);
        }
        let mut text = object.to_string();
        if let Some(recovery) = recovery {
            // One by one, because there may be many: a tree of them would need much more memory
            // than the input.
            let empty = "\"repairs\":[]";
            let (before, after) = text.split_once(empty).expect("because it is there");
            let mut list = format!("{before}\"repairs\":[");
            for (index, Repair { line, offset, kind, reason, .. }) in
                recovery.repairs.iter().enumerate()
            {
                let comma = if index > 0 { "," } else { "" };
                let reason =
                    reason.map_or("null".to_owned(), |reason| format!("\"{}\"", reason.code()));
                let _ = write!(
                    list,
                    "{comma}{{\"line\":{line},\"offset\":{offset},\"reason\":{reason},\"repair\":\"{}\"}}",
                    kind.code()
                );
            }
            text = list + "]" + after;
        }
        text.push('\n');
        text
    }
}

fn check(file: &Path, options: &CheckOptions, registry: &Registry) -> Result<Summary, Failure> {
    let input = Input::read(file)?;
    if options.recover {
        return check_answer(&input);
    }
    let final_newline = options.require_final_newline;
    let document = input.detect_reading(options.from.as_deref(), &options.reading, registry)?;
    let judged = options.judged_as;
    let is_named = || options.from.is_some() || registry.detect(&input.bytes).is_some();
    match (&document.kind, judged) {
        (Kind::Json(_) | Kind::Generic | Kind::Message, _) | (_, None) => {}
        // JSON need not show that it is some, as a number.
        (kind, Some(judged)) if !matches!(kind, Kind::Value(_)) && !is_named() => {
            return check_other(&input, Source::Json, judged, final_newline);
        }
        (_, Some(_)) => {
            let name = match document.source() {
                Some(source) => source.name(),
                None => input.codec(&document)?.info().name(),
            };
            let message = format!("--as applies only to JSON, and the input is {name}");
            return Err(Failure::usage(message));
        }
    }
    match document.kind {
        Kind::Generic => check_value(&input, final_newline),
        Kind::Message => check_message(&input, final_newline),
        Kind::Value(source) => check_other(&input, source, Judged::Value, final_newline),
        Kind::Json(ref members) => match judged.unwrap_or_else(|| Judged::of(members.kind())) {
            Judged::Payload => check_payload(&input, &document, final_newline).map_err(|failure| {
                if judged.is_none() && members.kind() == JsonKind::AlmostPayload {
                    failure.with_hint("--as value checks it as any JSON")
                } else {
                    failure
                }
            }),
            judged => check_other(&input, Source::Json, judged, final_newline),
        },
        Kind::Response => check_response(&input, final_newline),
        Kind::Goon | Kind::Delta | Kind::Payload | Kind::WrittenOnly(_) | Kind::Unknown => {
            match document.query() {
                Some(response) => check_query(&input, response),
                None => check_payload(&input, &document, final_newline),
            }
        }
    }
}

/// Checks a payload, or a delta of one.
fn check_payload(
    input: &Input,
    document: &Document<'_>,
    final_newline: bool,
) -> Result<Summary, Failure> {
    let codec = input.codec(document)?;
    if let Kind::Delta = document.kind
        && let Ok(delta) = Decoder::new().decode_delta(&input.bytes)
    {
        let symbols = delta.removed.len() + delta.added.len();
        let edges = delta.edges_removed.len() + delta.edges_added.len();
        return Ok(Summary::new(input, "gcf delta", None, counts(symbols, edges)));
    }
    let (payload, _) = input.payload(document)?;
    if final_newline && codec.info().representation() == Representation::Text {
        check_final_newline(input)?;
    }
    let counts = counts(payload.symbols.len(), payload.edges.len());
    Ok(Summary::new(input, codec.info().name(), None, counts))
}

/// Summarizes the response of a query.
fn check_query(
    input: &Input,
    response: Result<GraphResponse, CodecError>,
) -> Result<Summary, Failure> {
    let response = response.map_err(|error| input.refused(error))?;
    let last = match response.query_type {
        QueryType::Aggregation => (response.rows.len(), "row"),
        _ => (response.edges.len(), "edge"),
    };
    let tool = Some(response.query_type.name().to_owned());
    Ok(Summary::new(input, GOON, tool, [(graph::nodes(&response).len(), "node"), last]))
}

fn counts(symbols: usize, edges: usize) -> [(usize, &'static str); 2] {
    [(symbols, "symbol"), (edges, "edge")]
}

fn lines(input: &Input) -> (usize, &'static str) {
    (input.bytes.iter().filter(|&&byte| byte == b'\n').count(), "line")
}

/// Rejects a text whose last line has no line ending.
fn check_final_newline(input: &Input) -> Result<(), Failure> {
    if input.bytes.ends_with(b"\n") {
        return Ok(());
    }
    let position = Position::in_text(&input.bytes, input.bytes.len());
    let message = "the last line has no line ending, expected one";
    Err(input.refused(CodecError::new("missing_final_newline", Some(position), message)))
}

impl Judged {
    /// The kind that JSON has to be, by its members.
    fn of(kind: JsonKind) -> Self {
        match kind {
            JsonKind::Query => Judged::Response,
            JsonKind::Payload | JsonKind::PayloadWithMore | JsonKind::AlmostPayload => {
                Judged::Payload
            }
            JsonKind::Other | JsonKind::Several => Judged::Value,
        }
    }
}

/// Checks the JSON of a query's response or of any value, and YAML, TOML, CSV and JSON lines.
fn check_other(
    input: &Input,
    source: Source,
    judged: Judged,
    final_newline: bool,
) -> Result<Summary, Failure> {
    let refused = |error| input.refused(error);
    let (checked, warnings) = value::check(source, &input.bytes).map_err(refused)?;
    let tool = match judged {
        Judged::Response => {
            let text = std::str::from_utf8(&input.bytes).expect("because it is JSON");
            let response =
                GraphResponse::from_json_str(text).map_err(|error| refused(error.into()))?;
            Some(response.query_type.name().to_owned())
        }
        Judged::Payload | Judged::Value => None,
    };
    if final_newline {
        check_final_newline(input)?;
    }
    // What a conversion would lose is nothing wrong with the file.
    let notes = warnings.into_iter().filter(|warning| !warning.is_loss);
    let remarks = notes.map(Remark::from).collect();
    let summary = Summary::new(input, source.name(), tool, [checked.counts(), lines(input)]);
    Ok(Summary { remarks, ..summary })
}

/// Checks a value of the generic profile.
fn check_value(input: &Input, final_newline: bool) -> Result<Summary, Failure> {
    let json = value::to_json(Source::Generic, &input.bytes, JSON);
    let json = json.map_err(|error| input.refused(error))?;
    if final_newline {
        check_final_newline(input)?;
    }
    Ok(Summary::generic(input, [counts_of(&json), lines(input)]))
}

/// The number of items or members of a JSON text that we made.
fn counts_of(json: &str) -> (usize, &'static str) {
    value::checked(json).expect("because it was written as JSON").counts()
}

/// Checks a set of rows with a key, or a delta of one; neither is a value by itself.
fn check_message(input: &Input, final_newline: bool) -> Result<Summary, Failure> {
    let Ok(text) = std::str::from_utf8(&input.bytes) else {
        // The decoder of values reports the byte that is not UTF-8.
        return check_value(input, final_newline);
    };
    if final_newline {
        check_final_newline(input)?;
    }
    let counts = match text.parse::<Message>().map_err(|error| input.refused(error.into()))? {
        Message::Full(set) => [(set.len(), "row"), (set.fields().len(), "field")],
        Message::Delta(delta) => [(delta.len(), "change"), lines(input)],
        _ => [(0, "change"), lines(input)],
    };
    Ok(Summary::generic(input, counts))
}

/// The repairs that a model's answer would need.
fn check_answer(input: &Input) -> Result<Summary, Failure> {
    let refused = |error: gcf::Error| input.refused(error.into());
    let (summary, recovery) = match Answer::detect(&input.bytes) {
        Answer::Value => {
            let found = value::recover(&input.bytes);
            let (json, repairs) = found.map_err(|error| input.refused(error))?;
            let mut recovery = Recovery::default();
            recovery.repairs = repairs;
            (Summary::generic(input, [counts_of(&json), lines(input)]), recovery)
        }
        Answer::Payload => {
            let (payload, recovery) = Decoder::new().recover(&input.bytes).map_err(refused)?;
            let counts = counts(payload.symbols.len(), payload.edges.len());
            (Summary::new(input, GCF, None, counts), recovery)
        }
    };
    Ok(Summary { recovery: Some(recovery), ..summary })
}

/// Checks a tool's response: that it is what the tool says if that is known, and else its rows.
fn check_response(input: &Input, final_newline: bool) -> Result<Summary, Failure> {
    let count = || -> Result<_, CodecError> {
        let mut reader = SliceReader::from_slice(&input.bytes)?;
        let (mut tool, mut sections, mut rows, mut typed) = (String::new(), 0, 0, false);
        while let Some(header) = reader.next_section()? {
            if sections == 0 {
                header.tool().clone_into(&mut tool);
                typed = header.meta("typed").is_some();
            }
            sections += 1;
            while reader.next_row()?.is_some() {
                rows += 1;
            }
        }
        // Several sections of an unknown tool are fine, but no response that could be JSON.
        if sections == 1 || typed || !response::has_no_layout(&tool) {
            tool = response::read(&input.bytes)?.0;
        }
        Ok((tool, [(sections, "section"), (rows, "row")]))
    };
    let (tool, counts) = count().map_err(|error| input.refused(error))?;
    if final_newline {
        check_final_newline(input)?;
    }
    Ok(Summary::new(input, GCX, Some(tool), counts))
}
