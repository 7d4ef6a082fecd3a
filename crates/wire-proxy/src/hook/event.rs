//! What an agent gives a hook, and what it takes as an answer. All parts are slices of the event,
//! so that every other byte of an output stays.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use wire_mcp::Left;

use crate::agents::Agent;
use crate::hook::commands::Commands;

/// The version of what our plugins send.
const PLUGIN: u32 = 1;

/// Why an output is not changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The event is not read, or its output has another shape than was observed.
    Unknown(String),
    /// The event has more bytes than the limit.
    TooLarge(usize),
    /// The hook never touches the tool.
    Tool(String),
    /// The command is not one that lists JSON.
    Command(String),
    /// The command failed, or its output was cut.
    Failed,
    /// Its result, and why in words.
    Result(Left, String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Unknown(error) => {
                write!(f, "the event does not have the expected shape: {error}")
            }
            Reason::TooLarge(limit) => write!(f, "it has more than {limit} bytes"),
            Reason::Tool(tool) => write!(f, "{tool} is never touched"),
            Reason::Command(command) => write!(f, "not a command that lists JSON: {command}"),
            Reason::Failed => f.write_str("the command failed, or its output was cut"),
            Reason::Result(_, why) => f.write_str(why),
        }
    }
}

impl From<serde_json::Error> for Reason {
    fn from(error: serde_json::Error) -> Self {
        Reason::Unknown(error.to_string())
    }
}

/// An event with outputs that may be rewritten.
#[derive(Debug)]
pub(crate) struct Event<'e> {
    /// What the agent takes back, with texts before and after it.
    pub(crate) base: &'e str,
    pub(crate) around: (&'static str, &'static str),
    pub(crate) outputs: Vec<Output<'e>>,
    /// The arguments of the call, if it is one of a server's tool.
    pub(crate) mcp: Option<&'e str>,
}

/// An output of a tool, as a slice of the base.
#[derive(Debug)]
pub(crate) struct Output<'e> {
    /// The names that the tool may have.
    pub(crate) tools: Vec<String>,
    pub(crate) raw: &'e str,
    pub(crate) kind: Kind,
}

/// How an output becomes a result with content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A text in quotes.
    Text,
    /// A part of a text in quotes.
    InText,
    Blocks,
    Result,
}

impl Kind {
    /// What is around it in a result.
    pub(crate) fn around(self) -> (&'static str, &'static str) {
        match self {
            Kind::Text => (r#"{"content":[{"type":"text","text":"#, "}]}"),
            Kind::InText => (r#"{"content":[{"type":"text","text":""#, r#""}]}"#),
            Kind::Blocks => (r#"{"content":"#, "}"),
            Kind::Result => ("", ""),
        }
    }
}

/// How the events of an agent are read, and how one is made of a result in a session.
struct Reader {
    agent: &'static str,
    read: for<'e> fn(&'e str, &Commands) -> Result<Event<'e>, Reason>,
    made: fn(&Past<'_>) -> Option<Value>,
}

const READERS: [Reader; 4] = [
    Reader { agent: "claude-code", read: claude_code, made: |past| Some(made_claude_code(past)) },
    Reader { agent: "copilot", read: copilot, made: |past| Some(made_copilot(past)) },
    Reader { agent: "opencode", read: opencode, made: |past| Some(made_opencode(past)) },
    Reader { agent: "cline", read: cline, made: made_cline },
];

fn reader(agent: Agent) -> Option<&'static Reader> {
    READERS.iter().find(|reader| agent.is(reader.agent))
}

/// The outputs of an event.
pub(crate) fn read<'e>(
    agent: Agent,
    event: &'e str,
    commands: &Commands,
) -> Result<Event<'e>, Reason> {
    let reader = reader(agent).ok_or_else(|| {
        Reason::Unknown(format!("{} has no hook that replaces an output", agent.row().name))
    })?;
    (reader.read)(event, commands)
}

/// A result of a past session.
pub(crate) struct Past<'a> {
    /// The tool as the model knows it.
    pub(crate) tool: &'a str,
    /// `true` if it is a tool of a server.
    pub(crate) is_mcp: bool,
    /// The command that ran; empty if there was none.
    pub(crate) command: &'a str,
    /// The name and the text of an argument that names a data file.
    pub(crate) file: Option<&'a (String, String)>,
    /// All that the model saw.
    pub(crate) text: String,
    /// The text blocks of the server's result.
    pub(crate) blocks: Value,
    /// `true` if the model saw a text in place of the blocks.
    pub(crate) is_text: bool,
}

impl Past<'_> {
    /// The arguments of the call, as far as they decide.
    fn arguments(&self) -> Value {
        let command = ("command".to_owned(), self.command.to_owned());
        [command].into_iter().chain(self.file.cloned()).collect()
    }
}

/// The event that the agent would have given its hook; `None` if it has no hook, or would have given
/// none.
pub(crate) fn made(agent: Agent, past: &Past<'_>) -> Option<Value> {
    (reader(agent)?.made)(past)
}

