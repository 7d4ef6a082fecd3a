//! Scoring answers.
//!
//! *Exact*: the answer contains only what was asked for. *Lenient*: the answer contains it, with
//! any text around it, and no other value of the same kind: "**133**." and "There are 133 symbols."
//! are 133, "1330" and "133 or 134" are not. Values that the question itself names do not count.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::mention::{Context, is_plain, mentioned, numbers, plain, words};
use super::template::Truth;

/// The judgement of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Score {
    pub(crate) exact: bool,
    pub(crate) lenient: bool,
}

/// The words that may be next to a number in the last line of an answer.
const SUMS: [&str; 6] = ["total", "answer", "count", "result", "sum", "final"];

/// Scores an answer.
pub(crate) fn score(truth: &Truth, context: &Context, answer: &str) -> Score {
    let exact = is_exact(truth, answer.trim());
    Score { exact, lenient: exact || says(truth, context, answer) }
}

fn is_exact(truth: &Truth, answer: &str) -> bool {
    let lines = || answer.lines().map(str::trim).filter(|line| !line.is_empty());
    match truth {
        // Formats differ in how they write 120.0.
        Truth::Number(number) => is_plain(answer) && plain(answer) == plain(number),
        Truth::Near { number, tolerance } => is_near(number, *tolerance, answer),
        Truth::Name(accepted) => accepted.contains(answer),
        Truth::Names(names) => {
            lines().count() == names.len()
                && lines().all(|line| names.contains(line))
                && lines().collect::<BTreeSet<_>>().len() == names.len()
        }
        Truth::YesOrNo(true) => answer.eq_ignore_ascii_case("yes"),
        Truth::YesOrNo(false) => answer.eq_ignore_ascii_case("no"),
        Truth::Counts(counts) => {
            let pairs: Option<Vec<(&str, usize)>> = lines().map(pair).collect();
            pairs.is_some_and(|pairs| is_same(counts, &pairs))
        }
    }
}

/// A little more than the tolerance is allowed: of doubles, 0.8 − 0.7 is above 0.1.
fn is_near(number: &str, tolerance: f64, answer: &str) -> bool {
    let double = |text: &str| text.parse().ok().filter(|_| is_plain(text));
    double(number).zip(double(answer)).is_some_and(|(number, answer): (f64, f64)| {
        (number - answer).abs() <= tolerance * (1.0 + 1e-9)
    })
}

/// `what: how many`.
fn pair(line: &str) -> Option<(&str, usize)> {
    let (what, count) = line.rsplit_once(':')?;
    Some((what.trim(), count.trim().parse().ok()?))
}

fn is_same(counts: &BTreeMap<String, usize>, pairs: &[(&str, usize)]) -> bool {
    let said: BTreeMap<&str, usize> = pairs.iter().copied().collect();
    // What is said twice has to be the same.
    pairs.iter().all(|(what, count)| said[what] == *count)
        && said.len() == counts.len()
        && said.iter().all(|(what, count)| counts.get(*what) == Some(count))
}

/// Returns `true` if an answer says this, and nothing else of the kind.
fn says(truth: &Truth, context: &Context, answer: &str) -> bool {
    match truth {
        Truth::Number(number) => {
            says_number(|said| said == plain(number), &context.question, answer)
        }
        Truth::Near { number, tolerance } => {
            says_number(|said| is_near(number, *tolerance, said), &context.question, answer)
        }
        Truth::Name(accepted) => {
            let found = mentioned(context, accepted, answer);
            !found.is_empty() && found.iter().all(|name| accepted.contains(name))
        }
        Truth::Names(wanted) => mentioned(context, wanted, answer) == *wanted,
        Truth::YesOrNo(yes) => {
            let word = |word: Option<&str>| match word?.to_ascii_lowercase().as_str() {
                "yes" => Some(true),
                "no" => Some(false),
                _ => None,
            };
            // "I have no idea" is not the answer "no".
            let first = word(words(answer).next());
            first.or_else(|| word(words(answer).last())) == Some(*yes)
        }
        Truth::Counts(counts) => pairs(counts, answer).is_some_and(|pairs| is_same(counts, &pairs)),
    }
}

