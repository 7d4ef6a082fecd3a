//! `cargo xtask generate`: what the repository holds that is made from the code: parts of the
//! documentation, and the public interface of each library.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, ErrorKind};

use clap::Args;

use crate::tools::{Outcome, between, root};
use crate::{api, cli_docs, clients, damage, errors, layouts, readme, real};

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

/// Where pages of the site link to files of the repository.
const REPOSITORY: &str = "https://github.com/wire-formats/wire/blob/main/";

/// A part of the documentation, and what makes it.
struct Part {
    name: &'static str,
    make: fn() -> Result<Vec<Generated>, String>,
}

/// What a part is on one page.
struct Generated {
    page: String,
    extent: Extent,
    text: String,
}

/// How much of its page a part is.
enum Extent {
    Page,
    /// What is between `<!-- written by `cargo xtask generate NAME` -->` and
    /// `<!-- end of NAME -->`.
    Marked,
}

const PARTS: &[Part] = &[
    Part {
        name: "api",
        make: || api::snapshots()?.into_iter().map(|(page, text)| whole(&page, Ok(text))).collect(),
    },
    Part { name: "cli", make: || Ok(vec![whole("docs/cli-reference.md", cli_docs::page())?]) },
    Part { name: "clients", make: || Ok(vec![marked("docs/clients.md", Ok(clients::table()))?]) },
    Part { name: "errors", make: || Ok(vec![whole("docs/errors.md", errors::page())?]) },
    Part {
        name: "example",
        make: || {
            let pages = [("README.md", ""), ("docs/introduction.md", REPOSITORY)];
            let made = |(page, address)| marked(page, readme::figures::example(address));
            pages.into_iter().map(made).collect()
        },
    },
    Part {
        name: "savings",
        make: || Ok(vec![marked("docs/guide.md", readme::figures::savings())?]),
    },
    Part { name: "real", make: || Ok(vec![marked("README.md", readme::figures::real())?]) },
    Part {
        name: "proxy",
        make: || {
            Ok(vec![
                marked("README.md", readme::figures::proxy())?,
                marked("docs/proxy.md", readme::figures::proxy_page())?,
            ])
        },
    },
    Part { name: "formats", make: || Ok(vec![marked("README.md", readme::figures::formats())?]) },
    Part {
        name: "layouts",
        make: || Ok(vec![marked("docs/formats/gcx.md", Ok(layouts::table()))?]),
    },
    Part {
        name: "payloads",
        make: || {
            Ok(real::inputs::made()
                .into_iter()
                .map(|(page, text)| Generated { page, extent: Extent::Page, text })
                .collect())
        },
    },
    Part {
        name: "truncation",
        make: || Ok(vec![marked("docs/truncation.md", damage::truncation::table())?]),
    },
    Part { name: "damage", make: || Ok(vec![marked("docs/truncation.md", damage::table())?]) },
];

fn whole(page: &str, text: Result<String, String>) -> Result<Generated, String> {
    Ok(Generated { page: page.to_owned(), extent: Extent::Page, text: text? })
}

fn marked(page: &str, text: Result<String, String>) -> Result<Generated, String> {
    Ok(Generated { page: page.to_owned(), extent: Extent::Marked, text: text? })
}

/// Writes the parts into their pages, or checks that they are there.
pub(crate) fn run(options: &Options) -> Outcome {
    let is_wanted = |part: &&Part| {
        options.parts.is_empty() || options.parts.iter().any(|name| name == part.name)
    };
    let (mut stale, mut lines) = (Vec::new(), String::new());
    for part in PARTS.iter().filter(is_wanted) {
        let name = part.name;
        for made in (part.make)()? {
            let page = &made.page;
            let path = root().join(page);
            let failed = |error: io::Error| format!("{page}: {error}");
            let there = match fs::read_to_string(&path) {
                // A new page.
                Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
                there => there.map_err(failed)?,
            };
            let written = made.in_page(name, &there)?;
            if there == written {
                println!("{name}: {page} is as the code says");
            } else if options.check {
                if !stale.contains(&name) {
                    stale.push(name);
                }
                differences(&mut lines, page, &there, &written);
            } else {
                let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
                folder.and_then(|()| fs::write(&path, written)).map_err(failed)?;
                println!("{name}: {page} is written");
            }
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    let stale = stale.join(" ");
    Err(format!(
        "what is made from the code is stale; run `cargo xtask generate {stale}` and look at what changes:\n{lines}"
    ))
}

/// The first lines that are only in one of the two texts of a page.
fn differences(out: &mut String, page: &str, there: &str, written: &str) {
    const MOST: usize = 10;
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    let (old, new) = (lines(there), lines(written));
    let gone = old.difference(&new).map(|line| format!("- {line}"));
    let come = new.difference(&old).map(|line| format!("+ {line}"));
    let changed: Vec<String> = gone.chain(come).collect();
    let _ = writeln!(out, "{page}: {} lines", changed.len());
    for line in changed.iter().take(MOST) {
        let _ = writeln!(out, "  {line}");
    }
}

impl Generated {
    /// The page with what the part is now.
    fn in_page(&self, name: &str, page: &str) -> Result<String, String> {
        let text = &self.text;
        if let Extent::Page = self.extent {
            return Ok(text.clone());
        }
        let begin = format!("<!-- written by `cargo xtask generate {name}` -->\n");
        let end = format!("<!-- end of {name} -->\n");
        between(page, &begin, &end, text).map_err(|problem| format!("{}: {problem}", self.page))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The others take a build, or longer than a test may.
    #[test]
    fn quick_parts_are_as_the_code_says() {
        let parts = [
            "errors",
            "example",
            "formats",
            "layouts",
            "payloads",
            "proxy",
            "real",
            "savings",
            "truncation",
        ]
        .map(str::to_owned)
        .to_vec();
        assert_eq!(run(&Options { check: true, parts }), Ok(()));
    }
}
