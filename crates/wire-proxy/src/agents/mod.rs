//! The agents that are known, a row each in `agents.json`: names, configuration, hook and sessions.
//! What an agent shows of a server's results is in the table of wire-mcp.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::Deserialize;
use wire_mcp::{Clients, Shows};

/// A row.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    pub(crate) name: String,
    /// A name that it gives in `clientInfo`, as the table of wire-mcp has it.
    pub(crate) client: String,
    /// `true` if it is made to run models of the user's machine, too, by its documentation.
    #[serde(default)]
    pub(crate) takes_local_models: bool,
    pub(crate) config: Option<Config>,
    pub(crate) hook: Option<Hook>,
    pub(crate) sessions: Option<Sessions>,
}

/// Its configuration of servers, by its documentation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    help: String,
    pub(crate) syntax: Syntax,
    /// The paths of the servers, by their names; the first path that exists is used. Version 2 of
    /// `OpenCode` has them one level deeper.
    pub(crate) servers: Vec<Vec<String>>,
    /// A further path of servers for the current folder, in which `claude mcp add` writes them by
    /// default: the parts before and after the path of the folder.
    of_folder: Option<(String, String)>,
    /// `true` if `command` has the arguments, too.
    #[serde(default)]
    pub(crate) is_command_a_list: bool,
    /// The type of streamable HTTP that the client writes [default: `http`].
    pub(crate) http_type: Option<String>,
    /// Members of a server with a URL that mean the same beside a command.
    #[serde(default)]
    pub(crate) harmless: Vec<String>,
    /// Files from the current folder.
    #[serde(default)]
    pub(crate) project: Vec<String>,
    home: Option<Home>,
    /// Files in that folder.
    #[serde(default)]
    pub(crate) user: Vec<String>,
    /// The policy that saves, for the page.
    #[cfg_attr(not(test), expect(dead_code))]
    pub(crate) structured: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Syntax {
    /// JSON, with comments and commas at the end.
    Json,
    Toml,
}

/// A hook that replaces the output of a tool, as observed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hook {
    help: String,
    /// The file of the project, if the hook is in settings.
    project: Option<PathBuf>,
    home: Home,
    /// The file in that folder.
    file: String,
    /// The version whose hooks were observed.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the page, which a test compares"))]
    observed: String,
    #[cfg_attr(not(test), expect(dead_code, reason = "as above"))]
    date: String,
    /// What it shows of the answer for a command.
    pub(crate) commands: Shows,
    /// The same for a tool of an MCP server.
    pub(crate) mcp: Shows,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sessions {
    home: Home,
    folders: Vec<String>,
}

/// A variable that names a folder, and what that folder is by default, from the home folder.
#[derive(Debug, Deserialize)]
struct Home(String, String);

impl Home {
    fn folder(&self) -> Option<PathBuf> {
        let named = Some(&self.0).filter(|variable| !variable.is_empty());
        let named = named.and_then(env::var_os).filter(|folder| !folder.is_empty());
        named.map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(&self.1)))
    }
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("agents.json")).expect("because a test reads it")
});

/// An agent, as the index of its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Agent(usize);

impl Agent {
    pub(crate) fn all() -> impl Iterator<Item = Agent> + Clone {
        (0..ROWS.len()).map(Agent)
    }

    /// The agents whose configurations are known.
    pub(crate) fn configured() -> impl Iterator<Item = Agent> + Clone {
        Agent::all().filter(|agent| agent.row().config.is_some())
    }

    /// The agents with a hook.
    pub(crate) fn hooked() -> impl Iterator<Item = Agent> + Clone {
        Agent::all().filter(|agent| agent.row().hook.is_some())
    }

    /// The agents whose sessions are read.
    pub(crate) fn read() -> impl Iterator<Item = Agent> + Clone {
        Agent::all().filter(|agent| agent.row().sessions.is_some())
    }

    pub(crate) fn named(name: &str) -> Option<Agent> {
        Agent::all().find(|agent| agent.row().name.eq_ignore_ascii_case(name))
    }

    /// One that is in the table.
    pub(crate) fn known(name: &str) -> Agent {
        Agent::named(name).expect("because a test finds it")
    }

