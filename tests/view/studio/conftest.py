"""Studios that serve real pages to a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.view.studio.desk import Desk


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark all tests of pages: a browser draws by software."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent) and "page" in item.path.name:
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def studio(monkeypatch, tmp_path):
    """An empty studio, with a folder of its own."""
    from motorik.view.studio.session import StudioSession

    monkeypatch.setenv("MOTORIK_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    with StudioSession() as session:
        session.start()
        yield session


@pytest.fixture
def desk(request, chromium, studio):
    """A user at the page of the empty studio."""
    context = chromium.new_context(viewport={"width": 1366, "height": 800})
    made = Desk(context.new_page(), request.node.name.removeprefix("test_"))
    made.page.goto(studio.url)
    yield made
    context.close()
    assert not made.wrong, made.wrong
