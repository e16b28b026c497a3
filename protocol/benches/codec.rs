//! How long common messages take to encode and to decode, in both encodings.
//!
//! The messages are the golden ones, which have every field there is. Bytes are those of the frame.

#![allow(clippy::unwrap_used, reason = "a benchmark may fail")]

mod golden;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use tilewire_protocol::{Codec, decode_client, decode_server, encode_client, encode_server};

/// Golden messages of clients.
const REQUESTS: &[&str] = &["client_pass", "client_play", "client_seek"];

/// Golden messages of servers.
const PUSHES: &[&str] = &[
    "server_ok_command",
    "event_turn_started",
    "event_play_made",
    "event_created",
    "server_snapshot_player",
];

fn main() {
    divan::main();
}

fn decode_request_as(bencher: Bencher<'_, '_>, name: &str, codec: Codec) {
    let frame = golden::frame(codec, name);
    bencher
        .counter(BytesCount::new(frame.len()))
        .bench_local(|| decode_client(codec, black_box(&frame)).unwrap());
}

fn encode_push_as(bencher: Bencher<'_, '_>, name: &str, codec: Codec) {
    let frame = golden::frame(codec, name);
    let (id, message) = decode_server(codec, &frame).unwrap();
    bencher
        .counter(BytesCount::new(frame.len()))
        .bench_local(|| encode_server(codec, id, black_box(&message)));
}

fn decode_push_as(bencher: Bencher<'_, '_>, name: &str, codec: Codec) {
    let frame = golden::frame(codec, name);
    bencher
        .counter(BytesCount::new(frame.len()))
        .bench_local(|| decode_server(codec, black_box(&frame)).unwrap());
}

#[divan::bench(args = REQUESTS)]
fn decode_request_msgpack(bencher: Bencher<'_, '_>, name: &str) {
    decode_request_as(bencher, name, Codec::MsgPack);
}

#[divan::bench(args = REQUESTS)]
fn decode_request_json(bencher: Bencher<'_, '_>, name: &str) {
    decode_request_as(bencher, name, Codec::Json);
}

#[divan::bench(args = PUSHES)]
fn encode_push_msgpack(bencher: Bencher<'_, '_>, name: &str) {
    encode_push_as(bencher, name, Codec::MsgPack);
}

#[divan::bench(args = PUSHES)]
fn encode_push_json(bencher: Bencher<'_, '_>, name: &str) {
    encode_push_as(bencher, name, Codec::Json);
}

#[divan::bench(args = PUSHES)]
fn decode_push_msgpack(bencher: Bencher<'_, '_>, name: &str) {
    decode_push_as(bencher, name, Codec::MsgPack);
}

#[divan::bench(args = PUSHES)]
fn decode_push_json(bencher: Bencher<'_, '_>, name: &str) {
    decode_push_as(bencher, name, Codec::Json);
}

/// The work of a client for every command.
#[divan::bench(args = REQUESTS)]
fn encode_request_msgpack(bencher: Bencher<'_, '_>, name: &str) {
    let frame = golden::frame(Codec::MsgPack, name);
    let (id, message) = decode_client(Codec::MsgPack, &frame).unwrap();
    bencher
        .counter(BytesCount::new(frame.len()))
        .bench_local(|| encode_client(Codec::MsgPack, id, black_box(&message)));
}
