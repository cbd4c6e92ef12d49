"""Worker: the process that compiles and simulates; it can be killed, and the pages go on.

It reads commands from its standard input and writes answers to what was its standard output,
each a pickled dictionary after its length. Results stay here; variables are computed on demand.

A number that was edited becomes a live parameter of the model that is compiled: the next value of
it needs no compiling, only another run.
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import pickle
import signal
import struct
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np

from motorik.components.base.description import describe
from motorik.documents import Document
from motorik.documents.changes import copied
from motorik.documents.classes import find_class
from motorik.documents.diagnostics import page_words
from motorik.documents.document import check_run, run_arguments
from motorik.documents.reading import Data, Json
from motorik.errors import MotorikError, ParameterError
from motorik.model import Model
from motorik.results import Result
from motorik.view.live.messages import run_message
from motorik.view.scene_builder.build import scene_of
from motorik.view.scene_builder.places import MechanismPlaces
from motorik.view.studio.scenes import frame_places

HEAD = struct.Struct("<Q")
KEPT = 6  # models that stay compiled
LARGEST = 4_000_000_000  # bytes of a message between the processes
SERIES = 4_000  # samples of a variable that a page gets
FINEST = 20_000  # intervals of a run that is plotted
A_STEP = 8  # samples for each step of the method: a step of high order is no straight line
LONGEST = 5.0  # s of computing that plotting may add to a run

Place = tuple[str, str, str]
"""An argument: sub-model ("" for the model itself), part, name."""


def write_packet(stream: IO[bytes], content: Mapping[str, Any]) -> None:
    """Write a message to the other process."""
    data = pickle.dumps(dict(content), protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(HEAD.pack(len(data)) + data)
    stream.flush()


def read_packet(stream: IO[bytes]) -> dict[str, Any] | None:
    """Return the next message of the other process, None at its end."""
    head = stream.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    (size,) = HEAD.unpack(head)
    if size > LARGEST:
        return None
    data = stream.read(size)
    return pickle.loads(data) if len(data) == size else None


# --- numbers that are edited become live --------------------------------------------------


def numbers_of(data: Data) -> dict[Place, Json]:
    """Return the arguments that are plain numbers or vectors and may be live."""
    found: dict[Place, Json] = {}
    for scope in ("", *data.get("models", {})):
        for part in (data["models"][scope] if scope else data)["parts"]:
            for name, value in part.get("arguments", {}).items():
                if _is_plain(value) and _may_be_live(part["class"], name):
                    found[scope, part["id"], name] = value
    return found


def _is_plain(value: Json) -> bool:
    if isinstance(value, list):
        return len(value) == 3 and all(_is_plain(one) and one is not value for one in value)
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _may_be_live(kind: str, name: str) -> bool:
    if kind.startswith("#") or ":" in kind:
        return False
    try:
        one = describe(find_class(kind)).parameters.get(name)
    except MotorikError:
        return False
    return one is not None and one.is_live and one.form in ("number", "vector")


def with_live(data: Data, places: set[Place]) -> Data:
    """Return the document with some of its numbers as live parameters."""
    found = copied(data)
    for scope, id_, name in places:
        for part in (found["models"][scope] if scope else found)["parts"]:
            if part["id"] == id_ and _is_plain(part.get("arguments", {}).get(name)):
                part["arguments"][name] = {"parameter": part["arguments"][name]}
    return found


def without_numbers(data: Data, places: set[Place]) -> str:
    """Return the text of a document in which the values of these places do not count."""
    found = copied(data)
    for scope in ("", *found.get("models", {})):
        home = found["models"][scope] if scope else found
        for key in ("diagram", "notes", "description"):
            home.pop(key, None)
        for part in home["parts"]:
            for name, value in part.get("arguments", {}).items():
                if (scope, part["id"], name) in places:
                    part["arguments"][name] = {"parameter": isinstance(value, list)}
    for key in ("panels", "run", "name"):
        found.pop(key, None)
    for one in found.get("parameters", ()):
        if _is_plain(one["value"]) and one.get("live", True):
            one["value"] = isinstance(one["value"], list)
    return json.dumps(found)


def values_at(data: Data, places: set[Place]) -> dict[str, Any]:
    """Return the values of live numbers by the names that runs use."""
    found: dict[str, Any] = {}
    for one in data.get("parameters", ()):
        if _is_plain(one["value"]) and one.get("live", True):
            name = one.get("label") or one["name"]
            found[name] = (
                tuple(one["value"]) if isinstance(one["value"], list) else one["value"]
            )
    numbers = numbers_of(data)
    for place in places & numbers.keys():
        scope, id_, name = place
        value = numbers[place]
        value = tuple(value) if isinstance(value, list) else value
        for path in paths_of(data, scope):
            found[f"{path}{id_}.{name}"] = value
    return found


def paths_of(data: Data, scope: str, within: str = "", depth: int = 20) -> Iterator[str]:
    """Yield the paths of all uses of a sub-model, with a dot; "" of the model itself."""
    if scope == within:
        yield ""
        return
    if depth == 0:
        return
    home = data["models"].get(within, {"parts": ()}) if within else data
    for part in home["parts"]:
        if part["class"].startswith("#"):
            for inner in paths_of(data, scope, part["class"][1:], depth - 1):
                yield f"{part['id']}.{inner}"


class Models:
    """The models of a document that are compiled, and the numbers that are live in them."""

    def __init__(self) -> None:
        self.live: set[Place] = set()
        self.latest: dict[Place, Json] = {}
        self.known: dict[str, Model] = {}

    def find(self, data: Data, trust: tuple[str, ...]) -> tuple[Model, dict[str, Any]]:
        """Return the model of a document, and values that its run is to have."""
        numbers = numbers_of(data)
        if (
            numbers.keys() == self.latest.keys()
        ):  # the same structure: what was edited is live
            changed = {k for k, value in numbers.items() if value != self.latest[k]}
            self.live |= changed if len(changed) <= 8 else set()
        self.latest = numbers
        places = self.live & numbers.keys()
        key = without_numbers(data, places) + repr(sorted(places))
        values = values_at(data, places)
        if key in self.known:
            model = self.known[key] = self.known.pop(key)
            return model, values
        model = Document(with_live(data, places)).build(trust)
        while len(self.known) >= KEPT:
            self.known.pop(next(iter(self.known)))
        self.known[key] = model
        return model, values


# --- commands -----------------------------------------------------------------------------


class Plotted:
    """A run for plots: made once more, at more times, where its samples would miss what moves."""

    def __init__(self, model: Model, given: dict[str, Any], run: Result) -> None:
        self._model, self._given, self._run = model, given, run
        self._fine: Result | None = None
        own = {"output", "interval", "step"} & given.keys()
        needed = min(A_STEP * run.info.steps, FINEST)
        self._count = 0 if own or needed < run.time.size else needed
        self.is_coarse = bool(self._count) and run.info.wall_time > LONGEST

    def result(self) -> Result:
        """Return the run with as many samples as its own steps ask for, unless that takes long."""
        if not self._count or self.is_coarse:
            return self._run
        if self._fine is None:
            given = {**self._given, "stop_time": float(self._run.time[-1])}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # they were said by the run itself
                self._fine = self._model.simulate(**given, output=self._count)
        return self._fine


def telling_rows(count: int, curves: list[np.ndarray], most: int) -> np.ndarray:
    """Return rows of curves, of some more than `most` at the utmost, that keep all their peaks."""
    if count <= most or not curves:
        return np.arange(count)
    parts = max(most // (2 * len(curves)), 200)
    size = -(-count // parts)
    rows = np.minimum(np.arange(size * -(-count // size)), count - 1).reshape(-1, size)
    first = np.arange(len(rows))
    found = [
        rows[first, pick(own[rows], axis=1)]
        for own in curves
        for pick in (np.argmin, np.argmax)
    ]
    return np.unique(np.concatenate([[0, count - 1], *found]))


class Worker:
    """Carries out the commands of the session, one after the other."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out
        self._may_stop = False
        self.models = Models()
        self.results: dict[str, Result] = {}
        self.plotted: dict[str, Plotted] = {}

    def tell(self, **content: object) -> None:
        """Send a message to the session."""
        write_packet(self._out, content)

    def do(self, command: dict[str, Any]) -> None:
        """Carry out a command and answer it, also where it is interrupted."""
        try:
            answer: dict[str, object] = {"answer": self.answer(command)}
        except KeyboardInterrupt:
            answer = {"cancelled": True}
        except MotorikError as error:
            answer = {"error": _as_answer(error)}
        except Exception as error:
            traceback.print_exc()
            text = f"{type(error).__name__}: {error}"
            answer = {"error": {"text": text, "remedy": "", "part": ""}}
        self.tell(**answer)

    def answer(self, command: dict[str, Any]) -> Any:
        """Return the answer of a command; only in here can it be interrupted, and once."""
        try:
            self._may_stop = True
            return getattr(self, f"do_{command['do']}")(**command["given"])
        finally:
            self._may_stop = False

    def interrupt(self, *_: object) -> None:
        """Stop the present command; between commands there is nothing to stop."""
        if self._may_stop:
            self._may_stop = False
            raise KeyboardInterrupt

    def do_warm(self) -> None:
        """Load what runs need."""
        from motorik import gallery

        gallery.Pendulum().simulate(0.01, output=2)

    def do_prepare(self, data: Data, trust: tuple[str, ...]) -> None:
        """Compile a model, so that its run can begin at once."""
        model, values = self.models.find(data, trust)
        model.simulate(1e-6, output=1, parameters=values or None)

    def do_run(
        self, run: str, data: Data, trust: tuple[str, ...], initial: dict[str, float]
    ) -> dict[str, Any]:
        """Simulate a document; the result stays here by the id of the run."""
        self.tell(run=run, status="compiling", progress=0.0)
        check_run(data.get("run", {}))
        model, values = self.models.find(data, trust)
        options = run_arguments(data)
        model.compile(options.get("strategy"))
        self.tell(run=run, status="running", progress=0.05)
        given = dict(options)
        if initial:
            given["initial"] = initial
        result = model.simulate(**given, parameters=values or None)
        self.results[run] = result
        self.plotted[run] = Plotted(model, {**given, "parameters": values or None}, result)
        info = result.info
        scene, motion, frames = shown(result)
        return {
            "complete": bool(result.complete),
            "message": "" if result.complete else str(info.message),
            "scene": scene,
            "run": motion,
            "frames": frames,
            "end_time": float(result.time[-1]),
            "end": {name: float(value) for name, value in result.sample(-1).items()},
        }

    def do_play(self, run: str) -> dict[str, Any]:
        """Return scene and motion of a run."""
        scene, motion, frames = shown(self.result(run))
        return {"scene": scene, "run": motion, "frames": frames}

    def do_list(self, run: str) -> list[dict[str, str]]:
        """Return the names of all variables with units and meaning."""
        return listed(self.result(run))

    def do_variables(self, run: str, names: list[str]) -> dict[str, Any]:
        """Return variables over time, at as many times as their changes need."""
        self.result(run)
        plotted = self.plotted[run]
        result = plotted.result()
        found: dict[str, np.ndarray] = {}
        units: dict[str, str] = {}
        missing = []
        for name in names:
            try:
                curves = curves_of(name, np.asarray(result[name], dtype=float))
                found |= curves
                units |= dict.fromkeys(curves, str(result.unit(name)))
            except MotorikError as error:
                missing.append(str(error))
        time = np.asarray(result.time, dtype=float)
        rows = telling_rows(time.size, [*found.values()], SERIES)
        events = [
            {"time": float(one.time), "part": one.part, "what": one.what}
            for one in result.events
        ]
        return {
            "time": _plain(time[rows]),
            "values": {name: _plain(own[rows]) for name, own in found.items()},
            "coarse": plotted.is_coarse,
            "units": units,
            "events": events[:500],
            "missing": missing,
        }

    def do_export(self, run: str, form: str, options: dict[str, Any]) -> dict[str, Any]:
        """Return a result as a file for the user."""
        result = self.result(run)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / f"result.{form}"
            write_result(result, form, file, options)
            data = file.read_bytes()
        return {"base64": base64.b64encode(data).decode("ascii")}

    def do_explain(self, data: Data, trust: tuple[str, ...]) -> str:
        """Return the decisions of assembly as text."""
        model, _ = self.models.find(data, trust)
        return model.explain(run_arguments(data).get("strategy"))

    def do_program(self, data: Data, trust: tuple[str, ...]) -> dict[str, Any]:
        """Return a MOBILE program of the mechanism, and what it leaves out."""
        from motorik.mobile import chain_of_model

        found = chain_of_model(Document(data).build(trust=trust))
        lost = [f"{part} is left out: {why}" for part, why in found.left_out.items()]
        return {"text": found.program(str(data.get("name", ""))), "lost": lost}

    def do_forget(self, run: str) -> None:
        """Forget a result."""
        self.results.pop(run, None)
        self.plotted.pop(run, None)

    def result(self, run: str) -> Result:
        """Return a result by the id of its run."""
        if run not in self.results:
            raise ParameterError(
                "run",
                f"there is no result {run!r}.",
                "Run it again.",
                value=run,
                parameter="run",
            )
        return self.results[run]


