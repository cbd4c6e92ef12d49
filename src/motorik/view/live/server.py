"""Server: one page and one socket on one port, for all pages of a session.

It runs in a thread of its own. It serves on this machine only, by default; page and
socket need the token of the address, and a socket must come from a page of this server.
"""

from __future__ import annotations

import asyncio
import errno
import hmac
import http
import re
import secrets
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from motorik.errors import MotorikError, ParameterError, SimulationError
from motorik.view.argument_checks import check_count, check_text
from motorik.view.live.clients import Client, Data
from motorik.view.live.messages import LARGEST
from motorik.view.live.transport import Leave, Name, Receive, receive_message

if TYPE_CHECKING:
    from websockets.asyncio.server import Server as SocketServer
    from websockets.asyncio.server import ServerConnection
    from websockets.http11 import Request, Response

LOCAL = ("127.0.0.1", "localhost", "::1")
NAMES = ("127.0.0.1", "localhost", "[::1]")  # the same, as a request names them
SOCKET = "/socket"
CLOSING = 2.0  # s that closing may take
MOST_CLIENTS = 64  # pages at once
AUTHORITY = re.compile(r"(?P<name>[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")
"""A host and its port, as the header Host of a request has them."""


class Server:
    """Serves the page of a session and passes messages on, from and to all its pages.

    `page(path of the socket)` is the page, `greeting()` what a page gets first, by key,
    `receive(message, page)` takes what pages say, `leave(page)` is called when one is gone;
    they must not wait.
    """

    def __init__(
        self,
        page: Callable[[str], str],
        greeting: Callable[[], Mapping[str, Data]],
        receive: Receive,
        host: str = LOCAL[0],
        port: int = 0,
        leave: Leave = lambda page: None,
    ) -> None:
        self.port = check_count("live", "port", port, 0, 65535)
        self.host, self.token = check_text("live", "host", host), secrets.token_urlsafe(16)
        self._page, self._greeting = page, greeting
        self._receive, self._leave = receive, leave
        self.largest = LARGEST  # bytes of a message of a page
        self.may_be_framed = False  # in pages of other addresses: in a notebook
        self._clients: set[Client] = set()
        self._loop = asyncio.new_event_loop()
        self._over: asyncio.Event | None = None
        self._ready = threading.Event()
        self._fault: OSError | None = None
        self._thread = threading.Thread(
            target=self._run, name="motorik live server", daemon=True
        )

    @property
    def url(self) -> str:
        """The address of the page, with its token."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        if self.host in ("0.0.0.0", "::", ""):
            host = "127.0.0.1"
        return f"http://{host}:{self.port}/?token={self.token}"

    @property
    def socket_path(self) -> str:
        """The address of the socket on the same host, with its token."""
        return f"{SOCKET}?token={self.token}"

    @property
    def count(self) -> int:
        """How many pages are connected."""
        return len(self._clients)

    # --- from the session ----------------------------------------------------------------------

    def start(self) -> None:
        """Serve, in a thread; return when the port is open."""
        self._thread.start()
        self._ready.wait()
        if self._fault is not None:
            self._thread.join()
            raise self._explained(self._fault)

    def _explained(self, fault: OSError) -> MotorikError:
        if fault.errno == errno.EADDRINUSE:
            why = f"the port {self.port} is in use."
            remedy = "Give another one, or port=0 for any that is free."
        else:
            why = f"cannot serve at {self.host}:{self.port}: {fault.strerror or fault}."
            remedy = "Give a host of this machine and a port from 1024 to 65535, or port=0."
        return ParameterError("live", why, remedy, parameter="port", value=self.port)

    def send(self, messages: Mapping[str, Data]) -> None:
        """Send to all pages; of a key only the newest arrives where pages are slow."""
        if self._clients:
            self._in_loop(lambda: self._put(messages))

    def answer(self, page: Name, key: str, data: Data) -> None:
        """Send a message to one page, if it is one of these."""
        for client in page:
            if isinstance(client, Client) and client in self._clients:
                self._in_loop(lambda own=client: own.put(key, data))

    def _put(self, messages: Mapping[str, Data]) -> None:
        for client in self._clients:
            for key, data in messages.items():
                client.put(key, data)

    def stop(self) -> None:
        """Close all sockets and the port."""
        if self._thread.is_alive():
            self._in_loop(lambda: self._over.set() if self._over is not None else None)
            self._thread.join(2 * CLOSING + 1.0)
        elif not self._loop.is_closed():  # it has never served
            self._loop.close()

    def _in_loop(self, function: Callable[[], object]) -> None:
        try:
            self._loop.call_soon_threadsafe(function)
        except RuntimeError:  # the loop is over: there is nobody left
            return

    # --- in the thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        except OSError as fault:
            self._fault = fault
        finally:
            self._ready.set()
            self._loop.close()

    async def _serve(self) -> None:
        from websockets.asyncio.server import serve

        self._over = asyncio.Event()
        options = {"compression": None, "max_size": self.largest, "close_timeout": CLOSING}
        async with serve(
            self._talk,
            self.host,
            self.port,
            process_request=self._answer,
            **options,  # type: ignore[arg-type]
        ) as server:
            self.port = self._port_of(server)
            self._ready.set()
            await self._over.wait()

    @staticmethod
    def _port_of(server: SocketServer) -> int:
        return int(next(iter(server.sockets)).getsockname()[1])

    async def _talk(self, socket: ServerConnection) -> None:
        """Serve one page until it is gone."""
        from websockets.exceptions import ConnectionClosed

        if len(self._clients) >= MOST_CLIENTS:
            await socket.close(1013, f"{MOST_CLIENTS} pages are connected already")
            return
        client = Client(socket)
        for key, data in self._greeting().items():
            client.put(key, data)
        self._clients.add(client)
        sending = asyncio.ensure_future(client.send_all())
        sending.add_done_callback(lambda task: self._gave_up(client, task))
        try:
            async for data in socket:
                self._take(client, data)
        except ConnectionClosed:
            return
        finally:
            self._clients.discard(client)
            sending.cancel()
            self._leave((client,))

    def _gave_up(self, client: Client, task: asyncio.Future[None]) -> None:
        """Disconnect a page that does not receive its messages."""
        if not task.cancelled() and task.exception() is not None:
            client.socket.transport.abort()

    def _take(self, client: Client, data: Data) -> None:
        receive_message(data, (client,), self._receive, client.put)

    # --- requests ----------------------------------------------------------------------------

    def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer a request; None where it opens a socket."""
        path, _, query = request.path.partition("?")
        if path not in ("/", SOCKET):
            return connection.respond(http.HTTPStatus.NOT_FOUND, "There is nothing here.\n")
        given = token_of(query)
        if not hmac.compare_digest(given.encode(), self.token.encode()):
            return connection.respond(
                http.HTTPStatus.FORBIDDEN,
                "Open the address that was printed, with its token.\n",
            )
        hosts, origins = (request.headers.get_all(name) for name in ("Host", "Origin"))
        if not self._is_own(hosts, origins):
            return connection.respond(
                http.HTTPStatus.FORBIDDEN, "This page may not talk to this server.\n"
            )
        if path == SOCKET:
            return None
        return _page(self._page(self.socket_path), self.may_be_framed)

    def _is_own(self, hosts: list[str], origins: list[str]) -> bool:
        """Return whether a request is for this server and comes from its own page or a program."""
        if len(hosts) != 1 or len(origins) > 1:
            return False
        found = AUTHORITY.fullmatch(hosts[0])
        if found is None:
            return False
        if self.host in LOCAL and found["name"].lower() not in NAMES:
            return False  # another name that leads here: not the page that the user opened
        return not origins or origins[0] == f"http://{hosts[0]}"


def token_of(query: str) -> str:
    """Return the token of a query, "" where there is none that can be read."""
    try:
        return parse_qs(query, max_num_fields=8).get("token", [""])[0]
    except ValueError:
        return ""


def _page(text: str, may_be_framed: bool) -> Response:
    from websockets.datastructures import Headers
    from websockets.http11 import Response

    body = text.encode()
    headers = Headers(
        [
            ("Content-Type", "text/html; charset=utf-8"),
            ("Content-Length", str(len(body))),
            ("Cache-Control", "no-store"),
            ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"),
            *(() if may_be_framed else [("X-Frame-Options", "SAMEORIGIN")]),
            ("Connection", "close"),
        ]
    )
    return Response(200, "OK", headers, body)


def check_websockets() -> None:
    """Refuse a live page where the package that serves it is missing."""
    try:
        import websockets  # noqa: F401
    except ImportError:
        raise SimulationError(
            "live",
            "the package websockets is not installed.",
            "Install motorik[view].",
        ) from None
