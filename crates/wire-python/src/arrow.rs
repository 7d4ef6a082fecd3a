//! Frames and tables as rows, and columns as arrays, by the Arrow C stream interface: pandas,
//! Polars, PyArrow, `DuckDB`, and whoever else has it.

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::types::{
    Date32Type, Date64Type, Decimal128Type, Decimal256Type, DurationMicrosecondType,
    DurationMillisecondType, DurationNanosecondType, DurationSecondType, Float16Type, Float32Type,
    Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, Time32MillisecondType,
    Time32SecondType, Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayReader, ArrayRef, ArrowPrimitiveType, FixedSizeListArray, LargeListArray,
    ListArray, StringArray, StructArray, downcast_dictionary_array,
};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, TimeUnit};
use std::sync::Arc;

use chrono::{DateTime, FixedOffset, NaiveDateTime, NaiveTime};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyList};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use crate::error::Format;
use crate::walk::{Step, Walk};

/// The rows of a frame, or the values of a column.
pub(crate) struct Rows<'w, 'a, 'py> {
    walk: &'w Walk<'a, 'py>,
    chunks: Vec<ArrayRef>,
    /// Whether it is the whole object.
    is_whole: bool,
    /// The type of the rows.
    field: FieldRef,
}

/// How a frame is read.
pub(crate) enum Frame<'w, 'a, 'py> {
    Rows(Rows<'w, 'a, 'py>),
    /// The rows or values as a list, because the values of a column have several types.
    Objects(Bound<'py, PyAny>),
}

impl<'w, 'a, 'py> Rows<'w, 'a, 'py> {
    /// Reads all that the stream of an object has, without copying its columns.
    pub(crate) fn read<E: serde::ser::Error>(
        walk: &'w Walk<'a, 'py>,
        object: &Bound<'py, PyAny>,
        is_whole: bool,
    ) -> Result<Frame<'w, 'a, 'py>, E> {
        let readable = walk.types.readable.bind(walk.py()).call1((object, walk.index));
        let (given, refused): (Bound<'py, PyAny>, Option<String>) =
            readable.and_then(|readable| readable.extract()).map_err(|error| walk.raised(error))?;
        if let Some(refused) = refused {
            return Err(walk.problem("duplicate_key", refused));
        }
        if given.is_instance_of::<PyList>() {
            return Ok(Frame::Objects(given));
        }
        let read = |object: &Bound<'py, PyAny>| {
            chunks_of(walk.py(), object).map_err(|error| walk.raised::<E>(error))
        };
        let mut found = read(&given)?;
        if found.is_err() {
            // Polars exports columns of nothing but null in a way that can't be imported.
            let module = PyModule::import(walk.py(), "wire_formats._frames");
            let other = module.and_then(|module| module.call_method1("without_null", (object,)));
            let other = other.map_err(|error| walk.raised::<E>(error))?;
            if !other.is_none() {
                found = read(&other)?;
            }
        }
        let (field, chunks) = found.map_err(|error| {
            walk.problem("invalid_value", format!("a frame can't be read: {error}"))
        })?;
        if let Some(name) = unreadable(&field) {
            return Err(walk.unsupported(format!(
                "a column is of the Arrow extension type {name}, which has no form here; cast it before"
            )));
        }
        let has_uuid = has_uuid(&field);
        let chunks = chunks.into_iter();
        let chunks = chunks.map(|chunk| if has_uuid { with_uuids(&field, &chunk) } else { chunk });
        Ok(Frame::Rows(Rows { walk, chunks: chunks.collect(), is_whole, field }))
    }
}

/// A field and its chunks, or why they are not valid.
type Stream = Result<(FieldRef, Vec<ArrayRef>), ArrowError>;

