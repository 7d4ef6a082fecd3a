//! Rows from types, and back: what serde's attributes do to columns and cells.

mod columns;
mod reading;
mod refused;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Writes rows, checks the lines, and reads them back.
#[track_caller]
fn both_ways<T>(rows: &[T], lines: &[&str])
where
    T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let text = gcx::to_string("t", rows).expect("because it is a row");
    assert_eq!(text, format!("GCX1 tool=t {}\n", lines.join("\n")));
    assert_eq!(gcx::to_vec("t", rows).expect("because it is a row"), text.as_bytes());
    let mut written = Vec::new();
    gcx::to_writer(&mut written, "t", rows).expect("because it is a row");
    assert_eq!(written, text.as_bytes());
    assert_eq!(gcx::from_str::<Vec<T>>(&text).expect("because it is a row"), rows, "{text}");
    assert_eq!(gcx::from_slice::<Vec<T>>(text.as_bytes()).expect("because it is a row"), rows);
    assert_eq!(gcx::from_reader::<_, Vec<T>>(text.as_bytes()).expect("because it is a row"), rows);
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Function,
    TypeAlias,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Range {
    start: u32,
    end: u32,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
enum External {
    Call { from: String, at: u32 },
    Pair(u8, u8),
    Note(String),
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Default)]
struct Sparse {
    a: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<u8>,
    c: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    d: Option<u8>,
}
