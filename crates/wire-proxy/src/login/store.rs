//! The tokens of a server, in a file that only the user can read (ruling M15).

use std::fmt;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use fs4::FileExt;
use oauth2::TokenResponse;
use reqwest::Url;
use reqwest::header::HeaderValue;
use rmcp::transport::auth::{AuthError, CredentialStore, StoredCredentials};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::options::file::data_folder;

/// How long a renewal by another process is waited for.
const LONGEST_WAIT: Duration = Duration::from_secs(40);

/// The content of a file.
#[derive(Serialize, Deserialize)]
pub(crate) struct Login {
    /// The server that the tokens are for.
    pub(crate) url: String,
    pub(crate) client: Client,
    pub(crate) credentials: StoredCredentials,
}

/// How wire-proxy is registered at the server.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Client {
    pub(crate) redirect: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) secret: Option<String>,
    /// Whether the user gave the client, and the port of the redirection; it is 0 for any.
    #[serde(default)]
    pub(crate) given: Option<u16>,
}

impl Login {
    /// The texts that no message may repeat.
    pub(crate) fn secrets(&self) -> Vec<String> {
        let token = self.credentials.token_response.as_ref();
        let access = token.map(|token| token.access_token().secret().clone());
        let renewal = token.and_then(|token| token.refresh_token());
        let renewal = renewal.map(|token| token.secret().clone());
        [access, renewal, self.client.secret.clone()].into_iter().flatten().collect()
    }
}

/// How many seconds a login's token still is good for, if that is stated.
pub(crate) fn left(login: &Login) -> Option<u64> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let length = login.credentials.token_response.as_ref()?.expires_in()?.as_secs();
    let received = login.credentials.token_received_at?;
    Some(received.saturating_add(length).saturating_sub(now))
}

/// The file of a server.
#[derive(Clone)]
pub(crate) struct Store {
    url: String,
    path: PathBuf,
    /// The client of a login that is under way. `None`: the one that the file has stays there.
    client: Option<Client>,
}

impl Store {
    /// # Errors
    ///
    /// The user has no folder for data.
    pub(crate) fn of(url: &Url) -> Result<Self, String> {
        let digest = Sha256::digest(url.as_str());
        let digest = digest.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes));
        let host = url.host_str().unwrap_or("server").replace([':', '[', ']'], "-");
        let path = folder()?.join(format!("{host}-{digest:016x}.json"));
        Ok(Store { url: url.to_string(), path, client: None })
    }

    /// The same for a login of this client.
    pub(crate) fn for_login(self, client: Client) -> Self {
        Store { client: Some(client), ..self }
    }

    /// The content of the file; `None` if there is none.
    pub(crate) fn read(&self) -> io::Result<Option<Login>> {
        read(&self.path)
    }

    /// Removes the file, and leaves that of the lock, which others may hold. `false` if there was
    /// none.
    pub(crate) fn remove(&self) -> io::Result<bool> {
        match fs::remove_file(&self.path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Waits until no other process renews the token, or stores or removes it.
    pub(crate) async fn lock(&self) -> io::Result<File> {
        match tokio::time::timeout(LONGEST_WAIT, self.locked("lock")).await {
            Ok(locked) => locked,
            Err(_) => Err(io::Error::other("another wire-proxy does not end with it")),
        }
    }

    /// Waits until no other process logs in, which may take as long as its user does.
    pub(crate) async fn lock_for_login(&self) -> io::Result<File> {
        self.locked("login").await
    }

    async fn locked(&self, extension: &str) -> io::Result<File> {
        let path = self.path.with_extension(extension);
        let wait = move || {
            create_folder(path.parent().unwrap_or(Path::new(".")))?;
            let file = private().write(true).create(true).truncate(false).open(path)?;
            FileExt::lock(&file)?;
            Ok(file)
        };
        tokio::task::spawn_blocking(wait).await.map_err(io::Error::other)?
    }

    fn write(&self, credentials: StoredCredentials) -> io::Result<()> {
        let client = match &self.client {
            Some(client) => client.clone(),
            // A renewal of a login that is no more would bring it back.
            None => self.read()?.ok_or(io::ErrorKind::NotFound)?.client,
        };
        let token = credentials.token_response.as_ref().map(|token| token.access_token().secret());
        if token.is_some_and(|token| HeaderValue::from_str(token).is_err()) {
            return Err(io::Error::other("the server's token has characters that no header has"));
        }
        let login = Login { url: self.url.clone(), client, credentials };
        let folder = self.path.parent().ok_or(io::ErrorKind::InvalidInput)?;
        create_folder(folder)?;
        // Whole or not at all, and of mode 0600.
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(serde_json::to_string(&login)?.as_bytes())?;
        file.as_file().sync_all()?;
        let path = file.into_temp_path();
        again(|| fs::rename(&path, &self.path))?;
        // It has no file of its own any more.
        let _ = path.keep();
        Ok(())
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("path", &self.path).finish_non_exhaustive()
    }
}

#[async_trait]
impl CredentialStore for Store {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        self.read()
            .map(|login| login.map(|login| login.credentials))
            .map_err(|error| self.error(&error))
    }

    async fn save(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        self.write(credentials).map_err(|error| self.error(&error))
    }

    async fn clear(&self) -> Result<(), AuthError> {
        self.remove().map(drop).map_err(|error| self.error(&error))
    }
}

impl Store {
    fn error(&self, error: &io::Error) -> AuthError {
        AuthError::CredentialStoreError(format!("{}: {error}", self.path.display()))
    }
}

/// The logins of all servers, in the order of their URLs, and the files that can't be read.
pub(crate) fn all() -> Result<(Vec<Login>, Vec<String>), String> {
    let folder = folder()?;
    let error = |error: io::Error| format!("{}: {error}", folder.display());
    let files = match fs::read_dir(&folder) {
        Err(found) if found.kind() == io::ErrorKind::NotFound => {
            return Ok((Vec::new(), Vec::new()));
        }
        files => files.map_err(error)?,
    };
    let (mut logins, mut broken) = (Vec::new(), Vec::new());
    for file in files {
        let path = file.map_err(error)?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            match read(&path) {
                Ok(login) => logins.extend(login),
                Err(error) => broken.push(format!("{}: {error}", path.display())),
            }
        }
    }
    logins.sort_by(|one, other| one.url.cmp(&other.url));
    Ok((logins, broken))
}

fn read(path: &Path) -> io::Result<Option<Login>> {
    match again(|| fs::read(path)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        // The error of the parser would repeat what is in the file.
        read => serde_json::from_slice(&read?).map(Some).map_err(|_| {
            io::Error::other("it is not a file of wire-proxy; remove it, and log in again")
        }),
    }
}

/// On Windows a file can't be read while it is replaced, nor replaced while it is read.
fn again<T>(mut work: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    let mut tries = 0;
    loop {
        match work() {
            Err(error)
                if cfg!(windows)
                    && error.kind() == io::ErrorKind::PermissionDenied
                    && tries < 50 =>
            {
                tries += 1;
                std::thread::sleep(Duration::from_millis(10));
            }
            outcome => return outcome,
        }
    }
}

fn folder() -> Result<PathBuf, String> {
    Ok(data_folder()?.join("logins"))
}

fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Options for a file that only the user can read.
fn private() -> OpenOptions {
    #[allow(unused_mut)] // elsewhere the user's profile is private
    let mut options = File::options();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