/// What the stream of an object has.
fn chunks_of(py: Python<'_>, object: &Bound<'_, PyAny>) -> PyResult<Stream> {
    let capsule = object.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
    let stream = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    // SAFETY: by the Arrow PyCapsule interface a capsule of this name, which was checked, holds
    // a valid `ArrowArrayStream`. It is moved out, and what is left is marked as released, so
    // that the capsule's destructor does nothing.
    #[allow(unsafe_code)]
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr().cast()) };
    // The producer may need the GIL in threads of its own.
    Ok(py.detach(|| {
        let reader = ArrayStreamReader::try_new(stream)?;
        let field = FieldRef::clone(reader.field());
        let chunks = reader.collect::<Result<Vec<_>, _>>()?;
        // Strings may be no UTF-8, and the keys of dictionaries may be beyond their values.
        chunks.iter().try_for_each(|chunk| chunk.to_data().validate_full())?;
        Ok((field, chunks))
    }))
}

/// The extension type of a column whose numbers mean something else.
fn unreadable(field: &Field) -> Option<&str> {
    let name = field.extension_type_name();
    if let Some(
        "pandas.period"
        | "pandas.interval"
        | "arrow.bool8"
        | "arrow.fixed_shape_tensor"
        | "arrow.variable_shape_tensor",
    ) = name
    {
        return name;
    }
    match field.data_type() {
        DataType::Struct(fields) => fields.iter().find_map(|field| unreadable(field)),
        DataType::List(of) | DataType::LargeList(of) | DataType::FixedSizeList(of, _) => {
            unreadable(of)
        }
        _ => None,
    }
}

/// The name of the canonical extension type of UUIDs, which are 16 bytes.
const UUID: &str = "arrow.uuid";

fn has_uuid(field: &Field) -> bool {
    match field.data_type() {
        DataType::Struct(fields) => fields.iter().any(|field| has_uuid(field)),
        DataType::List(of) | DataType::LargeList(of) | DataType::FixedSizeList(of, _) => {
            has_uuid(of)
        }
        DataType::FixedSizeBinary(16) => field.extension_type_name() == Some(UUID),
        _ => false,
    }
}

/// A column with texts for its UUIDs.
fn with_uuids(field: &Field, column: &ArrayRef) -> ArrayRef {
    let inner = |of: &FieldRef, values: &ArrayRef| {
        let values = with_uuids(of, values);
        (Arc::new(Field::new(of.name(), values.data_type().clone(), true)), values)
    };
    match field.data_type() {
        _ if !has_uuid(field) => ArrayRef::clone(column),
        DataType::Struct(fields) => {
            let own = column.as_struct();
            let (fields, columns): (Vec<_>, Vec<_>) =
                fields.iter().zip(own.columns()).map(|(of, values)| inner(of, values)).unzip();
            Arc::new(StructArray::new(fields.into(), columns, own.nulls().cloned()))
        }
        DataType::List(of) => {
            let own = column.as_list::<i32>();
            let (of, values) = inner(of, own.values());
            Arc::new(ListArray::new(of, own.offsets().clone(), values, own.nulls().cloned()))
        }
        DataType::LargeList(of) => {
            let own = column.as_list::<i64>();
            let (of, values) = inner(of, own.values());
            Arc::new(LargeListArray::new(of, own.offsets().clone(), values, own.nulls().cloned()))
        }
        DataType::FixedSizeList(of, size) => {
            let own = column.as_fixed_size_list();
            let (of, values) = inner(of, own.values());
            Arc::new(FixedSizeListArray::new(of, *size, values, own.nulls().cloned()))
        }
        _ => {
            let uuids = column.as_fixed_size_binary().iter();
            Arc::new(uuids.map(|bytes| bytes.map(uuid)).collect::<StringArray>())
        }
    }
}

