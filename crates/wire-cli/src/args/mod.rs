//! The command line.

mod convert;
mod deltas;
mod inspect;
mod primer;
mod values;

use clap::{Parser, Subcommand, ValueEnum};

use crate::diagnostic::MessageFormat;

pub(crate) use convert::{
    As, AutoOptions, BatchOptions, BigIntegers, ConvertOptions, DestinationOptions, GcfOptions,
    Inferred, Lossy, Profile, ReadOptions, RowsOptions, StreamForm, YamlTags, not_for,
};
pub(crate) use deltas::{ApplyOptions, DeltaOptions, DiffOptions, RootOptions};
pub(crate) use inspect::{CheckOptions, Judged, StatsFormat, StatsOptions, ViewOptions};
pub(crate) use primer::{Primer, PrimerOptions};

/// Convert, check, view and measure graph payloads in JSON, GCF, GCB1, GCX1, GOON and XML, the
/// responses of tools and queries, and any other JSON.
#[derive(Debug, Parser)]
#[command(name = "wirefmt", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Use colours in messages (`NO_COLOR` is respected).
    #[arg(long, global = true, help_heading = "Messages", value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub(crate) color: Color,

    /// Format of messages on standard error.
    #[arg(long, global = true, help_heading = "Messages", value_enum, value_name = "FORMAT", default_value_t = MessageFormat::Human)]
    pub(crate) message_format: MessageFormat,

    /// Print no warnings and notes.
    #[arg(short, long, global = true, help_heading = "Messages")]
    pub(crate) quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  wirefmt convert pack.json --to gcf            print a JSON payload as GCF
  wirefmt convert pack.json -o pack.gcb         the extension names the output format
  cat pack.gcb | wirefmt convert --to json      the input format is detected
  wirefmt convert packs/ --to gcf -O out/       a folder of payloads
  wirefmt check packs/*.gcf                     report what is wrong, with line and column
  wirefmt view pack.gcb                         show it as tables
  wirefmt stats pack.json                       count its tokens in each format
  wirefmt auto pack.json                        the smallest lossless format
  wirefmt convert hits.json --to gcx --tool search_symbols
                                                a tool's response as rows
  wirefmt explain invalid_node_line             what an error means, and how to fix it

Exit codes: 0 success, 1 invalid data, 2 wrong usage, 3 input or output failed, 128 plus the number
of a signal that ended the program (130 for Ctrl-C).";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Convert payloads, responses and any JSON to another format.
    Convert(ConvertOptions),
    /// Check files, and report what is wrong, with line and column.
    Check(CheckOptions),
    /// Show a file as tables.
    View(ViewOptions),
    /// Convert to the lossless format with the fewest tokens, and give the reason.
    Auto(AutoOptions),
    /// Count the tokens of an input in each format.
    Stats(StatsOptions),
    /// Print the GCF delta from one payload to another. Graphs only.
    Diff(DiffOptions),
    /// Apply a delta, or another answer of an exchange, to its base payload. Graphs only.
    Apply(ApplyOptions),
    /// Print the pack roots of payloads: hashes that identify their content. Graphs only.
    Root(RootOptions),
    /// Print a short description of a format for a prompt, or count its tokens.
    Primer(PrimerOptions),
    /// Explain an error code: what it means, what causes it, and how to fix it.
    #[command(after_help = "\
Examples:
  wirefmt explain invalid_node_line
  wirefmt explain                                              how to find a code, and all codes")]
    Explain {
        /// The code, which is in brackets after `error` [default: all codes are listed].
        #[arg(value_name = "CODE")]
        code: Option<String>,
    },
    /// List the formats: what each is for, and what it loses.
    #[command(after_help = "\
Examples:
  wirefmt formats
  wirefmt formats --message-format json                        an object a line, with media types")]
    Formats,
    /// Print a completion script for a shell.
    #[command(after_help = "\
Examples:
  wirefmt completions bash > ~/.local/share/bash-completion/completions/wirefmt
  wirefmt completions fish > ~/.config/fish/completions/wirefmt.fish")]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page, for `man -l -`.
    #[command(after_help = "\
Examples:
  wirefmt man | man -l -
  wirefmt man > ~/.local/share/man/man1/wirefmt.1")]
    Man,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    pub(crate) fn write_global(self) {
        match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use wire_conformance::pages::{examples, words};

    use super::*;

    #[test]
    fn examples_of_help_and_pages_are_read() {
        let mut program = Arguments::command();
        program.build();
        let mut helps = vec![program.render_long_help().to_string()];
        helps.extend(program.get_subcommands_mut().map(|own| own.render_long_help().to_string()));
        let examples = examples("wirefmt", &helps);
        assert!(examples.len() > 40, "{examples:?}");
        for example in examples {
            let read = Arguments::try_parse_from(words(&example));
            assert!(read.is_ok(), "{example}: {}", read.unwrap_err());
        }
    }
}
