//! `wirefmt check`.

use std::path::Path;

use serde_json::json;
use wire_registry::Registry;

use crate::args::CheckOptions;
use crate::diagnostic::Diagnostics;
use crate::failure::Failure;
use crate::formats::{Choices, registry};
use crate::input::Input;
use crate::output;

pub(crate) fn run(options: &CheckOptions, diagnostics: &Diagnostics) -> Result<(), Failure> {
    let mut choices = Choices::default();
    if options.require_final_newline {
        choices.gcf_decoder = choices.gcf_decoder.require_final_newline();
    }
    let registry = registry(&choices);
    let mut failures: Vec<u8> = Vec::new();
    for file in &options.files {
        match check(file, options, &registry) {
            Ok(summary) => output::to_stdout(diagnostics.summary(&summary).as_bytes())?,
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
            self.file,
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
    match codec.decode(&input.bytes) {
        Ok(payload) => Ok(Summary {
            format: codec.info().name(),
            symbols: payload.symbols.len(),
            edges: payload.edges.len(),
            file: input.name,
        }),
        Err(error) => {
            Err(Failure::Decode { file: input.name.clone(), error, input: input.bytes.clone() })
        }
    }
}
