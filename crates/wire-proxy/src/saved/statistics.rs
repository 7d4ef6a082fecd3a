//! `wire-proxy stats` (ruling M8): what the calls of a log saved, and the table of them.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::iter;

use wire_mcp::{Clients, Tokens, View};

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
    let view = client.and_then(verdict::view);
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
    // Whether the log lacks what the client shows of some call.
    let mut is_about = false;
    while let Some((at, line)) = lines.next() {
        let line = line.map_err(|error| Failure::Io(format!("{name}: {error}")))?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice::<Line>(&line) {
            Ok(line) => {
                let own = line.client.as_deref().and_then(|name| Clients::known().named(name));
                let known = line.shown.filter(|_| {
                    client.is_none_or(|row| own.is_some_and(|own| own.title == row.title))
                });
                unknown += u64::from(client.is_none() && known.is_none());
                is_about |= known.is_none() && matches!(view, Some(View::Array | View::Result));
                let shown = known.unwrap_or_else(|| shown(&line, view));
                let view = known.map_or(view, |_| own.and_then(verdict::view));
                let content = line.structured.filter(|_| verdict::shows_both(view));
                let content = content.map(|_| line.content);
                table.of(&line.tool).add(shown, content, line.milliseconds);
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
        let about = if is_about { "about " } else { "" };
        text = format!("{calls}, {about}as {who} shows results: {}\n\n{text}", total.said());
        if unknown > 0 {
            text += &format!(
                "\nOf {} the client is not known, and the text counts; --client NAME says which.\n",
                counted(unknown, "call")
            );
        }
    }
    print(text.as_bytes())
}

/// The tokens that a client with this view shows of a call, but for its escapes of JSON.
fn shown(line: &Line, view: Option<View>) -> Tokens {
    let own = match view {
        Some(View::Structured) => line.structured,
        Some(View::Both | View::Result) => line.both,
        _ => None,
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
