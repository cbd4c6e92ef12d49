"""Meshes: found, read, refused, and the mass of what they enclose."""

import math

import numpy as np
import pytest

import motorik as mk
from motorik.view.meshes import find_mesh, load_mesh, mass_of_mesh, mesh_body
from motorik.view.scene import SceneMesh
from motorik.view.scene_builder.gather import VisualWarning

CUBE = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def box(a, b, c, centre=(0.0, 0.0, 0.0)):
    """Return the mesh of a box."""
    vertices = (np.array(CUBE) - 0.5) * (a, b, c) + centre
    faces = [t for i, j, k, m in SIDES for t in ((i, j, k), (i, k, m))]
    return SceneMesh(vertices, np.array(faces))


def turned_profile(profile, count):
    """Return the closed mesh of a profile (x, radius) turned about x; its ends are on the axis."""
    angles = 2 * math.pi * np.arange(count) / count
    rings = [
        np.column_stack([np.full(count, x), r * np.cos(angles), r * np.sin(angles)])
        for x, r in profile
    ]
    vertices = np.concatenate(rings)
    faces = []
    for k in range(len(profile) - 1):
        for i in range(count):
            a, b = k * count + i, k * count + (i + 1) % count
            c, d = a + count, b + count
            faces += [(a, c, b), (b, c, d)]
    return SceneMesh(vertices, np.array(faces))


def test_a_box_has_the_mass_of_the_closed_form():
    a, b, c, rho = 0.1, 0.2, 0.3, 2700.0
    found = mass_of_mesh(box(a, b, c, (1.0, -2.0, 3.0)), rho)
    m = rho * a * b * c
    assert found.m == pytest.approx(m, rel=1e-12)
    assert np.allclose(found.r_CM, (1.0, -2.0, 3.0), atol=1e-12)
    expected = m / 12 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])
    assert np.allclose(found.I, expected, atol=1e-9 * m)


@pytest.mark.slow
def test_spheres_and_cylinders_come_near_to_the_closed_form():
    r, length, rho, n = 0.2, 0.5, 1000.0, 200
    t = np.linspace(0.0, math.pi, n)
    ball = turned_profile(np.column_stack([-r * np.cos(t), r * np.sin(t)]), n)
    found = mass_of_mesh(ball, rho)
    m = rho * 4 / 3 * math.pi * r**3
    assert found.m == pytest.approx(m, rel=5e-4)
    assert np.allclose(found.I, 0.4 * m * r * r * np.eye(3), rtol=1e-3, atol=1e-9)
    pin = turned_profile([(0, 0), (0, r), (length, r), (length, 0)], n)
    found = mass_of_mesh(pin, rho)
    m = rho * math.pi * r * r * length
    across = m * (3 * r * r + length * length) / 12
    assert found.m == pytest.approx(m, rel=5e-4)
    assert np.allclose(found.r_CM, (length / 2, 0, 0), atol=1e-12)
    assert np.allclose(np.diag(found.I), [m * r * r / 2, across, across], rtol=1e-3)


def test_the_mass_scales_and_does_not_depend_on_the_sense():
    mesh = box(100, 200, 300)
    inside_out = SceneMesh(mesh.vertices, mesh.faces[:, ::-1])
    a, b = mass_of_mesh(mesh, 7800.0, 1e-3), mass_of_mesh(inside_out, 7800.0, 1e-3)
    assert a.m == pytest.approx(7800.0 * 0.006)
    assert b.m == pytest.approx(a.m) and np.allclose(a.I, b.I)


@pytest.mark.parametrize(
    ("mesh", "density", "message"),
    [
        (SceneMesh(box(1, 1, 1).vertices, box(1, 1, 1).faces[:-1]), 1.0, "is not closed"),
        (box(1, 1, 1), 0.0, "density = 0.0 is not positive"),
        (box(1, 1, 0), 1.0, "encloses no volume"),
    ],
)
def test_what_has_no_mass_is_refused(mesh, density, message):
    with pytest.raises(mk.ParameterError, match=message):
        mass_of_mesh(mesh, density)


def write_dxf(file, mesh):
    lines = ["0", "SECTION", "2", "ENTITIES"]
    for face in mesh.faces:
        lines += ["0", "3DFACE", "8", "0"]
        for k, number in enumerate([*face, face[-1]]):
            for axis, value in enumerate(mesh.vertices[number]):
                lines += [str(10 * (axis + 1) + k), repr(float(value))]
    lines += ["0", "ENDSEC", "0", "EOF"]
    file.write_text("\n".join(lines))


def write_stl(file, mesh):
    text = ["solid part"]
    for face in mesh.faces:
        text += ["facet normal 0 0 0", "outer loop"]
        text += [f"vertex {x:.9g} {y:.9g} {z:.9g}" for x, y, z in mesh.vertices[face]]
        text += ["endloop", "endfacet"]
    file.write_text("\n".join([*text, "endsolid part"]))


def test_a_drawing_gives_a_body_its_mass_and_its_look(tmp_path):
    write_dxf(tmp_path / "box.dxf", box(0.1, 0.2, 0.3))
    body = mesh_body(tmp_path / "box.dxf", density=1000.0)
    assert body.m == pytest.approx(6.0)
    model = mk.Model()
    model.world, model.joint, model.body = mk.World(), mk.Revolute(), body
    model.world.frame_b >> model.joint.frame_a
    model.joint.frame_b >> model.body.frame_a
    scene = model.scene()
    (shape,) = scene.shapes_of("body")
    assert shape.kind == "mesh" and len(scene.meshes[shape.key].faces) == 12


