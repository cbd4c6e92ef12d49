"""Files of results that were made to deceive: nothing else is read, nothing large is allocated."""

import shutil
import tracemalloc

import h5py
import numpy as np
import openpyxl
import pytest

from motorik import gallery, load_result
from motorik.errors import FileFormatError, ParameterError
from motorik.results.events import Events
from motorik.results.tables import write_workbook
from tests.events.parts import Collision

MOST = 200_000_000  # bytes


@pytest.fixture(scope="module")
def result():
    return gallery.Pendulum().simulate(0.2, output=50)


@pytest.fixture(scope="module")
def good(result, tmp_path_factory):
    names = ("rev.w", "rev.phi", "body.frame_a.r_0")
    return result.to_netcdf(tmp_path_factory.mktemp("good") / "run.nc", *names)


ROWS = 51
SECRET = b"not for your eyes " * 99


def external(file, name="rev.w"):
    del file[name]
    secret = file.filename.replace("run.nc", "secret.txt")
    with open(secret, "wb") as out:
        out.write(SECRET)
    file.create_dataset(name, (ROWS,), "u1", external=[(secret, 0, ROWS)])


def virtual(file):
    layout = h5py.VirtualLayout((ROWS,), "f8")
    layout[:] = h5py.VirtualSource(file.filename + ".other", "rev.phi", shape=(ROWS,))
    file.create_virtual_dataset("seen", layout)


def plugged(file):
    made = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    made.set_chunk((10,))
    made.set_filter(32015, h5py.h5z.FLAG_OPTIONAL)
    space = h5py.h5s.create_simple((ROWS,))
    h5py.h5d.create(file.id, b"plugged", h5py.h5t.NATIVE_DOUBLE, space, made)


def often(file):
    one = file.create_dataset("c", (ROWS, 100_000), "f8", chunks=(1, 1000))
    for k in range(50):
        file[f"c{k}"] = one


def put(name, value):
    def act(file):
        if name in file:
            del file[name]
        file[name] = value

    return act


def made(name, shape, kind="f8", **options):
    def act(file):
        if name in file:
            del file[name]
        file.create_dataset(name, shape, kind, **options)

    return act


