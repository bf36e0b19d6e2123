//! Ten thousand requests that mean no good, from several clients at once; afterwards the lab answers as
//! before, and its memory has not grown.
#![cfg(feature = "server")]
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use std::{
    collections::{BTreeMap, VecDeque},
    io::{Read, Write},
    net::TcpStream,
    thread,
    time::Duration,
};

use common::{ANSWER, Lab, QUESTION, Reply, request};
use rosenblatt_lab::server::{Limits, Site};

const REQUESTS: usize = 10_000;
const CLIENTS: usize = 8;
/// Connections that a client opens and leaves half used. All of them together, and those in use, are
/// fewer than the lab accepts: nobody waits for them to time out.
const LEFT_OPEN: usize = 4;
/// How far the memory of the process, clients included, may rise at its highest, in KiB.
const MOST_KIB: u64 = 128 << 10;

/// What a client does: it sends bytes, and may go before it has read the reply.
struct Attack {
    name: &'static str,
    bytes: Vec<u8>,
    then: Then,
    /// What may come back; 503 where questions wait, and nothing, may come back to any.
    statuses: &'static [u16],
}

#[derive(Clone, Copy, PartialEq)]
enum Then {
    Read,
    Leave,
    /// The connection stays open, and nothing more is said.
    Dawdle,
}

/// A question that is whole but for what `body` is.
fn ask(lab: &Lab, body: &str) -> Vec<u8> {
    let host = format!("Host: {}", lab.host());
    request("POST /ask", &[&host, "Content-Type: application/json"], body)
}

fn get(lab: &Lab, path: &str) -> Vec<u8> {
    request(&format!("GET {path}"), &[&format!("Host: {}", lab.host())], "")
}

/// Training on points of which no line separates the signs.
fn training(points: usize, options: &str) -> String {
    let row = |i: usize| format!("[{},{}]", i % 7, i % 11);
    let rows: Vec<String> = (0..points).map(row).collect();
    let signs: Vec<&str> = (0..points).map(|i| if i % 3 == 0 { "1" } else { "-1" }).collect();
    let (rows, signs) = (rows.join(","), signs.join(","));
    format!(
        r#"{{"train":{{"points":{{"rows":[{rows}],"signs":[{signs}]}},"options":{{{options}}}}}}}"#
    )
}

fn attacks(lab: &Lab) -> Vec<Attack> {
    let mut all = Vec::new();
    let mut add = |name, bytes, then, statuses| all.push(Attack { name, bytes, then, statuses });
    malformed(lab, &mut add);
    unreasonable(lab, &mut add);
    foreign(lab, &mut add);
    broken(lab, &mut add);
    all
}

type Add<'a> = &'a mut dyn FnMut(&'static str, Vec<u8>, Then, &'static [u16]);

/// What is no question.
fn malformed(lab: &Lab, add: Add<'_>) {
    let bodies = [
        "",
        "{",
        "null",
        "[]",
        "{}",
        "\"train\"",
        "{\"train\":{}}{}",
        "{\"x\":1}",
        "\u{0}",
        "{\"train\":null}",
        r#"{"separable":{"points":{"rows":[[NaN]],"signs":[1]}}}"#,
        r#"{"separable":{"points":{"rows":[[1e999]],"signs":[1]}}}"#,
        r#"{"separable":{"points":{"rows":[[-Infinity]],"signs":[1]}}}"#,
        r#"{"separable":{"points":{"rows":[[1],[2]],"signs":[1,300]}}}"#,
        r#"{"train":{"points":{"rows":[[1],[2]],"signs":[1,-1]},"options":{"epochs":-1}}}"#,
        r#"{"train":{"points":{"rows":[[1],[2]],"signs":[1,-1]},"options":{"update":"\ud800"}}}"#,
    ];
    for body in bodies {
        add("malformed", ask(lab, body), Then::Read, &[400]);
    }
    for nested in ["[".repeat(500_000), "{\"train\":".repeat(50_000), "[[[[".repeat(40) + "]"] {
        add("nested", ask(lab, &nested), Then::Read, &[400]);
    }
    let mut bytes = ask(lab, "xxxxxxxx");
    let end = bytes.len() - 4;
    bytes[end..].copy_from_slice(&[0xff, 0xfe, 0x00, 0xc0]);
    add("no text", bytes, Then::Read, &[400]);
}

