//! The responses of the corpus are what they are without the feature.

use std::fs;
use std::path::{Path, PathBuf};

use gcx::json::Exact;
use serde_json::Value;

/// Every case of an operation without options below a folder of `fixtures/`: its id, and itself.
fn cases(folder: &str, operation: &str) -> Vec<(String, Value)> {
    let mut folders =
        vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(folder)];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
        let paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "json") {
                let file: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
                let cases = file["cases"].as_array().into_iter().flatten();
                let wanted = cases.filter(|case| {
                    case["operation"] == operation
                        && case.get("options").is_none()
                        && case.get("text").is_some()
                });
                found
                    .extend(wanted.map(|case| {
                        (format!("{}#{}", path.display(), case["name"]), case.clone())
                    }));
            }
        }
    }
    assert!(!found.is_empty(), "no case of {folder}");
    found
}

/// The value with its numbers as those of 64 bits and doubles, since a literal like `1e0` is not
/// one of a format.
fn plain(value: &Value) -> Value {
    match value {
        Value::Number(number) if number.as_i64().is_some() || number.as_u64().is_some() => {
            value.clone()
        }
        Value::Number(number) => {
            let double = number.as_f64().and_then(serde_json::Number::from_f64);
            double.map_or_else(|| value.clone(), Value::Number)
        }
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), plain(value))).collect()
        }
        other => other.clone(),
    }
}

/// Notes what is not as expected.
#[derive(Default)]
struct Problems(Vec<String>);

impl Problems {
    fn same<T: PartialEq + std::fmt::Display>(
        &mut self,
        id: &str,
        found: Result<T, String>,
        expected: &T,
    ) {
        match found {
            Ok(found) if found == *expected => {}
            Ok(found) => self.0.push(format!("{id}:\n  {found}\n  expected\n  {expected}")),
            Err(error) => self.0.push(format!("{id}: {error}")),
        }
    }
}

impl Drop for Problems {
    fn drop(&mut self) {
        assert!(self.0.is_empty(), "{} problems:\n{}", self.0.len(), self.0.join("\n"));
    }
}

#[test]
fn responses_of_gcx_are_read() {
    let mut problems = Problems::default();
    for (id, case) in cases("gcx", "response") {
        let text = case["text"].as_str().expect("because it was looked for");
        if let Some(json) = case["json_text"].as_str() {
            let back = gcx::decode_exact(text).map_err(|error| error.to_string());
            problems.same(&id, back.map(|back| back.to_string()), &json.to_owned());
            continue;
        }
        let expected = case.get("decoded_json").unwrap_or(&case["json"]);
        let found = gcx::decode_response(text).map_err(|error| error.to_string());
        problems.same(&id, found.map(|found| plain(&found)), &plain(expected));
    }
}

#[test]
fn responses_of_gcx_are_written() {
    let mut problems = Problems::default();
    for (id, case) in cases("gcx", "response") {
        let tool = case["tool"].as_str().unwrap_or_default();
        let text = case["text"].as_str().expect("because it was looked for").to_owned();
        let written = match case["json_text"].as_str() {
            Some(json) => {
                gcx::encode_response(tool, &json.parse::<Exact>().expect("because it is JSON"))
            }
            None => gcx::encode_response(tool, &case["json"]),
        };
        problems.same(&id, written.map_err(|error| error.to_string()), &text);
    }
}

#[test]
fn values_of_the_generic_profile() {
    let mut problems = Problems::default();
    for (id, case) in cases("gcf/generic", "response") {
        let Some(json) = case.get("json") else { continue };
        let text = case["text"].as_str().expect("because it was looked for").to_owned();
        let written = gcf::generic::to_string(json);
        problems.same(&id, written.map_err(|error| error.to_string()), &text);
        let expected = case.get("decoded_json").unwrap_or(json);
        let found = gcf::generic::from_str::<Value>(&text).map_err(|error| error.to_string());
        problems.same(&id, found.map(|found| plain(&found)), &plain(expected));
    }
}
