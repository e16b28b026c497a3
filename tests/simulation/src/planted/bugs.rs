//! The planted bugs: the place and the effect of each.

/// An edit of the product's sources that breaks one promise.
#[derive(Debug, Clone, Copy)]
pub struct Bug {
    /// The name that switches it on.
    pub name: &'static str,
    /// The fault while the bug is on.
    pub breaks: &'static str,
    /// Code that occurs in one place of the product; white space does not matter.
    pub find: &'static str,
    /// The replacement. `FOUND` stands for the original code, `BUG` for the condition that the bug is active.
    pub put: &'static str,
}

/// All planted bugs.
pub const BUGS: &[Bug] = &[
    Bug {
        name: "CommandsForgotten",
        breaks: "A command that took effect is carried out again when it is sent again.",
        find: "let mut recent = self.seats.get(seat.index())?.recent.iter().rev();",
        put: "if BUG { return None; } FOUND",
    },
    Bug {
        name: "DoubleDraw",
        breaks: "A retry of an accepted command draws a tile.",
        find: "CommandStatus::Accepted(seq) => return self.answer(&command, Ok(seq)),",
        put: "CommandStatus::Accepted(seq) => { if BUG { self.step.draw(command.seat, 1); } return self.answer(&command, Ok(seq)); }",
    },
    Bug {
        name: "WindowOffByOne",
        breaks: "A challenge window closes a millisecond late.",
        find: "Some((window.closes_at?, Timer::Window))",
        put: "Some((window.closes_at?.plus(i64::from(BUG)), Timer::Window))",
    },
    Bug {
        name: "StaleTurnTaken",
        breaks: "A command meant for another turn is carried out.",
        find: "if turn.no != turn_no {",
        put: "if turn.no != turn_no && !BUG {",
    },
    Bug {
        name: "FlagForgotten",
        breaks: "A flag never falls.",
        find: "let (seat, at) = state.clocks().flag_at(kind)?;",
        put: "if BUG { return None; } FOUND",
    },
    Bug {
        name: "HoldWithoutEnd",
        breaks: "A hold lasts for ever.",
        find: "return Some((hold.until, Timer::HoldLimit));",
        put: "return (!BUG).then_some((hold.until, Timer::HoldLimit));",
    },
    Bug {
        name: "OutageCharged",
        breaks: "An outage is recorded, but the clock is charged with it.",
        find: "self.stop_clock_at(stopped_at);",
        put: "self.clocks.stop(if BUG { now } else { stopped_at }, 0);",
    },
    Bug {
        name: "TilesShown",
        breaks: "Everybody sees the tiles of a draw.",
        find: "tiles: audience.sees(*seat).then_some(tiles), bag: *bag,",
        put: "tiles: (audience.sees(*seat) || BUG).then_some(tiles), bag: *bag,",
    },
    Bug {
        name: "RacksShown",
        breaks: "Snapshots show every rack.",
        find: "rack: audience.sees(seat).then(|| self.tiles.rack(seat)),",
        put: "rack: (audience.sees(seat) || BUG).then(|| self.tiles.rack(seat)),",
    },
    Bug {
        name: "PastRacksShown",
        breaks: "The turns of a snapshot show every rack before its turn.",
        find: "let is_shown = audience.sees(*seat) || self.phase == Phase::Ended;",
        put: "let is_shown = audience.sees(*seat) || self.phase == Phase::Ended || BUG;",
    },
    Bug {
        name: "CommentaryForAll",
        breaks: "Spectators of every delayed game see the racks.",
        find: "Some(view) if view.racks => Audience::Commentary,",
        put: "Some(view) if view.racks || BUG => Audience::Commentary,",
    },
    Bug {
        name: "AnsweredBeforeStored",
        breaks: "A command is answered before its events are stored.",
        find: "let Transition { records, next, answers, } = transition;",
        put: "let Transition { records, next, mut answers } = transition; if BUG { self.answer(&std::mem::take(&mut answers), asked.clone(), out); }",
    },
    Bug {
        name: "WrongFence",
        breaks: "An append names the record before the last one as the last.",
        find: "after: self.game.state().seq().0, records: records.into(),",
        put: "after: self.game.state().seq().0 - u64::from(BUG), records: records.into(),",
    },
    Bug {
        name: "DeadlineForgotten",
        breaks: "A room does not wake up for the deadlines of its game.",
        find: "[ self.fires_at(), self.next_vanishing(),",
        put: "[self.fires_at().filter(|_| !BUG), self.next_vanishing(),",
    },
    Bug {
        name: "ResumeSkipsOne",
        breaks: "A client that resumes misses the first event it should get.",
        find: "Some(self.from(seq))",
        put: "{ let seq = seq + u64::from(BUG); (seq <= self.head).then(|| self.from(seq)) }",
    },
    Bug {
        name: "AnswerLost",
        breaks: "Commands whose append is in doubt are never answered.",
        find: "for request in self.open.drain(..).rev() {",
        put: "if BUG { self.open.clear(); } FOUND",
    },
    Bug {
        name: "DoubtForgotten",
        breaks: "Decisions that were in doubt and not stored are not made again.",
        find: "if records.last().map(|record| record.seq) >= first {",
        put: "if BUG || records.last().map(|record| record.seq) >= first {",
    },
    Bug {
        name: "StaysPaused",
        breaks: "Clients are not told that a paused game goes on.",
        find: "let unpaused = ServerMessage::Unpaused(self.game_ref());",
        put: "if BUG { return; } FOUND",
    },
    Bug {
        name: "WaitingUntold",
        breaks: "Clients are not told that a turn waits.",
        find: "if waiting == self.told_waiting {",
        put: "if BUG || waiting == self.told_waiting {",
    },
    Bug {
        name: "HubKeepsGap",
        breaks: "A hub resumes across events it does not have.",
        find: "if is_gap {",
        put: "if is_gap && !BUG {",
    },
    Bug {
        name: "PromiseForgotten",
        breaks: "A retry of a lobby command is answered though the game was not created.",
        find: "let half = self.lobby.seeks()",
        put: "if BUG { return Ok(()); } FOUND",
    },
    Bug {
        name: "UnreadForgotten",
        breaks: "A game that could not be read at the start is never loaded.",
        find: "for game in &self.unread {",
        put: "if BUG { return; } FOUND",
    },
    Bug {
        name: "LobbyDoubtForgotten",
        breaks: "A change of the lobby that failed is taken for not stored.",
        find: "if !self.is_outcome_unknown {",
        put: "if !self.is_outcome_unknown || BUG {",
    },
    Bug {
        name: "DelayForgotten",
        breaks: "Spectators of a delayed game see everything at once.",
        find: "if self.held.back().is_some_and(is_end) {",
        put: "if self.held.back().is_some_and(is_end) || BUG {",
    },
    Bug {
        name: "LiveLine",
        breaks: "The lists show the current state of a delayed game.",
        find: "Some(delayed) => delayed.summary(&self.parts.facts, watching),",
        put: "Some(delayed) if !BUG => delayed.summary(&self.parts.facts, watching), Some(_) => self.live_summary(),",
    },
    Bug {
        name: "CreditsForgotten",
        breaks: "The server records that it runs while games still lack the credit for the last outage.",
        find: "self.shared.owing.load(Ordering::SeqCst) > 0",
        put: "!BUG && FOUND",
    },
    Bug {
        name: "SleepCharged",
        breaks: "A game that slept through an outage or a stall gets no credit for it.",
        find: "(lost_ms > Millis::ZERO || is_behind).then(",
        put: "(!BUG && lost_ms > Millis::ZERO || is_behind).then(",
    },
    Bug {
        name: "StallsNotStamped",
        breaks: "The stamp does not count the stalls, so a sleeping game is charged for them after a restart.",
        find: "let lost_ms = self.shared.clock.lost(at);",
        put: "let lost_ms = if BUG { Millis::ZERO } else { self.shared.clock.lost(at) };",
    },
    Bug {
        name: "NeverWoken",
        breaks: "The deadlines of sleeping games wake no game.",
        find: "let mut last = None; let mut counted_at = Timestamp::MIN;",
        put: "if BUG { return; } FOUND",
    },
    Bug {
        name: "LinesLost",
        breaks: "Lines of chat are told although the disk has refused them.",
        find: "let are_stored = appended.is_ok();",
        put: "let are_stored = appended.is_ok() || BUG;",
    },
    Bug {
        name: "LinesSaidAgain",
        breaks: "A repeated command of chat counts as a new line.",
        find: "own().find(|line| line.cmd_id == asked.cmd_id.0)",
        put: "own().find(|line| line.cmd_id == asked.cmd_id.0 && !BUG)",
    },
    Bug {
        name: "PlayersHearSpectators",
        breaks: "A player joins the room of the spectators of a running game.",
        find: "Some(_) => facts.is_over,",
        put: "Some(_) => facts.is_over || BUG,",
    },
    Bug {
        name: "BlocksForgotten",
        breaks: "The server does not know the stored blocks after a start.",
        find: "for (identity, other) in store.blocks().await? {",
        put: "for (identity, other) in store.blocks().await?.into_iter().filter(|_| !BUG) {",
    },
    Bug {
        name: "QuickMatchOfBlocked",
        breaks: "A quick match joins a seek of a player whom a block keeps away.",
        find: "&& is_open_to(open, &asker.identity, context.are_blocked)",
        put: "&& (BUG || is_open_to(open, &asker.identity, context.are_blocked))",
    },
    Bug {
        name: "BlockedHeard",
        breaks: "A line of chat reaches a player who blocks its writer.",
        find: "move |reader| !line.is_hidden && (is_free || !blocks.are_blocked(&line.identity, reader))",
        put: "move |reader| !line.is_hidden && (BUG || is_free || !blocks.are_blocked(&line.identity, reader))",
    },
    Bug {
        name: "FriendsForEver",
        breaks: "A direct room stays open after the end of the friendship.",
        find: "let is_friend = relation.is_friend;",
        put: "let is_friend = relation.is_friend || BUG;",
    },
    Bug {
        name: "RestrictionsForgotten",
        // The start and the chronicle's first step both read the restrictions, so a bug in one of them has no effect.
        breaks: "No stored restriction is in force.",
        find: "for restriction in in_force.restrictions {",
        put: "for restriction in in_force.restrictions.into_iter().filter(|_| !BUG) {",
    },
    Bug {
        name: "LettersToPresent",
        breaks: "A letter is sent to a player who is here.",
        find: "is_present: self.presence.is_online(identity),",
        put: "is_present: self.presence.is_online(identity) && !BUG,",
    },
    Bug {
        name: "LettersOfThePast",
        breaks: "A letter about a turn is sent although the turn is over.",
        find: "deadline: find(seat, *asked)?.deadline, is_reminder: false,",
        put: "deadline: if BUG { None } else { find(seat, *asked)?.deadline }, is_reminder: false,",
    },
    Bug {
        name: "SendingsNotCounted",
        breaks: "The sending of a letter is not stored before it begins.",
        find: "self.context.store.begin_letter(key).await",
        put: "if BUG { Ok(true) } else { self.context.store.begin_letter(key).await }",
    },
    Bug {
        name: "BlockedWrite",
        breaks: "A letter of a player is sent to one who blocks the sender.",
        find: "account.letters.wants(kind) && !account.is_suspended(now) && !is_from_blocked",
        put: "account.letters.wants(kind) && !account.is_suspended(now) && (!is_from_blocked || BUG)",
    },
    Bug {
        name: "LettersWithoutBound",
        breaks: "A player gets any number of letters in a day.",
        find: "if is_bounded && look.sent_today >= self.per_day {",
        put: "if is_bounded && look.sent_today >= self.per_day && !BUG {",
    },
    Bug {
        name: "TurnsWithoutLetters",
        breaks: "A turn that begins has no letter.",
        find: "letters.extend(self.turn(one));",
        put: "if !BUG { letters.extend(self.turn(one)); }",
    },
    Bug {
        name: "RefusalsForgotten",
        breaks: "An event that a webhook refuses counts as delivered.",
        find: "let asked = match outcome { Outcome::Delivered => return",
        put: "let asked = match outcome { _ if BUG => return (Health::Up, Ending::Settled(WebhookFate::Delivered)), Outcome::Delivered => return",
    },
    Bug {
        name: "WebhooksTooEarly",
        breaks: "A webhook learns of a delayed game before its spectators do.",
        find: "shown_at: record.at + held,",
        put: "shown_at: if BUG { record.at } else { record.at + held },",
    },
    Bug {
        name: "WebhooksOfPrivateGames",
        breaks: "Every webhook learns of private games.",
        find: "let is_hidden = self.is_private && !target.private_games;",
        put: "let is_hidden = self.is_private && !target.private_games && !BUG;",
    },
    Bug {
        name: "RacksInLetters",
        breaks: "A letter shows the racks.",
        find: "name: one_line(&player.name), score: score_of(state, seat),",
        put: "name: if BUG { state.tiles().rack(seat).iter().map(|tile| state.rules().tiles.tile_face(*tile)).collect() } else { one_line(&player.name) }, score: score_of(state, seat),",
    },
    Bug {
        name: "ToldAfterFence",
        breaks: "A server announces what another owner of the game has kept it from storing.",
        find: "Err(AppendError::Fenced) => self.drop_fenced(out), Err(AppendError::Conflict",
        put: "Err(AppendError::Fenced) if BUG => self.stored(now, *flight, out), FOUND",
    },
    Bug {
        name: "LeaseIgnored",
        breaks: "A server that the database does not answer goes on behind the end of its lease.",
        find: "if now - proved_at < self.bounds.lease_ms {",
        put: "if now - proved_at < self.bounds.lease_ms || BUG {",
    },
    Bug {
        name: "TakeoverCharged",
        breaks: "The players of a game pay for the time without a server.",
        find: "tools.directory.take_up(open, games, since).await;",
        put: "tools.directory.take_up(open, games, since.filter(|_| !BUG)).await;",
    },
    Bug {
        name: "DeadlineAtOnce",
        breaks: "A deadline does not wait for commands on their way from other servers.",
        find: "match self.attached.has_player_elsewhere() {",
        put: "match self.attached.has_player_elsewhere() && !BUG {",
    },
    Bug {
        name: "PauseShown",
        breaks: "Spectators of a delayed game hear that its server is lost.",
        find: "&& !followed.is_paused && !followed.is_delayed",
        put: "&& !followed.is_paused && (BUG || !followed.is_delayed)",
    },
    Bug {
        name: "ResentAsAnother",
        breaks: "A command that a server sends again to the next owner of its game counts as another one.",
        find: "pending.lose(now); } let streams",
        put: "if BUG { let mut bytes = pending.message.to_vec(); if let Some(at) = bytes.windows(6).position(|part| part == b\"cmd_id\") { bytes[at + 7] = b'q'; } pending.message = bytes.into(); } pending.lose(now); } let streams",
    },
];
