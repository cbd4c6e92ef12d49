"""Films: as many pictures as time asks for, each that of its instant, kept if interrupted."""

import shutil
import subprocess
import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

from motorik import gallery
from motorik.errors import MotorikError, ParameterError
from motorik.view.render import film as film_module
from motorik.view.render.animate import film_lens, moments
from motorik.view.render.camera import Camera
from motorik.view.render.film import find_ffmpeg, make_writer
from motorik.view.render.options import Options
from motorik.view.render.picture import Picture
from motorik.view.render.shot import Shot

SMALL = (120, 90)


@pytest.fixture(scope="module")
def result():
    return gallery.DoublePendulum().simulate(2.0, output=40)


def pictures_of(file):
    with Image.open(file) as film:
        for number in range(film.n_frames):
            film.seek(number)
            yield np.asarray(film.convert("RGB"), dtype=float)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["gif", "webp"])
def test_a_film_has_its_pictures_and_moves(result, tmp_path, suffix):
    file = result.to_movie(tmp_path / f"film.{suffix}", fps=5, size=SMALL)
    with Image.open(file) as film:
        assert film.n_frames == 11 and film.size == SMALL
        film.load()
        assert film.info["duration"] == 200 and film.info["loop"] == 0
    for before, after in pairwise(pictures_of(file)):
        assert np.abs(after - before).max() > 80


@pytest.mark.slow
def test_a_picture_of_a_film_is_that_of_its_instant(result, tmp_path):
    options = Options(Camera(), (160, 120), samples=2, scale=0.18)
    shot = Shot(result.scene(), options)
    times = moments([shot], 5.0, None, None, None)
    lens = film_lens([shot], times)
    file = result.to_movie(tmp_path / "film.webp", fps=5, size=(160, 120))
    stills = [
        Picture([shot.tile(time, lens)], options.pencil, options.letters).pixels[..., :3]
        for time in times
    ]
    for number, frame in enumerate(pictures_of(file)):
        apart = [np.abs(frame - still).mean() for still in stills]
        assert int(np.argmin(apart)) == number and min(apart) < 2.0


@pytest.mark.parametrize(
    ("options", "count"),
    [
        ({}, 51),
        ({"fps": 5.0}, 11),
        ({"fps": 5.0, "speed": 4.0}, 3),
        ({"fps": 10.0, "start_time": 0.5, "stop_time": 1.5}, 11),
        ({"fps": 10.0, "stop_time": 0.0}, 2),
    ],
)
def test_a_film_lasts_as_long_as_it_should(result, options, count):
    shot = Shot(result.scene(), Options(Camera()))
    given = {"fps": 25.0, "speed": None, "start_time": None, "stop_time": None} | options
    times = moments([shot], **given)
    assert len(times) == count
    assert times[0] == (given["start_time"] or 0.0)
    assert times[-1] == (2.0 if given["stop_time"] is None else given["stop_time"])


@pytest.mark.slow
def test_a_film_of_several_results_is_wide(result, tmp_path):
    other = gallery.DoublePendulum().simulate(1.0)
    given = {"fps": 4, "size": SMALL, "beside": other, "ghosts": 2, "trace": "box2.frame_b"}
    file = result.to_movie(tmp_path / "both.gif", **given)
    with Image.open(file) as film:
        assert film.size == (240, 90) and film.n_frames == 9


def test_an_interrupted_film_keeps_what_there_is(result, tmp_path, monkeypatch):
    made = Picture.pixels.func
    count = []

    def pixels(self):
        count.append(1)
        if len(count) == 5:
            raise KeyboardInterrupt
        return made(self)

    monkeypatch.setattr(Picture, "pixels", property(pixels))
    with pytest.warns(UserWarning, match="has 4 of 11 pictures"):
        file = result.to_movie(tmp_path / "film.gif", fps=5, size=SMALL)
    with Image.open(file) as film:
        assert film.n_frames == 4


def has_ffmpeg() -> bool:
    try:
        return bool(find_ffmpeg())
    except MotorikError:
        return False


@pytest.mark.slow
@pytest.mark.skipif(not has_ffmpeg(), reason="the extra `film` is not installed")
def test_an_mp4_has_its_pictures(result, tmp_path):
    file = result.to_movie(tmp_path / "film.mp4", fps=5, size=(121, 91))
    said = subprocess.run(
        [find_ffmpeg(), "-i", str(file), "-f", "null", "-"], capture_output=True, text=True
    ).stderr
    assert "h264" in said and "120x90" in said  # even numbers of pixels
    assert "frame=   11" in said or "frame=11" in said.replace(" ", "")


@pytest.mark.slow
@pytest.mark.skipif(not has_ffmpeg(), reason="the extra `film` is not installed")
def test_an_interrupted_mp4_can_be_played(result, tmp_path, monkeypatch):
    made = Picture.pixels.func
    count = []

    def pixels(self):
        count.append(1)
        if len(count) == 5:
            raise KeyboardInterrupt
        return made(self)

    monkeypatch.setattr(Picture, "pixels", property(pixels))
    with pytest.warns(UserWarning, match="has 4 of 11"):
        file = result.to_movie(tmp_path / "film.mp4", fps=5, size=SMALL)
    played = subprocess.run(
        [find_ffmpeg(), "-v", "error", "-i", str(file), "-f", "null", "-"],
        capture_output=True,
    )
    assert played.returncode == 0 and not played.stderr


def test_a_missing_encoder_is_told_before_anything_is_painted(
    result, tmp_path, monkeypatch
):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setitem(__import__("sys").modules, "imageio_ffmpeg", None)
    with pytest.raises(MotorikError, match=r"motorik\[film\]"):
        result.to_movie(tmp_path / "film.mp4")
    assert not list(tmp_path.iterdir())


def test_wrong_input_is_refused_with_a_remedy(result, tmp_path):
    for name, said in (("a.avi", r"\.gif"), ("film", "without suffix")):
        with pytest.raises(ParameterError, match=said):
            result.to_movie(tmp_path / name)
    with pytest.raises(ParameterError, match="no folder"):
        result.to_movie(tmp_path / "none" / "film.gif")
    for option in ("fps", "speed"):
        with pytest.raises(ParameterError, match=f"{option} = 0 is not positive"):
            result.to_movie(tmp_path / "film.gif", **{option: 0})
    with pytest.raises(ParameterError, match="not within the run, 0 to 2 s"):
        result.to_movie(tmp_path / "film.gif", stop_time=3.0)
    assert film_module.SUFFIXES == ("gif", "webp", "mp4")


@pytest.mark.parametrize("suffix", ["gif", "webp"])
def test_pictures_do_not_stay_in_memory(tmp_path, suffix):
    """Sixty pictures of 0.36 MB take a few of them; times and contents are kept."""
    file = tmp_path / f"film.{suffix}"
    tracemalloc.start()
    try:
        writer = make_writer(file, (400, 300), 25.0)
        for k in range(60):
            pixels = np.full((300, 400, 3), 255, np.uint8)
            pixels[100:150, 5 * (k // 2) : 5 * (k // 2) + 50] = (200, 30, 30)
            writer.add(pixels)
        writer.close()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 10 * 0.36e6
    with Image.open(file) as film:
        assert film.n_frames == 30 if suffix == "gif" else film.n_frames in (30, 60)
        film.seek(film.n_frames - 1)
        shown = np.asarray(film.convert("RGB"), dtype=int)
    assert abs(shown[125, 170] - (200, 30, 30)).max() < 12
    assert abs(shown[125, 60] - 255).max() < 12
