//! Outboxes whose sockets take as much as a test allows.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tilewire_protocol::Codec;
use tokio::io::AsyncReadExt;

use super::super::framed::Framed;
use super::super::{Backlogs, FrameWriter, PushFrame, PushSummary, WriterBounds, write_stream};
use super::*;
use tilewire_base::address::ClientAddress;
use tilewire_config::Limits;

fn outbox_of(max_bytes: usize) -> Outbox {
    Outbox::new(max_bytes, Sink::Stream)
}

fn message(len: usize) -> Outgoing {
    Outgoing::Message(Bytes::from(vec![0; len]))
}

#[tokio::test]
async fn frames_come_out_in_order_and_then_the_end() {
    let outbox = outbox_of(10_000);
    assert_eq!(outbox.push(Priority::Player, message(1)), Delivery::Queued);
    assert_eq!(outbox.push(Priority::Reply, message(2)), Delivery::Queued);
    outbox.close(CloseCode::Restarting, "soon");
    outbox.close(CloseCode::Normal, "later");
    assert_eq!(outbox.push(Priority::Player, message(3)), Delivery::Gone);
    assert_eq!(
        outbox.take(10_000).await,
        Waiting::Frames(vec![message(1), message(2)])
    );
    let end = Closing {
        code: CloseCode::Restarting,
        reason: "soon".to_owned(),
        answers: None,
    };
    assert_eq!(outbox.take(10_000).await, Waiting::Close(end));
}

#[tokio::test]
async fn a_slow_spectator_lags_and_a_slow_player_is_disconnected() {
    let outbox = outbox_of(1_000);
    assert_eq!(
        outbox.push(Priority::Spectator, message(400)),
        Delivery::Queued
    );
    assert_eq!(
        outbox.push(Priority::Spectator, message(400)),
        Delivery::Lagging
    );
    assert_eq!(
        outbox.push(Priority::Player, message(400)),
        Delivery::Queued
    );
    assert_eq!(
        outbox.push(Priority::Player, message(400)),
        Delivery::Overflowed
    );
    assert_eq!(outbox.push(Priority::Player, message(1)), Delivery::Gone);
    let Waiting::Close(end) = outbox.take(1_000).await else {
        panic!("the queued frames are dropped");
    };
    assert_eq!(end.code, CloseCode::TooSlow);
}

/// A thousand connections of one address that read nothing hold a bounded number of bytes, and keep nobody from being slow at
/// another address.
#[test]
fn what_waits_for_one_address_is_bounded() {
    const MESSAGE: usize = 100_000;
    let limits = Limits {
        backlog_bytes: 4_000_000,
        backlog_bytes_per_address: 1_000_000,
        ..Limits::default()
    };
    let backlogs = Arc::new(Backlogs::new(&limits));
    let at = |host| ClientAddress::from(IpAddr::from([192, 0, 2, host]));
    let connect = |host| {
        let pipe = Arc::new(Pipe::default());
        let sink = Sink::Direct(DirectSocket {
            socket: pipe,
            codec: Codec::MsgPack,
            at_once: 100,
        });
        Outbox::new(1 << 20, sink).counting(backlogs.of(Some(at(host))))
    };
    let (crowd, other) = ((0..1_000).map(|_| connect(1)), connect(2));
    let crowd: Vec<Outbox> = crowd.collect();
    for outbox in &crowd {
        for _ in 0..3 {
            outbox.push(Priority::Reply, message(MESSAGE));
        }
    }
    let held = |outbox: &&Outbox| !outbox.is_closing();
    let held = 3 * MESSAGE * crowd.iter().filter(held).count();
    assert!(held <= 2_000_000, "{held} bytes wait");
    for _ in 0..3 {
        let delivery = other.push(Priority::Reply, message(MESSAGE));
        assert_eq!(delivery, Delivery::Queued);
    }
    assert!(!other.is_closing());
    drop(crowd);
    let again = connect(1);
    for _ in 0..3 {
        again.push(Priority::Reply, message(MESSAGE));
    }
    assert!(!again.is_closing(), "the bytes are given back");
}

#[test]
fn an_empty_outbox_takes_a_frame_larger_than_the_bound() {
    let outbox = outbox_of(1_000);
    assert_eq!(
        outbox.push(Priority::Player, message(5_000)),
        Delivery::Queued
    );
}

/// A socket that takes a limited number of bytes.
#[derive(Debug, Default)]
struct Pipe(Mutex<(usize, Vec<u8>)>);

impl Socket for Pipe {
    fn try_write(&self, bytes: &[u8]) -> std::io::Result<usize> {
        let (room, taken) = &mut *self.0.lock().unwrap();
        if *room == 0 {
            return Err(std::io::ErrorKind::WouldBlock.into());
        }
        let now = bytes.len().min(*room);
        *room -= now;
        taken.extend_from_slice(&bytes[..now]);
        Ok(now)
    }
}

