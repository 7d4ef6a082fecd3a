//! `wire-proxy init AGENT --hook`: the hook in an agent's settings, or as a file of its own.

use std::fs;
use std::io::{ErrorKind, Write};
use std::ops::Range;
use std::path::Path;

use jsonc_parser::ast::{Array, Object, Value};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use similar::TextDiff;

use crate::failure::Failure;
use crate::init::json::range;
use crate::init::options::Init;
use crate::init::server::quoted;
use crate::init::{is_proxy, replace};

/// The tools whose outputs Claude Code hands to the hook; a matcher has to match the whole name.
const MATCHER: &str = "mcp__.*|Bash";
/// Seconds after which Claude Code and Copilot CLI take the output as it came.
const SECONDS: u32 = 5;
const HOOKS: &str = "hooks";
const EVENT: &str = "PostToolUse";
/// A new file of settings before the hook is put into it. Nobody else writes the space.
const EMPTY: &str = "{ }\n";

/// Shows the change of an agent's files, or makes it.
pub(crate) fn install(options: &Init, program: &str) -> Result<u8, Failure> {
    let agent = options.client;
    let Some(hook) = &agent.row().hook else {
        let name = &agent.row().name;
        return Err(Failure::Usage(format!(
            "{name} has no hook that replaces the output of a tool; claude-code, copilot, opencode and cline have one"
        )));
    };
    let path = match &options.file {
        Some(path) => path.clone(),
        None => hook.file().ok_or_else(|| {
            Failure::Usage("there is no home folder; name the file with --file".to_owned())
        })?,
    };
    let failed = |error: String| Failure::Io(format!("{}: {error}", path.display()));
    let old = match fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(failed(error.to_string())),
    };
    let text = old.as_deref().unwrap_or_default();
    let new = match &*agent.row().name {
        "claude-code" => settings(text, program, options.undo),
        name => own_file(name, text, program, options.undo),
    };
    let new = new.map_err(failed)?;
    let name = path.display();
    if new == text {
        println!("{name}: nothing to change");
    } else if options.write {
        println!(
            "{name}: {}",
            written(&path, old.as_deref(), &new).map_err(|error| failed(error.to_string()))?
        );
    } else {
        let name = name.to_string();
        print!("{}", TextDiff::from_lines(text, &new).unified_diff().header(&name, &name));
        println!("\n--write makes this change.");
    }
    Ok(0)
}

/// Writes a file, replaces it with a backup, or removes it, and says so.
fn written(path: &Path, old: Option<&str>, new: &str) -> std::io::Result<String> {
    let Some(old) = old else {
        fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
        fs::File::create_new(path)?.write_all(new.as_bytes())?;
        return Ok("written".to_owned());
    };
    if new.is_empty() {
        fs::remove_file(path)?;
        return Ok("removed".to_owned());
    }
    let backup = replace(path, old, new)?;
    Ok(format!("changed; the old file is {}", backup.display()))
}

/// A file that is all ours; empty to remove it.
fn own_file(agent: &str, old: &str, program: &str, undo: bool) -> Result<String, String> {
    let new = match agent {
        "copilot" => format!(
            "{{\n  \"version\": 1,\n  \"hooks\": {{ \"postToolUse\": [{{ \"type\": \"command\", \"bash\": {}, \"timeoutSec\": {SECONDS} }}] }}\n}}\n",
            quoted(&command(program, "copilot"))
        ),
        "opencode" => plugin(program, "opencode", include_str!("opencode.js")),
        _ => plugin(program, "cline", include_str!("cline.js")),
    };
    let is_ours = old.is_empty() || old.contains("wire-proxy") && old.contains("hook");
    if !is_ours {
        return Err("it was not written by wire-proxy".to_owned());
    }
    Ok(if undo { String::new() } else { new })
}

fn plugin(program: &str, agent: &str, code: &str) -> String {
    let text = include_str!("plugin.js").replace("AGENT", agent);
    text.replacen("\"wire-proxy\"", &quoted(program), 1) + "\n" + code
}

/// The command of a hook for a shell.
fn command(program: &str, agent: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/\\.:_-".contains(c);
    if program.chars().all(is_plain) {
        return format!("{program} hook {agent}");
    }
    format!("'{}' hook {agent}", program.replace('\'', r"'\''"))
}

