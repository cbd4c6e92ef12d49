"""The object cache: bounded in size, whoever writes into it."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from motorik.compiler import cache
from motorik.errors import ParameterError

KILOBYTES = 40  # of one entry
LIMIT = 1.0  # megabytes

WRITER = f"""
import os, sys
from motorik.compiler.cache import read_entry, write_entry
first = int(sys.argv[1])
for k in range(first, first + 60):
    data = os.urandom({KILOBYTES} * 1024)
    assert write_entry(f"{{k:064x}}", data)
    found = read_entry(f"{{k:064x}}")
    assert found is None or found == data, "an entry is whole or absent"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, of one megabyte."""
    monkeypatch.setenv("MOTORIK_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("MOTORIK_CACHE_SIZE", str(LIMIT))
    return tmp_path


def key(k: int) -> str:
    return f"{k:064x}"


def write(k: int, kilobytes: int = KILOBYTES) -> bool:
    return cache.write_entry(key(k), os.urandom(1024 * kilobytes))


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob("*.object"))


def test_one_process_stays_within_the_limit(folder: Path) -> None:
    for k in range(100):
        assert write(k)
        assert size(folder) <= LIMIT * 2**20
    assert size(folder) > 0.7 * LIMIT * 2**20
    assert cache.read_entry(key(99)) is not None
    assert cache.read_entry(key(0)) is None


def test_what_was_used_last_is_kept(folder: Path) -> None:
    assert write(0)
    for k in range(1, 60):
        assert write(k)
        os.utime(folder / (key(k) + ".object"), (1e9 + k, 1e9 + k))
        assert cache.read_entry(key(0)) is not None  # used between all others
    assert cache.read_entry(key(1)) is None


def test_folder_is_looked_through_only_now_and_then(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweeps: list[int | None] = []
    trim = cache.trim_cache

    def count(limit: int | None = None) -> int:
        sweeps.append(limit)
        return trim(limit)

    monkeypatch.setattr(cache, "trim_cache", count)
    for k in range(80):
        assert write(k)
    # 128 kB between two sweeps: more than three entries of 40 kB and their heads
    assert 80 // 4 - 1 <= len(sweeps) <= 80 // 3
    assert set(sweeps) == {int(0.875 * 2**20)}


@pytest.mark.slow
def test_several_processes_share_the_limit(folder: Path) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(60 * n)]) for n in range(3)
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    # each may have written an entry while another swept
    assert size(folder) <= LIMIT * 2**20 + 3 * 1024 * (KILOBYTES + 1)
    assert not list(folder.glob("*.part"))


@pytest.mark.slow
def test_threads_write_read_sweep_and_clear_at_once(folder: Path) -> None:
    digests: dict[int, str] = {}
    wrong: list[object] = []

    def work(seed: int) -> None:
        try:
            for k in range(40):
                data = bytes([k]) * (1024 * KILOBYTES)
                digests[k] = hashlib.sha256(data).hexdigest()
                cache.write_entry(key(k), data)
                found = cache.read_entry(key((k * seed) % 40))
                if found is not None:
                    number = (k * seed) % 40
                    if hashlib.sha256(found).hexdigest() != digests.get(number):
                        wrong.append(number)
                if k % 10 == seed:
                    cache.clear_cache()
                cache.trim_cache()
        except Exception as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(1, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_entry_that_vanishes_is_absent(folder: Path) -> None:
    assert write(0)
    (folder / (key(0) + ".object")).unlink()
    assert cache.read_entry(key(0)) is None
    assert cache.trim_cache() == 0


def test_unfinished_files_are_given_up(folder: Path) -> None:
    old, new = folder / "a.part", folder / "b.part"
    for path in (old, new):
        path.write_bytes(b"half")
    long_ago = time.time() - 2.0 * cache.ABANDONED
    os.utime(old, (long_ago, long_ago))
    cache.trim_cache()
    assert [old.exists(), new.exists()] == [False, True]


def test_entry_beyond_the_limit_is_not_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not write(0, 1100)
    monkeypatch.setenv("MOTORIK_CACHE_SIZE", "0")
    assert not write(1)
    assert not list(folder.iterdir())


@pytest.mark.parametrize("given", ["much", "-1", "inf", "nan"])
def test_limit_that_is_no_size_is_refused(
    monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.setenv("MOTORIK_CACHE_SIZE", given)
    with pytest.raises(ParameterError, match=rf"MOTORIK_CACHE_SIZE: is '{given}'.*\n.*256"):
        cache.cache_limit()
    monkeypatch.delenv("MOTORIK_CACHE_SIZE")
    assert cache.cache_limit() == 256 * 2**20
