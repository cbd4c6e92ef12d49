"""PDF of pictures: a sound file of vectors, with the lines and faces of the SVG."""

import re
import zlib
from xml.etree import ElementTree

import pytest

from motorik import gallery
from motorik.view.render.pdf import pdf_of

SVG = "{http://www.w3.org/2000/svg}"
NUMBER = r"-?\d+(?:\.\d+)?"


def objects(data: bytes) -> list[bytes]:
    """Return the objects of a file, found by its table of places."""
    begin = int(re.search(rb"startxref\n(\d+)\n%%EOF\n$", data)[1])
    head, size, *_ = data[begin:].split(b"\n", 2)
    assert head == b"xref"
    count = int(size.split()[1])
    places = re.findall(rb"^(\d{10}) 00000 n $", data[begin:], re.MULTILINE)
    assert len(places) == count - 1
    found = []
    for number, place in enumerate(map(int, places), 1):
        assert data[place:].startswith(b"%d 0 obj\n" % number)
        found.append(data[place : data.index(b"\nendobj", place)])
    return found


def contents(data: bytes) -> str:
    """Return the operators of all streams."""
    texts = []
    for one in objects(data):
        stream = re.search(rb"/Length (\d+)>>stream\n", one)
        if stream:
            packed = one[stream.end() : stream.end() + int(stream[1])]
            texts.append(zlib.decompress(packed).decode("ascii"))
    return "\n".join(texts)


@pytest.fixture(scope="module")
def picture():
    result = gallery.PlanarFourbar().simulate(0.3)
    return result.draw(0.2, size=(240, 180), ghosts=1, labels=True, trace="body2.frame_b")


def test_faces_and_lines_are_those_of_the_svg(picture):
    svg = ElementTree.fromstring(picture.svg())
    said = contents(pdf_of(picture.svg()))
    starts = {
        (round(float(x), 1), round(float(y), 1))
        for path in svg.iter(f"{SVG}path")
        for x, y in re.findall(rf"M({NUMBER}) ({NUMBER})", path.attrib["d"])
    }
    begun = {
        (round(float(x), 1), round(float(y), 1))
        for x, y in re.findall(rf"({NUMBER}) ({NUMBER}) m\b", said)
    }
    assert len(starts) > 20 and starts <= begun
    assert said.count("/Pattern cs") == sum(
        one.attrib.get("fill", "").startswith("url(") for one in svg.iter(f"{SVG}path")
    )


def test_it_is_made_of_vectors_and_of_its_size(picture, tmp_path):
    file = tmp_path / "fourbar.pdf"
    picture.save(file)
    data = file.read_bytes()
    assert b"/Image" not in data and b"/MediaBox[0 0 172.8 129.6]" in data
    for number in map(int, re.findall(rb"(\d+) 0 R", data)):
        assert 1 <= number <= len(objects(data))
    assert "re f" in contents(data)  # the paper


def test_strange_titles_are_letters():
    picture = gallery.Pendulum().draw(size=(200, 150), title="$α_{1}$ <b> & (x)\\")
    said = contents(pdf_of(picture.svg()))
    assert said.count(" c") > 50
    assert all(re.fullmatch(r"[\x20-\x7e\n]*", line) for line in said.split("\n"))


def test_pictures_beside_each_other_are_moved():
    result = gallery.Pendulum().simulate(0.1)
    data = pdf_of(result.draw(0.1, size=(120, 90), beside=result).svg())
    assert "1 0 0 1 120 0 cm" in contents(data)
