//! `cargo xtask generate`: the parts of the documentation that are made from the code.

use std::fs;

use clap::Args;

use crate::tools::{Outcome, root};
use crate::{cli_docs, damage, errors, layouts, readme};

#[derive(Args)]
pub(crate) struct Options {
    /// Write nothing; fail where a part is not what would be written.
    #[arg(long)]
    check: bool,

    /// The parts to write [default: all].
    #[arg(value_name = "PART", value_parser = PARTS.iter().map(|part| part.name).collect::<Vec<_>>())]
    parts: Vec<String>,
}

impl Options {
    /// As CI does.
    pub(crate) fn check() -> Self {
        Options { check: true, parts: Vec::new() }
    }
}

/// A part of the documentation, and what makes it.
struct Part {
    name: &'static str,
    page: &'static str,
    extent: Extent,
    text: fn() -> Result<String, String>,
}

/// How much of its page a part is.
enum Extent {
    Page,
    /// What stands between `<!-- written by `cargo xtask generate NAME` -->` and `<!-- end of NAME -->`.
    Marked,
}

const PARTS: &[Part] = &[
    Part { name: "cli", page: "docs/cli.md", extent: Extent::Page, text: cli_docs::page },
    Part { name: "errors", page: "docs/errors.md", extent: Extent::Page, text: errors::page },
    Part { name: "formats", page: "README.md", extent: Extent::Marked, text: readme::table },
    Part {
        name: "layouts",
        page: "docs/formats/gcx.md",
        extent: Extent::Marked,
        text: || Ok(layouts::table()),
    },
    Part {
        name: "truncation",
        page: "docs/truncation.md",
        extent: Extent::Marked,
        text: damage::truncation::table,
    },
    Part {
        name: "damage",
        page: "docs/truncation.md",
        extent: Extent::Marked,
        text: damage::table,
    },
];

/// Writes the parts into their pages, or checks that they are there.
pub(crate) fn run(options: &Options) -> Outcome {
    let is_wanted = |part: &&Part| {
        options.parts.is_empty() || options.parts.iter().any(|name| name == part.name)
    };
    let mut stale = Vec::new();
    for part in PARTS.iter().filter(is_wanted) {
        let Part { name, page, .. } = part;
        let path = root().join(page);
        let failed = |error: std::io::Error| format!("{page}: {error}");
        let there = fs::read_to_string(&path).map_err(failed)?;
        let written = part.in_page(&there)?;
        if there == written {
            println!("{name}: {page} is as the code says");
        } else if options.check {
            stale.push(*name);
        } else {
            fs::write(&path, written).map_err(failed)?;
            println!("{name}: {page} is written");
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    let stale = stale.join(" ");
    Err(format!("the documentation is not what the code says; run `cargo xtask generate {stale}`"))
}

impl Part {
    /// The page with what the part is now.
    fn in_page(&self, page: &str) -> Result<String, String> {
        let text = (self.text)()?;
        if let Extent::Page = self.extent {
            return Ok(text);
        }
        let begin = format!("<!-- written by `cargo xtask generate {}` -->\n", self.name);
        let end = format!("<!-- end of {} -->\n", self.name);
        let parts = page.split_once(&begin).and_then(|(before, rest)| {
            let (_, after) = rest.split_once(&end)?;
            Some((before, after))
        });
        let (before, after) = parts.ok_or_else(|| {
            format!("{} has no place for {}, expected {begin}and {end}", self.page, self.name)
        })?;
        Ok(format!("{before}{begin}{text}{end}{after}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The others take a build, or longer than a test may.
    #[test]
    fn quick_parts_are_as_the_code_says() {
        let parts = ["errors", "formats", "layouts", "truncation"].map(str::to_owned).to_vec();
        assert_eq!(run(&Options { check: true, parts }), Ok(()));
    }
}
