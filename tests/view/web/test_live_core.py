"""The viewer as live pages use it: messages, panels, frames, dragging."""

import struct

import numpy as np
import pytest

from motorik.view.web.film import write_film
from tests.view.web.test_film import PLACE_OF_PART

PLACE_OF_MOVING = PLACE_OF_PART.replace("hit.part === part", "hit.group > 0")
LISTEN = "window.sent = []; viewer.onSend = (message) => sent.push(message); null"

PANEL = [
    {
        "title": "<b>crank</b>",
        "widgets": [
            {"id": "a", "kind": "slider", "label": "angle", "unit": "rad", "low": 0.0}
            | {"high": 3.2, "value": np.pi / 2},
            {"id": "k", "kind": "slider", "label": "stiffness", "unit": "N/m", "low": 1.0}
            | {"high": 1e4, "value": 100.0, "scale": "log"},
            {"id": "go", "kind": "button", "label": "push"},
            {"id": "on", "kind": "toggle", "label": "motor", "value": False},
            {"id": "how", "kind": "choice", "label": "law", "options": ["x", "y"]},
            {"id": "n", "kind": "number", "label": "mass", "unit": "kg", "value": 2.0},
            {"id": "note", "kind": "text", "label": "says", "value": "<i>ok</i>"},
        ],
    }
]


@pytest.fixture
def live(page, fourbar, tmp_path):
    """A page whose model is elsewhere: what it sends is kept."""
    page.open(write_film(fourbar.scene(), tmp_path / "f.html"))
    page.evaluate(LISTEN)
    return page


def frame_of(scene, time, poses):
    """Return a frame as a server sends it."""
    values = np.arange(len(scene.channels), dtype="<f4")
    return struct.pack("<d", time) + poses.astype("<f4").tobytes() + values.tobytes()


def give_frame(page, data: bytes):
    page.evaluate("bytes => viewer.frame(new Uint8Array(bytes).buffer)", list(data))


def test_widgets_send_si_values(live):
    live.evaluate("groups => viewer.setPanel(groups)", PANEL)
    assert live.locator(".panel summary").text_content() == "<b>crank</b>"
    angle = live.locator("[data-id=a]")
    assert float(angle.locator("input[type=number]").input_value()) == pytest.approx(90)
    assert "°" in angle.text_content()
    angle.locator("input[type=number]").fill("45")
    angle.locator("input[type=number]").press("Enter")
    stiff = live.locator("[data-id=k] input[type=range]")
    stiff.evaluate("s => { s.value = Math.log(1000); s.dispatchEvent(new Event('input')) }")
    live.locator("[data-id=go]").click()
    live.locator("[data-id=on]").click()
    live.locator("[data-id=how] select").select_option("y")
    live.locator("[data-id=n] input").fill("3")
    live.locator("[data-id=n] input").press("Enter")
    sent = live.evaluate("sent")
    assert [(m["type"], m["id"]) for m in sent] == [
        *(("set", "a"), ("set", "k"), ("press", "go")),
        *(("set", "on"), ("set", "how"), ("set", "n")),
    ]
    assert sent[0]["value"] == pytest.approx(np.pi / 4)
    assert sent[1]["value"] == pytest.approx(1000.0)
    assert [m.get("value") for m in sent[3:]] == [True, "y", 3]


def test_values_of_others_are_shown(live):
    live.evaluate("groups => viewer.setPanel(groups)", PANEL)
    told = {"type": "values", "widgets": {"a": np.pi, "note": "<b>x</b>", "gone": 1}}
    live.evaluate("m => viewer.receive(m)", told)
    field = live.locator("[data-id=a] input[type=number]")
    assert float(field.input_value()) == pytest.approx(180)
    assert live.locator("[data-id=note] output").text_content() == "<b>x</b>"


def test_play_and_speed_go_to_the_server(live):
    state = {"type": "state", "t": 0, "running": False, "speed": 1, "mode": "live"}
    live.evaluate("m => viewer.receive(m)", state)
    live.keyboard.press("Space")
    live.evaluate("m => viewer.receive(m)", {**state, "running": True})
    live.keyboard.press("Space")
    live.keyboard.press("ArrowUp")
    live.keyboard.press("Home")
    assert live.evaluate("sent") == [
        *({"type": "play"}, {"type": "pause"}),
        *({"type": "speed", "value": 2}, {"type": "reset"}),
    ]
    live.evaluate("m => viewer.receive(m)", {**state, "mode": "recorded"})
    live.keyboard.press("Space")
    assert live.evaluate("[sent.length, viewer.player.playing]") == [4, True]


