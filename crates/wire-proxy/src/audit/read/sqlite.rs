//! The database in which OpenCode keeps its sessions. It may be anybody's file: nothing in it is
//! changed, and only plain tables are read, since views and generated columns can compute without
//! an end.

use std::path::Path;

use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Result};

/// The most bytes of a part.
const MOST_BYTES: i32 = 16 << 20;
/// The steps of SQLite's machine between two looks at how many there were.
const STEPS: u16 = 1000;

/// Opens a database. Not even the files beside it are changed: they are there already if it is in
/// use.
pub(crate) fn open(path: &Path) -> Result<Connection> {
    let beside = path.with_extension("db-wal");
    let in_use = std::fs::symlink_metadata(&beside).is_ok_and(|file| file.is_file());
    let how = if in_use { "mode=ro" } else { "immutable=1" };
    let name = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NOFOLLOW
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let database = Connection::open_with_flags(format!("file:{name}?{how}"), flags)?;
    database.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON")?;
    database.set_limit(Limit::SQLITE_LIMIT_LENGTH, MOST_BYTES)?;
    // A row takes some ten steps, and more bytes than that.
    let bytes = path.metadata().map_or(0, |file| file.len());
    let mut left = 10_000 + bytes / u64::from(STEPS) * 10;
    let is_too_long = move || {
        left = left.saturating_sub(1);
        left == 0
    };
    database.progress_handler(STEPS.into(), Some(is_too_long))?;
    Ok(database)
}

/// Checks that a name is that of a table with its own rows and columns.
fn check(database: &Connection, table: &str) -> Result<()> {
    const IS_PLAIN: &str = "SELECT
        (SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?1 AND rootpage > 0) = 1
        AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(?1) WHERE hidden <> 0)";
    let is_plain = database.query_row(IS_PLAIN, [table], |row| row.get::<_, bool>(0))?;
    if is_plain { Ok(()) } else { Err(rusqlite::Error::InvalidQuery) }
}

/// The version of the client that wrote the last session.
pub(crate) fn version(database: &Connection) -> Option<String> {
    check(database, "session").ok()?;
    let last = "SELECT version FROM session ORDER BY rowid DESC LIMIT 1";
    database.query_row(last, [], |row| row.get(0)).ok()
}

/// Calls `read` for each part with its conversation, in the order in which they were written: to
/// sort them would need all of them at once.
pub(crate) fn parts(database: &Connection, mut read: impl FnMut(&str, &[u8])) -> Result<()> {
    check(database, "part")?;
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
