//! Streams: what they refuse, and how they break.

use std::io::{self, Write};

use gcf::ErrorKind;
use gcf::graph::{Dialect, Encoder, StreamHead};
use wire_core::{Edge, Symbol};

#[test]
fn a_stream_says_what_it_refuses_and_goes_on() {
    let v1 = Encoder::new().writer(Vec::new(), &StreamHead { tool: "t", ..StreamHead::default() });
    assert_eq!(v1.unwrap_err().kind(), ErrorKind::NotStreamable);
    let encoder = Encoder::new().dialect(Dialect::V1_4);
    assert_eq!(
        encoder.writer(Vec::new(), &StreamHead::default()).unwrap_err().kind(),
        ErrorKind::InvalidName
    );

    let head = StreamHead { tool: "t", token_budget: 9, ..StreamHead::default() };
    let mut stream = encoder.writer(Vec::new(), &head).unwrap();
    let near = stream.symbol(&Symbol::new("function", "near").with_distance(1)).unwrap();
    let early = stream.symbol(&Symbol::new("function", "late"));
    assert_eq!(early.unwrap_err().kind(), ErrorKind::OutOfOrder);
    let spaced = stream.symbol(&Symbol::new("function", "a b").with_distance(1));
    assert_eq!(spaced.unwrap_err().kind(), ErrorKind::InvalidName);
    let dangling = stream.edge(&Edge::new(near, 1, "calls"));
    assert_eq!(dangling.unwrap_err().kind(), ErrorKind::EdgeIndexOutOfRange);
    stream.edge(&Edge::new(near, near, "calls")).unwrap();
    let behind = stream.symbol(&Symbol::new("function", "b").with_distance(1));
    assert_eq!(behind.unwrap_err().kind(), ErrorKind::OutOfOrder);
    let text = String::from_utf8(stream.finish().unwrap()).unwrap();
    assert_eq!(
        text,
        "GCF tool=t budget=9\n## related\n@0 fn near 0.00 structural\n## edges [?]\n@0<@0 calls\n\
         ## _summary symbols=1 edges=1 sections=related:1,edges:1\n"
    );
}

#[test]
fn a_stream_counts_the_names_that_it_changes() {
    let encoder = Encoder::new().dialect(Dialect::V3).replace_white_space(Some('_'));
    let head = StreamHead { tool: "my tool", ..StreamHead::default() };
    let mut stream = encoder.writer(Vec::new(), &head).unwrap();
    for name in ["operator new", "plain", "operator delete"] {
        stream.symbol(&Symbol::new("function", name)).unwrap();
    }
    assert_eq!(stream.report().names_changed, 3);
}

/// Takes some bytes, and then nothing.
#[derive(Debug)]
struct Filling(usize);

impl Write for Filling {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_broken_stream_stays_broken() {
    let encoder = Encoder::new().dialect(Dialect::V3);
    let mut stream = encoder.writer(Filling(60), &StreamHead::default()).unwrap();
    let symbol = Symbol::new("function", "pkg.Auth");
    stream.symbol(&symbol).unwrap();
    assert_eq!(stream.symbol(&symbol).unwrap_err().kind(), ErrorKind::Io);
    assert!(stream.symbol(&symbol).unwrap_err().to_string().contains("broken"));
    assert_eq!(stream.finish().unwrap_err().kind(), ErrorKind::Io);
}
