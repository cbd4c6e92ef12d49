"""Transports: the connections between a session and its pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from motorik.errors import MotorikError
from motorik.view.live.clients import Data
from motorik.view.live.messages import notice, read_message

Name = tuple[object, ...]
"""The identity of a page: a transport and its own name for the page."""
Receive = Callable[[dict[str, Any], Name], None]
"""Takes a message of a page; it must not wait, and may refuse it by a `MotorikError`."""
Leave = Callable[[Name], None]
"""Takes notice that a page is gone."""


class Transport(Protocol):
    """A way to some pages: the socket of a server, or the channel of a notebook's kernel.

    Messages of its pages go through `receive_message`; a new page gets the greeting first, and
    a closed page is reported, so that its drag ends.
    """

    @property
    def count(self) -> int:
        """The number of connected pages."""
        ...

    def send(self, messages: Mapping[str, Data]) -> None:
        """Send messages by key to all pages; of a key only the newest must arrive."""
        ...

    def answer(self, page: Name, key: str, data: Data) -> None:
        """Send a message to one page, if it is one of its own."""
        ...

    def stop(self) -> None:
        """End it."""
        ...


def receive_message(
    data: Data, name: Name, receive: Receive, answer: Callable[[str, Data], object]
) -> None:
    """Pass on a message of a page if it is valid; else answer with a notice."""
    try:
        receive(read_message(data), name)
    except MotorikError as error:
        answer("notice", notice("warning", str(error)))
