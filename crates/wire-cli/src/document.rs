//! The format and kind of an input, found out once for every command, and the failures of a command
//! that is for others.

use wire_core::{Codec, Payload};
use wire_input::{Document, Held, JsonKind, Kind, Source, plural, value};
use wire_registry::Registry;

use crate::args::ReadOptions;
use crate::diagnostic::Remark;
use crate::failure::{Failure, shown};
use crate::input::Input;
use crate::source::{GCF, read_with};

impl Input {
    /// Finds out what the input is: of the format that was named, or that its first bytes tell, or
    /// else its extension.
    pub(crate) fn detect<'d>(&'d self, from: Option<&str>, registry: &'d Registry) -> Document<'d> {
        Document::detect(&self.bytes, self.extension(), from, registry)
    }

    /// The same, with CSV and YAML read as these options say.
    ///
    /// # Errors
    ///
    /// If an option is given that is for another format.
    pub(crate) fn detect_reading<'d>(
        &'d self,
        from: Option<&str>,
        options: &ReadOptions,
        registry: &'d Registry,
    ) -> Result<Document<'d>, Failure> {
        let mut document = self.detect(from, registry);
        let source = match &document.kind {
            Kind::Unknown => return Ok(document),
            Kind::Value(source) => Some(*source),
            _ => None,
        };
        let source = read_with(source, options).map_err(|(flag, formats)| {
            let format = document.format().unwrap_or("another format");
            let name = shown(&self.name);
            Failure::usage(format!("{flag} applies only to {formats}, and {name} is {format}"))
        })?;
        if let Some(source) = source {
            document.kind = Kind::Value(source);
        }
        Ok(document)
    }

    /// The codec of payloads that reads it.
    pub(crate) fn codec<'d>(&self, document: &Document<'d>) -> Result<&'d dyn Codec, Failure> {
        match (document.codec, &document.kind) {
            (Some(codec), _) => Ok(codec),
            (None, Kind::Value(source)) => {
                Err(not_a_graph(&self.name, source.name(), "this command"))
            }
            (None, Kind::WrittenOnly(format)) => Err(Failure::usage(format!(
                "{format} can be written but not read, expected another --from; --recover finds GCF in a model's answer"
            ))),
            (None, _) => Err(Failure::unknown_input(&self.name, &self.bytes)),
        }
    }

    /// Its payload, and descriptions of what a payload can't represent.
    pub(crate) fn payload<'d>(
        &self,
        document: &Document<'d>,
    ) -> Result<(Payload<'d>, Vec<String>), Failure> {
        let place = |at| self.position(at);
        document.payload(self.codec(document)?, place).map_err(|error| self.refused(error))
    }

    /// Its content, and the messages about what that lacks of the input. With `tool`, JSON is the
    /// response of that tool.
    pub(crate) fn held<'d>(
        &self,
        document: &Document<'d>,
        tool: Option<&str>,
    ) -> Result<(Held<'d>, Vec<Remark>), Failure> {
        if matches!(document.kind, Kind::WrittenOnly(_) | Kind::Unknown) {
            self.codec(document)?;
        }
        let (held, warnings) =
            document.held(tool, |at| self.position(at)).map_err(|error| self.refused(error))?;
        Ok((held, warnings.into_iter().map(Remark::from).collect()))
    }

    /// The failure of a command that is for graphs only, if the input is any other value.
    pub(crate) fn no_graph(&self, document: &Document<'_>, what: &str) -> Option<Failure> {
        match document.json() {
            None => return Some(not_a_graph(&self.name, document.source()?.name(), what)),
            Some(JsonKind::Other | JsonKind::Several) => {}
            Some(_) => return None,
        }
        Some(match value::check(Source::Json, &self.bytes) {
            Ok((checked, _)) => {
                let (count, noun) = checked.counts();
                not_a_graph(&self.name, &format!("json, {}", plural(count, noun)), what)
            }
            Err(error) => self.refused(error),
        })
    }
}

fn not_a_graph(name: &str, found: &str, what: &str) -> Failure {
    let message = format!(
        "{} is {found}, and {what} is for graphs only: payloads of symbols and edges; convert --to gcf, gcx and json, auto, stats, view and check accept any JSON",
        shown(name)
    );
    Failure::of_file(name, "not_a_graph", message)
}

/// Refuses to recover what is named another format than GCF.
pub(crate) fn only_gcf(from: Option<&str>) -> Result<(), Failure> {
    match from.filter(|from| !from.eq_ignore_ascii_case(GCF)) {
        None => Ok(()),
        Some(from) => {
            Err(Failure::usage(format!("--recover finds only gcf, and --from is {from}")))
        }
    }
}
