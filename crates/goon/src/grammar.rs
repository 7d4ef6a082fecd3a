//! The grammar of GOON, for both directions.
//!
//! ```abnf
//! ; paths for path_finding, rows for aggregation
//! text        = header nodes ( edges / paths ) [ rows ]
//! ; in the order of `Field`
//! header      = "@header" LF *( field ":" value LF )
//! nodes       = "@nodes" LF *( name "(" count "):" LF *node )
//! node        = id *( SP key "=" token ) LF
//! edges       = "@edges" LF *( name "(" count "):" LF *edge )
//! edge        = end SP "-->" SP end [ SP "depth=" count ] LF
//! paths       = "@paths" LF
//!               *( "path=" count ":" SP end 1*( SP "--" name "-->" SP end ) LF )
//! rows        = "@rows" LF *( [ cell *( SP cell ) ] LF )
//! ; an end in the column of a node
//! cell        = name "=" ( token / end )
//! end         = name ":" id
//! token       = bare
//!             / DQUOTE *( char / "\" ( "\" / DQUOTE / "n" / "r" / "t" ) ) DQUOTE
//! bare        = 1*( ALPHA / DIGIT / "_" / "-" / ":" / "." / "/" / "@" / "+" )
//! id          = [ "-" ] count                               ; of 64 bits
//! count       = "0" / %x31-39 *DIGIT
//! ```
//!
//! ```text
//! @header
//! query_type:traversal                           one field a line, in this order
//! goon_version:1.0.0
//! nodes:3                                        counts, which must match
//! edges:2
//! @nodes
//! MergeRequest(2):                               a group for each type
//! 42 iid=101 state=merged title="Fix auth bug"   the id, then properties:
//!                                                identifying ones first, long text
//!                                                last
//! 43 iid=102 state=merged title="Add caching layer"
//! User(1):
//! 1 username=alice
//! @edges
//! AUTHORED(2):
//! User:1 --> MergeRequest:42
//! User:1 --> MergeRequest:43
//! ```
//!
//! Path searches have `@paths` instead of `@edges`; aggregations have `@rows` after it.

/// The markers of the sections.
pub(crate) const HEADER: &str = "@header";
pub(crate) const NODES: &str = "@nodes";
pub(crate) const EDGES: &str = "@edges";
pub(crate) const PATHS: &str = "@paths";
pub(crate) const ROWS: &str = "@rows";
/// Between the source and the target of an edge.
pub(crate) const ARROW: &str = "-->";
/// Before the name of a step of a path.
pub(crate) const STEP: &str = "--";
/// Begins a path.
pub(crate) const PATH: &str = "path=";
/// The depth of an edge.
pub(crate) const DEPTH: &str = "depth=";
/// The suffix of a key that states how many characters a text had before it was cut.
pub(crate) const LENGTH_SUFFIX: &str = "_len";
/// Replaces the part of a text that was cut off.
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

/// The class of a property's key, by which the properties of a line are sorted first (ruling N2).
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

/// Returns `true` if texts of this key are usually long, and have the shorter limit.
pub(crate) fn is_long_text(key: &str) -> bool {
    matches!(key, "body" | "description" | "name" | "note" | "title")
}

/// The classes of each byte: one lookup replaces seven comparisons.
static BYTES: [u8; 256] = {
    let mut bytes = [0; 256];
    let mut byte = 0;
    while byte < bytes.len() {
        #[allow(clippy::cast_possible_truncation)] // below 256
        let value = byte as u8;
        if value.is_ascii_alphanumeric() || value == b'_' {
            bytes[byte] |= PLAIN_NAME | BARE;
        }
        if matches!(value, b'-' | b':' | b'.' | b'/' | b'@' | b'+') {
            bytes[byte] |= BARE;
        }
        if value.is_ascii_control() || matches!(value, b'"' | b'\\') {
            bytes[byte] |= QUOTED_SPECIAL;
        }
        byte += 1;
    }
    bytes
};

/// A letter, a digit or an underscore; nearly all names have no other characters.
pub(crate) const PLAIN_NAME: u8 = 1;
/// A byte of text without quotes.
pub(crate) const BARE: u8 = 2;
/// A byte that has to be escaped between quotes: quotes, backslashes, and ASCII control characters
/// (ruling N15).
pub(crate) const QUOTED_SPECIAL: u8 = 4;

