"""What is being worked on: shown when it takes long, nothing otherwise."""

import io
import sys
import threading
import time
from collections.abc import Callable

import pytest

from motorik import progress
from motorik.progress import working

pytestmark = pytest.mark.filterwarnings(
    "error::pytest.PytestUnhandledThreadExceptionWarning"
)


class Terminal(io.StringIO):
    """An error output that somebody looks at."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Terminal]:
    """Return what puts a terminal in place, before which work is long after 0.05 s.

    It is called within a test, because pytest puts an error output of its own there before.
    """
    monkeypatch.setattr(progress, "APPEARS_AFTER", 0.05)
    monkeypatch.setattr(progress, "_LINE", progress._Line())
    monkeypatch.setenv("TERM", "xterm")

    def open_terminal() -> Terminal:
        output = Terminal()
        monkeypatch.setattr(sys, "stderr", output)
        return output

    return open_terminal


def wait_for(terminal: Terminal, text: str) -> bool:
    """Wait until a text is shown, for ten seconds at most."""
    end = time.perf_counter() + 10.0
    while time.perf_counter() < end and text not in terminal.getvalue():
        time.sleep(0.01)
    return text in terminal.getvalue()


def test_long_work_is_shown_by_its_stages(terminal: Callable[[], Terminal]) -> None:
    output = terminal()
    with working("outer stage"):
        assert wait_for(output, "outer stage")
        with working("inner stage"):
            assert wait_for(output, "inner stage")
    assert progress._LINE.stages == []
    assert progress._LINE._shown is None


def test_quick_work_shows_nothing(
    terminal: Callable[[], Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    output = terminal()
    monkeypatch.setattr(progress, "APPEARS_AFTER", 60.0)
    for _ in range(20):
        with working("quick"):
            pass
    assert output.getvalue() == ""
    assert not [t for t in threading.enumerate() if _waits_to_appear(t)]


def _waits_to_appear(thread: threading.Thread) -> bool:
    is_timer = isinstance(thread, threading.Timer)
    return is_timer and not thread.finished.is_set()


def test_short_stages_in_a_row_are_long_work(
    terminal: Callable[[], Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    output = terminal()
    monkeypatch.setattr(progress, "APPEARS_AFTER", 0.4)
    monkeypatch.setattr(progress, "PAUSE", 10.0)
    for _ in range(3):
        with working("first of several"):
            time.sleep(0.15)
    with working("last of several"):
        assert wait_for(output, "last of several")


def test_failure_ends_a_stage(terminal: Callable[[], Terminal]) -> None:
    terminal()
    with pytest.raises(ValueError, match="bad"), working("stage"):
        raise ValueError("bad")
    assert progress._LINE.stages == []


def test_other_threads_show_nothing(terminal: Callable[[], Terminal]) -> None:
    output = terminal()

    @working("in a thread")
    def work() -> None:
        time.sleep(0.3)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert output.getvalue() == ""


def test_without_a_terminal_nothing_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with working("unseen"):
        assert progress._LINE.stages == []
    monkeypatch.setattr(sys, "stderr", None)
    with working("unseen"):
        assert progress._LINE.stages == []
