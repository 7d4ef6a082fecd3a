//! The layouts of tool responses, as data (ruling X9): which sections a tool has, their columns, and the JSON that they
//! stand for. Both directions and the tables of the documentation are made from it.
//!
//! ```
//! use gcx::layout::{Kind, Layout};
//!
//! let layout = Layout::of("search_symbols").unwrap();
//! let columns: Vec<&str> = layout.sections[0].cells.iter().map(|cell| cell.column).collect();
//! assert_eq!(columns, ["id", "kind", "name", "path", "line", "sig"]);
//! assert_eq!((layout.sections[0].cells[4].kind, layout.sections[0].cells[4].members[0]), (Kind::Integer, "start_line"));
//! ```

use Absence::{NoRows, NoSection, Refused};
use Kind::{Integer, List, Number, Scalar, Text, Truth};
use Owner::{Joined, Row};
use Required::{Always, Never, Unless};
use Source::{Any, Many, One, Texts, Whole, Word};

/// The layout of the response of some tools.
#[derive(Debug)]
#[non_exhaustive]
pub struct Layout {
    /// The names of the tools that have it.
    pub tools: &'static [&'static str],
    /// What an array is, where the response is one.
    pub array: Array,
    /// The sections, in the order in which they are written.
    pub sections: &'static [Section],
    /// The objects from which cells of [`Owner::Joined`] are taken.
    pub join: Option<Join>,
}

/// What an array is, where a tool answers with one instead of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Array {
    /// No response.
    Refused,
    /// The rows of the first section; decoding gives the object.
    Rows,
    /// The rows of the first section; decoding gives the array again, unless there are metadata or other sections.
    Canonical,
    /// Rows of all sections, each with the suffix of its own, without the dot, or its label in the member `section`.
    BySection,
}

/// A section of a layout.
#[derive(Debug)]
#[non_exhaustive]
pub struct Section {
    /// What stands behind the tool's name in that of the section: nothing, or as `.nodes`.
    pub suffix: &'static str,
    /// Where its rows are in the response.
    pub source: Source,
    /// What a response without them means.
    pub absence: Absence,
    /// Another name of the section where rows say which they are of ([`Array::BySection`]); empty if there is none.
    pub label: &'static str,
    /// The columns, in the order in which they are written; none where the [fallback](Source::Any) decides.
    pub cells: &'static [Cell],
    /// Metadata from members beside the rows.
    pub meta: &'static [Meta],
}

/// Where the rows of a section are in a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// The response is the only row.
    Whole,
    /// The object in this member is the only row.
    One(&'static str),
    /// The value in this member is the only cell of the only row.
    Word(&'static str),
    /// The objects of the array in the member of one of these names. Decoding gives the first name. Where a section has one
    /// column, a string is taken for an object with it.
    Many(&'static [&'static str]),
    /// The strings of the array in this member.
    Texts(&'static str),
    /// The value in this member, by the fallback.
    Any(&'static str),
}

/// What a response means that does not have the rows of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Absence {
    /// It is no response of the tool.
    Refused,
    /// The section has no rows. Decoding gives an empty array.
    NoRows,
    /// There is no section.
    NoSection,
}

/// A column, and the member of the row's object that it stands for.
#[derive(Debug)]
#[non_exhaustive]
pub struct Cell {
    /// The name of the column.
    pub column: &'static str,
    /// The names that the member may have. Decoding gives the first.
    pub members: &'static [&'static str],
    /// The object that has the member.
    pub owner: Owner,
    /// What the member holds.
    pub kind: Kind,
    /// Whether the cell may be empty.
    pub required: Required,
    /// Whether there is the column only if any row has the member.
    pub if_any: bool,
}

/// Whose member a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Owner {
    /// The row's.
    Row,
    /// That of the object that the [`Join`] finds.
    Joined,
}

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A string.
    Text,
    /// An integer. `3.0` is one, and written `3`.
    Integer,
    /// A number. Integral ones come back as integers.
    Number,
    /// `true` or `false`.
    Truth,
    /// A number or a truth value.
    Scalar,
    /// An array of strings: with commas between them, or as JSON if one of them has a comma, is empty or begins with a
    /// bracket. Never absent: empty is the empty array.
    List,
}

impl Kind {
    /// What it is called in messages and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Text => "text",
            Integer => "integer",
            Number => "number",
            Truth => "truth value",
            Scalar => "number or truth value",
            List => "array of strings",
        }
    }
}

