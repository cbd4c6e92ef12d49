"""Files of meshes that were made to deceive, and scenes of GLB against another reader."""

import base64
import io
import json
import struct
import tracemalloc

import numpy as np
import pytest
from PIL import Image

import motorik as mk
from motorik.errors import FileFormatError
from motorik.view.meshes import load_mesh
from motorik.view.render.scene_content import BodyPoses, SceneContent
from motorik.visualizers import FixedShape
from tests.view.test_meshes import box, write_dxf, write_stl

MOST = 60_000_000  # bytes
CHUNKS = "<I4s"


def glb(told, binary=b""):
    """Return a GLB file of a JSON text and of a chunk of bytes."""
    text = told if isinstance(told, bytes) else json.dumps(told).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    chunks = struct.pack(CHUNKS, len(text), b"JSON") + text
    chunks += struct.pack(CHUNKS, len(binary), b"BIN\0") + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def scene(nodes=None, accessors=None, buffers=None, more=None, mode=4):
    """Return a GLB of a box, with some of what it says replaced, and its bytes."""
    mesh = box(1.0, 2.0, 3.0)
    points, faces = mesh.vertices.astype("<f4"), mesh.faces.astype("<u2")
    data = points.tobytes() + faces.tobytes()
    told = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": list(range(len(nodes or [0])))}],
        "nodes": nodes or [{"mesh": 0}],
        "meshes": [
            {"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "mode": mode}]}
        ],
        "accessors": accessors
        or [
            {"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": points.nbytes},
            {"buffer": 0, "byteOffset": points.nbytes, "byteLength": faces.nbytes},
        ],
        "buffers": buffers or [{"byteLength": len(data)}],
    }
    return glb({**told, **(more or {})}, data)


