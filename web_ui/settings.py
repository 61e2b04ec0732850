"""Settings: one frozen value, read once from `tableside.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, TypeGuard, get_type_hints

from scoring.games import GAMES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class SettingsError(ValueError):
    """A settings file that cannot be used.

    Attributes:
        path: the file.
        key: dotted key at fault, empty if the file as a whole is.
    """

    def __init__(self, path: Path, key: str, sentence: str) -> None:
        where = f"{path}: {key}" if key else str(path)
        super().__init__(f"{where}: {sentence}")
        self.path = path
        self.key = key


def _between(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise ValueError(f"{name} must be {low}..{high}, not {value}")


def _one_of(name: str, value: str, *words: str) -> None:
    if value not in words:
        raise ValueError(f"{name} must be {' or '.join(words)}, not {value!r}")


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """How the pages are served.

    Attributes:
        host: address to listen on; anything but loopback is reachable by others.
        names: further names under which the table may be opened in the network.
        port: TCP port; 0 takes a free one.
        streams: most event streams at once.
        viewers: most viewers of the live picture at once.
        heartbeat_s: seconds of silence after which a stream sends a heartbeat.
    """

    host: str = "127.0.0.1"
    names: tuple[str, ...] = ()
    port: int = 8765
    streams: int = 64
    viewers: int = 8
    heartbeat_s: float = 10.0

    def __post_init__(self) -> None:
        if not self.host:
            raise ValueError("host must be an address, not empty")
        _between("port", self.port, 0, 65535)
        _between("streams", self.streams, 1, 400)
        _between("viewers", self.viewers, 1, 64)
        _between("heartbeat_s", self.heartbeat_s, 0.05, 60)


@dataclass(frozen=True, slots=True)
class VideoSettings:
    """The live picture on the page.

    Attributes:
        width_px: widest picture sent; smaller frames are sent as they are.
        frames_per_s: most pictures a second for each viewer.
        quality: JPEG quality.
    """

    width_px: int = 960
    frames_per_s: float = 12.0
    quality: int = 80

    def __post_init__(self) -> None:
        _between("width_px", self.width_px, 160, 3840)
        _between("frames_per_s", self.frames_per_s, 0.5, 60)
        _between("quality", self.quality, 10, 95)


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """How patient the camera's thread is.

    Attributes:
        stalled_after_s: seconds without a picture until the page says so.
        retry_s: seconds between tries to open a lost source again.
    """

    stalled_after_s: float = 1.5
    retry_s: float = 1.0

    def __post_init__(self) -> None:
        _between("stalled_after_s", self.stalled_after_s, 0.2, 60)
        _between("retry_s", self.retry_s, 0.05, 60)


@dataclass(frozen=True, slots=True)
class GameSettings:
    """What is played.

    Attributes:
        name: the game that is played first, as game scripts call it.
        players: different, non-empty names in seat order (rules CM-03).
        jokers_wild: whether jokers stand for cards (rules CL-14, CL-15).
        bonus: chips for an exact hand in fewer than three rolls (rules CL-10).
        dice_set: name of the dice set.
        readings_kept: how many readings keep their picture.
    """

    name: str = "classic"
    players: tuple[str, ...] = ("Player 1", "Player 2")
    jokers_wild: bool = True
    bonus: int = 2
    dice_set: str = "square-shooters"
    readings_kept: int = 100

    def __post_init__(self) -> None:
        check_players(self.players)
        _between("bonus", self.bonus, 0, 100)
        _between("readings_kept", self.readings_kept, 1, 10_000)
        if self.name not in GAMES:
            raise ValueError(
                f"name must be one of {', '.join(GAMES)}, not {self.name!r}"
            )

    @property
    def options(self) -> dict[str, object]:
        """What departs from the game's own defaults, as its start names it."""
        known = GAMES[self.name].options
        agreed: dict[str, object] = {
            "jokers_wild": self.jokers_wild,
            "bonus": self.bonus,
        }
        return {
            key: value
            for key, value in agreed.items()
            if key in known and value != known[key]
        }


@dataclass(frozen=True, slots=True)
class TraySettings:
    """Where dice count.

    Attributes:
        file: keeps the trays of all cameras; a path from where the program is started.
    """

    file: str = "tableside-trays.json"

    def __post_init__(self) -> None:
        if not self.file.strip() or "\0" in self.file:
            raise ValueError("file must be a path, not empty")


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """Where games are kept.

    Attributes:
        folder: keeps events, pictures and logins; a path from where the program is
            started.
        url: SQLAlchemy URL of another database for the events; empty for a file in
            the folder.
    """

    folder: str = "tableside-data"
    url: str = ""

    def __post_init__(self) -> None:
        if not self.folder.strip() or "\0" in self.folder:
            raise ValueError("folder must be a path, not empty")


@dataclass(frozen=True, slots=True)
class AccessSettings:
    """Who has to log in.

    Attributes:
        login: `network`: where others in the network can reach the table; `always`:
            on this machine too, as behind a proxy.
        viewers: `code`: looking needs the viewers' code; `open`: anybody may look.
        https: a proxy in front serves https: cookies are sent over it only.
        session_hours: how long a login lasts.
    """

    login: str = "network"
    viewers: str = "code"
    https: bool = False
    session_hours: float = 16.0

    def __post_init__(self) -> None:
        _one_of("login", self.login, "network", "always")
        _one_of("viewers", self.viewers, "code", "open")
        _between("session_hours", self.session_hours, 0.1, 24 * 31)


