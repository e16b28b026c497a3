"""Shuffles a Tilewire bag from the published parts, with nothing but hashlib and ChaCha20 written out (RFC 8439)."""

import hashlib
import struct

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
    words = chacha20_words(hashlib.sha256(seed_bytes + label.encode()).digest())

    def uniform(n):
        limit = 2**32 - 2**32 % n
        return next(word for word in words if word < limit) % n

    tiles = list(tiles)
    for i in range(len(tiles) - 1, 0, -1):
        j = uniform(i + 1)
        tiles[i], tiles[j] = tiles[j], tiles[i]
    return "".join(tiles)


def main():
    secret = bytes(range(32))
    nonces = [b"first", b"", b"\xff" * 32]
    bag = "".join(item[0] * int(item[1:]) for item in TILES.split())
    own = seed(secret, "a-game", nonces)
    print(hashlib.sha256(secret).hexdigest())
    print(hashlib.sha256(nonces[0]).hexdigest())
    print(shuffle(own, "bag", bag))
    print(shuffle(own, "exchange/1", bag[:30]))


if __name__ == "__main__":
    main()
