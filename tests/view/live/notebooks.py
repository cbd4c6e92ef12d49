"""A notebook without a kernel: a widget that keeps what a session posts, and pages in it."""

from __future__ import annotations

import gzip
import json
import threading
from typing import Any

from tests.view.live.pages import wait_until


class FakeWidget:
    """What a session needs of a widget."""

    def __init__(self, scene: bytes) -> None:
        self.scene, self.height = scene, 480
        self.posted: list[tuple[dict[str, Any], list[bytes]]] = []
        self._lock = threading.Lock()
        self._act: Any = None

    def send(self, parcel: dict[str, Any], buffers: list[bytes]) -> None:
        json.dumps(parcel, allow_nan=False)  # it has to travel as JSON
        with self._lock:
            self.posted.append((parcel, buffers))

    def on_msg(self, act: Any) -> None:
        self._act = act

    def hear(self, said: object) -> None:
        """Let the session hear what a page says."""
        self._act(self, said, [])

    def take(self) -> list[tuple[dict[str, Any], list[bytes]]]:
        """Return what was posted since it was taken last."""
        with self._lock:
            taken, self.posted = self.posted, []
        return taken


class NotebookPage:
    """A page in a cell: it says hello, keeps what it is told, and says what it has seen."""

    def __init__(self, widget: FakeWidget, name: str, answers: bool = True) -> None:
        self.widget, self.name, self.answers = widget, name, answers
        self.told: dict[str, Any] = {}
        self.notices: list[str] = []
        self.frames: list[bytes] = []
        self.scenes = 0
        self.heard = self.said = 0
        self.is_closed = False

    def say(self, say: str, **message: object) -> None:
        self.said += 1
        text = {"message": json.dumps(message)} if message else {}
        self.widget.hear({"page": self.name, "say": say, "n": self.said, **text})

    def listen(self, parcels) -> None:
        for parcel, buffers in parcels:
            if parcel["to"] not in ("", self.name):
                continue
            for part in parcel["parts"]:
                self._take(part, buffers)
            self.heard = parcel["heard"].get(self.name, self.heard)
            self.is_closed = self.is_closed or parcel.get("closed", False)
            if parcel["n"] and self.answers:
                self.widget.hear({"page": self.name, "say": "seen", "n": parcel["n"]})

    def _take(self, part: dict[str, Any], buffers: list[bytes]) -> None:
        if "frame" in part:
            self.frames.append(buffers[part["frame"]])
            return
        text = part["text"] if "text" in part else gzip.decompress(buffers[part["packed"]])
        message = json.loads(text)
        self.told[message["type"]] = message
        if message["type"] == "scene":
            self.scenes += 1
            self.frames.clear()  # those of the scene before
        if message["type"] == "notice":
            self.notices.append(message["text"])

    def wait_for(self, holds, what: str) -> None:
        def hears() -> bool:
            self.listen(self.widget.take())
            return bool(holds())

        wait_until(hears, what)
