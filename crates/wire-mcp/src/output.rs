//! A result of a call alone, without a conversation around it.

use crate::content::Content;
use crate::options::{Options, Settings, Verbatim};
use crate::reads::Reads;
use crate::record::{CallRecord, Left};
use crate::result::{self, Job};
use crate::splice::{Edit, splice};
use crate::verbatim::data_file_in_words;
use crate::{Format, Shows};

/// The call of a tool, as far as it decides what may become of the result.
#[derive(Clone, Debug)]
pub struct Call<'a> {
    pub(crate) tools: &'a [&'a str],
    pub(crate) client: Option<&'a str>,
    pub(crate) shows: Option<&'a Shows>,
    pub(crate) is_without_schema: bool,
    pub(crate) shows_schema: bool,
    pub(crate) shown_characters: Option<usize>,
    /// The argument that names a data file, in words.
    pub(crate) data_file: Option<String>,
    /// The forms that were asked for.
    pub(crate) formats: Option<&'a [Format]>,
    pub(crate) left: Option<Left>,
}

impl<'a> Call<'a> {
    /// A call by a client that is not known, which sees no `outputSchema` that says what the text
    /// is. `tools` are the names that the tool may have, of which the first is recorded. If there are
    /// none, because the name is not known, JSON inside of a text stays (rulings M12 and M19).
    pub fn of(tools: &'a [&'a str]) -> Self {
        Call {
            tools,
            client: None,
            shows: None,
            is_without_schema: false,
            shows_schema: false,
            shown_characters: None,
            data_file: None,
            formats: None,
            left: None,
        }
    }

    /// The same by a client, which gives this name in `clientInfo`.
    #[must_use]
    pub fn client(mut self, name: impl Into<Option<&'a str>>) -> Self {
        self.client = name.into();
        self
    }

    /// The same with these arguments, the JSON of an object: the result of a call that names a data
    /// file is left alone, because the model may write the file back.
    #[must_use]
    pub fn arguments(mut self, json: &str) -> Self {
        self.data_file = data_file_in_words(json);
        self
    }

    /// The same with what the client shows of this result instead of what is known of the client,
    /// as an agent does of a hook's answer. Nothing is changed of which it cuts a part, before or
    /// after.
    #[must_use]
    pub fn shown(mut self, shows: &'a Shows) -> Self {
        self.shows = Some(shows);
        self
    }

    /// The same of a tool whose `outputSchema` was removed from all lists that the client saw, so
    /// that `structuredContent` may be dropped ([`Structured::Drop`](crate::Structured::Drop)).
    #[must_use]
    pub fn without_schema(mut self) -> Self {
        self.is_without_schema = true;
        self
    }

    /// The edits of a frame for the content in it, or why there are none; and the counts.
    pub(crate) fn edits<'f>(
        &self,
        options: &Options,
        frame: &'f str,
        content: impl FnOnce() -> Option<Content<'f>>,
    ) -> (Result<Vec<Edit>, Left>, Option<CallRecord>) {
        let tools = if self.tools.is_empty() { &[""] } else { self.tools };
        let all: Vec<Settings> =
            tools.iter().map(|tool| options.settings(tool, self.client)).collect();
        let reads = Reads::of_any(tools);
        let is_free = all.iter().any(|own| own.verbatim == Verbatim::Never);
        let job = Job {
            tool: tools[0],
            client: self.client,
            counter: &*options.counter,
            limits: &options.limits,
            formats: self.formats.unwrap_or(&all[0].formats),
            left: self.left.or_else(|| all.iter().find_map(Settings::excludes)),
            reads: (!is_free).then_some(&reads),
            data_file: self.data_file.as_deref(),
            drops: all[0].drops && self.is_without_schema,
            writes_text: all[0].writes_text && self.shows.is_none(),
            shows_schema: self.shows_schema,
            shows: self.shows.or(all[0].shows),
            only_whole: self.shows.is_some(),
            opens_texts: !self.tools.is_empty(),
            shown_characters: self.shown_characters,
            keeps_statistics: options.keeps_statistics,
        };
        result::rewrite(frame, content, job)
    }
}

/// What became of a result.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Output {
    /// The result with other texts, or why it is not changed.
    pub result: Result<String, Left>,
    /// The counts, if [statistics](Options::statistics) are kept.
    pub record: Option<CallRecord>,
}

