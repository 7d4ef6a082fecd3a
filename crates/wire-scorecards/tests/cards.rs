//! What callers of the library see; the figures are held against `docs/scorecards` by the tests of
//! `wirefmt`.

use std::fs;
use std::path::Path;

use wire_scorecards::{Card, Error, Scorecard, Scorecards, json, markdown, stale};
use wire_tokens::{Counter, Counts};

fn scorecards() -> Scorecards {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    Scorecards::new(fixtures).counters(vec![Counter::WordPunctuation]).counts(Counts::default())
}

#[test]
fn cards_have_their_names_and_files() {
    let cards =
        Card::ALL.iter().map(|&card| scorecards().measure(card).unwrap()).collect::<Vec<_>>();
    assert_eq!(
        cards.iter().map(Scorecard::name).collect::<Vec<_>>(),
        ["packs", "tools", "queries", "delta", "real"]
    );
    for card in &cards {
        let names: Vec<String> = card.files().into_iter().map(|(name, _)| name).collect();
        let name = card.name();
        assert_eq!(names, [".md", ".json", ".svg"].map(|ending| format!("{name}{ending}")));
        let last = if name == "real" {
            "\n## What was collected"
        } else {
            "\n## Beside the format's own "
        };
        assert!(card.markdown().contains(last), "{name}");
        assert!(card.svg().unwrap().starts_with("<svg "), "{name}");
        assert!(card.json().starts_with("{\n  \"card\": "), "{name}");
    }
    assert!(markdown(&cards).starts_with(&cards[0].markdown()));
    assert!(json(&cards).starts_with("{\n  \"cards\": ["));
}

#[test]
fn a_folder_is_counted_and_its_counts_are_kept() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("real");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("lists")).unwrap();
    let error = scorecards().real(Some(&folder)).unwrap_err();
    assert!(matches!(&error, Error::NoDocuments { .. }), "{error}");

    fs::write(folder.join("one.json"), r#"{"text": "one"}"#).unwrap();
    fs::write(
        folder.join("lists/rows.json"),
        r#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#,
    )
    .unwrap();
    let page = scorecards().real(Some(&folder)).unwrap().card().markdown();
    assert!(page.contains("the others are the documents of a folder."), "{page}");
    let sources = r#"{"date": "2026-01-02", "tools": ["t 1"], "documents": [{"kind": "lists", "name": "rows", "source": "t list"}]}"#;
    fs::write(folder.join("sources.json"), sources).unwrap();
    let real = scorecards().real(Some(&folder)).unwrap();
    assert!(real.kinds().ends_with(&["real", "lists"]), "{:?}", real.kinds());
    assert_eq!(real.date(), Some("2026-01-02"));
    let counter = Counter::WordPunctuation;
    assert_eq!(real.tokens("real", "CSV", counter), None);
    assert!(real.saved("lists", "GCF 3.5", counter).unwrap() > 0.0);
    assert!(real.cheapest("lists", counter) <= real.tokens("lists", "minified JSON", counter));
    let page = real.card().markdown();
    assert!(
        page.contains("On 2026-01-02, by t 1.") && page.contains("| lists: rows | 41 | t list |"),
        "{page}"
    );
    let record: serde_json::Value = serde_json::from_str(&real.record()).unwrap();
    assert_eq!(record["documents"].as_array().map(Vec::len), Some(2));

    fs::write(folder.join("lists/broken.json"), "[1,\n 2").unwrap();
    let error = scorecards().real(Some(&folder)).unwrap_err();
    assert!(error.to_string().contains("line 2"), "{error}");
}

#[test]
fn timings_have_no_chart() {
    let latency = scorecards().latency().unwrap();
    assert_eq!((latency.name(), latency.svg()), ("latency", None));
    assert!(latency.markdown().contains("\n## p99\n"));
}

#[test]
fn files_that_are_not_those_of_the_cards_are_named() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cards");
    fs::create_dir_all(&folder).unwrap();
    let cards = [scorecards().measure(Card::Delta).unwrap()];
    for (name, text) in cards[0].files() {
        fs::write(folder.join(name), text.replace('\n', "\r\n")).unwrap();
    }
    assert!(stale(&folder, &cards).unwrap().is_empty());
    fs::write(folder.join("delta.svg"), "old").unwrap();
    assert_eq!(stale(&folder, &cards).unwrap(), ["delta.svg"]);
    fs::remove_file(folder.join("delta.json")).unwrap();
    let error = stale(&folder, &cards).unwrap_err();
    assert!(matches!(&error, Error::Input { file, .. } if file.ends_with("delta.json")), "{error}");
}

#[test]
fn a_folder_without_payloads_is_an_error() {
    let error = Scorecards::new("nowhere").measure(Card::Tools).unwrap_err();
    assert_eq!(
        error.to_string(),
        "nowhere has no payloads, expected the folder `fixtures` of the repository"
    );
}
