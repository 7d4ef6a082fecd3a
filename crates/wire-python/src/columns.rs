//! Rows that were read as Arrow columns, for whatever takes the Arrow C stream interface:
//! `loads_arrow`.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{LargeStringBuilder, StringBuilder};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int64Array, ListArray, NullArray, RecordBatch,
    RecordBatchIterator, RecordBatchOptions, StructArray, UInt64Array,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, Field, Fields, Schema};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::error::{Format, Problem};
use crate::tape::{Node, Tape};
use crate::walk::{Step, shown_path};

/// Rows as columns. Libraries that read the Arrow C stream interface accept it, without copying.
///
/// >>> from wire_formats import gcf
/// >>> table = gcf.loads_arrow(gcf.dumps([{"id": 1, "name": "Ann"}, {"id": 2, "name": None}]))
/// >>> table
/// <Table: 2 rows of id, name>
///
/// `polars.DataFrame(table)`, `pandas.DataFrame.from_arrow(table)`, `pyarrow.table(table)`;
/// `duckdb.sql("from rows")` where `rows` is the variable
#[pyclass(module = "wire_formats", frozen)]
pub(crate) struct Table(RecordBatch);

#[pymethods]
impl Table {
    /// The rows as a stream of the Arrow PyCapsule interface. The schema that is asked for is not
    /// looked at: cast afterwards.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batches = RecordBatchIterator::new([Ok(self.0.clone())], self.0.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// The names and types of the columns, as a schema of the Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.0.schema()).map_err(unexpected)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.0.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The number of rows.
    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn __bool__(&self) -> bool {
        self.0.num_rows() > 0
    }

    fn __repr__(&self) -> String {
        let columns = self.columns().join(", ");
        let of = if columns.is_empty() { "" } else { " of " };
        format!("<Table: {} rows{of}{columns}>", self.0.num_rows())
    }
}

fn unexpected(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Why there are no columns: at which node, by its path.
pub(crate) struct Refused {
    code: &'static str,
    message: String,
    path: String,
}

impl Refused {
    pub(crate) fn raise(self, py: Python<'_>, format: Format) -> PyErr {
        let overflow = self.code == "out_of_range";
        Problem::new(self.code, self.message).raise(py, format, Some(&self.path), overflow)
    }
}

impl Table {
    /// The rows of a value. No Python runs here.
    pub(crate) fn new(tape: &Tape<'_>) -> Result<Table, Refused> {
        let tree = Tree::new(tape);
        let Some(root) = tape.nodes().len().checked_sub(1) else {
            return Ok(Table(RecordBatch::new_empty(Arc::new(Schema::empty()))));
        };
        if !matches!(tape.nodes()[root], Node::Array(_)) {
            let expected = "an array of objects; read it by `loads`, and take the rows from there";
            return Err(tree.refuse(root, "invalid_value", expected));
        }
        let rows = tree.items(root);
        if let Some(&other) =
            rows.iter().find(|row| !matches!(tape.nodes()[**row], Node::Object(_)))
        {
            return Err(tree.refuse(other, "invalid_value", "an object, since each row is one"));
        }
        let cells: Vec<Option<usize>> = rows.iter().copied().map(Some).collect();
        let (fields, columns) = tree.members(&cells)?;
        let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
        let schema = Arc::new(Schema::new(fields));
        RecordBatch::try_new_with_options(schema, columns, &options)
            .map(Table)
            .map_err(|error| tree.refused(root, "invalid_value", error.to_string()))
    }
}

/// A tape, and where the subtree of each node begins.
struct Tree<'t> {
    tape: &'t Tape<'t>,
    starts: Vec<usize>,
}

/// What a column holds. Absent members and null fit any.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bool,
    Number,
    Text,
    Array,
    Object,
}

impl Kind {
    fn of(node: Node<'_>) -> Option<Kind> {
        Some(match node {
            Node::Null => return None,
            Node::Bool(_) => Kind::Bool,
            Node::Integer(_) | Node::Unsigned(_) | Node::Double(_) | Node::Digits(..) => {
                Kind::Number
            }
            Node::Text(..) | Node::Lent(_) | Node::Key(_) => Kind::Text,
            Node::Array(_) => Kind::Array,
            Node::Object(_) => Kind::Object,
        })
    }

    const fn name(self) -> &'static str {
        match self {
            Kind::Bool => "a truth value",
            Kind::Number => "a number",
            Kind::Text => "a string",
            Kind::Array => "an array",
            Kind::Object => "an object",
        }
    }
}

