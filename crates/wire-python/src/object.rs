//! Python objects as what serde serializes: read where they are, without JSON in between (ruling P2).

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt::Write;
use std::rc::Rc;

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, SerializeStruct, Serializer};

use crate::error::{Format, Problem};

/// The struct by which `serde_json`, and whoever follows it, is handed the digits of a number.
pub(crate) const RAW_VALUE: &str = "$serde_json::private::RawValue";

/// How many containers, and objects that stand for another one, may be around an object. Formats have bounds of their own, which
/// are lower; this one keeps `default=` from going round in circles.
const MAX_DEPTH: usize = 250;

/// One pass over an object: what it was told, and what went wrong where.
pub(crate) struct Walk<'a, 'py> {
    py: Python<'py>,
    format: Format,
    default: Option<&'a Bound<'py, PyAny>>,
    types: &'static Types,
    /// The names of the fields of each class of dataclasses.
    fields: RefCell<HashMap<usize, Rc<[Py<PyString>]>>>,
    failure: Cell<Option<Failure>>,
    /// Where the failure is, from the inside out.
    path: RefCell<Vec<Step>>,
}

/// What serde's errors can't carry.
enum Failure {
    Raised(PyErr),
    Unsupported(String),
    Problem(Problem, bool),
}

/// A step from a container to what it holds.
enum Step {
    Index(usize),
    Key(String),
}

/// The classes that are told apart.
struct Types {
    enumeration: Py<PyType>,
    decimal: Py<PyType>,
    /// A datetime is a date, too.
    date: Py<PyType>,
    uuid: Py<PyType>,
    fields: Py<PyAny>,
}

impl Types {
    fn get(py: Python<'_>) -> PyResult<&'static Types> {
        static TYPES: PyOnceLock<Types> = PyOnceLock::new();
        TYPES.get_or_try_init(py, || {
            let class = |module: &str, name: &str| -> PyResult<Py<PyType>> {
                Ok(py.import(module)?.getattr(name)?.cast_into::<PyType>()?.unbind())
            };
            Ok::<_, PyErr>(Types {
                enumeration: class("enum", "Enum")?,
                decimal: class("decimal", "Decimal")?,
                date: class("datetime", "date")?,
                uuid: class("uuid", "UUID")?,
                fields: py.import("dataclasses")?.getattr("fields")?.unbind(),
            })
        })
    }
}

impl<'a, 'py> Walk<'a, 'py> {
    pub(crate) fn new(
        py: Python<'py>,
        format: Format,
        default: Option<&'a Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        Ok(Walk {
            py,
            format,
            default,
            types: Types::get(py)?,
            fields: RefCell::default(),
            failure: Cell::default(),
            path: RefCell::default(),
        })
    }

    /// An object of this pass, for a serializer.
    pub(crate) fn object<'w>(&'w self, object: &'w Bound<'py, PyAny>) -> Object<'w, 'a, 'py> {
        Object { walk: self, object, depth: 0 }
    }

    /// Why the pass failed: for the reason that was noted, or else for the serializer's own.
    pub(crate) fn raise(&self, error: impl Into<Problem>) -> PyErr {
        let path = self.shown_path();
        match self.failure.take() {
            Some(Failure::Raised(error)) => error,
            Some(Failure::Unsupported(message)) => {
                PyTypeError::new_err(format!("{path}: {message}"))
            }
            Some(Failure::Problem(problem, overflow)) => {
                problem.raise(self.py, self.format, Some(&path), overflow)
            }
            None => error.into().raise(self.py, self.format, Some(&path), false),
        }
    }

    /// The path of the failure, as `$.orders[2].id`.
    fn shown_path(&self) -> String {
        let mut path = String::from("$");
        for step in self.path.borrow().iter().rev() {
            match step {
                Step::Index(index) => {
                    let _ = write!(path, "[{index}]");
                }
                Step::Key(key) if is_name(key) => {
                    path.push('.');
                    path.push_str(key);
                }
                Step::Key(key) => {
                    let _ = write!(path, "[{}]", wire_core::text::shown(key));
                }
            }
        }
        path
    }

    fn step(&self, step: Step) {
        self.path.borrow_mut().push(step);
    }

    #[cold]
    fn fail<E: serde::ser::Error>(&self, failure: Failure) -> E {
        self.failure.set(Some(failure));
        E::custom("a Python object can't be written")
    }

    #[cold]
    fn raised<E: serde::ser::Error>(&self, error: PyErr) -> E {
        self.fail(Failure::Raised(error))
    }

    #[cold]
    fn problem<E: serde::ser::Error>(&self, code: &'static str, message: String) -> E {
        self.fail(Failure::Problem(Problem::new(code, message), false))
    }

    /// The text of a string.
    #[inline]
    fn text<'s, E: serde::ser::Error>(&self, text: &'s Bound<'py, PyString>) -> Result<&'s str, E> {
        text.to_str().map_err(|_| {
            let message = "a string holds half a pair of surrogates, which UTF-8 can't hold";
            self.problem("invalid_value", message.to_owned())
        })
    }

    /// The names of a dataclass's fields, in the order of their declaration.
    fn fields_of(&self, object: &Bound<'py, PyAny>) -> PyResult<Rc<[Py<PyString>]>> {
        let class = object.get_type();
        let key = class.as_ptr() as usize;
        if let Some(fields) = self.fields.borrow().get(&key) {
            return Ok(Rc::clone(fields));
        }
        let fields = self.types.fields.bind(self.py).call1((class,))?;
        let names = fields
            .try_iter()?
            .map(|field| Ok(field?.getattr("name")?.cast_into::<PyString>()?.unbind()));
        let names: Rc<[Py<PyString>]> = names.collect::<PyResult<Vec<_>>>()?.into();
        self.fields.borrow_mut().insert(key, Rc::clone(&names));
        Ok(names)
    }
}

