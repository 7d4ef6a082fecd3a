//! `wire-proxy init AGENT --hook`: the hook in an agent's settings, or as a file of its own.

use std::fs;
use std::io::{ErrorKind, Write};
use std::ops::Range;
use std::path::Path;

use jsonc_parser::ast::{Array, Object, ObjectProp, Value};

use crate::agents::Agent;
use crate::failure::{Failure, print};
use crate::init::edit::has_comment;
use crate::init::is_proxy;
use crate::init::json::{parsed, range, without};
use crate::init::options::Init;
use crate::init::server::{quoted, spliced};
use crate::options::replace::{replace, undo};
use crate::text::in_shell;

/// Seconds after which Claude Code and Copilot CLI take the output as it came.
const SECONDS: u32 = 5;
const HOOKS: &str = "hooks";

/// What becomes of a file.
#[derive(Debug, PartialEq, Eq)]
enum Change {
    Nothing,
    /// The new text, and the part that is put in or taken out.
    Text(String, String),
    /// Nothing of the user's is left in it.
    Removed,
}

/// Shows the change of an agent's files, or makes it.
pub(crate) fn install(options: &Init, program: &str) -> Result<u8, Failure> {
    let agent = options.client;
    let Some(hook) = &agent.row().hook else {
        let name = &agent.row().name;
        let others: Vec<&str> = Agent::hooked().map(|agent| &*agent.row().name).collect();
        return Err(Failure::Usage(format!(
            "{name} has no hook that replaces the output of a tool; expected one of: {}",
            others.join(", ")
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
    let change = match &*agent.row().name {
        name @ ("opencode" | "cline") => own_plugin(name, text, program, options.undo),
        name if options.undo => removed(place(name), text),
        name => inserted(place(name), text, program),
    };
    let change = change.map_err(failed)?;
    let name = path.display();
    let said = match &change {
        Change::Nothing => format!("{name}: nothing to change\n"),
        _ if options.write => {
            let said = written(&path, old.as_deref(), &change, options);
            format!("{name}: {}\n", said.map_err(|error| failed(error.to_string()))?)
        }
        Change::Text(_, part) => {
            let mark = if options.undo { '-' } else { '+' };
            let part = part.replace('\n', &format!("\n{mark} "));
            format!("{name}\n{mark} {}\n\n--write makes this change.\n", part.trim_end())
        }
        Change::Removed => format!("{name} would be removed.\n\n--write makes this change.\n"),
    };
    print(said.as_bytes())
}

/// Makes a change, and says what was done.
fn written(
    path: &Path,
    old: Option<&str>,
    change: &Change,
    options: &Init,
) -> std::io::Result<String> {
    let (old, new) = match (old, change) {
        (_, Change::Nothing) => return Ok("nothing to change".to_owned()),
        (None, Change::Removed) => return Ok("there is no file".to_owned()),
        (Some(old), Change::Removed) => {
            return Ok(format!("removed; a copy is {}", undo(path, old, None)?.display()));
        }
        (old, Change::Text(new, _)) => (old, new),
    };
    let Some(old) = old else {
        fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
        fs::File::create_new(path)?.write_all(new.as_bytes())?;
        return Ok("written".to_owned());
    };
    if options.undo {
        return Ok(format!(
            "changed; a copy with the hook is {}",
            undo(path, old, Some(new))?.display()
        ));
    }
    Ok(format!("changed; without the proxy it is {}", replace(path, old, new)?.display()))
}

/// A plugin, which is a file of its own.
fn own_plugin(agent: &str, old: &str, program: &str, undo: bool) -> Result<Change, String> {
    let code =
        if agent == "opencode" { include_str!("opencode.js") } else { include_str!("cline.js") };
    // Ours with any program; what somebody changed in it is theirs.
    let own =
        old.split_once("const COMMAND = [").and_then(|(_, rest)| rest.split_once(", \"hook\""));
    let own = own.and_then(|(program, _)| serde_json::from_str::<String>(program).ok());
    let is_ours = own.is_some_and(|own| is_proxy(&own) && plugin(&own, agent, code) == old);
    if !old.is_empty() && !is_ours {
        return Err("it is not as wire-proxy writes it, so it stays; remove it by hand".to_owned());
    }
    let new = plugin(program, agent, code);
    Ok(match undo {
        true if old.is_empty() => Change::Nothing,
        true => Change::Removed,
        false if new == old => Change::Nothing,
        false => Change::Text(new.clone(), new),
    })
}

fn plugin(program: &str, agent: &str, code: &str) -> String {
    let text = include_str!("plugin.js").replace("AGENT", agent);
    text.replacen("\"wire-proxy\"", &quoted(program), 1) + "\n" + code
}

/// Where an agent's settings have the hook, and how it is written there.
struct Place {
    agent: &'static str,
    event: &'static str,
    /// A new file before the hook is put into it. Nobody else writes its spaces.
    empty: &'static str,
    /// The members of our hook, of which the first has the command.
    members: [&'static str; 3],
    /// The tools whose outputs the hook is handed, if hooks are in entries with a matcher, which has
    /// to match the whole name.
    matcher: Option<&'static str>,
}

const PLACES: [Place; 2] = [
    Place {
        agent: "claude-code",
        event: "PostToolUse",
        empty: "{ }\n",
        members: ["command", "type", "timeout"],
        matcher: Some("mcp__.*|Bash"),
    },
    Place {
        agent: "copilot",
        event: "postToolUse",
        empty: "{\n  \"version\": 1\n}\n",
        members: ["bash", "type", "timeoutSec"],
        matcher: None,
    },
];

fn place(agent: &str) -> &'static Place {
    PLACES.iter().find(|place| place.agent == agent).expect("because its hook is in settings")
}

/// The command of a hook for a shell.
fn command(program: &str, agent: &str) -> String {
    format!("{} hook {agent}", in_shell(program))
}

impl Place {
    /// The hook as it is written.
    fn hook(&self, program: &str) -> String {
        let [command_name, kind, timeout] = self.members;
        let hook = format!(
            "{{ \"{kind}\": \"command\", \"{command_name}\": {}, \"{timeout}\": {SECONDS} }}",
            quoted(&command(program, self.agent))
        );
        match self.matcher {
            Some(matcher) => format!("{{ \"matcher\": {}, \"hooks\": [{hook}] }}", quoted(matcher)),
            None => hook,
        }
    }

    /// Returns `true` if a hook's command is the proxy, and no other command besides.
    fn is_ours(&self, hook: &Value<'_>) -> bool {
        let command = hook.as_object().and_then(|hook| hook.get_string(self.members[0]));
        command.is_some_and(|command| {
            let Some((program, options)) =
                command.value.split_once(&format!(" hook {}", self.agent))
            else {
                return false;
            };
            let inside = |quote: char| program.strip_prefix(quote)?.strip_suffix(quote);
            let is_one = match inside('\'').or_else(|| inside('"')) {
                // A quote in it, as `in_shell` writes it.
                Some(inside) => !inside.replace(r"'\''", "").contains(['\'', '"', '$', '`']),
                None => !program.contains(char::is_whitespace),
            };
            let is_end = options.is_empty() || options.starts_with(' ');
            let others = [';', '&', '|', '<', '>', '$', '`', '(', '#', '\n'];
            let is_alone = is_end && !options.contains(others);
            is_one && is_alone && is_proxy(program.trim_matches(['\'', '"']))
        })
    }

    /// The index of our hook, or of the entry with it and the index in that.
    fn find(&self, event: &Array<'_>) -> Option<(usize, Option<usize>)> {
        event.elements.iter().enumerate().find_map(|(at, element)| {
            if self.matcher.is_none() {
                return self.is_ours(element).then_some((at, None));
            }
            let hooks = element.as_object()?.get_array("hooks")?;
            let inside = hooks.elements.iter().position(|hook| self.is_ours(hook))?;
            Some((at, Some(inside)))
        })
    }

    /// Checks that a hook has nothing that we did not write.
    fn check(&self, hook: &Value<'_>) -> Result<(), String> {
        let members = hook.as_object().map(|hook| &hook.properties).into_iter().flatten();
        let other = members.map(|own| own.name.as_str()).find(|name| !self.members.contains(name));
        match other {
            Some(name) => Err(format!(
                "the hook has a member {name:?}, which would be lost; remove it by hand"
            )),
            None => Ok(()),
        }
    }
}

/// The settings with the hook.
fn inserted(place: &Place, old: &str, program: &str) -> Result<Change, String> {
    let text = if old.is_empty() { place.empty } else { old };
    let parsed = parsed(text)?;
    let root = parsed.value.as_ref().and_then(Value::as_object).ok_or("expected an object")?;
    let hook = place.hook(program);
    let event = format!("\"{}\": [ {hook} ]", place.event);
    let (container, items, new) = match root.get(HOOKS).map(|hooks| &hooks.value) {
        None => (range(root), properties(root), format!("\"{HOOKS}\": {{ {event} }}")),
        Some(Value::Object(hooks)) => match hooks.get(place.event).map(|event| &event.value) {
            None => (range(hooks), properties(hooks), event),
            Some(Value::Array(event)) if place.find(event).is_some() => return Ok(Change::Nothing),
            Some(Value::Array(event)) => (range(event), elements(event), hook),
            Some(_) => return Err(format!("expected a list {HOOKS}.{}", place.event)),
        },
        Some(_) => return Err(format!("expected an object {HOOKS}")),
    };
    let (before, rest) = text.split_at(container.start + 1);
    let changed = match items.first() {
        None => format!("{before}{new}{rest}"),
        Some(_) => {
            let space = &rest[..rest.len() - rest.trim_start().len()];
            format!("{before}{space}{new},{rest}")
        }
    };
    Ok(Change::Text(changed, new))
}

/// The settings without the hook: what was put in goes, and nothing else.
fn removed(place: &Place, text: &str) -> Result<Change, String> {
    if text.is_empty() {
        return Ok(Change::Nothing);
    }
    let parsed = parsed(text)?;
    let found = parsed.value.as_ref().and_then(Value::as_object).and_then(|root| {
        let hooks = root.get_object(HOOKS)?;
        let event = hooks.get_array(place.event)?;
        Some((root, hooks, event, place.find(event)?))
    });
    let Some((root, hooks, event, (at, inside))) = found else { return Ok(Change::Nothing) };
    let without_comment = |range: Range<usize>| {
        let has_one = has_comment(&text[range.clone()], &["//", "/*"]);
        let why = "a comment stands inside of the hook; take it out, or remove the hook by hand";
        if has_one { Err(why.to_owned()) } else { Ok(range) }
    };
    let (cut, what) = match inside.zip(event.elements[at].as_object()) {
        Some((inside, entry)) => {
            let list = entry.get_array("hooks").ok_or("expected a list of hooks")?;
            place.check(&list.elements[inside])?;
            let is_bare = |own: &ObjectProp<'_>| matches!(own.name.as_str(), "matcher" | "hooks");
            if list.elements.len() > 1 || !entry.properties.iter().all(is_bare) {
                // Somebody put another hook beside it, or more into its entry.
                let cut = without(text, &elements(list), &[inside]);
                let hook = text[without_comment(range(&list.elements[inside]))?].to_owned();
                return Ok(Change::Text(spliced(text, cut), hook));
            }
            (at, without_comment(range(&event.elements[at]))?)
        }
        None => {
            place.check(&event.elements[at])?;
            (at, without_comment(range(&event.elements[at]))?)
        }
    };
    let position = |object: &Object<'_>, name: &str| {
        object.properties.iter().position(|own| own.name.as_str() == name).unwrap_or_default()
    };
    // What was added around it has spaces that nobody else writes there.
    let is_added = |container: Range<usize>, item: &Range<usize>, (open, close): (&str, &str)| {
        text[container.start..item.start] == *open && text[item.end..container.end] == *close
    };
    let in_hooks = position(hooks, place.event);
    let (edits, range) = if !is_added(range(event), &what, ("[ ", " ]")) {
        (without(text, &elements(event), &[cut]), what)
    } else if !is_added(range(hooks), &properties(hooks)[in_hooks], ("{ ", " }")) {
        (without(text, &properties(hooks), &[in_hooks]), properties(hooks)[in_hooks].clone())
    } else {
        let at = position(root, HOOKS);
        (without(text, &properties(root), &[at]), properties(root)[at].clone())
    };
    let new = spliced(text, edits);
    if new == place.empty {
        return Ok(Change::Removed);
    }
    Ok(Change::Text(new, text[range].to_owned()))
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

    #[test]
    fn paths_are_quoted_for_a_shell() {
        let command = command("/opt/it's here/wire-proxy", "claude-code");
        assert_eq!(command, r"'/opt/it'\''s here/wire-proxy' hook claude-code");
        let is_ours = |command: &str| {
            let hook = format!(r#"{{"command": {}}}"#, quoted(command));
            place("claude-code").is_ours(parsed(&hook).unwrap().value.as_ref().unwrap())
        };
        assert!(is_ours(&command) && is_ours("wire-proxy hook claude-code --stats a.jsonl"));
        assert!(!is_ours("other hook claude-code") && !is_ours("wire-proxy try"));
        for others in [
            "wire-proxy hook claude-code && ./audit.sh",
            "./log.sh; /usr/bin/wire-proxy hook claude-code",
            "wire-proxy hook claude-code | tee /tmp/x",
            "'./log.sh'; '/usr/bin/wire-proxy' hook claude-code",
            "/srv/run /x/wire-proxy hook claude-code",
        ] {
            assert!(!is_ours(others), "{others}");
        }
    }
}
