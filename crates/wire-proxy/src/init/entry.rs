//! A server in a configuration.

use crate::options::remote::is_url;
use crate::text::printable;

pub(crate) struct Entry {
    pub(crate) name: String,
    /// The command and its arguments as they are written, with the proxy; the URL of one without.
    pub(crate) words: Vec<String>,
    /// The command without the proxy.
    pub(crate) command: Option<Vec<String>>,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) remote: Option<WithUrl>,
    pub(crate) is_off: bool,
}

/// Words of a command as people are shown them: without values of headers, variables and queries,
/// which may be secrets.
pub(crate) fn shown(words: &[String]) -> String {
    let one = |(at, word): (usize, &String)| {
        let before = at.checked_sub(1).map_or("", |at| &*words[at]);
        let before = if before.contains('=') { "" } else { before };
        let joined = word.split_once('=').filter(|_| word.starts_with('-'));
        let (option, value) = joined.unwrap_or((before, word));
        let kept = |mark: char| value.split_once(mark).map(|(name, _)| format!("{name}{mark}…"));
        let value_shown = match option {
            "--header" | "--headers" | "-H" => kept(':').or_else(|| kept('=')),
            "--env" | "-e" => kept('='),
            _ if word.starts_with("-H") && word.len() > 2 => Some("…".to_owned()),
            // The names of variables.
            "--header-env" | "--url-env" => None,
            option if is_secret(option) => Some("…".to_owned()),
            _ if is_url(value) => without_user(value).or_else(|| kept('?')),
            // A variable for a program, as `env` has it.
            _ if word.split_once('=').is_some_and(|(name, _)| is_variable(name)) => kept('='),
            _ => None,
        };
        value_shown.map_or_else(|| word.clone(), |text| word.replacen(value, &text, 1))
    };
    let words: Vec<String> = words.iter().enumerate().map(one).collect();
    printable(&words.join(" "))
}

/// A URL that has a user or a password in it, up to these.
fn without_user(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    host.contains('@').then(|| format!("{scheme}://…"))
}

fn is_variable(name: &str) -> bool {
    !name.is_empty()
        && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

/// Returns `true` if an option is named like one for a secret.
fn is_secret(option: &str) -> bool {
    let name = option.to_ascii_lowercase();
    option.starts_with('-')
        && ["auth", "bearer", "key", "pass", "secret", "token"]
            .iter()
            .any(|part| name.contains(part))
}

/// What an entry says of a server with a URL.
pub(crate) struct WithUrl {
    pub(crate) url: String,
    pub(crate) headers: Vec<(String, String)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_secret_is_shown() {
        for (command, expected) in [
            ("npx -y server --verbose", "npx -y server --verbose"),
            (
                "npx mcp-remote https://h/mcp?key=S --header Authorization:S",
                "npx mcp-remote https://h/mcp?… --header Authorization:…",
            ),
            ("docker run -e TOKEN=S --env=KEY=S image", "docker run -e TOKEN=… --env=KEY=… image"),
            (
                "s --api-key S --token=S --url=https://h/?S",
                "s --api-key … --token=… --url=https://h/?…",
            ),
            ("env TOKEN=S npx https://u:S@h/mcp", "env TOKEN=… npx https://…"),
            (
                "npx mcp-remote --header Authorization=S -HX:S",
                "npx mcp-remote --header Authorization=… …",
            ),
            ("supergateway --oauth2Bearer S", "supergateway --oauth2Bearer …"),
            (
                "wire-proxy --header-env Authorization=T --url-env U",
                "wire-proxy --header-env Authorization=T --url-env U",
            ),
        ] {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            assert_eq!(shown(&words), expected);
        }
    }
}