HUGE = [
    {"componentType": 5126, "count": 10**9, "type": "VEC3"},
    {"componentType": 5125, "count": 10**9, "type": "SCALAR"},
]
LONG = [
    {"bufferView": 0, "componentType": 5126, "count": 8000, "type": "VEC3"},
    {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"},
]
CYCLE = [{"mesh": 0, "children": [1]}, {"children": [0]}]
OUTSIDE = {"buffers": [{"byteLength": 240, "uri": "secret.bin"}]}
BOX = {"attributes": {"POSITION": 0}, "indices": 1}
MANY = {"meshes": [{"primitives": [BOX] * 300}]}
NEGATIVE = {"bufferViews": [{"buffer": 0, "byteOffset": -80, "byteLength": 80}] * 2}
DRACO = {"extensionsRequired": ["KHR_draco_mesh_compression"]}

DECEIVING = {
    "instances.glb": (
        lambda: scene([{"mesh": 0}] * 300, more=MANY),
        "has 1080000 triangles",
    ),
    "counts.glb": (lambda: scene(accessors=HUGE), "triangles"),
    "beyond.glb": (lambda: scene(accessors=LONG), "damaged"),
    "cycle.glb": (lambda: scene(CYCLE), "not a tree"),
    "outside.glb": (lambda: scene(more=OUTSIDE), "another file"),
    "negative.glb": (lambda: scene(more=NEGATIVE), "damaged"),
    "draco.glb": (lambda: scene(more=DRACO), "compressed by KHR_draco"),
    "deep.glb": (lambda: glb(b"[" * 100_000), "damaged"),
    "text.glb": (lambda: glb(b" " * 9_000_000), "MB of JSON"),
    "count.stl": (lambda: b"x" * 80 + struct.pack("<I", 4_000_000_000), "no STL"),
    "corners.obj": (lambda: b"v 0 0 0\n" * 1_600_000, "corners"),
    "faces.obj": (lambda: b"v 0 0 0\n" * 3 + b"f 1 2 3\n" * 600_000, "triangles"),
    "polygon.obj": (lambda: b"v 0 0 0\n" + b"f" + b" 1" * 900_000, "1000000 characters"),
    "lines.obj": (lambda: b"\n" * 250_000, "no line begins with 'v'"),
    "line.obj": (lambda: b"f " * 1_000_000, "1000000 characters"),
    "pairs.dxf": (lambda: b"0\n0\n" * 100_000, "holds no triangles"),
    "one.dxf": (
        lambda: b"0\n3DFACE\n" + b"10\n1\n" * 100_000,
        "holds no triangles|damaged",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DECEIVING)
def test_files_that_unfold_to_too_much_are_refused_before(name, tmp_path):
    make, said = DECEIVING[name]
    path, data = tmp_path / name, make()
    path.write_bytes(data)
    (tmp_path / "secret.bin").write_bytes(bytes(240))
    tracemalloc.start()
    try:
        with pytest.raises(FileFormatError, match=said):
            load_mesh(path)
        assert tracemalloc.get_traced_memory()[1] < MOST + 4 * len(data)
    finally:
        tracemalloc.stop()


def test_materials_of_an_obj_are_not_looked_for(tmp_path):
    path = tmp_path / "box.obj"
    path.write_text("mtllib /etc/passwd\nusemtl x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n"
                    "vt 0 0\nf 1/1 2/1 \\\n 4/1 -2/1\n")  # fmt: skip
    mesh = load_mesh(path)
    assert mesh.faces.tolist() == [[0, 1, 3], [0, 3, 2]]


def test_scenes_of_glb_are_as_another_reader_has_them(tmp_path):
    trimesh = pytest.importorskip("trimesh")
    rng = np.random.default_rng(5)
    nodes = []
    for k in range(6):
        q = rng.normal(size=4)
        node = {"rotation": (q / np.linalg.norm(q)).tolist(), "mesh": 0}
        node["translation"] = rng.normal(size=3).tolist()
        node["scale"] = (rng.uniform(0.5, 2.0, 3) * (1 if k % 2 else -1)).tolist()
        nodes.append(node)
    nodes[0]["children"] = [1, 2]
    nodes[2]["children"] = [3]
    path = tmp_path / "scene.glb"
    path.write_bytes(scene(nodes, more={"scenes": [{"nodes": [0, 4, 5]}]}))
    own = load_mesh(path)
    with path.open("rb") as file:
        other = trimesh.load(file, file_type="glb", process=False)
    parts = other.dump()
    assert len(own.faces) == sum(len(one.faces) for one in parts) == 72

    def sorted_corners(triangles):
        middle = triangles.mean(axis=1)
        normal = np.cross(
            triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
        )
        rows = np.round(np.hstack([middle, normal]), 6)
        return rows[np.lexsort(rows.T)]

    theirs = np.concatenate([np.asarray(one.triangles) for one in parts])
    mine = sorted_corners(own.vertices[own.faces])
    assert np.allclose(mine, sorted_corners(theirs), atol=1e-5)


def test_strips_and_fans_turn_one_way(tmp_path):
    path = tmp_path / "fan.glb"
    points = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [-1, 1, 0]], "<f4")
    told = {
        "asset": {"version": "2.0"},
        "nodes": [{"mesh": 0}],
        "buffers": [{"byteLength": 60}],
    }
    told["bufferViews"] = [{"buffer": 0, "byteLength": 60}]
    told["accessors"] = [
        {"bufferView": 0, "componentType": 5126, "count": 5, "type": "VEC3"}
    ]
    for mode, order in ((6, [0, 1, 2, 3, 4]), (5, [1, 2, 0, 3, 4])):
        told["meshes"] = [{"primitives": [{"attributes": {"POSITION": 0}, "mode": mode}]}]
        path.write_bytes(glb(told, points[order].tobytes()))
        mesh = load_mesh(path)
        a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
        assert len(mesh.faces) == 3
        assert (np.cross(b - a, c - a)[:, 2] > 0).all()
        path.unlink()


