//! The proxy is put into configurations as clients document them, and taken out again.

#![allow(clippy::unwrap_used)] // helpers of tests

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// A client, the file it has by default from the home folder or the project, and what people have
/// in it.
const FILES: &[(&str, &str, &str)] = &[
    (
        "claude-code",
        ".mcp.json",
        "{\n  \"mcpServers\": {\n    \"memory\": {\n      \"type\": \"stdio\",\n      \"command\": \"npx\",\n      \"args\": [\"-y\", \"@modelcontextprotocol/server-memory\"],\n      \"env\": { \"MEMORY_FILE_PATH\": \"${HOME}/memory.json\" }\n    },\n    \"issues\": { \"type\": \"http\", \"url\": \"https://issues.example/mcp\", \"headers\": { \"Authorization\": \"Bearer ${TOKEN}\" } }\n  }\n}\n",
    ),
    (
        "claude-code",
        ".claude.json",
        "{\"numStartups\":12345678901234567890123,\"mcpServers\":{\"time\":{\"args\":[],\"command\":\"uvx \\\"quoted\\\"\"}},\"projects\":{}}",
    ),
    (
        "codex",
        ".codex/config.toml",
        "model = \"gpt-5\" # the model\n\n[mcp_servers.docs]\ncommand = \"npx\" # starts it\nargs = [\n  \"-y\", # yes\n  \"docs-server\",\n]\nstartup_timeout_sec = 20\n\n[mcp_servers.docs.env]\nKEY = \"value\"\n\n[mcp_servers.remote]\nurl = \"https://example.com/mcp\"\n",
    ),
    (
        "cursor",
        ".cursor/mcp.json",
        "{\r\n\t\"mcpServers\": {\r\n\t\t\"files\": {\r\n\t\t\t\"command\": \"C:\\\\Program Files\\\\node\\\\npx.cmd\",\r\n\t\t\t\"args\": [\r\n\t\t\t\t\"-y\",\r\n\t\t\t\t\"files\"\r\n\t\t\t]\r\n\t\t}\r\n\t}\r\n}\r\n",
    ),
    (
        "vscode",
        ".vscode/mcp.json",
        "{\n  // Asked for once.\n  \"inputs\": [{ \"type\": \"promptString\", \"id\": \"key\", \"description\": \"Key\", \"password\": true }],\n  \"servers\": {\n    \"search\": {\n      \"type\": \"stdio\",\n      \"command\": \"uvx\", /* by uv */\n      \"args\": [\"search-server\", /* the rest */ \"--verbose\",],\n      \"env\": { \"KEY\": \"${input:key}\" },\n    },\n  },\n}\n",
    ),
    (
        "opencode",
        ".config/opencode/opencode.jsonc",
        "{\n  \"$schema\": \"https://opencode.ai/config.json\",\n  \"mcp\": {\n    // A server.\n    \"local\": { \"type\": \"local\", \"command\": [\"bun\", \"x\", \"my-server\"], \"enabled\": true },\n    \"far\": { \"type\": \"remote\", \"url\": \"https://example.com/mcp\" }\n  }\n}\n",
    ),
    (
        "opencode",
        "opencode.json",
        "{ \"mcp\": { \"servers\": { \"local\": { \"type\": \"local\", \"command\": [\n  \"my-server\"\n] } } } }\n",
    ),
    (
        "copilot",
        ".copilot/mcp-config.json",
        "{\n    \"mcpServers\": {\n        \"db\": { \"type\": \"local\", \"command\": \"/usr/bin/db-mcp\", \"args\": [], \"tools\": [\"*\"] }\n    }\n}\n",
    ),
    (
        "cline",
        ".cline/data/settings/cline_mcp_settings.json",
        "{\n  \"mcpServers\": {\n    \"db\": { \"command\": \"db-mcp\", \"disabled\": false, \"autoApprove\": [] }\n  }\n}\n",
    ),
];

const PROGRAM: &str = env!("CARGO_BIN_EXE_wire-proxy");

fn init(folder: &Path, arguments: &[&str]) -> Output {
    init_with_path(folder, arguments, Path::new(PROGRAM).parent().unwrap())
}

fn init_with_path(folder: &Path, arguments: &[&str], path: &Path) -> Output {
    let mut command = Command::new(PROGRAM);
    command.arg("init").args(arguments).current_dir(folder).env("HOME", folder).env("PATH", path);
    command.env_remove("CODEX_HOME").env_remove("COPILOT_HOME").output().unwrap()
}

