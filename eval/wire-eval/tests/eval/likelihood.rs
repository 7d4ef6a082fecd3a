//! How likely the right answer is, examples, and prompts that are sent once.

use serde_json::{Value, json};

use crate::common::{Act, Place, Server};
use crate::mean::good;

/// How many entries ten rows have; the formats follow.
const COUNTS: &str =
    "comprehension --families rows --sizes 10 --kinds entry_count --log log.jsonl --arms";

fn plan<'a>(more: &[&'a str]) -> Vec<&'a str> {
    COUNTS.split(' ').chain(more.iter().copied()).collect()
}

fn of<'a>(address: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let backend = ["json,csv", "--backend", "openai", "--model", "m", "--base-url", address];
    plan(&[&backend, more].concat())
}

#[test]
fn each_token_of_the_right_answer_is_measured() {
    let server = Server::start(|_, _| Act::Json(good));
    let address = format!("{}/v1", server.address);
    let place = Place::new();
    let report = place.run(&of(&address, &["--measure", "likelihood"])).fine();
    let requests = server.requests();
    let paths: Vec<&str> = requests.iter().map(|request| &*request.path).collect();
    let of_a_call =
        ["/v1/chat/completions", "/apply-template", "/tokenize", "/tokenize", "/completion"];
    assert_eq!(paths, of_a_call.repeat(2));
    let prompt = &requests[2].body;
    assert!(prompt["content"].as_str().unwrap().starts_with("<user>"), "{prompt}");
    assert_eq!((&prompt["add_special"], &prompt["parse_special"]), (&true.into(), &true.into()));
    let answer = json!({ "content": "10", "add_special": false, "parse_special": false, "with_pieces": true });
    assert_eq!(requests[3].body, answer);
    let completion = &requests[4].body;
    let ids: Vec<Value> = good("/tokenize", prompt)["tokens"]
        .as_array()
        .unwrap()
        .iter()
        .map(|token| token["id"].clone())
        .collect();
    assert_eq!(completion["prompt"], Value::Array(ids));
    let expected = json!([1, 1, [[97, 1000]], true]);
    let said = ["n_predict", "n_probs", "logit_bias", "cache_prompt"].map(|name| &completion[name]);
    assert_eq!(json!(said), expected);

    let call = &place.calls("log.jsonl")[0];
    assert_eq!(call["likelihood"], json!([{ "text": "10", "log": -0.5, "likeliest": true }]));
    assert!(report.contains("| json | 1 | 100.0 % (21–100) | 1 of 1 | −0.5 | – |"), "{report}");
    assert!(report.contains("| csv | 1 | 100.0 % (21–100) | 1 of 1 | −0.5 | 0.0 |"), "{report}");
    place.run(&["report", "log.jsonl", "--publish", "out"]).fine();
    place.run(&["verify", "out"]).fine();
    let log =
        place.text("out/run-01.jsonl").replace("\"text\":\"10\",\"log\"", "\"text\":\"9\",\"log\"");
    std::fs::write(place.path("out/run-01.jsonl"), log).unwrap();
    let said = place.run(&["verify", "out"]).failed(1);
    assert!(said.contains("the likelihood is not of the right answer"), "{said}");
}

#[test]
fn likelihood_is_measured_in_conversations() {
    let server = Server::start(|_, _| Act::Json(good));
    let address = format!("{}/v1", server.address);
    let place = Place::new();
    let plan = ["conversation", "--sizes", "10", "--arms", "json", "--log", "log.jsonl"];
    let backend = ["--backend", "openai", "--model", "m", "--base-url", &address];
    let measure = ["--measure", "likelihood", "--repeats", "1"];
    let report = place.run(&[&plan[..], &backend, &measure].concat()).fine();
    assert!(report.contains("### calls: how likely the right answer is"), "{report}");
    let turns = place.calls("log.jsonl");
    assert!(turns.iter().all(|call| !call["likelihood"].as_array().unwrap().is_empty()));
    // The template is applied to what was said before, too.
    let requests = server.requests();
    let said = requests.iter().filter(|request| request.path == "/apply-template");
    let longest = said.map(|request| request.body["messages"].as_array().unwrap().len()).max();
    assert_eq!(longest, Some(2 * turns.len() - 1));
}