impl Pipe {
    fn has_room_for(&self, bytes: usize) {
        self.0.lock().unwrap().0 = bytes;
    }

    fn taken(&self) -> Vec<u8> {
        self.0.lock().unwrap().1.clone()
    }
}

fn direct() -> (Outbox, Arc<Pipe>) {
    let pipe = Arc::new(Pipe::default());
    let sink = Sink::Direct(DirectSocket {
        socket: Arc::<Pipe>::clone(&pipe),
        codec: Codec::MsgPack,
        at_once: 100,
    });
    (Outbox::new(10_000, sink), pipe)
}

fn text(bytes: &'static [u8]) -> Outgoing {
    Outgoing::Message(Bytes::from_static(bytes))
}

#[test]
fn a_flush_writes_and_the_writer_continues_after_a_full_socket() {
    let (outbox, pipe) = direct();
    let queue = |bytes| outbox.queue(Priority::Player, text(bytes));
    pipe.has_room_for(1_000);
    queue(b"ab");
    queue(b"c");
    assert_eq!(pipe.taken(), b"", "nothing is written before the flush");
    outbox.flush();
    assert_eq!(pipe.taken(), b"\x82\x02ab\x82\x01c");
    pipe.has_room_for(3);
    queue(b"de");
    outbox.flush();
    pipe.has_room_for(1_000);
    queue(b"f");
    outbox.flush();
    assert_eq!(pipe.taken(), b"\x82\x02ab\x82\x01c\x82\x02d");
    assert_eq!(outbox.continue_direct(), Progress::Idle);
    assert_eq!(pipe.taken(), b"\x82\x02ab\x82\x01c\x82\x02de\x82\x01f");
}

/// Two messages, framed together.
fn framed() -> Arc<Framed> {
    let frame = |payload| PushFrame::new(Bytes::from_static(payload), PushSummary::Other.into());
    let frames = [b"ab".as_slice(), b"c"].map(frame);
    Arc::new(Framed::new(Codec::MsgPack, frames.to_vec()))
}

#[test]
fn framed_messages_are_written_without_a_copy_or_among_others() {
    let (outbox, pipe) = direct();
    let shared = framed();
    let queue = |outgoing| outbox.queue(Priority::Spectator, outgoing);
    pipe.has_room_for(2);
    queue(Outgoing::Framed(Arc::clone(&shared)));
    outbox.flush();
    assert_eq!(Arc::strong_count(&shared), 1, "the rest is not a copy");
    pipe.has_room_for(1_000);
    queue(text(b"d"));
    queue(Outgoing::Framed(Arc::clone(&shared)));
    queue(text(b"e"));
    assert_eq!(outbox.continue_direct(), Progress::Idle);
    let framed = *b"\x82\x02ab\x82\x01c";
    let expected = [&framed[..], b"\x82\x01d", &framed, b"\x82\x01e"].concat();
    assert_eq!(pipe.taken(), expected);
}

#[tokio::test]
async fn framed_messages_go_through_a_stream_too() {
    let outbox = Arc::new(outbox_of(10_000));
    let shared = framed();
    outbox.queue(Priority::Spectator, Outgoing::Framed(shared));
    outbox.close(CloseCode::Normal, "");
    let (near, mut far) = tokio::io::duplex(1_000);
    let bounds = WriterBounds {
        at_once: 1_000,
        stall: Duration::from_secs(9),
    };
    write_stream(FrameWriter::new(near), outbox, Codec::MsgPack, bounds).await;
    let mut written = Vec::new();
    far.read_to_end(&mut written).await.unwrap();
    assert_eq!(written, b"\x82\x02ab\x82\x01c\x88\x02\x03\xe8");
}

#[test]
fn the_close_frame_is_written_once_and_last() {
    let (outbox, pipe) = direct();
    pipe.has_room_for(5);
    outbox.push(Priority::Player, text(b"ab"));
    outbox.close(CloseCode::Normal, "");
    let blocked = outbox.continue_direct();
    assert!(matches!(blocked, Progress::Blocked(_)), "{blocked:?}");
    assert_eq!(outbox.continue_direct(), blocked);
    pipe.has_room_for(1_000);
    assert_eq!(
        outbox.continue_direct(),
        Progress::Closed(CloseCode::Normal)
    );
    assert_eq!(pipe.taken(), b"\x82\x02ab\x88\x02\x03\xe8");
}

#[test]
fn nothing_is_written_to_a_connection_that_has_ended() {
    let (outbox, pipe) = direct();
    pipe.has_room_for(1_000);
    outbox.set_gone();
    assert_eq!(outbox.push(Priority::Player, text(b"ab")), Delivery::Gone);
    outbox.close(CloseCode::Normal, "");
    assert_eq!(outbox.continue_direct(), Progress::Broken);
    assert_eq!(pipe.taken(), b"");
}
