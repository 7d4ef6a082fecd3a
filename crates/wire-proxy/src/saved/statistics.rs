//! `wire-proxy stats` (ruling M8): what the calls of a log saved, and the table of them.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::iter;

use wire_mcp::{Tokens, View};

use crate::failure::{Failure, print, say};
use crate::log::{self, Line};
use crate::saved::options::Stats;
use crate::saved::table::{Table, TableFormat};
use crate::saved::verdict;
use crate::text::counted;

pub(crate) fn run(options: &Stats) -> Result<u8, Failure> {
    let path = options.file.clone().map_or_else(log::own_path, Ok).map_err(Failure::Usage)?;
    let name = path.display();
    let client = options.client.as_deref().map(verdict::row).transpose().map_err(Failure::Usage)?;
    let view = client.and_then(|row| row.shows.as_ref()).map(|shows| shows.what.view);
    let reader: Box<dyn BufRead> = if path.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else if options.file.is_none() && !path.exists() {
        return Err(Failure::Io(format!(
            "{name}: no calls yet; `wire-proxy init CLIENT --stats --write` logs them there"
        )));
    } else {
        let file = File::open(&path);
        Box::new(BufReader::new(file.map_err(|error| Failure::Io(format!("{name}: {error}")))?))
    };
    let mut table = Table::default();
    let mut lines = read_lines(reader).enumerate().peekable();
    // The calls of clients of which it is not known what they show.
    let mut unknown = 0;
    while let Some((at, line)) = lines.next() {
        let line = line.map_err(|error| Failure::Io(format!("{name}: {error}")))?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice::<Line>(&line) {
            Ok(line) => {
                unknown += u64::from(view.is_none() && line.shown.is_none());
                table.of(&line.tool).add(shown(&line, view), line.content, line.milliseconds);
            }
            // A run that was killed may have written a part of its last line.
            Err(_) if lines.peek().is_none() && !line.ends_with(b"\n") => {
                say(format_args!("{name}: line {} is cut, and is left out", at + 1));
            }
            Err(error) => {
                return Err(Failure::Io(format!(
                    "{name}: line {}: {error}; expected a line of `--stats`",
                    at + 1
                )));
            }
        }
    }
    let total = table.total();
    if total.calls == 0 {
        say(format_args!("{name}: no calls; `wire-proxy --stats FILE -- COMMAND` writes them"));
        return Ok(0);
    }
    let mut text = table.shown(options.format);
    if options.format == TableFormat::Text {
        let who = client.map_or("the client", |row| &*row.title);
        let calls = counted(total.calls as u64, "call");
        text = format!("{calls}, as {who} shows results: {}\n\n{text}", total.said());
        if unknown > 0 {
            text += &format!(
                "\nOf {} the client is not known, and the text counts; --client NAME says which.\n",
                counted(unknown, "call")
            );
        }
    }
    print(text.as_bytes())
}

/// The tokens that a client with this view shows of a call; without a view, its own client.
fn shown(line: &Line, view: Option<View>) -> Tokens {
    let own = match view {
        None => line.shown,
        Some(View::Structured) => line.structured,
        Some(View::Both | View::Result) => line.both,
        Some(_) => None,
    };
    own.unwrap_or(line.content)
}

fn read_lines(mut reader: impl BufRead) -> impl Iterator<Item = io::Result<Vec<u8>>> {
    iter::from_fn(move || {
        let mut line = Vec::new();
        match reader.read_until(b'\n', &mut line) {
            Ok(0) => None,
            Ok(_) => Some(Ok(line)),
            Err(error) => Some(Err(error)),
        }
    })
}
