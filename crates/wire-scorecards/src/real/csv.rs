//! CSV, which represents rows of scalars and has no types.

use serde_json::Value;

/// The rows of an array of objects whose members are scalars; no other value is written. Null is an
/// empty cell, as a missing member is.
pub(super) fn write(value: &Value) -> Option<String> {
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
        let cells: Option<Vec<String>> =
            header.iter().map(|name| row.get(*name).map_or(Some(String::new()), cell)).collect();
        writer.write_record(cells?).ok()?;
    }
    String::from_utf8(writer.into_inner().ok()?).ok()
}

fn cell(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::String(text) => Some(text.clone()),
        Value::Array(_) | Value::Object(_) => None,
        scalar => Some(scalar.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rows_of_scalars_are_written_and_nothing_else() {
        let rows = json!([{ "a": 1, "b": "x, \"y\"" }, { "a": null, "c": true }]);
        assert_eq!(write(&rows).as_deref(), Some("a,b,c\n1,\"x, \"\"y\"\"\",\n,,true\n"));
        for other in [json!({ "a": 1 }), json!([1]), json!([{ "a": [1] }]), json!([{}]), json!([])]
        {
            assert_eq!(write(&other), None, "{other}");
        }
    }
}
