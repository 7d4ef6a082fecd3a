//! The generic profile of GCF.

use serde_json::{Map, Value};

/// What decodes is encoded again, by every specification, to a text that decodes to what is written
/// the same.
pub fn generic_decode(input: &[u8]) {
    use gcf::{Encoder as Writer, Spec};
    if let Ok(value) = gcf::from_slice::<Value>(input) {
        for &spec in Spec::ALL {
            // Members that leave no text have no depth of their own, so what is read can be
            // written.
            let writer = Writer::new().spec(spec);
            let text = writer.to_string(&value).expect("because it decodes");
            let back: Value = gcf::from_str(&text).expect("because it was encoded");
            // 1.0 comes back as 1, and so the texts are compared.
            assert_eq!(writer.to_string(&back).expect("because it decodes"), text);
        }
    }
}

/// What is read row by row is what is read whole.
pub fn generic_rows(input: &[u8]) {
    let Ok(value) = by_rows(input) else { return };
    let whole = gcf::from_slice::<Value>(input);
    assert_eq!(whole.expect("because its rows are read"), value);
}

fn by_rows(input: &[u8]) -> Result<Value, gcf::Error> {
    let mut reader = gcf::Reader::new(input)?;
    let (mut members, mut root) = (Map::new(), None);
    while let Some(table) = reader.next_table()? {
        let mut rows = if table.kind == gcf::TableKind::Map {
            Value::Object(Map::new())
        } else {
            Value::Array(Vec::new())
        };
        match &mut rows {
            Value::Object(rows) => {
                while let Some((key, row)) = reader.next_member::<Value>()? {
                    rows.insert(key, row);
                }
            }
            Value::Array(rows) => {
                while let Some(row) = reader.next_row::<Value>()? {
                    rows.push(row);
                }
            }
            _ => unreachable!("rows are an array or a map"),
        }
        match table.name {
            Some(name) => drop(members.insert(name, rows)),
            None => root = Some(rows),
        }
    }
    Ok(root.unwrap_or(Value::Object(members)))
}

/// Recovery never panics, leaves whole text alone, and says what it did.
pub fn generic_recover(input: &[u8]) {
    // Each mend reads the text again.
    if input.len() > 4_000 {
        return;
    }
    let strict = gcf::from_slice::<Value>(input);
    match gcf::Decoder::new().recover::<Value>(input) {
        Ok((value, recovery)) => {
            assert_eq!(recovery.repairs.is_empty(), strict.is_ok());
            assert!(strict.is_err() || strict.is_ok_and(|strict| strict == value));
        }
        Err(_) => assert!(strict.is_err(), "recovery refuses what is whole"),
    }
}

/// What is read of sets with a key is written to a text that reads as the same.
pub fn generic_keyed(input: &[u8]) {
    use gcf::keyed::Message;
    let Ok(text) = std::str::from_utf8(input) else { return };
    match text.parse::<Message>() {
        Ok(Message::Full(set)) => {
            let again = set.to_string().parse::<Message>().expect("because it was written");
            let again = again.apply(None).expect("because it is a whole set");
            assert_eq!(again.root(), set.root());
        }
        Ok(Message::Delta(delta)) => {
            let written = delta.to_string();
            let Ok(Message::Delta(again)) = written.parse::<Message>() else { panic!("{written}") };
            assert_eq!(again.to_string(), written);
        }
        _ => {}
    }
}