/// The text of a UUID.
fn uuid(bytes: &[u8]) -> String {
    let number = bytes.try_into().map_or(0, u128::from_be_bytes);
    let hex = format!("{number:032x}");
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

impl Serialize for Rows<'_, '_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let count = self.chunks.iter().map(Array::len).sum();
        if let (0, DataType::Struct(fields)) = (count, self.field.data_type()) {
            let names = fields.iter().map(|field| field.name().clone()).collect();
            self.walk.no_rows(names, self.is_whole)?;
        }
        let mut rows = serializer.serialize_seq(Some(count))?;
        let mut number = 0;
        for chunk in &self.chunks {
            let frame = chunk.as_struct_opt().map(|frame| {
                let columns = frame.fields().iter().zip(frame.columns());
                columns
                    .map(|(field, column)| (field.name().as_str(), column))
                    .unzip::<_, _, Vec<_>, Vec<_>>()
            });
            for index in 0..chunk.len() {
                let written = match &frame {
                    Some((names, columns)) if chunk.is_valid(index) => {
                        rows.serialize_element(&Row { walk: self.walk, names, columns, index })
                    }
                    _ => rows.serialize_element(&Cell { walk: self.walk, column: chunk, index }),
                };
                written.inspect_err(|_| self.walk.step(Step::Index(number)))?;
                number += 1;
            }
        }
        rows.end()
    }
}

/// A row of a batch, or what a cell of structs holds.
struct Row<'r, 'w, 'a, 'py> {
    walk: &'w Walk<'a, 'py>,
    names: &'r [&'r str],
    columns: &'r [&'r ArrayRef],
    index: usize,
}

impl Serialize for Row<'_, '_, '_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.walk.format == Format::Json {
            self.walk.check_distinct(self.names)?;
        }
        let mut map = serializer.serialize_map(Some(self.names.len()))?;
        for (name, column) in self.names.iter().zip(self.columns) {
            let cell = Cell { walk: self.walk, column, index: self.index };
            map.serialize_entry(name, &cell)
                .inspect_err(|_| self.walk.step(Step::Key((*name).to_owned())))?;
        }
        map.end()
    }
}

/// A cell.
struct Cell<'r, 'w, 'a, 'py> {
    walk: &'w Walk<'a, 'py>,
    column: &'r dyn Array,
    index: usize,
}

