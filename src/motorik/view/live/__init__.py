"""Live pages: a mechanism that runs while it is shown, dragged by hand and changed by sliders.

A `Session` (`session.py`) is one thread that runs jobs in order (`jobs.py`) and advances time
between them at a pace relative to the wall clock. Its subject is a `Player` (`player.py`), with
poses, inputs and steps: `ModelPlayer` simulates a model, `ChainPlayer` a chain of transmission
elements; there is a session class for each (`model_session.py`, `chain_session.py`). `hands.py`
carries out messages of pages: controls (`panel.py`), dragging, pulling by a spring.
`messages.py` checks messages from pages and writes those to them; `budget.py` limits computing
between two messages.

A `Transport` (`transport.py`) connects pages: the WebSocket server (`server.py`), or the
channel of a notebook's kernel (`comm.py`, `notebook.py`), which sends no more than pages have
confirmed. Each client has only the newest message of each kind waiting (`clients.py`), so a
slow page delays nothing. `broadcast.py` keeps these messages and the frames of the run for
pages that join later.

All formulations of a model share the motion X, so dragging, springs and projection pass it to
the simulation (`Simulator.take`).
"""

from motorik.view.live.chain_session import ChainSession
from motorik.view.live.model_session import ModelSession
from motorik.view.live.panel import Panel
from motorik.view.live.session import Session

__all__ = ["ChainSession", "ModelSession", "Panel", "Session"]
