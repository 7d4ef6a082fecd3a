//! `wirefmt check`.

use std::convert::Infallible;
use std::fmt::Write as _;
use std::path::Path;

use gcf::ErrorKind;
use gcf::generic::keyed::Message;
use gcf::graph::{Decoder, Recovery, Repair};
use gcx::Reader;
use gcx::layout::Layout;
use gcx::workspace::{ERROR, TOOL_DEFINITIONS, TOOL_REQUEST};
use serde_json::json;
use wire_core::value::Unambiguous;
use wire_core::{CodecError, Position, Representation};
use wire_registry::Registry;

use crate::args::{CheckOptions, Judged};
use crate::diagnostic::Diagnostics;
use crate::failure::{Failure, plural, shown};
use crate::formats::registry;
use crate::input::Input;
use crate::inputs::{self, Work};
use crate::value::Source;
use crate::{batch, graph, output, response, value};

pub(crate) fn run(options: &CheckOptions, diagnostics: &Diagnostics) -> Result<(), Failure> {
    let registry = registry(gcf::graph::Encoder::new());
    if options.recover
        && let Some(from) = options.from.as_ref().filter(|from| !from.eq_ignore_ascii_case("gcf"))
    {
        let message = format!("--recover finds gcf, and --from is {from}");
        return Err(Failure::usage(message));
    }
    let works = if options.recover {
        inputs::expand_answers(&options.files, &registry)?
    } else {
        inputs::expand(&options.files, options.from.as_deref(), &registry)?
    };
    let work = |work: &Work| check(&work.path, options, &registry);
    batch::run(&works, &options.batch, diagnostics, work, |_, summary| {
        match output::to_stdout(diagnostics.summary(&summary).as_bytes()) {
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

/// What a good file holds.
pub(crate) struct Summary {
    file: String,
    format: &'static str,
    /// The tool, or the type of the query, of a response.
    tool: Option<String>,
    /// How many of what.
    counts: [(usize, &'static str); 2],
    recovery: Option<Recovery>,
}

impl Summary {
    /// What would have to be mended.
    fn repairs(&self) -> usize {
        self.recovery.as_ref().map_or(0, |recovery| recovery.repairs.len())
    }

    /// `pack.gcf: gcf, 10 symbols, 8 edges`, and a line for each repair.
    pub(crate) fn sentence(&self) -> String {
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
    pub(crate) fn object(&self) -> String {
        let Summary { file, format, tool, counts, recovery } = self;
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
            // One by one, since there may be many: a tree of them would take much more memory than the input.
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
    if options.recover && value::in_answer(&input.bytes) {
        return check_answer(input);
    }
    if options.recover {
        return match Decoder::new().recover_slice(&input.bytes) {
            Ok((payload, recovery)) => Ok(Summary {
                file: input.name,
                format: "gcf",
                tool: None,
                counts: counts(payload.symbols.len(), payload.edges.len()),
                recovery: Some(recovery),
            }),
            Err(error) => Err(Failure::decode(input.name, input.bytes, error)),
        };
    }
    match Source::of(options.from.as_deref(), &input, registry) {
        Some(Source::Generic) => return check_value(input, options.require_final_newline),
        Some(Source::Json) => {
            let judged = options.judged_as.unwrap_or_else(|| Judged::of(&input.bytes));
            if judged != Judged::Payload {
                return check_other(input, Source::Json, judged, options.require_final_newline);
            }
        }
        None if options.judged_as.is_some() && registry.detect(&input.bytes).is_none() => {
            let judged = options.judged_as.unwrap_or(Judged::Value);
            return check_other(input, Source::Json, judged, options.require_final_newline);
        }
        source if options.judged_as.is_some() => {
            let name = source.map(Source::name);
            let name = name.or_else(|| Some(registry.detect(&input.bytes)?.info().name()));
            let message =
                format!("--as says what JSON is, and this is {}", name.unwrap_or("another format"));
            return Err(Failure::usage(message));
        }
        Some(source) => {
            return check_other(input, source, Judged::Value, options.require_final_newline);
        }
        None => {}
    }
    let codec = input.codec(options.from.as_deref(), registry)?;
    let text = codec.info().representation() == Representation::Text;
    if response::is_response(codec, &input) {
        return check_response(input, options.require_final_newline);
    }
    if let Some(response) = graph::response(codec, &input) {
        return match response {
            Ok(response) => {
                let last = match response.query_type {
                    goon::QueryType::Aggregation => (response.rows.len(), "row"),
                    _ => (response.edges.len(), "edge"),
                };
                let tool = Some(response.query_type.as_str().to_owned());
                let counts = [(graph::nodes(&response).len(), "node"), last];
                Ok(Summary { file: input.name, format: "goon", tool, counts, recovery: None })
            }
            Err(error) => Err(Failure::decode(input.name, input.bytes, error)),
        };
    }
    let decoded = codec.decode(&input.bytes);
    if let Err(error) = &decoded
        && error.code() == ErrorKind::UnexpectedDelta.code()
        && let Ok(delta) = Decoder::new().delta_from_slice(&input.bytes)
    {
        return Ok(Summary {
            file: input.name,
            format: "gcf delta",
            tool: None,
            counts: counts(
                delta.removed.len() + delta.added.len(),
                delta.edges_removed.len() + delta.edges_added.len(),
            ),
            recovery: None,
        });
    }
    let outcome = match decoded {
        Ok(_) if options.require_final_newline && text && !input.bytes.ends_with(b"\n") => {
            Err(no_final_newline(&input))
        }
        Ok(payload) => Ok((payload.symbols.len(), payload.edges.len())),
        Err(error) => Err(error),
    };
    match outcome {
        Ok((symbols, edges)) => {
            let (format, counts) = (codec.info().name(), counts(symbols, edges));
            Ok(Summary { file: input.name, format, tool: None, counts, recovery: None })
        }
        Err(error) => {
            let is_almost_one = options.judged_as.is_none()
                && value::shape(&input.bytes) == value::Shape::AlmostPayload;
            let failure = Failure::decode(input.name, input.bytes, error);
            Err(if is_almost_one {
                failure.with_hint("--as value checks it as any JSON")
            } else {
                failure
            })
        }
    }
}

fn counts(symbols: usize, edges: usize) -> [(usize, &'static str); 2] {
    [(symbols, "symbol"), (edges, "edge")]
}

fn no_final_newline(input: &Input) -> CodecError {
    let position = Position::in_text(&input.bytes, input.bytes.len());
    let message = "the last line has no line ending, expected one";
    CodecError::new("missing_final_newline", Some(position), message)
}

/// How many of what a value holds.
pub(crate) fn counts_of(value: &serde_json::Value) -> (usize, &'static str) {
    match value {
        serde_json::Value::Object(members) => (members.len(), "member"),
        serde_json::Value::Array(items) => (items.len(), "item"),
        _ => (1, "scalar"),
    }
}

impl Judged {
    /// What JSON is to be: what it has a member of.
    fn of(bytes: &[u8]) -> Self {
        if graph::is_response(bytes) {
            Judged::Response
        } else if value::shape(bytes) == value::Shape::Other {
            Judged::Value
        } else {
            Judged::Payload
        }
    }
}

/// Checks the JSON of a query's response or of any value, and YAML, TOML, CSV and JSON lines.
fn check_other(
    input: Input,
    source: Source,
    judged: Judged,
    require_final_newline: bool,
) -> Result<Summary, Failure> {
    let lines = (input.bytes.iter().filter(|&&byte| byte == b'\n').count(), "line");
    let is_query = judged == Judged::Response;
    let read = value::read_exact(source, &input.bytes).map(|(value, _)| {
        let value = value.into_value_with(|digits| Ok::<_, Infallible>(digits.into()));
        let Ok(value) = value;
        value
    });
    let value = read.and_then(|value| {
        if is_query {
            let text = std::str::from_utf8(&input.bytes).expect("because it is JSON");
            goon::GraphResponse::from_json(text).map_err(CodecError::from)?;
        }
        if require_final_newline && !input.bytes.ends_with(b"\n") {
            return Err(no_final_newline(&input));
        }
        Ok(value)
    });
    match value {
        Ok(value) => {
            let tool =
                is_query.then(|| value["query_type"].as_str().unwrap_or_default().to_owned());
            let counts = [counts_of(&value), lines];
            Ok(Summary { file: input.name, format: source.name(), tool, counts, recovery: None })
        }
        Err(error) => Err(Failure::decode(input.name, input.bytes, error)),
    }
}

/// Checks a text of the generic profile: a value, or a message about a set with a key.
fn check_value(input: Input, require_final_newline: bool) -> Result<Summary, Failure> {
    let decoder = value::decoder(&input.bytes);
    let decoder = if require_final_newline { decoder.require_final_newline() } else { decoder };
    let lines = (input.bytes.iter().filter(|&&byte| byte == b'\n').count(), "line");
    let is_message = value::is_message(&input.bytes);
    let counts = match std::str::from_utf8(&input.bytes) {
        // A set with a key, or what changes in it, is no value by itself.
        Ok(_) if is_message && require_final_newline && !input.bytes.ends_with(b"\n") => {
            Err(no_final_newline(&input))
        }
        Ok(text) if is_message => match Message::read(text) {
            Ok(Message::Full(set)) => Ok([(set.len(), "row"), (set.fields().len(), "field")]),
            Ok(Message::Delta(delta)) => Ok([(delta.len(), "change"), lines]),
            Ok(_) => Ok([(0, "change"), lines]),
            Err(error) => Err(error.into()),
        },
        _ => match decoder.from_slice::<Unambiguous>(&input.bytes).map(|value| value.0) {
            Ok(value) => Ok([counts_of(&value), lines]),
            Err(error) => Err(error.into()),
        },
    };
    match counts {
        Ok(counts) => {
            let tool = Some("generic".to_owned());
            Ok(Summary { file: input.name, format: "gcf", tool, counts, recovery: None })
        }
        Err(error) => Err(Failure::decode(input.name, input.bytes, error)),
    }
}

/// What would have to be mended in an answer with a text of the generic profile.
fn check_answer(input: Input) -> Result<Summary, Failure> {
    match value::decoder(&input.bytes).recover_slice::<Unambiguous>(&input.bytes) {
        Ok((Unambiguous(value), found)) => {
            let count = counts_of(&value);
            let lines = (input.bytes.iter().filter(|&&byte| byte == b'\n').count(), "line");
            let mut recovery = Recovery::default();
            recovery.repairs = found.repairs;
            Ok(Summary {
                file: input.name,
                format: "gcf",
                tool: Some("generic".to_owned()),
                counts: [count, lines],
                recovery: Some(recovery),
            })
        }
        Err(error) => Err(Failure::decode(input.name, input.bytes, error)),
    }
}

/// Checks a tool's response: that it is what the tool says if that is known, and else its rows.
fn check_response(input: Input, require_final_newline: bool) -> Result<Summary, Failure> {
    let count = || -> Result<_, CodecError> {
        let mut reader = Reader::from_slice(&input.bytes)?;
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
        let shape = [TOOL_DEFINITIONS, TOOL_REQUEST, ERROR].contains(&&*tool);
        if sections == 1 || typed || shape || Layout::of_section(&tool).is_some() {
            tool = response::read(&input)?.0;
        }
        if require_final_newline && !input.bytes.ends_with(b"\n") {
            return Err(no_final_newline(&input));
        }
        Ok((tool, [(sections, "section"), (rows, "row")]))
    };
    match count() {
        Ok((tool, counts)) => Ok(Summary {
            file: input.name,
            format: "gcx",
            tool: Some(tool),
            counts,
            recovery: None,
        }),
        Err(error) => Err(Failure::decode(input.name, input.bytes, error)),
    }
}
