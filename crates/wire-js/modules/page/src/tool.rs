//! A tool's result as a client shows it: as the server sent it, and through the proxy.

use wire_core::CodecError;
use wire_core::json::Json;
use wire_input::serde_json::json;
use wire_input::{Form, GCF, GCX, JSON, Minified};
use wire_mcp::{Call, Format, Options, Policy, rewrite, says_the_same};

use crate::Tokens;

/// The texts of a result of `tools/call`: as sent, with minified JSON, and in each form. `None` if
/// the value is none.
pub(crate) fn forms(value: &Minified) -> Option<Vec<Form>> {
    let sent = texts(value.text())?;
    let ways = [
        (JSON, Options::new(Tokens).policy(Policy::Minify)),
        (GCF, Options::new(Tokens).formats(&[Format::Gcf])),
        (GCX, Options::new(Tokens).formats(&[Format::Gcx])),
    ];
    let mut forms = vec![Form::text("as sent", Vec::new(), Ok(sent.clone()))];
    for (format, options) in ways {
        let text = through(&options, value.text()).unwrap_or_else(|| sent.clone());
        // What the proxy left as it is, is no text of this format.
        let stays = |form: &Form| form.bytes.as_ref().is_ok_and(|bytes| bytes == text.as_bytes());
        if format != JSON && forms.iter().any(stays) {
            let stays = CodecError::new("not_smaller", None, "JSON stays: it would save under 3 %");
            forms.push(Form::text(format, Vec::new(), Err(stays)));
            continue;
        }
        let is_same = text == sent || says_the_same(&sent, &text);
        let loss = (!is_same).then(|| "not every value decodes to an equal one".to_owned());
        forms.push(Form::text(format, loss.into_iter().collect(), Ok(text)));
    }
    Some(forms)
}

/// The same of a text that is a result's block. `None` if the proxy leaves it alone.
pub(crate) fn forms_of_text(input: &[u8]) -> Option<Vec<Form>> {
    let text = std::str::from_utf8(input).ok()?;
    let result = json!({ "content": [{ "type": "text", "text": text }] });
    let forms = forms(&Minified::of(result.to_string()))?;
    let is_changed = |form: &Form| form.bytes.as_ref().is_ok_and(|bytes| bytes != input);
    forms.iter().any(is_changed).then_some(forms)
}

/// The texts of a result after the proxy, for a client that is not known.
fn through(options: &Options, result: &str) -> Option<String> {
    texts(&rewrite(options, &Call::of(&["t"]), result).result.ok()?)
}

/// The texts of the blocks of a result, one after the other.
fn texts(result: &str) -> Option<String> {
    let Ok(Json::Object(members)) = Json::parse(result) else { return None };
    let (_, Json::Array(blocks)) = members.iter().find(|(name, _)| name == "content")? else {
        return None;
    };
    let text = |block: &Json<'_>| {
        let Json::Object(block) = block else { return None };
        let member = |wanted: &str| block.iter().find(|(name, _)| name == wanted)?.1.as_str();
        member("type").filter(|kind| *kind == "text")?;
        member("text").map(str::to_owned)
    };
    let texts: Vec<String> = blocks.iter().filter_map(text).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}
