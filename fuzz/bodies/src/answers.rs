//! Whether the answers of a proxy say what the server said.

use serde_json::{Value, json};
use wire_core::TokenCounter;

/// Panics where what went to the client does not say what came from the server, or says it with
/// more tokens.
pub fn same_answers(came: &[u8], went: &[u8], counter: &dyn TokenCounter) {
    if came == went {
        return;
    }
    // Where a name is twice in what stays, the last one is compared.
    let parse = |bytes: &[u8]| {
        let text = std::str::from_utf8(bytes).expect("because it was changed");
        let last = || serde_json::from_str(&large_numbers_as_texts(text)).ok();
        exact(text).or_else(last)
    };
    let mut came = parse(came).expect("because it was changed");
    let mut went = parse(went).expect("because it is JSON still");
    match (&mut came, &mut went) {
        (Value::Array(came), Value::Array(went)) => {
            assert_eq!(came.len(), went.len(), "messages of a batch are lost");
            came.iter_mut().zip(went).for_each(|(came, went)| same_message(came, went, counter));
        }
        (came, went) => same_message(came, went, counter),
    }
}

fn same_message(came: &mut Value, went: &mut Value, counter: &dyn TokenCounter) {
    if came == went {
        return;
    }
    let (mut before, mut after) = (came["result"].take(), went["result"].take());
    assert_eq!(came, went, "more than the result is changed");
    if let (Some(before), Some(after)) =
        (before["tools"].as_array_mut(), after["tools"].as_array_mut())
    {
        for (before, after) in before.iter_mut().zip(&mut *after) {
            if before != after && after.get("outputSchema").is_none() {
                before.as_object_mut().map(|tool| tool.remove("outputSchema"));
            }
        }
        assert_eq!(before, after, "more than schemas is changed");
        return;
    }
    let (old, new) = (before["content"].take(), after["content"].take());
    let said = before.as_object_mut().and_then(|result| result.remove("structuredContent"));
    let kept = after.as_object_mut().and_then(|result| result.remove("structuredContent"));
    assert_eq!(before, after, "more than content is changed");
    let (old, new) = (old.as_array().expect("a list"), new.as_array().expect("a list"));
    assert!(tokens(new, counter) <= tokens(old, counter), "more tokens: {new:?}");
    let values: Vec<Value> = new.iter().filter_map(read).collect();
    if old.len() == new.len() {
        for (old, new) in old.iter().zip(new) {
            let is_list_of_one =
                said.is_some() && read(new).is_some_and(|list| same(&list, &json!([read(old)])));
            let is_unwrapped = || unwrapped(old).is_some_and(|inner| same_block(&inner, new));
            assert!(same_block(old, new) || is_list_of_one || is_unwrapped(), "{old} became {new}");
        }
    } else {
        let items: Vec<Value> = old.iter().map(|block| read(block).expect("a text")).collect();
        let [Value::Array(list)] = &*values else { panic!("{new:?} is not a list") };
        let is_item = |(item, block, value): (&Value, &Value, &Value)| {
            same(item, value) || same(&block["text"], value)
        };
        assert_eq!(items.len(), list.len());
        assert!(
            items
                .iter()
                .zip(old)
                .zip(list)
                .all(|((item, block), value)| is_item((item, block, value)))
        );
    }
    match (said, kept) {
        (Some(said), Some(kept)) => assert_eq!(said, kept),
        (None, kept) => assert_eq!(kept, None),
        (Some(said), None) => {
            let result =
                said.get("result").filter(|_| said.as_object().is_some_and(|said| said.len() == 1));
            let texts: Vec<Value> =
                new.iter().filter_map(|block| block.get("text").cloned()).collect();
            let is_said = |value: &Value| {
                let is_text = matches!(&*texts, [text] if text == value);
                let is_value = values.iter().any(|one| same(one, value));
                let is_list = value.as_array().is_some_and(|items| {
                    items.len() == values.len()
                        && items
                            .iter()
                            .zip(&values)
                            .zip(&texts)
                            .all(|((item, value), text)| same(item, value) || item == text)
                });
                // A text with JSON, in whatever form.
                let is_inside = value.as_str().is_some_and(|value| {
                    let inner = exact(value);
                    let is_value =
                        |one: &Value| inner.as_ref().is_some_and(|inner| same(inner, one));
                    let says = |text: &Value| {
                        text.as_str().is_some_and(|text| wire_mcp::says_the_same(value, text))
                    };
                    values.iter().any(is_value) || texts.iter().any(says)
                });
                is_text || is_value || is_list || is_inside
            };
            assert!(
                [Some(&said), result].into_iter().flatten().any(is_said),
                "{said} is lost: {new:?}"
            );
        }
    }
}