/// Returns `true` if a command of a hook is the proxy.
fn is_ours(command: &str) -> bool {
    let program = command.split_once(" hook claude-code").map(|(program, _)| program);
    program.is_some_and(|program| is_proxy(program.trim_matches(['\'', '"'])))
}

/// The settings of Claude Code with the hook, or without it; empty to remove the file.
fn settings(old: &str, program: &str, undo: bool) -> Result<String, String> {
    if undo {
        let new = removed(old)?;
        return Ok(if new == EMPTY { String::new() } else { new });
    }
    inserted(if old.is_empty() { EMPTY } else { old }, program)
}

fn inserted(text: &str, program: &str) -> Result<String, String> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default());
    let parsed = parsed.map_err(|error| error.to_string())?;
    let root = parsed.value.as_ref().and_then(Value::as_object).ok_or("expected an object")?;
    let hook = format!(
        "{{ \"matcher\": {}, \"hooks\": [{{ \"type\": \"command\", \"command\": {}, \"timeout\": {SECONDS} }}] }}",
        quoted(MATCHER),
        quoted(&command(program, "claude-code"))
    );
    let event = format!("\"{EVENT}\": [ {hook} ]");
    let (container, items, new) = match root.get(HOOKS).map(|hooks| &hooks.value) {
        None => (range(root), properties(root), format!("\"{HOOKS}\": {{ {event} }}")),
        Some(Value::Object(hooks)) => match hooks.get(EVENT).map(|event| &event.value) {
            None => (range(hooks), properties(hooks), event),
            Some(Value::Array(event)) if ours(event).is_some() => return Ok(text.to_owned()),
            Some(Value::Array(event)) => (range(event), elements(event), hook),
            Some(_) => return Err(format!("expected a list {HOOKS}.{EVENT}")),
        },
        Some(_) => return Err(format!("expected an object {HOOKS}")),
    };
    let at = container.start + 1;
    let (before, rest) = text.split_at(at);
    Ok(match items.first() {
        None => format!("{before}{new}{rest}"),
        Some(_) => {
            let space = &rest[..rest.len() - rest.trim_start().len()];
            format!("{before}{space}{new},{rest}")
        }
    })
}

fn removed(text: &str) -> Result<String, String> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default());
    let parsed = parsed.map_err(|error| error.to_string())?;
    let Some(root) = parsed.value.as_ref().and_then(Value::as_object) else {
        return Ok(text.to_owned());
    };
    let hooks = root.get_object(HOOKS);
    let event = hooks.and_then(|hooks| hooks.get_array(EVENT));
    let (Some(hooks), Some(event)) = (hooks, event) else { return Ok(text.to_owned()) };
    let Some(at) = ours(event) else { return Ok(text.to_owned()) };
    let hook = elements(event)[at].clone();
    // What was added around it has spaces that nobody else writes there.
    let is_added = |container: Range<usize>, item: &Range<usize>, (open, close): (&str, &str)| {
        text[container.start..item.start] == *open && text[item.end..container.end] == *close
    };
    if !is_added(range(event), &hook, ("[ ", " ]")) {
        return Ok(without(text, &range(event), &elements(event), at));
    }
    let at = |object: &Object<'_>, name: &str| {
        object.properties.iter().position(|own| own.name.as_str() == name)
    };
    let in_hooks = at(hooks, EVENT).unwrap_or_default();
    if !is_added(range(hooks), &properties(hooks)[in_hooks], ("{ ", " }")) {
        return Ok(without(text, &range(hooks), &properties(hooks), in_hooks));
    }
    Ok(without(text, &range(root), &properties(root), at(root, HOOKS).unwrap_or_default()))
}

/// The index of our hook.
fn ours(event: &Array<'_>) -> Option<usize> {
    let is_own = |hook: &Value<'_>| {
        let command = hook.as_object().and_then(|hook| hook.get_string("command"));
        command.is_some_and(|command| is_ours(&command.value))
    };
    event.elements.iter().position(|element| {
        let hooks = element.as_object().and_then(|element| element.get_array("hooks"));
        hooks.is_some_and(|hooks| hooks.elements.iter().any(is_own))
    })
}

