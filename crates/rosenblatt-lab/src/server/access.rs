//! Access control.
//!
//! A page of another site cannot read the answers of a lab on the loopback, but it can send requests to it. With
//! DNS rebinding (a name of its own that resolves to 127.0.0.1) it could read the answers as well. A request must
//! therefore name the lab as its host, and its origin, if it has one, must be the lab. A lab that other machines can
//! reach accepts any host, because it cannot know all of its names.
//!
//! A program of another user of the machine can send any header. A token therefore protects the questions and the
//! user's file; the page contains no secret and is served to anyone.

use std::net::SocketAddr;

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts};

use super::{Token, error_response::ErrorResponse};

pub(super) struct Access {
    /// The names of the lab with its port; `None` if the lab cannot know all of its names.
    hosts: Option<Vec<String>>,
    token: Option<Token>,
}

impl Access {
    pub(super) fn new(address: SocketAddr, token: Option<Token>) -> Self {
        let named = |name: &&str| {
            let with_port = format!("{name}:{}", address.port());
            // Browsers leave out the port of the scheme.
            let bare = (address.port() == 80).then(|| (*name).to_owned());
            std::iter::once(with_port).chain(bare)
        };
        let names = ["127.0.0.1", "localhost", "[::1]"];
        let hosts = address.ip().is_loopback().then(|| names.iter().flat_map(named).collect());
        Access { hosts, token }
    }

    /// Refuses a request from elsewhere, and one for a `secret` without the token.
    pub(super) fn admit(&self, request: &Parts, secret: bool) -> Result<(), ErrorResponse> {
        let host = self.host(request)?;
        self.site(request, host)?;
        if secret { self.token(&request.headers) } else { Ok(()) }
    }

    /// The host of the request: it must occur once, and be that of the target if the target has one.
    fn host<'a>(&self, request: &'a Parts) -> Result<&'a str, ErrorResponse> {
        let forbidden = || {
            let message = "this host name is not the lab's";
            let hint = "open the address that `rosenblatt lab` prints";
            ErrorResponse::new(StatusCode::FORBIDDEN, message).hint(hint)
        };
        let host = only(&request.headers, &header::HOST).flatten().ok_or_else(forbidden)?;
        let target = request.uri.authority().map_or(host, |authority| authority.as_str());
        let known = |host: &str| match &self.hosts {
            Some(hosts) => hosts.iter().any(|own| own.eq_ignore_ascii_case(host)),
            None => !host.is_empty(),
        };
        if known(host) && target.eq_ignore_ascii_case(host) { Ok(host) } else { Err(forbidden()) }
    }

    /// Refuses a request whose headers name another site as its origin.
    fn site(&self, request: &Parts, host: &str) -> Result<(), ErrorResponse> {
        let forbidden = || {
            let message = "requests from other sites are refused";
            ErrorResponse::new(StatusCode::FORBIDDEN, message)
        };
        let headers = &request.headers;
        let origin = only(headers, &header::ORIGIN).ok_or_else(forbidden)?;
        let scheme = origin.map(|origin| origin.split_once("://"));
        let own = |origin: Option<(&str, &str)>| {
            origin.is_some_and(|(scheme, site)| scheme == "http" && site.eq_ignore_ascii_case(host))
        };
        let from_own = scheme.is_none_or(own);
        let text = |name: &str| headers.get(name).map(HeaderValue::as_bytes);
        let near = match text("sec-fetch-site") {
            None | Some(b"same-origin" | b"none") => true,
            // A link from elsewhere opens the page, and shows it in a window of its own.
            _ => {
                request.method == Method::GET
                    && text("sec-fetch-mode") == Some(b"navigate")
                    && text("sec-fetch-dest") == Some(b"document")
            }
        };
        if from_own && near { Ok(()) } else { Err(forbidden()) }
    }

    fn token(&self, headers: &HeaderMap) -> Result<(), ErrorResponse> {
        let Some(token) = &self.token else { return Ok(()) };
        let shown = only(headers, &header::AUTHORIZATION).flatten();
        let shown = shown.and_then(|shown| shown.strip_prefix("Bearer "));
        let message = match shown {
            Some(shown) if token.matches(shown.as_bytes()) => return Ok(()),
            Some(_) => "this lab has another token, perhaps because it was started again",
            None => "this lab wants its token",
        };
        let hint = "open the whole address that `rosenblatt lab` printed";
        Err(ErrorResponse::new(StatusCode::UNAUTHORIZED, message).hint(hint))
    }
}

/// The text of a header: `None` if it is there twice or no text, `Some(None)` if it is not there.
#[allow(clippy::option_option)] // three cases, two of which the callers treat alike in turn
fn only<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> Option<Option<&'a str>> {
    let mut all = headers.get_all(name).iter();
    match (all.next(), all.next()) {
        (None, _) => Some(None),
        (Some(value), None) => Some(Some(value.to_str().ok()?)),
        _ => None,
    }
}
