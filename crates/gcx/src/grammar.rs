//! The grammar of GCX1, for both directions.
//!
//! ```abnf
//! payload      = 1*section
//! section      = header *( row / comment / blank )
//! ; read in any order; written with the other keys sorted (ruling X1)
//! header       = "GCX1" SP "tool=" value SP "fields=" value *( "," value )
//!                *( SP key "=" value ) LF
//! ; as many cells as fields, or fewer: the rest is empty
//! row          = cell *( TAB cell ) LF
//! comment      = "#" *( any character but LF ) LF
//! ; of a section with one field and `rows=N` a row of one empty cell (X4)
//! blank        = LF
//! ; the first of a row is not written with "#" or "GCX" at its start (X3); a row
//! ; that begins with "GCX" and no digit is read
//! cell         = *( char / escape )
//! ; of a header: without SP and "=", which are escaped (X2); a key, a tool and
//! ; a field are not empty
//! key, value   = *( char / escape )
//! ; "\\" is a backslash, "\t" a tab, "\n" a line feed, others mean themselves
//! escape       = "\" char
//! char         = any character but TAB, LF and "\"
//! ```
//!
//! `LF` is U+000A. A CR before it is accepted on decode, and every CR is removed on encode (X5).
//!
//! ```text
//! GCX1 tool=get_callers.nodes fields=id,kind,name rows=2 total_nodes=7
//! # 2 of 7 callers
//! pkg.Handler  function  Handler
//! pkg.main     function  main
//! GCX1 tool=get_callers.edges fields=from,to,kind rows=1
//! pkg.main     pkg.Handler  calls
//! ```
//!
//! A header says what made the section, its columns and metadata; a comment is passed over; a row has
//! its cells in the order of the fields, with a tab between them.
//!
//! A tab, a line feed and a backslash in a cell are written as `\t`, `\n` and `\\`. A carriage
//! return is removed (ruling X5). A declared number of rows is enforced in both directions, so a
//! text that was cut off between rows is an error.

/// The first token of every section of this version.
pub(crate) const TAG: &str = "GCX1";
/// The common prefix of the tags of all versions.
pub(crate) const TAG_STEM: &str = "GCX";
/// Begins a comment.
pub(crate) const COMMENT: u8 = b'#';
/// The keys of the header that are not metadata.
pub(crate) const TOOL: &str = "tool";
/// The key of the fields.
pub(crate) const FIELDS: &str = "fields";
/// The metadata that declares the number of rows.
pub(crate) const ROWS: &str = "rows";
/// The metadata that names the types of the columns (ruling X10).
pub(crate) const TYPED: &str = "typed";
/// The metadata that lists what a section has beyond its tool's layout (ruling X13).
pub(crate) const EXTRAS: &str = "extras";
/// The field of values that are not objects.
pub(crate) const VALUE: &str = "value";
/// The longest name of a field that may become the name of a member, in bytes. Every row repeats
/// the name, so with longer names a short text could fill the memory.
pub(crate) const LONGEST_NAME: usize = 256;
/// The character that begins an escape.
pub(crate) const ESCAPE: u8 = b'\\';

/// The character after the backslash for this byte, when it has to be escaped everywhere.
pub(crate) const fn escape_of(byte: u8) -> Option<u8> {
    match byte {
        b'\\' => Some(b'\\'),
        b'\t' => Some(b't'),
        b'\n' => Some(b'n'),
        _ => None,
    }
}

/// The character that is escaped as a backslash and `escaped`.
pub(crate) const fn unescaped(escaped: char) -> char {
    match escaped {
        't' => '\t',
        'n' => '\n',
        other => other,
    }
}
