"""Finds plays with a list of words: walks through every line of the board, as far as words of the list begin so."""

import random
import re
import unicodedata
from bisect import bisect_left
from functools import cache

BUDGET = 30_000  # Steps of the search after which the best play found so far is good enough.


class Words:
    """The words of a list that can be laid with the tiles of a game.

    Inside, every tile is one character, even CH or L·L, so that words are plain strings and sorted words a search tree.
    """

    def __init__(self, path, tiles):
        self.value = {tile["face"]: tile["value"] for tile in tiles}
        faces = [face for face in self.value if face != "?"]
        self.sign_of = {face: face if len(face) == 1 else chr(0xE000 + i) for i, face in enumerate(faces)}
        self.face_of = {sign: face for face, sign in self.sign_of.items()}
        # The longest face first: C and H never lie in the place of CH.
        self.tile = re.compile("|".join(re.escape(face) for face in sorted(faces, key=len, reverse=True)))
        lines = read(path).splitlines() if path else []
        self.all = {signs for line in lines if (signs := self.signs(line.strip()))}
        self.sorted = sorted(self.all)

    def signs(self, word):
        """A word as a string of signs; empty if there is no such tile. The server writes `[CH]`, a list `CH`."""
        word = re.sub(r"[][]", "", unicodedata.normalize("NFC", word).upper())
        faces = self.tile.findall(word)
        return "".join(self.sign_of[face] for face in faces) if "".join(faces) == word else ""

    def has(self, word):
        return self.signs(word) in self.all

    def remove(self, words):
        """Forgets words that the server does not know."""
        if bad := self.all & {self.signs(word) for word in words}:
            self.all -= bad
            self.sorted = sorted(self.all)

    def is_start(self, signs):
        at = bisect_left(self.sorted, signs)
        return at < len(self.sorted) and self.sorted[at].startswith(signs)

    def find(self, game):
        """A good play, {start, tiles}, or None: the more tiles the better, then the more they are worth."""
        return Search(self, game).best()


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Search:
    def __init__(self, words, game):
        board = game.setup["rule_set"]["board"]
        self.words, self.steps, self.found, self.best_rank = words, 0, None, (0, 0)
        self.rows, self.cols = board["rows"], board["cols"]
        self.grid = {square: words.sign_of[face.upper()] for square, face in game.board.items()}
        self.rack = +game.rack
        row, col = int(re.sub(r"\D", "", board["start"])) - 1, ord(board["start"][0]) - ord("A")
        beside = {(r + i, c + j) for r, c in self.grid for i, j in ((0, 1), (1, 0), (0, -1), (-1, 0))}
        # A play covers one of these: squares beside a tile, or the start square of an empty board.
        self.anchors = beside - self.grid.keys() if self.grid else {(row, col)}
        self.fits = cache(self.fits)

    def best(self):
        lines = [[(row, col) for col in range(self.cols)] for row in range(self.rows)]
        lines += [[(row, col) for row in range(self.rows)] for col in range(self.cols)]
        random.shuffle(lines)
        for line in lines:
            for start in range(len(line)):
                if self.found and self.steps > BUDGET:
                    return self.found
                before = line[start - 1] if start else None
                if before not in self.grid and self.reaches_anchor(line[start:]):
                    self.walk(line, start, start, "", [], False, self.rack)
        return self.found

    def reaches_anchor(self, squares):
        free = [square for square in squares if square not in self.grid][: self.rack.total()]
        return any(square in self.anchors for square in free)

    def walk(self, line, start, at, signs, tiles, touches, rack):
        self.steps += 1
        square = line[at] if at < len(line) else None
        lying = self.grid.get(square)
        if not lying and touches and len(signs) > 1 and signs in self.words.all:
            self.keep(line, start, tiles)
        if lying and self.words.is_start(signs + lying):
            self.walk(line, start, at + 1, signs + lying, tiles + ["."], touches, rack)
        if lying or not square:
            return
        for tile in list(rack):
            for sign in self.words.face_of if tile == "?" else [self.words.sign_of[tile]]:
                if not self.words.is_start(signs + sign) or not self.fits(square, line[0][0] == line[-1][0], sign):
                    continue
                face = self.words.face_of[sign]
                left = +(rack - type(rack)([tile]))
                now = touches or square in self.anchors
                self.walk(line, start, at + 1, signs + sign, tiles + [face.lower() if tile == "?" else face], now, left)

    def fits(self, square, is_across, sign):
        """Whether the word in the other direction is one, if there is one."""
        row, col = (1, 0) if is_across else (0, 1)
        first, word = square, sign
        while (first := (first[0] - row, first[1] - col)) in self.grid:
            word = self.grid[first] + word
        last = square
        while (last := (last[0] + row, last[1] + col)) in self.grid:
            word += self.grid[last]
        return len(word) == 1 or word in self.words.all

    def keep(self, line, start, tiles):
        laid = [face for face in tiles if face != "."]
        rank = (len(laid), sum(self.words.value.get(face, 0) for face in laid))
        if rank > self.best_rank:
            (row, col), is_across = line[start], line[0][0] == line[-1][0]
            column = chr(ord("A") + col)
            start_text = f"{row + 1}{column}" if is_across else f"{column}{row + 1}"
            self.found, self.best_rank = {"start": start_text, "tiles": tiles}, rank
