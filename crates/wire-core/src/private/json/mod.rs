//! Exact JSON: a reader that keeps spans and the literal of each number, a borrowed tree, a writer,
//! and serde in both directions. For the crates of this workspace; it may change in any version.

mod de;
mod error;
mod number;
mod reader;
mod text;
mod tree;
mod write;

pub use self::de::{Values, from_str};
pub use self::error::{Error, Kind};
pub use self::number::{Decimal, Fidelity, Number, fidelity, is_number};
pub use self::reader::{Duplicates, Reader, Str, Token};
pub use self::text::{Doubles, Text, Value};
pub use self::tree::{Json, Member, equal};
pub use self::write::{LITERALS, Layout, Strings, VALUES, Writer, laid_out, push_quoted};
