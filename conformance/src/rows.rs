//! Cases about the rows of tool responses.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::case::{Case, Operation, Options};
use crate::run::{Failure, RESOLVED, failed, refused, shown};

/// A section of rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// The tool.
    pub tool: String,
    /// The names of the columns.
    pub fields: Vec<String>,
    /// Metadata but for the number of rows.
    #[serde(default)]
    pub meta: BTreeMap<String, String>,
    /// The declared number of rows.
    pub declared: Option<u64>,
    /// Comments behind the header, which are written and not read.
    #[serde(default)]
    pub comments: Vec<String>,
    /// The cells.
    #[serde(default)]
    pub rows: Vec<Vec<String>>,
}

/// An implementation of rows.
pub trait Rows {
    /// Writes sections, through every entry point; they must agree.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn write(&self, sections: &[Section], options: &Options) -> Result<Vec<u8>, Failure>;

    /// Reads sections, through every entry point; they must agree.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn read(&self, input: &[u8], options: &Options) -> Result<Vec<Section>, Failure>;
}

pub(crate) fn judge(subject: &dyn Rows, case: &Case) -> Result<(), String> {
    let sections = || case.sections.as_ref().expect(RESOLVED);
    let input = || case.input.as_deref().expect(RESOLVED);
    let error = || case.error.as_ref().expect(RESOLVED);
    match case.operation {
        Operation::Rows => {
            let written = subject.write(sections(), &case.options).map_err(failed("write"))?;
            if written != input() {
                return Err(format!("it is\n{}\nexpected\n{}", shown(&written), shown(input())));
            }
            reads(subject, case, case.decoded_sections.as_ref().unwrap_or(sections()))
        }
        Operation::RowsDecode => reads(subject, case, sections()),
        Operation::RowsRefuse => refused(subject.write(sections(), &case.options), error()),
        Operation::RowsReject => refused(subject.read(input(), &case.options), error()),
        other => Err(format!("{other:?} is not about rows")),
    }
}

fn reads(subject: &dyn Rows, case: &Case, expected: &[Section]) -> Result<(), String> {
    let input = case.input.as_deref().expect(RESOLVED);
    let found = subject.read(input, &case.options).map_err(failed("read"))?;
    let expected: Vec<Section> = expected
        .iter()
        .map(|section| Section { comments: Vec::new(), ..section.clone() })
        .collect();
    if found == expected {
        return Ok(());
    }
    Err(format!("it reads as\n{found:?}\nexpected\n{expected:?}"))
}
