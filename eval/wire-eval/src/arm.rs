//! Arms: what is compared. Each is a way to write a dataset as text.

use std::path::PathBuf;

use serde_json::{Map, Value, json};
use wire_core::Payload;
use wire_tokens::Counter;

use crate::dataset::{Dataset, Family, registry, rows};
use crate::failure::{Failure, read};

/// A way to write a dataset.
#[derive(Clone, Debug)]
pub(crate) struct Arm {
    pub(crate) name: String,
    /// The text that explains the format before the data, if there is one.
    pub(crate) primer: Option<String>,
    text: Text,
}

#[derive(Clone, Debug)]
enum Text {
    /// The arm of a format.
    Of(&'static Format),
    /// This one, whatever the dataset is.
    Given(String),
}

type Encoded = Result<String, String>;

/// How a format writes each kind of dataset; `None` for kinds that it does not support.
#[derive(Debug)]
struct Format {
    name: &'static str,
    pack: Option<fn(&Payload<'_>) -> Encoded>,
    response: Option<fn(&goon::GraphResponse) -> Encoded>,
    rows: Option<fn(&str, &Value) -> Encoded>,
    /// A tool's answer, in any format.
    call: Option<fn(&str, &Value) -> Encoded>,
}

/// Arms that are only asked by name: other ways to write tables, to compare with.
const BY_NAME: [&str; 10] = [
    "gcf-3.6",
    "json-sorted",
    "json-reversed",
    "gcf-reversed",
    "gcx-typed",
    "gcx-typed-sorted",
    "toon",
    "csv",
    "markdown",
    "smallest",
];

/// Every arm, in the order of reports.
const FORMATS: [Format; 19] = [
    Format {
        name: "json",
        pack: Some(|payload| by_registry("json", payload)),
        response: Some(|response| Ok(response.to_value().to_string())),
        rows: Some(|_, value| Ok(value.to_string())),
        call: Some(|_, value| Ok(value.to_string())),
    },
    Format {
        name: "json-pretty",
        pack: Some(|payload| by_registry("json-pretty", payload)),
        response: Some(|response| Ok(format!("{:#}", response.to_value()))),
        rows: Some(|_, value| Ok(format!("{value:#}"))),
        call: Some(|_, value| Ok(format!("{value:#}"))),
    },
    Format {
        name: "xml",
        pack: Some(|payload| by_registry("xml", payload)),
        response: None,
        rows: None,
        call: None,
    },
    Format {
        name: "gcf",
        pack: Some(|payload| by_registry("gcf", payload)),
        response: None,
        rows: None,
        call: None,
    },
    Format {
        name: "gcf-v3",
        pack: Some(|payload| v3().to_string(payload).map_err(|error| error.to_string())),
        response: None,
        rows: None,
        call: None,
    },
    Format {
        name: "gcf-generic",
        pack: None,
        response: Some(|response| generic(&response.to_value())),
        rows: Some(|_, value| generic(value)),
        call: Some(|_, value| generic(value)),
    },
    // A column with one value is in the header, and not in the rows.
    Format {
        name: "gcf-3.6",
        pack: None,
        response: None,
        rows: Some(|_, value| with_constants(value)),
        call: None,
    },
    Format {
        name: "gcx",
        pack: Some(|payload| by_registry("gcx", payload)),
        response: None,
        rows: Some(layout),
        call: Some(typed),
    },
    Format {
        name: "goon",
        pack: Some(|payload| by_registry("goon", payload)),
        response: Some(|response| goon::to_string(response).map_err(|error| error.to_string())),
        rows: None,
        call: None,
    },
    Format {
        name: "json-sorted",
        pack: None,
        response: None,
        rows: Some(|_, value| Ok(sorted(value).to_string())),
        call: None,
    },
    // The members of each object in reverse: the one that names an entry, mostly the first, comes last.
    Format {
        name: "json-reversed",
        pack: None,
        response: None,
        rows: Some(|_, value| Ok(reversed(value).to_string())),
        call: None,
    },
    Format {
        name: "gcf-reversed",
        pack: None,
        response: None,
        rows: Some(|_, value| generic(&reversed(value))),
        call: None,
    },
    Format { name: "gcx-typed", pack: None, response: None, rows: Some(typed_rows), call: None },
    Format {
        name: "gcx-typed-sorted",
        pack: None,
        response: None,
        rows: Some(|tool, value| typed_rows(tool, &sorted(value))),
        call: None,
    },
    // By its published crate.
    Format {
        name: "toon",
        pack: None,
        response: None,
        rows: Some(|_, value| {
            toon_format::encode_default(value).map_err(|error| error.to_string())
        }),
        call: None,
    },
    Format {
        name: "csv",
        pack: None,
        response: None,
        rows: Some(|_, value| csv(value)),
        call: None,
    },
    Format {
        name: "markdown",
        pack: None,
        response: None,
        rows: Some(|_, value| markdown(value)),
        call: None,
    },
    // What `wire-proxy` sends on instead of a server's minified JSON.
    Format { name: "proxy", pack: None, response: None, rows: None, call: Some(by_proxy) },
    // The same for tables: the form that the chooser takes (ruling X17).
    Format { name: "smallest", pack: None, response: None, rows: Some(by_proxy), call: None },
];

/// The encoder of dialect V3.
fn v3() -> gcf::graph::Encoder {
    gcf::graph::Encoder::new().dialect(gcf::graph::Dialect::V3)
}

fn generic(value: &Value) -> Encoded {
    gcf::to_string(value).map_err(|error| error.to_string())
}

fn with_constants(value: &Value) -> Encoded {
    let encoder = gcf::Encoder::new().spec(gcf::Spec::V3_6);
    encoder.to_string(value).map_err(|error| error.to_string())
}

fn layout(tool: &str, value: &Value) -> Encoded {
    gcx::encode_layout(tool, value).map_err(|error| error.to_string())
}

fn typed(tool: &str, value: &Value) -> Encoded {
    gcx::encode_response(tool, value).map_err(|error| error.to_string())
}

/// The rows alone: in an object they would be one cell.
fn typed_rows(tool: &str, value: &Value) -> Encoded {
    let rows = rows(value).ok_or("it has no rows, expected an array of objects")?;
    gcx::encode_response(tool, rows).map_err(|error| error.to_string())
}

fn by_registry(name: &str, payload: &Payload<'_>) -> Encoded {
    let text = registry().encode(name, payload).map_err(|error| error.to_string())?;
    String::from_utf8(text).map_err(|error| error.to_string())
}

/// The members of all objects by their names.
fn sorted(value: &Value) -> Value {
    in_order(value, &|members| members.sort_by_key(|(name, _)| *name))
}

/// The members of all objects, the last first.
fn reversed(value: &Value) -> Value {
    in_order(value, &|members| members.reverse())
}

type Members<'v> = Vec<(&'v String, &'v Value)>;

fn in_order(value: &Value, order: &dyn Fn(&mut Members<'_>)) -> Value {
    match value {
        Value::Array(items) => items.iter().map(|item| in_order(item, order)).collect(),
        Value::Object(members) => {
            let mut members: Members<'_> = members.iter().collect();
            order(&mut members);
            let ordered = |(name, value): (&String, &Value)| (name.clone(), in_order(value, order));
            Value::Object(members.into_iter().map(ordered).collect::<Map<_, _>>())
        }
        value => value.clone(),
    }
}

/// The names of the columns, in the order of the JSON, and the texts of each row. What surrounds the
/// rows is not in it, nor the types.
fn cells(value: &Value) -> Result<Vec<Vec<String>>, String> {
    let rows = rows(value).ok_or("it has no rows, expected an array of objects")?;
    let mut names: Vec<&String> = Vec::new();
    for name in rows.iter().filter_map(Value::as_object).flat_map(Map::keys) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let text = |value: Option<&Value>| match value {
        None | Some(Value::Null) => Ok(String::new()),
        Some(Value::String(text)) => Ok(text.clone()),
        Some(Value::Array(_) | Value::Object(_)) => {
            Err("a value of a row is an array or an object, expected one without parts".to_owned())
        }
        Some(value) => Ok(value.to_string()),
    };
    let mut cells = vec![names.iter().map(|name| (*name).clone()).collect()];
    for row in rows {
        let row: Result<_, String> =
            names.iter().map(|name| text(row.get(name.as_str()))).collect();
        cells.push(row?);
    }
    Ok(cells)
}

fn csv(value: &Value) -> Encoded {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in cells(value)? {
        writer.write_record(row).map_err(|error| error.to_string())?;
    }
    let bytes = writer.into_inner().map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

/// A table of Markdown, whose cells have no line breaks.
fn markdown(value: &Value) -> Encoded {
    let mut text = String::new();
    for (index, row) in cells(value)?.iter().enumerate() {
        if row.iter().any(|cell| cell.contains(['\n', '\r'])) {
            return Err("a value has a line break, expected none in a table of Markdown".to_owned());
        }
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
        text += &format!("| {} |\n", cells.join(" | "));
        if index == 0 {
            text += &format!("|{}\n", "---|".repeat(row.len()));
        }
    }
    Ok(text)
}

/// A tool's answer after the proxy with its default options.
fn by_proxy(tool: &str, value: &Value) -> Encoded {
    let result = json!({ "content": [{ "type": "text", "text": value.to_string() }] }).to_string();
    let options = wire_mcp::Options::new(Counter::O200kBase);
    let output = wire_mcp::rewrite(&options, &wire_mcp::Call::of(&[tool]), &result);
    let sent: Value = serde_json::from_str(&output.result.unwrap_or(result))
        .map_err(|error| error.to_string())?;
    let text = sent["content"][0]["text"].as_str();
    text.map(str::to_owned).ok_or_else(|| "the proxy passes no text on".to_owned())
}

/// The names of the arms that support one of these kinds of data.
pub(crate) fn names(families: &[Family]) -> impl Iterator<Item = &'static str> {
    let takes = move |format: &&Format| families.iter().any(|family| format.takes(*family));
    FORMATS.iter().filter(takes).map(|format| format.name)
}

/// Adds an arm for each primer: the arm of this name, with the text of the file before the data.
///
/// # Errors
///
/// There is no such arm, or the file can't be read or is not a primer.
pub(crate) fn add_primers(
    arms: &mut Vec<Arm>,
    primers: &[(String, PathBuf)],
) -> Result<(), Failure> {
    for (of, path) in primers {
        let primer = read(path)?;
        let Some(arm) = arms.iter().find(|arm| arm.name == *of) else {
            let known: Vec<&str> = arms.iter().map(|arm| arm.name.as_str()).collect();
            return Err(Failure::Usage(format!(
                "--primer is of {of:?}, expected one of the arms {}",
                known.join(", ")
            )));
        };
        if primer.trim().is_empty() || primer.contains("<data>") {
            return Err(Failure::Data {
                file: path.display().to_string(),
                message:
                    "it is not a primer, expected a description of a format, without `<data>` in it"
                        .to_owned(),
            });
        }
        let name = format!("{of}+primer");
        if arms.iter().any(|arm| arm.name == name) {
            return Err(Failure::Usage(format!(
                "--primer is of {of:?} twice, expected one an arm"
            )));
        }
        arms.push(Arm { name, primer: Some(primer), text: arm.text.clone() });
    }
    Ok(())
}

/// The arms of a kind of dataset, without those that are asked by name.
pub(crate) fn of_family(family: Family) -> impl Iterator<Item = Arm> {
    let is_asked = move |format: &&Format| format.takes(family) && !BY_NAME.contains(&format.name);
    FORMATS.iter().filter(is_asked).map(Arm::of)
}

/// The arms of these names, or all without those that are asked by name.
pub(crate) fn chosen(wanted: &[String]) -> Vec<Arm> {
    let is_wanted = |format: &&'static Format| {
        if wanted.is_empty() {
            !BY_NAME.contains(&format.name)
        } else {
            wanted.iter().any(|name| name == format.name)
        }
    };
    FORMATS.iter().filter(is_wanted).map(Arm::of).collect()
}

impl Format {
    fn takes(&self, family: Family) -> bool {
        match family {
            Family::Packs => self.pack.is_some(),
            Family::Responses => self.response.is_some(),
            Family::Rows => self.rows.is_some(),
            Family::Calls => self.call.is_some(),
            Family::Given => self.call.or(self.rows).is_some(),
        }
    }
}

impl Arm {
    fn of(format: &'static Format) -> Self {
        Arm { name: format.name.to_owned(), primer: None, text: Text::Of(format) }
    }