fn out(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn folder_with(file: &str, text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    folder
}

#[test]
fn each_client_gets_the_proxy_and_loses_it_again() {
    let mut shown = String::new();
    for (client, file, text) in FILES {
        let folder = folder_with(file, text);
        let path = folder.path().join(file);
        let diff = out(&init(folder.path(), &[client]));
        assert_eq!(fs::read_to_string(&path).unwrap(), *text, "it is only shown");
        assert!(diff.contains("\n+") && diff.contains("--write"), "{diff}");
        out(&init(folder.path(), &[client, "--write"]));
        let written = fs::read_to_string(&path).unwrap();
        shown += &format!("=== {client}: {file}\n{written}\n");
        let backup = folder.path().join(format!("{file}.before-wire-proxy"));
        assert_eq!(fs::read_to_string(&backup).unwrap(), *text);
        // A second time there is nothing to do, and the backup stays.
        let again = out(&init(folder.path(), &[client, "--write"]));
        assert!(again.contains("nothing to change"), "{again}");
        assert_eq!(fs::read_to_string(&path).unwrap(), written);
        out(&init(folder.path(), &[client, "--undo", "--write"]));
        assert_eq!(fs::read_to_string(&path).unwrap(), *text, "{client}");
    }
    insta::assert_snapshot!(shown);
}

/// The log that `init --stats` writes into a configuration is the one that `stats` reads.
#[test]
fn what_is_saved_later_is_logged_where_stats_reads_it() {
    let home = tempfile::tempdir().unwrap();
    let text = r#"{"mcpServers": {"a": {"command": "npx"}}}"#;
    let folder = folder_with(".cursor/mcp.json", text);
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
        command.args(arguments).current_dir(folder.path()).env("XDG_DATA_HOME", home.path());
        command.output().unwrap()
    };
    let none = run(&["stats"]);
    let said = String::from_utf8(none.stderr).unwrap();
    assert_eq!(none.status.code(), Some(3), "{said}");
    assert!(said.contains("no calls yet; `wire-proxy init CLIENT --stats --write`"), "{said}");
    out(&run(&["init", "cursor", "--program", "wire-proxy", "--stats", "--write"]));
    let written = fs::read_to_string(folder.path().join(".cursor/mcp.json")).unwrap();
    let written: serde_json::Value = serde_json::from_str(&written).unwrap();
    let words = written["mcpServers"]["a"]["args"].as_array().unwrap().clone();
    let words: Vec<&str> = words.iter().map(|word| word.as_str().unwrap()).collect();
    assert_eq!(words[2], "--stats", "{words:?}");
    // A run with it creates the file.
    let ran = run(&["--stats", words[3], "--", "true"]);
    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
    let line = r#"{"tool":"search","content":{"came":100,"minified":60,"went":40}}"#;
    fs::write(words[3], format!("{line}\n")).unwrap();
    let said = out(&run(&["stats"]));
    let first = "1 call, as the client shows results: 100 → 40 tokens (−60 %: the form −20 %, white space or a second copy −40 %)";
    assert_eq!(said.lines().next(), Some(first));
}

#[test]
fn files_stay_as_they_are_but_for_the_change() {
    for (client, file, text, written) in [
        // Line ends, quotes and an end without a line end; arguments that are not there.
        (
            "codex",
            ".codex/config.toml",
            "[mcp_servers.a]\r\ncommand = 'C:\\x.exe' # it\r\n  \r\n[mcp_servers.b]\r\n  command = \"b\"",
            "[mcp_servers.a]\r\ncommand = \"wire-proxy\" # it\r\nargs = [ \"--\", 'C:\\x.exe' ]\r\n  \r\n[mcp_servers.b]\r\n  command = \"wire-proxy\"\r\n  args = [ \"--\", \"b\" ]",
        ),
        (
            "codex",
            ".codex/config.toml",
            "\u{feff}[mcp_servers]\na = { command = \"a\" }\nb.command = \"\"\"b\"\"\"\nc={args=['x'],command='c'}\n",
            "\u{feff}[mcp_servers]\na = { command = \"wire-proxy\", args = [ \"--\", \"a\" ] }\nb.command = \"wire-proxy\"\nb.args = [ \"--\", \"\"\"b\"\"\" ]\nc={args=[\"--\", 'c', 'x'],command=\"wire-proxy\"}\n",
        ),
        // Servers with a URL.
        (
            "codex",
            ".codex/config.toml",
            "[mcp_servers.a]\r\n  url = 'https://a.example/mcp' # it\r\n[mcp_servers]\r\nb = { enabled = true, url = \"https://b.example/mcp\" }\r\nc.url = \"https://c.example\"\r\n",
            "[mcp_servers.a]\r\n  command = \"wire-proxy\"\r\n  args = [ 'https://a.example/mcp' ] # it\r\n[mcp_servers]\r\nb = { enabled = true, command = \"wire-proxy\", args = [ \"https://b.example/mcp\" ] }\r\nc.command = \"wire-proxy\"\r\nc.args = [ \"https://c.example\" ]\r\n",
        ),
        (
            "cursor",
            ".cursor/mcp.json",
            "\u{feff}{\"mcpServers\":{\"a\":{\"command\":\"a\",\"env\":{}},\"b\":{\"command\":\"b\", \"args\": []}}}",
            "\u{feff}{\"mcpServers\":{\"a\":{\"command\":\"wire-proxy\", \"args\": [ \"--\", \"a\" ],\"env\":{}},\"b\":{\"command\":\"wire-proxy\", \"args\": [\"--\", \"b\"]}}}",
        ),
    ] {
        let folder = folder_with(file, text);
        let path = folder.path().join(file);
        let keep = [client, "--structured", "keep", "--write"];
        out(&init(folder.path(), &keep));
        assert_eq!(fs::read_to_string(&path).unwrap(), written);
        out(&init(folder.path(), &[client, "--structured", "drop", "--write"]));
        out(&init(folder.path(), &[client, "--undo", "--write"]));
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        // The last file with the proxy; the one without it is the file again.
        let files = fs::read_dir(path.parent().unwrap()).unwrap();
        assert_eq!(files.count(), 2);
        assert!(folder.path().join(format!("{file}.with-wire-proxy")).is_file());
    }
}

