//! What the other commands say, and what a run says that can not begin.

use super::*;

#[test]
fn what_can_not_run_says_so() {
    let run = |arguments: &[&str], folder: &Path| -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
        command.args(arguments).current_dir(folder).stdin(Stdio::null()).output().unwrap()
    };
    let folder = tempfile::tempdir().unwrap();
    let output = run(&["--", "there-is-no-such-server"], folder.path());
    assert_eq!(output.status.code(), Some(127));
    assert!(String::from_utf8_lossy(&output.stderr).contains("there-is-no-such-server"));
    for (text, expected) in [
        ("structured = \"drop\"\n\nformat-argumnet = true\n", "line 3"),
        ("[limits]\nframes = 1\n", "line 2"),
        ("counter = \"gpt\"\n", "is not a counter"),
        ("[[rules]]\ntools = \"a[\"\n", "line 2"),
    ] {
        fs::write(folder.path().join("wire-proxy.toml"), text).unwrap();
        let output = run(&["--", "true"], folder.path());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(expected) && errors.contains("wire-proxy.toml"), "{errors}");
    }
    fs::write(folder.path().join("wire-proxy.toml"), "").unwrap();
    for (arguments, code, expected) in [
        (&["npx", "server"][..], 2, "after `--`"),
        (&["--", "npx -y server"], 127, "separately, without quotes"),
    ] {
        let output = run(arguments, folder.path());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{errors}");
        assert!(errors.contains(expected), "{errors}");
    }
    assert_eq!(run(&["--config", "none.toml", "--", "true"], folder.path()).status.code(), Some(2));
    assert_eq!(run(&[], folder.path()).status.code(), Some(2));
    fs::remove_file(folder.path().join("wire-proxy.toml")).unwrap();
    let output = run(&["--stats", ".", "--", "true"], folder.path());
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn statistics_are_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls.jsonl");
    let config = folder.path().join("own.toml");
    fs::write(
        &config,
        format!(
            "stats = {:?}\n[[rules]]\ntools = \"sea*\"\nformats = [\"json\"]\n",
            file.to_str().unwrap()
        ),
    )
    .unwrap();
    let script = "for i in 1 2; do read -r a; printf '%s\\n' \"$ANSWER\"; done; cat";
    let mut run = Run::start(&["--config", config.to_str().unwrap()], script);
    for _ in 0..2 {
        run.send(&format!("{CALL}\n"));
        assert!(run.line().contains(WRITTEN));
    }
    run.close();
    assert_eq!(run.end().0, 0);
    let lines = fs::read_to_string(&file).unwrap();
    assert_eq!(lines.lines().count(), 2);
    assert!(!lines.contains("name\\\"") && lines.contains("\"formats\":[\"json\"]"), "{lines}");
    let output = Command::new(env!("CARGO_BIN_EXE_wire-proxy"))
        .args(["stats", file.to_str().unwrap(), "--format", "markdown"])
        .output()
        .unwrap();
    let table = String::from_utf8(output.stdout).unwrap();
    let row = table.lines().find(|line| line.contains("search")).unwrap();
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    assert_eq!(cells[1..3], ["search", "2"], "{table}");
    // The file of a run that was killed is a table; any other text is an error.
    let first = lines.lines().next().unwrap();
    for (text, code, calls, expected) in [
        (format!("{first}\n{}", &first[..first.len() / 2]), 0, "1", "line 2 is cut"),
        (format!("{first}\n{first}"), 0, "2", ""),
        (String::new(), 0, "", "no calls"),
        ("{}\n".to_owned(), 3, "", "line 1"),
        (format!("{}\n{first}\n", &first[..first.len() / 2]), 3, "", "line 1"),
    ] {
        fs::write(&file, &text).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_wire-proxy"))
            .args(["stats", file.to_str().unwrap(), "--format", "markdown"])
            .output()
            .unwrap();
        let (table, errors) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{errors}");
        assert!(errors.contains(expected) && errors.is_empty() == expected.is_empty(), "{errors}");
        let row = table.lines().find(|line| line.contains("search")).unwrap_or("|||");
        assert_eq!(row.split('|').nth(2).map(str::trim), Some(calls), "{table}");
    }
}

