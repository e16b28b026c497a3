//! The contract between the relay and a bus, tested in memory and over a real NATS server. Without one the tests print NOT RUN.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

use tempfile::TempDir;
use tilewire_services::nats::{Links, Nats, PASSWORD};
use tokio::time::timeout;

use super::*;
use crate::batch::BATCH_MAX_BYTES;
use tilewire_config::DatabaseUrl;

const NODES: [NodeId; 3] = [NodeId(1), NodeId(2), NodeId(30)];
/// Batches of each node that may wait.
const WAITING: usize = 4_096;
const PATIENCE: Duration = Duration::from_secs(20);

/// A node's end of a bus.
struct End {
    bus: Box<dyn Bus>,
    inbox: Inbox,
}

impl End {
    async fn next(&mut self) -> Bytes {
        let next = timeout(PATIENCE, self.inbox.recv()).await;
        next.expect("a batch comes").expect("the bus is there")
    }

    /// Takes all that has come, up to this batch.
    async fn until(&mut self, last: &[u8]) -> Vec<Bytes> {
        let mut batches = Vec::new();
        loop {
            let next = self.next().await;
            if next == last {
                return batches;
            }
            batches.push(next);
        }
    }
}

fn in_memory(bus: &MemoryBus) -> [End; 3] {
    NODES.map(|node| {
        let (port, inbox) = bus.connect(node, WAITING);
        let bus = Box::new(port);
        End { bus, inbox }
    })
}

/// The settings for a server that these tests have started.
fn config(nats: &Nats, directory: &TempDir) -> NatsConfig {
    let password_file = directory.path().join("password");
    fs::write(&password_file, format!("{}\n", PASSWORD)).unwrap();
    fs::set_permissions(&password_file, fs::Permissions::from_mode(0o600)).unwrap();
    NatsConfig {
        cluster: "test".to_owned(),
        urls: vec![DatabaseUrl::from(nats.url().as_str())],
        password_file,
        ca_file: nats.ca_file(),
        connect: Duration::from_secs(5),
        silence: Duration::from_millis(500),
    }
}

async fn over_nats(config: &NatsConfig) -> [End; 3] {
    let mut ends = Vec::new();
    for node in NODES {
        let (bus, inbox) = NatsBus::connect(config, node).await.unwrap();
        let bus = Box::new(bus);
        ends.push(End { bus, inbox });
    }
    ends.try_into().ok().expect("three")
}

async fn keeps_the_contract([mut one, two, mut other]: [End; 3]) {
    // The bus keeps the order of each publisher, but not across publishers.
    for number in 0..500_u32 {
        for (end, name) in [(&one, b'a'), (&two, b'b')] {
            let mut batch = vec![name];
            batch.extend_from_slice(&number.to_be_bytes());
            end.bus.publish(NODES[2], batch.into());
        }
    }
    for (end, last) in [(&one, &b"end of a"[..]), (&two, b"end of b")] {
        end.bus.publish(NODES[2], Bytes::from_static(last));
    }
    let (mut came, mut ends) = (Vec::new(), 0);
    while ends < 2 {
        let next = other.next().await;
        match next.starts_with(b"end of ") {
            true => ends += 1,
            false => came.push(next),
        }
    }
    for name in [b'a', b'b'] {
        let of_one = came.iter().filter(|batch| batch[0] == name);
        let numbers: Vec<u32> = of_one
            .map(|batch| u32::from_be_bytes(batch[1..].try_into().unwrap()))
            .collect();
        assert!(numbers.into_iter().eq(0..500));
    }
    // A node gets its own batch only if it is the addressee.
    one.bus.publish(NODES[0], Bytes::from_static(b"own"));
    assert_eq!(one.next().await, b"own"[..]);
    // No node has this address.
    one.bus.publish(NodeId(99), Bytes::from_static(b"lost"));
    // The largest batch, and the smallest.
    let largest = Bytes::from(vec![7; BATCH_MAX_BYTES]);
    one.bus.publish(NODES[2], largest.clone());
    one.bus.publish(NODES[2], Bytes::new());
    assert!(other.next().await == largest, "the largest batch comes");
    assert_eq!(other.next().await, b""[..]);
}

