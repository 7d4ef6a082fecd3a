//! Laws of every value and every text.

use std::cell::Cell;
use std::collections::{BTreeMap, HashSet};

use gcf::{Decoder, Encoder, Reader, Spec, TableHead, TableKind, Writer, from_str, to_string};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::HEADER;
use super::values::{as_read, records, scalar, value};

/// Returns `true` if the first line behind the header begins a table, of an array or of a keyed map.
fn begins_table(text: &str, closing: &str) -> bool {
    let line = text.lines().nth(1).unwrap_or_default();
    line.starts_with("## ") && line.contains(closing)
}

#[test]
fn rows_are_read_one_by_one_as_all_at_once() {
    let tables = Cell::new(0);
    proptest!(|(rows in records(value().boxed()), spec in proptest::sample::select(Spec::ALL))| {
        let text = Encoder::new().spec(spec).to_string(&json!({ "t": rows })).unwrap();
        let whole: Value = from_str(&text).unwrap();
        let mut reader = Reader::new(text.as_bytes()).unwrap();
        let table = match reader.next_table() {
            Ok(Some(table)) => table,
            // An array on one line is not read row by row.
            other => {
                prop_assert!(!begins_table(&text, "]"), "{}", text);
                prop_assert_eq!(other.unwrap_err().code(), "unrecognized_line", "{}", text);
                return Ok(());
            }
        };
        tables.set(tables.get() + 1);
        prop_assert_eq!(table.name.as_deref(), Some("t"));
        let mut found = Vec::new();
        while let Some(row) = reader.next_row::<Value>().unwrap_or_else(|error| panic!("{error}\n{text}")) {
            found.push(row);
        }
        prop_assert_eq!(&whole["t"], &Value::from(found));
        prop_assert_eq!(reader.next_table().unwrap(), None);
    });
    assert!(tables.get() > 50, "{tables:?} of the texts had a table");
}

#[test]
fn members_are_read_one_by_one_as_all_at_once() {
    let tables = Cell::new(0);
    proptest!(|(rows in records(value().boxed()))| {
        let map: Map<String, Value> = rows.into_iter().enumerate().map(|(at, row)| (at.to_string(), row)).collect();
        let text = to_string(&map).unwrap();
        let whole: Value = from_str(&text).unwrap();
        let mut reader = Reader::new(text.as_bytes()).unwrap();
        let table = match reader.next_table() {
            Ok(Some(table)) if table.kind == TableKind::Map && table.name.is_none() => table,
            // A map of one object, say, has members of its own.
            Ok(_) => {
                prop_assert!(!begins_table(&text, ":]{") || !text.contains("\n## ["), "{}", text);
                return Ok(());
            }
            Err(error) => {
                prop_assert!(!begins_table(&text, ":]{"), "{}", text);
                prop_assert_eq!(error.code(), "unrecognized_line", "{}", text);
                return Ok(());
            }
        };
        tables.set(tables.get() + 1);
        prop_assert!(table.kind == TableKind::Map);
        let mut found = Map::new();
        while let Some((key, row)) = reader.next_member::<Value>().unwrap_or_else(|error| panic!("{error}\n{text}")) {
            found.insert(key, row);
        }
        prop_assert_eq!(whole, Value::from(found));
    });
    assert!(tables.get() > 50, "{tables:?} of the texts had a keyed map");
}

