//! Tests of channels: their bounds, and whole games that are played through three relays over the bus in memory. The games are the
//! real ones, with a directory, actors and a storage.

mod nodes;

use bytes::Bytes;
use tilewire_protocol::{GameRef, Lag};

use super::*;
use crate::message::Channel;
use nodes::{Scene, event_number};
use tilewire_delivery::outbound::{Framed, PushFrame, PushSummary};
use tilewire_store::NodeId;

const MAX_BYTES: usize = 2_000;

fn end() -> (ChannelEnd, Arc<Waiting>) {
    let waiting = Arc::<Waiting>::default();
    (end_of(1, 7, Codec::Json, &waiting), waiting)
}

/// Returns the end of a channel of a connection.
fn end_of(gateway: i32, connection: u64, codec: Codec, waiting: &Arc<Waiting>) -> ChannelEnd {
    let channel = Channel {
        connection,
        generation: 1,
    };
    let gateway = NodeId(gateway);
    ChannelEnd::new(
        Key { gateway, channel },
        codec,
        Arc::clone(waiting),
        MAX_BYTES,
    )
}

fn push(bytes: usize) -> Pushes {
    frame(vec![b'x'; bytes]).into()
}

/// Returns a frame with this payload.
fn frame(payload: impl Into<Bytes>) -> PushFrame {
    PushFrame::new(payload.into(), PushSummary::Other.into())
}

#[test]
fn an_answer_has_the_id_of_the_client() {
    let (end, waiting) = end();
    end.open(5, 99);
    let lag = ServerMessage::Lag(Lag { lag_ms: 3 });
    assert_eq!(end.answer(5, &lag), Delivery::Queued);
    assert_eq!(end.answer(5, &lag), Delivery::Queued, "it is answered");
    let frame = Frame {
        summary: FrameSummary::Answer(5, Outcome::Done),
        message: Payload(encode_server(Codec::Json, 99, &lag).into()),
    };
    assert_eq!(waiting.take(), [Output::Frames(end.key, vec![frame])]);
    end.end();
    assert_eq!(end.answer(5, &lag), Delivery::Gone);
}

#[test]
fn a_request_that_is_handed_back_gets_no_answer() {
    let (end, waiting) = end();
    end.open(5, 99);
    let game = GameId("g".to_owned());
    end.hand_back(5);
    end.hand_back(5);
    end.let_go(&game);
    let lag = ServerMessage::Lag(Lag { lag_ms: 3 });
    assert_eq!(end.answer(5, &lag), Delivery::Queued);
    let said = [Output::HandBack(end.key, 5), Output::LetGo(end.key, game)];
    assert_eq!(waiting.take(), said);
}

#[test]
fn a_request_that_cannot_be_read_is_said_to_be_so() {
    let (end, waiting) = end();
    end.cannot_read(5);
    assert_eq!(waiting.take(), [Output::Unreadable(end.key, 5)]);
}

#[test]
fn pushes_say_what_they_tell() {
    let (end, waiting) = end();
    let game = GameId("g".to_owned());
    let paused = ServerMessage::Paused(GameRef { game: game.clone() });
    let push = PushFrame::encode(Codec::Json, &paused);
    for _ in 0..2 {
        end.push(Priority::Player, push.clone().into());
    }
    let frame = Frame {
        summary: FrameSummary::Paused(game),
        message: Payload(push.into_payload()),
    };
    let together = Output::Frames(end.key, vec![frame.clone(), frame]);
    assert_eq!(waiting.take(), [together]);
}

