"""Plots, pictures, diagrams and live pages in a real kernel."""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from motorik.view.live.comm import FLIGHT
from tests.view.kernels import VIEW, Kernel

pytest.importorskip("ipykernel")
nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

CELLS = [
    "import warnings; warnings.simplefilter('error')\n"
    "import matplotlib.pyplot as plt\n"
    "from motorik import gallery\n"
    "result = gallery.Pendulum().simulate(0.5)\n"
    "mine = plt.figure(); plt.close(mine); before = plt.get_fignums()",
    "result.plot('rev.phi')",
    "figure = result.plot('rev.phi')",
    "for _ in range(25): last = result.plot('rev.w')",
    "result.draw(0.2, size=(120, 90))",
    "gallery.Pendulum().diagram()",
    "assert plt.get_fignums() == before\nplt.plot([1, 2])",
]


@pytest.mark.slow
def test_a_notebook_shows_each_figure_once():
    """And pyplot is left as it was."""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in CELLS])
    nbclient.NotebookClient(book, timeout=300, kernel_name="python3").execute()

    def shown(number, kind):
        outputs = book.cells[number].outputs
        return sum(kind in out.get("data", {}) for out in outputs)

    assert shown(1, "image/png") == 1  # the value of the cell
    assert shown(2, "image/png") == shown(3, "image/png") == 0  # kept, not shown
    assert shown(4, "image/png") == 1
    assert shown(5, "image/svg+xml") == 1
    assert shown(6, "image/png") == 1  # the user's own figure, as ever


@pytest.fixture(scope="module")
def kernel():
    pytest.importorskip("anywidget")
    kernel = Kernel()
    yield kernel
    kernel.stop()


def views(shown):
    return [data[VIEW]["model_id"] for data in shown if VIEW in data]


PENDULUM = "from tests.view.live.models import Pendulum\nfrom motorik import gallery\n"


@pytest.mark.slow
def test_a_live_model_is_shown_and_moved_through_the_kernel(kernel):
    shown = kernel.run(f"{PENDULUM}session = Pendulum().live()\nsession")
    (comm,) = views(shown)  # once, although it is the value of the cell as well
    assert "127.0.0.1" not in str(shown)  # nothing is served, nothing needs to be reached
    assert "motorik.widget" in kernel.opened[comm]["_esm"]

    kernel.tell(comm, "a", "hello")
    kernel.wait_for(lambda: kernel.frames(comm), "a greeting")
    groups = next(m["groups"] for m in kernel.texts(comm) if m["type"] == "panel")
    ids = [w["id"] for group in groups for w in group["widgets"]]
    id_ = next(i for i in ids if i.endswith("hinge.phi"))

    kernel.tell(comm, "a", "message", type="set", id=id_, value=1.25)
    kernel.wait_for(
        lambda: any(
            m["type"] == "values" and m["widgets"][id_] == 1.25 for m in kernel.texts(comm)
        ),
        "the slider",
    )
    assert float(kernel.said("print(session['hinge.phi'])")) == pytest.approx(1.25)

    before = len(kernel.frames(comm))
    kernel.tell(comm, "a", "message", type="play")
    kernel.wait_for(lambda: len(kernel.frames(comm)) > before + 5, "frames")
    (t,) = struct.unpack("<d", kernel.frames(comm)[-1][:8])
    assert t > 0.0
    kernel.tell(comm, "a", "message", type="eval", code="1 / 0")
    kernel.wait_for(
        lambda: any(m["type"] == "notice" for m in kernel.texts(comm)), "a refusal"
    )

    assert views(kernel.run("session")) == [comm]  # another view, in another cell
    assert kernel.said("print(session.clients)") == "1\n"
    kernel.tell(comm, "b", "hello")
    assert kernel.said("print(session.clients)") == "2\n"
    kernel.run("session.close()")
    assert any(own == comm and p.get("closed") for own, p, _ in kernel.parcels)
    assert views(kernel.run("session")) == []