/// The agent that this event is of.
pub(crate) fn agent(event: &str) -> Option<Agent> {
    #[derive(Deserialize)]
    struct Marks {
        agent: Option<String>,
        tool_response: Option<IgnoredAny>,
        #[serde(rename = "toolResult")]
        tool_result: Option<IgnoredAny>,
    }
    let marks: Marks = serde_json::from_str(event).ok()?;
    let claude_code = marks.tool_response.map(|_| "claude-code".to_owned());
    let copilot = marks.tool_result.map(|_| "copilot".to_owned());
    Agent::named(&marks.agent.or(claude_code).or(copilot)?)
}

/// The arguments of a command.
#[derive(Deserialize)]
struct Arguments<'e> {
    #[serde(borrow)]
    command: Cow<'e, str>,
}

fn lists(commands: &Commands, arguments: &RawValue) -> Result<(), Reason> {
    let Arguments { command } = serde_json::from_str(arguments.get())?;
    if commands.list(&command) { Ok(()) } else { Err(Reason::Command(command.into_owned())) }
}

/// The names that a tool of a server may have: all that follows a separator.
fn names(tool: &str, separator: &str) -> Vec<String> {
    tool.match_indices(separator)
        .map(|(at, _)| tool[at + separator.len()..].to_owned())
        .filter(|name| !name.is_empty())
        .collect()
}

#[derive(Deserialize)]
struct ClaudeCode<'e> {
    #[serde(borrow)]
    hook_event_name: Cow<'e, str>,
    #[serde(borrow)]
    tool_name: Cow<'e, str>,
    #[serde(borrow)]
    tool_input: &'e RawValue,
    #[serde(borrow)]
    tool_response: &'e RawValue,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Bash<'e> {
    #[serde(borrow)]
    stdout: &'e RawValue,
    #[serde(borrow)]
    #[expect(dead_code, reason = "it stays")]
    stderr: &'e RawValue,
    interrupted: bool,
    is_image: bool,
    #[expect(dead_code, reason = "it stays")]
    no_output_expected: Option<bool>,
}

fn claude_code<'e>(event: &'e str, commands: &Commands) -> Result<Event<'e>, Reason> {
    let event: ClaudeCode<'e> = serde_json::from_str(event)?;
    if event.hook_event_name != "PostToolUse" {
        return Err(Reason::Unknown(format!("{:?} is not PostToolUse", event.hook_event_name)));
    }
    let base = event.tool_response.get();
    let server_tool = event.tool_name.strip_prefix("mcp__");
    let output = if let Some(name) = server_tool {
        let kind = match base.as_bytes().first() {
            Some(b'"') => Kind::Text,
            Some(b'[') => Kind::Blocks,
            _ => return Err(Reason::Unknown("neither a string nor a list".to_owned())),
        };
        Output { tools: names(name, "__"), raw: base, kind }
    } else {
        if event.tool_name != "Bash" {
            return Err(Reason::Tool(event.tool_name.into_owned()));
        }
        lists(commands, event.tool_input)?;
        let ran: Bash<'e> = serde_json::from_str(base)?;
        if ran.interrupted || ran.is_image {
            return Err(Reason::Failed);
        }
        Output { tools: vec!["Bash".to_owned()], raw: ran.stdout.get(), kind: Kind::Text }
    };
    let around =
        (r#"{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":"#, "}}");
    let mcp = server_tool.map(|_| event.tool_input.get());
    Ok(Event { base, around, outputs: vec![output], mcp })
}

fn made_claude_code(past: &Past<'_>) -> Value {
    let response = if !past.is_mcp {
        json!({"stdout": past.text, "stderr": "", "interrupted": false, "isImage": false})
    } else if past.is_text {
        json!(past.text)
    } else {
        past.blocks.clone()
    };
    json!({
        "hook_event_name": "PostToolUse", "tool_name": past.tool,
        "tool_input": past.arguments(), "tool_response": response
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "so the agent names them")]
struct Copilot<'e> {
    #[serde(borrow)]
    tool_name: Cow<'e, str>,
    #[serde(borrow)]
    tool_args: &'e RawValue,
    #[serde(borrow)]
    tool_result: CopilotResult<'e>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct CopilotResult<'e> {
    #[serde(borrow)]
    result_type: Cow<'e, str>,
    #[serde(borrow)]
    text_result_for_llm: &'e RawValue,
}

fn copilot<'e>(event: &'e str, commands: &Commands) -> Result<Event<'e>, Reason> {
    let event: Copilot<'e> = serde_json::from_str(event)?;
    let base = event.tool_result.text_result_for_llm.get();
    if event.tool_result.result_type != "success" {
        return Err(Reason::Failed);
    }
    // No tool of its own has such a name.
    let is_mcp = event.tool_name.contains('-');
    let output = if is_mcp {
        Output { tools: names(&event.tool_name, "-"), raw: base, kind: Kind::Text }
    } else {
        if event.tool_name != "bash" {
            return Err(Reason::Tool(event.tool_name.into_owned()));
        }
        lists(commands, event.tool_args)?;
        // The last line is the agent's own.
        let (raw, last) = base[1..].rsplit_once("\\n<shellId: ").ok_or(Reason::Failed)?;
        if !last.ends_with(" completed with exit code 0>\"") {
            return Err(Reason::Failed);
        }
        Output { tools: vec!["bash".to_owned()], raw, kind: Kind::InText }
    };
    let around = (r#"{"modifiedResult":{"resultType":"success","textResultForLlm":"#, "}}");
    let mcp = is_mcp.then(|| event.tool_args.get());
    Ok(Event { base, around, outputs: vec![output], mcp })
}

