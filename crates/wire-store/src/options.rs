//! The bounds of a store, and the engine that an address names.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use crate::engine::Engine;
use crate::folder::Folder;

/// An engine, if there is one behind the memory, and how people call it.
type Named = (&'static str, Option<Box<dyn Engine>>);

/// The bounds of a store.
///
/// ```
/// let mut options = wire_store::Options::default();
/// options.memory_bytes = 256 << 20;
/// let store = wire_store::Store::open_with("memory:", options)?;
/// # Ok::<(), wire_store::OpenError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The bytes of packs in memory (default 64 MiB). The least recently used ones are removed.
    pub memory_bytes: u64,
    /// The bytes of the longest text that an engine is sent (default 1 MiB).
    pub value_bytes: u64,
    /// The bytes of a folder (default 1 GiB). The oldest files are removed when the store is opened,
    /// and each time that a sixteenth of this was written.
    pub folder_bytes: u64,
    /// How long a pack is kept after it was written (default a day). Redis counts in seconds.
    pub age: Duration,
    /// The longest wait for an engine (default 100 ms).
    pub timeout: Duration,
    /// A pack that is used is written to the engine again after this time (default 60 s): a server
    /// that was emptied is filled so (ruling F4).
    pub refresh: Duration,
    /// After this number of failures in a row (default 3, at least 1) the engine is not asked for
    /// [`Options::pause`].
    pub failures: u32,
    /// After this time (default a second) one request tries an engine that has failed, and after the
    /// same time again the next one, until one succeeds.
    pub pause: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            memory_bytes: 64 << 20,
            value_bytes: 1 << 20,
            folder_bytes: 1 << 30,
            age: Duration::from_secs(24 * 60 * 60),
            timeout: Duration::from_millis(100),
            refresh: Duration::from_secs(60),
            failures: 3,
            pause: Duration::from_secs(1),
        }
    }
}

/// Why a store can't be opened. No message has the password of an address.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The address is of no store.
    #[error(
        "the store is `{0}`, expected `memory:`, `folder:PATH`, `redis://HOST` or `rediss://HOST`"
    )]
    Scheme(String),
    /// This program was built without what the address needs.
    #[error("a store at `{scheme}:…` needs the feature `{feature}` of the package wire-store")]
    Feature {
        /// The beginning of the address.
        scheme: String,
        /// The feature.
        feature: &'static str,
    },
    /// The folder can't be made or read.
    #[error(
        "the folder of the store, {path}: {error}, expected a folder that this user can write",
        path = path.display()
    )]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What failed.
        #[source]
        error: io::Error,
    },
    /// The address of a server can't be read.
    #[error("the address of the store: {0}")]
    Address(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Options {
    /// The engine at an address, and its name.
    pub(crate) fn engine(&self, address: &str) -> Result<Named, OpenError> {
        let Some((scheme, rest)) = address.split_once(':') else {
            return Err(OpenError::Scheme(address.to_owned()));
        };
        // A byte more than the longest, which shows that a text is longer.
        let longest = self.value_bytes.saturating_add(1);
        let named: Named = match scheme {
            "memory" if rest.is_empty() => ("memory", None),
            "folder" if !rest.is_empty() => {
                let path = PathBuf::from(rest);
                let folder = Folder::open(&path, self.folder_bytes, self.age, longest)
                    .map_err(|error| OpenError::Folder { path, error })?;
                ("folder", Some(Box::new(folder)))
            }
            "redis" | "valkey" | "rediss" | "valkeys" => {
                ("redis", Some(server(address, scheme, self.age, longest)?))
            }
            _ => return Err(OpenError::Scheme(format!("{scheme}:…"))),
        };
        Ok(named)
    }
}

/// The engine at the address of a server.
#[allow(unused_variables)] // without a feature
fn server(
    address: &str,
    scheme: &str,
    age: Duration,
    longest: u64,
) -> Result<Box<dyn Engine>, OpenError> {
    let is_tls = matches!(scheme, "rediss" | "valkeys");
    let feature = if is_tls { "rediss" } else { "redis" };
    #[cfg(feature = "redis")]
    if !is_tls || cfg!(feature = "rediss") {
        let engine = crate::redis::Redis::new(address, age, longest);
        return Ok(Box::new(engine.map_err(|error| OpenError::Address(error.into()))?));
    }
    Err(OpenError::Feature { scheme: scheme.to_owned(), feature })
}
