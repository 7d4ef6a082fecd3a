//! JSON text straight through is what it is by way of a value, and what is wrong with it has its
//! place in it.

use gcx::json::Exact;
use gcx::{Decoder, Encoder, ErrorKind, gcx_to_json, json_to_gcx, json_to_layout};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;
use wire_core::json::Doubles;

use super::strategies::{any_json, any_response, exact_text, scalar, text};

/// The text of an array of objects with few keys in any order, now and then one twice or something
/// else than an object among them.
fn rows() -> impl Strategy<Value = String> {
    let cell = prop_oneof![
        6 => scalar().prop_map(|value| value.to_string()),
        2 => any_json().prop_map(|value| format!("{value:#}")),
        1 => exact_text(),
        1 => prop::sample::select(vec!["1e2", "-0", "1.50", "18446744073709551616", "1e19", "1e400", "{\"b\":1, \"a\":2}"])
            .prop_map(str::to_owned),
    ];
    let key = prop_oneof![12 => "[a-c]", 1 => text(), 1 => Just("a,b".to_owned())];
    let member = (key, cell).prop_map(|(key, cell)| format!(" {}: {cell}", Value::from(key)));
    let row = prop_oneof![
        15 => vec(member, 0..4).prop_map(|members| format!("{{{}}}", members.join(","))),
        1 => scalar().prop_map(|value| value.to_string()),
    ];
    vec(row, 0..6).prop_map(|rows| format!("[{}]\n", rows.join(",\n")))
}

/// Both forms of a JSON text, straight and by way of a value, are the same.
fn check(tool: &str, json: &str) -> Result<(), TestCaseError> {
    for encoder in [Encoder::new(), Encoder::new().escape_commas(true).meta("m", "1").comment("c")]
    {
        let straight = encoder.json_to_layout_with_report(tool, json);
        let typed = encoder.json_to_gcx(tool, json);
        // GCX1 has no decimals beyond doubles, and JSON has.
        match json.parse::<Exact>().ok().filter(|_| Doubles::of(json).is_ok()) {
            Some(value) => {
                let message = |error: gcx::Error| error.to_string();
                let by_value = encoder.encode_layout_with_report(tool, &value).map_err(message);
                prop_assert_eq!(straight.map_err(message), by_value, "{}", json);
                let by_value = encoder.encode_response(tool, &value).map_err(message);
                prop_assert_eq!(typed.map_err(message), by_value, "{}", json);
            }
            None => {
                for error in [straight.map(|encoded| encoded.text), typed] {
                    let error = error.expect_err("because it is no JSON");
                    prop_assert!(error.position().is_some(), "{}\n{}", error, json);
                }
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn rows_go_straight_through(json in rows()) {
        check("t", &json)?;
    }

    #[test]
    fn any_json_goes_through(value in any_json(), tool in prop_oneof![4 => Just("t"), 1 => Just("search_symbols"), 1 => Just("")]) {
        check(tool, &value.to_string())?;
        check(tool, &format!("{value:#}"))?;
    }

    #[test]
    fn responses_of_layouts_go_through((tool, value) in any_response()) {
        check(tool, &value.to_string())?;
    }

    #[test]
    fn typed_text_comes_back(json in rows()) {
        let value = json.parse::<Exact>();
        prop_assume!(Doubles::of(&json).is_ok(), "a key twice, or a number beyond range");
        let value = value.unwrap();
        let text = json_to_gcx("t", &json).unwrap();
        prop_assert_eq!(gcx_to_json(&text).unwrap().parse::<Exact>().unwrap(), value);
        for text in [text, json_to_layout("t", &json).unwrap()] {
            let exact = gcx::decode_exact(&text).unwrap();
            prop_assert_eq!(gcx_to_json(&text).unwrap(), exact.to_string());
            prop_assert_eq!(Decoder::new().pretty(true).gcx_to_json(&text).unwrap(), format!("{exact:#}"));
        }
    }

    /// Also of objects in cells (ruling X15).
    #[test]
    fn members_keep_their_order_in_the_typed_form(
        keys in Just(["c", "a", "b", "ä"]).prop_shuffle(),
        rows in vec(vec(any_json(), 4), 1..4),
        one in any::<bool>(),
    ) {
        let row = |cells: &Vec<Value>| {
            let members = keys.iter().zip(cells).map(|(key, cell)| format!("\"{key}\":{cell}"));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        };
        let list = || format!("[{}]", rows.iter().map(row).collect::<Vec<_>>().join(","));
        let json = if one { row(&rows[0]) } else { list() };
        let text = json_to_gcx("t", &json).unwrap();
        // In these values members keep their order, and doubles have one text.
        let value = |json: &str| json.parse::<Exact>().unwrap().into_value().unwrap().to_string();
        prop_assert_eq!(value(&gcx_to_json(&text).unwrap()), value(&json), "{}", text);
        prop_assert!(text.starts_with(&format!("GCX1 tool=t fields={} ", keys.join(","))), "{}", text);
    }

    #[test]
    fn texts_are_refused_alike_both_ways(
        header in prop::sample::select(vec![
            "GCX1 tool=t fields=a,b", "GCX1 tool=t fields=value", "GCX1 tool=t fields=a,b typed=objects:integer,json",
            "GCX1 tool=t fields=a typed=object:float rows=1", "GCX1 tool=search_symbols fields=id,kind,name,path,line,sig", "GCX1",
        ]),
        rows in prop::option::of(0..4usize),
        body in "([a1.\\[\\]\t\\\\-]{0,6}\n){0,3}",
    ) {
        let rows = rows.map(|rows| format!(" rows={rows}")).unwrap_or_default();
        let text = format!("{header}{rows}\n{body}");
        let exact = gcx::decode_exact(&text).map(|exact| exact.to_string()).map_err(|error| error.to_string());
        prop_assert_eq!(gcx_to_json(&text).map_err(|error| error.to_string()), exact);
    }

    #[test]
    fn a_cut_is_found_at_the_end(json in rows(), at in any::<prop::sample::Index>()) {
        prop_assume!(Doubles::of(&json).is_ok());
        let cut = at.index(json.len() - 1);
        prop_assume!(json.is_char_boundary(cut));
        let error = json_to_layout("t", &json[..cut]).unwrap_err();
        prop_assert_eq!(error.kind(), ErrorKind::JsonSyntax);
        prop_assert_eq!(error.position().unwrap().offset, cut as u64, "{}", error);
    }
}

#[test]
fn errors_have_their_places_in_the_json() {
    let long = "9".repeat(400);
    for (json, expected) in [
        ("", ("json_syntax", 0, 1, 1)),
        ("[{\"a\": 1},\n {\"a\" 2}]", ("json_syntax", 17, 2, 7)),
        ("[{\"a\":[{\"b\":1}]},\n{\"a\":[{\"b\":1,\n\"b\":2}]}]", ("duplicate_key", 32, 3, 1)),
        ("[{\"a\":1e400}]", ("out_of_range", 6, 1, 7)),
        (&format!("[{{\"a\":{long},\n\"a\":1}}]"), ("duplicate_key", 408, 2, 1)),
        (&format!("[{long} 1]"), ("json_syntax", 402, 1, 403)),
        (&"[".repeat(200), ("too_deep", 127, 1, 128)),
    ] {
        for error in [json_to_layout("t", json), json_to_gcx("t", json)] {
            let error = error.expect_err("because something is wrong with the text");
            let position = error.position().unwrap_or_else(|| panic!("{error} has no place"));
            let found = (error.code(), position.offset, position.line, position.column);
            assert_eq!(found, expected, "{json}: {error}");
        }
    }
}
