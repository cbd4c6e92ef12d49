"""Run every check of the repository, the tests last; exit with 1 if one of them failed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BEFORE_TESTS = {
    "ruff check": ["ruff", "check", "."],
    "ruff format": ["ruff", "format", "--check", "."],
    "pyright": ["pyright", "--threads", "2", "--pythonpath", sys.executable],
}
TESTS = ["pytest", "-n", "2", "--dist", "worksteal", "-q", "-ra"]


def passes(name: str, module: str, *arguments: str) -> bool:
    """Run a check and tell whether it passed."""
    print(f"--- {name}", flush=True)
    return (
        subprocess.run([sys.executable, "-m", module, *arguments], cwd=ROOT).returncode == 0
    )


def main() -> int:
    """Run the checks, all of them; the last lines are the summary of the tests."""
    # tests start processes, which would each compile the package to bytecode again
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    failed = [name for name, command in BEFORE_TESTS.items() if not passes(name, *command)]
    if failed:
        print(f"failed: {', '.join(failed)}")
    return 0 if passes("pytest", *TESTS) and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
