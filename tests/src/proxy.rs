//! A wire that remembers: passes bytes between clients and the server, keeps what the server said, and breaks when told.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A TCP proxy on a port of its own.
#[derive(Debug)]
pub struct Proxy {
    /// Where clients connect, `ADDR:PORT`.
    pub address: String,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    /// What the server sent, one entry for each connection.
    heard: Mutex<BTreeMap<usize, Vec<u8>>>,
    open: Mutex<Vec<TcpStream>>,
    /// Whether what the server says still reaches the clients.
    deaf: AtomicBool,
}

impl Proxy {
    /// Starts a proxy for the server at `target`.
    ///
    /// # Panics
    /// When no port is free.
    #[must_use]
    pub fn start(target: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it is bound").to_string();
        let shared = Arc::new(Shared::default());
        let (for_thread, target) = (Arc::clone(&shared), target.to_owned());
        std::thread::spawn(move || {
            for (client, number) in listener.incoming().map_while(Result::ok).zip(0..) {
                for_thread.connect(client, &target, number);
            }
        });
        Self { address, shared }
    }

    /// Lets nothing of what the server says reach the clients any more, until the connections are cut.
    pub fn deafen(&self) {
        self.shared.deaf.store(true, Ordering::SeqCst);
    }

    /// Cuts every connection, in the middle of whatever is being said; new ones hear again.
    pub fn cut(&self) {
        for stream in lock(&self.shared.open).drain(..) {
            // It may be closed already.
            drop(stream.shutdown(Shutdown::Both));
        }
        self.shared.deaf.store(false, Ordering::SeqCst);
    }

    /// Returns every byte the server sent, connection by connection, the HTTP answer included.
    #[must_use]
    pub fn heard(&self) -> Vec<Vec<u8>> {
        lock(&self.shared.heard).values().cloned().collect()
    }
}

impl Shared {
    fn connect(self: &Arc<Self>, client: TcpStream, target: &str, number: usize) {
        let Ok(server) = TcpStream::connect(target) else {
            // The server is away; the client sees its connection refused by an early end.
            return;
        };
        let clone = |stream: &TcpStream| stream.try_clone().expect("a socket can be shared");
        lock(&self.open).extend([clone(&client), clone(&server)]);
        let (to_server, from_client) = (clone(&server), clone(&client));
        std::thread::spawn(move || pass_on(from_client, to_server, |_| true));
        let shared = Arc::clone(self);
        std::thread::spawn(move || {
            pass_on(server, client, |bytes| {
                lock(&shared.heard).entry(number).or_default().extend(bytes);
                !shared.deaf.load(Ordering::SeqCst)
            });
        });
    }
}

fn pass_on(mut from: TcpStream, mut to: TcpStream, mut may_pass: impl FnMut(&[u8]) -> bool) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(count) = from.read(&mut buffer) {
        if count == 0 || (may_pass(&buffer[..count]) && to.write_all(&buffer[..count]).is_err()) {
            break;
        }
    }
    drop(to.shutdown(Shutdown::Both));
    drop(from.shutdown(Shutdown::Both));
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
