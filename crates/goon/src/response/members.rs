//! Deserializes members of the JSON form: ids, positions in paths, lists, rows.

use std::collections::BTreeMap;
use std::fmt;

use crate::strict_value::StrictValue;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use wire_core::text::shown;

/// The cells of a row, by the names of their columns. The cell of a node column is
/// `{type, id, properties}`, as [`Node::to_cell`](crate::Node::to_cell) makes it, or `null` (ruling
/// N12).
pub type Row = BTreeMap<String, Value>;

/// An id: an integer, or a string of its digits.
pub(super) struct Id(pub(super) i64);

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        id(deserializer).map(Id)
    }
}

/// An integer, or a string of its digits.
pub(super) fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    struct IdVisitor;

    impl Visitor<'_> for IdVisitor {
        type Value = i64;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an id: an integer of 64 bits, or a string of its digits")
        }

        fn visit_i64<E>(self, value: i64) -> Result<i64, E> {
            Ok(value)
        }

        fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<i64, E> {
            i64::try_from(value)
                .map_err(|_| E::custom(format!("the id {value} is beyond 64 bits with a sign")))
        }

        fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<i64, E> {
            let id: Option<i64> = text.parse().ok().filter(|id: &i64| id.to_string() == text);
            id.ok_or_else(|| {
                E::custom(format!("the id is {}, expected digits of 64 bits", shown(text)))
            })
        }
    }

    deserializer.deserialize_any(IdVisitor)
}

/// The largest depth, number of a path or of a step.
pub(crate) const LARGEST: u64 = i64::MAX as u64;

/// A depth, a path or a step.
pub(super) fn place<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let place: Option<u64> = Option::deserialize(deserializer)?;
    if place.is_some_and(|place| place > LARGEST) {
        return Err(D::Error::custom(format!("a depth, path or step is larger than {LARGEST}")));
    }
    Ok(place)
}

/// A list, of which `null` is the empty one.
pub(super) fn null_as_default<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// Rows without duplicate cells.
pub(super) fn rows<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Row>, D::Error> {
    struct Cells(Row);

    impl<'de> Deserialize<'de> for Cells {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_map(CellsVisitor).map(Cells)
        }
    }

    struct CellsVisitor;

    impl<'de> Visitor<'de> for CellsVisitor {
        type Value = Row;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object of cells")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Row, A::Error> {
            let mut row = Row::new();
            while let Some(key) = map.next_key::<String>()? {
                let StrictValue(value) = map.next_value()?;
                if row.insert(key.clone(), value).is_some() {
                    return Err(duplicate(&key));
                }
            }
            Ok(row)
        }
    }

    let rows: Vec<Cells> = null_as_default(deserializer)?;
    Ok(rows.into_iter().map(|Cells(row)| row).collect())
}

/// The error of a duplicate member.
pub(super) fn duplicate<E: serde::de::Error>(key: &str) -> E {
    E::custom(format!("duplicate field {}", shown(key)))
}
