//! `cargo xtask generate`: the parts of the documentation that are made from the code. Each is
//! written wherever a page has its place: between `<!-- written by `cargo xtask generate NAME` -->`
//! and `<!-- end of NAME -->`.

use std::fs;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use similar::TextDiff;

use crate::figures;
use crate::{clients, layouts};
use xtask::tools::{Outcome, between, git, root, scorecards};

#[derive(Args)]
pub(crate) struct Options {
    /// Write nothing; fail where a part is not what would be written.
    #[arg(long)]
    check: bool,
}

/// The name of a part, and what makes it. Pages of `docs/` link to files by an address.
type Part = (&'static str, fn(page: &str) -> Result<String>);

const PARTS: [Part; 7] = [
    ("clients", |_| Ok(clients::table())),
    ("example", figures::example),
    ("formats", |_| figures::formats()),
    ("kinds", |_| scorecards(&["--part", "kinds"])),
    ("layouts", |_| Ok(layouts::table())),
    ("proxy", |page| if page == "README.md" { figures::proxy() } else { figures::proxy_page() }),
    ("real", |_| scorecards(&["--part", "real"])),
];

/// Writes the parts into their pages, or checks that they are there.
pub(crate) fn run(options: &Options) -> Outcome {
    let root = root();
    let pages = git(&["ls-files", "*.md"]).context("`git ls-files` failed")?;
    let mut stale = String::new();
    for page in pages.lines() {
        let path = root.join(page);
        // One that was removed, and not committed, is listed.
        let Ok(there) = fs::read_to_string(&path) else { continue };
        for (name, make) in PARTS {
            let begin = format!("<!-- written by `cargo xtask generate {name}` -->\n");
            if !there.contains(&begin) {
                continue;
            }
            let text = make(page).with_context(|| name.to_owned())?;
            let page_now = fs::read_to_string(&path)?;
            let written = between(&page_now, &begin, &format!("<!-- end of {name} -->\n"), &text)
                .with_context(|| page.to_owned())?;
            if page_now == written {
                println!("{name}: {page} is as the code says");
            } else if options.check {
                let diff = TextDiff::from_lines(&page_now, &written);
                stale += &diff.unified_diff().context_radius(0).header(page, page).to_string();
            } else {
                fs::write(&path, written)?;
                println!("{name}: {page} is written");
            }
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    bail!(
        "what is made from the code is stale; run `cargo xtask generate` and look at what changes:\n{stale}"
    )
}
