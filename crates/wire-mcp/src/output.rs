//! The output of a tool as an agent's hook is given it (ruling H1).

use crate::Options;
use crate::clients::{Limit, Shows};
use crate::content::Content;
use crate::options::{Settings, Verbatim};
use crate::reading::Reading;
use crate::record::{CallRecord, Left};
use crate::result::{self, Job};
use crate::splice::splice;
use crate::structured::Structured;
use crate::view::{Answer, Out, Views};

/// An output that a hook was given.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Output {
    /// The result with other texts, or why it is not changed.
    pub result: Result<String, Left>,
    /// The counts, if [statistics](Options::statistics) are kept.
    pub record: Option<CallRecord>,
}

impl Options {
    /// Rewrites the texts of a result, as [`Proxy::from_server`](crate::Proxy::from_server) does,
    /// for an agent's hook. The result is an object with `content`; all bytes beside its texts
    /// stay. `tools` are the names that the tool may have, of which the first is recorded, and
    /// `shows` is what the client shows of what the hook answers.
    ///
    /// Nothing is changed if the client cuts any of it, before or after. No token is counted before
    /// JSON is found, unless statistics are kept.
    ///
    /// ```
    /// use wire_mcp::{Left, Options, Shows};
    ///
    /// let options = Options::new(wire_core::WordPunctuation);
    /// let shows: Shows = serde_json::from_str(r#"{"view":"texts"}"#).unwrap();
    /// let shows = Box::leak(Box::new(shows));
    /// let result = r#"{"content":[{"type":"text","text":"[{\"id\": 1}, {\"id\": 2}, {\"id\": 3}]"}]}"#;
    /// let output = options.output(result, &["list"], "claude-code", shows);
    /// assert_eq!(
    ///     output.result.unwrap(),
    ///     r#"{"content":[{"type":"text","text":"GCF profile=generic\n## [3]{id}\n1\n2\n3\n"}]}"#,
    /// );
    /// let output = options.output(result, &["read_list"], "claude-code", shows);
    /// assert_eq!(output.result, Err(Left::Named));
    /// ```
    pub fn output(
        &self,
        result: &str,
        tools: &[&str],
        client: &str,
        shows: &'static Shows,
    ) -> Output {
        let tool = tools.first().copied().unwrap_or_default();
        let settings = |tool: &&str| self.settings(tool, Some(client));
        let excluded = tools.iter().map(settings).find_map(|settings| settings.excludes());
        let first = settings(&tool);
        let checked = excluded.map_or_else(|| self.checked(result, shows), Err);
        let mut output = Output { result: Err(Left::NoFewer), record: None };
        if let Err(reason) = checked {
            output.result = Err(reason);
            if !self.keeps_statistics {
                return output;
            }
        }
        let only_rows = tools.iter().map(settings).any(|own| own.verbatim == Verbatim::Texts);
        let left = checked.err();
        let job = Job { left, only_rows, ..self.job(tool, client, shows, &first) };
        let (edits, record) = result::rewrite(result, result, job);
        output.record = record;
        if checked.is_ok() && !edits.is_empty() {
            let new = splice(result, edits);
            output.result = match Content::read(&new) {
                _ if self.is_dry_run => Err(Left::DryRun),
                Some(content) if self.is_shown_whole(&content, shows) => Ok(new),
                _ => Err(Left::Cut),
            };
        }
        output
    }

    /// Checks that a result may be changed, by what is found without counting; or says why not.
    fn checked(&self, result: &str, shows: &Shows) -> Result<(), Left> {
        let content = Content::read(result).ok_or(Left::Unknown)?;
        if content.bytes() > self.limits.text_bytes {
            return Err(Left::TooLarge);
        }
        if !content.is_complete {
            return Err(Left::Error);
        }
        if content.is_bound {
            return Err(Left::Interface);
        }
        let texts = || content.texts.iter().map(Reading::new);
        if !texts().any(|text| text.value().is_some() || text.inside().is_some()) {
            return Err(Left::NoJson);
        }
        if !self.is_shown_whole(&content, shows) {
            return Err(Left::Cut);
        }
        Ok(())
    }

    fn is_shown_whole(&self, content: &Content<'_>, shows: &Shows) -> bool {
        let Some(limit) = shows.limit else { return true };
        let texts: Vec<Reading<'_>> = content.texts.iter().map(Reading::new).collect();
        let structured = content.structured.map(Structured::new);
        let views = Views {
            content,
            structured: structured.as_ref(),
            counter: &*self.counter,
            shown_characters: None,
        };
        let texts = texts.iter().map(Out::Came).collect();
        let answer = Answer { texts, is_merged: false, keeps_structured: true };
        views.is_whole(limit, shows, &answer)
    }

    fn job<'a>(
        &'a self,
        tool: &'a str,
        client: &'a str,
        shows: &'static Shows,
        settings: &'a Settings,
    ) -> Job<'a> {
        Job {
            tool,
            client: Some(client),
            counter: &*self.counter,
            limits: &self.limits,
            formats: &settings.formats,
            left: None,
            only_rows: false,
            drops: false,
            writes_text: false,
            shows_schema: false,
            shows: Some(shows),
            shown_characters: None,
            keeps_statistics: self.keeps_statistics,
        }
    }
}

impl<'a, 't> Views<'a, 't> {
    /// Returns `true` if a limit cuts nothing of an answer.
    fn is_whole(self, limit: Limit, shows: &Shows, answer: &Answer<'a, 't>) -> bool {
        if let Limit::File { characters, .. } = limit {
            return self.size(shows, answer, |text| text.chars().count()) <= characters;
        }
        let (left, all) = self.shown(limit, shows, answer);
        left == all
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use wire_core::WordPunctuation;

    use super::*;
    use crate::Limits;

    fn shows(text: &str) -> &'static Shows {
        Box::leak(Box::new(serde_json::from_str(text).unwrap()))
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
        let of = |result: &str| options.output(result, &["t"], "c", plain).result;
        assert_eq!(of("[]"), Err(Left::Unknown));
        assert_eq!(of(r#"{"content":[]}"#), Err(Left::NoJson));
        assert_eq!(of(&result(&["{a prose}".to_owned()])), Err(Left::NoJson));
        assert_eq!(of(&result(&["[1]".to_owned()])), Err(Left::NoFewer));
        assert_eq!(of(&result(&[rows(900)])), Err(Left::TooLarge));
        let error = result(&[rows(9)]).replace("\"content\"", "\"isError\":true,\"content\"");
        assert_eq!(of(&error), Err(Left::Error));
        assert!(of(&result(&[rows(9)])).is_ok());
        // A suffix of the name can be the tool's name.
        let verbatim = options.output(&result(&[rows(9)]), &["x_read_a", "read_a"], "c", plain);
        assert_eq!(verbatim.result, Err(Left::Named));
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
            let of = |count| options.output(&result(&[rows(count)]), &["t"], "c", shows);
            assert!(of(fits).result.is_ok(), "{limit}");
            let cut = of(is_cut);
            assert_eq!(cut.result, Err(Left::Cut), "{limit}");
            // It is counted all the same.
            let record = cut.record.unwrap();
            assert!(record.formats.is_empty() && record.content.came == record.content.went);
        }
        // Lines that would be cut only after the change.
        let shows = shows(r#"{"view":"texts","limit":{"lines":{"bytes":5000,"lines":50}}}"#);
        let one_line = rows(60).replace('\n', "");
        let output = options.output(&result(&[one_line]), &["t"], "c", shows);
        assert!(output.result.is_err(), "{output:?}");
    }
}
