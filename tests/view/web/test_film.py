"""Films in a browser: they play, are scrubbed, clicked on, and show what the result says."""

import re

import numpy as np
import pytest

import motorik as mk
from motorik import Body, Model, ParameterError, World, blocks, deg, forces, gallery
from motorik.view.render.camera import Camera
from motorik.view.web.film import write_film
from motorik.view.web.show import notebook_html

POSITIONS = """viewer.cast.figures[0].groups.map(
    (c) => [...c.position.toArray(), ...c.quaternion.toArray()])"""


def poses_shown(page):
    page.drawn()
    return np.array(page.evaluate(POSITIONS))[1:]


def same_turn(a, b):
    """Quaternions of either sign are one rotation."""
    sign = np.sign((a[:, 3:] * b[:, 3:]).sum(axis=1, keepdims=True))
    return np.concatenate([a[:, :3], sign * a[:, 3:]], axis=1)


def test_a_film_plays_by_itself(page, fourbar, tmp_path):
    page.open(fourbar.to_html(tmp_path / "f.html"), still=False)
    page.until("viewer.player.time > 0.1")
    assert page.evaluate("viewer.player.playing")


def test_poses_are_those_of_the_result(page, fourbar, tmp_path):
    page.open(fourbar.to_html(tmp_path / "f.html"))
    slider = page.locator("input.time")
    for row in (0, 7, 31, 59):
        slider.evaluate(
            "(s, t) => { s.value = t; s.dispatchEvent(new Event('input')); }",
            float(fourbar.time[row]),
        )
        wanted = fourbar.scene().placed(fourbar.poses().values)[row]
        np.testing.assert_allclose(same_turn(poses_shown(page), wanted), wanted, atol=3e-6)


def test_between_rows_rotations_go_the_shorter_way(page, fourbar, tmp_path):
    page.open(fourbar.to_html(tmp_path / "f.html"))
    a, b = fourbar.scene().placed(fourbar.poses().values)[20:22]
    page.evaluate("t => viewer.player.seek(t)", float(fourbar.time[20:22].mean()))
    shown = poses_shown(page)
    np.testing.assert_allclose(shown[:, :3], (a + b)[:, :3] / 2, atol=3e-6)
    middle = a[:, 3:] + same_turn(b, a)[:, 3:]  # half way: the normalized sum
    middle /= np.linalg.norm(middle, axis=1, keepdims=True)
    dot = abs((middle * shown[:, 3:]).sum(axis=1))
    np.testing.assert_allclose(dot, 1.0, atol=1e-6)


PLACE_OF_PART = """(path) => {
  const part = viewer.choice.find(path), box = viewer.stage.canvas.getBoundingClientRect();
  for (const step of [25, 5])  // most parts are found by few rays
  for (let i = 2; i < box.width; i += step) for (let j = 2; j < box.height; j += step) {
    const at = { x: i / box.width * 2 - 1, y: 1 - j / box.height * 2 };
    const hit = viewer.picker.pick(at, viewer.cameraMan.camera, viewer.cast.figures[0]);
    if (hit && hit.part === part) return [box.left + i, box.top + j];
  }
  return null;
}"""


def number_in(text: str) -> float:
    return float(re.match(r"[-−\d.e]+", text)[0].replace("−", "-"))


def test_a_click_on_a_part_shows_its_values(page, pendulum, tmp_path):
    page.open(pendulum.to_html(tmp_path / "p.html"))
    page.evaluate("viewer.player.seek(1.0)")
    page.drawn()
    x, y = page.evaluate(PLACE_OF_PART, "rev")
    page.mouse.click(x, y)
    inspector = page.locator(".inspector")
    assert inspector.locator(".path").text_content() == "rev"
    assert inspector.locator(".type").text_content() == "Revolute"
    page.drawn()
    names = inspector.locator("dt").all_text_contents()
    values = inspector.locator("dd").all_text_contents()
    shown = dict(zip(names, values, strict=True))
    phi = float(np.interp(1.0, pendulum.time, pendulum["rev.phi"]))
    assert number_in(shown["phi"]) == pytest.approx(phi, rel=1e-3)
    assert "rad" in shown["phi"] and "°" in shown["phi"]
    page.keyboard.press("Escape")
    assert inspector.is_hidden()


def test_hovering_names_the_part(page, pendulum, tmp_path):
    page.open(pendulum.to_html(tmp_path / "p.html"))
    page.drawn()
    x, y = page.evaluate(PLACE_OF_PART, "body")
    page.mouse.move(x, y)
    tip = page.locator(".tip")
    tip.wait_for(state="visible")
    assert tip.text_content().startswith("bodyBodyr_CM_0[1]")


