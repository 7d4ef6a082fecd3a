//! Sets of rows with a key.

use std::num::NonZeroU32;

use gcf::keyed::{Delta, KeyedSet, Message, Policy, Session};
use serde_json::Value;
use wire_conformance::{Change, Failure, Set};
use wire_core::PackRoot;

use super::failure;

pub(crate) struct Keyed;

fn set(case: &Set) -> Result<KeyedSet, gcf::Error> {
    let mut set = match (&case.map, &case.fields) {
        (Some(map), _) => KeyedSet::from_map(&case.key, map)?,
        (None, None) => KeyedSet::from_rows(&case.key, &case.rows)?,
        (None, Some(fields)) => {
            let mut set = KeyedSet::new(&case.key, fields)?;
            set.extend(&case.rows)?;
            set
        }
    };
    if let Some(name) = &case.name {
        set = set.with_name(name);
    }
    Ok(set)
}

fn delta(change: &Change) -> Result<Delta, gcf::Error> {
    let root = |text: &String| PackRoot::new(text.clone()).expect("a root is a token");
    let fields = KeyedSet::new(&change.key, &change.fields)?;
    let mut delta = Delta::new(&fields, root(&change.base_root), root(&change.new_root));
    delta.add(&change.added)?;
    delta.change(&change.changed)?;
    delta.remove(&change.removed)?;
    if let Some(tool) = &change.tool {
        delta = delta.with_tool(tool)?;
    }
    if let (Some(tokens), Some(full)) = (change.delta_tokens, change.full_tokens) {
        delta = delta.with_tokens(tokens, full);
    }
    Ok(delta)
}

impl wire_conformance::KeyedSets for Keyed {
    fn text(&self, case: &Set) -> Result<(String, String), Failure> {
        let set = set(case).map_err(|error| failure(&error))?;
        Ok((set.root().to_string(), set.to_string()))
    }

    fn between(&self, case: &Set, next: &Set) -> Result<String, Failure> {
        let (base, next) = (set(case), set(next));
        let (base, next) =
            (base.map_err(|error| failure(&error))?, next.map_err(|error| failure(&error))?);
        let delta = base.delta_to(&next).map_err(|error| failure(&error))?;
        Ok(delta.to_string())
    }

    fn write(&self, change: &Change) -> Result<String, Failure> {
        delta(change).map(|delta| delta.to_string()).map_err(|error| failure(&error))
    }

    fn receive(&self, held: Option<&Set>, text: &[u8]) -> Result<(String, Value), Failure> {
        let held = held.map(set).transpose().map_err(|error| failure(&error))?;
        let text = std::str::from_utf8(text).expect("the text is UTF-8");
        let message = text.parse::<Message>().map_err(|error| failure(&error))?;
        if let Message::Delta(delta) = &message {
            let written = delta.to_string();
            let again = written.parse::<Message>().map_err(|error| failure(&error))?;
            if !matches!(&again, Message::Delta(again) if again == delta && again.to_string() == written)
            {
                return Err(Failure::disagreement("a delta and what it is written as"));
            }
        }
        let set = message.apply(held).map_err(|error| failure(&error))?;
        let rows: Vec<Value> = set.rows().map_err(|error| failure(&error))?;
        Ok((set.root().to_string(), rows.into()))
    }

    fn session(&self, case: &wire_conformance::Session) -> Result<Vec<String>, Failure> {
        let run = || -> Result<Vec<String>, gcf::Error> {
            let policy = match case.policy.as_deref().unwrap_or("15") {
                "size-guard" => Policy::SizeGuard,
                turns => Policy::EveryTurns(turns.parse::<NonZeroU32>().expect("a number")),
            };
            let mut base = set(&case.set)?;
            if let Some(tool) = &case.tool {
                base = base.with_tool(tool)?;
            }
            let mut session = Session::new(base, policy);
            let mut texts = vec![session.full()];
            let mut held = texts[0].parse::<Message>()?.apply(None)?;
            for update in &case.updates {
                let next = set(update)?;
                let sent = session.next(next.clone());
                held = sent.text.parse::<Message>()?.apply(Some(held))?;
                // Whatever the order of the rows.
                assert_eq!(held, next);
                texts.push(sent.text);
            }
            Ok(texts)
        };
        run().map_err(|error| failure(&error))
    }
}
