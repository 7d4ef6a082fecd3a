//! `cargo xtask recipes`: runs what `recipes/` shows, with the real packages, and compares what it
//! prints.

use std::path::Path;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use xshell::{Shell, cmd};
use xtask::steps::Steps;
use xtask::tools::{Outcome, programs, root, shell};

use crate::python;

#[derive(Args, Default)]
pub(crate) struct Options {
    /// Write what the recipes print into `recipes/tests/expected` instead of comparing it.
    #[arg(long)]
    bless: bool,
    /// Run one part: Spark needs Java, and the others don't.
    #[arg(long, value_name = "PART")]
    only: Option<Part>,
    /// How many documents Spark works on [default: 2000].
    #[arg(long, value_name = "N")]
    documents: Option<u32>,
    /// Measure Spark on so many documents as well, and write the table into the documentation.
    #[arg(long)]
    measure: bool,
}

/// What can be run by itself.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// MCP, `LangChain`, the SDKs, the page.
    Tools,
    /// Spark, and the same on Polars.
    Spark,
}

pub(crate) fn run(options: &Options) -> Outcome {
    let sh = shell()?;
    sh.change_dir("recipes");
    let mut steps = Steps::default();
    let python = steps.run("the wheels, and the packages of the recipes", || {
        python::wheels(&sh)?;
        let folder = root().join("target/recipes/environment");
        python::with_wheels(&sh, &folder, "requirements.txt")
    })?;
    if options.only != Some(Part::Spark) {
        steps.run("recipes", || {
            let bless: &[&str] = if options.bless { &["--bless"] } else { &[] };
            let tests = ["recipes", "evaluation", "questions", "recount", "toon_benchmark", "bill"];
            let tests = tests.map(|name| format!("tests/test_{name}.py"));
            let pytest = cmd!(sh, "{python} -m pytest -q {tests...} {bless...}");
            Ok(pytest.env("WIRE_PROXY", programs()?.join("wire-proxy")).run()?)
        })?;
    }
    if options.only != Some(Part::Tools) {
        spark(options, &mut steps, &sh, &python)?;
    }
    steps.finish();
    Ok(())
}

fn spark(options: &Options, steps: &mut Steps, sh: &Shell, python: &Path) -> Outcome {
    let made = root().join("target/recipes");
    let java = steps.run("Java for Spark", || {
        let folder = made.join("java");
        let home = cmd!(sh, "{python} spark/java.py {folder}").read();
        home.context("Spark needs Java, as said above; --only tools runs the others")
    })?;
    let _java = sh.push_env("JAVA_HOME", java);
    let documents = options.documents.unwrap_or(2_000).to_string();
    steps.run("Spark and Polars", || {
        // pytest keeps the files of its last runs, which are large here.
        let scratch = made.join("run");
        let tests = ["tests/test_spark.py", "--documents", &documents];
        let outcome = cmd!(sh, "{python} -m pytest -q {tests...} --basetemp={scratch}").run();
        sh.remove_path(scratch)?;
        Ok(outcome?)
    })?;
    if options.measure {
        steps.run("time of a document", || {
            // What the numbers of Spark are written into.
            let page = root().join("docs/recipes.md");
            let measure = ["spark/measure.py", "--documents", &documents, "--page"];
            Ok(cmd!(sh, "{python} {measure...} {page}").run()?)
        })?;
    }
    Ok(())
}
