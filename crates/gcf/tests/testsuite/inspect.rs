//! Kinds of texts, by the format's own grammar.

use gcf::graph::Dialect;
use gcf::{Content, Inspection, inspect};
use gcf::{Decoder, Encoder, Spec};
use proptest::prelude::*;
use serde_json::{Value, json};
use wire_conformance::strategy::{Numbers, Shape, Text, Vocabulary, payload};

fn found(text: &str) -> Inspection {
    inspect(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn values_are_of_the_specification_that_reads_them() {
    for (body, spec, has_groups) in [
        ("", Spec::V3_5, false),
        ("a=1\n", Spec::V3_5, false),
        ("## rows [2]{id,kind}\n1|x\n2|y\n", Spec::V3_5, false),
        ("## rows [2]{id,kind=x}\n1\n2\n", Spec::V3_6, false),
        // A field that is named like a constant, and a section like a group.
        ("## rows [1]{id,\"a=b\"}\n1|2\n", Spec::V3_5, false),
        ("## \"a group=b\" [1]{id}\n1\n", Spec::V3_5, false),
        ("## \"a [2]{x=y}\" [1]{id}\n1\n", Spec::V3_5, false),
        ("a=\"## rows [2]{id,kind=x}\"\n", Spec::V3_5, false),
        ("# ## rows [2]{id,kind=x} group=kind\n", Spec::V3_5, false),
    ] {
        let text = format!("GCF profile=generic\n{body}");
        let of = found(&text);
        assert_eq!((of.content, of.spec), (Content::Value, Some(spec)), "{text}");
        assert_eq!(of.has_row_groups, has_groups, "{text}");
        assert_eq!(of.comments, usize::from(body.starts_with("# ")), "{text}");
    }
    let rows =
        json!([{"k": 1, "g": "x", "v": 1}, {"k": 2, "g": "y", "v": 2}, {"k": 3, "g": "x", "v": 3}]);
    let grouped = Encoder::new().spec(Spec::V3_6).to_string_in_groups(&rows, "k", "g").unwrap();
    let of = found(&grouped);
    assert_eq!((of.spec, of.has_row_groups), (Some(Spec::V3_6), true), "{grouped}");
    // In attachments, too.
    let nested = json!({"a": [{"id": 1, "rows": [{"x": 1, "y": "same"}, {"x": 2, "y": "same"}]}, {"id": 2, "rows": [1]}]});
    let text = Encoder::new().to_string(&nested).unwrap();
    assert_eq!(found(&text).spec, Some(Spec::V3_5), "{text}");
    let later = text.replace("{x,y}", "{x,y=same}").replace("|same", "");
    assert!(later.len() < text.len());
    assert_eq!(found(&later).spec, Some(Spec::V3_6), "{later}");
}

#[test]
fn headers_say_what_a_text_is() {
    for (text, content, dialect, is_in_session) in [
        ("GCF tool=t symbols=0\n", Content::Payload, Some(Dialect::V1), false),
        ("GCF tool=t symbols=0 session=true\n", Content::Payload, Some(Dialect::V1), true),
        ("GCF tool=t symbols=0 edges=0\n", Content::Payload, Some(Dialect::V1_4), false),
        ("GCF tool=t\n## edges [0]\n", Content::Payload, Some(Dialect::V1_4), false),
        ("GCF tool=t\n## _summary symbols=0\n", Content::Payload, Some(Dialect::V1_4), false),
        ("GCF profile=graph symbols=0\n", Content::Payload, Some(Dialect::V3), false),
        (
            "GCF tool=t delta=true base_root=aa new_root=bb\n",
            Content::Delta,
            Some(Dialect::V1),
            false,
        ),
        (
            "GCF profile=graph unchanged=true pack_root=aa\n",
            Content::Unchanged,
            Some(Dialect::V3),
            false,
        ),
        ("unchanged pack_root=aa symbols=3\n", Content::Unchanged, None, false),
        (
            "GCF profile=generic pack_root=x key=id\n## rows [0]{@id}\n",
            Content::Message,
            None,
            false,
        ),
        ("GCF profile=generic delta=true\n", Content::Message, None, false),
    ] {
        let of = found(text);
        assert_eq!(
            (of.content, of.dialect, of.is_in_session),
            (content, dialect, is_in_session),
            "{text}"
        );
        let is_generic = matches!(of.content, Content::Value | Content::Message);
        assert_eq!(is_generic, text.contains("profile=generic"));
        assert_eq!(of.spec, None, "{text}");
    }
}

#[test]
fn what_is_no_text_of_the_format_is_an_error_with_its_place() {
    for (text, code) in [
        ("", "missing_header"),
        ("{}", "missing_header"),
        ("GCF2 tool=t\n", "unsupported_version"),
        ("GCF profile=tree\n", "unknown_profile"),
        ("GCF tool=t session=maybe\n", "invalid_header_value"),
        ("GCF profile=generic\n## rows [2]{id}\n1\n", "count_mismatch"),
    ] {
        let error = inspect(text).unwrap_err();
        assert_eq!(error.code(), code, "{text}");
        assert!(error.position().is_some(), "{text}");
    }
}

proptest! {
    #[test]
    fn encoders_write_what_is_found(payload in payload(Shape {
        text: Text::Tokens,
        numbers: Numbers::SixDigits,
        max_distance: 5,
        vocabulary: Vocabulary::Listed,
    })) {
        for dialect in [Dialect::V1, Dialect::V1_4, Dialect::V3] {
            let text = gcf::graph::Encoder::new().dialect(dialect).to_string(&payload).unwrap();
            let of = found(&text);
            // Without edges there are no counts of them to tell 1.4 by.
            let same = of.dialect == Some(dialect)
                || (payload.edges.is_empty() && of.dialect == Some(Dialect::V1) && dialect == Dialect::V1_4);
            prop_assert!(same && of.content == Content::Payload && of.comments == 0, "{:?} {}", of, text);
        }
    }

    #[test]
    fn the_specification_that_is_found_writes_the_text_again(rows in proptest::collection::vec(("[a-c=,{}]{1,3}", 0u8..2, 0u8..2), 1..6), later in any::<bool>()) {
        let rows: Vec<Value> = rows.into_iter().map(|(key, a, b)| json!({key: a, "same": b})).collect();
        let spec = if later { Spec::V3_6 } else { Spec::V3_5 };
        let text = Encoder::new().spec(spec).to_string(&rows).unwrap();
        let of = found(&text);
        prop_assert!(of.spec == Some(spec) || (later && of.spec == Some(Spec::V3_5)), "{}", text);
        let again = Encoder::new().spec(of.spec.unwrap()).to_string(&rows).unwrap();
        prop_assert_eq!(&again, &text);
        prop_assert_eq!(Decoder::new().from_str::<Value>(&again).unwrap(), Value::from(rows));
    }
}
