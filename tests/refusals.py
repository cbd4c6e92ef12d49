"""What every refusal owes the user: the right class, the place, what was seen, and a remedy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from motorik.errors import MotorikError


@contextmanager
def refused(error: type[MotorikError], *words: str) -> Iterator[None]:
    """Expect exactly this error, with all the words in its message and with a remedy."""
    with pytest.raises(MotorikError) as caught:
        yield
    message = str(caught.value)
    assert type(caught.value) is error, message
    missing = [word for word in words if word not in message]
    assert not missing, f"{missing} not in: {message}"
    assert caught.value.remedy and caught.value.remedy in message, message
