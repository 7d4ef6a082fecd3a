//! Which commands list JSON: one table of patterns, and enough of a shell's grammar to apply it.
//!
//! What is not understood is not in scope: substitutions, redirections of standard output, and
//! programs that the table does not have.

use glob::Pattern;

/// Patterns of commands whose output may be rewritten, word by word; `*` is any text, and any words
/// may follow. The last one that matches decides; `!` excludes. Excluded is what prints the text of
/// a file or a member, which a model may write back.
pub(crate) const COMMANDS: &[&str] = &[
    "gh * --json",
    "!gh* -q",
    "!gh* --jq",
    "!gh* -t",
    "!gh* --template",
    "kubectl * -o json",
    "kubectl * -ojson",
    "kubectl * -o=json",
    "kubectl * --output json",
    "kubectl * --output=json",
    "docker * --format json",
    "docker * --format=json",
    "docker * --format {{json *",
    "npm ls*--json",
    "npm list*--json",
    "aws",
    "!aws s3",
    "!aws* get-object",
    "!aws* --output",
    "!aws* --output=*",
    "aws* --output json",
    "aws* --output=json",
    "az",
    "!az* -o",
    "!az* --output",
    "az* -o json",
    "az* --output json",
    "cargo metadata",
    "curl",
    "!curl* -o",
    "!curl* -O",
    "!curl* --output",
    "!curl*.json",
];

/// Commands that print nothing of a file.
const QUIET: [&str; 6] = ["cd", "echo", "export", "set", "sleep", "true"];
/// Words before a program.
const PREFIXES: [&str; 3] = ["sudo", "time", "command"];

/// The table, and a user's patterns after it.
#[derive(Debug)]
pub(crate) struct Commands(Vec<(bool, Pattern)>);

impl Commands {
    pub(crate) fn new<'p>(more: impl IntoIterator<Item = &'p str>) -> Self {
        let pattern = |text: &str| {
            let (includes, text) =
                text.strip_prefix('!').map_or((true, text), |text| (false, text));
            let pattern = Pattern::new(&format!("{text} *"));
            (includes, pattern.expect("because patterns are checked where they are read"))
        };
        Commands(
            COMMANDS.iter().copied().map(pattern).chain(more.into_iter().map(pattern)).collect(),
        )
    }

    /// Returns `true` if all that a command prints is JSON that is listed, or no text of a file.
    pub(crate) fn list(&self, command: &str) -> bool {
        let Some(pipelines) = pipelines(command) else { return false };
        let is_quiet = |pipeline: &Vec<Vec<String>>| match &**pipeline {
            [words] => program(words).first().is_none_or(|name| QUIET.contains(&&**name)),
            _ => false,
        };
        let listing: Vec<_> = pipelines.iter().filter(|pipeline| !is_quiet(pipeline)).collect();
        !listing.is_empty() && listing.iter().all(|pipeline| self.lists(pipeline))
    }

    fn lists(&self, pipeline: &[Vec<String>]) -> bool {
        let [first, filters @ ..] = pipeline else { return false };
        let words = program(first);
        let name = words.first().map_or("", |name| name.rsplit('/').next().unwrap_or(name));
        let rest = words.iter().skip(1).map(|word| &**word);
        let line = [name].into_iter().chain(rest).collect::<Vec<&str>>().join(" ") + " ";
        let last = self.0.iter().rfind(|(_, pattern)| pattern.matches(&line));
        last.is_some_and(|(includes, _)| *includes) && filters.iter().all(|words| is_filter(words))
    }
}

/// The words from the program on, without assignments before it.
fn program(words: &[String]) -> &[String] {
    let is_before = |word: &String| {
        PREFIXES.contains(&&**word)
            || word.split_once('=').is_some_and(|(name, _)| {
                !name.is_empty()
                    && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            })
    };
    let at = words.iter().position(|word| !is_before(word)).unwrap_or(words.len());
    &words[at..]
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
        ] {
            assert!(!commands.list(command), "{command}");
        }
    }

    #[test]
    fn patterns_of_users_come_last() {
        let commands = Commands::new(["my-tool list", "!curl", "gh api"]);
        assert!(commands.list("my-tool list --all") && commands.list("gh api graphql"));
        assert!(!commands.list("curl http://localhost") && !commands.list("my-tool listing"));
    }
}
