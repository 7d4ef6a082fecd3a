//! The one reader of JSON.

use serde_json::Value;
use wire_core::json::{
    Doubles, Duplicates, ErrorKind, Json, Layout, Reader, Strings, equal, from_str, laid_out,
};

/// A text is JSON here if it is JSON to `serde_json`, with the same value; it is laid out as its
/// tree is written, and that is the same value again.
pub fn json_text(input: &[u8]) {
    let Ok(text) = str::from_utf8(input) else { return };
    let mut reader = Reader::new(text).duplicates(Duplicates::Passed);
    let read = reader.skip().and_then(|_| reader.end());
    let theirs = serde_json::from_str::<Value>(text);
    let is_beyond = || read.is_ok() && Doubles::of(text).is_err();
    assert!(theirs.is_ok() == read.is_ok() || is_beyond(), "{read:?}\n{theirs:?}");

    let tree = match Json::parse(text) {
        Ok(tree) => tree,
        Err(error) => {
            assert!(error.offset() <= text.len() && !error.to_string().is_empty());
            assert!(read.is_err() || error.kind() == ErrorKind::DuplicateKey, "{error}");
            return;
        }
    };
    if let Ok(theirs) = theirs {
        assert_eq!(serde_json::to_value(&tree).expect("because serde_json reads it"), theirs);
    }
    assert_eq!(from_str::<Json<'_>>(text).expect("because it was read"), tree);
    for layout in [Layout::Compact, Layout::Pretty] {
        let again = laid_out(text, layout, Strings::Shortest).expect("because it was read");
        assert_eq!(again, tree.to_text(layout));
        assert_eq!(Json::parse(&again).expect("because it was written"), tree);
        assert!(equal(&again, text));
    }
}
