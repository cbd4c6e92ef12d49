"""Mechanisms are built from nothing by mouse and keyboard, run, undone, saved and exported."""

import numpy as np
import pytest

import motorik


def test_pendulum(desk, studio, tmp_path):
    desk.begin()
    desk.picture("empty")
    for kind in ("World", "Revolute", "BodyBox"):
        desk.add(kind)
    desk.press("f")
    desk.wire("world.frame_b", "revolute.frame_a")
    desk.wire("revolute.frame_b", "bodyBox.frame_a")
    desk.picture("wired")
    desk.set("bodyBox", "r", "0.5 m")
    assert desk.read("studio.diagnosis.freedoms") == 1
    desk.simulate()
    desk.plot("revolute.phi")
    desk.picture("plotted")
    time, phi = map(np.array, desk.series("revolute.phi"))
    model = studio.document.build()
    assert time.size > 501  # a curve between samples is seen when it is zoomed
    result = model.simulate(stop_time=10.0, output=time)
    assert np.allclose(phi, result["revolute.phi"], atol=1e-4)
    source = desk.export("Control+e")
    assert "class Model" in source
    # it is saved under a name, and the file is the same mechanism
    desk.press("Control+s")
    desk.page.locator("dialog.save_as input").fill(str(tmp_path / "pendulum.json"))
    desk.press("Enter")
    desk.until("studio.saved === studio.revision && studio.file")
    saved = motorik.load_document(tmp_path / "pendulum.json").build()
    assert [*saved.parts] == ["world", "revolute", "bodyBox"]
    # everything is undone, and done again
    steps = 0
    while desk.read("studio.canUndo") is not None:
        before = desk.read("studio.revision")
        desk.press("Escape", "Control+z")
        desk.until("studio.revision > given", before)
        steps += 1
    assert steps >= 6
    assert desk.read("studio.document.parts.length") == 0
    for _ in range(steps):
        before = desk.read("studio.revision")
        desk.press("Control+y")
        desk.until("studio.revision > given", before)
    assert desk.read("studio.document.connections.length") == 2


LINKS = {"crank": ("0.1", "0", "0"), "rod": ("0.3", "0", "0"), "rocker": ("0", "0.2", "0")}


@pytest.mark.thorough
def test_four_bar_with_the_keyboard_alone(desk):
    desk.begin()
    desk.add("World")
    for joint in "abcd":
        desk.put("Revolute", joint)
    for link in (*LINKS, "ground"):
        desk.put("FixedTranslation" if link == "ground" else "BodyBox", link)
    desk.press("Escape", "f")
    chain = ["world.frame_b", "a.frame", "crank.frame", "b.frame", "rod.frame", "c.frame"]
    chain += ["rocker.frame", "d.frame"]
    ends = [chain[0], *(f"{one}_{side}" for one in chain[1:] for side in "ab")]
    for a, b in zip(ends[:-1:2], ends[1::2], strict=True):
        desk.connect(a, b)
    desk.connect("world.frame_b", "ground.frame_a")
    desk.connect("ground.frame_b", "d.frame_b")
    desk.picture("connected")
    for link, r in LINKS.items():
        desk.set(link, "r", *r)
    desk.set("ground", "r", "0.35", "0", "0")
    desk.press("Escape", "l")
    desk.settled()
    desk.press("x")
    desk.picture("closed")
    assert desk.read("studio.diagnosis.freedoms") == 1
    assert desk.read("studio.diagnosis.loops.length") == 1
    assert not desk.read("studio.diagnosis.open.length"), desk.messages()
    desk.simulate()
    desk.plot("a.phi")
    desk.picture("simulated")


def test_a_four_bar_is_drawn_with_four_clicks(desk, studio):
    desk.page.locator("dialog[open] .door").first.wait_for()
    desk.until("studio.classes.groups.length > 0")
    desk.page.get_by_role("button", name="Draw a linkage").click()
    dot = desk.page.locator(".dot").first
    dot.wait_for()
    desk.until("studio.scene && studio.waiting === 0")
    box = dot.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    desk.point(x, y)
    desk.until("studio.pen.from !== null")
    desk.point(x + 30, y - 60)
    desk.until("studio.level.parts.length === 3 && studio.waiting === 0")
    desk.point(x + 110, y - 90)
    desk.until("studio.level.parts.length === 5 && studio.waiting === 0")
    desk.picture("two_links")
    desk.page.keyboard.down("Shift")
    desk.point(x + 140, y)
    desk.page.keyboard.up("Shift")
    desk.until("studio.level.parts.length === 9 && studio.waiting === 0")
    desk.settled()
    desk.press("Escape", "Escape")
    assert desk.read("studio.pen") is None
    assert desk.read("studio.diagnosis.freedoms") == 1
    assert desk.read("studio.diagnosis.loops.length") == 1
    assert not desk.messages()
    desk.picture("closed")
    # a pin is dragged: the loop stays closed
    before = studio.history.data["parts"][2]["arguments"]["r"]
    pin = desk.page.locator('.dot[aria-label*="link.frame_b"]').bounding_box()
    x, y = pin["x"] + pin["width"] / 2, pin["y"] + pin["height"] / 2
    desk.page.mouse.move(x, y)
    desk.page.mouse.down()
    desk.page.mouse.move(x + 20, y - 5, steps=4)
    desk.page.mouse.move(x + 40, y - 10, steps=4)
    desk.page.mouse.up()
    desk.until("studio.canUndo.startsWith('Move') && studio.waiting === 0")
    desk.settled()
    assert studio.history.data["parts"][2]["arguments"]["r"] != before
    assert not desk.messages()
    desk.simulate()
    assert desk.read("studio.playing")


