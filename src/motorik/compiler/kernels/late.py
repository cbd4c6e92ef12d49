"""Late linking: machine code of shared kernels that is made when it is first called.

Most runs call few of the kernels that events may need, and compiling all of them takes longer than
anything else in a first run. So a late kernel is called through an entry, which jumps to its
machine code, and has that made where it is missing: once in a process, between two steps. Entries
are written into the modules that call them; all of them find the machine code in one slot.
"""

from __future__ import annotations

import _thread
import ctypes
import os
import sys
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.compiler.llvm import TABLE
from motorik.immutable import immutable

if TYPE_CHECKING:
    from motorik.compiler.kernels.language import Kernel

LINK = "late.link"  # the function that an entry calls where there is no machine code yet
SOON = 0.01  # s until an interrupt is raised that came in between

ABORTING = (
    "motorik: machine code for the events of a run cannot be made, and the run has begun: "
    "the process ends here.\n"
)


@immutable
class Slot:
    """The address of the machine code of a late kernel, 0 where there is none yet."""

    data: np.ndarray


class LateGroup:
    """Shared kernels whose machine code `make` makes all at once; it returns their addresses."""

    def __init__(self, count: int, make: Callable[[], Sequence[int]]) -> None:
        self._make = make
        self._making, self._telling = threading.Lock(), threading.Lock()
        self._addresses = np.zeros(count, dtype=np.uint64)
        self._error: BaseException | None = None  # of making it in the background
        self._is_begun = False
        self.slots = [Slot(self._addresses[k : k + 1]) for k in range(count)]
        _GROUPS.update({slot.data.ctypes.data: self for slot in self.slots})

    @property
    def is_linked(self) -> bool:
        """Whether the machine code is there."""
        return bool(self._addresses.all())

    def begin(self) -> bool:
        """Return whether it is the caller who is to make the machine code before it is called.

        If another caller could not, its error is raised.
        """
        with self._telling:
            error, self._error = self._error, None
            is_new = not (self._is_begun or self.is_linked)
            self._is_begun = error is None
        if error is not None:
            raise error
        return is_new

    def link(self) -> None:
        """Make the machine code; calls reach it from now on."""
        with self._making:
            if not self.is_linked:
                self._addresses[:] = self._make()

    def link_or_keep_error(self) -> None:
        """Make the machine code; if that fails, the next who begins is told."""
        try:
            self.link()
        except BaseException as error:
            with self._telling:
                self._error = error


#: Groups by the addresses of their slots. Machine code knows them: they stay for good.
_GROUPS: dict[int, LateGroup] = {}


def _link(slot: int, attempt: int) -> None:
    """Link the group of a slot; the native code that waits cannot go on without.

    It asks again while there is no machine code: an interrupt may come in even before the first
    line of this function, and is raised later.
    """
    group = _GROUPS[slot]
    try:
        group.link()
    except KeyboardInterrupt:
        if not group.is_linked:
            return
        attempt += 1
    except BaseException:
        import traceback

        traceback.print_exc()
        sys.stderr.write(ABORTING)
        sys.stderr.flush()
        os.abort()
    if attempt > 0:
        threading.Timer(SOON, _thread.interrupt_main).start()


#: The function that entries call. Machine code knows its address: it is made once, for good.
_LINKING: list[Any] = []
_MAKING = threading.Lock()


def link_symbol() -> dict[str, int]:
    """Return the address of the function that entries call where there is no machine code yet."""
    with _MAKING:
        if not _LINKING:
            kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)
            _LINKING.append(kind(_link))
    return {LINK: ctypes.cast(_LINKING[0], ctypes.c_void_p).value or 0}


def slot_name(source: Kernel[..., Any]) -> str:
    """Return the name of the slot of a late kernel among the tables that its callers read."""
    return f"late.{source.__name__}"


def write_entry(source: Kernel[..., Any], name: str) -> str:
    """Return the definition of an entry, as textual LLVM IR."""
    kinds, result = source.kinds.values(), source.result.llvm
    passed = ", ".join(f"{kind.llvm} %a{k}" for k, kind in enumerate(kinds))
    call = f"musttail call {result} %code({passed})"
    ending = (
        [call, "ret void"] if result == "void" else [f"%r = {call}", f"ret {result} %r"]
    )
    read = "load atomic ptr, ptr %slot acquire, align 8"
    where = f"@{TABLE}{slot_name(source)}"
    return "\n".join(
        [
            f"{where} = global ptr null",
            f"define internal {result} {name}({passed}) noinline nounwind {{",
            "entry:",
            f"  %slot = load ptr, ptr {where}",
            f"  %known = {read}",
            "  %missing = icmp eq ptr %known, null",
            "  br i1 %missing, label %link, label %go",
            "link:",
            "  %attempt = phi i64 [ 0, %entry ], [ %next, %link ]",
            f"  call void @{LINK}(ptr %slot, i64 %attempt)",
            "  %next = add i64 %attempt, 1",
            f"  %made = {read}",
            "  %still = icmp eq ptr %made, null",
            "  br i1 %still, label %link, label %go",
            "go:",
            "  %code = phi ptr [ %known, %entry ], [ %made, %link ]",
            *(f"  {line}" for line in ending),
            "}",
        ]
    )
