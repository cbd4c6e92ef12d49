"""Films: a run as GIF, WebP or MP4."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from motorik.errors import FileFormatError, MotorikError, ParameterError
from motorik.view.files import path_of, writing

if TYPE_CHECKING:
    from PIL import Image
    from typing_extensions import Self


# --- frames of a film, written as GIF and WebP --------------------------------------------


COLOURS = 160  # of a GIF
CHOSEN = 8  # pictures of which the colours of a GIF are chosen
QUICK = 1  # level of compression of what waits


class Reel:
    """Pictures (height × width × 3, 0 to 255) in a temporary file.

    Pillow takes it as an image of several frames: it has `n_frames` and `seek`, and is
    otherwise the picture that was sought last.
    """

    def __init__(self) -> None:
        self._file = TemporaryFile()
        self._places: list[tuple[int, int]] = []
        self._shape: tuple[int, ...] = ()
        self._now: Image.Image | None = None

    def add(self, pixels: np.ndarray) -> None:
        """Keep one more picture."""
        packed = zlib.compress(np.ascontiguousarray(pixels).tobytes(), QUICK)
        self._shape = pixels.shape
        self._places.append((self._file.seek(0, 2), len(packed)))
        self._file.write(packed)

    @property
    def n_frames(self) -> int:
        """How many pictures there are."""
        return len(self._places)

    def image(self, number: int) -> Image.Image:
        """Return one of the pictures."""
        from PIL import Image

        begin, length = self._places[number]
        self._file.seek(begin)
        flat = np.frombuffer(zlib.decompress(self._file.read(length)), dtype=np.uint8)
        return Image.fromarray(flat.reshape(self._shape))

    def seek(self, number: int) -> None:
        """Be one of the pictures."""
        self._now = self.image(number)

    def __getattr__(self, name: str) -> Any:
        now = self.__dict__.get("_now")
        if now is None:
            raise AttributeError(name)
        return getattr(now, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()


def write_webp(file: Path, reel: Reel, times: Sequence[int]) -> None:
    """Write a reel as WebP that repeats; `times` [ms] are those of its pictures."""
    first = reel.image(0)
    others = Rest(reel)
    options = {"quality": 80, "method": 4, "minimize_size": True, "loop": 0}
    several = {"save_all": True, "append_images": [others], "duration": list(times)}
    first.save(file, **options, **(several if others.n_frames else {}))


class Rest:
    """A reel without its first picture, which Pillow is given as an image of its own."""

    def __init__(self, reel: Reel) -> None:
        self._reel = reel
        self.n_frames = reel.n_frames - 1

    def seek(self, number: int) -> None:
        """Be one of the pictures."""
        self._reel.seek(number + 1)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reel, name)


def write_gif(file: Path, reel: Reel, times: Sequence[int]) -> None:
    """Write a reel as GIF that repeats; of each picture only what differs from the last."""
    from PIL import Image, ImageChops
    from PIL.GifImagePlugin import getdata

    palette = common_palette(reel)
    with file.open("wb") as out:
        out.write(gif_header(palette, reel.image(0).size))
        before: Image.Image | None = None
        waiting: tuple[Image.Image, tuple[int, int], int] | None = None
        for number, time in enumerate(times):
            now = reel.image(number).quantize(palette=palette, dither=Image.Dither.NONE)
            box: tuple[int, int, int, int] | None = (0, 0, *now.size)
            if before is not None:
                plain = (
                    Image.frombytes("L", one.size, one.tobytes()) for one in (before, now)
                )
                box = ImageChops.difference(*plain).getbbox()
            if box is None and waiting is not None:  # as before: the last one stays longer
                waiting = (*waiting[:2], waiting[2] + time)
                continue
            if waiting is not None:
                out.writelines(
                    getdata(waiting[0], waiting[1], duration=waiting[2], disposal=1)
                )
            assert box is not None
            waiting = (now.crop(box), box[:2], time)
            before = now
        assert waiting is not None
        out.writelines(getdata(waiting[0], waiting[1], duration=waiting[2], disposal=1))
        out.write(b";")


def common_palette(reel: Reel) -> Image.Image:
    """Return an image with colours for all pictures of a reel, chosen from some of them.

    Every second pixel of every second line is enough: the colours are as near to all pixels.
    """
    from PIL import Image

    step = max(1, reel.n_frames // CHOSEN)
    pictures = (reel.image(k) for k in range(0, reel.n_frames, step))
    some = [
        one.resize((-(-one.width // 2), -(-one.height // 2)), Image.Resampling.NEAREST)
        for one in pictures
    ]
    width, height = some[0].size
    sheet = Image.new("RGB", (width, height * len(some)))
    for number, image in enumerate(some):
        sheet.paste(image, (0, number * height))
    return sheet.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, kmeans=1)


def gif_header(palette: Image.Image, size: tuple[int, int]) -> bytes:
    """Return the beginning of a GIF: size, 256 colours, and that it repeats for ever."""
    colours = bytes(palette.getpalette() or [])[:768].ljust(768, b"\0")
    screen = b"".join(n.to_bytes(2, "little") for n in size) + b"\xf7\0\0"
    endless = b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
    return b"GIF89a" + screen + colours + endless


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
        """Write the pictures that there are."""


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
        """Write the pictures that there are."""
        with self._reel:
            if not self.count:
                return
            ends = np.round(100.0 / self.fps * np.arange(self.count + 1)) * 10
            times = np.diff(ends).astype(int).tolist()  # ms, of hundredths of a second
            write = write_gif if self.file.suffix.lower() == ".gif" else write_webp
            with writing("to_movie", self.file):
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
        """Write the pictures that there are."""
        said: bytes = self._process.communicate()[1]
        if self._process.returncode:
            self._fail(said)

    def _fail(self, said: bytes = b"") -> None:
        text = said or (self._process.stderr.read() if self._process.stderr else b"")
        why = text.decode(errors="replace").strip().splitlines()
        raise FileFormatError(
            "to_movie",
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
            "to_movie",
            "MP4 films need ffmpeg, which is not there.",
            "Install it: pip install 'motorik[film]'; or name the film .gif or .webp.",
        )
    return own


def has_ffmpeg() -> bool:
    """Return whether MP4 films can be written here."""
    try:
        find_ffmpeg()
    except MotorikError:
        return False
    return True


def make_writer(file: Path, size: tuple[int, int], fps: float) -> FilmWriter:
    """Return the writer for the suffix of a file."""
    kind = FfmpegFilm if file.suffix.lower() == ".mp4" else PillowFilm
    return kind(file, size, fps)


def check_film(given: object) -> Path:
    """Return the path of a film; refuse one whose suffix names no kind of film."""
    file = path_of("to_movie", given)
    suffix = file.suffix.lower().removeprefix(".")
    if suffix not in SUFFIXES:
        raise ParameterError(
            "to_movie",
            f"cannot write a film as {file.suffix or 'a file without suffix'!r} ({file.name}).",
            f"Name the file with {', '.join('.' + one for one in SUFFIXES)}.",
            parameter="file",
            value=str(file),
        )
    if suffix == "mp4":
        find_ffmpeg()
    return file
