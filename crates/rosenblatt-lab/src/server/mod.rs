//! The page and its questions, served over HTTP/1.1.
//!
//! All files that the server serves are inside the binary: it opens no path from a request and keeps no state between
//! requests. Three checks stand between a request and the engine:
//!
//! * `access`: the request must come from the lab's own page, by its host, origin and token;
//! * `body`: the question must be small and arrive in time;
//! * `queue`: as many questions are answered at a time as there are cores; others wait, and clients take `turns`.
//!
//! [`Limits`] bound memory for any requests. No other module of this crate reads the clock.

mod access;
mod body;
mod error_response;
mod idle_timeout;
mod limits;
mod queue;
mod routes;
mod token;
mod turns;

pub use limits::Limits;
pub use token::{Token, TokenError};

pub use crate::table::{Labels, Table};

use std::{
    collections::HashMap,
    future::{Future, poll_fn},
    io,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    pin::pin,
    sync::{Arc, Mutex, PoisonError},
    task::Poll,
    time::Duration,
};

use axum::Router;
use hyper::{server::conn::http1, service::Service};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::sync::{Notify, Semaphore};

use self::{idle_timeout::IdleTimeout, queue::Engine, turns::Client};

/// The reason why the lab cannot be served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address cannot be listened on.
    #[error("{address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The error of the system.
        error: io::Error,
    },
    /// Other machines could reach an address without a token.
    #[error("{0} can be reached from other machines, and there is no token")]
    NeedsToken(SocketAddr),
    /// The system provides no way to wait for connections.
    #[error("the server cannot start: {0}")]
    Start(io::Error),
}

/// The content of the lab, its address, its token and its limits.
#[derive(Debug)]
pub struct Site {
    /// The address to listen on; port 0 takes any free port.
    pub address: SocketAddr,
    /// The token that questions and requests for the user's file must contain. Without one, every user of this machine
    /// has access; an address that other machines can reach requires one.
    pub token: Option<Token>,
    /// The user's file.
    pub table: Option<Table>,
    /// The limits on requests and answers.
    pub limits: Limits,
}

impl Site {
    /// The port of the lab: the year of the perceptron.
    pub const PORT: u16 = 1958;
}

impl Default for Site {
    fn default() -> Self {
        Site {
            address: (Ipv4Addr::LOCALHOST, Self::PORT).into(),
            token: None,
            table: None,
            limits: Limits::default(),
        }
    }
}

/// A lab that listens; [`Server::run`] answers.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    site: Site,
    stop: Arc<Notify>,
}

/// Ends a [`Server::run`] from another thread.
#[derive(Clone, Debug)]
pub struct Stopper(Arc<Notify>);

impl Stopper {
    /// Ends the server: it closes all connections and stops its work.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

impl Server {
    /// Starts to listen.
    ///
    /// # Errors
    /// [`ServeError::Listen`] if the address is in use or not an address of this machine, and
    /// [`ServeError::NeedsToken`].
    pub fn listen(site: Site) -> Result<Self, ServeError> {
        let address = site.address;
        if !address.ip().is_loopback() && site.token.is_none() {
            return Err(ServeError::NeedsToken(address));
        }
        let listen = || {
            let listener = TcpListener::bind(address)?;
            listener.set_nonblocking(true)?;
            let address = listener.local_addr()?;
            Ok((listener, address))
        };
        let (listener, address) =
            listen().map_err(|error| ServeError::Listen { address, error })?;
        Ok(Server { listener, address, site, stop: Arc::default() })
    }

    /// The address, with the port that the system chose for port 0.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A handle that ends [`Server::run`].
    pub fn stopper(&self) -> Stopper {
        Stopper(Arc::clone(&self.stop))
    }

    /// Serves until it is stopped.
    ///
    /// # Errors
    /// [`ServeError::Start`].
    pub fn run(self) -> Result<(), ServeError> {
        self.run_with(crate::answer)
    }

