"""Random play of every game: actions that the game waits for, until it is over."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from scoring.cards import CARD_DICE_FACES, POKER_DICE_FACES
from scoring.games import GAMES
from scoring.play import Play
from scoring.refusals import RuleError
from scoring.showdown_rows import ROWS, fits
from scoring.straight_state import PACK

if TYPE_CHECKING:
    from scoring.games import AnyGame

Action = dict[str, Any]

MOST_TRIES = 20_000
"""A game that is not over after so many actions is taken for one without an end."""

DICE_ONLY = frozenset({"best_hand", "rummy", "showdown"})
"""Games in which rolling, keeping and stopping is all there is."""


class EndlessError(RuntimeError):
    """A game that did not end."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A game played at random.

    Attributes:
        play: the game, over.
        accepted: actions that happened, the start among them.
        refused: actions that a rule refused.
    """

    play: Play[Any]
    accepted: int
    refused: int


STARTS: dict[str, tuple[Action, ...]] = {
    "classic": (
        {"players": ["Ann", "Bob", "Cid", "Dan"], "options": {"kids": ["Dan"]}},
        {"players": ["Ann", "Bob", "Cid"], "options": {"rounds": 2}},
        {"players": ["Ann"], "options": {"rounds": 2, "jokers_wild": False}},
        {"players": ["Ann", "Bob"], "options": {"rounds": 3, "same_target": True}},
    ),
    "best_hand": (
        {"players": ["Ann", "Bob"], "options": {"rounds": 3}},
        {"players": ["Ann", "Bob", "Cid"], "options": {"tie": "share"}},
    ),
    "rummy": (
        {"players": ["Ann", "Bob"], "options": {"rounds": 2}},
        {"players": ["Ann", "Bob", "Cid"], "options": {"to": 120}},
    ),
    "showdown": (
        {"players": ["Ann", "Bob"], "options": {"triple": True}},
        {"players": ["Ann", "Bob"], "options": {"games": 2, "turn_cap": 5}},
    ),
    "war": (
        {"players": ["Ann", "Bob"], "options": {"best_of": 3, "assign": "draft"}},
        {"players": ["Ann", "Bob"], "options": {"joker": "high"}},
    ),
    "straight_shooter": (
        {"players": ["Ann", "Bob", "Cid"], "options": {"target": 12}},
        {"players": ["Ann", "Bob", "Cid", "Dan"], "options": {"target": 3}},
    ),
    "squint": (
        {"players": ["Ann", "Bob", "Cid"], "options": {"new_player_rounds": 1}},
        {"players": ["Ann", "Bob", "Cid", "Dan", "Eva"], "options": {"rounds": 1}},
    ),
}


def sensible(random: Random, play: Play[Any]) -> Action:
    """An action that the game waits for; it need not be allowed."""
    state = play.state
    assert state is not None
    # what can be seen is asked for where it is looked at: it takes longer than a move
    view = {} if play.game.name in DICE_ONLY else dict(play.view())
    chosen = _PROPOSE[play.game.name](random, play, view)
    if chosen["do"] == "roll" and "faces" not in chosen:
        chosen["faces"] = _faces(random, play)
    return chosen


def _faces(random: Random, play: Play[Any]) -> list[str]:
    if play.game.name == "squint":
        return [random.choice("123")]
    state = play.state
    assert state is not None
    lying = [face.code for face in state.throws.faces]
    if play.game.name == "showdown":
        fresh = [face.code for face in random.choices(POKER_DICE_FACES, k=5)]
    else:
        kept = {lying[place] for place in state.kept_places}
        free = [face.code for face in CARD_DICE_FACES if face.code not in kept]
        fresh = random.sample(free, 9)
    return [
        lying[place] if place in state.kept_places else face
        for place, face in enumerate(fresh)
    ]


def _rolling(random: Random, play: Play[Any], _: dict[str, Any]) -> Action:
    state: Any = play.state
    count = len(state.throws.faces)
    if not count:
        return {"do": "roll"}
    if not state.throws.can_keep and random.random() < 0.9:
        return {"do": "stop"}
    keep = {"do": "keep", "dice": random.sample(range(count), random.randint(0, count))}
    return random.choice([{"do": "roll"}, keep, {"do": "stop"}])


def _classic(random: Random, play: Play[Any], view: dict[str, Any]) -> Action:
    state: Any = play.state
    if view["phase"] == "draw":
        card = random.choice(state.pile or state.discards)
        return {"do": "draw", "player": view["next_player"], "card": card.id}
    if view["phase"] == "duel_opponent":
        return {"do": "duel", "opponent": random.choice(view["contenders"])}
    held = [(name, kind) for name, kinds in view["cards"].items() for kind in kinds]
    if held and random.random() < 0.5:
        player, kind = random.choice(held)
        return {"do": "play_card", "player": player, "card": kind}
    return _rolling(random, play, view)


def _showdown(random: Random, play: Play[Any], view: dict[str, Any]) -> Action:
    chosen = _rolling(random, play, view)
    if chosen["do"] != "stop":
        return chosen
    state: Any = play.state
    if state.throws.count == 3 and random.random() < 0.1:
        return {"do": "pass"}
    taken = {scored.row for scored in state.card}
    free = [row for row in ROWS if row not in taken]
    met = [row for row in free if fits(row, state.throws.faces)]
    if not met and state.throws.count == 3:
        return {"do": "pass"}
    rows = ROWS if random.random() < 0.1 else met
    return {"do": "choose", "row": random.choice(rows or ROWS)}


def _war(random: Random, _: Play[Any], view: dict[str, Any]) -> Action:
    player = view["next_player"]
    if view["phase"] == "draft":
        return {"do": "draft", "player": player, "die": random.randint(1, 9)}
    face = random.choice(CARD_DICE_FACES).code
    return {"do": "toss", "player": player, "face": face}


def _dealt(state: Any, deal: int) -> list[list[str]]:
    """What each seat really holds in a deal, told to the engine or not."""
    pack = sorted(card.code for card in PACK)
    Random(deal).shuffle(pack)
    each = state.cards_each
    hands: list[list[str]] = [[] for _ in state.players]
    for index, seat in enumerate(state.contenders):
        hands[seat] = pack[index * each : (index + 1) * each]
    return hands


def _straight(random: Random, play: Play[Any], view: dict[str, Any]) -> Action:
    player = view["next_player"]
    state: Any = play.state
    if view["phase"] == "deal":
        hands = _dealt(state, state.deal + 1)
        told = {state.players[seat]: hands[seat] for seat in state.contenders}
        known = {"hands": told} if random.random() < 0.5 else {}
        return {"do": "deal", **known}
    if view["phase"] == "play":
        played = {card.code for card in state.played}
        held = [c for c in _dealt(state, state.deal)[state.actor] if c not in played]
        led = view["trick"][0][1][1] if view["trick"] else ""
        follow = [code for code in held if code[1] == led]
        return {"do": "play", "player": player, "card": random.choice(follow or held)}
    pack = sorted(card.code for card in PACK)
    return {"do": "draw", "player": player, "card": random.choice(pack)}


def _squint(random: Random, _: Play[Any], view: dict[str, Any]) -> Action:
    guess = {"do": "guess", "player": random.choice([*view["scores"]])}
    return {
        "roll": {"do": "roll"},
        "draw": {"do": "draw"},
        "timer": {"do": "start_timer", "player": view["next_player"]},
        "choose": {"do": "choose", "item": random.randint(1, 3)},
        "build": random.choice([guess, {"do": "time_up"}, {"do": "pass"}]),
    }[view["phase"]]


_PROPOSE = {
    "classic": _classic,
    "best_hand": _rolling,
    "rummy": _rolling,
    "showdown": _showdown,
    "war": _war,
    "straight_shooter": _straight,
    "squint": _squint,
}


def start(random: Random, game: AnyGame) -> Action:
    """A start with random options."""
    return {"do": "start", **random.choice(STARTS[game.name])}


def play_at_random(name: str, seed: int) -> Tried:
    """Play a game from its start to its end.

    Args:
        name: as in `GAMES`.
        seed: the same seed gives the same game.

    Raises:
        EndlessError: not over after `MOST_TRIES` actions.
    """
    random = Random(seed)
    play: Play[Any] = Play(GAMES[name])
    play.act(start(random, play.game))
    refused = 0
    for _ in range(MOST_TRIES):
        state = play.state
        assert state is not None
        if state.over:
            return Tried(play, len(play.journal), refused)
        try:
            play.act(sensible(random, play))
        except RuleError:
            refused += 1
    raise EndlessError(f"{name}, seed {seed}: no end after {MOST_TRIES} actions")