/// The end of the run of bytes of this class at the start of `bytes`.
#[inline]
pub(crate) fn run_of(property: u8, bytes: &[u8]) -> usize {
    let is_other = |byte: &u8| BYTES[usize::from(*byte)] & property == 0;
    bytes.iter().position(is_other).unwrap_or(bytes.len())
}

/// The index of the first byte of this class.
#[inline]
pub(crate) fn first_of(property: u8, bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| BYTES[usize::from(*byte)] & property != 0)
}

/// Returns `true` if a name of an entity, an edge, a property or a column can be read back (ruling
/// N6).
pub(crate) fn is_name(text: &str) -> bool {
    if !text.is_empty() && run_of(PLAIN_NAME, text.as_bytes()) == text.len() {
        return true;
    }
    let breaks =
        |c: char| wire_core::text::breaks_token(c) || matches!(c, '=' | '(' | ')' | ',' | ':');
    !text.is_empty() && !text.contains(breaks) && !text.contains(ARROW)
}

/// Returns `true` if a key belongs to the node itself in the JSON form, so that no property can
/// have it.
pub(crate) fn is_own(key: &str) -> bool {
    matches!(key, "type" | "id")
}

/// Returns `true` if a text can be written without quotes.
pub(crate) fn is_bare(text: &str) -> bool {
    !text.is_empty() && run_of(BARE, text.as_bytes()) == text.len()
}

/// The parts before and after the first occurrence of this ASCII character.
#[inline]
pub(crate) fn cut(text: &str, at: u8) -> Option<(&str, &str)> {
    // The parts of a line are short, so setting up a searcher would be slower than this search.
    let place = text.bytes().position(|byte| byte == at)?;
    Some((&text[..place], &text[place + 1..]))
}

/// The count of digits without leading zeros.
pub(crate) fn count(digits: &str) -> Option<u64> {
    let bytes = digits.as_bytes();
    if bytes.is_empty() || (bytes[0] == b'0' && bytes.len() > 1) {
        return None;
    }
    bytes.iter().try_fold(0u64, |value, &byte| {
        let digit = byte.is_ascii_digit().then(|| u64::from(byte - b'0'))?;
        value.checked_mul(10)?.checked_add(digit)
    })
}

/// The id of a sequence of digits, which a minus sign may precede.
pub(crate) fn id(digits: &str) -> Option<i64> {
    match digits.strip_prefix('-') {
        None => i64::try_from(count(digits)?).ok(),
        Some(digits) => {
            count(digits).filter(|count| *count > 0).and_then(|c| 0i64.checked_sub_unsigned(c))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_whose_digits_they_are() {
        for text in [
            "",
            "-",
            "0",
            "-0",
            "00",
            "01",
            "7",
            "+7",
            "-7",
            "--7",
            "7 ",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
            "-9223372036854775809",
            "18446744073709551615",
            "18446744073709551616",
            "99999999999999999999",
            "1e3",
            "٥",
        ] {
            let twin = text.parse::<u64>().ok().filter(|count| count.to_string() == text);
            assert_eq!(count(text), twin, "{text}");
            let twin = text.parse::<i64>().ok().filter(|id| id.to_string() == text);
            assert_eq!(id(text), twin, "{text}");
        }
    }

    #[test]
    fn bytes_are_of_their_properties() {
        for byte in 0..=u8::MAX {
            let c = char::from(byte);
            let bits =
                [PLAIN_NAME, BARE, QUOTED_SPECIAL].map(|bit| BYTES[usize::from(byte)] & bit != 0);
            let is_name = c.is_ascii_alphanumeric() || c == '_';
            let is_special = c.is_ascii_control() || "\"\\".contains(c);
            assert_eq!(bits, [is_name, is_name || "-:./@+".contains(c), is_special], "{byte}");
        }
    }

    #[test]
    fn fields_stand_in_their_order() {
        for (index, (field, name)) in Field::ALL.into_iter().enumerate() {
            assert_eq!((field as usize, Field::from_name(name)), (index, Some(field)));
        }
    }
}