/// A server with a tool of each kind, two pages of them, and a tool that is on both. It answers every
/// call with `$ANSWER`, and notes its name.
const TOOLS: &str = r#"
read -r hello; echo '{"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}}'; read -r initialized
read -r list; echo '{"jsonrpc":"2.0","id":2,"result":{"nextCursor":"2","tools":[{"name":"all","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},{"name":"one","inputSchema":{"required":["id"]}},{"name":"reset_database","inputSchema":{}}]}}'
read -r list; echo '{"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"all","annotations":{"readOnlyHint":true}},{"name":"purge","annotations":{"destructiveHint":true}}]}}'
echo '{"jsonrpc":"2.0","id":"s","method":"ping"}'
while read -r line; do
  case "$line" in
    *tools/call*) echo "$line" | sed 's/.*"arguments"/called "arguments"/' >&2; id=${line#*\"id\":}; id=${id%%,*}
      printf '%s\n' "$ANSWER" | sed "s/\"id\":1,\"result\"/\"id\":$id,\"result\"/";;
  esac
done"#;

/// The output of `try` for Claude Code.
fn tried(options: &[&str], server: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
    let output = command
        .args(["try", "--timeout", "20", "--client", "claude-code"])
        .args(options)
        .args(["--", "sh", "-c", server])
        .env("ANSWER", ANSWER)
        .output()
        .unwrap();
    let table = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<&str> = table.lines().map(str::trim_end).collect();
    let errors = String::from_utf8(output.stderr).unwrap();
    format!("exit code {:?}\n{}\n\n{errors}", output.status.code(), rows.join("\n"))
}

#[test]
fn only_tools_that_read_are_tried() {
    insta::assert_snapshot!(tried(&[], TOOLS));
}

#[test]
fn others_are_tried_by_name_or_all_at_once() {
    let call = [r#"--call=one {"id":7}"#, "--call", "reset_database"];
    insta::assert_snapshot!(tried(&call, TOOLS));
    let all = tried(&["--all"], TOOLS);
    for name in ["all", "reset_database", "purge"] {
        assert!(
            all.contains(&format!("\n{name} ")) || all.contains(&format!("\n {name} ")),
            "{all}"
        );
    }
    assert!(!all.contains("readOnlyHint") && all.contains("they need arguments: one"), "{all}");
    let unknown = tried(&["--call", "reset"], TOOLS);
    assert!(unknown.starts_with("exit code Some(2)"), "{unknown}");
    assert!(unknown.contains("no tool \"reset\"; it has all, one, purge"), "{unknown}");
    assert!(!unknown.contains("called \"arguments\""), "{unknown}");
}

/// A run of `try` without a server, with a home folder that has these files.
fn tried_at_home(options: &[&str], files: &[(&str, &str)]) -> (String, String) {
    tried_with(options, files, ANSWER)
}

/// The same with this answer.
fn tried_with(options: &[&str], files: &[(&str, &str)], answer: &str) -> (String, String) {
    let home = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = home.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
    command.arg("try").args(options).current_dir(home.path()).env("HOME", home.path());
    command.env_remove("CODEX_HOME").env_remove("COPILOT_HOME").env("ANSWER", answer);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let [out, errors] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    (out, errors)
}

#[test]
fn a_sample_is_tried_where_there_is_no_server() {
    let (out, errors) = tried_at_home(&[], &[]);
    assert!(errors.contains("no client has a server here, so a sample is tried"), "{errors}");
    assert!(errors.contains("calls list_orders, call_graph"), "{errors}");
    // Clients of which the same is said have one line.
    let verdicts: Vec<&str> = out.lines().take_while(|line| !line.is_empty()).collect();
    for verdict in &verdicts {
        let saves = !verdict.contains("as Codex ");
        assert!(verdict.starts_with("sample, as "), "{verdict}");
        assert_eq!(verdict.contains(" tokens (−"), saves, "{verdict}");
    }
    assert!(verdicts[0].contains("as Claude Code shows it with --structured auto: "), "{out}");
    assert!(verdicts[0].ends_with("), values checked equal"), "{out}");
    // Codex shows `structuredContent` alone, and its programs need that.
    assert!(verdicts[1].contains("tokens (0 %); --structured drop: "), "{out}");
    assert!(verdicts[2].contains("as Cursor, VS Code show it with --structured drop: "), "{out}");
    assert!(
        out.contains(": the form −") && out.contains("white space or a second copy −"),
        "{out}"
    );
    // Claude Code shows `structuredContent`, which is minified.
    assert!(verdicts[0].contains("(−36 %, all of it by the form)"), "{out}");
    let (out, errors) =
        tried_at_home(&["--sample", "--client", "opencode", "--explain", "list_orders"], &[]);
    assert!(!errors.contains("no client"), "{errors}");
    assert!(out.starts_with("list_orders, as OpenCode shows it: "), "{out}");
    assert!(
        out.contains("; written as g") && out.contains("--structured drop removes it"),
        "{out}"
    );
}

#[test]
fn servers_of_clients_are_tried_where_none_is_named() {
    let script = serde_json::to_string(TOOLS).unwrap();
    let cursor = format!(
        r#"{{"mcpServers":{{"mine":{{"command":"wire-proxy","args":["--structured","drop","--","sh","-c",{script}],"env":{{"A":"b"}}}},"off":{{"command":"false","disabled":true}},"far":{{"url":"https://example.com/${{key}}"}},"asked":{{"command":"x","args":["${{key}}"]}}}}}}"#
    );
    let codex = format!(
        "[mcp_servers.mine]\ncommand = \"sh\"\nargs = [\"-c\", {script}]\nenv = {{ A = \"b\" }}\n"
    );
    let files = [(".cursor/mcp.json", &*cursor), (".codex/config.toml", &*codex)];
    let (out, errors) = tried_at_home(&[], &files);
    assert!(errors.contains("mine of Codex, ") && errors.contains("mine of Cursor, "), "{errors}");
    for left in ["off of", "far of", "asked of"] {
        assert!(!errors.contains(left), "{errors}");
    }
    // It is one server, which is started once.
    assert_eq!(errors.matches("wire-proxy: calls all").count(), 1, "{errors}");
    let verdicts: Vec<&str> = out.lines().take_while(|line| !line.is_empty()).collect();
    assert!(
        matches!(&*verdicts, [codex, cursor] if codex.starts_with("mine, as Codex shows it: ")
            && cursor.starts_with("mine, as Cursor shows it with --structured drop: ")),
        "{out}"
    );
    let (out, _) = tried_at_home(&["--client", "cursor"], &files);
    assert!(out.starts_with("mine, as Cursor shows it"), "{out}");
}

/// Files with these servers, each with its tools.
fn configured(servers: &[(&str, &str)]) -> String {
    let server = |(name, script): &(&str, &str)| {
        ((*name).to_owned(), serde_json::json!({"command": "sh", "args": ["-c", script]}))
    };
    let servers: serde_json::Map<_, _> = servers.iter().map(server).collect();
    serde_json::json!({"mcpServers": servers}).to_string()
}

#[test]
fn several_servers_are_one_table() {
    let answer = r#"'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"ok"}]}}'"#;
    let short = TOOLS.replace("\"$ANSWER\"", answer).replace("\"all\"", "\"none\"");
    let asking = TOOLS.replace("\"readOnlyHint\":true", "\"readOnlyHint\":false");
    let servers = configured(&[("small", &short), ("mine", TOOLS), ("asks", &asking)]);
    let files = [(".cursor/mcp.json", &*servers)];
    let (out, errors) = tried_at_home(&[], &files);
    let rows: Vec<Vec<&str>> =
        out.lines().map(|line| line.split_whitespace().collect()).take(4).collect();
    assert_eq!(rows[0][..3], ["server", "client", "calls"], "{out}");
    assert_eq!(rows[1], ["mine", "Cursor", "1", "26", "19", "26.9", "%", "0.0", "%"], "{out}");
    let of_all = "\nOf the results of 2 of your servers, as Cursor shows them: 27 → 20 tokens (";
    assert!(out.contains(of_all) && out.contains("\n all"), "{out}");
    assert!(out.contains("\n  wire-proxy init cursor --server mine --write\n"), "{out}");
    assert!(
        !out.contains("asks") && errors.contains("asks: not called, since only"),
        "{out}{errors}"
    );
    // One of them, by its name.
    let (out, errors) = tried_at_home(&["mine"], &files);
    assert!(out.starts_with("mine, as Cursor shows it with --structured drop: "), "{out}");
    assert!(!errors.contains("small of"), "{errors}");
    // A call goes to the server that has the tool.
    let (out, errors) = tried_at_home(&["--call", "all"], &files);
    assert!(out.contains("mine") && !out.contains("small") && !errors.contains("no tool"), "{out}");
    // So is a tool that is to be explained.
    let (out, _) = tried_at_home(&["--explain", "all"], &files);
    assert!(out.starts_with("all of mine, as Cursor shows it: 26 → 19 tokens; written"), "{out}");
    // Tables have a column for the server.
    let (out, _) = tried_at_home(&["--format", "markdown"], &files);
    assert!(out.starts_with("| server | client | tool | calls | as sent"), "{out}");
    assert_eq!(out.lines().count(), 4, "{out}");
    let (out, _) = tried_at_home(&["--format", "json"], &files);
    let rows = out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let row = rows.into_iter().find(|row| row["server"] == "mine").unwrap();
    assert_eq!(
        (&row["client"], &row["tool"], &row["went"]),
        (&"Cursor".into(), &"all".into(), &19.into())
    );
    // What one client shows of a server is not added to what another one shows.
    let local = |(name, script): (&str, &str)| {
        (name.to_owned(), serde_json::json!({"type": "local", "command": ["sh", "-c", script]}))
    };
    let own: serde_json::Map<_, _> =
        [("small", &*short), ("mine", TOOLS)].into_iter().map(local).collect();
    let opencode = serde_json::json!({"mcp": own}).to_string();
    let both = [(".cursor/mcp.json", &*servers), (".config/opencode/opencode.json", &*opencode)];
    let answer = ANSWER.replace("\"content\"", "\"structuredContent\":{\"a\":[1,2,3]},\"content\"");
    let (out, _) = tried_with(&[], &both, &answer);
    assert!(
        out.contains("\nOf the results of 2 of your servers, as OpenCode shows them: "),
        "{out}"
    );
    assert!(out.contains("\nOf the results of 2 of your servers, as Cursor shows them: "), "{out}");
    assert!(!out.contains("\n all"), "{out}");
    let servers = configured(&[("asks", &asking), ("asks too", &format!("{asking}\n"))]);
    let (out, _) = tried_at_home(&[], &[(".cursor/mcp.json", &*servers)]);
    assert_eq!(out, "no tool was called, so nothing is known; `--call NAME` or `--all`\n");
}

#[test]
fn a_server_whose_tools_all_need_arguments_has_no_table() {
    let server = r#"
read -r hello; echo '{"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}}'; read -r initialized
read -r list; echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"one","inputSchema":{"required":["id"]}}]}}'
cat > /dev/null"#;
    for options in [&[][..], &["--format", "markdown"]] {
        let out = tried(options, server);
        assert!(out.starts_with("exit code Some(0)\n\n\n"), "{out}");
        assert!(out.contains("wire-proxy: nothing to call without arguments: one\n"), "{out}");
    }
}

