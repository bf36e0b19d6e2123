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
        Lab::run(desk.command(&words))
    }

    fn run(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        Lab { child, line }
    }

    /// The host and port that it printed.
    fn host(&self) -> &str {
        let (_, rest) = self.line.split_once("http://").unwrap();
        rest.split('/').next().unwrap()
    }

    /// The token that it printed.
    fn token(&self) -> &str {
        let (_, rest) = self.line.split_once("/#token=").unwrap();
        rest.split(' ').next().unwrap()
    }

    /// What a page with the token sends.
    fn own(&self) -> String {
        format!("Host: {}\r\nAuthorization: Bearer {}\r\n", self.host(), self.token())
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
        self.send(&format!("GET {path}"), &self.own(), "")
    }

    /// Ends it by Ctrl-C.
    fn end(&mut self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }

    /// Ends it, if it runs, and gives all that it said on standard error.
    fn said(mut self) -> String {
        let _ = self.child.kill();
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        said
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
    let end = format!("/#token={} (Ctrl-C ends it)\n", lab.token());
    assert!(lab.line.starts_with("the lab is at http://127.0.0.1:") && lab.line.ends_with(&end));
    let (status, page) = lab.get("/");
    assert_eq!(status, 200);
    assert!(page.contains("lab.js"), "{page}");
    let json = "Content-Type: application/json\r\n";
    let own = lab.own() + json;
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
    assert!(lab.line.contains(" with the 150 examples of iris.csv (Ctrl-C"), "{}", lab.line);
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

/// More labels than can be classes, as of a number to predict: one-vs-rest is what is left.
#[test]
fn of_very_many_labels_one_is_left() {
    let rows: String = (0..3_000).map(|i| format!("{i},{}\n", i / 2)).collect();
    let desk = Desk::with(&[("many.csv", &format!("x,label\n{rows}"))]);
    let done = desk.run("lab many.csv --port 0 --no-open");
    assert_eq!(done.code, 2);
    assert!(done.stderr.contains("found more than 1000 different labels"), "{}", done.stderr);
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

/// Another user of the machine, who knows no token, gets the page and nothing else: neither the file nor work.
#[test]
fn a_token_is_needed_on_the_own_machine_too() {
    let desk = Desk::with(&[("own.csv", "x,y,label\n1,2,a\n3,4,b\n")]);
    let lab = Lab::start(&desk, "own.csv");
    let stranger = format!("Host: {}\r\nContent-Type: application/json\r\n", lab.host());
    for path in ["/file", "/file/points?x=0&y=1"] {
        let (status, body) = lab.send(&format!("GET {path}"), &stranger, "");
        assert!(status == 401 && !body.contains("own.csv"), "{body}");
        assert_eq!(lab.get(path).0, 200);
    }
    assert_eq!(lab.send("POST /ask", &stranger, QUESTION).0, 401);
    for path in ["/", "/lab.js", "/lab.css"] {
        assert_eq!(lab.send(&format!("GET {path}"), &stranger, "").0, 200);
    }
    // The next lab has another one.
    assert_ne!(Lab::start(&desk, "").token(), lab.token());
}

/// From the option, a file or the environment, in this order.
#[test]
fn the_token_can_be_chosen() {
    let desk = Desk::with(&[("secret", "an-open_secret-2026\n")]);
    assert_eq!(Lab::start(&desk, "--token another_secret-2026").token(), "another_secret-2026");
    assert_eq!(Lab::start(&desk, "--token-file secret").token(), "an-open_secret-2026");
    let with_variable = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let mut command = desk.command(&words);
        command.env("ROSENBLATT_LAB_TOKEN", "a-third_secret-2026");
        Lab::run(command)
    };
    assert_eq!(with_variable("lab --port 0 --no-open").token(), "a-third_secret-2026");
    let both = with_variable("lab --port 0 --no-open --token-file secret");
    assert_eq!(both.token(), "an-open_secret-2026");
    let bad = desk.command(&["lab", "--no-open"]).env("ROSENBLATT_LAB_TOKEN", "short").output();
    let said = String::from_utf8(bad.unwrap().stderr).unwrap();
    let problem =
        "error: ROSENBLATT_LAB_TOKEN: a token has 16 to 256 letters, digits, `-` and `_`\n";
    assert!(said.starts_with(problem), "{said}");
}

/// Of a lab that others can reach it is said what plain HTTP means; of one with `--host` on the loopback nothing.
#[cfg(unix)]
#[test]
fn what_plain_http_means_is_said() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::with(&[("secret", "an-open_secret-2026\n")]);
    let private = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(desk.path("secret"), private).unwrap();
    assert_eq!(Lab::start(&desk, "--host 127.0.0.1 --token-file secret").said(), "");
    let open = Lab::start(&desk, "--host 0.0.0.0 --token-file secret");
    assert!(open.line.contains("http://127.0.0.1:"), "{}", open.line);
    let said = open.said();
    let note = "note: nothing is encrypted: anyone who can read the network can read the token, the questions and the data; ";
    assert!(said.starts_with(note) && said.lines().count() == 1, "{said}");
    let readable = std::fs::Permissions::from_mode(0o644);
    std::fs::set_permissions(desk.path("secret"), readable).unwrap();
    let said = Lab::start(&desk, "--token-file secret").said();
    assert_eq!(said, "note: other users can read secret; `chmod 600` prevents that\n");
}

