"""Completion in notebooks: parts of models, ports and options of parts, variables of results."""

import pytest

from motorik import gallery


@pytest.fixture(scope="module")
def names():
    model = gallery.Pendulum()
    return {"model": model, "result": model.simulate(0.01)}


def test_names_of_parts_and_of_options_are_listed(names):
    model = names["model"]
    assert {"rev", "body", "simulate"} <= set(dir(model))
    assert {"frame_a", "phi", "n", "cylinderDiameter", "color"} <= set(dir(model.rev))
    assert "boxWidth" not in dir(model.rev)


def test_variables_are_keys(names):
    keys = names["result"]._ipython_key_completions_()
    assert "rev.phi" in keys and "body.frame_a.r_0" in keys
    assert all(names["result"][key] is not None for key in keys[:3])


@pytest.fixture(scope="module")
def complete(names):
    """What a shell offers after some typed text."""
    interactive = pytest.importorskip("IPython.core.interactiveshell")
    completer = pytest.importorskip("IPython.core.completer")
    config = pytest.importorskip("traitlets.config").Config()
    config.HistoryManager.enabled = False
    shell = interactive.InteractiveShell(user_ns=dict(names), config=config)

    def found(typed):
        with completer.provisionalcompleter():
            return [one.text for one in shell.Completer.completions(typed, len(typed))]

    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("model.re", "rev"),
        ("model.rev.cyl", "cylinderDiameter"),
        ("model.rev.fra", "frame_a"),
        ('result["rev.ph', "rev.phi"),
    ],
)
def test_a_shell_completes_names(complete, typed, meant):
    found = complete(typed)
    assert any(meant in one for one in found), found
