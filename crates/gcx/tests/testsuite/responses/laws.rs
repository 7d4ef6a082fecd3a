//! Laws of every response.

use std::collections::BTreeMap;

use gcx::json::Exact;
use gcx::layout::{Absence, Layout, Owner, Section, Source};
use gcx::{Decoder, Encoder, Gcx};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Value, json};
use wire_conformance::strategy::{Numbers, Shape, Text, Vocabulary, payload};
use wire_core::Codec;
use wire_core::json::{Reader, Token};

use super::strategies::{any_json, any_response, exact_text, kept_plain, scalar, text};

/// Debug text, in which both zeros differ, whatever the order of members.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("{:?}", items.iter().map(shown).collect::<Vec<_>>()),
        Value::Object(members) => {
            let sorted: BTreeMap<_, _> =
                members.iter().map(|(key, value)| (key, shown(value))).collect();
            format!("{sorted:?}")
        }
        scalar => format!("{scalar:?}"),
    }
}

/// Gives every member of the rows another of its names.
fn renamed(layout: &Layout, value: &mut Value) {
    for section in layout.sections {
        let rename = |object: &mut Value| {
            for cell in section
                .cells
                .iter()
                .filter(|cell| cell.owner == Owner::Row && cell.members.len() > 1)
            {
                let Value::Object(object) = object else { return };
                let value = object.remove(cell.members[0]);
                object.extend(value.map(|value| (cell.members[1].to_owned(), value)));
            }
        };
        match (section.source, &mut *value) {
            (Source::Whole, object) => rename(object),
            (_, Value::Array(rows)) => rows.iter_mut().for_each(rename),
            (Source::One(member), object) => rename(&mut object[member]),
            (Source::Many(names), Value::Object(object)) => {
                let Some(mut rows) = object.remove(names[0]) else { continue };
                rows.as_array_mut().into_iter().flatten().for_each(rename);
                object.insert((*names.last().expect("because a list has a name")).to_owned(), rows);
            }
            _ => {}
        }
    }
}