/// The arguments of processes are seen by every user: the browser gets a file of this user's that leads to the page.
#[cfg(target_os = "linux")]
#[test]
fn the_browser_is_opened_without_the_token_in_its_arguments() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::new();
    let browser =
        "#!/bin/sh\necho \"$@\" > arguments.tmp\ncp -p \"$1\" way\nmv arguments.tmp arguments\n";
    desk.write("xdg-open", browser);
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(desk.path("xdg-open"), executable).unwrap();
    std::fs::create_dir(desk.path("tmp")).unwrap();
    let mut command = desk.command(&["lab", "--port", "0"]);
    let path = format!("{}:/usr/bin:/bin", desk.path("").display());
    command.env("PATH", path).env("TMPDIR", desk.path("tmp")).env_remove("WSL_DISTRO_NAME");
    let mut lab = Lab::run(command);
    while !desk.path("arguments").exists() {
        std::thread::yield_now();
    }
    let arguments = String::from_utf8(desk.read("arguments")).unwrap();
    assert!(!arguments.contains(lab.token()) && arguments.trim().ends_with(".html"), "{arguments}");
    let way = String::from_utf8(desk.read("way")).unwrap();
    let address = format!("http://{}/#token={}", lab.host(), lab.token());
    assert!(way.contains(&format!("content=\"0; url={address}\"")), "{way}");
    let mode = std::fs::metadata(desk.path("way")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    lab.end();
    assert_eq!(std::fs::read_dir(desk.path("tmp")).unwrap().count(), 0);
}

#[test]
fn the_address_has_the_lecture_notes() {
    let lab = Lab::start(&Desk::new(), "--notes dsc255-1");
    assert!(lab.line.ends_with("&notes=dsc255-1 (Ctrl-C ends it)\n"), "{}", lab.line);
}

#[test]
fn what_is_wrong_is_said_in_two_lines() {
    let taken = Lab::start(&Desk::new(), "");
    let desk =
        Desk::with(&[("bad.csv", "x,label\n1,a\nz,b\n"), ("one.csv", "x,label\n1,a\n2,a\n")]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let private = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(desk.path("one.csv"), private).unwrap();
    }
    let port = taken.host().rsplit(':').next().unwrap();
    let lines = [
        &*format!("lab --no-open --port {port}"),
        "lab --no-open --token short",
        "lab --no-open --token 0123456789abcdef --token-file secret",
        "lab --no-open --token-file nothing",
        "lab --no-open --token-file one.csv",
        "lab --no-open --token-file /dev/zero",
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
    lab.end();
    assert_eq!(lab.said(), "");
    drop(open);
}
