//! Fault proxies: a program in the way of the connections between servers and the services that they use, which a test cuts and
//! slows.
//!
//! A link that is cut loses nothing that TCP would not lose: both ends believe that they are connected, what they send waits,
//! and it arrives after the link is mended.

use std::io::{Read, Result, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Chunks that wait in one direction of a connection; beyond, its sender waits.
const WAITING: usize = 1_024;
/// Bytes of a chunk at most.
const CHUNK: usize = 16 * 1_024;

/// Where a service takes connections.
#[derive(Debug, Clone)]
pub enum Service {
    /// At an address, `HOST:PORT`.
    Tcp(String),
    /// At a socket of this machine.
    Unix(PathBuf),
}

/// A direction of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// From the server to the service.
    ToService,
    /// From the service to the server.
    FromService,
}

/// Both directions.
pub const BOTH: &[Way] = &[Way::ToService, Way::FromService];

/// A proxy on the link to a service.
#[derive(Debug)]
pub struct FaultProxy {
    /// Where the server connects, `HOST:PORT`.
    pub address: String,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    service: Service,
    state: Mutex<State>,
    changed: Condvar,
}

/// The faults of a link.
#[derive(Debug, Default)]
struct State {
    cut: Vec<Way>,
    delay: Duration,
}

impl FaultProxy {
    /// Starts a proxy that servers reach at a host of this machine.
    ///
    /// # Panics
    /// When no port is free there.
    #[must_use]
    pub fn start(host: &str, service: Service) -> Self {
        let listener = TcpListener::bind((host, 0)).expect("a port is free");
        let address = listener.local_addr().expect("it listens").to_string();
        let shared = Arc::new(Shared {
            service,
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let accepting = Arc::clone(&shared);
        thread::spawn(move || {
            for server in listener.incoming().map_while(Result::ok) {
                // A service that is not there closes the connection.
                accepting.connect(server).ok();
            }
        });
        Self { address, shared }
    }

    /// Cuts directions; those that were cut before are mended. Without any, all is mended.
    pub fn cut(&self, ways: &[Way]) {
        self.shared.lock().cut = ways.to_vec();
        self.shared.changed.notify_all();
    }

    /// Delays what is sent from now on, in each direction.
    pub fn slow(&self, delay: Duration) {
        self.shared.lock().delay = delay;
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn connect(self: &Arc<Self>, server: TcpStream) -> Result<()> {
        server.set_nodelay(true)?;
        let service = match &self.service {
            Service::Tcp(address) => {
                let service = TcpStream::connect(address)?;
                service.set_nodelay(true)?;
                Socket::Tcp(service)
            }
            Service::Unix(path) => Socket::Unix(UnixStream::connect(path)?),
        };
        let server = Socket::Tcp(server);
        self.carry(Way::ToService, server.copy()?, service.copy()?);
        self.carry(Way::FromService, service, server);
        Ok(())
    }

    /// Carries one direction of a connection, on two threads.
    fn carry(self: &Arc<Self>, way: Way, mut from: Socket, to: Socket) {
        let (sender, chunks) = sync_channel(WAITING);
        let (reading, writing) = (Arc::clone(self), Arc::clone(self));
        thread::spawn(move || reading.read(&mut from, &sender));
        thread::spawn(move || writing.write(way, to, &chunks));
    }

    fn read(&self, from: &mut Socket, chunks: &SyncSender<(Instant, Vec<u8>)>) {
        let mut buffer = vec![0; CHUNK];
        while let Ok(count @ 1..) = from.read(&mut buffer) {
            let due = now() + self.lock().delay;
            if chunks.send((due, buffer[..count].to_vec())).is_err() {
                return;
            }
        }
    }

    fn write(&self, way: Way, mut to: Socket, chunks: &Receiver<(Instant, Vec<u8>)>) {
        for (due, chunk) in chunks {
            thread::sleep(due.saturating_duration_since(now()));
            self.until_open(way);
            if to.write_all(&chunk).is_err() {
                break;
            }
        }
        // The end of a connection is news that a cut link does not carry either.
        self.until_open(way);
        to.close();
    }

    fn until_open(&self, way: Way) {
        let is_cut = |state: &mut State| state.cut.contains(&way);
        drop(self.changed.wait_while(self.lock(), is_cut));
    }
}

/// A socket of either kind.
enum Socket {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Socket {
    fn copy(&self) -> Result<Self> {
        Ok(match self {
            Self::Tcp(socket) => Self::Tcp(socket.try_clone()?),
            Self::Unix(socket) => Self::Unix(socket.try_clone()?),
        })
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        match self {
            Self::Tcp(socket) => socket.read(buffer),
            Self::Unix(socket) => socket.read(buffer),
        }
    }

    fn write_all(&mut self, bytes: &[u8]) -> Result<()> {
        match self {
            Self::Tcp(socket) => socket.write_all(bytes),
            Self::Unix(socket) => socket.write_all(bytes),
        }
    }

    fn close(&self) {
        let closed = match self {
            Self::Tcp(socket) => socket.shutdown(Shutdown::Both),
            Self::Unix(socket) => socket.shutdown(Shutdown::Both),
        };
        drop(closed); // it may be closed already
    }
}

#[expect(clippy::disallowed_methods, reason = "what is sent is late on purpose")]
fn now() -> Instant {
    Instant::now()
}
