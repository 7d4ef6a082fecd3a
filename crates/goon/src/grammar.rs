//! The grammar of GOON, for both directions.
//!
//! ```abnf
//! text        = header nodes ( edges / paths ) [ rows ]     ; paths for path_finding, rows for aggregation
//! header      = "@header" LF *( field ":" value LF )        ; in the order of `Field`
//! nodes       = "@nodes" LF *( name "(" count "):" LF *node )
//! node        = id *( SP key "=" token ) LF
//! edges       = "@edges" LF *( name "(" count "):" LF *edge )
//! edge        = end SP "-->" SP end [ SP "depth=" count ] LF
//! paths       = "@paths" LF *( "path=" count ":" SP end 1*( SP "--" name "-->" SP end ) LF )
//! rows        = "@rows" LF *( [ cell *( SP cell ) ] LF )
//! cell        = name "=" ( token / end )                    ; an end in the column of a node
//! end         = name ":" id
//! token       = bare / DQUOTE *( char / "\" ( "\" / DQUOTE / "n" / "r" / "t" ) ) DQUOTE
//! bare        = 1*( ALPHA / DIGIT / "_" / "-" / ":" / "." / "/" / "@" / "+" )
//! id          = [ "-" ] count                               ; of 64 bits
//! count       = "0" / %x31-39 *DIGIT
//! ```

/// The markers of the sections.
pub(crate) const HEADER: &str = "@header";
pub(crate) const NODES: &str = "@nodes";
pub(crate) const EDGES: &str = "@edges";
pub(crate) const PATHS: &str = "@paths";
pub(crate) const ROWS: &str = "@rows";
/// Between the ends of an edge.
pub(crate) const ARROW: &str = "-->";
/// Before the name of a step of a path.
pub(crate) const STEP: &str = "--";
/// Begins a path.
pub(crate) const PATH: &str = "path=";
/// The depth of an edge.
pub(crate) const DEPTH: &str = "depth=";
/// Behind a key, the number of characters that its text had before it was cut.
pub(crate) const LENGTH_SUFFIX: &str = "_len";
/// What stands for what was cut off.
pub(crate) const ELLIPSIS: &str = "...";

/// The fields of the header, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Field {
    QueryType,
    GoonVersion,
    Nodes,
    Edges,
    HasMore,
    TotalRows,
    Truncated,
    NextCursor,
    Rows,
    GroupBy,
    Aggregations,
}

impl Field {
    const ALL: [(Field, &'static str); 11] = [
        (Field::QueryType, "query_type"),
        (Field::GoonVersion, "goon_version"),
        (Field::Nodes, "nodes"),
        (Field::Edges, "edges"),
        (Field::HasMore, "has_more"),
        (Field::TotalRows, "total_rows"),
        (Field::Truncated, "truncated"),
        (Field::NextCursor, "next_cursor"),
        (Field::Rows, "rows"),
        (Field::GroupBy, "group_by"),
        (Field::Aggregations, "aggregations"),
    ];

    pub(crate) fn name(self) -> &'static str {
        Field::ALL[self as usize].1
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Field::ALL.iter().find(|(_, known)| *known == name).map(|(field, _)| *field)
    }
}

/// The class of a property's key: the first part of its place in a line (ruling N2).
pub(crate) fn class(key: &str) -> u8 {
    match key {
        "iid" | "username" | "name" | "full_path" | "path" | "uuid" => 0,
        "state" | "status" | "visibility_level" => 1,
        "created_at" | "updated_at" | "merged_at" | "closed_at" => 3,
        "title" | "description" | "body" | "note" => 4,
        _ => 2,
    }
}

/// The last of the classes.
pub(crate) const LAST_CLASS: u8 = 4;

/// Whether the key's text is long by its nature, and so is cut early.
pub(crate) fn is_long_text(key: &str) -> bool {
    matches!(key, "body" | "description" | "name" | "note" | "title")
}

/// Whether a name of an entity, an edge, a property or a column can be read back (ruling N6).
pub(crate) fn is_name(text: &str) -> bool {
    // Nearly all are of letters, digits, and underscores.
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if !text.is_empty() && text.bytes().all(plain) {
        return true;
    }
    let breaks =
        |c: char| wire_core::text::breaks_token(c) || matches!(c, '=' | '(' | ')' | ',' | ':');
    !text.is_empty() && !text.contains(breaks) && !text.contains(ARROW)
}

/// Whether a key is of the node itself in the JSON form, and so can't be one of a property.
pub(crate) fn is_own(key: &str) -> bool {
    matches!(key, "type" | "id")
}

/// Whether a text can stand without quotes.
pub(crate) fn is_bare(text: &str) -> bool {
    let plain = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b'-' | b':' | b'.' | b'/' | b'@' | b'+')
    };
    !text.is_empty() && text.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_stand_in_their_order() {
        for (index, (field, name)) in Field::ALL.into_iter().enumerate() {
            assert_eq!((field as usize, Field::from_name(name)), (index, Some(field)));
        }
    }
}
