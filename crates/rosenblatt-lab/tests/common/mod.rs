//! A lab in a thread, and clients that write bytes to it.
#![allow(dead_code)] // each test uses a part of this

use std::{
    io::{self, Read, Write},
    net::{SocketAddr, TcpStream},
    thread::JoinHandle,
    time::Duration,
};

use rosenblatt_lab::server::{Limits, Server, Site, Stopper};

/// A lab that ends with the test.
pub(crate) struct Lab {
    pub(crate) address: SocketAddr,
    stopper: Stopper,
    thread: Option<JoinHandle<()>>,
}

impl Lab {
    pub(crate) fn new(site: Site) -> Self {
        let local = Site { address: ([127, 0, 0, 1], 0).into(), ..site };
        let server = Server::listen(local).unwrap();
        let (address, stopper) = (server.address(), server.stopper());
        let thread = Some(std::thread::spawn(move || server.run().unwrap()));
        Lab { address, stopper, thread }
    }

    pub(crate) fn with(limits: Limits) -> Self {
        Lab::new(Site { limits, ..Site::default() })
    }

    pub(crate) fn host(&self) -> String {
        self.address.to_string()
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        // So that a server that hangs is a failed test. Nothing is measured by it.
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Writes a whole request and reads the reply.
    pub(crate) fn send(&self, request: &[u8]) -> Reply {
        let mut stream = self.connect();
        stream.write_all(request).unwrap();
        Reply::read(stream).unwrap()
    }

    /// A request with a right host.
    pub(crate) fn request(&self, line: &str, headers: &[&str], body: &str) -> Reply {
        let host = format!("Host: {}", self.address);
        let headers: Vec<&str> =
            [host.as_str()].into_iter().chain(headers.iter().copied()).collect();
        self.send(&request(line, &headers, body))
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.request(&format!("GET {path}"), &[], "")
    }

    pub(crate) fn ask(&self, question: &str) -> Reply {
        self.request("POST /ask", &["Content-Type: application/json"], question)
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        self.stopper.stop();
        if let Some(thread) = self.thread.take() {
            assert!(thread.join().is_ok() || std::thread::panicking());
        }
    }
}

/// The bytes of a request that says that it is the last.
pub(crate) fn request(line: &str, headers: &[&str], body: &str) -> Vec<u8> {
    let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
    let length = match body.len() {
        0 => String::new(),
        length => format!("Content-Length: {length}\r\n"),
    };
    format!("{line} HTTP/1.1\r\n{headers}{length}Connection: close\r\n\r\n{body}").into_bytes()
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: String,
}

impl Reply {
    /// Reads until the server closes the connection.
    pub(crate) fn read(mut stream: TcpStream) -> io::Result<Self> {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes)?;
        Ok(Reply::parse(&bytes).unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&bytes))))
    }

    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(bytes);
        let (head, body) = text.split_once("\r\n\r\n")?;
        let status = head.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()?;
        Some(Reply { status, head: head.to_owned(), body: body.to_owned() })
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.head.lines().filter_map(|line| line.split_once(": "));
        headers.find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// The message and hint of a refusal.
    pub(crate) fn error(&self) -> String {
        let body: serde_json::Value = serde_json::from_str(&self.body).unwrap();
        let part = |name: &str| body["error"][name].as_str().map(str::to_owned);
        let hint = part("hint").map(|hint| format!(" ({hint})")).unwrap_or_default();
        format!("{} {}{hint}", self.status, part("message").unwrap())
    }
}

/// A question about three points, and a word of its answer.
pub(crate) const QUESTION: &str =
    r#"{"separable": {"points": {"rows": [[0], [1], [2]], "signs": [1, -1, 1]}}}"#;
pub(crate) const ANSWER: &str = r#""separable":"no""#;