/// Rewrites a result of `tools/call`, as [`Proxy::from_server`](crate::Proxy::from_server) does:
/// an object with `content`. All bytes beside its texts stay. Without statistics, no token is
/// counted before JSON is found.
///
/// ```
/// use wire_mcp::{Call, Left, Options, rewrite};
///
/// let options = Options::new(wire_core::WordPunctuation);
/// let result = r#"{"content":[
///     {"type":"text","text":"[{\"id\": 1}, {\"id\": 2}, {\"id\": 3}]"}]}"#;
/// let output =
///     rewrite(&options, &Call::of(&["list"]).client("claude-code"), result);
/// assert_eq!(
///     output.result.unwrap(),
///     r#"{"content":[
///     {"type":"text","text":"GCF profile=generic\n## [3]{id}\n1\n2\n3\n"}]}"#,
/// );
/// assert_eq!(
///     rewrite(&options, &Call::of(&["read_file"]), result).result,
///     Err(Left::File)
/// );
/// ```
pub fn rewrite(options: &Options, call: &Call<'_>, result: &str) -> Output {
    let (edits, record) = call.edits(options, result, || Content::read(result));
    let edits =
        edits.and_then(|edits| if options.is_dry_run { Err(Left::DryRun) } else { Ok(edits) });
    Output { result: edits.map(|edits| splice(result, edits)), record }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use wire_core::WordPunctuation;

    use super::*;
    use crate::Limits;

    fn shows(text: &str) -> Shows {
        serde_json::from_str(text).unwrap()
    }

    fn result(texts: &[String]) -> String {
        let blocks: Vec<_> =
            texts.iter().map(|text| json!({"type": "text", "text": text})).collect();
        json!({ "content": blocks }).to_string()
    }

    fn rows(count: usize) -> String {
        let rows: Vec<_> = (0..count).map(|id| json!({"id": id, "name": "x"})).collect();
        serde_json::to_string_pretty(&rows).unwrap()
    }

    #[test]
    fn why_nothing_is_changed() {
        let options = Options::new(WordPunctuation).limits(Limits::DEFAULT.with_text_bytes(9_999));
        let plain = shows(r#"{"view":"texts"}"#);
        let of = |result: &str| {
            rewrite(&options, &Call::of(&["t"]).client("c").shown(&plain), result).result
        };
        assert_eq!(of("[]"), Err(Left::Unknown));
        assert_eq!(of(r#"{"content":[]}"#), Err(Left::NoJson));
        assert_eq!(of(&result(&["{a prose}".to_owned()])), Err(Left::NoJson));
        assert_eq!(of(&result(&["[1]".to_owned()])), Err(Left::NoFewer));
        assert_eq!(of(&result(&[rows(900)])), Err(Left::TooLarge));
        let error = result(&[rows(9)]).replace("\"content\"", "\"isError\":true,\"content\"");
        assert_eq!(of(&error), Err(Left::Error));
        assert!(of(&result(&[rows(9)])).is_ok());
        // A suffix of the name can be the tool's name.
        let verbatim = rewrite(
            &options,
            &Call::of(&["x_read_file", "read_file"]).client("c").shown(&plain),
            &result(&[rows(9)]),
        );
        assert_eq!(verbatim.result, Err(Left::File));
    }

    #[test]
    fn what_is_cut_stays_and_what_would_be_whole_stays_cut() {
        let options = Options::new(WordPunctuation).statistics(true);
        for (limit, fits, is_cut) in [
            (r#"{"file":{"characters":500,"tokens":900}}"#, 10, 20),
            (r#"{"characters":{"most":500,"shown":500}}"#, 10, 20),
            (r#"{"bytes":{"most":500,"shown":100}}"#, 10, 20),
            (r#"{"lines":{"bytes":5000,"lines":50}}"#, 10, 20),
        ] {
            let shows = shows(&format!(r#"{{"view":"texts","limit":{limit}}}"#));
            let of = |count| {
                rewrite(
                    &options,
                    &Call::of(&["t"]).client("c").shown(&shows),
                    &result(&[rows(count)]),
                )
            };
            assert!(of(fits).result.is_ok(), "{limit}");
            let cut = of(is_cut);
            assert_eq!(cut.result, Err(Left::Cut), "{limit}");
            // It is counted all the same.
            let record = cut.record.unwrap();
            assert!(record.formats.is_empty() && record.content.came == record.content.went);
        }
        // Lines that would be cut only after the change.
        let shows = shows(r#"{"view":"texts","limit":{"lines":{"bytes":5000,"lines":50}}}"#);
        let one_line = rows(60).replace(['\n', ' '], "");
        let output =
            rewrite(&options, &Call::of(&["t"]).client("c").shown(&shows), &result(&[one_line]));
        assert!(output.result.is_err(), "{output:?}");
    }
}
