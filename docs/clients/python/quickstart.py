"""Plays two-letter words against a house bot: python3 quickstart.py ws://127.0.0.1:7780"""

import json
import secrets
import sys

from websockets.sync.client import connect

WORDS = "AH AM AN AS AT AX BE BY DO ED EN ER GO HE HI IF IN IS IT LA ME MY NO OF OH ON OR OX RE SO TO UP US WE".split()
RUN = secrets.token_hex(6)  # The id of a command is used once, so the next run of the program uses others.
board, rack, plays, last_id = {}, [], [], 0


def send(op, **body):
    global last_id
    last_id += 1
    ws.send(json.dumps([op, last_id, body]))


def squares(start, count):
    """The squares of a play: `8F` runs across from row 8, column F; `F8` runs down."""
    digits = "".join(filter(str.isdigit, start))
    row, column = int(digits), ord(start.replace(digits, ""))
    return [(row, column + i) if start[0].isdigit() else (row + i, column) for i in range(count)]


def possible_plays():
    """A word on the start square, or one tile behind another; the server refuses what does not fit."""
    if not board:
        return [("8G", list(word)) for word in WORDS if not set(word) - set(rack)]
    return [(f"{row}{chr(column)}", [".", word[1]]) for (row, column), face in board.items() for word in WORDS
            if word[0] == face.upper() and word[1] in rack and (row, column + 1) not in board][:8]


def act():
    """Tries the next play; the last one is a pass."""
    start, tiles = plays.pop(0)
    turn = {"game": game, "turn_no": turn_no, "cmd_id": f"{RUN}-{last_id}"}
    send("play", start=start, tiles=tiles, **turn) if start else send("pass", **turn)


with connect(sys.argv[-1] + "/ws", subprotocols=["tilewire.v1.json"], compression=None) as ws:
    send("auth", name="Quick", client="quickstart/1.0")
    for frame in ws:
        op, id, body = json.loads(frame)
        kind = body.get("kind", op)
        if op == "hello":
            lexicon = next(known["name"] for known in body["lexica"] if known.get("language") == "english")
        elif op == "welcome":
            options = {"rule_set": "classic", "seats": 2, "lexicon": lexicon, "challenge": {"kind": "void"}}
            send("seek", cmd_id=f"{RUN}-seek", options=options, bots=["beginner"])  # The owner of a seek has seat 0.
        elif op == "ok" and "seek" in body:
            game = body["game"]
            send("attach", game=game, seq=0)
            send("ready", game=game, cmd_id=f"{RUN}-ready")
        elif op == "error":
            print("refused:", body["code"])
            act() if plays else sys.exit(body["message"])
        elif kind == "tiles_drawn":
            rack += body.get("tiles", [])  # Only the own tiles are shown.
        elif kind == "turn_started" and body["seat"] == 0:
            turn_no, plays = body["turn_no"], [*possible_plays(), (None, None)]
            act()
        elif kind == "play_made":
            print(body["start"], *body["tiles"], "scores", body["score"])
            laid = [(square, face) for square, face in zip(squares(body["start"], len(body["tiles"])), body["tiles"])
                    if face != "."]
            board.update(laid)
            for _, face in laid if body["seat"] == 0 else []:
                rack.remove(face)
        elif kind == "ended":
            print("ended:", body["reason"], [result["final_score"] for result in body["results"]])
            break
