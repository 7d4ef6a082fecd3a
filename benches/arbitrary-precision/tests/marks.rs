//! An object with the key by which `serde_json` marks a number stays an object, and a number that
//! no double is as large as is an error or keeps its digits.

use gcx::json::Exact;
use serde_json::Value;
use wire_core::value::StrictValue;

const MARK: &str = "$serde_json::private::Number";

/// Objects with the key, in every place that there is.
fn objects() -> Vec<String> {
    let members =
        [r#""x""#, r#""1""#, r#""1e400""#, r#""""#, "1", "1.5", "null", "[]", r#"{"a":"1"}"#];
    let objects = members.map(|member| format!(r#"{{"{MARK}":{member}}}"#));
    let more = [
        format!(r#"{{"{MARK}":"1","b":2}}"#),
        format!(r#"{{"$":2,"{MARK}":"1"}}"#),
        format!(r#"{{"\u0024{}":"1"}}"#, &MARK[1..]),
        format!(r#"{{"{MARK}":"\"1"}}"#),
    ];
    let places = |object: &String| {
        [
            object.clone(),
            format!("[{object},{object}]"),
            format!(r#"[{{"a":{object},"n":1.5}}]"#),
            format!(r#"{{"rows":[{{"id":1,"in":{object}}}]}}"#),
        ]
    };
    objects.iter().chain(&more).flat_map(places).collect()
}

/// The text as it is written without white space and escapes that no string needs.
fn plain(json: &str) -> String {
    json.replace("\\u0024", "$")
}

#[test]
fn objects_that_look_like_numbers_are_objects() {
    for json in objects() {
        let expected = plain(&json);
        let exact: Exact = json.parse().unwrap_or_else(|error| panic!("{json}: {error}"));
        assert_eq!(exact.to_string(), expected);
        let strict = serde_json::from_str::<StrictValue>(&json);
        let StrictValue(strict) = strict.unwrap_or_else(|error| panic!("{json}: {error}"));
        assert_eq!(strict.to_string(), expected);
        // Once more by a value, which gives its keys and strings in another way.
        let again: StrictValue = serde_json::from_value(strict.clone()).unwrap();
        assert_eq!(again.0, strict, "owned");
        let again: StrictValue = serde::Deserialize::deserialize(&strict).unwrap();
        assert_eq!(again.0, strict, "borrowed");

        let text = gcf::generic::from_json(&json).unwrap();
        assert_eq!(gcf::generic::to_string(&strict).unwrap(), text);
        assert_eq!(gcf::generic::to_json(&text).unwrap(), expected);
        let read: StrictValue = gcf::generic::from_str(&text).unwrap();
        assert_eq!(read.0, strict);

        let typed = gcx::encode_typed("t", &exact).unwrap();
        assert_eq!(gcx::encode_typed("t", &strict).unwrap(), typed, "of a value");
        assert_eq!(gcx::decode_exact(&typed).unwrap().to_string(), expected, "{typed}");
        let direct = gcx::from_json_typed("t", &json).unwrap();
        assert_eq!(gcx::to_json(&direct).unwrap(), expected, "{direct}");
    }
}

/// `serde_json` itself takes such an object for a number, or refuses it; no entry point panics.
#[test]
fn values_of_serde_json_are_read_or_refused() {
    for json in objects() {
        let Ok(value) = serde_json::from_str::<Value>(&json) else { continue };
        let _ = gcf::generic::to_string(&value);
        let _ = gcx::encode_response("t", &value);
        let _ = gcx::encode_typed("t", &value);
    }
}

#[test]
fn numbers_that_no_double_is_as_large_as() {
    for number in ["1e400", "-1e400", "1.5E+309", "1e999999999999"] {
        for json in [number.to_owned(), format!("[{number}]"), format!(r#"[{{"a":{number}}}]"#)] {
            assert_eq!(json.parse::<Exact>().unwrap().to_string(), json);
            if let Ok(StrictValue(value)) = serde_json::from_str(&json) {
                assert!(value.to_string().to_lowercase().contains("e"), "{json}: {value}");
                let refused = gcf::generic::to_string(&value).map_err(|error| error.code());
                assert_eq!(refused, Err("out_of_range"), "{json}");
                for encoded in [gcx::encode_response("t", &value), gcx::encode_typed("t", &value)] {
                    let refused = encoded.map_err(|error| error.code());
                    assert!(refused.is_err(), "{json}: {refused:?}");
                }
            }
            let codes = [
                gcf::generic::from_json(&json).map_err(|error| error.code()),
                gcx::from_json("t", &json).map_err(|error| error.code()),
                gcx::from_json_typed("t", &json).map_err(|error| error.code()),
            ];
            for code in codes {
                assert_eq!(code, Err("out_of_range"), "{json}");
            }
        }
    }
}
