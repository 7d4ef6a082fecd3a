//! Cases about the rows of tool responses.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::failure::{ExpectedError, Failure, failed, refused};
use crate::operation::negative::Rejected;
use crate::options::Options;
use crate::text::Text;
use crate::verdict::{Verdict, same_text};

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

/// Sections and their text, in both directions.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    /// The sections to write.
    pub sections: Vec<Section>,
    /// The text to get, and to read.
    #[serde(alias = "text_file", alias = "hex")]
    pub text: Text,
    /// The sections to get from reading, when they are others.
    pub decoded_sections: Option<Vec<Section>>,
}

/// A text that reads as sections.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowsDecode {
    /// The text.
    #[serde(alias = "text_file", alias = "hex")]
    pub text: Text,
    /// The sections to get.
    pub sections: Vec<Section>,
}

/// Sections that can't be written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowsRefuse {
    /// The sections.
    pub sections: Vec<Section>,
    /// The error to get.
    pub error: ExpectedError,
}

/// Sections of rows encode to the text, and back.
pub(crate) fn roundtrip(subject: &dyn Rows, case: &Written, options: &Options) -> Verdict {
    let written = subject.write(&case.sections, options).map_err(failed("write"))?;
    same_text("it is", &written, &case.text)?;
    reads(subject, &case.text, case.decoded_sections.as_ref().unwrap_or(&case.sections), options)
}

/// The text decodes to sections of rows.
pub(crate) fn reads(
    subject: &dyn Rows,
    text: &[u8],
    sections: &[Section],
    options: &Options,
) -> Verdict {
    let found = subject.read(text, options).map_err(failed("read"))?;
    let expected: Vec<Section> = sections
        .iter()
        .map(|section| Section { comments: Vec::new(), ..section.clone() })
        .collect();
    if found == expected {
        return Ok(());
    }
    Err(format!("it reads as\n{found:?}\nexpected\n{expected:?}"))
}

/// The sections can't be encoded.
pub(crate) fn refuses(subject: &dyn Rows, case: &RowsRefuse, options: &Options) -> Verdict {
    refused(subject.write(&case.sections, options), &case.error)
}

/// The text can't be decoded to sections.
pub(crate) fn rejects(subject: &dyn Rows, case: &Rejected, options: &Options) -> Verdict {
    refused(subject.read(&case.text, options), &case.error)
}
