//! A value between a text and Python: it is recorded while no Python runs, and made into objects
//! afterwards.

use std::collections::HashMap;
use std::marker::PhantomData;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};

use crate::error::{Format, Problem};

/// One value, from front to back. Strings are in the input, or in one text; keys are kept once.
#[derive(Debug, Default)]
pub(crate) struct Tape<'de> {
    nodes: Vec<Node<'de>>,
    text: String,
    keys: Vec<Box<str>>,
    /// The slice each key was last borrowed from; the same slice means the same key.
    lent: Vec<Option<&'de str>>,
    known: HashMap<Box<str>, usize>,
    /// For each key the one that came after it last, since rows repeat their keys in order.
    next: Vec<usize>,
    last: usize,
}

/// A value, or a key; containers come after what they hold.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Node<'de> {
    Null,
    Bool(bool),
    Integer(i64),
    /// Beyond 2^63.
    Unsigned(u64),
    Double(f64),
    /// The literal of a longer integer, or of a decimal beyond doubles, in the text.
    Digits(usize, usize),
    /// In the text, from here to there.
    Text(usize, usize),
    /// In the input.
    Lent(&'de str),
    Key(usize),
    /// The array, or object, of so many items is whole.
    Array(usize),
    Object(usize),
}

impl<'de> Tape<'de> {
    pub(crate) fn null(&mut self) {
        self.nodes.push(Node::Null);
    }

    pub(crate) fn bool(&mut self, truth: bool) {
        self.nodes.push(Node::Bool(truth));
    }

    pub(crate) fn integer(&mut self, integer: i64) {
        self.nodes.push(Node::Integer(integer));
    }

    pub(crate) fn unsigned(&mut self, integer: u64) {
        self.nodes.push(i64::try_from(integer).map_or(Node::Unsigned(integer), Node::Integer));
    }

    pub(crate) fn double(&mut self, double: f64) {
        self.nodes.push(Node::Double(double));
    }

    pub(crate) fn text(&mut self, text: &str) {
        let start = self.text.len();
        self.text.push_str(text);
        self.nodes.push(Node::Text(start, self.text.len()));
    }

    /// A text of the input.
    pub(crate) fn lend(&mut self, text: &'de str) {
        self.nodes.push(Node::Lent(text));
    }

    /// Ends an array of the last so many values.
    pub(crate) fn array(&mut self, count: usize) {
        self.nodes.push(Node::Array(count));
    }

    /// Ends an object of the last so many keys and values.
    pub(crate) fn object(&mut self, count: usize) {
        self.nodes.push(Node::Object(count));
    }

    /// The text that was recorded last is the literal of a number.
    pub(crate) fn last_text_is_number(&mut self) {
        if let Some(Node::Text(start, end)) = self.nodes.last().copied() {
            let literal = &self.text[start..end];
            let double =
                literal.parse().ok().filter(|double: &f64| double.is_finite() && *double != 0.0);
            let node = match double.filter(|_| is_decimal(literal)) {
                Some(double) => Node::Double(double),
                None => Node::Digits(start, end),
            };
            self.nodes.pop();
            self.nodes.push(node);
        }
    }

    /// The text that was recorded last is a key.
    pub(crate) fn last_text_is_key(&mut self) {
        if let Some(Node::Text(start, _)) = self.nodes.last().copied() {
            self.nodes.pop();
            let key = self.text.split_off(start);
            self.record_key(&key);
        }
    }

    /// The key that came after the last one before.
    fn foreseen(&self) -> usize {
        self.next.get(self.last).copied().unwrap_or(0)
    }

    pub(crate) fn record_key(&mut self, key: &str) {
        let guess = self.foreseen();
        let at = match self.keys.get(guess) {
            Some(known) if **known == *key => guess,
            _ => self.look_up(key),
        };
        self.last = at;
        self.nodes.push(Node::Key(at));
    }

    /// A key of the input: the names of columns are in one place for all rows.
    #[inline]
    pub(crate) fn lend_key(&mut self, key: &'de str) {
        let guess = self.foreseen();
        if let Some(Some(lent)) = self.lent.get(guess)
            && std::ptr::eq(*lent, key)
        {
            self.last = guess;
            self.nodes.push(Node::Key(guess));
            return;
        }
        self.record_key(key);
        self.lent.resize(self.keys.len(), None);
        self.lent[self.last] = Some(key);
    }

    fn look_up(&mut self, key: &str) -> usize {
        let at = match self.known.get(key) {
            Some(&at) => at,
            None => {
                let at = self.keys.len();
                self.keys.push(key.into());
                self.known.insert(key.into(), at);
                self.next.push(0);
                at
            }
        };
        if let Some(next) = self.next.get_mut(self.last) {
            *next = at;
        }
        at
    }

