//! The types of columns, which the metadata `typed` lists so that any JSON is decoded unchanged
//! (ruling X10).

use std::borrow::Cow;
use std::fmt;

use wire_core::text::shown;

use crate::ErrorKind;
use crate::decode::cell::{Beyond, number};
use crate::encode::value::{Style, push_cell, push_double, push_json};
use crate::error::Problem;
use crate::json::{self, Exactly, Json};

/// The value from which a section is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// One object.
    Object,
    /// An array of objects.
    Objects,
    /// Any other array.
    Values,
    /// Any other value.
    Value,
}

impl Shape {
    const ALL: [(Shape, &'static str); 4] = [
        (Shape::Object, "object"),
        (Shape::Objects, "objects"),
        (Shape::Values, "values"),
        (Shape::Value, "value"),
    ];

    /// Returns `true` if there is an array, which declares its rows.
    pub(super) fn is_array(self) -> bool {
        matches!(self, Shape::Objects | Shape::Values)
    }

    /// Returns `true` if the fields are members of objects.
    pub(super) fn has_members(self) -> bool {
        matches!(self, Shape::Object | Shape::Objects)
    }
}

/// The type of all values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    /// Strings without carriage returns.
    String,
    Integer,
    Float,
    Boolean,
    Null,
    /// Anything, as compact JSON.
    Json,
}

/// The meaning of an empty cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Empty {
    /// It is read as the type: the empty string, or an error. In columns of JSON it is a missing
    /// member.
    Value,
    /// `null`.
    Null,
    /// The member is missing.
    Absent,
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Type {
    base: Base,
    empty: Empty,
}

/// The values seen in a column so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ColumnTypes {
    nulls: bool,
    pub(super) absent: bool,
    empty_strings: bool,
    base: Option<Base>,
}

impl ColumnTypes {
    fn base(&mut self, base: Base) {
        if *self.base.get_or_insert(base) != base {
            self.base = Some(Base::Json);
        }
    }

    fn string(&mut self, text: &str) {
        self.empty_strings |= text.is_empty();
        self.base(if text.contains('\r') { Base::Json } else { Base::String });
    }

    /// Adds the value of a row, or that it has none.
    pub(super) fn value(&mut self, value: Option<&Json<'_>>) {
        match value {
            None => self.absent = true,
            Some(Json::Null) => self.nulls = true,
            Some(Json::Bool(_)) => self.base(Base::Boolean),
            Some(Json::Number(literal)) if json::is_integer(literal) => self.base(Base::Integer),
            Some(Json::Number(_)) => self.base(Base::Float),
            Some(Json::String(text)) => self.string(text),
            Some(Json::Array(_) | Json::Object(_)) => self.base(Base::Json),
        }
    }

    /// Adds a value given as JSON, with marked doubles.
    pub(super) fn json(&mut self, json: &str) {
        match json.as_bytes() {
            [b'n', ..] => self.nulls = true,
            [b't' | b'f', ..] => self.base(Base::Boolean),
            [b'"', ..] if json.contains('\\') => self.string(&unquoted(json)),
            [b'"', rest @ ..] => {
                self.empty_strings |= rest.len() == 1;
                self.base(Base::String);
            }
            [b'[' | b'{', ..] => self.base(Base::Json),
            bytes if bytes.iter().any(|byte| matches!(byte, b'.' | b'e')) => self.base(Base::Float),
            _ => self.base(Base::Integer),
        }
    }

    /// The first type that fits all values.
    pub(super) fn into_type(self) -> Type {
        let json = Type { base: Base::Json, empty: Empty::Value };
        let base = match self.base {
            Some(base) => base,
            None if self.nulls => Base::Null,
            None => Base::String,
        };
        match (base, self.nulls, self.absent) {
            (Base::Null, _, false) => Type { base, empty: Empty::Value },
            (Base::Json | Base::Null, ..) | (_, true, true) => json,
            (_, false, false) => Type { base, empty: Empty::Value },
            (Base::String, ..) if self.empty_strings => json,
            (_, true, false) => Type { base, empty: Empty::Null },
            (_, false, true) => Type { base, empty: Empty::Absent },
        }
    }
}

/// The text of a JSON string.
fn unquoted(json: &str) -> Cow<'_, str> {
    if json.contains('\\') {
        let text = serde_json::from_str::<String>(json);
        return text.expect("because it was written as a JSON string").into();
    }
    json.trim_matches('"').into()
}

impl Type {
    const NAMES: [(Base, &'static str); 6] = [
        (Base::String, "string"),
        (Base::Integer, "integer"),
        (Base::Float, "float"),
        (Base::Boolean, "boolean"),
        (Base::Null, "null"),
        (Base::Json, "json"),
    ];

    /// The text of a cell for an existing value, given as JSON with marked doubles.
    pub(super) fn of_json(self, json: &str) -> Cow<'_, str> {
        match self.base {
            Base::Json => json.into(),
            _ if json == "null" => "".into(),
            Base::String => unquoted(json),
            Base::Float => json.strip_suffix(".0").unwrap_or(json).into(),
            Base::Integer | Base::Boolean | Base::Null => json.into(),
        }
    }

