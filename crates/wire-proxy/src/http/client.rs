//! A client of HTTP that gives nothing away, and words for what fails.

use std::error::Error;
use std::net::IpAddr;
use std::time::Duration;

use reqwest::redirect::{Action, Attempt, Policy};
use reqwest::{Client, Url};

/// The maximum number of redirects that are followed, all within the server's origin.
const MAX_REDIRECTS: usize = 5;
/// The time that an unused connection stays open: less than at servers, which close theirs after 5 s
/// (uvicorn, Node), and lose a request that arrives then.
const IDLE: Duration = Duration::from_secs(4);

/// A client that hands `Authorization` to no other host (ruling M9): it follows redirects of the
/// same origin alone, and uses the proxies of the environment for `https` alone, where they see
/// nothing but the name of the host.
pub(crate) fn client(url: &Url) -> Result<Client, reqwest::Error> {
    install_tls();
    let mut builder = Client::builder()
        .redirect(Policy::custom(redirected))
        .referer(false)
        .tcp_nodelay(true)
        .pool_idle_timeout(IDLE);
    if url.scheme() == "http" {
        // Without TLS no roots are needed, which not every container has.
        builder = builder.no_proxy().tls_certs_only([]);
    }
    builder.build()
}

/// Chooses the cryptography of TLS for the whole program.
pub(crate) fn install_tls() {
    // A second server finds it installed.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// The cause of an error, without the URL.
pub(crate) fn reason(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut reason = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let text = error.to_string();
        if !reason.contains(&text) {
            reason = format!("{reason}: {text}");
        }
        source = error.source();
    }
    reason
}

fn redirected(attempt: Attempt<'_>) -> Action {
    let keeps_the_body = matches!(attempt.status().as_u16(), 307 | 308);
    let stays =
        attempt.previous().last().is_some_and(|last| last.origin() == attempt.url().origin());
    if keeps_the_body && stays && attempt.previous().len() <= MAX_REDIRECTS {
        attempt.follow()
    } else {
        attempt.stop()
    }
}

/// A media type without its parameters.
pub(crate) fn essence(kind: &str) -> String {
    kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Returns `true` if a host is this machine.
pub(crate) fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || address(host).is_some_and(|address| address.is_loopback())
}

/// The address that a host is; one of version 6 is in brackets.
pub(crate) fn address(host: &str) -> Option<IpAddr> {
    let inside = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    inside.unwrap_or(host).parse().ok()
}
