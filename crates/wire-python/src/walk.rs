//! One pass over a Python object: what it was told, and what went wrong where.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::rc::Rc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString, PyType};
use serde::ser::Serializer;

use crate::error::{Format, Problem};
use crate::stack::Stack;

/// Why a string can't be written.
pub(crate) const NO_UTF8: &str =
    "a string contains half a surrogate pair, which UTF-8 can't represent";

/// One pass over an object: what it was told, and what went wrong where.
pub(crate) struct Walk<'a, 'py> {
    py: Python<'py>,
    pub(crate) format: Format,
    pub(crate) default: Option<&'a Bound<'py, PyAny>>,
    /// Whether the index of a frame of pandas is written.
    pub(crate) index: bool,
    /// Whether a number that is not finite is null.
    pub(crate) nan_is_null: bool,
    /// To how many significant digits doubles are rounded, and how many changed by that.
    digits: Option<u8>,
    rounded: Cell<usize>,
    /// The whole object, for the message about one that contains itself.
    pub(crate) whole: RefCell<Option<Bound<'py, PyAny>>>,
    /// A list to which each iterator is appended with its items, so that a caller can restore it.
    read: Option<&'a Bound<'py, PyList>>,
    /// Whether the caller writes the names of `columns`; otherwise Python warns that they are lost.
    keeps_columns: bool,
    /// The names of the columns of a frame that is the whole object, and has no rows.
    columns: RefCell<Option<Vec<String>>>,
    pub(crate) types: &'static Types,
    /// How often Python may have run since the pass began. Only then can a container change.
    pub(crate) ran: Cell<usize>,
    pub(crate) stack: Stack,
    /// The names of the fields of each class of dataclasses, by its address; the class is kept, so
    /// that no other one gets the address.
    fields: RefCell<HashMap<usize, (Py<PyType>, Names)>>,
    failure: Cell<Option<Failure>>,
    /// Where the failure is, from the inside out.
    path: RefCell<Vec<Step>>,
}

/// The names of the fields of a class.
type Names = Rc<[Py<PyString>]>;

/// What serde's errors can't carry.
enum Failure {
    Raised(PyErr),
    Unsupported(String),
    Problem(Problem, bool),
}

/// A step from a container to what it holds.
#[derive(FromPyObject)]
pub(crate) enum Step {
    Index(usize),
    Key(String),
}

/// The classes that are told apart.
pub(crate) struct Types {
    pub(crate) enumeration: Py<PyType>,
    pub(crate) decimal: Py<PyType>,
    /// A datetime is a date, too.
    pub(crate) date: Py<PyType>,
    pub(crate) uuid: Py<PyType>,
    fields: Py<PyAny>,
    pub(crate) dump_model: Py<PyAny>,
    plain: Py<PyAny>,
    /// The text of a duration.
    pub(crate) duration: Py<PyAny>,
    /// The offset of a time zone at an instant, in seconds.
    pub(crate) offset: Py<PyAny>,
    /// Where an object contains itself.
    circle: Py<PyAny>,
    /// Converts a frame to an object that can be read.
    pub(crate) readable: Py<PyAny>,
    /// `json.loads`.
    pub(crate) loads_json: Py<PyAny>,
}

