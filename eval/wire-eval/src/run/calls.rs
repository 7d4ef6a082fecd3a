//! Making the calls: several at a time, and again where they fail.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use super::options::RunOptions;
use super::prompt::Prompt;
use crate::backend::reply::{Backend, Problem, Reply};
use crate::failure::{Failure, say};
use crate::log::{Call, Key, Measure, Outcome, Token, Writer};

/// The longest wait between two calls, unless the provider asks for a longer one.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// Waits of this length are reported.
const LONG_WAIT: Duration = Duration::from_secs(30);

/// Without a terminal, progress is reported once in this time.
const MINUTE: Duration = Duration::from_secs(60);

/// The progress, if more than a minute is left at the pace so far.
fn left(done: u64, all: u64, elapsed: Duration) -> Option<String> {
    let elapsed = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
    let seconds = elapsed.saturating_mul(all.saturating_sub(done)) / done.max(1) / 1000;
    (seconds > MINUTE.as_secs())
        .then(|| format!("{done} of {all} calls are made, ≈ {} minutes left", seconds.div_ceil(60)))
}

/// Calls that may fail before any is answered: after these nobody is asked.
const FAILED_FIRST: usize = 4;

/// The calls of a run.
pub(super) struct Calls<'a> {
    pub(super) prompts: &'a [Prompt],
    pub(super) tokens: &'a [usize],
    pub(super) options: &'a RunOptions,
    /// Calls in flight at most.
    pub(super) concurrency: usize,
    pub(super) measure: Measure,
    /// Texts that end an answer.
    pub(super) ends: &'a [String],
    pub(super) stop: Stop,
    /// `true` if a call was answered, or refused, so that the server is known to be there.
    pub(super) is_answered: AtomicBool,
}

/// Wakes those who wait when the run stops.
#[derive(Default)]
pub(super) struct Stop(Mutex<bool>, Condvar);

impl Stop {
    const UNPOISONED: &str = "because nothing panics while it is held";

    fn stop(&self) {
        *self.0.lock().expect(Self::UNPOISONED) = true;
        self.1.notify_all();
    }

    /// Waits so long, or until the run stops; says which.
    fn wait(&self, time: Duration) -> bool {
        let stopped = self.0.lock().expect(Self::UNPOISONED);
        let waited = self.1.wait_timeout_while(stopped, time, |stopped| !*stopped);
        *waited.expect(Self::UNPOISONED).0
    }
}

/// The outcome of a call.
enum Made {
    /// An answer, or a refusal of this prompt.
    Call(Call),
    /// Every attempt failed, as without a server.
    Unanswered(Call),
    /// The run stopped meanwhile.
    Stopped,
}