#[test]
fn the_statistics_count_what_a_client_shows() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls.jsonl");
    let line = |tool: &str, went: u32| {
        format!(
            r#"{{"tool":"{tool}","content":{{"came":100,"minified":60,"went":{went}}},"structured":{{"came":60,"minified":60,"went":40}}}}"#
        )
    };
    fs::write(&file, format!("{}\n{}\n", line("a", 40), line("b", 100))).unwrap();
    let run = |options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
        let output = command.arg("stats").arg(&file).args(options).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let expected = "\
2 calls, as the client shows results: 200 → 140 tokens (−30 %: the form −10 %, white space or a second copy −20 %)

 tool  calls  as sent  through   saved  of minified JSON, where rewritten
 a         1      100       40  60.0 %                             33.3 %
 b         1      100      100   0.0 %                                  -
 all       2      200      140  30.0 %                             33.3 %

Of 2 calls the client is not known, and the text counts; --client NAME says which.
";
    assert_eq!(run(&[]), expected);
    let claude = run(&["--client", "claude-code"]);
    assert!(
        claude.starts_with("2 calls, as Claude Code shows results: 120 → 80 tokens"),
        "{claude}"
    );
    // The parts are those of the whole, also where each would be rounded up.
    fs::write(&file, r#"{"tool":"a","content":{"came":1000,"minified":632,"went":426}}"#).unwrap();
    assert!(
        run(&[]).contains("(−57 %: the form −21 %, white space or a second copy −36 %)"),
        "{}",
        run(&[])
    );
    // Cline shows escapes, which only its own log counts.
    let counts = r#""tool":"a","content":{"came":100,"minified":60,"went":40},"structured":{"came":60,"minified":60,"went":40},"both":{"came":160,"minified":120,"went":40}"#;
    let own = r#""client":"@cline/core","shown":{"came":190,"minified":150,"went":50}"#;
    for (line, expected) in [
        (format!("{{{counts},{own}}}"), "1 call, as Cline CLI shows results: 190 → 50 tokens"),
        (format!("{{{counts}}}"), "1 call, about as Cline CLI shows results: 160 → 40 tokens"),
    ] {
        fs::write(&file, line).unwrap();
        let cline = run(&["--client", "cline"]);
        assert!(cline.starts_with(expected), "{cline}");
    }
}

