//! A server that the proxy in an image starts: it answers every call with the same rows.

use std::io::{self, BufRead as _};

fn main() {
    let rows = r#"[ {\"id\": 1, \"name\": \"a\"}, {\"id\": 2, \"name\": \"b\"} ]"#;
    for (index, _) in io::stdin().lock().lines().enumerate() {
        let id = index + 1;
        println!(
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{rows}"}}]}}}}"#
        );
    }
}
