//! The options, for all calls or for the tools and clients that a rule names.

use std::fmt;
use std::sync::Arc;

use glob::{MatchOptions, Pattern};
use wire_core::TokenCounter;

use crate::clients::{Client, Clients, Shows, View};
use crate::reads::Reads;
use crate::record::Left;
use crate::{Format, Limits};

/// Whether results are rewritten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Results are rewritten.
    #[default]
    On,
    /// Everything passes byte for byte.
    Off,
    /// Results stay JSON, at most minified, whatever the formats are: for small local models, which
    /// read JSON best.
    Minify,
}

impl Policy {
    /// Every policy.
    pub const ALL: &'static [Policy] = &[Policy::On, Policy::Off, Policy::Minify];

    /// Its name: `on`, `off` or `minify`.
    pub const fn name(self) -> &'static str {
        match self {
            Policy::On => "on",
            Policy::Off => "off",
            Policy::Minify => "minify",
        }
    }
}

/// The policy for `structuredContent` (ruling M3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Structured {
    /// `structuredContent` is kept.
    #[default]
    Keep,
    /// `structuredContent` is dropped if the text has the same value, for tools without an
    /// `outputSchema` in the list that the client last saw: it is removed from that list.
    Drop,
    /// Like `Drop` for [clients](Clients) that show the model `structuredContent`, alone or with the
    /// text, and run no code on it; like `Keep` for all others.
    Auto,
    /// Like `Keep`. A result that has `structuredContent` and no text block gets its text, for
    /// clients that show the model texts alone, and for those that are not known. Such a model then
    /// sees more tokens than the server's own answer shows it, and statistics count them.
    Text,
}

impl Structured {
    /// Every policy.
    pub const ALL: &'static [Structured] =
        &[Structured::Keep, Structured::Drop, Structured::Auto, Structured::Text];

    /// Its name: `keep`, `drop`, `auto` or `text`.
    pub const fn name(self) -> &'static str {
        match self {
            Structured::Keep => "keep",
            Structured::Drop => "drop",
            Structured::Auto => "auto",
            Structured::Text => "text",
        }
    }
}

/// Which results in conversations become references to earlier ones (ruling M21).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeats {
    /// None.
    #[default]
    Off,
    /// Those that are equal to an earlier one.
    Exact,
    /// Those, and those that differ from an earlier one in few members.
    Delta,
}

impl Repeats {
    /// Every choice.
    pub const ALL: &'static [Repeats] = &[Repeats::Off, Repeats::Exact, Repeats::Delta];

    /// Its name: `off`, `exact` or `delta`.
    pub const fn name(self) -> &'static str {
        match self {
            Repeats::Off => "off",
            Repeats::Exact => "exact",
            Repeats::Delta => "delta",
        }
    }
}

/// Settings for the tools and clients that the rule matches. If several rules match, each setting
/// is that of the last rule that has it.
#[derive(Clone, Debug, Default)]
pub struct Rule {
    tools: Option<Pattern>,
    clients: Option<Pattern>,
    policy: Option<Policy>,
    structured: Option<Structured>,
    verbatim: Option<bool>,
    formats: Option<Vec<Format>>,
}

impl Rule {
    /// Creates a rule for every tool and client, without settings.
    pub fn new() -> Self {
        Rule::default()
    }

    /// Restricts the rule to tools whose name matches this pattern, in which `*` is any text and
    /// `?` any character.
    ///
    /// # Errors
    ///
    /// The pattern is not valid; the error says why.
    pub fn tools(mut self, pattern: &str) -> Result<Self, InvalidPattern> {
        self.tools = Some(compiled(pattern)?);
        Ok(self)
    }

    /// Restricts the rule to clients whose name in `clientInfo` matches this pattern.
    ///
    /// # Errors
    ///
    /// The pattern is not valid; the error says why.
    pub fn clients(mut self, pattern: &str) -> Result<Self, InvalidPattern> {
        self.clients = Some(compiled(pattern)?);
        Ok(self)
    }

    /// Returns `true` if results are rewritten.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = Some(policy);
        self
    }

    /// Sets the policy for `structuredContent`.
    #[must_use]
    pub fn structured(mut self, structured: Structured) -> Self {
        self.structured = Some(structured);
        self
    }

    /// Sets whether results are never rewritten. `false` rewrites those that an earlier rule
    /// excludes, or that stay by the tool's [name](crate::Reads) or by the arguments of the call.
    #[must_use]
    pub fn verbatim(mut self, verbatim: bool) -> Self {
        self.verbatim = Some(verbatim);
        self
    }

    /// Sets the forms to try.
    #[must_use]
    pub fn formats(mut self, formats: &[Format]) -> Self {
        self.formats = Some(formats.to_vec());
        self
    }

    fn applies(&self, tool: &str, client: Option<&str>) -> bool {
        let matches = |pattern: &Option<Pattern>, name: Option<&str>| match (pattern, name) {
            (None, _) => true,
            (Some(pattern), Some(name)) => pattern.matches_with(name, MatchOptions::new()),
            (Some(_), None) => false,
        };
        matches(&self.tools, Some(tool)) && matches(&self.clients, client)
    }
}