impl Types {
    fn get(py: Python<'_>) -> PyResult<&'static Types> {
        static TYPES: PyOnceLock<Types> = PyOnceLock::new();
        TYPES.get_or_try_init(py, || {
            let class = |module: &str, name: &str| -> PyResult<Py<PyType>> {
                Ok(py.import(module)?.getattr(name)?.cast_into::<PyType>()?.unbind())
            };
            let function = |module: &str, name: &str| -> PyResult<Py<PyAny>> {
                Ok(py.import(module)?.getattr(name)?.unbind())
            };
            Ok::<_, PyErr>(Types {
                enumeration: class("enum", "Enum")?,
                decimal: class("decimal", "Decimal")?,
                date: class("datetime", "date")?,
                uuid: class("uuid", "UUID")?,
                fields: function("dataclasses", "fields")?,
                dump_model: function("wire_formats._models", "dump")?,
                plain: function("wire_formats._values", "plain")?,
                duration: function("wire_formats._values", "duration")?,
                offset: function("wire_formats._values", "offset")?,
                circle: function("wire_formats._values", "circle")?,
                readable: function("wire_formats._frames", "readable")?,
                loads_json: function("json", "loads")?,
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
            index: true,
            nan_is_null: false,
            digits: None,
            rounded: Cell::default(),
            whole: RefCell::default(),
            read: None,
            keeps_columns: false,
            columns: RefCell::default(),
            types: Types::get(py)?,
            ran: Cell::default(),
            stack: Stack::here(),
            fields: RefCell::default(),
            failure: Cell::default(),
            path: RefCell::default(),
        })
    }

    /// Whether the index of a frame of pandas is written (the default).
    pub(crate) fn index(mut self, index: bool) -> Self {
        self.index = index;
        self
    }

    /// What is written for a number that is not finite: "error" (the default), or "null".
    pub(crate) fn nan(mut self, nan: &str) -> PyResult<Self> {
        self.nan_is_null = match nan {
            "error" => false,
            "null" => true,
            other => {
                let message = format!("nan is {other:?}, expected \"error\" or \"null\"");
                return Err(PyValueError::new_err(message));
            }
        };
        Ok(self)
    }

    /// Rounds doubles to so many significant digits, from 1 to 17.
    pub(crate) fn digits(mut self, digits: Option<u8>) -> PyResult<Self> {
        self.digits = digits;
        if digits.is_none_or(|digits| (1..=17).contains(&digits)) {
            return Ok(self);
        }
        Err(PyValueError::new_err("digits is out of range, expected a number from 1 to 17"))
    }

    /// How many doubles became others by rounding.
    pub(crate) fn rounded(&self) -> usize {
        self.rounded.get()
    }

    /// Notes each iterator, and the list of what it gave.
    pub(crate) fn noting(mut self, read: Option<&'a Bound<'py, PyList>>) -> Self {
        self.read = read;
        self
    }

    /// The caller writes the columns of a frame without rows, which `take_columns` gives.
    pub(crate) fn keeping_columns(mut self) -> Self {
        self.keeps_columns = true;
        self
    }

    /// The names of the columns, if the whole object was a frame without rows.
    pub(crate) fn take_columns(&self) -> Option<Vec<String>> {
        self.columns.take()
    }

    /// A frame has no rows, and so nothing that holds the names of its columns.
    pub(crate) fn no_rows<E: serde::ser::Error>(
        &self,
        names: Vec<String>,
        is_whole: bool,
    ) -> Result<(), E> {
        if names.is_empty() {
            return Ok(());
        }
        if is_whole && self.keeps_columns {
            self.columns.replace(Some(names));
            return Ok(());
        }
        warn_of_columns(self.py, &names).map_err(|error| self.raised(error))
    }

    /// The value of an object of NumPy, an iterator, a path, a time and the like; `None` for other
    /// classes.
    pub(crate) fn plain<E: serde::ser::Error>(
        &self,
        object: &Bound<'py, PyAny>,
    ) -> Result<Option<Bound<'py, PyAny>>, E> {
        let plain = self.types.plain.bind(self.py).call1((object, self.read));
        let plain = plain.map_err(|error| self.raised(error))?;
        Ok(Some(plain).filter(|plain| !plain.is(self.py.NotImplemented())))
    }

    /// Why the pass failed: for the reason that was noted, or else for the serializer's own.
    pub(crate) fn raise(&self, error: impl Into<Problem>) -> PyErr {
        let path = self.shown_path();
        let (problem, overflow) = match self.failure.take() {
            Some(Failure::Raised(error)) => return error,
            Some(Failure::Unsupported(message)) => {
                return PyTypeError::new_err(format!("{path}: {message}"));
            }
            Some(Failure::Problem(problem, overflow)) => (problem, overflow),
            None => (error.into(), false),
        };
        if problem.code == "too_deep"
            && let Some(error) = self.contains_itself()
        {
            return error;
        }
        problem.raise(self.py, self.format, Some(&path), overflow)
    }

    /// The error of an object that contains itself, if it does: the path of the deepest one would
    /// not end.
    #[cold]
    fn contains_itself(&self) -> Option<PyErr> {
        let whole = self.whole.borrow();
        let found = self.types.circle.bind(self.py).call1((whole.as_ref()?,)).ok()?;
        let (steps, what): (Vec<Step>, String) = found.extract().ok()?;
        let problem = Problem::new("too_deep", format!("the {what} contains itself"));
        Some(problem.raise(self.py, self.format, Some(&shown_path(steps.iter())), false))
    }

    /// The interpreter.
    pub(crate) fn py(&self) -> Python<'py> {
        self.py
    }

    /// An object of a type, or a key, that has no form.
    #[cold]
    pub(crate) fn unsupported<E: serde::ser::Error>(&self, message: String) -> E {
        self.fail(Failure::Unsupported(message))
    }

    /// An integer that the format can't hold.
    #[cold]
    pub(crate) fn out_of_range<E: serde::ser::Error>(&self, message: String) -> E {
        self.fail(Failure::Problem(Problem::new("out_of_range", message), true))
    }

    /// An integer of 64 bits without a sign.
    pub(crate) fn unsigned<S: Serializer>(
        &self,
        value: u64,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match i64::try_from(value) {
            Ok(value) => serializer.serialize_i64(value),
            Err(_) if self.format != Format::Gcf => serializer.serialize_u64(value),
            Err(_) => Err(self.too_large(&value.to_string())),
        }
    }

    /// An integer of these digits.
    #[cold]
    pub(crate) fn too_large<E: serde::ser::Error>(&self, digits: &str) -> E {
        let expected = if self.format == Format::Gcf { "64 bits with a sign" } else { "64 bits" };
        let digits = wire_core::text::shown(digits).replace('"', "");
        let message =
            format!("an integer is {digits}, expected one of {expected}; pass it as a string");
        self.out_of_range(message)
    }

    /// A double, which has to be finite.
    pub(crate) fn double<S: Serializer>(
        &self,
        value: f64,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        if value.is_finite() {
            return serializer.serialize_f64(self.digits.map_or(value, |digits| {
                let fewer: f64 =
                    format!("{value:.*e}", usize::from(digits) - 1).parse().unwrap_or(value);
                self.rounded
                    .set(self.rounded.get() + usize::from(fewer.to_bits() != value.to_bits()));
                fewer
            }));
        }
        if self.nan_is_null {
            return serializer.serialize_unit();
        }
        Err(self.not_finite(&value.to_string()))
    }

    /// A number that is not finite.
    #[cold]
    pub(crate) fn not_finite<E: serde::ser::Error>(&self, number: &str) -> E {
        let code = self.format.not_finite();
        self.problem(
            code,
            format!("a number is {number}, expected a finite one; nan=\"null\" writes null"),
        )
    }

    /// What `default=` makes of an object.
    pub(crate) fn default_of<E: serde::ser::Error>(
        &self,
        object: &Bound<'py, PyAny>,
    ) -> Result<Bound<'py, PyAny>, E> {
        if is_missing(object) {
            return Ok(self.py.None().into_bound(self.py));
        }
        if let Some(default) = self.default {
            let made = default.call1((object,)).map_err(|error| self.raised(error))?;
            if !made.is(self.py.NotImplemented()) {
                return Ok(made);
            }
        }
        let class = class_name(object);
        let message = format!(
            "an object of the type {class} can't be written; pass `default=` to say what it is"
        );
        Err(self.unsupported(message))
    }

