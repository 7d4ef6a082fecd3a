//! Logins at servers with a URL, by OAuth (ruling M15). The crate `rmcp` has its protocol; here are
//! the file, the browser and the commands. Tokens are for the front over standard input and output
//! alone.

mod flow;
mod store;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{env, io};

use oauth2::TokenResponse;
use reqwest::Url;
use rmcp::transport::auth::{
    AuthError, AuthorizationManager, OAuthClientConfig, WWWAuthenticateParams,
};
use tokio::sync::Mutex;

use self::flow::Asked;
use self::store::{Login, Store};
use crate::args::{LogIn, LogOut};
use crate::failure::{self, Failure};
use crate::listen::Upstream;

/// How long a client waits for its user to log in.
const WAIT: Duration = Duration::from_secs(60);

/// The login of a server, for its requests.
pub(crate) struct Tokens {
    url: Url,
    /// Whether a browser may be opened.
    may_log_in: bool,
    manager: Mutex<Option<AuthorizationManager>>,
    /// The rights that were asked for, so that a browser is opened once for each of them.
    asked: Mutex<BTreeSet<Vec<String>>>,
}

/// A token that is stored.
pub(crate) struct Session {
    pub(crate) token: String,
}

impl Session {
    fn of(url: &Url) -> Result<Option<Self>, String> {
        let login = Store::of(url)?.read().map_err(|error| unreadable(&error))?;
        let token = login.and_then(|login| login.credentials.token_response);
        Ok(token.map(|token| Session { token: token.access_token().secret().clone() }))
    }
}

impl Tokens {
    pub(crate) fn new(url: &Url, may_log_in: bool) -> Self {
        Tokens { url: url.clone(), may_log_in, manager: Mutex::default(), asked: Mutex::default() }
    }

    /// The token to send, renewed if it ends; `None` without a login.
    pub(crate) async fn current(&self) -> Result<Option<String>, String> {
        if Session::of(&self.url)?.is_none() {
            return Ok(None);
        }
        let mut slot = self.manager.lock().await;
        let manager = match &mut *slot {
            Some(manager) => manager,
            slot => slot.insert(manager(&self.url, Store::of(&self.url)?).await?),
        };
        let token = match manager.get_access_token().await {
            // To renew it, the server's own addresses are needed.
            Err(AuthError::InternalError(_)) => {
                configured(manager, &self.url).await?;
                manager.get_access_token().await
            }
            token => token,
        };
        match token {
            Ok(token) => Ok(Some(token)),
            Err(AuthError::AuthorizationRequired) => Ok(None),
            Err(error) => Err(format!("the login can't be renewed: {error}")),
        }
    }

    /// Another token after this one was refused: that of another process, a renewed one, or, if
    /// `may_ask`, that of a login by a browser.
    pub(crate) async fn after(
        &self,
        refused: Option<&str>,
        challenge: Option<String>,
        may_ask: bool,
    ) -> Result<String, String> {
        if let Some(refused) = refused
            && let Some(token) = self.renewed(refused).await?
        {
            return Ok(token);
        }
        let asked = Asked { challenge, ..Asked::default() };
        let token = if may_ask { self.asked(refused, asked).await? } else { None };
        token.ok_or_else(|| {
            format!(
                "the server asks for a login: run `wire-proxy login {}`, or give a token by --header-env Authorization=VARIABLE, where the variable is `Bearer` and the token",
                self.url
            )
        })
    }

    /// A token with these rights, too, by a login by a browser.
    pub(crate) async fn with_scope(
        &self,
        token: Option<&str>,
        scope: &str,
    ) -> Result<String, String> {
        let login = Store::of(&self.url)?.read().map_err(|error| unreadable(&error))?;
        let mut scopes = login.map(|login| login.credentials.granted_scopes).unwrap_or_default();
        for right in scope.split_whitespace() {
            if !scopes.iter().any(|granted| granted == right) {
                scopes.push(right.to_owned());
            }
        }
        let asked = Asked { scopes, ..Asked::default() };
        self.asked(token, asked).await?.ok_or_else(|| {
            format!(
                "the server asks for more rights: run `wire-proxy login {} --scope '{scope}'`",
                self.url
            )
        })
    }

    /// The token of a login by a browser; `None` if none may be opened, or was for these rights.
    async fn asked(&self, refused: Option<&str>, asked: Asked) -> Result<Option<String>, String> {
        // Of several requests at once, the first asks.
        let mut before = self.asked.lock().await;
        if let Some(session) = Session::of(&self.url)?
            && Some(&*session.token) != refused
        {
            return Ok(Some(session.token));
        }
        if !self.may_log_in || !before.insert(asked.scopes.clone()) {
            return Ok(None);
        }
        let refused = refused.map(str::to_owned);
        let is_new = move |session: &Session| Some(&session.token) != refused.as_ref();
        let login = flow::log_in(&self.url, asked, is_new);
        let Ok(session) = tokio::time::timeout(WAIT, login).await else {
            return Err(format!(
                "nobody logged in within {} s: run `wire-proxy login {}`, then start the client again",
                WAIT.as_secs(),
                self.url
            ));
        };
        *self.manager.lock().await = None;
        session.map(|session| Some(session.token)).map_err(|why| {
            format!(
                "{why}; a token can also be given by --header-env Authorization=VARIABLE, where the variable is `Bearer` and the token"
            )
        })
    }