PACKED = {"compression": "gzip", "maxshape": (None,)}
ATTACKS = {
    "external storage": (external, "kept in another file"),
    "external time": (lambda file: external(file, "time"), "kept in another file"),
    "virtual": (virtual, "kept in another file"),
    "soft link": (put("s", h5py.SoftLink("/rev.w")), "is a link"),
    "link of time": (put("time", h5py.SoftLink("/rev.w")), "is a link"),
    "external link": (put("s", h5py.ExternalLink("other.nc", "/x")), "is a link"),
    "external group": (put("events", h5py.ExternalLink("other.nc", "/")), "is a link"),
    "long": (
        made("b", (4_000_000_000,), chunks=(1000,), compression="gzip"),
        "with 51 times",
    ),
    "long time": (made("time", (1 << 40,), chunks=(1000,)), "too much"),
    "wide": (made("b", (ROWS, 10_000_000), chunks=(1, 1000)), "too much"),
    "large chunk": (made("b", (ROWS,), chunks=(400_000_000,), **PACKED), "too much"),
    "one array often": (often, "too much"),
    "plug-in": (plugged, "not read"),
    "no numbers": (made("b", (ROWS,), np.dtype([("a", "f8")])), "numbers"),
    "scalar": (made("b", ()), "with 51 times"),
    "empty": (put("b", h5py.Empty("f8")), "with 51 times"),
    "no time": (lambda file: file.pop("time"), "there is no 'time'"),
    "a group as time": (lambda file: (file.pop("time"), file.create_group("time")), "time"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_files_that_deceive_are_refused_before_anything_is_allocated(name, good, tmp_path):
    act, said = ATTACKS[name]
    path = tmp_path / "run.nc"
    shutil.copy(good, path)
    with h5py.File(path, "a") as file:
        act(file)
    tracemalloc.start()
    try:
        with pytest.raises(FileFormatError, match=said):
            load_result(path)
        assert tracemalloc.get_traced_memory()[1] < MOST
    finally:
        tracemalloc.stop()


def test_packed_files_and_the_order_of_variables_are_kept(result, good, tmp_path):
    path = tmp_path / "packed.nc"
    names = ("rev.w", "rev.phi")
    packed = {name: {"zlib": True, "shuffle": True} for name in names}
    result.to_xarray(*names).to_netcdf(path, engine="h5netcdf", encoding=packed)
    for read in (load_result(path), load_result(good)):
        assert read.names()[:2] == ["rev.w", "rev.phi"] and read.unit("rev.w") == "rad/s"
        for name in names:
            assert np.array_equal(read[name], result[name])


@pytest.mark.slow
def test_random_damage_is_named_or_harmless(good, tmp_path):
    data, rng = good.read_bytes(), np.random.default_rng(3)
    path, refused = tmp_path / "run.nc", 0
    for _ in range(200):
        bad = bytearray(data)
        for _ in range(int(rng.integers(1, 8))):
            bad[int(rng.integers(0, min(len(data), 6000)))] = int(rng.integers(0, 256))
        if rng.random() < 0.1:
            bad = bad[: int(rng.integers(0, len(bad)))]
        path.write_bytes(bad)
        try:
            load_result(path)
        except FileFormatError:
            refused += 1
    assert refused > 50


def test_a_heap_of_texts_without_an_end_is_not_searched_for_ever(good, tmp_path):
    data = bytearray(good.read_bytes())
    heap = data.find(b"GCOL")
    assert heap > 0
    at = heap + 16
    while int.from_bytes(data[at : at + 2], "little"):  # up to what is free in it
        at += 16 + (int.from_bytes(data[at + 8 : at + 16], "little") + 7) // 8 * 8
    data[at + 8 : at + 16] = bytes(8)
    path = tmp_path / "run.nc"
    path.write_bytes(data)
    with pytest.raises(FileFormatError, match="heap"):
        load_result(path)


@pytest.mark.parametrize(("separator", "decimal"), [(",", "."), (";", ","), ("\t", ".")])
@pytest.mark.parametrize("units", [False, True])
def test_tables_with_units_and_separators_are_read_back(
    result, tmp_path, separator, decimal, units
):
    names = ("rev.w", "rev.phi", "body.frame_a.r_0")
    given = {"separator": separator, "decimal": decimal, "units": units}
    file = result.to_csv(tmp_path / "run.csv", *names, **given)
    head = file.read_text("utf-8").partition("\n")[0].replace('"', "").split(separator)
    assert head[:2] == (["time [s]", "rev.w [rad/s]"] if units else ["time", "rev.w"])
    back = load_result(file)
    np.testing.assert_array_equal(back["rev.phi"], result["rev.phi"])
    np.testing.assert_array_equal(back.time, result.time)
    assert back.unit("body.frame_a.r_0[2]") == ("m" if units else "")


def test_a_separator_that_stands_in_numbers_is_refused(result, tmp_path):
    for given in ({"separator": "|"}, {"decimal": ","}, {"decimal": "·", "separator": ";"}):
        with pytest.raises(ParameterError, match=r"separator|decimal"):
            result.to_csv(tmp_path / "run.csv", **given)


def test_a_workbook_has_names_units_and_numbers(result, tmp_path):
    """Read back by a library of its own."""
    file = result.to_excel(tmp_path / "run.xlsx", "rev.phi", "body.frame_a.r_0")
    book = openpyxl.load_workbook(file)
    assert book.sheetnames == ["variables", "about"]
    names, units, *rows = book["variables"].iter_rows(values_only=True)
    assert names == ("time", "rev.phi", *(f"body.frame_a.r_0[{k}]" for k in (1, 2, 3)))
    assert units == ("s", "rad", "m", "m", "m")
    table = np.array(rows, dtype=float)
    np.testing.assert_array_equal(table[:, 0], result.time)
    np.testing.assert_array_equal(table[:, 1], result["rev.phi"])
    assert book["variables"].freeze_panes == "A3"
    assert dict(book["about"].iter_rows(values_only=True))["model"] == "Pendulum"


def test_a_workbook_holds_what_a_sheet_cannot(tmp_path):
    """Numbers that are not finite, markup in names, and more columns than fit."""
    table = np.array([[0.0, np.inf], [1.0, np.nan]])
    heads = [("time", "s"), ("<b>&\x07", "1")]
    write_workbook(tmp_path / "odd.xlsx", heads, table, Events(), {"a": "=1+1"})
    book = openpyxl.load_workbook(tmp_path / "odd.xlsx")
    cells = [*book["variables"].iter_rows(values_only=True)]
    assert cells[0][1] == "<b>&" and cells[2][1] == "#NUM!"
    assert book["about"]["B1"].data_type != "f"  # a note is no formula
    with pytest.raises(ParameterError, match="columns"):
        wide = np.zeros((1, 20_000))
        write_workbook(tmp_path / "w.xlsx", [("x", "")] * 20_000, wide, Events(), {})


def test_both_sides_of_an_event_are_saved(tmp_path):
    result = Collision().simulate(0.5)
    sides, names = result.at_event(0), ("a.v", "b.v", "a.s")
    read = load_result(result.to_netcdf(tmp_path / "hit.nc", *names)).at_event(0)
    for name in names:
        assert (read.before[name], read.after[name]) == (
            sides.before[name],
            sides.after[name],
        )
    assert sides.before["a.v"] != sides.after["a.v"]
