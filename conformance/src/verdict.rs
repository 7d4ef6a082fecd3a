//! Whether what is found is what a case expects.

use std::fmt;

use wire_core::Payload;

/// Nothing when a case holds; else why it does not.
pub(crate) type Verdict = Result<(), String>;

/// That two texts are the same; `what` says what the found one is.
pub(crate) fn same_text(what: &str, found: &[u8], expected: &[u8]) -> Verdict {
    if found == expected {
        return Ok(());
    }
    Err(format!("{what}\n{}\nexpected\n{}", shown(found), shown(expected)))
}

/// That two payloads are the same.
pub(crate) fn same_payload(expected: &Payload<'_>, found: &Payload<'_>) -> Verdict {
    // Debug text, so that NaN is equal to itself and -0.0 is not 0.0.
    if format!("{expected:?}") == format!("{found:?}") {
        return Ok(());
    }
    Err(format!("it decodes as\n{found:?}\nexpected\n{expected:?}"))
}

/// That two things are the same.
pub(crate) fn same<T: PartialEq + fmt::Debug + ?Sized>(found: &T, expected: &T) -> Verdict {
    if found == expected {
        return Ok(());
    }
    Err(format!("it is\n{found:?}\nexpected\n{expected:?}"))
}

/// A text in quotes, and what is no text in hexadecimal.
fn shown(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => format!("{text:?}"),
        Err(_) => bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" "),
    }
}