    /// Another token than this one: that of another process, or a new one for it; `None` if the
    /// server gives none.
    async fn renewed(&self, refused: &str) -> Result<Option<String>, String> {
        let mut slot = self.manager.lock().await;
        let store = Store::of(&self.url)?;
        let _alone = store.lock().await.map_err(|error| unreadable(&error))?;
        if let Some(session) = Session::of(&self.url)?.filter(|found| found.token != refused) {
            return Ok(Some(session.token));
        }
        *slot = None;
        let mut manager = manager(&self.url, store.locked()).await?;
        configured(&mut manager, &self.url).await?;
        match manager.refresh_token().await {
            Ok(token) => Ok(Some(token.access_token().secret().clone())),
            Err(AuthError::AuthorizationRequired | AuthError::TokenRefreshRejected(_)) => Ok(None),
            Err(error) => Err(format!("the login can't be renewed: {error}")),
        }
    }
}

fn unreadable(error: &io::Error) -> String {
    format!("the file of the login: {error}")
}

/// The rights that a header `WWW-Authenticate` asks for, if it says that those of the token are not
/// enough.
pub(crate) fn scope(challenge: &str, url: &Url) -> Option<String> {
    let asked = WWWAuthenticateParams::parse(challenge, url);
    asked.scope.clone().filter(|_| asked.is_insufficient_scope())
}

async fn manager(url: &Url, store: Store) -> Result<AuthorizationManager, String> {
    crate::http::install_tls();
    let mut manager =
        AuthorizationManager::new(url.as_str()).await.map_err(|error| error.to_string())?;
    manager.set_credential_store(store);
    Ok(manager)
}

/// Finds the addresses of the server's login, and takes the client that is stored.
async fn configured(manager: &mut AuthorizationManager, url: &Url) -> Result<(), String> {
    let failed = |error: AuthError| format!("the login can't be renewed: {error}");
    manager.initialize_from_store().await.map_err(failed)?;
    let login = Store::of(url)?.read().map_err(|error| unreadable(&error))?;
    if let Some(Login { client, credentials, .. }) = login
        && let Some(secret) = client.secret
    {
        let config = OAuthClientConfig::new(credentials.client_id, client.redirect);
        manager.configure_client(config.with_client_secret(secret)).map_err(failed)?;
    }
    Ok(())
}

/// `wire-proxy login URL`.
pub(crate) fn log_in(options: &LogIn) -> Result<u8, Failure> {
    let url = parsed(&options.url)?;
    let secret = options.client_secret_env.as_ref().map(|variable| {
        env::var(variable).map_err(|_| {
            Failure::Usage(format!(
                "--client-secret-env: the variable {variable} is not set, or is not text"
            ))
        })
    });
    let asked = Asked {
        client_id: options.client_id.clone(),
        client_secret: secret.transpose()?,
        port: options.callback_port,
        scopes: options.scope.clone(),
        challenge: None,
        may_be_pasted: true,
    };
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|error| Failure::Io(error.to_string()))?;
    let before = Session::of(&url).map_err(Failure::Io)?;
    // A login that another process does meanwhile will do.
    let is_new =
        |found: &Session| before.as_ref().is_some_and(|before| before.token != found.token);
    let outcome = runtime.block_on(flow::log_in(&url, asked, is_new));
    // The thread that reads standard input may still wait for it.
    runtime.shutdown_background();
    outcome.map_err(Failure::Io)?;
    let login = Store::of(&url)
        .map_err(Failure::Io)?
        .read()
        .map_err(|error| Failure::Io(error.to_string()))?;
    let until = login.map(|login| ends(&login)).unwrap_or_default();
    failure::print(format!("logged in to {url}; {until}\n").as_bytes())
}

/// `wire-proxy logout URL`.
pub(crate) fn log_out(options: &LogOut) -> Result<u8, Failure> {
    let url = parsed(&options.url)?;
    let store = Store::of(&url).map_err(Failure::Io)?;
    if store.remove().map_err(|error| Failure::Io(error.to_string()))? {
        failure::print(format!("the tokens for {url} are removed from this machine\n").as_bytes())
    } else {
        Err(Failure::Usage(format!("there is no login to {url}; `wire-proxy logins` lists them")))
    }
}

/// `wire-proxy logins`.
pub(crate) fn list() -> Result<u8, Failure> {
    let mut text = String::new();
    for login in store::all().map_err(Failure::Io)? {
        let _ = writeln!(text, "{}  {}", login.url, ends(&login));
    }
    if text.is_empty() {
        text.push_str("there are no logins; `wire-proxy login URL` makes one\n");
    }
    failure::print(text.as_bytes())
}

fn parsed(url: &str) -> Result<Url, Failure> {
    Upstream::try_from(url.to_owned()).map(|Upstream(url)| url).map_err(Failure::Usage)
}

/// When the token of a login ends, in words.
fn ends(login: &Login) -> String {
    let Some(token) = &login.credentials.token_response else {
        return "it has no token".to_owned();
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let length = token.expires_in().zip(login.credentials.token_received_at);
    let renews = if token.refresh_token().is_some() { ", and is renewed" } else { "" };
    match length.map(|(length, from)| (from + length.as_secs()).saturating_sub(now)) {
        None => format!("its token has no stated end{renews}"),
        Some(0) => format!("its token has ended{renews}"),
        Some(seconds @ ..120) => format!("its token ends in {seconds} s{renews}"),
        Some(seconds) => format!("its token ends in {} min{renews}", seconds / 60),
    }
}
