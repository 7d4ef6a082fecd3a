//! Which programs list JSON, each with its options as it reads them: joined to their values, before a
//! subcommand, or in variables of the environment.
//!
//! What prints the text of a file or of a member is no list, since a model may write it back.

use wire_mcp::is_data_file;

/// The words of a program: what stands alone, and its options with their values.
struct Words<'a> {
    alone: Vec<&'a str>,
    options: Vec<(&'a str, Option<&'a str>)>,
}

impl<'a> Words<'a> {
    /// Reads words; `valued` are the options that have a value, which may be the next word.
    fn read(words: &'a [String], valued: &[&str]) -> Self {
        let mut read = Words { alone: Vec::new(), options: Vec::new() };
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            if word == "--" {
                read.alone.extend(words);
                break;
            }
            if let Some((name, value)) = word.split_once('=').filter(|_| word.starts_with("--")) {
                read.options.push((name, Some(value)));
            } else if word.starts_with("--") {
                let value = if valued.contains(&word) { words.next() } else { None };
                read.options.push((word, value));
            } else if word.len() > 1 && word.starts_with('-') {
                read.short(&word[1..], valued, &mut words);
            } else {
                read.alone.push(word);
            }
        }
        read
    }

    /// Reads short options in one word, of which the last may have its value joined.
    fn short(
        &mut self,
        mut rest: &'a str,
        valued: &[&str],
        words: &mut impl Iterator<Item = &'a str>,
    ) {
        while let Some(c) = rest.chars().next() {
            let (name, after) = rest.split_at(c.len_utf8());
            rest = after;
            let is_valued = valued.iter().any(|own| own.strip_prefix('-') == Some(name));
            if is_valued {
                let joined = rest.strip_prefix('=').unwrap_or(rest);
                let value = if joined.is_empty() { words.next() } else { Some(joined) };
                self.options.push((name, value));
                return;
            }
            self.options.push((name, None));
        }
    }

    /// The last value of an option, by any of its names; short ones have no dash.
    fn value(&self, names: &[&str]) -> Option<&'a str> {
        let is_named = |(name, _): &&(&str, Option<&str>)| names.contains(name);
        self.options.iter().rfind(is_named).map(|(_, value)| value.unwrap_or_default())
    }

    fn has(&self, names: &[&str]) -> bool {
        self.value(names).is_some()
    }

    /// The word that stands alone at this index.
    fn at(&self, index: usize) -> &'a str {
        self.alone.get(index).copied().unwrap_or_default()
    }
}

/// Returns `true` if a program with these words lists JSON. `variable` looks up its environment.
pub(crate) fn lists(
    program: &str,
    words: &[String],
    variable: impl Fn(&str) -> Option<String>,
) -> bool {
    let is_json = |output: Option<String>| output.is_none_or(|output| output == "json");
    match program {
        "gh" => gh(&Words::read(words, GH)),
        "kubectl" => kubectl(&Words::read(words, KUBECTL)),
        "docker" => docker(&Words::read(words, DOCKER)),
        "npm" => {
            let words = Words::read(words, &["--prefix", "-w", "--workspace", "--depth", "--omit"]);
            let is_on = words.value(&["--json"]).is_some_and(|own| matches!(own, "" | "true"));
            is_on && matches!(words.at(0), "ls" | "list" | "ll" | "la")
        }
        "aws" => {
            let words = Words::read(words, AWS);
            let output = words.value(&["--output"]).map(str::to_owned);
            let is_of_a_file = |word: &&str| *word == "s3" || word.contains("get-object");
            let is_of_a_file = words.alone.is_empty() || words.alone.iter().any(is_of_a_file);
            !is_of_a_file && is_json(output.or_else(|| variable("AWS_DEFAULT_OUTPUT")))
        }
        "az" => {
            let words = Words::read(words, AZ);
            // argparse takes the beginning of a name for the name.
            let names = ["o", "--output", "--outpu", "--outp", "--out"];
            let output = words.value(&names).map(str::to_owned);
            let is_of_a_file = words.alone.iter().any(|word| word.starts_with("download"));
            let has_command = !words.at(0).is_empty();
            has_command
                && !is_of_a_file
                && is_json(output.or_else(|| variable("AZURE_CORE_OUTPUT")))
        }
        "cargo" => {
            let words = Words::read(words, &["--config", "-C", "-Z", "--color"]);
            words.alone.iter().find(|word| !word.starts_with('+')) == Some(&"metadata")
        }
        "curl" => curl(&Words::read(words, CURL)),
        _ => false,
    }
}

const GH: &[&str] = &[
    "-R",
    "--repo",
    "--hostname",
    "--json",
    "-q",
    "--jq",
    "-t",
    "--template",
    "-L",
    "--limit",
    "-S",
    "--search",
    "-l",
    "--label",
    "-a",
    "--assignee",
    "--author",
    "-A",
    "-B",
    "--base",
    "-H",
    "--head",
    "-s",
    "--state",
    "-m",
    "--milestone",
    "--owner",
    "-u",
    "--user",
    "-w",
    "--workflow",
    "-b",
    "--branch",
];

fn gh(words: &Words<'_>) -> bool {
    let is_other =
        words.has(&["q", "--jq", "t", "--template", "--raw"]) || words.alone.contains(&"gist");
    words.has(&["--json"]) && !is_other
}

const KUBECTL: &[&str] = &[
    "-n",
    "--namespace",
    "--context",
    "--cluster",
    "--user",
    "--kubeconfig",
    "-s",
    "--server",
    "--token",
    "--as",
    "--as-group",
    "--cache-dir",
    "--certificate-authority",
    "--client-certificate",
    "--client-key",
    "--request-timeout",
    "-v",
    "--v",
    "-o",
    "--output",
    "-l",
    "--selector",
    "--field-selector",
    "-f",
    "--filename",
    "-k",
    "--kustomize",
    "-c",
    "--container",
    "-L",
    "--label-columns",
    "--sort-by",
    "--subresource",
    "--tls-server-name",
    "--chunk-size",
];

