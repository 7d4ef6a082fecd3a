//! Logins at servers with a URL, by OAuth (ruling M15). The crate `rmcp` has its protocol; here are
//! the file, the browser and the commands. Tokens are for the front over standard input and output
//! alone.

mod flow;
mod options;
mod store;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;
use std::{env, io};

use oauth2::TokenResponse;
use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use rmcp::transport::auth::{
    AuthError, AuthorizationManager, OAuthClientConfig, WWWAuthenticateParams,
};
use tokio::sync::Mutex;

use self::flow::Asked;
pub(crate) use self::options::{LogIn, LogOut};
use self::store::{Login, Store, left};
use crate::failure::{self, Failure, say};
use crate::options::listen::Upstream;
use crate::text::printable;

/// How long a client waits for its user to log in.
const WAIT: Duration = Duration::from_secs(60);

/// How long `wire-proxy login` waits.
const PATIENCE: Duration = Duration::from_secs(600);
/// The longest time before its end at which a token is renewed, in seconds.
const EARLY: u64 = 30;

/// The login of a server, for its requests.
pub(crate) struct Tokens {
    url: Url,
    /// `true` if a browser may be opened.
    may_log_in: bool,
    /// The rights that were asked for, so that a browser is opened once for each of them.
    asked: Mutex<BTreeSet<Vec<String>>>,
    /// Held while a token is renewed.
    renewing: Arc<Mutex<()>>,
}

pub(crate) struct Session {
    pub(crate) token: String,
    scopes: Vec<String>,
    /// `true` if it has ended, or soon does.
    is_ending: bool,
}

impl Session {
    fn of(url: &Url) -> Result<Option<Self>, String> {
        let login = Store::of(url)?.read().map_err(|error| unreadable(&error))?;
        Ok(login.and_then(|login| {
            let left = left(&login);
            let token = login.credentials.token_response?;
            let length = token.expires_in().map_or(u64::MAX, |length| length.as_secs());
            Some(Session {
                token: token.access_token().secret().clone(),
                scopes: login.credentials.granted_scopes,
                is_ending: left.is_some_and(|left| left <= EARLY.min(length / 2)),
            })
        }))
    }

    fn has(&self, scopes: &[String]) -> bool {
        scopes.iter().all(|scope| self.scopes.contains(scope))
    }
}

impl Tokens {
    /// Waits a short time for a renewal that is under way.
    pub(crate) async fn settle(&self) {
        const LONGEST: Duration = Duration::from_secs(2);
        let _ = tokio::time::timeout(LONGEST, self.renewing.lock()).await;
    }

    pub(crate) fn new(url: &Url, may_log_in: bool) -> Self {
        Tokens { url: url.clone(), may_log_in, asked: Mutex::default(), renewing: Arc::default() }
    }

    /// The token to send, renewed if it ends; `None` without a login.
    pub(crate) async fn current(&self) -> Result<Option<String>, String> {
        let Some(session) = Session::of(&self.url)? else { return Ok(None) };
        let new = if session.is_ending { self.renewed(&session.token).await.ok() } else { None };
        // The server says what becomes of one that could not be renewed.
        Ok(new.flatten().or(Some(session.token)))
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
                shown(&self.url)
            )
        })
    }

    /// A token with these rights, too, by a login by a browser.
    pub(crate) async fn with_scope(
        &self,
        token: Option<&str>,
        scope: &str,
        challenge: Option<String>,
    ) -> Result<String, String> {
        let mut scopes = Session::of(&self.url)?.map(|session| session.scopes).unwrap_or_default();
        for right in scope.split_whitespace() {
            if !scopes.iter().any(|granted| granted == right) {
                scopes.push(right.to_owned());
            }
        }
        let asked = Asked { scopes, challenge, ..Asked::default() };
        self.asked(token, asked).await?.ok_or_else(|| {
            format!(
                "the server asks for more rights: run `wire-proxy login {} --scope '{scope}'`",
                shown(&self.url)
            )
        })
    }

    /// The token of a login by a browser; `None` if none may be opened, or was for these rights.
    async fn asked(&self, refused: Option<&str>, asked: Asked) -> Result<Option<String>, String> {
        // Of several requests at once, the first asks.
        let mut before = self.asked.lock().await;
        let (refused, scopes) = (refused.map(str::to_owned), asked.scopes.clone());
        let is_new = move |session: &Session| {
            Some(&session.token) != refused.as_ref() && session.has(&scopes)
        };
        if let Some(session) = Session::of(&self.url)?.filter(&is_new) {
            return Ok(Some(session.token));
        }
        if !self.may_log_in || !before.insert(asked.scopes.clone()) {
            return Ok(None);
        }
        match flow::log_in(&self.url, asked, WAIT, is_new).await {
            Ok(session) => Ok(Some(session.token)),
            Err(why) => Err(format!(
                "{why}; a token can also be given by --header-env Authorization=VARIABLE, where the variable is `Bearer` and the token"
            )),
        }
    }

    /// Another token than this one: that of another process, or a new one for it; `None` if the
    /// server gives none.
    async fn renewed(&self, old: &str) -> Result<Option<String>, String> {
        let (url, old, renewing) = (self.url.clone(), old.to_owned(), Arc::clone(&self.renewing));
        // It goes on without its caller: the server has forgotten the old token by then.
        let renewal = tokio::spawn(async move {
            let _renewing = renewing.lock().await;
            renewed(&url, &old).await
        });
        renewal.await.map_err(|error| error.to_string())?
    }
}

