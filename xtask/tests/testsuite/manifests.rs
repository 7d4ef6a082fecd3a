//! The workspace of the evaluation repeats lints and profiles of the product's, since cargo has no
//! way to share them.

#![allow(clippy::unwrap_used)] // helpers of tests

use std::fs;
use std::path::Path;

const SHARED: [&str; 3] = ["[workspace.lints.rust]", "[workspace.lints.clippy]", "[profile.dist]"];

/// A section of a manifest, with its head.
fn section<'m>(manifest: &'m str, head: &str) -> Vec<&'m str> {
    let lines = manifest.lines().skip_while(|line| *line != head);
    lines.take_while(|line| !line.is_empty()).collect()
}

#[test]
fn the_evaluation_has_the_lints_and_profiles_of_the_product() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let [product, evaluation] = ["Cargo.toml", "eval/Cargo.toml"]
        .map(|manifest| fs::read_to_string(root.join(manifest)).unwrap());
    for head in SHARED {
        let expected = section(&product, head);
        assert!(expected.len() > 1, "Cargo.toml has no {head}");
        assert_eq!(section(&evaluation, head), expected, "copy it into eval/Cargo.toml");
    }
}
