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


class WorkerRequest:
    """A request to the worker, and its answer to come."""

    def __init__(self, do: str, given: dict[str, object]) -> None:
        self.content = {"do": do, "given": given}
        self.answer: Future[Any] = Future()


class Runner:
    """One worker process, started when it is first needed; `note` hears of the state of runs.

    The worker gets one request at a time, the next when it has answered: one that waits can be
    withdrawn, and stopping the present one concerns no other.
    """

    def __init__(self, note: Callable[[dict[str, Any]], None]) -> None:
        self._note = note
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._waiting: deque[WorkerRequest] = deque()
        self._present: WorkerRequest | None = None
        self._is_over = False
        self.generation = 0  # number of workers that were lost, with their results

    def ask(self, do: str, **given: object) -> Future[Any]:
        """Let the worker do something; return its answer to come, or `CancelledError`."""
        request = WorkerRequest(do, given)
        with self._lock:
            is_over = self._is_over
            if not is_over:
                self._waiting.append(request)
                self._send_next()
        if is_over:
            request.answer.set_exception(CancelledError())
        return request.answer

    def _send_next(self) -> None:
        """Give the worker the next request, if it has nothing to do; the lock is held."""
        if self._present is not None or not self._waiting:
            return
        process = self._started()
        self._present = self._waiting.popleft()
        assert process.stdin is not None
        try:
            write_packet(process.stdin, self._present.content)
        except (OSError, ValueError):
            process.kill()  # the thread that listens tells those who wait

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
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
            if "status" in message:
                self._note(message)
                continue
            request = self._take_present(process)
            if request is None:
                continue
            if message.get("cancelled"):
                request.answer.set_exception(CancelledError())
            elif "error" in message:
                request.answer.set_exception(_error_of(message["error"]))
            else:
                request.answer.set_result(message["answer"])
        process.kill()
        process.wait()
        lost = self._take_present(process, is_lost=True)
        if lost is not None:
            lost.answer.set_exception(CancelledError())

    def _take_present(
        self, process: subprocess.Popen[bytes], is_lost: bool = False
    ) -> WorkerRequest | None:
        """Return the request that a worker has answered, or lost, and send the next one."""
        with self._lock:
            if self._process is not process:
                return None
            request, self._present = self._present, None
            if is_lost:
                self.generation += 1
                self._process = None
            self._send_next()
        return request

    def cancel(self, answer: Future[Any]) -> None:
        """Stop a computation; if it does not stop, end its process."""
        with self._lock:
            process, present = self._process, self._present
            found = next((one for one in self._waiting if one.answer is answer), None)
            if found is not None:
                self._waiting.remove(found)
            is_present = present is not None and present.answer is answer
            if is_present and process is not None and sys.platform != "win32":
                process.send_signal(signal.SIGINT)
        if found is not None:
            answer.set_exception(CancelledError())
        if not is_present or process is None:
            return

        def end() -> None:
            if not answer.done():
                process.kill()

        delay = PATIENCE if sys.platform != "win32" else 0.0
        timer = threading.Timer(delay, end)
        timer.daemon = True
        timer.start()

    def stop(self) -> None:
        """End the process; what waits is not computed any more."""
        with self._lock:
            self._is_over = True
            process, self._process = self._process, None
            left = [*self._waiting]
            if self._present is not None:
                left.insert(0, self._present)
            self._waiting.clear()
            self._present = None
        if process is not None:
            process.kill()
            process.wait()
        for request in left:
            request.answer.set_exception(CancelledError())


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