def shown(result: Result) -> tuple[str, str, list[dict[str, Any]]]:
    """Return scene, motion and frames of a result, as pages get them."""
    scene = scene_of(result)
    (run,) = scene.runs
    motion = run_message(run)
    system = result._system  # type: ignore[attr-defined]
    parameters = np.atleast_2d(result._parameters)[0]  # type: ignore[attr-defined]
    places = MechanismPlaces.of(system, parameters, result.poses().values[0])
    frames = [*frame_places(result.model, places)]
    return replace(scene, runs=()).text(), motion, frames


def listed(result: Result) -> list[dict[str, str]]:
    """Return the names of all variables of a result with unit and meaning."""
    found = []
    for name in result.names():
        text = ""
        try:
            unit = str(result.unit(name))
        except MotorikError:
            unit = ""
        found.append({"name": name, "unit": unit, "text": text})
    return found


def curves_of(name: str, values: np.ndarray) -> dict[str, np.ndarray]:
    """Return a variable over time by name; of a vector or matrix the elements, counted from 1."""
    places = itertools.product(*(range(1, size + 1) for size in values.shape[1:]))
    return {
        f"{name}[{','.join(map(str, at))}]" if at else name: values[
            (slice(None), *(k - 1 for k in at))
        ]
        for at in places
    }


