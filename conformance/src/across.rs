//! Cases about more than one text: sessions, deltas, roots and exchanges.

use serde::Deserialize;
use wire_core::{Payload, Symbol};

use crate::case::{Case, Operation, Options, RawPayload, RawSymbol};
use crate::run::{Failure, RESOLVED, refused, same_payload};

/// What only these cases have.
#[derive(Clone, Debug, Default)]
pub struct Across {
    /// The calls of a session.
    pub calls: Vec<Call>,
    /// The texts that a consumer of a session reads.
    pub texts: Vec<String>,
    /// The delta to encode, or to get.
    pub delta: Option<DeltaCase>,
    /// The delta to get from decoding, when it is another one.
    pub decoded_delta: Option<DeltaCase>,
    /// The payload that a delta is about.
    pub base: Option<Payload<'static>>,
    /// The root to get.
    pub root: Option<String>,
    /// The payloads that a server has sent before.
    pub known: Vec<Payload<'static>>,
    /// The root that a consumer sends.
    pub held: Option<String>,
    /// `unchanged`, `delta` or `full`.
    pub outcome: Option<String>,
    /// Why there is no delta.
    pub why: Option<String>,
}

/// The members of a case file that only these cases have.
#[derive(Debug)]
pub(crate) struct RawAcross {
    pub(crate) calls: Vec<RawCall>,
    pub(crate) texts: Vec<String>,
    pub(crate) delta: Option<RawDelta>,
    pub(crate) decoded_delta: Option<RawDelta>,
    pub(crate) base: Option<RawPayload>,
    pub(crate) root: Option<String>,
    pub(crate) known: Vec<RawPayload>,
    pub(crate) held: Option<String>,
    pub(crate) outcome: Option<String>,
    pub(crate) why: Option<String>,
}

/// One step of a session.
#[derive(Clone, Debug)]
pub enum Call {
    /// Both sides start over.
    Reset,
    /// A payload is sent.
    Send(Box<Send>),
}

/// A payload that is sent in a session.
#[derive(Clone, Debug)]
pub struct Send {
    /// What is sent.
    pub payload: Payload<'static>,
    /// As what text.
    pub text: String,
    /// What the consumer gets.
    pub decoded: Payload<'static>,
    /// What becomes of the text.
    pub delivery: Delivery,
    /// Whether it is a full payload without session.
    pub full: bool,
}

/// What becomes of a text of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Delivery {
    /// It is read, and the producer knows.
    #[default]
    Confirmed,
    /// It is not read, and the producer knows.
    Lost,
    /// It is read, and the producer does not know.
    Unconfirmed,
    /// It is read twice, and the producer knows.
    Repeated,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawCall {
    #[serde(default)]
    reset: bool,
    payload: Option<RawPayload>,
    text: Option<String>,
    decoded: Option<RawPayload>,
    #[serde(default)]
    delivery: Delivery,
    session: Option<String>,
    #[serde(default, rename = "note")]
    _note: Option<String>,
}

/// A delta, as cases write it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeltaCase {
    /// The tool.
    pub tool: String,
    /// The root of the base.
    pub base_root: String,
    /// The root of what comes out.
    pub new_root: String,
    /// What is stated of tokens.
    pub tokens: Tokens,
    /// Kind and qualified name.
    pub removed: Vec<(String, String)>,
    /// The symbols that are new.
    pub added: Vec<Symbol<'static>>,
    /// Source, target, type.
    pub edges_removed: Vec<[String; 3]>,
    /// Source, target, type.
    pub edges_added: Vec<[String; 3]>,
}

