"""A real kernel, and what a notebook hears of it and says to it."""

from __future__ import annotations

import json
import queue
import time
from typing import Any

PATIENCE = 90.0  # s, for a machine that does other things as well
VIEW = "application/vnd.jupyter.widget-view+json"


class Kernel:
    """A kernel of IPython: runs cells, and passes messages of widgets on."""

    def __init__(self) -> None:
        from jupyter_client.manager import start_new_kernel

        self._manager, self._client = start_new_kernel(kernel_name="python3")
        self.parcels: list[tuple[str, dict[str, Any], list[bytes]]] = []
        self.opened: dict[str, dict[str, Any]] = {}
        self._said = 0

    def stop(self) -> None:
        self._client.stop_channels()
        self._manager.shutdown_kernel(now=True)

    def run(self, code: str, cell: str = "") -> list[dict[str, Any]]:
        """Run a cell, and return what it shows: data by kind, or words by their stream."""
        session, client = self._client.session, self._client
        content = {"code": code, "silent": False, "store_history": True}
        content |= {"allow_stdin": False, "stop_on_error": True, "user_expressions": {}}
        message = session.msg("execute_request", content, metadata={"cellId": cell})
        client.shell_channel.send(message)
        shown: list[dict[str, Any]] = []
        for heard in self._listen("the end of a cell"):
            kind, content = heard["msg_type"], heard["content"]
            if heard["parent_header"].get("msg_id") != message["msg_id"]:
                continue
            if kind == "status" and content["execution_state"] == "idle":
                break
            assert kind != "error", "\n".join(content["traceback"])
            if kind == "stream":
                shown.append({content["name"]: content["text"]})
            if kind in ("display_data", "execute_result"):
                shown.append(content["data"])
        return shown

    def said(self, code: str) -> str:
        """Return what a cell prints."""
        return "".join(words.get("stdout", "") for words in self.run(code))

    def _listen(self, what: str):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                heard = self._client.get_iopub_msg(timeout=1.0)
            except queue.Empty:
                continue
            content = heard["content"]
            if heard["msg_type"] == "comm_open":
                self.opened[content["comm_id"]] = content["data"]["state"]
            if heard["msg_type"] == "comm_msg" and content["data"]["method"] == "custom":
                buffers = [bytes(buffer) for buffer in heard["buffers"]]
                parcel = content["comm_id"], content["data"]["content"], buffers
                self.parcels.append(parcel)
            yield heard
        raise AssertionError(f"{what} never came")

    def tell(self, comm: str, page: str, say: str, **message: object) -> None:
        """Say something as a page of a widget."""
        self._said += 1
        text = {"message": json.dumps(message)} if message else {}
        content = {"page": page, "say": say, "n": self._said, **text}
        data = {"comm_id": comm, "data": {"method": "custom", "content": content}}
        channel, session = self._client.shell_channel, self._client.session
        channel.send(session.msg("comm_msg", data))

    def wait_for(self, holds, what: str) -> None:
        """Listen until something holds of what came."""
        if holds():
            return
        for _ in self._listen(what):
            if holds():
                return

    def texts(self, comm: str) -> list[dict[str, Any]]:
        """Return all messages that a widget was told as they are."""
        parts = [
            p for own, parcel, _ in self.parcels if own == comm for p in parcel["parts"]
        ]
        return [json.loads(part["text"]) for part in parts if "text" in part]

    def frames(self, comm: str) -> list[bytes]:
        """Return all frames that a widget was sent."""
        return [
            buffers[part["frame"]]
            for own, parcel, buffers in self.parcels
            for part in parcel["parts"]
            if own == comm and "frame" in part
        ]
