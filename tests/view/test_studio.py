"""The studio's session: requests, edits seen by all pages, runs beside, files, recovery."""

from __future__ import annotations

import asyncio
import io
import json
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motorik import gallery
from motorik.documents import Document
from motorik.documents.diagnostics import page_words
from motorik.errors import SimulationError
from motorik.view.studio.command import main
from motorik.view.studio.hand import StudioHand
from motorik.view.studio.places import layout
from motorik.view.studio.runner import CancelledError, Runner
from motorik.view.studio.scenes import preview
from motorik.view.studio.session import StudioSession

websockets = pytest.importorskip("websockets")
WAIT = 60.0


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MOTORIK_HOME", str(tmp_path / "home"))
    return tmp_path


class Page:
    """A page without a browser."""

    def __init__(self, socket: Any, name: str) -> None:
        self.socket, self.name, self.number = socket, name, 0
        self.kept: list[dict[str, Any]] = []

    async def until(self, kind: str, **match: object) -> dict[str, Any]:
        """Return the first message of a kind with these fields that was not yet returned.

        Messages of other kinds are kept: a state that is told before the answer to a
        request is not lost.
        """
        fits = {"type": kind, **match}.items()
        for at, found in enumerate(self.kept):
            if all(found.get(key) == value for key, value in fits):
                return self.kept.pop(at)
        while True:
            data = await asyncio.wait_for(self.socket.recv(), WAIT)
            if isinstance(data, bytes):
                continue
            found = json.loads(data)
            if all(found.get(key) == value for key, value in fits):
                return found
            self.kept.append(found)

    async def ask(self, op: str, **fields: object) -> dict[str, Any]:
        """Return the answer to a request."""
        self.number += 1
        request = {"type": "request", "request": self.number, "client": self.name}
        await self.socket.send(json.dumps({**request, "op": op, **fields}))
        return await self.until("answer", request=self.number)


@asynccontextmanager
async def page_of(session: StudioSession, name: str = "c1") -> AsyncIterator[Page]:
    url = session.url.replace("http", "ws").replace("/?", "/socket?")
    async with websockets.connect(url, max_size=None) as socket:
        yield Page(socket, name)


def with_pages(
    act: Callable[..., Coroutine[Any, Any, None]],
    count: int = 1,
    document: Document | None = None,
    **options: Any,
) -> None:
    """Let an act play in a session with so many pages."""
    if document is None:
        document = gallery.PlanarFourbar().to_document()
    session = StudioSession(document, **options)
    session.start()

    async def play() -> None:
        async with page_of(session, "c1") as first:
            if count == 1:
                await act(session, first)
                return
            async with page_of(session, "c2") as second:
                await act(session, first, second)

    try:
        # in a thread of its own: the browser of other tests has a loop in this one
        with ThreadPoolExecutor(1) as pool:
            pool.submit(asyncio.run, play()).result()
    finally:
        session.close()


def test_an_edit_is_seen_by_all_pages_with_its_diagnostics():
    async def act(session: StudioSession, one: Page, other: Page) -> None:
        await one.until("scene")
        answer = await one.ask("set", id="damper", field="d", value=-1.0)
        assert "error" not in answer
        edit = await other.until("edit", revision=answer["revision"])
        assert edit["client"] == "c1" and edit["title"] == "Set damper.d"
        assert edit["changes"] == [{"path": ["parts", 9, "arguments", "d"], "value": -1.0}]
        told = await other.until("diagnostics", revision=answer["revision"])
        (item,) = [one for one in told["items"] if one["level"] == "error"]
        assert (item["part"], item["field"]) == ("damper", "d")
        assert told["freedoms"] == 1 and told["loops"][0]["cut"]
        refused = await one.ask("simulate")
        assert refused["error"]["part"] == "damper"
        await other.ask("undo")
        told = await one.until("diagnostics", revision=answer["revision"] + 1)
        assert not told["items"]

    with_pages(act, 2)


