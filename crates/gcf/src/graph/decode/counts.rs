//! Sections, and the check of declared counts against the items (ruling G8).

/// A count in the text, and its position in the input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Declared {
    pub(super) count: u64,
    pub(super) at: usize,
}

/// Which lines may come next.
#[derive(Clone, Copy, Debug)]
pub(super) enum Section {
    /// Symbol lines at this distance; `before` is the number of symbols before the section.
    Symbols { distance: u32, before: usize, declared: Option<Declared> },
    /// Edge lines; `before` is the number of edges before the section.
    Edges { before: usize, declared: Option<Declared> },
    /// Lines of a group that is not one of the format, where `@` lines are not allowed.
    Unknown,
    /// Comments, after the trailer.
    End,
}

/// Every count that a payload declares.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) header_symbols: Option<Declared>,
    pub(crate) header_edges: Option<Declared>,
    pub(crate) trailer_symbols: Option<Declared>,
    pub(crate) trailer_edges: Option<Declared>,
    pub(crate) has_trailer: bool,
    /// The sum of the `[N]` of the edges sections.
    section_edges: Option<u64>,
    /// The groups whose `[N]` is wrong: the items they count, and how many there are.
    wrong_sections: Vec<(&'static str, Declared, u64)>,
}

impl Counts {
    pub(crate) fn end_of_edges(&mut self, declared: Declared, found: usize) {
        self.section_edges =
            Some(self.section_edges.unwrap_or_default().saturating_add(declared.count));
        self.end_of_group("edges", declared, found);
    }

    /// A group of `what` declares `[N]` and ends with `found` items.
    pub(crate) fn end_of_group(&mut self, what: &'static str, declared: Declared, found: usize) {
        if declared.count != found as u64 {
            self.wrong_sections.push((what, declared, found as u64));
        }
    }

    /// Every wrong count: its position and the message. The count of the header comes first.
    pub(crate) fn mismatches(
        &self,
        symbols: usize,
        edges: usize,
    ) -> impl Iterator<Item = (usize, String)> {
        let (symbols, edges) = (symbols as u64, edges as u64);
        // When counts precede the items, the trailer is informative only (1.4, section 6b).
        let trailer_symbols = self.trailer_symbols.filter(|_| self.header_symbols.is_none());
        let counted_edges = self.header_edges.is_some() || self.section_edges.is_some();
        let trailer_edges = self.trailer_edges.filter(|_| !counted_edges);
        let header = [
            ("the header", "symbols", self.header_symbols, symbols),
            ("the header", "edges", self.header_edges, edges),
        ];
        let sections = self
            .wrong_sections
            .iter()
            .map(|&(what, declared, found)| ("the group", what, Some(declared), found));
        let trailer = [
            ("the trailer", "symbols", trailer_symbols, symbols),
            ("the trailer", "edges", trailer_edges, edges),
        ];
        header.into_iter().chain(sections).chain(trailer).filter_map(
            |(who, what, declared, found)| {
                let Declared { count, at } = declared.filter(|declared| declared.count != found)?;
                let message = format!(
                    "{who} declares {count} {what}, found {found}, expected as many as declared"
                );
                Some((at, message))
            },
        )
    }

    /// Returns `true` if a count shows that the payload is complete. All counts of the payload
    /// match, and `section` is its last section.
    pub(super) fn show_the_end(&self, section: Section) -> bool {
        let edges_counted = match section {
            Section::Edges { declared, .. } => declared.is_some() || self.header_edges.is_some(),
            _ => false,
        };
        self.header_symbols.is_some() || edges_counted || self.has_trailer
    }

    pub(crate) fn declared_symbols(&self) -> Option<u64> {
        self.header_symbols.or(self.trailer_symbols).map(|declared| declared.count)
    }

    pub(crate) fn declared_edges(&self) -> Option<u64> {
        self.header_edges
            .map(|declared| declared.count)
            .or(self.section_edges)
            .or(self.trailer_edges.map(|declared| declared.count))
    }
}
