"""Events of a run are marks on the time axis."""

import pytest

from motorik import Body, Model, Revolute, World


class Bouncing(Model):
    """A pendulum between stops."""

    def build(self):
        self.world = World()
        self.hinge = Revolute(n="z", stops=(-1.2, 0.5), restitution=0.5)
        self.bob = Body(m=1.0, r_CM=(0.5, 0, 0))
        self.world.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.bob.frame_a


@pytest.fixture(scope="module")
def bouncing():
    result = Bouncing().simulate(1.5, output=50)
    assert len(result.events) >= 2
    return result


def test_events_are_marks_on_the_time_axis(page, bouncing, tmp_path):
    page.open(bouncing.to_html(tmp_path / "b.html"))
    marks = page.locator(".marks .event")
    assert marks.count() == len(bouncing.events)
    first = bouncing.events[0]
    assert f"{first.part}: {first.what}" in marks.first.get_attribute("title")
    marks.first.click()
    assert page.evaluate("viewer.player.time") == pytest.approx(first.time)


def test_keys_go_from_event_to_event(page, bouncing, tmp_path):
    page.open(bouncing.to_html(tmp_path / "b.html"))
    page.keyboard.press("Home")
    times = sorted({event.time for event in bouncing.events if event.time > 0})
    seen = []
    for _ in times[:3]:
        page.keyboard.press("e")
        seen.append(page.evaluate("viewer.player.time"))
    assert seen == pytest.approx(times[:3])


def test_values_jump_at_an_event(page, bouncing, tmp_path):
    """Just before the hit and at it, the speeds are those of both sides, not a mean."""
    page.open(bouncing.to_html(tmp_path / "b.html"))
    event = bouncing.events[0]
    shown = []
    for time in (event.time - 1e-9, event.time):
        page.evaluate("t => viewer.player.seek(t)", time)
        page.drawn()
        shown.append(page.evaluate("viewer.cast.values[0][viewer.plots.find('hinge.w')]"))
    assert shown[1] == pytest.approx(-0.5 * shown[0], rel=1e-3)
