"""The words every package shares: suits, ranks, jokers and the faces of the dice."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

RANKS = "A23456789TJQK"
"""Rank letters, ace first: `RANKS[rank - 1]` writes a rank of 1 (ace) to 13 (king)."""

POKER_DIE_RANKS = "9TJQKA"
"""The six faces of a poker die, low to high."""


class ScoringError(Exception):
    """Anything that the scoring package refuses."""


class FaceCodeError(ScoringError, ValueError):
    """A text that is not the code of a face.

    Attributes:
        text: what was given, unchanged.
    """

    def __init__(self, text: str, expected: str) -> None:
        super().__init__(f"{text!r} is not a face: expected {expected}")
        self.text = text


class Colour(StrEnum):
    """Ink colour of a suit or joker."""

    RED = "red"
    BLACK = "black"


class Suit(StrEnum):
    """Suit of a card; the value is the letter written to disk."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"

    @property
    def colour(self) -> Colour:
        """Hearts and diamonds are red, spades and clubs black."""
        return Colour.RED if self in (Suit.HEARTS, Suit.DIAMONDS) else Colour.BLACK

    @property
    def symbol(self) -> str:
        """The filled Unicode suit sign."""
        return _SYMBOLS[self]


_SYMBOLS = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}
_SUIT_OF_SIGN = {
    **{sign: suit.value for suit, sign in _SYMBOLS.items()},
    **dict(zip("♤♡♢♧", "SHDC", strict=True)),
}


@dataclass(frozen=True, slots=True)
class Card:
    """One playing-card face.

    Attributes:
        rank: 1 (ace) to 13 (king). Whether an ace counts high is for a rule to say.
        suit: the suit.
    """

    rank: int
    suit: Suit

    def __post_init__(self) -> None:
        if not 1 <= self.rank <= len(RANKS):
            raise ValueError(f"rank must be 1..{len(RANKS)}, not {self.rank}")

    @property
    def code(self) -> str:
        """Canonical code: rank letter and suit letter, as in `TS`."""
        return RANKS[self.rank - 1] + self.suit

    @property
    def colour(self) -> Colour:
        """Ink colour of the suit."""
        return self.suit.colour


@dataclass(frozen=True, slots=True)
class Joker:
    """One of the two joker faces, told apart by colour."""

    colour: Colour

    @property
    def code(self) -> str:
        """`RJ` or `BJ`."""
        return "RJ" if self.colour is Colour.RED else "BJ"


@dataclass(frozen=True, slots=True)
class PokerFace:
    """A face of a poker die: a rank without a suit.

    Attributes:
        rank: 1 (ace) or 9 to 13 (king).
    """

    rank: int

    def __post_init__(self) -> None:
        if self.rank != 1 and not 9 <= self.rank <= 13:
            raise ValueError(f"rank of a poker die must be 1 or 9..13, not {self.rank}")

    @property
    def code(self) -> str:
        """The bare rank letter, as in `T`."""
        return RANKS[self.rank - 1]


@dataclass(frozen=True, slots=True)
class SquintFace:
    """A face of the Squint die.

    Attributes:
        number: 1 to 3; each is on two faces of the die.
    """

    number: int

    def __post_init__(self) -> None:
        if not 1 <= self.number <= 3:
            raise ValueError(f"number of a Squint face must be 1..3, not {self.number}")

    @property
    def code(self) -> str:
        """The bare digit."""
        return str(self.number)


Face = Card | Joker | PokerFace | SquintFace

CARDS = tuple(Card(rank, suit) for suit in Suit for rank in range(1, 14))
JOKERS = (Joker(Colour.RED), Joker(Colour.BLACK))
CARD_DICE_FACES: tuple[Face, ...] = (*CARDS, *JOKERS)
"""The 54 faces: spades, hearts, diamonds, clubs, each ace to king, then RJ, BJ."""

POKER_DICE_FACES: tuple[Face, ...] = tuple(
    PokerFace(RANKS.index(letter) + 1) for letter in POKER_DIE_RANKS
)
SQUINT_FACES: tuple[Face, ...] = tuple(SquintFace(number) for number in (1, 2, 3))

ALL_FACES: tuple[Face, ...] = (*CARD_DICE_FACES, *POKER_DICE_FACES, *SQUINT_FACES)
"""Every face of every kind of die in the one order that models and label files use."""

_BY_CODE: dict[str, Face] = {face.code: face for face in ALL_FACES}

EXPECTED = (
    "a rank A 2-9 T J Q K with a suit S H D C, a joker RJ or BJ, "
    "a poker-die rank 9 T J Q K A or a Squint number 1 2 3"
)


def parse_face(text: str) -> Face:
    """Read a face code leniently: `10h`, `th`, `10♥` and spaces around are fine.

    Rules HD-01: `JS` is the jack of spades; `JK` (which joker?) is never guessed.

    Raises:
        FaceCodeError: the text is not a face.
    """
    code = text.strip().upper().replace("\ufe0e", "").replace("\ufe0f", "")
    for sign, letter in _SUIT_OF_SIGN.items():
        code = code.replace(sign, letter)
    if code.startswith("10"):
        code = "T" + code[2:]
    face = _BY_CODE.get(code)
    if face is None:
        raise FaceCodeError(text, EXPECTED)
    return face
