//! The header of a section.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// The header of a section: its tool, its fields, and metadata.
///
/// A header accepts any content; [`Writer::begin`](crate::Writer::begin) rejects what can't be
/// written.
#[derive(Clone, Debug, Default)]
pub struct Header<'a> {
    pub(crate) tool: Cow<'a, str>,
    pub(crate) fields: Vec<Cow<'a, str>>,
    pub(crate) rows: Option<u64>,
    /// Without `rows`, sorted as it is written (ruling X1).
    pub(crate) meta: BTreeMap<Cow<'a, str>, Cow<'a, str>>,
    /// For a header that was read: the columns sorted by name, to find one without a linear search.
    pub(crate) by_name: Vec<usize>,
}

impl PartialEq for Header<'_> {
    fn eq(&self, other: &Self) -> bool {
        let Header { tool, fields, rows, meta, by_name: _ } = self;
        (tool, fields, rows, meta) == (&other.tool, &other.fields, &other.rows, &other.meta)
    }
}

impl Eq for Header<'_> {}

impl<'a> Header<'a> {
    /// A header of this tool, or section of a tool (`get_callers.edges`), with these fields and
    /// without metadata.
    pub fn new<F: Into<Cow<'a, str>>>(
        tool: impl Into<Cow<'a, str>>,
        fields: impl IntoIterator<Item = F>,
    ) -> Self {
        Header {
            tool: tool.into(),
            fields: fields.into_iter().map(Into::into).collect(),
            rows: None,
            meta: BTreeMap::new(),
            by_name: Vec::new(),
        }
    }

    /// Declares the number of rows (default: no number, so that a cut between rows can't be
    /// detected).
    #[must_use]
    pub fn with_rows(mut self, rows: u64) -> Self {
        self.rows = Some(rows);
        self
    }

    /// Adds metadata; replaces the value when the key exists. The key `rows` is set by
    /// [`Header::with_rows`].
    #[must_use]
    pub fn with_meta(
        mut self,
        key: impl Into<Cow<'a, str>>,
        value: impl Into<Cow<'a, str>>,
    ) -> Self {
        self.meta.insert(key.into(), value.into());
        self
    }

    /// The tool.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// The names of the columns.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = &str> {
        self.fields.iter().map(|field| &**field)
    }

    /// The column of this name, from 0.
    pub fn column(&self, field: &str) -> Option<usize> {
        if self.by_name.is_empty() {
            return self.fields.iter().position(|known| known == field);
        }
        let found = self.by_name.binary_search_by(|&column| (*self.fields[column]).cmp(field));
        found.ok().map(|place| self.by_name[place])
    }

    /// The declared number of rows.
    pub fn rows(&self) -> Option<u64> {
        self.rows
    }

    /// The metadata of this key.
    pub fn meta(&self, key: &str) -> Option<&str> {
        self.meta.get(key).map(|value| &**value)
    }

    /// All metadata except `rows`, sorted by key.
    pub fn all_meta(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.meta.iter().map(|(key, value)| (&**key, &**value))
    }

    /// The same header without borrowed text.
    pub fn into_owned(self) -> Header<'static> {
        let own = |text: Cow<'a, str>| Cow::Owned(text.into_owned());
        Header {
            tool: own(self.tool),
            fields: self.fields.into_iter().map(own).collect(),
            rows: self.rows,
            meta: self.meta.into_iter().map(|(key, value)| (own(key), own(value))).collect(),
            by_name: self.by_name,
        }
    }
}
