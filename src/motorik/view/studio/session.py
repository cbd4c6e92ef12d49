"""StudioSession: one document, the pages that show and change it, and its runs."""

from __future__ import annotations

import base64
import json
import queue
import secrets
import sys
import tempfile
import threading
import time as clock
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from motorik.documents import Document, EditHistory
from motorik.documents.catalogue import help_of
from motorik.documents.changes import copied
from motorik.documents.classes import find_class
from motorik.documents.diagnostics import Diagnostic
from motorik.documents.document import load_document
from motorik.documents.operations import OPERATIONS, copy_parts, new_name
from motorik.documents.reading import Json, Losses, clean
from motorik.documents.source import read_source, write_source
from motorik.errors import FileFormatError, MotorikError, ParameterError, suggest
from motorik.loops.assembled_pose import Near
from motorik.view.live.clients import Client
from motorik.view.live.clients import Data as Message
from motorik.view.live.messages import notice
from motorik.view.live.notebook import find_cells, open_page, show_below
from motorik.view.live.server import LOCAL, check_websockets
from motorik.view.studio.catalogue import page_catalogue
from motorik.view.studio.folder import StudioFolder, checked_path
from motorik.view.studio.gallery import gallery_list, gallery_model
from motorik.view.studio.hand import StudioHand
from motorik.view.studio.notebook import framed
from motorik.view.studio.places import aligned, layout
from motorik.view.studio.runner import CancelledError, Runner
from motorik.view.studio.scenes import Preview, preview
from motorik.view.studio.server import StudioServer, file_name
from motorik.view.studio.sketch import Sketch

Request = dict[str, Any]
Answer = dict[str, Any]

MOST_WAITING = 5_000  # requests of pages
MOST_ANSWERS = 400  # that are remembered for pages that ask again
AUTOSAVE = 2.0  # s after an edit
MOST_RUNS = 24
WAIT = 120.0  # s for variables of a run
TURN = 0.5e-3  # s that a thread computes at most while others wait, during a preview


class _ShortTurns:
    """Lets threads take shorter turns within it, so that pages are answered at once."""

    def __init__(self) -> None:
        self._lock, self._count, self._usual = threading.Lock(), 0, TURN

    def __enter__(self) -> None:
        with self._lock:
            if not self._count:
                self._usual = sys.getswitchinterval()
                sys.setswitchinterval(min(TURN, self._usual))
            self._count += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._count -= 1
            if not self._count:
                sys.setswitchinterval(self._usual)


TURNS = _ShortTurns()
"""One for all studios of a process."""


class StudioRun:
    """A run of a revision: its state, as pages list it."""

    def __init__(self, id_: str, name: str, revision: int, data: Request) -> None:
        self.id, self.name, self.revision, self.data = id_, name, revision, data
        self.status, self.progress, self.message = "waiting", 0.0, ""
        self.sweep: Request | None = None
        self.initial: Request = {}
        self.end: dict[str, float] = {}
        self.end_time: float | None = None  # s; None: there is no result
        self.generation = 0  # of the worker that has the result
        self.future: Future[Any] | None = None

    def command(self, trust: Sequence[str]) -> Request:
        """Return the arguments of the worker to compute it."""
        given = {"run": self.id, "data": self.data, "initial": self.initial}
        return {**given, "trust": tuple(trust)}

    def as_json(self) -> Request:
        """Return it as an entry of the list."""
        found: Request = {
            "id": self.id,
            "name": self.name,
            "revision": self.revision,
            "status": self.status,
            "progress": self.progress,
            "message": self.message,
        }
        if self.end_time is None and self.status == "cancelled":
            found["empty"] = True
        return found if self.sweep is None else {**found, "sweep": self.sweep}


