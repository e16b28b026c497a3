//! The number of instructions to encode an event for an audience, a snapshot, and a batch of frames.

#![allow(missing_docs, unused_qualifications, reason = "the macros make items")]
#![allow(clippy::unwrap_used, reason = "a benchmark may fail")]

#[path = "../../rules/benches/played/mod.rs"]
mod played;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use gungraun::prelude::*;
use tilewire_delivery::outbound::{
    FrameWriter, Outbox, Priority, Sink, WriterBounds, write_stream,
};
use tilewire_protocol::{CloseCode, Codec, ServerMessage, encode_server};
use tilewire_rules::event::Record;
use tilewire_rules::game::Game;
use tilewire_rules::time::{Seat, Timestamp};
use tilewire_rules::view::Audience;
use tilewire_wire::snapshot::{Now, snapshot};
use tilewire_wire::to_wire::{Aftermath, GameFacts, Privacy, event};
use tokio::runtime::{Builder, Runtime};

/// Frames of a batch, and bytes of each.
const BATCH: (usize, usize) = (20, 200);

const PLAYER: Audience = Audience::Seat(Seat(0));

struct Scene {
    facts: GameFacts,
    game: Game,
    /// The last record of the game.
    last: Record,
    audience: Audience,
    codec: Codec,
}

/// The game right after the play in its middle, or some events later.
fn scene(later: usize, audience: Audience, codec: Codec) -> Scene {
    let records = played::records();
    let (at, _) = played::middle(&records);
    let last = at + later;
    let facts = GameFacts {
        game: "g-1".into(),
        epoch: 1,
        privacy: Privacy::Public,
    };
    Scene {
        facts,
        game: played::game(&records[..=last]),
        last: records[last].clone(),
        audience,
        codec,
    }
}

#[library_benchmark(setup = scene)]
#[bench::play_to_spectator_msgpack(0, Audience::Spectator, Codec::MsgPack)]
#[bench::play_to_spectator_json(0, Audience::Spectator, Codec::Json)]
#[bench::draw_to_player_msgpack(1, PLAYER, Codec::MsgPack)]
fn tell(scene: Scene) -> (Scene, Vec<u8>) {
    let state = scene.game.state();
    let last = black_box(&scene.last);
    let aftermath = Aftermath::of(state, last);
    let told = event(
        &scene.facts,
        state.rules(),
        last,
        &aftermath,
        scene.audience,
    );
    let frame = encode_server(scene.codec, 0, &ServerMessage::Event(told));
    (scene, frame)
}

#[library_benchmark(setup = scene)]
#[bench::to_player_msgpack(0, PLAYER, Codec::MsgPack)]
#[bench::to_spectator_json(0, Audience::Spectator, Codec::Json)]
fn show(scene: Scene) -> (Scene, Vec<u8>) {
    let state = black_box(scene.game.state());
    let now = Now {
        waiting: None,
        connected: &[true, false],
        at: Timestamp(0),
    };
    let shown = snapshot(&scene.facts, state, scene.audience, now);
    let frame = encode_server(scene.codec, 0, &ServerMessage::Snapshot(Box::new(shown)));
    (scene, frame)
}

/// A full outbox of a connection that ends when all is written.
fn outbox() -> (Runtime, Arc<Outbox>) {
    let (count, len) = BATCH;
    let outbox = Outbox::new(1 << 20, Sink::Stream);
    let frame = Bytes::from(vec![b'x'; len]);
    for _ in 0..count {
        outbox.queue(Priority::Player, frame.clone().into());
    }
    outbox.close(CloseCode::Normal, "");
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    (runtime, Arc::new(outbox))
}

#[library_benchmark(setup = outbox)]
#[bench::batch_of_20_msgpack()]
fn write((runtime, outbox): (Runtime, Arc<Outbox>)) -> (Runtime, Option<CloseCode>) {
    let bounds = WriterBounds {
        at_once: 65_536,
        stall: Duration::from_secs(10),
    };
    let sink = FrameWriter::new(tokio::io::sink());
    let closed = runtime.block_on(write_stream(
        sink,
        black_box(outbox),
        Codec::MsgPack,
        bounds,
    ));
    (runtime, closed)
}

library_benchmark_group!(name = server, benchmarks = [tell, show, write]);
main!(library_benchmark_groups = server);
