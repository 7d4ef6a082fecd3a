//! Keyed sets of the generic profile beside another implementation, on random sets: whole texts,
//! deltas, roots, and when a session sends which.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use gcf::keyed::{KeyedSet, Message, Policy, Session};
use serde_json::{Map, Value, json};

use crate::generic::{as_read, has_large_number};
use crate::json::{FIELDS, HOSTILE_FIELDS, scalar};
use crate::rng::Rng;

/// Another implementation, by requests:
///
/// - `keyed_full`, of `{"set", "tool"}`: the text of a whole set;
/// - `keyed_read`, of such a text: `{"set", "root"}`;
/// - `keyed_delta`, of `{"base", "next"}`: the text of a delta;
/// - `keyed_apply`, of `{"base", "text"}`: the set that comes of a delta;
/// - `keyed_session`, of `{"base", "tool", "every"}`, which begins one, or `{"next"}`:
///   `{"text", "is_full"}`; after so many turns it sends the whole set, and with 0 by size.
///
/// A set is `{"name", "key", "fields", "rows"}`.
pub struct KeyedPeer {
    /// Whether it takes every number for a double in roots, so that 2^53 and 2^53 + 1 are the same
    /// to it.
    pub one_kind_of_number: bool,
    pub ask: Ask,
}

/// Answers a request of this name.
pub type Ask = Box<dyn Fn(&str, &Value) -> Result<Value, String>>;

impl KeyedPeer {
    fn text(&self, what: &str, argument: &Value) -> String {
        let answer = (self.ask)(what, argument)
            .unwrap_or_else(|error| panic!("{what}: {error}\n{argument}"));
        answer.as_str().unwrap_or_else(|| panic!("{what}: {answer}")).to_owned()
    }
}

/// A set, as it changes.
struct States {
    rng: Rng,
    hostile: bool,
    fields: Vec<String>,
    next_key: usize,
    rows: Vec<Map<String, Value>>,
}

impl States {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let hostile = !seed.is_multiple_of(3);
        let mut fields = vec!["id".to_owned()];
        for _ in 0..rng.below(5) {
            let names = if hostile && rng.below(3) == 0 { HOSTILE_FIELDS } else { FIELDS };
            let name = rng.pick(names);
            // A set refuses names that could break the records of its root.
            let is_new = !fields.iter().any(|field| field == name);
            if is_new && !name.contains(char::is_control) {
                fields.push(name.to_owned());
            }
        }
        let place = rng.below(fields.len());
        fields.swap(0, place);
        let mut states = States { rng, hostile, fields, next_key: 0, rows: Vec::new() };
        for _ in 0..states.rng.below(8) {
            states.add();
        }
        states
    }

    fn add(&mut self) {
        let key = self.next_key;
        self.next_key += 1;
        let key =
            if self.next_key.is_multiple_of(2) { key.into() } else { format!("k {key}").into() };
        let row = self.row(key);
        self.rows.push(row);
    }

    fn row(&mut self, key: Value) -> Map<String, Value> {
        let States { rng, hostile, fields, .. } = self;
        let cell = |field: &String| {
            let value = if field == "id" { key.clone() } else { scalar(rng, *hostile) };
            (field.clone(), value)
        };
        fields.iter().map(cell).collect()
    }

    /// Adds, changes and removes some rows.
    fn change(&mut self) {
        for _ in 0..self.rng.below(3) {
            self.add();
        }
        for _ in 0..self.rng.below(3) {
            if !self.rows.is_empty() {
                let place = self.rng.below(self.rows.len());
                let key = self.rows[place]["id"].clone();
                self.rows[place] = self.row(key);
            }
        }
        if self.rng.below(2) == 0 && !self.rows.is_empty() {
            let place = self.rng.below(self.rows.len());
            self.rows.remove(place);
        }
    }

    fn plain(&self) -> Value {
        json!({ "name": "orders", "key": "id", "fields": self.fields, "rows": self.rows })
    }

    fn set(&self) -> KeyedSet {
        let mut set = KeyedSet::new("id", self.fields.iter().cloned())
            .expect("because it has fields")
            .with_name("orders");
        set.extend(&self.rows).expect("because its rows are of scalars");
        set
    }
}