#[tokio::test]
async fn the_bus_in_memory_keeps_the_contract() {
    keeps_the_contract(in_memory(&MemoryBus::default())).await;
}

#[tokio::test]
async fn the_bus_in_memory_loses_what_it_is_told_to() {
    let bus = MemoryBus::default();
    let [one, two, mut other] = in_memory(&bus);
    let publish = |end: &End, batch: &'static [u8]| {
        end.bus.publish(NODES[2], Bytes::from_static(batch));
    };
    bus.lose(NODES[0], NODES[2], 1);
    publish(&one, b"1");
    publish(&one, b"2");
    bus.cut(NODES[0], NODES[2]);
    publish(&one, b"3");
    publish(&two, b"4");
    bus.mend(NODES[0], NODES[2]);
    publish(&one, b"5");
    assert_eq!(other.until(b"5").await, [&b"2"[..], b"4"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nats_keeps_the_contract() {
    let Some(nats) = Nats::for_test(Links::Plain) else {
        return;
    };
    let directory = TempDir::new().unwrap();
    keeps_the_contract(over_nats(&config(&nats, &directory)).await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nats_over_tls_keeps_the_contract() {
    let Some(nats) = Nats::for_test(Links::Tls) else {
        return;
    };
    let directory = TempDir::new().unwrap();
    let config = config(&nats, &directory);
    keeps_the_contract(over_nats(&config).await).await;
    // Its certificate is verified.
    let distrusting = NatsConfig {
        ca_file: PathBuf::new(),
        ..config
    };
    let refused = NatsBus::connect(&distrusting, NODES[0]).await;
    assert!(matches!(refused, Err(NatsError::Connect(_))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nats_takes_nobody_without_the_password() {
    let Some(mut nats) = Nats::for_test(Links::Plain) else {
        return;
    };
    let directory = TempDir::new().unwrap();
    let config = config(&nats, &directory);
    fs::write(&config.password_file, "wrong\n").unwrap();
    let refused = NatsBus::connect(&config, NODES[0]).await.unwrap_err();
    assert!(matches!(refused, NatsError::Connect(_)), "{refused}");
    assert!(!refused.is_passing(), "no wait mends it: {refused}");
    nats.stop();
    let away = NatsBus::connect(&config, NODES[0]).await.unwrap_err();
    assert!(away.is_passing(), "{away}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_bus_goes_on_when_nats_starts_again() {
    let Some(mut nats) = Nats::for_test(Links::Plain) else {
        return;
    };
    let directory = TempDir::new().unwrap();
    let [one, _two, mut other] = over_nats(&config(&nats, &directory)).await;
    nats.restart();
    // A batch that is published meanwhile may be lost; later batches come, in order.
    let mut numbers = 0..1_000_u32;
    let first = loop {
        let number = numbers.next().expect("the bus comes back");
        let batch = Bytes::copy_from_slice(&number.to_be_bytes());
        one.bus.publish(NODES[2], batch);
        let came = timeout(Duration::from_millis(50), other.inbox.recv()).await;
        if let Ok(batch) = came {
            break batch.unwrap();
        }
    };
    one.bus.publish(NODES[2], Bytes::from_static(b"end"));
    let mut came = vec![first];
    came.extend(other.until(b"end").await);
    assert!(came.is_sorted(), "{came:?}");
}

#[test]
fn a_wrong_setting_is_refused_without_its_password() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let check = |cluster: &str, urls: &[&str]| {
        let config = NatsConfig {
            cluster: cluster.to_owned(),
            urls: urls.iter().map(|url| DatabaseUrl::from(*url)).collect(),
            password_file: PathBuf::new(),
            ca_file: PathBuf::new(),
            connect: Duration::from_secs(1),
            silence: Duration::from_millis(500),
        };
        let refused = runtime.block_on(NatsBus::connect(&config, NODES[0]));
        let refused = refused.unwrap_err();
        assert!(matches!(refused, NatsError::Settings(_)), "{refused}");
        assert!(!format!("{refused} {refused:?} {config:?}").contains("secret"));
    };
    check("a.b", &["nats://127.0.0.1"]);
    check("", &["nats://127.0.0.1"]);
    check("a", &[]);
    check("a", &["http://u:secret@127.0.0.1"]);
}