class StudioSession:
    """A studio: the document belongs to Python, pages show and change it.

    One thread carries out the requests of all pages in order, another one finds scene and
    diagnostics of the newest revision, and a process beside compiles and simulates.
    """

    def __init__(
        self,
        document: Document | None = None,
        file: Path | None = None,
        *,
        trust: Sequence[str] = (),
        host: str = LOCAL[0],
        port: int = 0,
        folder: Path | None = None,
    ) -> None:
        check_websockets()
        self.trust = [*trust]
        self.folder = Path.cwd() if folder is None else folder
        self.files = StudioFolder()
        self.name = secrets.token_hex(4)
        self._lock = threading.RLock()
        self._ask_start = document is None
        self._take_document(document or Document(), file)
        self.runs: dict[str, StudioRun] = {}
        self._run_number = 0
        self._answers: dict[tuple[str, int], str] = {}
        self._waiting: queue.Queue[tuple[Request, Client] | None] = queue.Queue()
        self._newest: dict[str, Message] = {}
        self._preview: Preview | None = None
        self._hand: tuple[Client, StudioHand] | None = None
        self._previewed = 0
        self._seen = ""  # the document of the present preview
        self._wanted = threading.Event()
        self._near: Near = {}
        self._over = threading.Event()
        self._unsaved_since = 0.0
        self.runner = Runner(self._hear_worker)
        self.server = StudioServer(
            lambda: f"{self.document.name} – motorik studio",
            lambda: json.dumps(page_catalogue()),
            self._greeting,
            self._hear,
            host,
            port,
        )
        self._threads = [
            threading.Thread(target=work, name=f"motorik studio {name}", daemon=True)
            for name, work in (
                ("requests", self._work),
                ("preview", self._look),
                ("autosave", self._keep),
            )
        ]

    # --- what a user does ----------------------------------------------------------------

    def open(self, wanted: bool | None = None) -> None:
        """Serve the pages and open one: in the browser, in a notebook below the cell."""
        cells = find_cells() if wanted is None else None
        self.server.may_be_framed = cells is not None
        self.start()
        if cells is None:
            open_page(self.url, wanted)
            return
        show_below(self, cells, self._framed())

    def _framed(self) -> Request:
        return framed(self.url, f"{self.document.name}, studio", repr(self))

    def _repr_mimebundle_(self, **_: object) -> Request:
        """Return another view of it; only words where the same cell shows it already."""
        cells = find_cells()
        if cells is None or self.is_closed or cells.has_shown(self):
            return {"text/plain": repr(self)}
        self.server.may_be_framed = True
        return self._framed()

    def __repr__(self) -> str:
        state = "closed" if self.is_closed else f"at {self.url}"
        return f"<StudioSession of {self.document.name}: {state}>"

    def start(self) -> None:
        """Serve the pages."""
        self.server.start()
        for thread in self._threads:
            thread.start()
        self._wanted.set()
        self.runner.ask("warm")

    @property
    def url(self) -> str:
        """The address of the page, with its token."""
        return self.server.url

    @property
    def document(self) -> Document:
        """The document as it is now."""
        return Document(self.history.data)

    @property
    def is_closed(self) -> bool:
        """Whether it was closed."""
        return self._over.is_set()

    def wait(self) -> None:
        """Wait until it is closed."""
        while not self._over.wait(0.5):
            pass

    def close(self) -> None:
        """Close pages and processes; what was not saved is kept for the next time."""
        if self._over.is_set():
            return
        self._autosave()
        self._over.set()
        self._waiting.put(None)
        self._wanted.set()
        self.server.stop()
        self.runner.stop()

    def __enter__(self) -> StudioSession:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- documents -----------------------------------------------------------------------

    def _take_document(self, document: Document, file: Path | None) -> None:
        """Take another document; its losses are shown."""
        before = self.history.revision if hasattr(self, "history") else 0
        self.history = EditHistory(copied(document.data), before + 1)
        self.file = file
        self.saved = (
            self.history.revision if file is not None or not document.data["parts"] else 0
        )
        self.losses = document.losses
        self._near = {}
        self._hand = None

    def _state(self) -> Request:
        history = self.history
        return {
            "revision": history.revision,
            "saved": self.saved,
            "can_undo": history.can_undo,
            "can_redo": history.can_redo,
            "file": None if self.file is None else str(self.file),
        }

    def _document_message(self, fresh: bool = False) -> Request:
        found = {"type": "document", **self._state(), "document": self.history.data}
        if fresh:
            found["fresh"] = True
        if self._ask_start:
            found["ask_start"] = True
        found["untrusted"] = [one for one in self.document.modules if one not in self.trust]
        return found

    def _show_document(self) -> None:
        self._ask_start = False
        self._broadcast("document", self._document_message(fresh=True))
        self._newest.clear()
        self._seen = ""
        self.runs.clear()
        self._show_runs()
        self._wanted.set()

    # --- messages ------------------------------------------------------------------------

    def _greeting(self) -> Mapping[str, Message]:
        """Return the messages for a page that joins."""
        with self._lock:
            found: dict[str, Message] = {"document": _text(self._document_message())}
            return found | self._newest | {"runs": _text(self._runs_message())}

    def _broadcast(self, key: str, content: Request) -> None:
        self.server.send({key: _text(content)})

    def _keep_and_send(self, key: str, text: str) -> None:
        self._newest[key] = text
        self.server.send({key: text})

    def _hear(self, message: Request, client: Client) -> None:
        """Take a message of a page; it is carried out in the thread of requests."""
        if self._waiting.qsize() >= MOST_WAITING:
            raise FileFormatError(
                "studio", "too many requests wait already.", "Wait a little."
            )
        if message.get("type") in ("request", "drag", "turn"):
            self._waiting.put((message, client))

    def _work(self) -> None:
        while not self._over.is_set():
            item = self._waiting.get()
            if item is None:
                continue
            try:
                self._answer(*item)
            except Exception as error:  # a request must not end the studio
                self.server.send(
                    {"notice": notice("error", f"{type(error).__name__}: {error}")}
                )

    def _answer(self, request: Request, client: Client) -> None:
        """Carry out a request, and answer it, once."""
        if request.get("type") != "request":
            with self._lock:
                self._drag(request, client)
            return
        number, name = _number_of(request), request.get("client")
        key = (str(name), number) if number is not None else None
        if key is not None and key in self._answers:
            self.server.tell(client, f"answer {number}", self._answers[key])
            return
        try:
            with self._lock:
                found = self._do(request, client)
        except Exception as error:
            found = {"error": _error(error)}
        if isinstance(found, Future):
            found.add_done_callback(lambda done: self._late(done, request, client, key))
            return
        self._reply(found, request, client, key)

    def _late(
        self,
        done: Future[Answer],
        request: Request,
        client: Client,
        key: tuple[str, int] | None,
    ) -> None:
        error = done.exception()
        found = done.result() if error is None else {"error": _error(error)}
        self._reply(found, request, client, key)

    def _reply(
        self, found: Answer, request: Request, client: Client, key: tuple[str, int] | None
    ) -> None:
        number = _number_of(request)
        answer = {"type": "answer", "request": number, "id": number}
        answer["revision"] = self.history.revision
        text = _text({**answer, **found})
        if key is not None and request.get("op") in EDITS:
            while len(self._answers) >= MOST_ANSWERS:
                self._answers.pop(next(iter(self._answers)))
            self._answers[key] = text
        self.server.tell(client, f"answer {number} {secrets.token_hex(3)}", text)

    def _do(self, request: Request, client: Client) -> Any:
        op = request.get("op")
        if not isinstance(op, str):
            raise FileFormatError("request", "has no operation.", "Give op.")
        own = getattr(self, f"_do_{op}", None)
        if own is not None:
            return own(request) or {}
        if op in OPERATIONS or op == "batch":
            return self._edit(request, request)
        known = [*OPERATIONS, *(n[4:] for n in dir(self) if n.startswith("_do_"))]
        raise FileFormatError(op[:80], "is not a request.", suggest(op[:80], known))

    # --- edits ---------------------------------------------------------------------------

    def _edit(self, request: Request, operation: Request) -> Answer:
        """Apply an operation and show it to all pages."""
        merge = operation.get("merge")
        if isinstance(merge, str):
            operation = {**operation, "merge": f"{request.get('client')} {merge}"}
        edit = self.history.apply(operation)
        if edit.changes:
            self._show_edit(request, edit.title, edit.changes, [operation])
        return _answered(edit.answer)

    def _show_edit(
        self, request: Request, title: str, changes: Sequence[Request], operations: Json
    ) -> None:
        key = f"edit {self.history.revision}"
        content = {
            "type": "edit",
            **self._state(),
            "client": request.get("client"),
            "title": title,
            "operations": operations,
            "changes": [*changes],
        }
        self._broadcast(key, content)
        self._unsaved_since = self._unsaved_since or clock.monotonic()
        self._wanted.set()

    def _do_undo(self, request: Request) -> Answer:
        edit = self.history.undo()
        self._show_edit(request, edit.title, edit.changes, [])
        return {"title": edit.title}

    def _do_redo(self, request: Request) -> Answer:
        edit = self.history.redo()
        self._show_edit(request, edit.title, edit.changes, [])
        return {"title": edit.title}

    def _do_add(self, request: Request) -> Answer:
        part = request.get("part")
        if isinstance(part, dict) and part.get("id"):
            scope = request.get("in") or ""
            home = self.history.data["models"][scope] if scope else self.history.data
            if any(one["id"] == part["id"] for one in home["parts"]):
                part = {**part, "id": ""}
        return self._edit(request, {**request, "part": part})

    def _do_batch(self, request: Request) -> Answer:
        return self._edit(request, request)

    def _do_copy(self, request: Request) -> Answer:
        ids = request.get("ids")
        if not isinstance(ids, list) or not ids:
            raise FileFormatError("copy", "names no parts.", "Choose some.")
        piece = copy_parts(self.history.data, ids, request.get("in") or "")
        return {"text": json.dumps(piece, ensure_ascii=False)}

    def _do_paste(self, request: Request) -> Answer:
        piece = request.get("piece")
        if piece is None:
            try:
                piece = json.loads(str(request.get("text")))
            except (ValueError, RecursionError):
                piece = None
        if not isinstance(piece, dict) or not isinstance(piece.get("parts"), list):
            raise FileFormatError(
                "paste", "is no piece of a document.", "Copy parts first, then paste."
            )
        piece = clean(piece, Losses())
        others = {k: v for k, v in request.items() if k not in ("text", "piece")}
        return self._edit(request, {**others, "op": "paste", "piece": piece})

    def _do_duplicate(self, request: Request) -> Answer:
        ids = request.get("ids")
        if not isinstance(ids, list) or not ids:
            raise FileFormatError("duplicate", "names no parts.", "Choose some.")
        piece = copy_parts(self.history.data, ids, request.get("in") or "")
        operation = {"op": "paste", "piece": piece, "title": "Duplicate"}
        return self._edit(request, {**operation, "in": request.get("in") or ""})

    def _do_layout(self, request: Request) -> Answer:
        scope = request.get("in") or ""
        ids = request.get("ids") or ()
        at = layout(self.history.data, str(scope), [str(one) for one in ids])
        operation = {"op": "place", "at": at, "in": scope, "title": "Arrange"}
        return self._edit(request, operation)

    def _do_align(self, request: Request) -> Answer:
        scope = request.get("in") or ""
        home = self.history.data["models"][scope] if scope else self.history.data
        at = aligned(
            home.get("diagram", {}), request.get("ids") or [], str(request.get("how"))
        )
        operation = {"op": "place", "at": at, "in": scope, "title": "Align"}
        return self._edit(request, operation)

    def _do_tool(self, request: Request) -> Answer:
        """Add an element at a frame, or between two cut frames: one step of undo."""
        kind, at = str(request.get("class")), request.get("frame")
        within = str(request.get("in") or "")
        id_ = new_name(self.history.data, kind, within)
        part = {"id": id_, "class": kind, "arguments": request.get("arguments") or {}}
        output = request.get("output") or "frame_b"
        ends = [(at, request.get("input") or "frame_a"), (request.get("to"), output)]
        operations: list[Request] = [{"op": "add", "part": part, "in": within}]
        operations += [
            {"op": "connect", "a": other, "b": f"{id_}.{own}", "in": within}
            for other, own in ends
            if other
        ]
        batch = {"op": "batch", "operations": operations, "title": f"Add {id_}"}
        self._edit(request, batch)
        return {"id": id_, "ids": [id_], "frame": f"{id_}.{output}"}

    # --- drawing in the 3-D view ---------------------------------------------------------

    def _sketch(self, request: Request) -> Sketch:
        """Return the frames of the newest revision, for links that are drawn."""
        if request.get("in"):
            raise FileFormatError(
                "link",
                "cannot be drawn within a sub-model.",
                "Close the sub-model first, or add parts in the diagram.",
            )
        found = self._preview
        if found is None or self._previewed != self.history.revision:
            found = preview(copied(self.history.data), [*self.trust], self._near)
        return Sketch(self.history.data, found.built.model, found.places)

    def _do_draw_link(self, request: Request) -> Answer:
        """Draw a link from one pin to another, with its joints: one step of undo."""
        sketch = self._sketch(request)
        ends = [request.get(key) for key in ("from", "to")]
        begin, end = (one if isinstance(one, dict) else {} for one in ends)
        hold = str(request.get("hold") or "free")
        frame = sketch.link(begin, end, request.get("normal"), hold)
        link = frame.rpartition(".")[0]
        batch = {"op": "batch", "operations": sketch.operations, "title": f"Draw {link}"}
        self._edit(request, batch)
        return {"frame": frame, "ids": [link]}

    def _do_move_pin(self, request: Request) -> Answer:
        """Move the pin where links meet; movements of one drag are one step of undo."""
        sketch = self._sketch(request)
        ports = request.get("ports")
        sketch.move(ports if isinstance(ports, list) and ports else [""], request.get("to"))
        first = sketch.operations[0]["id"]
        batch = {"op": "batch", "operations": sketch.operations, "title": f"Move {first}"}
        return self._edit(request, {**batch, "merge": request.get("merge")})

    # --- hands ---------------------------------------------------------------------------

    def _drag(self, message: Request, client: Client) -> None:
        """Move the mechanism by hand while it is built; the end of it is one edit."""
        phase, hold = message.get("phase"), self._hand
        if message.get("type") != "drag" or phase not in ("begin", "move", "end", "cancel"):
            return
        if hold is not None and hold[0] is not client:
            return  # another page holds it
        if phase == "begin":
            self._begin_drag(message, client)
            hold = self._hand
        if hold is None:
            return
        hand = hold[1]
        if phase in ("begin", "move", "end") and message.get("target") is not None:
            hand.move(message["target"])
        if phase in ("end", "cancel"):
            self._hand = None
            operations = hand.operations(self.history.data) if phase == "end" else []
            if operations:
                title = f"Drag {operations[0]['id']}"
                self._edit(
                    {**message, "op": "batch"},
                    {"op": "batch", "operations": operations, "title": title},
                )
            elif self._preview is not None:
                self._previewed = 0  # as it was before
                self._wanted.set()
            return
        self.server.send({"frame": hand.frame()})

    def _begin_drag(self, message: Request, client: Client) -> None:
        shown = self._preview
        if shown is None or shown.pose is None or shown.scene is None:
            return
        try:
            hand = StudioHand(
                shown.pose, shown.scene, int(message["group"]), message["point"]
            )
        except (MotorikError, KeyError, TypeError, ValueError) as error:
            self.server.tell(client, "notice", notice("info", str(error)))
            return
        self._hand = (client, hand)

    # --- documents and files -------------------------------------------------------------

    def _do_document(self, request: Request) -> Answer:
        found = self._document_message()
        found.pop("type")
        return found

    def _do_new(self, request: Request) -> Answer:
        self._autosave()
        self._take_document(Document(), None)
        self._show_document()
        return {}

    def _opened(self, document: Document, file: Path | None) -> Answer:
        self._take_document(document, file)
        self._show_document()
        for lost in document.losses:
            self.server.send({"notice": notice("warning", str(lost), lost.part or None)})
        missing = [one for one in document.modules if one not in self.trust]
        return {"lost": [str(one) for one in document.losses], "untrusted": missing}

    def _do_open(self, request: Request) -> Answer:
        path = checked_path(request.get("path"), self.folder)
        document = load_document(path)
        self.files.note(path)
        return self._opened(document, path)

    def _do_open_text(self, request: Request) -> Answer:
        text = request.get("text")
        if not isinstance(text, str):
            raise FileFormatError("open", "has no text.", "Choose a file.")
        document = Document.read(text)
        return self._opened(document, None)

    def _do_open_gallery(self, request: Request) -> Answer:
        return self._opened(Document.of(gallery_model(request.get("name"))), None)

    def _do_trust(self, request: Request) -> Answer:
        """Trust a module of the user that the document names: its code will run."""
        name = request.get("module")
        if name not in self.document.modules:
            raise FileFormatError(
                "trust", f"{str(name)[:80]!r} is no module of the document.", value=name
            )
        self.trust.append(str(name))
        self._previewed = 0
        self._wanted.set()
        return {"trusted": self.trust}

    def _do_save(self, request: Request) -> Answer:
        if self.file is None:
            raise FileFormatError("save", "the document has no file yet.", "Use save as.")
        return self._save_to(self.file)

    def _do_save_as(self, request: Request) -> Answer:
        path = checked_path(request.get("path"), self.folder)
        if path.exists() and path != self.file and not request.get("replace"):
            raise FileFormatError(
                str(path),
                "exists already.",
                "Choose another name, or replace it.",
                parameter="replace",
                value=str(path),
            )
        return self._save_to(path)

    def _save_to(self, path: Path) -> Answer:
        self.document.save(path)
        self.file, self.saved = path, self.history.revision
        self._unsaved_since = 0.0
        self.files.forget(self.name)
        self.files.note(path)
        self._broadcast("state", {"type": "state", **self._state()})
        return {"file": str(path), "saved": self.saved}

    def _do_recent(self, request: Request) -> Answer:
        left = self.files.recovered(self.name)
        recovered = None
        if left is not None:
            recovered = {key: left[1].get(key) for key in ("path", "name", "when")}
        return {
            "recent": self.files.recent(),
            "gallery": gallery_list(),
            "recovered": recovered,
            "folder": str(self.folder),
        }

    def _do_recover(self, request: Request) -> Answer:
        left = self.files.recovered(self.name)
        if left is None:
            raise FileFormatError("recover", "there is nothing to recover.", "Open a file.")
        session, content = left
        document = Document.read(content["text"])
        path = content.get("path")
        file = Path(path) if isinstance(path, str) else None
        answer = self._opened(document, file)
        self.saved = 0
        self._unsaved_since = clock.monotonic()
        self._autosave()
        self.files.forget(session)
        self._broadcast("state", {"type": "state", **self._state()})
        return answer

    def _do_discard_recovered(self, request: Request) -> Answer:
        left = self.files.recovered(self.name)
        if left is not None:
            self.files.forget(left[0])
        return {}

    def _keep(self) -> None:
        """Save what was changed, some time after the edit."""
        while not self._over.wait(0.5):
            if self._unsaved_since and clock.monotonic() - self._unsaved_since > AUTOSAVE:
                self._autosave()

    def _autosave(self) -> None:
        with self._lock:
            if not self._unsaved_since or self.saved == self.history.revision:
                return
            self._unsaved_since = 0.0
            text, name = self.document.text(), self.document.name
        self.files.autosave(self.name, text, self.file, name)

    # --- catalogue, help, source ---------------------------------------------------------

    def _do_catalogue(self, request: Request) -> Answer:
        return {"catalogue": page_catalogue()}

    def _do_help(self, request: Request) -> Answer:
        kind = find_class(str(request.get("class")), self.trust)
        return {"text": help_of(kind)}

    def _do_export_source(self, request: Request) -> Any:
        form = request.get("form", "python")
        if form not in ("python", "mobile"):
            raise ParameterError(
                "export",
                f"{form!r} is no form.",
                "Give python or mobile.",
                parameter="form",
                value=form,
            )
        if form == "mobile":
            name = file_name(f"{self.document.name.lower()}_mobile", ".py")
            data = copied(self.history.data)
            pending = self.runner.ask("program", data=data, trust=tuple(self.trust))
            return _then(pending, lambda found: {"name": name, **found})
        text = write_source(self.document)
        return {"name": file_name(self.document.name.lower(), ".py"), "text": text}

    def _do_import_source(self, request: Request) -> Answer:
        return self._opened(read_source(str(request.get("text"))), None)

    # --- preview -------------------------------------------------------------------------

    def _look(self) -> None:
        """Show scene, diagnostics and ports of the newest revision, as often as it changes."""
        while not self._over.is_set():
            self._wanted.wait()
            self._wanted.clear()
            if self._over.is_set():
                return
            with self._lock:
                revision = self.history.revision
                if revision == self._previewed:
                    continue
                data, trust, near = copied(self.history.data), [*self.trust], self._near
                seen = _seen(data) + repr(trust)
                if seen == self._seen and self._preview is not None and self._previewed:
                    self._previewed = revision  # only places or notes were changed
                    content = {"type": "diagnostics", "revision": revision}
                    text = _text({**content, **self._preview.diagnostics})
                    self._keep_and_send("diagnostics", text)
                    continue
                self._seen = seen
            try:
                with TURNS:
                    found = preview(data, trust, near)
            except Exception as error:  # nothing of a document may end this thread
                found = None
                self.server.send(
                    {"notice": notice("error", f"{type(error).__name__}: {error}")}
                )
            with self._lock:
                self._previewed = revision
                if found is None:
                    continue
                if found.pose is not None and found.pose.fault is None:
                    self._near = found.pose.near
                self._show_preview(found, revision)
            self._prepare(data, found)

    def _show_preview(self, found: Preview, revision: int) -> None:
        losses = [one.as_json() for one in self.losses] if revision <= 2 else []
        diagnostics = {**found.diagnostics, "items": [*losses, *found.diagnostics["items"]]}
        head = {"revision": revision}
        self._preview = found
        text = _text({"type": "ports", "whole": True, **head, "parts": found.ports})
        self._keep_and_send("ports", text)
        self._keep_and_send(
            "diagnostics", _text({"type": "diagnostics", **head, **diagnostics})
        )
        if not found.built.model.parts:
            content = {"type": "scene", **head, "frames": [], "scene": None}
            self._newest.pop("scene", None)
            self._broadcast("scene", content)
        if found.scene is not None:
            frames = _text({"frames": [*found.frames]})[1:-1]
            text = f'{{"type":"scene","revision":{revision},{frames},"scene":{found.scene.text()}}}'
            self._keep_and_send("scene", text)

    def _prepare(self, data: Request, found: Preview) -> None:
        """Let the worker compile what will probably be run, while the user looks at it."""
        is_busy = any(run.status in BUSY for run in self.runs.values())
        if (
            found.built.errors
            or found.pose is None
            or found.pose.fault is not None
            or is_busy
        ):
            return
        if self.runs:  # who has simulated will do so again
            self.runner.ask("prepare", data=data, trust=tuple(self.trust))

    def _do_explain(self, request: Request) -> Any:
        data = copied(self.history.data)
        pending = self.runner.ask("explain", data=data, trust=tuple(self.trust))
        return _then(pending, lambda text: {"explain": text, "text": text})

    # --- runs ----------------------------------------------------------------------------

    def _runs_message(self) -> Request:
        return {"type": "runs", "runs": [run.as_json() for run in self.runs.values()]}

    def _show_runs(self) -> None:
        self._broadcast("runs", self._runs_message())

    def _check_built(self, data: Request) -> None:
        """Refuse a run of a document with errors, at the first of them."""
        errors = Document(data).built(self.trust).errors
        if errors:
            raise LocatedError(errors[0])
        if not data["parts"]:
            raise FileFormatError("simulate", "the model has no parts.", "Add some first.")

    def _do_simulate(self, request: Request) -> Answer:
        data = copied(self.history.data)
        self._check_built(data)
        initial = None
        if request.get("continue") in self.runs:
            before = self.runs[request["continue"]]
            if before.end_time is None:
                raise ParameterError(
                    "run",
                    f"{before.name} has no end from which to go on.",
                    "Simulate first.",
                    parameter="continue",
                    value=before.id,
                )
            initial, begin = before.end, before.end_time
            run = data.setdefault("run", {})
            run["start_time"] = begin
            run["stop_time"] = begin + float(run.get("stop_time", 10.0))
        name = request.get("name")
        run = self._begin(data, name if isinstance(name, str) and name else "", initial)
        self._show_runs()
        return {"run": run.id}

    def _begin(
        self, data: Request, name: str, initial: Mapping[str, float] | None = None
    ) -> StudioRun:
        self._run_number += 1
        id_ = f"r{self._run_number}"
        run = StudioRun(id_, name or f"Run {self._run_number}", self.history.revision, data)
        while len(self.runs) >= MOST_RUNS:
            self._forget(next(iter(self.runs)))
        self.runs[id_] = run
        self._submit(run, dict(initial or {}))
        return run

    def _submit(self, run: StudioRun, initial: Request) -> None:
        run.status, run.initial = "waiting", initial
        run.future = self.runner.ask("run", **run.command(self.trust))
        run.future.add_done_callback(lambda done: self._finished(run, done))

    def _finished(self, run: StudioRun, done: Future[Any]) -> None:
        with self._lock:
            if self.runs.get(run.id) is not run:  # of a document that is not open any more
                return
            error = done.exception()
            if isinstance(error, CancelledError):
                run.status, run.message = "cancelled", "It was stopped."
            elif error is not None:
                run.status, run.message = "failed", str(error)
                self._note_failure(error)
            else:
                found = done.result()
                run.status, run.progress = "done", 1.0
                run.message, run.end = found["message"], found["end"]
                run.end_time = found["end_time"]
                run.generation = self.runner.generation
                if not found["complete"]:
                    run.status = "cancelled" if "interrupt" in run.message else "failed"
            self._show_runs()
            if error is None and run.id in self.runs:
                self._show_motion(run, done.result())

    def _note_failure(self, error: BaseException) -> None:
        text = _error(error)
        self.server.send({"notice": notice("error", str(error), text.get("part") or None)})

    def _show_motion(self, run: StudioRun, found: Request) -> None:
        """Show a run in the 3-D views: the scene that it was computed for, then its motion."""
        frames = _text({"frames": found["frames"]})[1:-1]
        head = f'"revision":{run.revision},"run":"{run.id}"'
        scene = f'{{"type":"scene",{head},{frames},"scene":{found["scene"]}}}'
        self.server.send({"scene": scene, "run": _of_run(run.id, found["run"])})

    def _hear_worker(self, message: Request) -> None:
        with self._lock:
            run = self.runs.get(message.get("run", ""))
            if run is not None and run.status in BUSY:
                run.status, run.progress = message["status"], message["progress"]
                self._show_runs()

    def _run(self, request: Request) -> StudioRun:
        run = self.runs.get(str(request.get("run")))
        if run is None:
            raise ParameterError(
                "run",
                f"there is no run {request.get('run')!r}.",
                "Simulate first.",
                parameter="run",
                value=request.get("run"),
            )
        return run

    def _do_cancel(self, request: Request) -> Answer:
        run = self._run(request)
        if run.status in BUSY and run.future is not None:
            self.runner.cancel(run.future)
        return {}

    def _of_worker(self, run: StudioRun, do: str, **given: object) -> Future[Any]:
        """Ask the worker about a run; one that its process has lost is computed again."""
        if run.status == "done" and run.generation != self.runner.generation:
            self.runner.ask("run", **run.command(self.trust))
            run.generation = self.runner.generation
        return self.runner.ask(do, run=run.id, **given)

    def _do_play(self, request: Request) -> Any:
        run = self._run(request)

        def show(found: Request) -> Answer:
            if request.get("only"):
                text = found["run"]
                return {"run": json.loads(text)["run"]}
            with self._lock:
                self._show_motion(run, found)
            return {}

        return _then(self._of_worker(run, "play"), show)

    def _do_variables(self, request: Request) -> Any:
        names = request.get("names")
        if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
            raise ParameterError(
                "variables", "names no variables.", "Give some.", parameter="names"
            )
        run = self._run(request)
        return self._of_worker(run, "variables", names=names[:64])

    def _do_list_variables(self, request: Request) -> Any:
        pending = self._of_worker(self._run(request), "list")
        return _then(pending, lambda found: {"variables": found})

    def _do_remove_run(self, request: Request) -> Answer:
        self._forget(self._run(request).id)
        self._show_runs()
        return {}

    def _forget(self, id_: str) -> None:
        run = self.runs.pop(id_)
        if run.status in BUSY and run.future is not None:
            self.runner.cancel(run.future)
        else:
            self.runner.ask("forget", run=id_)

    def _do_rename_run(self, request: Request) -> Answer:
        name = request.get("name")
        if not isinstance(name, str) or not name.strip():
            raise ParameterError(
                "run", "has no name.", "Give one.", value=name, parameter="name"
            )
        self._run(request).name = name.strip()[:120]
        self._show_runs()
        return {}

    def _do_sweep(self, request: Request) -> Answer:
        """Run the model with several values of one parameter of the model or of a part."""
        name, values = request.get("parameter"), request.get("values")
        is_list = isinstance(values, list) and 0 < len(values) <= MOST_RUNS
        if not is_list or not all(isinstance(v, (int, float)) for v in values or ()):
            raise ParameterError(
                "sweep",
                f"needs 1 to {MOST_RUNS} numbers.",
                "Give values.",
                value=values,
                parameter="values",
            )
        assert isinstance(values, list)
        ids = []
        for value in values:
            data = copied(self.history.data)
            with_parameter(data, str(name), float(value))
            if not ids:
                self._check_built(data)
            run = self._begin(data, f"{name} = {value:g}")
            run.sweep = {"parameter": name, "value": value}
            ids.append(run.id)
        self._show_runs()
        return {"runs": ids}

    # --- exports -------------------------------------------------------------------------

    def _export(self, request: Request, form: str) -> Any:
        run = self._run(request) if request.get("run") else self._newest_run()
        options = {"names": [str(one) for one in request.get("names") or ()]}
        name = file_name(f"{self.document.name}_{run.name}", f".{form}")
        pending = self._of_worker(run, "export", form=form, options=options)
        return _then(pending, lambda found: {"name": name, **found})

    def _newest_run(self) -> StudioRun:
        done = [run for run in self.runs.values() if run.end_time is not None]
        if not done:
            raise ParameterError(
                "run", "there is no result yet.", "Simulate first.", parameter="run"
            )
        return done[-1]

    def _do_export_result(self, request: Request) -> Any:
        form = str(request.get("form", "csv"))
        if form not in ("csv", "xlsx", "nc"):
            raise ParameterError(
                "export",
                f"{form!r} is no form.",
                "Give csv, xlsx or nc.",
                parameter="form",
                value=form,
            )
        return self._export(request, form)

    def _do_export_film(self, request: Request) -> Any:
        return self._export(request, "mp4")

    def _do_export_html(self, request: Request) -> Any:
        if request.get("run") or any(run.status == "done" for run in self.runs.values()):
            return self._export(request, "html")
        from motorik.view.web.page import make_film

        scene = self._shown_scene()
        page = make_film(scene.text(), self.document.name)
        return {"name": file_name(self.document.name, ".html"), "text": page}

    def _do_export_picture(self, request: Request) -> Any:
        from motorik.view.render import draw

        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "picture.png"
            draw(self._shown_scene(), file=file)
            data = base64.b64encode(file.read_bytes()).decode("ascii")
        return {"name": file_name(self.document.name, ".png"), "base64": data}

    def _shown_scene(self) -> Any:
        if self._preview is None or self._preview.scene is None:
            raise ParameterError(
                "export",
                "there is nothing to see yet.",
                "Add parts first.",
                parameter="form",
            )
        return self._preview.scene


