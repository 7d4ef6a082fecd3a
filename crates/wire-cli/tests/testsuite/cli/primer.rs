//! `wirefmt primer`.

use crate::common::{folder, shown, wirefmt};

#[test]
fn primers_and_their_tokens() {
    let folder = folder();
    let mut all = String::new();
    for arguments in [
        &["primer", "gcf"][..],
        &["primer", "gcf-generic"],
        &["primer", "gcx"],
        &["primer", "goon"],
        &["primer", "--count"],
        &["primer", "gcx", "--count", "--counter", "word-punctuation"],
        &["primer", "gcf", "--count", "--message-format", "json"],
        &["primer"],
        &["primer", "json"],
        &["primer", "gcf", "--counter", "o200k_base"],
    ] {
        let output = wirefmt(folder.path(), arguments, b"");
        all += &format!("$ wirefmt {}\n{}\n", arguments.join(" "), shown(&output));
    }
    insta::assert_snapshot!(all);
}