def write_result(result: Result, form: str, file: Path, options: dict[str, Any]) -> None:
    """Write a result to a file of this form: its states, and other variables by name."""
    wanted = [str(name) for name in options.get("names") or ()]
    names = [*dict.fromkeys([*result.state_names, *wanted])]
    if form == "csv":
        result.to_csv(file, *names, units=True)
    elif form == "xlsx":
        result.to_excel(file, *names)
    elif form == "nc":
        result.to_netcdf(file, *names)
    elif form == "html":
        result.to_html(file)
    elif form in ("mp4", "gif"):
        result.to_movie(file)
    elif form in ("png", "svg", "pdf"):
        result.draw(file=str(file))
    else:
        raise ParameterError(
            "export",
            f"{form!r} is no form.",
            "Give csv, xlsx or nc.",
            parameter="form",
            value=form,
        )


def _as_answer(error: MotorikError) -> dict[str, str]:
    return {
        "part": error.path,
        "port": error.port,
        "field": error.parameter,
        "value": "" if error.value is None else repr(error.value)[:200],
        "text": page_words(error.reason),
        "remedy": page_words(error.remedy),
    }


def _plain(values: np.ndarray) -> list[float | None]:
    """Return numbers as JSON has them; what is not finite is null."""
    if np.isfinite(values).all():
        return values.tolist()
    return [x if np.isfinite(x) else None for x in values.tolist()]


def main() -> None:
    """Read commands until the session is gone."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what models print does not disturb the messages
    worker = Worker(out)
    signal.signal(signal.SIGINT, worker.interrupt)
    while (command := read_packet(sys.stdin.buffer)) is not None:
        worker.do(command)


if __name__ == "__main__":
    main()
