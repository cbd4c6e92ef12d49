"""Pages as text: nothing of a model becomes markup, sizes, options, rows."""

import base64
import gzip
import json
import re
from dataclasses import replace

import numpy as np
import pytest

from motorik import gallery
from motorik.errors import FileFormatError, ParameterError
from motorik.view.scene import read_scene
from motorik.view.web import show
from motorik.view.web.film import scene_text, thinned, write_film
from motorik.view.web.page import make_film, make_live_page, viewer_code


def scene_in(page: str) -> str:
    (packed,) = re.findall(r'data-film="([^"]*)"', page)
    return gzip.decompress(base64.b64decode(packed)).decode("utf-8")


def test_a_film_holds_its_scene(pendulum, tmp_path):
    file = pendulum.to_html(tmp_path / "p.html", camera="front", plots=["rev.phi"])
    said = json.loads(scene_in(file.read_text(encoding="utf-8")))
    assert said.pop("view") == {"camera": "front", "plots": [["rev.phi"]]}
    scene = pendulum.scene()
    found = read_scene(json.dumps(said))
    assert found.parts == scene.parts
    np.testing.assert_array_equal(found.runs[0].time, pendulum.time)
    poses = scene.placed(pendulum.poses().values)
    np.testing.assert_allclose(found.runs[0].poses, poses, atol=1e-7)


def test_a_film_is_written_the_same_twice(pendulum, tmp_path):
    one, two = (pendulum.to_html(tmp_path / f"{k}.html").read_bytes() for k in "ab")
    assert one == two


NASTY = "</script><script>hacked=1</script>\"'><img src=x onerror=hacked=1>{code}"


def test_names_never_become_markup(pendulum):
    scene = replace(pendulum.scene(), title=NASTY)
    page = make_film(scene_text(scene, {}, "film"), scene.title)
    assert page.count("<script") == 1 and "<img" not in page
    assert json.loads(scene_in(page))["title"] == NASTY
    live = make_live_page(NASTY, f"/socket?token={NASTY}")
    assert live.count("<script") == 1 and "<img" not in live


def test_only_the_scripts_of_the_page_may_run():
    (policy,) = re.findall(r'Security-Policy" content="([^"]*)"', make_film("{}", "t"))
    assert "default-src 'none'" in policy and "connect-src 'none'" in policy
    (scripts,) = re.findall(r"script-src ([^;]*)", policy)
    assert all(word.startswith("'sha256-") for word in scripts.split())


def test_the_viewer_names_its_licences():
    assert "three.js" in viewer_code().lower() and "MIT" in viewer_code()


def test_long_runs_are_thinned_between_their_events(pendulum):
    run = pendulum.scene().runs[0]
    rows = np.sort([*range(len(run.time)), 37])  # both sides of an event
    time = run.time[rows]
    long = replace(run, time=time, poses=run.poses[rows], values=run.values[rows])
    thin = thinned(long, 11)
    assert len(thin.time) <= 13 and (thin.time == run.time[37]).sum() == 2
    assert thin.time[0] == time[0] and thin.time[-1] == time[-1]
    assert thinned(long, len(time)) is long


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"kamera": "iso"}, "'kamera'.*camera"),
        ({"camera": "isometric"}, "'isometric'.*iso"),
        ({"plots": ["rev.fi"]}, "'rev.fi'.*rev.phi"),
        ({"follow": "bdy"}, "'bdy'.*body"),
        ({"samples": 1}, "samples = 1.*≥ 2"),
    ],
)
def test_wrong_options_are_refused_by_name(pendulum, tmp_path, options, words):
    with pytest.raises(ParameterError, match=f"(?s){words}"):
        pendulum.to_html(tmp_path / "p.html", **options)


def test_films_are_pages(pendulum, tmp_path):
    with pytest.raises(FileFormatError, match=r"(?s)p\.gif.*to_movie"):
        write_film(pendulum.scene(), tmp_path / "p.gif")


def test_without_a_display_the_film_is_written_and_said_where(
    pendulum, monkeypatch, capsys
):
    monkeypatch.setattr(show, "has_display", lambda: False)
    path = pendulum.show()
    assert path.exists() and str(path) in capsys.readouterr().out


def test_with_a_display_the_film_is_opened(pendulum, monkeypatch, capsys):
    opened = []
    monkeypatch.setattr(show, "has_display", lambda: True)
    monkeypatch.setattr(show.webbrowser, "open", lambda url: opened.append(url) or True)
    path = gallery.Pendulum().show(camera="front")
    assert opened == [path.resolve().as_uri()] and capsys.readouterr().out == ""


def test_a_browser_that_fails_loses_nothing(pendulum, monkeypatch, capsys):
    def fail(url):
        raise show.webbrowser.Error("no browser")

    monkeypatch.setattr(show, "has_display", lambda: True)
    monkeypatch.setattr(show.webbrowser, "open", fail)
    path = pendulum.show()
    assert path.exists() and "No browser" in capsys.readouterr().out


def test_notebooks_get_a_page_within_the_page(pendulum):
    for shown in (pendulum, gallery.Pendulum()):
        text = shown._repr_html_()
        # a picture stands behind the page, where a notebook is not trusted
        assert text.index('<img src="data:image/png') < text.index('<iframe srcdoc="')
        assert text.count("<iframe") == 1
        assert "<script" not in text  # it is escaped inside of the attribute
