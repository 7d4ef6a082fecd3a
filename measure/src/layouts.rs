//! The table of the layouts of tools' responses in the documentation, made from the data.

use std::fmt::Write as _;

use gcx::layout::{Absence, Array, Cell, Kind, Layout, Owner, Required, Section, Source};

/// A row a section.
pub(crate) fn table() -> String {
    let mut text =
        String::from("| tool | section | rows | cells | metadata |\n|---|---|---|---|---|\n");
    for layout in Layout::ALL {
        let tools: Vec<String> = layout.tools.iter().map(|tool| format!("`{tool}`")).collect();
        for (index, section) in layout.sections.iter().enumerate() {
            let suffix = if section.suffix.is_empty() { "the tool" } else { section.suffix };
            let meta: Vec<String> = section
                .meta
                .iter()
                .map(|meta| format!("`{}` ({})", meta.key, meta.kind.name()))
                .collect();
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} |",
                if index == 0 { tools.join(", ") } else { String::new() },
                if section.suffix.is_empty() { suffix.to_owned() } else { format!("`{suffix}`") },
                rows(layout, index, section),
                cells(section),
                if meta.is_empty() { "–".to_owned() } else { meta.join(", ") },
            );
        }
    }
    text
}

fn rows(layout: &Layout, index: usize, section: &Section) -> String {
    let names = |names: &[&str]| {
        names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" \\| ")
    };
    let mut text = match section.source {
        Source::Whole => "one: the response".to_owned(),
        Source::One(member) => format!("one: the object `{member}`"),
        Source::Word(member) => format!("one: `{member}`"),
        Source::Many(members) => names(members),
        Source::Texts(member) => format!("the strings of `{member}`"),
        Source::Any(member) => format!("`{member}`, by the fallback"),
        other => panic!("the source {other:?} has no words"),
    };
    match layout.array {
        Array::Rows if index == 0 => text.push_str(", or a bare array"),
        Array::Canonical if index == 0 => {
            text.push_str(", or a bare array, which stays one");
        }
        Array::BySection => text.push_str(", or by the member `section`"),
        _ => {}
    }
    text + match section.absence {
        Absence::Refused => "",
        Absence::NoRows => "; absent: no rows",
        Absence::NoSection => "; absent: no section",
        other => panic!("the absence {other:?} has no words"),
    }
}

fn cells(section: &Section) -> String {
    let mut cells: Vec<String> = Vec::new();
    for cell in section.cells {
        let Cell { column, members, owner, kind, required, if_any, .. } = cell;
        let mut text = if *required == Required::Always {
            format!("**{column}**")
        } else {
            (*column).to_owned()
        };
        let mut remarks = Vec::new();
        let other_names = members.len() > 1 || members[0] != *column;
        if other_names || *owner == Owner::Joined {
            let names: Vec<String> = members.iter().map(|name| format!("*{name}*")).collect();
            let of = if *owner == Owner::Joined { " of the node" } else { "" };
            remarks.push(format!("{}{of}", names.join(" \\| ")));
        }
        if *kind != Kind::Text {
            remarks.push(kind.name().to_owned());
        }
        if let Required::Unless(other) = required {
            remarks.push(format!("required unless the row has {other}"));
        }
        if *if_any {
            remarks.push("if any row has it".to_owned());
        }
        if !remarks.is_empty() {
            let _ = write!(text, " ({})", remarks.join("; "));
        }
        cells.push(text);
    }
    if cells.is_empty() { "the fallback's".to_owned() } else { cells.join(", ") }
}
