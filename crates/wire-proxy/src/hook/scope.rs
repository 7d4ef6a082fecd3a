//! Which commands list JSON, so that their output may be rewritten (ruling H1).

use std::env;

use glob::Pattern;

use crate::hook::programs;
use crate::hook::shell::pipelines;

/// Commands that print nothing of a file.
const QUIET: [&str; 6] = ["cd", "echo", "export", "set", "sleep", "true"];

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
            let name = words.first().map_or("", String::as_str);
            if filters.is_empty() && (name.is_empty() || QUIET.contains(&name)) {
                let set = words.iter().filter_map(|word| word.split_once('='));
                exported.extend(run.variables.into_iter().chain(set));
                continue;
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
        programs::lists(name, words, |variable| {
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
        // A second argument would be a file.
        "jq" => {
            !arguments.iter().any(is_raw)
                && arguments.iter().filter(|word| !is_option(word)).count() <= 1
        }
        "head" | "tail" => {
            arguments.iter().all(|word| is_option(&word) || word.parse::<u64>().is_ok())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_list() {
        let commands = Commands::new([]);
        for command in [
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
        ] {
            assert!(commands.list(command), "{command}");
        }
    }

    #[test]
    fn commands_that_do_not() {
        let commands = Commands::new([]);
        for command in [
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
        ] {
            assert!(!commands.list(command), "{command}");
        }
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