impl Serialize for Cell<'_, '_, '_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Cell { walk, column, index } = *self;
        if column.is_null(index) {
            return serializer.serialize_unit();
        }
        macro_rules! primitive {
            ($type:ty) => {
                column.as_primitive::<$type>().value(index)
            };
        }
        match column.data_type() {
            DataType::Null => serializer.serialize_unit(),
            DataType::Boolean => serializer.serialize_bool(column.as_boolean().value(index)),
            DataType::Int8 => serializer.serialize_i8(primitive!(Int8Type)),
            DataType::Int16 => serializer.serialize_i16(primitive!(Int16Type)),
            DataType::Int32 => serializer.serialize_i32(primitive!(Int32Type)),
            DataType::Int64 => serializer.serialize_i64(primitive!(Int64Type)),
            DataType::UInt8 => serializer.serialize_u8(primitive!(UInt8Type)),
            DataType::UInt16 => serializer.serialize_u16(primitive!(UInt16Type)),
            DataType::UInt32 => serializer.serialize_u32(primitive!(UInt32Type)),
            DataType::UInt64 => walk.unsigned(primitive!(UInt64Type), serializer),
            DataType::Float16 => walk.double(widen_f16(primitive!(Float16Type)), serializer),
            DataType::Float32 => {
                // A single has its own shortest digits, which read back as the same single.
                walk.double(wire_core::number::widen_f32(primitive!(Float32Type)), serializer)
            }
            DataType::Float64 => walk.double(primitive!(Float64Type), serializer),
            DataType::Utf8 => serializer.serialize_str(column.as_string::<i32>().value(index)),
            DataType::LargeUtf8 => serializer.serialize_str(column.as_string::<i64>().value(index)),
            DataType::Utf8View => serializer.serialize_str(column.as_string_view().value(index)),
            DataType::Binary => self.bytes(column.as_binary::<i32>().value(index), serializer),
            DataType::LargeBinary => self.bytes(column.as_binary::<i64>().value(index), serializer),
            DataType::BinaryView => self.bytes(column.as_binary_view().value(index), serializer),
            DataType::FixedSizeBinary(_) => {
                self.bytes(column.as_fixed_size_binary().value(index), serializer)
            }
            DataType::Decimal128(..) => serializer
                .serialize_str(&column.as_primitive::<Decimal128Type>().value_as_string(index)),
            DataType::Decimal256(..) => serializer
                .serialize_str(&column.as_primitive::<Decimal256Type>().value_as_string(index)),
            DataType::Date32 => {
                self.date(i64::from(primitive!(Date32Type)) * 86_400_000, serializer)
            }
            DataType::Date64 => self.date(primitive!(Date64Type), serializer),
            DataType::Timestamp(unit, zone) => {
                let (count, per_second) = match unit {
                    TimeUnit::Second => (primitive!(TimestampSecondType), 1),
                    TimeUnit::Millisecond => (primitive!(TimestampMillisecondType), 1_000),
                    TimeUnit::Microsecond => (primitive!(TimestampMicrosecondType), 1_000_000),
                    TimeUnit::Nanosecond => (primitive!(TimestampNanosecondType), 1_000_000_000),
                };
                self.timestamp(count, per_second, zone.as_deref(), serializer)
            }
            DataType::Time32(TimeUnit::Second) => {
                self.time(i64::from(primitive!(Time32SecondType)), 1, serializer)
            }
            DataType::Time32(_) => {
                self.time(i64::from(primitive!(Time32MillisecondType)), 1_000, serializer)
            }
            DataType::Time64(TimeUnit::Nanosecond) => {
                self.time(primitive!(Time64NanosecondType), 1_000_000_000, serializer)
            }
            DataType::Time64(_) => {
                self.time(primitive!(Time64MicrosecondType), 1_000_000, serializer)
            }
            DataType::Duration(unit) => {
                let (count, per_second) = match unit {
                    TimeUnit::Second => (primitive!(DurationSecondType), 1),
                    TimeUnit::Millisecond => (primitive!(DurationMillisecondType), 1_000),
                    TimeUnit::Microsecond => (primitive!(DurationMicrosecondType), 1_000_000),
                    TimeUnit::Nanosecond => (primitive!(DurationNanosecondType), 1_000_000_000),
                };
                self.duration(count, per_second, serializer)
            }
            DataType::List(_) => self.items(&*column.as_list::<i32>().value(index), serializer),
            DataType::LargeList(_) => {
                self.items(&*column.as_list::<i64>().value(index), serializer)
            }
            DataType::FixedSizeList(..) => {
                self.items(&*column.as_fixed_size_list().value(index), serializer)
            }
            DataType::Struct(fields) => {
                let names: Vec<&str> = fields.iter().map(|field| field.name().as_str()).collect();
                let columns: Vec<&ArrayRef> = column.as_struct().columns().iter().collect();
                Row { walk, names: &names, columns: &columns, index }.serialize(serializer)
            }
            DataType::Dictionary(..) => downcast_dictionary_array! {
                column => match column.key(index) {
                    Some(key) => Cell { walk, column: &**column.values(), index: key }.serialize(serializer),
                    None => serializer.serialize_unit(),
                },
                _ => Err(self.unsupported()),
            },
            _ => Err(self.unsupported()),
        }
    }
}

impl Cell<'_, '_, '_, '_> {
    #[cold]
    fn unsupported<E: serde::ser::Error>(&self) -> E {
        let name = self.column.data_type();
        self.walk.unsupported(format!(
            "a column is of the Arrow type {name}, which has no form here; cast it before"
        ))
    }

    /// Bytes are for `default=`, which has to make a text of them.
    fn bytes<S: Serializer>(&self, bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        let bytes = PyBytes::new(self.walk.py(), bytes);
        let instead = self.walk.default_of(bytes.as_any())?;
        let text = instead.extract::<String>().map_err(|_| {
            self.walk.unsupported("`default` makes no text of the bytes of a column".to_owned())
        })?;
        serializer.serialize_str(&text)
    }