def test_plots_are_in_step_with_time(page, pendulum, tmp_path):
    page.open(pendulum.to_html(tmp_path / "p.html", plots=["rev.phi", ("rev.w",)]))
    assert page.locator(".plot").count() == 2
    page.evaluate("viewer.player.seek(0.5)")
    page.drawn()
    phi = float(np.interp(0.5, pendulum.time, pendulum["rev.phi"]))
    text = page.locator(".plot").first.locator("b").text_content()
    assert number_in(text) == pytest.approx(phi, rel=1e-3)
    field = page.locator(".plot .field").first.bounding_box()
    page.mouse.click(field["x"] + 48 + (field["width"] - 56) / 2, field["y"] + 40)
    assert page.evaluate("viewer.player.time") == pytest.approx(1.0, abs=0.02)
    page.locator(".plot .close").first.click()
    assert page.locator(".plot").count() == 1


def test_a_variable_is_plotted_by_its_name(page, pendulum, tmp_path):
    page.open(pendulum.to_html(tmp_path / "p.html", plots=["rev.phi"]))
    page.locator(".picker").fill("rev.w")
    page.locator(".picker").press("Enter")
    assert page.locator(".plot").count() == 2


def test_keys(page, pendulum, tmp_path):
    page.open(pendulum.to_html(tmp_path / "p.html"))
    time = "viewer.player.time"
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert page.evaluate(time) == pytest.approx(pendulum.time[3])
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(time) == pytest.approx(pendulum.time[2])
    page.keyboard.press("End")
    assert page.evaluate(time) == pytest.approx(2.0)
    page.keyboard.press("Space")
    page.until(f"viewer.player.playing && {time} > 0.05")
    page.keyboard.press("Space")
    assert not page.evaluate("viewer.player.playing")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("viewer.player.speed") == 2
    page.keyboard.press("l")
    assert not page.evaluate("viewer.player.loop")
    page.keyboard.press("?")
    assert page.locator(".help").is_visible()
    page.keyboard.press("Escape")
    assert page.locator(".help").is_hidden()
    ortho = page.evaluate("viewer.cameraMan.isOrthographic")
    page.keyboard.press("o")
    assert page.evaluate("viewer.cameraMan.isOrthographic") is not ortho


def test_a_run_that_does_not_repeat_ends(page, pendulum, tmp_path):
    page.open(pendulum.to_html(tmp_path / "p.html"))
    page.keyboard.press("l")
    page.evaluate("viewer.player.seek(1.9); viewer.player.play()")
    page.until("!viewer.player.playing")
    assert page.evaluate("viewer.player.time") == 2.0


LOOKS_FROM = """viewer.cameraMan.camera.position.clone()
    .sub(viewer.cameraMan.controls.target).normalize().toArray()"""


@pytest.mark.kinds(1)
@pytest.mark.parametrize(
    ("camera", "wanted"),
    [
        ("back", Camera("back")),
        ((20.0, 30.0), Camera((20.0, 30.0))),
        (Camera(eye=(3.0, 2.0, 1.0), target=(0.0, 0.5, 0.0)), None),
        (Camera("left", angle=0.0), Camera("left")),
    ],
)
def test_a_film_is_seen_by_the_cameras_of_pictures(page, fourbar, tmp_path, camera, wanted):
    page.open(fourbar.to_html(tmp_path / "f.html", camera=camera))
    eye = (wanted or camera).direction(np.array(fourbar.scene().up))
    seen = page.evaluate(LOOKS_FROM)
    np.testing.assert_allclose(seen, eye / np.linalg.norm(eye), atol=1e-3)
    flat = isinstance(camera, Camera) and camera.angle == 0.0
    assert page.evaluate("viewer.cameraMan.isOrthographic") is flat


@pytest.mark.parametrize("camera", ["behind", 3.0, Camera("top", zoom=2.0), (1.0,)])
def test_a_camera_that_a_film_cannot_have_is_refused(fourbar, tmp_path, camera):
    with pytest.raises(ParameterError):
        fourbar.to_html(tmp_path / "f.html", camera=camera)


class Pushed(Model):
    """A free body that is pushed, and a signal that changes at 0.5 s."""

    def build(self) -> None:
        self.world, self.body = World(g=0.0), Body(m=1.0)
        self.force, self.on = forces.WorldForce(), blocks.Discrete(start=30.0)
        self.none = blocks.Constant(k=0.0)
        self.connect(self.force.frame_b, self.body.frame_a)
        for axis, source in enumerate((self.on, self.none, self.none)):
            self.connect(source.y, self.force.force[axis])
        self.when(lambda motion: motion.t - 0.5, set={self.on: 10.0})


