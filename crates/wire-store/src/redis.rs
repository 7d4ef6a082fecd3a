//! Redis and Valkey: one connection that carries all requests, made when it is first needed and
//! again when it is broken.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use gcf::graph::StoreError;
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Client, Cmd, ErrorKind, FromRedisValue, RedisError, ServerErrorKind, cmd};

use crate::engine::{Answer, Engine};

/// How long a connection may take, or an answer, before the connection counts as broken. Who asks
/// waits for a shorter time.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Clone)]
pub(crate) struct Redis {
    client: Client,
    connection: Arc<Mutex<Option<Arc<ConnectionManager>>>>,
    age: Duration,
    /// The bytes of the longest text.
    longest: u64,
}

impl Redis {
    /// Reads the address; the server is first asked later, so that it may be gone now.
    pub(crate) fn new(address: &str, age: Duration, longest: u64) -> Result<Self, RedisError> {
        // rustls takes no provider by itself if a program has two.
        #[cfg(feature = "rediss")]
        if rustls::crypto::CryptoProvider::get_default().is_none() {
            // An error is that of another thread which was faster.
            let _ = rustls::crypto::ring::default_provider().install_default();
        }
        Ok(Redis { client: Client::open(address)?, connection: Arc::default(), age, longest })
    }

    fn connection(&self) -> Result<Arc<ConnectionManager>, RedisError> {
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(connection) = &*connection {
            return Ok(Arc::clone(connection));
        }
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(PATIENCE))
            .set_response_timeout(Some(PATIENCE))
            .set_number_of_retries(0);
        let new = ConnectionManager::new_lazy_with_config(self.client.clone(), config)?;
        Ok(Arc::clone(connection.insert(Arc::new(new))))
    }

    async fn query<T: FromRedisValue>(self, command: Cmd) -> Result<T, RedisError> {
        let connection = self.connection()?;
        let answer = command.query_async(&mut ConnectionManager::clone(&connection)).await;
        // The manager connects again after some errors, and keeps others for ever, such as a
        // password that was wrong when it connected, or a peer that is gone without a word.
        if answer.as_ref().is_err_and(is_of_connection) {
            let mut current = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
            current.take_if(|current| Arc::ptr_eq(current, &connection));
        }
        answer
    }

    /// Runs a command in a task of its own: if who asks waits no longer, a connection that takes
    /// longer is still made, and one that is broken is still noticed.
    fn run<T: FromRedisValue + Send + 'static>(&self, command: Cmd) -> Answer<'static, T> {
        let task = tokio::spawn(self.clone().query(command));
        Box::pin(async { task.await.map_err(StoreError::new)?.map_err(StoreError::new) })
    }
}

/// Returns `true` unless the server itself has answered, as what it is expected to be.
fn is_of_connection(error: &RedisError) -> bool {
    match error.kind() {
        ErrorKind::Server(kind) => kind == ServerErrorKind::ReadOnly,
        _ => true,
    }
}

impl Engine for Redis {
    fn get<'a>(&'a self, key: &'a str) -> Answer<'a, Option<Vec<u8>>> {
        // As much as one of our texts can have, whatever somebody has put there. A key that is
        // missing is the empty text.
        let mut command = cmd("GETRANGE");
        command.arg(key).arg(0).arg(self.longest);
        let text = self.run(command);
        Box::pin(async { text.await.map(|text: Vec<u8>| (!text.is_empty()).then_some(text)) })
    }

    fn put<'a>(&'a self, key: &'a str, text: Vec<u8>) -> Answer<'a, ()> {
        let mut command = cmd("SET");
        command.arg(key).arg(text).arg("EX").arg(self.age.as_secs().max(1));
        self.run(command)
    }

    fn remove<'a>(&'a self, key: &'a str) -> Answer<'a, ()> {
        let mut command = cmd("DEL");
        command.arg(key);
        self.run(command)
    }
}
