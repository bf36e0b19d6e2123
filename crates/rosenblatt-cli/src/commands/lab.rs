//! `rosenblatt lab`: a page on which the perceptron is watched as it learns, served by this command.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use rosenblatt::data::ClassError;
use rosenblatt_data::Dataset;
use rosenblatt_lab::server::{Server, Site, Table, Token};

use super::{notes, train};
use crate::{
    args::LabArgs,
    failure::Failure,
    interrupt, output,
    text::{count, counted, escaped},
};

pub(crate) fn run(arguments: LabArgs) -> Result<(), Failure> {
    let host = host(&arguments)?;
    let table = table(&arguments)?;
    let served = table.as_ref().map(served).unwrap_or_default();
    let address = SocketAddr::new(host, arguments.port);
    let token = arguments.token.clone();
    let server = Server::listen(Site { address, token, table, ..Site::default() })?;
    let address = page(server.address(), arguments.token.as_ref());
    output::print(&format!("the lab is at {address}{served} (Ctrl-C ends it)\n"))?;
    interrupt::ends_well();
    if !arguments.no_open {
        browse(&address);
    }
    Ok(server.run()?)
}

/// Where to listen. Other machines are let in only together with a token, and a token keeps nobody
/// out of what only this machine can reach.
fn host(arguments: &LabArgs) -> Result<IpAddr, Failure> {
    match (arguments.host, &arguments.token) {
        (None, None) => Ok(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        (Some(host), Some(_)) => Ok(host),
        (Some(_), None) => {
            let message = "--host lets other machines ask this one to work, which needs a --token";
            Err(Failure::usage(message, "at least 16 letters, digits, `-` and `_`: --token TOKEN"))
        }
        (None, Some(_)) => {
            let message = "--token is for a lab that other machines can reach";
            Err(Failure::usage(message, "`--host ADDRESS` says at which address of this machine"))
        }
    }
}

/// The file that the page gets, if one was named.
fn table(arguments: &LabArgs) -> Result<Option<Table>, Failure> {
    let Some(data) = &arguments.data else { return Ok(None) };
    let options = arguments.reading.options_with(&arguments.columns, arguments.on_error);
    let dataset = super::read_labelled((data, arguments.labels.as_deref()), &options, None)?;
    notes::print(&dataset.notes, &dataset.schema, false);
    notes::print_left_out(&dataset.schema);
    let Labels { classes, numbers, positive } = labels(arguments, &dataset)?;
    let names = dataset.schema.feature_names();
    let (file, rows) = (dataset.file.clone(), &dataset.rows);
    let table = Table::new(file, rows, names, (classes, &numbers), positive)?;
    dataset.check_unchanged()?;
    Ok(Some(table))
}

/// The classes, the number of each row's class, and the number of the positive one.
struct Labels {
    classes: Vec<String>,
    numbers: Vec<u32>,
    positive: usize,
}

/// The page may set any class against the rest. Where there are more than can be classes, `--positive`
/// leaves two.
fn labels(arguments: &LabArgs, dataset: &Dataset) -> Result<Labels, Failure> {
    let chosen = arguments.columns.positive.as_deref();
    let (two, of_two) = train::classes(dataset, chosen)?;
    let positive = two.positive().unwrap_or(&two.names()[0]);
    let all = match dataset.classes(None) {
        Err(ClassError::ManyClasses { .. }) => (two.clone(), of_two),
        all => all.map_err(|error| Failure::Classes {
            file: dataset.file.clone(),
            target: dataset.schema.target().map(str::to_owned),
            error,
        })?,
    };
    let (classes, numbers) = all;
    let positive = classes.names().iter().position(|name| name == positive).unwrap_or(0);
    Ok(Labels { classes: classes.names().to_vec(), numbers, positive })
}

/// What is said of the file.
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

/// The address of the page. What follows the `#` stays in the browser.
fn page(address: SocketAddr, token: Option<&Token>) -> String {
    let token = token.map(|token| format!("#token={}", token.as_str())).unwrap_or_default();
    let ip = match address.ip() {
        // Every address of this machine, this one among them.
        ip if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        ip => ip,
    };
    format!("http://{}/{token}", SocketAddr::new(ip, address.port()))
}

/// Opens the browser. Whoever has none can still copy the address.
fn browse(address: &str) {
    if let Err(error) = open::that_detached(address) {
        output::message("note", &format!("no browser could be opened: {error}"));
    }
}
