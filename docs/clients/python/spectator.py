#!/usr/bin/env python3
"""Prints a game move by move: python3 spectator.py --server ws://localhost:7780 GAME"""

import argparse
import asyncio
import sys

from game import Game, final_text
from tilewire import Client, Fatal, Refused, beside


class Board(Game):
    """A game that says what happens in it; after a snapshot, what happened while nobody told us."""

    def __init__(self, client):
        super().__init__(client.identity)
        self.client, self.printed = client, 0

    def snapshot(self, body):
        super().snapshot(body)
        for turn in body["turns"]:
            self.turn(turn["kind"] + ("ed" if turn["kind"] in {"pass", "exchange"} else ""), turn)

    def event(self, body):
        super().event(body)
        if body["kind"] in {"play_made", "exchanged", "passed", "turn_lost"}:
            self.turn(body["kind"], body)
        elif body["kind"] == "challenge_decided":
            verdict = "comes off" if body["upheld"] else "stands"
            print(f"    {self.name(body)} challenges: the play {verdict} {' '.join(body['bad_words'])}", flush=True)

    def turn(self, kind, turn):
        if turn["turn_no"] <= self.printed:
            return
        self.printed = turn["turn_no"]
        text = kind.replace("_", " ")
        if "start" in turn:
            off = " (taken off)" if turn.get("off") else ""
            text = f"{turn['start']} {' '.join(turn['tiles'])}  {turn['words'][0][0]} {turn['score']:+}{off}"
        elif turn.get("count"):
            text += f" {turn['count']}"
        clocks = self.clock_text(self.client.now())
        print(f"{turn['turn_no']:3}. {self.name(turn):12} {text}  [{clocks}]", flush=True)

    def name(self, event):
        return self.setup["seats"][event["seat"]]["name"]


async def watch(client, game_id, code):
    while not client.is_welcome:
        await client.changed()
    game = Board(client)
    await client.attach(game_id, game, code)
    while not game.is_over:
        await client.changed()
    print(final_text(game.result), flush=True)


async def main():
    parser = argparse.ArgumentParser(description="Prints a game of Tilewire move by move.")
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--server", required=True, metavar="URL")
    parser.add_argument("--name", default="spectator")
    parser.add_argument("--encoding", choices=["msgpack", "json"], default="msgpack")
    parser.add_argument("--code", help="of a private game")
    args = parser.parse_args()
    client = Client(args.server, args.name, args.encoding)
    await beside(client, watch(client, args.game, args.code))


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except (Fatal, Refused, OSError) as error:
        sys.exit(f"spectator: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
