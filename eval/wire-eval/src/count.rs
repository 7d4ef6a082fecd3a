//! `wire-eval count`: exact counts of texts from a provider, written to a file that `wirefmt` reads
//! with `--counts`.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use clap::{Args, ValueHint};
use wire_tokens::{Counter, Counts};

use crate::args::counter::counter;
use crate::arm;
use crate::backend::anthropic::{Anthropic, KEY};
use crate::backend::reply::Problem;
use crate::dataset::of_file;
use crate::failure::{Failure, print, read, say, write};

/// What to count.
#[derive(Clone, Debug, Args)]
pub(crate) struct CountOptions {
    /// Files to count: a payload, query response or rows in every format; any other file as it is.
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,

    /// The file of counts, created if missing. Texts that it already contains are not counted
    /// again.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    counts: PathBuf,

    /// The estimating counter that these counts replace, by its `wirefmt` name.
    #[arg(long, value_name = "COUNTER", default_value_t = Counter::ClaudeOpus47, value_parser = counter())]
    counter: Counter,

    /// The provider's name of the model that the counter estimates.
    #[arg(long, value_name = "MODEL", default_value = "claude-opus-4-7")]
    model: String,

    /// Base URL of the provider [default: Anthropic's own]. The key is read from
    /// `ANTHROPIC_API_KEY`.
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
}

/// A text to count.
struct Text {
    file: String,
    /// The format that it is in; of a file that is counted as it is, `as it is`.
    format: String,
    content: String,
}

const TIMEOUT: Duration = Duration::from_secs(60);
const AS_IT_IS: &str = "as it is";
/// How often a text is tried, and the longest wait before that.
const ATTEMPTS: u32 = 4;
const LONGEST_WAIT: Duration = Duration::from_secs(60);

pub(crate) fn run(options: &CountOptions) -> Result<(), Failure> {
    if !options.counter.is_of_private_vocabulary() {
        return Err(Failure::Usage(format!(
            "{} is exact already, expected a counter that estimates",
            options.counter
        )));
    }
    let texts = texts(&options.files)?;
    let mut counts =
        if options.counts.exists() { counts(&options.counts)? } else { Counts::default() };
    let unknown: Vec<&Text> = texts
        .iter()
        .filter(|text| counts.exact(options.counter, &text.content).is_none())
        .collect();
    let mut counted = 0;
    if !unknown.is_empty() {
        let provider = Anthropic::new(options.base_url.as_deref(), options.model.clone(), TIMEOUT)?;
        let outcome = exact(&provider, &unknown, |text, count| {
            counts.insert(options.counter, text, count);
            counted += 1;
        });
        // The counts before a failure are as good as any.
        if counted > 0 {
            write(&options.counts, &counts.to_json())?;
        }
        if let Some(why) = outcome {
            let left = unknown.len() - counted;
            say(
                "warning",
                &format!("{left} of {} texts are estimated, marked ≈: {why}", texts.len()),
            );
        }
    }
    let mut lines = String::new();
    for Text { file, format, content } in &texts {
        let tokens = counts.tokens(options.counter, content);
        lines += &format!("{:>10}  {format:<12} {file}\n", tokens.to_string());
    }
    print(&lines)
}

/// The counts of a file.
pub(crate) fn counts(path: &Path) -> Result<Counts, Failure> {
    Counts::from_json(read(path)?.as_bytes()).map_err(|error| Failure::Data {
        file: path.display().to_string(),
        message: error.to_string(),
    })
}

/// The texts of the files.
fn texts(files: &[PathBuf]) -> Result<Vec<Text>, Failure> {
    let mut texts = Vec::new();
    for path in files {
        let (file, text) = (path.display().to_string(), read(path)?);
        let mut is_among = false;
        if let Some(named) = of_file(path, &text) {
            for arm in arm::of_family(named.dataset.family()) {
                match arm.text(&named.dataset) {
                    Ok(Some(encoded)) => {
                        is_among |= encoded == text;
                        texts.push(Text { file: file.clone(), format: arm.name, content: encoded });
                    }
                    Ok(None) => {}
                    Err(failure) => say("warning", &format!("{file} is left out of {failure}")),
                }
            }
        }
        if !is_among {
            texts.push(Text { file, format: AS_IT_IS.to_owned(), content: text });
        }
    }
    Ok(texts)
}

/// Counts texts, and returns the error of the first one that can't be counted.
///
/// The endpoint counts prompts, not texts. Its overhead for each prompt is its count for one
/// letter, minus one. Three letters must give the same overhead; otherwise it is not known.
fn exact(
    provider: &Anthropic,
    texts: &[&Text],
    mut count: impl FnMut(&str, usize),
) -> Option<String> {
    if !provider.has_key() {
        return Some(format!("the environment has no {KEY}"));
    }
    let [first, second, third] = match ["a", "b", "c"].map(|letter| tokens(provider, letter)) {
        [Ok(first), Ok(second), Ok(third)] => [first, second, third],
        [first, second, third] => {
            let problem = [first, second, third].into_iter().find_map(Result::err);
            return problem.map(|problem| problem.message().to_owned());
        }
    };
    if first == 0 || first != second || first != third {
        return Some(format!(
            "one letter is a prompt of {first}, {second} or {third} tokens, so that what is added to a text is not known"
        ));
    }
    let mut why = None;
    for text in texts {
        let counted = match tokens(provider, &text.content) {
            Ok(sum) => {
                let own = sum.checked_sub(first - 1).and_then(|own| usize::try_from(own).ok());
                own.ok_or_else(|| format!("a text has {sum} tokens, fewer than one letter"))
            }
            // This text only, as one that is too long.
            Err(problem @ Problem::Refused(_)) => Err(problem.message().to_owned()),
            Err(problem) => return Some(problem.message().to_owned()),
        };
        match counted {
            Ok(own) => count(&text.content, own),
            Err(message) => {
                why.get_or_insert(message);
            }
        }
    }
    why
}

/// The tokens of a prompt; what passes is tried again.
fn tokens(provider: &Anthropic, text: &str) -> Result<u64, Problem> {
    let mut wait = Duration::from_millis(500);
    for _ in 1..ATTEMPTS {
        match provider.count(text) {
            Err(Problem::Passing { after, .. }) => {
                thread::sleep(after.unwrap_or(wait).min(LONGEST_WAIT));
                wait *= 2;
            }
            outcome => return outcome,
        }
    }
    provider.count(text)
}
