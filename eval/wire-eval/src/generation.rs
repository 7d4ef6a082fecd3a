//! Asks a model to write a format, and compares its answer with the request.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use wire_core::{Components, Edge, Payload, Symbol};

use crate::arm;
use crate::dataset::{Dataset, Family, generate};
use crate::question::arguments;

/// The formats that a payload can be asked for in.
pub(crate) const FORMATS: [&str; 6] = ["json", "xml", "gcf", "gcf-v3", "gcx", "goon"];

/// A payload to write, and an example of the format.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Request {
    example: Payload<'static>,
    /// The example in the format.
    text: String,
    pub(crate) wanted: Payload<'static>,
}

const TASK: &str = "Below are two descriptions of data. Behind the first is its text in some format. Write the second in the same \
                    format, completely. Answer with that text only.";
const TOOL: &str = "The tool is {}. It used {} of {} tokens.";
const SYMBOL: &str =
    "{} is a symbol of the kind {}, with the score {}, at distance {}, known from {}.";
const EDGE: &str = "An edge of type {} goes from {} to {}; it is {}.";
const PARTS: [&str; 4] = [
    "\n\n<description>\n",
    "</description>\n\n<data>\n",
    "</data>\n\n<description>\n",
    "</description>\n",
];

impl Request {
    /// Asks for a payload of `size` symbols in a format; `None` if there is no such format, or it
    /// can't represent the payload.
    pub(crate) fn new(format: &str, size: usize, seed: u64) -> Option<Self> {
        let example = plain(4, seed.wrapping_add(1_000_003))?;
        let codec = arm::codec(format)?;
        let mut text = Vec::new();
        codec.encode(&example, &mut text).ok()?;
        Some(Request { example, text: String::from_utf8(text).ok()?, wanted: plain(size, seed)? })
    }

    /// The prompt. It does not say what the format is called.
    pub(crate) fn prompt(&self) -> String {
        let text = self.text.strip_suffix('\n').unwrap_or(&self.text);
        [
            TASK,
            PARTS[0],
            &described(&self.example),
            PARTS[1],
            text,
            "\n",
            PARTS[2],
            &described(&self.wanted),
            PARTS[3],
        ]
        .concat()
    }

    /// The request of a prompt.
    pub(crate) fn from_prompt(prompt: &str) -> Option<Self> {
        let rest = prompt.strip_prefix(TASK)?.strip_prefix(PARTS[0])?;
        let (example, rest) = rest.split_once(PARTS[1])?;
        let (text, wanted) = rest.strip_suffix(PARTS[3])?.rsplit_once(PARTS[2])?;
        Some(Request {
            example: from_description(example)?,
            text: text.to_owned(),
            wanted: from_description(wanted)?,
        })
    }

    /// The requested payload, in the format of the example.
    pub(crate) fn written(&self) -> Option<String> {
        FORMATS.iter().find_map(|format| {
            let codec = arm::codec(format)?;
            let encoded = |payload: &Payload<'_>| {
                let mut text = Vec::new();
                codec.encode(payload, &mut text).ok()?;
                String::from_utf8(text).ok()
            };
            (encoded(&self.example)?.trim_end() == self.text.trim_end())
                .then(|| encoded(&self.wanted))?
        })
    }
}

/// Generated, without what only some formats keep.
fn plain(size: usize, seed: u64) -> Option<Payload<'static>> {
    let named = generate(Family::Packs, size, seed).into_iter().next()?;
    let Dataset::Pack(mut payload) = named.dataset else { return None };
    for symbol in &mut payload.symbols {
        symbol.signature = "".into();
        symbol.components = Components::default();
    }
    Some(payload)
}

fn filled(wording: &str, arguments: &[&dyn ToString]) -> String {
    let mut text = String::new();
    let mut arguments = arguments.iter();
    for (index, part) in wording.split("{}").enumerate() {
        if index > 0 {
            text.extend(arguments.next().map(|argument| argument.to_string()));
        }
        text.push_str(part);
    }
    text + "\n"
}

fn described(payload: &Payload<'_>) -> String {
    let mut text = filled(TOOL, &[&payload.tool, &payload.tokens_used, &payload.token_budget]);
    for symbol in &payload.symbols {
        let score = format!("{:.2}", symbol.score);
        text += &filled(
            SYMBOL,
            &[&symbol.qualified_name, &symbol.kind, &score, &symbol.distance, &symbol.provenance],
        );
    }
    for edge in &payload.edges {
        let name = |end: u32| &payload.symbols[end as usize].qualified_name;
        let status = edge.status.as_str();
        text += &filled(EDGE, &[&edge.edge_type, name(edge.source), name(edge.target), &status]);
    }
    text
}

