//! Writes the tokens of the vocabularies for the feature `compact`.

fn main() {
    println!("cargo::rerun-if-changed=src/vocabulary/build.rs");
    #[cfg(feature = "compact")]
    compact::write();
}

#[cfg(feature = "compact")]
mod compact {
    use std::path::PathBuf;
    use std::{env, fs};

    use tiktoken_rs::CoreBPE;

    /// Writes the list of each vocabulary, without its special tokens.
    pub(crate) fn write() {
        const MADE: &str = "because it is in the package";
        write_list("cl100k_base", &tiktoken_rs::cl100k_base().expect(MADE), 100_256);
        write_list("o200k_base", &tiktoken_rs::o200k_base().expect(MADE), 199_998);
    }

    fn write_list(name: &str, vocabulary: &CoreBPE, tokens: u32) {
        let folder = PathBuf::from(env::var_os("OUT_DIR").expect("because Cargo sets it"));
        let mut list = Vec::new();
        for token in vocabulary._decode_native_and_split((0..tokens).collect()) {
            list.push(u8::try_from(token.len()).expect("because no token has 256 bytes"));
            list.extend(token);
        }
        let path = folder.join(format!("{name}.tokens"));
        fs::write(&path, list).expect("because the folder can be written");
    }
}