impl Calls<'_> {
    /// Makes the calls. Stops after an error that every call would have, if the first calls fail
    /// in every attempt, or if the log can't be written.
    pub(super) fn make(
        &self,
        calls: &[Vec<(usize, Key)>],
        backend: &dyn Backend,
        writer: Writer,
        progress: &ProgressBar,
    ) -> Result<(), Failure> {
        let next = AtomicUsize::new(0);
        let begin = Instant::now();
        let shared = Mutex::new((writer, None, begin));
        let unanswered = AtomicUsize::new(0);
        let stop = || {
            next.store(calls.len(), Ordering::Relaxed);
            self.stop.stop();
        };
        thread::scope(|scope| {
            for _ in 0..self.concurrency.min(calls.len()) {
                scope.spawn(|| {
                    while let Some(same) = calls.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let (index, key) = &same[0];
                        let made = self.call(*index, key, backend);
                        let mut shared = shared.lock().expect("because no call panics");
                        let written = match made {
                            Ok(Made::Call(call)) => {
                                self.is_answered.store(true, Ordering::Relaxed);
                                self.write(&mut shared.0, same, &call)
                            }
                            Ok(Made::Unanswered(call)) => {
                                let before = unanswered.fetch_add(1, Ordering::Relaxed);
                                if before + 1 >= FAILED_FIRST
                                    && !self.is_answered.load(Ordering::Relaxed)
                                {
                                    stop();
                                }
                                self.write(&mut shared.0, same, &call)
                            }
                            Ok(Made::Stopped) => return,
                            Err(failure) => Err(failure),
                        };
                        if let Err(failure) = written {
                            shared.1.get_or_insert(failure);
                            stop();
                        }
                        progress.inc(1);
                        let done = progress.position();
                        let is_due = done == 1 || shared.2.elapsed() >= MINUTE;
                        if progress.is_hidden() && backend.takes_time() && is_due {
                            shared.2 = Instant::now();
                            if let Some(left) = left(done, calls.len() as u64, begin.elapsed()) {
                                say("note", &left);
                            }
                        }
                    }
                });
            }
        });
        let (_, failure, _) = shared.into_inner().expect("because no call panics");
        failure.map_or(Ok(()), Err)
    }

    /// Writes a call, and for the others with the same prompt what came of it.
    fn write(
        &self,
        writer: &mut Writer,
        same: &[(usize, Key)],
        call: &Call,
    ) -> Result<(), Failure> {
        for (number, (index, key)) in same.iter().enumerate() {
            let prompt = &self.prompts[*index];
            let mut call = call.clone();
            if number > 0 {
                call.attempts = 0;
                call.key = key.clone();
                (call.family, call.size) = (prompt.family.to_owned(), prompt.size);
                (call.expected, call.given) =
                    (Some(prompt.judge.truth.answer()), prompt.given.clone());
                if let Outcome::Answered { answer, milliseconds, score, .. } = &mut call.outcome {
                    *score = prompt.judge.score(answer);
                    *milliseconds = None;
                }
            }
            writer.call(call, &prompt.sent)?;
        }
        Ok(())
    }

    /// The answer to a prompt, and how likely the right one is.
    fn ask(
        &self,
        prompt: &Prompt,
        backend: &dyn Backend,
        attempt: u32,
    ) -> Result<(Reply, Vec<Token>, Duration), Problem> {
        let begin = Instant::now();
        let mut reply = backend.ask(&prompt.sent, attempt)?;
        let time = begin.elapsed();
        let ends = self.ends.iter().filter_map(|end| reply.text.find(end.as_str()));
        if let Some(end) = ends.min() {
            reply.text.truncate(end);
        }
        let likelihood = match self.measure {
            Measure::Likelihood => {
                backend.likelihood(&prompt.sent, &prompt.judge.truth.answer())?
            }
            Measure::Answers => Vec::new(),
        };
        Ok((reply, likelihood, time))
    }

    fn first_wait(&self) -> Duration {
        Duration::from_secs_f64(self.options.backoff.min(3600.0))
    }

    /// Waits double up to this.
    fn longest_wait(&self) -> Duration {
        LONGEST_WAIT.max(self.first_wait())
    }

    /// Makes a call, and repeats it if it fails.
    fn call(&self, index: usize, key: &Key, backend: &dyn Backend) -> Result<Made, Failure> {
        let prompt = &self.prompts[index];
        let mut made: fn(Call) -> Made = Made::Call;
        let mut wait = self.first_wait();
        let mut attempts = 0;
        let outcome = loop {
            attempts += 1;
            match self.ask(prompt, backend, attempts) {
                Ok((reply, likelihood, time)) => {
                    break Outcome::Answered {
                        score: prompt.judge.score(&reply.text),
                        answer: reply.text,
                        model: reply.model,
                        input_tokens: reply.input_tokens,
                        output_tokens: reply.output_tokens,
                        is_cut: reply.is_cut,
                        milliseconds: backend
                            .takes_time()
                            .then(|| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
                        likelihood,
                    };
                }
                Err(Problem::Hopeless(message)) => {
                    return Err(Failure::Provider(format!(
                        "the backend refuses the call: {message}"
                    )));
                }
                Err(Problem::Unreachable(message)) if !self.is_answered.load(Ordering::Relaxed) => {
                    return Err(Failure::Provider(message));
                }
                Err(problem @ (Problem::Passing { .. } | Problem::Unreachable(_)))
                    if attempts < self.options.attempts =>
                {
                    let time = problem.after().unwrap_or(wait.min(self.longest_wait()));
                    if time > LONG_WAIT {
                        say(
                            "note",
                            &format!("waiting for {} s, as the provider asks", time.as_secs()),
                        );
                    }
                    if self.stop.wait(time) {
                        return Ok(Made::Stopped);
                    }
                    wait = wait.saturating_mul(2);
                }
                Err(Problem::Passing { message, .. } | Problem::Unreachable(message)) => {
                    made = Made::Unanswered;
                    break Outcome::Failed { error: message };
                }
                Err(Problem::Refused(message)) => break Outcome::Failed { error: message },
            }
        };
        Ok(made(Call {
            key: key.clone(),
            family: prompt.family.to_owned(),
            size: prompt.size,
            prompt_sha256: prompt.sent.sha256.clone(),
            prompt_tokens: self.tokens[index],
            expected: Some(prompt.judge.truth.answer()),
            given: prompt.given.clone(),
            attempts,
            outcome,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_in_minutes() {
        let left = |done, all, seconds| left(done, all, Duration::from_secs(seconds));
        let said = Some("1 of 180 calls are made, ≈ 9 minutes left".to_owned());
        assert_eq!(left(1, 180, 3), said);
        for (done, all, seconds) in [(180, 180, 900), (1, 2, 60), (0, 0, 5), (1, 180, 0)] {
            assert_eq!(left(done, all, seconds), None);
        }
        assert!(left(1, u64::MAX, u64::MAX).is_some());
    }
}
