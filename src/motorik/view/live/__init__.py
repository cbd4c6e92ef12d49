"""Live pages: a mechanism that runs while it is seen, moved by hand and by sliders."""

from motorik.view.live.chain_session import ChainSession
from motorik.view.live.model_session import ModelSession
from motorik.view.live.panel import Panel
from motorik.view.live.session import Session

__all__ = ["ChainSession", "ModelSession", "Panel", "Session"]