    /// Serves the answers of this engine.
    fn run_with(self, engine: Engine) -> Result<(), ServeError> {
        let limits = self.site.limits;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .max_blocking_threads(limits.answers.max(1))
            .build()
            .map_err(ServeError::Start)?;
        let done = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let router = routes::router(self.site, self.address, engine);
            let mut accepting = pin!(accept(listener, router, limits));
            let mut stopped = pin!(self.stop.notified());
            poll_fn(|context| match stopped.as_mut().poll(context) {
                Poll::Ready(()) => Poll::Ready(()),
                Poll::Pending => accepting.as_mut().poll(context),
            })
            .await;
            Ok(())
        });
        runtime.shutdown_background();
        done.map_err(ServeError::Start)
    }
}

/// Accepts connections up to the limit; others wait in the queue of the system.
async fn accept(listener: tokio::net::TcpListener, router: Router, limits: Limits) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.reading)
        .max_buf_size(limits.header_bytes)
        .max_headers(limits.headers);
    let connections = Arc::new(Semaphore::new(limits.connections));
    let clients = Arc::new(Clients::default());
    loop {
        // The semaphore is never closed.
        let Ok(permit) = Arc::clone(&connections).acquire_owned().await else { return };
        let Ok((stream, peer)) = listener.accept().await else {
            // Too many open files, most likely: some may be closed soon.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let client = Client::from(peer.ip());
        let Some(of_client) = Clients::enter(&clients, client, limits.connections_of_one) else {
            continue;
        };
        let io = TokioIo::new(IdleTimeout::new(stream, limits.taking));
        let routes = TowerToHyperService::new(router.clone());
        let with_client = hyper::service::service_fn(move |mut request: hyper::Request<_>| {
            request.extensions_mut().insert(client);
            routes.call(request)
        });
        let serving = http.serve_connection(io, with_client);
        tokio::spawn(async move {
            // A connection that breaks is the client's affair.
            let _ = serving.await;
            drop((permit, of_client));
        });
    }
}

/// The number of open connections of each client.
#[derive(Default)]
struct Clients(Mutex<HashMap<Client, usize>>);

/// A connection of a client, counted until it is dropped.
struct Counted(Arc<Clients>, Client);

impl Clients {
    /// Counts a connection; `None` if the client has `most` already.
    fn enter(clients: &Arc<Self>, client: Client, most: usize) -> Option<Counted> {
        let mut counts = clients.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(client).or_default();
        (*count < most).then(|| {
            *count += 1;
            Counted(Arc::clone(clients), client)
        })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut counts = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.1) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io::Write,
        net::TcpStream,
        sync::atomic::{AtomicBool, Ordering},
        thread,
    };

    use super::*;
    use crate::Refusal;

    static HAS_BEGUN: AtomicBool = AtomicBool::new(false);
    static HAS_ENDED: AtomicBool = AtomicBool::new(false);

    fn wait_for(flag: &AtomicBool) {
        while !flag.load(Ordering::Relaxed) {
            thread::yield_now();
        }
    }

    /// The engine works until it is told to stop, and no clock tells it: only the client that closes its connection.
    #[test]
    fn the_work_ends_when_its_client_leaves() {
        let limits = Limits { answering: Duration::MAX, ..Limits::default() };
        let server = Server::listen(Site {
            address: (Ipv4Addr::LOCALHOST, 0).into(),
            limits,
            ..Site::default()
        });
        let server = server.unwrap();
        let (address, stopper) = (server.address(), server.stopper());
        let running = thread::spawn(move || {
            server.run_with(|_, stop| {
                HAS_BEGUN.store(true, Ordering::Relaxed);
                while !stop() {
                    thread::yield_now();
                }
                HAS_ENDED.store(true, Ordering::Relaxed);
                Err(Refusal::Stopped)
            })
        });
        let mut client = TcpStream::connect(address).unwrap();
        write!(
            client,
            "POST /ask HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}"
        )
        .unwrap();
        wait_for(&HAS_BEGUN);
        assert!(!HAS_ENDED.load(Ordering::Relaxed));
        drop(client);
        wait_for(&HAS_ENDED);
        stopper.stop();
        running.join().unwrap().unwrap();
    }
}
