"""What every refusal owes the user: the right class, the place, what was seen, and a remedy."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from motorik import LoopOptions, SolverOptions
from motorik.errors import MotorikError, ParameterError, PortError, UnknownNameError


@contextmanager
def refused(error: type[MotorikError], *words: str) -> Iterator[None]:
    """Expect exactly this error, with all the words in its message, a remedy and fields."""
    with pytest.raises(MotorikError) as caught:
        yield
    message = str(caught.value)
    assert type(caught.value) is error, message
    missing = [word for word in words if word not in message]
    assert not missing, f"{missing} not in: {message}"
    assert caught.value.remedy and caught.value.remedy in message, message
    check_fields(caught.value)


def pickled(error: MotorikError) -> bytes:
    """Return an error pickled by itself.

    Where Dask is loaded, tblib pickles causes and tracebacks of every exception with it, and
    some of these cannot be: symbols of CasADi, a traceback of a thousand calls.
    """
    file = io.BytesIO()
    pickler = pickle.Pickler(file)
    pickler.dispatch_table = {}
    pickler.dump(error)
    return file.getvalue()


def check_fields(error: MotorikError) -> None:
    """Expect the fields that go with the kind of error, and all of them after pickling."""
    message = str(error)
    assert error.path and message.startswith(error.path), message
    assert error.reason in message, message
    is_seen = error.value is not None or "None" in message or "needs a value" in message
    if isinstance(error, ParameterError):
        assert error.parameter and is_seen, (message, error.__dict__)
    if isinstance(error, UnknownNameError):
        assert is_seen, (message, error.__dict__)
    if isinstance(error, PortError) and error.place != "connect":
        assert error.port and is_seen, (message, error.__dict__)
    again = pickle.loads(pickled(error))
    assert type(again) is type(error) and str(again) == message
    for name in ("path", "port", "parameter", "reason", "remedy"):
        assert getattr(again, name) == getattr(error, name), name


def grouped(options: dict[str, Any]) -> dict[str, Any]:
    """Return options of `simulate`, whose groups are given as dicts, with the groups made."""
    groups = {"solver": SolverOptions, "loops": LoopOptions}
    return {
        name: groups[name](**value) if name in groups else value
        for name, value in options.items()
    }
