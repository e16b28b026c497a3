//! Outboxes with sockets that take as much as a test wants.

use std::sync::Arc;
use std::time::Duration;

use tilewire_protocol::Codec;
use tokio::io::AsyncReadExt;

use super::super::direct::Socket;
use super::super::{FrameWriter, WriterBounds, write_all};
use super::*;

fn message(len: usize) -> Outgoing {
    Outgoing::Message(Bytes::from(vec![0; len]))
}

#[tokio::test]
async fn frames_come_out_in_order_and_then_the_end() {
    let outbox = Outbox::new(10_000);
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
async fn a_slow_spectator_is_spared_and_a_slow_player_cut_off() {
    let outbox = Outbox::new(1_000);
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
        panic!("what piled up is not written any more");
    };
    assert_eq!(end.code, CloseCode::TooSlow);
}

#[test]
fn a_frame_larger_than_the_bound_is_taken_when_nothing_waits() {
    let outbox = Outbox::new(1_000);
    assert_eq!(
        outbox.push(Priority::Player, message(5_000)),
        Delivery::Queued
    );
}

/// A socket that takes so many bytes and no more.
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
    let (outbox, pipe) = (Outbox::new(10_000), Arc::new(Pipe::default()));
    outbox.write_to(Direct {
        socket: Arc::<Pipe>::clone(&pipe),
        codec: Codec::MsgPack,
        at_once: 100,
    });
    (outbox, pipe)
}

fn text(bytes: &'static [u8]) -> Outgoing {
    Outgoing::Message(Bytes::from_static(bytes))
}

#[test]
fn who_flushes_writes_and_the_writer_goes_on_where_the_socket_was_full() {
    let (outbox, pipe) = direct();
    let queue = |bytes| outbox.queue(Priority::Player, text(bytes));
    pipe.has_room_for(1_000);
    queue(b"ab");
    queue(b"c");
    assert_eq!(pipe.taken(), b"", "nothing before it is flushed");
    outbox.flush();
    assert_eq!(pipe.taken(), b"\x82\x02ab\x82\x01c");
    pipe.has_room_for(3);
    queue(b"de");
    outbox.flush();
    pipe.has_room_for(1_000);
    queue(b"f");
    outbox.flush();
    assert_eq!(pipe.taken(), b"\x82\x02ab\x82\x01c\x82\x02d");
    assert_eq!(outbox.write_on(), Progress::Idle);
    assert_eq!(pipe.taken(), b"\x82\x02ab\x82\x01c\x82\x02de\x82\x01f");
}

#[test]
fn a_group_is_written_from_where_it_is_alone_or_among_others() {
    let (outbox, pipe) = direct();
    let messages = [b"ab".as_slice(), b"c"].map(Bytes::from_static);
    let group = Arc::new(Group::new(Codec::MsgPack, messages.to_vec()));
    let queue = |outgoing| outbox.queue(Priority::Spectator, outgoing);
    pipe.has_room_for(2);
    queue(Outgoing::Group(Arc::clone(&group)));
    outbox.flush();
    assert_eq!(Arc::strong_count(&group), 1, "what is left has no copy");
    pipe.has_room_for(1_000);
    queue(text(b"d"));
    queue(Outgoing::Group(Arc::clone(&group)));
    queue(text(b"e"));
    assert_eq!(outbox.write_on(), Progress::Idle);
    let framed = *b"\x82\x02ab\x82\x01c";
    let expected = [&framed[..], b"\x82\x01d", &framed, b"\x82\x01e"].concat();
    assert_eq!(pipe.taken(), expected);
}

#[tokio::test]
async fn a_group_goes_through_what_frames_by_itself_too() {
    let outbox = Arc::new(Outbox::new(10_000));
    let messages = [b"ab".as_slice(), b"c"].map(Bytes::from_static);
    let group = Arc::new(Group::new(Codec::MsgPack, messages.to_vec()));
    outbox.queue(Priority::Spectator, Outgoing::Group(group));
    outbox.close(CloseCode::Normal, "");
    let (near, mut far) = tokio::io::duplex(1_000);
    let bounds = WriterBounds {
        at_once: 1_000,
        stall: Duration::from_secs(9),
    };
    write_all(FrameWriter::new(near), outbox, Codec::MsgPack, bounds).await;
    let mut written = Vec::new();
    far.read_to_end(&mut written).await.unwrap();
    assert_eq!(written, b"\x82\x02ab\x82\x01c\x88\x02\x03\xe8");
}

#[test]
fn goodbye_is_said_once_after_everything_else() {
    let (outbox, pipe) = direct();
    pipe.has_room_for(5);
    outbox.push(Priority::Player, text(b"ab"));
    outbox.close(CloseCode::Normal, "");
    let blocked = outbox.write_on();
    assert!(matches!(blocked, Progress::Blocked(_)), "{blocked:?}");
    assert_eq!(outbox.write_on(), blocked);
    pipe.has_room_for(1_000);
    assert_eq!(outbox.write_on(), Progress::Closed(CloseCode::Normal));
    assert_eq!(pipe.taken(), b"\x82\x02ab\x88\x02\x03\xe8");
}

#[test]
fn what_is_gone_is_not_written_to() {
    let (outbox, pipe) = direct();
    pipe.has_room_for(1_000);
    outbox.set_gone();
    assert_eq!(outbox.push(Priority::Player, text(b"ab")), Delivery::Gone);
    outbox.close(CloseCode::Normal, "");
    assert_eq!(outbox.write_on(), Progress::Broken);
    assert_eq!(pipe.taken(), b"");
}
