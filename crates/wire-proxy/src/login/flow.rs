//! A login by a browser: the authorization code with PKCE, whose redirection arrives on the
//! loopback, or is pasted.

use std::convert::Infallible;
use std::env;
use std::io;
use std::net::Ipv4Addr;
use std::thread;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use reqwest::Url;
use rmcp::transport::auth::{
    AuthError, AuthorizationManager, AuthorizationRequest, OAuthClientConfig, OAuthState,
};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};

use crate::failure::say;
use crate::http::is_loopback;
use crate::login::store::{Client, Store};
use crate::login::{Session, cleaned, manager, shown, unreadable, worded};

const CALLBACK: &str = "/callback";
/// The name under which wire-proxy registers at a server.
const NAME: &str = "wire-proxy";

/// How a login is asked for.
#[derive(Clone, Default)] // and no `Debug`, which would show a secret
pub(crate) struct Asked {
    pub(crate) client_id: Option<String>,
    pub(crate) client_secret: Option<String>,
    /// The port of the redirection; any if it is 0.
    pub(crate) port: u16,
    pub(crate) scopes: Vec<String>,
    /// The header `WWW-Authenticate` that asked for it.
    pub(crate) challenge: Option<String>,
    /// `true` if the address of the redirection may be pasted on standard input.
    pub(crate) may_be_pasted: bool,
}

/// Logs in, and stores the tokens. Another process that logs in at the same server is waited for;
/// `is_new` tells whether what it stored will do. Process and user together have the time `wait`.
pub(crate) async fn log_in(
    url: &Url,
    mut asked: Asked,
    wait: Duration,
    is_new: impl Fn(&Session) -> bool,
) -> Result<Session, String> {
    let end = Instant::now() + wait;
    let nobody = |_| {
        let (seconds, url) = (wait.as_secs(), shown(url));
        format!(
            "nobody logged in within {seconds} s: run `wire-proxy login {url}`, then start the client again"
        )
    };
    let store = Store::of(url)?;
    let alone = timeout_at(end, store.lock_for_login()).await.map_err(nobody)?;
    let alone = alone.map_err(|error| unreadable(&error))?;
    if let Some(session) = Session::of(url)?.filter(is_new) {
        return Ok(session);
    }
    let before = store.read().map_err(|error| unreadable(&error))?;
    // The user's client stays the user's.
    if let Some(login) = &before
        && let Some(port) = login.client.given
        && asked.client_id.is_none()
    {
        asked.client_id = Some(login.credentials.client_id.clone());
        asked.client_secret.clone_from(&login.client.secret);
        asked.port = port;
    }
    let mut secrets = before.map(|login| login.secrets()).unwrap_or_default();
    secrets.extend(asked.client_secret.clone());

    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, asked.port)).await;
    let listener =
        listener.map_err(|error| format!("port {} for the redirection: {error}", asked.port))?;
    let port = listener.local_addr().map_err(|error| error.to_string())?.port();
    let redirect = format!("http://127.0.0.1:{port}{CALLBACK}");
    let given = asked.client_id.is_some().then_some(asked.port);
    let other = given.map_or(String::new(), |_| {
        format!("; `wire-proxy login {} --client-id ID` gives another client", shown(url))
    });
    let refused = move |error: &AuthError, secrets: &[String]| {
        format!("the login is refused: {}{other}", worded(error, secrets))
    };
    let mut manager = manager(url, store.clone()).await?;
    if asked.client_id.is_none() {
        // rmcp forgets a secret that the server gives with a registration.
        let registered = registered(&mut manager, &redirect, &asked).await;
        let registered = registered.map_err(|error| refused(&error, &secrets))?;
        asked.client_id = Some(registered.client_id);
        asked.client_secret = registered.client_secret;
        secrets.extend(asked.client_secret.clone());
    }
    let client = Client { redirect: redirect.clone(), secret: asked.client_secret.clone(), given };
    manager.set_credential_store(store.clone().for_login(client));
    let mut state = OAuthState::Unauthorized(manager);
    let mut request = AuthorizationRequest::new(redirect)
        .with_initial_scope_selection()
        .with_scopes(asked.scopes);
    (request.client_id, request.client_secret) = (asked.client_id, asked.client_secret);
    request.challenge = asked.challenge;
    state.start_authorization(request).await.map_err(|error| refused(&error, &secrets))?;
    let address = state.get_authorization_url().await.map_err(|error| refused(&error, &secrets))?;
    let address: Url =
        address.parse().map_err(|_| "the address of the login is not valid".to_owned())?;
    check_scheme(&address)?;
    say(format_args!("log in to {}: {address}", shown(url)));
    if asked.may_be_pasted {
        say(format_args!(
            "where the browser is on another machine, paste the address that it is redirected to"
        ));
    }
    let link = address.to_string();
    // A browser in the terminal would read the client's frames, and write between ours.
    if asked.may_be_pasted || !is_in_terminal() {
        // It may wait for the browser to end.
        thread::spawn(move || webbrowser::open(&link));
    }
    let redirected =
        timeout_at(end, redirected(&listener, &address, asked.may_be_pasted, &secrets)).await;
    let redirected = redirected.map_err(nobody)??;
    secrets.extend(parameter(&redirected, "code"));

    // The code is good for once: this goes on without its caller.
    let exchange = tokio::spawn(async move {
        let (_alone, _file) = (alone, store.lock().await.map_err(|error| unreadable(&error))?);
        let exchanged = state.handle_callback_url(redirected.as_str()).await;
        exchanged.map_err(|error| refused(&error, &secrets))
    });
    exchange.await.map_err(|error| error.to_string())??;
    Session::of(url)?.ok_or_else(|| "the login was not stored".to_owned())
}

