//! Rows of scalars, for sets with a key and for streams, whose rows have no attachments.

use serde::Serialize;
use wire_core::__private::text::shown;

use super::Encoder;
use super::keys::KeyId;
use super::record::tape_of;
use super::table::Table;
use super::tape::Node;
use crate::{Error, ErrorKind};

/// The fields of rows, and the tokens of each row; `None` if a row does not have the field.
#[derive(Debug)]
pub(in crate::generic) struct ScalarRows {
    pub(in crate::generic) fields: Vec<String>,
    pub(in crate::generic) rows: Vec<Vec<Option<String>>>,
    /// The keys of the objects, if they are the members of an object.
    pub(in crate::generic) keys: Option<Vec<String>>,
}

#[cold]
fn refused<T>(message: impl Into<String>) -> Result<T, Error> {
    Err(Error::encode(ErrorKind::NotKeyed, message))
}

/// The rows of an array or object of objects of scalars.
pub(in crate::generic) fn scalar_rows<T: Serialize + ?Sized>(
    value: &T,
) -> Result<ScalarRows, Error> {
    let tape = tape_of(value)?;
    let name = |key: KeyId| tape.shapes.names.text(key).to_owned();
    let keys = match tape.node(0) {
        Node::Array { .. } => None,
        Node::Object { shape, .. } => {
            Some(tape.shapes.keys(shape).iter().copied().map(name).collect())
        }
        _ => return refused("the value is a scalar, expected an array or object of objects"),
    };
    let items: Vec<usize> = tape.children(0).collect();
    let Some(table) = Table::union(&tape, &items, Encoder::new()) else {
        return refused("a row is not an object, expected objects of scalars");
    };
    let mut rows = Vec::with_capacity(items.len());
    for &item in &items {
        let mut row = vec![None; table.fields.len()];
        let Node::Object { shape, .. } = tape.node(item) else { continue };
        for (&place, value) in table.places(shape).iter().zip(tape.children(item)) {
            if !tape.is_scalar(value) {
                let field = shown(&name(table.fields[place as usize].key));
                return refused(format!(
                    "the field {field} of a row is an array or object, expected a scalar"
                ));
            }
            row[place as usize] = Some(tape.scalar(value).to_owned());
        }
        rows.push(row);
    }
    let fields = table.fields.iter().map(|field| name(field.key)).collect();
    Ok(ScalarRows { fields, rows, keys })
}