/// The text without an item of an object or a list, and without the comma that came with it.
fn without(text: &str, container: &Range<usize>, items: &[Range<usize>], at: usize) -> String {
    let item = &items[at];
    let cut = if at > 0 {
        items[at - 1].end..item.end
    } else if items.len() > 1 {
        let comma = text[item.end..].find(',').map_or(item.end, |comma| item.end + comma + 1);
        container.start + 1..comma
    } else {
        item.clone()
    };
    format!("{}{}", &text[..cut.start], &text[cut.end..])
}

fn properties(object: &Object<'_>) -> Vec<Range<usize>> {
    object.properties.iter().map(range).collect()
}

fn elements(array: &Array<'_>) -> Vec<Range<usize>> {
    array.elements.iter().map(range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = r#"{ "matcher": "mcp__.*|Bash", "hooks": [{ "type": "command", "command": "wire-proxy hook claude-code", "timeout": 5 }] }"#;

    #[test]
    fn every_byte_comes_back() {
        for (before, after) in [
            ("", r#"{"hooks": { "PostToolUse": [ ENTRY ] } }"#.to_owned() + "\n"),
            ("{}", r#"{"hooks": { "PostToolUse": [ ENTRY ] }}"#.to_owned()),
            (
                "{\n  \"model\": \"opus\"\n}\n",
                "{\n  \"hooks\": { \"PostToolUse\": [ ENTRY ] },\n  \"model\": \"opus\"\n}\n".to_owned(),
            ),
            (r#"{"hooks":{}}"#, r#"{"hooks":{"PostToolUse": [ ENTRY ]}}"#.to_owned()),
            (
                "{\"hooks\": {\n\t\"Stop\": [] }, \"a\": 1,}",
                "{\"hooks\": {\n\t\"PostToolUse\": [ ENTRY ],\n\t\"Stop\": [] }, \"a\": 1,}".to_owned(),
            ),
            (r#"{"hooks": {"PostToolUse": []}}"#, r#"{"hooks": {"PostToolUse": [ENTRY]}}"#.to_owned()),
            (
                "{\"hooks\": {\"PostToolUse\": [\n  {\"matcher\": \"Edit\", \"hooks\": []} // mine\n]}}",
                "{\"hooks\": {\"PostToolUse\": [\n  ENTRY,\n  {\"matcher\": \"Edit\", \"hooks\": []} // mine\n]}}".to_owned(),
            ),
        ] {
            let new = settings(before, "wire-proxy", false).unwrap();
            assert_eq!(new, after.replace("ENTRY", ENTRY), "{before}");
            assert_eq!(settings(&new, "wire-proxy", false).unwrap(), new);
            assert_eq!(settings(&new, "wire-proxy", true).unwrap(), before);
        }
    }

    #[test]
    fn a_hook_that_was_moved_is_found() {
        let text = format!(r#"{{"hooks":{{"PostToolUse":[{{"hooks":[]}}, {ENTRY}]}}}}"#);
        assert_eq!(removed(&text).unwrap(), r#"{"hooks":{"PostToolUse":[{"hooks":[]}]}}"#);
        for text in ["{}", "[]", r#"{"hooks":{"PostToolUse":[{"hooks":[{"command":"other"}]}]}}"#] {
            assert_eq!(removed(text).unwrap(), text);
        }
        for text in ["{", "[]", r#"{"hooks":[]}"#, r#"{"hooks":{"PostToolUse":{}}}"#] {
            assert!(settings(text, "wire-proxy", false).is_err(), "{text}");
        }
    }

    #[test]
    fn paths_are_quoted_for_a_shell() {
        let command = command("/opt/it's here/wire-proxy", "claude-code");
        assert_eq!(command, r"'/opt/it'\''s here/wire-proxy' hook claude-code");
        assert!(is_ours(&command) && is_ours("wire-proxy hook claude-code --stats a.jsonl"));
        assert!(!is_ours("other hook claude-code") && !is_ours("wire-proxy try"));
    }

    #[test]
    fn a_file_of_its_own_goes_as_it_came() {
        for agent in ["copilot", "opencode", "cline"] {
            let new = own_file(agent, "", "/a b/wire-proxy", false).unwrap();
            assert!(new.contains("/a b/wire-proxy") && new.contains("hook"), "{new}");
            assert_eq!(own_file(agent, &new, "wire-proxy", true).unwrap(), "");
            assert!(own_file(agent, "mine", "wire-proxy", true).is_err());
        }
    }
}
