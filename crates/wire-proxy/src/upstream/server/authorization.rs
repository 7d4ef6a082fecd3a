//! Requests with the token of a login, and the login that a server asks for.

use hyper::StatusCode;
use hyper::header::{HeaderMap, WWW_AUTHENTICATE};

use crate::http::reason;
use crate::login;
use crate::upstream::server::{Answer, MayAsk, Server};

impl Server {
    /// Sends a request with the token of the login, if there is one. If the server refuses that, it
    /// is sent again with another one.
    pub(super) async fn sent_to_server(
        &self,
        request: reqwest::RequestBuilder,
        may_ask: MayAsk,
    ) -> Result<Answer, String> {
        let send = async |request: reqwest::RequestBuilder, token: Option<&str>| {
            let request = match token {
                Some(token) => request.bearer_auth(token),
                None => request,
            };
            let answer = request.send().await;
            answer.map_err(|error| format!("the server can't be reached: {}", reason(error)))
        };
        let Some(tokens) = &self.tokens else { return send(request, None).await.map(Answer::from) };
        let again = request.try_clone().ok_or("the request can't be sent again")?;
        let token = tokens.current().await?;
        let answer = send(request, token.as_deref()).await?;
        let challenge = challenge(answer.headers());
        let token = match answer.status() {
            StatusCode::UNAUTHORIZED => {
                let opens = match may_ask {
                    MayAsk::Always => true,
                    MayAsk::First => token.is_none(),
                    MayAsk::Never => false,
                };
                match (tokens.after(token.as_deref(), challenge, opens).await, may_ask) {
                    (Ok(token), _) => token,
                    // Nobody waits for it.
                    (Err(_), MayAsk::Never) => return Ok(answer.into()),
                    (Err(why), _) => return Err(why),
                }
            }
            StatusCode::FORBIDDEN if !matches!(may_ask, MayAsk::Never) => {
                let scope = challenge.as_ref().and_then(|asks| login::scope(asks, &self.url));
                let Some(scope) = scope else { return Ok(answer.into()) };
                tokens.with_scope(token.as_deref(), &scope, challenge).await?
            }
            _ => return Ok(answer.into()),
        };
        send(again, Some(&token)).await.map(Answer::from)
    }
}

/// The challenge for a token, among those of other kinds, which may be in the same header.
fn challenge(headers: &HeaderMap) -> Option<String> {
    let values = headers.get_all(WWW_AUTHENTICATE).iter().filter_map(|value| value.to_str().ok());
    values.into_iter().find_map(bearer).map(str::to_owned)
}

fn bearer(value: &str) -> Option<&str> {
    let starts = value.to_ascii_lowercase();
    let mut starts = starts.match_indices("bearer").map(|(at, _)| at);
    let at = starts.find(|at| {
        let before = value[..*at].trim_end();
        let is_inside = before.matches('"').count() % 2 == 1;
        !is_inside && (before.is_empty() || before.ends_with(','))
    })?;
    Some(&value[at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_challenge_for_a_token_is_found_among_others() {
        for (value, expected) in [
            ("Bearer a=\"b\"", Some("Bearer a=\"b\"")),
            ("bearer", Some("bearer")),
            ("Basic realm=\"x\", Bearer a=\"b\"", Some("Bearer a=\"b\"")),
            ("Basic realm=\"x, bearer y\"", None),
            ("Basic realm=bearer", None),
        ] {
            assert_eq!(bearer(value), expected, "{value}");
        }
    }
}
