"""From nothing to a result by mouse and keyboard: built, run, undone, recovered, exported."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import motorik

MANY = 40  # steps that are undone


def model_of_source(text):
    """Return the model of source that the page has exported."""
    space = {"__name__": "exported"}
    exec(compile(text, "exported.py", "exec"), space)
    (made,) = [
        one
        for one in space.values()
        if isinstance(one, type)
        and issubclass(one, motorik.Model)
        and one is not motorik.Model
    ]
    return made()


def compare_source(desk, studio, name):
    """Run the exported source and the document, exactly: they are the same mechanism."""
    models = model_of_source(desk.export("Control+e")), studio.document.build()
    a, b = (one.simulate(1.0)[name] for one in models)
    assert np.allclose(a, b, rtol=0.0, atol=1e-12 * np.abs(b).max())


def undo(desk, steps):
    for _ in range(steps):
        before = desk.read("studio.revision")
        desk.press("Control+z")
        desk.until("studio.revision > given && studio.waiting === 0", before)


def test_slider_crank_with_motor_and_spring(desk, studio):
    desk.begin()
    desk.page.get_by_role("button", name="Draw links here").click()
    dot = desk.page.locator(".dot").first
    dot.wait_for()
    desk.until("studio.scene && studio.waiting === 0")
    box = dot.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    desk.point(x, y)
    desk.until("studio.pen.from !== null")
    desk.point(x + 25, y - 40)
    desk.until("studio.level.parts.length === 3 && studio.waiting === 0")
    desk.page.get_by_role("radio", name="slider").click()
    desk.point(x + 130, y)
    desk.until("studio.level.parts.length === 8 && studio.waiting === 0")
    desk.settled()
    desk.press("Escape", "Escape")
    assert desk.read("studio.diagnosis.freedoms") == 1
    desk.picture("drawn")
    # a motor at the crank: its port is offered without an option that must be found first
    desk.add("ConstantTorque")
    desk.settled()
    assert any("connected to nothing" in one for one in desk.messages())
    desk.connect("constantTorque.flange", "revolute.axis")
    desk.set("constantTorque", "tau_constant", "0.02")
    desk.press("Escape")
    desk.add("forces.Spring")
    desk.connect("world.frame_b", "spring.frame_a")
    desk.connect("revolute3.frame_b", "spring.frame_b")
    desk.set("spring", "c", "20 N/m")
    desk.set("spring", "s_unstretched", "300 mm")
    desk.settled()
    assert not desk.messages()
    assert studio.document.data["parts"][-1]["arguments"]["s_unstretched"] == 0.3
    desk.simulate()
    desk.plot("prismatic.s")
    desk.picture("simulated")
    compare_source(desk, studio, "prismatic.s")


@pytest.mark.thorough
def test_motor_on_a_gear_and_forty_steps_undone(desk, studio):
    desk.begin()
    for kind, name in (
        ("electrical.ConstantVoltage", "battery"),
        ("DCMotor", "motor"),
        ("electrical.Ground", "ground"),
        ("rotational.IdealGear", "gear"),
        ("rotational.Inertia", "load"),
    ):
        desk.put(kind, name)
    for a, b in (
        ("battery.p", "motor.p"),
        ("battery.n", "motor.n"),
        ("battery.n", "ground.p"),
        ("motor.flange", "gear.flange_a"),
        ("gear.flange_b", "load.flange_a"),
    ):
        desk.connect(a, b)
    desk.set("battery", "V", "12")
    desk.set("load", "J", "0.1")
    for k in range(MANY - 12):
        desk.set("gear", "ratio", str(2 + k / 4))
    desk.press("Escape", "l")
    desk.settled()
    desk.picture("built")
    assert not desk.messages()
    desk.simulate()
    desk.plot("load.w")
    desk.picture("simulated")
    compare_source(desk, studio, "load.w")
    before = studio.document.data
    undo(desk, MANY)
    desk.picture("undone")
    assert len(studio.document.data["parts"]) < 5 or not studio.document.data["connections"]
    for _ in range(MANY):
        revision = desk.read("studio.revision")
        desk.press("Control+y")
        desk.until("studio.revision > given && studio.waiting === 0", revision)
    assert studio.document.data == before


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="ends a process by its signal")
def test_a_killed_server_loses_nothing(chromium, tmp_path, monkeypatch):
    from tests.view.studio.desk import Desk

    monkeypatch.setenv("MOTORIK_HOME", str(tmp_path / "home"))
    command = [sys.executable, "-m", "motorik", "studio", "--no-browser"]

    def serve():
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, cwd=tmp_path, env=environment()
        )
        assert process.stdout is not None
        for line in process.stdout:
            found = re.search(r"http://\S+", line)
            if found:
                return process, found.group()
        raise AssertionError("the studio gave no address")

    first, url = serve()
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    desk = Desk(context.new_page(), "killed")
    second = None
    try:
        desk.page.goto(url)
        desk.begin()
        desk.add("World")
        desk.add("Revolute")
        desk.connect("world.frame_b", "revolute.frame_a")
        home = Path(tmp_path / "home")
        desk.until_true(
            lambda: any(
                "world.frame_b" in one.read_text("utf-8")
                for one in home.rglob("autosave*.json")
            )
        )
        first.send_signal(signal.SIGKILL)
        first.wait()
        desk.until("!studio.connected")
        desk.picture("lost")
        second, url = serve()
        desk.page.goto(url)
        desk.page.get_by_role("button", name="Recover it").wait_for()
        desk.picture("offered")
        desk.page.get_by_role("button", name="Recover it").click()
        desk.until(
            "studio.level.parts.length === 2 && studio.level.connections.length === 1"
        )
        assert desk.read("studio.changed")
    finally:
        context.close()
        for process in (first, second):
            if process is not None:
                process.kill()
                process.wait()


def environment():
    import os

    source = str(Path(motorik.__file__).parents[1])
    return {**os.environ, "PYTHONPATH": source, "PYTHONUNBUFFERED": "1"}


def test_mistakes_of_structure_are_told_at_their_part(desk):
    """Each is made by hand; the message stands at its part, and in the list of messages."""
    desk.begin()

    def told(part, words):
        desk.until_true(
            lambda: any(one.startswith(part) and words in one for one in desk.messages())
        )
        desk.choose(part)
        desk.page.locator(".form .fault", has_text=words).first.wait_for()
        desk.press("Escape")

    # nothing to simulate
    desk.press("F5")
    desk.page.get_by_text("the model has no parts").first.wait_for()
    # a joint without a world, then without a body
    desk.add("Revolute")
    told("revolute", "connected to nothing")
    desk.add("World")
    desk.connect("world.frame_b", "revolute.frame_a")
    told("revolute", "connected to nothing")
    # both ends of a joint at one place: that is not even offered
    desk.press("Escape")
    desk.open("c")
    desk.page.locator("dialog.connect input").fill("revolute.frame_b")
    desk.press("Enter")
    offered = desk.page.locator("dialog.connect .choices").inner_text()
    assert "world.frame_b" in offered
    assert "revolute.frame_a" not in offered
    desk.press("Escape")
    desk.add("BodyBox")
    desk.connect("revolute.frame_b", "bodyBox.frame_a")
    # a gear that couples nothing
    desk.put("rotational.IdealGear", "gear")
    desk.set("gear", "ratio", "0")
    told("gear", "couples nothing")
    desk.choose("gear")
    desk.press("Delete")
    desk.until("!studio.parts.has('gear')")
    # a loop in which nothing can move, and one that is too long: it is drawn open, with its gap
    desk.add("FixedTranslation")
    desk.connect("world.frame_b", "fixedTranslation.frame_a")
    desk.connect("bodyBox.frame_b", "fixedTranslation.frame_b")
    told("revolute", "nothing moves")
    desk.set("fixedTranslation", "r", "3", "0", "0")
    desk.until("studio.diagnosis.open[0]?.distance > 2")
    desk.picture("open")
    # a name that is taken
    desk.choose("bodyBox")
    desk.open("F2")
    desk.page.locator("dialog.rename input").fill("world")
    desk.press("Enter")
    desk.page.locator("dialog.rename .fault").wait_for()
    assert "taken" in desk.page.locator("dialog.rename .fault").inner_text()
    desk.press("Escape")
    # a formula over a parameter that is not there
    desk.set("bodyBox", "density", "= rho")
    desk.press("Escape")
    desk.until_true(
        lambda: any("rho" in one and "not known" in one for one in desk.messages())
    )