BUSY = ("waiting", "compiling", "running")
EDITS = {
    *OPERATIONS,
    "batch",
    "undo",
    "redo",
    "duplicate",
    "layout",
    "align",
    "tool",
    "draw_link",
    "move_pin",
    "simulate",
}


class LocatedError(MotorikError):
    """An error at a part, port and field of the document."""

    def __init__(self, fault: Diagnostic) -> None:
        super().__init__(
            fault.part, fault.text, fault.remedy, port=fault.port, parameter=fault.field
        )
        self.path, self.value = fault.part, fault.value or None


def _error(error: BaseException) -> Request:
    """Return an error as pages get it."""
    if isinstance(error, MotorikError):
        found = Diagnostic.of(error).as_json()
        found["text"] = f"{found['text']}" if found["part"] else str(error).split("\n")[0]
        return found
    if isinstance(error, CancelledError):
        return {"text": "It was stopped.", "remedy": "", "part": ""}
    return {"text": f"{type(error).__name__}: {error}", "remedy": "", "part": ""}


UNSEEN = ("diagram", "notes", "panels", "run", "description")


def _seen(data: Request) -> str:
    """Return the text of a document without what scene and diagnostics do not depend on."""
    models = {
        name: {key: one for key, one in inner.items() if key not in UNSEEN}
        for name, inner in data.get("models", {}).items()
    }
    own = {key: one for key, one in data.items() if key not in UNSEEN}
    return json.dumps({**own, "models": models})


