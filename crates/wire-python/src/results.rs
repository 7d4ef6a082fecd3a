//! Results of tools, as servers, gateways and frameworks have them: the rewriting of `wire_mcp`.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use wire_core::{Runs, TokenCounter, WordPunctuation};
use wire_mcp::{
    Call, Left, Options, Reads, Rule, Shows, Structured, View, chat, left_verbatim,
    named_data_file, rewrite,
};

use crate::input::detached;

/// Rewrites results of tools by one set of options. `counter` is the name of an estimate, or of the function of Python's that
/// counts, whose first error is raised. `structured` is "keep", "drop" or "auto", which is by the name of the client, and counts
/// where the tool has no schema in any list. `verbatim` and `not_verbatim` are patterns of tools (ruling M5.6).
#[pyclass(module = "wire_formats", frozen)]
pub(crate) struct Rewriter {
    options: Options,
    function: Option<(String, Arc<Py<PyAny>>)>,
}

#[pymethods]
impl Rewriter {
    #[new]
    fn new(
        counter: (String, Py<PyAny>),
        is_estimate: bool,
        structured: &str,
        verbatim: Vec<String>,
        not_verbatim: Vec<String>,
    ) -> PyResult<Self> {
        let invalid = |error: wire_mcp::InvalidPattern| PyValueError::new_err(error.to_string());
        let policy = Structured::ALL.iter().find(|policy| policy.name() == structured);
        let policy = *policy.ok_or_else(|| {
            let expected = "expected \"keep\", \"drop\" or \"auto\"";
            PyValueError::new_err(format!("structured is {structured:?}, {expected}"))
        })?;
        let (name, function) = counter;
        let options = if name == WordPunctuation.name() {
            Options::new(WordPunctuation)
        } else {
            Options::new(Runs)
        };
        let always = verbatim.iter().map(|pattern| (pattern, true));
        let never = not_verbatim.iter().map(|pattern| (pattern, false));
        let options = always.chain(never).try_fold(
            options.structured(policy),
            |options, (pattern, is_verbatim)| {
                let rule = Rule::new().tools(pattern).map_err(invalid)?;
                Ok::<_, PyErr>(options.rule(rule.verbatim(is_verbatim)))
            },
        )?;
        Ok(Rewriter { options, function: (!is_estimate).then(|| (name, Arc::new(function))) })
    }

    /// A text that a tool gave, if another has fewer tokens. Of `is_value`, the JSON of an object, it is JSON, too, where nothing
    /// has fewer; None is then what a model may have to quote. Of a tool without a name JSON inside of a text stays.
    #[pyo3(signature = (text, tool, arguments=None, *, is_value=false))]
    fn text(
        &self,
        py: Python<'_>,
        text: &str,
        tool: &str,
        arguments: Option<&str>,
        is_value: bool,
    ) -> PyResult<Option<String>> {
        let block = serde_json::json!({ "content": [{ "type": "text", "text": text }] });
        // In a value, a text alone in `result` is no text of a server, which M19 unwraps.
        if is_value && is_wrapper(text) {
            return Ok(Some(text.to_owned()));
        }
        let given = arguments.unwrap_or("{}");
        // Beyond a limit nothing was asked of the name and the arguments.
        let is_kept = |left: Left| match left {
            Left::NoFewer => left_verbatim("", "{}", text).is_some(),
            left if left.is_by_name() => true,
            _ => {
                matches!(Reads::of(tool), Reads::File { .. })
                    || named_data_file(given).is_some()
                    || left_verbatim(tool, given, text).is_some()
            }
        };
        let shows = Shows::of(View::Texts);
        let call = |call: Call<'_>, options: &Options| {
            let output = rewrite(options, &call.shown(&shows), &block.to_string());
            match output.result {
                Ok(made) => text_of(&made),
                Err(left) => (is_value && !is_kept(left)).then(|| text.to_owned()),
            }
        };
        self.working(py, text.len(), |options| on(tool, arguments, |of| call(of, options)))
    }

    /// A result of `tools/call`, as JSON, if one with other texts has fewer tokens. With `texts_alone` the model reads no
    /// `structuredContent`.
    #[pyo3(signature = (result, tool, arguments=None, *, client=None, texts_alone=false))]
    fn result(
        &self,
        py: Python<'_>,
        result: &str,
        tool: &str,
        arguments: Option<&str>,
        client: Option<&str>,
        texts_alone: bool,
    ) -> PyResult<Option<String>> {
        let shows = Shows::of(View::Texts);
        self.working(py, result.len(), |options| {
            on(tool, arguments, |call| {
                let mut call = call.client(client).without_schema();
                if texts_alone {
                    call = call.shown(&shows);
                }
                rewrite(options, &call, result).result.ok()
            })
        })
    }

    /// The rows of a conversation, the JSON of an array, if some text of a tool's result in it has fewer tokens (ruling M20).
    fn rows(&self, py: Python<'_>, rows: &str) -> PyResult<Option<String>> {
        self.working(py, rows.len(), |options| chat::rewrite(options, rows, 0)?.rows)
    }
}

impl Rewriter {
    /// Works on so many bytes while other threads run Python. The first error of the caller's counter is raised, of this call alone.
    fn working<T: Send>(
        &self,
        py: Python<'_>,
        bytes: usize,
        work: impl FnOnce(&Options) -> T + Send,
    ) -> PyResult<T> {
        let Some((name, call)) = &self.function else {
            return Ok(detached(py, bytes, || work(&self.options)));
        };
        let function =
            Function { name: name.clone(), call: Arc::clone(call), failed: Arc::default() };
        let made = work(&self.options.clone().counter(function.clone()));
        function.failed().take().map_or(Ok(made), Err)
    }
}

/// Does something with the call of a tool; one without a name is not known.
fn on<T>(tool: &str, arguments: Option<&str>, work: impl FnOnce(Call<'_>) -> T) -> T {
    let tools = [tool];
    let call = Call::of(if tool.is_empty() { &[] } else { &tools });
    work(match arguments {
        Some(arguments) => call.arguments(arguments),
        None => call,
    })
}

/// Whether JSON is an object of one member, a text in `result`.
fn is_wrapper(json: &str) -> bool {
    json.starts_with("{\"result\":\"")
        && serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(json)
            .is_ok_and(|object| object.len() == 1)
}

/// The text of a result that has one.
fn text_of(result: &str) -> Option<String> {
    let result: serde_json::Value = serde_json::from_str(result).ok()?;
    Some(result["content"][0]["text"].as_str()?.to_owned())
}

/// A function of Python's that counts.
#[derive(Clone)]
struct Function {
    name: String,
    call: Arc<Py<PyAny>>,
    failed: Arc<Mutex<Option<PyErr>>>,
}

impl Function {
    fn failed(&self) -> MutexGuard<'_, Option<PyErr>> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TokenCounter for Function {
    fn name(&self) -> &str {
        &self.name
    }

    fn count(&self, text: &str) -> usize {
        let counted = Python::attach(|py| self.call.bind(py).call1((text,))?.extract());
        counted.unwrap_or_else(|error| {
            self.failed().get_or_insert(error);
            0
        })
    }
}