/// Whether a cell may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Required {
    /// Never.
    Always,
    /// If the cell of this column is not.
    Unless(&'static str),
    /// Always.
    Never,
}

/// A key of a header, and the member of the response of the same name.
#[derive(Debug)]
#[non_exhaustive]
pub struct Meta {
    /// The name.
    pub key: &'static str,
    /// What it holds.
    pub kind: Kind,
}

/// Cells that come from objects elsewhere in the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Join {
    /// The member with the array of the objects.
    pub list: &'static str,
    /// The member of these objects by which they are found.
    pub id: &'static str,
    /// The member of the row that says which.
    pub by: &'static str,
}

const fn cell(column: &'static str, members: &'static [&'static str], kind: Kind) -> Cell {
    Cell { column, members, owner: Row, kind, required: Never, if_any: false }
}

const fn required(column: &'static str, members: &'static [&'static str]) -> Cell {
    Cell { required: Always, ..cell(column, members, Text) }
}

const fn joined(column: &'static str, members: &'static [&'static str], kind: Kind) -> Cell {
    Cell { owner: Joined, ..cell(column, members, kind) }
}

const fn meta(key: &'static str, kind: Kind) -> Meta {
    Meta { key, kind }
}

const fn section(
    suffix: &'static str,
    source: Source,
    absence: Absence,
    cells: &'static [Cell],
) -> Section {
    Section { suffix, source, absence, label: "", cells, meta: &[] }
}

const ID: Cell = required("id", &["id"]);
const KIND: Cell = required("kind", &["kind"]);
const NAME: Cell = required("name", &["name"]);
/// Most tools say `file_path`, `start_line` and `signature`; some use the names of the columns.
const PATH: Cell = cell("path", &["file_path", "path"], Text);
const OWN_PATH: Cell = cell("path", &["path", "file_path"], Text);
const LINE: Cell = cell("line", &["start_line", "line"], Integer);
const OWN_LINE: Cell = cell("line", &["line", "start_line"], Integer);
const START_LINE: Cell = cell("start_line", &["start_line"], Integer);
const END_LINE: Cell = cell("end_line", &["end_line"], Integer);
const SIG: Cell = cell("sig", &["signature", "sig"], Text);
const ETAG: Cell = cell("etag", &["etag"], Text);
const SOURCE: Cell = cell("source", &["source"], Text);
const ORIGIN: Cell = cell("origin", &["origin"], Text);
const CONFIDENCE: Cell = cell("confidence", &["confidence"], Number);
const SCORE: Cell = cell("score", &["score"], Number);
const REASON: Cell = cell("reason", &["reason"], Text);

const NODES: &[Cell] = &[ID, KIND, NAME, PATH, LINE];
const TOTAL: &[Meta] = &[meta("total", Integer)];

/// Every layout.
const ALL: &[Layout] = &[
    Layout {
        tools: &["search_symbols"],
        array: Array::Canonical,
        sections: &[Section {
            meta: &[meta("total", Integer), meta("truncated", Truth)],
            ..section(
                "",
                Many(&["results", "symbols", "nodes"]),
                Refused,
                &[ID, KIND, NAME, PATH, LINE, SIG],
            )
        }],
        join: None,
    },
    Layout {
        tools: &["get_symbol_source"],
        array: Array::Refused,
        sections: &[section(
            "",
            Whole,
            Refused,
            &[
                ID,
                KIND,
                NAME,
                PATH,
                START_LINE,
                END_LINE,
                cell("from_line", &["from_line"], Integer),
                SIG,
                ETAG,
                SOURCE,
            ],
        )],
        join: None,
    },
    Layout {
        tools: &["batch_symbols"],
        array: Array::Rows,
        sections: &[Section {
            meta: &[meta("etag", Text), meta("total", Integer)],
            ..section(
                "",
                Many(&["symbols", "results"]),
                Refused,
                &[
                    ID,
                    Cell { required: Unless("error"), ..KIND },
                    Cell { required: Unless("error"), ..NAME },
                    PATH,
                    cell("start_line", &["start_line", "line"], Integer),
                    END_LINE,
                    SIG,
                    Cell { if_any: true, ..SOURCE },
                    cell("error", &["error"], Text),
                ],
            )
        }],
        join: None,
    },
    Layout {
        tools: &["find_usages"],
        array: Array::Refused,
        sections: &[Section {
            meta: &[meta("total_edges", Integer), meta("truncated", Truth)],
            ..section(
                "",
                Many(&["edges"]),
                Refused,
                &[
                    required("from", &["from"]),
                    required("to", &["to"]),
                    required("edge_kind", &["kind", "edge_kind"]),
                    ORIGIN,
                    CONFIDENCE,
                    joined("from_name", &["name"], Text),
                    joined("from_path", &["file_path", "path"], Text),
                    joined("from_line", &["start_line", "line"], Integer),
                ],
            )
        }],
        join: Some(Join { list: "nodes", id: "id", by: "from" }),
    },
    Layout {
        tools: &["get_file_summary"],
        array: Array::Canonical,
        sections: &[Section {
            meta: &[
                meta("etag", Text),
                meta("total_edges", Integer),
                meta("total_nodes", Integer),
                meta("truncated", Truth),
            ],
            ..section(
                "",
                Many(&["nodes", "symbols", "results"]),
                Refused,
                &[ID, KIND, NAME, LINE, SIG],
            )
        }],
        join: None,
    },
    Layout {
        tools: &[
            "get_callers",
            "get_call_chain",
            "get_dependencies",
            "get_dependents",
            "find_implementations",
        ],
        array: Array::Rows,
        sections: &[
            Section {
                meta: &[meta("total_nodes", Integer), meta("truncated", Truth)],
                ..section(".nodes", Many(&["nodes"]), Refused, NODES)
            },
            section(
                ".edges",
                Many(&["edges"]),
                NoRows,
                &[
                    required("from", &["from"]),
                    required("to", &["to"]),
                    required("kind", &["kind"]),
                    ORIGIN,
                    CONFIDENCE,
                    cell("label", &["label"], Text),
                ],
            ),
        ],
        join: None,
    },
    Layout {
        tools: &["get_editing_context"],
        array: Array::BySection,
        sections: &[
            section(
                ".target",
                One("target"),
                Refused,
                &[ID, KIND, NAME, PATH, START_LINE, END_LINE, SIG, ETAG],
            ),
            Section { label: "caller", ..section(".callers", Many(&["callers"]), NoRows, NODES) },
            Section {
                label: "dep",
                ..section(".dependencies", Many(&["dependencies"]), NoRows, NODES)
            },
            Section {
                label: "test",
                ..section(
                    ".tests",
                    Many(&["tests"]),
                    NoRows,
                    &[required("path", &["file_path", "path"])],
                )
            },
        ],
        join: None,
    },
    Layout {
        tools: &["smart_context"],
        array: Array::Refused,
        sections: &[
            section(".task", Word("task"), Refused, &[required("task", &["task"])]),
            Section {
                meta: TOTAL,
                ..section(
                    ".symbols",
                    Many(&["symbols"]),
                    Refused,
                    &[ID, KIND, NAME, OWN_PATH, OWN_LINE, SCORE, REASON],
                )
            },
        ],
        join: None,
    },
    Layout {
        tools: &["analyze.dead_code"],
        array: Array::Canonical,
        sections: &[section(
            "",
            Many(&["results"]),
            Refused,
            &[ID, KIND, NAME, OWN_PATH, OWN_LINE, REASON],
        )],
        join: None,
    },
    Layout {
        tools: &["analyze.hotspots"],
        array: Array::Canonical,
        sections: &[section(
            "",
            Many(&["results"]),
            Refused,
            &[
                ID,
                NAME,
                OWN_PATH,
                OWN_LINE,
                cell("fan_in", &["fan_in"], Integer),
                cell("fan_out", &["fan_out"], Integer),
                cell("cross_cut", &["cross_community", "cross_cut"], Scalar),
                SCORE,
            ],
        )],
        join: None,
    },
    Layout {
        tools: &["analyze.cycles"],
        array: Array::Canonical,
        sections: &[section(
            "",
            Many(&["results"]),
            Refused,
            &[
                cell("size", &["size"], Integer),
                cell("severity", &["severity"], Text),
                cell("nodes", &["nodes"], List),
            ],
        )],
        join: None,
    },
    Layout {
        tools: &["contracts"],
        array: Array::Canonical,
        sections: &[
            section(
                ".list",
                Many(&["list", "contracts"]),
                Refused,
                &[
                    ID,
                    cell("type", &["type"], Text),
                    cell("method", &["method"], Text),
                    cell("path", &["path"], Text),
                    cell("service", &["service"], Text),
                    cell("providers", &["providers"], List),
                    cell("consumers", &["consumers"], List),
                ],
            ),
            section(
                ".orphans",
                Many(&["orphans"]),
                NoSection,
                &[
                    required("contract_id", &["contract_id"]),
                    cell("side", &["side"], Text),
                    cell("repo", &["repo"], Text),
                    cell("symbol", &["symbol"], Text),
                ],
            ),
        ],
        join: None,
    },
    Layout {
        tools: &["get_repo_outline"],
        array: Array::Refused,
        sections: &[
            section(".languages", Any("languages"), NoSection, &[]),
            section(".communities", Any("communities"), NoSection, &[]),
            section(".hotspots", Any("hotspots"), NoSection, &[]),
            section(".most_imported", Texts("most_imported"), NoSection, VALUES),
            section(".entry_points", Texts("entry_points"), NoSection, VALUES),
        ],
        join: None,
    },
];

const VALUES: &[Cell] = &[cell(crate::grammar::VALUE, &[crate::grammar::VALUE], Text)];

impl Layout {
    /// Every layout.
    pub const ALL: &'static [Layout] = ALL;

    /// The layout of this tool's response.
    pub fn of(tool: &str) -> Option<&'static Layout> {
        ALL.iter().find(|layout| layout.tools.contains(&tool))
    }

    /// Whether a member of the response has a place.
    pub(super) fn knows(&self, member: &str) -> bool {
        self.join.is_some_and(|join| join.list == member)
            || self.sections.iter().any(|section| {
                section.source == Whole
                    || section.source.members().contains(&member)
                    || section.meta.iter().any(|meta| meta.key == member)
            })
    }

    /// Whether there is a section of this suffix, which is given without its dot.
    pub(super) fn has_section(&self, name: &str) -> bool {
        self.sections.iter().any(|section| section.suffix.strip_prefix('.') == Some(name))
    }

    /// Whether the response has several sections, so that their names are not the tool's.
    pub fn has_named_sections(&self) -> bool {
        self.sections.iter().any(|section| !section.suffix.is_empty())
    }

    /// The tool and its layout that a name of a section belongs to, whether the layout has the section or not: that of the
    /// tool itself, and, where sections have names, all that begin with it and a dot.
    pub fn of_section(name: &str) -> Option<(&'static str, &'static Layout)> {
        let owner = |tool: &str, layout: &Layout| match name.strip_prefix(tool) {
            Some("") => true,
            Some(rest) => layout.has_named_sections() && rest.starts_with('.'),
            None => false,
        };
        ALL.iter().find_map(|layout| {
            let tool = layout.tools.iter().find(|tool| owner(tool, layout))?;
            Some((*tool, layout))
        })
    }
}

impl Section {
    /// Whether its rows are objects, rather than texts.
    pub(super) fn has_objects(&self) -> bool {
        !matches!(self.source, Word(_) | Texts(_) | Any(_))
    }
}

impl Source {
    /// The names of the member that holds the rows, the first of which decoding gives; none for the response itself.
    pub fn members(&self) -> &[&'static str] {
        match self {
            Whole => &[],
            One(member) | Word(member) | Texts(member) | Any(member) => {
                std::slice::from_ref(member)
            }
            Many(members) => members,
        }
    }

    /// Whether the section has exactly one row, which is not declared (ruling X4).
    pub fn is_one_row(&self) -> bool {
        matches!(self, Whole | One(_) | Word(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_consistent() {
        let mut tools = std::collections::HashSet::new();
        for layout in ALL {
            for tool in layout.tools {
                assert!(tools.insert(tool), "{tool} has two layouts");
            }
            for section in layout.sections {
                let columns: std::collections::HashSet<_> =
                    section.cells.iter().map(|cell| cell.column).collect();
                assert_eq!(
                    columns.len(),
                    section.cells.len(),
                    "{:?}{} has a column twice",
                    layout.tools,
                    section.suffix
                );
                assert_eq!(section.cells.is_empty(), matches!(section.source, Any(_)));
                assert!(layout.has_named_sections() || layout.sections.len() == 1);
                assert!(section.meta.is_sorted_by_key(|meta| meta.key));
                for cell in section.cells {
                    assert!(layout.join.is_some() || cell.owner == Row);
                    if let Unless(other) = cell.required {
                        assert!(columns.contains(other));
                    }
                }
            }
        }
        assert_eq!(tools.len(), 17);
    }
}
