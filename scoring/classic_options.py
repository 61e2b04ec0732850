"""The agreements of a classic game (CL-02 to CL-34), read from a start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoring.game_options import (
    LAYOUT,
    SIX_OF_A_KIND,
    GameOption,
    OptionReader,
    OptionTable,
)
from scoring.hands import HAND_ORDER, HandName
from scoring.target_deck import CardKind, GameCard, read_deck
from scoring.target_score import ExactWithJoker, PayRules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.dice_sets import DiceSet

OPTIONS = OptionTable(
    GameOption("rounds", 8, "rounds, one turn of every player each", "CL-03"),
    GameOption(
        "jokers_wild",
        True,
        "whether jokers stand for any card; otherwise they are blanks",
        "CL-15",
    ),
    GameOption(
        "bonus", 2, "chips for an exact hand within fewer than three rolls", "CL-10"
    ),
    GameOption(
        "kids",
        [],
        "names of younger players, who get all chips for the type too",
        "CL-11",
    ),
    GameOption(
        "same_target", False, "whether everyone rolls for one target a round", "CL-34"
    ),
    GameOption(
        "exact_with_joker",
        "full",
        'what an exact hand with jokers pays: "full" or "type"',
        "CL-14",
    ),
    GameOption(
        "joker_card_bonus",
        False,
        "whether the bonus stays if Joker cards alone fill the gaps",
        "CL-24",
    ),
    GameOption(
        "double_down_bonus", True, "whether Double-Down doubles the bonus too", "CL-20"
    ),
    GameOption(
        "quick_draw_doubled",
        True,
        "whether Quick-Draw pays the number after doubling",
        "CL-22",
    ),
    GameOption(
        "duel_joker_card",
        "drawer",
        'who may play a Joker card in a Showdown: "drawer" or "nobody"',
        "CL-24",
    ),
    GameOption(
        "duel_stake", 6, "most chips that the winner of a Showdown takes", "CL-28"
    ),
    SIX_OF_A_KIND,
    GameOption(
        "hand_order",
        [name.value for name in HAND_ORDER],
        "the twelve hands, lowest first",
        "HD-06",
    ),
    GameOption(
        "deck",
        "builtin",
        'the game cards: "builtin", or a list of their ids and of cards written out',
        "CL-02",
    ),
    LAYOUT,
)


@dataclass(frozen=True, slots=True)
class ClassicOptions:
    """The agreements of a classic game; defaults and meaning: `classic.md`."""

    rounds: int
    pay: PayRules
    kids: tuple[str, ...]
    same_target: bool
    double_down_bonus: bool
    quick_draw_doubled: bool
    drawer_plays_jokers: bool
    duel_stake: int
    six_of_a_kind: bool
    hand_order: tuple[HandName, ...]
    deck: tuple[GameCard, ...]
    dice_set: DiceSet


def read_classic_options(
    options: Mapping[str, object], players: tuple[str, ...]
) -> ClassicOptions:
    """Read the options of a start.

    Raises:
        RuleError: CM-03, CL-02 or CL-12.
    """
    reader = OptionReader(options, OPTIONS)
    kids = reader.texts("kids")
    if any(kid not in players for kid in kids):
        raise reader.wrong("kids", "a list of players")
    order = reader.texts("hand_order")
    if set(order) != set(HAND_ORDER):
        raise reader.wrong("hand_order", "the twelve hands, lowest first")
    wild = reader.flag("jokers_wild")
    deck = read_deck(reader.raw("deck"))
    if not wild:  # CL-15: the Joker cards are taken out
        deck = tuple(card for card in deck if card.kind is not CardKind.JOKER)
    with_joker = reader.choice("exact_with_joker", list(ExactWithJoker))
    return ClassicOptions(
        rounds=reader.number("rounds", 1),
        pay=PayRules(
            jokers_wild=wild,
            bonus=reader.number("bonus", 0),
            exact_with_joker=ExactWithJoker(with_joker),
            joker_card_bonus=reader.flag("joker_card_bonus"),
        ),
        kids=kids,
        same_target=reader.flag("same_target"),
        double_down_bonus=reader.flag("double_down_bonus"),
        quick_draw_doubled=reader.flag("quick_draw_doubled"),
        drawer_plays_jokers=reader.choice("duel_joker_card", ("drawer", "nobody"))
        == "drawer",
        duel_stake=reader.number("duel_stake", 0),
        six_of_a_kind=reader.flag("six_of_a_kind"),
        hand_order=tuple(HandName(name) for name in order),
        deck=deck,
        dice_set=reader.card_dice(),
    )
