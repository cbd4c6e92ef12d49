"""Messages that no page of ours would send: each is refused in words, and nothing breaks."""

import json
import random
import socket
import warnings

import pytest

from motorik.errors import MotorikError, ParameterError
from motorik.view.live.messages import KINDS, LARGEST, read_message
from tests.assembly.four_bars import four_bar
from tests.view.live.models import Pendulum, page
from tests.view.live.pages import Page

QUIET = {"open": False, "page": page}
STRANGE = [
    *(
        None,
        True,
        False,
        0,
        -1,
        99,
        10**9,
        10**400,
        1e308,
        -1e308,
        5e-324,
        1e200,
        1e20,
        1e6,
    ),
    *(float("nan"), float("inf"), "", "x", "hinge.phi", "drive.phi", "\ud800", "a" * 5000),
    *(
        [],
        [1],
        [0, 0, 0],
        [1e308] * 3,
        [1e308, -1e308, 0],
        [None] * 3,
        ["x"] * 3,
        [[1]] * 3,
    ),
    *({}, {"a": 1}, [[[[[]]]]]),
]
LIKELY = {
    "phase": ["begin", "move", "end", "cancel"],
    "group": [0, 1, 2],
    "mode": ["kinematics", "statics"],
    "name": ["drive.phi", "hinge.phi"],
    "point": [[0, 0, 0], [0.5, 0, 0]],
    "target": [[0.5, 0.3, 0], [0, 1, 0]],
    "value": [0.3, 1.0],
    "dt": [0.01],
    "part": [0, 1],
}


def fields_of(kind):
    return [*KINDS[kind].needed, *KINDS[kind].optional]


def test_every_field_with_every_value_is_taken_or_refused_in_words():
    for kind in [*KINDS, *STRANGE]:
        known = isinstance(kind, str) and kind in KINDS
        for name in fields_of(kind) if known else ["value"]:
            for value in STRANGE:
                told = (
                    {own: LIKELY.get(own, ["x"])[0] for own in fields_of(kind)}
                    if known
                    else {}
                )
                text = json.dumps({**told, "type": kind, name: value})
                try:
                    read_message(text)
                except ParameterError as error:
                    assert len(str(error)) < 400
    for deep in (
        "[" * 30_000,
        '{"type":' * 9_000,
        '{"type": "set", "id": ' + "[" * 900 + "]" * 900,
    ):
        with pytest.raises(ParameterError):
            read_message(deep[:LARGEST])


@pytest.mark.slow
@pytest.mark.parametrize("make", [Pendulum, lambda: four_bar(drive={"w": 0.0})])
def test_random_messages_leave_a_session_as_it_should_be(make):
    rng = random.Random(7)
    with make().live(**QUIET) as session, warnings.catch_warnings():
        warnings.simplefilter("error")  # such as overflow
        layout = session.player.base.layout
        first_speed = layout.motion_names[layout.n_q]
        for name in (layout.motion_names[0], first_speed, *layout.live_names):
            session.panel("Numbers").number(name)  # without limits
        given = {name: session[name] for name in layout.live_names}
        likely = {**LIKELY, "id": list(session.panels.widgets)}
        for _ in range(250):
            kind = rng.choice(list(KINDS))
            told = {"type": kind}
            for name in fields_of(kind):
                usual = name in likely and rng.random() < 0.7
                told[name] = rng.choice(likely[name] if usual else STRANGE)
            own = (rng.choice("ab"),)
            try:
                message = read_message(json.dumps(told))
                session.do(lambda m=message, o=own: session.acting.act(m, o))
            except MotorikError:
                pass
            session.pause()
            session.do(session._send_all)
            if rng.random() < 0.05:
                session.reset(own=True)
        for own in ("a", "b"):
            session.do(lambda o=own: session.acting.leave((o,)))
        for name, value in given.items():  # one may have become 1e308
            session.set(name, value)
        session.reset(own=True)
        session.step(0.1)
        assert session.time == pytest.approx(0.1)


def test_a_value_that_is_refused_leaves_the_one_in_force_on_the_page():
    with Pendulum().live(**QUIET) as session, Page(session) as client:
        client.wait_for(lambda: client.frames)
        session.panel("Numbers").number("body.m")
        client.wait_for(lambda: "Numbers/body.m" in str(client.told["panel"]))
        client.listen(within=0.2)
        client.told.pop("values", None)
        client.say("set", id="Numbers/body.m", value=-1.0)
        client.wait_for(lambda: client.notices and "values" in client.told)
        assert client.values["Numbers/body.m"] == 1.0 == session["body.m"]


def ask(server, *lines):
    """Return the first line that a server answers to lines of a request."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        line.sendall("\r\n".join([*lines, "", ""]).encode("latin-1"))
        return line.recv(100).decode("latin-1").split("\r\n")[0]


def test_only_names_of_this_machine_are_hosts(caplog):
    with Pendulum().live(**QUIET) as session:
        server = session._pages.server
        get = f"GET /?token={server.token} HTTP/1.1"
        evil = (
            "[::1]evil",
            "[::1",
            "::1",
            "127.0.0.1.evil",
            "localhost:80:90",
            "",
            "[]",
            "a b",
        )
        for host in (*evil, "localhost@evil", "evil:80", "127.0.0.1/x", "localhost:port"):
            assert "200" not in ask(server, get, f"Host: {host}"), host
        for host in ("[::1]", "LocalHost", "127.0.0.1", f"localhost:{server.port}"):
            assert "200" in ask(server, get, f"Host: {host}"), host
        for path in ("//[", "/?token=%ff", "/?" + "a=1&" * 50, "http://[/"):
            said = ask(server, f"GET {path} HTTP/1.1", "Host: localhost")
            assert "403" in said or "404" in said, said
    assert not [one for one in caplog.records if one.exc_info]
