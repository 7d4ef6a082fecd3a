//! The kind and id of a client's frame.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;
use serde_json::value::RawValue;
use wire_mcp::wire_core::json::Decimal;

/// The parts of a frame that the headers of a request say again, or that decide how it is sent.
/// Those of a batch, or of what is no JSON, are not known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    /// The id, in one spelling of its value.
    pub(crate) id: Option<String>,
    pub(crate) method: Option<String>,
    /// The version of the protocol, which requests say since 2026-07-28.
    pub(crate) version: Option<String>,
    /// The tool, prompt or resource.
    pub(crate) name: Option<String>,
    /// The arguments of a call, as they are written.
    pub(crate) arguments: Option<Box<RawValue>>,
    /// The id of the request that is cancelled.
    cancels: Option<String>,
    /// `true` if it asks for a later page.
    pub(crate) has_cursor: bool,
}

#[derive(Deserialize)]
struct Frame {
    id: Option<Box<RawValue>>,
    method: Option<String>,
    params: Option<Box<RawValue>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Parameters {
    #[serde(rename = "_meta")]
    meta: Option<Box<RawValue>>,
    name: Option<Box<RawValue>>,
    uri: Option<Box<RawValue>>,
    arguments: Option<Box<RawValue>>,
    #[serde(rename = "requestId")]
    request_id: Option<Box<RawValue>>,
    cursor: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Meta {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<String>,
}

impl Asked {
    pub(crate) fn of(frame: &[u8]) -> Self {
        let Ok(Frame { id, method, params }) = serde_json::from_slice(frame) else {
            return Asked::default();
        };
        let params: Parameters =
            params.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
        let meta = params.meta.and_then(|raw| serde_json::from_str::<Meta>(raw.get()).ok());
        let text = |raw: Box<RawValue>| serde_json::from_str::<String>(raw.get()).ok();
        let name = match method.as_deref() {
            Some("tools/call" | "prompts/get") => params.name.and_then(text),
            Some("resources/read") => params.uri.and_then(text),
            _ => None,
        };
        Asked {
            id: id.map(|id| spelled(&id)),
            version: meta.and_then(|meta| meta.version),
            name,
            arguments: params.arguments,
            cancels: params.request_id.map(|id| spelled(&id)),
            has_cursor: params.cursor.is_some(),
            method,
        }
    }

    pub(crate) fn is(&self, method: &str) -> bool {
        self.method.as_deref() == Some(method)
    }

    /// The id of the request that this notification cancels.
    pub(crate) fn cancelled_request(&self) -> Option<&str> {
        self.cancels.as_deref().filter(|_| self.is("notifications/cancelled"))
    }
}

/// The id of an answer, in one spelling of its value; `None` of all other frames.
pub(crate) fn answered(frame: &[u8]) -> Option<String> {
    let Frame { id, method, .. } = serde_json::from_slice(frame).ok()?;
    id.filter(|_| method.is_none()).map(|id| spelled(&id))
}

/// The message of an error that is about no request, such as that of a quota.
pub(crate) fn general_error(frame: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Answer {
        id: Option<IgnoredAny>,
        error: Problem,
    }
    #[derive(Deserialize)]
    struct Problem {
        message: String,
    }
    let Answer { id, error } = serde_json::from_slice(frame).ok()?;
    id.is_none().then_some(error.message)
}

/// One spelling of an id: servers escape characters and write numbers in their own way.
fn spelled(id: &RawValue) -> String {
    let text = id.get();
    match serde_json::from_str::<String>(text) {
        Ok(text) => json!(text).to_string(),
        Err(_) => Decimal::of(text).map_or_else(|| text.to_owned(), |number| number.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_frames_say_of_themselves() {
        let asked = |frame: &str| Asked::of(frame.as_bytes());
        let call = asked(
            r#"{"id":"\u0061","method":"tools/call","params":{"name":"t","arguments":{"a":1e400},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#,
        );
        assert_eq!(call.id.as_deref(), Some(r#""a""#));
        assert_eq!(
            (call.name.as_deref(), call.version.as_deref()),
            (Some("t"), Some("2026-07-28"))
        );
        assert_eq!(call.arguments.unwrap().get(), r#"{"a":1e400}"#);
        let read = asked(r#"{"id":1,"method":"resources/read","params":{"uri":"u:x"}}"#);
        assert_eq!(read.name.as_deref(), Some("u:x"));
        let cancel = asked(
            r#"{"method":"notifications/cancelled","params":{"requestId": 12345678901234567890123}}"#,
        );
        assert_eq!(cancel.cancelled_request(), Some("12345678901234567890123e0"));
        for odd in ["", "[]", "7", r#"{"id":1,"method":5}"#, "{"] {
            let asked = asked(odd);
            assert!(asked.method.is_none() && asked.cancelled_request().is_none(), "{odd}");
        }
        assert!(asked(r#"{"id":1,"method":"tools/list","params":[1]}"#).is("tools/list"));
        assert_eq!(answered(br#"{"id": 7, "result": {}}"#).as_deref(), Some("7e0"));
        assert_eq!(answered(br#"{"id": 7, "method": "ping"}"#), None);
        for (sent, back) in [
            (r#""a/b""#, r#""a\/b""#),
            ("\"é<\"", r#""\u00e9\u003c""#),
            ("5", "5.0"),
            ("5", "50e-1"),
            ("12345678901234567890123", "12345678901234567890123.0"),
        ] {
            let answer = format!(r#"{{"id":{back},"result":{{}}}}"#);
            let asked = asked(&format!(r#"{{"id":{sent},"method":"ping"}}"#));
            assert_eq!(answered(answer.as_bytes()), asked.id, "{sent} {back}");
        }
        assert_ne!(answered(br#"{"id":"5"}"#), answered(br#"{"id":5}"#));
        let quota = br#"{"id":null,"error":{"code":-32000,"message":"quota"}}"#;
        assert_eq!(general_error(quota).as_deref(), Some("quota"));
        assert_eq!(general_error(br#"{"id":1,"error":{"message":"quota"}}"#), None);
    }
}
