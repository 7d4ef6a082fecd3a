//! OpenCode: table `part` of `opencode.db` since version 1.2, and before that a file for each part.
//! The parts have what the model saw, after hooks and cuts.

use std::path::Path;

use serde_json::Value;

use crate::audit::call::{Call, ToolResult};
use crate::audit::read::reader::Reader;
use crate::audit::session::{Session, Usage};

/// Its own tools, by its documentation: names of others begin with a server.
const OWN: [&str; 5] = ["apply_patch", "plan_enter", "plan_exit", "todo_read", "todo_write"];

pub(crate) const READER: Reader = Reader {
    // Its messages have no results: a file of one is read, and has none.
    records: |document| document.members.session_id.as_ref().map(|_| vec![document.whole]),
    ..Reader::new("opencode", |record, session| {
        session.is_part = true;
        part("", record, session);
    })
};

/// A part of a conversation.
fn part(conversation: &str, part: &Value, session: &mut Session<'_>) {
    match part["type"].as_str() {
        // Steps, their tokens and compactions are stated in anomalyco/opencode's source.
        Some("step-start") => session.asked(conversation, None, Usage::default()),
        Some("step-finish") => {
            let prompt = ["/input", "/cache/read", "/cache/write"];
            let usage = Usage::of(&part["tokens"], &prompt, "/cache/read");
            session.used(conversation, usage);
        }
        Some("compaction") => session.compacted(conversation),
        Some("tool") => tool(conversation, part, session),
        _ => {}
    }
}

fn tool(conversation: &str, part: &Value, session: &mut Session<'_>) {
    let (name, state) = (part["tool"].as_str().unwrap_or_default(), &part["state"]);
    let is_failed = state["status"] == "error";
    if !is_failed && state["status"] != "completed" {
        return;
    }
    let text = if is_failed { &state["error"] } else { &state["output"] };
    let Some(text) = text.as_str() else {
        session.odd();
        return;
    };
    let call = if OWN.contains(&name) {
        Call::own(name, &state["input"])
    } else {
        Call::split(name, "", "_", &state["input"])
    };
    let metadata = &state["metadata"];
    let result = ToolResult {
        seen: vec![text.into()],
        is_failed: is_failed || metadata["exit"].as_i64().is_some_and(|code| code != 0),
        is_cut: metadata["truncated"] == true,
        ..ToolResult::default()
    };
    session.result(conversation, &part["callID"], Some(call), &result);
}

/// Reads the parts of a database; `read` is told how many bytes each has.
#[cfg(feature = "sqlite")]
pub(crate) fn database(
    path: &Path,
    session: &mut Session<'_>,
    mut read: impl FnMut(usize),
) -> Result<(), String> {
    if let Some(version) = sqlite::version(path) {
        session.version(&version.into());
    }
    let parts = sqlite::parts(path, |conversation, data| {
        read(data.len());
        match serde_json::from_slice(data) {
            Ok(own) => part(conversation, &own, session),
            Err(_) => session.broken(),
        }
    });
    parts.map_err(|error| match error.sqlite_error_code() {
        Some(code) => format!("a database that can't be read: {code:?}"),
        None => "a database of an unknown shape".to_owned(),
    })
}

#[cfg(not(feature = "sqlite"))]
pub(crate) fn database(_: &Path, _: &mut Session<'_>, _: impl FnMut(usize)) -> Result<(), String> {
    Err("a database, which this program was built without the feature `sqlite` to read".to_owned())
}

#[cfg(feature = "sqlite")]
mod sqlite {
    use std::path::Path;

    use rusqlite::limits::Limit;
    use rusqlite::types::ValueRef;
    use rusqlite::{Connection, OpenFlags};

    /// The most bytes of a part.
    const MOST_BYTES: i32 = 16 << 20;

    /// Opens a database, of which nothing is changed, not even the files beside it: they are there
    /// already if it is in use.
    fn database(path: &Path) -> rusqlite::Result<Connection> {
        let beside = path.with_extension("db-wal");
        let in_use = std::fs::symlink_metadata(&beside).is_ok_and(|file| file.is_file());
        let how = if in_use { "mode=ro" } else { "immutable=1" };
        let name =
            path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_URI
            | OpenFlags::SQLITE_OPEN_NOFOLLOW
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let database = Connection::open_with_flags(format!("file:{name}?{how}"), flags)?;
        database.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON")?;
        database.set_limit(Limit::SQLITE_LIMIT_LENGTH, MOST_BYTES)?;
        Ok(database)
    }

    /// Reads the parts of a database. `read` is called for each.
    pub(super) fn parts(path: &Path, mut read: impl FnMut(&str, &[u8])) -> rusqlite::Result<()> {
        let database = database(path)?;
        // A view or a virtual table can compute rows without an end.
        let is_table = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'part' AND rootpage > 0";
        if database.query_row(is_table, [], |row| row.get::<_, i64>(0))? != 1 {
            return Err(rusqlite::Error::InvalidQuery);
        }
        // In the order in which they were written: to sort them would need all of them at once.
        let mut statement = database.prepare("SELECT session_id, data FROM part")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let conversation = row.get_ref(0)?.as_str().unwrap_or_default();
            if let ValueRef::Text(data) | ValueRef::Blob(data) = row.get_ref(1)? {
                read(conversation, data);
            }
        }
        Ok(())
    }

    /// The version of the client that wrote the last session.
    pub(super) fn version(path: &Path) -> Option<String> {
        let last = "SELECT version FROM session ORDER BY rowid DESC LIMIT 1";
        database(path).ok()?.query_row(last, [], |row| row.get(0)).ok()
    }
}