    /// Appends the text of a cell.
    pub(super) fn push(self, out: &mut String, value: Option<&Json<'_>>) -> Result<(), Problem> {
        match (self.base, value) {
            (Base::Json, Some(value)) => push_json(out, &Exactly(value), Style::Typed),
            (_, None | Some(Json::Null)) => Ok(()),
            (Base::String, Some(Json::String(text))) => {
                out.push_str(text);
                Ok(())
            }
            (Base::Float, Some(Json::Number(literal))) => {
                let number = json::double(literal).expect("because the column holds doubles");
                if number == 0.0 && number.is_sign_negative() {
                    out.push('-');
                }
                push_double(out, number, Style::Plain);
                Ok(())
            }
            (_, Some(value)) => push_cell(out, &Exactly(value)),
        }
    }

    /// The value of a cell; `None` when the member is missing. The error says what was expected.
    fn read(self, cell: &str, beyond: Beyond) -> Result<Option<Json<'_>>, Problem> {
        let json = (self.base == Base::Json).then(|| Json::parse(cell).ok()).flatten();
        let holds = match self.base {
            Base::Integer => json::digits(cell).is_none_or(|digits| beyond.holds(digits)),
            Base::Json => json.as_ref().is_none_or(|value| beyond.holds_integers(value)),
            // Digits that a double is not written as would be another number.
            Base::Float => json::digits(cell).is_none_or(json::is_double),
            _ => true,
        };
        if !holds {
            let message =
                format!("the cell is {}, expected numbers in the range of the target", shown(cell));
            return Err(Problem::new(ErrorKind::OutOfRange, message));
        }
        let value = match (self.base, self.empty) {
            (_, Empty::Null) if cell.is_empty() => Some(Json::Null),
            (_, Empty::Absent) | (Base::Json, _) if cell.is_empty() => return Ok(None),
            (Base::String, _) => Some(Json::String(cell.into())),
            (Base::Integer, _) => json::digits(cell).and_then(|digits| number(digits, beyond)),
            (Base::Float, _) => beyond.has_decimal(cell).then(|| {
                // The literal of a double is no integer.
                let is_marked = cell.contains(['.', 'e', 'E']);
                Json::Number(if is_marked { cell.into() } else { format!("{cell}.0").into() })
            }),
            (Base::Boolean, _) => match cell {
                "true" => Some(Json::Bool(true)),
                "false" => Some(Json::Bool(false)),
                _ => None,
            },
            (Base::Null, _) => cell.is_empty().then_some(Json::Null),
            (Base::Json, _) => json.filter(|value| beyond.holds_decimals(value)),
        };
        value.map(Some).ok_or_else(|| {
            let message = format!("the cell is {}, expected the type {self}", shown(cell));
            Problem::new(ErrorKind::InvalidCell, message)
        })
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, name) = Type::NAMES[self.base as usize];
        f.write_str(name)?;
        match self.empty {
            Empty::Value => Ok(()),
            Empty::Null => f.write_str("?"),
            Empty::Absent => f.write_str("*"),
        }
    }
}

impl std::str::FromStr for Type {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (name, empty) = match text.as_bytes().last() {
            Some(b'?') => (&text[..text.len() - 1], Empty::Null),
            Some(b'*') => (&text[..text.len() - 1], Empty::Absent),
            _ => (text, Empty::Value),
        };
        let (base, _) = Type::NAMES.into_iter().find(|(_, known)| *known == name).ok_or(())?;
        if matches!(base, Base::Null | Base::Json) && empty != Empty::Value {
            return Err(());
        }
        Ok(Type { base, empty })
    }
}

/// The content of the metadata `typed`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Types {
    pub(super) shape: Shape,
    pub(super) columns: Vec<Type>,
}

impl fmt::Display for Types {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, shape) = Shape::ALL[self.shape as usize];
        f.write_str(shape)?;
        for (index, column) in self.columns.iter().enumerate() {
            write!(f, "{}{column}", if index == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

impl Types {
    /// Parses the types of a section with this many fields; `None` when the text is malformed.
    pub(super) fn parse(text: &str, fields: usize) -> Option<Self> {
        let (shape, types) = text.split_once(':')?;
        let (shape, _) = Shape::ALL.into_iter().find(|(_, name)| *name == shape)?;
        let columns: Vec<Type> =
            types.split(',').map(str::parse).collect::<Result<_, ()>>().ok()?;
        let fits = columns.len() == fields
            && (shape.has_members() || (fields == 1 && columns[0].empty != Empty::Absent));
        fits.then_some(Types { shape, columns })
    }

    /// The value of a cell; `None` when the member is missing.
    pub(super) fn value<'c>(
        &self,
        column: usize,
        cell: &'c str,
        beyond: Beyond,
    ) -> Result<Option<Json<'c>>, Problem> {
        let value = self.columns[column].read(cell, beyond)?;
        if value.is_none() && !self.shape.has_members() {
            let message = "the cell is empty, expected a value";
            return Err(Problem::new(ErrorKind::InvalidCell, message));
        }
        Ok(value)
    }

    /// The minimum number of cells of a row: empty cells after them are missing members.
    pub(super) fn least_cells(&self) -> usize {
        let is_member = |column: &Type| column.base != Base::Json && column.empty != Empty::Absent;
        self.columns.iter().rposition(is_member).map_or(0, |last| last + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_in_the_order_of_their_types() {
        for (index, (base, name)) in Type::NAMES.into_iter().enumerate() {
            assert_eq!(base as usize, index);
            assert_eq!(name.parse(), Ok(Type { base, empty: Empty::Value }));
        }
        for (index, (shape, _)) in Shape::ALL.into_iter().enumerate() {
            assert_eq!(shape as usize, index);
        }
    }
}
