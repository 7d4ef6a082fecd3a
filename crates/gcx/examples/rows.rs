//! Rows of your own types as GCX1, and back; and a tool's response, by its layout.
//!
//! ```text
//! cargo run -p wire-gcx --example rows
//! ```

#![allow(clippy::print_stdout)] // it is a program

use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Usage {
    file: String,
    line: u32,
    caller: Option<String>,
}

fn main() -> Result<(), gcx::Error> {
    let usages = vec![
        Usage { file: "auth/login.go".into(), line: 12, caller: Some("Login".into()) },
        Usage { file: "auth/logout.go".into(), line: 40, caller: None },
    ];
    let text = gcx::to_string("usages", &usages)?;
    println!("{text}");
    assert_eq!(gcx::from_str::<Vec<Usage>>(&text)?, usages);

    // Row by row, with one line in memory.
    let mut reader = gcx::SliceReader::new(&text);
    while let Some(header) = reader.next_section()? {
        while let Some(row) = reader.next_row()? {
            println!("{}", row.get(&header, "file").unwrap_or_default());
        }
    }

    // The JSON of a tool. In the typed form every value decodes to an equal one.
    let response = serde_json::json!({ "total": 2, "files": ["a.go", "b.go"], "complete": true });
    let typed = gcx::encode_response("list_files", &response)?;
    println!("\n{typed}");
    assert_eq!(gcx::decode_response(&typed)?, response);
    Ok(())
}
