"""Native timing loops: small C and C++ programs, built once into the temporary folder."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.models import Array

SOURCES = Path(__file__).parent / "native"


class NotAvailable(Exception):  # noqa: N818 - a peer that is absent is no error
    """A peer or a compiler is not installed; the message says which and how to get it."""


def build(source: str, *flags: str, compiler: str, libraries: tuple[str, ...] = ()) -> Path:
    """Compile one file of `native/` and return the program, built before or now."""
    if shutil.which(compiler) is None:
        raise NotAvailable(f"no {compiler} on the path (a C and C++ compiler is needed)")
    texts = [(SOURCES / name).read_text() for name in (source, "stopwatch.h")]
    key = hashlib.sha256("\0".join([*texts, compiler, *flags, *libraries]).encode())
    folder = Path(tempfile.gettempdir()) / f"motorik-benchmarks-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    target = folder / f"{Path(source).stem}-{key.hexdigest()[:16]}"
    if not target.exists():
        fresh = target.with_suffix(f".{os.getpid()}")
        command = [compiler, *flags, str(SOURCES / source), "-o", str(fresh), *libraries]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            errors = [line for line in done.stderr.splitlines() if "error" in line]
            raise NotAvailable(f"{source} does not compile: {(errors or ['?'])[0]}")
        fresh.replace(target)
    return target


def run(program: Path, *arguments: str, numbers: str) -> tuple[float, Array]:
    """Run a timing program; return seconds per call and one row of results per sample."""
    done = subprocess.run(
        [str(program), *arguments], input=numbers, capture_output=True, text=True
    )
    if done.returncode:
        raise NotAvailable(
            f"{program.name} ended with {done.returncode}: {done.stderr[-200:]}"
        )
    first, *rows = done.stdout.splitlines()
    return float(first), np.array([[float(x) for x in row.split()] for row in rows])


def write_numbers(*values: object) -> str:
    """Return numbers and arrays of numbers as text that keeps every bit."""
    flat = (np.asarray(value, float).ravel() for value in values)
    return " ".join(f"{x:.17g}" for block in flat for x in block)
