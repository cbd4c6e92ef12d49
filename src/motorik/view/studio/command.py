"""The command line: `motorik studio`, `motorik run`, `motorik show`, `motorik gallery`.

Exit codes: 0 done, 1 an error of the document or the run, 2 a wrong call.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motorik.documents import Document, load_document
from motorik.documents.document import check_run, run_arguments
from motorik.errors import FileFormatError, MotorikError, suggest

if TYPE_CHECKING:
    from motorik.results import Result

DONE, FAILED, WRONG = 0, 1, 2
FORMS = (".csv", ".nc", ".xlsx", ".html", ".png", ".svg", ".pdf", ".mp4", ".gif")


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out a command; return its exit code."""
    parser = make_parser()
    given = parser.parse_args(arguments)
    if given.act is None:
        parser.print_help()
        return WRONG
    try:
        return given.act(given)
    except MotorikError as error:
        print(f"motorik: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return FAILED


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="motorik", description="Build, run and show mechanisms."
    )
    parser.add_argument("--version", action="version", version=f"motorik {_version()}")
    parser.set_defaults(act=None)
    commands = parser.add_subparsers(metavar="COMMAND")

    own = commands.add_parser("studio", help="build and run a model in the browser")
    own.add_argument(
        "file", nargs="?", help="a document, e.g. crane.json; made if there is none"
    )
    own.add_argument("--port", type=int, default=0, help="port of the page, any by default")
    own.add_argument("--host", default="127.0.0.1", help="this machine alone by default")
    own.add_argument("--no-browser", action="store_true", help="only print the address")
    _with_trust(own)
    own.set_defaults(act=_studio)

    own = commands.add_parser(
        "run", help="simulate a document and write or print the result"
    )
    own.add_argument("file", help="a document, e.g. crane.json")
    own.add_argument(
        "--stop-time", type=float, help="end of the run [s]; else the document's"
    )
    own.add_argument(
        "-o", "--output", help=f"file of the result: {', '.join(FORMS)}", metavar="FILE"
    )
    own.add_argument(
        "--variables", nargs="+", default=[], help="of the table; all states else"
    )
    _with_trust(own)
    own.set_defaults(act=_run)

    own = commands.add_parser("show", help="show a document at its start")
    own.add_argument("file", help="a document, e.g. crane.json")
    own.add_argument(
        "-o",
        "--output",
        help="page (.html) or picture (.png, .svg, .pdf) to write",
        metavar="FILE",
    )
    own.add_argument("--explain", action="store_true", help="print how it is assembled")
    _with_trust(own)
    own.set_defaults(act=_show)

    own = commands.add_parser("gallery", help="list mechanisms, or save one as a document")
    own.add_argument("name", nargs="?", help="e.g. PlanarFourbar")
    own.add_argument("-o", "--output", help="the document to write", metavar="FILE")
    own.set_defaults(act=_gallery)
    return parser


def _version() -> str:
    module: Any = import_module("motorik")
    return str(module.__version__)


def _with_trust(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--trust",
        action="append",
        default=[],
        metavar="MODULE",
        help="module of yours that classes of the document may come from; importing runs it",
    )


def _studio(given: argparse.Namespace) -> int:
    from motorik.view.studio.door import studio

    session = studio(
        given.file,
        trust=given.trust,
        open=False if given.no_browser else None,
        host=given.host,
        port=given.port,
    )
    print(f"motorik studio: {session.url}", flush=True)
    print("Press Ctrl-C to end it.", flush=True)
    try:
        session.wait()
    except KeyboardInterrupt:
        pass
    finally:
        session.close()
    return DONE


def trusted(document: Document, trust: Sequence[str]) -> list[str]:
    """Return the modules to trust; a terminal is asked for those that are not named yet."""
    found = [*trust]
    for module in document.modules:
        if module in found or not sys.stdin.isatty():
            continue
        print(
            f"The document uses classes of your module {module!r}; importing runs its code."
        )
        if input("Trust it? [y/N] ").strip().lower() in ("y", "yes"):
            found.append(module)
    return found


def _loaded(given: argparse.Namespace) -> tuple[Document, list[str]]:
    document = load_document(given.file)
    for lost in document.losses:
        print(f"motorik: {lost}", file=sys.stderr)
    return document, trusted(document, given.trust)


def _run(given: argparse.Namespace) -> int:
    form = _form(given.output, FORMS) if given.output else ""
    document, trust = _loaded(given)
    check_run(document.data.get("run", {}))
    options = run_arguments(document.data)
    if given.stop_time is not None:
        options["stop_time"] = given.stop_time
    with warnings.catch_warnings(record=True) as issued:
        warnings.simplefilter("always")
        result = document.build(trust).simulate(**options)
    for one in issued:
        print(f"motorik: {str(one.message).splitlines()[0]}", file=sys.stderr)
    if given.output:
        _write(result, form, Path(given.output), given.variables)
        print(f"Written: {given.output}")
    else:
        print(result.summary())
    return DONE if result.complete else FAILED


def _write(result: Result, form: str, file: Path, names: Sequence[str]) -> None:
    from motorik.view.studio.worker import write_result

    write_result(result, form[1:], file, {"names": [*names]})


def _form(file: str, forms: Sequence[str]) -> str:
    form = Path(file).suffix.lower()
    if form not in forms:
        raise FileFormatError(
            file, f"ends in {form!r}, which is no known form.", f"Give {', '.join(forms)}."
        )
    return form


def _show(given: argparse.Namespace) -> int:
    form = _form(given.output, (".html", ".png", ".svg", ".pdf")) if given.output else ""
    document, trust = _loaded(given)
    built = document.built(trust)
    for fault in built.errors:
        print(f"motorik: {fault}", file=sys.stderr)
    model = built.model
    if given.explain:
        print(model.explain())
    elif form == ".html":
        from motorik.view.web.page import make_film

        page = make_film(model.scene().text(), document.name)
        Path(given.output).write_text(page, "utf-8")
    elif form:
        model.draw(file=given.output)
    else:
        model.show()
    if given.output:
        print(f"Written: {given.output}")
    return FAILED if built.errors else DONE


def _gallery(given: argparse.Namespace) -> int:
    from motorik.view.studio.gallery import TEMPLATES, gallery_list, gallery_model

    if given.name is None:
        for one in gallery_list():
            print(f"{one['name']:20} {one['text']}")
        return DONE
    if given.name not in TEMPLATES:
        raise FileFormatError(
            given.name, "is not in the gallery.", suggest(given.name, TEMPLATES)
        )
    document = Document.of(gallery_model(given.name))
    if given.output:
        print(f"Written: {document.save(given.output)}")
    else:
        print(document.text(), end="")
    return DONE
