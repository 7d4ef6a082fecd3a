//! The shapes of a workspace: the six documented forms byte for byte, and every illegal
//! combination.

use gcx::workspace::{
    ErrorSection, MISSING_REPO, MISSING_REPO_LIST, REPO_NOT_ALLOWED, Refusal, Scope, Target,
    ToolDefinition, ToolRequest, UNKNOWN_REPO, WRONG_REPO_SHAPE, Workspace, read_tool_definitions,
    tool_definitions,
};
use serde_json::{Value, json};

fn request(tool: &str, target: Target) -> ToolRequest {
    ToolRequest { tool: tool.to_owned(), target }
}

#[test]
fn the_documented_forms() {
    let names = |names: &[&str]| Target::Repos(names.iter().map(ToString::to_string).collect());
    for (request, row) in [
        (
            request("get_file_summary", Target::Repo("gortex".into())),
            "get_file_summary\trepo\tgortex",
        ),
        (request("list_repos", Target::Workspace), "list_repos\tworkspace\t"),
        (request("search_symbols", Target::AllRepos), "search_symbols\tfan-out\t[\"*\"]"),
        (
            request("search_symbols", names(&["gortex", "gortex-cloud"])),
            "search_symbols\tfan-out\t[\"gortex\",\"gortex-cloud\"]",
        ),
    ] {
        let text = format!("GCX1 tool=tool_request fields=tool,scope,repo\n{row}\n");
        assert_eq!(request.to_gcx().unwrap(), text);
        assert_eq!(ToolRequest::from_gcx(&text).unwrap(), request);
    }
    for error in [
        ErrorSection::new(UNKNOWN_REPO, "no repository nope", "gortex"),
        ErrorSection::new(MISSING_REPO_LIST, "a\ttab", "two\nlines"),
    ] {
        let text = error.to_gcx().unwrap();
        assert!(text.starts_with("GCX1 tool=error fields=code,message,detail\n"));
        assert_eq!(text.lines().count(), 2);
        assert_eq!(ErrorSection::from_gcx(&text).unwrap(), error);
    }
}

#[test]
fn definitions_are_sorted_and_checked_on_both_sides() {
    let definition = ToolDefinition::new;
    let given = [
        definition("b", Scope::Repo),
        definition("a", Scope::FanOut),
        definition("B", Scope::Workspace),
    ];
    let text = tool_definitions(&given).unwrap();
    assert_eq!(
        text,
        "GCX1 tool=tool_definitions fields=name,scope\nB\tworkspace\na\tfan-out\nb\trepo\n"
    );
    assert_eq!(
        read_tool_definitions(&text).unwrap(),
        [
            definition("B", Scope::Workspace),
            definition("a", Scope::FanOut),
            definition("b", Scope::Repo)
        ]
    );
    for wrong in [
        &[definition("", Scope::Repo)][..],
        &[definition("a", Scope::Repo), definition("a", Scope::FanOut)],
    ] {
        assert_eq!(tool_definitions(wrong).unwrap_err().code(), "invalid_shape");
    }
    let head = "GCX1 tool=tool_definitions fields=name,scope\n";
    for (text, line) in [
        (format!("{head}a\tglobal\n"), 2),
        (format!("{head}a\n"), 2),
        (format!("{head}\trepo\n"), 2),
        (format!("{head}b\trepo\na\trepo\n"), 3),
        (format!("{head}a\trepo\na\trepo\n"), 3),
        ("GCX1 tool=tool_definitions fields=name\na\n".to_owned(), 1),
        ("GCX1 tool=t fields=name,scope\na\trepo\n".to_owned(), 1),
        (format!("{head}a\trepo\n{head}"), 3),
    ] {
        let error = read_tool_definitions(&text).unwrap_err();
        assert_eq!(
            (error.code(), error.position().unwrap().line),
            ("invalid_shape", line),
            "{text}"
        );
    }
    // Columns in any order, and more of them.
    let other = "GCX1 tool=tool_definitions fields=scope,note,name\nrepo\tx\ta\n";
    assert_eq!(read_tool_definitions(other).unwrap(), [definition("a", Scope::Repo)]);
}

