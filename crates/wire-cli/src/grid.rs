//! Tables of data, as wide as they may be.

use std::env;
use std::fmt::Write as _;
use std::io;

use anstream::{AutoStream, ColorChoice};
use indexmap::IndexSet;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
use wire_core::json::Number;

use crate::args::ViewOptions;
use crate::failure::{Failure, plural, shown};
use crate::table;

/// Cells of columns that were not chosen are cut to this width before a column is hidden.
const NARROW: usize = 16;
/// The same of columns that were chosen.
const NARROWEST: usize = 4;
/// The spaces between two columns.
const GAP: usize = 3;
/// The width where nothing says another one.
const WIDTH: usize = 100;

/// The part of tables that is shown.
pub(crate) struct Look<'o> {
    /// The names of the chosen columns; empty for all.
    columns: &'o [String],
    max_rows: usize,
    /// In characters of a terminal.
    width: usize,
    /// `true` if titles are bold, and what is left out is dim.
    is_styled: bool,
}

impl<'o> Look<'o> {
    /// As the options say, and else as wide as the terminal.
    pub(crate) fn new(options: &'o ViewOptions) -> Self {
        let of_environment = || env::var("COLUMNS").ok()?.parse().ok().filter(|width| *width > 0);
        let of_terminal = || {
            let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
            Some(usize::from(width.0)).filter(|width| *width > 0)
        };
        let width = options.width.or_else(of_environment).or_else(of_terminal).unwrap_or(WIDTH);
        Look {
            columns: &options.columns,
            max_rows: options.max_rows.unwrap_or(usize::MAX),
            width: if width == 0 { usize::MAX } else { width },
            is_styled: AutoStream::choice(&io::stdout()) != ColorChoice::Never,
        }
    }

    /// A line in a style of a terminal: `1` is bold, `2` dim.
    fn styled(&self, style: u8, line: &str) -> String {
        if self.is_styled { format!("\u{1b}[{style}m{line}\u{1b}[0m") } else { line.to_owned() }
    }

    /// An empty table of these columns.
    pub(crate) fn grid<'f>(&self, fields: impl IntoIterator<Item = &'f str>) -> Grid {
        let fields: Vec<String> = fields.into_iter().map(shown).collect();
        let wanted = if self.columns.is_empty() {
            // No more than these fit, however narrow they are.
            (0..fields.len().min(self.width / GAP + 1)).collect()
        } else {
            let place = |name: &String| fields.iter().position(|field| *field == shown(name));
            self.columns.iter().filter_map(place).collect()
        };
        Grid { fields, wanted, rows: Vec::new(), max_rows: self.max_rows, left_out: 0 }
    }
}

/// A table: its columns, and the rows that are shown.
pub(crate) struct Grid {
    fields: Vec<String>,
    /// The columns that may be shown, in their order. Of all others no cell is kept, as rows
    /// without common members have a column each.
    wanted: Vec<usize>,
    /// The cells of those columns.
    rows: Vec<Vec<String>>,
    max_rows: usize,
    /// How many rows are not shown.
    left_out: usize,
}

impl Grid {
    /// Adds a row; missing cells at its end are empty. Cells are for people, as [`shown`] makes it.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let count = self.wanted.iter().max().map_or(0, |last| last + 1);
        let cells: Vec<String> = cells.into_iter().take(count).collect();
        // A column may be chosen twice.
        self.row_of(|column| cells.get(column).cloned().unwrap_or_default());
    }

    /// Adds a row by the cell of each column. Only those that may be shown are asked for.
    pub(crate) fn row_of(&mut self, cell: impl FnMut(usize) -> String) {
        if self.rows.len() < self.max_rows {
            self.rows.push(self.wanted.iter().copied().map(cell).collect());
        } else {
            self.left_out += 1;
        }
    }
}

/// Tables one after the other.
pub(crate) struct Page<'o> {
    pub(crate) look: Look<'o>,
    text: String,
    /// The names of the columns of all tables, in the order of the tables.
    names: IndexSet<String>,
}

impl<'o> Page<'o> {
    pub(crate) fn new(look: Look<'o>) -> Self {
        Page { look, text: String::new(), names: IndexSet::new() }
    }