/// What people and their editors write around the place of the change. Libraries that edit such
/// files lose comments, line ends, marks and spaces of it.
#[test]
fn every_byte_comes_back() {
    const JSON: &str = ".cursor/mcp.json";
    const TOML: &str = ".codex/config.toml";
    let json = |server: &str| (JSON, format!("{{\"mcpServers\": {{\"x\": {server}}}}}"));
    let toml = |server: &str| (TOML, format!("# mine\n[mcp_servers.x]\n{server}"));
    let written = "{\n  \"mcpServers\": {\n    \"x\": {\n      \"command\": \"npx\",\n      \"args\": [\n        \"-y\",\n        \"p\"\n      ]\n    }\n  }\n}\n";
    for (file, text) in [
        (JSON, written.to_owned()),
        (JSON, written.replace('\n', "\r\n")),
        (JSON, written.replace("  ", "\t").replace("\"p\"\n", "\"p\",\n")),
        (JSON, format!("\u{feff}{}", written.trim_end())),
        json(r#"{ "command": "npx" }"#),
        json(r#"{"command":"npx","args":["-y","p"]}"#),
        json(r#"{ "args": ["-y", "p"], "command": "npx" }"#),
        json(r#"{ "command": "npx", "args": [ ] }"#),
        json(r#"{ "command": "npx", "args": [ /* a, b */ ] }"#),
        json("{ \"command\": \"npx\", \"args\": [ // a, b\n ] }"),
        json("{ \"command\": \"npx\", \"args\": [\"a\" /* a, b */ , // c, d\n ] }"),
        json("{\n\n  \"command\": \"npx\" /* own */,\n  // more\n\n}"),
        toml("command = 'npx' # it, too\nargs = [\n  '-y', # yes\n]\n"),
        toml("command = \"npx\"\nargs = [ ]\n[mcp_servers.a]\ncommand = \"a\"\n"),
        toml("command = \"npx\"\nargs = [ # a, b\n]"),
        toml("command = \"npx\""),
        toml("command = \"npx\"\r\nargs = ['a',]\r\n"),
        (
            TOML,
            "mcp_servers.x.command = \"npx\"\nmcp_servers.y = { args = [], command = 'y' }\n"
                .into(),
        ),
        (TOML, "\u{feff}[mcp_servers.x]\ncommand = \"npx\"\n\n[z]\n[a]".into()),
    ] {
        let client = if file == TOML { "codex" } else { "cursor" };
        let folder = folder_with(file, &text);
        let path = folder.path().join(file);
        out(&init(folder.path(), &[client, "--write"]));
        let with = fs::read_to_string(&path).unwrap();
        assert!(with.contains("wire-proxy"), "{with}");
        let again = out(&init(folder.path(), &[client, "--write"]));
        assert!(again.contains("nothing to change"), "{with}");
        out(&init(folder.path(), &[client, "--undo", "--write"]));
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "{with}");
    }
}

#[test]
fn a_url_with_a_token_in_toml_is_left_to_the_user() {
    let file = ".codex/config.toml";
    let text = "[mcp_servers.a]\nurl = \"https://a.example\"\nbearer_token_env_var = \"T\"\n";
    let folder = folder_with(file, text);
    let output = init(folder.path(), &["codex", "--write"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("a URL with headers or a token"), "{said}");
    assert_eq!(fs::read_to_string(folder.path().join(file)).unwrap(), text);
}

#[test]
fn a_policy_is_changed_where_the_proxy_is_already() {
    for (client, file, before, after) in [
        (
            "claude-code",
            ".mcp.json",
            "{\"mcpServers\":{\"a\":{\"command\":\"wire-proxy\",\"args\":[\"--stats\",\"s\",\"--structured\",\"auto\",\"--\",\"a\",\"--structured\",\"x\"]}}}",
            "{\"mcpServers\":{\"a\":{\"command\":\"wire-proxy\",\"args\":[\"--stats\",\"s\",\"--structured\",\"drop\",\"--\",\"a\",\"--structured\",\"x\"]}}}",
        ),
        (
            "codex",
            ".codex/config.toml",
            "[mcp_servers.a]\ncommand = 'wire-proxy'\nargs = ['--', 'a']\n",
            "[mcp_servers.a]\ncommand = 'wire-proxy'\nargs = [\"--structured\", \"drop\", '--', 'a']\n",
        ),
        (
            "opencode",
            "opencode.json",
            "{\"mcp\":{\"a\":{\"command\":[\"wire-proxy\",\"--structured=keep\",\"--\",\"a\"]}}}",
            "{\"mcp\":{\"a\":{\"command\":[\"wire-proxy\",\"--structured=drop\",\"--\",\"a\"]}}}",
        ),
    ] {
        let folder = folder_with(file, before);
        let path = folder.path().join(file);
        assert!(out(&init(folder.path(), &[client, "--write"])).contains("nothing to change"));
        out(&init(folder.path(), &[client, "--structured", "drop", "--write"]));
        assert_eq!(fs::read_to_string(&path).unwrap(), after);
        let again = out(&init(folder.path(), &[client, "--structured", "drop", "--write"]));
        assert!(again.contains("nothing to change"), "{again}");
    }
}

#[test]
fn servers_of_the_folder_alone_are_found() {
    // As `claude mcp add` writes it without --scope.
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().canonicalize().unwrap();
    let text = format!(
        "{{\n  \"projects\": {{\n    \"/elsewhere\": {{ \"mcpServers\": {{ \"x\": {{ \"type\": \"stdio\", \"command\": \"x\", \"args\": [], \"env\": {{}} }} }} }},\n    {}: {{\n      \"allowedTools\": [],\n      \"mcpServers\": {{ \"db\": {{ \"type\": \"stdio\", \"command\": \"db\", \"args\": [], \"env\": {{}} }} }}\n    }}\n  }}\n}}\n",
        serde_json::to_string(&place.to_str().unwrap()).unwrap()
    );
    let path = folder.path().join(".claude.json");
    for (text, servers) in [
        (text.clone(), &["db"][..]),
        (
            text.replacen(
                "{\n",
                "{\n  \"mcpServers\": { \"all\": { \"command\": \"all\" } },\n",
                1,
            ),
            &["all", "db"],
        ),
    ] {
        fs::write(&path, &text).unwrap();
        let said = out(&init(folder.path(), &["claude-code", "--write"]));
        assert!(said.contains(&format!("{} changed", servers.join(", "))), "{said}");
        let written = fs::read_to_string(&path).unwrap();
        assert_eq!(written.matches("wire-proxy").count(), servers.len(), "{written}");
        assert!(written.contains("\"command\": \"x\""), "{written}");
        out(&init(folder.path(), &["claude-code", "--undo", "--write"]));
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn options_of_the_proxy_go_with_it() {
    let wrapped = "{\"mcpServers\":{\"a\":{\"command\":\"/opt/wire-proxy\",\"args\":[\"--stats\",\"s\",\"--\",\"npx\",\"--\",\"x\"]},\"b\":{\"command\":\"b\"}}}";
    let folder = folder_with(".mcp.json", wrapped);
    out(&init(folder.path(), &["claude-code", "--undo", "--write"]));
    let path = folder.path().join(".mcp.json");
    let expected = "{\"mcpServers\":{\"a\":{\"command\":\"npx\",\"args\":[\"--\",\"x\"]},\"b\":{\"command\":\"b\"}}}";
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);
    let arguments = ["claude-code", "--server", "b", "--program", "/opt/wire-proxy"];
    out(&init(folder.path(), &[&arguments[..], &["--structured", "keep", "--write"]].concat()));
    let expected = expected.replace(
        "{\"command\":\"b\"}",
        "{\"command\":\"/opt/wire-proxy\", \"args\": [ \"--\", \"b\" ]}",
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);
}

#[test]
fn a_program_that_is_not_on_the_path_is_named_with_its_own() {
    let text = "{\n  \"mcpServers\": {\n    \"mem\": {\"command\": \"npx\", \"args\": [\"-y\", \"server\"]}\n  }\n}\n";
    let folder = folder_with(".cursor/mcp.json", text);
    let output = init_with_path(folder.path(), &["cursor", "--write"], folder.path());
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(said.contains("is not on PATH"), "{said}");
    out(&output);
    let path = folder.path().join(".cursor/mcp.json");
    let written = fs::read_to_string(&path).unwrap();
    let command = serde_json::from_str::<serde_json::Value>(&written).unwrap();
    let command = command["mcpServers"]["mem"]["command"].as_str().unwrap().to_owned();
    assert!(Path::new(&command).is_absolute() && Path::new(&command).is_file(), "{command}");
    out(&init_with_path(folder.path(), &["cursor", "--undo", "--write"], folder.path()));
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    // A command that the user names is taken as it is.
    let arguments = ["cursor", "--program", "wire-proxy"];
    let output = init_with_path(folder.path(), &arguments, folder.path());
    assert!(!String::from_utf8(output.stderr.clone()).unwrap().contains("PATH"));
    assert!(out(&output).contains("\n+ wire-proxy --structured drop -- npx -y server\n"));
}

#[test]
fn the_policy_that_saves_is_written_and_explained() {
    for (client, file, text) in FILES {
        let folder = folder_with(file, text);
        let path = folder.path().join(file);
        let output = init(folder.path(), &[client, "--structured", "auto", "--write"]);
        out(&output);
        let written = fs::read_to_string(&path).unwrap();
        assert!(written.contains("\"--structured\", \"auto\", \"--\", "), "{written}");
        out(&init(folder.path(), &[client, "--undo", "--write"]));
        assert_eq!(fs::read_to_string(&path).unwrap(), *text, "{client}");
        // The table of clients decides what is said.
        let output = init(folder.path(), &[client]);
        let advice = String::from_utf8(output.stderr.clone()).unwrap();
        let (policy, has_code) = match *client {
            "claude-code" | "copilot" | "cline" => (Some("auto"), false),
            "codex" | "opencode" => (None, true),
            _ => (Some("drop"), false),
        };
        let shown = out(&output);
        match policy {
            Some(policy) => {
                let expected = format!("`--structured {policy}` removes");
                assert!(advice.contains(&expected), "{client}: {advice}");
                assert!(shown.contains(&format!("--structured {policy} ")), "{shown}");
            }
            None => assert!(!(advice + &shown).contains("--structured"), "{client}: {shown}"),
        }
        let advice = String::from_utf8(output.stderr.clone()).unwrap();
        let has_advice =
            advice.contains("programs call tools") || advice.contains("pass untouched");
        assert_eq!(has_advice, has_code, "{client}: {advice}");
        let is_local = matches!(*client, "codex" | "vscode" | "opencode");
        assert_eq!(
            advice.contains(&format!("`init {client} --policy minify`")),
            is_local,
            "{client}: {advice}"
        );
        let output = init(folder.path(), &[client, "--structured", "keep"]);
        let said = String::from_utf8(output.stderr.clone()).unwrap();
        let shows_it_alone = matches!(*client, "claude-code" | "cursor" | "vscode");
        assert_eq!(said.contains("saves nothing with this"), shows_it_alone, "{client}: {said}");
        assert!(!out(&output).contains("--structured"));
        let output = init(folder.path(), &[client, "--undo"]);
        assert!(!String::from_utf8(output.stderr).unwrap().contains("shows the model"));
    }
}

#[test]
fn what_can_not_be_changed_is_said() {
    let broken = "{\n  \"mcpServers\": {\n    \"a\": [\n}\n";
    let none = "{\"theme\":\"dark\"}";
    for (client, file, text, code, expected) in [
        ("cursor", "other", "", 2, "expected .cursor/mcp.json or "),
        ("cursor", ".cursor/mcp.json", broken, 3, "line 4"),
        ("cursor", ".cursor/mcp.json", none, 3, "expected an object \"mcpServers\""),
        ("codex", ".codex/config.toml", "a = [", 3, "line 1"),
        ("codex", ".codex/config.toml", "a = 1", 3, "expected tables [mcp_servers.NAME]"),
    ] {
        let folder = folder_with(file, text);
        let output = init(folder.path(), &[client, "--write"]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{error}");
        assert!(error.contains(expected), "{error}");
        assert_eq!(fs::read_to_string(folder.path().join(file)).unwrap(), text);
    }
    for (entry, expected) in [
        (r#"{ "type": "sse", "url": "https://a.example/sse" }"#, "its `type` is not"),
        (r#"{ "httpUrl": "https://a.example/mcp" }"#, "its URL is not in `url`"),
        (r#"{ "url": "https://a.example/mcp", "env": {} }"#, "it has a URL and variables"),
        (r#"{ "url": "https://u:p@a.example/mcp" }"#, "the URL has a user or a password"),
        (
            r#"{ "url": "https://a.example/mcp", "headers": { "Accept": "x" } }"#,
            "the header Accept is wire-proxy's own",
        ),
    ] {
        let text = format!("{{ \"mcpServers\": {{ \"a\": {entry} }} }}");
        let folder = folder_with(".mcp.json", &text);
        let output = init(folder.path(), &["claude-code", "--write"]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(&format!("a stays as it is: {expected}")), "{error}");
        assert_eq!(fs::read_to_string(folder.path().join(".mcp.json")).unwrap(), text);
    }
    let folder = folder_with(".mcp.json", FILES[0].2);
    let output = init(folder.path(), &["claude-code", "--server", "nothing"]);
    assert_eq!(output.status.code(), Some(2));
    for name in ["windsurf", "claude-desktop", "zed", "lmstudio"] {
        let output = init(folder.path(), &[name]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(error.contains(&format!("tip: {name}: if its file has `mcpServers`")), "{error}");
        assert!(error.contains("`wire-proxy init cursor --file FILE`"), "{error}");
    }
    let output = init(folder.path(), &["cursor", "--policy", "zed"]);
    assert!(!String::from_utf8(output.stderr).unwrap().contains("tip: zed: if its"));
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder_with("dotfiles/mcp.json", FILES[7].2);
    let real = folder.path().join("dotfiles/mcp.json");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    let link = folder.path().join(".copilot");
    fs::create_dir(&link).unwrap();
    symlink(&real, link.join("mcp-config.json")).unwrap();
    out(&init(folder.path(), &["copilot", "--write"]));
    assert!(link.join("mcp-config.json").is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("wire-proxy"));
    for path in [&real, &folder.path().join("dotfiles/mcp.json.before-wire-proxy")] {
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn lists_that_a_formatter_wrote_again_can_be_read_without_the_proxy() {
    // The proxy's arguments are all there are, each on a line, with a comma after the last.
    let files = [
        (
            "codex",
            ".codex/config.toml",
            "[mcp_servers.a]\ncommand = \"wire-proxy\"\nargs = [\n  \"--\",\n  \"b\",\n]\n",
        ),
        (
            "cursor",
            ".cursor/mcp.json",
            "{ \"mcpServers\": { \"a\": { \"command\": \"wire-proxy\", \"args\": [\"--\", \"b\" , ] } } }\n",
        ),
    ];
    for (client, name, text) in files {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        out(&init(folder.path(), &[client, "--undo", "--write"]));
        let written = fs::read_to_string(&file).unwrap();
        let rest = written.split_once('[').unwrap().1;
        assert!(!rest.contains(',') && written.contains("\"b\""), "{written}");
        // It is a file that is read again.
        out(&init(folder.path(), &[client, "--write"]));
        assert!(fs::read_to_string(&file).unwrap().contains("\"wire-proxy\""));
    }
}

#[test]
fn policies_are_set_for_commands_and_urls_and_go_with_the_proxy() {
    for (client, file, text) in FILES {
        let folder = folder_with(file, text);
        let path = folder.path().join(file);
        let write = |arguments: &[&str]| {
            out(&init(folder.path(), &[&[*client, "--write"], arguments].concat()));
            fs::read_to_string(&path).unwrap()
        };
        let minify = "\"--policy\", \"minify\", ";
        let at_once = write(&["--policy", "minify"]);
        write(&["--undo"]);
        let servers = write(&[]).matches("wire-proxy\"").count();
        let later = write(&["--policy", "minify"]);
        for written in [&at_once, &later] {
            assert_eq!(written.matches(minify).count(), servers, "{client}: {written}");
        }
        assert_eq!(write(&["--policy", "minify"]), later, "{client}");
        let both = write(&["--policy", "on", "--structured", "keep"]);
        for option in ["\"--policy\", \"on\"", "\"--structured\", \"keep\""] {
            assert_eq!(both.matches(option).count(), servers, "{client}: {both}");
        }
        assert_eq!(write(&["--undo"]), *text, "{client}");
    }
    // Where the proxy stands already, nothing is said of what is not changed. The URL may be first,
    // and what is no server stays.
    let text = r#"{"mcpServers":{"a":{"command":"wire-proxy","args":["--structured","keep","--","s"]},"b":{"command":"wire-proxy","args":["https://x.example/mcp","--header-env","A=B"]},"c":{"command":"wire-proxy","args":["login","https://x.example/mcp"]}}}"#;
    let folder = folder_with(".mcp.json", text);
    let output = init(folder.path(), &["claude-code", "--policy", "minify", "--write"]);
    assert!(out(&output).contains("a, b changed"));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "wire-proxy: c stays as it is: its command is not written as expected\n");
    let written = fs::read_to_string(folder.path().join(".mcp.json")).unwrap();
    let expected = text
        .replace("[\"--structured\"", "[\"--policy\", \"minify\", \"--structured\"")
        .replacen("[\"https", "[\"--policy\", \"minify\", \"https", 1);
    assert_eq!(written, expected);
    let hook = init(Path::new("/"), &["codex", "--hook", "--policy", "minify"]);
    assert_eq!(hook.status.code(), Some(2));
}

/// A run on a file with this text: the exit code, what was said, and the text after it.
fn run_on(text: &str, name: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
    let folder = folder_with(name, text);
    let output = init(folder.path(), &[arguments, &["--file", name]].concat());
    let said = [output.stdout, output.stderr].concat();
    let text = fs::read_to_string(folder.path().join(name)).unwrap_or_default();
    (output.status.code(), String::from_utf8(said).unwrap(), text)
}

#[test]
fn a_url_stays_where_a_member_is_not_one_of_a_command() {
    let json = |entry: &str| format!("{{\"mcpServers\": {{\"a\": {entry}}}}}");
    let url = r#""url": "https://h/mcp""#;
    for (client, name, text, word) in [
        (
            "claude-code",
            "a.json",
            json(&format!(r#"{{"type": "http", {url}, "headersHelper": "/t.sh"}}"#)),
            "`headersHelper`",
        ),
        (
            "claude-code",
            "a.json",
            json(&format!(r#"{{{url}, "oauth": {{"clientId": "abc"}}}}"#)),
            "login https://h/mcp --client-id",
        ),
        (
            "codex",
            "a.toml",
            "[mcp_servers.a]\nurl = \"https://h/mcp\"\noauth_resource = \"https://h\"\n".to_owned(),
            "`oauth_resource`",
        ),
        (
            "codex",
            "a.toml",
            "[mcp_servers.a]\nurl = \"https://h/mcp\"\nauth = \"oauth\"\n".to_owned(),
            "`auth`",
        ),
        (
            "codex",
            "a.toml",
            "[mcp_servers.a]\nurl = \"https://h/mcp\"\n[mcp_servers.a.oauth]\nclient_id = \"x\"\n"
                .to_owned(),
            "`oauth`",
        ),
        (
            "cursor",
            "a.json",
            json(&format!(r#"{{{url}, "auth": {{"CLIENT_ID": "abc"}}}}"#)),
            "`auth`",
        ),
        (
            "copilot",
            "a.json",
            json(&format!(r#"{{"type": "http", {url}, "tools": ["*"], "oauthClientId": "abc"}}"#)),
            "`oauthClientId`",
        ),
        (
            "opencode",
            "a.json",
            format!(r#"{{"mcp": {{"a": {{"type": "remote", {url}, "oauth": {{}}}}}}}}"#),
            "`oauth`",
        ),
        (
            "vscode",
            "a.json",
            format!(r#"{{"servers": {{"a": {{{url}, "anything": 1}}}}}}"#),
            "`anything`",
        ),
    ] {
        let (code, said, after) = run_on(&text, name, &[client, "--write"]);
        assert_eq!((code, &after), (Some(0), &text), "{said}");
        assert!(said.contains("a stays as it is: ") && said.contains(word), "{said}");
    }
    // Members that mean the same beside a command stay there.
    for (client, entry) in [
        ("claude-code", format!(r#"{{"type": "http", {url}, "timeout": 9}}"#)),
        (
            "cline",
            format!(r#"{{"type": "streamableHttp", {url}, "disabled": false, "autoApprove": []}}"#),
        ),
        ("cline", format!(r#"{{"type": "http", {url}}}"#)),
        ("cursor", format!(r#"{{"type": "streamable-http", {url}, "alwaysAllow": ["x"]}}"#)),
        ("cursor", format!(r#"{{"type": "streamable-http", {url}, "headers": {{"A": "b"}}}}"#)),
    ] {
        let text = json(&entry);
        let (_, said, with) = run_on(&text, "a.json", &[client, "--write"]);
        assert!(
            with.contains("wire-proxy") && with.contains(r#""type": "stdio""#)
                || client == "cursor",
            "{said}{with}"
        );
        assert_eq!(run_on(&with, "a.json", &[client, "--undo", "--write"]).2, text, "{with}");
    }
}

#[test]
fn a_url_with_a_query_is_no_argument() {
    for (client, name, text) in [
        ("cursor", "a.json", r#"{"mcpServers": {"a": { "url" /* mine */ : "https://h/mcp?key=SECRET", "x": 1 }}}"#.replace(r#", "x": 1"#, "")),
        ("cursor", "a.json", r#"{"mcpServers": {"a": {"headers": { "A": "B" }, "url": "https://h/mcp?key=SECRET"}}}"#.to_owned()),
        ("opencode", "a.json", r#"{"mcp": {"a": {"type": "remote", "url": "https://h/mcp?key=SECRET", "enabled": true}}}"#.to_owned()),
        ("codex", "a.toml", "[mcp_servers.a]\n  url   = 'https://h/mcp?key=SECRET' # it\n[b]\n".to_owned()),
        ("codex", "a.toml", "[mcp_servers]\na = { url = \"https://h/mcp?key=SECRET\", enabled = true }\n".to_owned()),
    ] {
        let (_, said, _) = run_on(&text, name, &[client]);
        assert!(!said.contains("SECRET") && said.contains("--url-env WIRE_PROXY_URL"), "{said}");
        let (_, said, with) = run_on(&text, name, &[client, "--write"]);
        assert!(!said.contains("SECRET"), "{said}");
        let arguments = with.split_once('[').filter(|_| client != "codex").map_or(&*with, |(_, rest)| rest);
        assert!(!arguments.split(']').next().unwrap().contains("SECRET"), "{with}");
        assert!(with.contains("WIRE_PROXY_URL"), "{with}");
        let (_, said, again) = run_on(&with, name, &[client, "--write"]);
        assert!(said.contains("nothing to change") && again == with, "{said}{again}");
        let (code, said, after) = run_on(&with, name, &[client, "--undo", "--write"]);
        assert_eq!((code, after), (Some(0), text), "{said}{with}");
    }
    // As the version before wrote them.
    for (client, name, with, text) in [
        (
            "cursor",
            "a.json",
            r#"{"mcpServers":{"a":{"type": "stdio", "command": "wire-proxy", "args": [ "--structured", "drop", "--header-env", "A=WIRE_PROXY_HEADER_1", "https://h/mcp?k=1" ], "env": {"WIRE_PROXY_HEADER_1": "b"}}}}"#,
            r#"{"mcpServers":{"a":{"type": "http", "url": "https://h/mcp?k=1", "headers": {"A": "b"}}}}"#,
        ),
        (
            "codex",
            "a.toml",
            "[mcp_servers.a]\ncommand = \"wire-proxy\"\nargs = [ \"https://h/mcp?k=1\" ]\n",
            "[mcp_servers.a]\nurl = \"https://h/mcp?k=1\"\n",
        ),
    ] {
        let (_, said, after) = run_on(with, name, &[client, "--undo", "--write"]);
        assert_eq!(after, text, "{said}");
    }
}

#[test]
fn undo_loses_nothing_or_is_an_error() {
    let hand_written = r#"{"mcpServers":{"a":{"command":"wire-proxy","args":["--header","X-Team: 7","--header-env","Authorization=MY_TOKEN","https://h/mcp"]}}}"#;
    for (client, name, text) in [
        ("claude-code", "a.json", hand_written),
        (
            "claude-code",
            "a.json",
            r#"{"mcpServers":{"a":{"command":"wire-proxy","args":["https://h/mcp"],"env":{"MORE":"x"}}}}"#,
        ),
        (
            "claude-code",
            "a.json",
            r#"{"mcpServers":{"a":{"command":"wire-proxy" /* mine */,"args":["https://h/mcp"]}}}"#,
        ),
        (
            "codex",
            "a.toml",
            "[mcp_servers.a]\ncommand = \"wire-proxy\"\nargs = [\"--header-env\", \"Authorization=T\", \"https://h/mcp\"]\n",
        ),
        (
            "codex",
            "a.toml",
            "[mcp_servers.a]\ncommand = \"wire-proxy\" # mine\nargs = [\"https://h/mcp\"]\n",
        ),
    ] {
        let folder = folder_with(name, text);
        fs::write(folder.path().join(format!("{name}.before-wire-proxy")), "old").unwrap();
        let output = init(folder.path(), &[client, "--undo", "--write", "--file", name]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(3) && said.contains("would be lost"), "{said}");
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), text);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is written");
    }
    let (code, said, _) = run_on(
        r#"{"mcpServers":{"a":{"command":"x"},"a":{"command":"y"}}}"#,
        "a.json",
        &["cursor", "--write"],
    );
    assert!(code == Some(3) && said.contains("\"a\" appears twice"), "{said}");
    let (code, said, _) = run_on(
        r#"{"mcpServers":{"a":{"command":"x","command":"y"}}}"#,
        "a.json",
        &["cursor", "--write"],
    );
    assert!(code == Some(3) && said.contains("\"command\" appears twice"), "{said}");
}

#[test]
fn a_server_of_dotted_names_in_an_inline_table_stays() {
    for mine in [
        "mcp_servers = { a.command = \"npx\" }\n",
        "mcp_servers = { a.url = \"https://h/mcp\", b.command = \"x\" }\n",
    ] {
        let (_, said, text) = run_on(mine, "c.toml", &["codex", "--write"]);
        assert!(text == mine && said.contains("a stays as it is"), "{said}{text}");
    }
}

#[test]
fn undo_takes_out_the_hook_and_nothing_else() {
    const HOOK: &str =
        r#"{ "type": "command", "command": "wire-proxy hook claude-code", "timeout": 5 }"#;
    const OWN: &str = r#"{ "type": "command", "command": "my-logger" }"#;
    let entry = |hooks: &str| format!(r#"{{ "matcher": "mcp__.*|Bash", "hooks": [{hooks}] }}"#);
    let settings = |entries: &str| {
        format!("{{\"hooks\": {{\"PostToolUse\": [ {entries} ]}}, \"model\": \"opus\"}}")
    };
    let other = r#"{"matcher": "Edit", "hooks": []}"#;
    for (before, after) in [
        // As agents add hooks to an entry with the same matcher.
        (settings(&entry(&format!("{HOOK}, {OWN}"))), settings(&entry(OWN))),
        (settings(&entry(&format!("{OWN}, {HOOK}"))), settings(&entry(OWN))),
        (settings(&format!("{} /* ours, yes */, {other}", entry(HOOK))), settings(other)),
        (
            settings(&format!("{}, /* a, b */ {other}", entry(HOOK))),
            settings(&format!(" /* a, b */ {other}")),
        ),
        (settings(&format!("{other}, {}", entry(HOOK))), settings(other)),
    ] {
        let (code, said, text) =
            run_on(&before, "s.json", &["claude-code", "--hook", "--undo", "--write"]);
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains("s.json.with-wire-proxy"), "{said}");
        assert_eq!(text, after, "{before}");
    }
    let more =
        settings(&entry(&HOOK.replace("\"timeout\"", "\"statusMessage\": \"x\", \"timeout\"")));
    let (code, said, text) =
        run_on(&more, "s.json", &["claude-code", "--hook", "--undo", "--write"]);
    assert!(code == Some(3) && said.contains("statusMessage") && text == more, "{said}");
    let noted = settings(&entry(&HOOK.replace("5 }", "5 /* NOTE */ }")));
    let (code, said, text) =
        run_on(&noted, "s.json", &["claude-code", "--hook", "--undo", "--write"]);
    assert!(code == Some(3) && text == noted, "{said}");
    // Copilot: with a hook of the user beside ours, and alone in a list that `init` did not write.
    let ours = r#""postToolUse": [{ "type": "command", "bash": "wire-proxy hook copilot", "timeoutSec": 5 }]"#;
    let file = |hooks: &str| format!("{{\n  \"version\": 1,\n  \"hooks\": {{ {hooks} }}\n}}\n");
    let guard = r#""preToolUse": [{ "type": "command", "bash": "my-guard" }]"#;
    let undo = ["copilot", "--hook", "--undo", "--write"];
    let (_, said, text) = run_on(&file(&format!("{guard}, {ours}")), "c.json", &undo);
    assert!(text.contains(guard) && !text.contains("wire-proxy"), "{said}{text}");
    let (_, said, text) = run_on(&file(ours), "c.json", &undo);
    assert_eq!(text, file(r#""postToolUse": []"#), "{said}");
    // Files of the user's come back, however little is in them.
    for mine in [
        "// my notes\n{\"version\":1,\"hooks\":{\"postToolUse\":[]}}",
        "{\n  \"version\": 1 // keep\n}\n",
        "{\"version\":1,\"hooks\":{\"preToolUse\":[]}}",
        "{}",
    ] {
        let (_, said, with) = run_on(mine, "c.json", &["copilot", "--hook", "--write"]);
        assert!(with.contains("wire-proxy hook copilot"), "{said}");
        assert_eq!(run_on(&with, "c.json", &undo).2, mine);
    }
    // A file of somebody's is not ours because it says so.
    for agent in ["opencode", "cline"] {
        let mine = "// do not use the hook of wire-proxy here\n";
        for arguments in
            [&[agent, "--hook", "--write"][..], &[agent, "--hook", "--undo", "--write"]]
        {
            let (code, said, text) = run_on(mine, "p.js", arguments);
            assert!(code == Some(3) && text == mine, "{said}");
        }
        let folder = folder_with("x", "");
        let at = |arguments: &[&str]| {
            init(folder.path(), &[&[agent, "--hook", "--file", "p.js"], arguments].concat())
        };
        out(&at(&["--program", "/a b/wire-proxy", "--write"]));
        let path = folder.path().join("p.js");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{text}// more\n")).unwrap();
        assert_eq!(at(&["--undo", "--write"]).status.code(), Some(3));
        fs::write(&path, text).unwrap();
        out(&at(&["--undo", "--write"]));
        assert!(!path.exists() && folder.path().join("p.js.with-wire-proxy").exists());
    }
}

#[test]
fn every_byte_comes_back_with_a_hook() {
    for (agent, text) in [
        ("claude-code", "{}"),
        ("claude-code", "{\n  \"model\": \"opus\"\n}\n"),
        ("claude-code", r#"{"hooks":{}}"#),
        ("claude-code", "{\"hooks\": {\n\t\"Stop\": [] }, \"a\": 1,}"),
        ("claude-code", r#"{"hooks": {"PostToolUse": []}}"#),
        (
            "claude-code",
            "{\"hooks\": {\"PostToolUse\": [\n  {\"matcher\": \"Edit\", \"hooks\": []} // mine, yes\n]}}",
        ),
        (
            "copilot",
            "{\n  \"version\": 1,\n  \"hooks\": {\n    \"postToolUse\": [ { \"bash\": \"x\" } ]\n  }\n}\n",
        ),
    ] {
        let (_, said, with) =
            run_on(text, "s.json", &[agent, "--hook", "--write", "--program", "wire-proxy"]);
        assert!(with.contains(&format!("wire-proxy hook {agent}")), "{said}");
        let (_, said, again) = run_on(&with, "s.json", &[agent, "--hook", "--write"]);
        assert!(said.contains("nothing to change") && again == with, "{said}");
        let (_, said, after) = run_on(&with, "s.json", &[agent, "--hook", "--undo", "--write"]);
        assert_eq!(after, text, "{said}{with}");
    }
    for text in
        ["{", "[]", r#"{"hooks":[]}"#, r#"{"hooks":{"PostToolUse":{}}}"#, r#"{"a":1,"a":2}"#]
    {
        let (code, said, after) = run_on(text, "s.json", &["claude-code", "--hook", "--write"]);
        assert!(code == Some(3) && after == text, "{said}");
    }
}

#[test]
fn nothing_secret_is_shown() {
    let json = r#"{"mcpServers": {"a": {"command": "npx", "args": ["mcp-remote", "https://h/mcp?k=SECRET", "--header", "Authorization: Bearer SECRET"], "env": {"TOKEN": "SECRET"}}, "b": {"type": "http", "url": "https://h/mcp?key=SECRET", "headers": {"Authorization": "Bearer SECRET"}}}, "token": "SECRET"}"#;
    let toml = "[mcp_servers.a]\ncommand = \"npx\"\nargs = [\"-e\", \"A=SECRET\"]\nenv = { T = \"SECRET\" }\n";
    for (client, name, text) in [("claude-code", "a.json", json), ("codex", "a.toml", toml)] {
        for arguments in [&[client][..], &[client, "--write"], &[client, "--undo"]] {
            let (_, said, _) = run_on(text, name, arguments);
            assert!(!said.contains("SECRET"), "{said}");
        }
    }
    let settings = r#"{"env": {"KEY": "SECRET"}}"#;
    let (_, said, _) = run_on(settings, "s.json", &["claude-code", "--hook"]);
    assert!(said.contains("\n+ \"hooks\"") && !said.contains("SECRET"), "{said}");
    // Names of servers are printed as they are harmless.
    let odd = "{\"mcpServers\": {\"safe\\u001b[2K\\r\\u202e\": {\"command\": \"x\"}}}";
    let (_, said, _) = run_on(odd, "a.json", &["cursor"]);
    assert!(!said.contains(['\u{1b}', '\u{202e}', '\r']), "{said}");
}

#[cfg(unix)]
#[test]
fn a_file_that_is_read_only_stays() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder_with("a.json", r#"{"mcpServers":{"a":{"command":"x"}}}"#);
    let path = folder.path().join("a.json");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let output = init(folder.path(), &["cursor", "--write", "--file", "a.json"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(3) && said.contains("read-only"), "{said}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// The user may write into what `init` wrote.
#[test]
fn undo_loses_no_comment_and_no_client() {
    for (file, client, text) in [
        (
            "a.json",
            "cursor",
            r#"{"mcpServers":{"a":{"command":"wire-proxy","args":["--", /* NOTE */ "npx"]}}}"#,
        ),
        (
            "a.json",
            "cursor",
            "{\"mcpServers\":{\"a\":{\"command\":\"wire-proxy\",\"args\":[ // NOTE\n\"--\",\"npx\"]}}}",
        ),
        (
            "a.json",
            "cursor",
            r#"{"mcpServers":{"a":{"command":"wire-proxy","args":["--client-id","ME","https://h/mcp"]}}}"#,
        ),
        (
            "a.toml",
            "codex",
            "[mcp_servers.a]\ncommand = \"wire-proxy\"\nargs = [ \"--\", # NOTE\n \"npx\" ]\n",
        ),
        (
            "a.toml",
            "codex",
            "[mcp_servers.a]\ncommand = \"wire-proxy\" # NOTE a.\nargs = [ \"https://h/mcp\" ]\n",
        ),
        (
            "a.toml",
            "codex",
            "[mcp_servers]\na.command = \"wire-proxy\"\nb.NOTE = false\na.args = [ \"https://h/mcp\" ]\n",
        ),
    ] {
        let (code, said, after) = run_on(text, file, &[client, "--undo", "--write"]);
        let is_kept = after.contains("NOTE") || code == Some(3) && after == text;
        assert!(is_kept, "{said}{after}");
    }
}
