//! The files with options, and what follows from them and the command line together.
//!
//! A `wire-proxy.toml` in the current folder may be anybody's: what counts of it only changes how
//! results are written, or makes less of them rewritten (ruling C1). The user's own file decides
//! everything, and so does the one that `--config` names, with which no other is read.

use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::{env, mem};

use clap::Args;
use toml_edit::{Array, DocumentMut, Item, Table, value};
use wire_mcp::{InvalidPattern, Limits, Policy, Rule, Structured};
use wire_tokens::Counter;

use crate::failure::say;
use crate::options::listen::{Http, ServerTable};
use crate::options::names::{Choice, CounterName, NamePattern, forms};
use crate::options::replace::{rewrite, split_mark};
use crate::options::rules::RuleTable;
use crate::options::{EVENT_BYTES, HookTable, Options, Sizes, pattern};

/// The name of the files.
const FILE: &str = "wire-proxy.toml";
/// The most bytes of a file.
const MOST_BYTES: u64 = 1 << 20;

/// The settings of a run.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) options: wire_mcp::Options,
    pub(crate) counter: Counter,
    pub(crate) frame_bytes: usize,
    pub(crate) stats: Option<PathBuf>,
}

/// The options of the files, and of the command line before them.
pub(crate) fn settings(arguments: &Options) -> Result<Settings, String> {
    settings_of(&read(arguments.config.as_deref())?, arguments)
}

/// The same for files that were read before.
pub(crate) fn settings_of(config: &Options, arguments: &Options) -> Result<Settings, String> {
    Ok(Settings {
        options: options(config, arguments, None)?,
        counter: counter(config, arguments),
        frame_bytes: limits(config, arguments).frame_bytes,
        stats: arguments.stats.clone().or_else(|| config.stats.clone()),
    })
}

pub(crate) fn counter(config: &Options, arguments: &Options) -> Counter {
    let CounterName(counter) = arguments.counter.or(config.counter).unwrap_or_default();
    counter
}

pub(crate) fn limits(config: &Options, arguments: &Options) -> Limits {
    let mut limits = Limits::DEFAULT;
    if let Some(bytes) = arguments.limits.frame_bytes.or(config.limits.frame_bytes) {
        limits = limits.with_frame_bytes(bytes);
    }
    if let Some(bytes) = arguments.limits.text_bytes.or(config.limits.text_bytes) {
        limits = limits.with_text_bytes(bytes);
    }
    limits
}

pub(crate) fn options(
    config: &Options,
    arguments: &Options,
    server: Option<&ServerTable>,
) -> Result<wire_mcp::Options, String> {
    let mut options =
        wire_mcp::Options::new(counter(config, arguments)).limits(limits(config, arguments));
    if let Some(formats) = arguments.formats.as_ref().or(config.formats.as_ref()) {
        options = options.formats(&forms(formats));
    }
    let own = server.and_then(|server| server.structured);
    if let Some(Choice(structured)) = arguments.structured.or(own).or(config.structured) {
        options = options.structured(structured);
    }
    let own = server.and_then(|server| server.policy);
    if let Some(Choice(policy)) = arguments.policy.or(own).or(config.policy) {
        options = options.policy(policy);
    }
    let options = options
        .format_argument(arguments.format_argument || config.format_argument)
        .dry_run(arguments.dry_run || config.dry_run)
        .statistics(arguments.stats.is_some() || config.stats.is_some());
    with_rules(options, config, arguments, server).map_err(|error| error.to_string())
}

fn with_rules(
    mut options: wire_mcp::Options,
    config: &Options,
    arguments: &Options,
    server: Option<&ServerTable>,
) -> Result<wire_mcp::Options, InvalidPattern> {
    let policy = arguments.policy.or(server.and_then(|server| server.policy)).or(config.policy);
    if let Some(Choice(policy)) = config.folder_policy.filter(|_| policy.is_none()) {
        // The user's rules for some tools follow it.
        options = options.rule(Rule::new().policy(policy));
    }
    let own = server.map_or(&[][..], |server| &server.rules);
    for table in config.rules.iter().chain(own) {
        options = options.rule(table.rule()?);
    }
    for (patterns, is_verbatim) in [(&arguments.verbatim, true), (&arguments.not_verbatim, false)] {
        for NamePattern(pattern) in patterns {
            options = options.rule(Rule::new().tools(pattern)?.verbatim(is_verbatim));
        }
    }
    Ok(options)
}

/// The path of the user's own file, whether it is there or not.
pub(crate) fn own_path() -> Result<PathBuf, String> {
    let folder = user_folder("APPDATA", "XDG_CONFIG_HOME", ".config", "configuration")?;
    Ok(folder.join(FILE))
}

/// The folder of the user's data.
pub(crate) fn data_folder() -> Result<PathBuf, String> {
    user_folder("LOCALAPPDATA", "XDG_DATA_HOME", ".local/share", "data")
}

