"""Messages of live pages: what a page may say, read and checked before anything acts on it."""

from __future__ import annotations

import json
import math
from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from motorik.errors import MotorikError, ParameterError
from motorik.immutable import immutable
from motorik.view.live.saving import FORMS
from motorik.view.scene.blob import in_range
from motorik.view.scene.scene import Scene, SceneRun

# --- notices to the user of a page ---------------------------------------------------------


LEVELS = ("info", "warning", "error")


def notice(level: str, text: str, part: str | None = None) -> str:
    """Return a notice as the message of it."""
    return json.dumps({"type": "notice", "level": level, "part": part, "text": text})


def notice_of(error: Exception) -> str:
    """Return an error as a notice at its part; one that is not ours with its type."""
    if isinstance(error, MotorikError):
        return notice("error", str(error), error.place or None)
    return notice("error", f"{type(error).__name__}: {error}")


# --- frames: scenes, poses and runs as the messages by which pages get them ----------------


BLOBS = ("values", "poses", "time")  # of a run: large


def scene_message(scene: Scene) -> str:
    """Return a scene as a message."""
    return f'{{"type":"scene","scene":{scene.text()}}}'


def file_message(name: str, data: bytes) -> str:
    """Return a file for the user of a page as a message."""
    return json.dumps(
        {"type": "file", "name": name, "data": b64encode(data).decode("ascii")}
    )


def frame_message(t: float, poses: np.ndarray, values: np.ndarray) -> bytes:
    """Return a frame: the time, the poses of all rigid groups, the values of all channels."""
    numbers = in_range(poses, "<f4").tobytes() + in_range(values, "<f4").tobytes()
    return np.float64(t).tobytes() + numbers


def run_message(run: SceneRun) -> str:
    """Return a recorded run as a message."""
    said = run.to_json()
    blobs = {name: said[name]["data"] for name in BLOBS}  # of letters and digits alone
    said |= {name: {**said[name], "data": f"@{name}"} for name in BLOBS}
    text = json.dumps({"type": "run", "run": said}, allow_nan=False)
    for name, data in blobs.items():
        text = text.replace(f'"@{name}"', f'"{data}"', 1)
    return text


LARGEST = 65_536  # bytes of a message of a page
LONGEST_TEXT = 1_000  # characters of an id or a name
LONGEST_STEP = 60.0  # s that a page may request at once
PHASES = ("begin", "move", "end", "cancel")
MODES = ("kinematics", "statics", "dynamics")
DRAG, TURN = "drag", "turn"

Check = Callable[[object], Any]
"""Returns a field as it is used, or raises ValueError or TypeError."""


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError
    if not math.isfinite(value):
        raise ValueError
    return float(value)


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError
    if abs(value) > LARGEST:  # numbers of rigid groups and parts
        raise ValueError
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    if len(value) > LONGEST_TEXT:
        raise ValueError
    return value


def _point(value: object) -> tuple[float, float, float]:
    if not isinstance(value, list) or len(value) != 3:
        raise TypeError
    x, y, z = map(_number, value)
    return x, y, z


def _value(value: object) -> float | str | bool:
    if isinstance(value, bool):
        return value
    return _text(value) if isinstance(value, str) else _number(value)


def _speed(value: object) -> float:
    """Return a speed; null stands for as fast as it can."""
    found = math.inf if value is None else _number(value)
    if found <= 0.0:
        raise ValueError
    return found


def _step(value: object) -> float:
    found = _number(value)
    if not 0.0 < found <= LONGEST_STEP:
        raise ValueError
    return found


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _one_of(*known: str) -> Check:
    def check(value: object) -> str:
        if not isinstance(value, str) or value not in known:
            raise ValueError
        return value

    return check


def _view(value: object) -> dict[str, Any]:
    """Return where a page looks from: places [m], angle [deg], width by height."""
    if not isinstance(value, dict):
        raise TypeError
    found: dict[str, Any] = {name: _point(value[name]) for name in ("eye", "target", "up")}
    found["angle"], found["aspect"] = _number(value["angle"]), _number(value["aspect"])
    if not 0.0 <= found["angle"] < 150.0 or not 0.1 <= found["aspect"] <= 10.0:
        raise ValueError
    if found["eye"] == found["target"] or not any(found["up"]):
        raise ValueError
    return found


def _maybe(check: Check) -> Check:
    return lambda value: None if value is None else check(value)


@immutable
class MessageKind:
    """A kind of message: the fields that it must have, and those that it may have."""

    needed: Mapping[str, Check]
    optional: Mapping[str, tuple[Check, object]]


HELD: dict[str, tuple[Check, object]] = {
    "mode": (_one_of(*MODES), MODES[0]),
    "keep_speed": (_flag, False),
}
KINDS: dict[str, MessageKind] = {
    "set": MessageKind({"id": _text, "value": _value}, {}),
    "press": MessageKind({"id": _text}, {}),
    "play": MessageKind({}, {}),
    "pause": MessageKind({}, {}),
    "reset": MessageKind({}, {"own": (_flag, False)}),
    "step": MessageKind({"dt": _step}, {}),
    "speed": MessageKind({"value": _speed}, {}),
    "seek": MessageKind({"t": _number}, {}),
    "watch": MessageKind({"part": _whole}, {}),
    "save": MessageKind({"form": _one_of(*FORMS)}, {"view": (_maybe(_view), None)}),
    DRAG: MessageKind(
        {"phase": _one_of(*PHASES), "group": _whole},
        {
            "point": (_point, (0.0, 0.0, 0.0)),
            "target": (_maybe(_point), None),
            "part": (_maybe(_whole), None),
            **HELD,
        },
    ),
    TURN: MessageKind(
        {"phase": _one_of(*PHASES), "name": _text},
        {"value": (_maybe(_number), None), **HELD},
    ),
}


def read_message(data: str | bytes) -> dict[str, Any]:
    """Return the fields of a message of a page, checked; refuse anything else."""
    if isinstance(data, bytes):
        raise _refused("a binary message")
    if len(data) > LARGEST:
        raise _refused(f"{len(data)} characters at once")
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        raise _refused(f"{data[:40]!r}, which is not JSON") from None
    type_ = found.get("type") if isinstance(found, dict) else None
    if not isinstance(type_, str) or type_ not in KINDS:
        raise _refused(f"a message of the unknown type {_brief(type_)}")
    kind = KINDS[type_]
    read: dict[str, Any] = {"type": type_}
    for name, check in kind.needed.items():
        read[name] = _field(found, name, check)
    for name, (check, default) in kind.optional.items():
        read[name] = _field(found, name, check) if name in found else default
    return read


def _field(found: Mapping[str, object], name: str, check: Check) -> object:
    try:
        return check(found[name])
    except (KeyError, TypeError, ValueError, OverflowError):
        seen = _brief(found[name]) if name in found else "nothing"
        raise _refused(f"{found['type']!r} with {name} = {seen}") from None


def _brief(value: object) -> str:
    """Return a value for a message, short; of lists and objects only their kind."""
    if isinstance(value, (list, dict)):
        return f"{'a list' if isinstance(value, list) else 'an object'} of {len(value)}"
    if isinstance(value, int) and abs(value) > 1 << 64:
        return "a number of many digits"
    return repr(value[:40] if isinstance(value, str) else value)


def _refused(what: str) -> ParameterError:
    return ParameterError(
        "live page",
        f"sent {what}.",
        f"There are messages of the types {', '.join(KINDS)}.",
        parameter="message",
    )
