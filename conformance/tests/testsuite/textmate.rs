//! The grammars for editors, on every text of the corpus.
//!
//! An editor runs a grammar with an engine of its own; this one knows what ours use: `match` with
//! captures, `begin` and `end` on one line, and `include`. Of the rules that match first in a line
//! the first one counts.

#![allow(clippy::unwrap_used)] // helpers of tests; a grammar that can't be read has failed them

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use fancy_regex::Regex;
use serde_json::Value;
use wire_conformance::{Corpus, Operation, fixtures_dir};

struct Grammar(Vec<Rule>);

struct Rule {
    regex: Regex,
    /// The scope of each capture.
    captures: Vec<(usize, String)>,
    /// The rules of the rest of the line, behind a `begin`.
    inside: Option<Vec<Rule>>,
}

impl Grammar {
    fn read(format: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../editors/textmate");
        let text = fs::read(folder.join(format!("{format}.tmLanguage.json"))).unwrap();
        let grammar: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(grammar["scopeName"], format!("source.{format}"));
        Grammar(rules(&grammar["patterns"], &grammar["repository"], format))
    }

    /// The scopes of a line, each with its text, in order.
    fn scopes<'l>(&self, line: &'l str) -> Vec<(&str, &'l str)> {
        let mut found = Vec::new();
        scopes_of(&self.0, line, 0, &mut found);
        found
    }
}

fn rules(patterns: &Value, repository: &Value, format: &str) -> Vec<Rule> {
    let one = |pattern: &Value| {
        let name = pattern["include"].as_str().map(|name| name.trim_start_matches('#'));
        let pattern = name.map_or(pattern, |name| &repository[name]);
        let (text, captures) = match pattern["match"].as_str() {
            Some(text) => (text, &pattern["captures"]),
            None => {
                assert_eq!(pattern["end"], "$", "{name:?}");
                (pattern["begin"].as_str().unwrap(), &pattern["beginCaptures"])
            }
        };
        let captures = captures.as_object().unwrap().iter().map(|(group, capture)| {
            let scope = capture["name"].as_str().unwrap();
            assert!(scope.ends_with(&format!(".{format}")), "{scope}");
            (group.parse().unwrap(), scope.to_owned())
        });
        Rule {
            regex: Regex::new(text).unwrap(),
            captures: captures.collect(),
            inside: pattern["begin"]
                .is_string()
                .then(|| rules(&pattern["patterns"], repository, format)),
        }
    };
    patterns.as_array().unwrap().iter().map(one).collect()
}

fn scopes_of<'g, 'l>(
    rules: &'g [Rule],
    line: &'l str,
    from: usize,
    found: &mut Vec<(&'g str, &'l str)>,
) {
    let mut from = from;
    while from <= line.len() {
        let first = rules
            .iter()
            .filter_map(|rule| Some((rule, rule.regex.captures_from_pos(line, from).unwrap()?)))
            .min_by_key(|(_, captures)| captures.get(0).unwrap().start());
        let Some((rule, captures)) = first else { return };
        for (group, scope) in &rule.captures {
            if let Some(text) = captures.get(*group).filter(|text| !text.as_str().is_empty()) {
                found.push((scope.as_str(), &line[text.range()]));
            }
        }
        let end = captures.get(0).unwrap().end();
        if let Some(inside) = &rule.inside {
            return scopes_of(inside, line, end, found);
        }
        // An empty match would be found for ever.
        let next = line[end..].chars().next().map_or(1, char::len_utf8);
        from = if end > from { end } else { end + next };
    }
}

const FORMATS: [&str; 3] = ["gcf", "gcx", "goon"];

#[test]
fn every_line_of_a_golden_is_known() {
    let corpus = Corpus::load(&fixtures_dir()).unwrap();
    for format in FORMATS {
        let grammar = Grammar::read(format);
        let mut lines = 0;
        for case in corpus.cases_of(format).filter(|case| case.operation.is_positive()) {
            let Some(text) =
                case.operation.text().and_then(|input| std::str::from_utf8(input).ok())
            else {
                continue;
            };
            // What a model answers is not all in the format.
            let has_prose = matches!(case.operation, Operation::Recover(_) | Operation::Lenient(_));
            for line in text.lines().filter(|line| !line.trim().is_empty() && !has_prose) {
                assert!(!grammar.scopes(line).is_empty(), "{}: {line:?}", case.id);
                lines += 1;
            }
        }
        assert!(lines > 1000, "{format}: {lines}");
    }
}

#[test]
fn what_is_coloured() {
    let examples = [
        (
            "gcf",
            "GCF tool=t budget=5000 tokens=97 symbols=2\n## targets\n@0 method billing.Ledger.Post 0.78 rwr\n\
             @1  # previously transmitted\n## edges [1]\n@0<@1 calls added\n\
             GCF profile=generic\npage=1\n## users [2]{id,name}\n1|Alice\n-|\"a|b\"\n",
        ),
        (
            "gcx",
            "GCX1 tool=search fields=id,my\\ name rows=2\n# a comment\na\\tb\t12\ttrue\n\\#x\t\n",
        ),
        (
            "goon",
            "@header\nquery_type:search\nnodes:1\n@nodes\nUser(1):\n7 name=\"Alice Smith\" state=active\n@edges\n\
             AUTHORED(1):\nUser:7 --> MergeRequest:100\n",
        ),
    ];
    let mut text = String::new();
    for (format, example) in examples {
        let grammar = Grammar::read(format);
        for line in example.lines() {
            let _ = writeln!(text, "{line}");
            for (scope, part) in grammar.scopes(line) {
                let _ = writeln!(text, "    {part:?} {scope}");
            }
        }
    }
    insta::assert_snapshot!(text);
}