    /// Adds a table with its title: what it is, and how many of what it has.
    pub(crate) fn push(
        &mut self,
        title: &str,
        count: usize,
        noun: &str,
        meta: &[String],
        grid: &Grid,
    ) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let title = self.look.styled(1, &format!("{title}: {}", plural(count, noun)));
        self.text.push_str(&title);
        for meta in meta {
            let _ = write!(self.text, ", {meta}");
        }
        self.text.push('\n');
        self.names.extend(grid.fields.iter().filter(|name| !name.is_empty()).cloned());
        if count > 0 {
            self.table(grid);
        }
    }

    fn table(&mut self, grid: &Grid) {
        let are_chosen = !self.look.columns.is_empty();
        let narrow = if are_chosen { NARROWEST } else { NARROW };
        let natural = |(place, column): (usize, &usize)| {
            let cells = grid.rows.iter().map(|row| row[place].width());
            cells.max().unwrap_or_default().max(grid.fields[*column].width())
        };
        let natural: Vec<usize> = grid.wanted.iter().enumerate().map(natural).collect();
        let (count, widest) = fit(&natural, self.look.width, narrow);
        let (columns, unfit) = grid.wanted.split_at(count);
        if !columns.is_empty() {
            let names = columns.iter().map(|column| cut(&grid.fields[*column], widest));
            let mut table = table::plain(names.collect());
            for row in &grid.rows {
                table.add_row(row[..count].iter().map(|cell| cut(cell, widest)));
            }
            for column in 0..count {
                if are_numbers(grid.rows.iter().map(|row| &*row[column])) {
                    table::align_right(&mut table, column..column + 1);
                }
            }
            self.text.push_str(&table::text(&table));
        }
        if grid.left_out > 0 {
            let plural = if grid.left_out == 1 { "" } else { "s" };
            let line = format!("… {} more row{plural}", grid.left_out);
            let _ = writeln!(self.text, "{}", self.look.styled(2, &line));
        }
        let hidden: Vec<&str> = if are_chosen {
            unfit.iter().map(|column| &*grid.fields[*column]).collect()
        } else {
            grid.fields[count..].iter().map(String::as_str).collect()
        };
        self.hidden(&hidden);
    }

    /// Names the columns that did not fit.
    fn hidden(&mut self, names: &[&str]) {
        if names.is_empty() {
            return;
        }
        let list = names.join(", ");
        let line = format!(
            "{} hidden: {list} (--columns chooses, --width 0 shows all)",
            plural(names.len(), "column")
        );
        let (mut taken, mut text) = (0, String::new());
        for (index, word) in line.split(' ').enumerate() {
            let space = match index {
                0 => "",
                _ if taken + 1 + word.width() > self.look.width => "\n  ",
                _ => " ",
            };
            taken = word.width() + if space == "\n  " { 2 } else { taken + space.len() };
            text.push_str(space);
            text.push_str(word);
        }
        let _ = writeln!(self.text, "{}", self.look.styled(2, &text));
    }

    /// Adds a text that is not a table.
    pub(crate) fn lines(&mut self, text: &str) {
        for line in text.lines() {
            let _ = writeln!(self.text, "{}", shown(line));
        }
    }

    /// The text, if its tables have every column that was chosen.
    ///
    /// # Errors
    ///
    /// Where one is missing.
    pub(crate) fn finish(self) -> Result<String, Failure> {
        let Some(missing) =
            self.look.columns.iter().find(|name| !self.names.contains(&shown(name)))
        else {
            return Ok(self.text);
        };
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let expected = if names.is_empty() {
            "and this is not a table".to_owned()
        } else {
            format!("expected one of: {}", names.join(", "))
        };
        Err(Failure::usage(format!("--columns: there is no column {missing:?}, {expected}")))
    }
}

/// How many columns of these widths fit, and to which width their cells are cut then: at least
/// `narrow` if any would not fit otherwise, and as wide as there is room. The first column is
/// always there.
fn fit(natural: &[usize], width: usize, narrow: usize) -> (usize, usize) {
    // A space is before the first column, and the line below the header ends one after the last.
    let taken = |columns: &[usize], widest: usize| {
        let cells = columns.iter().map(|column| (*column).min(widest) + GAP);
        cells.fold(0_usize, usize::saturating_add).saturating_sub(GAP - 2)
    };
    let fitting =
        (0..=natural.len()).rev().find(|count| taken(&natural[..*count], narrow) <= width);
    let count = fitting.unwrap_or_default().max(1).min(natural.len());
    let columns = &natural[..count];
    let most = columns.iter().copied().max().unwrap_or_default();
    // The widest that fits.
    let (mut fits, mut too_wide) = (1, most + 1);
    while too_wide - fits > 1 {
        let middle = usize::midpoint(fits, too_wide);
        if taken(columns, middle) <= width { fits = middle } else { too_wide = middle }
    }
    (count, fits)
}

/// Returns `true` if the cells of a column are numbers, but for those that have no value.
fn are_numbers<'c>(cells: impl Iterator<Item = &'c str>) -> bool {
    let mut values = cells.filter(|cell| !matches!(*cell, "" | "null")).peekable();
    values.peek().is_some() && values.all(|cell| Number::new(cell).is_some())
}