    /// The path of the failure, as `$.orders[2].id`.
    fn shown_path(&self) -> String {
        shown_path(self.path.borrow().iter().rev())
    }

    pub(crate) fn step(&self, step: Step) {
        self.path.borrow_mut().push(step);
    }

    #[cold]
    fn fail<E: serde::ser::Error>(&self, failure: Failure) -> E {
        self.failure.set(Some(failure));
        self.noted()
    }

    /// The error of an inner serializer, whose reason was noted.
    #[cold]
    pub(crate) fn noted<E: serde::ser::Error>(&self) -> E {
        E::custom("a Python object can't be written")
    }

    #[cold]
    pub(crate) fn raised<E: serde::ser::Error>(&self, error: PyErr) -> E {
        self.fail(Failure::Raised(error))
    }

    #[cold]
    pub(crate) fn problem<E: serde::ser::Error>(&self, code: &'static str, message: String) -> E {
        self.fail(Failure::Problem(Problem::new(code, message), false))
    }

    /// Names of an object in JSON have to be distinct; the other formats check that themselves.
    pub(crate) fn check_distinct<E: serde::ser::Error>(&self, names: &[&str]) -> Result<(), E> {
        let mut seen = HashSet::with_capacity(names.len());
        let Some(twice) = names.iter().find(|name| !seen.insert(**name)) else { return Ok(()) };
        let message = format!("the key {} appears twice", wire_core::text::shown(twice));
        Err(self.problem("duplicate_key", message))
    }