/// Whether a key reads well behind a point.
fn is_name(key: &str) -> bool {
    !key.is_empty()
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !key.as_bytes()[0].is_ascii_digit()
}

/// An object, and how deep it is.
pub(crate) struct Object<'w, 'a, 'py> {
    walk: &'w Walk<'a, 'py>,
    object: &'w Bound<'py, PyAny>,
    depth: usize,
}

impl Serialize for Object<'_, '_, '_> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Object { walk, object, .. } = *self;
        // The exact classes first, in the order of how much there is of each.
        if let Ok(text) = object.cast_exact::<PyString>() {
            return serializer.serialize_str(walk.text(text)?);
        }
        if object.is_exact_instance_of::<PyInt>() {
            return self.integer(serializer);
        }
        if let Ok(number) = object.cast_exact::<PyFloat>() {
            return self.double(number.value(), serializer);
        }
        if let Ok(truth) = object.cast_exact::<PyBool>() {
            return serializer.serialize_bool(truth.is_true());
        }
        if object.is_none() {
            return serializer.serialize_unit();
        }
        if let Ok(dict) = object.cast_exact::<PyDict>() {
            return self.dict(dict, serializer);
        }
        if let Ok(list) = object.cast_exact::<PyList>() {
            return self.list(list, serializer);
        }
        self.other(serializer)
    }
}

