//! Writes the tokens of the vocabularies, in the order of their ranks.

use std::path::PathBuf;
use std::{env, fs};

use tiktoken_rs::CoreBPE;

fn main() {
    const MADE: &str = "because it is in the package";
    println!("cargo::rerun-if-changed=build.rs");
    write("cl100k_base", &tiktoken_rs::cl100k_base().expect(MADE), 100_256);
    write("o200k_base", &tiktoken_rs::o200k_base().expect(MADE), 199_998);
}

/// Writes the first `tokens` of a vocabulary, which are all but its special ones.
fn write(name: &str, vocabulary: &CoreBPE, tokens: u32) {
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("because Cargo sets it"));
    let mut list = Vec::new();
    for token in vocabulary._decode_native_and_split((0..tokens).collect()) {
        list.push(u8::try_from(token.len()).expect("because no token has 256 bytes"));
        list.extend(token);
    }
    let path = folder.join(format!("{name}.tokens"));
    fs::write(&path, list).expect("because the folder can be written");
}
