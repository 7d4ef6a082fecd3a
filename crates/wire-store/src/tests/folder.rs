//! A folder: what outlives a process, and what a folder may have or lack.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use gcf::graph::{
    Dialect, Encoder, Exchange, FullReason, Outcome, Payload, Replica, Request, Symbol,
};
use tempfile::TempDir;

use crate::{Options, Store, Tenant};

const UNKNOWN: Outcome = Outcome::Full(FullReason::UnknownRoot);

/// Options under which no slow disk is a failure.
fn patient() -> Options {
    Options { timeout: Duration::from_secs(60), ..Options::default() }
}

fn address(folder: &Path) -> String {
    format!("folder:{}", folder.display())
}

/// A process that has just started.
fn started(folder: &Path) -> (Store, Exchange<Tenant>) {
    let store = Store::open_with(&address(folder), patient()).unwrap();
    let encoder = Encoder::new().dialect(Dialect::V3);
    let server = Exchange::with_store(encoder, store.tenant("acme"));
    (store, server)
}

/// A payload of 30 symbols, of which one is new in each version.
fn version(version: u32) -> Payload<'static> {
    let mut payload = Payload { tool: "t".into(), ..Payload::default() };
    let names = (0..29).map(|n| format!("pkg.Old{n}")).chain([format!("pkg.New{version}")]);
    payload.symbols = names.map(|name| Symbol::new("function", name)).collect();
    payload
}

async fn reader(server: &Exchange<Tenant>, payload: &Payload<'_>) -> Replica {
    let mut text = String::new();
    server.answer_async(Request::Full, payload, &mut text).await.unwrap();
    Replica::from_answer(&text).unwrap()
}

async fn outcome(server: &Exchange<Tenant>, reader: &Replica, payload: &Payload<'_>) -> Outcome {
    server.answer_async(reader.request(), payload, &mut String::new()).await.unwrap().outcome
}

/// The files of a folder, by their names.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

#[tokio::test]
async fn a_restart_keeps_packs() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("made/when/opened");
    let held = reader(&started(&path).1, &version(1)).await;
    let (store, server) = started(&path);
    assert_eq!(outcome(&server, &held, &version(2)).await, Outcome::Delta);
    assert_eq!((store.engine(), store.counts().reads_engine), ("folder", 1));
    let names: Vec<_> = files(&path).iter().map(|file| file.file_name().unwrap().len()).collect();
    assert_eq!(names, ["wire-1-".len() + 64; 2]);
    #[cfg(unix)]
    {
        let mode =
            std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&path).unwrap().permissions());
        assert_eq!(mode & 0o777, 0o700, "other users read nothing");
    }
}

#[tokio::test]
async fn tenants_of_one_folder_see_nothing_of_each_other() {
    let folder = TempDir::new().unwrap();
    let (store, server) = started(folder.path());
    let held = reader(&server, &version(1)).await;
    let other = Exchange::with_store(Encoder::new().dialect(Dialect::V3), store.tenant("globex"));
    assert_eq!(outcome(&other, &held, &version(2)).await, UNKNOWN);
    assert_eq!(outcome(&server, &held, &version(2)).await, Outcome::Delta);
}

#[tokio::test]
async fn a_file_that_was_changed_is_removed_and_counted() {
    let folder = TempDir::new().unwrap();
    let held = reader(&started(folder.path()).1, &version(1)).await;
    let file = &files(folder.path())[0];
    let text = fs::read_to_string(file).unwrap();
    for bad in [text.replace("Old7", "Evil"), text[..text.len() / 2].to_owned(), String::new()] {
        fs::write(file, bad).unwrap();
        let (store, server) = started(folder.path());
        assert_eq!(outcome(&server, &held, &version(2)).await, UNKNOWN);
        assert_eq!((store.counts().dropped, file.exists()), (1, false));
    }
}

#[tokio::test]
async fn a_folder_that_takes_nothing_costs_no_delta_of_this_process() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("store");
    let (store, server) = started(&path);
    // No user, not even root, writes into a folder that is gone.
    fs::remove_dir_all(&path).unwrap();
    let held = reader(&server, &version(1)).await;
    assert_eq!(outcome(&server, &held, &version(2)).await, Outcome::Delta);
    assert_eq!((store.counts().writes_done, store.counts().writes_failed), (0, 3));
    assert!(!path.exists());
    // Where it is back, packs are written again.
    fs::create_dir(&path).unwrap();
    let (_, server) = started(&path);
    reader(&server, &version(3)).await;
    assert_eq!(files(&path).len(), 1);
}

#[tokio::test]
async fn a_folder_is_bounded_in_bytes_and_keeps_the_newest() {
    let folder = TempDir::new().unwrap();
    let mut options = patient();
    options.folder_bytes = 20_000;
    let server = |options: Options| {
        let store = Store::open_with(&address(folder.path()), options).unwrap();
        Exchange::with_store(Encoder::new().dialect(Dialect::V3), store.tenant("acme"))
    };
    let bytes =
        || -> u64 { files(folder.path()).iter().map(|file| file.metadata().unwrap().len()).sum() };
    fs::write(folder.path().join("of-somebody-else"), [b'x'; 5_000]).unwrap();
    let mut held = Vec::new();
    let first = server(options);
    for n in 0..60 {
        held.push(reader(&first, &version(n)).await);
    }
    drop(first);
    let server = server(options);
    assert!((10_000..=25_000).contains(&bytes()), "{}", bytes());
    assert!(folder.path().join("of-somebody-else").exists());
    assert_eq!(outcome(&server, &held[59], &version(99)).await, Outcome::Delta);
    assert_eq!(outcome(&server, &held[0], &version(99)).await, UNKNOWN);
}

#[tokio::test]
async fn a_folder_forgets_what_is_too_old() {
    let folder = TempDir::new().unwrap();
    let (_, server) = started(folder.path());
    let held = reader(&server, &version(1)).await;
    let make_old = |file: &Path| {
        let day = Duration::from_secs(24 * 60 * 60);
        File::options()
            .append(true)
            .open(file)
            .unwrap()
            .set_modified(SystemTime::now() - day)
            .unwrap();
    };
    // When it is read, and when a store is opened.
    let (_, server) = started(folder.path());
    make_old(&files(folder.path())[0]);
    assert_eq!(outcome(&server, &held, &version(2)).await, UNKNOWN);
    for file in files(folder.path()) {
        make_old(&file);
    }
    started(folder.path());
    assert!(files(folder.path()).is_empty());
}
