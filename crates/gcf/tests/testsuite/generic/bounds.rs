//! Depth, size and time are bounded.

use std::io;

use gcf::ErrorKind;
use gcf::{Decoder, Encoder, Reader, from_str, to_string};
use serde::Serialize;
use serde_json::{Value, json};

use super::HEADER;

/// Arrays in each other, so many deep.
struct Deep(usize);

impl Serialize for Deep {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 == 0 {
            serializer.serialize_unit()
        } else {
            serializer.collect_seq([Deep(self.0 - 1)])
        }
    }
}

/// Its result in a stack of so many bytes.
fn in_a_stack<T: Send>(bytes: usize, run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(bytes);
        let thread = builder.spawn_scoped(scope, run).expect("because there is room for a thread");
        thread.join().expect("because nothing in it panics")
    })
}

#[test]
fn depth_is_bounded_both_ways() {
    let codes = in_a_stack(2 << 20, || {
        let mut codes = vec![to_string(&Deep(100_000)).unwrap_err().code()];
        let sections = (0..1_000)
            .map(|level| format!("{}## a\n", "  ".repeat(level)))
            .collect::<Vec<_>>()
            .concat();
        let items = (0..1_000)
            .map(|level| format!("{}@0 [1]\n", "  ".repeat(level)))
            .collect::<Vec<_>>()
            .concat();
        let path = vec!["a"; 100_000].join(">");
        for text in [
            format!("{HEADER}{sections}"),
            format!("{HEADER}## [1]\n{items}"),
            format!("{HEADER}## [1]{{\"{path}\"}}\n1\n"),
        ] {
            codes.push(from_str::<Value>(&text).unwrap_err().code());
            codes.push(from_str::<serde::de::IgnoredAny>(&text).unwrap_err().code());
        }
        let deepest = to_string(&Deep(127)).unwrap();
        assert!(from_str::<Value>(&deepest).is_ok());
        codes
    });
    assert_eq!(codes, ["too_deep"; 7]);
    assert_eq!(to_string(&Deep(128)).unwrap_err().code(), "too_deep");
}

