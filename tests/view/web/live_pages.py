"""Pages of live sessions in a browser, for tests of models and of MOBILE programs."""

from tests.view.live.pages import wait_until


class LivePage:
    """A page of a session in the browser, and everything that went wrong in it."""

    def __init__(self, browser, session):
        self.wrong: list[str] = []
        self.session = session
        self.page = browser.new_context(viewport={"width": 1000, "height": 640}).new_page()
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", self._said)
        self.page.on("request", lambda asked: self._asked(asked.url, session.url))
        self.page.goto(session.url)
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

    def close(self) -> None:
        self.page.context.close()
        assert self.wrong == [], self.wrong


def number_of(live: LivePage, widget: str) -> float:
    field = live.page.locator(f'[data-id="{widget}"] input[type=number]')
    return float(field.input_value())
