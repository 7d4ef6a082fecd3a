//! Whatever a file holds, each command gets to its end and says what is wrong, and where; none
//! panics.

use std::fs;

use wire_conformance::{Corpus, fixtures_dir};
use wire_fuzz_bodies::Mutator;

use crate::common::{folder, text, wirefmt};

const FILES: usize = 300;

#[test]
fn damaged_files_are_told_apart_and_reported() {
    let corpus = Corpus::load(&fixtures_dir()).expect("because the corpus is whole");
    let texts = corpus.cases().iter().filter_map(|case| case.operation.text());
    let seeds: Vec<Vec<u8>> = texts.map(<[u8]>::to_vec).collect();
    let mut mutator = Mutator::new(20, &seeds, &[""]);
    let folder = folder();
    // Without extensions, so that what they hold decides.
    let names: Vec<String> = (0..FILES).map(|index| format!("damaged{index}")).collect();
    for name in &names {
        fs::write(folder.path().join(name), mutator.next_input())
            .expect("because the folder is there");
    }
    let commands: [&[&str]; 7] = [
        &["check"],
        &["check", "--message-format", "json"],
        &["stats", "--total"],
        &["auto", "-O", "chosen"],
        &["convert", "--to", "json", "-O", "json"],
        &["convert", "--to", "gcf", "--recover", "-O", "gcf"],
        &["root"],
    ];
    for command in commands {
        let arguments: Vec<&str> =
            command.iter().copied().chain(names.iter().map(String::as_str)).collect();
        let output = wirefmt(folder.path(), &arguments, b"");
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {errors}");
        assert!(!errors.contains("panicked"), "{command:?}: {errors}");
        let reported = names.iter().filter(|name| errors.contains(name.as_str())).count();
        assert!(reported > FILES / 4, "{command:?} reports {reported} files of {FILES}: {errors}");
    }
    for name in names.iter().take(50) {
        let output = wirefmt(folder.path(), &["view", name], b"");
        let errors = text(&output.stderr);
        assert!(
            matches!(output.status.code(), Some(0 | 1)) && !errors.contains("panicked"),
            "{name}: {errors}"
        );
    }
}
