#!/usr/bin/env python3
"""Plays a game to its end: python3 player.py --server ws://localhost:7780 --name Anna --against-bot beginner"""

import argparse
import asyncio
import hashlib
import secrets
import sys

from game import Game, final_text
from tilewire import Client, Fatal, Refused, beside
from words import Words

# The game has gone on in the meantime: its next event tells where it is.
OVERTAKEN = {"wrong_position", "not_your_turn", "window_closed", "final_phase", "game_over", "not_started",
             "already_ready", "already_accepted", "already_challenged", "no_challenge_pending", "no_adjourn_request",
             "adjourned", "not_adjourned"}


class Player:
    def __init__(self, client, args):
        self.client, self.args, self.created = client, args, {}
        self.played = set()
        client.on_push = self.push

    def push(self, op, body):
        if op == "game_created":
            self.created[body["seek"]] = body["game"]
        elif op == "chat":
            self.show(body["line"])
        elif op == "notice":
            print("notice:", body["text"], file=sys.stderr)

    async def play_all(self):
        for number in range(self.args.games):
            if number > 0:
                await self.client.request("detach", game=self.game_id)
            await self.play_one()

    async def play_one(self):
        self.nonce = secrets.token_bytes(16)
        self.announced = {"nonce_hash": hashlib.sha256(self.nonce).digest()}
        game_id = await self.find_game()
        self.played.add(game_id)
        self.game_id, self.game = game_id, Game(self.client.identity)
        print("game:", game_id, flush=True)
        self.stream = await self.client.attach(game_id, self.game)
        self.words, due, greeting = None, 0, self.args.chat
        while not self.game.is_over:
            if greeting and self.stream.is_current:
                await self.greet(greeting)
                greeting = None
            # An answer may come before its event: what to do next is asked when that event is known.
            if self.stream.is_current and self.stream.seq >= due:
                seq = self.stream.seq
                due = await self.act() or seq + 1
            else:
                await self.client.changed()
        result, setup = self.game.result, self.game.setup
        if "secret" in result and hashlib.sha256(result["secret"]).digest() != setup["commitment"]:
            raise Fatal("the bag was not the one that was promised")
        print(final_text(result), flush=True)
        del self.client.streams[game_id]

    # Chat. After a lost connection this client does not join the room again.

    async def greet(self, text):
        """Joins the room of the game's players, shows its lines and writes one."""
        try:
            chat = (await self.client.request("chat_join", kind="players", game=self.game_id))["chat"]
            for line in chat["lines"]:
                self.show(line)
            await self.client.command("chat_say", room=chat["room"], text=text)
        except Refused as refused:
            print("no chat:", refused, file=sys.stderr)

    def show(self, line):
        print(f"chat: {line['name']}: {line['text']}", flush=True)

    # Getting into a game.

    async def find_game(self):
        args, request = self.args, {"rule_set": self.args.rules}
        if args.language:
            request["language"] = args.language
        options = (await self.client.request("rule_set", **request))["rules"]["usual"]
        if unfinished := self.unfinished():
            self.nonce = None  # Whatever was announced for it is forgotten.
            return unfinished[0]
        if args.against_bot:
            return await self.offer(options, bots=[args.against_bot], private=not args.watchable)
        if args.accept:
            return await self.join(options)
        if args.seek:
            return await self.offer(options)
        return await self.game_of(await self.client.command("quick_match", options=options, **self.announced))

    async def offer(self, options, **more):
        return await self.game_of(await self.client.command("seek", options=options, **more, **self.announced))

    async def join(self, options):
        """Joins the first open seek with the wanted rules, as soon as there is one."""
        while True:
            for seek in (await self.client.request("lobby_subscribe"))["seeks"]:
                wanted = seek["options"]
                if wanted["rule_set"] != options["rule_set"] or wanted["lexicon"] != options["lexicon"]:
                    continue
                try:
                    answer = await self.client.command("join_seek", seek=seek["seek"], **self.announced)
                    await self.client.request("lobby_unsubscribe")
                    return await self.game_of(answer)
                except Refused as refused:
                    if refused.code not in {"unknown_seek", "seek_full"}:
                        raise
            # The subscription pushes changes, but none that happened while the connection was lost.
            try:
                await asyncio.wait_for(self.client.changed(), 2)
            except TimeoutError:
                pass

    async def game_of(self, answer):
        """The game that a seek becomes: in the answer, in a push, or after a lost push in the next welcome."""
        while True:
            game = answer.get("game") or self.created.get(answer["seek"]["seek"]) or next(iter(self.unfinished()), None)
            if game:
                return game
            await self.client.changed()

    def unfinished(self):
        return [game["game"] for game in self.client.games if game["game"] not in self.played]

    # Playing.

    async def act(self):
        """Does what the position asks for; returns the seq that must be known before acting again, None: the next."""
        game, window = self.game, self.game.window
        if game.phase == "waiting" and game.seat not in game.ready:
            return await self.say("ready", **({"nonce": self.nonce} if self.nonce else {}))
        if game.sleep:
            return None if game.seat in game.sleep["ready"] else await self.say("resume_game")
        if game.is_asked_to_adjourn:
            return await self.say("answer_adjourn", agree=True)
        if window and window.get("challenger") is not None:
            return await self.say("stand", play_id=window["play_id"]) if window["author"] == game.seat else None
        if window and game.seat in window["eligible"] and game.seat not in window["accepted"]:
            words = [word for word, _ in game.last_play["words"]]
            is_doubtful = self.args.challenge and not all(self.list().has(word) for word in words)
            return await self.say("challenge" if is_doubtful else "accept", play_id=window["play_id"])
        return await self.take_turn() if game.on_turn == game.seat else None

    async def take_turn(self):
        turn_no, seq = self.game.turn_no, self.stream.seq
        self.list().remove(self.game.bad_words)
        while play := self.list().find(self.game):
            try:
                return (await self.command("play", turn_no=turn_no, **play))["seq"]
            except Refused as refused:
                if refused.code != "invalid_words":
                    return self.overtaken(refused, seq)
                self.list().remove(refused.detail["words"])
        rack, minimum = list(self.game.rack.elements()), self.game.setup["rule_set"]["exchange_min_bag"]
        if rack and self.game.bag >= max(1, minimum):
            return await self.say("exchange", turn_no=turn_no, tiles=rack[: self.game.bag])
        return await self.say("pass", turn_no=turn_no)

    def list(self):
        self.words = self.words or Words(self.args.words, self.game.setup["rule_set"]["tiles"])
        return self.words

    async def command(self, op, **body):
        return await self.client.command(op, game=self.game_id, **body)

    async def say(self, op, **body):
        seq = self.stream.seq
        try:
            return (await self.command(op, **body))["seq"]
        except Refused as refused:
            return self.overtaken(refused, seq)

    def overtaken(self, refused, seq):
        if refused.code not in OVERTAKEN:
            raise refused
        return seq + 1


