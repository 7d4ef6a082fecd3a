//! Statistics (ruling M8): a JSON line for each call, and the table of them. No contents, no
//! arguments.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::iter;

use crate::failure::{Failure, print, say};
use crate::log::Line;
use crate::saved::options::Stats;
use crate::saved::table::{Against, Table};

pub(crate) fn run(options: &Stats) -> Result<u8, Failure> {
    let name = options.file.display();
    let reader: Box<dyn BufRead> = if options.file.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        let file = File::open(&options.file);
        Box::new(BufReader::new(file.map_err(|error| Failure::Io(format!("{name}: {error}")))?))
    };
    let mut table = Table::default();
    let mut lines = read_lines(reader).enumerate().peekable();
    let mut calls = 0;
    while let Some((at, line)) = lines.next() {
        let line = line.map_err(|error| Failure::Io(format!("{name}: {error}")))?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice::<Line>(&line) {
            Ok(line) => table.add(&line),
            // A run that was killed may have written a part of its last line.
            Err(_) if lines.peek().is_none() && !line.ends_with(b"\n") => {
                say(format_args!("{name}: line {} is cut, and is left out", at + 1));
                continue;
            }
            Err(error) => {
                return Err(Failure::Io(format!(
                    "{name}: line {}: {error}; expected a line of `--stats`",
                    at + 1
                )));
            }
        }
        calls += 1;
    }
    if calls == 0 {
        say(format_args!("{name}: no calls; `wire-proxy --stats FILE -- COMMAND` writes them"));
    }
    print(table.shown(options.format, Against::Minified).as_bytes())
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
