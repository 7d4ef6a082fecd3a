//! The forms that a JSON value is written in, ours and other people's.

use serde_json::{Number, Value};

use super::{csv, yaml};

/// The tool in the header of GCX1.
const TOOL: &str = "value";

/// A form: how it is written, and read back.
#[derive(Debug)]
pub(crate) struct Form {
    pub(crate) name: &'static str,
    /// `None` if the form can't represent the value.
    pub(crate) write: fn(&Value) -> Option<String>,
    /// None where it can't be read, and for all texts of a form that does not keep types.
    pub(crate) read: fn(&str) -> Option<Value>,
}

/// Minified JSON, which all others are compared with.
pub(crate) const JSON: &str = "minified JSON";

/// The forms from which `wirefmt auto` and the proxy choose.
pub(crate) const CHOICES: [&str; 3] = [JSON, "GCX1", "GCF 3.5"];

/// All of them, in the order of the columns.
pub(crate) const FORMS: [Form; 8] = [
    Form {
        name: JSON,
        write: |value| Some(value.to_string()),
        read: |text| serde_json::from_str(text).ok(),
    },
    Form {
        name: "pretty JSON",
        write: |value| Some(format!("{value:#}")),
        read: |text| serde_json::from_str(text).ok(),
    },
    Form { name: "YAML", write: yaml::write, read: yaml::read },
    Form { name: "CSV", write: csv::write, read: |_| None },
    Form {
        name: "TOON",
        write: |value| toon_format::encode_default(value).ok(),
        read: |text| toon_format::decode_strict(text).ok(),
    },
    Form {
        name: "GCX1",
        write: |value| gcx::encode_typed(TOOL, value).ok(),
        read: |text| gcx::decode_exact(text).ok()?.to_string().parse().ok(),
    },
    Form {
        name: "GCF 3.5",
        write: |value| gcf::generic::to_string(value).ok(),
        read: |text| gcf::generic::from_str(text).ok(),
    },
    Form {
        name: "GCF 3.6",
        write: |value| {
            gcf::generic::Encoder::new().spec(gcf::generic::Spec::V3_6).to_string(value).ok()
        },
        read: |text| gcf::generic::from_str(text).ok(),
    },
];

impl Form {
    /// Whether a text of this form is read as this value. 1.0 is 1, as for a reader of JSON.
    pub(crate) fn says(&self, text: &str, value: &Value) -> bool {
        (self.read)(text).is_some_and(|back| canonical(back) == canonical(value.clone()))
    }
}

/// The value with integers where doubles are integers.
fn canonical(value: Value) -> Value {
    match value {
        Value::Number(number) => Value::Number(whole(&number).unwrap_or(number)),
        Value::Array(values) => values.into_iter().map(canonical).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(name, value)| (name, canonical(value))).collect()
        }
        other => other,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the doubles are below 2^53")]
fn whole(number: &Number) -> Option<Number> {
    let double = number.as_f64().filter(|double| number.is_f64() && double.fract() == 0.0)?;
    (double.abs() < 9_007_199_254_740_992.0).then(|| Number::from(double as i64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_form_but_csv_says_the_same() {
        let value = json!([
            { "id": 1, "name": "a: \"b\"\n", "price": 2.0, "tags": ["x", "1", "null", ""], "more": { "none": null, "yes": true } },
            { "id": -9_007_199_254_740_993_i64, "name": " padded ", "price": 0.1, "tags": [], "more": {} },
        ]);
        for form in &FORMS {
            let Some(text) = (form.write)(&value) else {
                assert_eq!(form.name, "CSV");
                continue;
            };
            assert!(form.says(&text, &value), "{}:\n{text}", form.name);
            assert!(!form.says(&text, &json!([1])), "{}", form.name);
        }
    }

    #[test]
    fn doubles_that_are_integers_are_integers() {
        assert_eq!(canonical(json!([1.0, -0.0, 1.5, 1e300])), json!([1, 0, 1.5, 1e300]));
    }
}
