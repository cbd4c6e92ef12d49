"""Clients of a live server: the queue of each, with the newest message of every kind."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection

PATIENCE = 20.0  # s that a client may take for one message before it is given up
MOST_NOTICES = 50  # waiting for one client

Data = str | bytes


class Waiting:
    """Messages that wait, by key. A newer one of a key replaces the older.

    So a page on a slow line sees fewer frames, not later ones, and nothing waits for it.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, Data] = {}
        self._notices = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, key: str, data: Data) -> None:
        """Queue a message, replacing an older one of its kind; notices are kept up to a limit."""
        if key == "notice":
            if sum(own.startswith("notice") for own in self._waiting) >= MOST_NOTICES:
                return
            self._notices += 1
            key = f"notice {self._notices}"
        self._waiting.pop(key, None)
        self._waiting[key] = data

    def take(self) -> Data:
        """Return the message that has waited the longest, and remove it from those that wait."""
        return self._waiting.pop(next(iter(self._waiting)))


class Client:
    """One page, and what waits for it."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket
        self._waiting = Waiting()
        self._wake = asyncio.Event()

    def put(self, key: str, data: Data) -> None:
        """Queue a message, replacing an older one of its kind."""
        self._waiting.put(key, data)
        self._wake.set()

    async def send_all(self) -> None:
        """Send what waits, as fast as the page takes it, until the connection ends."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                sending = self.socket.send(self._waiting.take())
                await asyncio.wait_for(sending, PATIENCE)
