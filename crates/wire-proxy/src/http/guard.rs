//! The check of who is served (ruling M9): a page in a browser on this machine can reach a loopback
//! address, too, by a domain name of its own for this address.

use std::net::IpAddr;

use hyper::header::{HOST, HeaderMap, HeaderValue, ORIGIN};
use hyper::http::uri::{Authority, Uri};

use crate::http::{address, is_loopback};
use crate::options::listen::Listen;

/// Whom to serve.
#[derive(Debug)]
pub(crate) struct Guard {
    /// The address that is listened on, unless that is all of them.
    address: Option<IpAddr>,
    hosts: Vec<String>,
    origins: Vec<String>,
}

impl Guard {
    pub(crate) fn new(listen: &Listen) -> Self {
        let address = Some(listen.address.ip()).filter(|address| !address.is_unspecified());
        Guard { address, hosts: listen.hosts.clone(), origins: listen.origins.clone() }
    }

    /// The reason why a request is rejected; `None` if it is served.
    pub(crate) fn refused(&self, target: &Uri, headers: &HeaderMap) -> Option<&'static str> {
        const HOST_REFUSED: &str = "the host name of the request is not allowed; use 127.0.0.1 or localhost, or start wire-proxy with --allow-host NAME";
        const ORIGIN_REFUSED: &str = "pages of this origin are not allowed to send requests; start wire-proxy with --allow-origin ORIGIN";
        let mut hosts = headers.get_all(HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok()?.parse().ok());
        let is_one = hosts.next().is_none();
        let is_host = host.is_some_and(|host: Authority| is_one && self.is_host(&host));
        if !is_host || target.authority().is_some_and(|target| !self.is_host(target)) {
            return Some(HOST_REFUSED);
        }
        let origins = headers.get_all(ORIGIN);
        let is_served =
            |origin: &HeaderValue| origin.to_str().is_ok_and(|origin| self.is_origin(origin));
        // Browsers send no origin with images and links, but say that a page of another site asks.
        let is_of_a_site = headers.get_all("sec-fetch-site").iter().any(|site| {
            !matches!(site.as_bytes(), b"none" | b"same-origin") && origins.iter().next().is_none()
        });
        (is_of_a_site || !origins.iter().all(is_served)).then_some(ORIGIN_REFUSED)
    }

    fn is_host(&self, authority: &Authority) -> bool {
        if has_user(authority) {
            return false;
        }
        let host = authority.host();
        let port = authority
            .as_str()
            .strip_prefix(host)
            .map(|rest| rest.strip_prefix(':').unwrap_or(rest));
        if !port.is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit())) {
            return false;
        }
        let host = host.strip_suffix('.').unwrap_or(host);
        if is_loopback(host) || self.hosts.iter().any(|allowed| allowed.eq_ignore_ascii_case(host))
        {
            return true;
        }
        address(host).is_some_and(|host| Some(host) == self.address)
    }

    fn is_origin(&self, origin: &str) -> bool {
        let host = || {
            let rest =
                origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"))?;
            rest.parse::<Authority>().ok()
        };
        self.origins.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin))
            || host().is_some_and(|host| !has_user(&host) && is_loopback(host.host()))
    }
}

/// Returns `true` if there is user information (`user@host`), which no client sends: readers
/// disagree about the host of it.
fn has_user(authority: &Authority) -> bool {
    authority.as_str().contains('@')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::listen::LogLevel;

    fn refused(address: &str, headers: &[(&'static str, &str)]) -> Option<&'static str> {
        let listen = Listen {
            address: address.parse().unwrap(),
            hosts: vec!["Proxy.example".into()],
            origins: vec!["https://inspector.example".into()],
            log: LogLevel::Off,
        };
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().unwrap());
        }
        Guard::new(&listen).refused(&Uri::from_static("/mcp"), &map)
    }

    #[test]
    fn this_machine_is_served_by_its_own_names_alone() {
        for host in [
            "127.0.0.1:8080",
            "localhost:1",
            "LOCALHOST",
            "localhost.",
            "[::1]:8080",
            "127.9.9.9",
            "proxy.example:80",
        ] {
            assert_eq!(refused("127.0.0.1:8080", &[("host", host)]), None, "{host}");
        }
        for host in [
            "evil.example",
            "127.0.0.1.evil.example",
            "192.0.2.7",
            "localhost.evil",
            "localhost..",
            "[::1]evil",
            "[::1",
            "a@localhost@evil.example",
            "a@localhost",
            "evil.example:1@127.0.0.1:8080",
            "@proxy.example",
        ] {
            assert!(refused("127.0.0.1:8080", &[("host", host)]).is_some(), "{host}");
        }
        assert!(refused("127.0.0.1:8080", &[]).is_some());
        assert!(refused("127.0.0.1:80", &[("host", "localhost"), ("host", "localhost")]).is_some());
        assert_eq!(refused("192.0.2.7:80", &[("host", "192.0.2.7:80")]), None);
        assert!(refused("0.0.0.0:80", &[("host", "192.0.2.7")]).is_some());
        // The target of the request names a host, too.
        for (target, is_refused) in
            [("http://localhost/mcp", false), ("http://a@localhost/mcp", true)]
        {
            let mut headers = HeaderMap::new();
            headers.append("host", "localhost".parse().unwrap());
            let guard = Guard { address: None, hosts: Vec::new(), origins: Vec::new() };
            assert_eq!(guard.refused(&target.parse().unwrap(), &headers).is_some(), is_refused);
        }
    }

    #[test]
    fn pages_of_other_origins_are_not_served() {
        for origin in [
            "http://localhost:6274",
            "http://127.0.0.1",
            "https://[::1]:1",
            "https://inspector.example",
        ] {
            let headers = [("host", "localhost"), ("origin", origin)];
            assert_eq!(refused("127.0.0.1:80", &headers), None, "{origin}");
        }
        for origin in [
            "null",
            "https://evil.example",
            "http://localhost.evil.example",
            "file://localhost",
            "http://inspector.example",
            "httpx://localhost",
            "http://a@localhost",
            "http://evil.example:1@127.0.0.1:80",
        ] {
            let headers = [("host", "localhost"), ("origin", origin)];
            assert!(refused("127.0.0.1:80", &headers).is_some(), "{origin}");
        }
        for (site, origin, is_refused) in [
            ("none", None, false),
            ("same-origin", None, false),
            ("cross-site", None, true),
            ("same-site", None, true),
            ("cross-site", Some("https://inspector.example"), false),
            ("same-site", Some("http://localhost:6274"), false),
            ("cross-site", Some("https://evil.example"), true),
        ] {
            let mut headers = vec![("host", "localhost"), ("sec-fetch-site", site)];
            headers.extend(origin.map(|origin| ("origin", origin)));
            assert_eq!(refused("127.0.0.1:80", &headers).is_some(), is_refused, "{headers:?}");
        }
    }
}