/// Cases that failed once are kept beside this file.
fn config() -> ProptestConfig {
    ProptestConfig::with_failure_persistence(FileFailurePersistence::WithSource(
        "proptest-regressions",
    ))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_value_comes_back_from_every_form(value in value()) {
        for encoder in [Encoder::new(), Encoder::new().flatten(false), Encoder::new().spec(Spec::V3_6)] {
            let text = encoder.to_string(&value).unwrap();
            prop_assert!(text.starts_with(HEADER) && text.ends_with('\n') && !text.contains(" \n"), "{}", text);
            let back: Value = Decoder::new().require_final_newline(true).from_str(&text).unwrap();
            prop_assert_eq!(&back, &as_read(value.clone()), "{}", text);
            // And what comes back is the same text.
            prop_assert_eq!(encoder.to_string(&back).unwrap(), text);
        }
    }

    #[test]
    fn every_entry_point_agrees(value in value()) {
        let encoder = Encoder::new();
        let text = encoder.to_string(&value).unwrap();
        prop_assert_eq!(text.as_bytes(), &encoder.to_vec(&value).unwrap()[..]);
        let mut written = Vec::new();
        encoder.to_writer(&mut written, &value).unwrap();
        prop_assert_eq!(text.as_bytes(), &written[..]);
        let back: Value = from_str(&text).unwrap();
        prop_assert_eq!(&back, &gcf::from_slice::<Value>(text.as_bytes()).unwrap());
        prop_assert_eq!(&back, &gcf::from_reader::<_, Value>(text.as_bytes()).unwrap());
        let (found, recovery) = Decoder::new().recover::<Value>(&text).unwrap();
        prop_assert_eq!(&back, &found);
        prop_assert!(recovery.repairs.is_empty());
        let crlf = text.replace('\n', "\r\n");
        prop_assert_eq!(&back, &from_str::<Value>(&crlf).unwrap());
    }

    #[test]
    fn no_cut_of_a_counted_text_goes_unnoticed(rows in records(scalar().boxed()), cut in any::<prop::sample::Index>()) {
        prop_assume!(!rows.is_empty());
        let text = to_string(&rows).unwrap();
        // Objects that are no columns have no count: neither items nor what is attached without a
        // cell.
        prop_assume!(!text.contains('>') && !text.contains("{}"));
        let at = cut.index(text.len());
        prop_assume!(text.is_char_boundary(at) && at > HEADER.len());
        let decoder = Decoder::new().require_final_newline(true);
        prop_assert!(decoder.from_str::<Value>(&text[..at]).is_err(), "{}", &text[..at]);
    }

    #[test]
    fn a_stream_is_the_same_value(rows in proptest::collection::vec(proptest::collection::vec(proptest::option::of(scalar()), 3), 0..6)) {
        let fields = ["id", "a b", "c,d"];
        let object = |row: &Vec<Option<Value>>| -> Value {
            let cells = fields.iter().zip(row).filter_map(|(field, cell)| Some(((*field).to_owned(), cell.clone()?)));
            Value::Object(cells.collect())
        };
        let rows: Vec<Value> = rows.iter().map(object).collect();
        let mut writer = Writer::new(Vec::new()).unwrap();
        writer.begin(&TableHead::rows(fields).with_name("rows")).unwrap();
        for row in &rows {
            writer.row(row).unwrap();
        }
        writer.begin(&TableHead::map(fields).with_name("by key")).unwrap();
        for (at, row) in rows.iter().enumerate() {
            writer.member(&at.to_string(), row).unwrap();
        }
        let text = String::from_utf8(writer.finish().unwrap()).unwrap();
        let by_key: Map<String, Value> = rows.iter().enumerate().map(|(at, row)| (at.to_string(), row.clone())).collect();
        let expected = json!({ "rows": rows, "by key": by_key });
        prop_assert_eq!(from_str::<Value>(&text).unwrap(), expected, "{}", text);
    }

    #[test]
    fn values_written_as_items_come_back_one_by_one(values in proptest::collection::vec(value(), 0..6), name in proptest::option::of("[a >]{0,3}")) {
        let mut writer = Writer::new(Vec::new()).unwrap();
        let items = TableHead::items();
        writer.begin(&name.iter().fold(items, gcf::TableHead::with_name)).unwrap();
        for value in &values {
            writer.row(value).unwrap();
        }
        let text = String::from_utf8(writer.finish().unwrap()).unwrap();
        let expected: Vec<Value> = values.iter().cloned().map(as_read).collect();
        let whole: Value = from_str(&text).unwrap();
        let whole = name.as_ref().map_or(&whole, |name| &whole[name]);
        prop_assert_eq!(whole, &Value::from(expected.clone()), "{}", text);
        let mut reader = Reader::new(text.as_bytes()).unwrap();
        let table = reader.next_table().unwrap().unwrap();
        prop_assert!(table.kind == TableKind::Items && table.name == name && table.count.is_none());
        let mut found = Vec::new();
        while let Some(item) = reader.next_row::<Value>().unwrap_or_else(|error| panic!("{error}\n{text}")) {
            found.push(item);
        }
        prop_assert_eq!(&found, &expected, "{}", text);
        prop_assert_eq!(reader.next_table().unwrap(), None);
    }
}

