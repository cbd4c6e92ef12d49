"""Links that are drawn in the 3-D view: from pin to pin, each an edit of the document.

A point of the view is a pin where frames of the mechanism are, else a place in the world. A link
is a body between two pins; a joint leads to it, and another one where it ends at a pin.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from motorik.algebra.matrix import IDENTITY
from motorik.algebra.pose import Pose
from motorik.algebra.vector import Vector
from motorik.components.base.composite import Composite
from motorik.components.base.ports import PortKind
from motorik.documents.changes import copied
from motorik.documents.operations import new_name
from motorik.documents.reading import Data, Json
from motorik.errors import MotorikError, ParameterError, suggest
from motorik.view.diagram.structure import role_of_class
from motorik.view.visuals.setting import FramePoses

COLUMN, ROW = 230, 100  # px between parts in the diagram
WIDE, HIGH = 190, 80  # px that a part needs there
DIGITS = 9  # of lengths against the largest one
ENDS = ("free", "pivot", "slider", "fixed")
"""What holds the end of a link that ends at no pin."""


class Sketch:
    """The frames of a model where they are now, and operations on its document.

    All poses are in the world; `operations` is one step of undo.
    """

    def __init__(self, data: Data, model: Composite, places: FramePoses) -> None:
        self.data, self.model = copied(data), model
        self.operations: list[Data] = []
        self.wired = {end for pair in data["connections"] for end in pair}
        self.poses: dict[str, Pose] = {}
        for part in model.parts.values():
            for port in part.ports():
                if port.kind is not PortKind.FRAME:
                    continue
                try:
                    self.poses[port.path] = places.pose_now(places.place(port))
                except (MotorikError, KeyError):
                    continue

    # --- links ---------------------------------------------------------------------------

    def link(self, begin: Data, end: Data, normal: Json = None, hold: str = "free") -> str:
        """Add a link from one pin to another; return the frame where the next one may begin.

        A pin is {"ports": […]} or {"at": [x, y, z]} [m]; at a place without frames the link
        begins at a pivot fixed in the world, and ends as `hold` says: free, at a pivot, at a
        slider along x, or fixed. Joints turn about the normal of the plane.
        """
        if hold not in ENDS:
            raise ParameterError(
                "link",
                f"cannot end {hold[:40]!r}.",
                suggest(hold, ENDS),
                parameter="end",
                value=hold,
            )
        n = _vector(normal if normal is not None else [0.0, 0.0, 1.0], "normal")
        if not float(n.norm()) > 0.0:
            raise ParameterError(
                "link", "lies in no plane.", "Give a normal.", parameter="normal"
            )
        p, q = self._place(begin), self._place(end)
        if _near(p, q):
            raise ParameterError(
                "link",
                "has no length.",
                "Let it end at another place.",
                parameter="end",
                value=_numbers(q),
            )
        start = self._start(begin, p)
        R = self.poses[start].R if start in self.poses else IDENTITY
        axis, r = R.T @ n, R.T @ (q - p)
        at = self._spot(start)
        if not self._is_open_joint(start):
            start = self._joint("Revolute", start, axis, at)
        link = self._add("BodyBox", {"r": _numbers(r)}, self._spot(start), "link")
        self._connect(start, f"{link}.frame_a")
        self._end(f"{link}.frame_b", end, q, axis, hold)
        return f"{link}.frame_b"

    def _end(self, tip: str, end: Data, q: Vector, axis: Vector, hold: str) -> None:
        """Hold the tip of a link at a pin, or at a place in the world."""
        if end.get("ports"):
            other = self._chosen(end)
            if self._is_open_joint(other):
                self._connect(tip, other)
            else:
                self._connect(self._joint("Revolute", tip, axis, self._spot(tip)), other)
            return
        if hold == "free":
            return
        ground = self._ground(q)
        if hold == "fixed":
            self._connect(tip, ground)
            return
        if hold == "slider":
            own = self._add("Prismatic", {}, self._spot(ground))
            self._connect(ground, f"{own}.frame_a")
            ground = f"{own}.frame_b"
        last = self._joint("Revolute", tip, axis, self._spot(tip))
        self._connect(last, ground)

    def _start(self, begin: Data, p: Vector) -> str:
        return self._chosen(begin) if begin.get("ports") else self._ground(p)

    def _joint(self, kind: str, at: str, axis: Vector, spot: Sequence[float]) -> str:
        """Add a joint at a frame; return its other frame."""
        n = _numbers(axis)
        own = self._add(kind, {} if n == [0.0, 0.0, 1.0] else {"n": n}, spot)
        self._connect(at, f"{own}.frame_a")
        return f"{own}.frame_b"

    def _ground(self, at: Vector) -> str:
        """Return a frame that is fixed in the world at a place."""
        worlds = [one["id"] for one in self.data["parts"] if one["class"] == "World"]
        world = worlds[0] if worlds else self._add("World", {}, self._spot(""))
        if not any(_numbers(at)):
            return f"{world}.frame_b"
        spot = self._spot(f"{world}.frame_b")
        own = self._add("FixedTranslation", {"r": _numbers(at)}, spot, "pivot")
        self._connect(f"{world}.frame_b", f"{own}.frame_a")
        return f"{own}.frame_b"

    # --- pins ----------------------------------------------------------------------------

    def move(self, ports: Sequence[str], to: Json) -> None:
        """Move a pin: links that meet there change their vectors r, their other ends stay.

        The pin is where the first of these frames is, `to` is its new place [m].
        """
        goal = _vector(to, "to")
        known = [self._known(one) for one in ports]
        delta = goal - self.poses[known[0]].p
        moved = False
        for port in known:
            id_, _, name = port.rpartition(".")
            part = self._part(id_)
            if not self._is_link(id_) or name not in ("frame_a", "frame_b"):
                continue
            moved = moved or name == "frame_b"
            sign = 1.0 if name == "frame_b" else -1.0
            r = self._r_of(part)
            R = self.poses[f"{id_}.frame_a"].R
            value: Json = _numbers(r + sign * (R.T @ delta))
            if isinstance(part.get("arguments", {}).get("r"), dict):
                value = {"parameter": value}
            self.operations.append({"op": "set", "id": id_, "field": "r", "value": value})
        if not moved:
            raise ParameterError(
                "pin",
                "stands where the world or a joint has it.",
                "Drag the far end of a link, or put a FixedTranslation between.",
                parameter="ports",
                value=known[0],
            )

    def _is_link(self, id_: str) -> bool:
        part = self.model.parts[id_]
        return (
            "r" in part.specs and {f"{id_}.frame_a", f"{id_}.frame_b"} <= self.poses.keys()
        )

    def _r_of(self, part: Data) -> Vector:
        id_ = part["id"]
        given = part.get("arguments", {}).get("r")
        inner = given.get("parameter") if isinstance(given, dict) else given
        if given is not None and not _is_triple(inner):
            raise ParameterError(
                id_,
                "is as long as a formula says.",
                "Change the parameter of the formula, or give numbers.",
                parameter="r",
            )
        a, b = self.poses[f"{id_}.frame_a"], self.poses[f"{id_}.frame_b"]
        return _vector(inner, "r") if inner is not None else a.R.T @ (b.p - a.p)

    # --- frames --------------------------------------------------------------------------

    def _place(self, pin: Data) -> Vector:
        if pin.get("ports"):
            return self.poses[self._chosen(pin)].p
        return _vector(pin.get("at"), "at")

    def _known(self, port: object) -> str:
        if not isinstance(port, str) or port not in self.poses:
            raise ParameterError(
                "pin",
                f"there is no frame {str(port)[:80]!r}.",
                suggest(str(port)[:80], self.poses),
                parameter="ports",
                value=port,
            )
        return port

    def _chosen(self, pin: Data) -> str:
        """Return the frame of a pin that a link is joined to: of a body before that of a joint.

        A joint that waits for its second body comes first.
        """
        ports = pin["ports"]
        if not isinstance(ports, list):
            raise ParameterError("pin", "has no list of frames.", parameter="ports")
        known = [self._known(one) for one in ports[:200]]
        waiting = [one for one in known if self._is_open_joint(one)]
        bodies = [one for one in known if self._role(one) != "joint"]
        return (waiting or bodies or known)[0]

    def _role(self, port: str) -> str:
        return role_of_class(type(self.model.parts[port.rpartition(".")[0]]))

    def _is_open_joint(self, port: str) -> bool:
        """Return whether a frame is that of a joint which nothing is connected to."""
        return port in self.poses and port not in self.wired and self._role(port) == "joint"

    def _part(self, id_: str) -> Data:
        return next(one for one in self.data["parts"] if one["id"] == id_)

    # --- edits ---------------------------------------------------------------------------

    def _add(
        self, kind: str, arguments: Data, at: Sequence[float], stem: str | None = None
    ) -> str:
        own = new_name(self.data, stem or kind)
        part = {"id": own, "class": kind, "arguments": arguments}
        self.operations.append({"op": "add", "part": part, "at": [*at]})
        self.data["parts"].append(part)
        self.data.setdefault("diagram", {})[own] = [*at]
        return own

    def _connect(self, a: str, b: str) -> None:
        self.operations.append({"op": "connect", "a": a, "b": b})
        self.wired |= {a, b}

    def _spot(self, near: str) -> tuple[float, float]:
        """Return a free place in the diagram right of a part."""
        places: Mapping[str, Sequence[float]] = self.data.get("diagram", {})
        at = places.get(near.rpartition(".")[0])
        if at is None:
            x, y = 0.0, max((one[1] + ROW for one in places.values()), default=0.0)
        else:
            x, y = at[0] + COLUMN, at[1]
        while any(abs(u - x) < WIDE and abs(v - y) < HIGH for u, v in places.values()):
            y += ROW
        return x, y


def _is_triple(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 3
        and all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in value)
    )


def _vector(value: Json, name: str) -> Vector:
    if not _is_triple(value):
        raise ParameterError(
            "pin",
            "is no place.",
            "Give three numbers [m].",
            parameter=name,
            value=str(value)[:80],
        )
    return Vector(*(float(x) for x in cast(list, value)))


def _near(p: Vector, q: Vector) -> bool:
    size = max(float(p.norm()), float(q.norm()))
    return float((p - q).norm()) <= 10.0**-DIGITS * size


def _numbers(v: Vector) -> list[float]:
    """Return the components, with rounding errors taken away."""
    values = [float(x) for x in v.xyz]
    largest = max(map(abs, values))
    if not largest:
        return [0.0, 0.0, 0.0]
    unit = 10.0**-DIGITS * largest
    return [0.0 if abs(x) < unit else float(f"{x:.{DIGITS}g}") for x in values]