    /// An arm of a text that somebody else wrote.
    pub(crate) fn given(name: &str, text: String) -> Self {
        Arm { name: name.to_owned(), primer: None, text: Text::Given(text) }
    }

    /// The text of a dataset; `None` if the format does not support it.
    ///
    /// # Errors
    ///
    /// The format can't represent it.
    pub(crate) fn text(&self, dataset: &Dataset) -> Result<Option<String>, Failure> {
        let format = match &self.text {
            Text::Given(text) => return Ok(Some(text.clone())),
            Text::Of(format) => format,
        };
        let text = match dataset {
            Dataset::Pack(payload) => format.pack.map(|encode| encode(payload)),
            Dataset::Response(response) => format.response.map(|encode| encode(response)),
            Dataset::Rows { tool, value } => format.rows.map(|encode| encode(tool, value)),
            // Several texts: see `call`.
            Dataset::Calls(_) => None,
        };
        text.transpose().map_err(|message| Failure::Data { file: self.name.clone(), message })
    }

    /// The text of a tool's answer; `None` if the format does not support it.
    ///
    /// # Errors
    ///
    /// The format can't represent it.
    pub(crate) fn call(&self, tool: &str, value: &Value) -> Result<Option<String>, Failure> {
        let text = match &self.text {
            Text::Given(text) => Some(Ok(text.clone())),
            Text::Of(format) => format.call.or(format.rows).map(|encode| encode(tool, value)),
        };
        text.transpose().map_err(|message| Failure::Data { file: self.name.clone(), message })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_every_value_of_the_rows() {
        let value = json!({ "results": [
            { "id": "a|b", "n": 7, "note": "x, \"y\"\nz" },
            { "id": "c", "extra": null, "n": true },
        ] });
        assert_eq!(csv(&value).unwrap(), "id,n,note,extra\na|b,7,\"x, \"\"y\"\"\nz\",\nc,true,,\n");
        assert!(markdown(&value).unwrap_err().contains("line break"));
        let value = json!([{ "id": "a|b", "n": 7 }, { "n": -0.5, "id": "c" }]);
        assert_eq!(
            markdown(&value).unwrap(),
            "| id | n |\n|---|---|\n| a\\|b | 7 |\n| c | -0.5 |\n"
        );
        let typed = typed_rows("list", &json!({ "total": 2, "results": value })).unwrap();
        assert_eq!(gcx::decode_response(&typed).unwrap(), value);
        assert!(typed.starts_with("GCX1 tool=list fields="), "{typed}");
        let toon = toon_format::encode_default(&value).unwrap();
        assert_eq!(toon_format::decode_strict::<Value>(&toon).unwrap(), value);
        let unordered = json!({ "b": [{ "z": 1, "a": { "d": 2, "c": 3 } }], "a": null });
        assert_eq!(sorted(&unordered).to_string(), r#"{"a":null,"b":[{"a":{"c":3,"d":2},"z":1}]}"#);
        assert_eq!(
            reversed(&unordered).to_string(),
            r#"{"a":null,"b":[{"a":{"c":3,"d":2},"z":1}]}"#
        );
        assert!(csv(&json!([{ "id": [1] }])).is_err() && csv(&json!([1])).is_err());
    }
}