/// A pattern of names that can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidPattern {
    pattern: String,
    reason: &'static str,
}

impl fmt::Display for InvalidPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a pattern of names: {}", self.pattern, self.reason)
    }
}

impl std::error::Error for InvalidPattern {}

fn compiled(pattern: &str) -> Result<Pattern, InvalidPattern> {
    Pattern::new(pattern)
        .map_err(|error| InvalidPattern { pattern: pattern.to_owned(), reason: error.msg })
}

/// The options of a [`Proxy`](crate::Proxy).
#[derive(Clone)]
pub struct Options {
    pub(crate) counter: Arc<dyn TokenCounter>,
    pub(crate) limits: Limits,
    pub(crate) policy: Policy,
    /// Adds the argument of ruling M6.
    pub(crate) adds_format: bool,
    pub(crate) is_dry_run: bool,
    pub(crate) keeps_statistics: bool,
    pub(crate) repeats: Repeats,
    structured: Structured,
    formats: Vec<Format>,
    verbatim: Vec<Pattern>,
    rules: Vec<Rule>,
}

impl Options {
    /// The default options, with the token counter that compares texts.
    pub fn new(counter: impl TokenCounter + 'static) -> Self {
        Options {
            counter: Arc::new(counter),
            limits: Limits::DEFAULT,
            policy: Policy::On,
            adds_format: false,
            is_dry_run: false,
            keeps_statistics: false,
            repeats: Repeats::Off,
            structured: Structured::Keep,
            formats: Format::by_default(),
            verbatim: Vec::new(),
            rules: Vec::new(),
        }
    }

    /// Sets the token counter that compares texts.
    #[must_use]
    pub fn counter(mut self, counter: impl TokenCounter + 'static) -> Self {
        self.counter = Arc::new(counter);
        self
    }

    /// Sets whether results are rewritten (default: [`Policy::On`]). Under [`Policy::Off`] no rule
    /// changes that.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Sets the policy for `structuredContent` (default: [`Structured::Keep`]).
    #[must_use]
    pub fn structured(mut self, structured: Structured) -> Self {
        self.structured = structured;
        self
    }

    /// Sets the forms to try (default: [`Format::by_default`]).
    #[must_use]
    pub fn formats(mut self, formats: &[Format]) -> Self {
        self.formats = formats.to_vec();
        self
    }

    /// Sets the patterns of tools whose results are not rewritten, besides those that
    /// [read a file](crate::Reads) by their name (default: none).
    ///
    /// # Errors
    ///
    /// A pattern is not valid; the error says why.
    pub fn verbatim<'p>(
        mut self,
        patterns: impl IntoIterator<Item = &'p str>,
    ) -> Result<Self, InvalidPattern> {
        self.verbatim = patterns.into_iter().map(compiled).collect::<Result<_, _>>()?;
        Ok(self)
    }

    /// Adds a rule after the existing ones (default: no rules).
    #[must_use]
    pub fn rule(mut self, rule: Rule) -> Self {
        self.rules.push(rule);
        self
    }

    /// Sets whether each tool without such a property gets an optional argument `format` (default:
    /// `false`; ruling M6).
    #[must_use]
    pub fn format_argument(mut self, adds: bool) -> Self {
        self.adds_format = adds;
        self
    }

    /// Sets whether to count the savings without changing anything (default: `false`).
    #[must_use]
    pub fn dry_run(mut self, is_dry: bool) -> Self {
        self.is_dry_run = is_dry;
        self
    }

    /// Sets whether to make a [`CallRecord`](crate::CallRecord) of each result (default: `false`,
    /// because some texts are counted only for it).
    #[must_use]
    pub fn statistics(mut self, keeps: bool) -> Self {
        self.keeps_statistics = keeps;
        self
    }

    /// Sets which results become references to earlier ones, only in
    /// [conversations](crate::chat::rewrite) (default: [`Repeats::Off`]).
    #[must_use]
    pub fn repeats(mut self, repeats: Repeats) -> Self {
        self.repeats = repeats;
        self
    }

    /// Sets the limits (default: [`Limits::DEFAULT`]).
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The settings that apply to the calls of a tool by a client.
    pub(crate) fn settings(&self, tool: &str, client: Option<&str>) -> Settings {
        let known = client.and_then(|name| Clients::known().named(name));
        let is_named = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.matches(tool));
        let mut settings = Settings {
            policy: self.policy,
            verbatim: if is_named(&self.verbatim) { Verbatim::Always } else { Verbatim::ByWords },
            drops: false,
            writes_text: false,
            shows: known.and_then(|client| client.shows.as_ref()).map(|shows| &shows.what),
            formats: self.formats.clone(),
        };
        if known.is_some_and(Client::passes_untouched) {
            settings.policy = Policy::Off;
        }
        let mut structured = self.structured;
        for rule in self.rules.iter().filter(|rule| rule.applies(tool, client)) {
            settings.policy = rule.policy.unwrap_or(settings.policy);
            structured = rule.structured.unwrap_or(structured);
            settings.verbatim = match rule.verbatim {
                Some(true) => Verbatim::Always,
                Some(false) => Verbatim::Never,
                None => settings.verbatim,
            };
            if let Some(formats) = &rule.formats {
                settings.formats.clone_from(formats);
            }
        }
        if settings.policy == Policy::Minify {
            settings.formats = vec![Format::Json];
        }
        settings.drops = match structured {
            Structured::Keep | Structured::Text => false,
            Structured::Drop => true,
            Structured::Auto => known.is_some_and(Client::auto_drops),
        };
        settings.writes_text = structured == Structured::Text
            && settings.shows.is_none_or(|shows| matches!(shows.view, View::Texts | View::Array));
        settings
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("counter", &self.counter.name())
            .field("policy", &self.policy)
            .field("structured", &self.structured)
            .field("formats", &self.formats)
            .field("rules", &self.rules)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// Which results of a tool stay as they are (ruling M5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verbatim {
    Always,
    /// By the words of its name, and by what it answers.
    ByWords,
    Never,
}

