"""The Tilewire protocol, version 1, as docs/PROTOCOL.md has it; knows nothing of tiles and words.

What always holds: every request is answered once, over as many connections as it takes, and the events of a game reach
its observer in order, each once, whatever happens to the connection in between.
"""

import asyncio
import base64
import json
import random
import secrets
import time
from pathlib import Path

import msgpack
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, NegotiationError, WebSocketException

# The tables of errors and of close codes. Codes of later versions are missing; an unknown close code means: reconnect
# after a pause.
FATAL_CLOSES = {
    1000: "normal", 1002: "protocol_error", 1003: "wrong_frame_type", 1007: "bad_utf8", 1009: "too_large",
    4000: "bad_handshake", 4002: "bad_token", 4008: "unsupported_protocol", 4009: "revoked",
}
AT_ONCE_CLOSES = {1001, 4001, 4003, 4005}
SLOW_CLOSES = {4004, 4007}  # Flood, too many connections.
# A `detached` has a code without `retryable`; these are the ones the table marks "later".
LATER_ERRORS = {"rate_limited", "busy", "shutting_down", "internal", "storage_paused", "command_in_flight"}
BYTES_FIELDS = {"hash", "nonce_hash", "commitment", "secret", "nonce"}
TRIES, GIVE_UP_AFTER_S = 60, 120


class Fatal(Exception):
    """Nothing more can be done; the message says why."""


class Refused(Exception):
    """The server answered `error`."""

    def __init__(self, body):
        super().__init__(f"{body['code']}: {body.get('message', '')}")
        self.code, self.detail = body["code"], body.get("detail", {})


def to_base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def bytes_in(fields):
    """JSON has no bytes: the fields that hold them are known by their names."""
    for name in BYTES_FIELDS & fields.keys():
        fields[name] = base64.urlsafe_b64decode(fields[name] + "==")
    return fields


def encode(encoding, message):
    if encoding == "json":
        return json.dumps(message, ensure_ascii=False, default=to_base64url)
    return msgpack.packb(message)


def decode(encoding, frame):
    return json.loads(frame, object_hook=bytes_in) if encoding == "json" else msgpack.unpackb(frame)


class Stream:
    """How far the events of one game have come. `observer` has the methods event(body), snapshot(body), turn_waits(body)."""

    def __init__(self, game, observer, code):
        self.game, self.observer, self.code = game, observer, code
        # These two belong together: a new epoch counts only with the seq that was learnt with it.
        self.epoch, self.seq = None, 0
        self.head = 1
        self.attaching = self.awaits_snapshot = False

    @property
    def is_current(self):
        """Whether everything that had happened when it was attached has been applied."""
        return self.is_following and self.seq >= self.head

    @property
    def is_following(self):
        """Whether what comes of the game counts."""
        return not self.attaching and not self.awaits_snapshot


