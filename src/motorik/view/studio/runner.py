"""Runner: the process that compiles and simulates beside the session, and its replacement."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from motorik.errors import SimulationError
from motorik.view.studio.worker import read_packet, write_packet

PATIENCE = 3.0  # s that a computation may take to stop before its process is ended

Answered = Callable[[dict[str, Any]], None]


class CancelledError(Exception):
    """A computation was stopped by the user."""


class Runner:
    """One worker process, started when it is first needed; `note` hears of the state of runs.

    It gets one command at a time, so that those that wait can be taken back.
    """

    def __init__(self, note: Callable[[dict[str, Any]], None]) -> None:
        self._note = note
        self._lock = threading.RLock()
        self._process: subprocess.Popen[bytes] | None = None
        self._waiting: deque[tuple[Future[Any], dict[str, Any]]] = deque()
        self._present: Future[Any] | None = None
        self._number = 0
        self._stopped = False
        self.generation = 0

    def ask(self, do: str, **given: object) -> Future[Any]:
        """Let the worker do something; return its answer to come, or `CancelledError`."""
        found: Future[Any] = Future()
        with self._lock:
            self._waiting.append((found, {"do": do, "given": given}))
            self._go_on()
        return found

    def _go_on(self) -> None:
        """Give the worker the next command, if it has none."""
        while self._present is None and self._waiting and not self._stopped:
            self._present, command = self._waiting.popleft()
            self._number += 1
            process = self._started()
            assert process.stdin is not None
            try:
                write_packet(process.stdin, {"number": self._number, **command})
            except (OSError, ValueError):  # its end is heard by the thread that listens
                return

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            source = str(Path(__file__).parents[3])
            paths = [source, *(one for one in sys.path if one)]
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
            self._process = subprocess.Popen(
                [sys.executable, "-m", "motorik.view.studio.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment,
                start_new_session=True,  # Ctrl-C in the terminal is for the session
            )
            self.generation += 1
            threading.Thread(
                target=self._listen, args=(self._process,), daemon=True
            ).start()
        return self._process

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        """Pass on what a worker says until it ends."""
        assert process.stdout is not None
        while True:
            try:
                message = read_packet(process.stdout)
            except Exception:  # a packet that was cut off in the middle
                message = None
            if message is None:
                break
            if "number" not in message:
                self._note(message)
                continue
            with self._lock:
                if self._process is not process or message["number"] != self._number:
                    continue
                found, self._present = self._present, None
                self._go_on()
            if found is None:
                continue
            if message.get("cancelled"):
                found.set_exception(CancelledError())
            elif "error" in message:
                found.set_exception(_error_of(message["error"]))
            else:
                found.set_result(message["answer"])
        self._lost(process)

    def _lost(self, process: subprocess.Popen[bytes]) -> None:
        """Go on with another worker where one is gone; what it did is cancelled."""
        process.wait()
        with self._lock:
            if self._process is not process:
                return
            self._process = None
            found, self._present = self._present, None
            self._go_on()
        if found is not None:
            found.set_exception(CancelledError())
        self._note({"lost": True})

    def cancel(self, found: Future[Any]) -> None:
        """Stop a computation, or take it back; if it does not stop, end the process."""
        with self._lock:
            process, is_present = self._process, found is self._present
            kept = [one for one in self._waiting if one[0] is not found]
            was_waiting = len(kept) < len(self._waiting)
            self._waiting = deque(kept)
            if is_present and process is not None and sys.platform != "win32":
                process.send_signal(signal.SIGINT)
        if was_waiting:
            found.set_exception(CancelledError())
        if process is None or not is_present:
            return

        def end() -> None:
            with self._lock:
                still = found is self._present
            if still and process.poll() is None:
                process.kill()

        delay = PATIENCE if sys.platform != "win32" else 0.0
        timer = threading.Timer(delay, end)
        timer.daemon = True
        timer.start()

    def stop(self) -> None:
        """End the process."""
        with self._lock:
            self._stopped = True
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()


def _error_of(note: dict[str, str]) -> SimulationError:
    place = ".".join(one for one in (note["part"], note.get("port", "")) if one)
    return SimulationError(
        place,
        note["text"],
        note["remedy"],
        port=note.get("port", ""),
        parameter=note.get("field", ""),
        value=note.get("value"),
    )