def test_before_a_run_values_are_those_of_the_start(page, tmp_path):
    page.open(write_film(Pushed().scene(), tmp_path / "f.html"))
    channel = "viewer.cast.scene.channels.findIndex(c => c.name.startsWith('force.'))"
    assert page.evaluate(f"viewer.cast.values[0][{channel}]") == pytest.approx(30.0)


def test_signals_that_keep_their_values_do_not_slant(page, tmp_path):
    result = Pushed().simulate(1.0, output=4)
    page.open(result.to_html(tmp_path / "f.html", plots=["on.y"]))
    channel = "viewer.cast.scene.channels.findIndex(c => c.name === 'on.y')"
    assert page.evaluate(f"viewer.cast.scene.channels[{channel}].steps") is True
    for time, value in ((0.1, 30.0), (0.37, 30.0), (0.49, 30.0), (0.6, 10.0)):
        page.evaluate(f"viewer.player.seek({time})")
        page.drawn()
        assert page.evaluate(f"viewer.cast.values[0][{channel}]") == pytest.approx(value)


def test_cameras(page, fourbar, tmp_path):
    page.open(fourbar.to_html(tmp_path / "f.html"))
    seen = {}
    for key in "1234f":
        page.keyboard.press(key)
        page.drawn()
        camera = (
            "viewer.cameraMan.camera.position.clone().sub(viewer.cameraMan.controls.target)"
        )
        seen[key] = np.array(page.evaluate(f"{camera}.normalize().toArray()"))
    up = np.array(fourbar.scene().up)
    assert seen["1"] @ up == pytest.approx(0, abs=1e-3)
    assert seen["2"] @ up == pytest.approx(1, abs=1e-3)
    assert seen["1"] @ seen["3"] == pytest.approx(0, abs=1e-3)
    np.testing.assert_allclose(seen["f"], seen["4"], atol=1e-3)  # fit keeps the direction


SEEN = """() => viewer.cameraMan.hull.map(point => {
    const at = point.clone().project(viewer.cameraMan.camera);
    const { clientWidth: w, clientHeight: h } = viewer.cameraMan.element;
    return [(1 + at.x) * w / 2, (1 - at.y) * h / 2, w, h];
})"""


