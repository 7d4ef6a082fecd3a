//! Lists as GitHub's REST API and its command line answer them, after the public schema.

use serde_json::{Value, json};

use super::dice::Dice;

const API: &str = "https://api.github.com";
const PEOPLE: [(&str, u64); 5] = [
    ("ada-quist", 10_481_223),
    ("bo-lind", 2_911_804),
    ("cleo-varga", 77_120_355),
    ("dev-okafor", 30_665_071),
    ("shop-bot[bot]", 118_404_921),
];
const LABELS: [(&str, &str, &str); 4] = [
    ("bug", "d73a4a", "Something isn't working"),
    ("enhancement", "a2eeef", "New feature or request"),
    ("documentation", "0075ca", "Improvements or additions to documentation"),
    ("good first issue", "7057ff", "Good for newcomers"),
];
const TITLES: [&str; 8] = [
    "Retries after a timeout charge the card twice",
    "Cart total ignores the discount of the second line",
    "Search returns products that are out of stock",
    "Export orders as CSV with the time zone of the shop",
    "Health check fails while the cache warms up",
    "Docs: say which currencies refunds take",
    "Session cookie is not marked SameSite",
    "Allow several addresses for one customer",
];
const BODIES: [&str; 4] = [
    "### What happened\n\nThe gateway answers after the client gave up, and the next attempt has another idempotency key.\n\n### Steps\n\n1. Set the timeout to 2 s\n2. Pay\n3. See two charges in the ledger",
    "We would like this for the accounting team. A flag on the command line is enough for us.",
    "Seen since 2.14.3, not in 2.13.\n\n```\nWARN checkout::retry attempt=2 error=\"deadline exceeded\"\n```",
    "The page doesn't mention it, and I had to read the code. I can send a patch.",
];

fn user((login, id): (&str, u64)) -> Value {
    let url = format!("{API}/users/{login}");
    json!({
        "login": login,
        "id": id,
        "node_id": format!("U_kgDO{id:08x}"),
        "avatar_url": format!("https://avatars.githubusercontent.com/u/{id}?v=4"),
        "gravatar_id": "",
        "url": url,
        "html_url": format!("https://github.com/{login}"),
        "followers_url": format!("{url}/followers"),
        "following_url": format!("{url}/following{{/other_user}}"),
        "gists_url": format!("{url}/gists{{/gist_id}}"),
        "starred_url": format!("{url}/starred{{/owner}}{{/repo}}"),
        "subscriptions_url": format!("{url}/subscriptions"),
        "organizations_url": format!("{url}/orgs"),
        "repos_url": format!("{url}/repos"),
        "events_url": format!("{url}/events{{/privacy}}"),
        "received_events_url": format!("{url}/received_events"),
        "type": if login.ends_with("[bot]") { "Bot" } else { "User" },
        "user_view_type": "public",
        "site_admin": false
    })
}

fn label((name, color, description): (&str, &str, &str)) -> Value {
    json!({
        "id": 4_100_000_000_u64 + name.len() as u64 * 7_919,
        "node_id": format!("LA_kwDO{color}"),
        "url": format!("{API}/repos/example/shop/labels/{}", name.replace(' ', "%20")),
        "name": name,
        "color": color,
        "default": true,
        "description": description
    })
}

/// `GET /repos/{owner}/{repo}/issues`.
pub(super) fn issues() -> Value {
    let dice = &mut Dice::new("issues");
    (0..15).map(|index| issue(dice, 412 - index)).collect()
}