@pytest.mark.slow
def test_frames_come_while_a_cell_runs(kernel):
    code = (
        "session = Pendulum().live(); session.play()\n"
        "transport = session._pages._transports[-1]\n"
        "for _ in range(600):\n"
        f"    if transport._sent > {FLIGHT + 3}: break\n"
        "    session.wait(0.1)\n"
        "session.pause()"
    )
    (comm,) = views(kernel.run(PENDULUM + code))
    count = len(kernel.frames(comm))
    assert count > FLIGHT  # more than are sent without an answer
    kernel.run("session.close()")


@pytest.mark.slow
def test_a_cell_that_is_run_again_closes_what_it_had_shown(kernel):
    kernel.run("kept = []")
    code = f"{PENDULUM}kept.append(Pendulum().live()); kept.append(Pendulum().live())"
    for _ in range(2):
        assert len(views(kernel.run(code, cell="c1"))) == 2
    kernel.run("kept.append(Pendulum().live())", cell="c2")
    closed = kernel.said("print([one.is_closed for one in kept])")
    assert closed == "[True, True, False, False, False]\n"
    kernel.run("for one in kept: one.close()")


@contextmanager
def notebook_of(shown: str) -> Iterator[str]:
    """Serve a page that shows this, as a notebook on the same machine."""

    class Notebook(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(shown.encode())

        def log_message(self, *said): ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Notebook) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()


STUDIO = "motorik.studio(gallery.Pendulum())"


@pytest.mark.slow
def test_the_studio_is_framed_below_its_cell_and_builds_there(kernel, chromium):
    """From the address of the notebook, another one than that of the studio."""
    code = f"import motorik\nfrom motorik import gallery\nkept = []\nkept.append({STUDIO})"
    (shown,) = [
        data["text/html"] for data in kernel.run(code, cell="s1") if "text/html" in data
    ]
    with notebook_of(shown) as address:
        page = chromium.new_page()
        page.goto(address)
        page.frame_locator("iframe").get_by_text("Pendulum").first.wait_for()
        page.close()
    again = kernel.run("kept[0]", cell="s2")
    assert "iframe" in again[0]["text/html"] and "at http" in again[0]["text/plain"]
    kernel.run(f"kept.append({STUDIO})", cell="s1")
    assert kernel.said("print([one.is_closed for one in kept])") == "[True, False]\n"
    assert "text/html" not in kernel.run("kept[0]", cell="s3")[0]
    kernel.run("kept[1].close()")


@pytest.mark.slow
def test_a_chain_is_shown_and_moved_through_the_kernel(kernel):
    code = (
        "from tests.view.live.chains import Pendulum as Chain\n"
        "from motorik.mobile import Scene\n"
        "chain = Chain(); scene = Scene(chain.chain, up=1)\n"
        "widget = scene.make_manipulator(chain.joint)\n"
        "scene.show()\nScene.main_loop()  # a notebook waits by itself"
    )
    (comm,) = views(kernel.run(code))
    kernel.tell(comm, "a", "hello")
    kernel.wait_for(lambda: kernel.texts(comm), "a greeting")
    drag = {"type": "turn", "name": "phi", "value": 0.75}
    kernel.tell(comm, "a", "message", **drag, phase="begin")
    kernel.tell(comm, "a", "message", **drag, phase="end")
    kernel.wait_for(lambda: len(kernel.frames(comm)) > 1, "frames")
    assert float(kernel.said("print(scene.do(lambda: chain.phi.q))")) == pytest.approx(0.75)
    assert views(kernel.run("scene.show()")) == [comm]
    kernel.run("scene.session.close()")


@pytest.mark.slow
def test_without_widgets_there_are_a_hint_and_a_link(kernel):
    shown = kernel.run(
        f"{PENDULUM}import sys; had = sys.modules['anywidget']; "
        "sys.modules['anywidget'] = None\n"
        "session = Pendulum().live()\nsession"
    )
    assert views(shown) == []
    (link,) = [data["text/html"] for data in shown if "text/html" in data]
    assert 'href="http://127.0.0.1:' in link and "motorik[notebook]" in link
    kernel.run("session.close(); sys.modules['anywidget'] = had")
