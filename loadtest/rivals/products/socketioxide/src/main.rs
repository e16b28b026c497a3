//! Rooms of two seats that take turns. The server checks and stores each move and sends it to all members of the room.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use socketioxide::SocketIo;
use socketioxide::extract::{Data, SocketRef, TryData};

const SQUARES: usize = 225;
const MOVES_MAX: usize = 40;

#[derive(Debug, Clone, Copy, Deserialize)]
struct Entry {
    room: u32,
    seat: Option<u8>,
}

/// Moves of the room before this one, the square, the letter on it.
type Move = (u64, usize, u8);

#[derive(Debug)]
struct Room {
    board: [u8; SQUARES],
    moves: Vec<(u8, usize, u8)>,
    count: u64,
}

impl Room {
    const fn new() -> Self {
        Self {
            board: [0; SQUARES],
            moves: Vec::new(),
            count: 0,
        }
    }

    /// Judges a move and keeps it; says whether it is legal.
    fn play(&mut self, seat: Option<u8>, number: u64, square: usize, letter: u8) -> bool {
        if self.moves.len() == MOVES_MAX {
            self.board.fill(0);
            self.moves.clear();
        }
        let is_legal = number == self.count
            && seat.map(u64::from) == Some(number % 2)
            && self.board.get(square) == Some(&0)
            && (1..=26).contains(&letter);
        if let (true, Some(seat)) = (is_legal, seat) {
            self.board[square] = letter;
            self.moves.push((seat, square, letter));
            self.count += 1;
        }
        is_legal
    }
}

type Rooms = Arc<Mutex<HashMap<u32, Arc<Mutex<Room>>>>>;

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn enter(socket: SocketRef, TryData(entry): TryData<Entry>, rooms: Rooms) {
    let Ok(entry) = entry else {
        drop(socket.disconnect());
        return;
    };
    let name = entry.room.to_string();
    let room = Arc::clone(
        lock(&rooms)
            .entry(entry.room)
            .or_insert_with(|| Arc::new(Mutex::new(Room::new()))),
    );
    socket.join(name.clone());
    socket.on(
        "play",
        async move |socket: SocketRef, Data(((number, square, letter),)): Data<(Move,)>| {
            if lock(&room).play(entry.seat, number, square, letter) {
                let played = (number, entry.seat.unwrap_or(0), square, letter);
                drop(socket.within(name.clone()).emit("played", &(played,)).await);
            } else {
                drop(socket.emit("refused", &((number,),)));
            }
        },
    );
    drop(socket.emit("joined", &((entry.room,),)));
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port: u16 = std::env::args().nth(1).ok_or("start PORT")?.parse()?;
    let rooms = Rooms::default();
    let (layer, io) = SocketIo::new_layer();
    io.ns("/", move |socket: SocketRef, entry: TryData<Entry>| {
        enter(socket, entry, Arc::clone(&rooms))
    });
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    axum::serve(listener, axum::Router::new().layer(layer)).await?;
    Ok(())
}
