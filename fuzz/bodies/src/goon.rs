//! GOON.

/// What decodes is encoded again, to a text that decodes to the same and is written the same.
pub fn goon_decode(input: &[u8]) {
    let Ok(response) = goon::from_slice(input) else { return };
    let encoder = goon::Encoder::new().version(goon::Version::V4_0_1).drop_unrepresentable(true);
    let Ok(text) = encoder.to_string(&response) else { return };
    // What one reads and another can't write says so; all else comes back.
    let back = goon::from_str(&text).expect("because it was written");
    let again = encoder.to_string(&back).expect("because it was read");
    assert_eq!(again, text);
    assert_eq!(goon::from_str(&again).expect("because it was written"), back);
    let json = back.to_value();
    assert_eq!(goon::GraphResponse::from_value(&json).expect("because it is one"), back);
}

/// A response in JSON never panics, and what is read comes back.
pub fn goon_json(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    if let Ok(response) = goon::GraphResponse::from_json_str(text) {
        let json = response.to_value();
        assert_eq!(goon::GraphResponse::from_value(&json).expect("because it is one"), response);
        if let Ok(text) = goon::to_string(&response) {
            let back = goon::from_str(&text).expect("because it was written");
            assert_eq!(goon::to_string(&back).expect("because it was read"), text);
        }
    }
}