/// The folder of this program in the one that a variable names: `windows` there, or `other`, whose
/// default is `in_home` of the home folder.
fn user_folder(windows: &str, other: &str, in_home: &str, of: &str) -> Result<PathBuf, String> {
    let named = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = if cfg!(windows) {
        named(windows)
    } else {
        named(other).or_else(|| Some(env::home_dir()?.join(in_home)))
    };
    let folder =
        folder.ok_or_else(|| format!("there is no folder for the user's {of}: HOME is not set"))?;
    Ok(folder.join("wire-proxy"))
}

/// The options of the files, with patterns as rules. What a folder's file says in vain is said on
/// standard error.
pub(crate) fn read(named: Option<&Path>) -> Result<Options, String> {
    if let Some(path) = named {
        return Ok(parsed(path, &text(path)?)?.with_patterns_as_rules());
    }
    let found = |path: PathBuf| -> Result<Options, String> {
        let error = |error: &str| format!("{}: {error}", path.display());
        match fs::metadata(&path) {
            Err(found) if found.kind() == ErrorKind::NotFound => Ok(Options::default()),
            Err(found) => Err(error(&found.to_string())),
            Ok(file) if !file.is_file() => Err(error("expected a regular file")),
            Ok(_) => Ok(parsed(&path, &text(&path)?)?.with_patterns_as_rules()),
        }
    };
    // Without a home folder there is no file in it.
    let own = own_path().map_or_else(|_| Ok(Options::default()), found)?;
    let is_own = own_path().is_ok_and(|own| {
        fs::canonicalize(own).is_ok_and(|own| fs::canonicalize(FILE).is_ok_and(|path| path == own))
    });
    let path = PathBuf::from(FILE);
    let folder = if is_own { Options::default() } else { found(path)?.of_a_folder() };
    if !folder.ignored.is_empty() {
        let own = own_path()
            .map_or_else(|_| "a file of --config".into(), |path| path.display().to_string());
        say(format_args!(
            "{FILE} of this folder is not obeyed in {}, which only you decide: in {own}, or by `--config {FILE}`",
            folder.ignored.join(", ")
        ));
    }
    Ok(own.after(folder))
}

fn text(path: &Path) -> Result<String, String> {
    let error = |error: String| format!("{}: {error}", path.display());
    let mut text = String::new();
    let read =
        File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_string(&mut text));
    read.map_err(|found| error(found.to_string()))?;
    if text.len() as u64 > MOST_BYTES {
        return Err(error(format!("it has more than {MOST_BYTES} bytes")));
    }
    Ok(text)
}

fn parsed(path: &Path, text: &str) -> Result<Options, String> {
    // The error shows the line.
    toml::from_str(text).map_err(|error| format!("{}: {error}", path.display()))
}

impl Options {
    fn with_patterns_as_rules(mut self) -> Self {
        let verbatim = mem::take(&mut self.verbatim).into_iter().map(|tools| (tools, true));
        let others = mem::take(&mut self.not_verbatim).into_iter().map(|tools| (tools, false));
        let patterns = verbatim.chain(others).map(|(tools, is)| RuleTable::verbatim(tools, is));
        self.rules = patterns.chain(self.rules).collect();
        self
    }

    /// What counts of a folder's file (ruling C1), and the names of what does not.
    fn of_a_folder(mut self) -> Self {
        let mut ignored = Vec::new();
        let mut ignore = |is_ignored: bool, name| ignored.extend(is_ignored.then_some(name));
        ignore(self.stats.take().is_some(), "stats");
        ignore(mem::take(&mut self.http) != Http::default(), "http");
        ignore(!mem::take(&mut self.servers).is_empty(), "servers");
        ignore(mem::take(&mut self.format_argument), "format-argument");
        ignore(self.structured.take_if(|own| own.0 != Structured::Keep).is_some(), "structured");
        ignore(self.policy.take_if(|own| own.0 == Policy::On).is_some(), "policy");
        let commands = self.hook.commands.len();
        self.hook.commands.retain(|NamePattern(pattern)| pattern.starts_with('!'));
        ignore(self.hook.commands.len() < commands, "hook.commands");
        let Sizes { frame_bytes, text_bytes, hook_bytes } = &mut self.limits;
        for (own, most) in [
            (frame_bytes, Limits::DEFAULT.frame_bytes),
            (text_bytes, Limits::DEFAULT.text_bytes),
            (hook_bytes, EVENT_BYTES),
        ] {
            ignore(own.take_if(|own| *own > most).is_some(), "limits upwards");
        }
        for rule in &mut self.rules {
            for name in rule.keep_what_a_folder_may_say() {
                ignore(true, name);
            }
        }
        // No other rule of the file undoes what it switches off.
        if self.policy.is_some_and(|own| own.0 == Policy::Off) {
            self.rules.iter_mut().for_each(RuleTable::forget_policy);
        }
        self.rules.sort_by_key(RuleTable::is_off);
        ignored.sort_unstable();
        ignored.dedup();
        Options { ignored, ..self }
    }

