//! The lab as a command: how it starts, what it says, how it ends.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command, Stdio},
};

use common::{Desk, own_data};

/// A lab that runs until it is dropped.
struct Lab {
    child: Child,
    /// What it printed.
    line: String,
}

impl Lab {
    fn start(desk: &Desk, line: &str) -> Self {
        let words: Vec<&str> =
            "lab --port 0 --no-open".split(' ').chain(line.split_whitespace()).collect();
        let mut child =
            desk.command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        Lab { child, line }
    }

    /// The host and port that it printed.
    fn host(&self) -> &str {
        let (_, rest) = self.line.split_once("http://").unwrap();
        rest.split('/').next().unwrap()
    }

    /// Sends a request and gives the status and the body.
    fn send(&self, line: &str, headers: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.host()).unwrap();
        let length = body.len();
        let request = format!(
            "{line} HTTP/1.1\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        let (head, body) = reply.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    fn get(&self, path: &str) -> (u16, String) {
        self.send(&format!("GET {path}"), &format!("Host: {}\r\n", self.host()), "")
    }

    fn json(&self, path: &str) -> serde_json::Value {
        let (status, body) = self.get(path);
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const QUESTION: &str =
    r#"{"separable": {"points": {"rows": [[0], [1], [2]], "signs": [1, -1, 1]}}}"#;

#[test]
fn it_says_where_it_is_and_answers_there() {
    let lab = Lab::start(&Desk::new(), "");
    let end = "/ (Ctrl-C ends it)\n";
    assert!(lab.line.starts_with("the lab is at http://127.0.0.1:") && lab.line.ends_with(end));
    let (status, page) = lab.get("/");
    assert_eq!(status, 200);
    assert!(page.contains("lab.js"), "{page}");
    let json = "Content-Type: application/json\r\n";
    let own = format!("Host: {}\r\n{json}", lab.host());
    let (status, answer) = lab.send("POST /ask", &own, QUESTION);
    assert_eq!(status, 200);
    assert!(answer.contains(r#""separable":"no""#), "{answer}");
    let foreign = format!("Host: evil.example\r\n{json}");
    assert_eq!(lab.send("POST /ask", &foreign, QUESTION).0, 403);
    assert_eq!(lab.get("/file").0, 204);
}

#[test]
fn it_shows_a_file() {
    let desk = Desk::with(&[("iris.csv", &own_data("iris.csv"))]);
    let lab = Lab::start(&desk, "iris.csv --ignore sepal_width");
    assert!(lab.line.contains("/ with the 150 examples of iris.csv (Ctrl-C"), "{}", lab.line);
    let file = lab.json("/file");
    assert_eq!(file["name"], "iris.csv");
    assert_eq!(file["features"].as_array().unwrap().len(), 3);
    assert_eq!((&file["rows"], &file["shown"]), (&150.into(), &150.into()));
    assert_eq!(
        (file["classes"].as_array().unwrap().len(), &file["positive"]),
        (3, &"Iris-setosa".into())
    );
    let points = lab.json("/file/points?x=0&y=2&positive=Iris-virginica");
    let signs = points["signs"].as_array().unwrap();
    assert_eq!(signs.iter().filter(|&sign| *sign == 1).count(), 50);
    assert_eq!(points["rows"][0], serde_json::json!([5.1, 0.2]));
}

#[test]
fn the_positive_class_is_chosen_and_the_others_stay() {
    let desk = Desk::with(&[("iris.csv", &own_data("iris.csv")), ("two.svm", "-1 3:2\n+1 1:1\n")]);
    let file = Lab::start(&desk, "iris.csv --positive Iris-virginica").json("/file");
    assert_eq!(
        (file["classes"].as_array().unwrap().len(), &file["positive"]),
        (3, &"Iris-virginica".into())
    );
    // Of two classes the later is positive; sparse features go by their indices.
    let lab = Lab::start(&desk, "two.svm");
    let file = lab.json("/file");
    assert_eq!(
        (&file["positive"], &file["features"]),
        (&"+1".into(), &serde_json::json!(["1", "2", "3"]))
    );
    let points = lab.json("/file/points?x=0&y=2");
    assert_eq!(points, serde_json::json!({"rows": [[0.0, 2.0], [1.0, 0.0]], "signs": [-1, 1]}));
    let file = Lab::start(&desk, "two.svm --positive -1").json("/file");
    assert_eq!(file["positive"], "-1");
}

/// More labels than can be classes, as of a number to predict: one against the rest is what is left.
#[test]
fn of_very_many_labels_one_is_left() {
    let rows: String = (0..3_000).map(|i| format!("{i},{i}\n")).collect();
    let desk = Desk::with(&[("many.csv", &format!("x,label\n{rows}"))]);
    let done = desk.run("lab many.csv --port 0 --no-open");
    assert_eq!(done.code, 2);
    assert!(done.stderr.contains("found 3000 different labels"), "{}", done.stderr);
    let lab = Lab::start(&desk, "many.csv --positive 17");
    let said = " with 2,000 of the 3,000 examples of many.csv ";
    assert!(lab.line.contains(said), "{}", lab.line);
    let file = lab.json("/file");
    assert_eq!(
        (&file["classes"], &file["positive"]),
        (&serde_json::json!(["not 17", "17"]), &"17".into())
    );
    let points = lab.json("/file/points?x=0&y=0");
    assert!(points["signs"].as_array().unwrap().contains(&1.into()));
}

#[test]
fn others_are_let_in_with_a_token_only() {
    let desk = Desk::new();
    let lab = Lab::start(&desk, "--host 127.0.0.1 --token an-open_secret-2026");
    assert!(lab.line.contains("/#token=an-open_secret-2026 (Ctrl-C"), "{}", lab.line);
    let headers = format!("Host: {}\r\nContent-Type: application/json\r\n", lab.host());
    assert_eq!(lab.send("POST /ask", &headers, QUESTION).0, 401);
    let headers = format!("{headers}Authorization: Bearer an-open_secret-2026\r\n");
    assert_eq!(lab.send("POST /ask", &headers, QUESTION).0, 200);
    assert_eq!(lab.get("/").0, 200);
}

#[test]
fn what_is_wrong_is_said_in_two_lines() {
    let taken = Lab::start(&Desk::new(), "");
    let desk =
        Desk::with(&[("bad.csv", "x,label\n1,a\nz,b\n"), ("one.csv", "x,label\n1,a\n2,a\n")]);
    let port = taken.host().rsplit(':').next().unwrap();
    let lines = [
        &*format!("lab --no-open --port {port}"),
        "lab --no-open --host 0.0.0.0",
        "lab --no-open --token 0123456789abcdef",
        "lab --no-open --host 0.0.0.0 --token short",
        "lab --no-open --host here --token 0123456789abcdef",
        "lab --no-open --port 70000",
        "lab --no-open --host 192.0.2.1 --token 0123456789abcdef",
        "lab --no-open --target label",
        "lab --no-open nothing.csv",
        "lab --no-open bad.csv",
        "lab --no-open one.csv",
    ];
    for line in lines {
        let done = desk.run(line);
        assert_eq!((done.code, &*done.stdout), (2, ""), "{line}");
    }
    let shown = desk.session(&lines).replace(port, "PORT");
    insta::assert_snapshot!(shown);
}

/// Ctrl-C is how a lab ends, so that is no failure.
#[cfg(unix)]
#[test]
fn it_ends_well() {
    let mut lab = Lab::start(&Desk::new(), "");
    // A connection that is open does not hold it back.
    let open = TcpStream::connect(lab.host()).unwrap();
    let pid = lab.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    assert_eq!(lab.child.wait().unwrap().code(), Some(0));
    let mut said = String::new();
    lab.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(said, "");
    drop(open);
}