async fn renewed(url: &Url, old: &str) -> Result<Option<String>, String> {
    let store = Store::of(url)?;
    let _alone = store.lock().await.map_err(|error| unreadable(&error))?;
    let Some(login) = store.read().map_err(|error| unreadable(&error))? else { return Ok(None) };
    let Some(token) = &login.credentials.token_response else { return Ok(None) };
    if token.access_token().secret() != old {
        return Ok(Some(token.access_token().secret().clone()));
    }
    if token.refresh_token().is_none() {
        return Ok(None);
    }
    let failed = |error: AuthError| {
        let why = worded(&error, &login.secrets());
        format!(
            "the login can't be renewed: {why}; `wire-proxy login {}` makes a new one",
            shown(url)
        )
    };
    let mut manager = manager(url, store).await?;
    // If the issuer changed, rmcp has deleted the stored login.
    if !manager.initialize_from_store().await.map_err(failed)? {
        return Ok(None);
    }
    if let Some(secret) = &login.client.secret {
        let (id, redirect) = (login.credentials.client_id.clone(), login.client.redirect.clone());
        let config = OAuthClientConfig::new(id, redirect).with_client_secret(secret.clone());
        manager.configure_client(config).map_err(failed)?;
    }
    match manager.refresh_token().await {
        Ok(token) => Ok(Some(token.access_token().secret().clone())),
        Err(AuthError::AuthorizationRequired | AuthError::TokenRefreshRejected(_)) => Ok(None),
        // The server has forgotten the client, say. Of `rmcp`'s errors only the text tells that.
        Err(AuthError::TokenRefreshFailed(why)) if why.contains("returned error response") => {
            Ok(None)
        }
        Err(error) => Err(failed(error)),
    }
}

fn worded(error: &AuthError, secrets: &[String]) -> String {
    cleaned(&error.to_string(), secrets)
}

/// A text of a server without secrets, which it may repeat, on one line that is not long.
fn cleaned(text: &str, secrets: &[String]) -> String {
    const LONGEST: usize = 300;
    let mut text = text.to_owned();
    for secret in secrets.iter().filter(|secret| !secret.is_empty()) {
        text = text.replace(secret, "…");
    }
    printable(&text).chars().take(LONGEST).collect()
}

/// A URL in words: its query may have a secret.
pub(crate) fn shown(url: &Url) -> String {
    let mut shown = url.clone();
    shown.set_query(None);
    if url.query().is_some() { format!("{shown}?…") } else { shown.into() }
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

/// What speaks with the server of authorization, with this file.
async fn manager(url: &Url, store: Store) -> Result<AuthorizationManager, String> {
    const LONGEST: Duration = Duration::from_secs(30);
    crate::http::install_tls();
    let failed = |error: AuthError| error.to_string();
    // A query may have a secret, and the server of authorization would get it in a link.
    let mut server = url.clone();
    server.set_query(None);
    let mut manager = AuthorizationManager::new(server.as_str()).await.map_err(failed)?;
    if url.scheme() == "http" {
        // A proxy of the environment would see all of it (ruling M9).
        let client = Client::builder().no_proxy().redirect(Policy::none()).timeout(LONGEST);
        let client = client.build().map_err(crate::http::reason)?;
        manager.with_client(client).map_err(failed)?;
    }
    manager.set_credential_store(store);
    Ok(manager)
}

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
    let is_plain = options.client_id.is_none() && options.scope.is_empty();
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|error| Failure::Io(error.to_string()))?;
    let before = Session::of(&url).map_err(Failure::Io)?;
    // A login that another process does meanwhile will do, if nothing else was asked for.
    let is_new = |found: &Session| {
        is_plain && before.as_ref().is_none_or(|before| before.token != found.token)
    };
    let outcome = runtime.block_on(flow::log_in(&url, asked, PATIENCE, is_new));
    // The thread that reads standard input may still wait for it.
    runtime.shutdown_background();
    outcome.map_err(Failure::Io)?;
    let login = Store::of(&url)
        .map_err(Failure::Io)?
        .read()
        .map_err(|error| Failure::Io(error.to_string()))?;
    let until = login.map(|login| ends(&login)).unwrap_or_default();
    failure::print(format!("logged in to {}; {until}\n", shown(&url)).as_bytes())
}

pub(crate) fn log_out(options: &LogOut) -> Result<u8, Failure> {
    let url = parsed(&options.url)?;
    let store = Store::of(&url).map_err(Failure::Io)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.map_err(|error| Failure::Io(error.to_string()))?;
    // A renewal that is under way ends first: it would write the file again.
    let is_removed = runtime.block_on(async {
        let _alone = store.lock().await?;
        store.remove()
    });
    let url = shown(&url);
    if is_removed.map_err(|error| Failure::Io(error.to_string()))? {
        failure::print(format!("the tokens for {url} are removed from this machine\n").as_bytes())
    } else {
        Err(Failure::Usage(format!("there is no login to {url}; `wire-proxy logins` lists them")))
    }
}

pub(crate) fn list() -> Result<u8, Failure> {
    let mut text = String::new();
    let (logins, broken) = store::all().map_err(Failure::Io)?;
    broken.iter().for_each(say);
    for login in logins {
        let url = login.url.parse().map_or_else(|_| login.url.clone(), |url| shown(&url));
        let _ = writeln!(text, "{url}  {}", ends(&login));
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
    let renews = if token.refresh_token().is_some() { ", and is renewed" } else { "" };
    match left(login) {
        None => format!("its token has no stated end{renews}"),
        Some(0) => format!("its token has ended{renews}"),
        Some(seconds @ ..120) => format!("its token ends in {seconds} s{renews}"),
        Some(seconds) => format!("its token ends in {} min{renews}", seconds / 60),
    }
}
