//! `wire-eval verify`: whether published runs are what their logs say.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueHint};

use crate::failure::{Failure, print, read};
use crate::given;
use crate::log::{Call, Log, Outcome};
use crate::prompt;
use crate::question::Truth;
use crate::report::{BASELINE, Report};
use crate::run::prompt::Judge;

/// What to check.
#[derive(Clone, Debug, Args)]
pub(crate) struct VerifyOptions {
    /// Folders that `wire-eval report --publish` wrote, or a folder of such folders.
    #[arg(required = true, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    folders: Vec<PathBuf>,
}

pub(crate) fn run(options: &VerifyOptions) -> Result<(), Failure> {
    let mut runs = Vec::new();
    for folder in &options.folders {
        let all = files(folder)?;
        if logs(&all).is_empty() {
            runs.extend(all.into_iter().filter(|path| path.is_dir()));
        } else {
            runs.push(folder.clone());
        }
    }
    if runs.is_empty() {
        return Err(Failure::Usage(
            "there is no run in it, expected a folder that `wire-eval report --publish` wrote"
                .to_owned(),
        ));
    }
    let mut lines = String::new();
    for folder in &runs {
        lines += &checked(folder)?;
    }
    print(&lines)
}

/// The files and folders in a folder, sorted.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |source| Failure::Input { file: folder.display().to_string(), source };
    let entries = fs::read_dir(folder).map_err(failed)?;
    let mut files = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(failed)?;
    files.sort();
    Ok(files)
}

fn logs(files: &[PathBuf]) -> Vec<&PathBuf> {
    files
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect()
}

/// Checks a run, and returns a description of what was checked.
fn checked(folder: &Path) -> Result<String, Failure> {
    let all = files(folder)?;
    let paths = logs(&all);
    if paths.is_empty() {
        return Err(Failure::Data {
            file: folder.display().to_string(),
            message: "it has no log, expected run-01.jsonl".to_owned(),
        });
    }
    let mut lines = String::new();
    let mut logs = Vec::new();
    for path in paths {
        let log = Log::read(path)?;
        let judged = judge_again(&log)
            .map_err(|message| Failure::Data { file: path.display().to_string(), message })?;
        lines += &format!(
            "{}: {} calls, {judged} scores computed again\n",
            path.display(),
            log.calls.len()
        );
        logs.push(log);
    }
    for (name, text) in Report::new(&logs, BASELINE).files() {
        let path = folder.join(name);
        if read(&path)? != text {
            return Err(Failure::Data {
                file: path.display().to_string(),
                message:
                    "it is not what the log says; `wire-eval report LOG --publish FOLDER` writes it"
                        .to_owned(),
            });
        }
    }
    Ok(lines)
}

/// Judges every answer of a log again by its prompts, and returns the number of answers.
fn judge_again(log: &Log) -> Result<usize, String> {
    let (made, planned) = (log.calls.len(), log.run.calls);
    if planned > 0 && made != planned {
        return Err(format!(
            "it has {made} calls, expected {planned}; --resume makes those that are missing"
        ));
    }
    // True answers come from the baseline's text if possible, because other formats may have
    // dropped the data.
    let mut judges: BTreeMap<(&str, &str, usize), Judge> = BTreeMap::new();
    let mut repeats = BTreeMap::<_, BTreeSet<u32>>::new();
    let is_baseline = |call: &&Call| call.key.arm == BASELINE;
    let (first, rest): (Vec<&Call>, Vec<&Call>) = log.calls.iter().partition(is_baseline);
    for call in first.into_iter().chain(rest) {
        let key = &call.key;
        let prompt = log
            .prompts
            .get(&call.prompt_sha256)
            .ok_or_else(|| format!("{} has no prompt", name(call)))?;
        let place = (key.dataset.as_str(), key.question.as_str(), key.number);
        if !judges.contains_key(&place)
            && let Some(judge) = match &call.given {
                Some(answer) => given::judge_of(prompt, answer),
                None => judge(prompt),
            }
        {
            judges.insert(place, judge);
        }
        repeats.entry((&key.arm, place)).or_default().insert(key.repeat);
    }
    if let Some(((arm, place), _)) =
        repeats.iter().find(|(_, repeats)| !repeats.iter().copied().eq(1..=log.run.repeats))
    {
        return Err(format!(
            "{} of {arm} was not asked {} times; --resume goes on",
            place.1, log.run.repeats
        ));
    }
    let mut count = 0;
    for call in &log.calls {
        let Outcome::Answered { answer, score, likelihood, .. } = &call.outcome else { continue };
        let place = (call.key.dataset.as_str(), call.key.question.as_str(), call.key.number);
        let judge = judges.get(&place).ok_or_else(|| {
            format!("{}: no arm has a text of the data that can be read, expected {BASELINE} among the arms", name(call))
        })?;
        if judge.score(answer) != *score {
            return Err(format!("{}: the score is not that of the answer", name(call)));
        }
        let is_given = |given| Truth::given(given).as_ref() == Ok(&judge.truth);
        if Some(judge.truth.answer()) != call.expected || !call.given.iter().all(is_given) {
            return Err(format!("{}: the expected answer is not what the data says", name(call)));
        }
        let said: String = likelihood.iter().map(|token| &*token.text).collect();
        let is_right = call.expected.as_deref() == Some(said.trim_start());
        // Part of a character is no text.
        if !(likelihood.is_empty() || is_right || said.contains('\u{fffd}')) {
            return Err(format!("{}: the likelihood is not of the right answer", name(call)));
        }
        count += 1;
    }
    Ok(count)
}

/// The judge of answers to a prompt; `None` if its data can't be read.
fn judge(prompt: &crate::prompt::Sent) -> Option<Judge> {
    let (dataset, question) = prompt::parts(prompt)?;
    let truth = question.truth(&dataset)?;
    Some(Judge { truth, context: Arc::new(question.context(&dataset)) })
}

fn name(call: &Call) -> String {
    let key = &call.key;
    format!(
        "{} of {} in {}, number {}, repeat {}",
        key.question, key.dataset, key.arm, key.number, key.repeat
    )
}