    /// The same, with a copy of the strings of the input.
    pub(crate) fn into_owned(self) -> Tape<'static> {
        let Tape { nodes, mut text, keys, known, next, last, .. } = self;
        let mut keep = |node| match node {
            Node::Lent(lent) => {
                let start = text.len();
                text.push_str(lent);
                Node::Text(start, text.len())
            }
            Node::Null => Node::Null,
            Node::Bool(truth) => Node::Bool(truth),
            Node::Integer(integer) => Node::Integer(integer),
            Node::Unsigned(integer) => Node::Unsigned(integer),
            Node::Double(double) => Node::Double(double),
            Node::Digits(start, end) => Node::Digits(start, end),
            Node::Text(start, end) => Node::Text(start, end),
            Node::Key(at) => Node::Key(at),
            Node::Array(count) => Node::Array(count),
            Node::Object(count) => Node::Object(count),
        };
        let nodes = nodes.into_iter().map(&mut keep).collect();
        Tape { nodes, text, keys, lent: Vec::new(), known, next, last }
    }

    /// The nodes, from front to back.
    pub(crate) fn nodes(&self) -> &[Node<'de>] {
        &self.nodes
    }

    /// The text of a node that is one.
    pub(crate) fn text_of(&self, node: Node<'de>) -> Option<&str> {
        match node {
            Node::Text(start, end) => Some(&self.text[start..end]),
            Node::Lent(text) => Some(text),
            _ => None,
        }
    }

    /// A key by its number.
    pub(crate) fn key(&self, at: usize) -> &str {
        &self.keys[at]
    }

    /// The value as Python's objects.
    pub(crate) fn build<'py>(
        &self,
        py: Python<'py>,
        format: Format,
    ) -> PyResult<Bound<'py, PyAny>> {
        let keys: Vec<Bound<'py, PyString>> =
            self.keys.iter().map(|key| PyString::new(py, key)).collect();
        // What no container has yet; the keys by their numbers.
        let mut values: Vec<Bound<'py, PyAny>> = Vec::new();
        let mut names: Vec<usize> = Vec::new();
        let mut paused = (self.nodes.len() > WORTH_PAUSING).then(|| Paused::new(py));
        for node in &self.nodes {
            let value = match *node {
                Node::Null => py.None().into_bound(py),
                Node::Bool(truth) => PyBool::new(py, truth).to_owned().into_any(),
                Node::Integer(integer) => PyInt::new(py, integer).into_any(),
                Node::Unsigned(integer) => PyInt::new(py, integer).into_any(),
                Node::Double(double) => PyFloat::new(py, double).into_any(),
                Node::Digits(start, end) => {
                    // It may run Python.
                    paused = None;
                    integer_of(py, &self.text[start..end], format)?
                }
                Node::Text(start, end) => PyString::new(py, &self.text[start..end]).into_any(),
                Node::Lent(text) => PyString::new(py, text).into_any(),
                Node::Key(at) => {
                    names.push(at);
                    continue;
                }
                Node::Array(count) => {
                    let from = values.len() - count;
                    PyList::new(py, values.drain(from..))?.into_any()
                }
                Node::Object(count) => {
                    let dict = PyDict::new(py);
                    let members = values.drain(values.len() - count..);
                    for (name, value) in names.drain(names.len() - count..).zip(members) {
                        dict.set_item(&keys[name], value)?;
                    }
                    dict.into_any()
                }
            };
            values.push(value);
        }
        drop(paused);
        Ok(values.pop().unwrap_or_else(|| py.None().into_bound(py)))
    }
}

/// Below this number of nodes the garbage collector has little to do.
const WORTH_PAUSING: usize = 1000;

/// The garbage collector does not run. What is built is all in use, and yet it would be searched
/// for garbage again and again, which takes a third of the time. No Python runs meanwhile, and the
/// GIL is not released, so that no other thread sees it.
struct Paused<'py> {
    /// As long as the GIL is held.
    gil: PhantomData<Python<'py>>,
    was_enabled: bool,
}

impl<'py> Paused<'py> {
    #[allow(unsafe_code)]
    fn new(_: Python<'py>) -> Self {
        // SAFETY: the GIL is held, as the argument shows.
        let was_enabled = unsafe { pyo3::ffi::PyGC_Disable() } == 1;
        Paused { gil: PhantomData, was_enabled }
    }
}

impl Drop for Paused<'_> {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        if self.was_enabled {
            // SAFETY: as in `new`; the lifetime of the field ends with the GIL.
            unsafe { pyo3::ffi::PyGC_Enable() };
        }
    }
}

fn is_decimal(literal: &str) -> bool {
    literal.contains(['.', 'e', 'E'])
}

/// The integer of digits of any number: Python itself bounds how many it reads from a text.
fn integer_of<'py>(py: Python<'py>, digits: &str, format: Format) -> PyResult<Bound<'py, PyAny>> {
    if is_decimal(digits) {
        let message = format!(
            "a number is {}, expected one in the range of doubles; `to_json` keeps it",
            wire_core::text::shown(digits).replace('"', "")
        );
        return Err(Problem::new("out_of_range", message).raise(py, format, None, true));
    }
    py.get_type::<PyInt>().call1((digits,)).map_err(|_| {
        let count = digits.trim_start_matches('-').len();
        let message = format!(
            "an integer has {count} digits, more than `sys.get_int_max_str_digits()`; `to_json` keeps them"
        );
        Problem::new("out_of_range", message).raise(py, format, None, true)
    })
}
