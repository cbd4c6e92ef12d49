"""Fresh processes: what a user pays who starts Python with or without a cache on disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent


@contextmanager
def empty_cache() -> Iterator[dict[str, str]]:
    """Yield an environment in which motorik's cache of native code is an empty folder."""
    with tempfile.TemporaryDirectory(prefix="motorik-cache-") as folder:
        paths = [str(ROOT), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
        search = os.pathsep.join(path for path in paths if path)
        kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        yield {**kept, "MOTORIK_CACHE_DIR": folder, "PYTHONPATH": search}


def run_python(code: str, environment: dict[str, str]) -> tuple[float, Any]:
    """Run code in a new interpreter; return wall time [s] and its last line, from JSON."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True
    )
    elapsed = time.perf_counter() - start
    if done.returncode:
        raise RuntimeError(f"{code!r} failed:\n{done.stderr}")
    lines = done.stdout.splitlines()
    return elapsed, json.loads(lines[-1]) if lines else None


def peak_memory() -> float:
    """Return the most memory that this program has had so far [MB].

    The high-water mark of `getrusage` begins with that of the process that started this one.
    """
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    (peak,) = (line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))
    return int(peak) / 1024


def print_memory() -> None:
    """Print the most memory that this program has had so far [MB]."""
    print(json.dumps(peak_memory()))
