//! YAML, by the package `saphyr`.

use saphyr::{LoadableYamlNode, Mapping, Scalar, Yaml, YamlEmitter};
use serde_json::{Number, Value};

/// A value in block style, without a document marker; `None` if it has an integer beyond 64 bits.
pub(super) fn write(value: &Value) -> Option<String> {
    let mut text = String::new();
    let mut emitter = YamlEmitter::new(&mut text);
    emitter.multiline(true);
    emitter.dump(&node(value)?).ok()?;
    Some(text.strip_prefix("---\n").map_or(text.clone(), str::to_owned))
}

fn node(value: &Value) -> Option<Yaml<'_>> {
    Some(match value {
        Value::Null => Yaml::Value(Scalar::Null),
        Value::Bool(truth) => Yaml::Value(Scalar::Boolean(*truth)),
        Value::Number(number) => Yaml::Value(match number.as_i64() {
            Some(integer) => Scalar::Integer(integer),
            None if number.is_u64() => return None,
            None => Scalar::FloatingPoint(number.as_f64()?.into()),
        }),
        Value::String(text) => Yaml::Value(Scalar::String(text.into())),
        Value::Array(values) => Yaml::Sequence(values.iter().map(node).collect::<Option<_>>()?),
        Value::Object(members) => {
            let mut mapping = Mapping::new();
            for (name, value) in members {
                mapping.insert(Yaml::Value(Scalar::String(name.into())), node(value)?);
            }
            Yaml::Mapping(mapping)
        }
    })
}

/// The value of a text.
pub(super) fn read(text: &str) -> Option<Value> {
    value(Yaml::load_from_str(text).ok()?.first()?)
}

fn value(node: &Yaml<'_>) -> Option<Value> {
    Some(match node {
        Yaml::Value(Scalar::Null) => Value::Null,
        Yaml::Value(Scalar::Boolean(truth)) => Value::Bool(*truth),
        Yaml::Value(Scalar::Integer(integer)) => (*integer).into(),
        Yaml::Value(Scalar::FloatingPoint(double)) => Value::Number(Number::from_f64(double.0)?),
        Yaml::Value(Scalar::String(text)) => Value::String(text.to_string()),
        Yaml::Sequence(nodes) => nodes.iter().map(value).collect::<Option<_>>()?,
        Yaml::Mapping(mapping) => mapping
            .iter()
            .map(|(name, node)| Some((name.as_str()?.to_owned(), value(node)?)))
            .collect::<Option<_>>()?,
        _ => return None,
    })
}
