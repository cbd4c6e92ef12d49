"""A desk: a user at the page of a studio, who has a mouse, a keyboard and nothing else."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PATIENCE = 30_000  # ms, for a machine that does other things as well


class Desk:
    """What a user does at a page; with MOTORIK_PICTURES each step leaves a picture there."""

    def __init__(self, page: Any, title: str) -> None:
        self.page, self.title, self.steps = page, title, 0
        self.wrong: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", self._said)

    def _said(self, message: Any) -> None:
        if message.type == "error" and "WebSocket" not in message.text:
            self.wrong.append(message.text)

    # --- looking ---------------------------------------------------------------------------

    def picture(self, step: str) -> None:
        """Keep a picture of a step."""
        folder = os.environ.get("MOTORIK_PICTURES")
        if not folder:
            return
        self.steps += 1
        Path(folder).mkdir(parents=True, exist_ok=True)
        self.page.wait_for_timeout(350)
        self.page.screenshot(
            path=Path(folder) / f"{self.title}_{self.steps:02d}_{step}.png"
        )

    def until(
        self, condition: str, argument: object = None, patience: int = PATIENCE
    ) -> None:
        """Wait until an expression of the page's state `studio` is true.

        The policy of the page forbids to wait within it.
        """
        end = time.monotonic() + patience / 1000
        test = f"(given) => {{ const {{ studio }} = motorikStudio; return Boolean({condition}); }}"
        while not self.page.evaluate(test, argument):
            assert time.monotonic() < end, (
                f"{condition} with {argument!r} never became true"
            )
            self.page.wait_for_timeout(20)

    def until_true(self, condition: Callable[[], bool], patience: int = PATIENCE) -> None:
        """Wait until something beside the page is true."""
        end = time.monotonic() + patience / 1000
        while not condition():
            assert time.monotonic() < end
            self.page.wait_for_timeout(50)

    def read(self, expression: str) -> Any:
        """Return an expression of the page's state `studio`."""
        return self.page.evaluate(
            f"() => {{ const {{ studio }} = motorikStudio; return {expression}; }}"
        )

    def settled(self) -> None:
        """Wait until the server has looked at the newest revision.

        All that it sent before it answers one more request has come then.
        """
        self.page.evaluate(
            "() => motorikStudio.studio.ask({ op: 'nothing' }, true).then(() => null)"
        )
        self.until("studio.waiting === 0 && studio.looked === studio.revision")

    # --- acting ----------------------------------------------------------------------------

    def press(self, *keys: str) -> None:
        """Press keys."""
        for key in keys:
            self.page.keyboard.press(key)

    def open(self, key: str) -> None:
        """Press the key of a dialog, once the one before is closed: it takes keys until then."""
        self.until("studio.dialog === null")
        self.press(key)

    def begin(self) -> None:
        """Begin with an empty model."""
        self.page.locator("dialog[open] .door").first.wait_for()
        self.until("studio.classes.groups.length > 0")
        self.press("Enter")
        self.page.locator("dialog[open]").wait_for(state="hidden")
        self.settled()

    def add(self, kind: str) -> str:
        """Add a part by its name in the dialog; return the name that it got."""
        before = self.read("studio.level.parts.length")
        self.open("/")
        self.page.locator("dialog.insert input").fill(kind)
        self.press("Enter")
        self.until(
            "studio.level.parts.length === given && studio.waiting === 0", before + 1
        )
        return self.read("studio.chosen[0]")

    def rename(self, name: str) -> None:
        """Give the chosen part another name."""
        self.open("F2")
        self.page.locator("dialog.rename input").fill(name)
        self.press("Enter")
        self.until("studio.parts.has(given)", name)

    def put(self, kind: str, name: str) -> None:
        """Add a part and name it."""
        if self.add(kind) != name:
            self.rename(name)

    def point(self, x: float, y: float) -> None:
        """Click at a place, as a hand does: it comes there, then presses."""
        self.page.mouse.move(x - 3, y)
        self.page.mouse.move(x, y)
        self.page.mouse.click(x, y)

    def wire(self, a: str, b: str) -> None:
        """Draw a wire with the mouse."""
        before = self.read("studio.level.connections.length")
        (x, y), (u, v) = self._middle(a), self._middle(b)
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        mouse.move((x + u) / 2, (y + v) / 2 + 12)
        mouse.move(u, v, steps=3)
        mouse.up()
        self.until("studio.level.connections.length === given", before + 1)

    def connect(self, a: str, b: str) -> None:
        """Connect two ports with the keyboard."""
        before = self.read("studio.level.connections.length")
        self.press("Escape")
        self.open("c")
        for port in (a, b):
            self.page.locator("dialog.connect input").fill(port)
            self.press("Enter")
        self.until("studio.level.connections.length === given", before + 1)

    def _middle(self, port: str) -> tuple[float, float]:
        box = self.page.locator(f'[data-port="{port}"]').bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def choose(self, name: str) -> None:
        """Choose a part by finding it."""
        self.open("Control+f")
        self.page.locator("dialog.find input").fill(name)
        self.press("Enter")
        self.until("studio.chosen.length === 1 && studio.chosen[0] === given", name)

    def set(self, part: str, field: str, *texts: str) -> None:
        """Type values into a field of a part: one, or those of a vector."""
        self.choose(part)
        boxes = self.page.locator(f'[data-field="{part}.{field}"] .number input')
        for k, text in enumerate(texts):
            boxes.nth(k).fill(text)
            boxes.nth(k).press("Enter")
        self.page.wait_for_timeout(30)
        self.settled()

    def simulate(self, patience: int = 60_000) -> None:
        """Simulate, and wait for the motion."""
        before = self.read("studio.done.length")
        self.press("Escape", "F5")
        self.until(
            "studio.done.length > given && studio.range[1] > studio.range[0]",
            before,
            patience,
        )

    def plot(self, name: str) -> None:
        """Plot a variable."""
        before = self.read("(studio.document.panels ?? []).length")
        box = self.page.locator(".plots .pick input")
        box.click()
        box.fill(name)
        self.press("Enter")
        self.until("(studio.document.panels ?? []).length === given", before + 1)
        self.page.locator(".plot canvas").last.wait_for()

    def series(self, name: str) -> list[list[float]]:
        """Return times and values of a variable of the newest run."""
        return self.page.evaluate(
            "async (name) => { const s = motorikStudio.studio; "
            "const { time, values } = await s.series(s.done.at(-1).id, [name]); "
            "return [time, values[name] ?? []]; }",
            name,
        )

    def messages(self) -> list[str]:
        """Return the places and texts of all messages about the model."""
        return self.page.evaluate(
            "() => motorikStudio.studio.diagnosis.items.map((item) => "
            "[item.part, item.port || item.field, item.text, item.remedy].join(' | '))"
        )

    def export(self, key: str) -> str:
        """Return the source that a key exports."""
        self.press("Escape", key)
        text = self.page.locator("dialog.source pre").inner_text()
        self.press("Escape")
        return text
