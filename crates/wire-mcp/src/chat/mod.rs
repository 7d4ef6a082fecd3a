//! A conversation with a model: the texts of tools' results in it (ruling M20).
//!
//! A gateway sends the whole conversation again with each request, and a provider's cache holds as
//! much of it as is the same as before. So what becomes of a text depends on the rows before it
//! alone: the same text is written in each request.
//!
//! ```
//! use wire_mcp::{Options, chat};
//!
//! let rows = r#"[
//!   {"role": "user", "content": "Who is on call?"},
//!   {"role": "assistant", "tool_calls": [
//!     {"id": "1", "function": {"name": "on_call", "arguments": "{}"}}]},
//!   {"role": "tool", "tool_call_id": "1", "content":
//! "[{\"n\":7,\"who\":\"Ann\"},{\"n\":8,\"who\":\"Bo\"},{\"n\":9,\"who\":\"Cy\"}]"}
//! ]"#;
//! let chat =
//!     chat::rewrite(&Options::new(wire_core::WordPunctuation), rows, 0).unwrap();
//! let written = r#""GCF profile=generic\n## [3]{n,who}\n7|Ann\n8|Bo\n9|Cy\n"}"#;
//! assert!(chat.rows.unwrap().contains(written));
//! ```

mod difference;
mod read;
mod repeat;
mod rows;

use crate::clients::{Shows, View};
use crate::content::Content;
use crate::output::Call;
use crate::splice::splice;
use crate::{Options, Tokens};

use read::Past;
use rows::each_result;

pub use read::read;

/// What became of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Chat {
    /// The rows with other texts; `None` if none is changed, or in a [dry run](Options::dry_run).
    pub rows: Option<String>,
    /// The results of tools.
    pub results: usize,
    /// The results that are changed.
    pub changed: usize,
    /// The tokens of the texts of results, if [statistics](Options::statistics) are kept; without
    /// those of frozen rows, and of texts beyond a limit.
    pub tokens: Tokens,
}

/// Rewrites the texts of tools' results in a conversation: `rows` is a JSON array as the APIs of
/// OpenAI (chat completions and responses) and of Anthropic have it. `None` if it is no array. All
/// bytes beside those texts stay, and so do the first `frozen` rows.
///
/// Results are rows of the roles `tool` and `function`, blocks `tool_result`, and items
/// `function_call_output`, without `is_error`. Their texts stay where a tool's name or the arguments of the call
/// say so, or the texts themselves (ruling M5). Names are those of the row, and of the call with the
/// row's id in a row before it. Where there is none, only texts that are JSON or a Python `repr` as a
/// whole are rewritten; where the call may be one that can't be read, nothing is.
///
/// Texts do not depend on later rows, on rows without tools, on a clock or on chance, and what was
/// rewritten before stays. With [`Repeats`](crate::Repeats) they depend on earlier results, of which then none may
/// be withheld; [`read`] reads what is written.
pub fn rewrite(options: &Options, rows: &str, frozen: usize) -> Option<Chat> {
    let shows = Shows::of(View::Texts);
    let (mut past, mut chat, mut edits) = (Past::default(), Chat::default(), Vec::new());
    each_result(rows, |at, texts, tool| {
        chat.results += 1;
        let call = Call::of(&tool.names).shown(&shows).arguments(tool.arguments);
        let may_change = at >= frozen && !tool.is_unclear;
        let content = || Content::of_texts(texts).filter(|_| may_change);
        let (own, record) = call.edits(options, rows, content);
        let (own, saved) = past.edits(options, rows, texts, tool, own);
        if let Some(record) = record {
            chat.tokens = chat.tokens.plus(record.content);
            chat.tokens.went -= saved;
        }
        chat.changed += usize::from(!own.is_empty());
        edits.extend(own);
    })?;
    chat.rows = (!edits.is_empty() && !options.is_dry_run).then(|| splice(rows, edits));
    Some(chat)
}
