//! `cargo xtask conformance`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use clap::{Args, ValueEnum};
use wire_conformance::{Case, Corpus, Coverage, Subject, fixtures_dir, run_cases, upstream};

use crate::goon_versions;
use xtask::tools::Outcome;

// The crates' own glue, so that a case runs here as it runs in their tests.
#[path = "../../crates/wire-mcp/tests/testsuite/subject/mod.rs"]
mod choice_subject;
#[path = "../../crates/gcb/tests/testsuite/subject/mod.rs"]
mod gcb_subject;
#[path = "../../crates/gcf/tests/testsuite/subject/mod.rs"]
mod gcf_subject;
#[path = "../../crates/gcx/tests/testsuite/subject/mod.rs"]
mod gcx_subject;
#[path = "../../crates/goon/tests/testsuite/subject/mod.rs"]
mod goon_subject;
#[path = "../../crates/wire-registry/tests/testsuite/subject/mod.rs"]
mod registry_subjects;

#[derive(Args, Default)]
pub(crate) struct Options {
    /// Only the cases of this format.
    #[arg(long)]
    format: Option<String>,
    /// Only the cases whose id (`path#name`) contains this.
    #[arg(long)]
    filter: Option<String>,
    /// Another folder of cases, in our schema or in that of the GCF specification.
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Print the table of rules and error codes with their cases.
    #[arg(long)]
    coverage: bool,
    /// Write the manifest from what is there.
    #[arg(long)]
    bless: bool,
    /// Check instead that no text of GOON changes under the version that it states, or record the
    /// texts as those of this release.
    #[arg(long, num_args = 0..=1, default_missing_value = "check", value_name = "WHAT")]
    goon_versions: Option<GoonVersions>,
}

#[derive(Clone, Copy, ValueEnum)]
enum GoonVersions {
    Check,
    Record,
}

fn subjects() -> Vec<Box<dyn Subject>> {
    vec![
        Box::new(gcf_subject::Gcf),
        Box::new(gcb_subject::Gcb),
        Box::new(gcx_subject::Gcx),
        Box::new(goon_subject::Goon),
        Box::new(registry_subjects::JsonSubject),
        Box::new(registry_subjects::XmlSubject),
        Box::new(registry_subjects::MarkdownSubject),
        Box::new(choice_subject::Choice),
    ]
}

pub(crate) fn run(options: &Options) -> Outcome {
    match options.goon_versions {
        Some(GoonVersions::Check) => return goon_versions::check(),
        Some(GoonVersions::Record) => return goon_versions::record(),
        None => {}
    }
    let subjects = subjects();
    if let Some(format) = &options.format
        && !subjects.iter().any(|subject| subject.format() == format)
    {
        let known: Vec<_> = subjects.iter().map(|subject| subject.format()).collect();
        bail!("there is no format {format:?}, expected one of: {}", known.join(", "));
    }
    if options.bless {
        let count = Corpus::bless(&fixtures_dir())?;
        println!("fixtures/manifest.json: {count} cases");
    }
    match &options.corpus {
        Some(folder) if !is_ours(folder) => run_upstream(folder, &subjects, options),
        Some(folder) => run_ours(&Corpus::load_foreign(folder)?, &subjects, options),
        None => run_ours(&Corpus::load(&fixtures_dir())?, &subjects, options),
    }
}

const NONE: &str = "no case was run; correct --format or --filter";

/// Our corpora have a folder a format, that of the specification one an operation.
fn is_ours(folder: &Path) -> bool {
    subjects().iter().any(|subject| folder.join(subject.format()).is_dir())
}

fn wanted(options: &Options, case: &Case) -> bool {
    options.format.as_ref().is_none_or(|format| *format == case.format)
        && options.filter.as_ref().is_none_or(|part| case.id.contains(part))
}

fn run_ours(corpus: &Corpus, subjects: &[Box<dyn Subject>], options: &Options) -> Outcome {
    let (mut passed, mut failed) = (0, 0);
    println!("{:<8} {:>7} {:>7}", "format", "passed", "failed");
    let mut failures = String::new();
    for subject in subjects {
        let cases: Vec<&Case> =
            corpus.cases_of(subject.format()).filter(|case| wanted(options, case)).collect();
        let results = run_cases(&**subject, &cases);
        println!("{:<8} {:>7} {:>7}", subject.format(), results.passed, results.failed.len());
        failures += &results.failures();
        passed += results.passed;
        failed += results.failed.len();
    }
    print!("{failures}");
    let known = |case: &&Case| subjects.iter().any(|subject| subject.format() == case.format);
    let skipped: Vec<&Case> =
        corpus.cases().iter().filter(|case| wanted(options, case) && !known(case)).collect();
    for case in &skipped {
        println!("skipped {}: there is no crate for {}", case.id, case.format);
    }
    if options.coverage {
        coverage(corpus, subjects, options)?;
    }
    println!("{passed} passed, {failed} failed, {} skipped", skipped.len());
    ensure!(passed + failed > 0, NONE);
    ensure!(
        failed == 0,
        "{failed} cases failed; look at one with `cargo xtask conformance --filter ID`"
    );
    Ok(())
}

fn coverage(corpus: &Corpus, subjects: &[Box<dyn Subject>], options: &Options) -> Outcome {
    let mut gaps = Vec::new();
    for subject in subjects {
        if options.format.as_ref().is_some_and(|format| format != subject.format()) {
            continue;
        }
        let coverage = Coverage::of(corpus, &**subject)?;
        println!("\n{}", coverage.table());
        gaps.extend(coverage.gaps());
    }
    ensure!(
        gaps.is_empty(),
        "cases are missing; add them to fixtures/ and run `cargo xtask conformance --bless`:\n  {}",
        gaps.join("\n  ")
    );
    Ok(())
}

fn run_upstream(folder: &Path, subjects: &[Box<dyn Subject>], options: &Options) -> Outcome {
    let name = folder.canonicalize().with_context(|| folder.display().to_string())?;
    let name = name.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let path = fixtures_dir().join(format!("upstream/gcf-spec-{name}.json"));
    let list = || format!("{} lists which cases do not apply, and why", path.display());
    let exceptions = serde_json::from_slice(&fs::read(&path).with_context(list)?)?;
    let upstream = upstream::load(folder, &exceptions)?;
    let subject = subjects
        .iter()
        .find(|subject| subject.format() == "gcf")
        .expect("because the specification's cases are about gcf");

    let cases: Vec<&Case> = upstream.cases.iter().filter(|case| wanted(options, case)).collect();
    ensure!(!cases.is_empty(), NONE);
    let results = run_cases(&**subject, &cases);
    print!("{}", results.failures());
    let mut stale = Vec::new();
    let mut skipped = 0;
    for (case, why) in &upstream.excepted {
        if run_cases(&**subject, &[case]).failed.is_empty() {
            stale.push(case.id.clone());
        } else {
            println!("skipped {}: {why}", case.id);
            skipped += 1;
        }
    }
    for (name, why) in &upstream.skipped {
        println!("skipped {name}: {why}");
        skipped += 1;
    }
    println!("{} passed, {} failed, {skipped} skipped", results.passed, results.failed.len());
    let (failed, stale) = (results.failed.len(), stale.join(", "));
    ensure!(stale.is_empty(), "these cases pass, so strike them from {}: {stale}", path.display());
    ensure!(failed == 0, "{failed} cases of {} failed", folder.display());
    Ok(())
}
