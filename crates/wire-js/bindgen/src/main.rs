//! Writes the code between WebAssembly and JavaScript: `bindgen INPUT.wasm FOLDER NAME`. It is
//! what the command `wasm-bindgen` does, in the version of this workspace's lock file.

use std::env;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, folder, name] = &arguments[..] else {
        eprintln!("usage: bindgen INPUT.wasm FOLDER NAME");
        return ExitCode::FAILURE;
    };
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(input)
        .out_name(name)
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true);
    // The target `bundler` writes functions without a way to load the module; `load.js` has it.
    let written = bindgen.bundler(true).and_then(|bindgen| bindgen.generate(folder));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
