"""Live models in cells of a notebook, in a real browser: sliders, buttons, hands, frames."""

import pytest

from motorik.view.live import notebook as notebooks
from tests.view.live.models import Pendulum
from tests.view.live.notebooks import FakeWidget
from tests.view.web.notebook_pages import Notebook


@pytest.fixture
def session(monkeypatch):
    monkeypatch.setattr(notebooks, "widget_class", lambda: FakeWidget)
    with Pendulum().live(open=False) as session:
        yield session


@pytest.fixture
def book(page, session):
    book = Notebook(page, session.widget(height=300))
    book.add_cell()
    book.until(lambda: book.cell(0).locator(".panel").count(), "a panel")
    return book


def angle(cell):
    return cell.locator('[data-id$="hinge.phi"] input[type=number]')


def test_a_cell_shows_the_model_and_its_controls(book, session):
    cell = book.cell(0)
    assert cell.locator(".title").text_content() == "Pendulum"
    assert cell.locator("> div").first.bounding_box()["height"] == 300
    book.page.evaluate("setHeight(360)")
    assert cell.locator("> div").first.bounding_box()["height"] == 360
    book.until(lambda: session.clients == 1, "a client")
    assert not cell.locator("[role=status]").last.is_visible()


def test_sliders_and_buttons_of_a_cell_act_on_the_session(book, session):
    cell = book.cell(0)
    angle(cell).fill("60")
    angle(cell).press("Enter")
    book.until(lambda: session["hinge.phi"] == pytest.approx(1.0472, abs=1e-3), "60°")
    cell.locator(".play").click()
    book.until(lambda: session.is_running and session.time > 0.3, "that it runs")
    clock = cell.locator("output.clock")
    book.until(
        lambda: clock.text_content().strip() not in ("", "0"), "frames that come back"
    )
    cell.locator(".play").click()
    book.until(lambda: not session.is_running, "that it pauses")


def find_part(book, name):
    """Move the pointer, line by line, until it points at a part; return where that is."""
    tip = book.cell(0).locator(".tip")
    box = book.cell(0).locator("canvas").first.bounding_box()
    for row in range(1, 10):
        y = box["y"] + box["height"] * (0.5 + (-1) ** row * 0.05 * (row // 2))
        for x in range(int(box["x"]) + 40, int(box["x"] + box["width"]) - 40, 3):
            book.page.mouse.move(x, y)
            if tip.is_visible() and name in tip.text_content():
                return x, y
    raise AssertionError(f"{name} is not seen")


def test_a_hand_in_a_cell_moves_the_model(book, session):
    before = session["hinge.phi"]
    x, y = find_part(book, "rod")
    book.page.mouse.down()
    book.page.mouse.move(x + 30, y - 20, steps=4)
    book.page.mouse.up()
    book.until(lambda: abs(session["hinge.phi"] - before) > 1e-3, "that it is dragged")


def test_two_cells_show_one_session(book, session):
    book.add_cell()
    book.until(lambda: book.cell(1).locator(".panel").count(), "the other panel")
    angle(book.cell(1)).fill("30")
    angle(book.cell(1)).press("Enter")

    def holds():
        return abs(float(angle(book.cell(0)).input_value()) - 30) < 0.1

    book.until(holds, "that the first cell follows")
    book.until(lambda: session.clients == 2, "two clients")
    book.page.evaluate("ends.pop()()")
    book.until(lambda: session.clients == 1, "a goodbye")


def test_a_cell_says_that_the_kernel_is_busy_and_that_the_session_is_closed(book, session):
    words = book.cell(0).locator("[role=status]").last
    book.hears = False
    book.cell(0).locator(".play").click()
    book.until(lambda: words.is_visible() and "kernel" in words.text_content(), "words")
    book.hears = True
    book.until(lambda: session.is_running and not words.is_visible(), "an answer")
    session.close()
    book.until(lambda: "closed" in (words.text_content() or ""), "the end")
    book.page.evaluate("ends.pop()()")
    assert book.page.evaluate("acts.size") == 0


def test_a_cell_says_that_its_kernel_has_ended(book):
    words = book.cell(0).locator("[role=status]").last
    book.page.evaluate("endKernel()")
    assert "run the cell again" in words.text_content()
    book.cell(0).locator(".play").click()
    angle(book.cell(0)).fill("20")
    angle(book.cell(0)).press("Enter")
    book.page.evaluate("ends.pop()()")
    assert book.page.evaluate("acts.size") == 0


def test_two_sessions_in_one_notebook_warn_nobody(book, session):
    """Of two copies of three.js on a page; the fixture refuses what is said on the console."""
    book.load()
    book.add_cell()
    book.until(lambda: book.cell(1).locator(".panel").count(), "the panel of the other")
