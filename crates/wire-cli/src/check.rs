//! `wirefmt check`.

use std::path::Path;

use serde_json::json;
use wire_core::{CodecError, Position, Representation};
use wire_registry::Registry;

use crate::args::CheckOptions;
use crate::diagnostic::Diagnostics;
use crate::failure::{Failure, shown};
use crate::formats::registry;
use crate::input::Input;
use crate::output;

pub(crate) fn run(options: &CheckOptions, diagnostics: &Diagnostics) -> Result<(), Failure> {
    let registry = registry(gcf::graph::Encoder::new());
    let mut failures: Vec<u8> = Vec::new();
    for file in &options.files {
        match check(file, options, &registry) {
            Ok(summary) => match output::to_stdout(diagnostics.summary(&summary).as_bytes()) {
                // Nobody reads the summaries any more; the exit code still has to be right.
                Err(failure) if failure.is_closed_pipe() => {}
                outcome => outcome?,
            },
            Err(failure) => {
                if options.files.len() == 1 {
                    return Err(failure);
                }
                diagnostics.failure(&failure);
                failures.push(failure.exit_code());
            }
        }
    }
    match failures.iter().max() {
        None => Ok(()),
        Some(&exit_code) => {
            Err(Failure::Several { failed: failures.len(), files: options.files.len(), exit_code })
        }
    }
}

/// What a good file holds.
pub(crate) struct Summary {
    file: String,
    format: &'static str,
    symbols: usize,
    edges: usize,
}

impl Summary {
    /// `pack.gcf: gcf, 10 symbols, 8 edges`.
    pub(crate) fn sentence(&self) -> String {
        let plural = |count: usize, noun: &str| {
            format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
        };
        format!(
            "{}: {}, {}, {}\n",
            shown(&self.file),
            self.format,
            plural(self.symbols, "symbol"),
            plural(self.edges, "edge")
        )
    }

    /// The same as JSON.
    pub(crate) fn object(&self) -> String {
        let Summary { file, format, symbols, edges } = self;
        format!(
            "{}\n",
            json!({ "file": file, "format": format, "symbols": symbols, "edges": edges })
        )
    }
}

fn check(file: &Path, options: &CheckOptions, registry: &Registry) -> Result<Summary, Failure> {
    let input = Input::read(file)?;
    let codec = input.codec(options.from.as_deref(), registry)?;
    let text = codec.info().representation() == Representation::Text;
    let outcome = match codec.decode(&input.bytes) {
        Ok(_) if options.require_final_newline && text && !input.bytes.ends_with(b"\n") => {
            let position = Position::in_text(&input.bytes, input.bytes.len());
            let message = "the last line has no line ending, expected one";
            Err(CodecError::new("missing_final_newline", Some(position), message))
        }
        Ok(payload) => Ok((payload.symbols.len(), payload.edges.len())),
        Err(error) => Err(error),
    };
    match outcome {
        Ok((symbols, edges)) => {
            Ok(Summary { file: input.name, format: codec.info().name(), symbols, edges })
        }
        Err(error) => Err(Failure::Decode { file: input.name, error, input: input.bytes }),
    }
}