fn from_description(text: &str) -> Option<Payload<'static>> {
    let mut lines = text.lines();
    let [tool, used, budget] = <[String; 3]>::try_from(arguments(TOOL, lines.next()?)?).ok()?;
    let mut payload = Payload {
        tool: tool.into(),
        tokens_used: used.parse().ok()?,
        token_budget: budget.parse().ok()?,
        ..Payload::default()
    };
    for line in lines {
        if let Some(found) = arguments(EDGE, line) {
            let [edge_type, source, target, status] = <[String; 4]>::try_from(found).ok()?;
            let index = |name: &str| {
                let found =
                    payload.symbols.iter().position(|symbol| symbol.qualified_name == name)?;
                u32::try_from(found).ok()
            };
            let edge = Edge::new(index(&source)?, index(&target)?, edge_type).with_status(status);
            payload.edges.push(edge);
        } else {
            let found = arguments(SYMBOL, line)?;
            let [name, kind, score, distance, provenance] = <[String; 5]>::try_from(found).ok()?;
            payload.symbols.push(
                Symbol::new(kind, name)
                    .with_score(score.parse().ok()?)
                    .with_distance(distance.parse().ok()?)
                    .with_provenance(provenance),
            );
        }
    }
    Some(payload)
}

/// How an answer reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Reading {
    /// The strict decoder accepts it unchanged, except for white space around it.
    Strict,
    /// The strict decoder accepts it after the text around it is removed: a fence, sentences.
    Unwrapped,
    /// It is not in the requested form, or only a decoder that repairs answers could read it. Only
    /// GCF has such a decoder.
    Mended,
    /// Nothing can be read.
    Unreadable,
}

/// The result of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Written {
    pub(crate) reading: Reading,
    /// `true` if its content is exactly what was asked for, as far as the format keeps it.
    pub(crate) same: bool,
    pub(crate) symbols_asked: usize,
    pub(crate) symbols_right: usize,
    /// Symbols that were not asked for, or not so.
    pub(crate) symbols_extra: usize,
    pub(crate) edges_asked: usize,
    pub(crate) edges_right: usize,
    pub(crate) edges_extra: usize,
}

/// Compares an answer with the request. The order of symbols and of edges does not matter.
pub(crate) fn compare(format: &str, wanted: &Payload<'_>, answer: &str) -> Written {
    let codec = arm::codec(format).expect("because the format was asked for");
    let mut wanted = wanted.clone();
    codec.info().fidelity().project(&mut wanted);
    let strict = |text: &str| -> Option<(Reading, Payload<'static>)> {
        let text = format!("{}\n", text.trim());
        let payload = codec.decode(text.as_bytes()).ok()?.into_owned();
        // Both dialects are read by one decoder; each was asked for by an example.
        let is_other = match format {
            "gcf" => text.starts_with("GCF profile="),
            "gcf-v3" => !text.starts_with("GCF profile="),
            _ => false,
        };
        Some((if is_other { Reading::Mended } else { Reading::Strict }, payload))
    };
    let unwrapped = || {
        let (reading, payload) = unwrapped(format, answer).find_map(|text| strict(&text))?;
        Some((if reading == Reading::Strict { Reading::Unwrapped } else { reading }, payload))
    };
    let mended = || {
        let decoder = format.starts_with("gcf").then(gcf::graph::Decoder::new)?;
        Some((Reading::Mended, decoder.recover(answer).ok()?.0))
    };
    let read = strict(answer).or_else(unwrapped).or_else(mended);
    let (reading, found) = match read {
        Some((reading, payload)) => (reading, Some(payload)),
        None => (Reading::Unreadable, None),
    };
    let found = found.unwrap_or_default();
    let (asked, have) = (symbols(&wanted), symbols(&found));
    let (edges_asked, edges_have) = (edges(&wanted), edges(&found));
    let head = |payload: &Payload<'_>| {
        (payload.tool.to_string(), payload.tokens_used, payload.token_budget)
    };
    let count = |payload: &Payload<'_>| (payload.symbols.len(), payload.edges.len());
    Written {
        reading,
        same: reading != Reading::Unreadable
            && asked == have
            && edges_asked == edges_have
            && count(&wanted) == count(&found)
            && head(&wanted) == head(&found),
        symbols_asked: asked.len(),
        symbols_right: asked.intersection(&have).count(),
        symbols_extra: have.difference(&asked).count(),
        edges_asked: edges_asked.len(),
        edges_right: edges_asked.intersection(&edges_have).count(),
        edges_extra: edges_have.difference(&edges_asked).count(),
    }
}

