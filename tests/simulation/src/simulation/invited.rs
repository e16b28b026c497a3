//! Twins of one invitation: the sender gets the same messages, regardless of the invited player's settings.

use std::sync::Arc;
use std::time::Duration;

use tilewire_base::clock::ServerClock;
use tilewire_base::ids::Ids;
use tilewire_gateway::connection::serve_messages;
use tilewire_people::invitations::InvitationsFrom;
use tilewire_people::relations::Act;
use tilewire_protocol::{
    Auth, ChatJoin, ChatKind, ClientMessage, CmdId, Codec, GameOptions, Invite, ServerMessage,
    Token, decode_server, encode_client,
};
use tilewire_results::chronicle::RatingCache;
use tilewire_rules::time::{Millis, Timestamp};
use tilewire_server::app::App;
use tokio_tungstenite::tungstenite::Message;

use super::disk::{Disk, Temper};
use super::line::{LineId, Lines};
use super::members::{Ask, Kind, Member, PASSWORD, perform};
use super::scenario::{Scenario, catalogue};
use super::world::parts_of;

/// When the invitation expires, ms.
const EXPIRES_MS: i64 = 5_000;
/// How long the sender listens, ms: two invitations expire meanwhile.
const LENGTH_MS: i64 = 16_000;
/// When the invited player does something while the first invitation is open, ms.
const LATER_MS: i64 = 2_000;
/// When the sender invites, and asks for a direct room, ms.
const ASKS_MS: [i64; 2] = [1_000, 8_000];
/// The time between two looks at the connections, ms.
const STEP_MS: i64 = 100;

/// The line of the sender, and that of the invited player.
const SENDER: LineId = 1;
const INVITED: LineId = 2;

/// The reaction of the invited player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Does {
    /// It hears of the invitation and does not answer.
    Nothing,
    /// It blocks the sender before.
    Blocks,
    /// It takes no invitations.
    IsUnwilling,
    /// It hears of the invitation and blocks the sender then.
    BlocksLater,
}

/// The messages to both players.
#[derive(Debug)]
pub struct InvitationMessages {
    /// The times and bytes of everything that the sender was told.
    pub sender: Vec<(i64, Vec<u8>)>,
    /// How many messages about invitations the sender was told.
    pub of_invitations: usize,
    /// Whether the invited player has heard of an invitation.
    pub is_heard: bool,
}

/// A server with two players.
struct Pair {
    app: Arc<App>,
    lines: Arc<Lines>,
    clock: ServerClock,
    handles: [&'static str; 2],
    tokens: [String; 2],
}

/// Lets a player invite another one twice.
///
/// # Panics
/// When the server cannot run.
#[must_use]
pub fn invited(does: Does) -> InvitationMessages {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime without I/O");
    runtime.block_on(async {
        let pair = Pair::start().await;
        pair.play(does).await
    })
}

impl Pair {
    async fn start() -> Self {
        let clock = ServerClock::starting_at(Timestamp(1_800_000_000_000));
        let disk = Disk::new(1, Temper::default(), None, None);
        disk.start(clock.clone());
        let ids = Ids::seeded(1);
        let mut handles = [""; 2];
        for (person, handle) in handles.iter_mut().enumerate() {
            let (identity, random) = (ids.identity_id(), ids.bytes());
            let (member, stored) = Member::new(person, Kind::Member, &identity, &random);
            disk.found(stored.expect("it is there from before"));
            *handle = member.handle();
        }
        let mut config = Scenario::of(0).config;
        config.timing.invitation_ms = Millis(EXPIRES_MS);
        config.timing.correspondence_invitation_ms = Millis(EXPIRES_MS);
        let ratings = RatingCache::filled(clock.clone(), &*disk.stores()).await;
        let ratings = Arc::new(ratings.expect("the disk can be read"));
        let parts = parts_of(config, &disk, &clock, &ids, &ratings);
        let app = App::start_with(parts, catalogue()).await;
        let mut pair = Self {
            app: app.expect("the disk can be read"),
            lines: Lines::new(disk),
            clock,
            handles,
            tokens: [String::new(), String::new()],
        };
        for person in 0..2 {
            pair.tokens[person] = pair.log_in(person).await;
        }
        pair
    }

