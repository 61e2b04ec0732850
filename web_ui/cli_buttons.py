"""`tableside buttons`: show the live traffic of button boxes."""

from __future__ import annotations

import json
import queue
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_bridge.boxes import ButtonBoxes
from firmware_bridge.events import (
    HOLDS,
    BoxState,
    Button,
    Connected,
    Lost,
    Pressed,
    Released,
)
from firmware_bridge.simulated_box import SimulatedBox
from firmware_bridge.virtual_box import Fault, VirtualBox
from web_ui.cli_button_errands import give_name, measure

if TYPE_CHECKING:
    import argparse

    from firmware_bridge.events import BoxEvent

EVENTS = 256
"""Most events waiting to be printed; a box keeps what has no room."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    parser = subparsers.add_parser(
        "buttons",
        help="show what button boxes say; a hold toggles its light",
        epilog="Exit: 0 a box was there, 1 none was. Ends with Ctrl-C.",
    )
    parser.add_argument(
        "--port", default="auto", help="port of the box (auto: all in by-id)"
    )
    parser.add_argument(
        "--virtual", action="store_true", help="a box in software that presses itself"
    )
    parser.add_argument(
        "--fault",
        action="append",
        default=[],
        choices=[fault.value for fault in Fault],
        help="misbehaviour of the virtual box; may be repeated",
    )
    parser.add_argument(
        "--seconds", type=float, default=None, metavar="S", help="stop after S seconds"
    )
    parser.add_argument("--name", help="give the one box that is there this name")
    parser.add_argument(
        "--measure",
        type=int,
        metavar="N",
        help="press N times (--virtual or --simulated), print the median time",
    )
    parser.add_argument(
        "--simulated",
        type=Path,
        metavar="FOLDER",
        help="the firmware in simavr: folder with box.hex and simulate, as "
        "`make -C firmware_bridge/firmware simulator` builds them",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON a line")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print events until the time is over."""
    if args.fault and not args.virtual:
        print("--fault is for the virtual box: add --virtual", file=sys.stderr)
        return 2
    if args.measure is not None and not (args.measure > 0 and _made_up(args)):
        print("--measure N needs N over 0, --virtual or --simulated", file=sys.stderr)
        return 2
    events: queue.Queue[BoxEvent] = queue.Queue(EVENTS)
    try:
        virtual = _box(args)
    except OSError as error:
        print(f"--simulated {args.simulated}: {error}", file=sys.stderr)
        return 2
    ports = [virtual.port] if virtual else None if args.port == "auto" else [args.port]
    boxes = ButtonBoxes(lambda event: _offer(events, event), ports)
    try:
        if args.measure is not None and virtual:
            return measure(args.measure, events, virtual)
        if args.name is not None:
            return give_name(args.name, events, boxes)
        return _watch(args, events, boxes, virtual)
    finally:
        boxes.stop()
        if virtual:
            virtual.close()


def _made_up(args: argparse.Namespace) -> bool:
    return bool(args.virtual) or args.simulated is not None


def _box(args: argparse.Namespace) -> VirtualBox | SimulatedBox | None:
    if args.simulated is not None:
        return SimulatedBox(args.simulated / "simulate", args.simulated / "box.hex")
    if args.virtual:
        return VirtualBox(faults=frozenset(map(Fault, args.fault)))
    return None


def _offer(events: queue.Queue[BoxEvent], event: BoxEvent) -> bool:
    try:
        events.put_nowait(event)
    except queue.Full:
        return False
    return True


def _watch(
    args: argparse.Namespace,
    events: queue.Queue[BoxEvent],
    boxes: ButtonBoxes,
    virtual: VirtualBox | SimulatedBox | None,
) -> int:
    until = float("inf") if args.seconds is None else time.monotonic() + args.seconds
    lights: dict[str, tuple[bool, ...]] = {}
    seen, told, beat = False, "", 0
    while time.monotonic() < until:
        try:
            event = events.get(timeout=0.2)
        except queue.Empty:
            if virtual and seen:  # a press, then its release, button by button
                push = virtual.release if beat % 2 else virtual.press
                push(Button(beat // 2 % len(Button)))
                beat += 1
            why = "; ".join(status.reason for status in boxes.status())
            if why not in (told, "not tried yet"):
                told = why
                print(why, file=sys.stderr)
            continue
        seen = True
        if isinstance(event, Pressed) and event.button < HOLDS:
            lit = list(lights.get(event.box, (False,) * HOLDS))
            lit[event.button] = not lit[event.button]
            lights[event.box] = tuple(lit)
            boxes.show(BoxState(tuple(lit)), event.box)
        print(_as_json(event) if args.json else _as_text(event), flush=True)
    return 0 if seen else 1


def _as_json(event: BoxEvent) -> str:
    facts = asdict(event)
    if isinstance(event, Pressed | Released):
        facts["button"] = event.button.name.lower()
    return json.dumps({"event": type(event).__name__.lower(), **facts})


def _as_text(event: BoxEvent) -> str:
    match event:
        case Connected(box, port):
            return f"{box}: connected on {port}"
        case Lost(box, _, reason):
            return f"{box}: lost ({reason})"
        case Pressed(box, button):
            return f"{box}: {button.name.lower()} down"
        case Released(box, button):
            return f"{box}: {button.name.lower()} up"
