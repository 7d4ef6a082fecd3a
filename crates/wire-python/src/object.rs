//! Python objects as what serde serializes: read where they are, without JSON in between (ruling
//! P2).

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PySet, PyString, PyTuple, PyType,
};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, SerializeStruct, Serializer};
use wire_core::json::SERDE_JSON_RAW_VALUE;

use crate::arrow::{Frame, Rows};
use crate::error::Format;
use crate::keys;
use crate::walk::{Step, Walk, class_name};

/// How many containers, and objects that stand for another one, may be around an object. Formats
/// have bounds of their own, which are lower; this one keeps `default=` from going round in
/// circles.
const MAX_DEPTH: usize = 250;

/// An object of a pass, for a serializer.
pub(crate) fn object<'w, 'a, 'py>(
    walk: &'w Walk<'a, 'py>,
    object: &'w Bound<'py, PyAny>,
) -> Object<'w, 'a, 'py> {
    walk.whole.replace(Some(object.clone()));
    Object { walk, object, depth: 0, levels: 0 }
}

/// The limit of nested arrays and objects in GCX1. It is that of JSON text and of GCF, whose
/// encoder checks it itself.
const MAX_LEVELS: usize = 127;

/// An object, and how deep it is.
pub(crate) struct Object<'w, 'a, 'py> {
    walk: &'w Walk<'a, 'py>,
    object: &'w Bound<'py, PyAny>,
    /// The number of objects around it, including those in whose place another one is written.
    depth: usize,
    /// The number of arrays and objects of the text around it.
    levels: usize,
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
            Format::Goon => {
                if let Ok(value) = unsigned {
                    return serializer.serialize_u64(value);
                }
            }
            Format::Gcx | Format::Json => {
                let digits = keys::digits(walk, self.object)?;
                let mut raw = serializer.serialize_struct(SERDE_JSON_RAW_VALUE, 1)?;
                raw.serialize_field(SERDE_JSON_RAW_VALUE, &digits)?;
                return raw.end();
            }
            Format::Gcf | Format::Gcb => {}
        }
        let digits = keys::digits::<S::Error>(walk, self.object);
        Err(walk.too_large(digits.as_deref().unwrap_or("very long")))
    }

    fn double<S: Serializer>(&self, value: f64, serializer: S) -> Result<S::Ok, S::Error> {
        self.walk.double(value, serializer)
    }

    /// What an object holds, one level further in.
    fn inner<'i>(&self, object: &'i Bound<'py, PyAny>) -> Object<'i, 'a, 'py>
    where
        'w: 'i,
    {
        Object { walk: self.walk, object, depth: self.depth + 1, levels: self.levels + 1 }
    }

    /// Checks that so many more levels of arrays and objects are allowed here.
    fn check_levels<E: serde::ser::Error>(&self, levels: usize) -> Result<(), E> {
        self.check_depth()?;
        if self.walk.format != Format::Gcx || self.levels + levels <= MAX_LEVELS {
            return Ok(());
        }
        let message = format!("arrays and objects are nested more than {MAX_LEVELS} levels deep");
        Err(self.walk.problem("too_deep", message))
    }

    fn check_depth<E: serde::ser::Error>(&self) -> Result<(), E> {
        if self.depth < MAX_DEPTH && !self.walk.stack.is_nearly_full() {
            return Ok(());
        }
        let message = "objects are nested too deeply, or one contains itself";
        Err(self.walk.problem("too_deep", message.to_owned()))
    }

    fn dict<S: Serializer>(
        &self,
        dict: &Bound<'py, PyDict>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        self.check_levels(1)?;
        if self.walk.format == Format::Json {
            keys::check(self.walk, dict)?;
        }
        let expected = dict.len();
        let mut map = serializer.serialize_map(Some(expected))?;
        let mut items = dict.iter();
        let ran = self.walk.ran.get();
        // pyo3 panics where a dict changes under its iterator, so that is never let happen: once
        // Python ran, the size is looked at before each step, and there are no more steps than
        // items.
        for _ in 0..expected {
            if self.walk.ran.get() != ran && dict.len() != expected {
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
        if let Some(text) = keys::as_text(key) {
            let name = walk.text(text)?;
            return map
                .serialize_entry(name, &self.inner(value))
                .inspect_err(|_| walk.step(Step::Key(name.to_owned())));
        }
        let name = keys::name(walk, key)?;
        map.serialize_entry(&name, &self.inner(value))
            .inspect_err(|_| walk.step(Step::Key(name.clone())))
    }

    fn list<S: Serializer>(
        &self,
        list: &Bound<'py, PyList>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        self.check_levels(1)?;
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
        self.check_levels(1)?;
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
        let py = walk.py();
        walk.ran.set(walk.ran.get() + 1);
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
            let text = object.call_method0("isoformat").map_err(|error| walk.raised(error))?;
            // pandas' missing value is a datetime, too; in a frame it is null.
            if text.cast::<PyString>().is_ok_and(|text| text == "NaT") {
                return serializer.serialize_unit();
            }
            return self.instead(Ok(text), serializer);
        }
        if is(&walk.types.uuid) {
            return self.instead(object.str().map(Bound::into_any), serializer);
        }
        if is(&walk.types.decimal) {
            return self.decimal(serializer);
        }
        if object.is_instance_of::<PySet>() || object.is_instance_of::<PyFrozenSet>() {
            return self.set(serializer);
        }
        if class.hasattr("__arrow_c_stream__").unwrap_or(false) {
            return self.frame(serializer);
        }
        if class.hasattr("__dataclass_fields__").unwrap_or(false) {
            return self.dataclass(serializer);
        }
        if class.hasattr("model_dump").unwrap_or(false) {
            let model = self.model(object)?;
            return self.instead(Ok(model), serializer);
        }
        let object = match walk.plain(object)? {
            Some(plain) => plain,
            None => walk.default_of(object)?,
        };
        self.instead(Ok(object), serializer)
    }

    /// What pydantic makes of a model for JSON, with the names of the aliases, so that the model
    /// reads it again.
    fn model<E: serde::ser::Error>(
        &self,
        object: &Bound<'py, PyAny>,
    ) -> Result<Bound<'py, PyAny>, E> {
        let walk = self.walk;
        let made = walk.types.dump_model.bind(walk.py()).call1((object, walk.default));
        let made = made.and_then(|made| made.extract());
        let (made, lost, number): (Bound<'py, PyAny>, Option<Vec<Step>>, String) =
            made.map_err(|error| self.model_error(object, error))?;
        let Some(lost) = lost.filter(|_| !walk.nan_is_null) else { return Ok(made) };
        lost.into_iter().rev().for_each(|step| walk.step(step));
        Err(walk.not_finite(&number))
    }

    #[cold]
    fn model_error<E: serde::ser::Error>(&self, object: &Bound<'py, PyAny>, error: PyErr) -> E {
        let walk = self.walk;
        let class = error.get_type(walk.py()).name().map(|name| name.to_string());
        if class.is_ok_and(|class| class == "PydanticSerializationError") {
            let of = class_name(object);
            let said = error.value(walk.py());
            let message = format!("the model {of} can't be written: {said}; pass `default=`");
            return walk.unsupported(message);
        }
        walk.raised(error)
    }

    /// Another object in place of this one.
    fn instead<S: Serializer>(
        &self,
        object: PyResult<Bound<'py, PyAny>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        self.check_depth()?;
        let object = object.map_err(|error| self.walk.raised(error))?;
        Object { walk: self.walk, object: &object, depth: self.depth + 1, levels: self.levels }
            .serialize(serializer)
    }

    /// The rows of a frame, or the values of a column.
    #[inline(never)]
    fn frame<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.check_levels(2)?;
        match Rows::read(self.walk, self.object, self.depth == 0)? {
            Frame::Rows(rows) => rows.serialize(serializer),
            Frame::Objects(list) => self.instead(Ok(list), serializer),
        }
    }

    /// The elements of a set in the order of their JSON texts, so that the bytes are the same in
    /// every process.
    #[inline(never)]
    fn set<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.check_levels(1)?;
        let walk = self.walk;
        let elements = self.object.try_iter().map_err(|error| walk.raised(error))?;
        let mut texts = Vec::new();
        for element in elements {
            let element = element.map_err(|error| walk.raised(error))?;
            texts.push(serde_json::to_string(&self.inner(&element)).map_err(|_| walk.noted())?);
        }
        texts.sort_unstable();
        // Each element is read only once, because it may be an iterator.
        let text = format!("[{}]", texts.join(","));
        self.instead(walk.types.loads_json.bind(walk.py()).call1((text,)), serializer)
    }

    /// A number that is no double: its digits as a text, so that none is lost.
    fn decimal<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let walk = self.walk;
        let finite = self.object.call_method0("is_finite").and_then(|finite| finite.is_truthy());
        let digits = self.object.str().map_err(|error| walk.raised(error))?;
        if finite.map_err(|error| walk.raised(error))? {
            return serializer.serialize_str(walk.text(&digits)?);
        }
        if walk.nan_is_null {
            return serializer.serialize_unit();
        }
        Err(walk.not_finite(walk.text(&digits)?))
    }

    /// Such a class may have an order or items of its own, as `OrderedDict` does.
    fn subclass_of_dict<S: Serializer>(
        &self,
        dict: &Bound<'py, PyDict>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        self.check_levels(1)?;
        let walk = self.walk;
        let items = dict.as_any().call_method0("items").and_then(|items| items.try_iter());
        let items = items.map_err(|error| walk.raised(error))?;
        // For JSON the items are collected, so that their names can be compared first.
        if walk.format == Format::Json {
            let plain = PyDict::new(walk.py());
            let mut count = 0;
            for item in items {
                let (key, value) = self.item(item)?;
                plain.set_item(key, value).map_err(|error| walk.raised(error))?;
                count += 1;
            }
            if plain.len() != count {
                let message = "a key appears twice in the items of an object";
                return Err(walk.problem("duplicate_key", message.to_owned()));
            }
            return self.dict(&plain, serializer);
        }
        let mut map = serializer.serialize_map(Some(dict.len()))?;
        for item in items {
            let (key, value) = self.item(item)?;
            self.member(&mut map, &key, &value)?;
        }
        map.end()
    }

    fn item<E: serde::ser::Error>(
        &self,
        item: PyResult<Bound<'py, PyAny>>,
    ) -> Result<(Bound<'py, PyAny>, Bound<'py, PyAny>), E> {
        item.and_then(|item| item.extract()).map_err(|error| self.walk.raised(error))
    }

    fn dataclass<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.check_levels(1)?;
        let Object { walk, object, .. } = *self;
        let fields = walk.fields_of(object).map_err(|error| walk.raised(error))?;
        let mut map = serializer.serialize_map(Some(fields.len()))?;
        for name in fields.iter() {
            let name = name.bind(walk.py());
            let value = object.getattr(name).map_err(|error| walk.raised(error))?;
            self.member(&mut map, name.as_any(), &value)?;
        }
        map.end()
    }
}