/// Questions that ask for too much.
fn unreasonable(lab: &Lab, add: Add<'_>) {
    let refused: [(&'static str, String); 7] = [
        ("epochs", training(10, r#""epochs":1000000000"#)),
        ("a large feature", training(10, r#""eta":1e308"#).replace("[1,1]", "[1e308,1e308]")),
        ("signs", training(10, "").replace("-1", "0")),
        ("points", format!(r#"{{"separable":{{"points":{{"rows":[{}[]],"signs":[]}}}}}}"#, "[],".repeat(300_000))),
        ("runs", training(10, "").replacen("train", "study", 1).replace(r#","options":{}"#, r#","runs":1000000"#)),
        ("a grid", training(10, "").replace(r#","options":{}"#,
            r#","surfaces":{"keep":["last"],"grid":{"x":[0,1],"y":[0,1],"columns":4294967295,"rows":4294967295}}"#)),
        ("a window", training(10, "").replace(r#","options":{}"#, r#","window":{"from":0,"count":18446744073709551615}"#)),
    ];
    for (name, body) in refused {
        add(name, ask(lab, &body), Then::Read, &[422]);
    }
    // These are answered, or given up when their time is over or their client has gone.
    let work = [
        training(2_000, r#""epochs":100000"#),
        training(2_000, r#""epochs":100000,"keep":"vote""#),
        training(300, r#""epochs":100000,"kernel":"rbf:1""#),
        training(2_000, "").replacen("train", "separable", 1).replace(r#","options":{}"#, ""),
        training(300, r#""epochs":100000"#)
            .replacen("train", "study", 1)
            .replace("}}}", r#"},"runs":1000}}"#),
    ];
    for body in work {
        add("work", ask(lab, &body), Then::Read, &[200, 422]);
        add("work for nobody", ask(lab, &body), Then::Leave, &[]);
    }
    let oversized = ask(lab, &" ".repeat(3 << 20));
    add("oversized", oversized, Then::Read, &[413]);
    let mut claimed = ask(lab, "{");
    claimed = String::from_utf8(claimed).unwrap().replace(": 1\r\n", ": 999999999999\r\n").into();
    add("claims a length", claimed.clone(), Then::Leave, &[]);
    add("claims a length and waits", claimed, Then::Dawdle, &[]);
}

/// Requests that no page of the lab makes.
fn foreign(lab: &Lab, add: Add<'_>) {
    let own = format!("Host: {}", lab.host());
    let headers = [
        vec!["Host: evil.example"],
        vec!["Host: 127.0.0.1.evil.example:1958"],
        vec![],
        vec![&own, "Host: evil.example"],
        vec![&own, "Origin: http://evil.example"],
        vec![&own, "Origin: null"],
        vec![&own, "Sec-Fetch-Site: cross-site"],
    ];
    for headers in headers {
        add("a foreign page", request("GET /", &headers, ""), Then::Read, &[403]);
        let asked = [&headers[..], &["Content-Type: application/json"]].concat();
        add("a foreign question", request("POST /ask", &asked, QUESTION), Then::Read, &[403]);
    }
    for line in
        ["PUT /ask", "DELETE /", "GET /ask", "OPTIONS /ask", "POST /lab.js", "CONNECT /", "X /"]
    {
        add("a method", request(line, &[&own], "{}"), Then::Read, &[405]);
    }
    for kind in ["text/plain", "multipart/form-data", "\u{7f}"] {
        let headers = [&own, &*format!("Content-Type: {kind}")];
        add("a content type", request("POST /ask", &headers, QUESTION), Then::Read, &[400, 415]);
    }
    let paths = [
        "/../../../../etc/passwd",
        "/..%2f..%2f..%2fetc%2fpasswd",
        "/%2e%2e/%2e%2e/Cargo.toml",
        "//etc/passwd",
        "/lab.js%00.html",
        "/%00",
        "/lab.css/../../src/lib.rs",
        "/file/../../etc/passwd",
        "/page/index.html",
        "/file/points?x=/etc/passwd&y=%00",
        "/file/%2e%2e",
        "/%ff%fe",
        "/....//",
    ];
    for path in paths {
        add("a path", get(lab, path), Then::Read, &[404]);
    }
    add("a long path", get(lab, &"/x".repeat(4_000)), Then::Read, &[404]);
    add("a longer path", get(lab, &"/x".repeat(100_000)), Then::Read, &[404, 414, 431]);
}

/// What is no request, or a part of one.
fn broken(lab: &Lab, add: Add<'_>) {
    let garbage: [&[u8]; 7] = [
        b"\r\n\r\n\r\n\r\n",
        b"\0\0\0\0\0\0\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\x01 HTTP/1.1\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET / HTTP/1.1\r\n: x\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    ];
    for bytes in garbage {
        add("garbage", bytes.to_vec(), Then::Leave, &[]);
    }
    let mut noise = vec![0; 100_000];
    noise.iter_mut().enumerate().for_each(|(i, byte)| *byte = (i * i / 7) as u8);
    add("noise", noise, Then::Read, &[400, 431]);
    let own = format!("Host: {}", lab.host());
    let huge = format!("X: {}", "x".repeat(500_000));
    add("a huge header", request("GET /", &[&own, &huge], ""), Then::Read, &[431]);
    add("many headers", request("GET /", &[&*own; 3_000], ""), Then::Read, &[403, 431]);
    let lengths =
        [&*own, "Content-Type: application/json", "Content-Length: 3", "Content-Length: 4"];
    add("two lengths", request("POST /ask", &lengths, ""), Then::Read, &[400]);
    let both = [
        &*own,
        "Content-Type: application/json",
        "Transfer-Encoding: chunked",
        "Content-Length: 4",
    ];
    add("a length and chunks", request("POST /ask", &both, ""), Then::Leave, &[]);
    let chunked = [&*own, "Content-Type: application/json", "Transfer-Encoding: chunked"];
    let mut bad = request("POST /ask", &chunked, "");
    bad.extend_from_slice(b"ffffffffffffffffff\r\nx");
    add("a chunk too long", bad, Then::Read, &[400]);
    let whole = ask(lab, QUESTION);
    for part in [0, 1, 10, 60, whole.len() - 1] {
        add("half a request", whole[..part].to_vec(), Then::Leave, &[]);
        add("half a request, slowly", whole[..part].to_vec(), Then::Dawdle, &[]);
    }
    let line = format!("GET /lab.js HTTP/1.1\r\n{own}\r\n\r\n");
    add("many at once", line.repeat(500).into(), Then::Leave, &[]);
}

/// Does it, and says which status came back.
fn commit(lab: &Lab, attack: &Attack, open: &mut VecDeque<TcpStream>) -> Option<u16> {
    let mut stream = lab.connect();
    // The lab may hang up at any time.
    let _ = stream.write_all(&attack.bytes);
    match attack.then {
        Then::Leave => None,
        Then::Dawdle => {
            open.push_back(stream);
            if open.len() > LEFT_OPEN {
                open.pop_front();
            }
            None
        }
        Then::Read => {
            let mut bytes = Vec::new();
            let _ = stream.read_to_end(&mut bytes);
            Reply::parse(&bytes).map(|reply| reply.status)
        }
    }
}

/// `VmRSS` and `VmHWM` of this process in KiB, where the system tells.
fn memory() -> Option<[u64; 2]> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let value = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse().ok()
    };
    Some([value("VmRSS:")?, value("VmHWM:")?])
}

#[test]
fn ten_thousand_hostile_requests() {
    let limits = Limits { answering: Duration::from_millis(4), ..Limits::default() };
    let lab = Lab::new(Site { limits, ..Site::default() });
    // An answer may take longer than the limit while other programs run.
    let answers = || (0..10_000).any(|_| lab.ask(QUESTION).body.contains(ANSWER));
    assert!(answers());
    let attacks = attacks(&lab);
    let before = memory();
    let client = |client: usize| {
        let (mut open, mut seen) = (VecDeque::new(), BTreeMap::<_, usize>::new());
        for i in (client..REQUESTS).step_by(CLIENTS) {
            let attack = &attacks[i % attacks.len()];
            let status = commit(&lab, attack, &mut open);
            let expected =
                status.is_none_or(|status| status == 503 || attack.statuses.contains(&status));
            assert!(expected, "{}: {status:?}", attack.name);
            *seen.entry((attack.name, status)).or_default() += 1;
        }
        seen
    };
    let mut seen = BTreeMap::<_, usize>::new();
    thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|i| scope.spawn(move || client(i))).collect();
        for client in clients {
            for (what, count) in client.join().unwrap() {
                *seen.entry(what).or_default() += count;
            }
        }
    });
    for ((name, status), count) in &seen {
        println!(
            "{count:5} {name}: {}",
            status.map_or("–".to_owned(), |status| status.to_string())
        );
    }
    // What the clients left behind is given up, and then the lab answers as before.
    assert!(answers());
    assert_eq!(lab.get("/").status, 200);
    if let (Some(before), Some(after)) = (before, memory()) {
        println!("KiB before {before:?}, after {after:?}: resident, at most");
        assert!(after[1] - before[1] < MOST_KIB, "{before:?} {after:?}");
    }
}
