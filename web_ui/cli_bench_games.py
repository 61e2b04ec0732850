"""`tableside bench games`: random play of every game, to its end."""

from __future__ import annotations

import json
import sys
import time
import traceback
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from scoring.games import GAMES
from web_ui.progress import bar
from web_ui.random_play import play_at_random

if TYPE_CHECKING:
    import argparse

GAMES_EACH = 10_000
SHOWN_FAULTS = 5


@dataclass(slots=True)
class GameFigures:
    """What came of random play of one game.

    Attributes:
        game: its name.
        first_seed: the seed of the first game.
        games: games that ended with winners.
        accepted: actions that happened, all games together.
        refused: actions that a rule refused.
        longest: accepted actions of the longest game.
        cpu_s: processor time of all games, in seconds.
        faults: seed and error of every game that did not end well.
    """

    game: str
    first_seed: int
    games: int = 0
    accepted: int = 0
    refused: int = 0
    longest: int = 0
    cpu_s: float = 0.0
    faults: list[tuple[int, str]] = field(default_factory=list)

    @property
    def next_seed(self) -> int:
        """The seed to go on with."""
        return self.first_seed + self.games + len(self.faults)


def add_parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    """Add the benchmark."""
    parser = subparsers.add_parser(
        "games",
        help="random play of every game, to its end",
        description="Plays every game with random actions until it is over. Each seed "
        "is one game; a long run may be done in parts, each from where the last ended.",
    )
    parser.add_argument(
        "--games",
        type=int,
        default=GAMES_EACH,
        help="games of each kind (default %(default)s)",
    )
    parser.add_argument(
        "--game",
        choices=sorted(GAMES),
        action="append",
        help="only this game (may be given again)",
    )
    parser.add_argument(
        "--seed", type=int, default=0, help="seed of the first (default %(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print a JSON line a game")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play and print.

    Returns:
        0 every game ended with winners, 1 one did not, 2 unusable input.
    """
    if args.games < 1 or args.seed < 0:
        fault = "--games must be at least 1 and --seed at least 0"
        print(f"tableside bench games: {fault}", file=sys.stderr)
        return 2
    failed = False
    if not args.json:
        print(
            f"{'game':<16} {'seeds':>15} {'ended':>7} {'faults':>6} {'actions':>9}"
            f" {'longest':>7} {'refused':>8} {'a game':>10}"
        )
    for name in args.game or GAMES:
        figures = GameFigures(name, args.seed)
        try:
            play_games(figures, args.games)
        except KeyboardInterrupt:
            _print(figures, as_json=args.json)
            print(f"{name}: go on with --seed {figures.next_seed}", file=sys.stderr)
            raise
        _print(figures, as_json=args.json)
        failed |= bool(figures.faults)
    return 1 if failed else 0


def play_games(figures: GameFigures, games: int) -> None:
    """Play games with the seeds from `figures.first_seed` on, and count.

    A game that fails is counted and the others go on: each stands for itself.
    """
    seeds = range(figures.first_seed, figures.first_seed + games)
    for seed in bar("game")(seeds, games):
        began = time.process_time()
        try:
            tried = play_at_random(figures.game, seed)
            if not tried.play.view()["winners"]:
                raise RuntimeError("it ended without winners")
        except Exception as error:  # noqa: BLE001  # whatever fails is the finding
            told = "".join(traceback.format_exception_only(error)).strip()
            figures.faults.append((seed, told))
        else:
            figures.games += 1
            figures.accepted += tried.accepted
            figures.refused += tried.refused
            figures.longest = max(figures.longest, tried.accepted)
        figures.cpu_s += time.process_time() - began


def _print(figures: GameFigures, *, as_json: bool) -> None:
    if as_json:
        record = {**asdict(figures), "cpu_s": round(figures.cpu_s, 3)}
        print(json.dumps({**record, "next_seed": figures.next_seed}), flush=True)
        return
    played = max(1, figures.games + len(figures.faults))
    seeds = f"{figures.first_seed}..{figures.next_seed - 1}"
    print(
        f"{figures.game:<16} {seeds:>15} {figures.games:>7} {len(figures.faults):>6}"
        f" {figures.accepted:>9} {figures.longest:>7} {figures.refused:>8}"
        f" {figures.cpu_s / played * 1000:>7.2f} ms",
        flush=True,
    )
    for seed, told in figures.faults[:SHOWN_FAULTS]:
        print(f"  seed {seed}: {told}", flush=True)