    async fn log_in(&self, person: usize) -> String {
        let people = &self.app.connection_services().people;
        let ask = Ask::LogIn(PASSWORD.to_owned());
        let told = perform(people, person, self.handles[person], ask).await;
        let signed_in = told.expect("the password is right").expect("a session");
        signed_in.issued.token
    }

    /// The invited player asks for something.
    async fn does(&self, ask: impl FnOnce(String) -> Ask) {
        let people = &self.app.connection_services().people;
        let ask = ask(self.tokens[1].clone());
        let told = perform(people, 1, self.handles[1], ask).await;
        told.expect("nothing is in the way");
    }

    async fn blocks(&self) {
        let sender = self.handles[0];
        self.does(|by| Ask::Relate(by, Act::Block, sender)).await;
    }

    fn send(&self, line: LineId, id: u64, message: &ClientMessage) {
        let bytes = encode_client(Codec::MsgPack, id, message);
        self.lines.arrive(line, Message::Binary(bytes.into()));
    }

    fn connect(&self, line: LineId, token: &str) {
        let served = serve_messages(
            self.app.connection_services(),
            self.lines.open(line),
            Codec::MsgPack,
        );
        tokio::spawn(served);
        let auth = Auth {
            token: Some(Token(token.to_owned())),
            name: None,
            client: "simulation".to_owned(),
        };
        self.send(line, 1, &ClientMessage::Auth(auth));
    }

    /// The sender invites, and asks for a direct room.
    fn ask(&self, number: u64) {
        let invite = Invite {
            cmd_id: CmdId(format!("invite-{number}")),
            handle: self.handles[1].to_owned(),
            options: options(),
            nonce_hash: None,
            level: None,
        };
        let join = ChatJoin {
            kind: ChatKind::Direct,
            game: None,
            with: Some(self.handles[1].to_owned()),
            after: None,
        };
        let id = 10 * number;
        self.send(SENDER, id, &ClientMessage::Invite(Box::new(invite)));
        self.send(SENDER, id + 1, &ClientMessage::ChatJoin(join));
    }

    async fn play(&self, does: Does) -> InvitationMessages {
        match does {
            Does::Blocks => self.blocks().await,
            Does::IsUnwilling => {
                self.does(|by| Ask::TakeInvitations(by, InvitationsFrom::Nobody))
                    .await;
            }
            Does::Nothing | Does::BlocksLater => {}
        }
        self.connect(SENDER, &self.tokens[0]);
        self.connect(INVITED, &self.tokens[1]);
        let mut told = InvitationMessages {
            sender: Vec::new(),
            of_invitations: 0,
            is_heard: false,
        };
        let (mut now, mut asked) = (0, 0);
        while now < LENGTH_MS {
            self.listen(&mut told);
            if ASKS_MS.contains(&now) {
                asked += 1;
                self.ask(asked);
            }
            if now == LATER_MS && does == Does::BlocksLater {
                self.blocks().await;
            }
            let step = Duration::from_millis(STEP_MS.unsigned_abs());
            tokio::time::sleep(step).await;
            now += STEP_MS;
        }
        told
    }

    fn listen(&self, told: &mut InvitationMessages) {
        for said in self.lines.take_said() {
            self.lines.was_read(said.line, said.message.len());
            if let Message::Ping(payload) = &said.message {
                let pong = Message::Pong(payload.clone());
                self.lines.arrive(said.line, pong);
            }
            let is_binary = matches!(said.message, Message::Binary(_));
            let bytes = said.message.into_data().to_vec();
            let is_invitation = is_binary
                && decode_server(Codec::MsgPack, &bytes)
                    .is_ok_and(|(_, decoded)| matches!(decoded, ServerMessage::Invitation(_)));
            if said.line == SENDER {
                told.of_invitations += usize::from(is_invitation);
                told.sender.push((self.clock.now().0, bytes));
            } else {
                told.is_heard |= is_invitation;
            }
        }
    }
}

/// The options of some game of two that is not rated.
fn options() -> GameOptions {
    let tables = (0..).flat_map(|seed| Scenario::of(seed).tables);
    let mut options = tables.map(|plan| plan.options);
    let found = options.find(|options| options.seats == 2 && !options.rated);
    found.expect("most games are like this")
}