/// What a delta states of tokens: what it is given, or what a reader gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tokens {
    /// What the delta costs.
    pub delta: Option<u64>,
    /// What the full payload would cost.
    pub full: Option<u64>,
    /// The savings in percent.
    pub savings: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawDelta {
    #[serde(default)]
    tool: String,
    base_root: String,
    new_root: String,
    #[serde(default)]
    tokens: Tokens,
    #[serde(default)]
    removed: Vec<RawKey>,
    #[serde(default)]
    added: Vec<RawSymbol>,
    #[serde(default)]
    edges_removed: Vec<RawNamedEdge>,
    #[serde(default)]
    edges_added: Vec<RawNamedEdge>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawKey {
    kind: String,
    qualified_name: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawNamedEdge {
    source: String,
    target: String,
    edge_type: String,
}

impl RawDelta {
    fn build(self) -> DeltaCase {
        let edges = |edges: Vec<RawNamedEdge>| {
            edges.into_iter().map(|edge| [edge.source, edge.target, edge.edge_type]).collect()
        };
        DeltaCase {
            tool: self.tool,
            base_root: self.base_root,
            new_root: self.new_root,
            tokens: self.tokens,
            removed: self.removed.into_iter().map(|key| (key.kind, key.qualified_name)).collect(),
            added: self.added.into_iter().map(RawSymbol::build).collect(),
            edges_removed: edges(self.edges_removed),
            edges_added: edges(self.edges_added),
        }
    }
}

impl RawCall {
    fn build(self) -> Result<Call, String> {
        match (self.payload, self.text) {
            (None, None) if self.reset => Ok(Call::Reset),
            (Some(payload), Some(text)) if !self.reset => {
                let payload = payload.build()?;
                let decoded = match self.decoded {
                    Some(decoded) => decoded.build()?,
                    None => payload.clone(),
                };
                let full = match self.session.as_deref() {
                    None => false,
                    Some("full") => true,
                    Some(other) => return Err(format!("session is {other:?}")),
                };
                let delivery = self.delivery;
                Ok(Call::Send(Box::new(Send { payload, text, decoded, delivery, full })))
            }
            _ => Err("a call needs payload and text, or reset".to_owned()),
        }
    }
}

impl RawAcross {
    pub(crate) fn build(self, operation: Operation) -> Result<Across, String> {
        let across = Across {
            calls: self.calls.into_iter().map(RawCall::build).collect::<Result<_, _>>()?,
            texts: self.texts,
            delta: self.delta.map(RawDelta::build),
            decoded_delta: self.decoded_delta.map(RawDelta::build),
            base: self.base.map(RawPayload::build).transpose()?,
            root: self.root,
            known: self.known.into_iter().map(RawPayload::build).collect::<Result<_, _>>()?,
            held: self.held,
            outcome: self.outcome,
            why: self.why,
        };
        let is = |operations: &[Operation]| operations.contains(&operation);
        let deltas = [Operation::Delta, Operation::DeltaDecode, Operation::DeltaRefuse];
        let bases =
            [Operation::Diff, Operation::SendFull, Operation::Apply, Operation::ApplyReject];
        for (what, needed, there) in [
            ("calls", is(&[Operation::Session]), !across.calls.is_empty()),
            ("texts", is(&[Operation::SessionReject]), !across.texts.is_empty()),
            ("delta", is(&deltas), across.delta.is_some()),
            ("base", is(&bases), across.base.is_some()),
            ("root", is(&[Operation::Root]), across.root.is_some()),
            ("outcome", is(&[Operation::Exchange]), across.outcome.is_some()),
            ("why", is(&[Operation::SendFull]), across.why.is_some()),
        ] {
            if needed != there {
                let problem = if needed { "needs" } else { "has no use for" };
                return Err(format!("{operation:?} {problem} {what}"));
            }
        }
        Ok(across)
    }
}

/// An implementation of what goes beyond one text.
pub trait AcrossCalls {
    /// A producer and a consumer of a session, which have seen nothing.
    fn session(&self, options: &Options) -> Box<dyn SessionPair>;

    /// Encodes a delta.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn encode_delta(&self, delta: &DeltaCase, options: &Options) -> Result<String, Failure>;

    /// Decodes a delta.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn decode_delta(&self, input: &[u8], options: &Options) -> Result<DeltaCase, Failure>;

    /// The text of the delta between two payloads; or why there is none.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn diff(
        &self,
        base: &Payload<'_>,
        new: &Payload<'_>,
        options: &Options,
    ) -> Result<Result<String, String>, Failure>;

    /// Applies a delta.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn apply(&self, base: &Payload<'_>, delta: &[u8]) -> Result<Payload<'static>, Failure>;

    /// The root of a payload as it is.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn root(&self, payload: &Payload<'_>, options: &Options) -> Result<String, Failure>;

    /// What a server that has sent the `known` payloads answers to a consumer that sends the root `held`: the
    /// outcome and the text.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn exchange(
        &self,
        known: &[Payload<'_>],
        held: Option<&str>,
        payload: &Payload<'_>,
        options: &Options,
    ) -> Result<(String, String), Failure>;
}

/// Both sides of a session.
pub trait SessionPair {
    /// The producer writes a payload: the text, and whether it is a full payload without session.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn encode(&mut self, payload: &Payload<'_>) -> Result<(String, bool), Failure>;

    /// The producer learns that its last text was delivered.
    fn confirm(&mut self);

    /// The producer learns that its last text was lost.
    fn roll_back(&mut self);

    /// The consumer reads a text.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn decode(&mut self, text: &str) -> Result<Payload<'static>, Failure>;

    /// Both start over.
    fn reset(&mut self);
}

pub(crate) fn judge(subject: &dyn AcrossCalls, case: &Case) -> Result<(), String> {
    let across = &case.across;
    let options = &case.options;
    let payload = || case.payload.as_ref().expect(RESOLVED);
    let input = || case.input.as_deref().expect(RESOLVED);
    let base = || across.base.as_ref().expect(RESOLVED);
    let delta = || across.delta.as_ref().expect(RESOLVED);
    let error = || case.error.as_ref().expect(RESOLVED);
    let failed = |failure: Failure| format!("it fails: {} ({})", failure.message, failure.code);
    match case.operation {
        Operation::Session => session(&mut *subject.session(options), &across.calls),
        Operation::SessionReject => {
            let mut pair = subject.session(options);
            let (last, before) = across.texts.split_last().expect(RESOLVED);
            for text in before {
                pair.decode(text).map_err(failed)?;
            }
            refused(pair.decode(last), error())?;
            // It left no trace.
            refused(pair.decode(last), error())
        }
        Operation::Delta => {
            same_text(&subject.encode_delta(delta(), options).map_err(failed)?, input())?;
            let decoded = across.decoded_delta.as_ref().unwrap_or(delta());
            same(&subject.decode_delta(input(), options).map_err(failed)?, decoded)
        }
        Operation::DeltaDecode => {
            same(&subject.decode_delta(input(), options).map_err(failed)?, delta())
        }
        Operation::DeltaRefuse => refused(subject.encode_delta(delta(), options), error()),
        Operation::DeltaReject => refused(subject.decode_delta(input(), options), error()),
        Operation::Diff => match subject.diff(base(), payload(), options).map_err(failed)? {
            Ok(text) => same_text(&text, input()),
            Err(why) => Err(format!("there is no delta: {why}")),
        },
        Operation::SendFull => {
            let found = subject.diff(base(), payload(), options).map_err(failed)?;
            same(&found, &Err(across.why.clone().expect(RESOLVED)))
        }
        Operation::Apply => {
            same_payload(payload(), &subject.apply(base(), input()).map_err(failed)?)
        }
        Operation::ApplyReject => refused(subject.apply(base(), input()), error()),
        Operation::Root => {
            let found = subject.root(payload(), options).map_err(failed)?;
            same(&found, across.root.as_ref().expect(RESOLVED))
        }
        Operation::RootRefuse => refused(subject.root(payload(), options), error()),
        Operation::Exchange => {
            let held = across.held.as_deref();
            let (outcome, text) =
                subject.exchange(&across.known, held, payload(), options).map_err(failed)?;
            same(&outcome, across.outcome.as_ref().expect(RESOLVED))?;
            same_text(&text, input())
        }
        other => Err(format!("{other:?} is about one text")),
    }
}

fn session(pair: &mut dyn SessionPair, calls: &[Call]) -> Result<(), String> {
    for (number, call) in (1..).zip(calls) {
        let Call::Send(send) = call else {
            pair.reset();
            continue;
        };
        let at = |problem: String| format!("call {number}: {problem}");
        let failed = |failure: Failure| format!("call {number} fails: {}", failure.message);
        let (text, full) = pair.encode(&send.payload).map_err(failed)?;
        same_text(&text, send.text.as_bytes()).map_err(at)?;
        if full != send.full {
            return Err(format!("call {number} is full: {full}, expected {}", send.full));
        }
        let times = match send.delivery {
            Delivery::Lost => 0,
            Delivery::Confirmed | Delivery::Unconfirmed => 1,
            Delivery::Repeated => 2,
        };
        for _ in 0..times {
            let decoded = pair.decode(&text).map_err(failed)?;
            same_payload(&send.decoded, &decoded).map_err(at)?;
        }
        match send.delivery {
            Delivery::Lost => pair.roll_back(),
            Delivery::Unconfirmed => {}
            Delivery::Confirmed | Delivery::Repeated => pair.confirm(),
        }
    }
    Ok(())
}

fn same_text(found: &str, expected: &[u8]) -> Result<(), String> {
    let expected = String::from_utf8_lossy(expected);
    if found == expected {
        return Ok(());
    }
    Err(format!("the text is\n{found:?}\nexpected\n{expected:?}"))
}

fn same<T: PartialEq + std::fmt::Debug>(found: &T, expected: &T) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!("it is\n{found:?}\nexpected\n{expected:?}"))
}
