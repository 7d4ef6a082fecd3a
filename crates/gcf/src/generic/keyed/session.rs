//! When a producer sends the whole set again (section 10a.8).

use std::num::NonZeroU32;

use super::set::KeyedSet;

/// When a [`Session`] sends the whole set again although a delta would do, because models lose
/// track of long chains of deltas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Policy {
    /// Never (the default).
    #[default]
    Never,
    /// Each so many turns.
    EveryTurns(NonZeroU32),
    /// As soon as the deltas since the last whole set are as many bytes as the whole set would be:
    /// often when much changes.
    SizeGuard,
}

/// The next text to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// The text.
    pub text: String,
    /// `true` if it is the whole set, and no delta.
    pub is_full: bool,
}

/// A producer that sends a set again and again, as the whole or as what changed.
#[derive(Clone, Debug)]
pub struct Session {
    base: KeyedSet,
    policy: Policy,
    /// The texts after the first.
    turns: u32,
    /// The bytes of the deltas since the last whole set.
    bytes: usize,
}

impl Session {
    /// A session that begins with this set, whose tool is that of all sets. Send [`Session::full`]
    /// first.
    pub fn new(base: KeyedSet, policy: Policy) -> Self {
        Session { base, policy, turns: 0, bytes: 0 }
    }

    /// The text of the full set that the consumer has.
    pub fn full(&self) -> String {
        self.base.to_string()
    }

    /// Returns the text that updates the consumer's set to `next`: a delta, or the full set if the
    /// policy demands it or the fields differ, so that there is no delta.
    pub fn next(&mut self, mut next: KeyedSet) -> Update {
        next.tool.clone_from(&self.base.tool);
        // Without a delta there is the whole set.
        let delta = self.base.delta_to(&next).ok();
        let text = delta.as_ref().map(ToString::to_string).filter(|text| !self.is_due(text, &next));
        self.base = next;
        self.turns = self.turns.wrapping_add(1);
        match text {
            Some(text) => {
                self.bytes += text.len();
                Update { text, is_full: false }
            }
            None => {
                self.bytes = 0;
                Update { text: self.full(), is_full: true }
            }
        }
    }

    /// Decides whether to send the full set instead of this delta.
    fn is_due(&self, delta: &str, next: &KeyedSet) -> bool {
        match self.policy {
            Policy::Never => false,
            Policy::EveryTurns(turns) => self.turns.wrapping_add(1).is_multiple_of(turns.get()),
            Policy::SizeGuard => self.bytes + delta.len() >= next.to_string().len(),
        }
    }
}
