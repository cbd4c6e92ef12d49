"""Panes of the page by mouse and keyboard: tree, plots, wires, and what a phone shows of them."""

import pytest

from motorik import gallery

CROSSED = """() => {
  const parts = [...document.querySelectorAll(".svelte-flow__node")].map((one) =>
    one.getBoundingClientRect());
  return [...document.querySelectorAll(".svelte-flow__edge")].filter((wire) => {
    const path = wire.querySelector("path");
    const onScreen = path.getScreenCTM();
    const length = path.getTotalLength();
    for (let at = 0; at <= length; at += 3) {
      const { x, y } = path.getPointAtLength(at).matrixTransform(onScreen);
      if (parts.some((box) => x > box.left + 9 && x < box.right - 9
          && y > box.top + 3 && y < box.bottom - 3)) return true;
    }
  }).map((wire) => wire.getAttribute("aria-label"));
}"""
"""The wires that lie over parts."""


@pytest.fixture
def pendulum(desk):
    """A desk with a pendulum whose joint and body are a sub-model."""
    desk.begin()
    for kind in ("World", "Revolute", "BodyBox"):
        desk.add(kind)
    desk.connect("world.frame_b", "revolute.frame_a")
    desk.connect("revolute.frame_b", "bodyBox.frame_a")
    desk.settled()
    return desk


def test_parts_of_a_sub_model_are_chosen_in_the_tree(pendulum):
    desk, page = pendulum, pendulum.page
    page.get_by_role("tab", name="Model").click()
    rows = page.get_by_role("treeitem")
    rows.filter(has_text="revolute").click()
    rows.filter(has_text="bodyBox").click(modifiers=["Shift"])
    desk.until("studio.chosen.length === 2")
    desk.open("Control+g")
    page.locator("dialog.group input").first.fill("arm")
    desk.press("Enter")
    desk.until("studio.level.parts.length === 2 && studio.waiting === 0")
    whole = rows.filter(has_text="arm")
    whole.focus()
    desk.press("ArrowRight")
    rows.filter(has_text="bodyBox").click()
    desk.until("studio.inside && studio.chosen[0] === 'bodyBox'")
    page.locator('[data-field="bodyBox.density"]').wait_for()
    assert rows.filter(has_text="bodyBox").get_attribute("aria-selected") == "true"
    desk.picture("inner")
    # back in the model itself by a row of it
    rows.filter(has_text="world").click()
    desk.until("!studio.inside && studio.chosen[0] === 'world'")
    assert rows.count() == 4
    # a sub-model that the diagram opens is unfolded
    whole.focus()
    desk.press("ArrowLeft")
    assert rows.count() == 2
    desk.press("Enter")
    desk.until("studio.chosen.length === 1 && studio.chosen[0] !== 'world'")
    page.evaluate("() => document.activeElement.blur()")
    desk.press("Enter")
    desk.until("studio.inside")
    rows.nth(3).wait_for()


def test_plots_are_zoomed_and_take_variables_and_a_phone_shows_all(pendulum):
    desk, page = pendulum, pendulum.page
    desk.simulate()
    desk.until("studio.playing")
    page.get_by_role("button", name="Pause").click()
    desk.until("!studio.playing")
    desk.plot("revolute.phi")
    over = page.locator(".plot .u-over")
    box = over.bounding_box()
    y = box["y"] + box["height"] / 2

    def at(share):
        return box["x"] + share * box["width"]

    page.mouse.move(at(0.25), y)
    page.mouse.down()
    page.mouse.move(at(0.5), y, steps=4)
    page.mouse.up()
    desk.until("studio.zoom")
    low, high = desk.read("studio.zoom")
    assert abs(low - 2.5) < 0.1 and abs(high - 5) < 0.1
    desk.picture("zoomed")
    # a click goes to its time in the part that is seen
    desk.point(at(0.5), y)
    desk.until("Math.abs(studio.time - 3.75) < 0.1")
    page.mouse.dblclick(at(0.5), y)
    desk.until("studio.zoom === null")
    page.locator(".plot .drawing").focus()
    desk.press("+", "+")
    desk.until("studio.zoom && Math.abs(studio.zoom[1] - studio.zoom[0] - 2.5) < 1e-6")
    low = desk.read("studio.zoom[0]")
    desk.press("ArrowLeft")
    desk.until("studio.zoom[0] < given", low)
    desk.press("0")
    desk.until("studio.zoom === null")
    # another variable is dragged in
    pick = page.locator(".plots .pick input")
    pick.click()
    pick.fill("revolute.w")
    page.locator(".plots [role=option]").first.drag_to(page.locator(".plot .drawing"))
    desk.until("studio.document.panels[0].variables.length === 2")
    desk.picture("two")
    page.set_viewport_size({"width": 390, "height": 780})
    page.locator(".studio.small").wait_for()
    for state in ("still", "wrong"):
        header = page.locator("header.top")
        tops = header.evaluate(
            "(one) => [...one.querySelectorAll('button, .chip')].filter((b) => b.offsetParent)"
            ".map((b) => Math.round(b.getBoundingClientRect().top / 24))"
        )
        assert len(set(tops)) <= 2, tops
        assert header.evaluate("(one) => one.scrollWidth <= one.clientWidth")
        desk.picture(f"phone_{state}")
        if state == "still":
            desk.press("Escape")
            desk.add("Prismatic")
            desk.settled()
            remedies = " ".join(desk.messages())
            assert "draw a wire from prismatic.frame" in remedies
            assert "model." not in remedies


def test_wires_go_around_parts(chromium, tmp_path, monkeypatch):
    from motorik.view.studio.session import StudioSession
    from tests.view.studio.desk import Desk

    monkeypatch.setenv("MOTORIK_HOME", str(tmp_path))
    context = chromium.new_context(viewport={"width": 1366, "height": 800})
    with StudioSession(gallery.PlanarFourbar().to_document()) as session:
        session.start()
        desk = Desk(context.new_page(), "wires")
        desk.page.goto(session.url)
        desk.until("studio.level.parts.length > 3 && studio.classes.groups.length > 0")
        desk.settled()
        desk.press("Escape", "l")
        desk.settled()
        count = desk.read("studio.level.connections.length")
        desk.until(
            "document.querySelectorAll('.svelte-flow__edge').length === given", count
        )
        desk.until_true(lambda: desk.page.evaluate(CROSSED) == [])
        assert not desk.wrong
    context.close()
