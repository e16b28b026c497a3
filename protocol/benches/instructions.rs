//! The number of instructions to decode a player's command and to encode messages to players.
//!
//! The messages are the golden examples, which have every field.

#![allow(missing_docs, unused_qualifications, reason = "the macros make items")]
#![allow(clippy::unwrap_used, reason = "a benchmark may fail")]

mod golden;

use std::hint::black_box;

use gungraun::prelude::*;
use tilewire_protocol::{
    ClientMessage, Codec, ServerMessage, decode_client, decode_server, encode_server,
};

fn frame(codec: Codec, name: &str) -> (Codec, Vec<u8>) {
    (codec, golden::frame(codec, name))
}

fn message(codec: Codec, name: &str) -> (Codec, ServerMessage) {
    let frame = golden::frame(codec, name);
    (codec, decode_server(codec, &frame).unwrap().1)
}

#[library_benchmark(setup = frame)]
#[bench::play_msgpack(Codec::MsgPack, "client_play")]
#[bench::play_json(Codec::Json, "client_play")]
fn decode((codec, frame): (Codec, Vec<u8>)) -> (u64, ClientMessage) {
    decode_client(codec, black_box(&frame)).unwrap()
}

#[library_benchmark(setup = message)]
#[bench::ok_msgpack(Codec::MsgPack, "server_ok_command")]
#[bench::play_made_msgpack(Codec::MsgPack, "event_play_made")]
#[bench::play_made_json(Codec::Json, "event_play_made")]
fn encode((codec, message): (Codec, ServerMessage)) -> Vec<u8> {
    encode_server(codec, 7, black_box(&message))
}

library_benchmark_group!(name = codec, benchmarks = [decode, encode]);
main!(library_benchmark_groups = codec);
