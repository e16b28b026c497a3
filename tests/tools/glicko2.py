"""Rates rating periods with the package pyglicko2, a second implementation of Glickman's paper.

Standard input has a line for each period, `[tau, [rating, deviation, volatility], [[rating, deviation, score], ...]]`. The
program answers it with `[rating, deviation, volatility]` after the period.
"""

import json
import sys
from types import SimpleNamespace

from pyglicko2 import Player, system

for line in sys.stdin:
    tau, start, games = json.loads(line)
    player = Player(*start)
    opponents = [Player(rating, deviation) for rating, deviation, _ in games]
    scores = [SimpleNamespace(value=score) for _, _, score in games]
    with system(tau):
        player.update(opponents, scores)
    print(json.dumps([player.r, player.RD, player.σ]))
