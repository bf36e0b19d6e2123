//! What is at which address, and what goes with it.

use crate::common::{ANSWER, Lab, QUESTION};
use rosenblatt_lab::server::{ServeError, Server, Site};

#[test]
fn the_page_is_served() {
    let lab = Lab::new(Site::default());
    let kinds = [
        ("/", "text/html; charset=utf-8"),
        ("/lab.js", "text/javascript; charset=utf-8"),
        ("/lab.css", "text/css; charset=utf-8"),
    ];
    for (path, kind) in kinds {
        let reply = lab.get(path);
        assert_eq!((reply.status, reply.header("content-type")), (200, Some(kind)), "{path}");
    }
    assert_eq!(lab.get("/").body, include_str!("../../page/index.html"));
    assert_eq!(lab.get("/?a=b").status, 200);
}

#[test]
fn a_question_is_answered() {
    let lab = Lab::new(Site::default());
    let reply = lab.ask(QUESTION);
    assert_eq!((reply.status, reply.header("content-type")), (200, Some("application/json")));
    assert!(reply.body.contains(ANSWER), "{}", reply.body);
}

#[test]
fn a_refusal_has_a_status_and_says_why() {
    let lab = Lab::new(Site::default());
    let malformed = lab.ask(r#"{"separable": {"points": 3}}"#);
    assert!(malformed.error().starts_with("400 separable.points: invalid type"));
    assert!(lab.ask("").error().starts_with("400 question: EOF while parsing"));
    let one_class = r#"{"train": {"points": {"rows": [[0], [1]], "signs": [1, 1]}}}"#;
    let reply = lab.ask(one_class);
    assert_eq!(reply.status, 422, "{}", reply.error());
    assert!(reply.error().ends_with("(add a point of the other class)"), "{}", reply.error());
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""] {
        let reply = lab.request("POST /ask", &[&format!("Content-Type: {kind}")], QUESTION);
        assert_eq!(reply.status, 415, "{kind}");
    }
    assert_eq!(lab.request("POST /ask", &[], QUESTION).status, 415);
    let kind = "Content-Type: Application/JSON ; charset=utf-8";
    assert_eq!(lab.request("POST /ask", &[kind], QUESTION).status, 200);
}

#[test]
fn there_is_nothing_else() {
    let lab = Lab::new(Site::default());
    let paths = [
        "/index.html",
        "/Cargo.toml",
        "/../Cargo.toml",
        "/..%2f..%2fetc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/lab.js/",
        "/lab.js%00",
        "/%00",
        "/ask/",
        "/file:///etc/passwd",
        "/%",
        "/favicon.ico",
    ];
    for path in paths {
        assert_eq!(lab.get(path).error(), "404 there is nothing at this address", "{path}");
    }
    for line in
        ["POST /", "PUT /ask", "GET /ask", "DELETE /file", "OPTIONS /ask", "TRACE /", "FOO /lab.js"]
    {
        assert_eq!(
            lab.request(line, &[], "x").error(),
            "405 this address has another method",
            "{line}"
        );
    }
}

#[test]
fn every_response_is_fenced_in() {
    let lab = Lab::new(Site::default());
    let wrong_host = lab.send(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    let replies = [
        lab.get("/"),
        lab.get("/x"),
        lab.get("/file"),
        lab.ask(QUESTION),
        lab.ask("?"),
        wrong_host,
    ];
    for reply in replies {
        let policy = reply.header("content-security-policy").unwrap();
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'; img-src")
        );
        assert!(policy.ends_with("form-action 'none'; frame-ancestors 'none'"));
        let expected = [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cache-control", "no-store"),
        ];
        for (name, value) in expected {
            assert_eq!(reply.header(name), Some(value), "{}", reply.status);
        }
        assert_eq!(reply.header("access-control-allow-origin"), None);
    }
}

#[test]
fn a_lab_that_others_can_reach_needs_a_token() {
    let open = Site { address: ([0, 0, 0, 0], 0).into(), ..Site::default() };
    assert!(matches!(Server::listen(open), Err(ServeError::NeedsToken(_))));
    let lab = Lab::new(Site::default());
    let taken = Server::listen(Site { address: lab.address, ..Site::default() });
    assert!(matches!(taken, Err(ServeError::Listen { .. })));
}