/// Whether two blocks say the same.
pub(crate) fn same_block(old: &Value, new: &Value) -> bool {
    same(old, new)
        || says_the_same_inside(old, new)
        || same_resource(old, new)
        || read(old).zip(read(new)).is_some_and(|(a, b)| same(&a, &b))
}

/// The block with the text that its text wraps as JSON (ruling M19).
pub(crate) fn unwrapped(block: &Value) -> Option<Value> {
    let place = if block.get("resource").is_some() { "/resource/text" } else { "/text" };
    let inner = match exact(block.pointer(place)?.as_str()?)? {
        Value::Object(members) if members.len() == 1 => members.get("result").cloned(),
        value => Some(value),
    };
    let inner = inner.filter(Value::is_string)?;
    let mut block = block.clone();
    *block.pointer_mut(place)? = inner;
    Some(block)
}

/// Whether two blocks differ in the form of the JSON in their texts alone.
fn says_the_same_inside(old: &Value, new: &Value) -> bool {
    let text = |block: &Value| block.get("text").and_then(Value::as_str).map(str::to_owned);
    let Some((came, went)) = text(old).zip(text(new)) else { return false };
    let mut other = new.clone();
    other["text"] = json!(came);
    other == *old && wire_mcp::says_the_same(&came, &went)
}

/// Whether two embedded resources differ in the form of the JSON in their texts alone.
fn same_resource(old: &Value, new: &Value) -> bool {
    let text = |block: &Value| Some(json!({ "text": block.pointer("/resource/text")?.as_str()? }));
    let Some((came, went)) = text(old).zip(text(new)) else { return false };
    let mut other = new.clone();
    other["resource"]["text"] = came["text"].clone();
    let is_same = read(&came).zip(read(&went)).is_some_and(|(a, b)| same(&a, &b));
    other == *old && (is_same || says_the_same_inside(&came, &went))
}

fn tokens(blocks: &[Value], counter: &dyn TokenCounter) -> usize {
    blocks.iter().filter_map(|block| block["text"].as_str()).map(|text| counter.count(text)).sum()
}

/// What a block says, in whatever form; a text that is no value says itself.
fn read(block: &Value) -> Option<Value> {
    let text = block.get("text")?.as_str()?;
    if text.starts_with("GCF profile=generic\n") {
        return gcf::from_str(text).ok();
    }
    if text.starts_with("GCX1 ") {
        return gcx::decode_exact(text).ok().and_then(|value| exact(&value.to_string()));
    }
    let of_repr = || exact(&wire_mcp::repr_to_json(text)?);
    exact(text).or_else(of_repr).or_else(|| Some(json!(text)))
}

/// JSON with integers beyond 64 bits as texts that nothing else is.
fn exact(text: &str) -> Option<Value> {
    let value: gcx::json::Exact = text.parse().ok()?;
    value.into_value_with(|digits| Ok::<_, ()>(json!(format!("\u{0}{digits}")))).ok()
}

/// JSON with numbers beyond doubles, which no `Value` holds, as texts that nothing else is.
fn large_numbers_as_texts(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| matches!(c, '"' | '-' | '0'..='9')) {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = if rest.starts_with('"') {
            let mut is_escaped = true;
            let is_end = |c: char| {
                let ends = c == '"' && !is_escaped;
                is_escaped = c == '\\' && !is_escaped;
                ends
            };
            rest.find(is_end).map_or(rest.len(), |end| end + 1)
        } else {
            let is_number = |c: char| matches!(c, '+' | '-' | '.' | 'e' | 'E' | '0'..='9');
            rest.find(|c| !is_number(c)).unwrap_or(rest.len())
        };
        let token = &rest[..end];
        match token.parse::<f64>() {
            Ok(number) if number.is_infinite() => {
                out.extend(["\"\\u0000", token, "\""]);
            }
            _ => out.push_str(token),
        }
        rest = &rest[end..];
    }
    out + rest
}

/// Equal, with 1 and 1.0 as one number.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => x == y || x.as_f64() == y.as_f64(),
        (Value::Array(x), Value::Array(y)) => {
            x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(x, y))
        }
        (Value::Object(x), Value::Object(y)) => {
            x.len() == y.len() && x.iter().all(|(key, x)| y.get(key).is_some_and(|y| same(x, y)))
        }
        (a, b) => a == b,
    }
}
