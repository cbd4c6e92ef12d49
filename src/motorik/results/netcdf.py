"""NetCDF files of results, read as they are: no other file is opened, no size is believed.

HDF5 lets a file refer to others, by external storage, virtual datasets and links, and lets a
few bytes stand for an array of any size. A result has none of that: every dataset is checked
before anything is allocated for it.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from contextlib import AbstractContextManager
from mmap import ACCESS_READ, mmap
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import h5py
    from typing_extensions import Self

FREE = 128_000_000  # bytes of arrays that any file may unfold to …
DENSE = 20  # … and a larger one so many times its own size
LEAST = 1_000  # bytes that are counted for any array
LONGEST_NOTE = 16_000_000  # bytes of an attribute
FILTERS = {1, 2, 3}  # deflate, shuffle, fletcher32: no plug-in is loaded for another one
NUMBERS = "fiub"  # kinds of types
HEAP = b"GCOL"


class NetcdfFile(AbstractContextManager["NetcdfFile"]):
    """A NetCDF file that is open; errors of its content are `ValueError` or those of h5py."""

    def __init__(self, path: Path) -> None:
        import h5py

        if not path.is_file():
            raise ValueError("it is not a file")
        check_heaps(path)
        self._h5py = h5py
        self._size = path.stat().st_size
        self._left = max(FREE, DENSE * self._size)
        self._file = h5py.File(path, "r")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def group(self, name: str) -> h5py.Group | None:
        """Return a group of the file, None where there is none."""
        if name not in self._file.keys():
            return None
        found = self._member(self._file, name)
        if not isinstance(found, self._h5py.Group):
            raise ValueError(f"{name!r} is not a group")
        return found

    def variables(self, group: h5py.Group | None = None) -> Iterator[tuple[str, Any]]:
        """Yield the variables of the file or of a group, by name, without dimensions."""
        group = self._file if group is None else group
        for name in map(str, group):
            found = self._member(group, name)
            if isinstance(found, self._h5py.Dataset) and "CLASS" not in found.attrs:
                yield name, found

    def dataset(self, name: str, group: h5py.Group | None = None) -> h5py.Dataset:
        """Return a variable of the file or of a group."""
        found = self._member(self._file if group is None else group, name)
        if not isinstance(found, self._h5py.Dataset):
            raise ValueError(f"{name!r} is not a variable")
        return found

    def numbers(self, dataset: h5py.Dataset) -> np.ndarray:
        """Return the numbers of a variable."""
        if dataset.dtype.kind not in NUMBERS:
            raise ValueError(f"{self._name(dataset)} does not hold numbers")
        self._check(dataset)
        return np.asarray(dataset[()])

    def texts(self, dataset: h5py.Dataset) -> list[str]:
        """Return the texts of a variable with one axis; all of them within the sizes allowed."""
        string = self._h5py.check_string_dtype(dataset.dtype)
        if string is None or dataset.ndim != 1:
            raise ValueError(f"{self._name(dataset)} does not hold texts")
        self._check(dataset)
        found: list[str] = []
        many = max(1, FREE // max(self._size, 1))  # each may be as long as the file
        for first in range(0, dataset.shape[0], many):
            some = list(dataset.asstr()[first : first + many])
            self._take(sum(map(len, some)), dataset)
            found += some
        return found

    def note(self, of: h5py.Dataset | None, name: str) -> str:
        """Return an attribute of a variable, or of the file, as text; "" where there is none."""
        own = (self._file if of is None else of).attrs
        if name not in own:
            return ""
        found = own.get_id(name)
        if math.prod(found.shape or ()) > 1 or found.get_storage_size() > LONGEST_NOTE:
            raise ValueError(f"its attribute {name!r} is not a text")
        value = own[name]
        value = value[0] if isinstance(value, np.ndarray) and value.size else value
        return value.decode("utf-8") if isinstance(value, bytes) else str(value)

    def _member(self, group: h5py.Group, name: str) -> Any:
        """Return a member of a group that is in the file itself."""
        link = group.get(name, getlink=True)
        if link is None:
            raise ValueError(f"there is no {name!r} in it")
        if not isinstance(link, self._h5py.HardLink):
            raise ValueError(f"{name!r} is a link to something else, which is not followed")
        return group[name]

    def _check(self, dataset: h5py.Dataset) -> None:
        """Refuse data that refers to other files, or is larger than the file gives reason for."""
        layout = dataset.id.get_create_plist()
        name = self._name(dataset)
        if dataset.shape is None:
            raise ValueError(f"{name} is empty")
        if dataset.is_virtual or layout.get_external_count():
            raise ValueError(f"{name} is kept in another file, which is not read")
        filters = {layout.get_filter(k)[0] for k in range(layout.get_nfilters())}
        if not filters <= FILTERS:
            raise ValueError(f"{name} is packed in a way that is not read")
        piece = dataset.dtype.itemsize * math.prod(dataset.chunks or ())
        if dataset.chunks and piece > self._left:
            raise self._too_large(name, piece)
        self._take(dataset.dtype.itemsize * math.prod(dataset.shape), dataset)

    def _take(self, size: int, dataset: h5py.Dataset) -> None:
        """Count bytes that are allocated; refuse more than are left."""
        self._left -= max(size, LEAST)
        if self._left < 0:
            raise self._too_large(self._name(dataset), size)

    def _too_large(self, name: str, size: int) -> ValueError:
        return ValueError(
            f"{name} takes {size / 1e6:.6g} MB, too much for a file of {self._size / 1e6:.3g} MB"
        )

    @staticmethod
    def _name(dataset: h5py.Dataset) -> str:
        return repr(str(dataset.name).lstrip("/")[:100])


def check_heaps(path: Path) -> None:
    """Refuse a file whose heaps of texts are damaged: HDF5 itself might search them for ever.

    A heap is "GCOL", a version, 3 bytes, its size, and objects: number, uses, 4 bytes, size,
    content up to a multiple of 8 bytes. Number 0 is the free space, its head included in its size.
    """
    if path.stat().st_size == 0:
        return
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        at = data.find(HEAP)
        while at >= 0:
            _check_heap(data, at)
            at = data.find(HEAP, at + 1)


def _check_heap(data: mmap, begin: int) -> None:
    if begin + 16 > len(data) or data[begin + 4] != 1:
        return  # not a heap, but numbers or a text that look like one
    (size,) = struct.unpack_from("<Q", data, begin + 8)
    at, end = begin + 16, begin + size
    while at + 16 <= min(end, len(data)):
        number, _, length = struct.unpack_from("<HH4xQ", data, at)
        if number == 0 and length < 16:
            raise ValueError("its heap of texts is damaged")
        at += length if number == 0 else 16 + (length + 7) // 8 * 8
