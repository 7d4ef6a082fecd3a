//! `cargo xtask recipes`: runs what `recipes/` shows, with the real packages, and compares what it
//! prints.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use clap::{Args, ValueEnum};

use crate::python;
use xtask::steps::Steps;
use xtask::tools::{Outcome, programs, root, run_in};

/// What the numbers of Spark are written into.
const PAGE: &str = "docs/recipes.md";

#[derive(Args)]
pub(crate) struct Options {
    /// Write what the recipes print into `recipes/tests/expected` instead of comparing it.
    #[arg(long)]
    bless: bool,
    /// Run one part: Spark needs Java, and the others don't.
    #[arg(long, value_name = "PART")]
    only: Option<Part>,
    /// How many documents Spark works on.
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    documents: u32,
    /// Measure Spark on so many documents as well, and write the table into the documentation.
    #[arg(long)]
    measure: bool,
    /// The interpreter (default: the first of `python3`, `python` that is new enough).
    #[arg(long, value_name = "PROGRAM")]
    interpreter: Option<String>,
}

/// What can be run by itself.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// MCP, `LangChain`, the SDKs, the page.
    Tools,
    /// Spark, and the same on Polars.
    Spark,
}

impl Options {
    /// All of it, on any machine that has Python.
    pub(crate) fn for_ci() -> Self {
        Options { bless: false, only: None, documents: 2_000, measure: false, interpreter: None }
    }
}

pub(crate) fn run(options: &Options) -> Outcome {
    let interpreter = python::interpreter(options.interpreter.as_deref())?;
    let recipes = root().join("recipes");
    let made = root().join("target/recipes");
    let mut steps = Steps::default();
    let python = steps.run("the wheels, and the packages of the recipes", || {
        let wheels = python::wheels(&interpreter)?;
        let requirements = recipes.join("requirements.txt");
        python::with_wheels(&made.join("environment"), &interpreter, &requirements, &wheels)
    })?;
    if options.only != Some(Part::Spark) {
        steps.run("recipes", || {
            let bless: &[&str] = if options.bless { &["--bless"] } else { &[] };
            let tests = ["recipes", "evaluation", "questions", "recount", "toon_benchmark", "bill"];
            let tests = tests.map(|name| format!("tests/test_{name}.py"));
            let tests: Vec<&str> = tests.iter().map(String::as_str).collect();
            let proxy = programs()?.join("wire-proxy");
            let proxy = proxy.to_string_lossy();
            let pytest = ["-m", "pytest", "-q"];
            let arguments = [&pytest[..], &tests[..], bless].concat();
            run_in(&recipes, &python, &arguments, &[("WIRE_PROXY", &proxy)])
        })?;
    }
    if options.only != Some(Part::Tools) {
        spark(options, &mut steps, &recipes, &made, &python)?;
    }
    steps.finish();
    Ok(())
}

fn spark(
    options: &Options,
    steps: &mut Steps,
    recipes: &Path,
    made: &Path,
    python: &str,
) -> Outcome {
    let java = steps.run("Java for Spark", || {
        home_of_java(python, &recipes.join("spark/java.py"), &made.join("java"))
    })?;
    println!("{java}");
    let documents = options.documents.to_string();
    let environment = [("JAVA_HOME", &*java)];
    steps.run("Spark and Polars", || {
        // pytest keeps the files of its last runs, which are large here.
        let scratch = made.join("run");
        let scratch = format!("--basetemp={}", scratch.to_string_lossy());
        let tests = ["-m", "pytest", "-q", "tests/test_spark.py", "--documents", &documents];
        let outcome = run_in(recipes, python, &[&tests[..], &[&scratch]].concat(), &environment);
        let _ = fs::remove_dir_all(made.join("run"));
        outcome
    })?;
    if options.measure {
        steps.run("time of a document", || {
            let page = root().join(PAGE);
            let page = page.to_string_lossy();
            let measure = ["spark/measure.py", "--documents", &documents, "--page", &page];
            run_in(recipes, python, &measure, &environment)
        })?;
    }
    Ok(())
}

/// Where Java is; one is unpacked where there is none.
fn home_of_java(python: &str, script: &Path, folder: &Path) -> Result<String, String> {
    let mut command = Command::new(python);
    command.arg(script).arg(folder).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| format!("`{python}` can't be run: {error}"))?;
    if !output.status.success() {
        return Err("Spark needs Java, as said above; --only tools runs the others".to_owned());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
