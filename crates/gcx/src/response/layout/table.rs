//! The table of layouts. To add a tool, add a row.

use super::schema::{
    Absence, Array, Cell, Join, Kind, Layout, Meta, Owner, Required, Section, Source,
};
use crate::grammar::VALUE;
use Absence::{NoRows, NoSection, Refused};
use Kind::{Integer, List, Number, Scalar, Text, Truth};
use Owner::{Joined, Row};
use Required::{Always, Never, Unless};
use Source::{Any, Many, One, Texts, Whole, Word};

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
/// Most tools use the names `file_path`, `start_line` and `signature`; some use the names of the
/// columns.
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
pub(super) const ALL: &[Layout] = &[
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

const VALUES: &[Cell] = &[cell(VALUE, &[VALUE], Text)];

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