fn made_copilot(past: &Past<'_>) -> Value {
    let result = json!({"resultType": "success", "textResultForLlm": past.text});
    json!({"toolName": past.tool, "toolArgs": past.arguments(), "toolResult": result})
}

/// The events of our plugins.
#[derive(Deserialize)]
struct Plugin<'e> {
    version: u32,
    #[serde(borrow)]
    tool: Cow<'e, str>,
    #[serde(borrow)]
    args: &'e RawValue,
    #[serde(borrow)]
    output: &'e RawValue,
}

fn plugin(event: &str) -> Result<Plugin<'_>, Reason> {
    let plugin: Plugin<'_> = serde_json::from_str(event)?;
    if plugin.version == PLUGIN {
        return Ok(plugin);
    }
    Err(Reason::Unknown(format!("the plugin's version is {}, not {PLUGIN}", plugin.version)))
}

#[derive(Deserialize)]
struct OpencodeOutput<'e> {
    #[serde(borrow)]
    content: Option<&'e RawValue>,
    #[serde(borrow)]
    output: Option<&'e RawValue>,
    #[serde(borrow)]
    metadata: Option<&'e RawValue>,
}

#[derive(Deserialize)]
struct Metadata {
    exit: i64,
    truncated: bool,
}

fn opencode<'e>(event: &'e str, commands: &Commands) -> Result<Event<'e>, Reason> {
    let Plugin { tool, args, output, .. } = plugin(event)?;
    let base = output.get();
    let parts: OpencodeOutput<'e> = serde_json::from_str(base)?;
    // Only tools of servers have blocks.
    if parts.content.is_some() {
        let output = Output { tools: names(&tool, "_"), raw: base, kind: Kind::Result };
        let mcp = Some(args.get());
        return Ok(Event { base, around: ("", ""), outputs: vec![output], mcp });
    }
    if tool != "bash" {
        return Err(Reason::Tool(tool.into_owned()));
    }
    lists(commands, args)?;
    let (Some(text), Some(metadata)) = (parts.output, parts.metadata) else {
        return Err(Reason::Unknown("expected `output` and `metadata`".to_owned()));
    };
    let metadata: Metadata = serde_json::from_str(metadata.get())?;
    if metadata.exit != 0 || metadata.truncated {
        return Err(Reason::Failed);
    }
    let output = Output { tools: vec!["bash".to_owned()], raw: text.get(), kind: Kind::Text };
    let around = (r#"{"output":"#, "}");
    Ok(Event { base: text.get(), around, outputs: vec![output], mcp: None })
}

fn made_opencode(past: &Past<'_>) -> Value {
    let output = if past.is_mcp {
        json!({"content": past.blocks})
    } else {
        json!({"output": past.text, "metadata": {"exit": 0, "truncated": false}})
    };
    json!({"version": PLUGIN, "tool": past.tool, "args": past.arguments(), "output": output})
}

#[derive(Deserialize)]
struct ClineCommand<'e> {
    #[serde(borrow)]
    query: Cow<'e, str>,
    #[serde(borrow)]
    result: &'e RawValue,
    success: bool,
}

fn cline<'e>(event: &'e str, commands: &Commands) -> Result<Event<'e>, Reason> {
    let Plugin { tool, args, output, .. } = plugin(event)?;
    let base = output.get();
    let tools = names(&tool, "__");
    let is_mcp = !tools.is_empty();
    let outputs = if is_mcp {
        vec![Output { tools, raw: base, kind: Kind::Result }]
    } else {
        if tool != "run_commands" {
            return Err(Reason::Tool(tool.into_owned()));
        }
        let ran: Vec<ClineCommand<'e>> = serde_json::from_str(base)?;
        let listed: Vec<_> = ran.iter().filter(|ran| commands.list(&ran.query)).collect();
        if listed.is_empty() {
            let queries: Vec<&str> = ran.iter().map(|ran| &*ran.query).collect();
            return Err(Reason::Command(queries.join(", ")));
        }
        let output = |ran: &&ClineCommand<'e>| Output {
            tools: vec!["run_commands".to_owned()],
            raw: ran.result.get(),
            kind: Kind::Text,
        };
        listed.iter().filter(|ran| ran.success).map(output).collect()
    };
    if outputs.is_empty() {
        return Err(Reason::Failed);
    }
    let mcp = is_mcp.then(|| args.get());
    Ok(Event { base, around: (r#"{"output":"#, "}"), outputs, mcp })
}

fn made_cline(past: &Past<'_>) -> Option<Value> {
    let output: Value = serde_json::from_str(&past.text).ok()?;
    Some(json!({"version": PLUGIN, "tool": past.tool, "args": past.arguments(), "output": output}))
}
