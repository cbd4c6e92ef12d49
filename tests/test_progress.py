"""What is being worked on: shown when it takes long, nothing otherwise."""

import io
import sys
import threading
import time
import types
from collections.abc import Callable

import pytest

from motorik import progress
from motorik import progress as run_progress
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


# --- notebooks --------------------------------------------------------------------------------


class Shell:
    """What IPython's shell is in a notebook: it has a kernel."""

    kernel = object()


class Handle:
    """A display that can be put in place of itself, as IPython's."""

    def __init__(self, texts: list[str]) -> None:
        self.texts = texts

    def update(self, bundle: dict[str, str], *, raw: bool) -> None:
        assert raw
        self.texts.append(bundle["text/plain"])


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Put a notebook in place; return the texts that it shows."""
    texts: list[str] = []

    def display(bundle: dict[str, str], *, raw: bool, display_id: bool) -> Handle:
        assert raw
        assert display_id
        texts.append(bundle["text/plain"])
        return Handle(texts)

    ipython, shown = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    ipython.__dict__["get_ipython"] = Shell
    shown.__dict__["display"] = display
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", shown)
    monkeypatch.setattr(progress, "APPEARS_AFTER", 0.05)
    monkeypatch.setattr(progress, "_LINE", progress._Line())
    return texts


def test_a_notebook_shows_the_stages_and_then_nothing(notebook: list[str]) -> None:
    with working("tracing"):
        end = time.perf_counter() + 10.0
        while not notebook and time.perf_counter() < end:
            time.sleep(0.01)
        with working("compiling"):
            pass
    assert notebook == ["tracing", "compiling", "tracing", ""]


def test_a_notebook_shows_how_far_a_run_has_come(
    notebook: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_progress, "APPEARS_AFTER", 0.0)
    monkeypatch.setattr(run_progress, "BETWEEN", 0.0)
    bar = run_progress.ProgressBar("Swing", 0.0, 10.0, wanted=None, began=0.0)
    bar.update(0.0)
    bar.update(5.0)
    bar.close()
    first, half, last = notebook
    assert "Swing" in first
    assert half.count("━") == run_progress.WIDTH // 2
    assert "t = 5 s" in half
    assert last == ""


def test_ipython_in_a_terminal_is_no_notebook(
    notebook: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules["IPython"].__dict__, "get_ipython", object)
    assert not progress.in_notebook()
    monkeypatch.delitem(sys.modules, "IPython")
    assert not progress.in_notebook()