    fn items<S: Serializer>(&self, items: &dyn Array, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(items.len()))?;
        for index in 0..items.len() {
            let cell = Cell { walk: self.walk, column: items, index };
            list.serialize_element(&cell).inspect_err(|_| self.walk.step(Step::Index(index)))?;
        }
        list.end()
    }

    fn date<S: Serializer>(&self, milliseconds: i64, serializer: S) -> Result<S::Ok, S::Error> {
        let date = DateTime::from_timestamp_millis(milliseconds);
        let date = date.ok_or_else(|| self.not_a_time())?;
        serializer.collect_str(&date.format("%Y-%m-%d"))
    }

    /// As `datetime.isoformat` writes it. A zone that is not known here is written in UTC: the same
    /// instant.
    fn timestamp<S: Serializer>(
        &self,
        count: i64,
        per_second: i64,
        zone: Option<&str>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let seconds = count.div_euclid(per_second);
        let nanoseconds = count.rem_euclid(per_second) * (1_000_000_000 / per_second);
        let nanoseconds = u32::try_from(nanoseconds).unwrap_or_default();
        let instant =
            DateTime::from_timestamp(seconds, nanoseconds).ok_or_else(|| self.not_a_time())?;
        let offset = match zone {
            Some(zone) => Some(self.offset(zone, seconds)?),
            None => None,
        };
        let local: NaiveDateTime = match offset {
            Some(Some(offset)) => instant.with_timezone(&offset).naive_local(),
            _ => instant.naive_utc(),
        };
        let digits = fraction(nanoseconds);
        let suffix = match offset {
            None => String::new(),
            Some(offset) => offset.map_or_else(|| "+00:00".to_owned(), |offset| offset.to_string()),
        };
        let local = local.format("%Y-%m-%dT%H:%M:%S");
        serializer.collect_str(&format_args!("{local}{digits}{suffix}"))
    }

    /// The offset of a zone at an instant: in its name, or as Python's database has it.
    fn offset<E: serde::ser::Error>(
        &self,
        zone: &str,
        seconds: i64,
    ) -> Result<Option<FixedOffset>, E> {
        if let Ok(offset) = zone.parse() {
            return Ok(Some(offset));
        }
        let walk = self.walk;
        let offset = walk.types.offset.bind(walk.py()).call1((zone, seconds));
        let offset: Option<i32> =
            offset.and_then(|offset| offset.extract()).map_err(|error| walk.raised(error))?;
        Ok(offset.and_then(FixedOffset::east_opt))
    }

    /// A time of day, as `time.isoformat` writes it.
    fn time<S: Serializer>(
        &self,
        count: i64,
        per_second: i64,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let nanoseconds = count.rem_euclid(per_second) * (1_000_000_000 / per_second);
        let seconds = u32::try_from(count.div_euclid(per_second)).ok();
        let nanoseconds = u32::try_from(nanoseconds).unwrap_or_default();
        let time = seconds
            .and_then(|seconds| NaiveTime::from_num_seconds_from_midnight_opt(seconds, nanoseconds))
            .ok_or_else(|| self.not_a_time())?;
        let digits = fraction(nanoseconds);
        serializer.collect_str(&format_args!("{}{digits}", time.format("%H:%M:%S")))
    }

    /// A duration, as a `timedelta` is written.
    fn duration<S: Serializer>(
        &self,
        count: i64,
        per_second: i64,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let walk = self.walk;
        let text = walk.types.duration.bind(walk.py()).call1((count, per_second));
        let text: String =
            text.and_then(|text| text.extract()).map_err(|error| walk.raised(error))?;
        serializer.serialize_str(&text)
    }

    #[cold]
    fn not_a_time<E: serde::ser::Error>(&self) -> E {
        self.walk.unsupported("a date or time is outside of the years that have a form".to_owned())
    }
}

type F16 = <Float16Type as ArrowPrimitiveType>::Native;

/// The double of a half's own shortest digits, which read back as the same half.
fn widen_f16(half: F16) -> f64 {
    let wide = half.to_f64();
    let short = |digits: usize| format!("{wide:.digits$e}").parse().ok();
    let is_same = |double: &f64| F16::from_f64(*double) == half;
    (0..5).filter_map(short).find(is_same).unwrap_or(wide)
}

/// The digits of a second, as Python writes them.
fn fraction(nanoseconds: u32) -> String {
    match nanoseconds {
        0 => String::new(),
        some if some % 1000 == 0 => format!(".{:06}", some / 1000),
        some => format!(".{some:09}"),
    }
}
