//! The parts of a result of `tools/call`, as slices of its frame.

use std::borrow::Cow;

use crate::bound;
use crate::json;
use crate::raw::{Members, elements, text};

#[derive(Debug)]
pub(crate) struct Content<'a> {
    pub(crate) members: Members<'a>,
    pub(crate) blocks: Vec<&'a str>,
    /// The texts of blocks, and of embedded resources that are JSON, in their order.
    pub(crate) texts: Vec<Text<'a>>,
    pub(crate) structured: Option<&'a str>,
    /// `true` if it is neither an error nor something that is not complete.
    pub(crate) is_complete: bool,
    /// `true` if all blocks are texts without a member of their own.
    pub(crate) is_bare: bool,
    /// `true` if it is bound to a user interface (ruling M11).
    pub(crate) is_bound: bool,
}

impl<'a> Content<'a> {
    /// The content of a result. `None` if it has no list of blocks, or if it or a block has a name
    /// twice.
    pub(crate) fn read(result: &'a str) -> Option<Self> {
        let members = Members::parse(result)?;
        let blocks = elements(members.get("content")?)?;
        let mut texts = Vec::new();
        let mut is_bare = true;
        for (at, block) in blocks.iter().enumerate() {
            let block = Members::parse(block)?;
            let own = |name: &str| !matches!(name, "type" | "text" | "annotations" | "_meta");
            let is_plain = !block.has("annotations") && !block.has("_meta");
            is_bare &= is_plain && !block.names().any(own);
            let is_text = block.get_text("type").is_some_and(|kind| kind == "text");
            let of = |(raw, value): (_, Cow<'a, str>), is_plain, is_resource| Text {
                block: at,
                raw,
                unwrapped: unwrapped(&value),
                value,
                is_plain,
                is_resource,
            };
            match block.get("text").zip(block.get_text("text")) {
                Some(own) if is_text => texts.push(of(own, is_plain, false)),
                _ => {
                    is_bare = false;
                    let resource = block.get("resource").and_then(Members::parse);
                    texts.extend(resource.and_then(|resource| {
                        let own = resource.get("text").zip(resource.get_text("text"))?;
                        let is_plain = is_plain && !resource.has("_meta");
                        is_json(&resource).then(|| of(own, is_plain, true))
                    }));
                }
            }
        }
        let is_success = !members.has("isError") || members.get("isError") == Some("false");
        let is_whole = members
            .get("resultType")
            .is_none_or(|_| members.get_text("resultType").is_some_and(|kind| kind == "complete"));
        let structured = members.get("structuredContent").filter(|raw| *raw != "null");
        let is_complete = is_success && is_whole;
        let is_bound = bound::is_bound(&members);
        Some(Content { members, blocks, texts, structured, is_complete, is_bare, is_bound })
    }

    /// The texts of a tool's result in a conversation, as they are written, in quotes. Each stays in
    /// its place. `None` if there is one that can't be read.
    pub(crate) fn of_texts(raw: &[&'a str]) -> Option<Self> {
        let text = |(block, raw): (usize, &&'a str)| {
            let value = text(raw)?;
            let unwrapped = unwrapped(&value);
            Some(Text { block, raw, value, unwrapped, is_plain: true, is_resource: false })
        };
        Some(Content {
            members: Members::parse("{}")?,
            blocks: Vec::new(),
            texts: raw.iter().enumerate().map(text).collect::<Option<_>>()?,
            structured: None,
            is_complete: true,
            is_bare: false,
            is_bound: false,
        })
    }

    /// The bytes of the texts that are counted.
    pub(crate) fn bytes(&self) -> usize {
        self.texts.iter().map(|text| text.raw.len()).sum::<usize>()
            + self.structured.map_or(0, str::len)
    }
}

/// Returns `true` if the media type of a resource is JSON, and it is no file, whose text a model may
/// have to quote.
fn is_json(resource: &Members<'_>) -> bool {
    let kind = resource.get_text("mimeType").unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim_ascii().to_ascii_lowercase();
    let uri = resource.get_text("uri").unwrap_or_default();
    let is_file = uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"));
    !is_file && (kind == "application/json" || kind.ends_with("+json"))
}

/// The text that is wrapped in a text as JSON.
fn unwrapped(text: &str) -> Option<String> {
    let after_space = |text| str::trim_start_matches(text, [' ', '\t', '\n', '\r']);
    let begins = after_space(text);
    let may_wrap = match begins.strip_prefix('{') {
        Some(rest) => after_space(rest).starts_with("\"result\""),
        None => begins.starts_with('"'),
    };
    let value = if may_wrap { json::parse(text) } else { None };
    value.as_ref().and_then(json::wrapped).map(str::to_owned)
}

#[derive(Debug)]
pub(crate) struct Text<'a> {
    pub(crate) block: usize,
    /// As it is written, in quotes.
    pub(crate) raw: &'a str,
    pub(crate) value: Cow<'a, str>,
    /// The text that it wraps as JSON (ruling M19).
    pub(crate) unwrapped: Option<String>,
    /// `true` if the block has no `annotations` and no `_meta`.
    pub(crate) is_plain: bool,
    /// `true` if it is that of an embedded resource with a JSON media type.
    pub(crate) is_resource: bool,
}