    /// The text of a string.
    #[inline]
    pub(crate) fn text<'s, E: serde::ser::Error>(
        &self,
        text: &'s Bound<'py, PyString>,
    ) -> Result<&'s str, E> {
        text.to_str().map_err(|_| self.problem("invalid_value", NO_UTF8.to_owned()))
    }

    /// The names of a dataclass's fields, in the order of their declaration.
    pub(crate) fn fields_of(&self, object: &Bound<'py, PyAny>) -> PyResult<Names> {
        let class = object.get_type();
        let key = class.as_ptr() as usize;
        if let Some((_, fields)) = self.fields.borrow().get(&key) {
            return Ok(Rc::clone(fields));
        }
        let fields = self.types.fields.bind(self.py).call1((&class,))?;
        let names = fields
            .try_iter()?
            .map(|field| Ok(field?.getattr("name")?.cast_into::<PyString>()?.unbind()));
        let names: Names = names.collect::<PyResult<Vec<_>>>()?.into();
        self.fields.borrow_mut().insert(key, (class.unbind(), Rc::clone(&names)));
        Ok(names)
    }
}

/// Warns that a text does not hold the columns of a frame.
pub(crate) fn warn_of_columns(py: Python<'_>, names: &[String]) -> PyResult<()> {
    static WARN: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let warn = WARN.import(py, "wire_formats._frames", "warn_of_columns")?;
    warn.call1((names,)).map(drop)
}

/// A path from the outside in, as `$.orders[2].id`.
pub(crate) fn shown_path<'s>(steps: impl Iterator<Item = &'s Step>) -> String {
    let mut path = String::from("$");
    for step in steps {
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

/// Whether a key reads well behind a point.
fn is_name(key: &str) -> bool {
    !key.is_empty()
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !key.as_bytes()[0].is_ascii_digit()
}

/// Whether an object is `pandas.NA`, which is null in a frame, too.
fn is_missing(object: &Bound<'_, PyAny>) -> bool {
    let class = object.get_type();
    class.name().is_ok_and(|name| name == "NAType")
        && class.module().is_ok_and(|module| module.to_string().starts_with("pandas."))
}

/// The name of an object's class, with its module.
pub(crate) fn class_name(object: &Bound<'_, PyAny>) -> String {
    object
        .get_type()
        .fully_qualified_name()
        .map_or_else(|_| "?".to_owned(), |name| name.to_string())
}