fn kubectl(words: &Words<'_>) -> bool {
    const OTHERS: [&str; 8] =
        ["exec", "run", "attach", "cp", "debug", "logs", "proxy", "port-forward"];
    words.value(&["o", "--output"]) == Some("json")
        && !words.alone.iter().any(|word| OTHERS.contains(word))
}

const DOCKER: &[&str] = &[
    "--config",
    "-c",
    "--context",
    "-H",
    "--host",
    "-l",
    "--log-level",
    "--tlscacert",
    "--tlscert",
    "--tlskey",
    "--format",
    "-f",
    "--file",
    "--filter",
    "-n",
    "--last",
    "-p",
    "--project-name",
    "--profile",
    "--project-directory",
    "--env-file",
];

fn docker(words: &Words<'_>) -> bool {
    const OTHERS: [&str; 5] = ["exec", "run", "logs", "cp", "attach"];
    let is_json = words
        .value(&["--format"])
        .is_some_and(|format| format == "json" || format.trim_start().starts_with("{{json "));
    is_json && !words.alone.iter().take(3).any(|word| OTHERS.contains(word))
}

const AWS: &[&str] = &[
    "--endpoint-url",
    "--output",
    "--query",
    "--profile",
    "--region",
    "--color",
    "--ca-bundle",
    "--cli-read-timeout",
    "--cli-connect-timeout",
    "--cli-binary-format",
];

const AZ: &[&str] = &["-o", "--output", "--outpu", "--outp", "--out", "--query", "--subscription"];

const CURL: &[&str] = &[
    "-A",
    "-b",
    "-c",
    "-C",
    "-d",
    "-D",
    "-e",
    "-E",
    "-F",
    "-h",
    "-H",
    "-K",
    "-m",
    "-o",
    "-P",
    "-Q",
    "-r",
    "-t",
    "-T",
    "-u",
    "-U",
    "-w",
    "-x",
    "-X",
    "-y",
    "-Y",
    "-z",
    "--url",
    "--url-query",
    "--header",
    "--proxy-header",
    "--request",
    "--data",
    "--data-ascii",
    "--data-binary",
    "--data-raw",
    "--data-urlencode",
    "--json",
    "--form",
    "--form-string",
    "--user",
    "--user-agent",
    "--cookie",
    "--cookie-jar",
    "--referer",
    "--output",
    "--output-dir",
    "--write-out",
    "--upload-file",
    "--config",
    "--max-time",
    "--connect-timeout",
    "--connect-to",
    "--retry",
    "--retry-delay",
    "--retry-max-time",
    "--max-redirs",
    "--cacert",
    "--capath",
    "--cert",
    "--key",
    "--pass",
    "--proxy",
    "--proxy-user",
    "--resolve",
    "--unix-socket",
    "--interface",
    "--limit-rate",
    "--oauth2-bearer",
    "--range",
    "--ciphers",
    "--dump-header",
    "--stderr",
    "--trace",
    "--trace-ascii",
];

fn curl(words: &Words<'_>) -> bool {
    let writes = words.has(&["o", "--output", "O", "--remote-name", "--remote-name-all"]);
    let unknown = words.has(&["K", "--config", "--variable"]);
    let asks_raw = words.options.iter().any(|(name, value)| {
        let header = value.unwrap_or_default().to_ascii_lowercase();
        matches!(*name, "H" | "--header") && header.starts_with("accept:") && header.contains("raw")
    });
    let named = words.options.iter().filter(|(name, _)| *name == "--url");
    let urls: Vec<&str> =
        words.alone.iter().copied().chain(named.filter_map(|(_, value)| *value)).collect();
    // With -G they are a query.
    let is_query = words.has(&["G", "--get"]);
    let names_file = words.options.iter().any(|(name, value)| {
        let is_data = *name == "d" || name.starts_with("--data");
        let value = value.unwrap_or_default().rsplit('=').next().unwrap_or_default();
        (*name == "--url-query" || is_query && is_data) && is_data_file(value)
    });
    let is_file = names_file || urls.iter().any(|url| prints_file(url));
    !writes && !unknown && !asks_raw && !urls.is_empty() && !is_file
}

/// Returns `true` if a URL may be that of a file.
fn prints_file(url: &str) -> bool {
    let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
    if !matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https") {
        return true;
    }
    let rest = rest.split('#').next().unwrap_or_default().replace("%2E", ".").replace("%2e", ".");
    let (place, query) = rest.split_once('?').unwrap_or((&rest, ""));
    let (host, path) = place.split_once('/').unwrap_or((place, ""));
    let host = host.rsplit('@').next().unwrap_or_default().to_ascii_lowercase();
    let last = path.rsplit('/').next().unwrap_or_default();
    let has_letter_after_dot =
        last.as_bytes().windows(2).any(|pair| pair[0] == b'.' && pair[1].is_ascii_alphabetic());
    let is_file = if host.starts_with("api.") { is_data_file(last) } else { has_letter_after_dot };
    let values = query.split('&').map(|pair| pair.split_once('=').map_or(pair, |(_, value)| value));
    // What a variable holds is not known.
    is_file
        || place.starts_with('$')
        || last.starts_with('$')
        || last.contains(".$")
        || last.contains('{')
        || host.starts_with("raw.")
        || path.split('/').any(|segment| segment == "raw")
        || values.into_iter().any(is_data_file)
}