#[test]
fn requests_are_checked_on_both_sides() {
    let names = |names: &[&str]| Target::Repos(names.iter().map(ToString::to_string).collect());
    for wrong in [
        request("", Target::Workspace),
        request("t", Target::Repo(String::new())),
        request("t", names(&[])),
        request("t", names(&["*"])),
        request("t", names(&["*", "a"])),
        request("t", names(&["a", ""])),
    ] {
        assert_eq!(wrong.to_gcx().unwrap_err().code(), "invalid_shape", "{wrong:?}");
    }
    let head = "GCX1 tool=tool_request fields=tool,scope,repo\n";
    for row in [
        "t\trepo\t",
        "t\trepo",
        "t\tworkspace\ta",
        "t\tfan-out\t",
        "t\tfan-out\ta",
        "t\tfan-out\t[]",
        "t\tfan-out\t[\"*\",\"a\"]",
        "t\tfan-out\t[1]",
        "t\tglobal\ta",
        "\tworkspace\t",
        "t\tworkspace\t\nu\tworkspace\t",
    ] {
        let error = ToolRequest::from_gcx(&format!("{head}{row}\n")).unwrap_err();
        assert_eq!(error.code(), "invalid_shape", "{row}");
    }
    assert_eq!(
        ToolRequest::from_gcx(head).unwrap_err().to_string(),
        "line 2, column 1: the section has no row, expected one row"
    );
    assert_eq!(ErrorSection::new("", "m", "d").to_gcx().unwrap_err().code(), "invalid_shape");
    let no_code = "GCX1 tool=error fields=code,message,detail\n\tm\td\n";
    assert_eq!(ErrorSection::from_gcx(no_code).unwrap_err().code(), "invalid_shape");
}

/// A value of the parameter, and what comes of it for each scope.
type Row = (Option<Value>, [Result<Target, &'static str>; 3]);

#[test]
fn every_combination_of_scope_and_parameter() {
    let workspace = Workspace::new(
        [
            ToolDefinition::new("one", Scope::Repo),
            ToolDefinition::new("all", Scope::Workspace),
            ToolDefinition::new("many", Scope::FanOut),
        ],
        ["a", "b"],
    );
    let parameters: [Row; 15] = {
        let refused = Err(REPO_NOT_ALLOWED);
        let shape = Err(WRONG_REPO_SHAPE);
        let repo = |name: &str| Ok(Target::Repo(name.to_owned()));
        let repos =
            |names: &[&str]| Ok(Target::Repos(names.iter().map(ToString::to_string).collect()));
        let row = |value: Value,
                   one: Result<Target, &'static str>,
                   many: Result<Target, &'static str>| {
            (Some(value), [one, refused.clone(), many])
        };
        [
            (None, [Err(MISSING_REPO), Ok(Target::Workspace), Err(MISSING_REPO_LIST)]),
            row(json!("a"), repo("a"), shape.clone()),
            row(json!("c"), Err(UNKNOWN_REPO), shape.clone()),
            row(json!(""), shape.clone(), shape.clone()),
            row(json!("*"), Err(UNKNOWN_REPO), shape.clone()),
            row(json!(null), shape.clone(), shape.clone()),
            row(json!(1), shape.clone(), shape.clone()),
            row(json!({"a": 1}), shape.clone(), shape.clone()),
            row(json!([]), shape.clone(), shape.clone()),
            row(json!(["*"]), shape.clone(), Ok(Target::AllRepos)),
            row(json!(["a"]), shape.clone(), repos(&["a"])),
            row(json!(["a", "b"]), shape.clone(), repos(&["a", "b"])),
            row(json!(["a", "c"]), shape.clone(), Err(UNKNOWN_REPO)),
            row(json!(["*", "a"]), shape.clone(), shape.clone()),
            row(json!(["a", 1]), shape.clone(), shape.clone()),
        ]
    };
    for (parameter, expected) in parameters {
        for (tool, expected) in ["one", "all", "many"].into_iter().zip(expected) {
            match (workspace.judge(tool, parameter.as_ref()), expected) {
                (Ok(request), Ok(target)) => {
                    assert_eq!(request.target, target, "{tool} {parameter:?}");
                    assert_eq!(ToolRequest::from_gcx(&request.to_gcx().unwrap()).unwrap(), request);
                }
                (Err(refusal), Err(code)) => {
                    let section = refusal.section().unwrap();
                    assert_eq!(section.code, code, "{tool} {parameter:?}");
                    assert_eq!(
                        ErrorSection::from_gcx(&section.to_gcx().unwrap()).unwrap(),
                        section
                    );
                }
                (found, expected) => {
                    panic!("{tool} {parameter:?}: {found:?}, expected {expected:?}")
                }
            }
        }
    }
    assert_eq!(workspace.judge("none", None), Err(Refusal::UnknownTool));
}