def test_a_body_is_dragged_with_its_loop_closed_and_that_is_one_edit():
    async def act(session: StudioSession, page: Page) -> None:
        scene = await page.until("scene")
        (at,) = [one for one in scene["frames"] if one["port"] == "body2.frame_b"]
        begin = preview(session.history.data)
        assert begin.pose is not None and begin.scene is not None
        drag = {"type": "drag", "part": 0, "group": at["group"], "point": at["r"]}
        drag |= {"mode": "kinematics", "keep_speed": False}
        hand = StudioHand(begin.pose, begin.scene, at["group"], at["r"])
        goal = (hand._held() + np.array([0.05, -0.05, 0.0])).tolist()
        for phase in ("begin", "move", "move", "end"):
            message = {**drag, "phase": phase, "target": goal}
            await page.socket.send(json.dumps(message))
        edit = await page.until("edit")
        assert edit["title"].startswith("Drag ")
        end = preview(session.history.data)
        assert end.pose is not None and end.pose.fault is None
        moved = StudioHand(end.pose, begin.scene, at["group"], at["r"])._held()
        gap = np.linalg.norm(moved - hand._held())
        assert gap > 0.01
        await page.ask("undo")
        assert session.document == gallery.PlanarFourbar().to_document()

    with_pages(act)


def test_requests_are_answered_once_and_mistakes_at_their_place():
    async def act(session: StudioSession, page: Page) -> None:
        request = {
            "type": "request", "request": 99, "client": "c1", "op": "add",
            "part": {"class": "Body", "id": ""},
        }  # fmt: skip
        for _ in range(2):  # as a page does after it was disconnected
            await page.socket.send(json.dumps(request))
            answer = await page.until("answer", request=99)
            assert answer["ids"] == ["body5"]
        parts = (await page.ask("document"))["document"]["parts"]
        assert sum(one["id"].startswith("body") for one in parts) == 5
        before = session.history.revision
        tool = {"class": "Revolute", "frame": "world.frame_b"}
        assert (await page.ask("tool", **tool))["frame"] == "revolute5.frame_b"
        assert "error" in await page.ask("tool", **{**tool, "frame": "nobody.frame_b"})
        assert session.history.revision == before + 1  # one step, or none
        wrong = await page.ask("connect", a="damper.flange_a", b="world.frame_b")
        assert wrong["error"]["part"] == "damper" and wrong["error"]["remedy"]
        assert "error" in await page.ask("explode")
        assert "error" in await page.ask("play", run="r9")

    with_pages(act)


def test_strange_messages_end_nothing():
    async def act(session: StudioSession, page: Page) -> None:
        for data in (
            "",
            "[]",
            "{",
            "[" * 50_000,
            '{"type": 7}',
            b"\x00\x01",
            '{"type":"x"}',
        ):
            await page.socket.send(data)
        for fields in ({"ids": 3}, {"at": "x"}, {"part": 7}, {"piece": []}, {"values": {}}):
            for op in (
                "add",
                "remove",
                "place",
                "paste",
                "sweep",
                "group",
                "align",
                "tool",
            ):
                await page.ask(op, **fields)
        assert (await page.ask("document"))["document"]["parts"]

    with_pages(act)


def test_only_the_page_with_the_token_is_served():
    def status(url: str, **headers: str) -> int:
        try:
            with urllib.request.urlopen(
                urllib.request.Request(url, headers=headers)
            ) as found:
                return found.status
        except urllib.error.HTTPError as error:
            return error.code

    session = StudioSession(Document())
    session.start()
    try:
        root = f"http://127.0.0.1:{session.server.port}"
        token = f"?token={session.server.token}"
        for path in ("/", "/studio.js", "/studio.css", "/catalogue.json"):
            assert status(f"{root}{path}{token}") == 200
            assert status(f"{root}{path}") == 403
            assert status(f"{root}{path}?token=x") == 403
            assert status(f"{root}{path}{token}", Origin="http://evil.example") == 403
        assert status(f"{root}/../session.py{token}") == 404
    finally:
        session.close()


