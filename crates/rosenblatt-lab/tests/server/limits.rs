//! How much is served at a time, and for how long. Where a test waits, it waits for the server.

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpStream},
    time::Duration,
};

use crate::common::{ANSWER, Lab, QUESTION, Reply, request};
use rosenblatt_core::data::Rows;
use rosenblatt_lab::server::{Labels, Limits, Site, Table};

const SOON: Duration = Duration::from_millis(100);

fn hurried() -> Limits {
    Limits { reading: SOON, ..Limits::default() }
}

/// Reads to the end; true if the server said something.
fn ended(mut stream: TcpStream) -> bool {
    let mut said = Vec::new();
    stream.read_to_end(&mut said).is_ok() && !said.is_empty()
}

#[test]
fn a_question_has_a_length() {
    let limits = Limits { question_bytes: 200, ..Limits::default() };
    let lab = Lab::with(limits);
    let padded = |length: usize| QUESTION.to_owned() + &" ".repeat(length - QUESTION.len());
    assert_eq!(lab.ask(&padded(200)).status, 200);
    let reply = lab.ask(&padded(201)).error();
    assert!(reply.starts_with("413 the question is longer than 200 bytes"), "{reply}");
    // The refusal arrives though the client writes on.
    assert_eq!(lab.ask(&padded(400_000)).status, 413);
}

#[test]
fn a_question_in_chunks_has_a_length_too() {
    let lab = Lab::with(Limits { question_bytes: 200, ..Limits::default() });
    let host = format!("Host: {}", lab.host());
    let headers = [&host, "Content-Type: application/json", "Transfer-Encoding: chunked"];
    let chunked = |chunks: &[&str]| {
        let mut bytes = request("POST /ask", &headers, "");
        chunks.iter().for_each(|chunk| write!(bytes, "{:x}\r\n{chunk}\r\n", chunk.len()).unwrap());
        bytes.extend_from_slice(b"0\r\n\r\n");
        lab.send(&bytes)
    };
    let (half, rest) = QUESTION.split_at(30);
    assert!(chunked(&[half, rest]).body.contains(ANSWER));
    assert_eq!(chunked(&[half, rest, &" ".repeat(200)]).status, 413);
}

/// 5,000 points, as the page may send them.
#[test]
fn five_thousand_points_fit() {
    let lab = Lab::new(Site::default());
    let row = "[-123.45678901234567,-123.45678901234567],".repeat(5_000);
    let question = format!(
        r#"{{"separable":{{"points":{{"rows":[{}],"signs":[{}]}}}}}}"#,
        row.trim_end_matches(','),
        "-1,".repeat(5_000).trim_end_matches(',')
    );
    let reply = lab.ask(&question);
    assert_eq!((reply.status, reply.body.contains(r#""separable":"yes""#)), (200, true));
}

#[test]
fn headers_have_a_length_and_a_number() {
    let lab = Lab::new(Site::default());
    let long = |length: usize| format!("X: {}", "x".repeat(length));
    assert_eq!(lab.request("GET /", &[&long(10_000)], "").status, 200);
    assert_eq!(lab.request("GET /", &["X: x"; 100], "").status, 431);
    // The connection may be closed before all of this is written, and the status then be lost.
    let mut stream = lab.connect();
    let host = format!("Host: {}", lab.host());
    let _ = stream.write_all(&request("GET /", &[&host, &long(1_000_000)], ""));
    assert!(
        Reply::read(stream).is_ok_and(|reply| reply.status == 431) || lab.get("/").status == 200
    );
}

#[test]
fn who_says_nothing_is_hung_up_on() {
    let lab = Lab::with(hurried());
    assert!(!ended(lab.connect()));
    let mut half = lab.connect();
    half.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    ended(half);
    // A connection may be used again, but not kept for ever.
    let mut idle = lab.connect();
    write!(idle, "GET / HTTP/1.1\r\nHost: {}\r\n\r\n", lab.host()).unwrap();
    assert!(ended(idle));
}

#[test]
fn half_a_question_is_waited_for_a_while() {
    let lab = Lab::with(hurried());
    let host = format!("Host: {}", lab.host());
    let whole = request("POST /ask", &[&host, "Content-Type: application/json"], QUESTION);
    let mut stream = lab.connect();
    stream.write_all(&whole[..whole.len() - 10]).unwrap();
    let reply = Reply::read(stream).unwrap();
    assert_eq!(reply.error(), "408 the question did not come in time");
    let mut stream = lab.connect();
    stream.write_all(&whole[..whole.len() - 10]).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    ended(stream);
    assert_eq!(lab.ask(QUESTION).status, 200);
}

#[test]
fn beyond_so_many_connections_one_waits() {
    let lab = Lab::with(Limits { connections: 2, ..hurried() });
    let silent = [lab.connect(), lab.connect()];
    assert_eq!(lab.ask(QUESTION).status, 200);
    drop(silent);
}

/// The only connection is that of a client that asks and does not read.
#[test]
fn who_does_not_take_the_answer_is_cut_off() {
    let rows = Rows::dense(vec![0.0; 2_000], 1_000).unwrap();
    let features = vec!["f".repeat(50_000); 1_000];
    let classes = vec!["a".to_owned(), "b".to_owned()];
    let labels = Labels { classes, numbers: vec![0, 1], positive: 1 };
    let table = Some(Table::new("x".into(), &rows, features, labels).unwrap());
    let limits = Limits { connections: 1, taking: SOON, ..Limits::default() };
    let lab = Lab::new(Site { table, limits, ..Site::default() });
    let mut lazy = lab.connect();
    lazy.write_all(&request("GET /file", &[&format!("Host: {}", lab.host())], "")).unwrap();
    assert_eq!(lab.ask(QUESTION).status, 200);
    drop(lazy);
}

#[test]
fn what_takes_too_long_is_given_up() {
    let limits = Limits { answering: Duration::ZERO, ..Limits::default() };
    let lab = Lab::with(limits);
    let xor = r#"{"train": {"points": {"rows": [[0,0],[0,1],[1,0],[1,1]], "signs": [-1,1,1,-1]},
        "options": {"epochs": 100000}}}"#;
    let reply = lab.ask(xor).error();
    assert!(reply.starts_with("422 this takes too long for a page ("), "{reply}");
}

/// Requests one after the other on one connection, also when they come at once.
#[test]
fn a_connection_serves_many() {
    let lab = Lab::new(Site::default());
    let one = format!("GET /x HTTP/1.1\r\nHost: {}\r\n\r\n", lab.host());
    let last = request("GET /", &[&format!("Host: {}", lab.host())], "");
    let mut stream = lab.connect();
    stream.write_all(&[one.repeat(20).as_bytes(), &last].concat()).unwrap();
    let mut replies = String::new();
    stream.read_to_string(&mut replies).unwrap();
    assert_eq!(replies.matches("HTTP/1.1 404 ").count(), 20);
    assert_eq!(replies.matches("HTTP/1.1 200 ").count(), 1);
}
