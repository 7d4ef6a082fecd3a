//! JSON text straight to a format's text and back, beside `serde_json` by way of a `Value`. Each is
//! measured in a process of its own, because freeing a tree is charged to whoever runs next.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use wire_tokens::measure::median;
use xshell::{Shell, cmd};
use xtask::tools::{Outcome, target};

use super::bars::Bar;
use super::options::Options;
use super::programs::{example, numbers};
use super::report::Report;

const PEER: &str = "serde_json";
/// The example that makes the documents and does the work.
pub(super) const EXAMPLE: &str = "straight";
/// The most memory that work with a bar for it may take beside its input, as a multiple of the JSON
/// text.
const MEMORY: f64 = 1.9;

/// A piece of work, as it is called here and by the example, the ending of the file that it reads,
/// and the bars of its time by the shape of the document.
type Work = (&'static str, &'static str, &'static str, &'static [(&'static str, f64)]);

const TO_GCF: &str = "to-gcf";
const WORKS: [Work; 3] = [
    (
        "JSON text to GCF generic",
        TO_GCF,
        "",
        &[("orders", 0.3), ("table", 0.3), ("logs", 0.3), ("issues", 0.3), ("keyed", 0.7)],
    ),
    (
        "GCF generic to JSON text",
        "from-gcf",
        ".gcf",
        &[("orders", 0.45), ("table", 0.45), ("logs", 0.45), ("issues", 0.45), ("keyed", 0.6)],
    ),
    ("JSON text to GCX rows", "to-gcx", "", &[("orders", 0.42), ("table", 0.42), ("issues", 0.42)]),
];

/// Adds the rows whose work has the filter in its name.
pub(super) fn add(report: &mut Report, sh: &Shell, options: &Options) -> Outcome {
    let program = example(sh, EXAMPLE)?;
    for (work, name, ending, bars) in WORKS {
        if !work.contains(&options.filter) {
            continue;
        }
        for (shape, bar) in bars {
            println!("{work}, {shape}");
            let json = document(sh, &program, shape, options.megabytes)?;
            let input = PathBuf::from(format!("{}{ending}", json.display()));
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            let (mut ratios, mut memory, mut peer_memory) = (Vec::new(), Vec::new(), Vec::new());
            for _ in 0..options.rounds {
                let [peer, used_by_peer, size] = measure(sh, &program, PEER, &json)?;
                let [our, used, _] = measure(sh, &program, name, &input)?;
                ratios.push(our / peer);
                memory.push(used / size);
                peer_memory.push(used_by_peer / size);
                ours.push(our);
                theirs.push(peer);
            }
            let milliseconds = |times| format!("{:.0} ms", median(times) / 1e6);
            let peer = format!("`{PEER}` to `Value` and back {}", milliseconds(theirs));
            let (title, bar) = (format!("{work}, {shape}"), Bar::Time(*bar));
            report.add(&title, &milliseconds(ours), &peer, median(ratios), bar);
            if name == TO_GCF && *shape != "keyed" {
                let title = format!("… its memory, {shape}");
                let peer = format!("`{PEER}` {:.1} × the JSON", median(peer_memory));
                report.single(&title, &peer, median(memory), MEMORY, "× the JSON");
            }
        }
    }
    Ok(())
}

/// Makes a document of a shape and of so many megabytes: its file, beside which its texts are.
pub(super) fn document(sh: &Shell, program: &Path, shape: &str, size: u32) -> Result<PathBuf> {
    let json = sh.create_dir(target().join(EXAMPLE))?.join(format!("{shape}.json"));
    let megabytes = size.to_string();
    cmd!(sh, "{program} make {shape} {megabytes} {json}").quiet().run()?;
    Ok(json)
}

/// Nanoseconds, bytes of memory, and bytes of the input, by a process.
fn measure(sh: &Shell, program: &Path, work: &str, file: &Path) -> Result<[f64; 3]> {
    let file = file.display().to_string();
    match numbers(sh, program, &[work, &file])?[..] {
        [nanoseconds, memory, input] => Ok([nanoseconds, memory, input]),
        ref other => bail!("the example `{EXAMPLE}` prints three numbers, found {other:?}"),
    }
}