def _number_of(request: Request) -> int | None:
    """Return the number that a page gave its request."""
    number = request.get("request", request.get("id"))
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def _answered(answer: Json) -> Answer:
    """Return the answer of an operation: names that it gave."""
    if isinstance(answer, dict):
        found = {k: v for k, v in answer.items() if k != "id"}
        if "ids" not in found and answer.get("id"):
            found["ids"] = [answer["id"]]
        return found | ({"name": answer["id"]} if answer.get("id") else {})
    if isinstance(answer, list):
        ids = [
            name
            for one in answer
            if isinstance(one, dict)
            for name in (one.get("ids") or [one.get("id")])
            if name
        ]
        return {"ids": ids}
    return {}


def _then(pending: Future[Any], change: Callable[[Any], Answer]) -> Future[Answer]:
    """Return the future of an answer that is made of that of the worker."""
    found: Future[Answer] = Future()

    def done(one: Future[Any]) -> None:
        try:
            found.set_result(change(one.result()))
        except BaseException as error:
            found.set_exception(error)

    pending.add_done_callback(done)
    return found


def _of_run(id_: str, text: str) -> str:
    """Return the message of a run with its id."""
    return f'{{"id":{json.dumps(id_)},{text[1:]}'


def _text(content: Request) -> str:
    return json.dumps(content, ensure_ascii=False, allow_nan=False)


def with_parameter(data: Request, name: str, value: float) -> None:
    """Give a parameter of the model, or an argument of a part ("rod.r"), another value."""
    for one in data.get("parameters", ()):
        if one["name"] == name:
            one["value"] = value
            return
    id_, _, field = name.rpartition(".")
    for part in data["parts"]:
        if part["id"] == id_ and field.isidentifier():
            part.setdefault("arguments", {})[field] = {"parameter": value}
            return
    known = [one["name"] for one in data.get("parameters", ())]
    raise ParameterError(
        "sweep",
        f"there is no parameter {name[:80]!r}.",
        suggest(name[:80], known),
        value=name,
        parameter="name",
    )
