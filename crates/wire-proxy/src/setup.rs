//! `wire-proxy init`: shows the change of a client's configuration, or makes it.

use similar::TextDiff;
use wire_mcp::{Clients, Code, View};

use crate::args::Init;
use crate::failure::Failure;
use crate::init::{Change, Direction, Syntax, file, is_proxy, json, replace, toml};

/// A byte order mark, which may begin a file.
const MARK: char = '\u{feff}';
/// The command of the proxy where it is on PATH.
const PROGRAM: &str = "wire-proxy";

/// Shows the change, or makes it.
pub(crate) fn run(options: &Init) -> Result<u8, Failure> {
    let shape = options.client.shape();
    let path = match &options.file {
        Some(path) => path.clone(),
        None => file(&shape, &options.client.name()).map_err(Failure::Usage)?,
    };
    let failed = |error: String| Failure::Io(format!("{}: {error}", path.display()));
    let whole = std::fs::read_to_string(&path).map_err(|error| failed(error.to_string()))?;
    let (mark, text) = whole.split_at(if whole.starts_with(MARK) { MARK.len_utf8() } else { 0 });
    let own: Vec<&str> =
        options.structured.iter().flat_map(|policy| ["--structured", policy.0.name()]).collect();
    let found = found();
    let program = options.program.as_ref().or(found.as_ref());
    let program = program.map_or(PROGRAM, String::as_str);
    let direction =
        if options.undo { Direction::Remove } else { Direction::Insert { program, options: &own } };
    let change = Change { direction, only: &options.server };
    let outcome = match shape.syntax {
        Syntax::Json => json::changed(text, &shape, &change),
        Syntax::Toml => toml::changed(text, &shape, &change),
    };
    let outcome = outcome.map_err(failed)?;
    if let Some(missing) = options.server.iter().find(|name| !outcome.has(name)) {
        return Err(Failure::Usage(format!("{}: there is no server {missing:?}", path.display())));
    }
    for (name, reason) in &outcome.left {
        eprintln!("wire-proxy: {name} stays as it is: {reason}");
    }
    if outcome.text == text {
        println!("{}: nothing to change", path.display());
        return Ok(0);
    }
    if !options.undo {
        advise(options);
        if options.program.is_none() && program != PROGRAM {
            eprintln!("wire-proxy: {PROGRAM} is not on PATH, so its whole path is the command");
        }
    }
    if options.write {
        let backup = replace(&path, &whole, &format!("{mark}{}", outcome.text))
            .map_err(|error| failed(error.to_string()))?;
        println!(
            "{}: {} changed; the old file is {}",
            path.display(),
            outcome.changed.join(", "),
            backup.display()
        );
        return Ok(0);
    }
    let name = path.display().to_string();
    print!("{}", TextDiff::from_lines(text, &*outcome.text).unified_diff().header(&name, &name));
    println!("\n--write makes this change.");
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

/// Says what follows from the table of clients (ruling M3), where the default saves little or
/// programs may read results.
fn advise(options: &Init) {
    const PAGE: &str = "https://github.com/wire-formats/wire/blob/main/docs/clients.md";
    let Some(client) = Clients::known().named(options.client.info_name()) else { return };
    let view = client.shows.as_ref().map(|shows| shows.what.view);
    let code = client.code.as_ref().map(|code| code.what);
    let title = &client.title;
    let field = match view {
        Some(View::Structured) => Some("structuredContent alone"),
        Some(View::Both) => Some("both fields of a result"),
        _ => None,
    };
    // Without `outputSchema` the programs of such a client lose their types.
    let is_advised = options.structured.is_none() && code != Some(Code::Marked);
    if let Some(field) = field.filter(|_| is_advised) {
        let policy = if client.auto_drops() { "auto" } else { "drop" };
        eprintln!(
            "wire-proxy: {title} shows the model {field}; `init --structured {policy}` saves there, too: {PAGE}"
        );
    }
    match code {
        Some(Code::Sometimes) => eprintln!(
            "wire-proxy: {title} has a mode in which programs call tools; if it is on, do not use the proxy: {PAGE}"
        ),
        Some(Code::Marked) => eprintln!(
            "wire-proxy: with most of its models, {title} lets programs call tools; the results of these calls pass untouched, and the proxy saves in others: {PAGE}"
        ),
        _ => {}
    }
}