#[test]
fn a_tool_is_added_to_the_file_of_options() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join(".config/wire-proxy/wire-proxy.toml");
    let run = |arguments: &[&str]| -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
        command
            .arg("config")
            .args(arguments)
            .env("HOME", home.path())
            .env_remove("XDG_CONFIG_HOME");
        command.output().unwrap()
    };
    let add = ["--not-verbatim", "read_graph"];
    for (before, after) in [
        (None, "not-verbatim = [\"read_graph\"]\n"),
        (
            Some("# mine\n[hook]\ncommands = [\"a\"]"),
            "not-verbatim = [\"read_graph\"]\n# mine\n[hook]\ncommands = [\"a\"]\n",
        ),
        (Some("rules = []\n"), "rules = []\nnot-verbatim = [\"read_graph\"]\n"),
        (Some("not-verbatim = [\"a\"] # why\n"), "not-verbatim = [\"a\", \"read_graph\"] # why\n"),
    ] {
        if let Some(before) = before {
            fs::write(&file, before).unwrap();
        }
        for _ in 0..2 {
            let output = run(&add);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            assert_eq!(fs::read_to_string(&file).unwrap(), after);
        }
    }
    for (before, after) in [
        // A rule decides over the list.
        (
            "[[rules]]\ntools = \"read_*\"\nverbatim = true\n",
            "[[rules]]\ntools = \"read_*\"\nverbatim = true\n\n[[rules]]\ntools = \"read_graph\"\nverbatim = false\n",
        ),
        (
            "[[rules]]\nformats = [\"gcf\"]\n",
            "not-verbatim = [\"read_graph\"]\n[[rules]]\nformats = [\"gcf\"]\n",
        ),
        (
            "\u{feff}dry-run = true\r\n",
            "\u{feff}dry-run = true\r\nnot-verbatim = [\"read_graph\"]\r\n",
        ),
    ] {
        fs::write(&file, before).unwrap();
        for _ in 0..2 {
            let output = run(&add);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            assert_eq!(fs::read_to_string(&file).unwrap(), after);
        }
    }
    let inline = "rules = [{ tools = \"read_*\", verbatim = true }]\n";
    fs::write(&file, inline).unwrap();
    let output = run(&add);
    assert!(String::from_utf8_lossy(&output.stderr).contains("expected the rules as [[rules]]"));
    assert_eq!(fs::read_to_string(&file).unwrap(), inline);
    assert_eq!(run(&["--config", file.to_str().unwrap()]).status.code(), Some(2));
    fs::write(&file, "a = [").unwrap();
    assert_eq!(run(&add).status.code(), Some(2));
    assert_eq!(fs::read_to_string(&file).unwrap(), "a = [");
}

