//! A wire that remembers: passes bytes between clients and the server, keeps what the server said, and breaks when told.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
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
    /// How many of the first connections are cut by themselves, and what decides when.
    fragile: usize,
    seed: u64,
    cuts: AtomicUsize,
}

/// How many bytes of a fragile connection get through, at least and at most: from the server, and from the client.
const FROM_SERVER: (u64, u64) = (1_000, 14_000);
const FROM_CLIENT: (u64, u64) = (300, 2_500);

impl Proxy {
    /// Starts a proxy for the server at `target`.
    ///
    /// # Panics
    /// When no port is free.
    #[must_use]
    pub fn start(target: &str) -> Self {
        Self::fragile(target, 0, 0)
    }

    /// Starts a proxy that cuts the first `count` connections after a number of bytes that follows from `seed`, every
    /// other one in what the server says, the rest in what the client says; later ones last.
    ///
    /// # Panics
    /// When no port is free.
    #[must_use]
    pub fn fragile(target: &str, seed: u64, count: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it is bound").to_string();
        let shared = Arc::new(Shared {
            fragile: count,
            seed,
            ..Shared::default()
        });
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

    /// Returns how many connections were cut by themselves.
    #[must_use]
    pub fn cuts(&self) -> usize {
        self.shared.cuts.load(Ordering::SeqCst)
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
        let (mut from_server, mut from_client_left) = self.limits(number);
        let shared = Arc::clone(self);
        std::thread::spawn(move || {
            pass_on(from_client, to_server, |bytes| {
                shared.admit(bytes, &mut from_client_left)
            });
        });
        let shared = Arc::clone(self);
        std::thread::spawn(move || {
            pass_on(server, client, |bytes| {
                lock(&shared.heard).entry(number).or_default().extend(bytes);
                if shared.deaf.load(Ordering::SeqCst) {
                    Some(&[])
                } else {
                    shared.admit(bytes, &mut from_server)
                }
            });
        });
    }

    /// How many bytes the connection with this number lets through from the server and from the client.
    fn limits(&self, number: usize) -> (Option<u64>, Option<u64>) {
        if number >= self.fragile {
            return (None, None);
        }
        let number = u64::try_from(number).expect("few connections");
        let drawn = mixed(self.seed ^ mixed(number));
        let within = |(least, most): (u64, u64)| Some(least + drawn % (most - least));
        if number.is_multiple_of(2) {
            (within(FROM_SERVER), None)
        } else {
            (None, within(FROM_CLIENT))
        }
    }

    /// Returns what of these bytes gets through; none when the connection is cut with them.
    fn admit<'a>(&self, bytes: &'a [u8], left: &mut Option<u64>) -> Option<&'a [u8]> {
        let Some(count) = left else {
            return Some(bytes);
        };
        *count = count.saturating_sub(u64::try_from(bytes.len()).expect("a buffer is small"));
        if *count == 0 {
            self.cuts.fetch_add(1, Ordering::SeqCst);
            return None;
        }
        Some(bytes)
    }
}

/// Mixes the bits of a number well, as SplitMix64 does.
const fn mixed(number: u64) -> u64 {
    let a = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let b = (a ^ (a >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let c = (b ^ (b >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    c ^ (c >> 31)
}

fn pass_on(mut from: TcpStream, mut to: TcpStream, mut admit: impl FnMut(&[u8]) -> Option<&[u8]>) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(count) = from.read(&mut buffer) {
        let Some(admitted) = admit(&buffer[..count]) else {
            break;
        };
        if count == 0 || to.write_all(admitted).is_err() {
            break;
        }
    }
    drop(to.shutdown(Shutdown::Both));
    drop(from.shutdown(Shutdown::Both));
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