def test_random_damage_is_named_or_harmless(tmp_path):
    rng = np.random.default_rng(11)
    good = box(1.0, 2.0, 3.0)
    write_stl(tmp_path / "a.stl", good)
    write_dxf(tmp_path / "a.dxf", good)
    lines = [f"v {x} {y} {z}" for x, y, z in good.vertices]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in good.faces]
    records = b"".join(
        struct.pack("<12fH", 0, 0, 0, *good.vertices[face].ravel(), 0)
        for face in good.faces
    )
    files = {
        "a.stl": (tmp_path / "a.stl").read_bytes(),
        "b.stl": bytes(80) + struct.pack("<I", len(good.faces)) + records,
        "a.dxf": (tmp_path / "a.dxf").read_bytes(),
        "a.obj": "\n".join(lines).encode(),
        "a.glb": scene([{"mesh": 0, "children": [1]}, {"mesh": 0}]),
    }
    for name, data in files.items():
        for k in range(60):
            bad = bytearray(data)
            for _ in range(int(rng.integers(1, 6))):
                bad[int(rng.integers(0, len(bad)))] = int(rng.integers(0, 256))
            path = tmp_path / f"{k}_{name}"
            path.write_bytes(bad)
            try:
                mesh = load_mesh(path)
            except mk.FileFormatError as error:
                assert "Error" not in str(error).replace(str(path), "")
            else:
                assert mesh.faces.max() < len(mesh.vertices)


def test_colours_of_vertices_materials_and_textures_are_kept(tmp_path):
    """sRGB of what the file says in linear shares: vertex colour × base colour × mean texture."""
    grey = Image.new("RGB", (4, 4), (188, 188, 188))  # half of the light
    store = io.BytesIO()
    grey.save(store, "PNG")
    picture = base64.b64encode(store.getvalue()).decode()
    red = {"pbrMetallicRoughness": {"baseColorFactor": [1.0, 0.0, 0.0, 1.0]}}
    dim = {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}
    more = {
        "materials": [red, dim],
        "textures": [{"source": 0}],
        "images": [{"uri": f"data:image/png;base64,{picture}"}],
        "meshes": [{"primitives": [{**BOX, "material": 0}, {**BOX, "material": 1}, BOX]}],
    }
    (tmp_path / "a.glb").write_bytes(scene(more=more))
    mesh = load_mesh(tmp_path / "a.glb")
    wanted = [(1.0, 0.0, 0.0), (188 / 255,) * 3, (1.0, 1.0, 1.0)]
    for own, expected in zip(np.split(mesh.colors, 3), wanted, strict=True):
        np.testing.assert_allclose(own, np.tile(expected, (len(own), 1)), atol=1e-6)
    assert mesh.surface.colours.shape == mesh.surface.points.shape
    (tmp_path / "b.glb").write_bytes(scene())
    assert load_mesh(tmp_path / "b.glb").colors is None


def test_a_chosen_colour_goes_over_those_of_a_file(tmp_path):
    green = {"pbrMetallicRoughness": {"baseColorFactor": [0.0, 1.0, 0.0, 1.0]}}
    more = {"materials": [green], "meshes": [{"primitives": [{**BOX, "material": 0}]}]}
    (tmp_path / "a.glb").write_bytes(scene(more=more))

    def colours(**options):
        model = mk.Model()
        model.world = mk.World()
        model.box = FixedShape(shapeType=str(tmp_path / "a.glb"), **options)
        model.connect(model.world.frame_b, model.box.frame_a)
        shown = model.scene()
        contents = SceneContent(shown, ["parts"]).at(BodyPoses.of(shown.start))
        number = shown.number_of("box")
        assert [s.part for s in shown.shapes if s.layer == "parts"].count(number) == 1
        return contents.facets.materials[:, :3]

    assert np.isclose(colours(), (0.0, 1.0, 0.0)).all(axis=1).sum() == 12
    red = colours(color=(1.0, 0.0, 0.0))
    assert np.isclose(red, (1.0, 0.0, 0.0)).all(axis=1).sum() == 12
