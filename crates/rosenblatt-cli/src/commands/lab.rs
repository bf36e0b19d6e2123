//! `rosenblatt lab`: serves a page on which the user watches the perceptron learn.

use std::{
    fmt::Display,
    fs::File,
    io::{self, Read, Write},
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::Path,
};

use rosenblatt::LectureNotes;
use rosenblatt_core::data::ClassError;
use rosenblatt_data::Dataset;
use rosenblatt_lab::server::{Labels, ServeError, Server, Site, Table, Token};
use tempfile::TempPath;

use super::{
    inputs::{InputFiles, classes},
    notes::{NoteLog, beside_text},
};
use crate::{
    args::LabArgs,
    error::CliError,
    interrupt, output,
    text::{count, counted, escaped},
};

/// The variable that may hold the token.
const VARIABLE: &str = "ROSENBLATT_LAB_TOKEN";

pub(crate) fn run(arguments: LabArgs) -> Result<(), CliError> {
    let token = token(&arguments)?;
    let host = arguments.host.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let table = table(&arguments)?;
    let served = table.as_ref().map(served).unwrap_or_default();
    let address = SocketAddr::new(host, arguments.port);
    let site = Site { address, token: Some(token.clone()), table, ..Site::default() };
    let server = Server::listen(site)?;
    if !host.is_loopback() {
        output::message("note", OPEN);
    }
    let address = page(server.address(), &token, arguments.notes);
    // Before the address is printed, which a user may answer with Ctrl-C.
    interrupt::ends_well();
    output::print(&format!("the lab is at {address}{served} (Ctrl-C ends it)\n"))?;
    // Removed when the lab ends.
    let _way = if arguments.no_open { None } else { browse(&address) };
    Ok(server.run()?)
}

/// The risk of giving other machines access.
const OPEN: &str = "nothing is encrypted: anyone who can read the network can read the token, the questions and the data; \
    without --host, `ssh -L 1958:127.0.0.1:1958 MACHINE` forwards the lab of another machine through a tunnel";

/// Returns the token that was given, else a new one.
fn token(arguments: &LabArgs) -> Result<Token, CliError> {
    let bad = |place: &dyn Display, problem: &dyn Display| {
        let hint = "make one with `openssl rand -hex 16`";
        CliError::usage(format!("{place}: {problem}"), hint)
    };
    if let Some(token) = &arguments.token {
        return Ok(token.clone());
    }
    if let Some(path) = &arguments.token_file {
        let failure = |error| CliError::Token { file: path.display().to_string(), error };
        let word = secret(path).map_err(failure)?;
        return word.parse().map_err(|error| bad(&path.display(), &error));
    }
    match std::env::var_os(VARIABLE) {
        Some(word) => word.to_string_lossy().parse().map_err(|error| bad(&VARIABLE, &error)),
        None => Ok(Token::random().map_err(ServeError::Start)?),
    }
}

/// Returns the only line of a file, or the beginning of one too long for a token.
fn secret(path: &Path) -> io::Result<String> {
    let file = File::open(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let found = file.metadata()?;
        if found.is_file() && found.permissions().mode() & 0o077 != 0 {
            let path = path.display();
            let text = format!("other users can read {path}; `chmod 600` prevents that");
            output::message("note", &text);
        }
    }
    let mut word = Vec::new();
    file.take(Token::LONGEST as u64 + 2).read_to_end(&mut word)?;
    Ok(String::from_utf8_lossy(word.trim_ascii_end()).into_owned())
}

/// The file for the page, if one was named.
fn table(arguments: &LabArgs) -> Result<Option<Table>, CliError> {
    let Some(data) = &arguments.data else { return Ok(None) };
    let options = arguments.reading.options_with(&arguments.columns, arguments.labeled.on_error);
    let dataset =
        InputFiles::new(data, &[], arguments.labeled.labels.as_deref()).read(&options, None)?;
    let notes = dataset.notes.list(&dataset.schema).into_iter();
    NoteLog::with_quiet(false).tell(notes.chain(beside_text(&dataset.schema)));
    let labels = labels(arguments, &dataset)?;
    let names = dataset.schema.feature_names();
    let (file, rows) = (dataset.file.clone(), &dataset.rows);
    let table = Table::new(file, rows, names, labels)?;
    dataset.check_unchanged()?;
    Ok(Some(table))
}

/// The classes of the page, which may choose any of them as positive. If there are too many labels to be classes,
/// `--positive` leaves two.
fn labels(arguments: &LabArgs, dataset: &Dataset) -> Result<Labels, CliError> {
    let chosen = arguments.columns.positive.as_deref();
    let (two, of_two) = classes(dataset, chosen)?;
    let positive = two.positive().unwrap_or(&two.names()[0]);
    let all = match dataset.classes(None) {
        Err(ClassError::ManyClasses { .. }) => (two.clone(), of_two),
        Ok(all) => all,
        Err(_) => classes(dataset, None)?,
    };
    let (classes, numbers) = all;
    let positive = classes.names().iter().position(|name| name == positive).unwrap_or(0);
    Ok(Labels { classes: classes.names().to_vec(), numbers, positive })
}

/// The description of the file, for the end of a sentence.
fn served(table: &Table) -> String {
    let rows = |rows: usize| counted(rows as u64, "example");
    let name = escaped(table.name());
    if table.shown() < table.rows() {
        let (shown, all) = (count(table.shown() as u64), rows(table.rows()));
        format!(" with {shown} of the {all} of {name}")
    } else {
        format!(" with the {} of {name}", rows(table.rows()))
    }
}

/// The address of the page. The part after the `#` stays in the browser.
fn page(address: SocketAddr, token: &Token, notes: Option<LectureNotes>) -> String {
    let ip = match address.ip() {
        // An unspecified address includes the loopback.
        ip if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        ip => ip,
    };
    let notes = notes.map(|notes| format!("&notes={notes}")).unwrap_or_default();
    format!("http://{}/#token={}{notes}", SocketAddr::new(ip, address.port()), token.as_str())
}

/// Opens the browser. Without one, the user can still copy the address.
///
/// Other users can see the arguments of every process, so the address there would reveal the token. The browser therefore
/// opens a file that only this user can read, and that leads to the address.
fn browse(address: &str) -> Option<TempPath> {
    let opened = way_to(address).and_then(|way| open::that_detached(&way).map(|()| way));
    let note = |error| output::message("note", &format!("no browser could be opened: {error}"));
    opened.map_err(note).ok()
}

/// Writes a page that leads to an address, to a file that is removed when the lab ends.
fn way_to(address: &str) -> io::Result<TempPath> {
    // On Unix no other user can read it; elsewhere the folder belongs to the user.
    let mut file = tempfile::Builder::new().prefix("rosenblatt-lab-").suffix(".html").tempfile()?;
    let address = address.replace('&', "&amp;");
    let text = format!(
        "<!doctype html>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"refresh\" content=\"0; url={address}\">\n\
         <title>The lab</title>\n<a href=\"{address}\">The lab</a>\n"
    );
    file.write_all(text.as_bytes())?;
    let path = file.into_temp_path();
    interrupt::remove_at_end(&path);
    Ok(path)
}