@pytest.mark.parametrize("suffix", ["stl", "obj", "glb"])
def test_files_of_trimesh_are_read(tmp_path, suffix):
    trimesh = pytest.importorskip("trimesh")
    mesh = box(0.1, 0.2, 0.3, (0.5, 0.0, 0.0))
    file = tmp_path / f"box.{suffix}"
    made = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
    made.export(file)
    found = mass_of_mesh(load_mesh(file), 1000.0)
    made.density = 1000.0  # the second route: what trimesh itself computes
    assert found.m == pytest.approx(made.mass, rel=1e-6)
    assert np.allclose(found.r_CM, made.center_mass, atol=1e-7)
    assert np.allclose(found.I, made.moment_inertia, atol=1e-7)


def test_meshes_are_found_on_the_search_path(tmp_path, monkeypatch):
    write_dxf(tmp_path / "box.dxf", box(1, 1, 1))
    monkeypatch.setenv("MOTORIK_MESHES", str(tmp_path))
    assert find_mesh("box.dxf") == tmp_path / "box.dxf"
    assert find_mesh(f"file://{tmp_path}/box.dxf") == tmp_path / "box.dxf"
    monkeypatch.setenv("MODELICAPATH", str(tmp_path.parent))
    assert find_mesh(f"modelica://{tmp_path.name}/box.dxf").is_file()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none.stl", None, "there is no mesh"),
        ("shape.py", b"print(1)", "is not a mesh"),
        ("empty.dxf", b"", "is empty"),
        ("noise.dxf", bytes(range(256)), "is no DXF drawing"),
        ("nan.dxf", b"0\n3DFACE\n10\nnan\n", "no finite numbers|holds no|is damaged"),
    ],
)
def test_bad_files_are_named(tmp_path, name, content, message):
    file = tmp_path / name
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(mk.MotorikError, match=message):
        load_mesh(file)


def test_bad_files_of_trimesh_are_named(tmp_path):
    pytest.importorskip("trimesh")
    for name in ("noise.stl", "noise.glb", "noise.obj"):
        file = tmp_path / name
        file.write_bytes(b"\x00noise" * 30)
        with pytest.raises(mk.FileFormatError, match=name):
            load_mesh(file)


def test_too_large_a_file_is_refused(tmp_path, monkeypatch):
    write_dxf(tmp_path / "box.dxf", box(1, 1, 1))
    monkeypatch.setattr("motorik.view.meshes.MOST_BYTES", 100)
    with pytest.raises(mk.FileFormatError, match="MB"):
        load_mesh(tmp_path / "box.dxf")


def test_a_missing_mesh_is_a_note_at_its_part():
    model = mk.Model()
    model.world, model.joint, model.body = mk.World(), mk.Revolute(), mk.Body()
    model.world.frame_b >> model.joint.frame_a
    model.joint.frame_b >> model.body.frame_a
    model.body.mesh = "nowhere.stl"
    with pytest.warns(VisualWarning, match="nowhere"):
        scene = model.scene()
    part = scene.parts[scene.number_of("body")]
    assert part.note is not None and "nowhere.stl" in part.note
    assert scene.shapes_of("joint")


def broken_files():
    """Yield a name and bytes that are no mesh of this name: cut, empty, text, other kinds."""
    trimesh = pytest.importorskip("trimesh")
    ball = trimesh.creation.icosphere(subdivisions=1)
    face = "0\n3DFACE\n" + "".join(
        f"{10 * axis + k}\n{0.1 * k + axis}\n" for k in range(4) for axis in (1, 2, 3)
    )
    good = {
        "binary.stl": ball.export(file_type="stl"),
        "text.stl": trimesh.exchange.stl.export_stl_ascii(ball).encode(),
        "ball.obj": ball.export(file_type="obj").encode(),
        "ball.glb": ball.export(file_type="glb"),
        "face.dxf": (face * 5).encode(),
    }
    for name, data in good.items():
        kind = name.split(".")[1]
        yield f"empty.{kind}", b""
        yield f"words.{kind}", b"a text about nothing\nat all\n"
        yield f"solid.{kind}", b"solid foo\n garbage"
        yield f"noise.{kind}", bytes(range(256)) * 4
        yield f"zeros.{kind}", bytes(400)
        yield f"picture.{kind}", b"\x89PNG\r\n\x1a\n" + bytes(range(200))
        for share in (0.01, 0.1, 0.5, 0.9):
            yield f"cut_{share}_{name}", data[: int(share * len(data))]
        for other, bytes_of_it in good.items():
            if other.split(".")[1] != kind:
                yield f"{other.replace('.', '_')}.{kind}", bytes_of_it


def test_what_is_wrong_with_a_broken_file_is_said_in_words(tmp_path):
    internals = ("Error", "array", "index", "object", "attribute", "literal", "buffer")
    refused = 0
    for name, data in broken_files():
        path = tmp_path / name
        path.write_bytes(data)
        try:
            mesh = load_mesh(path)
        except mk.FileFormatError as error:
            refused += 1
            said = str(error).replace(str(path), "")
            assert not any(word in said for word in internals), said
            assert "too early" in said or not name.startswith("cut_0.9_b"), said
            assert "is empty" in said or not name.startswith("empty"), said
        else:  # the beginning of a text with faces, one after the other
            assert name.startswith("cut") and len(mesh.faces)
    assert refused > 50
