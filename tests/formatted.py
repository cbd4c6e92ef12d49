"""Source that is written is as ruff formats and sorts it."""

import shutil
import subprocess
import sys
from pathlib import Path

RUFF = shutil.which("ruff") or str(Path(sys.executable).with_name("ruff"))


def assert_formatted(folder: Path) -> None:
    """Raise unless all files of a folder are formatted, sorted and without faults."""
    for command in (
        ["format", "--check"],
        ["check", "--select", "I,F,E,W", "--ignore", "E741"],
    ):
        done = subprocess.run(
            [RUFF, *command, "--isolated", "--line-length", "92", str(folder)],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout[:2000]
