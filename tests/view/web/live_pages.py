"""Pages of live sessions in a browser, for tests of models and of MOBILE programs."""

from tests.view.live.pages import wait_until


class LivePage:
    """A page of a session in the browser, and everything that went wrong in it."""

    def __init__(self, page, session):
        self.wrong: list[str] = []
        self.session, self.page = session, page
        self.listeners = {
            "pageerror": lambda error: self.wrong.append(str(error)),
            "console": self._said,
            "request": lambda asked: self._asked(asked.url, session.url),
        }
        for event, listener in self.listeners.items():
            page.on(event, listener)
        page.goto(session.url)
        self.ready()

    def _said(self, message) -> None:
        # pages look for a session that was closed again and again
        misses = self.session.is_closed and "WebSocket" in message.text
        stalls = "GPU stall" in message.text
        if message.type in ("error", "warning") and not (misses or stalls):
            self.wrong.append(message.text)

    def _asked(self, url: str, own: str) -> None:
        host = own.split("//")[1].split("/")[0]
        if not url.startswith(("data:", "blob:", f"http://{host}/", f"ws://{host}/")):
            self.wrong.append(f"asked for {url}")

    def ready(self) -> None:
        def holds():
            return self.page.evaluate("Boolean(window.viewer?.drawn?.count > 0)")

        wait_until(holds, "a first picture")

    def end(self) -> None:
        """Listen no longer: the page is for others."""
        for event, listener in self.listeners.items():
            self.page.remove_listener(event, listener)


def number_of(live: LivePage, widget: str) -> float:
    field = live.page.locator(f'[data-id="{widget}"] input[type=number]')
    return float(field.input_value())
