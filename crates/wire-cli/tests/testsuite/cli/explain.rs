//! `wirefmt explain`.

use crate::common::{folder, shown, wirefmt};

#[test]
fn codes_are_explained_and_typos_get_near_ones() {
    let folder = folder();
    let mut all = String::new();
    for arguments in [
        &["explain", "invalid_node_line"][..],
        &["explain", "error[usage]:"],
        &["explain", "Invalid-Score"],
        &["explain", "encode_only", "--message-format", "json"],
        &["explain", "invalid_nod_line"],
        &["explain", "duplicate"],
        &["explain", "zzzzzzzz"],
        &["explain", ""],
        &["explain", "no_files", "--message-format", "yaml"],
        &["explain", "invalid_nod_line", "--message-format", "json"],
        &["explain"],
    ] {
        let output = wirefmt(folder.path(), arguments, b"");
        all += &format!("$ wirefmt {}\n{}\n", arguments.join(" "), shown(&output));
    }
    insta::assert_snapshot!(all);
}
