//! `cargo xtask hostile`: what decoders cost on input that is made to hurt, counted and not timed.
//!
//! Every door reads every shape of its format at several lengths. The memory in use for a byte of input has a bound, and a
//! shape four times as long may take four times the allocations; `--instructions` asks the same of the instructions.

mod doors;
mod shapes;

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use allocation_counter::measure;
use clap::Args;

use crate::tools::{Outcome, root, run_in};
use doors::{CONSTANT, DOORS, Door};
use shapes::{SHAPES, Shape};

#[derive(Args)]
pub(crate) struct Options {
    /// Only doors whose names hold this.
    #[arg(long)]
    door: Option<String>,
    /// Count instructions, too; takes valgrind and some minutes.
    #[arg(long)]
    instructions: bool,
    /// Write the table into the documentation.
    #[arg(long, conflicts_with = "door")]
    write: bool,
    /// Read one shape of so many bytes through one door: what is counted.
    #[arg(long, num_args = 3, value_names = ["DOOR", "SHAPE", "BYTES"], hide = true)]
    read: Option<Vec<String>>,
}

impl Options {
    pub(crate) fn for_ci() -> Self {
        Options { door: None, instructions: false, write: false, read: None }
    }
}

/// About how long a small input is. A long one has four times as much, where the growth of a vector shows.
const SMALL: usize = 10_000;
const TIMES: usize = 4;
/// Lengths between a long input and one of twice its length: a list that doubles takes most just behind a power of
/// two, wherever that is.
const STEPS: usize = 8;
/// Inputs for which more bytes than this are allocated are read at one length.
const MOST_FOR_STEPS: u64 = 16 << 20;
/// What a long input may take more than four times of, since vectors grow by steps.
const MOST_GROWTH: f64 = 1.6;
/// What rows may repeat by default, and twice, where a vector grows.
const MOST_REPEATED: u64 = 128 << 20;
const DOCUMENT: &str = "docs/limits.md";
const BEGIN: &str = "<!-- written by `cargo xtask hostile --write` -->\n";
const END: &str = "<!-- end of the table -->\n";

/// What reading an input takes.
#[derive(Clone, Copy)]
struct Cost {
    bytes: usize,
    /// Bytes of all allocations.
    allocated: u64,
    /// The most bytes in use at once.
    peak: u64,
}

impl Cost {
    /// The most bytes in use at once for a byte of the input.
    fn for_a_byte(&self) -> f64 {
        ratio(self.peak, self.bytes as u64)
    }
}

fn cost(door: &Door, shape: &Shape, bytes: usize) -> Cost {
    let input = (shape.make)(bytes);
    let counted = measure(|| {
        (door.open)(&input);
    });
    Cost { bytes: input.len(), allocated: counted.bytes_total, peak: counted.bytes_max }
}

/// A ratio of counts.
#[allow(clippy::cast_precision_loss)] // shown with two digits
fn ratio(one: u64, other: u64) -> f64 {
    one as f64 / other.max(1) as f64
}