/// Also without optimizations, where calls use the most of a stack.
#[test]
fn deep_values_fit_in_a_small_stack() {
    let levels = |at_most: usize, line: &dyn Fn(usize) -> String| {
        (0..at_most).map(line).collect::<Vec<_>>().concat()
    };
    let indent = |level: usize| "  ".repeat(level);
    let sections = levels(126, &|level| format!("{}## a\n", indent(level)));
    let items = levels(124, &|level| format!("{}@0 [1]\n", indent(level)));
    // Each table in a row is two levels.
    let rows = levels(61, &|level| {
        let indent = indent(2 * level);
        format!("{indent}@0 ^\n{indent}.a [1]{{a}}\n")
    });
    let texts = [
        sections,
        format!("## [1]\n{items}{}@0 =1\n", indent(124)),
        format!("## [1]{{a}}\n{rows}{}1\n", indent(122)),
    ];
    for text in texts {
        let text = format!("{HEADER}{text}");
        in_a_stack(512 << 10, || {
            from_str::<serde::de::IgnoredAny>(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
            #[cfg(feature = "json")]
            gcf::gcf_to_json(&text).unwrap();
        });
    }
}

#[test]
fn a_small_text_is_no_huge_value() {
    // Rows of two bytes that repeat a name of a hundred thousand, a constant, the key of a schema,
    // or the value of a group.
    let long = "x".repeat(100_000);
    let rows = "1\n".repeat(10_000);
    let few = Decoder::new().repeated_bytes(Some(1 << 20));
    let mut largest = String::new();
    let keys: String = (0..10_000).map(|at| format!("{at}\n")).collect::<Vec<_>>().concat();
    let bodies: String = (1..10_000).map(|at| format!("@{at} ^\n1\n")).collect::<Vec<_>>().concat();
    for text in [
        format!("{HEADER}## [10000]{{{long}}}\n{rows}"),
        format!("{HEADER}## [10000]{{a=\"{long}\",b}}\n{rows}"),
        format!("{HEADER}## [10000]{{c}}\n@0 ^{{{long}}}\n1\n{bodies}"),
        format!("{HEADER}## [10000]{{@a,g}} group=g\ng={long} [10000]\n{keys}"),
    ] {
        assert_eq!(few.from_str::<Value>(&text).unwrap_err().kind(), ErrorKind::TooLarge);
        // Mending would read it again and again.
        let mended = few.recover::<Value>(&text.replacen("[10000]", "[9999]", 1));
        assert_eq!(mended.unwrap_err().kind(), ErrorKind::TooLarge);
        let mut reader = few.reader(text.as_bytes()).unwrap();
        let error = reader.next_table().and_then(|_| reader.next_table()).unwrap_err();
        // Rows in groups are not for this reader.
        assert!(error.kind() == ErrorKind::TooLarge || text.contains("group="), "{error}");
        largest = text;
    }
    assert_eq!(from_str::<Value>(&largest).unwrap_err().kind(), ErrorKind::TooLarge);
    // What rows repeat in tables of their own is summed up, too.
    let attached = format!(".a [20]{{c={long},b}}\n{}", "    1\n".repeat(20));
    let rows: Vec<String> = (0..10).map(|at| format!("@{at} ^\n{attached}")).collect();
    let text = format!("{HEADER}## [10]{{a}}\n{}", rows.concat());
    let bytes = 10 << 20;
    let few_rows = Decoder::new().repeated_bytes(Some(bytes));
    assert_eq!(few_rows.from_str::<Value>(&text).unwrap_err().kind(), ErrorKind::TooLarge);
    let mut reader = few_rows.reader(text.as_bytes()).unwrap();
    let error = reader.next_table().and_then(|_| reader.next_table()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge);
    // Keys of a map that look like any other.
    let names: String =
        (0..60_000).map(|n| format!("\"\\u00000-{n}\",")).collect::<Vec<_>>().concat();
    let text = format!(
        "{HEADER}## [2:]{{key,a}}\n@0 x|^{{p,q,r}}\n1|2|3\n@1 y|^\n.a [60001]: {names}kkk0\n"
    );
    let mut reader = Reader::new(text.as_bytes()).unwrap();
    assert!(reader.next_table().and_then(|_| reader.next_table()).unwrap().is_none());
    // Rows of one byte that repeat thousands of short constants.
    let constants: String = (0..10_000).map(|n| format!("c{n}=1,")).collect::<Vec<_>>().concat();
    let text = format!("{HEADER}## [1000]{{{constants}b}}\n{}", "1\n".repeat(1_000));
    assert_eq!(few.from_str::<Value>(&text).unwrap_err().kind(), ErrorKind::TooLarge);
    // A hundred rows are fine.
    let few = format!("{HEADER}## [100]{{{long}}}\n{}", "1\n".repeat(100));
    assert!(from_str::<Value>(&few).is_ok());
}

#[test]
fn large_texts_take_linear_time() {
    // Each would take much longer if anything in it were quadratic.
    const MANY: usize = 8_000;
    let wide: String = (0..MANY).map(|n| format!("f{n}")).collect::<Vec<_>>().join(",");
    let nulls = vec!["~"; MANY].join("|");
    let marks = vec!["^"; MANY].join("|");
    let attachments = (0..MANY).rev().map(|n| format!(".f{n} [0]\n")).collect::<Vec<_>>().concat();
    let members = (0..MANY).map(|n| format!("f{n}=1\n")).collect::<Vec<_>>().concat();
    let extras = (0..MANY).map(|n| format!(".\"a>{n}\" =1\n")).collect::<Vec<_>>().concat();
    let keyed = (0..MANY).map(|n| format!("k{n}|1\n")).collect::<Vec<_>>().concat();
    for text in [
        format!("{HEADER}## [1]{{{wide}}}\n{nulls}\n"),
        format!("{HEADER}## [1]{{{wide}}}\n@0 {marks}\n{attachments}"),
        format!("{HEADER}## [1]{{a}}\n@0 1\n{extras}"),
        format!("{HEADER}{members}"),
        format!("{HEADER}## [{MANY}:]{{key,a}}\n{keyed}"),
        format!("{HEADER}## [?]{{a}}\n{}", "1\n".repeat(MANY)),
        format!("{HEADER}{}a=1\n", "# c\n".repeat(MANY)),
    ] {
        assert!(from_str::<serde::de::IgnoredAny>(&text).is_ok());
        let value: Value = from_str(&text).unwrap();
        assert_eq!(from_str::<Value>(&to_string(&value).unwrap()).unwrap(), value);
    }
    let error =
        from_str::<Value>(&format!("{HEADER}## [18446744073709551615]{{a}}\n1\n")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::CountMismatch);
    // Rows whose objects are nested deep.
    let mut row = json!({"x": 1});
    for _ in 0..80 {
        row = json!({"n": row, "l": [1, 2]});
    }
    let rows: Vec<Value> = vec![row; 100];
    let text = to_string(&rows).unwrap();
    assert_eq!(from_str::<Vec<Value>>(&text).unwrap(), rows);
}

#[test]
fn a_text_may_be_a_whole_file() {
    let value =
        json!([{"path": "a", "source": "x\n".repeat(1 << 19)}, {"path": "b", "source": ""}]);
    let text = gcf::to_string(&value).unwrap();
    assert_eq!(gcf::from_str::<Value>(&text).unwrap(), value);
    let mut reader = gcf::Reader::new(text.as_bytes()).unwrap();
    reader.next_table().unwrap();
    assert_eq!(reader.next_row::<Value>().unwrap().as_ref(), value.get(0));
    assert_eq!(gcf::Decoder::default().from_str::<Value>(&text).unwrap(), value);
}

/// The option that refuses a text without its last line ending is one of messages, too.
#[test]
fn messages_of_keyed_sets_may_need_a_final_newline() {
    use gcf::keyed::{KeyedSet, Message};

    let rows = |n: u32| KeyedSet::from_rows("id", &[json!({"id": 1, "n": n})]).unwrap();
    let delta = rows(1).delta_to(&rows(2)).unwrap();
    for text in [rows(1).to_string(), delta.to_string()] {
        let careful = Decoder::new().require_final_newline(true);
        let whole = careful.message_from_str(&text).unwrap();
        let cut = text.strip_suffix('\n').unwrap();
        assert_eq!(cut.parse::<Message>().unwrap(), whole, "{text}");
        let error = careful.message_from_str(cut).unwrap_err();
        let end = error.position().map(|position| position.offset);
        assert_eq!((error.code(), end), ("missing_final_newline", Some(cut.len() as u64)));
        careful.require_final_newline(false).message_from_str(cut).unwrap();
    }
}

/// For those who look for the format with the fewest tokens.
#[test]
fn a_text_that_is_much_larger_than_the_json_is_not_made() {
    let made = |value: &Value| {
        let prepared = Encoder::new().prepare(value).unwrap();
        let text = prepared.to_string_unless_large(value.to_string().len());
        assert!(text.as_ref().is_none_or(|text| *text == to_string(value).unwrap()));
        text
    };
    let sparse = |count: usize| -> Value {
        (0..count).map(|number| json!({format!("m{number}"): number})).collect()
    };
    assert!(made(&sparse(150)).is_some(), "it is small");
    assert!(made(&sparse(600)).is_none());
    // The indentation of a deep value is most of its text, and by most counters no token.
    let mut deep: Value = (0..600).map(|number| (format!("b{number}"), json!({}))).collect();
    for _ in 0..115 {
        deep = json!({"a": deep});
    }
    let text = made(&deep).unwrap();
    assert!(text.len() > 16 * deep.to_string().len() && text.len() > 1 << 16);
}

/// Takes no piece, and counts them and their bytes.
#[derive(Default)]
struct Refusing {
    pieces: usize,
    bytes: usize,
}

impl io::Write for Refusing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pieces += 1;
        self.bytes += bytes.len();
        Err(io::Error::other("full"))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A writer that fails gets one piece and no more.
#[test]
fn a_text_is_made_only_as_far_as_it_is_wanted() {
    let many = |value: Value| Value::Array(vec![value; 15_000]);
    let object = |value: Value| -> Value {
        (0..15_000).map(|number| (format!("m{number}"), value.clone())).collect()
    };
    let sparse: Vec<Value> =
        (0..1_000).map(|number| json!({format!("m{number}"): number})).collect();
    for value in [
        many(json!(1)),
        many(json!({"a": 1})),
        many(json!([1])),
        many(json!({"a": [1], "b": {"c": [{}]}})),
        object(json!(1)),
        object(json!([])),
        object(json!({"a": 1})),
        object(json!({"a": [{"b": 1}]})),
        json!({"a": many(json!([{"b": [1]}]))}),
        json!(sparse),
    ] {
        let mut writer = Refusing::default();
        let prepared = Encoder::new().prepare(&value).unwrap();
        assert!(prepared.to_writer(&mut writer).is_err());
        // A table's header and a row of all columns are the longest lines.
        assert!(writer.pieces == 1 && writer.bytes < (64 << 10) + 10_000, "{}", writer.bytes);
    }
}
