//! The layouts of tool responses, as data (ruling X9): the sections of a tool, their columns, and
//! the corresponding JSON. Both directions and the tables of the documentation use these layouts.
//!
//! ```
//! use gcx::layout::{Kind, Layout};
//!
//! let layout = Layout::of("search_symbols").unwrap();
//! let columns: Vec<&str> =
//!     layout.sections[0].cells.iter().map(|cell| cell.column).collect();
//! assert_eq!(columns, ["id", "kind", "name", "path", "line", "sig"]);
//! assert_eq!(
//!     (layout.sections[0].cells[4].kind, layout.sections[0].cells[4].members[0]),
//!     (Kind::Integer, "start_line")
//! );
//! ```

mod schema;
mod table;

pub use self::schema::{
    Absence, Array, Cell, Join, Kind, Layout, Meta, Owner, Required, Section, Source,
};

impl Layout {
    /// Every layout.
    pub const ALL: &'static [Layout] = table::ALL;

    /// The layout of this tool's response.
    pub fn of(tool: &str) -> Option<&'static Layout> {
        Layout::ALL.iter().find(|layout| layout.tools.contains(&tool))
    }

    /// The tool and the layout for the name of a section, whether or not the layout has that
    /// section. The name is that of the tool; where sections have names, it may also be that of the
    /// tool followed by a dot and anything else.
    pub fn of_section(name: &str) -> Option<(&'static str, &'static Layout)> {
        let owner = |tool: &str, layout: &Layout| match name.strip_prefix(tool) {
            Some("") => true,
            Some(rest) => layout.has_named_sections() && rest.starts_with('.'),
            None => false,
        };
        Layout::ALL.iter().find_map(|layout| {
            let tool = layout.tools.iter().find(|tool| owner(tool, layout))?;
            Some((*tool, layout))
        })
    }
}