/// A text that has at most this width, with `…` where something is cut: in the middle of a name,
/// whose end tells it from others, and at the end of other text.
fn cut(text: &str, width: usize) -> String {
    /// Less of a name is not told from others by both of its ends.
    const SHORT: usize = 12;
    // No character is wider than two columns, and none has more than four bytes.
    if text.len() <= width || text.width() <= width {
        return text.to_owned();
    }
    if width < SHORT || text.contains(char::is_whitespace) {
        return format!("{}…", start_of(text, width - 1));
    }
    let start = start_of(text, width / 2);
    format!("{start}…{}", end_of(&text[start.len()..], width - 1 - start.width()))
}

/// The end of a text that has at most this width.
fn end_of(text: &str, width: usize) -> &str {
    let mut taken = 0;
    let before = text.char_indices().rev().find_map(|(at, c)| {
        taken += c.width().unwrap_or_default();
        (taken > width).then_some(at + c.len_utf8())
    });
    let mut end = &text[before.unwrap_or_default()..];
    // What joins characters can make them wider together than each is.
    while end.width() > width {
        let mut rest = end.chars();
        rest.next();
        end = rest.as_str();
    }
    end
}

/// The beginning of a text that has at most this width.
fn start_of(text: &str, width: usize) -> &str {
    let mut taken = 0;
    let end = text.char_indices().find_map(|(at, c)| {
        taken += c.width().unwrap_or_default();
        (taken > width).then_some(at)
    });
    let mut start = &text[..end.unwrap_or(text.len())];
    // What joins characters can make them wider together than each is.
    while start.width() > width && !start.is_empty() {
        start = &start[..start.char_indices().next_back().map_or(0, |(at, _)| at)];
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_columns_as_fit() {
        // A space in front, and three between two.
        for (natural, width, narrow, expected) in [
            (&[5, 5][..], 15, NARROW, (2, 5)),
            (&[5, 5], 14, NARROW, (1, 5)),
            (&[5, 5], 14, NARROWEST, (2, 4)),
            (&[5, 5], usize::MAX, NARROW, (2, 5)),
            (&[20, 20, 20], 41, NARROW, (2, 18)),
            (&[20, 20, 20], 56, NARROW, (3, 16)),
            (&[20, 20, 20], 55, NARROW, (2, 20)),
            (&[3, 90, 3], 60, NARROW, (3, 46)),
            (&[90], 10, NARROW, (1, 8)),
            (&[90], 1, NARROW, (1, 1)),
            (&[], 10, NARROW, (0, 1)),
        ] {
            assert_eq!(fit(natural, width, narrow), expected, "{natural:?} {width}");
        }
    }

    #[test]
    fn a_column_can_be_chosen_twice() {
        let columns = ["b", "a", "b"].map(str::to_owned);
        let look = Look { columns: &columns, max_rows: 9, width: 80, is_styled: false };
        let cells = ["1", "2"].map(str::to_owned);
        let (mut whole, mut by_column) = (look.grid(["a", "b"]), look.grid(["a", "b"]));
        whole.row(cells.clone());
        by_column.row_of(|column| cells[column].clone());
        assert_eq!(whole.rows, [["2", "1", "2"]]);
        assert_eq!(by_column.rows, whole.rows);
        // Cells at the end of a row may be missing.
        whole.row(cells[..1].to_vec());
        assert_eq!(whole.rows[1], ["", "1", ""]);
    }

    #[test]
    fn cells_are_cut_by_what_they_look_like() {
        for (text, width, expected) in [
            ("abc", 3, "abc"),
            ("abcd", 3, "ab…"),
            ("größe", 5, "größe"),
            ("漢字漢字", 8, "漢字漢字"),
            ("漢字漢字", 7, "漢字漢…"),
            ("漢字漢字", 6, "漢字…"),
            ("ab", 1, "…"),
            ("", 1, ""),
            ("wire_core::private::json", 12, "wire_c…:json"),
            ("wire core private json", 12, "wire core p…"),
        ] {
            let found = cut(text, width);
            assert_eq!(found, expected);
            assert!(found.width() <= width, "{text}");
        }
        for width in 1..30 {
            assert!(cut("☺️☺️👩‍👩‍👧☺️☺️e\u{301}e\u{301}🇩🇪🇩🇪", width).width() <= width, "{width}");
        }
    }
    #[test]
    fn the_time_of_a_cell_is_in_proportion_to_its_length() {
        // Hours, if each character that goes were a step over all that are left.
        for text in ["ab1_", "漢", "e\u{301}"] {
            assert!(cut(&text.repeat(1 << 20), 50).width() <= 50, "{text}");
        }
    }
}
