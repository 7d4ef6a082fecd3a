//! The cards, on the payloads of the repository.

use std::fs;
use std::path::Path;

use wire_scorecards::{Card, Inputs, Real};
use wire_tokens::Counter;

fn inputs(counters: &[Counter]) -> Inputs {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    Inputs { fixtures, counters: counters.to_vec() }
}

#[test]
fn every_card_has_its_tables() {
    for (name, card) in Card::ALL {
        let page = card.measure(&inputs(&[Counter::WordPunctuation])).unwrap();
        let last = match card {
            Card::Real => "\n## What was collected",
            _ => "\n## Beside the format's own ",
        };
        assert!(page.starts_with("# ") && page.contains(last), "{name}: {page}");
    }
    let nowhere = Inputs { fixtures: "nowhere".into(), ..inputs(&[]) };
    let problem = Card::Tools.measure(&nowhere).unwrap_err();
    assert!(problem.starts_with("payloads/tools/01_search_symbols_small.json: "), "{problem}");
}

#[test]
fn an_estimate_is_marked() {
    let page = Card::Tools.measure(&inputs(Card::Tools.counters())).unwrap();
    let (_, estimates) = page.split_once("## Tokens by claude-opus-4.7").unwrap();
    let row = estimates.lines().find(|line| line.starts_with("| 17_find_cycles")).unwrap();
    assert!(row.matches('≈').count() == 3, "{row}");
}

#[test]
fn a_folder_is_counted_and_its_counts_are_kept() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("real");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("lists")).unwrap();
    let inputs = inputs(&[Counter::WordPunctuation]);
    let real = || Real::measure(&inputs, Some(&folder));
    assert!(real().err().unwrap().ends_with("real has no JSON files, or folders with some"));

    let rows = r#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#;
    let sources = r#"{"date": "2026-01-02", "tools": ["t 1"], "documents": [{"kind": "lists", "name": "rows", "source": "t list"}]}"#;
    for (name, text) in [("one", r#"{"text": "one"}"#), ("lists/rows", rows), ("sources", sources)]
    {
        fs::write(folder.join(format!("{name}.json")), text).unwrap();
    }
    let counted = real().unwrap();
    let [json, auto, gcf] = ["minified JSON", "auto", "GCF 3.5"]
        .map(|form| counted.tokens("lists", form, Counter::WordPunctuation).unwrap());
    assert!(auto < json && auto <= gcf, "{json} {auto} {gcf}");
    assert_eq!(counted.tokens("real", "CSV", Counter::WordPunctuation), None);
    assert!(counted.markdown().contains("| lists: rows | 41 | t list |"));
    let record: serde_json::Value = serde_json::from_str(&counted.record()).unwrap();
    assert_eq!(record["documents"].as_array().map(Vec::len), Some(2));

    fs::write(folder.join("lists/broken.json"), "[1,\n 2").unwrap();
    assert!(real().err().unwrap().contains("line 2"));
}

/// Every form of a document has its value: texts with quotes and blanks, long integers, objects in
/// rows, missing members. CSV has no such rows.
#[test]
fn our_forms_come_back() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("forms");
    fs::create_dir_all(&folder).unwrap();
    let document = r#"[
        { "id": 1, "name": "a: \"b\"\n", "price": 2.0, "tags": ["x", "1", "null", ""], "more": { "none": null } },
        { "id": -9007199254740993, "name": " padded ", "price": 0.1, "tags": [], "more": {} }
    ]"#;
    fs::write(folder.join("rows.json"), document).unwrap();
    let inputs = inputs(&[Counter::WordPunctuation]);
    let record = Real::measure(&inputs, Some(&folder)).unwrap().record();
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    let forms = record["documents"][0]["forms"].as_object().unwrap();
    assert!(forms.len() >= 5 && !forms.contains_key("CSV"), "{forms:?}");
    let changed = |form: &serde_json::Value| form["comes_back"] == false;
    assert!(!forms.values().any(changed), "{forms:?}");
}
