//! The names of the keys of a dict.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString};
use serde::ser::Error;

use crate::walk::{Walk, class_name};

/// The text of a key that is one; nearly all are of the exact class.
#[inline]
pub(crate) fn as_text<'k, 'py>(key: &'k Bound<'py, PyAny>) -> Option<&'k Bound<'py, PyString>> {
    key.cast_exact::<PyString>().ok().or_else(|| key.cast::<PyString>().ok())
}

/// Keys of other classes than `str` may become the same name.
pub(crate) fn check<'py, E: Error>(
    walk: &Walk<'_, 'py>,
    dict: &Bound<'py, PyDict>,
) -> Result<(), E> {
    // `keys` is a list of its own, so that nothing changes it. To make it may run the collector of
    // garbage, and so Python.
    walk.ran.set(walk.ran.get() + 1);
    let keys = dict.keys();
    if keys.iter().all(|key| key.is_exact_instance_of::<PyString>()) {
        return Ok(());
    }
    let names: Vec<String> = keys
        .iter()
        .map(|key| match as_text(&key) {
            Some(text) => walk.text(text).map(str::to_owned),
            None => name(walk, &key),
        })
        .collect::<Result<_, E>>()?;
    walk.check_distinct(&names.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The name of a key that is no string, as `json` writes it.
pub(crate) fn name<'py, E: Error>(
    walk: &Walk<'_, 'py>,
    key: &Bound<'py, PyAny>,
) -> Result<String, E> {
    walk.ran.set(walk.ran.get() + 1);
    if let Ok(truth) = key.cast::<PyBool>() {
        return Ok(if truth.is_true() { "true" } else { "false" }.to_owned());
    }
    if key.is_none() {
        return Ok("null".to_owned());
    }
    if key.is_instance_of::<PyInt>() {
        return digits(walk, key);
    }
    let class = class_name(key);
    let message = format!("a key is of the type {class}, expected str, int, bool or None");
    Err(walk.unsupported(message))
}

/// The digits of an integer. One of a subclass says of itself what it likes.
pub(crate) fn digits<'py, E: Error>(
    walk: &Walk<'_, 'py>,
    integer: &Bound<'py, PyAny>,
) -> Result<String, E> {
    walk.ran.set(walk.ran.get() + 1);
    let digits = integer.py().get_type::<PyInt>().call_method1("__repr__", (integer,));
    digits.and_then(|digits| digits.extract()).map_err(|_| {
        let message = "an integer has more digits than `sys.get_int_max_str_digits()`";
        walk.out_of_range(message.to_owned())
    })
}