fn issue(dice: &mut Dice, number: u64) -> Value {
    let url = format!("{API}/repos/example/shop/issues/{number}");
    let author = dice.one(&PEOPLE);
    let assignee = (dice.below(3) == 0).then(|| user(dice.one(&PEOPLE)));
    let labels: Vec<Value> = (0..dice.below(3)).map(|_| label(dice.one(&LABELS))).collect();
    let closed = (dice.below(3) == 0).then(|| dice.time());
    json!({
        "url": url,
        "repository_url": format!("{API}/repos/example/shop"),
        "labels_url": format!("{url}/labels{{/name}}"),
        "comments_url": format!("{url}/comments"),
        "events_url": format!("{url}/events"),
        "html_url": format!("https://github.com/example/shop/issues/{number}"),
        "id": 2_900_000_000_u64 + number * 3_571,
        "node_id": format!("I_kwDO{}", dice.hex(12)),
        "number": number,
        "title": dice.one(&TITLES),
        "user": user(author),
        "labels": labels,
        "state": if closed.is_some() { "closed" } else { "open" },
        "locked": false,
        "assignees": assignee.iter().collect::<Vec<_>>(),
        "assignee": assignee,
        "milestone": null,
        "comments": dice.below(9),
        "created_at": dice.time(),
        "updated_at": dice.time(),
        "closed_at": closed,
        "author_association": dice.one(&["NONE", "CONTRIBUTOR", "MEMBER"]),
        "active_lock_reason": null,
        "sub_issues_summary": { "total": 0, "completed": 0, "percent_completed": 0 },
        "body": dice.one(&BODIES),
        "closed_by": null,
        "reactions": {
            "url": format!("{url}/reactions"), "total_count": 0, "+1": 0, "-1": 0, "laugh": 0, "hooray": 0,
            "confused": 0, "heart": 0, "rocket": 0, "eyes": 0
        },
        "timeline_url": format!("{url}/timeline"),
        "performed_via_github_app": null,
        "state_reason": null
    })
}

/// `gh issue list --json number,title,state,author,labels,createdAt`.
pub(super) fn issue_list() -> Value {
    let dice = &mut Dice::new("issue list");
    let mut issues = Vec::new();
    for index in 0..30 {
        let (login, id) = dice.one(&PEOPLE);
        let labels: Vec<Value> = (0..dice.below(3))
            .map(|_| {
                let (name, color, description) = dice.one(&LABELS);
                json!({ "id": format!("LA_kwDO{color}"), "name": name, "description": description, "color": color })
            })
            .collect();
        issues.push(json!({
            "author": { "id": format!("U_kgDO{id:08x}"), "is_bot": login.ends_with("[bot]"), "login": login, "name": "" },
            "createdAt": dice.time(),
            "labels": labels,
            "number": 412 - index,
            "state": dice.one(&["OPEN", "OPEN", "CLOSED"]),
            "title": dice.one(&TITLES)
        }));
    }
    issues.into()
}

/// `GET /repos/{owner}/{repo}/pulls/{number}/files`: names, counts, and patches.
pub(super) fn pull_files() -> Value {
    let dice = &mut Dice::new("pull files");
    let mut files = Vec::new();
    for folder in ["checkout", "checkout/retry", "ledger", "docs"] {
        for stem in ["charge", "limits", "report"] {
            let name = format!("{folder}/{stem}.{}", if folder == "docs" { "md" } else { "go" });
            let (added, removed) = (dice.below(30) + 1, dice.below(12));
            let sha = dice.hex(40);
            let patch: String =
                (0..(added + removed).min(14)).map(|line| patch_line(dice, line)).collect();
            files.push(json!({
                "sha": dice.hex(40),
                "filename": name,
                "status": "modified",
                "additions": added,
                "deletions": removed,
                "changes": added + removed,
                "blob_url": format!("https://github.com/example/shop/blob/{sha}/{}", name.replace('/', "%2F")),
                "raw_url": format!("https://github.com/example/shop/raw/{sha}/{}", name.replace('/', "%2F")),
                "contents_url": format!("{API}/repos/example/shop/contents/{}?ref={sha}", name.replace('/', "%2F")),
                "patch": format!("@@ -{0},6 +{0},9 @@ func main\n{patch}", dice.below(200) + 1)
            }));
        }
    }
    files.into()
}

fn patch_line(dice: &mut Dice, line: u64) -> String {
    let sign = dice.one(&[' ', '+', '+', '-']);
    let code = dice.one(&[
        "if err := ledger.Post(ctx, entry); err != nil {",
        "\treturn fmt.Errorf(\"post %s: %w\", entry.ID, err)",
        "}",
        "key := idempotency.Key(order.ID, attempt)",
        "for attempt := 1; attempt <= limits.Retries; attempt++ {",
        "// The gateway may have charged before it timed out.",
    ]);
    format!("{sign}{}{code}\n", "\t".repeat(usize::from(line.is_multiple_of(3)) + 1))
}