fn says_number(is_right: impl Fn(&str) -> bool, question: &str, answer: &str) -> bool {
    let repeated: BTreeSet<String> = numbers(question).into_iter().collect();
    let only = |text: &str| {
        let found: BTreeSet<String> = numbers(text).into_iter().collect();
        let new: BTreeSet<&String> = found.difference(&repeated).collect();
        match new.len() {
            // Nothing but what the question has, which may be the answer, too.
            0 => found.len() == 1 && found.iter().all(|found| is_right(found)),
            1 => new.into_iter().all(|found| is_right(found)),
            _ => false,
        }
    };
    // Who counts aloud says the sum in the last line, by itself.
    let last = answer.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let is_sum = words(last).all(|word| {
        word.bytes().all(|byte| byte.is_ascii_digit())
            || SUMS.contains(&word.to_ascii_lowercase().as_str())
    });
    only(answer) || is_sum && only(last)
}

/// The counts that an answer states for each name, segment by segment; `None` if it states several
/// for one name.
fn pairs<'c>(counts: &'c BTreeMap<String, usize>, answer: &str) -> Option<Vec<(&'c str, usize)>> {
    let are_numbers = counts.keys().all(|key| key.bytes().all(|byte| byte.is_ascii_digit()));
    let mut pairs = Vec::new();
    for segment in answer.split([',', ';', '\n']).flat_map(|line| line.split(" and ")) {
        let words: Vec<&str> = words(segment).collect();
        let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        // "3 of 10" is 3.
        let number = |at: usize| is_number(words[at]) && (at == 0 || words[at - 1] != "of");
        let key = if are_numbers {
            let named = (1..words.len()).find(|at| {
                is_number(words[*at]) && words[*at - 1].to_ascii_lowercase().starts_with("distance")
            });
            named.or_else(|| (0..words.len()).find(|at| number(*at)))
        } else {
            (0..words.len()).find(|at| counts.contains_key(words[*at]))
        };
        let Some(key) = key else { continue };
        let found: Vec<usize> = (0..words.len()).filter(|at| *at != key && number(*at)).collect();
        match (counts.get_key_value(words[key]), &found[..]) {
            (_, []) => {}
            (Some((what, _)), [count]) => pairs.push((what.as_str(), words[*count].parse().ok()?)),
            _ => return None,
        }
    }
    Some(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn context(names: &[&str], question: &str) -> Context {
        Context { names: set(names), question: question.to_owned() }
    }

    /// `=` exactly right, `~` right, `!` wrong.
    fn judged(truth: &Truth, context: &Context, answer: &str) -> char {
        match score(truth, context, answer) {
            Score { exact: true, lenient: true } => '=',
            Score { exact: false, lenient: true } => '~',
            Score { exact: false, lenient: false } => '!',
            Score { exact: true, lenient: false } => unreachable!(),
        }
    }

    #[track_caller]
    fn check(truth: &Truth, context: &Context, cases: &[(char, &str)]) {
        for (expected, answer) in cases {
            assert_eq!(judged(truth, context, answer), *expected, "{answer}");
        }
    }

    #[test]
    fn numbers_are_whole() {
        let none = context(&[], "How many symbols are there?");
        check(
            &Truth::number(133),
            &none,
            &[
                ('=', "133"),
                ('=', " 133\n"),
                ('=', "133.0"),
                ('~', "133."),
                ('~', "**133**"),
                ('~', "There are 133 symbols."),
                ('~', "Group 1 has 40, group 2 has 93.\n\nTotal: 133"),
                ('~', "40 and 93.\n\n**133**"),
                ('~', "`133`"),
                ('!', "1330"),
                ('!', "-133"),
                ('!', "133 or 134"),
                ('!', "x133"),
                ('!', "1,33"),
                ('!', "13 3"),
                ('!', ""),
                ('!', "a hundred and thirty-three"),
                ('!', "133.5"),
                ('!', "0133x"),
                ('!', "131,133"),
                ('!', "I count 12.\n\nSource: line 133"),
                ('!', "The count is 12.\nThe beginning says symbols 133"),
            ],
        );
        check(&Truth::number(1330), &none, &[('~', "1,330"), ('=', "1330")]);
        check(
            &Truth::Number("10.5".to_owned()),
            &none,
            &[('~', "10.50 hours"), ('=', "10.50"), ('!', "10"), ('!', "10.51")],
        );
        check(
            &Truth::Near { number: "10.5".to_owned(), tolerance: 0.2 },
            &none,
            &[
                ('=', "10.5"),
                ('=', "10.7"),
                ('=', "10.3"),
                ('~', "10.4 hours"),
                ('!', "10.71"),
                ('!', "10.2"),
                ('!', "10.4 or 11"),
                ('!', ""),
            ],
        );
        let near = Truth::Near { number: "0.7".to_owned(), tolerance: 0.1 };
        check(&near, &none, &[('=', "0.8"), ('=', "0.6"), ('!', "0.81")]);
        // Beyond the integers of a double.
        let large = Truth::Number("9007199254740993".to_owned());
        check(&large, &none, &[('=', "9007199254740993"), ('!', "9007199254740992")]);
    }

    #[test]
    fn a_question_may_be_repeated() {
        let seeds = context(&[], "How many symbols have distance 0?");
        let three = Truth::number(3);
        check(
            &three,
            &seeds,
            &[('~', "There are 3 symbols with distance 0."), ('~', "3 (distance 0)"), ('!', "0")],
        );
        check(
            &Truth::number(0),
            &seeds,
            &[('=', "0"), ('~', "None: 0."), ('!', "3 have distance 0")],
        );
        let hops = context(
            &["a.B", "c.D", "e.F"],
            "Two edges lead from a.B to c.D. Which symbol is between?",
        );
        let between = Truth::name("e.F");
        check(&between, &hops, &[('~', "a.B calls e.F, which calls c.D."), ('!', "a.B calls c.D")]);
    }

    #[test]
    fn names_are_whole() {
        let names = context(&["a.B", "a.B.c", "x.a.B", "other", "x::a.B"], "");
        check(
            &Truth::name("a.B"),
            &names,
            &[
                ('=', "a.B"),
                ('~', "`a.B`"),
                ('~', "It is a.B."),
                ('~', "a.B: the highest"),
                ('~', "symbol:a.B"),
                ('~', "a.B, a.B"),
                ('!', "a.B.c"),
                ('!', "x.a.B"),
                ('!', "x::a.B"),
                ('!', "a.B::c"),
                ('!', "a.B or other"),
                ('!', "A.B"),
                ('!', "a.Bc"),
                ('!', ""),
            ],
        );
        let kinds = context(&["type", "method", "function", "fn"], "Of what kind is it?");
        check(
            &Truth::Name(set(&["function", "fn"])),
            &kinds,
            &[
                ('=', "fn"),
                ('=', "function"),
                ('~', "Function"),
                ('~', "function (fn)"),
                ('~', "The type is function."),
                ('~', "kind:fn"),
                ('!', "functional"),
                ('!', "type"),
                ('!', "function or method"),
            ],
        );
        check(
            &Truth::name("type"),
            &kinds,
            &[('=', "type"), ('~', "A type."), ('!', "A function.")],
        );
        let titles = context(&["Add the window", "Add the window of mail"], "");
        check(
            &Truth::name("Add the window of mail"),
            &titles,
            &[('~', "\"Add the window of mail\"")],
        );
        check(&Truth::name("Add the window"), &titles, &[('!', "\"Add the window of mail\"")]);
        let generic = context(&["Lease", "Lease<T>::drop"], "");
        check(&Truth::name("Lease<T>::drop"), &generic, &[('~', "It is Lease<T>::drop.")]);
    }

    #[test]
    fn lists_are_complete() {
        let names =
            context(&["calls", "tests", "imports", "contains"], "Of which types are the edges?");
        check(
            &Truth::Names(set(&["calls", "tests"])),
            &names,
            &[
                ('=', "calls\ntests"),
                ('=', "tests\n\ncalls\n"),
                ('~', "calls, tests"),
                ('~', "- Calls\n- Tests"),
                ('~', "The graph contains edges of type calls and tests."),
                ('~', "calls\ncalls\ntests"),
                ('!', "calls"),
                ('!', "calls\ntests\nimports"),
                ('!', ""),
            ],
        );
    }

    #[test]
    fn yes_is_not_no() {
        let none = context(&[], "");
        check(
            &Truth::YesOrNo(false),
            &none,
            &[
                ('=', "no"),
                ('=', "No"),
                ('~', "No."),
                ('~', "No, there is none"),
                ('~', "The answer is: no"),
                ('!', "yes"),
                ('!', "none"),
                ('!', "I have no idea."),
                ('!', "Yes. There is no doubt about it."),
            ],
        );
        check(
            &Truth::YesOrNo(true),
            &none,
            &[('~', "Yes. There is no doubt about it."), ('!', "")],
        );
    }

    /// A true answer of `cases.json`.
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Told {
        Number(String),
        Name(BTreeSet<String>),
        Names(BTreeSet<String>),
        Yes(bool),
    }

    #[derive(serde::Deserialize)]
    struct Case {
        truth: Told,
        question: String,
        names: BTreeSet<String>,
        right: Vec<String>,
        wrong: Vec<String>,
        #[serde(default)]
        unanswered: Vec<String>,
    }

    #[derive(serde::Deserialize)]
    struct Cases {
        agree: Vec<Case>,
        differ: Vec<Case>,
    }

    /// `recipes/evaluation/recount.py` is tested with the same cases.
    #[test]
    fn shared_cases_are_judged_as_they_say() {
        let cases: Cases = serde_json::from_str(include_str!("cases.json")).unwrap();
        for case in cases.agree.into_iter().chain(cases.differ) {
            let truth = match case.truth {
                Told::Number(number) => Truth::Number(number),
                Told::Name(accepted) => Truth::Name(accepted),
                Told::Names(names) => Truth::Names(names),
                Told::Yes(yes) => Truth::YesOrNo(yes),
            };
            let context = Context { names: case.names, question: case.question };
            for answer in &case.right {
                assert!(score(&truth, &context, answer).lenient, "{truth:?}: {answer:?}");
            }
            for answer in case.wrong.iter().chain(&case.unanswered) {
                assert!(!score(&truth, &context, answer).lenient, "{truth:?}: {answer:?}");
            }
        }
    }

    #[test]
    fn counts_are_of_everything() {
        let none = context(&[], "");
        let distances = [("0", 3), ("1", 10), ("2", 4)].map(|(key, count)| (key.to_owned(), count));
        check(
            &Truth::Counts(distances.into_iter().collect()),
            &none,
            &[
                ('=', "0: 3\n1: 10\n2: 4"),
                ('=', "1:10\n0:3\n2: 4"),
                ('~', "- 0: 3\n- 1: 10\n- 2: 4"),
                ('~', "distance 0 → 3\ndistance 1 → 10\ndistance 2 → 4"),
                ('~', "For distances 0, 1 and 2:\n\n0: 3 of 17\n1: 10\n2: 4"),
                ('~', "3 symbols at distance 0\n10 symbols at distance 1\n4 at distance 2"),
                ('~', "Distance 0: 3, Distance 1: 10, Distance 2: 4"),
                ('!', "0: 3"),
                ('!', "0: 3 or 4\n1: 10 or 5\n2: 4"),
                ('!', "0: 10\n1: 3\n2: 4"),
                ('!', "0: 3\n0: 4\n1: 10\n2: 4"),
                ('!', ""),
            ],
        );
        let types = [("User", 2), ("Project", 12)].map(|(key, count)| (key.to_owned(), count));
        check(
            &Truth::Counts(types.into_iter().collect()),
            &none,
            &[
                ('=', "Project: 12\nUser: 2"),
                ('~', "There are 2 User and 12 Project nodes"),
                ('~', "| User | 2 |\n| Project | 12 |"),
                ('!', "User: 12\nProject: 2"),
            ],
        );
    }
}
