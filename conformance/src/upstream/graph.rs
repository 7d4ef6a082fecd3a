//! The cases of the specification about graphs: one text of a payload, and more than one.

use serde_json::Value;
use wire_core::PackRoot;

use crate::operation::Operation;
use crate::operation::codec::Coded;
use crate::operation::delta::{ApplyReject, Delta, Difference};
use crate::operation::exchange::Root;
use crate::operation::negative::Rejected;
use crate::operation::session::{Call, Delivery, Send, Session};
use crate::options::Options;
use crate::upstream::errors::expected_error;
use crate::upstream::payload::{delta, dialect, payload, snapshot};

/// What a case does, and with which options; `name` is that of its file.
pub(crate) fn operation(
    operation: &str,
    name: &str,
    value: &Value,
) -> Result<(Operation, Options), String> {
    let mut options = Options::default();
    let operation = match operation {
        "encode" => {
            let expected = text(value, "expected")?;
            options.dialect = Some(dialect(expected));
            Operation::Encode(coded(&value["input"], expected)?)
        }
        "decode" | "streaming" => {
            Operation::Decode(coded(&value["expected"], text(value, "input")?)?)
        }
        "graph-stream-encode" => {
            options.dialect = Some("v3".to_owned());
            let labeled = value["options"]["labeledTrailerCounts"] == true;
            options.stream = Some(if labeled { "labeled" } else { "positional" }.to_owned());
            Operation::Encode(coded(&value["input"], text(value, "expected")?)?)
        }
        "errors" | "error" => {
            let input = text(value, "input")?;
            let header = input.split('\n').next().unwrap_or_default();
            // The first suite says of each error in the name of its file alone which it is.
            let of_file = name.rsplit('/').next().and_then(|file| file.split_once('_'));
            let named = value["expectedError"].as_str().or(of_file.map(|(_, name)| name));
            let error = expected_error(named.unwrap_or_default())?;
            let rejected = Rejected { text: input.into(), error };
            if header.split(' ').any(|field| field == "delta=true") {
                Operation::DeltaReject(rejected)
            } else {
                Operation::Reject(rejected)
            }
        }
        "session" => Operation::Session(session(value, &mut options)?),
        "delta" if value["input"].is_object() => {
            let expected = text(value, "expected")?;
            let given = delta(&value["input"])?;
            // What a reader gets instead of the full payload's tokens.
            let savings = expected.split("savings=").nth(1).and_then(|rest| rest.split('%').next());
            let mut decoded = given.clone();
            decoded.tokens.full = None;
            decoded.tokens.savings = savings.and_then(|savings| savings.parse().ok());
            options.dialect = Some(dialect(expected));
            Operation::Delta(Delta {
                delta: given,
                text: expected.into(),
                decoded_delta: Some(decoded),
            })
        }
        "delta" | "delta-verify" => apply(value)?,
        "pack-root" => {
            options.root = Some("pack-root-v1".to_owned());
            let root = value["expected"].as_str().ok_or("it has no root")?.to_owned();
            Operation::Root(Root { payload: snapshot(&value["input"])?, root })
        }
        other => return Err(format!("the operation {other} is not known")),
    };
    Ok((operation, options))
}

fn text<'v>(value: &'v Value, member: &str) -> Result<&'v str, String> {
    value[member].as_str().ok_or(format!("it has no text {member}"))
}

fn coded(value: &Value, text: &str) -> Result<Coded, String> {
    Ok(Coded { payload: payload(value)?, text: text.into() })
}

fn session(value: &Value, options: &mut Options) -> Result<Session, String> {
    let mut calls = Vec::new();
    for call in value["calls"].as_array().ok_or("it has no calls")? {
        let payload = payload(&call["input"])?;
        let text = call["expected"].as_str().ok_or("a call expects no text")?.to_owned();
        if text.contains("## edges [") || options.dialect.is_none() {
            options.dialect = Some(dialect(&text));
        }
        calls.push(Call::Send(Box::new(Send {
            decoded: payload.clone(),
            payload,
            text,
            delivery: Delivery::Confirmed,
            full: false,
        })));
    }
    Ok(Session { calls })
}

/// A delta that is applied, or can't be.
fn apply(value: &Value) -> Result<Operation, String> {
    let input = text(value, "input")?;
    let base = snapshot(&value["base_snapshot"])?;
    if let Some(name) = value["expectedError"].as_str() {
        let error = expected_error(name)?;
        return Ok(Operation::ApplyReject(ApplyReject { base, text: input.into(), error }));
    }
    let header = input.lines().next().unwrap_or_default();
    let field = |key: &str| {
        let mut fields = header.split(' ');
        fields.find_map(|field| Some(field.strip_prefix(key)?.strip_prefix('=')?.to_owned()))
    };
    let mut payload = snapshot(&value["expected_snapshot"])?;
    payload.tool = field("tool").unwrap_or_default().into();
    payload.pack_root =
        field("new_root").map(PackRoot::new).transpose().map_err(|error| error.to_string())?;
    Ok(Operation::Apply(Difference { base, payload, text: input.into() }))
}
