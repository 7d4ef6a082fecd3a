//! Backends: a provider over HTTP, a command, or the mock that tests the kit itself.

pub(crate) mod anthropic;
mod command;
mod http;
mod llama;
mod mock;
mod openai;
pub(crate) mod reply;

use std::collections::BTreeMap;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::failure::Failure;
use crate::question::Truth;
use anthropic::Anthropic;
use command::Program;
use mock::Mock;
use openai::OpenAi;
use reply::Backend;

/// The kinds of backends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Anthropic's Messages API. The key is read from `ANTHROPIC_API_KEY`.
    Anthropic,
    /// `OpenAI`'s chat completions API, or any compatible server (--base-url). The key, if
    /// required, is read from `OPENAI_API_KEY`.
    Openai,
    /// A program (--command) that reads the prompt from standard input or from the argument {}.
    Command,
    /// No model: a mock, to test `wire-eval` itself (--mock).
    Mock,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Anthropic => "anthropic",
            Kind::Openai => "openai",
            Kind::Command => "command",
            Kind::Mock => "mock",
        }
    }
}

/// The backend that answers.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Backend")]
pub(crate) struct BackendOptions {
    /// The backend that answers the prompts [default: command, if --command is given].
    #[arg(long, value_enum, value_name = "BACKEND", required_unless_present = "command")]
    backend: Option<Kind>,

    /// A program and its arguments, e.g. `claude -p`; {} is replaced by the prompt, which is
    /// otherwise sent to standard input. The command is logged unchanged, so don't put a key in it.
    #[arg(long, value_name = "COMMAND")]
    command: Option<String>,

    /// The provider's name of the model.
    #[arg(long, value_name = "MODEL", required_if_eq_any([("backend", "anthropic"), ("backend", "openai")]))]
    model: Option<String>,

    /// Base URL of the provider, e.g. `http://localhost:8080/v1` for a local server [default: the
    /// provider's own].
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,

    /// Maximum tokens of an answer [default: 1024, of a local server 64].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_tokens: Option<u32>,

    /// Sampling temperature [default: the provider's; of a local server 0].
    #[arg(long, value_name = "T")]
    temperature: Option<f64>,

    /// End an answer before this text; may be given several times [default: with --examples an empty
    /// line].
    #[arg(long, value_name = "TEXT")]
    stop: Vec<String>,

    /// Seconds to wait for an answer [default: 120; of a local server 600].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<f64>,

    /// Maximum bytes that --command may write to each of standard output and standard error; more
    /// is an error.
    #[arg(long, value_name = "BYTES", default_value_t = 16 << 20, value_parser = clap::value_parser!(u64).range(1..))]
    max_output: u64,

    /// The kind of mock.
    #[arg(long, value_enum, value_name = "KIND", default_value_t = mock::Manner::Oracle)]
    mock: mock::Manner,
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds: Option<f64> = text.parse().ok();
    let is_fine = |seconds: &f64| *seconds > 0.0 && *seconds <= 86_400.0;
    seconds.filter(is_fine).ok_or_else(|| "expected a number of seconds, up to a day".to_owned())
}

impl BackendOptions {
    /// Returns `true` if its server is on this machine, and has one model that answers one call
    /// after another.
    pub(crate) fn is_local(&self) -> bool {
        self.kind() == Kind::Openai && self.base_url.as_deref().is_some_and(http::is_local)
    }

    fn kind(&self) -> Kind {
        self.backend.unwrap_or(Kind::Command)
    }

    /// Its description in the log, without keys.
    pub(crate) fn label(&self) -> String {
        let kind = self.kind();
        let what = match kind {
            Kind::Command => self.command.as_deref(),
            Kind::Mock => return format!("mock {}", self.mock.name()),
            Kind::Anthropic | Kind::Openai => self.model.as_deref(),
        };
        let at = self.base_url.as_deref().map(|url| format!(" at {url}")).unwrap_or_default();
        format!("{} {}{at}", kind.name(), what.unwrap_or_default())
    }

    /// The options for texts to go on with, whose answers are a paragraph if nothing else ends them.
    ///
    /// # Errors
    ///
    /// Usage: it takes only messages.
    pub(crate) fn for_texts(&self) -> Result<Self, Failure> {
        if self.kind() == Kind::Anthropic {
            return Err(Failure::Usage(
                "--examples makes texts to go on with, and --backend anthropic takes only messages"
                    .to_owned(),
            ));
        }
        let mut options = self.clone();
        if options.stop.is_empty() {
            options.stop.push("\n\n".to_owned());
        }
        Ok(options)
    }

    /// The texts that end an answer.
    pub(crate) fn stop(&self) -> &[String] {
        &self.stop
    }

    /// Checks that it may say how likely an answer is.
    ///
    /// # Errors
    ///
    /// Usage: it can't.
    pub(crate) fn check_likelihood(&self) -> Result<(), Failure> {
        if self.kind() == Kind::Openai && self.base_url.is_some() {
            return Ok(());
        }
        Err(Failure::Usage(
            "--measure likelihood needs llama.cpp's server, expected --backend openai --base-url URL"
                .to_owned(),
        ))
    }

    /// Tokens of an answer at most.
    pub(crate) fn max_tokens(&self) -> u32 {
        self.max_tokens.unwrap_or(if self.is_local() { 64 } else { 1024 })
    }

    /// Returns `true` if somebody may have to pay for each call.
    pub(crate) fn may_cost(&self) -> bool {
        match self.kind() {
            Kind::Anthropic | Kind::Command => true,
            Kind::Openai => self.base_url.is_none(),
            Kind::Mock => false,
        }
    }

    /// The temperature that is asked for, if any.
    pub(crate) fn temperature(&self) -> Option<f64> {
        self.temperature.or(self.is_local().then_some(0.0))
    }

    /// The backend. The mock knows the answers to prompts with these digests.
    ///
    /// # Errors
    ///
    /// Usage: something that it needs is missing.
    pub(crate) fn backend(
        &self,
        given: BTreeMap<String, Truth>,
    ) -> Result<Box<dyn Backend>, Failure> {
        let seconds = self.timeout.unwrap_or(if self.is_local() { 600.0 } else { 120.0 });
        let timeout = Duration::from_secs_f64(seconds);
        let model = || {
            self.model.clone().ok_or_else(|| Failure::Usage("expected --model MODEL".to_owned()))
        };
        if self.command.is_some() && self.kind() != Kind::Command {
            return Err(Failure::Usage(format!(
                "--command is for the backend command, and the backend is {}",
                self.kind().name()
            )));
        }
        let base = self.base_url.as_deref();
        Ok(match self.kind() {
            Kind::Anthropic => Box::new(Anthropic::new(
                base,
                model()?,
                timeout,
                self.max_tokens(),
                self.temperature(),
            )?),
            Kind::Openai => Box::new(OpenAi::new(
                base,
                model()?,
                timeout,
                self.max_tokens(),
                (self.temperature(), self.stop.clone()),
            )?),
            Kind::Command => {
                let command = self.command.as_deref().ok_or_else(|| {
                    Failure::Usage("expected --command 'PROGRAM ARGUMENTS'".to_owned())
                })?;
                Box::new(Program::new(command, timeout, self.max_output)?)
            }
            Kind::Mock => Box::new(Mock::new(self.mock, timeout, given)),
        })
    }
}