impl<'t> Tree<'t> {
    fn new(tape: &'t Tape<'t>) -> Self {
        let mut starts = Vec::with_capacity(tape.nodes().len());
        // Where the values begin that no container has yet.
        let mut open: Vec<usize> = Vec::new();
        for (at, node) in tape.nodes().iter().enumerate() {
            let count = match *node {
                Node::Array(count) => count,
                Node::Object(count) => 2 * count,
                _ => 0,
            };
            let start = if count == 0 { at } else { open[open.len() - count] };
            open.truncate(open.len() - count);
            open.push(start);
            starts.push(start);
        }
        Tree { tape, starts }
    }

    /// The nodes of what a container holds: of an object its keys and values in turn.
    fn items(&self, at: usize) -> Vec<usize> {
        let count = match self.tape.nodes()[at] {
            Node::Array(count) => count,
            Node::Object(count) => 2 * count,
            _ => 0,
        };
        let mut items = vec![0; count];
        let mut end = at;
        for item in items.iter_mut().rev() {
            *item = end - 1;
            end = self.starts[end - 1];
        }
        items
    }

    /// A column of these cells; a cell that is absent is null.
    fn column(&self, cells: &[Option<usize>]) -> Result<ArrayRef, Refused> {
        let mut found = None;
        for &at in cells.iter().flatten() {
            let Some(kind) = Kind::of(self.tape.nodes()[at]) else { continue };
            match found {
                None => found = Some(kind),
                Some(other) if other == kind => {}
                Some(other) => {
                    let expected = format!(
                        "{}, as before in this column; use `loads`, which reads any value",
                        other.name()
                    );
                    return Err(self.refuse(at, "invalid_value", &expected));
                }
            }
        }
        match found {
            None => Ok(Arc::new(NullArray::new(cells.len()))),
            Some(Kind::Bool) => {
                let truths = self.nodes(cells).map(|node| match node {
                    Some(Node::Bool(truth)) => Some(truth),
                    _ => None,
                });
                Ok(Arc::new(truths.collect::<BooleanArray>()))
            }
            Some(Kind::Number) => self.numbers(cells),
            Some(Kind::Text) => Ok(self.texts(cells)),
            Some(Kind::Array) => self.lists(cells),
            Some(Kind::Object) => {
                let (fields, columns) = self.members(cells)?;
                let present = self.present(cells);
                if fields.is_empty() {
                    let empty = StructArray::new_empty_fields(cells.len(), Some(present));
                    return Ok(Arc::new(empty));
                }
                Ok(Arc::new(StructArray::new(fields, columns, Some(present))))
            }
        }
    }

