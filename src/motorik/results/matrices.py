"""Matrices with names and units of their rows and columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import xarray


def labelled_matrices(
    matrices: Mapping[str, tuple[tuple[str, ...], np.ndarray]],
    names: Mapping[str, Sequence[str]],
    units: Mapping[str, Sequence[str]],
) -> xarray.Dataset:
    """Return arrays by name as a dataset; `names` and `units` are those along each dimension.

    Units of the dimension `state` are the coordinate `state_unit`.
    """
    import xarray

    coords: dict[str, object] = {dim: list(own) for dim, own in names.items()}
    coords |= {f"{dim}_unit": (dim, list(own)) for dim, own in units.items()}
    return xarray.Dataset(dict(matrices), coords)


Coordinate = Sequence[object] | tuple[object, Sequence[object] | np.ndarray] | str


def labelled_array(
    name: str, values: np.ndarray, dims: Sequence[str], coords: Mapping[str, Coordinate]
) -> xarray.DataArray:
    """Return an array with the names and units of its rows and columns."""
    import xarray

    return xarray.DataArray(values, dict(coords), tuple(dims), name)


def labelled_dataset(
    values: Mapping[str, tuple[tuple[str, ...], np.ndarray]],
    coords: Mapping[str, object],
    units: Mapping[str, str],
) -> xarray.Dataset:
    """Return arrays by name over common dimensions; the attribute `units` of each is its unit."""
    import xarray

    data = {
        name: (dims, own, {"units": units[name]} if name in units else {})
        for name, (dims, own) in values.items()
    }
    return xarray.Dataset(data, dict(coords))