/// The settings that apply to the calls of one tool by one client.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) policy: Policy,
    pub(crate) verbatim: Verbatim,
    /// `true` if `structuredContent` is dropped where that is allowed.
    pub(crate) drops: bool,
    /// `true` if a result without a text gets that of `structuredContent`.
    pub(crate) writes_text: bool,
    /// The text that the client is known to show the model.
    pub(crate) shows: Option<&'static Shows>,
    pub(crate) formats: Vec<Format>,
}

impl Settings {
    /// Returns `true` if results of this tool are rewritten, unless they are to be quoted.
    pub(crate) fn rewrites(&self, tool: &str) -> bool {
        let reads_file = || matches!(Reads::of(tool), Reads::File { .. });
        self.excludes().is_none() && !(self.verbatim == Verbatim::ByWords && reads_file())
    }

    /// Why nothing is rewritten, if nothing is.
    pub(crate) fn excludes(&self) -> Option<Left> {
        match self {
            Settings { policy: Policy::Off, .. } => Some(Left::Policy),
            Settings { verbatim: Verbatim::Always, .. } => Some(Left::Named),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire_core::WordPunctuation;

    #[test]
    fn later_rules_count() {
        let options = Options::new(WordPunctuation)
            .structured(Structured::Drop)
            .rule(Rule::new().tools("read_note").unwrap().verbatim(false))
            .rule(Rule::new().tools("sec*").unwrap().policy(Policy::Off))
            .rule(
                Rule::new()
                    .clients("cli*")
                    .unwrap()
                    .structured(Structured::Keep)
                    .formats(&[Format::Json]),
            );
        let rewrites = |tool| options.settings(tool, None).rewrites(tool);
        assert!(rewrites("read_note") && rewrites("search"));
        assert!(!rewrites("read_file") && !rewrites("secrets"));
        assert!(options.settings("search", None).drops);
        let settings = options.settings("search", Some("client"));
        assert!(!settings.drops && settings.formats == [Format::Json]);
        assert_eq!(options.settings("search", Some("other")).formats, Format::by_default());
        let options = options.rule(Rule::new().tools("sea*").unwrap().policy(Policy::Minify));
        let settings = options.settings("search", Some("other"));
        assert!(settings.rewrites("search") && settings.formats == [Format::Json]);
    }

    #[test]
    fn the_table_of_clients_decides_auto() {
        let options = Options::new(WordPunctuation).structured(Structured::Auto);
        assert!(options.settings("t", Some("claude-code")).drops);
        // Programs may read its results.
        assert!(!options.settings("t", Some("codex-mcp-client")).drops);
        assert!(options.settings("t", Some("copilot-cli")).drops);
        assert!(!options.settings("t", Some("opencode")).drops);
        assert!(!options.settings("t", Some("unheard-of")).drops);
        assert!(!options.settings("t", None).drops);
    }

    #[test]
    fn clients_whose_programs_read_results_pass_untouched() {
        let options = Options::new(WordPunctuation).structured(Structured::Drop);
        assert!(!options.settings("t", Some("codemode-proxy")).rewrites("t"));
        let rule = Rule::new().clients("codemode-*").unwrap().policy(Policy::On);
        assert!(options.rule(rule).settings("t", Some("codemode-proxy")).rewrites("t"));
    }

    #[test]
    fn patterns_are_checked() {
        let error = Rule::new().tools("a[").unwrap_err();
        assert_eq!(error.to_string(), "\"a[\" is not a pattern of names: invalid range pattern");
        assert!(Options::new(WordPunctuation).verbatim(["***"]).is_err());
        let options = Options::new(WordPunctuation).verbatim(["x*"]).unwrap();
        assert!(!options.settings("xy", None).rewrites("xy"));
        assert!(!options.settings("read_file", None).rewrites("read_file"));
    }
}
