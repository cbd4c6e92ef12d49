"""Cells of a notebook in a browser: the widget's module with a model such as notebooks give it.

The other end of the model is a real session in this process: what a view sends is heard by it,
what it posts is passed on by `Notebook.pump`.
"""

import base64
import time

from motorik.view.web.page import viewer_code
from motorik.view.web.widget import ALONE
from tests.view.live.notebooks import FakeWidget

MAKE = """async ([code, scene, height]) => {
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const { default: widget } = await import(url);
  const view = (text) => {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const padded = new Uint8Array(bytes.length + 8);  // a view into a larger buffer
    padded.set(bytes, 8);
    return new DataView(padded.buffer, 8);
  };
  const acts = new Set(), values = { scene: view(scene), height };
  const model = {
    get: (name) => values[name],
    on: (name, act) => acts.add([name, act]),
    off: (name, act) => acts.forEach((a) => a[0] === name && a[1] === act && acts.delete(a)),
    send: (said) => {
      if (window.isEnded) throw new Error("Cannot send");  // as notebooks do then
      window.outbox.push(said);
    },
  };
  window.outbox = [];
  window.acts = acts;
  window.ends = [];
  window.deliver = (parcels) => {
    for (const [parcel, buffers] of parcels)
      for (const [name, act] of [...acts])
        if (name === "msg:custom") act(parcel, buffers.map(view));
  };
  window.setHeight = (px) => {
    values.height = px;
    for (const [name, act] of [...acts]) if (name === "change:height") act();
  };
  window.endKernel = () => {
    window.isEnded = true;
    for (const [name, act] of [...acts]) if (name === "comm_live_update") act();
  };
  window.addCell = () => {
    const el = document.body.appendChild(document.createElement("section"));
    window.ends.push(widget.render({ model, el }));
  };
}"""
CODE = f"{ALONE}\n{viewer_code()}\nexport default motorik.widget;\n"
PAGE = "<style>body { margin: 0 } section { margin: 8px }</style>"


class Notebook:
    """A page with cells that all show one session."""

    def __init__(self, page, widget: FakeWidget) -> None:
        self.page, self.widget = page, widget
        page.set_content(PAGE)
        self.load()
        self.hears = True  # whether the kernel listens

    def load(self) -> None:
        """Import the widget's module, as notebooks do for each widget, for cells added then."""
        scene = base64.b64encode(self.widget.scene).decode()
        self.page.evaluate(MAKE, [CODE, scene, self.widget.height])

    def add_cell(self) -> None:
        self.page.evaluate("addCell()")

    def cell(self, number: int):
        return self.page.locator("section").nth(number)

    def pump(self) -> None:
        """Pass on what was said and posted, both ways."""
        if self.hears:
            for said in self.page.evaluate("outbox.splice(0)"):
                self.widget.hear(said)
        parcels = [
            [parcel, [base64.b64encode(data).decode() for data in buffers]]
            for parcel, buffers in self.widget.take()
        ]
        if parcels:
            self.page.evaluate("parcels => deliver(parcels)", parcels)

    def until(self, holds, what: str) -> None:
        end = time.monotonic() + 60.0
        while True:
            self.pump()
            if holds():
                return
            assert time.monotonic() < end, f"{what} never happened"
            self.page.wait_for_timeout(20)