    pub(crate) fn row(self) -> &'static Row {
        &ROWS[self.0]
    }

    pub(crate) fn is(self, name: &str) -> bool {
        self.row().name == name
    }

    /// What is known of it as a client.
    pub(crate) fn client(self) -> &'static wire_mcp::Client {
        let row = Clients::known().named(&self.row().client);
        row.expect("because a test looks it up")
    }

    pub(crate) fn title(self) -> &'static str {
        &self.client().title
    }

    /// What it shows of a server's results, and the version in which that was observed.
    pub(crate) fn shows(self) -> (&'static Shows, &'static str) {
        let shows = self.client().shows.as_ref().expect("because a test looks it up");
        (&shows.what, shows.observed.as_deref().unwrap_or_default())
    }

    /// The folders of its sessions that exist.
    pub(crate) fn folders(self) -> Vec<PathBuf> {
        let Some(Sessions { home, folders }) = &self.row().sessions else { return Vec::new() };
        let base = home.folder();
        let folders = folders.iter().filter_map(|folder| Some(base.as_deref()?.join(folder)));
        folders.filter(|folder| Path::is_dir(folder)).collect()
    }

    /// Reads the name of an agent that `init` knows.
    pub(crate) fn parser() -> impl TypedValueParser<Value = Agent> {
        let help = |agent: Agent| Some((&*agent.row().name, &*agent.row().config.as_ref()?.help));
        values(Agent::all().filter_map(help))
            .map(|name| Agent::named(&name).expect("because it is a value"))
    }
}

/// A name of an agent with a hook, or `test`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HookOf(pub(crate) Option<Agent>);

impl HookOf {
    pub(crate) fn parser() -> impl TypedValueParser<Value = HookOf> {
        let test = ("test", "An event of any agent: says what its answer would be, and why");
        let help = |agent: Agent| Some((&*agent.row().name, &*agent.row().hook.as_ref()?.help));
        values(Agent::all().filter_map(help).chain([test])).map(|name| HookOf(Agent::named(&name)))
    }
}

fn values(values: impl Iterator<Item = (&'static str, &'static str)>) -> PossibleValuesParser {
    values.map(|(name, help)| PossibleValue::new(name).help(help)).collect::<Vec<_>>().into()
}

impl Config {
    /// The path in the file to the servers of the current folder.
    pub(crate) fn servers_of_folder(&self) -> Option<[String; 3]> {
        let (before, after) = self.of_folder.as_ref()?;
        let folder = env::current_dir().ok()?.into_os_string().into_string().ok()?;
        let folder = if cfg!(windows) { folder.replace('\\', "/") } else { folder };
        Some([before.clone(), folder, after.clone()])
    }

    /// The first of its files in the current folder that exists, which may be a stranger's.
    pub(crate) fn project_file(&self) -> Option<PathBuf> {
        self.project.iter().map(PathBuf::from).find(|path| path.is_file())
    }

    /// The first of the user's files that exists.
    pub(crate) fn user_file(&self) -> Option<PathBuf> {
        self.user_files().find(|path| path.is_file())
    }

    fn user_files(&self) -> impl Iterator<Item = PathBuf> {
        let folder = self.home.as_ref().and_then(Home::folder);
        folder.into_iter().flat_map(|folder| self.user.iter().map(move |file| folder.join(file)))
    }

    /// Its file: that of the project, or else the user's.
    pub(crate) fn file(&self, name: &str) -> Result<PathBuf, String> {
        self.project_file().or_else(|| self.user_file()).ok_or_else(|| {
            let files = self.project.iter().map(PathBuf::from).chain(self.user_files());
            let files: Vec<String> = files.map(|path| path.display().to_string()).collect();
            format!(
                "{name} has no configuration here: expected {}; add a server to the client first, or name the file with --file",
                files.join(" or ")
            )
        })
    }
}

impl Hook {
    /// Its file: the project's settings if there are some, or else the user's.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        let project = self.project.clone().filter(|project| project.is_file());
        project.or_else(|| Some(self.home.folder()?.join(&self.file)))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::init::saving;

    #[test]
    fn every_agent_is_in_the_table_of_clients() {
        for agent in Agent::all() {
            assert!(!agent.title().is_empty(), "{agent:?}");
            assert!(agent.row().sessions.is_none() || !agent.shows().1.is_empty(), "{agent:?}");
        }
    }

    #[test]
    fn the_table_of_clients_says_which_policy_saves() {
        for (agent, Config { servers, project, user, structured, .. }) in
            Agent::configured().filter_map(|agent| Some((agent, agent.row().config.as_ref()?)))
        {
            let saving = saving(agent.client()).map(wire_mcp::Structured::name);
            assert_eq!(structured.as_deref(), saving);
            assert!(!servers.is_empty() && project.len() + user.len() > 0);
        }
    }

    #[test]
    fn the_page_names_the_observed_versions() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/hook.md");
        let page = fs::read_to_string(page).unwrap();
        for agent in Agent::hooked() {
            let Some(Hook { observed, date, .. }) = &agent.row().hook else { unreachable!() };
            let is_there = page.contains(observed) && page.contains(date);
            assert!(is_there, "{} {observed}, {date}", agent.title());
        }
    }
}
