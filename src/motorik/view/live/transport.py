"""Transports: the ways by which pages of a session are told, and by which they speak."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from motorik.errors import MotorikError
from motorik.view.live.clients import Data
from motorik.view.live.messages import read_message
from motorik.view.live.notices import notice


class Transport(Protocol):
    """A way to some pages: the socket of a server, or the channel of a notebook's kernel.

    What its pages say goes through `hear`; a page that comes gets the greeting first.
    """

    @property
    def count(self) -> int:
        """How many pages look."""
        ...

    def send(self, messages: Mapping[str, Data]) -> None:
        """Send messages by key to all pages; of a key only the newest must arrive."""
        ...

    def stop(self) -> None:
        """End it."""
        ...


def hear(
    data: Data,
    receive: Callable[[dict[str, Any]], None],
    answer: Callable[[str, Data], object],
) -> None:
    """Pass on what a page says, if it may say that; else answer with a notice."""
    try:
        receive(read_message(data))
    except MotorikError as error:
        answer("notice", notice("warning", str(error)))
