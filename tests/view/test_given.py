"""Whatever users give to films, pictures, plots and diagrams that cannot be is refused in words."""

import numpy as np
import pytest

from motorik import Model, blocks, gallery, rotational
from motorik.errors import MotorikError, ParameterError
from motorik.view import Camera, draw, make_diagram, plot_result, write_movie
from motorik.view.scene import scene_of

NAN, INF = float("nan"), float("inf")


@pytest.fixture(scope="module")
def pendulum():
    return gallery.Pendulum()


@pytest.fixture(scope="module")
def run(pendulum):
    return pendulum.simulate(1.0, output=10)


@pytest.fixture(scope="module")
def other():
    """A run of another mechanism."""
    model = Model()
    model.wheel = rotational.Inertia(J=1.0, phi=0.0, w=1.0)
    return model.simulate(0.1, output=3)


FILES = (None, 3, "", ".", "no/such/folder/x{}", "/proc/x{}")


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_a_file_that_cannot_be_written_is_refused(
    run, pendulum, file, monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    picture, diagram = run.draw(0.1, size=(32, 32)), pendulum.diagram()
    writers = {
        ".html": run.to_html,
        ".png": picture.save,
        ".svg": diagram.save,
        ".pdf": lambda file: run.plot("rev.phi", file=file),
        ".gif": lambda file: run.to_movie(file, stop_time=0.1, fps=10, size=(32, 32)),
    }
    for suffix, write in writers.items():
        given = file.format(suffix) if isinstance(file, str) else file
        if given is None and suffix == ".pdf":
            continue  # no file is asked for
        with pytest.raises(MotorikError, match=r"file|folder|written"):
            write(given)


def test_a_folder_is_no_file(run, tmp_path):
    (tmp_path / "x.html").mkdir()
    with pytest.raises(ParameterError, match="is a folder"):
        run.to_html(tmp_path / "x.html")


FILM = {
    "rows": ("x", NAN, 2.5, 1, True),
    "camera": ((1, 2, 3), 3.0, "behind", Camera("front", zoom=2.0)),
    "orthographic": ("yes", 1),
    "plots": (3, None, [[3]], ["nix"], ["body.r_0"]),
    "follow": (3, "nix"),
    "time": (NAN, "1", None),
    "forces": (object(), "no"),
    "trace": (3, None, [3], "nix"),
    "nix": (1,),
}


@pytest.mark.parametrize("option", FILM)
def test_options_of_a_film_are_checked(run, tmp_path, option):
    for value in FILM[option]:
        with pytest.raises(MotorikError):
            run.to_html(tmp_path / "x.html", **{option: value})


DRAW = {
    "time": ("x", NAN, (1, 2), 1j, True, 9.0),
    "camera": (3, ("a", 1), (NAN, 1), (1, 2, 3), [1, None]),
    "size": (3, (0, 5), ("a", "b"), (NAN, 40), (40.5, 40.5), "ab"),
    "scale": (0, -1, "x", INF, 1e9),
    "ghosts": ("a", -1, 2.5, [9.0], [NAN], 10**6, None),
    "trace": (3, [3], None),
    "shadow": ("x",),
    "axes": ("x",),
    "labels": ("no",),
    "title": (3,),
}


@pytest.mark.parametrize("option", DRAW)
def test_options_of_a_picture_are_checked(run, option):
    for value in DRAW[option]:
        with pytest.raises(MotorikError):
            run.draw(**{option: value})


FILM_OF_PICTURES = {
    "fps": ("a", NAN, 1e9, INF),
    "speed": (0, INF, "x", 1e-9),
    "start_time": (NAN, "x", 9.0),
    "stop_time": ("x", -1.0),
    "size": (3,),
}


@pytest.mark.parametrize("option", FILM_OF_PICTURES)
def test_options_of_a_film_of_pictures_are_checked(run, tmp_path, option):
    for value in FILM_OF_PICTURES[option]:
        with pytest.raises(ParameterError):
            run.to_movie(tmp_path / "x.gif", **{"size": (32, 32), option: value})


@pytest.mark.parametrize(
    "camera",
    [
        {"zoom": "x"},
        {"zoom": NAN},
        {"angle": "x"},
        {"eye": (1, 2)},
        {"eye": "abc"},
        {"up": (0, 0, 0)},
        {"target": (1, 2, NAN)},
        {"view": 3.0},
    ],
)
def test_a_camera_is_checked(camera):
    with pytest.raises(ParameterError):
        Camera(**camera)


def test_what_has_no_scene_or_result_is_refused(run, pendulum, tmp_path):
    file = tmp_path / "x.gif"
    for wrong in (3, None, "x"):
        calls = (draw, scene_of, make_diagram, lambda w: plot_result(w, "x"))
        for call in (*calls, lambda w: write_movie(w, file), run.scene):
            with pytest.raises(ParameterError):
                call(wrong)
    with pytest.raises(ParameterError, match="not simulated"):
        write_movie(pendulum, file)
    with pytest.raises(ParameterError, match="not simulated"):
        run.to_movie(file, beside=pendulum)
    for name, value in (("trace", "body.frame_a"), ("ghosts", 2), ("time", 0.1)):
        with pytest.raises(ParameterError, match="not simulated"):
            pendulum.draw(**{name: value})
    for name, value in (("unit", 3), ("events", 3)):
        with pytest.raises(ParameterError):
            run.plot("rev.phi", **{name: value})


def test_runs_of_other_mechanisms_have_no_common_scene(run, other, pendulum, tmp_path):
    for call in (run.scene, lambda o: run.to_html(tmp_path / "x.html", o), other.scene):
        wrong = run if call == other.scene else other
        with pytest.raises(ParameterError, match="no run of the mechanism"):
            call(wrong)
    again = gallery.Pendulum().simulate(0.5, output=5)
    assert len(run.scene(again).runs) == 2
    assert run.draw(0.1, beside=other, size=(64, 48)).size == (128, 48)


def test_the_smallest_pictures_are_drawn(run, tmp_path):
    assert run.draw(0.2, size=(16, 16)).pixels.shape == (16, 16, 4)
    assert run.to_movie(tmp_path / "x.gif", size=(16, 16), fps=5).exists()


class Braked(Model):
    """A wheel with a signal: variables that are neither coordinates nor speeds."""

    def build(self):
        self.wheel = rotational.Inertia(J=2.0, phi=0.0, w=1.0)
        self.torque = rotational.Torque()
        self.source = blocks.Ramp(height=3.0, duration=1.0)
        self.source.y >> self.torque.tau
        self.torque.flange >> self.wheel.flange_a


def test_any_variable_is_plotted_in_a_film(tmp_path):
    result = Braked().simulate(1.0, output=4)
    scene = result.scene(values=["source.y", "wheel.a", "wheel.w"])
    names = [channel.name for channel in scene.channels]
    assert len(names) == len(set(names))
    for name in ("source.y", "wheel.a", "wheel.w"):
        column = scene.runs[0].values[:, names.index(name)]
        np.testing.assert_array_equal(column, result[name])
    units = {channel.name: channel.unit for channel in scene.channels}
    assert units["wheel.a"] == "rad/s2"
    assert result.to_html(tmp_path / "x.html", plots=["source.y", ("wheel.a", "wheel.w")])