#[test]
fn other_servers_state_no_likelihood() {
    let server =
        Server::start(|number, _| if number == 0 { Act::Answer("10") } else { Act::Status(404) });
    let said = Place::new().run(&of(&server.address, &["--measure", "likelihood"])).failed(3);
    assert!(said.contains("/apply-template: status 404"), "{said}");
    assert!(said.contains("--measure likelihood needs llama.cpp's server"), "{said}");
    let mock = ["json", "--backend", "mock", "--measure", "likelihood"];
    let said = Place::new().run(&plan(&mock)).failed(2);
    assert!(said.contains("expected --backend openai --base-url URL"), "{said}");
}

#[test]
fn examples_make_a_text_to_go_on_with() {
    let server = Server::start(|_, _| Act::Json(good));
    let address = format!("{}/v1", server.address);
    let place = Place::new();
    let few = ["--examples", "3", "--kinds", "cell", "--measure", "likelihood"];
    let report = place.run(&of(&address, &few)).fine();
    assert!(report.contains("after 3 examples of its kind about other data"), "{report}");
    let requests = server.requests();
    let (completions, others): (Vec<_>, Vec<_>) =
        requests.iter().partition(|request| request.path == "/v1/completions");
    let is_look_up =
        |prompt: &&str| prompt.rsplit("</data>").next().unwrap().contains("What is the");
    let mut prompts = completions.iter().map(|request| request.body["prompt"].as_str().unwrap());
    let prompt = prompts.find(is_look_up).unwrap();
    let body = &completions[0].body;
    assert_eq!(body["stop"], json!(["\n\n"]));
    assert!(prompt.ends_with("\nAnswer:") && body.get("messages").is_none(), "{prompt}");
    let answers: Vec<&str> =
        prompt.split("\nAnswer: ").skip(1).map(|rest| rest.lines().next().unwrap()).collect();
    assert_eq!(answers.len(), 3);
    assert!(answers[0] != answers[1] && answers[1] != answers[2] && answers[0] != answers[2]);
    // No template, and a space before the answer.
    let paths: Vec<&str> = others.iter().map(|request| &*request.path).collect();
    assert_eq!(paths[..3], ["/tokenize", "/tokenize", "/completion"]);
    assert!(!paths.contains(&"/apply-template"));
    assert_eq!(others[1].body["content"], " 10");
    // The answer ends where the next example would begin.
    assert_eq!(place.calls("log.jsonl")[0]["answer"], " 10");
    place.run(&["report", "log.jsonl", "--publish", "out"]).fine();
    place.run(&["verify", "out"]).fine();

    let oracle = ["json", "--examples", "2", "--backend", "mock", "--repeats", "3"];
    let report = Place::new().run(&plan(&oracle)).fine();
    assert!(report.contains("| json | 3 | 0 | 100.0 % (44–100) |"), "{report}");
    let anthropic = ["json", "--backend", "anthropic", "--model", "m", "--examples", "2"];
    let said = Place::new().run(&plan(&anthropic)).failed(2);
    assert!(said.contains("--backend anthropic takes only messages"), "{said}");
}

#[test]
fn answers_end_where_they_are_told_to() {
    let server = Server::start(|_, _| Act::Answer("10. That is all."));
    let place = Place::new();
    let report = place.run(&of(&server.address, &["--stop", ". "])).fine();
    assert!(report.contains("| json | 1 | 0 | 100.0 % (21–100) |"), "{report}");
    assert_eq!(server.requests()[0].body["stop"], json!([". "]));
    assert_eq!(place.calls("log.jsonl")[0]["answer"], "10");
}

/// Without randomness the same prompt has the same answer.
#[test]
fn equal_prompts_are_sent_once() {
    let server = Server::start(|_, _| Act::Answer("10"));
    let place = Place::new();
    let ran = place.run(&of(&server.address, &["--repeats", "3"]));
    let report = ran.fine();
    assert!(
        ran.stderr().contains("2 calls of openai m")
            && ran.stderr().contains(", for 6 with equal prompts")
    );
    assert!(
        report.contains("6 calls: 6 answered") && report.contains("| json | 3 | 0 |"),
        "{report}"
    );
    assert_eq!(server.requests().len(), 2);
    let attempts: Vec<Value> =
        place.calls("log.jsonl").iter().map(|call| call["attempts"].clone()).collect();
    assert_eq!(attempts, [1, 0, 0, 1, 0, 0]);
    // With randomness each is sent.
    Place::new().run(&of(&server.address, &["--repeats", "3", "--temperature", "1"])).fine();
    assert_eq!(server.requests().len(), 2 + 6);
}