pub(crate) fn run(options: &Options) -> Outcome {
    if let Some([door, shape, bytes]) = options.read.as_deref() {
        return read(door, shape, bytes);
    }
    let doors: Vec<&Door> = DOORS
        .iter()
        .filter(|door| options.door.as_ref().is_none_or(|name| door.name.contains(name.as_str())))
        .collect();
    if doors.is_empty() {
        let known: Vec<_> = DOORS.iter().map(|door| door.name).collect();
        return Err(format!(
            "there is no such door, expected a part of one of: {}",
            known.join(", ")
        ));
    }
    let mut table = String::from(
        "| door | bytes in use for a byte of input, at most | because | the input that came nearest | its bytes in use |\n|---|---|---|---|---|\n",
    );
    let mut wrong = Vec::new();
    for door in &doors {
        let mut nearest: (f64, &str) = (0.0, "–");
        for shape in door.shapes() {
            // A first run may set up what later ones use.
            (door.open)(&(shape.make)(SMALL));
            let small = cost(door, shape, SMALL);
            let long = cost(door, shape, TIMES * SMALL);
            // What is repeated up to a limit takes a while, and that limit is its bound.
            let steps = if long.allocated > MOST_FOR_STEPS { 1 } else { STEPS };
            let mut most = long;
            for step in 1..steps {
                let other = cost(door, shape, TIMES * SMALL * (STEPS + step) / STEPS);
                if other.for_a_byte() > most.for_a_byte() {
                    most = other;
                }
            }
            let allowed = door.bound * most.bytes as u64 + door.constant;
            if most.peak > allowed {
                wrong.push(format!(
                    "{}: {}: {} bytes in use for {} bytes, expected at most {allowed}",
                    door.name, shape.name, most.peak, most.bytes
                ));
            }
            if most.for_a_byte() > nearest.0 {
                nearest = (most.for_a_byte(), shape.name);
            }
            let growth = ratio(long.allocated, small.allocated)
                / ratio(long.bytes as u64, small.bytes as u64);
            // Below the constant it does not matter what the allocations consist of.
            let allowed = if door.repeats { MOST_REPEATED } else { CONSTANT };
            if growth > MOST_GROWTH && long.allocated > allowed {
                wrong.push(format!(
                    "{}: {}: {growth:.1} times the allocations for a byte of {} as for a byte of {}",
                    door.name, shape.name, long.bytes, small.bytes
                ));
            }
        }
        println!("{:52} {:8.2} of {:4}  {}", door.name, nearest.0, door.bound, nearest.1);
        let beside = match door.constant {
            CONSTANT => String::new(),
            other => format!(", and {} MiB", other >> 20),
        };
        let _ = writeln!(
            table,
            "| {} | {}{beside} | {} | {} | {:.1} |",
            door.name, door.bound, door.reason, nearest.1, nearest.0
        );
    }
    if options.instructions {
        wrong.extend(instructions(&doors)?);
    }
    if options.write {
        write(&table)?;
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

impl Door {
    fn shapes(&self) -> impl Iterator<Item = &'static Shape> {
        SHAPES.iter().filter(|shape| self.reads.contains(&shape.format))
    }
}

fn write(table: &str) -> Outcome {
    let path = root().join(DOCUMENT);
    let text = fs::read_to_string(&path).map_err(|error| format!("{DOCUMENT}: {error}"))?;
    let (before, rest) = text.split_once(BEGIN).ok_or("the table has no place")?;
    let (_, after) = rest.split_once(END).ok_or("the table has no end")?;
    fs::write(&path, format!("{before}{BEGIN}{table}{END}{after}"))
        .map_err(|error| format!("{DOCUMENT}: {error}"))
}

/// What takes more instructions for a byte of a long input than it may, as callgrind counts them.
fn instructions(doors: &[&Door]) -> Result<Vec<String>, String> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("skipped: instructions, since valgrind is not installed");
        return Ok(Vec::new());
    }
    run_in(&root(), "cargo", &["build", "--release", "--quiet", "--locked", "-p", "xtask"], &[])?;
    let built = env::current_exe().map_err(|error| error.to_string())?;
    let target = built.parent().and_then(|profile| profile.parent()).ok_or("no target folder")?;
    let program = target.join("release/xtask");
    let count = |door: &Door, shape: &Shape, bytes: usize| -> Result<f64, String> {
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg("--toggle-collect=xtask::hostile::counted*")
            .arg(&program)
            .args(["hostile", "--read", door.name, shape.name, &bytes.to_string()])
            .output()
            .map_err(|error| format!("`valgrind` can't be run: {error}"))?;
        let text = String::from_utf8_lossy(&output.stderr);
        text.lines()
            .find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok())
            .ok_or_else(|| format!("callgrind counted nothing of {}:\n{text}", shape.name))
    };
    let mut wrong = Vec::new();
    for door in doors {
        let mut worst: (f64, &str) = (0.0, "–");
        for shape in door.shapes() {
            let (small, long) = (count(door, shape, SMALL)?, count(door, shape, TIMES * SMALL)?);
            let lengths =
                ratio((shape.make)(TIMES * SMALL).len() as u64, (shape.make)(SMALL).len() as u64);
            // What any input takes says nothing of the long ones.
            let growth = (long / small) / lengths;
            if growth > worst.0 {
                worst = (growth, shape.name);
            }
            let allowed = if door.repeats { 3e9 } else { 1e6 };
            if growth > MOST_GROWTH && long > allowed {
                wrong.push(format!(
                    "{}: {}: {growth:.1} times the instructions for a byte, {small} and {long}",
                    door.name, shape.name
                ));
            }
        }
        println!("{:52} {:8.2} times the instructions  {}", door.name, worst.0, worst.1);
    }
    Ok(wrong)
}

/// What callgrind looks at.
#[inline(never)]
fn counted(door: &Door, input: &[u8]) -> bool {
    (door.open)(input)
}

fn read(door: &str, shape: &str, bytes: &str) -> Outcome {
    let door = DOORS.iter().find(|known| known.name == door).ok_or("there is no such door")?;
    let shape = SHAPES.iter().find(|known| known.name == shape).ok_or("there is no such shape")?;
    let bytes = bytes.parse().map_err(|error| format!("{bytes}: {error}"))?;
    println!("{}", counted(door, &(shape.make)(bytes)));
    Ok(())
}
