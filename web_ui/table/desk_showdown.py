"""Showdown at the table: five poker dice and one score card for two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.game_showdown import DICE, row_points
from scoring.rolling import MOST_ROLLS
from scoring.showdown_rows import ROWS, TRIPLETS, fits
from web_ui.table.desk import Choice, Record, Turn
from web_ui.table.needs import Need

if TYPE_CHECKING:
    from scoring.cards import Face
    from scoring.game_showdown import ShowdownState


def row_title(row: str) -> str:
    """Name a row of the score card: `Full house`, `Three kings`."""
    words = row.replace("_", " ")
    return f"Three {words}" if row in TRIPLETS else words.capitalize()


class ShowdownDesk:
    """See `Desk`."""

    name = "showdown"
    title = "Showdown"
    unit = "points"
    players = (2, 2)
    summary = "Five poker dice; two players fill the rows of one score card."

    def need(self, state: ShowdownState) -> Need | None:
        """Five poker dice."""
        if state.over or not state.throws.can_roll:
            return None
        lying = state.throws.faces
        kept = {place: lying[place] for place in state.throws.kept_places}
        return Need(DICE, kept)

    def rolled(
        self, state: ShowdownState, faces: tuple[Face, ...]
    ) -> tuple[Record, ...]:
        """One roll."""
        return ({"do": "roll", "faces": [face.code for face in faces]},)

    def turn(self, state: ShowdownState) -> Turn:
        """The running turn."""
        throws = state.throws
        return Turn(
            state.players[state.actor],
            throws.rolls,
            MOST_ROLLS,
            throws.kept_places,
            throws.can_keep and not state.over,
        )

    def choices(self, state: ShowdownState) -> tuple[Choice, ...]:
        """The rows that the dice meet, and passing."""
        if state.over or not state.throws.can_stop:
            return ()
        taken = {scored.row for scored in state.card}
        five = state.options.five_is_full_house
        met = [
            (row_points(state, row), row)
            for row in ROWS
            if row not in taken and fits(row, state.throws.faces, five)
        ]
        most = max((points for points, _ in met), default=0)
        last = state.throws.count >= MOST_ROLLS
        rows = [
            Choice(
                row_title(row),
                {"do": "choose", "row": row},
                group="row",
                primary=last and points == most,
                detail=f"{points} points",
            )
            for points, row in sorted(met, reverse=True)
        ]
        nothing = Choice("Score nothing", {"do": "pass"}, primary=last and not met)
        return (*rows, nothing)

    def actor(self, state: ShowdownState) -> str | None:
        """Whose turn it is."""
        return None if state.over else state.players[state.actor]

    def hint(self, state: ShowdownState) -> str:
        """What to do next."""
        name = state.players[state.actor]
        if state.over:
            most = max(state.scores)
            pairs = zip(state.players, state.scores, strict=True)
            top = [player for player, score in pairs if score == most]
            return f"The game is over: {' and '.join(top)} won."
        if not state.throws.count:
            return f"{name}: roll the five poker dice."
        if state.throws.count < MOST_ROLLS:
            return f"{name}: keep dice and roll the others, or take a row."
        return f"{name}: take a row, or score nothing."

    def more(self, state: ShowdownState) -> Record:
        """The score card."""
        owners = {scored.row: scored for scored in state.card}
        rows = []
        for row in ROWS:
            scored = owners.get(row)
            rows.append(
                {
                    "row": row,
                    "title": row_title(row),
                    "owner": None if scored is None else state.players[scored.seat],
                    "points": row_points(state, row)
                    if scored is None
                    else scored.points,
                }
            )
        return {"rows": rows, "game": state.game, "games": state.options.games}
