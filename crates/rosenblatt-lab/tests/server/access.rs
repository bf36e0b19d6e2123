//! Who may come in.

use crate::common::{Lab, QUESTION, request};
use rosenblatt_lab::server::Site;

/// The status of a request for the page with these headers.
fn status(lab: &Lab, headers: &[&str]) -> u16 {
    lab.send(&request("GET /", headers, "")).status
}

#[test]
fn only_its_own_names_are_the_host() {
    let lab = Lab::new(Site::default());
    let port = lab.address.port();
    for name in ["127.0.0.1", "localhost", "LocalHost", "[::1]"] {
        assert_eq!(status(&lab, &[&format!("Host: {name}:{port}")]), 200, "{name}");
    }
    let foreign = [
        "evil.example",
        "127.0.0.1",
        "localhost",
        "127.0.0.1:1",
        "127.0.0.1.evil.example",
        "",
        "0.0.0.0",
    ];
    for name in foreign {
        assert_eq!(status(&lab, &[&format!("Host: {name}")]), 403, "{name}");
    }
    assert_eq!(status(&lab, &[&format!("Host: evil.example:{port}")]), 403);
    assert_eq!(status(&lab, &[]), 403);
    let host = format!("Host: 127.0.0.1:{port}");
    assert_eq!(status(&lab, &[&host, "Host: evil.example"]), 403);
    assert_eq!(status(&lab, &[&host, &host]), 403);
}

#[test]
fn a_target_with_a_host_names_the_same() {
    let lab = Lab::new(Site::default());
    let own = lab.host();
    assert_eq!(lab.get(&format!("http://{own}/")).status, 200);
    assert_eq!(lab.get("http://evil.example/").status, 403);
}

#[test]
fn other_sites_are_refused() {
    let lab = Lab::new(Site::default());
    let own = format!("Origin: http://{}", lab.host());
    let ask = |header: &str| {
        lab.request("POST /ask", &["Content-Type: application/json", header], QUESTION).status
    };
    assert_eq!(ask(&own), 200);
    let foreign = [
        "Origin: null",
        "Origin: http://evil.example",
        "Origin: http://localhost:1",
        "Origin: ",
        "Origin: file://",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
        "Sec-Fetch-Site: ?",
    ];
    for header in foreign {
        assert_eq!(ask(header), 403, "{header}");
    }
    assert_eq!(ask(&format!("{own}\r\nOrigin: http://evil.example")), 403);
    assert_eq!(ask("Sec-Fetch-Site: same-origin"), 200);
}

/// A link from the lectures opens the page; nothing else may be loaded by another site.
#[test]
fn a_link_from_elsewhere_opens_the_page() {
    let lab = Lab::new(Site::default());
    let host = format!("Host: {}", lab.host());
    let get = |mode: &str, kind: &str| {
        let (mode, kind) = (format!("Sec-Fetch-Mode: {mode}"), format!("Sec-Fetch-Dest: {kind}"));
        status(&lab, &[&host, "Sec-Fetch-Site: cross-site", &mode, &kind])
    };
    assert_eq!(get("navigate", "document"), 200);
    assert_eq!(get("navigate", "iframe"), 403);
    assert_eq!(get("no-cors", "script"), 403);
    assert_eq!(get("cors", "empty"), 403);
}

#[test]
fn questions_show_the_token() {
    const TOKEN: &str = "0123456789abcdef";
    let lab = Lab::new(Site { token: Some(TOKEN.parse().unwrap()), ..Site::default() });
    let ask = |header: &str| {
        lab.request("POST /ask", &["Content-Type: application/json", header], QUESTION)
    };
    assert_eq!(ask(&format!("Authorization: Bearer {TOKEN}")).status, 200);
    let wrong =
        ["Bearer 0123456789abcdee", "Bearer ", "Bearer", "0123456789abcdef", "Basic eDp5", ""];
    for shown in wrong {
        let reply = ask(&format!("Authorization: {shown}"));
        assert_eq!(
            (reply.status, reply.header("www-authenticate")),
            (401, Some("Bearer")),
            "{shown}"
        );
    }
    assert_eq!(ask("X: y").status, 401);
    assert_eq!((lab.get("/file").status, lab.get("/file/points?x=0&y=0").status), (401, 401));
    assert_eq!((lab.get("/").status, lab.get("/lab.js").status), (200, 200));
}