/// Registers at the server, with the rights that it names.
async fn registered(
    manager: &mut AuthorizationManager,
    redirect: &str,
    asked: &Asked,
) -> Result<OAuthClientConfig, AuthError> {
    let found = manager.resolve_metadata_from_challenge(asked.challenge.as_deref()).await?;
    manager.set_metadata(found.metadata);
    let mut scopes = asked.scopes.clone();
    if scopes.is_empty() {
        scopes = manager.select_initial_scopes(&[]).await;
    }
    let scopes: Vec<&str> = scopes.iter().map(String::as_str).collect();
    manager.register_client(NAME, redirect, &scopes).await
}

/// Returns `true` if the user's browser is one in the terminal.
fn is_in_terminal() -> bool {
    const BROWSERS: [&str; 9] =
        ["browsh", "elinks", "eww", "links", "links2", "lynx", "netrik", "retawq", "w3m"];
    let named = env::var("BROWSER").unwrap_or_default();
    let programs = named.split(':').filter_map(|browser| browser.split_whitespace().next());
    let mut programs = programs.filter_map(|program| program.rsplit('/').next());
    programs.any(|program| BROWSERS.contains(&program))
}

/// Checks that a link of a server is one for a browser: the system starts other programs for other
/// schemes (ruling M15).
fn check_scheme(link: &Url) -> Result<(), String> {
    match link.scheme() {
        "https" => Ok(()),
        "http" if link.host_str().is_some_and(is_loopback) => Ok(()),
        scheme => Err(format!(
            "the server's link for the login has the scheme {scheme:?}, and is not opened; expected https, or http on this machine"
        )),
    }
}

/// The address that the browser is redirected to.
async fn redirected(
    listener: &TcpListener,
    address: &Url,
    may_be_pasted: bool,
    secrets: &[String],
) -> Result<Url, String> {
    let state = parameter(address, "state").unwrap_or_default();
    let (sender, mut found) = mpsc::unbounded_channel::<Url>();
    if may_be_pasted {
        let sender = sender.clone();
        thread::spawn(move || {
            for line in io::stdin().lines().map_while(Result::ok) {
                match line.trim().parse() {
                    Ok(url) => drop(sender.send(url)),
                    Err(_) if line.trim().is_empty() => {}
                    Err(_) => say(format_args!("this is not the address of a redirection")),
                }
            }
        });
    }
    let serve = async {
        loop {
            let Ok((stream, _)) = listener.accept().await else { continue };
            let (sender, state) = (sender.clone(), state.clone());
            tokio::spawn(async move {
                let service = service_fn(|request| {
                    let answer = callback(&request, &state, &sender);
                    async { Ok::<_, Infallible>(answer) }
                });
                let _ = hyper::server::conn::http1::Builder::new()
                    .serve_connection(TokioIo::new(stream), service)
                    .await;
            });
        }
    };
    let arrived = async {
        while let Some(url) = found.recv().await {
            if parameter(&url, "state").as_deref() == Some(&*state) {
                return url;
            }
            say(format_args!("an address of another login came, and was left alone"));
        }
        std::future::pending().await
    };
    let url = tokio::select! {
        url = arrived => url,
        () = serve => unreachable!("it is an endless loop"),
    };
    match parameter(&url, "error") {
        None => Ok(url),
        Some(error) => {
            let why = parameter(&url, "error_description").map(|why| format!(": {why}"));
            let why = cleaned(&format!("{error}{}", why.unwrap_or_default()), secrets);
            Err(format!("the login is refused: {why}"))
        }
    }
}

/// The answer to the browser. What is not of this login is refused.
fn callback<B>(
    request: &Request<B>,
    state: &str,
    sender: &mpsc::UnboundedSender<Url>,
) -> Response<Full<Bytes>> {
    let url = Url::parse(&format!("http://127.0.0.1{}", request.uri()));
    let own = url
        .ok()
        .filter(|url| url.path() == CALLBACK && parameter(url, "state").as_deref() == Some(state));
    let (status, words) = match &own {
        None => (StatusCode::NOT_FOUND, "This is not the login that wire-proxy waits for."),
        Some(url) if parameter(url, "error").is_some() => {
            (StatusCode::OK, "The login was refused. wire-proxy says why.")
        }
        Some(_) => (
            StatusCode::OK,
            "wire-proxy has the answer and goes on by itself. This page can be closed.",
        ),
    };
    own.map(|url| sender.send(url));
    let mut answer = Response::new(Full::from(words));
    *answer.status_mut() = status;
    answer
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    answer
}

fn parameter(url: &Url, wanted: &str) -> Option<String> {
    url.query_pairs().find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
}