#[test]
fn what_is_left_alone_is_explained() {
    let server = TOOLS.replace("\"all\"", "\"get_page\"");
    let out = tried(&["--explain", "get_page"], &server);
    let expected = "kept: `get_page` reads a file, by `get` and `page` in its name; to rewrite: --not-verbatim get_page";
    assert!(out.contains(expected), "{out}");
    let out = tried(&["--explain", "all", r#"--call=all {"path":"secret.json"}"#], TOOLS);
    let expected = "kept: its argument `path` names a `.json` file; to rewrite: --not-verbatim all";
    assert!(out.contains(expected), "{out}");
    let out = tried(&["--explain", "purge"], TOOLS);
    assert!(out.contains("\"purge\" was not called; `--call purge` calls it"), "{out}");
}

#[test]
fn a_list_without_an_end_is_ended() {
    for (cursor, expected) in [
        ("same", "ends at page 2: its `nextCursor` is that of an earlier page"),
        ("", "ends at page 1: its `nextCursor` is empty"),
        ("$n", "ends at page 100: more pages are not asked for"),
    ] {
        let server = format!(
            r#"
read -r hello; echo '{{"jsonrpc":"2.0","id":1,"result":{{"capabilities":{{}}}}}}'; read -r initialized; n=1
while read -r line; do
  n=$((n+1))
  case "$line" in
    *tools/list*) echo "{{\"jsonrpc\":\"2.0\",\"id\":$n,\"result\":{{\"tools\":[{{\"name\":\"a\",\"annotations\":{{\"readOnlyHint\":true}}}}],\"nextCursor\":\"{cursor}\"}}}}";;
    *) printf '%s\n' "$ANSWER" | sed "s/\"id\":1,\"result\"/\"id\":$n,\"result\"/";;
  esac
done"#
        );
        let out = tried(&["--format", "json"], &server);
        assert!(out.contains(expected), "{out}");
        assert!(out.contains(r#""tool":"a","calls":1,"#), "{out}");
    }
}

#[test]
fn servers_that_do_not_answer_are_told_apart() {
    let hello = r#"read -r hello; echo '{"jsonrpc":"2.0","id":1,"result":{}}'; read -r initialized; read -r list"#;
    let silent = format!(
        r#"{hello}; echo '{{"jsonrpc":"2.0","id":2,"result":{{"tools":[{{"name":"slow"}},{{"name":"fast"}}]}}}}'
read -r slow; read -r cancelled; read -r fast; printf '%s\n' "$ANSWER" | sed 's/"id":1,"result"/"id":4,"result"/'; cat > /dev/null"#
    );
    let refusing = format!(
        r#"{hello}; echo '{{"jsonrpc":"2.0","id":2,"error":{{"code":-1,"message":"not today"}}}}'; cat > /dev/null"#
    );
    for (script, timeout, code, expected) in [
        ("sleep 60", "0.2", 3, "`initialize`: no answer in 200ms, --timeout"),
        ("exit 7", "20", 3, "the server ended with exit code 7 before it answered `initialize`"),
        (&*refusing, "20", 3, "`tools/list`: the server answers with an error: not today"),
        (&*silent, "2", 0, "not counted: slow (no answer in 2s, --timeout sets how long to wait)"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
        let command =
            command.args(["try", "--all", "--timeout", timeout, "--", "sh", "-c", script]);
        let output = command.env("ANSWER", ANSWER).output().unwrap();
        let (table, errors) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{errors}");
        assert!(errors.contains(expected), "{errors}");
        assert_eq!(table.contains("fast"), code == 0, "{table}");
    }
}

#[test]
fn help_says_first_what_the_program_does() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
    let output = command.arg("--help").env_remove("COLUMNS").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    assert!(help.starts_with("Makes the results of any MCP server use fewer tokens"), "{help}");
    assert!(help.lines().count() <= 60, "it is not one screen: {help}");
    insta::assert_snapshot!(help);
}

/// The published schema is that of the program.
#[test]
fn the_schema_is_published() {
    let output = Command::new(env!("CARGO_BIN_EXE_wire-proxy")).arg("schema").output().unwrap();
    let schema = String::from_utf8(output.stdout).unwrap();
    let value: serde_json::Value = serde_json::from_str(&schema).unwrap();
    assert_eq!(value["additionalProperties"], false);
    assert!(value["properties"]["format-argument"].is_object());
    insta::assert_snapshot!(schema);
}

#[test]
fn the_manual_has_a_line_for_an_index_and_the_options_of_commands() {
    let output = Command::new(env!("CARGO_BIN_EXE_wire-proxy")).arg("man").output().unwrap();
    let pages = String::from_utf8(output.stdout).unwrap();
    let name = pages.lines().skip_while(|line| *line != ".SH NAME").nth(1).unwrap();
    assert_eq!(
        name,
        "wire\\-proxy \\- Makes the results of any MCP server use fewer tokens, with the same values"
    );
    assert!(pages.contains("Never touched, and passed on byte for byte"), "{pages}");
    for command in ["init", "try", "stats"] {
        assert!(pages.contains(&format!("wire\\-proxy\\-{command}")), "{command}");
    }
    assert!(pages.contains("\\-\\-write"), "{pages}");
}

#[test]
fn each_command_has_help() {
    wire_conformance::pages::check_help(env!("CARGO_BIN_EXE_wire-proxy"));
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
        let output = command.args(arguments).output().unwrap();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    assert!(run(&["try", "--help"]).contains(" [NAME | URL | -- COMMAND...]\n"));
    // `--stats` is refused there.
    for command in ["serve", "result"] {
        let help = run(&[command, "--help"]);
        assert!(!help.contains("--stats"), "{help}");
    }
    for arguments in [&["init", "zed"][..], &["init", "--write", "zed"]] {
        assert!(run(arguments).contains("tip: zed: if its file has `mcpServers`"));
    }
}

#[test]
fn a_relative_folder_of_data_is_not_used() {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
    command.arg("stats").env("HOME", home.path()).env("XDG_DATA_HOME", "data");
    let errors = String::from_utf8(command.output().unwrap().stderr).unwrap();
    let expected = home.path().join(".local/share/wire-proxy/calls.jsonl");
    assert!(errors.contains(&*expected.to_string_lossy()), "{errors}");
}

/// A terminal shows them, and a client asks first for servers of a project.
#[test]
fn servers_of_a_folder_are_tried_if_that_is_asked_for() {
    let (folder, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let script = serde_json::to_string(&format!("touch RAN; {TOOLS}")).unwrap();
    for (file, text) in [
        (
            ".mcp.json",
            r#"{"mcpServers": {"safe\u001b[2K\r\u202e": {"command": "sh", "args": ["-c", SCRIPT]}}}"#,
        ),
        (".cursor/mcp.json", r#"{"mcpServers": {"b": {"command": "sh", "args": ["-c", SCRIPT]}}}"#),
        (".vscode/mcp.json", r#"{"servers": {"c": {"command": "sh", "args": ["-c", SCRIPT]}}}"#),
        ("opencode.json", r#"{"mcp": {"d": {"type": "local", "command": ["sh", "-c", SCRIPT]}}}"#),
        (".codex/config.toml", "[mcp_servers.e]\ncommand = \"sh\"\nargs = [\"-c\", SCRIPT]\n"),
    ] {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text.replace("SCRIPT", &script)).unwrap();
        let run = |options: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
            command.args(["try", "--timeout", "20"]).args(options).current_dir(folder.path());
            command.env("HOME", home.path()).env("ANSWER", ANSWER).stdin(Stdio::null());
            command.env_remove("CODEX_HOME").env_remove("COPILOT_HOME").output().unwrap()
        };
        let output = run(&[]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("--project starts them") && said.contains("touch RAN"), "{said}");
        assert!(!said.contains(['\u{1b}', '\r', '\u{202e}']), "{said}");
        assert!(!folder.path().join("RAN").exists(), "{file}");
        let output = run(&["--project"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::remove_file(folder.path().join("RAN")).unwrap();
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn commands_that_need_nothing_run_as_they_come() {
    let home = tempfile::tempdir().unwrap();
    for arguments in [&["logins"][..], &["config"], &["schema"], &["man"], &["try", "--sample"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
        command.args(arguments).current_dir(home.path()).env("HOME", home.path());
        let output = command.env_remove("XDG_DATA_HOME").output().unwrap();
        assert!(output.status.success() && !output.stdout.is_empty(), "{arguments:?}");
        // As `| head` does.
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop((child.stdout.take(), child.stderr.take()));
        assert_eq!(child.wait().unwrap().code(), Some(0), "{arguments:?}");
    }
}