/// Frames for many spectators travel once to each gateway, and overtake nothing that a channel said before.
#[test]
fn the_same_frames_for_many_channels_come_once() {
    let waiting = Arc::<Waiting>::default();
    let end = |gateway, connection| end_of(gateway, connection, Codec::Json, &waiting);
    let ends: Vec<ChannelEnd> = (0..4).map(|id| end(1, id)).collect();
    let other_gateway = end(2, 0);
    let framed = |text: &'static str| {
        let framed = Framed::new(Codec::Json, vec![frame(text)]);
        Pushes::Framed(framed.into())
    };
    let (first, second) = (framed("first"), framed("second"));
    let say = |end: &ChannelEnd, pushes: &Pushes| {
        assert_eq!(
            end.push(Priority::Spectator, pushes.clone()),
            Delivery::Queued,
            "there is room"
        );
    };
    ends[..3].iter().for_each(|end| say(end, &first));
    say(&other_gateway, &first);
    // The second one is before the first on this channel.
    say(&ends[3], &second);
    say(&ends[3], &first);
    ends[..2].iter().for_each(|end| say(end, &second));
    let text = |frames: &[Frame]| -> String {
        let texts = frames.iter().map(|frame| frame.message.0.to_vec());
        texts
            .map(|text| String::from_utf8(text).unwrap())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let said = waiting.take().into_iter().map(|said| match said {
        Output::Frames(key, frames) => (key.gateway.0, vec![key.channel.connection], text(&frames)),
        Output::Shared(gateway, channels, frames) => {
            let connections = channels.iter().map(|channel| channel.connection);
            (gateway.0, connections.collect(), text(&frames))
        }
        other => panic!("{other:?}"),
    });
    let expected = [
        (1, vec![0, 1, 2], "first"),
        (2, vec![0], "first"),
        (1, vec![3, 0, 1], "second"),
        (1, vec![3], "first"),
    ];
    let expected = expected.map(|(gateway, of, text)| (gateway, of, text.to_owned()));
    assert_eq!(said.collect::<Vec<_>>(), expected);
}

#[test]
fn a_gateway_that_takes_nothing_ends_the_channel_or_misses_messages() {
    let (end, waiting) = end();
    let outcomes = [
        (Priority::Spectator, 900, Delivery::Queued),
        (Priority::Spectator, 200, Delivery::Lagging),
        (Priority::Player, 1_000, Delivery::Queued),
        (Priority::Player, 101, Delivery::Overflowed),
        (Priority::Player, 1, Delivery::Gone),
    ];
    for (priority, bytes, expected) in outcomes {
        assert_eq!(end.push(priority, push(bytes)), expected, "{bytes} bytes");
    }
    let said = waiting.take();
    assert!(matches!(
        &said[..],
        [Output::Frames(_, frames), Output::Close(_, CloseCode::TooSlow, _)] if frames.len() == 2
    ));
    // After the gateway has taken everything there is room.
    let (end, waiting) = self::end();
    for _ in 0..9 {
        assert_eq!(end.push(Priority::Player, push(1_900)), Delivery::Queued);
        assert_eq!(waiting.take().len(), 1);
    }
}

#[test]
fn a_message_beyond_a_batch_ends_the_connection() {
    let (end, waiting) = end();
    let long = push(PAYLOAD_MAX_BYTES + 1);
    assert_eq!(end.push(Priority::Player, long), Delivery::Gone);
    assert!(matches!(
        waiting.take()[..],
        [Output::Close(_, CloseCode::GoingAway, _)]
    ));
}

/// Two players on one node play a whole game on another one.
#[tokio::test]
async fn a_game_is_played_on_another_node() {
    let mut scene = Scene::new().await;
    scene.play(|_, _| false).await;
    scene.check_ended();
}

#[tokio::test]
async fn a_game_goes_on_over_lost_batches() {
    let mut scene = Scene::new().await;
    let mut lost = 0;
    scene
        .play(|bus, message| {
            // Every fifth event costs the next batch in one of the directions.
            if event_number(message).is_some_and(|seq| seq % 5 == 0) {
                let ways = [(1, 2), (2, 1)];
                let (from, to) = ways[lost % 2];
                bus.lose(NodeId(from), NodeId(to), 1);
                lost += 1;
            }
            false
        })
        .await;
    assert!(lost > 2, "batches were lost");
    scene.check_ended();
}

#[tokio::test]
async fn a_game_goes_on_at_its_next_owner() {
    let mut scene = Scene::new().await;
    let mut has_moved = false;
    scene
        .play(|_, message| {
            let is_late = event_number(message).is_some_and(|seq| seq > 12);
            is_late && !mem::replace(&mut has_moved, true)
        })
        .await;
    assert!(has_moved, "the game has moved");
    scene.check_ended();
}
