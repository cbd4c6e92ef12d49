"""Pages without a browser: a client of a session's socket that keeps what it is told."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from websockets.sync.client import connect


def address(session, path: str | None = None) -> str:
    """Return the address of the socket of a session."""
    server = session._pages.server
    return f"ws://127.0.0.1:{server.port}{path or server.socket_path}"


def wait_until(holds: Callable[[], object], what: str, within: float = 40.0) -> None:
    """Wait until something holds, however busy the machine is."""
    end = time.monotonic() + within
    while not holds():
        assert time.monotonic() < end, f"{what} never happened"
        time.sleep(0.02)


class Page:
    """One client: the newest message of each type, the last frame, all notices."""

    def __init__(self, session, **options: Any) -> None:
        self._open = connect(address(session), max_size=None, **options)
        self.socket = self._open.__enter__()
        self.told: dict[str, Any] = {}
        self.notices: list[dict[str, Any]] = []
        self.frames: list[bytes] = []

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *error: object) -> None:
        self._open.__exit__(None, None, None)

    def say(self, kind: str, **fields: object) -> None:
        self.socket.send(json.dumps({"type": kind, **fields}))

    def listen(
        self, until: Callable[[], object] = lambda: False, within: float = 10.0
    ) -> None:
        """Take messages until something holds, or nothing comes any more."""
        over = time.monotonic() + within
        while not until() and time.monotonic() < over:
            try:
                data = self.socket.recv(timeout=0.1)
            except TimeoutError:
                continue
            if isinstance(data, bytes):
                self.frames.append(data)
                continue
            message = json.loads(data)
            self.told[message["type"]] = message
            if message["type"] == "notice":
                self.notices.append(message)

    def wait_for(self, until: Callable[[], object], within: float = 20.0) -> None:
        self.listen(until, within)
        assert until(), (self.told.keys(), self.notices[-3:], len(self.frames))

    @property
    def values(self) -> dict[str, float]:
        return self.told.get("values", {"widgets": {}})["widgets"]

    @property
    def time(self) -> float:
        return float(np.frombuffer(self.frames[-1][:8], "<f8")[0])

    def poses(self, count: int) -> np.ndarray:
        """Return the poses of the last frame, of so many rigid groups."""
        numbers = np.frombuffer(self.frames[-1][8:], "<f4")
        return numbers[: 7 * count].reshape(count, 7)