@dataclass(frozen=True, slots=True)
class TableSettings:
    """Agreements of the house.

    Attributes:
        advice: whether the table shows what to keep; can be switched on the page.
        turn_s: seconds of the timer that a turn may take; 0 for none.
    """

    advice: bool = True
    turn_s: float = 0.0

    def __post_init__(self) -> None:
        _between("turn_s", self.turn_s, 0, 3600)


@dataclass(frozen=True, slots=True)
class BoxSettings:
    """Button boxes.

    Attributes:
        ports: serial ports to look at; `auto` for all that look like a box, none to
            do without.
        seats: boxes of single players, as in `box-7=Ann`; all others are the table's.
        roll: what the button does: accept, next, undo, redo, timer or nothing.
        next: the same.
        undo: the same.
        timer: the same.
    """

    ports: tuple[str, ...] = ("auto",)
    seats: tuple[str, ...] = ()
    roll: str = "accept"
    next: str = "next"
    undo: str = "undo"
    timer: str = "timer"

    def __post_init__(self) -> None:
        for seat in self.seats:
            box, _, player = seat.partition("=")
            if not box.strip() or not player.strip():
                raise ValueError(f"seats must be like 'box-7=Ann', not {seat!r}")
        for name in ("roll", "next", "undo", "timer"):
            action = getattr(self, name)
            if action not in BOX_ACTIONS:
                known = ", ".join(BOX_ACTIONS)
                raise ValueError(f"{name} must be one of {known}, not {action!r}")


@dataclass(frozen=True, slots=True)
class CaptureSettings:
    """Rolls kept from play, to learn from.

    Attributes:
        keep: `doubtful`: what the reader asked, refused or had wrong; `all`; `off`.
        budget_mb: most disk that pictures may take.
    """

    keep: str = "doubtful"
    budget_mb: int = 1000

    def __post_init__(self) -> None:
        _one_of("keep", self.keep, "off", "doubtful", "all")
        _between("budget_mb", self.budget_mb, 1, 1_000_000)


BOX_ACTIONS = ("accept", "next", "undo", "redo", "timer", "nothing")
MOST_PLAYERS = 12
LONGEST_NAME = 24


def check_players(names: tuple[str, ...]) -> None:
    """Refuse seats that cannot play (rules CM-03).

    Raises:
        ValueError: nobody, too many, a name empty, too long or twice.
    """
    if not 1 <= len(names) <= MOST_PLAYERS:
        raise ValueError(f"players must be 1..{MOST_PLAYERS} names, not {len(names)}")
    for name in names:
        if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
            raise ValueError(
                f"a player's name must have 1..{LONGEST_NAME} signs, not {name!r}"
            )
    if len({name.strip().casefold() for name in names}) < len(names):
        raise ValueError(f"players' names must differ, not {list(names)}")


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set; each part's docstring says what its keys mean."""

    server: ServerSettings = field(default_factory=ServerSettings)
    video: VideoSettings = field(default_factory=VideoSettings)
    camera: CameraSettings = field(default_factory=CameraSettings)
    game: GameSettings = field(default_factory=GameSettings)
    tray: TraySettings = field(default_factory=TraySettings)
    store: StoreSettings = field(default_factory=StoreSettings)
    access: AccessSettings = field(default_factory=AccessSettings)
    table: TableSettings = field(default_factory=TableSettings)
    box: BoxSettings = field(default_factory=BoxSettings)
    capture: CaptureSettings = field(default_factory=CaptureSettings)


def load_settings(path: Path) -> Settings:
    """Read a settings file; what it does not name keeps its default.

    Raises:
        SettingsError: unreadable, not TOML, an unknown key, a wrong type or a value
            outside its range; names file, key and value.
    """
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise SettingsError(path, "", f"cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(path, "", f"is not TOML: {error}") from error
    settings = Settings()
    parts: dict[str, Any] = {}
    for key, table in data.items():
        part = getattr(settings, key, None) if key in Settings.__slots__ else None
        if not is_dataclass(part):
            raise SettingsError(path, key, f"unknown, expected {_listed(settings)}")
        if not isinstance(table, dict):
            raise SettingsError(path, key, f"must be a table, not {table!r}")
        parts[key] = _fill(path, key, part, table)
    return replace(settings, **parts)


def _fill(path: Path, table_key: str, part: Any, table: Mapping[str, object]) -> Any:
    hints = get_type_hints(type(part))
    values: dict[str, object] = {}
    for key, value in table.items():
        dotted = f"{table_key}.{key}"
        if key not in hints:
            sentence = f"unknown ({value!r}), expected {_listed(part)}"
            raise SettingsError(path, dotted, sentence)
        values[key] = _typed(path, dotted, value, hints[key])
    try:
        return replace(part, **values)
    except ValueError as error:
        raise SettingsError(path, table_key, str(error)) from error


def _typed(path: Path, key: str, value: object, kind: object) -> object:
    if kind is bool and isinstance(value, bool):
        return value
    if kind is int and isinstance(value, int) and not isinstance(value, bool):
        return value
    if kind is float and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if kind is str and isinstance(value, str):
        return value
    if kind == tuple[str, ...] and _is_texts(value):
        return tuple(value)
    raise SettingsError(path, key, f"must be {_KINDS[kind]}, not {value!r}")


def _is_texts(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


_KINDS: dict[object, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    tuple[str, ...]: "a list of texts",
}


def _listed(part: Any) -> str:
    return ", ".join(item.name for item in fields(part))
