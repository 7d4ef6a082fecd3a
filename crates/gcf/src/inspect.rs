//! Identifies a text by its header and lines.

use crate::Error;
use crate::graph::Dialect;
use crate::graph::grammar::{SUMMARY_1_4, UNCHANGED, counts_edges};
use crate::header::{fields, header_start};
use crate::lines::{Lines, in_header};

/// The kind of a text of GCF: see [`inspect`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inspection {
    /// The content of the text.
    pub content: Content,
    /// The dialect of the graph profile that writes such a text; `None` in the generic profile, and
    /// for [`Content::Unchanged`] before 3.x, where the dialects write the same text.
    pub dialect: Option<Dialect>,
    /// The specification of the generic profile that reads the text: 3.6 when a table has constants
    /// or rows in groups, else 3.5. `None` in the graph profile, and for [`Content::Message`].
    #[cfg(feature = "generic")]
    pub spec: Option<crate::generic::Spec>,
    /// `true` if rows of a table are in groups, which an encoder writes only on request.
    pub has_row_groups: bool,
    /// `true` if the text belongs to a session: `session=true`.
    pub is_in_session: bool,
    /// The number of comments.
    pub comments: usize,
}

/// The content of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Content {
    /// A payload of the graph profile.
    Payload,
    /// A delta between payloads: `delta=true`.
    Delta,
    /// The answer that a payload is unchanged: the line `unchanged pack_root=…`, or
    /// `unchanged=true`.
    Unchanged,
    /// A value of the generic profile.
    Value,
    /// A set of rows with a key, or a delta of one: the generic profile with `key=`, `delta=true`
    /// or `unchanged=true`.
    Message,
}

/// Identifies a text of GCF. In the graph profile, and for messages, only the header and the kinds
/// of lines are examined, so lines may contain errors. A value of the generic profile is read
/// completely, since any of its tables may need specification 3.6.
///
/// ```
/// use gcf::{Content, graph::Dialect};
///
/// let found = gcf::inspect(
///     "GCF tool=t budget=0 tokens=0 symbols=1\n# a comment\n## targets\n\
///      @0 fn a 0.50 lsp_resolved\n",
/// )?;
/// assert_eq!(
///     (found.content, found.dialect, found.comments),
///     (Content::Payload, Some(Dialect::V1), 1)
/// );
///
/// // A field named `a=b` is no constant.
/// let found = gcf::inspect("GCF profile=generic\n## rows [1]{\"a=b\"}\n1\n")?;
/// # #[cfg(feature = "generic")]
/// assert_eq!(found.spec, Some(gcf::Spec::V3_5));
/// # Ok::<(), gcf::Error>(())
/// ```
///
/// # Errors
///
/// The errors of the header line: `missing_header`, `unsupported_version`, `missing_profile`,
/// `unknown_profile`, `malformed_header_field`, `invalid_header_value`. For a value of the generic
/// profile also those of decoding it with the default limits.
pub fn inspect(text: &str) -> Result<Inspection, Error> {
    let header = text.lines().next().unwrap_or_default();
    let comments = || Lines::new(text).filter(|line| is_comment(line.text)).count();
    let of = |content, dialect| Inspection {
        content,
        dialect,
        #[cfg(feature = "generic")]
        spec: None,
        has_row_groups: false,
        is_in_session: false,
        comments: comments(),
    };
    // The answer of the dialects before 3.x has no header (ruling G12).
    let root = header.strip_prefix(UNCHANGED);
    if root.is_some_and(|root| root.starts_with(" pack_root=")) {
        return Ok(of(Content::Unchanged, None));
    }
    let mut profile = None;
    let (mut has_key, mut has_edges) = (false, false);
    let (mut delta, mut unchanged, mut session) = (false, false, false);
    let wrong = |problem| in_header(text, problem);
    let header = header.trim_end_matches([' ', '\t']);
    for (place, field) in (1..).zip(fields(header, header_start(header).map_err(wrong)?)) {
        let field = field.map_err(wrong)?;
        match field.key {
            "profile" if place == 1 && field.value == "generic" => profile = Some("generic"),
            "profile" => profile = Some(field.profile(place).map_err(wrong)?),
            "key" => has_key = true,
            "edges" => has_edges = true,
            "delta" => delta = field.boolean().map_err(wrong)?,
            "unchanged" => unchanged = field.boolean().map_err(wrong)?,
            "session" => session = field.boolean().map_err(wrong)?,
            _ => {}
        }
    }
    if profile == Some("generic") {
        let is_message = has_key || delta || unchanged;
        let content = if is_message { Content::Message } else { Content::Value };
        let found = Inspection { is_in_session: session, ..of(content, None) };
        return if is_message { Ok(found) } else { with_tables(text, found) };
    }
    let content = match (delta, unchanged) {
        (true, _) => Content::Delta,
        (_, true) => Content::Unchanged,
        _ => Content::Payload,
    };
    // Edges are counted in the header, in their section, or in a trailer.
    let counts_edges = || {
        has_edges
            || Lines::new(text)
                .any(|line| counts_edges(line.text) || line.text.starts_with(SUMMARY_1_4))
    };
    let dialect = match profile {
        Some(_) => Dialect::V3,
        None if counts_edges() => Dialect::V1_4,
        None => Dialect::V1,
    };
    Ok(Inspection { is_in_session: session, ..of(content, Some(dialect)) })
}

/// Returns `true` if a line is a comment: exactly one `#` after its indentation.
fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('#') && !line.starts_with("##")
}

#[cfg(feature = "generic")]
fn with_tables(text: &str, found: Inspection) -> Result<Inspection, Error> {
    use crate::generic::Spec;
    let tables = crate::generic::Decoder::new().tables(text)?;
    let later = tables.have_constants || tables.have_groups;
    let spec = if later { Spec::V3_6 } else { Spec::V3_5 };
    Ok(Inspection { spec: Some(spec), has_row_groups: tables.have_groups, ..found })
}

#[cfg(not(feature = "generic"))]
fn with_tables(text: &str, _: Inspection) -> Result<Inspection, Error> {
    let message = "the text has the generic profile, and this build lacks the feature `generic`";
    Err(Error::decode(crate::ErrorKind::UnknownProfile, text.as_bytes(), 0, message))
}
