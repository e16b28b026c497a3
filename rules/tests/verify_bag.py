"""Recomputes Tilewire bags from the published parts, with nothing but hashlib and ChaCha20 written out (RFC 8439).

    verify_bag.py                the bag of a made-up game, for comparison
    verify_bag.py GAME.jsonl     every draw of a finished game, from its native record
"""

import hashlib
import json
import struct
import sys

BLANK = 0

TILES = "A9 B2 C2 D4 E12 F2 G3 H2 I9 J1 K1 L4 M2 N6 O8 P2 Q1 R6 S4 T6 U4 V2 W2 X1 Y2 Z1 ?2"


def chacha20_words(key):
    """Yields the key stream as 32-bit little-endian words: nonce 0, counter from 0."""

    def quarter(s, a, b, c, d):
        for x, y, z, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            s[x] = (s[x] + s[y]) & 0xFFFFFFFF
            s[z] ^= s[x]
            s[z] = ((s[z] << turn) | (s[z] >> (32 - turn))) & 0xFFFFFFFF

    counter = 0
    while True:
        start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *struct.unpack("<8L", key), counter, 0, 0, 0]
        state = list(start)
        for _ in range(10):
            for column in range(4):
                quarter(state, column, column + 4, column + 8, column + 12)
            for diagonal in range(4):
                b, c, d = ((diagonal + k) % 4 + 4 * k for k in (1, 2, 3))
                quarter(state, diagonal, b, c, d)
        yield from ((a + b) & 0xFFFFFFFF for a, b in zip(state, start))
        counter += 1


def seed(secret, game, nonces):
    parts = [secret, game.encode()]
    for nonce in nonces:
        parts += [bytes([len(nonce)]), nonce]
    return hashlib.sha256(b"".join(parts)).digest()


def shuffle(seed_bytes, label, tiles):
    """Returns the tiles in the order they are drawn."""
    words = chacha20_words(hashlib.sha256(seed_bytes + label.encode()).digest())

    def uniform(n):
        limit = 2**32 - 2**32 % n
        return next(word for word in words if word < limit) % n

    tiles = list(tiles)
    for i in range(len(tiles) - 1, 0, -1):
        j = uniform(i + 1)
        tiles[i], tiles[j] = tiles[j], tiles[i]
    return tiles


def in_order(tiles):
    """Returns tiles as they lie before they are mixed: by letter, blanks last."""
    return sorted(tiles, key=lambda tile: (tile == BLANK, tile))


def check(holds, event, what):
    if not holds:
        sys.exit(f"event {event['seq']}: {what}")


def verify(path):
    """Recomputes every draw of a native record; ends the program at the first that differs."""
    with open(path, encoding="utf-8") as lines:
        events = [json.loads(line) for line in lines][1:]
    public = [event["event"]["public"] for event in events if "public" in event["event"]]
    created = events[0]["event"]["created"]
    ended = public[-1]["ended"]
    secret = bytes.fromhex(ended["secret"])
    check(hashlib.sha256(secret).hexdigest() == created["commitment"], events[0], "another secret was committed to")
    nonces = [b"" for _ in created["players"]]
    for said in (event["seat_ready"] for event in public if "seat_ready" in event):
        nonces[said["seat"]] = bytes(said["nonce"])
    own = seed(secret, created["game"], nonces)
    full = next(event["event"]["bag_shuffled"]["order"] for event in events if "bag_shuffled" in event["event"])
    bag, aside, exchanges, draws = list(full), [], 0, 0
    for event in events:
        what = event["event"]
        if "bag_shuffled" in what:
            label = f"exchange/{exchanges}" if exchanges else "bag"
            bag, aside = shuffle(own, label, in_order(bag + aside)), []
            check(what["bag_shuffled"] == {"label": label, "order": bag}, event, "another bag")
        elif "tiles_drawn" in what:
            tiles = what["tiles_drawn"]["tiles"]
            check(bag[: len(tiles)] == tiles, event, "other tiles were drawn")
            del bag[: len(tiles)]
            draws += 1
        elif "exchanged" in what:
            aside += what["exchanged"]["tiles"]
            exchanges += 1
        elif "order_drawn" in what.get("public", {}):
            for number, drawn in enumerate(what["public"]["order_drawn"]["rounds"], 1):
                mixed = shuffle(own, f"order/{number}", in_order(full))
                check([tile for _, tile in drawn] == mixed[: len(drawn)], event, "another draw for first play")
                draws += 1
    print(f"{created['game']}: {draws} draws proved")


def compare():
    secret = bytes(range(32))
    nonces = [b"first", b"", b"\xff" * 32]
    bag = "".join(item[0] * int(item[1:]) for item in TILES.split())
    own = seed(secret, "a-game", nonces)
    print(hashlib.sha256(secret).hexdigest())
    print(hashlib.sha256(nonces[0]).hexdigest())
    print("".join(shuffle(own, "bag", bag)))
    print("".join(shuffle(own, "exchange/1", bag[:30])))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        verify(sys.argv[1])
    else:
        compare()
