//! The page and its questions, served over HTTP/1.1.
//!
//! Everything that is served is inside the binary: no path from outside is ever opened, nothing is
//! remembered from one request to the next. Three things stand between a request and the engine:
//!
//! * the `door`: is it from our own page? Host, Origin, token;
//! * the `body`: is it small, and does it come in time?
//! * the `desk`: is there room to answer it now? Two answers are worked on at a time, a few wait,
//!   and each has a few seconds.
//!
//! Memory is bounded by [`Limits`], whatever is asked. The clock is here and nowhere else in this crate.

mod body;
mod desk;
mod door;
mod limits;
mod refused;
mod routes;
mod stream;
mod table;
mod token;

pub use limits::Limits;
pub use table::{Table, TableError};
pub use token::{Token, TokenError};

use std::{
    future::{Future, poll_fn},
    io,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    pin::pin,
    sync::Arc,
    task::Poll,
    time::Duration,
};

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::sync::{Notify, Semaphore};

use self::stream::Patient;

/// Why nothing can be served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address cannot be listened on.
    #[error("{address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        error: io::Error,
    },
    /// Other machines could reach an address without a token.
    #[error("{0} can be reached from other machines, and there is no token")]
    NeedsToken(SocketAddr),
    /// The system gives no means to wait for connections.
    #[error("the server cannot start: {0}")]
    Start(io::Error),
}

/// What is served, to whom, and how much of it.
#[derive(Debug)]
pub struct Site {
    /// Where to listen; port 0 is any that is free.
    pub address: SocketAddr,
    /// What questions must show, and requests for the person's file. Without one, every user of this machine may ask
    /// and read; where other machines can reach the address it is needed.
    pub token: Option<Token>,
    /// The person's own file.
    pub table: Option<Table>,
    /// How much is served at a time.
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

/// A lab that listens; it answers from [`Server::run`] on.
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
    /// Ends it; connections are cut and work is given up.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

impl Server {
    /// Listens.
    ///
    /// # Errors
    /// [`ServeError::Listen`] where the address is taken or not of this machine, and
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

    /// The address with the port that was found.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What ends [`Server::run`].
    pub fn stopper(&self) -> Stopper {
        Stopper(Arc::clone(&self.stop))
    }

    /// Serves until it is stopped.
    ///
    /// # Errors
    /// [`ServeError::Start`].
    pub fn run(self) -> Result<(), ServeError> {
        let limits = self.site.limits;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .max_blocking_threads(limits.answers.max(1))
            .build()
            .map_err(ServeError::Start)?;
        let done = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let router = routes::router(self.site, self.address);
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

/// Accepts connections, as many as may be open at a time; others wait in the system's queue.
async fn accept(listener: tokio::net::TcpListener, router: Router, limits: Limits) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.reading)
        .max_buf_size(limits.header_bytes)
        .max_headers(limits.headers);
    let connections = Arc::new(Semaphore::new(limits.connections));
    loop {
        // The semaphore is never closed.
        let Ok(permit) = Arc::clone(&connections).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            // Too many open files, most likely: some may be closed soon.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let io = TokioIo::new(Patient::new(stream, limits.taking));
        let serving = http.serve_connection(io, TowerToHyperService::new(router.clone()));
        tokio::spawn(async move {
            // A connection that breaks is the client's affair.
            let _ = serving.await;
            drop(permit);
        });
    }
}