def arguments():
    parser = argparse.ArgumentParser(description="Plays a game of Tilewire to its end.")
    parser.add_argument("--server", required=True, metavar="URL")
    parser.add_argument("--name", required=True)
    parser.add_argument("--encoding", choices=["msgpack", "json"], default="msgpack")
    parser.add_argument("--token-file", metavar="FILE", help="be the same guest as last time")
    parser.add_argument("--rules", default="classic", metavar="NAME")
    parser.add_argument("--language", help="of the tiles and the words, if not the usual one")
    with_whom = parser.add_mutually_exclusive_group()
    with_whom.add_argument("--against-bot", metavar="LEVEL", help="a house bot")
    with_whom.add_argument("--seek", action="store_true", help="offer a game and wait for somebody")
    with_whom.add_argument("--accept", action="store_true", help="join an offered game, or wait for one")
    parser.add_argument("--words", metavar="FILE", help="one word on each line; without it only exchanges and passes")
    parser.add_argument("--challenge", action="store_true", help="challenge words that are not in the list")
    parser.add_argument("--chat", metavar="TEXT", help="join the chat of the players and write this")
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--watchable", action="store_true", help="let others watch a game against a bot")
    return parser.parse_args()


async def main():
    args = arguments()
    client = Client(args.server, args.name, args.encoding, args.token_file)
    await beside(client, Player(client, args).play_all())


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except (Fatal, Refused, OSError) as error:
        sys.exit(f"player: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
