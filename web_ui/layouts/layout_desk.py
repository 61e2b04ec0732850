"""The desk of layouts: follows the rolls in the store, takes what people say."""

from __future__ import annotations

import logging
import shlex
import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from datasets.enrolment.set_folder import SETS, SetFolder
from scoring.dice_sets import DiceSet, DiceSetError, parse_layout, reference_dice_set
from web_ui.layouts.asking import AskError
from web_ui.layouts.notes import (
    FOLDER,
    MOST_WRONG,
    REAL,
    VIRTUAL,
    Notes,
    read_notes,
    virtual_games,
    write_notes,
)
from web_ui.layouts.question import MOST_GAMES, Answer, Question
from web_ui.layouts.standing import LayoutState, Standing, proposal_of
from web_ui.settings import StoreSettings

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)

LOOK_S = 5.0
"""Pause between looks at the store's end; a look costs nothing."""
MANY_EVENTS = 60
"""So many new events are about a dozen rolls: time to tell the layout anew ..."""
QUIET_LOOKS = 4
"""... as are any, once so many looks found none: the game is over, or rests."""
RETRY_LOOKS = 12
"""After trouble it is asked again once so many looks, a minute, found nothing new."""


class LayoutRefusedError(ValueError):
    """What was said cannot be done; the message says why, for people."""


