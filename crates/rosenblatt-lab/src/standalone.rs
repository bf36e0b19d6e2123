//! The page with the engine inside: no server answers its questions.
//!
//! The engine is a WebAssembly module (`dist/engine.wasm`, made of the crate `rosenblatt-wasm`), which the page runs in a
//! Web Worker. There are two forms:
//!
//! * [`files`]: static files with relative addresses, for any server of files;
//! * [`one_file`]: everything in one HTML text, for a notebook or to keep.
//!
//! Both may be shown in a frame of another site, because they hold no secret and no file of the user but the one that
//! [`Content`] has.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};

use crate::base64;

const HTML: &str = include_str!("../page/index.html");
const SCRIPT: &str = include_str!("../page/dist/lab.js");
const STYLE: &str = include_str!("../page/dist/lab.css");
const ENGINE: &[u8] = include_bytes!("../page/dist/engine.wasm");

/// The links of `page/index.html` to style and script.
const STYLE_LINK: &str = "<link rel=\"stylesheet\" href=\"lab.css\">";
const SCRIPT_LINK: &str = "<script type=\"module\" src=\"lab.js\"></script>";

/// The policy of the static files: they load one another and nothing else. The worker's script is a part of `lab.js`.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data:; font-src 'self' data:; connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'";

/// The policy of the one file: it loads nothing, also not what its own scripts might ask for.
const ONE_FILE_POLICY: &str = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; \
    style-src 'unsafe-inline'; img-src data:; font-src data:; worker-src blob:; base-uri 'none'; form-action 'none'";

/// A static file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticFile {
    /// Its name.
    pub name: &'static str,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// The content of a page in one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Content<'a> {
    /// The user's file: a question [`FileQuestion`](crate::FileQuestion) as JSON.
    pub file: Option<&'a str>,
    /// The state of the page: a link from the `#` on.
    pub link: Option<&'a str>,
}

/// The page as static files: `index.html`, `lab.js`, `lab.css`, `engine.wasm`.
pub fn files() -> Vec<StaticFile> {
    let engine =
        r#"<script id="engine" type="application/wasm" data-address="engine.wasm"></script>"#;
    let html = with_head(
        &format!("{}\n{STYLE_LINK}", policy(POLICY)),
        &format!("{engine}\n{SCRIPT_LINK}"),
    );
    let file = |name, bytes: &[u8]| StaticFile { name, bytes: bytes.to_vec() };
    vec![
        file("index.html", html.as_bytes()),
        file("lab.js", SCRIPT.as_bytes()),
        file("lab.css", STYLE.as_bytes()),
        file("engine.wasm", ENGINE),
    ]
}

/// The page as one HTML text with everything inside. Cost: the engine is compressed, some 0.1 s.
pub fn one_file(content: Content<'_>) -> String {
    let block = |id: &str, kind: &str, text: &str| {
        format!("<script id=\"{id}\" type=\"{kind}\">{}</script>\n", escaped(text))
    };
    let engine = block("engine", "application/wasm", &base64::encoded(&compressed(ENGINE)));
    let file = content.file.map(|json| block("file", "application/json", json)).unwrap_or_default();
    let link = content.link.map(|link| block("link", "text/plain", link)).unwrap_or_default();
    let script =
        format!("<script type=\"module\">{}</script>", SCRIPT.replace("</script", "<\\/script"));
    let style = format!("<style>{}</style>", STYLE.replace("</style", "<\\/style"));
    with_head(
        &format!("{}\n{style}", policy(ONE_FILE_POLICY)),
        &format!("{engine}{file}{link}{script}"),
    )
}

/// The page's HTML with these texts in place of its links.
fn with_head(style: &str, script: &str) -> String {
    HTML.replacen(STYLE_LINK, style, 1).replacen(SCRIPT_LINK, script, 1)
}

fn policy(policy: &str) -> String {
    format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">")
}

/// The text of a data block: in JSON and in links `<` only stands within strings, so that its escape means the same.
fn escaped(text: &str) -> String {
    text.replace('<', "\\u003c")
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory does not fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_load_one_another_by_relative_addresses() {
        let files = files();
        let html = std::str::from_utf8(&files[0].bytes).unwrap();
        assert!(html.contains(POLICY) && html.contains(STYLE_LINK) && html.contains(SCRIPT_LINK));
        for file in &files[1..] {
            assert!(html.contains(&format!("\"{}\"", file.name)), "{}", file.name);
            assert!(!file.bytes.is_empty());
        }
    }

    #[test]
    fn the_one_file_holds_its_content_and_loads_nothing() {
        let file = r#"{"name": "</script><b>", "text": "a,b\n"}"#;
        let html = one_file(Content { file: Some(file), link: Some("#set=file") });
        assert!(!html.contains("lab.js\"") && !html.contains("lab.css\""));
        assert!(html.contains(r#""name": "\u003c/script>\u003cb>""#));
        assert!(html.contains("<script id=\"link\" type=\"text/plain\">#set=file</script>"));
        // Those of the engine, the file, the link and the page.
        assert_eq!(html.matches("</script").count(), 4);
    }
}