def test_a_part_is_dropped_at_a_frame_of_the_view(desk):
    desk.begin()
    desk.add("World")
    desk.press("Escape", "t")
    desk.page.locator(".dot").first.wait_for()
    desk.page.locator(".catalogue input").fill("revolute")
    item = desk.page.locator('.item[data-class="Revolute"]')
    item.wait_for()
    item.drag_to(desk.page.locator(".dot").first)
    desk.until("studio.level.connections.length === 1")
    assert desk.read("studio.level.connections[0]") == ["world.frame_b", "revolute.frame_a"]


def test_notes_stand_in_the_diagram(desk):
    desk.begin()
    desk.press("Escape")
    desk.open("n")
    desk.page.locator("dialog.note textarea").fill("Drawn on a Monday")
    desk.press("Control+Enter")
    note = desk.page.locator(".diagram .note")
    note.wait_for()
    note.dblclick()
    desk.page.locator("dialog.note textarea").fill("")
    desk.press("Control+Enter")
    desk.until("studio.level.notes.length === 0")


def test_a_file_is_replaced_only_when_asked(desk, tmp_path):
    (tmp_path / "there.json").write_text("{}", encoding="utf-8")
    desk.begin()
    desk.add("World")
    desk.press("Control+s")
    desk.page.locator("dialog.save_as input").fill(str(tmp_path / "there.json"))
    desk.press("Enter")
    desk.page.get_by_role("button", name="Replace it").click()
    desk.until("studio.saved === studio.revision && studio.file")
    assert "World" in (tmp_path / "there.json").read_text(encoding="utf-8")


def test_a_lost_link_is_told_and_edits_are_kept(desk, studio):
    desk.begin()
    desk.add("World")
    desk.page.context.set_offline(True)
    desk.page.evaluate("motorikStudio.studio.link.socket.close()")
    desk.until("!studio.connected")
    assert "Connection lost" in desk.page.locator(".chips").inner_text()
    desk.open("/")
    desk.page.locator("dialog.insert input").fill("Revolute")
    desk.press("Enter")
    desk.until("studio.parts.has('revolute')")
    assert [part["id"] for part in studio.document.data["parts"]] == ["world"]
    desk.page.context.set_offline(False)
    desk.until("studio.connected && studio.waiting === 0")
    assert [part["id"] for part in studio.document.data["parts"]] == ["world", "revolute"]
    desk.wrong.clear()


MISTAKES = [
    ("BodyBox", "density", "-1", "at least 0"),
    ("BodyBox", "r", "three", "r"),
    ("BodyBox", "length", "0.5 kg", "The unit here is m"),
    ("Revolute", "restitution", "2", "at most 1"),
    ("rotational.Inertia", "J", "1e999", "too large"),
    ("rotational.Inertia", "J", "=", "formula"),
]


def test_mistakes_in_fields_are_told_in_place(desk):
    desk.begin()
    known = {}
    for kind, field, text, told in MISTAKES:
        if kind not in known:
            known[kind] = desk.add(kind)
        name = known[kind]
        desk.choose(name)
        box = desk.page.locator(f'[data-field="{name}.{field}"]')
        box.locator(".number input").first.fill(text)
        box.locator(".number input").first.press("Enter")
        fault = box.locator(".fault")
        fault.wait_for()
        assert told in fault.inner_text(), (kind, field, text)
        desk.picture(f"{name}_{field}")
        box.locator(".number input").first.press("Escape")
        desk.press("Escape")


def test_ports_of_other_kinds_do_not_accept_a_wire(desk):
    desk.begin()
    desk.add("Revolute")
    desk.add("rotational.Inertia")
    desk.press("f")
    (x, y), (u, v) = desk._middle("revolute.frame_b"), desk._middle("inertia.flange_a")
    mouse = desk.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(u, v, steps=4)
    desk.picture("unfit")
    mouse.up()
    desk.page.get_by_text("do not fit").first.wait_for()
    assert desk.read("studio.level.connections.length") == 0


def test_a_phone_shows_one_pane_at_a_time(desk):
    desk.begin()
    desk.add("World")
    desk.page.set_viewport_size({"width": 390, "height": 780})
    for title, pane in (
        ("3-D", ".view"),
        ("Values", ".right"),
        ("Results", ".dock"),
        ("Diagram", ".diagram"),
    ):
        desk.page.get_by_role("button", name=title, exact=True).click()
        assert desk.page.locator(pane).is_visible()
        wide = desk.page.evaluate("document.scrollingElement.scrollWidth")
        assert wide <= 390
        desk.picture(title)
