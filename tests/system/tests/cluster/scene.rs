//! A game whose players and spectator are connected to other servers than that of the game.

use std::thread;
use std::time::Duration;

use tilewire_harness::PATIENCE;
use tilewire_harness::history::check_history;
use tilewire_harness::matches::{Match, Person, Seen};
use tilewire_oracle::history::Comparison;
use tilewire_store::Part;
use tilewire_system::cluster::{Cluster, Plan};

use crate::{NOTHING_SEEN, TAKEOVER_MS, clock, credits, until_credited};

/// Most games that are begun until one of them belongs to a certain server of three.
const DRAWS: usize = 60;

/// Three servers, and a game.
pub(crate) struct Scene {
    pub(crate) cluster: Cluster,
    pub(crate) game: Match,
    /// The server of the game.
    pub(crate) owner: usize,
    /// The server of a player and the spectator.
    pub(crate) gateway: usize,
    /// The server with the lobby, and of the other player.
    pub(crate) lobby: usize,
    pub(crate) part: Part,
    seen: Seen,
}

impl Scene {
    /// Starts three servers as planned, and a game of some turns. `None`, with a message, if a service is not installed.
    pub(crate) fn begin(plan: Plan) -> Option<Self> {
        let mut cluster = Cluster::of(Plan {
            count: 3,
            relays: true,
            ..plan
        })?;
        // A client of the lobby connects again when the lobby moves, so the game is elsewhere.
        let all = [0, 1, 2];
        let lobby = cluster.owner(Part::LOBBY);
        let [other, owner] = [1, 2].map(|place| (lobby + place) % 3);
        assert!(cluster.servers[owner].stop(), "it ends well");
        cluster.until_at_home(&[lobby, other]);
        let servers = [lobby, other, other].map(|place| &cluster.servers[place]);
        let mut games = (0..DRAWS).map(|_| Match::start_at(&servers, &["--clock", "sudden:25m"]));
        let belongs = |game: &Match| Cluster::home(Cluster::part_of(&game.game), &all) == owner;
        let mut game = games.find(belongs).expect("one in three does");
        drop(games);
        let part = Cluster::part_of(&game.game);
        cluster.servers[owner].start_again();
        cluster.until_at_home(&all);
        let mut seen = NOTHING_SEEN;
        for _ in 0..3 {
            game.turn(&mut seen);
        }
        game.accept_all();
        Some(Self {
            cluster,
            game,
            owner,
            gateway: other,
            lobby,
            part,
            seen,
        })
    }

    /// Plays some turns.
    pub(crate) fn turns(&mut self, count: usize) {
        for _ in 0..count {
            self.game.turn(&mut self.seen);
        }
        self.game.accept_all();
    }

    /// Plays a turn that has to wait until something has `happened`, which is said with the time that this took. The players get the
    /// time back, and each client has seen pauses, and the end of each, on one connection.
    pub(crate) fn turn_through(&mut self, happens: impl FnOnce(&mut Cluster)) {
        let (before, credits) = (self.game.interruptions(), credits(&self.game));
        let (cluster, since) = (&mut self.cluster, clock());
        self.game.turn_while(|_| happens(cluster));
        until_credited(&mut self.game, credits + 1);
        let took = since.elapsed().as_millis();
        assert!(took < TAKEOVER_MS, "the game goes on after {took} ms");
        self.until_resumed();
        for ([_, before, _], [connections, paused, _]) in
            before.iter().zip(self.game.interruptions())
        {
            assert_eq!(connections, 1, "nobody has connected again");
            assert!(paused > *before, "everybody sees the pause");
        }
    }

    /// Waits until each client has seen the end of every pause.
    pub(crate) fn until_resumed(&self) {
        let people = &self.game.people;
        until("everybody sees that the pause is over", || {
            let mut all = people.iter().map(Person::interruptions);
            all.all(|[_, paused, unpaused]| paused == unpaused)
        });
    }

    /// Ends the game, and compares all that its clients saw with what is stored.
    pub(crate) fn finish(mut self) -> Comparison {
        self.turns(2);
        let seat = self.game.on_turn().expect("somebody is on turn");
        self.game.act(seat, "resign");
        for person in &mut self.game.people {
            while !person.fold.is_over() {
                person.pump();
            }
        }
        let server = &self.cluster.servers[self.cluster.owner(self.part)];
        let sound = server.operate(&["check"], "").expect("everything is sound");
        assert!(sound.contains("1 finished games"), "{sound}");
        let compared = check_history(&self.game, server);
        self.game.check();
        compared
    }
}

/// Runs cases side by side: they mostly wait.
pub(crate) fn side_by_side(cases: &[&(dyn Fn() + Sync)]) {
    thread::scope(|scope| {
        for case in cases {
            scope.spawn(case);
        }
    });
}

/// Looks again and again until so much time has passed.
pub(crate) fn watch(time: Duration, mut look: impl FnMut()) {
    let since = clock();
    while since.elapsed() < time {
        look();
    }
}

/// Waits until something is so.
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let since = clock();
    while !is_so() {
        assert!(since.elapsed() < PATIENCE, "never: {what}");
    }
}
