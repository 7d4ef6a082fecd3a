//! The cases of the specification about the generic profile.

use base64::Engine as _;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::json::as_read;
use crate::operation::Operation;
use crate::operation::keyed::{
    Alone, Applied, Held, Rooted, SetApply, SetCase, SetReject, SetSession, SetWrite,
};
use crate::operation::negative::Rejected;
use crate::operation::response::{Response, ResponseDecode, ResponseRefuse, ResponseRewrite};
use crate::operation::sets::{Change, Session, Set};
use crate::upstream::errors::expected_error;

/// What a case does, if it is about the generic profile.
pub(crate) fn operation(
    operation: &str,
    value: &Value,
    raw_input: Option<&str>,
) -> Result<Option<Operation>, String> {
    let text = |member: &str| value[member].as_str().unwrap_or_default();
    let input = match value["inputBase64"].as_str() {
        Some(encoded) => base64::engine::general_purpose::STANDARD
            .decode(encoded)
            .map_err(|error| error.to_string())?,
        None => text("input").as_bytes().to_vec(),
    };
    let error = || expected_error(text("expectedError"));
    Ok(Some(match operation {
        "encode" | "roundtrip" if text("expected").starts_with("GCF profile=generic") => {
            Operation::Response(Response {
                json: Some(value["input"].clone()),
                decoded_json: Some(as_read(value["input"].clone())),
                text: text("expected").into(),
                ..Response::default()
            })
        }
        "roundtrip-wire" => Operation::ResponseRewrite(ResponseRewrite {
            text: input.into(),
            reencoded: Some(text("expected").to_owned()),
        }),
        // As text, since a value has no integers of more than 64 bits (2.3.2).
        "encode-error" => Operation::ResponseRefuse(ResponseRefuse {
            tool: None,
            json: None,
            json_text: raw_input.map(str::to_owned),
            error: error()?,
        }),
        "decode" if input.starts_with(b"GCF profile=generic") => {
            let json = as_read(value["expected"].clone());
            Operation::ResponseDecode(ResponseDecode { text: input.into(), json })
        }
        "error" if !input.starts_with(b"GCF profile=graph") => {
            Operation::ResponseReject(Rejected { text: input.into(), error: error()? })
        }
        _ => return about_sets(operation, value),
    }))
}

/// What a case does, if it is about the deltas of the generic profile.
fn about_sets(operation: &str, value: &Value) -> Result<Option<Operation>, String> {
    let text = |member: &str| value[member].as_str().unwrap_or_default();
    let given = &value["input"];
    Ok(Some(match operation {
        "generic-pack-root" => {
            let keyed = Rooted { set: json(given)?, root: Some(text("expected").to_owned()) };
            Operation::Set(SetCase { keyed, text: None })
        }
        "generic-delta" => {
            let keyed = Alone { change: json(given)? };
            Operation::SetWrite(SetWrite { keyed, text: text("expected").into() })
        }
        "generic-delta-verify" | "generic-delta-decode" => {
            let set: Option<Set> = Some(json(&given["base"])?);
            let wire = given["wire"].as_str().map(Into::into);
            let change: Option<Change> = match wire {
                Some(_) => None,
                None => {
                    let mut change = given["delta"].clone();
                    // The root to verify is given apart from the delta.
                    change["newRoot"] = given["expectedNewRoot"].clone();
                    Some(json(&change)?)
                }
            };
            if value["expectedError"].is_string() {
                let error = expected_error(text("expectedError"))?;
                let keyed = Held { set, change };
                return Ok(Some(Operation::SetReject(SetReject { keyed, text: wire, error })));
            }
            let root = Some(text("expected").to_owned());
            let keyed = Applied { set, change, next: None, root };
            Operation::SetApply(SetApply { keyed, text: wire })
        }
        "generic-delta-session" => {
            let keyed = session(given, &value["expected"])?;
            Operation::SetSession(SetSession { keyed })
        }
        _ => return Ok(None),
    }))
}

fn session(given: &Value, expected: &Value) -> Result<Session, String> {
    let policy = match given["policy"]["mode"].as_str() {
        Some("fixedN") => given["policy"]["n"].to_string(),
        Some("sizeGuard") => "size-guard".to_owned(),
        other => return Err(format!("the policy {other:?} is not known")),
    };
    let mut texts = vec![expected["initialFull"].as_str().unwrap_or_default().to_owned()];
    for emission in expected["emissions"].as_array().ok_or("it has no emissions")? {
        texts.push(emission["wire"].as_str().unwrap_or_default().to_owned());
    }
    Ok(Session {
        set: json(&given["base"])?,
        policy: Some(policy),
        tool: given["tool"].as_str().filter(|tool| !tool.is_empty()).map(str::to_owned),
        updates: json(&given["updates"])?,
        texts,
    })
}

fn json<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    serde_json::from_value(value.clone()).map_err(|error| error.to_string())
}