    /// These options where a folder's file says something, too: of two that speak of one tool these
    /// decide, and of limits the smaller one.
    fn after(self, folder: Options) -> Self {
        let smaller = |a: Option<usize>, b: Option<usize>| a.into_iter().chain(b).min();
        Options {
            counter: self.counter.or(folder.counter),
            formats: self.formats.or(folder.formats),
            structured: self.structured.or(folder.structured),
            dry_run: self.dry_run || folder.dry_run,
            limits: Sizes {
                frame_bytes: smaller(self.limits.frame_bytes, folder.limits.frame_bytes),
                text_bytes: smaller(self.limits.text_bytes, folder.limits.text_bytes),
                hook_bytes: smaller(self.limits.hook_bytes, folder.limits.hook_bytes),
            },
            hook: HookTable { commands: [folder.hook.commands, self.hook.commands].concat() },
            rules: [folder.rules, self.rules].concat(),
            folder_policy: folder.policy,
            ignored: folder.ignored,
            ..self
        }
    }
}

/// The options of `wire-proxy config`.
#[derive(Debug, Args)]
pub(crate) struct Config {
    /// Rewrite the results of these tools, although they seem to read files: adds them to the file
    /// [default: only prints the path].
    #[arg(long, value_name = "PATTERN", value_parser = pattern)]
    not_verbatim: Vec<NamePattern>,

    /// Change this file [default: your own].
    #[arg(long, value_name = "FILE", requires = "not_verbatim")]
    config: Option<PathBuf>,
}

impl Config {
    /// The path of the file, in which the rest stays as it is.
    pub(crate) fn path(&self) -> Result<PathBuf, String> {
        let path = self.config.clone().map_or_else(own_path, Ok)?;
        if self.not_verbatim.is_empty() {
            return Ok(path);
        }
        let error = |error: String| format!("{}: {error}", path.display());
        let is_new = !path.exists();
        let whole = if is_new { String::new() } else { text(&path)? };
        let (mark, old) = split_mark(&whole);
        parsed(&path, old)?;
        let document = old.parse::<DocumentMut>();
        let mut document = document.map_err(|found| error(found.to_string()))?;
        for NamePattern(tool) in &self.not_verbatim {
            add(&mut document, tool).map_err(error)?;
        }
        let mut new = document.to_string();
        if old.contains("\r\n") {
            new = new.replace("\r\n", "\n").replace('\n', "\r\n");
        }
        let new = format!("{mark}{new}");
        let written = if is_new {
            let folder = path.parent().unwrap_or(Path::new(""));
            fs::create_dir_all(folder).and_then(|()| fs::write(&path, new))
        } else {
            rewrite(&path, &whole, &new)
        };
        written.map_err(|found| error(found.to_string()))?;
        Ok(path)
    }
}

/// Adds a tool to those that are rewritten: to the list, or as a last rule if a rule leaves tools
/// alone, since rules decide over the list.
fn add(document: &mut DocumentMut, tool: &str) -> Result<(), String> {
    const NAME: &str = "not-verbatim";
    let rules = document.get("rules");
    let is_inline = rules.and_then(Item::as_array).is_some_and(|rules| !rules.is_empty());
    if is_inline {
        return Err("expected the rules as [[rules]], so that one can be added".to_owned());
    }
    if let Some(rules) = document.get_mut("rules").and_then(Item::as_array_of_tables_mut) {
        let says = |rule: &Table| rule.get("verbatim").and_then(Item::as_bool);
        let is_own = |rule: &Table| {
            let tools = rule.get("tools").and_then(Item::as_str);
            tools == Some(tool) && !rule.contains_key("clients") && says(rule) == Some(false)
        };
        // The last one decides.
        match rules.iter().filter(|rule| says(rule) == Some(true) || is_own(rule)).last() {
            Some(rule) if is_own(rule) => return Ok(()),
            Some(_) => {
                let mut rule = Table::new();
                rule.insert("tools", value(tool));
                rule.insert("verbatim", value(false));
                rules.push(rule);
                return Ok(());
            }
            None => {}
        }
    }
    let list = document.entry(NAME).or_insert(value(Array::new())).as_array_mut();
    let list = list.ok_or_else(|| format!("{NAME} is not a list"))?;
    if list.iter().all(|own| own.as_str() != Some(tool)) {
        list.push(tool);
    }
    Ok(())
}

/// The JSON schema of the file.
pub(crate) fn schema() -> String {
    let schema = schemars::schema_for!(Options);
    serde_json::to_string_pretty(&schema).expect("because a schema is JSON") + "\n"
}
