"""A client's view of one game, folded from its events or taken from a snapshot."""

import re
from collections import Counter


class Game:
    """An observer of a stream (see tilewire.py). A spectator's rack stays empty."""

    def __init__(self, identity):
        self.identity = identity
        self.clear()

    def clear(self):
        self.seat, self.setup = None, {}
        self.rack, self.board, self.bag = Counter(), {}, 0
        self.phase, self.turn_no, self.on_turn = "waiting", 0, None
        self.ready, self.scores, self.clocks = set(), [], None
        self.window = self.last_play = self.result = self.waiting = None
        self.request = self.sleep = None
        self.bad_words = []

    def snapshot(self, body):
        """Replaces whatever was known."""
        self.clear()
        self.set_up(body["setup"])
        self.phase, self.turn_no, self.on_turn = body["phase"], body["turn_no"], body.get("on_turn")
        self.board = {square_of(tile["square"]): tile["tile"] for tile in body["board"]}
        self.bag, self.clocks, self.result = body["bag"], body["clocks"], body.get("result")
        self.waiting = body if "waiting_until" in body else None
        self.request, self.sleep = body.get("adjourn_request"), body.get("adjourned")
        self.scores = [seat["score"] for seat in body["seats"]]
        self.ready = {seat for seat, known in enumerate(body["seats"]) if known["ready"]}
        if self.seat is not None:
            self.rack = Counter(body["seats"][self.seat].get("rack", []))
        if "window" in body:
            self.window = dict(body["window"])
            plays = [turn for turn in body["turns"] if turn.get("play_id") == self.window["play_id"]]
            self.last_play = plays[0] if plays else None

    def event(self, body):
        self.clocks, self.waiting = body.get("clocks", self.clocks), None
        # Kinds without a method here are unknown or irrelevant; their seq is already counted.
        getattr(self, "on_" + body["kind"], lambda event: None)(body)

    def turn_waits(self, body):
        """The seat on turn has made its turn, which waits for challenges of the last play; its clock stands. None: not so."""
        self.waiting = body

    def set_up(self, setup):
        self.setup, self.scores = setup, [0] * len(setup["seats"])
        self.bag = sum(tile["count"] for tile in setup["rule_set"]["tiles"])
        identities = [seat["identity"] for seat in setup["seats"]]
        self.seat = identities.index(self.identity) if self.identity in identities else None

    def on_created(self, event):
        self.set_up(event["setup"])

    def on_seat_ready(self, event):
        self.ready.add(event["seat"])

    def on_board_drawn(self, event):
        self.setup["rule_set"]["board"]["layout"] = event["layout"]

    def on_bag_shuffled(self, event):
        self.bag = event["count"]  # After an exchange it holds the tiles given back again.

    def on_tiles_drawn(self, event):
        self.bag = event["bag"]
        self.rack.update(event.get("tiles", []))  # Only the own tiles are shown.

    def on_turn_started(self, event):
        self.phase, self.turn_no, self.on_turn = "running", event["turn_no"], event["seat"]

    def on_play_made(self, event):
        self.on_turn, self.last_play, self.scores[event["seat"]] = None, event, event["total"]
        self.bag -= event["owed"]  # Owed tiles count as dealt; nobody has seen them.
        laid = laid_by(event)
        self.board.update(laid)
        if event["seat"] == self.seat:
            self.rack.subtract(tile_of(face) for face in laid.values())
        if "window" in event:
            judges = [seat for seat in range(len(self.scores)) if seat != event["seat"]]
            play = {"play_id": event["seq"], "author": event["seat"], "eligible": judges, "accepted": []}
            self.window = play | event["window"]
            if event["window"].get("final"):
                self.phase = "final"

    def on_exchanged(self, event):
        self.on_turn = None
        self.rack.subtract(event.get("tiles", []))

    def on_passed(self, event):
        self.on_turn = None

    def on_turn_lost(self, event):
        self.on_turn = None

    def on_accepted(self, event):
        if self.window:
            self.window["accepted"].append(event["seat"])

    def on_challenge_opened(self, event):
        if self.window:
            self.window["challenger"] = event["seat"]

    def on_challenge_decided(self, event):
        self.scores = event["totals"]
        self.bad_words += event["bad_words"]
        if event["upheld"]:
            self.on_turn = None
            laid = laid_by(self.last_play)
            for square in laid:
                del self.board[square]
            if self.last_play["seat"] == self.seat:
                self.rack.update(tile_of(face) for face in laid.values())
            self.bag += self.last_play.get("owed", 0)
        self.window = None  # There is one verdict for each play.

    def on_window_closed(self, event):
        self.window = None

    def on_adjourn_requested(self, event):
        self.request = {"seat": event["seat"], "agreed": []}

    def on_adjourn_agreed(self, event):
        if self.request:
            self.request["agreed"].append(event["seat"])

    def on_adjourn_declined(self, event):
        self.request = None

    def on_seat_retired(self, event):
        self.request = None

    def on_adjourned(self, event):
        self.request, self.sleep = None, {"ready": []}

    def on_ready_to_resume(self, event):
        if self.sleep:
            self.sleep["ready"].append(event["seat"])

    def on_not_ready_to_resume(self, event):
        if self.sleep:
            self.sleep["ready"].remove(event["seat"])

    def on_resumed(self, event):
        self.sleep = None

    def on_ended(self, event):
        self.phase, self.result, self.window, self.on_turn = "ended", event, None, None

    @property
    def is_over(self):
        return self.result is not None

    @property
    def is_asked_to_adjourn(self):
        """Whether the own seat is asked to adjourn the game and has not answered."""
        return self.request is not None and self.seat not in [self.request["seat"], *self.request["agreed"]]

    def clock_text(self, now):
        """Every seat's time until its flag falls at the server's time `now`, such as `24:31 / 25:00`."""
        clocks = self.waiting["clocks"] if self.waiting else self.clocks
        if not clocks or self.setup["options"]["clock"]["kind"] == "untimed":
            return "untimed"
        # The allowance of a turn (a delay, or the limit of a move) is used before the main time.
        left = [sum(times) for times in zip(clocks["main_ms"], clocks["allowance_ms"])]
        if running := clocks.get("running"):
            left[running["seat"]] -= max(0, now - running["since"])
        return " / ".join(f"{'-' * (ms < 0)}{abs(ms) // 60000}:{abs(ms) // 1000 % 60:02}" for ms in left)


def final_text(result):
    """How a game ended, in one line."""
    scores = " ".join(str(seat["final_score"]) for seat in result.get("results", []))
    winners = " ".join(str(seat) for seat in result.get("winners", []))
    return f"ended: {result['reason']}; final scores: {scores}; winners: {winners or 'none'}"


def square_of(text):
    """(row, column) from 0 of `H8` or `8H`."""
    return int(re.sub(r"\D", "", text)) - 1, ord(re.sub(r"\d", "", text)) - ord("A")


def laid_by(play):
    """The squares a play covers and the faces it lays there."""
    row, col = square_of(play["start"])
    down, right = (0, 1) if play["start"][0].isdigit() else (1, 0)
    squares = ((row + i * down, col + i * right) for i in range(len(play["tiles"])))
    return {square: face for square, face in zip(squares, play["tiles"]) if face != "."}


def tile_of(face):
    """The tile on a rack that shows `face` on the board: a lower-case one is a blank."""
    return face if face == face.upper() else "?"
