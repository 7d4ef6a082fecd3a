//! The forms that a JSON value is written in, ours and other people's.

use saphyr::{Mapping, Scalar, Yaml, YamlEmitter};
use serde_json::Value;

/// The tool in the header of GCX1.
const TOOL: &str = "value";

/// A form: how it is written, and read back.
pub(crate) struct Form {
    pub(crate) name: &'static str,
    /// `None` if the form can't represent the value.
    pub(crate) write: fn(&Value) -> Option<String>,
    /// Reads a text of ours.
    read: Option<fn(&str) -> Option<Value>>,
}

impl Form {
    /// Returns `true` if a text of ours is read as this value, where 1.0 is 1; `None` for forms
    /// that are not read.
    pub(crate) fn comes_back(&self, text: &str, value: &Value) -> Option<bool> {
        Some(same(&(self.read?)(text)?, value))
    }
}

fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) if a.is_f64() != b.is_f64() => {
            a.as_f64() == b.as_f64()
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let has = |(name, a): (&String, &Value)| b.get(name).is_some_and(|b| same(a, b));
            a.len() == b.len() && a.iter().all(has)
        }
        _ => one == other,
    }
}

/// Minified JSON, which all others are compared with.
pub(crate) const JSON: &str = "minified JSON";

/// The forms from which `wirefmt auto` and the proxy choose, with the names that these have for them (ruling X17).
pub(crate) const CHOICES: [(&str, &str); 2] = [(JSON, "json"), ("GCF 3.5", "gcf")];

/// All of them, in the order of the columns.
pub(crate) const FORMS: [Form; 8] = [
    Form {
        name: JSON,
        write: |value| Some(value.to_string()),
        read: Some(|text| serde_json::from_str(text).ok()),
    },
    Form {
        name: "pretty JSON",
        write: |value| Some(format!("{value:#}")),
        read: Some(|text| serde_json::from_str(text).ok()),
    },
    Form { name: "YAML", write: write_yaml, read: None },
    Form { name: "CSV", write: write_csv, read: None },
    Form { name: "TOON", write: |value| toon_format::encode_default(value).ok(), read: None },
    Form {
        name: "GCX1",
        write: |value| gcx::encode_response(TOOL, value).ok(),
        read: Some(|text| gcx::decode_exact(text).ok()?.to_string().parse().ok()),
    },
    Form {
        name: "GCF 3.5",
        write: |value| gcf::to_string(value).ok(),
        read: Some(|text| gcf::from_str(text).ok()),
    },
    Form {
        name: "GCF 3.6",
        write: |value| gcf::Encoder::new().spec(gcf::Spec::V3_6).to_string(value).ok(),
        read: Some(|text| gcf::from_str(text).ok()),
    },
];

/// The rows of an array of objects whose members are scalars; no other value is written. Null is an
/// empty cell, as a missing member is.
fn write_csv(value: &Value) -> Option<String> {
    let rows: Vec<_> = value.as_array()?.iter().map(Value::as_object).collect::<Option<_>>()?;
    let mut header: Vec<&String> = Vec::new();
    for name in rows.iter().flat_map(|row| row.keys()) {
        if !header.contains(&name) {
            header.push(name);
        }
    }
    if header.is_empty() {
        return None;
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&header).ok()?;
    for row in rows {
        let cells: Option<Vec<String>> = header
            .iter()
            .map(|name| row.get(*name).map_or(Some(String::new()), csv_cell))
            .collect();
        writer.write_record(cells?).ok()?;
    }
    String::from_utf8(writer.into_inner().ok()?).ok()
}

fn csv_cell(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::String(text) => Some(text.clone()),
        Value::Array(_) | Value::Object(_) => None,
        scalar => Some(scalar.to_string()),
    }
}

/// A value in block style, without a document marker; `None` if it has an integer beyond 64 bits.
fn write_yaml(value: &Value) -> Option<String> {
    let mut text = String::new();
    let mut emitter = YamlEmitter::new(&mut text);
    emitter.multiline(true);
    emitter.dump(&yaml(value)?).ok()?;
    Some(text.strip_prefix("---\n").map_or(text.clone(), str::to_owned))
}

fn yaml(value: &Value) -> Option<Yaml<'_>> {
    Some(match value {
        Value::Null => Yaml::Value(Scalar::Null),
        Value::Bool(truth) => Yaml::Value(Scalar::Boolean(*truth)),
        Value::Number(number) => Yaml::Value(match number.as_i64() {
            Some(integer) => Scalar::Integer(integer),
            None if number.is_u64() => return None,
            None => Scalar::FloatingPoint(number.as_f64()?.into()),
        }),
        Value::String(text) => Yaml::Value(Scalar::String(text.into())),
        Value::Array(values) => Yaml::Sequence(values.iter().map(yaml).collect::<Option<_>>()?),
        Value::Object(members) => {
            let mut mapping = Mapping::new();
            for (name, value) in members {
                mapping.insert(Yaml::Value(Scalar::String(name.into())), yaml(value)?);
            }
            Yaml::Mapping(mapping)
        }
    })
}
