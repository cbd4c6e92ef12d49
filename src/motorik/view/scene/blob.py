"""Blobs: arrays of numbers within JSON, as base64 of little-endian bytes."""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from motorik.errors import FileFormatError

TYPES = {
    "f32": "<f4",
    "f64": "<f8",
    "u32": "<u4",
    "u16": "<u2",
    "i16": "<i2",
    "u8": "|u1",
}
MOST = 1 << 30  # bytes of one array


def write_blob(array: np.ndarray, kind: str) -> dict[str, Any]:
    """Return an array as a blob of one of the kinds in `TYPES`."""
    values = np.ascontiguousarray(in_range(np.asarray(array), TYPES[kind]))
    data = base64.b64encode(values.tobytes()).decode("ascii")
    return {"type": kind, "shape": list(values.shape), "data": data}


def in_range(array: np.ndarray, kind: str) -> np.ndarray:
    """Return numbers in another type; larger ones become its largest number."""
    if np.dtype(kind) != np.float32:
        return array.astype(kind)
    largest = float(np.finfo(kind).max)
    return np.clip(array, -largest, largest).astype(kind)


def read_blob(blob: Mapping[str, Any]) -> np.ndarray:
    """Return the array of a blob, which cannot be changed."""
    try:
        kind = np.dtype(TYPES[blob["type"]])
        shape = tuple(int(n) for n in blob["shape"])
        if min(shape, default=0) < 0 or kind.itemsize * math.prod(shape) > MOST:
            raise ValueError(f"its shape is {shape}")
        data = base64.b64decode(blob["data"], validate=True)
        return np.frombuffer(data, kind).reshape(shape)
    except (KeyError, TypeError, ValueError, binascii.Error) as error:
        raise FileFormatError(
            "scene",
            f"holds an array that cannot be read: {error}.",
            "Write the scene again.",
        ) from error
