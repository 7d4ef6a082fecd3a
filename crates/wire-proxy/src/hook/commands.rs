//! Which commands list JSON, so that their output may be rewritten (ruling H1).

use std::env;

use glob::Pattern;
use percent_encoding::percent_decode_str;
use wire_mcp::is_data_file;

/// The programs that are known, and a user's patterns after them.
#[derive(Debug)]
pub(crate) struct Commands(Vec<(bool, Pattern)>);

/// A program with its words, and the variables that are set for it.
struct Run<'w> {
    variables: Vec<(&'w str, &'w str)>,
    /// `None` if a program before it has options that are not known.
    words: Option<&'w [String]>,
}

impl Commands {
    /// Patterns of further commands, word by word; `*` is any text, and any words may follow. One
    /// with `!` before it excludes; the last one that matches decides.
    pub(crate) fn new<'p>(more: impl IntoIterator<Item = &'p str>) -> Self {
        let pattern = |text: &str| {
            let (includes, text) =
                text.strip_prefix('!').map_or((true, text), |text| (false, text));
            // Two are no more than one, and are only valid alone between slashes.
            let mut text = format!("{text} *");
            while text.contains("**") {
                text = text.replace("**", "*");
            }
            let pattern = Pattern::new(&text);
            (includes, pattern.expect("because patterns are checked where they are read"))
        };
        Commands(more.into_iter().map(pattern).collect())
    }

    /// Returns `true` if all that a command prints is JSON that is listed, or no text of a file.
    pub(crate) fn list(&self, command: &str) -> bool {
        let Some(pipelines) = pipelines(command) else { return false };
        let (mut exported, mut lists) = (Vec::new(), false);
        for pipeline in &pipelines {
            let [first, filters @ ..] = pipeline.as_slice() else { return false };
            let mut run = Run::of(first);
            let Some(words) = run.words else { return false };
            if filters.is_empty() && is_quiet(words) {
                let set = words.iter().filter_map(|word| word.split_once('='));
                exported.extend(run.variables.into_iter().chain(set));
                continue;
            }
            // A variable may hold options.
            let is_option = |word: &str| word.starts_with('-');
            let holds_options = |(_, value): &(&str, &str)| value.split_whitespace().any(is_option);
            if exported.iter().any(holds_options) && words.iter().any(|word| word.contains('$')) {
                return false;
            }
            run.variables.splice(..0, exported.iter().copied());
            if !(self.lists(&run) && filters.iter().all(|words| is_filter(words))) {
                return false;
            }
            lists = true;
        }
        lists
    }

    fn lists(&self, run: &Run<'_>) -> bool {
        let Some([program, words @ ..]) = run.words else { return false };
        let name = program.rsplit('/').next().unwrap_or(program);
        let rest = words.iter().map(|word| &**word);
        let line = [name].into_iter().chain(rest).collect::<Vec<&str>>().join(" ") + " ";
        if let Some((includes, _)) = self.0.iter().rfind(|(_, pattern)| pattern.matches(&line)) {
            return *includes;
        }
        program_lists(name, words, |variable| {
            let set = run.variables.iter().rfind(|(name, _)| *name == variable);
            set.map(|(_, value)| (*value).to_owned()).or_else(|| env::var(variable).ok())
        })
    }
}

impl<'w> Run<'w> {
    /// Reads through assignments, and through programs that run another one, if all of their
    /// options are known.
    fn of(mut words: &'w [String]) -> Self {
        let mut variables = Vec::new();
        loop {
            while let Some((first, rest)) = words.split_first()
                && let Some(pair) = assignment(first)
            {
                variables.push(pair);
                words = rest;
            }
            let Some((first, rest)) = words.split_first() else { break };
            // Its options without a value, those with one, and how many words stand before the
            // program.
            let (flags, valued, before): (&[&str], &[&str], usize) = match first.as_str() {
                "sudo" => (&["-n", "-E", "-H", "-S"], &["-u", "-g", "--user", "--group"], 0),
                "env" => (&["-i", "--ignore-environment"], &["-u", "--unset"], 0),
                "nice" => (&[], &["-n", "--adjustment"], 0),
                "time" => (&["-p"], &[], 0),
                "timeout" => {
                    let flags = &["--foreground", "--preserve-status", "-v", "--verbose"];
                    (flags, &["-s", "--signal", "-k", "--kill-after"], 1)
                }
                "command" => (&[], &[], 0),
                _ => break,
            };
            words = rest;
            while let Some((option, rest)) =
                words.split_first().filter(|(word, _)| word.starts_with('-'))
            {
                let name = option.split('=').next().unwrap_or(option);
                let is_valued = valued.contains(&name);
                if option != "--" && !is_valued && !flags.contains(&option.as_str()) {
                    return Run { variables, words: None };
                }
                let is_apart = is_valued && !option.contains('=');
                words = rest.get(usize::from(is_apart)..).unwrap_or_default();
            }
            words = words.get(before..).unwrap_or_default();
        }
        Run { variables, words: Some(words) }
    }
}

