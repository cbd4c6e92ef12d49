"""Rolled programs: equal steps of an algorithm share their code.

Straight-line code of a thousand links outgrows the instruction cache and compiles slowly. Here an
algorithm is recorded on a `Tape` (`tape.py`) as calls of steps. A step is traced once for each
signature of its arguments (`traced_steps.py`), all other calls refer to that routine. Arithmetic
between calls becomes routines of its own (`inline_code.py`). `layout.py` assigns memory to the
slots that calls read and write, `batches.py` finds independent, equal parts that run side by side
in vector lanes, and `program.py` writes the native loop over the table of calls.

Equality of calls follows from the structure of their arguments; it is not searched for in code.
"""