    fn nodes<'c>(
        &'c self,
        cells: &'c [Option<usize>],
    ) -> impl ExactSizeIterator<Item = Option<Node<'t>>> + 'c {
        cells.iter().map(|cell| cell.map(|at| self.tape.nodes()[at]))
    }

    fn present(&self, cells: &[Option<usize>]) -> NullBuffer {
        self.nodes(cells).map(|node| !matches!(node, None | Some(Node::Null))).collect()
    }

    /// Integers of 64 bits, or doubles where there is one. No number becomes another one.
    fn numbers(&self, cells: &[Option<usize>]) -> Result<ArrayRef, Refused> {
        let (mut has_double, mut has_unsigned) = (false, false);
        for node in self.nodes(cells).flatten() {
            has_double |= matches!(node, Node::Double(_));
            has_unsigned |= matches!(node, Node::Unsigned(_));
        }
        for &at in cells.iter().flatten() {
            let (code, expected) = match self.tape.nodes()[at] {
                Node::Digits(..) => ("out_of_range", "an integer of 64 bits"),
                Node::Integer(integer) if has_double && !is_exact(integer) => {
                    ("invalid_value", "an integer that a double holds, since the column has some")
                }
                Node::Unsigned(_) if has_double => {
                    ("out_of_range", "an integer that a double holds, since the column has some")
                }
                Node::Integer(integer) if has_unsigned && integer < 0 => {
                    ("out_of_range", "an integer from 0, since the column has one beyond 2^63")
                }
                _ => continue,
            };
            return Err(self.refuse(at, code, expected));
        }
        if has_double {
            #[allow(clippy::cast_precision_loss)] // those that would lose some were refused
            let doubles = self.nodes(cells).map(|node| match node {
                Some(Node::Double(double)) => Some(double),
                Some(Node::Integer(integer)) => Some(integer as f64),
                _ => None,
            });
            return Ok(Arc::new(doubles.collect::<Float64Array>()));
        }
        if has_unsigned {
            let integers = self.nodes(cells).map(|node| match node {
                Some(Node::Unsigned(integer)) => Some(integer),
                Some(Node::Integer(integer)) => u64::try_from(integer).ok(),
                _ => None,
            });
            return Ok(Arc::new(integers.collect::<UInt64Array>()));
        }
        let integers = self.nodes(cells).map(|node| match node {
            Some(Node::Integer(integer)) => Some(integer),
            _ => None,
        });
        Ok(Arc::new(integers.collect::<Int64Array>()))
    }

    fn texts(&self, cells: &[Option<usize>]) -> ArrayRef {
        let texts = || self.nodes(cells).map(|node| node.and_then(|node| self.tape.text_of(node)));
        let bytes: usize = texts().flatten().map(str::len).sum();
        // Offsets of 32 bits are what every reader has; above them there are long ones.
        if i32::try_from(bytes).is_ok() {
            let mut column = StringBuilder::with_capacity(cells.len(), bytes);
            texts().for_each(|text| column.append_option(text));
            return Arc::new(column.finish());
        }
        let mut column = LargeStringBuilder::with_capacity(cells.len(), bytes);
        texts().for_each(|text| column.append_option(text));
        Arc::new(column.finish())
    }

    fn lists(&self, cells: &[Option<usize>]) -> Result<ArrayRef, Refused> {
        let mut inner = Vec::new();
        let mut lengths = Vec::with_capacity(cells.len());
        for cell in cells {
            let items = cell.map(|at| self.items(at)).unwrap_or_default();
            lengths.push(items.len());
            inner.extend(items.into_iter().map(Some));
            if let (Err(_), Some(at)) = (i32::try_from(inner.len()), *cell) {
                let expected = "fewer than 2^31 items in the lists of a column";
                return Err(self.refuse(at, "out_of_range", expected));
            }
        }
        let items = self.column(&inner)?;
        let field = Arc::new(Field::new("item", items.data_type().clone(), true));
        let offsets = OffsetBuffer::from_lengths(lengths);
        Ok(Arc::new(ListArray::new(field, offsets, items, Some(self.present(cells)))))
    }

    /// A column for each key of the objects, in the order in which keys appear.
    fn members(&self, cells: &[Option<usize>]) -> Result<(Fields, Vec<ArrayRef>), Refused> {
        let mut places: HashMap<usize, usize> = HashMap::new();
        let mut columns: Vec<(usize, Vec<Option<usize>>)> = Vec::new();
        for (row, cell) in cells.iter().enumerate() {
            let Some(at) = *cell else { continue };
            let Node::Object(_) = self.tape.nodes()[at] else { continue };
            for pair in self.items(at).chunks_exact(2) {
                let &[key, value] = pair else { continue };
                let Node::Key(key) = self.tape.nodes()[key] else { continue };
                let place = *places.entry(key).or_insert_with(|| {
                    columns.push((key, vec![None; cells.len()]));
                    columns.len() - 1
                });
                columns[place].1[row] = Some(value);
            }
        }
        let mut fields = Vec::with_capacity(columns.len());
        let mut arrays = Vec::with_capacity(columns.len());
        for (key, cells) in columns {
            let array = self.column(&cells)?;
            fields.push(Field::new(self.tape.key(key), array.data_type().clone(), true));
            arrays.push(array);
        }
        Ok((Fields::from(fields), arrays))
    }

    #[cold]
    fn refuse(&self, at: usize, code: &'static str, expected: &str) -> Refused {
        let found = match self.tape.nodes()[at] {
            Node::Integer(integer) => integer.to_string(),
            Node::Unsigned(integer) => integer.to_string(),
            Node::Digits(..) => "a longer integer".to_owned(),
            node => Kind::of(node).map_or("None", Kind::name).to_owned(),
        };
        self.refused(at, code, format!("the value is {found}, expected {expected}"))
    }

    /// The path of a node is found from the root.
    #[cold]
    fn refused(&self, at: usize, code: &'static str, message: String) -> Refused {
        let mut steps = Vec::new();
        let mut node = self.tape.nodes().len() - 1;
        while node != at {
            let items = self.items(node);
            let place = items.partition_point(|item| *item < at);
            let Some(&next) = items.get(place) else { break };
            steps.push(match (self.tape.nodes()[node], place.checked_sub(1)) {
                (Node::Object(_), Some(before)) => match self.tape.nodes()[items[before]] {
                    Node::Key(key) => Step::Key(self.tape.key(key).to_owned()),
                    _ => Step::Index(place),
                },
                _ => Step::Index(place),
            });
            node = next;
        }
        Refused { code, message, path: shown_path(steps.iter()) }
    }
}

/// Whether a double holds the integer.
fn is_exact(integer: i64) -> bool {
    let significant = integer.unsigned_abs() >> integer.trailing_zeros().min(63);
    significant <= 1 << 53
}