fn assignment(word: &str) -> Option<(&str, &str)> {
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    word.split_once('=').filter(|(name, _)| is_name(name))
}

/// Returns `true` if a command prints nothing of a file.
fn is_quiet(words: &[String]) -> bool {
    let Some((name, arguments)) = words.split_first() else { return true };
    match &**name {
        "cd" | "sleep" | "true" => true,
        "echo" => !arguments.iter().any(|word| word.contains('$')),
        // Without a change, they print what variables hold.
        "export" => !arguments.is_empty() && arguments.iter().all(|word| word.contains('=')),
        "set" => arguments.first().is_some_and(|word| word.starts_with(['-', '+'])),
        _ => false,
    }
}

/// Returns `true` if a command prints a part of what it reads from a pipe, as JSON if it was JSON.
fn is_filter(words: &[String]) -> bool {
    let Some((name, arguments)) = words.split_first() else { return false };
    let is_option = |word: &&String| word.starts_with('-');
    let is_raw = |word: &String| {
        let is_long = word.starts_with("--");
        word.starts_with('-') && !is_long && word.contains(['r', 'j'])
            || ["--raw-output", "--raw-output0", "--join-output"].contains(&&**word)
    };
    match &**name {
        // A second argument would be a file, and a text of a value may be one.
        "jq" => {
            !arguments.iter().any(|word| is_raw(word) || word.contains("fromjson"))
                && arguments.iter().filter(|word| !is_option(word)).count() <= 1
        }
        "head" | "tail" => {
            arguments.iter().all(|word| is_option(&word) || word.parse::<u64>().is_ok())
        }
        _ => false,
    }
}

/// The pipelines of a command, as words. `None` for what is not understood.
fn pipelines(command: &str) -> Option<Vec<Vec<Vec<String>>>> {
    let mut all = vec![vec![Vec::new()]];
    let mut word: Option<String> = None;
    let mut rest = command;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        if matches!(c, ' ' | '\t' | '\n' | ';' | '|' | '&') {
            all.last_mut()?.last_mut()?.extend(word.take());
        }
        match c {
            ' ' | '\t' => {}
            '\'' => {
                let end = rest.find('\'')?;
                word.get_or_insert_default().push_str(&rest[..end]);
                rest = &rest[end + 1..];
            }
            '"' => rest = quoted(rest, word.get_or_insert_default())?,
            '\\' => {
                let c = rest.chars().next()?;
                rest = &rest[c.len_utf8()..];
                if c != '\n' {
                    word.get_or_insert_default().push(c);
                }
            }
            '#' if word.is_none() => rest = &rest[rest.find('\n').unwrap_or(rest.len())..],
            '\n' | ';' => all.push(vec![Vec::new()]),
            '|' | '&' if rest.starts_with(c) => {
                rest = &rest[1..];
                all.push(vec![Vec::new()]);
            }
            '|' => all.last_mut()?.push(Vec::new()),
            // Where errors go is not what is printed.
            '>' if word.as_deref() == Some("2") => {
                word = None;
                let after = ["&1", "/dev/null", " /dev/null"];
                let after = after.into_iter().find_map(|target| rest.strip_prefix(target));
                rest = after?;
                if !rest.is_empty() && !rest.starts_with([' ', '\t', '\n', ';', '|', '&']) {
                    return None;
                }
            }
            '$' if rest.starts_with(['\'', '"']) => return None,
            '>' | '<' | '&' | '(' | ')' | '`' => return None,
            c => word.get_or_insert_default().push(c),
        }
    }
    all.last_mut()?.last_mut()?.extend(word);
    all.retain(|pipeline| pipeline.iter().any(|words| !words.is_empty()));
    Some(all)
}