def test_files_are_saved_opened_and_guarded(home: Path):
    async def act(session: StudioSession, page: Page) -> None:
        assert "error" in await page.ask("save")
        saved = await page.ask("save_as", path="crane")
        file = home / "crane.json"
        assert saved["file"] == str(file) and file.is_file()
        again = await page.ask("save_as", path="crane")
        assert "error" not in again
        other = home / "other.json"
        other.write_text("mine", "utf-8")
        assert "exists" in (await page.ask("save_as", path="other"))["error"]["text"]
        assert other.read_text("utf-8") == "mine"
        for path in ("/etc/passwd", "secret.txt", "", "a\0b", 7, "nothing.json"):
            assert "error" in await page.ask("open", path=path)
        await page.ask("remove", ids=["damper"])
        await page.ask("open", path="crane")
        assert len((await page.ask("document"))["document"]["parts"]) == 10
        assert (await page.ask("recent"))["recent"][0]["path"] == str(file)

    with_pages(act, folder=home)


def test_a_crash_loses_no_edit(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("motorik.view.studio.session.AUTOSAVE", 0.0)
    monkeypatch.setattr("motorik.view.studio.folder._lives", lambda process: False)
    texts = []

    async def edit(session: StudioSession, page: Page) -> None:
        await page.ask("rename", id="body1", to="crank")
        texts.append(session.document.text())
        end = time.monotonic() + WAIT
        while not list(session.files.home.glob("autosave-*")):  # type: ignore[union-attr]
            assert time.monotonic() < end
            await asyncio.sleep(0.05)
        session.name = "crashed"  # so that closing forgets nothing

    async def recover(session: StudioSession, page: Page) -> None:
        assert (await page.ask("recent"))["recovered"]["name"] == "PlanarFourbar"
        await page.ask("recover")
        assert session.document.text() == texts[0]

    with_pages(edit)
    with_pages(recover, document=Document())


@pytest.mark.slow
def test_a_model_is_run_beside_compared_swept_and_exported():
    async def act(session: StudioSession, page: Page) -> None:
        await page.ask("run_options", stop_time=0.2)
        run = (await page.ask("simulate"))["run"]
        await page.until("run", id=run)
        await page.ask("set", id="damper", field="d", value=0.5)
        second = (await page.ask("simulate", name="damped"))["run"]
        await page.until("run", id=second)
        await page.ask("set", id="damper", field="d", value=0.9)  # now without compiling
        third = (await page.ask("simulate"))["run"]
        await page.until("run", id=third)
        ends = []
        for one in (run, second, third):
            found = await page.ask("variables", run=one, names=["revolute1.w", "nonsense"])
            assert found["units"] == {"revolute1.w": "rad/s"} and found["missing"]
            ends.append(found["values"]["revolute1.w"][-1])
        own = Document(session.history.data).build().simulate(0.2)
        assert ends[2] == pytest.approx(float(own["revolute1.w"][-1]), rel=1e-9)
        assert len({round(end, 6) for end in ends}) == 3
        swept = await page.ask("sweep", parameter="damper.d", values=[0.1, 0.2])
        await page.until("run", id=swept["runs"][-1])
        for form in ("csv", "xlsx", "nc"):
            assert (await page.ask("export_result", form=form))["base64"]
        assert "tree" in (await page.ask("explain"))["text"]
        written = await page.ask("export_source", form="mobile")
        assert written["name"].endswith("_mobile.py") and len(written["lost"]) == 1
        space: dict[str, Any] = {"__name__": "written"}
        exec(written["text"], space)
        assert [one.name for one in space["system"].variables] == ["revolute1_phi"]
        assert "damper: a force in a drive line" in space["__doc__"]
        assert "no form" in (await page.ask("export_source", form="c"))["error"]["text"]

    with_pages(act)


@pytest.mark.slow
def test_a_run_is_stopped_and_the_next_one_goes_on():
    async def act(session: StudioSession, page: Page) -> None:
        async def until_run_is(*status: str) -> None:
            runs = []
            while not runs or runs[0]["status"] not in status:
                runs = (await page.until("runs"))["runs"]

        await page.ask("remove", ids=["damper"])  # it would come to rest and end
        await page.ask("run_options", stop_time=1e9)
        run = (await page.ask("simulate"))["run"]
        await until_run_is("running")
        await page.ask("cancel", run=run)
        await until_run_is("cancelled")
        await page.ask("run_options", stop_time=0.1)
        await page.until("run", id=(await page.ask("simulate"))["run"])

    with_pages(act)


@pytest.mark.slow
def test_only_the_run_that_is_cancelled_ends(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("motorik.view.studio.runner.PATIENCE", WAIT)

    async def act(session: StudioSession, page: Page) -> None:
        async def until_runs_are(**status: str) -> None:
            while True:
                found = {
                    one["id"]: one["status"] for one in (await page.until("runs"))["runs"]
                }
                if found.items() >= status.items():
                    return

        await page.ask("remove", ids=["damper"])
        await page.ask("run_options", stop_time=1e9)
        first = (await page.ask("simulate"))["run"]
        await page.ask("run_options", stop_time=0.1)
        second, third = [(await page.ask("simulate"))["run"] for _ in range(2)]
        await until_runs_are(**{first: "running", third: "waiting"})
        await page.ask("cancel", run=second)  # which waits: it is withdrawn
        await until_runs_are(**{first: "running", second: "cancelled", third: "waiting"})
        process = session.runner._process
        await page.ask("cancel", run=first)
        await until_runs_are(**{first: "cancelled", third: "done"})
        assert session.runner._process is process  # it was interrupted, not ended

    with_pages(act)


def test_what_a_lost_worker_was_asked_is_told_and_the_next_one_answers():
    told: list[dict[str, Any]] = []
    runner = Runner(told.append)
    try:
        lost, next_one = runner.ask("warm"), runner.ask("nothing of the kind")
        assert runner._process is not None
        runner._process.kill()
        with pytest.raises(CancelledError):
            lost.result(WAIT)
        with pytest.raises(SimulationError, match="AttributeError"):
            next_one.result(WAIT)
    finally:
        runner.stop()
    with pytest.raises(CancelledError):  # what comes after the end starts nothing
        runner.ask("warm").result(WAIT)
    assert runner._process is None and not told


@pytest.mark.parametrize("name", ["SliderCrank", "PlanarFourbar", "EngineV6"])
def test_parts_of_the_automatic_layout_do_not_overlap(name: str):
    found = layout(getattr(gallery, name)().to_document().data)
    places = [*found.values()]
    for k, (x, y) in enumerate(places):
        for u, v in places[:k]:
            assert abs(x - u) >= 190 or abs(y - v) >= 60, (name, [x, y], [u, v])


def test_a_lost_worker_computes_again_what_is_asked_for():
    async def act(session: StudioSession, page: Page) -> None:
        await page.ask("run_options", stop_time=0.2)
        run = (await page.ask("simulate"))["run"]
        await page.until("run", id=run)
        before = (await page.ask("variables", run=run, names=["revolute1.phi"]))["values"]
        process = session.runner._process
        assert process is not None
        process.kill()
        process.wait()
        while session.runner.generation == 0:
            await asyncio.sleep(0.01)
        after = (await page.ask("variables", run=run, names=["revolute1.phi"]))["values"]
        assert after == before

    with_pages(act)


def test_a_vector_is_plotted_by_its_elements_and_a_run_goes_on_at_its_end():
    async def act(session: StudioSession, page: Page) -> None:
        await page.ask("run_options", stop_time=0.2)
        run = (await page.ask("simulate"))["run"]
        await page.until("run", id=run)
        found = await page.ask("variables", run=run, names=["body1.r_0"])
        assert [*found["values"]] == ["body1.r_0[1]", "body1.r_0[2]", "body1.r_0[3]"]
        assert found["units"]["body1.r_0[2]"] == "m"
        await page.ask("run_options", stop_time=0.3)
        run = (await page.ask("simulate", **{"continue": run}))["run"]
        await page.until("run", id=run)
        time = (await page.ask("variables", run=run, names=[]))["time"]
        assert (time[0], time[-1]) == (0.2, 0.5)

    with_pages(act)


def test_the_command_line(home: Path, capsys: pytest.CaptureFixture[str]):
    file = home / "pendulum.json"
    assert main(["gallery", "Pendulum", "-o", str(file)]) == 0
    assert main(["gallery"]) == 0
    assert main(["run", str(file), "--stop-time", "0.1", "-o", str(home / "r.csv")]) == 0
    assert (home / "r.csv").is_file()
    assert main(["show", str(file), "-o", str(home / "p.html")]) == 0
    assert main(["run", str(home / "nothing.json")]) == 1
    assert main(["run", str(file), "-o", "r.exe"]) == 1
    assert main(["gallery", "Pendulm"]) == 1
    said = capsys.readouterr()
    assert "Traceback" not in said.err and "nothing.json" in said.err
    assert "Did you mean 'Pendulum'?" in said.err
    assert main([]) == 2
    with pytest.raises(SystemExit) as end:
        main(["run"])
    assert end.value.code == 2


@pytest.mark.parametrize("kind", ["Revolute", "Body", "forces.Spring", "FixedRotation"])
def test_what_to_do_is_said_in_words_of_the_page(kind: str):
    """A part alone, and one at another: no remedy is a statement of Python."""
    parts = [{"id": "one", "class": kind}, {"id": "two", "class": kind}]
    alone, joined = (
        preview({"motorik": 1, "name": "M", "parts": parts, "connections": wires})
        for wires in ([], [["one.frame_a", "two.frame_a"]])
    )
    said = [
        f"{item['text']} {item['remedy']}"
        for found in (alone, joined)
        for item in found.diagnostics["items"]
    ]
    assert said
    assert not [one for one in said if "model." in one]
    assert page_words("`model.connect(model.a.b, model.c[1].d)`") == (
        "draw a wire from a.b to c[1].d"
    )


def test_what_is_plotted_has_the_samples_that_its_motion_needs():
    """A fast oscillation over a long time: each of its peaks is in the curve."""
    from motorik.view.studio.worker import Worker, telling_rows

    spring, rate = 4.0e4, 200.0  # N/m; rad/s at 1 kg
    data = {
        "motorik": 1,
        "name": "Fast",
        "parts": [
            {"id": "fixed", "class": "translational.Fixed"},
            {
                "id": "spring",
                "class": "translational.Spring",
                "arguments": {"c": spring},
            },
            {
                "id": "mass",
                "class": "translational.Mass",
                "arguments": {"m": spring / rate**2, "s": {"start": 0.01, "fixed": True}},
            },
        ],
        "connections": [
            ["fixed.flange", "spring.flange_a"],
            ["spring.flange_b", "mass.flange_a"],
        ],
        "run": {"stop_time": 10.0},
    }
    worker = Worker(io.BytesIO())
    worker.do_run("a", data, (), {})
    found = worker.do_variables("a", ["mass.s"])
    time, s = np.array(found["time"]), np.array(found["values"]["mass.s"])
    assert worker.results["a"].time.size == 501
    assert time.size <= 4002
    turns = np.count_nonzero(np.diff(np.sign(s)))
    assert abs(turns - rate * 10.0 / np.pi) <= 1
    assert not found["coarse"]
    rows = telling_rows(10_001, [np.sin(np.arange(10_001)), np.eye(1, 10_001, 777)[0]], 800)
    assert rows.size <= 802 and {0, 777, 10_000} <= {*rows.tolist()}
