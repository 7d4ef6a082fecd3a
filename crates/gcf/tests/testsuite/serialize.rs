//! Types of other crates that say more to serde than it seems.

use gcf::ErrorKind;
use gcf::to_string;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

const NUMBER: &str = "$serde_json::private::Number";
const RAW_VALUE: &str = "$serde_json::private::RawValue";

/// A struct of this name that has these texts as fields of the same name, as `serde_json` wraps
/// numbers and raw JSON.
struct Wrapped(&'static str, &'static [&'static str]);

impl Serialize for Wrapped {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut wrapped = serializer.serialize_struct(self.0, self.1.len())?;
        for text in self.1 {
            wrapped.serialize_field(self.0, text)?;
        }
        wrapped.end()
    }
}

#[derive(Serialize)]
struct Row {
    n: Wrapped,
}

#[test]
fn numbers_that_are_kept_as_text_are_numbers() {
    for (text, written) in [
        ("12", "12"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("1.50", "1.5"),
        ("1e3", "1000"),
    ] {
        let text: &'static [&'static str] = Box::leak(Box::new([text]));
        let wrapped = || Wrapped(NUMBER, text);
        let root = to_string(&wrapped()).expect("because it is a number");
        assert_eq!(root, format!("GCF profile=generic\n={written}\n"));
        let rows = to_string(&[Row { n: wrapped() }, Row { n: wrapped() }]);
        let expected = format!("GCF profile=generic\n## [2]{{n}}\n{written}\n{written}\n");
        assert_eq!(rows.expect("because it is a number"), expected);
    }
    let large = Wrapped(NUMBER, &["9223372036854775808"]);
    assert_eq!(to_string(&large).expect_err("too large").kind(), ErrorKind::OutOfRange);
}

#[test]
fn what_wraps_nothing_or_several_is_refused() {
    for wrapped in [
        Wrapped(RAW_VALUE, &["{}"]),
        Wrapped(RAW_VALUE, &[]),
        Wrapped(NUMBER, &[]),
        Wrapped(NUMBER, &["1", "2"]),
    ] {
        let (name, texts) = (wrapped.0, wrapped.1);
        for error in [
            to_string(&wrapped).expect_err("wrapped"),
            to_string(&[Row { n: wrapped }]).expect_err("wrapped in a row"),
        ] {
            assert_eq!(error.kind(), ErrorKind::InvalidValue, "{name} {texts:?}: {error}");
        }
    }
}