/// Adds a text in double quotes to a word, and returns what follows it.
fn quoted<'c>(mut rest: &'c str, word: &mut String) -> Option<&'c str> {
    loop {
        let end = rest.find(['"', '\\', '`', '$'])?;
        word.push_str(&rest[..end]);
        let (mark, after) = rest[end..].split_at(1);
        rest = after;
        match mark {
            "\"" => return Some(rest),
            "\\" => {
                let c = rest.chars().next()?;
                word.push(c);
                rest = &rest[c.len_utf8()..];
            }
            "$" if !rest.starts_with('(') => word.push('$'),
            _ => return None,
        }
    }
}

/// The words of a program: what stands alone, and its options with their values.
struct Words<'a> {
    alone: Vec<&'a str>,
    options: Vec<(&'a str, Option<&'a str>)>,
}

impl<'a> Words<'a> {
    /// Reads words; `valued` are the options that have a value, which may be the next word.
    fn read(words: &'a [String], valued: &str) -> Self {
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
                let is_valued = valued.split_whitespace().any(|own| own == word);
                let value = if is_valued { words.next() } else { None };
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
        valued: &str,
        words: &mut impl Iterator<Item = &'a str>,
    ) {
        while let Some(c) = rest.chars().next() {
            let (name, after) = rest.split_at(c.len_utf8());
            rest = after;
            if valued.split_whitespace().any(|own| own.strip_prefix('-') == Some(name)) {
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
///
/// Each program's options are read as it reads them: joined to their values, before a subcommand, or
/// in variables of the environment.
fn program_lists(
    program: &str,
    words: &[String],
    variable: impl Fn(&str) -> Option<String>,
) -> bool {
    if words.iter().any(|word| word.starts_with("/dev/")) {
        return false;
    }
    let is_json = |words: &Words<'_>, default: &str| {
        // argparse takes the beginning of a name for the name.
        let names = ["o", "--output", "--outpu", "--outp", "--out"];
        let output = words.value(&names).map(str::to_owned).or_else(|| variable(default));
        output.is_none_or(|output| output == "json")
    };
    match program {
        // What is a flag of one subcommand and has a value in another is not in the list, so that a
        // `-q` after it is seen.
        "gh" => {
            let words = Words::read(
                words,
                "-R --repo --hostname --json -q --jq -t --template -L --limit -S --search -l --label \
                 --assignee --author -A -B --base -H --head -s --state -m --milestone --owner --user \
                 --workflow -b --branch",
            );
            words.has(&["--json"])
                && !words.has(&["q", "--jq", "t", "--template", "--raw"])
                && words.at(0) != "gist"
        }
        "kubectl" => {
            const LISTS: [&str; 5] = ["get", "events", "version", "api-resources", "cluster-info"];
            let words = Words::read(words, KUBECTL);
            words.value(&["o", "--output"]) == Some("json") && LISTS.contains(&words.at(0))
        }
        "docker" => docker(&Words::read(words, DOCKER)),
        "npm" => {
            let words = Words::read(words, "--prefix -w --workspace --depth --omit");
            let is_on = words.value(&["--json"]).is_some_and(|own| matches!(own, "" | "true"));
            is_on
                && !words.has(&["--no-json"])
                && matches!(words.at(0), "ls" | "list" | "ll" | "la")
        }
        "aws" => {
            let words = Words::read(words, AWS);
            let (service, operation) = (words.at(0), words.at(1));
            let is_of_a_file = ["", "get-template", "execute-command", "start-session"]
                .contains(&operation)
                || operation.contains("get-object")
                || words.alone.contains(&"execute-command")
                || words.has(&["--generate-cli-skeleton"]);
            service != "s3" && !is_of_a_file && is_json(&words, "AWS_DEFAULT_OUTPUT")
        }
        "az" => {
            let words = Words::read(words, AZ);
            let is_of_a_file = |word: &&str| {
                ["download", "export"].iter().any(|own| word.starts_with(own))
                    || ["exec", "ssh"].contains(word)
            };
            let url = words.value(&["u", "--uri", "--url"]);
            let is_of_a_file = words.alone.iter().any(is_of_a_file)
                || words.has(&["--stdout"])
                || words.at(0) == "rest" && url.is_none_or(prints_file);
            !words.at(0).is_empty() && !is_of_a_file && is_json(&words, "AZURE_CORE_OUTPUT")
        }
        "cargo" => {
            let words = Words::read(words, "--config -C -Z --color");
            words.alone.iter().find(|word| !word.starts_with('+')) == Some(&"metadata")
        }
        "curl" => curl(&Words::read(words, CURL)),
        _ => false,
    }
}

const KUBECTL: &str = "-n --namespace --context --cluster --user --kubeconfig -s --server \
    --token --as --as-group --cache-dir --certificate-authority --client-certificate \
    --client-key --request-timeout -v --v -o --output -l --selector --field-selector -f \
    --filename -k --kustomize -c --container -L --label-columns --sort-by --subresource \
    --tls-server-name --chunk-size";

const DOCKER: &str = "--config -c --context -H --host -l --log-level --tlscacert --tlscert \
    --tlskey --format -f --file --filter -n --last -p --project-name --profile \
    --project-directory --env-file --ansi --parallel --progress";

fn docker(words: &Words<'_>) -> bool {
    const GROUPS: &str = "buildx compose config container context image model network node plugin \
        secret service stack swarm system volume";
    const LISTS: &str = "df events history images info inspect list ls ps search services stats \
        version volumes";
    let is_one_of = |texts: &str, word: &str| texts.split_whitespace().any(|own| own == word);
    let format = words.value(&["--format"]).unwrap_or_default();
    let is_json = format == "json" || format.trim_start().starts_with("{{json ");
    let verb = usize::from(is_one_of(GROUPS, words.at(0)));
    is_json && is_one_of(LISTS, words.at(verb))
}

const AWS: &str = "--endpoint-url --output --query --profile --region --color --ca-bundle \
    --cli-read-timeout --cli-connect-timeout --cli-binary-format";

const AZ: &str = "-o --output --outpu --outp --out --query --subscription -u --uri --url";

const CURL: &str = "-A -b -c -C -d -D -e -E -F -h -H -K -m -o -P -Q -r -t -T -u -U -w -x -X -y \
    -Y -z --url --url-query --header --proxy-header --request --data --data-ascii --data-binary \
    --data-raw --data-urlencode --json --form --form-string --user --user-agent --cookie \
    --cookie-jar --referer --output --output-dir --write-out --upload-file --config --max-time \
    --connect-timeout --connect-to --retry --retry-delay --retry-max-time --max-redirs --cacert \
    --capath --cert --key --pass --proxy --proxy-user --resolve --unix-socket --interface \
    --limit-rate --oauth2-bearer --range --ciphers --dump-header --stderr --trace --trace-ascii";

fn curl(words: &Words<'_>) -> bool {
    let writes = words.has(&["o", "--output", "O", "--remote-name", "--remote-name-all"]);
    let unknown = words.has(&["K", "--config", "--variable"]);
    let asks_raw = words.options.iter().any(|(name, value)| {
        let header = value.unwrap_or_default().to_ascii_lowercase();
        let (own, value) = header.split_once(':').unwrap_or_default();
        // A file of headers is not known.
        matches!(*name, "H" | "--header")
            && (header.starts_with('@') || own.trim() == "accept" && value.contains("raw"))
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
    // It takes one slash for two.
    let (scheme, rest) = url.split_once(":/").unwrap_or(("http", url));
    if !matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https") {
        return true;
    }
    let rest = rest.trim_start_matches('/').split('#').next().unwrap_or_default();
    let rest = percent_decode_str(rest).decode_utf8_lossy();
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

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_no_lists(commands: &[&str]) {
        let lists = |command: &&&str| Commands::new([]).list(command);
        let wrong: Vec<_> = commands.iter().filter(lists).collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn commands_that_list() {
        let commands = Commands::new([]);
        let wrong = [
            "gh pr list --json number,title",
            "gh issue view 5 --json title",
            "cd /srv && gh pr list --limit 5 --json number 2>/dev/null",
            "kubectl get pods -A -o json",
            "KUBECONFIG=~/k kubectl get pods --output=json | jq '.items'",
            "sudo docker ps --format '{{json .}}'",
            "docker compose ps --format json",
            "npm ls --json",
            "npm ls --depth=0 --json 2>&1",
            "aws ec2 describe-instances --region us-east-1",
            "aws s3api list-buckets --output json",
            "az vm list -o json",
            "cargo metadata --format-version 1 --no-deps",
            "/usr/bin/curl -s \"https://api.example.com/items?a=1&b=$X\" | jq -c '.[] | {id}' | head -n 20",
            "curl -s 'http://localhost:8080/(items)' # all of them\n",
            "kubectl get pods \\\n  -o json",
            "kubectl -n x get pods -ojson",
            "gh issue view 5 --json body",
            "gh -R o/r pr list --json number",
            "aws iam list-users",
            "aws --profile dev --region us-east-1 ec2 describe-instances",
            "AWS_DEFAULT_OUTPUT=json aws iam list-users",
            "az vm list",
            "az vm list -ojson",
            "curl https://h/api/users",
            "curl -d @query.json https://h/graphql",
            "curl -sSL -H 'Accept: application/json' https://h/v1.2/users?page=1.5",
            "curl -X POST -d '{\"a\": \"b.json\"}' https://h/search",
            "curl https://api.example.com/users.list",
            "curl -u me:x.json https://h/users",
            "sudo -u root env -i A=b timeout -k 5 10 nice -n 5 docker ps --format json",
            "cargo +nightly metadata",
            "echo pods; kubectl get pods -o json; echo nodes; kubectl get nodes -o json",
            "set -eu; export A=b; NS=prod; kubectl -n $NS get pods -o json",
            "gh issue list --json title -a quentin -S 'is:open -q'",
            "docker compose --ansi never ps --format json",
            "docker container ls -a --format json",
            "docker stats --no-stream --format '{{json .}}'",
            "kubectl --context a --as b get pods -o json",
            "az rest --uri https://management.example.com/subscriptions?api-version=2020-01-01",
            "aws ec2 describe-instances --instance-ids i-1 i-2 --filters Name=a,Values=exec",
            "curl http://localhost:8080/a%20b",
            "gh run view $ID --json jobs",
        ]
        .into_iter()
        .filter(|command| !commands.list(command))
        .collect::<Vec<_>>();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn commands_that_do_not() {
        assert_no_lists(&[
            "",
            "cat package.json",
            "git show HEAD:package.json",
            "git diff",
            "gh pr list",
            "gh pr list --json number > out.json",
            "gh pr list --json number >out.json 2>&1",
            "gh pr list --json body --jq '.[].body'",
            "gh pr list --json number | jq -r '.[].number'",
            "gh pr list --json number | jq -rc .",
            "gh pr list --json number | jq --raw-output .",
            "gh pr list --json number | jq . package.json",
            "gh pr list --json number | head package.json",
            "gh pr list --json number | tee out.json",
            "gh pr list --json number | python3 -m json.tool",
            "gh pr list --json number & cat package.json",
            "gh pr list --json number; cat package.json",
            "gh pr list --json number && cat package.json",
            "gh pr list --json number || cat package.json",
            "gh pr list --json number\ncat package.json",
            "gh pr list --json $(cat package.json)",
            "gh pr list --json \"$(cat package.json)\"",
            "gh pr list --json `cat package.json`",
            "gh pr list --json number <(cat package.json)",
            "cat <<'E'\ngh pr list --json number\nE",
            "cd x",
            "echo gh pr list --json number",
            "kubectl get pods -o jsonpath='{.items}'",
            "kubectl get pods",
            "aws s3 cp s3://a/package.json -",
            "aws s3api get-object --bucket a --key package.json /dev/stdout",
            "aws ssm get-parameter --name a --output text",
            "az vm list -o tsv",
            "curl -s https://example.com/package.json",
            "curl -o out https://example.com/items",
            "npm ls",
            "gh pr list --json 'number",
            "gh pr list --json \"number",
            "gh pr list --json number \\",
            "bash -c 'gh pr list --json number'",
            "docker exec web cat package.json",
            "2> kubectl get pods -o json",
        ]);
    }

    #[test]
    fn options_and_subcommands_that_print_text() {
        assert_no_lists(&[
            "gh issue view 5 --json body --jq=.body",
            "gh issue view 5 --json body -q.body",
            "gh issue view 5 --json body -q=.body",
            "gh issue view 5 --json body --template='{{.body}}'",
            "gh issue view 5 --json body -t'{{.body}}'",
            "gh gist view 1 --raw --json x",
            "aws --profile dev s3 cp s3://b/package.json -",
            "aws --region us-east-1 s3 cp s3://b/package.json -",
            "aws --endpoint-url http://x s3api get-object --bucket b --key k /dev/stdout",
            "aws ssm get-parameter --name x --query Parameter.Value --output=text",
            "AWS_DEFAULT_OUTPUT=text aws ssm get-parameter --name x",
            "env AWS_DEFAULT_OUTPUT=text aws ssm get-parameter --name x",
            "export AWS_DEFAULT_OUTPUT=text; aws ssm get-parameter --name x",
            "AWS_DEFAULT_OUTPUT=yaml; aws ssm get-parameter --name x",
            "az storage blob download -c c -n package.json",
            "az vm list --output tsv",
            "az vm list -otsv",
            "az vm list --out tsv",
            "AZURE_CORE_OUTPUT=tsv az vm list",
            "curl -s 'https://h/main/package.json?token=AAAA'",
            "curl -s https://h/main/package.json#L1",
            "curl -s https://h/composer.lock",
            "curl -s https://h/.eslintrc",
            "curl https://h/a.jsonc",
            "curl -G -d path=src/package.json https://h/get",
            "curl --url-query path=package.json https://h/get",
            "curl https://h/package.{json,lock}",
            "curl https://h/notebook.ipynb",
            "curl https://h/install.sh",
            "curl https://h/README.md",
            "curl https://h/package%2Ejson",
            "curl https://api.h/repos/o/r/contents/package.json",
            "curl https://h/o/r/raw?ref=main",
            "curl https://h/o/r/raw/main/x",
            "curl https://raw.example.com/o/r/main/LICENSE",
            "curl 'https://h/get?path=src/package.json&ref=1'",
            "curl -H 'Accept: application/vnd.github.raw+json' https://api.github.com/repos/o/r/readme",
            "curl file:///repo/composer",
            "curl -sO https://h/items",
            "curl -oout https://h/items",
            "curl -K config https://h/items",
            "curl \"$URL\"",
            "kubectl exec p -- cat f -o json",
            "kubectl -n x exec p -o json -- cat f",
            "docker exec web cat package.json --format json",
            "docker compose exec web cat f --format json",
            "ssh h kubectl get pods -o json",
            "sh -c 'kubectl get pods -o json'",
            "xargs kubectl get -o json",
            "watch kubectl get pods -o json",
            "sudo --chdir=/x kubectl get pods -o json",
            "env -S 'kubectl get pods -o json'",
            "command -v gh --json x",
            "gh run list --json name -a -q '.[0]'",
            "gh workflow list --json name -aq '.[0]'",
            "gh secret list --json name -u -q '.[0]'",
            "gh issue view 5 --json body $'-q.body'",
            "gh issue view 5 --json body $\"-q.body\"",
            "OPTS='-q .body'; gh issue view 5 --json body $OPTS",
            "export OPTS=-q.body && gh issue view 5 --json body ${OPTS}",
            "npm ls --json --no-json",
            "echo $PKG && gh pr list --json x",
            "set; gh pr list --json a",
            "export -p; gh pr list --json a",
            "export; gh pr list --json a",
            "docker compose --ansi never --parallel 4 exec web cat f --format json",
            "docker compose config --format json",
            "docker debug c -c 'cat f' --format json",
            "kubectl ssh p cat f -o json",
            "A='5 -q .body'; gh issue view $A --json body",
            "kubectl create cm a --from-file=f --dry-run=client -o json",
            "kubectl set image --local -f f a=b -o json",
            "kubectl convert -f f -o json",
            "kubectl config view -o json",
            "az container exec -n a --exec-command 'cat f'",
            "az ssh vm -n a -- cat f",
            "az bicep build --file f --stdout",
            "az group export -n a",
            "az appconfig kv export -n a",
            "az rest --uri https://h/package.json",
            "az rest --url=https://h/raw/x",
            "az rest -u https://h/package.json",
            "aws ecs execute-command --command 'cat f'",
            "aws --cli-unknown x ecs execute-command --command 'cat f'",
            "aws appconfigdata get-latest-configuration --configuration-token a /dev/stdout",
            "aws lambda invoke --function-name a /dev/fd/1",
            "aws ec2 run-instances --generate-cli-skeleton",
            "aws cloudformation get-template --stack-name a",
            "kubectl get cm a -o json | jq '.data[\"a.json\"]|fromjson'",
            "curl file:/repo/composer",
            "curl FILE:/repo/composer",
            "curl https://h/package.jso%6e",
            "curl https://h/get?path=package%2Ejso%6E",
            "curl -H@headers https://h/items",
            "curl -H 'Accept : application/vnd.github.raw' https://h/items",
            "curl http:/h/package.json",
        ]);
    }

    #[test]
    fn patterns_of_users_come_last() {
        // A pattern that ends in two is valid, and what follows it must stay so.
        assert!(!Commands::new(["!gh/**", "!**"]).list("gh pr list --json a"));
        let commands = Commands::new(["my-tool list", "!curl", "gh api"]);
        assert!(commands.list("my-tool list --all") && commands.list("gh api graphql"));
        assert!(!commands.list("curl http://localhost") && !commands.list("my-tool listing"));
    }
}
