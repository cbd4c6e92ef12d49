"""A model of signals only has a picture and a page that say so."""

import motorik as mk
from motorik import blocks
from motorik.view.scene.annotations import TextAnnotation


class Signals(mk.Model):
    """A filtered sine."""

    def build(self):
        self.source, self.filter = (
            blocks.Sine(amplitude=1.0, f=1.0),
            blocks.FirstOrder(T=0.1),
        )
        self.source.y >> self.filter.u


def test_its_scene_is_a_sentence():
    model = Signals()
    for scene in (model.scene(), model.simulate(0.2).scene()):
        texts = [shape.text for shape in scene.shapes if isinstance(shape, TextAnnotation)]
        assert len(texts) == len(scene.shapes) == 2
        assert "no" in texts[0].lower() and "diagram()" in texts[1]
        assert [part.path for part in scene.parts] == ["source", "filter"]
        assert all(high > low for low, high in zip(scene.low, scene.high, strict=True))


def test_its_picture_can_be_read():
    picture = Signals().draw(size=(600, 400))
    words, _ = picture.tiles[0]._lettered(picture.pencil, 13.0)
    for word in words:
        assert 0 < word.x < 600 and 0 < word.y < 400
        half = 0.3 * word.size * len(word.text)
        assert word.x - half > 0 and word.x + half < 600
    assert abs(words[0].y - words[1].y) > words[0].size
    assert (picture.pixels[..., :3] < 200).any()