#[test]
fn nothing_that_is_read_panics() {
    let read = Cell::new(0);
    proptest!(|(lines in proptest::collection::vec("(  ){0,3}(## )?(@[0-2] |\\.a )?([a-c]|\"a\"|\"a>b\")?(=|\\[[0-2?]\\]|\\[2:\\])?(\\{@?a,?b?=?1?\\})?:? ?[-~^|,a1\"]{0,5}", 0..8))| {
        let text = format!("{HEADER}{}\n", lines.join("\n"));
        if let Ok(value) = from_str::<Value>(&text) {
            read.set(read.get() + 1);
            let again = to_string(&value).unwrap();
            prop_assert_eq!(from_str::<Value>(&again).unwrap(), value, "{}", text);
        }
        let _ = Decoder::new().recover::<Value>(&text);
        // The header is right, so that a reader begins.
        let mut reader = Reader::new(text.as_bytes()).unwrap();
        while let Ok(Some(_)) = reader.next_table() {}
    });
    assert!(read.get() > 10, "{read:?} of the texts were read");
}

/// An object of these keys, whose values are objects.
struct Keys<'a>(&'a [usize]);

impl Serialize for Keys<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(
            self.0.iter().map(|key| (key, Map::from_iter([("in".into(), json!(key))]))),
        )
    }
}