class LayoutDesk(threading.Thread):
    """Follows the store in the background. May be spoken to from any thread.

    Args:
        data: data folder of the table.
        store: file or address of the store.
        head: number of the last event in it.
        dice_set: the dice that are played with.
        game: id of the game on the table; empty if there is none.
        ask: asks the store; takes seconds.
        stop_asking: makes `ask` give up.
        virtual: whether the dice are drawn.
        store_id: id of the store.

    Attributes:
        data: data folder of the table.
    """

    def __init__(
        self,
        data: Path,
        store: str,
        head: Callable[[], int],
        dice_set: DiceSet,
        game: Callable[[], str],
        ask: Callable[[Question], Answer],
        stop_asking: Callable[[], None] = lambda: None,
        *,
        virtual: bool = False,
        store_id: Callable[[], str] = lambda: "",
    ) -> None:
        super().__init__(name="layouts", daemon=True)
        self.data = data
        self._store, self._head, self._game = store, head, game
        self._ask, self._stop_asking, self._virtual = ask, stop_asking, virtual
        self._path = data / FOLDER / (VIRTUAL if virtual else REAL)
        self._store_id = store_id
        self._stopping = threading.Event()
        self._lock, self._asking = threading.Lock(), threading.Lock()
        self._asked_at = self._seen_at = -1
        self._quiet = 0
        self._asked_name = ""
        state = LayoutState(dice_set.dice is not None, dice_set.name)
        try:
            state = replace(state, notes=read_notes(self._path))
        except OSError as error:
            state = replace(state, trouble=f"{self._path.name}: {error.strerror}")
        self._state = replace(state, command=self._command(state.notes))

    @property
    def state(self) -> LayoutState:
        """How it stands; from any thread."""
        return self._state

    def run(self) -> None:
        """Look until stopped."""
        while not self._stopping.is_set():
            self.look()
            self._stopping.wait(LOOK_S)

    def look(self) -> None:
        """Look at the end of the store once; ask if there is enough that is new."""
        head = self._head()
        self._quiet = self._quiet + 1 if head == self._seen_at else 0
        self._seen_at = head
        new = head != self._asked_at or (
            self._state.trouble and self._quiet % RETRY_LOOKS == 0
        )
        rests = self._quiet >= QUIET_LOOKS and new
        many = not 0 <= head - self._asked_at < MANY_EVENTS  # fewer: another store
        if self._asked_at < 0 or many or rests:
            self.tell_anew()

    def tell_anew(self) -> None:
        """Ask the store now; from the desk's own thread, or one that may wait."""
        with self._asking:  # an older answer must not come after a newer one
            self._asked_at = self._head()
            if self._state.standing is Standing.KNOWN:
                return  # there is nothing to tell
            try:
                self._mind_store()
                self._note_game()
                question = self._question()
                found = self._ask(question)
            except (AskError, OSError) as error:
                self._fail(str(error))
                return
            with self._lock:
                notes = self._state.notes
                if (notes.since, notes.name) != (question.since, self._asked_name):
                    self._asked_at = -1  # people spoke: it was another question
                    return
                self._state = replace(self._state, answer=found, trouble="")

    def _question(self) -> Question:
        with self._lock:
            notes = self._state.notes
        self._asked_name = notes.name
        return Question(
            self._store,
            notes.since,
            () if self._virtual else virtual_games(self.data),
            notes.games if self._virtual else None,
            notes.dice or None,
            notes.confirmed_at,
        )

    def _mind_store(self) -> None:
        """Begin anew where another store is in use: its numbers mean other events."""
        with self._lock:
            notes = self._state.notes
            now = notes.in_store(self._store_id(), self._head())
            if now != notes:
                asked_at = self._asked_at
                self._keep(now)
                self._asked_at = asked_at

    def _note_game(self) -> None:
        """Remember that the game on the table is played with drawn dice."""
        game = self._game() if self._virtual else ""
        with self._lock:
            notes = self._state.notes
            if game and game not in notes.games:
                games = (*notes.games, game)[-MOST_GAMES:]
                asked_at = self._asked_at
                self._keep(replace(notes, games=games))
                self._asked_at = asked_at

    def _fail(self, words: str) -> None:
        if words != self._state.trouble:
            log.warning("the layout of the dice cannot be told: %s", words)
        with self._lock:
            self._state = replace(self._state, trouble=words)

    def use(self, name: str, by: str, proposal: str) -> LayoutState:
        """Confirm the proposed layout: keep it as a set.

        Args:
            name: of the set.
            by: who confirms it.
            proposal: which one is meant, as `proposal_of` says.

        Raises:
            LayoutRefusedError: it is not the one that is proposed, or the name will
                not do.
            OSError: it cannot be kept.
        """
        with self._lock:
            state = self._proposed(proposal)
            sets = SetFolder(self.data / SETS)
            try:
                if name in sets.names():
                    raise LayoutRefusedError(
                        f"There is a set {name} already: choose another name."
                    )
                dice = parse_layout([[*die] for die in state.answer.dice])
                sets.save(replace(reference_dice_set(), name=name, dice=dice))
            except DiceSetError as error:
                raise LayoutRefusedError(f"{error}.") from error
            return self._keep(
                replace(
                    state.notes,
                    name=name,
                    dice=state.answer.dice,
                    by=by,
                    confirmed_at=self._head(),
                    put_off=0,
                    store=self._store_id(),
                )
            )

    def put_off(self, proposal: str) -> LayoutState:
        """Not now: propose it again when many more rolls agree.

        Raises:
            LayoutRefusedError: it is not the one that is proposed.
            OSError: it cannot be kept.
        """
        with self._lock:
            state = self._proposed(proposal)
            return self._keep(
                replace(
                    state.notes, put_off=state.answer.throws, store=self._store_id()
                )
            )

    def wrong(self, die: int | None, by: str, proposal: str) -> LayoutState:
        """The layout is wrong: begin anew with the rolls from now on.

        A set that was made of it stays in its folder.

        Args:
            die: which die is not so, from 0; None if it is not known.
            by: who says so.
            proposal: which layout is meant.

        Raises:
            LayoutRefusedError: no such layout is shown, or it has no such die.
            OSError: it cannot be kept.
        """
        with self._lock:
            state = self._shown(proposal)
            if die is not None and not 0 <= die < len(state.dice):
                raise LayoutRefusedError(f"There is no die {die + 1}.")
            said = (by, () if die is None else state.dice[die])
            notes = Notes(
                since=self._head(),
                wrong=(*state.notes.wrong, said)[-MOST_WRONG:],
                games=state.notes.games,
                store=self._store_id(),
            )
            kept = self._keep(notes)
            self._state = replace(kept, answer=Answer())
            return self._state

    def _proposed(self, proposal: str) -> LayoutState:
        state = self._shown(proposal)
        if state.standing not in (Standing.PROPOSED, Standing.PUT_OFF):
            raise LayoutRefusedError("No layout is proposed now.")
        return state

    def _shown(self, proposal: str) -> LayoutState:
        state = self._state
        if not state.dice or proposal != proposal_of(state.dice):
            raise LayoutRefusedError(
                "Another layout is shown by now: look at it again."
            )
        return state

    def _keep(self, notes: Notes) -> LayoutState:
        """Keep notes in the file, then here; under the lock."""
        write_notes(self._path, notes)
        self._asked_at = -1  # asked anew with the next look
        self._state = replace(self._state, notes=notes, command=self._command(notes))
        return self._state

    def _command(self, notes: Notes) -> str:
        if not notes.name:
            return ""
        words = ["tableside", "play", "--set", notes.name]
        if self.data != Path(StoreSettings().folder):
            words += ["--data", str(self.data)]
        if self._virtual:
            words.append("--virtual")
        return shlex.join(words)

    def stop(self, deadline_s: float) -> None:
        """End the thread, waiting for it at most `deadline_s`."""
        self._stopping.set()
        self._stop_asking()
        if self.is_alive():
            self.join(deadline_s)
