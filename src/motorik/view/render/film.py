"""Films: a run as GIF, WebP or MP4."""

from __future__ import annotations

import shutil
import subprocess
import sys
from abc import ABC, abstractmethod
from pathlib import Path
from typing import IO

import numpy as np

from motorik.errors import FileFormatError, MotorikError, ParameterError
from motorik.view.files import path_of, writing
from motorik.view.render.reel import Reel, write_gif, write_webp

SUFFIXES = ("gif", "webp", "mp4")


class FilmWriter(ABC):
    """Takes pictures (height × width × 3, 0 to 255) one after another and writes a film."""

    def __init__(self, file: Path, size: tuple[int, int], fps: float) -> None:
        self.file, self.size, self.fps = file, size, fps
        self.count = 0

    @abstractmethod
    def add(self, pixels: np.ndarray) -> None:
        """Take the next picture."""

    @abstractmethod
    def close(self) -> None:
        """Write what there is."""


class PillowFilm(FilmWriter):
    """A GIF or WebP, which repeats; pictures wait in a file, not in memory, till all are there."""

    def __init__(self, file: Path, size: tuple[int, int], fps: float) -> None:
        super().__init__(file, size, fps)
        self._reel = Reel()

    def add(self, pixels: np.ndarray) -> None:
        """Take the next picture."""
        self._reel.add(pixels)
        self.count += 1

    def close(self) -> None:
        """Write what there is."""
        with self._reel:
            if not self.count:
                return
            ends = np.round(100.0 / self.fps * np.arange(self.count + 1)) * 10
            times = np.diff(ends).astype(int).tolist()  # ms, of hundredths of a second
            write = write_gif if self.file.suffix.lower() == ".gif" else write_webp
            with writing("animate", self.file):
                write(self.file, self._reel, times)


class FfmpegFilm(FilmWriter):
    """An MP4 (H.264), encoded while pictures arrive."""

    def __init__(self, file: Path, size: tuple[int, int], fps: float) -> None:
        super().__init__(file, size, fps)
        width, height = size
        even = f"scale={width - width % 2}:{height - height % 2}:flags=area"
        command = [
            *(find_ffmpeg(), "-y", "-loglevel", "error"),
            *("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}"),
            *("-r", f"{fps:.6g}", "-i", "-", "-an", "-vcodec", "libx264", "-crf", "20"),
            *("-preset", "medium", "-pix_fmt", "yuv420p", "-vf", even),
            *("-movflags", "+faststart", str(file)),
        ]
        # a process of its own group: Ctrl-C ends the pictures, not the encoder
        is_windows = sys.platform == "win32"
        self._process: subprocess.Popen[bytes] = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=not is_windows,
            creationflags=0x200 if is_windows else 0,
        )

    def add(self, pixels: np.ndarray) -> None:
        """Take the next picture."""
        stream: IO[bytes] | None = self._process.stdin
        assert stream is not None
        try:
            stream.write(np.ascontiguousarray(pixels).tobytes())
        except (BrokenPipeError, OSError):
            self._fail()
        self.count += 1

    def close(self) -> None:
        """Write what there is."""
        said: bytes = self._process.communicate()[1]
        if self._process.returncode:
            self._fail(said)

    def _fail(self, said: bytes = b"") -> None:
        text = said or (self._process.stderr.read() if self._process.stderr else b"")
        why = text.decode(errors="replace").strip().splitlines()
        raise FileFormatError(
            "animate",
            f"ffmpeg could not write {self.file}: {why[-1] if why else 'it ended early'}.",
            "Check the folder and the size of the film.",
        )


def find_ffmpeg() -> str:
    """Return the program that encodes MP4: that of the extra `film`, or one on the path."""
    try:
        import imageio_ffmpeg  # type: ignore[import-not-found]

        return imageio_ffmpeg.get_ffmpeg_exe()
    except ImportError:
        own = shutil.which("ffmpeg")
    if own is None:
        raise MotorikError(
            "animate",
            "MP4 films need ffmpeg, which is not there.",
            "Install it: pip install 'motorik[film]'; or name the film .gif or .webp.",
        )
    return own


def make_writer(file: Path, size: tuple[int, int], fps: float) -> FilmWriter:
    """Return the writer for the suffix of a file."""
    kind = FfmpegFilm if file.suffix.lower() == ".mp4" else PillowFilm
    return kind(file, size, fps)


def check_film(given: object) -> Path:
    """Return the path of a film; refuse one whose suffix names no kind of film."""
    file = path_of("animate", given)
    suffix = file.suffix.lower().removeprefix(".")
    if suffix not in SUFFIXES:
        raise ParameterError(
            "animate",
            f"cannot write a film as {file.suffix or 'a file without suffix'!r} ({file.name}).",
            f"Name the file with {', '.join('.' + one for one in SUFFIXES)}.",
            parameter="file",
            value=str(file),
        )
    if suffix == "mp4":
        find_ffmpeg()
    return file