impl<'w, 'a, 'py> Object<'w, 'a, 'py> {
    fn integer<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Ok(value) = self.object.extract::<i64>() {
            return serializer.serialize_i64(value);
        }
        self.long_integer(serializer)
    }

    #[cold]
    fn long_integer<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let walk = self.walk;
        let unsigned = self.object.extract::<u64>();
        match walk.format {
            Format::Goon | Format::Json => {
                if let Ok(value) = unsigned {
                    return serializer.serialize_u64(value);
                }
            }
            Format::Gcx => {
                // An integer of a subclass says of itself what it likes.
                let digits = walk.py.get_type::<PyInt>().call_method1("__repr__", (self.object,));
                let digits = digits.and_then(|digits| digits.extract::<String>());
                let Ok(digits) = digits else {
                    let message = "an integer has more digits than `sys.get_int_max_str_digits()`";
                    return Err(self.out_of_range(message.to_owned()));
                };
                let mut raw = serializer.serialize_struct(RAW_VALUE, 1)?;
                raw.serialize_field(RAW_VALUE, &digits)?;
                return raw.end();
            }
            Format::Gcf | Format::Gcb => {}
        }
        let expected = if walk.format == Format::Gcf { "64 bits with a sign" } else { "64 bits" };
        let digits =
            self.object.repr().map_or_else(|_| "very long".to_owned(), |digits| digits.to_string());
        let digits = wire_core::text::shown(&digits);
        let message = format!(
            "an integer is {}, expected one of {expected}; pass it as a string",
            digits.trim_matches('"')
        );
        Err(self.out_of_range(message))
    }

    fn out_of_range<E: serde::ser::Error>(&self, message: String) -> E {
        self.walk.fail(Failure::Problem(Problem::new("out_of_range", message), true))
    }

    fn double<S: Serializer>(&self, value: f64, serializer: S) -> Result<S::Ok, S::Error> {
        if value.is_finite() {
            return serializer.serialize_f64(value);
        }
        let code = self.walk.format.not_finite();
        Err(self.walk.problem(code, format!("a number is {value}, expected a finite one")))
    }

    /// What an object holds, one level further in.
    fn inner<'i>(&self, object: &'i Bound<'py, PyAny>) -> Object<'i, 'a, 'py>
    where
        'w: 'i,
    {
        Object { walk: self.walk, object, depth: self.depth + 1 }
    }

    fn check_depth<E: serde::ser::Error>(&self) -> Result<(), E> {
        if self.depth < MAX_DEPTH {
            return Ok(());
        }
        let message = "objects are nested too deeply, or one holds itself";
        Err(self.walk.problem("too_deep", message.to_owned()))
    }

    fn dict<S: Serializer>(
        &self,
        dict: &Bound<'py, PyDict>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        self.check_depth()?;
        let expected = dict.len();
        let mut map = serializer.serialize_map(Some(expected))?;
        let mut items = dict.iter();
        // pyo3 panics where a dict changes under its iterator, so that is never let happen: the size is looked at before each step,
        // and there are no more steps than items.
        for _ in 0..expected {
            if dict.len() != expected {
                return Err(self.changed());
            }
            let Some((key, value)) = items.next() else { return Err(self.changed()) };
            self.member(&mut map, &key, &value)?;
        }
        if dict.len() != expected {
            return Err(self.changed());
        }
        map.end()
    }

    #[cold]
    fn changed<E: serde::ser::Error>(&self) -> E {
        self.walk.raised(PyRuntimeError::new_err("dictionary changed during iteration"))
    }

    /// A key and its value.
    #[inline]
    fn member<M: SerializeMap>(
        &self,
        map: &mut M,
        key: &Bound<'py, PyAny>,
        value: &Bound<'py, PyAny>,
    ) -> Result<(), M::Error> {
        let walk = self.walk;
        if let Ok(text) = key.cast::<PyString>() {
            let name = walk.text(text)?;
            return map
                .serialize_entry(name, &self.inner(value))
                .inspect_err(|_| walk.step(Step::Key(name.to_owned())));
        }
        let name = self.key(key)?;
        map.serialize_entry(&name, &self.inner(value))
            .inspect_err(|_| walk.step(Step::Key(name.clone())))
    }

    /// The name of a key that is no string, as `json` writes it.
    fn key<E: serde::ser::Error>(&self, key: &Bound<'py, PyAny>) -> Result<String, E> {
        let walk = self.walk;
        if let Ok(truth) = key.cast::<PyBool>() {
            return Ok(if truth.is_true() { "true" } else { "false" }.to_owned());
        }
        if key.is_none() {
            return Ok("null".to_owned());
        }
        if key.is_instance_of::<PyInt>() {
            let digits = walk.py.get_type::<PyInt>().call_method1("__repr__", (key,));
            return digits.and_then(|digits| digits.extract()).map_err(|error| walk.raised(error));
        }
        let class = class_name(key);
        let message = format!("a key is of the type {class}, expected str, int, bool or None");
        Err(walk.fail(Failure::Unsupported(message)))
    }

    fn list<S: Serializer>(
        &self,
        list: &Bound<'py, PyList>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        self.check_depth()?;
        let mut items = serializer.serialize_seq(Some(list.len()))?;
        // The iterator looks at the length of the list at each step.
        for (index, item) in list.iter().enumerate() {
            items
                .serialize_element(&self.inner(&item))
                .inspect_err(|_| self.walk.step(Step::Index(index)))?;
        }
        items.end()
    }

    fn tuple<S: Serializer>(
        &self,
        tuple: &Bound<'py, PyTuple>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        self.check_depth()?;
        let mut items = serializer.serialize_seq(Some(tuple.len()))?;
        for (index, item) in tuple.iter().enumerate() {
            items
                .serialize_element(&self.inner(&item))
                .inspect_err(|_| self.walk.step(Step::Index(index)))?;
        }
        items.end()
    }

    /// What is of no exact class of the above.
    #[inline(never)]
    fn other<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Object { walk, object, .. } = *self;
        let py = walk.py;
        if let Ok(tuple) = object.cast::<PyTuple>() {
            return self.tuple(tuple, serializer);
        }
        let class = object.get_type();
        let is = |of: &Py<PyType>| class.is_subclass(of.bind(py)).unwrap_or(false);
        if is(&walk.types.enumeration) {
            return self.instead(object.getattr("value"), serializer);
        }
        if let Ok(text) = object.cast::<PyString>() {
            return serializer.serialize_str(walk.text(text)?);
        }
        if object.is_instance_of::<PyInt>() {
            return self.integer(serializer);
        }
        if let Ok(number) = object.cast::<PyFloat>() {
            return self.double(number.value(), serializer);
        }
        if let Ok(dict) = object.cast::<PyDict>() {
            return self.subclass_of_dict(dict, serializer);
        }
        if let Ok(list) = object.cast::<PyList>() {
            return self.list(list, serializer);
        }
        if is(&walk.types.date) {
            return self.instead(object.call_method0("isoformat"), serializer);
        }
        if is(&walk.types.uuid) {
            return self.instead(object.str().map(Bound::into_any), serializer);
        }
        if is(&walk.types.decimal) {
            return self.decimal(serializer);
        }
        if class.hasattr("__dataclass_fields__").unwrap_or(false) {
            return self.dataclass(serializer);
        }
        if class.hasattr("model_dump").unwrap_or(false) {
            return self.instead(object.call_method0("model_dump"), serializer);
        }
        if let Some(default) = walk.default {
            return self.instead(default.call1((object,)), serializer);
        }
        let class = class_name(object);
        let message = format!(
            "an object of the type {class} can't be written; pass `default=` to say what it is"
        );
        Err(walk.fail(Failure::Unsupported(message)))
    }

    /// Another object in place of this one.
    fn instead<S: Serializer>(
        &self,
        object: PyResult<Bound<'py, PyAny>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        self.check_depth()?;
        let object = object.map_err(|error| self.walk.raised(error))?;
        self.inner(&object).serialize(serializer)
    }

    /// A number that is no double: its digits as a text, so that none is lost.
    fn decimal<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let walk = self.walk;
        let finite = self.object.call_method0("is_finite").and_then(|finite| finite.is_truthy());
        let digits = self.object.str().map_err(|error| walk.raised(error))?;
        if finite.map_err(|error| walk.raised(error))? {
            return serializer.serialize_str(walk.text(&digits)?);
        }
        let message = format!("a number is {digits}, expected a finite one");
        Err(walk.problem(walk.format.not_finite(), message))
    }

    /// Such a class may have an order or items of its own, as `OrderedDict` does.
    fn subclass_of_dict<S: Serializer>(
        &self,
        dict: &Bound<'py, PyDict>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        self.check_depth()?;
        let walk = self.walk;
        let items = dict.as_any().call_method0("items").and_then(|items| items.try_iter());
        let mut map = serializer.serialize_map(Some(dict.len()))?;
        for item in items.map_err(|error| walk.raised(error))? {
            let (key, value) = item
                .and_then(|item| item.extract::<(Bound<'py, PyAny>, Bound<'py, PyAny>)>())
                .map_err(|error| walk.raised(error))?;
            self.member(&mut map, &key, &value)?;
        }
        map.end()
    }

    fn dataclass<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.check_depth()?;
        let Object { walk, object, .. } = *self;
        let fields = walk.fields_of(object).map_err(|error| walk.raised(error))?;
        let mut map = serializer.serialize_map(Some(fields.len()))?;
        for name in fields.iter() {
            let name = name.bind(walk.py);
            let value = object.getattr(name).map_err(|error| walk.raised(error))?;
            self.member(&mut map, name.as_any(), &value)?;
        }
        map.end()
    }
}

fn class_name(object: &Bound<'_, PyAny>) -> String {
    object
        .get_type()
        .fully_qualified_name()
        .map_or_else(|_| "?".to_owned(), |name| name.to_string())
}
