"""Reference results: a manifest, and one CSV file of signals over time for each model."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from motorik.errors import FileFormatError, UnknownNameError, suggest
from motorik.exchange.modelica.library import read_json

STATISTICS = ("cpu_s", "steps", "state_events")
MODE = re.compile(r"\.mode$")
INSTANT = re.compile(r"\.start(Forward|Backward)$")  # true at instants only: no result


@dataclass(frozen=True)
class Reference:
    """One published simulation: settings, signals, and what it cost the other tool.

    `time` [s] never falls; at an event it has two rows of the same time, before and after.
    `steps` and `events` are those of the solver that made it; NaN where it is not known.
    `modes` are the signals that tell whether something sticks, slips or is free.
    """

    name: str
    model: str
    start: float
    stop: float
    tolerance: float
    cpu_seconds: float
    steps: float
    events: float
    time: np.ndarray
    signals: Mapping[str, np.ndarray]
    modes: Mapping[str, np.ndarray] = field(default_factory=dict)

    def until(self, last: float) -> Reference:
        """Return the simulation up to a time; how many steps that took is not known."""
        kept = self.time <= last
        return replace(
            self,
            stop=float(self.time[kept][-1]),
            steps=np.nan,
            time=self.time[kept],
            signals={name: values[kept] for name, values in self.signals.items()},
            modes={name: values[kept] for name, values in self.modes.items()},
        )


@dataclass(frozen=True)
class References:
    """The published simulations of one folder."""

    folder: Path
    manifest: Mapping[str, Any]

    def find(self, name: str) -> list[str]:
        """Return the entries meant by a full or shortened name of an entry or its model."""
        entries = self.manifest.items()
        exact = [key for key, entry in entries if name in (key, entry["model"])]
        found = exact or [key for key in self.manifest if key.endswith(f".{name}")]
        if not found:
            short = {key.rsplit(".", 1)[-1] for key in self.manifest}
            near = suggest(name.rsplit(".", 1)[-1], short)
            raise UnknownNameError(str(self.folder), f"has no entry {name!r}.", near)
        return found

    def load(self, name: str) -> Reference:
        """Read the trajectories of one entry."""
        entry = self.manifest[name]
        time, columns = read_signals(self.folder / f"{name}.csv")
        for signal in entry["signals"]:
            if signal not in columns:
                raise FileFormatError(
                    str(self.folder / f"{name}.csv"),
                    f"has no signal {signal!r}.",
                    suggest(signal, columns),
                )
        known = entry.get("dymola", {})
        modes = [name for name in entry["signals"] if MODE.search(name)]
        smooth = [name for name in entry["signals"] if not INSTANT.search(name)]
        cpu_seconds, steps, events = (float(known.get(key, np.nan)) for key in STATISTICS)
        return Reference(
            name,
            entry["model"],
            float(entry["start"]),
            float(entry["stop"]),
            float(entry["tolerance"]),
            cpu_seconds,
            steps,
            events,
            time,
            {signal: columns[signal] for signal in smooth if signal not in modes},
            {signal: columns[signal] for signal in modes},
        )


def load_references(folder: str | Path) -> References:
    """Read the manifest of a folder of reference results."""
    folder = Path(folder)
    manifest = read_json(folder / "manifest.json")
    wanted = {"model": str, "start": (int, float), "stop": (int, float), "tolerance": float}
    if not isinstance(manifest, dict):
        raise FileFormatError(str(folder / "manifest.json"), "is not an object of entries.")
    for name, entry in manifest.items():
        for key, kind in {**wanted, "signals": list}.items():
            if not isinstance(entry, dict) or not isinstance(entry.get(key), kind):
                raise FileFormatError(
                    str(folder / "manifest.json"),
                    f"[{name!r}].{key} is missing or of the wrong kind.",
                    "An entry has model, start, stop, tolerance and signals.",
                )
    return References(folder, manifest)


def read_signals(file: Path) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return the times and the other columns of a CSV file by name."""
    try:
        with file.open(newline="", encoding="utf-8") as stream:
            header, *rows = list(csv.reader(stream))
        table = np.array([[float(cell) for cell in row] for row in rows])
    except (OSError, ValueError) as error:
        raise FileFormatError(str(file), f"cannot be read: {error}.", "") from error
    if table.ndim != 2 or table.shape[1] != len(header) or not np.isfinite(table).all():
        raise FileFormatError(
            str(file), f"does not have {len(header)} finite numbers in every row.", ""
        )
    time = table[:, 0]
    if (np.diff(time) < 0).any():
        raise FileFormatError(str(file), "its times fall.", "The first column is the time.")
    return time, {name: table[:, i] for i, name in enumerate(header) if i}