class Client:
    """One identity on one server. Everything is done by `run`, which the program runs beside its own work."""

    def __init__(self, server, name, encoding="msgpack", token_file=None, on_push=lambda op, body: None):
        self.url = server if server.rstrip("/").count("/") > 2 else server.rstrip("/") + "/ws"
        self.name, self.encoding, self.on_push = name, encoding, on_push
        self.token_file = Path(token_file) if token_file else None
        self.token = self.token_file.read_text().strip() if token_file and self.token_file.exists() else None
        self.identity, self.games = None, []
        self.lag_ms = self.clock_difference_ms = 0
        self.streams, self.unanswered, self.attaching = {}, {}, {}
        self.ws, self.is_welcome, self.auth_id, self.auth_sent = None, False, 0, 0
        self.last_id = self.last_command = self.attempt = 0
        self.prefix = secrets.token_urlsafe(9)
        self.something = asyncio.Event()

    # The methods for programs.

    async def run(self):
        """Connects, again and again. Never returns; raises Fatal when there is no point in going on."""
        last_welcome = time.monotonic()
        while True:
            try:
                pause = await self.connection()
            except NegotiationError as error:
                raise Fatal(f"the server speaks no {self.encoding}: {error}") from error
            except InvalidStatus as error:
                if 400 <= error.response.status_code < 500 and error.response.status_code != 429:
                    raise Fatal(f"the server refuses the connection: {error}") from error
                pause = 1
            except (OSError, TimeoutError, EOFError, WebSocketException):
                pause = 0
            if self.is_welcome:
                last_welcome = time.monotonic()
            self.ws, self.is_welcome = None, False
            if time.monotonic() - last_welcome > GIVE_UP_AFTER_S:
                raise Fatal("the server cannot be reached")
            # Growing, and different for everybody: all clients lose a server at the same moment.
            growing = min(10, 0.1 * 2 ** min(self.attempt, 10)) * random.uniform(0.5, 1)
            self.attempt += 1
            await asyncio.sleep(pause + growing)

    async def request(self, op, **body):
        """Returns the answer. Asks again as long as it may (`retryable`); raises Refused.

        A request that was never answered goes out again on the next connection. That is safe for commands, which
        have a cmd_id; the others change nothing.
        """
        for tries in range(TRIES):
            answer = asyncio.get_running_loop().create_future()
            self.last_id += 1
            self.unanswered[self.last_id] = (op, body, answer)
            if self.is_welcome:
                await self.send(op, self.last_id, body)
            kind, fields = await answer
            if kind == "ok":
                return fields
            if not fields.get("retryable") or tries == TRIES - 1:
                raise Refused(fields)
            later = fields.get("detail", {}).get("retry_after_ms", min(2000, 100 * 2 ** min(tries, 5)))
            await asyncio.sleep(later / 1000)

    async def command(self, op, **body):
        """Sends a command under a new cmd_id, so that it is carried out once however often it is sent."""
        self.last_command += 1
        return await self.request(op, cmd_id=f"{self.prefix}-{self.last_command}", **body)

    async def attach(self, game, observer, code=None):
        """Starts the events of a game, from the first one if the server still has it."""
        stream = self.streams[game] = Stream(game, observer, code)
        if self.is_welcome:
            await self.send_attach(stream)
        return stream

    async def changed(self):
        """Waits until something has come from the server."""
        self.something.clear()
        await self.something.wait()

    def now(self):
        """The server's clock, in ms of unix time. A move that is sent now is charged up to now, whatever its way takes."""
        return int(time.time() * 1000 + self.clock_difference_ms + self.lag_ms)

    # One connection.

    async def connection(self):
        """Lives through one connection; returns the pause after it in seconds."""
        protocol = f"tilewire.v1.{self.encoding}"
        # The library answers the server's pings; its own find a connection that died without a word.
        async with connect(self.url, subprotocols=[protocol], compression=None, proxy=None, max_size=2**20,
                           ping_interval=10, ping_timeout=15, close_timeout=2) as self.ws:
            self.attaching.clear()
            self.last_id += 1
            self.auth_id, self.auth_sent = self.last_id, time.time()
            auth = {"name": self.name, "client": "tilewire-example-python/1.0"}
            await self.send("auth", self.auth_id, auth | ({"token": self.token} if self.token else {}))
            try:
                while True:
                    await self.take(decode(self.encoding, await self.ws.recv()))
            except ConnectionClosed as closed:
                return self.closed(closed.rcvd)
            finally:
                await self.ws.close()  # Whoever is done says so; the library alone would report a fault.

    def closed(self, frame):
        if frame is None or frame.code == 1005:  # The connection just broke.
            return 0
        if frame.code == 4002 and self.token and not self.identity:
            self.token = None  # It is of another server, or of another time: begin as a new guest.
            return 0
        if frame.code in FATAL_CLOSES:
            raise Fatal(f"closed by the server: {frame.code} {FATAL_CLOSES[frame.code]} {frame.reason}".rstrip())
        if frame.code == 4006 and frame.reason.startswith("retry_after_ms="):
            return int(frame.reason.removeprefix("retry_after_ms=")) / 1000 * random.uniform(1, 2)
        if frame.code in SLOW_CLOSES:
            return 5
        return 0 if frame.code in AT_ONCE_CLOSES else 1

    async def send(self, op, id, body):
        try:
            await self.ws.send(encode(self.encoding, [op, id, body]))
        except ConnectionClosed:
            pass  # The reader sees it too; what was not answered is sent again.

    async def take(self, message):
        op, id, body = message
        if op == "welcome":
            await self.welcome(body)
        elif id and id == self.auth_id and op == "error":
            # The close code that follows decides whether to try again, but for a new token it is known what to do.
            if body["code"] != "bad_token" and not body.get("retryable"):
                raise Fatal(f"not let in: {body['code']}: {body.get('message', '')}")
        elif id in self.attaching:
            self.attached(self.attaching.pop(id), op, body)
        elif id in self.unanswered:
            answer = self.unanswered.pop(id)[2]
            if not answer.cancelled():
                answer.set_result((op, body))
        elif op == "event":
            await self.event(body)
        elif op == "snapshot" and body["game"] in self.streams:
            stream = self.streams[body["game"]]
            stream.epoch, stream.seq, stream.awaits_snapshot = body["epoch"], body["seq"], False
            stream.observer.snapshot(body)
        elif op == "turn_waiting" and body["game"] in self.streams:
            if self.streams[body["game"]].is_following:
                self.streams[body["game"]].observer.turn_waits(body)
        elif op == "detached" and body["game"] in self.streams:
            self.detached(self.streams[body["game"]], body, body["code"] in LATER_ERRORS)
        elif op == "lag":
            self.lag_ms = body["lag_ms"]
        else:
            self.on_push(op, body)  # Also what later versions say: to be ignored by whoever does not know it.
        if self.is_welcome and op != "welcome":
            self.attempt = 0  # Only a connection that was of use makes the next pause short.
        self.something.set()

    async def welcome(self, body):
        # The server said its time one way ago; half a round trip, until it says what it has measured.
        self.clock_difference_ms = body["server_time"] - time.time() * 1000
        self.lag_ms = (time.time() - self.auth_sent) * 500
        self.identity, self.token, self.games = body["identity"], body["token"], body["games"]
        if self.token_file:
            self.token_file.touch(mode=0o600)  # The token is the identity: nobody else may read it.
            self.token_file.write_text(self.token)
        self.is_welcome = True
        # First the games, then the commands in their old order, under new request ids.
        for stream in self.streams.values():
            await self.send_attach(stream)
        waiting, self.unanswered = list(self.unanswered.values()), {}
        for op, fields, answer in waiting:
            self.last_id += 1
            self.unanswered[self.last_id] = (op, fields, answer)
        for id, (op, fields, _) in list(self.unanswered.items()):
            await self.send(op, id, fields)

    # Games.

    async def send_attach(self, stream):
        self.last_id += 1
        self.attaching[self.last_id] = stream
        stream.attaching, stream.awaits_snapshot = True, False
        # A seq means nothing without its epoch, but for 0, which asks for everything from the first event.
        known = {"seq": 0} if stream.epoch is None else {"seq": stream.seq, "epoch": stream.epoch}
        body = {"game": stream.game} | known
        await self.send("attach", self.last_id, body | ({"code": stream.code} if stream.code else {}))

    def attached(self, stream, op, body):
        stream.attaching = False
        if op == "error":
            return self.detached(stream, body, body.get("retryable"))
        stream.head = body["head"]
        stream.observer.turn_waits(None)  # The server says it again if a turn waits.
        if body["outcome"] == "snapshot":
            stream.awaits_snapshot = True  # No event counts before it, and the old position is kept until then.
        else:
            stream.epoch = body["epoch"]

    def detached(self, stream, body, is_retryable):
        if not is_retryable:
            raise Fatal(f"game {stream.game}: {body['code']}: {body.get('message', '')}")
        asyncio.get_running_loop().call_later(1, lambda: asyncio.ensure_future(self.attach_again(stream)))

    async def attach_again(self, stream):
        if self.is_welcome and not stream.attaching:
            await self.send_attach(stream)

    async def event(self, body):
        stream = self.streams.get(body["game"])
        # An event between an attach and its answer, or before its snapshot, is repeated later or part of the snapshot.
        if not stream or not stream.is_following or body["seq"] <= stream.seq:
            return
        if body["seq"] == stream.seq + 1:
            stream.seq = body["seq"]
            stream.observer.event(body)
        else:
            await self.send_attach(stream)  # A gap.


async def beside(client, work):
    """Does `work`, a coroutine, while the client keeps its connection; the first of the two to end ends both."""
    tasks = [asyncio.ensure_future(work), asyncio.ensure_future(client.run())]
    done, others = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    next(task for task in tasks if task in done).result()
