//! `wire-proxy init`: shows the change of a client's configuration, or makes it.

use wire_mcp::{Code, Structured, View};

use crate::agents::Syntax;
use crate::failure::{Failure, print, say};
use crate::init::entry::shown;
use crate::init::hook::install;
use crate::init::options::Init;
use crate::init::{Change, Direction, is_proxy, json, quoted, saving, toml};
use crate::log;
use crate::options::replace::{replace, split_mark, undo};
use crate::text::printable;

/// The command of the proxy where it is on PATH.
const PROGRAM: &str = "wire-proxy";

pub(crate) fn run(options: &Init) -> Result<u8, Failure> {
    let found = found();
    let program = options.program.as_ref().or(found.as_ref());
    let program = program.map_or(PROGRAM, String::as_str);
    if options.hook {
        return install(options, program);
    }
    let agent = options.client;
    let shape = agent.row().config.as_ref().expect("because it is a value of the option");
    let path = match &options.file {
        Some(path) => path.clone(),
        None => shape.file(&agent.row().name).map_err(Failure::Usage)?,
    };
    let failed = |error: String| Failure::Io(format!("{}: {error}", path.display()));
    let whole = std::fs::read_to_string(&path).map_err(|error| failed(error.to_string()))?;
    let (mark, text) = split_mark(&whole);
    let asked = options.structured.map(|policy| policy.0);
    let structured =
        asked.or_else(|| saving(options.client.client())).filter(|own| *own != Structured::Keep);
    let policy = options.policy.map(|policy| policy.0);
    let stats = options.stats.then(log::own_path).transpose().map_err(Failure::Usage)?;
    let stats = stats.map(|path| path.to_string_lossy().into_owned());
    let [inserted, changed] = [structured, asked].map(|structured| {
        let structured = structured.map(|structured| ("--structured", structured.name()));
        let policy = policy.map(|policy| ("--policy", policy.name()));
        let stats = stats.as_deref().map(|path| ("--stats", path));
        structured.into_iter().chain(policy).chain(stats).collect::<Vec<_>>()
    });
    let direction = if options.undo {
        Direction::Remove
    } else {
        Direction::Insert { program, options: &inserted, changed: &changed }
    };
    let change = Change { direction, only: &options.server };
    let outcome = match shape.syntax {
        Syntax::Json => json::changed(text, shape, &change),
        Syntax::Toml => toml::changed(text, shape, &change),
    };
    let outcome = outcome.map_err(failed)?;
    if let Some(missing) = options.server.iter().find(|name| !outcome.has(name)) {
        return Err(Failure::Usage(format!("{}: there is no server {missing:?}", path.display())));
    }
    if let Some((name, reason)) = outcome.lost.first() {
        return Err(Failure::Io(format!(
            "{}: nothing is written: {name}: {reason}",
            path.display()
        )));
    }
    for (name, reason) in &outcome.left {
        say(format_args!("{name} stays as it is: {reason}"));
    }
    if outcome.text == text {
        return print(format!("{}: nothing to change\n", path.display()).as_bytes());
    }
    let said = if options.write {
        let new = format!("{mark}{}", outcome.text);
        let (copy, which) = if options.undo {
            (undo(&path, &whole, Some(&new)), "with")
        } else {
            (replace(&path, &whole, &new), "without")
        };
        let copy = copy.map_err(|error| failed(error.to_string()))?;
        format!(
            "{}: {} changed; {which} the proxy it is {}\n",
            path.display(),
            printable(&outcome.changed.join(", ")),
            copy.display()
        )
    } else {
        // The file's own lines may have secrets.
        let entries = |text: &str| match shape.syntax {
            Syntax::Json => json::entries(text, shape),
            Syntax::Toml => toml::entries(text, shape),
        };
        let mut said = format!("{}\n", path.display());
        for (before, after) in std::iter::zip(entries(text), entries(&outcome.text)) {
            let [old, new] = [&before, &after].map(|entry| shown(&entry.words));
            if outcome.changed.contains(&before.name) {
                said += &format!("\n{}\n- {old}\n+ {new}\n", printable(&before.name));
            }
        }
        said + "\n--write makes this change.\n"
    };
    print(said.as_bytes())?;
    // Advice is about what is written.
    let written = quoted(program);
    let is_added = outcome.text.matches(&written).count() > text.matches(&written).count();
    if !options.undo && (is_added || asked.is_some()) {
        advise(options, structured);
    }
    if is_added && options.program.is_none() && program != PROGRAM {
        say(format_args!("{PROGRAM} is not on PATH, so its whole path is the command"));
    }
    Ok(0)
}

/// The path of this program, if clients would not find it by its name.
fn found() -> Option<String> {
    if which::which(PROGRAM).is_ok() {
        return None;
    }
    let own = std::env::current_exe().ok()?.into_os_string().into_string().ok()?;
    // By its name `--undo` finds it again.
    Some(own).filter(|own| is_proxy(own))
}

/// Says what the policy changes and why that is safe (ruling M3), or that nothing is saved without
/// one, and where programs may read results.
fn advise(options: &Init, structured: Option<Structured>) {
    const PAGE: &str = "https://github.com/wire-formats/wire/blob/main/docs/clients.md";
    let client = options.client.client();
    let title = &client.title;
    let field = match client.shows.as_ref().map(|shows| shows.what.view) {
        Some(View::Structured) => Some("`structuredContent` alone"),
        Some(View::Both | View::Result) => Some("both fields of a result"),
        _ => None,
    };
    match (structured, saving(options.client.client()), field) {
        (Some(policy @ (Structured::Drop | Structured::Auto)), Some(_), Some(field)) => {
            say(format_args!(
                "{title} shows the model {field}; `--structured {}` removes `structuredContent` where the text says the same, and no call misses it: {PAGE}",
                policy.name()
            ));
        }
        (None, Some(_), Some("`structuredContent` alone")) => say(format_args!(
            "{title} saves nothing with this where a result has `structuredContent`, which is all that it shows the model: {PAGE}"
        )),
        _ => {}
    }
    if options.client.row().takes_local_models && options.policy.is_none() {
        say(format_args!(
            "small models on this machine read JSON best; if {title} runs one, `init {} --policy minify` keeps JSON",
            options.client.row().name
        ));
    }
    match client.code.as_ref().map(|code| code.what) {
        Some(Code::Sometimes) => say(format_args!(
            "{title} has a mode in which programs call tools; if it is on, do not use the proxy: {PAGE}"
        )),
        Some(Code::Marked) => say(format_args!(
            "with most of its models, {title} lets programs call tools; the results of these calls pass untouched, and the proxy saves in others: {PAGE}"
        )),
        _ => {}
    }
}
