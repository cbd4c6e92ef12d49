"""Server of the studio: page, bundle, catalogue and socket on one port, all with one token."""

from __future__ import annotations

import gzip
import hmac
import html
import http
import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from motorik.errors import FileFormatError, MotorikError
from motorik.view.live.clients import Client, Data
from motorik.view.live.messages import notice
from motorik.view.live.server import LOCAL, SOCKET, Server, token_of

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection
    from websockets.http11 import Request, Response

LARGEST = 32_000_000  # bytes of a request: a document that a page opens
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' ws: wss:; "
    "media-src blob:; worker-src blob:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/studio.css?token={token}">
</head>
<body>
<div id="place" data-socket="{socket}" data-catalogue="/catalogue.json?token={token}"
 data-title="{title}"></div>
<script defer src="/studio.js?token={token}"></script>
</body>
</html>
"""
ASSETS = {"/studio.js": "text/javascript", "/studio.css": "text/css"}

Request_ = dict[str, Any]
Hear = Callable[[Request_, Client], None]


class StudioServer(Server):
    """Serves the pages of one studio; `hear(message, client)` must not wait."""

    def __init__(
        self,
        title: Callable[[], str],
        catalogue: Callable[[], str],
        greeting: Callable[[], Mapping[str, Data]],
        hear: Hear,
        host: str = LOCAL[0],
        port: int = 0,
        leave: Callable[[tuple[object, ...]], None] = lambda page: None,
    ) -> None:
        super().__init__(
            self._html, greeting, lambda message, page: None, host, port, leave
        )
        self._title, self._catalogue, self._hear = title, catalogue, hear
        self.largest = LARGEST

    def _html(self, socket: str) -> str:
        token = quote(self.token)
        title = html.escape(self._title(), quote=True)
        return PAGE.format(title=title, token=token, socket=html.escape(socket, quote=True))

    def tell(self, client: Client, key: str, data: Data) -> None:
        """Send a message to one page."""
        self._in_loop(lambda: client.put(key, data))

    def _take(self, client: Client, data: Data) -> None:
        try:
            self._hear(read_request(data), client)
        except MotorikError as error:
            client.put("notice", notice("warning", str(error)))

    def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer a request; None where it opens a socket."""
        path, _, query = request.path.partition("?")
        if path in ("/", SOCKET):
            return super()._answer(connection, request)
        if path not in (*ASSETS, "/catalogue.json"):
            return connection.respond(http.HTTPStatus.NOT_FOUND, "There is nothing here.\n")
        given = token_of(query)
        hosts, origins = (request.headers.get_all(name) for name in ("Host", "Origin"))
        is_known = hmac.compare_digest(given.encode(), self.token.encode())
        if not is_known or not self._is_own(hosts, origins):
            return connection.respond(
                http.HTTPStatus.FORBIDDEN,
                "Open the address that was printed, with its token.\n",
            )
        if path == "/catalogue.json":
            return _packed(self._catalogue(), "application/json")
        return _packed(asset(path), ASSETS[path])


def read_request(data: Data) -> Request_:
    """Return a message of a page; refuse what is no object of bounded depth."""
    if not isinstance(data, str) or len(data) > LARGEST:
        raise FileFormatError("studio", "a message of a page cannot be read.")
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not isinstance(found.get("type"), str):
        raise FileFormatError("studio", "a message of a page is no object with a type.")
    return found


@cache
def asset(path: str) -> str:
    """Return a file of the bundle."""
    file = files("motorik.view.studio") / "page" / path.lstrip("/")
    if not file.is_file():
        return "document.body.textContent = 'The page was not built.'" * path.endswith("js")
    return file.read_text("utf-8")


def _packed(text: str, kind: str) -> Response:
    from websockets.datastructures import Headers
    from websockets.http11 import Response

    body = gzip_of(text)
    headers = Headers(
        [
            ("Content-Type", f"{kind}; charset=utf-8"),
            ("Content-Encoding", "gzip"),
            ("Content-Length", str(len(body))),
            ("Cache-Control", "no-store"),
            ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"),
            ("Connection", "close"),
        ]
    )
    return Response(200, "OK", headers, body)


@cache
def gzip_of(text: str) -> bytes:
    """Return a text compressed; the same ones are pending for by every page."""
    return gzip.compress(text.encode("utf-8"), compresslevel=6, mtime=0)


SAFE = re.compile(r"[^\w.-]+")


def file_name(name: str, suffix: str) -> str:
    """Return the name of a file for the user's disk."""
    return f"{SAFE.sub('_', name)[:60] or 'model'}{suffix}"
