"""What each rule says, in a few words: for the list of rules and their tests."""

from __future__ import annotations

PAGES: dict[str, str] = {
    "CM": "Common to all games",
    "HD": "Hands",
    "CL": "Classic",
    "BH": "Best hand",
    "RM": "Rummy",
    "SH": "Showdown",
    "WR": "War",
    "SS": "Straight Shooter",
    "SQ": "Squint",
    "OD": "Odds",
}

_WORDS: dict[str, str] = {
    "CM": """\
the state is what replaying the accepted actions gives
a refused action changes nothing and its rule is named
one start, different names, options of the right kind and range
unknown actions, players and words, and malformed fields
only whoever's turn it is acts
known, but not possible at this moment
after the end only undo, redo and correct
undo takes back one change, across turns and the end
redo brings it back, until something new happens
a corrected roll re-scores all that follows, the winner too
a correction that forbids a later action is refused
a die that lay kept is corrected in every roll it lay through
a roll names all dice
only faces that these dice have
no face twice at once
with a known layout no two faces of one die
a kept die keeps its face
at most three rolls a turn
what can be kept, and when
no roll while all dice are kept
a selection holds for one roll
a turn is scored when the player says so, after one roll or more""",
    "HD": """\
how faces are written, and what is understood beside that
five to nine faces make a hand
no face twice in a hand
jokers as blanks
wild jokers stand for the best missing card
the order of the hands
what each hand is, and what breaks ties
the ace is high and low, and nothing goes round
the best of all choices, whatever the order of the faces
ties go by ranks, never by suits
six of a kind, and playing without it
which faces a hand uses: natural ones first
when a roll contains a hand
when a roll contains the exact cards""",
    "CL": """\
any number of players, who start without chips
the deck: targets and shootout cards, each once
rounds, and whose turn comes next
the top card is drawn; one that is not in the pile is refused
discards become the pile when it is empty
three rolls for a target, stopping after any
exact: every pictured card shows
type: the hand with other cards, for half the chips
the better of exact and type is paid, never both
bonus for exact before the third roll, without a joker in it
younger players get all chips for the type
half of an odd number is never rounded
nothing need be declared: the dice at the stop count
jokers wild, and what an exact hand with one pays
jokers excluded, Joker cards with them
neither exact nor type: nothing
the stop pays and ends the turn
cards that are kept: the drawer draws again
Double-Down: after roll 1 and the selection, before roll 2
it doubles the chips of the turn, one a turn
Quick-Draw: on another's turn, at the same moment
it pays its player what the other wins
a selection under a card stands
Joker card: one more wild joker for the turn
Showdown: the drawer chooses another player
both roll for the best hand, the drawer first
the better hand wins, ties roll again
the winner takes chips of the loser, as far as there are any
a Showdown is the whole turn
cards used in a turn are discarded, held ones stay
most chips after the last round win
tied players go on, alone
one player alone
one target for all, and who draws it
shootout cards while one target is drawn for all
only cards that are held can be played""",
    "BH": """\
two players or more
one to three rolls each
the best five of nine, or six of a kind
jokers wild by agreement
the best hand gets the point; what happens when level
rounds, who begins them, and who wins""",
    "RM": """\
one player or more
three rolls, then stop
what sets and runs are
what the cards count
the split of the dice with the most points
jokers wild or blank
a number of rounds, highest total wins
or to a number of points, round completed
extra rounds when tied""",
    "SH": """\
exactly two players
five poker dice
three rolls, any dice again
one free row that the roll meets
the rows and their points
no row is scored twice
a row must be met
passing
the opponent gets a zero in the row
twelve rows, the higher total wins, equal ones share
a series of games
Triple Showdown
the maiden
straights, ace high only
five of a kind
a cap on turns
a row asks what the dice contain""",
    "WR": """\
exactly two players
who has which dice, and the draft
red and black
one toss each a battle
any own die may be tossed
both in their own colour
both in the other's colour
both black
both red
equal ranks toss again
jokers
only case a wins the pot; always eight dice
who has no dice has lost
a set of games
the colour of a toss is that of its suit""",
    "SS": """\
three or four players
24 cards in four suits
other cards are refused
the deal
who leads, and only cards that are held
following suit when hands are known
a revoke that shows later
the highest of the suit led wins
a point a trick, after the deal
all tricks count double
to 32 points, after a whole deal
the draw of a shootout
the deal of a shootout
another shootout when still level""",
    "SQ": """\
three to eight players
first builder, side and timer
the die names the item and its chips
the builder takes a card
the left neighbour turns the timer
what clues may be given
who may guess, and when
time runs out
builder and guesser are paid the number
the roles pass to the left
rounds, and most chips win
a tie-breaker among the tied
who builds in it
rounds for new players""",
    "OD": """\
first-roll counts of every hand
chance of a hand with best play
expected chips with best play
the best keep and its value
to nine places
exact, by backward induction""",
}

RULE_WORDS: dict[str, str] = {
    f"{page}-{number:02}": words
    for page, lines in _WORDS.items()
    for number, words in enumerate(lines.splitlines(), start=1)
}
"""Rule number to words, in the order of the pages."""