/// The candidates for the text in an answer: the content of its first fence, and the lines from the
/// first that begins like the format to each line that may be the last.
fn unwrapped<'t>(format: &str, answer: &'t str) -> impl Iterator<Item = String> + use<'t> {
    let begins: &[&str] = match format {
        "json" => &["{"],
        "xml" => &["<context", "<?xml"],
        "gcx" => &["GCX1 "],
        "goon" => &["@header"],
        _ => &["GCF "],
    };
    let lines: Vec<&str> = answer.lines().collect();
    let mut inside = lines.iter().skip_while(|line| !line.trim_start().starts_with("```")).skip(1);
    let fenced: Vec<&str> =
        inside.by_ref().take_while(|line| !line.trim_start().starts_with("```")).copied().collect();
    let first = lines.iter().position(|line| begins.iter().any(|begin| line.starts_with(begin)));
    let rest = first.map_or(Vec::new(), |first| lines[first..].to_vec());
    // Only few sentences follow it.
    let ends = (rest.len().saturating_sub(20)..=rest.len()).rev();
    std::iter::once(fenced.join("\n")).chain(ends.map(move |end| rest[..end].join("\n")))
}

fn symbols(payload: &Payload<'_>) -> BTreeSet<String> {
    let line = |symbol: &Symbol<'_>| {
        format!(
            "{} {} {:.2} {} {}",
            symbol.qualified_name, symbol.kind, symbol.score, symbol.distance, symbol.provenance
        )
    };
    payload.symbols.iter().map(line).collect()
}

fn edges(payload: &Payload<'_>) -> BTreeSet<String> {
    let name = |end: u32| &payload.symbols[end as usize].qualified_name;
    let line = |edge: &Edge<'_>| {
        let status = edge.status.as_str();
        format!("{} {} {} {status}", name(edge.source), edge.edge_type, name(edge.target))
    };
    payload.edges.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_back() {
        for format in FORMATS {
            let request = Request::new(format, 10, 5).unwrap();
            assert_eq!(Request::from_prompt(&request.prompt()), Some(request.clone()), "{format}");
            let written = request.written().unwrap();
            let result = compare(format, &request.wanted, &written);
            assert!(result.same && result.reading == Reading::Strict, "{format}: {result:?}");
            assert_eq!((result.symbols_right, result.edges_right), (10, 12));
        }
    }

    #[test]
    fn answers_are_compared_by_content() {
        for format in FORMATS {
            let request = Request::new(format, 10, 5).unwrap();
            let written = request.written().unwrap();
            let fenced = format!("Here:\n\n```{format}\n{written}```\nThat is all.");
            let result = compare(format, &request.wanted, &fenced);
            assert!(result.same && result.reading == Reading::Unwrapped, "{format}: {result:?}");
            for around in ["\n{}", "Here is the text:\n\n{}\n\nLet me know!\n"] {
                let result = compare(format, &request.wanted, &around.replace("{}", &written));
                assert!(result.same && result.reading != Reading::Mended, "{format}: {result:?}");
            }

            let name = &request.wanted.symbols[3].qualified_name;
            let other = written.replace(&**name, "x.Other");
            let result = compare(format, &request.wanted, &other);
            assert!(!result.same && result.reading == Reading::Strict, "{format}: {result:?}");
            assert_eq!((result.symbols_right, result.symbols_extra), (9, 1));

            // Nobody gets points for the other dialect.
            let other = match format {
                "gcf" => Some("gcf-v3"),
                "gcf-v3" => Some("gcf"),
                _ => None,
            };
            if let Some(other) = other {
                let written = Request::new(other, 10, 5).unwrap().written().unwrap();
                assert_eq!(compare(format, &request.wanted, &written).reading, Reading::Mended);
            }

            let result = compare(format, &request.wanted, "I can't do that.");
            assert_eq!(result.reading, Reading::Unreadable);
            assert_eq!((result.symbols_asked, result.symbols_right, result.same), (10, 0, false));
        }
    }
}
