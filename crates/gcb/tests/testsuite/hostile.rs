//! Input that is made to hurt, and readers and writers that fail.

use gcb::{Decoder, ErrorKind, Reader};
use wire_conformance::faults::{Dribble, Full, Last};
use wire_core::{Limits, Payload, Symbol};

fn payload() -> Payload<'static> {
    Payload {
        tool: "t".into(),
        symbols: vec![
            Symbol::new("function", "a").with_signature("fn a()"),
            Symbol::new("type", "b"),
        ],
        edges: vec![wire_core::Edge::new(0, 1, "calls")],
        ..Payload::default()
    }
}

#[test]
fn limits_hold() {
    let bytes = gcb::to_vec(&payload()).unwrap();
    let few = Decoder::new().limits(Limits::DEFAULT.with_items(1));
    assert_eq!(few.from_slice(&bytes).unwrap_err().kind(), ErrorKind::TooManyItems);
    let short = Decoder::new().limits(Limits::DEFAULT.with_line_bytes(5));
    assert_eq!(short.from_slice(&bytes).unwrap_err().kind(), ErrorKind::StringTooLong);
    assert!(Decoder::new().limits(Limits::DEFAULT.with_line_bytes(6)).from_slice(&bytes).is_ok());
}

#[test]
fn text_is_borrowed() {
    let bytes = gcb::to_vec(&payload()).unwrap();
    let payload = gcb::from_slice(&bytes).unwrap();
    assert!(matches!(payload.symbols[0].qualified_name, std::borrow::Cow::Borrowed(_)));
    assert!(matches!(payload.symbols[0].signature, std::borrow::Cow::Borrowed(_)));
}

#[test]
fn slow_and_failing_readers() {
    let bytes = gcb::to_vec(&payload()).unwrap();
    let mut reader = Reader::new(Dribble::new(&bytes, Last::End)).unwrap();
    assert_eq!((reader.tool(), reader.num_symbols(), reader.num_edges()), ("t", 2, 1));
    assert_eq!(reader.next_symbol().unwrap().as_ref(), Some(&payload().symbols[0]));
    // Symbols that are not asked for are passed over.
    assert_eq!(reader.next_edge().unwrap().as_ref(), Some(&payload().edges[0]));
    assert_eq!(reader.next_edge().unwrap(), None);
    assert_eq!(reader.next_symbol().unwrap(), None);

    let error = gcb::from_reader(Dribble::new(&bytes, Last::Dies)).unwrap_err();
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Io, "the line went dead"));

    let longer = [&bytes[..], b"x"].concat();
    let mut reader = Reader::new(&longer[..]).unwrap();
    assert!(reader.next_edge().unwrap().is_some());
    assert_eq!(reader.next_edge().unwrap_err().kind(), ErrorKind::TrailingBytes);
}

#[test]
fn failing_writers_are_errors() {
    assert_eq!(gcb::to_writer(Full, &payload()).unwrap_err().kind(), ErrorKind::Io);
}