def test_frames_move_the_model(live, fourbar):
    scene = fourbar.scene()
    poses = scene.placed(fourbar.poses().values)
    for row in (3, 4, 5):
        give_frame(live, frame_of(scene, float(fourbar.time[row]), poses[row]))
    live.drawn()
    shown = live.evaluate("viewer.cast.figures[0].groups.map(c => c.position.toArray())")
    np.testing.assert_allclose(shown[1:], poses[5, :, :3], atol=1e-6)
    assert live.evaluate("viewer.shown.live.rows") == 3
    give_frame(live, b"\0" * 24)  # garbage is not a frame
    assert live.evaluate("viewer.shown.live.rows") == 3
    give_frame(live, frame_of(scene, 0.0, poses[0]))  # time goes back: begun anew
    assert live.evaluate("viewer.shown.live.rows") == 1


def test_a_long_live_run_forgets_its_beginning(live, fourbar):
    scene = fourbar.scene()
    poses = scene.placed(fourbar.poses().values)
    data = frame_of(scene, 0.0, poses[0])
    live.evaluate(
        """bytes => { const frame = new Uint8Array(bytes).buffer;
        for (let i = 0; i < 6500; i++) { new Float64Array(frame, 0, 1)[0] = i / 100;
          viewer.frame(frame); } }""",
        list(data),
    )
    assert live.evaluate("viewer.shown.live.rows") < 6000
    assert live.evaluate("viewer.player.last") == pytest.approx(64.99)


def test_a_new_run_takes_the_place_of_the_old(live, fourbar):
    run = fourbar.scene().runs[0].to_json()
    live.evaluate("viewer.player.seek(0.4)")
    live.evaluate("m => viewer.receive(m)", {"type": "run", "run": run})
    assert live.evaluate("[viewer.shown.runs.length, viewer.player.time]") == [1, 0.4]


def test_dragging_a_part_sends_where_it_should_be(live, fourbar):
    live.drawn()
    x, y = live.evaluate(PLACE_OF_MOVING)
    before = live.evaluate("viewer.cameraMan.camera.position.toArray()")
    live.mouse.move(x, y)
    live.mouse.down()
    live.mouse.move(x + 30, y - 20, steps=3)
    live.mouse.up()
    sent = [m for m in live.evaluate("sent") if m["type"] == "drag"]
    assert [m["phase"] for m in sent] == ["begin", "move", "move", "move", "end"]
    assert live.evaluate("viewer.cameraMan.camera.position.toArray()") == before
    first, last = sent[0], sent[-1]
    assert first["group"] > 0 and first["mode"] == "kinematics"
    place = "([c, p]) => viewer.cast.figures[0].groups[c].localToWorld(P(p)).toArray()"
    place = place.replace("P(p)", "viewer.cameraMan.camera.position.clone().fromArray(p)")
    begun = live.evaluate(place, [first["group"], first["point"]])
    np.testing.assert_allclose(first["target"], begun, atol=1e-6)
    # the target is where the pointer is, seen from the camera
    seen = live.evaluate(
        """(p) => { const { x, y } = viewer.cameraMan.camera.position.clone().fromArray(p)
             .project(viewer.cameraMan.camera);
           const box = viewer.stage.canvas.getBoundingClientRect();
           return [box.left + (x + 1) / 2 * box.width, box.top + (1 - y) / 2 * box.height]; }""",
        last["target"],
    )
    np.testing.assert_allclose(seen, [x + 30, y - 20], atol=0.6)


def test_escape_lets_go(live):
    live.drawn()
    x, y = live.evaluate(PLACE_OF_MOVING)
    live.mouse.move(x, y)
    live.mouse.down()
    live.mouse.move(x + 5, y)
    live.keyboard.press("Escape")
    live.mouse.up()
    phases = [m["phase"] for m in live.evaluate("sent") if m["type"] == "drag"]
    assert phases[0] == "begin" and phases[-1] == "cancel"


def test_a_live_model_stays_in_view(live, fourbar):
    """What moves out of the picture is seen again, unless someone has turned the camera."""
    scene, poses = fourbar.scene(), fourbar.poses().values[0].copy()
    poses[:, 0] += 30.0
    inside = """() => { const p = viewer.cast.figures[0].groups[1].position.clone();
        const { x, y } = p.project(viewer.cameraMan.camera);
        return Math.max(Math.abs(x), Math.abs(y)) < 1; }"""
    give_frame(live, frame_of(scene, 0.0, poses))
    live.drawn()
    assert live.evaluate(inside)
    live.mouse.move(30, 300)
    live.mouse.down()
    live.mouse.move(80, 300, steps=2)
    live.mouse.up()
    poses[:, 0] += 3000.0
    give_frame(live, frame_of(scene, 0.1, poses))
    live.drawn()
    assert not live.evaluate(inside)