proptest! {
    #[test]
    fn digits_of_any_length_come_back(text in exact_text()) {
        let value: Exact = text.parse().unwrap();
        // The literals, as they are in the text.
        let literals = |text: &str| -> Vec<String> {
            let mut found = Vec::new();
            Reader::new(text)
                .walk(|token, _| {
                    if let Token::Number(number) = token
                        && number.is_integer()
                    {
                        found.push(number.literal().to_owned());
                    }
                    Ok(())
                })
                .unwrap();
            found
        };
        prop_assert_eq!(literals(&value.to_string()), literals(&text));
        let typed = gcx::encode_response("t", &value).unwrap();
        prop_assert_eq!(&gcx::decode_exact(&typed).unwrap(), &value, "{}", typed);
        let raw: &serde_json::value::RawValue = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&gcx::encode_response("t", raw).unwrap(), &typed);
        // As a value it is the same, or an error.
        match gcx::decode_response(&typed) {
            Ok(read) => prop_assert_eq!(shown(&value.clone().into_value().unwrap()), shown(&read)),
            Err(error) => {
                prop_assert_eq!(error.code(), "out_of_range");
                prop_assert!(error.position().is_some());
                prop_assert!(value.clone().into_value().is_err());
            }
        }
        let once = gcx::decode_exact(&gcx::encode_layout("t", &value).unwrap()).unwrap();
        let again = gcx::decode_exact(&gcx::encode_layout("t", &once).unwrap()).unwrap();
        prop_assert!(again == once || value.to_string().starts_with('"'), "{again} {once}");
    }

    #[test]
    fn what_stands_behind_a_layout_comes_back(
        (tool, response) in any_response(),
        members in btree_map("[a-z]{1,3}|[ -~]{1,4}|typed|rows|extras|fields|lang", any_json(), 1..4),
        further in btree_map("[a-z]{1,3}|lang|rank", prop_oneof![kept_plain(), scalar()], 0..3),
        only in any::<bool>(),
    ) {
        let layout = Layout::of(tool).unwrap();
        let mut value = response.clone();
        // The members of the layout are decoded in its canonical form.
        let names = |section: &'static Section| {
            let members = section.cells.iter().flat_map(|cell| cell.members);
            let meta = section.meta.iter().map(|meta| &meta.key);
            members.chain(meta).chain(section.source.members()).copied()
        };
        let known: Vec<&str> = layout
            .sections
            .iter()
            .flat_map(names)
            .chain(layout.join.map(|join| join.list))
            .chain(["section"])
            .collect();
        let extend = |object: &mut Value, with: &BTreeMap<String, Value>| {
            if let Value::Object(object) = object {
                for (key, value) in with.iter().filter(|(key, _)| !known.contains(&key.as_str())) {
                    object.insert(key.clone(), value.clone());
                }
            }
        };
        let first = layout.sections[0].source.members().first();
        match (&mut value, first) {
            (Value::Array(rows), _) => rows.iter_mut().for_each(|row| extend(row, &further)),
            // A section by the fallback has the canonical form of that.
            _ if matches!(layout.sections[0].source, Source::Any(_)) => {}
            (value, Some(list)) => {
                let rows = value.get_mut(*list).and_then(Value::as_array_mut);
                rows.into_iter().flatten().for_each(|row| extend(row, &further));
            }
            _ => {}
        }
        extend(&mut value, &members);
        let encoder = Encoder::new().extra_columns(true);
        let encoded = encoder.encode_layout_with_report(tool, &value).unwrap();
        prop_assert!(encoded.left_out.is_empty());
        prop_assert_eq!(shown(&gcx::decode_response(&encoded.text).unwrap()), shown(&value), "{}", encoded.text);
        let exact = gcx::decode_exact(&encoded.text).unwrap().into_value().unwrap();
        prop_assert_eq!(shown(&exact), shown(&value), "{}", encoded.text);
        let may_miss = layout.sections.iter().any(|section| section.absence == Absence::NoSection);
        if !may_miss && encoded.text.len() < 500 {
            cuts_are_errors(&encoded.text)?;
        }
        if only {
            let followed = encoder.layout_only(true).encode_layout_with_report(tool, &value).unwrap();
            prop_assert_eq!(followed.left_out.is_empty(), followed.text == encoded.text);
            gcx::decode_response(&followed.text).unwrap();
        }
    }

    #[test]
    fn any_json_comes_back_in_the_typed_form(value in any_json(), commas in any::<bool>()) {
        let encoder = Encoder::new().escape_commas(commas);
        for tool in ["t", "search_symbols", "get_callers.nodes"] {
            let text = encoder.encode_response(tool, &value).unwrap();
            prop_assert_eq!(shown(&gcx::decode_response(&text).unwrap()), shown(&value), "{}", text);
        }
    }

    #[test]
    fn what_the_fallback_gives_it_gives_again(value in any_json()) {
        prop_assume!(!value.is_string());
        let once = gcx::decode_response(&gcx::encode_layout("t", &value).unwrap()).unwrap();
        let text = gcx::encode_layout("t", &once).unwrap();
        prop_assert_eq!(shown(&gcx::decode_response(&text).unwrap()), shown(&once), "{}", text);
    }

    #[test]
    fn canonical_responses_come_back((tool, value) in any_response()) {
        let encoded = Encoder::new().encode_layout_with_report(tool, &value).unwrap();
        prop_assert_eq!(&encoded.left_out, &Vec::<String>::new());
        prop_assert_eq!(shown(&gcx::decode_response(&encoded.text).unwrap()), shown(&value), "{}", encoded.text);
        // By other names it is the same text, and what has no place is told.
        let mut other = value.clone();
        renamed(Layout::of(tool).unwrap(), &mut other);
        prop_assert_eq!(&gcx::encode_layout(tool, &other).unwrap(), &encoded.text);
        if let Value::Object(object) = &mut other {
            object.insert("a member that nobody knows".to_owned(), json!(1));
            let more = Encoder::new().layout_only(true).encode_layout_with_report(tool, &other).unwrap();
            prop_assert_eq!(more.text, encoded.text);
            prop_assert_eq!(more.left_out, ["a member that nobody knows"]);
            // By default it is kept, with all others.
            let whole = gcx::encode_layout(tool, &other).unwrap();
            prop_assert_eq!(shown(&gcx::decode_response(&whole).unwrap()), shown(&other), "{}", whole);
        }
    }

    #[test]
    fn a_layout_fails_no_tool_and_leaves_nothing_out(
        tool in proptest::sample::select(Layout::ALL.iter().flat_map(|layout| layout.tools.iter().copied()).chain(["get_callers.nodes", "contracts.list", "analyze.cycles"]).collect::<Vec<_>>()),
        value in any_json(),
        (other_tool, response) in any_response(),
        member in "[a-z_]{1,12}",
    ) {
        // Any JSON, the response of another tool, and one with a member changed.
        let mut changed = response.clone();
        if let Value::Object(object) = &mut changed {
            object.insert(member, value.clone());
        }
        for (tool, value) in [(tool, &value), (tool, &response), (other_tool, &changed)] {
            let encoded = Encoder::new().encode_layout_with_report(tool, value).unwrap();
            prop_assert!(encoded.left_out.is_empty());
            let back = gcx::decode_response(&encoded.text).unwrap();
            if shown(&back) != shown(value) {
                // The canonical form: the layout took all of it, and gives the same text again.
                let by_layout = Encoder::new().layout_only(true).encode_layout_with_report(tool, value).unwrap();
                prop_assert_eq!((&by_layout.text, by_layout.left_out.len()), (&encoded.text, 0));
                prop_assert_eq!(&gcx::encode_layout(tool, &back).unwrap(), &encoded.text);
            }
        }
    }

    #[test]
    fn what_serde_serializes_is_a_response_as_its_value_is(value in any_json()) {
        #[derive(serde::Serialize)]
        struct Response<'v> { id: u8, more: Option<&'v Value> }
        let json = json!({"id": 7, "more": value});
        let response = Response { id: 7, more: Some(&value) };
        prop_assert_eq!(gcx::encode_layout("t", &response).unwrap(), gcx::encode_layout("t", &json).unwrap());
        prop_assert_eq!(gcx::encode_response("t", &response).unwrap(), gcx::encode_response("t", &json).unwrap());
    }

    #[test]
    fn no_cut_of_a_response_goes_unnoticed((tool, value) in any_response(), typed in any::<bool>()) {
        // Sections that may be missing are no loss that anybody could see.
        let layout = Layout::of(tool).unwrap();
        let may_miss = layout.sections.iter().any(|section| section.absence == Absence::NoSection);
        prop_assume!(typed || !may_miss);
        let text = if typed { gcx::encode_response(tool, &value) } else { gcx::encode_layout(tool, &value) }.unwrap();
        cuts_are_errors(&text)?;
    }

    #[test]
    fn no_cut_of_the_fallback_goes_unnoticed(value in any_json(), typed in any::<bool>()) {
        let text = if typed { gcx::encode_response("t", &value) } else { gcx::encode_layout("t", &value) }.unwrap();
        cuts_are_errors(&text)?;
    }

    #[test]
    fn anything_is_a_response_or_an_error(tool in proptest::sample::select(vec![
        "t fields=value", "t fields=a,b typed=objects:string?,json", "search_symbols fields=id,kind,name,line", "error fields=code,message,detail",
        "find_usages fields=from,to,edge_kind,from_line", "contracts.list fields=id,providers", "tool_request fields=tool,scope,repo",
    ]), body in any::<String>(), lines in vec(vec(text(), 0..5), 0..4)) {
        for body in [body, lines.iter().map(|cells| cells.join("\t") + "\n").collect()] {
            let text = format!("GCX1 tool={tool}\n{body}\n");
            if let Err(error) = gcx::decode_response(&text) {
                let position = error.position().expect("because it is about a place");
                prop_assert!(position.offset <= text.len() as u64);
            }
        }
    }

    #[test]
    fn payloads_come_back(payload in payload(Shape {
        text: Text::Any,
        numbers: Numbers::Finite,
        max_distance: u32::MAX,
        vocabulary: Vocabulary::Open,
    }), cut in any::<prop::sample::Index>()) {
        let codec = Gcx::default();
        let strict = Gcx::new(Decoder::new().require_final_newline(true));
        let mut out = b"before".to_vec();
        match codec.encode(&payload, &mut out) {
            Ok(()) => {
                let mut expected = payload.clone();
                codec.info().fidelity().project(&mut expected);
                prop_assert_eq!(codec.decode(&out[6..]).unwrap(), expected);
                let cut = cut.index(out.len() - 6);
                prop_assert!(strict.decode(&out[6..6 + cut]).is_err(), "cut at {}", cut);
            }
            Err(error) => {
                prop_assert_eq!(error.code(), "invalid_name");
                prop_assert_eq!(out, b"before");
            }
        }
    }
}

/// That each beginning of a text is an error.
fn cuts_are_errors(text: &str) -> Result<(), TestCaseError> {
    let strict = Decoder::new().require_final_newline(true);
    for cut in (0..text.len()).filter(|&cut| text.is_char_boundary(cut)) {
        let cut_off = &text[..cut];
        prop_assert!(strict.decode_response(cut_off).is_err(), "cut at {} of {:?}", cut, text);
    }
    Ok(())
}
