//! A text with the name and version of its format, and the body of an answer that contains it
//! (ruling N11).

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::encode::Encoder;
use crate::response::{GraphResponse, QueryType};

/// The name of the format beside its text.
pub const FORMAT_NAME: &str = "goon";

/// A text with the name and version of its format, for transports that need them.
///
/// ```
/// use goon::{Encoder, GraphResponse, QueryType, Version};
///
/// let response = GraphResponse::new(QueryType::Search);
/// let stamped = Encoder::new().version(Version::V4_0_1).stamp(&response)?;
/// assert_eq!((stamped.format_name, stamped.format_version), ("goon", "4.0.1"));
/// # Ok::<(), goon::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Stamped {
    /// The text.
    pub text: String,
    /// The name of the format: [`FORMAT_NAME`].
    pub format_name: &'static str,
    /// The version that the text states.
    pub format_version: &'static str,
}

impl Encoder {
    /// Encodes a response as text, with the name and version of the format.
    ///
    /// # Errors
    ///
    /// As [`to_string`](crate::to_string).
    pub fn stamp(&self, response: &GraphResponse) -> Result<Stamped, Error> {
        let text = self.to_string(response)?;
        Ok(Stamped { text, format_name: FORMAT_NAME, format_version: self.options.version.name() })
    }
}

/// The body of an answer that contains a text.
///
/// ```
/// use goon::{Envelope, GraphResponse, QueryType};
///
/// let response = GraphResponse::new(QueryType::Search);
/// let envelope = Envelope::new(
///     &response,
///     goon::to_string(&response)?,
///     vec!["SELECT 1".to_owned()],
/// );
/// let body = serde_json::to_string(&envelope).unwrap();
/// assert!(body.starts_with(r#"{"result":"@header\nquery_type:search\n"#));
/// let back: Envelope = serde_json::from_str(&body).unwrap();
/// assert_eq!(goon::from_str(&back.result)?, response);
/// # Ok::<(), goon::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Envelope {
    /// The text.
    pub result: String,
    /// The kind of query.
    pub query_type: QueryType,
    /// The queries that were run.
    pub raw_query_strings: Vec<String>,
    /// The number of rows: those of an aggregation, or else the nodes.
    pub row_count: u64,
}

impl Envelope {
    /// The body for a response that was written as this text.
    pub fn new(response: &GraphResponse, result: String, raw_query_strings: Vec<String>) -> Self {
        let rows = if response.query_type == QueryType::Aggregation {
            response.rows.len()
        } else {
            response.nodes.len()
        };
        Envelope {
            result,
            query_type: response.query_type,
            raw_query_strings,
            row_count: rows as u64,
        }
    }
}
