//! GCX1: the rows of a tool's response as text that costs a model less than JSON.
//!
//! # Anatomy of a response
//!
//! ```text
//! GCX1 tool=get_callers.nodes fields=id,kind,name rows=2 total=7     header: what made it, the columns, metadata
//! # 2 of 7 matches                                                   a comment; readers pass over it
//! pkg.Handler  function  Handler                                     a row: cells in the order of the fields,
//! pkg.main     function  main                                        with a tab between them
//! GCX1 tool=get_callers.edges fields=from,to,confidence rows=1       the next section
//! pkg.main     pkg.Handler  0.9
//! ```
//!
//! A tab, a line feed and a backslash in a cell are `\t`, `\n` and `\\`. A carriage return is left out (ruling X5).
//!
//! ```
//! use gcx::{Header, Reader, Writer};
//!
//! let mut writer = Writer::new(Vec::new());
//! writer.begin(&Header::new("search_symbols", ["id", "sig"]).with_rows(1).with_meta("total", "7"))?;
//! writer.row(["pkg.Auth", "func Auth(\n\tctx Context)"])?;
//! let text = String::from_utf8(writer.finish()?)?;
//! assert_eq!(
//!     text,
//!     "GCX1 tool=search_symbols fields=id,sig rows=1 total=7\npkg.Auth\tfunc Auth(\\n\\tctx Context)\n",
//! );
//!
//! let mut reader = Reader::new(&text);
//! let header = reader.next_section()?.expect("there is a section");
//! assert_eq!((header.tool(), header.meta("total")), ("search_symbols", Some("7")));
//! let row = reader.next_row()?.expect("there is a row");
//! assert_eq!(row.get(&header, "sig"), Some("func Auth(\n\tctx Context)"));
//! assert!(reader.next_row()?.is_none() && reader.next_section()?.is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod decode;
mod encode;
mod error;
mod grammar;
mod header;
mod io;
pub mod workspace;

pub use decode::{Reader, Row};
pub use encode::Writer;
pub use error::{Error, ErrorKind};
pub use header::Header;
pub use io::StreamReader;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