@pytest.mark.kinds(1)
@pytest.mark.parametrize("size", [(700, 450), (1000, 640), (390, 700)])
def test_everything_is_seen_below_the_tools(page, fourbar, pendulum, tmp_path, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for name, result in {"fourbar": fourbar, "pendulum": pendulum}.items():
        page.open(result.to_html(tmp_path / f"{name}.html"))
        tools = page.locator(".tools").bounding_box()
        page.keyboard.press("f")
        x, y, w, h = np.array(page.evaluate(SEEN)).T
        assert (x > 0).all() and (x < w).all() and (y < h).all()
        assert (y > tools["y"] + tools["height"]).all()


def test_the_camera_follows_a_body(page, pendulum, tmp_path):
    page.open(pendulum.to_html(tmp_path / "p.html", follow="body"))
    target = "viewer.cameraMan.controls.target.toArray()"
    moved = []
    for time in (0.0, 1.0):
        page.evaluate("t => viewer.player.seek(t)", time)
        group = "viewer.cast.groupOf(viewer.choice.find('body'))"
        body = poses_shown(page)[page.evaluate(group) - 1, :3]
        moved.append(np.array(page.evaluate(target)) - body)
    np.testing.assert_allclose(moved[0], moved[1], atol=1e-6)


@pytest.mark.kinds(2)
@pytest.mark.parametrize("layer", ["forces", "labels", "frames"])
def test_layers_are_switched(page, fourbar, tmp_path, layer):
    page.open(fourbar.to_html(tmp_path / "f.html"))
    key = {"forces": "a", "labels": "n", "frames": "x"}[layer]
    shown = f"viewer.switches.{layer}"
    before = page.evaluate(shown)
    page.keyboard.press(key)
    assert page.evaluate(shown) is not before
    visible = page.evaluate(
        "layer => (viewer.cast.figures[0].layers.get(layer) ?? []).map(o => o.visible)",
        layer,
    )
    assert all(one is not before for one in visible)


def test_names_are_shown_on_demand(page, pendulum, tmp_path):
    page.open(pendulum.to_html(tmp_path / "p.html"))
    labels = "viewer.annotations.labels.drawn.map(({ text }) => text)"
    page.drawn()
    assert page.evaluate(labels) == []
    page.keyboard.press("n")
    page.drawn()
    assert {"rev", "body"} <= set(page.evaluate(labels))
    page.keyboard.press("n")
    page.drawn()
    assert page.evaluate(labels) == []


def test_ghosts_and_traces(page, pendulum, tmp_path):
    page.open(pendulum.to_html(tmp_path / "p.html", trace="body.r_CM_0"))
    page.keyboard.press("g")
    assert page.evaluate("viewer.cast.ghosts.length") == 6
    page.evaluate("viewer.player.seek(2.0)")
    page.drawn()
    ends = page.evaluate(
        """(() => { const { line } = viewer.cast.traces.paths[0];
        return [line.geometry.instanceCount,
                [...line.geometry.attributes.instanceEnd.data.array].slice(-3)]; })()"""
    )
    assert ends[0] == len(pendulum) - 1
    np.testing.assert_allclose(ends[1], pendulum["body.r_CM_0"][-1], atol=1e-6)


def test_two_runs_over_each_other_and_side_by_side(page, tmp_path):
    model = gallery.Pendulum()
    one = model.simulate(1.0, output=51)
    two = model.simulate(1.5, output=51, initial={"rev.phi": deg(30)})
    page.open(one.to_html(tmp_path / "two.html", two, plots=["rev.phi"]))
    assert page.evaluate("[viewer.cast.mode, viewer.cast.figures.length]") == ["over", 2]
    assert page.evaluate("viewer.player.last") == 1.5
    for time in (0.3, 1.2):
        page.evaluate("t => viewer.player.seek(t)", time)
        page.drawn()
        shown = page.evaluate(
            "viewer.cast.values.map(v => v[viewer.plots.find('rev.phi')])"
        )
        wanted = [np.interp(time, run.time, run["rev.phi"]) for run in (one, two)]
        np.testing.assert_allclose(shown, wanted, atol=1e-4)
    page.keyboard.press("s")
    assert page.evaluate("[viewer.cast.mode, viewer.cast.figures.length]") == ["side", 2]
    page.keyboard.press("s")
    assert page.evaluate("[viewer.cast.mode, viewer.cast.figures.length]") == ["one", 1]
    page.keyboard.press("s")
    page.keyboard.press("s")
    assert page.evaluate("viewer.cast.mode") == "over"


def test_by_touch(new_page, pendulum, tmp_path):
    phone = new_page(viewport={"width": 390, "height": 760}, has_touch=True, is_mobile=True)
    phone.open(pendulum.to_html(tmp_path / "p.html"))
    phone.evaluate("viewer.player.seek(1.0)")
    phone.drawn()
    phone.touchscreen.tap(*phone.evaluate(PLACE_OF_PART, "body"))
    assert phone.locator(".inspector .path").text_content() == "body"
    box = phone.locator("input.time").bounding_box()
    phone.touchscreen.tap(box["x"] + 0.25 * box["width"], box["y"] + box["height"] / 2)
    assert 0.3 < phone.evaluate("viewer.player.time") < 0.7
    phone.locator(".play").tap()
    phone.until("viewer.player.playing")


def test_dark_pages(new_page, pendulum, tmp_path):
    dark = new_page(color_scheme="dark").open(pendulum.to_html(tmp_path / "p.html"))
    assert "dark" in dark.locator(".viewer").get_attribute("class")


def test_nothing_is_drawn_while_nothing_changes(page, pendulum, tmp_path):
    page.open(pendulum.to_html(tmp_path / "p.html"))
    counts = [page.evaluate("viewer.drawn.count")]
    while len(set(counts[-4:])) > 1 or len(counts) < 4:  # the last picture is that at rest
        assert len(counts) < 30, counts
        page.wait_for_timeout(500)
        counts.append(page.evaluate("viewer.drawn.count"))
    page.wait_for_timeout(500)
    assert page.evaluate("viewer.drawn.count") == counts[-1]


SPOT = """const spot = (p) => viewer.annotations.sheet.project(p, viewer.cameraMan.camera,
    { left: 0, width: viewer.stage.width, height: viewer.stage.height });
  const figure = viewer.cast.figures[0];"""
SEEN_AT = f"""(path) => {{ {SPOT}
  const middle = figure.middleOfPart(viewer.choice.find(path));
  const {{ x, y }} = spot(middle(figure.group.position.clone())); return [x, y]; }}"""
OUTLINE = f"""() => {{ {SPOT}
  return figure.outline().map(spot).map(({{ x, y }}) => [x, y]); }}"""
RED_PARTS = "viewer.choice.faulty.map((part) => viewer.cast.scene.parts[part].path)"


def test_a_model_that_does_not_assemble_shows_its_error(page, tmp_path):
    class Torn(Model):
        """A world, and a four-bar whose links are too short to meet."""

        def build(self):
            from motorik import FixedTranslation, Revolute

            self.world = World()
            self.left, self.right, self.mid = (Revolute(n="z") for _ in range(3))
            self.base = FixedTranslation(r=(5, 0, 0))
            self.a, self.b = (FixedTranslation(r=(1, 0, 0)) for _ in range(2))
            self.world.frame_b >> self.left.frame_a
            self.world.frame_b >> self.base.frame_a
            self.base.frame_b >> self.right.frame_a
            self.left.frame_b >> self.a.frame_a
            self.right.frame_b >> self.b.frame_a
            self.a.frame_b >> self.mid.frame_a
            self.b.frame_b >> self.mid.frame_b

    from motorik.view.web.film import write_film

    scene = Torn().scene()
    noted = [part for part in scene.parts if part.note]
    assert noted
    page.open(write_film(scene, tmp_path / "torn.html"))
    notice = page.locator(".notice.error").first
    path, said = noted[0].path, noted[0].note.splitlines()[0]
    assert said.startswith(f"{path}: ")  # its name is said once
    assert notice.text_content().startswith(path + said.removeprefix(f"{path}: "))
    page.drawn()
    (label,) = page.evaluate("viewer.annotations.labels.drawn")
    assert label["kind"] == "fault" and label["text"] == said
    x, y = page.evaluate(SEEN_AT, path)
    assert abs(label["x"] - x) < 330 and abs(label["y"] - y) < 330
    assert page.evaluate(RED_PARTS) == [path]
    page.set_viewport_size({"width": 330, "height": 420})  # none is cut at an edge
    page.until("viewer.stage.width <= 330")
    page.drawn()
    (label,) = page.evaluate("viewer.annotations.labels.drawn")
    for middle, half, size in (("x", "width", "width"), ("y", "height", "height")):
        whole = page.evaluate(f"viewer.stage.{size}")
        assert 0 <= label[middle] - label[half] < label[middle] + label[half] <= whole
    page.set_viewport_size({"width": 1280, "height": 720})
    page.until("viewer.stage.width > 330")
    page.drawn()
    box, own = notice.bounding_box(), page.evaluate(OUTLINE)
    assert max(y for _, y in own) < box["y"]  # the words cover nothing
    notice.locator("button").first.click()
    assert page.locator(".inspector .path").text_content() == noted[0].path


def test_in_a_notebook(page, pendulum):
    page.set_content(f"<p>cell</p>{notebook_html(pendulum.scene())}")
    frame = page.frames[1]
    page.until("window.viewer?.drawn?.count > 0", frame)
    assert frame.locator(".title").text_content() == "Pendulum"


@pytest.mark.kinds(1)
@pytest.mark.parametrize(
    "mark", ["data-jp-theme-light='false'", "class='vscode-dark'", "data-theme='dark'"]
)
def test_the_theme_of_a_notebook_is_taken(page, pendulum, mark):
    page.set_content(f"<body {mark}><p>cell</p>{notebook_html(pendulum.scene())}</body>")
    frame = page.frames[1]
    page.until("window.viewer?.drawn?.count > 0", frame)
    assert "dark" in frame.locator(".viewer").get_attribute("class")


class Hundred(mk.Model):
    """A chain of a hundred bodies."""

    def build(self):
        self.world = mk.World()
        self.hinges = [mk.Revolute(n="z") for _ in range(100)]
        self.rods = [mk.BodyBox(r=(0.1, 0.0, 0.0), width=0.02) for _ in range(100)]
        at = self.world.frame_b
        for hinge, rod in zip(self.hinges, self.rods, strict=True):
            mk.connect(at, hinge.frame_a)
            mk.connect(hinge.frame_b, rod.frame_a)
            at = rod.frame_b


@pytest.mark.slow
def test_many_bodies_take_few_draw_calls(page, tmp_path):
    """As many as there are materials, and shadows of these."""
    page.open(write_film(Hundred().scene(), tmp_path / "hundred.html"))
    page.drawn()
    assert page.evaluate("viewer.stage.renderer.info.render.calls") < 30
    assert page.evaluate("viewer.cast.figures[0].solids.length") > 100  # to be picked