/// The rows of a set, in no order.
fn rows(set: &Value) -> BTreeSet<String> {
    let rows = set["rows"].as_array().expect("because a set has rows");
    rows.iter().map(|row| sorted(&as_read(row)).to_string()).collect()
}

/// A row with its fields in the order of their names.
fn sorted(row: &Value) -> Value {
    let mut fields: Vec<_> = row.as_object().expect("because a row has fields").iter().collect();
    fields.sort_by_key(|(name, _)| name.as_str());
    fields
        .into_iter()
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect::<Map<_, _>>()
        .into()
}

fn rows_of(set: &KeyedSet) -> BTreeSet<String> {
    rows(&json!({ "rows": set.rows::<Value>().expect("because any value will do") }))
}

/// Compares so many sessions, each of a few turns.
///
/// # Panics
///
/// Where the two differ.
pub fn compare(peer: &KeyedPeer, count: u64) {
    let (mut turns, mut skipped, mut left) = (0, 0, 0);
    for seed in 0..count {
        let mut states = States::new(seed);
        let every = [0, 1, 3][states.rng.below(3)];
        let policy = NonZeroU32::new(every).map_or(Policy::SizeGuard, Policy::EveryTurns);
        let first = states.set();
        let mut session =
            Session::new(first.clone().with_tool("t").expect("because it is a word"), policy);
        let full = session.full();
        let argument = json!({ "set": states.plain(), "tool": "t" });
        let is_large =
            |states: &States| peer.one_kind_of_number && has_large_number(&states.plain());
        if is_large(&states) {
            skipped += 1;
            continue;
        }
        assert_eq!(full, peer.text("keyed_full", &argument), "seed {seed}");
        let read = (peer.ask)("keyed_read", &full.as_str().into())
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{full}"));
        assert_eq!(rows(&read["set"]), rows_of(&first), "seed {seed}\n{full}");
        assert_eq!(read["root"], first.root().as_str(), "seed {seed}");
        let mut held = read["set"].clone();
        let mut base = first.clone();
        let mut ours_held = full
            .parse::<Message>()
            .and_then(|message| message.apply(None))
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{full}"));
        assert_eq!(rows_of(&ours_held), rows_of(&first), "seed {seed}\n{full}");

        let begin = json!({ "base": states.plain(), "tool": "t", "every": every });
        (peer.ask)("keyed_session", &begin).expect("because it begins");
        for turn in 0..5 {
            let before = states.plain();
            states.change();
            if is_large(&states) {
                left += 1;
                break;
            }
            turns += 1;
            let place = || format!("seed {seed}, turn {turn}");
            let next = states.set();
            let delta = base.delta_to(&next).expect("because the fields are the same");
            let argument = json!({ "base": before, "next": states.plain() });
            assert_eq!(delta.to_string(), peer.text("keyed_delta", &argument), "{}", place());

            let update = session.next(next.clone());
            base = next.clone();
            let theirs = (peer.ask)("keyed_session", &json!({ "next": states.plain() }))
                .unwrap_or_else(|error| panic!("{}: {error}", place()));
            assert_eq!(update.text, theirs["text"].as_str().unwrap_or_default(), "{}", place());
            assert_eq!(theirs["is_full"], update.is_full, "{}", place());

            ours_held = update
                .text
                .parse::<Message>()
                .and_then(|message| message.apply(Some(ours_held)))
                .unwrap_or_else(|error| panic!("{}: {error}\n{}", place(), update.text));
            assert_eq!(rows_of(&ours_held), rows_of(&next), "{}", place());
            held = if update.is_full {
                let read = (peer.ask)("keyed_read", &update.text.as_str().into());
                read.unwrap_or_else(|error| panic!("{}: {error}", place()))["set"].clone()
            } else {
                let argument = json!({ "base": held, "text": update.text });
                (peer.ask)("keyed_apply", &argument)
                    .unwrap_or_else(|error| panic!("{}: {error}\n{}", place(), update.text))
            };
            assert_eq!(rows(&held), rows_of(&next), "{}", place());
        }
    }
    println!(
        "{} sessions of keyed sets, {turns} turns; {skipped} skipped and {left} left for their numbers",
        count - skipped
    );
}
