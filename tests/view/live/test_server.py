"""The server of live pages: who may talk to it, and what nobody can do to it."""

import json
import socket
import time
import urllib.error
import urllib.request

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from motorik.errors import ParameterError
from motorik.view.live.server import Server
from tests.view.live.models import Pendulum, page
from tests.view.live.pages import Page, address

QUIET = {"open": False, "page": page}


@pytest.fixture(scope="module")
def session():
    with Pendulum().live(**QUIET) as session:
        yield session


def answer(url: str, **headers: str) -> tuple[int, str]:
    request = urllib.request.Request(url, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as found:
            return found.status, found.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_the_page_needs_its_token(session):
    status, text = answer(session.url)
    assert status == 200 and "/socket?token=" in text
    base = session.url.split("?")[0]
    for wrong in (base, f"{base}?token=", f"{base}?token=abc", f"{base}?other=1"):
        assert answer(wrong)[0] == 403
    assert answer(session.url.replace("/?", "/secret?"))[0] == 404


def refusal(session, **options) -> int:
    with pytest.raises(InvalidStatus) as refused, connect(**options):
        pass
    return refused.value.response.status_code


def test_the_socket_needs_its_token_and_its_own_page(session):
    assert refusal(session, uri=address(session, "/socket?token=abc")) == 403
    assert refusal(session, uri=address(session), origin="http://evil.example") == 403
    port = session._pages.server.port
    assert (
        refusal(session, uri=address(session), origin=f"http://127.0.0.1:{port + 1}") == 403
    )
    with connect(address(session), origin=f"http://127.0.0.1:{port}", max_size=None) as own:
        assert json.loads(own.recv(timeout=60))["type"] == "scene"


def test_another_name_for_this_machine_does_not_help(session):
    """A page of another site that makes its own name lead here has that name as its host."""
    port = session._pages.server.port
    assert answer(session.url, Host=f"evil.example:{port}")[0] == 403
    assert answer(session.url, Host=f"localhost:{port}")[0] == 200


def test_it_is_on_this_machine_alone(session):
    server = session._pages.server
    assert server.host == "127.0.0.1"
    with socket.socket() as other:
        other.settimeout(0.5)
        own = socket.gethostbyname(socket.gethostname())
        if own.startswith("127."):
            pytest.skip("this machine has no address but its own")
        with pytest.raises(OSError):
            other.connect((own, server.port))


def test_a_port_in_use_is_named(session):
    port = session._pages.server.port
    with pytest.raises(ParameterError, match=f"port {port} is in use") as refused:
        Pendulum().live(port=port, **QUIET)
    assert "port=0" in str(refused.value)


def test_a_host_that_is_not_here_is_named():
    with pytest.raises(ParameterError, match="cannot serve"):
        Pendulum().live(host="192.0.2.1", **QUIET)


GARBAGE = [
    "garbage",
    b"\x00\xff",
    "[]",
    "null",
    '{"type": 1}',
    '{"type": "explode"}',
    '{"type": "set"}',
    '{"type": "set", "id": 5, "value": 1}',
    '{"type": "set", "id": "Parameters/body.m", "value": NaN}',
    '{"type": "set", "id": "Parameters/body.m", "value": [1]}',
    '{"type": "set", "id": "Parameters/body.m", "value": "many"}',
    '{"type": "set", "id": "nobody", "value": 1}',
    '{"type": "press", "id": "nobody"}',
    '{"type": "step", "dt": -1}',
    '{"type": "step", "dt": 1e999}',
    '{"type": "speed", "value": 0}',
    '{"type": "drag", "phase": "begin", "group": 99, "target": [0, 0, 0]}',
    '{"type": "drag", "phase": "begin", "group": 0, "target": [0, 0, 0]}',
    '{"type": "drag", "phase": "begin", "group": 1, "target": [0, 0]}',
    '{"type": "drag", "phase": "hold", "group": 1}',
    '{"type": "turn", "phase": "begin", "name": "nobody.phi", "value": 1}',
    '{"type": "turn", "phase": "begin", "name": "hinge.phi", "value": "x"}',
    "[" * 5000,
]


def test_it_survives_garbage(session):
    with Page(session) as client:
        client.wait_for(lambda: client.frames)
        for k, data in enumerate(GARBAGE, start=1):
            client.socket.send(data)
            client.wait_for(lambda k=k: len(client.notices) >= k)
        client.say("step", dt=0.1)
        client.wait_for(lambda: client.time > 0.05)
    assert session["body.m"] == 1.0


def test_what_is_too_long_ends_only_that_page(session):
    with Page(session) as client, Page(session) as other:
        client.socket.send("x" * 200_000)
        time.sleep(0.3)
        other.say("set", id="Parameters/body.m", value=1.0)
        other.wait_for(lambda: other.frames)


def test_a_page_that_vanishes_is_forgotten(session):
    with Page(session) as stays:
        stays.wait_for(lambda: stays.frames)
        gone = Page(session)
        gone.wait_for(lambda: gone.frames)
        assert session.clients == 2
        gone.socket.socket.close()  # as if the machine was switched off
        session.play()
        stays.wait_for(lambda: session.clients == 1, within=40.0)
        session.pause()


def test_a_slow_page_misses_frames_and_holds_nothing_up():
    """A socket that is not read: the simulation runs on in time, others get every frame."""
    with Pendulum().live(fps=100.0, **QUIET) as session:
        slow = Page(session)
        with Page(session) as fast:
            fast.wait_for(lambda: fast.frames)
            session.play()
            fast.wait_for(lambda: session.time > 1.0 and len(fast.frames) > 50)
            waiting = [len(client._waiting) for client in session._pages.server._clients]
            assert max(waiting) < 10
        slow.socket.socket.close()


def test_closing_closes_all_sockets():
    session = Pendulum().live(**QUIET)
    server = session._pages.server
    clients = [Page(session) for _ in range(3)]
    for client in clients:
        client.wait_for(lambda c=client: c.frames)
    session.close()
    session.close()
    assert not server._thread.is_alive()
    with socket.socket() as other:
        assert other.connect_ex(("127.0.0.1", server.port)) != 0
    again = Server(page, dict, lambda message, page: None, port=server.port)
    again.start()  # the port is free at once
    again.stop()
    for client in clients:
        client.socket.close()
