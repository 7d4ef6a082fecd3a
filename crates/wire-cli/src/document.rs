//! The format and kind of an input, found out once for every command, and the failures of a command
//! that is for others.

use std::ops::Deref;

use gcf::Inspection;
use gcf::graph::Dialect;
use wire_core::{Codec, Payload};
pub(crate) use wire_input::__private::Answer;
use wire_input::__private::value;
use wire_input::Held;
pub(crate) use wire_input::{JsonKind, Kind, Members};
use wire_registry::Registry;

use crate::args::ReadOptions;
use crate::diagnostic::Remark;
use crate::failure::{Failure, plural, shown};
use crate::input::Input;
use crate::source::{GCF, Source, read_with};

/// An input with its format and kind.
pub(crate) struct Document<'d> {
    pub(crate) input: &'d Input,
    pub(crate) found: wire_input::Document<'d>,
}

impl<'d> Deref for Document<'d> {
    type Target = wire_input::Document<'d>;

    fn deref(&self) -> &Self::Target {
        &self.found
    }
}

impl<'d> Document<'d> {
    /// Finds out what an input is: of the format that was named, or that its first bytes tell, or
    /// else its extension.
    pub(crate) fn detect(input: &'d Input, from: Option<&str>, registry: &'d Registry) -> Self {
        let found = wire_input::Document::detect(&input.bytes, input.extension(), from, registry);
        Document { input, found }
    }

    /// JSON that was made from an input, with its members.
    pub(crate) fn of_json(input: &'d Input, members: Members, registry: &'d Registry) -> Self {
        Document { input, found: wire_input::Document::of_json(&input.bytes, members, registry) }
    }

    /// The same, with CSV and YAML read as these options say.
    ///
    /// # Errors
    ///
    /// If an option is given that is for another format.
    pub(crate) fn reading(mut self, options: &ReadOptions) -> Result<Self, Failure> {
        let source = match &self.kind {
            Kind::Unknown => return Ok(self),
            Kind::Value(source) => Some(*source),
            _ => None,
        };
        let source = read_with(source, options).map_err(|(flag, formats)| {
            let found = self.format().unwrap_or("another format");
            let name = shown(&self.input.name);
            Failure::usage(format!("{flag} applies only to {formats}, and {name} is {found}"))
        })?;
        if let Some(source) = source {
            self.found.kind = Kind::Value(source);
        }
        Ok(self)
    }

    /// For JSON, descriptions of what its payload loses.
    pub(crate) fn lost(&self) -> Result<Vec<String>, Failure> {
        let place = |at| self.input.position(at);
        self.found.lost(place).map_err(|error| self.input.refused(error))
    }

    /// The codec of payloads that reads it.
    pub(crate) fn codec(&self) -> Result<&'d dyn Codec, Failure> {
        let name = &*self.input.name;
        match (self.found.codec, &self.kind) {
            (Some(codec), _) => Ok(codec),
            (None, Kind::Value(source)) => Err(not_a_graph(name, source.name(), "this command")),
            (None, Kind::WrittenOnly(format)) => Err(Failure::usage(format!(
                "{format} can be written but not read, expected another --from; --recover finds GCF in a model's answer"
            ))),
            (None, _) => Err(Failure::unknown_input(name, &self.input.bytes)),
        }
    }

    /// Its payload, and descriptions of what a payload can't represent.
    pub(crate) fn payload(&self) -> Result<(Payload<'d>, Vec<String>), Failure> {
        let place = |at| self.input.position(at);
        self.found.payload(self.codec()?, place).map_err(|error| self.input.refused(error))
    }

    /// Its content, and the messages about what that lacks of the input. With `tool`, JSON is the
    /// response of that tool.
    pub(crate) fn held(self, tool: Option<&str>) -> Result<(Held<'d>, Vec<Remark>), Failure> {
        if matches!(self.kind, Kind::WrittenOnly(_) | Kind::Unknown) {
            self.codec()?;
        }
        let (held, warnings) = Held::read(&self.found, tool, |at| self.input.position(at))
            .map_err(|error| self.input.refused(error))?;
        Ok((held, warnings.into_iter().map(Remark::from).collect()))
    }

    /// The facts about a text of GCF, from all of its lines.
    pub(crate) fn inspect(&self) -> Result<Inspection, gcf::Error> {
        // The decoder reports the position of a byte that is not UTF-8.
        match std::str::from_utf8(self.found.bytes) {
            Ok(text) => gcf::inspect(text),
            Err(_) => Err(gcf::graph::from_slice(self.found.bytes)
                .map_or_else(|error| error, |_| unreachable!("it is not UTF-8"))),
        }
    }

    /// The dialect of a text of GCF's graph profile; `None` for any other input.
    pub(crate) fn dialect(&self) -> Option<Dialect> {
        match self.kind {
            Kind::Payload | Kind::Delta if self.found.codec?.info().name() == GCF => {
                self.inspect().ok()?.dialect
            }
            _ => None,
        }
    }

    /// The failure of a command that is for graphs only, if the input is any other value.
    pub(crate) fn no_graph(&self, what: &str) -> Option<Failure> {
        let name = &*self.input.name;
        match self.json() {
            None => return Some(not_a_graph(name, self.source()?.name(), what)),
            Some(JsonKind::Other | JsonKind::Several) => {}
            Some(_) => return None,
        }
        Some(match value::check(Source::Json, &self.input.bytes) {
            Ok((checked, _)) => {
                let (count, noun) = checked.counts();
                not_a_graph(name, &format!("json, {}", plural(count, noun)), what)
            }
            Err(error) => self.input.refused(error),
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