/// As many keys as an encoder takes step by step, some fewer or some more, mostly the same.
fn many_keys() -> impl Strategy<Value = Vec<usize>> {
    let other = prop_oneof![Just(0usize), 0..200usize];
    // Beyond 64 keys they are kept in another way.
    let place = prop_oneof![Just(0), 0..64usize, 64..68usize];
    (62..68usize, place, other).prop_map(|(count, place, other)| {
        let mut keys: Vec<usize> = (0..count).collect();
        if let Some(key) = keys.get_mut(place) {
            *key = other;
        }
        keys
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn objects_of_many_keys_are_read_as_they_are(objects in proptest::collection::vec(many_keys(), 1..12)) {
        let is_twice = |keys: &Vec<usize>| keys.iter().collect::<HashSet<_>>().len() < keys.len();
        let rows: Vec<Keys<'_>> = objects.iter().map(|keys| Keys(keys)).collect();
        match to_string(&rows) {
            Err(error) => {
                prop_assert_eq!(error.code(), "duplicate_key");
                prop_assert!(objects.iter().any(is_twice));
            }
            Ok(text) => {
                prop_assert!(!objects.iter().any(is_twice));
                prop_assert_eq!(from_str::<Value>(&text).unwrap(), json!(rows));
            }
        }
    }
}

/// One more character of these than in `texts`, in every way.
fn longer<'a>(texts: &'a [String], characters: &'a [char]) -> impl Iterator<Item = String> + 'a {
    texts.iter().flat_map(move |text| characters.iter().map(move |c| format!("{text}{c}")))
}

#[test]
fn any_text_is_read_as_itself() {
    let characters: Vec<char> = "-+.0159eE~^{}[]: #@tab\"\\|,\t\u{a0}\u{85}٣é".chars().collect();
    let mut texts = vec![String::new()];
    let mut short = texts.clone();
    for _ in 0..3 {
        short = longer(&short, &characters).collect();
        texts.extend_from_slice(&short);
    }
    texts.extend(["true", "false", "null", "a[1]: b", "[x]y:z", "x]y[1:"].map(str::to_owned));
    // Any character alone, between others, and at any place of what is looked at together.
    let rare = ('\u{3100}'..=char::MAX).step_by(61);
    for c in ('\0'..'\u{3100}').chain('\u{fe00}'..='\u{ffff}').chain(rare) {
        texts.extend([c.to_string(), format!("x{c}y")]);
    }
    for length in 1..36 {
        for at in 0..length {
            for c in ('\0'..='\u{80}').chain(['é', '｜', '字']) {
                texts.push((0..length).map(|i| if i == at { c } else { 'x' }).collect());
            }
        }
    }
    let read: Vec<String> = from_str(&to_string(&texts).unwrap()).unwrap();
    assert!(read == texts);
    let rows: Vec<BTreeMap<&str, &String>> =
        texts.iter().map(|text| [("text", text)].into()).collect();
    let read: Vec<BTreeMap<String, String>> = from_str(&to_string(&rows).unwrap()).unwrap();
    assert!(read.iter().map(|row| &row["text"]).eq(&texts));
}

#[test]
fn bare_tokens_are_what_json_has_or_texts() {
    for first in '!'..='\u{7f}' {
        for rest in ["", "rue", "alse", "1", "{a}", ".5", "\"", "12345678901234567890"] {
            let token = format!("{first}{rest}");
            let json = serde_json::from_str::<Value>(&token).ok().filter(|_| token != "null");
            let expected = match (&*token, json) {
                ("-", _) => Some(Value::Null),
                // Integers are of 64 bits, and marks are of rows.
                (_, Some(Value::Number(_))) if token.contains('.') => {
                    token.parse::<f64>().ok().map(Value::from)
                }
                (_, Some(Value::Number(_))) => token.parse::<i64>().ok().map(Value::from),
                (_, Some(json)) => Some(json),
                ("~" | "^" | "^{a}", _) => None,
                _ if first == '"' => None,
                _ => Some(token.as_str().into()),
            };
            let read = from_str::<Value>(&format!("{HEADER}a={token}\n")).ok();
            assert_eq!(read, expected.map(|value| json!({ "a": value })), "{token}");
        }
    }
}

/// Objects of these members, in this order.
#[derive(Debug, Clone)]
struct Row(Vec<(&'static str, Value)>);

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// Rows that draw on a few values, so that many are alike, and the same rows with the members of
/// all but the first in another order.
fn rows_alike() -> impl Strategy<Value = (Vec<Row>, Vec<Row>)> {
    let values = vec![
        json!(null),
        json!(1),
        json!("x|y"),
        json!({"p": 1, "q": null}),
        json!({"p": null, "q": null}),
        json!({"p": {"r": "s"}, "q": 2}),
        json!({}),
        json!([1]),
        json!([{"p": 1}]),
        json!([{"p": 1, "q": {"r": 2}}, {"p": null, "q": {"r": 3}}]),
    ];
    // With all three keys no row is a tree, since `>` can't be part of a path.
    (proptest::sample::subsequence(values, 1..4), 1..4usize).prop_flat_map(|(values, most)| {
        let values = proptest::collection::vec(proptest::sample::select(values), 3);
        let count = prop_oneof![3 => Just(most), 1 => 1..=most];
        proptest::collection::vec((values, count, any::<bool>()), 1..7).prop_map(move |rows| {
            let (mut in_order, mut turned) = (Vec::new(), Vec::new());
            for (index, (values, count, is_turned)) in rows.into_iter().enumerate() {
                let count = if index == 0 { most } else { count };
                let mut members: Vec<_> =
                    ["a", "key", ">"].into_iter().zip(values).take(count).collect();
                in_order.push(Row(members.clone()));
                if is_turned && index > 0 {
                    members.reverse();
                }
                turned.push(Row(members));
            }
            (in_order, turned)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// Rows of one kind are written in one piece, and all others cell by cell.
    #[test]
    fn the_order_of_members_is_that_of_the_first_row((rows, turned) in rows_alike(), is_map in any::<bool>()) {
        for encoder in [Encoder::new(), Encoder::new().spec(Spec::V3_6), Encoder::new().flatten(false)] {
            let text = |rows: &[Row]| {
                if is_map {
                    encoder.to_string(&rows.iter().enumerate().collect::<BTreeMap<_, _>>())
                } else {
                    encoder.to_string(rows)
                }
            };
            let whole = text(&rows).unwrap();
            prop_assert_eq!(&whole, &text(&turned).unwrap());
            let read: Value = from_str(&whole).unwrap();
            let value = json!(rows);
            let by_key = || value.as_array().unwrap().iter().enumerate().map(|(at, row)| (at.to_string(), row.clone()));
            prop_assert_eq!(&read, &if is_map { by_key().collect::<Map<_, _>>().into() } else { value.clone() });
        }
    }
}

/// The cells of a row are the items of a list with another delimiter.
#[test]
fn cells_are_cut_as_items() {
    let taken = Cell::new(0);
    proptest!(ProptestConfig::with_cases(600), |(text in "[a|\" \t\\\\é]{0,24}")| {
        for count in 1..=text.matches('|').count() + 1 {
            let fields: Vec<String> = (0..count).map(|place| format!("f{place}")).collect();
            let row = format!("{HEADER}## [1]{{a,{},z}}\nx|{text}|x\n", fields.join(","));
            let items = format!("{HEADER}## [{}]: x,{},x\n", count + 2, text.replace('|', ","));
            let cells = |row: &Value| {
                let members = row[0].as_object().unwrap().values();
                members.map(|cell| cell.as_str().unwrap_or("-").replace('|', ",")).collect::<Vec<_>>()
            };
            let items = from_str::<Vec<String>>(&items).ok();
            taken.set(taken.get() + u32::from(items.is_some()));
            prop_assert_eq!(from_str(&row).map(|row| cells(&row)).ok(), items, "{}", row);
        }
    });
    assert!(taken.get() > 30, "{taken:?} of the rows were read");
}
