//! The grammar of the graph profile, for both directions.
//!
//! ```abnf
//! payload      = header *( group-line / node-line / edge-line / ref-line
//!                        / comment / blank )
//!                [ summary *( comment / blank ) ]
//! ; from 2.0 on the first is profile=graph
//! header       = "GCF" *( SP key "=" [ token ] ) LF
//! ; from 3 on a count behind every group
//! group-line   = "##" SP ( group / "edges" [ SP "[" ( count / "?" ) "]" ] ) LF
//! group        = "targets" / "related" / "extended" / "distance_" 1*DIGIT
//! node-line    = "@" id SP kind SP qualified-name SP score SP provenance LF
//! edge-line    = "@" target "<" "@" source SP edge-type [ SP status ] LF
//! ref-line     = "@" id SP SP "# previously transmitted" LF
//! ; under ## removed
//! delta-line   = kind SP qualified-name LF
//!              ; under ## added
//!              / node-line [ SP distance ]
//!              ; under ## edges_removed and ## edges_added
//!              / qualified-name SP "->" SP qualified-name SP edge-type LF
//! summary      = ( "## _summary" / "##! summary" ) *( SP key "=" [ token ] ) LF
//! comment      = "#" SP text LF           ; from 3 on also behind spaces
//! blank        = LF
//! id           = 1*DIGIT                 ; at most 4294967295
//! ; finite; from 3 on [ "-" ] 1*DIGIT "." 2DIGIT
//! score        = decimal float
//! count        = 1*DIGIT                 ; from 3 on without leading zeros
//! kind, qualified-name, provenance, edge-type, status = token
//! key          = token                   ; without "="
//! token        = 1*( any character but white space and control characters )
//! ```
//!
//! `LF` is U+000A; a CR before it is accepted on decode. Symbol lines before any group have
//! distance 0 (ruling G3). Edge lines are in `## edges`, and symbol lines in the other groups.

use crate::header::decimal;
use crate::lines::{GROUP_PREFIX, SUMMARY};

/// Begins a symbol, edge or reference line.
pub(crate) const ID_SIGIL: u8 = b'@';
/// Separates the target and the source of an edge, and points at the target.
pub(crate) const EDGE_ARROW: u8 = b'<';
/// The group of the edge lines.
pub(crate) const EDGES: &str = "edges";
/// Begins the name of a group of distance 3 and more.
pub(crate) const DISTANCE_PREFIX: &str = "distance_";
/// Follows the id of a symbol that was sent in an earlier payload of the session (ruling G9).
pub(crate) const REFERENCE_MARK: &str = "  # previously transmitted";
/// Marks the header of a session's payload, after all other fields.
pub(crate) const SESSION_FIELD: &str = " session=true";
/// Begins the trailer of a streamed payload in 1.4.
pub(crate) const SUMMARY_1_4: &str = "## _summary";
/// The beginnings of trailers that decoders accept.
pub(crate) const SUMMARY_PREFIXES: [&str; 2] = [SUMMARY_1_4, SUMMARY];

/// The length of the shortest edge line, with its line ending: capacity is reserved for at most as
/// many edges as an input can contain.
pub(crate) const SHORTEST_EDGE_LINE: usize = "@0<@0 c\n".len();
/// The approximate length of the shortest symbol line in practice. Capacity is reserved at once for
/// the header's count up to this many symbols.
pub(crate) const USUAL_SYMBOL_LINE: usize = "@0 fn a 0.50 structural\n".len();
/// Ends the lines of a group.
pub(crate) const NEXT_GROUP: &str = "\n## ";

/// The first token of the answer that nothing has changed, in the dialects before 3.
pub(crate) const UNCHANGED: &str = "unchanged";
/// Separates the source and the target of an edge in a delta.
pub(crate) const DELTA_ARROW: &str = " -> ";

/// Returns `true` if a line begins the section of the edges and declares their number.
pub(crate) fn counts_edges(line: &str) -> bool {
    let name = line.strip_prefix(GROUP_PREFIX).and_then(|group| group.strip_prefix(EDGES));
    name.is_some_and(|count| count.starts_with(" ["))
}

/// The sections of a delta, in the order in which they are written (ruling G10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeltaSection {
    Removed,
    Added,
    EdgesRemoved,
    EdgesAdded,
}

impl DeltaSection {
    pub(crate) const ALL: [DeltaSection; 4] = [
        DeltaSection::Removed,
        DeltaSection::Added,
        DeltaSection::EdgesRemoved,
        DeltaSection::EdgesAdded,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            DeltaSection::Removed => "removed",
            DeltaSection::Added => "added",
            DeltaSection::EdgesRemoved => "edges_removed",
            DeltaSection::EdgesAdded => "edges_added",
        }
    }

    pub(crate) const fn shape(self) -> &'static str {
        match self {
            DeltaSection::Removed => "`kind qualified_name`",
            DeltaSection::Added => {
                "`@id kind qualified_name score provenance` and, from 3 on, ` distance`"
            }
            DeltaSection::EdgesRemoved | DeltaSection::EdgesAdded => "`source -> target type`",
        }
    }

    /// The length of the shortest of them with its line ending.
    pub(crate) const fn shortest_line(self) -> usize {
        match self {
            DeltaSection::Removed => "f a\n".len(),
            DeltaSection::Added => "@0 f a 0 b\n".len(),
            DeltaSection::EdgesRemoved | DeltaSection::EdgesAdded => "a -> b c\n".len(),
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<DeltaSection> {
        DeltaSection::ALL.into_iter().find(|section| section.name() == name)
    }
}

/// The groups with their own names, by distance (ruling G3).
pub(crate) const NAMED_GROUPS: [&str; 3] = ["targets", "related", "extended"];

pub(crate) fn name_of_group(distance: u32) -> String {
    match NAMED_GROUPS.get(distance as usize) {
        Some(name) => (*name).to_owned(),
        None => format!("{DISTANCE_PREFIX}{distance}"),
    }
}

/// The distance of the group of this name, if it is one.
pub(crate) fn distance_of_group(name: &str) -> Option<u32> {
    if let Some(distance) = (0u32..).zip(NAMED_GROUPS).find(|(_, group)| *group == name) {
        return Some(distance.0);
    }
    decimal(name.strip_prefix(DISTANCE_PREFIX)?).and_then(|n| u32::try_from(n).ok())
}
