//! The same bytes as the crate `gcf` 3.1.0, which writes specification 3.6, for random JSON and for
//! keyed sets; and each reads what both write.
//!
//! `DOCUMENTS=1000000 cargo test --release --test generic -- --nocapture` for more of them.

use std::cell::RefCell;

use gcf::Spec;
use gcf_peer::generic_delta::{
    GenericDeltaSession, GenericSet, ReanchorPolicy, decode_generic_delta, decode_generic_full,
    diff_generic_sets, encode_generic_delta, encode_generic_full, verify_generic_delta,
};
use serde_json::{Value, json};
use wire_benches::generic::{Peer, compare, documents};
use wire_benches::keyed::KeyedPeer;

#[test]
fn the_crate_of_specification_3_6() {
    let peer = Peer {
        spec: Spec::V3_6,
        one_kind_of_number: false,
        encode: Box::new(|value| {
            gcf_peer::encode_generic(value).map_err(|error| error.to_string())
        }),
        decode: Box::new(|text| gcf_peer::decode_generic(text).map_err(|error| error.to_string())),
    };
    compare(&peer, documents());
}

/// Its answers to the requests of [`KeyedPeer`].
#[derive(Default)]
struct Crate {
    session: Option<GenericDeltaSession>,
}

impl Crate {
    fn answer(&mut self, what: &str, argument: &Value) -> Result<Value, String> {
        let text = |of: &Value| of.as_str().unwrap_or_default().to_owned();
        match what {
            "keyed_full" => {
                Ok(encode_generic_full(&set(&argument["set"]), &text(&argument["tool"])).into())
            }
            "keyed_read" => {
                let (read, root) = decode_generic_full(&text(argument))?;
                Ok(json!({ "set": plain(&read), "root": root }))
            }
            "keyed_delta" => {
                let delta = diff_generic_sets(&set(&argument["base"]), &set(&argument["next"]))?;
                Ok(encode_generic_delta(&delta).into())
            }
            "keyed_apply" => {
                let delta = decode_generic_delta(&text(&argument["text"]))?;
                let next = verify_generic_delta(&set(&argument["base"]), &delta, &delta.new_root)?;
                Ok(plain(&next))
            }
            "keyed_session" if argument["base"].is_object() => {
                let every = argument["every"].as_u64().unwrap_or_default();
                let policy = match usize::try_from(every) {
                    Ok(0) | Err(_) => ReanchorPolicy::size_guard(),
                    Ok(turns) => ReanchorPolicy::fixed_n(turns),
                };
                let (base, tool) = (set(&argument["base"]), text(&argument["tool"]));
                self.session = Some(GenericDeltaSession::new(base, tool, policy));
                Ok(Value::Null)
            }
            "keyed_session" => {
                let session = self.session.as_mut().ok_or("no session has begun")?;
                let (text, is_full) = session.next(set(&argument["next"]))?;
                Ok(json!({ "text": text, "is_full": is_full }))
            }
            other => Err(format!("there is no request {other}")),
        }
    }
}

fn set(plain: &Value) -> GenericSet {
    let text = |of: &Value| of.as_str().unwrap_or_default().to_owned();
    let rows = plain["rows"].as_array().into_iter().flatten();
    GenericSet {
        name: text(&plain["name"]),
        key: text(&plain["key"]),
        fields: plain["fields"].as_array().into_iter().flatten().map(text).collect(),
        rows: rows.filter_map(Value::as_object).cloned().collect(),
    }
}

fn plain(set: &GenericSet) -> Value {
    json!({ "name": set.name, "key": set.key, "fields": set.fields, "rows": set.rows })
}

#[test]
fn keyed_sets_of_the_crate() {
    let answers = RefCell::new(Crate::default());
    let peer = KeyedPeer {
        one_kind_of_number: false,
        ask: Box::new(move |what, argument| answers.borrow_mut().answer(what, argument)),
    };
    wire_benches::keyed::compare(&peer, documents() / 20);
}
