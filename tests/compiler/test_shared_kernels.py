"""Kernels that are compiled once for all others, and machine code found by its source."""

import re

import numpy as np
import pytest

from motorik.compiler.cache import cache_directory
from motorik.compiler.kernels import (
    Float,
    Floats,
    Int,
    kernel,
    language,
    native,
    native_kernel,
    share,
    source_cache,
    translate,
)
from motorik.nonsmooth.application.driver_kernels import handle_event
from motorik.simulation.methods import METHODS


@kernel(inline=False)
def shared_square(n: Int, x: Floats) -> Float:
    """Return the sum of squares."""
    total = 0.0
    for i in range(n):
        total += x[i] * x[i]
    return total


@kernel(inline=False)
def shared_twice(n: Int, x: Floats) -> Float:
    """Return twice the sum of squares."""
    return 2.0 * shared_square(n, x)


share(shared_square, shared_twice)


@kernel
def first_user(n: Int, x: Floats) -> Float:
    """Return the sum of squares and one."""
    return shared_square(n, x) + 1.0


@kernel
def second_user(n: Int, x: Floats) -> Float:
    """Return twice the sum of squares less one."""
    return shared_twice(n, x) - 1.0


def test_shared_kernels_compute_what_they_do_as_python():
    x = np.arange(5.0)
    for user in (first_user, second_user):
        assert native(user)(5, x) == user(5, x)


def test_code_that_calls_a_shared_kernel_does_not_contain_it():
    text = translate(first_user)
    assert "declare double @shared.shared_square" in text
    assert text.count("define ") == 1
    home = translate(*shared_square.home)
    assert home.count("define ") == 2 and "declare" not in home


@pytest.mark.slow
def test_no_method_contains_the_code_that_changes_modes():
    for method in METHODS.values():
        text = translate(method.advance(False, True), method.sample)
        assert "@shared.handle(" in text
        assert "@solve_box_lcp" not in text
        smooth = translate(method.advance(False, False), method.sample)
        assert "@shared.handle(" not in smooth
    assert "@solve_box_lcp" in translate(*handle_event.home)


@pytest.mark.slow
def test_methods_share_the_code_of_their_error_norm_and_of_the_driver():
    for method in METHODS.values():
        text = translate(method.advance(True, False), method.sample)
        of_error = ("weigh", "error_norm") if method.adaptive else ()
        for name in ("is_safe", "unwrap_angles", *of_error):
            assert f"@shared.{name}(" in text
            assert not re.search(rf"^define .*@{name}\b", text, re.MULTILINE)


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("MOTORIK_CACHE_DIR", str(tmp_path))
    native_kernel.native_group.cache_clear()
    yield
    native_kernel.native_group.cache_clear()


@pytest.mark.slow
def test_kernels_of_the_package_are_not_translated_twice(empty_cache, monkeypatch):
    method = METHODS["rk4"]
    before = native_kernel.native_group(method.advance(False, False), method.sample)[
        0
    ].library.key
    assert any(cache_directory().iterdir())
    native_kernel.native_group.cache_clear()

    def refuse(*given):
        raise AssertionError("translated again")

    monkeypatch.setattr(native_kernel, "_translated", refuse)
    again = native_kernel.native_group(method.advance(False, False), method.sample)[
        0
    ].library.key
    assert again == before


@pytest.mark.slow
def test_what_a_note_names_may_be_gone(empty_cache):
    method = METHODS["rk4"]
    library = native_kernel.native_group(method.advance(False, False), method.sample)[
        0
    ].library
    key = library.key
    del library
    native_kernel.native_group.cache_clear()
    (cache_directory() / f"{key}.object").unlink()
    assert (
        native_kernel.native_group(method.advance(False, False), method.sample)[
            0
        ].library.key
        == key
    )


def test_sources_differ_by_what_is_around_kernels_and_by_their_text(monkeypatch):
    def keys(name: str, wide: bool = False) -> list[str]:
        method = METHODS[name]
        sources = method.advance(False, False), method.sample
        return [*source_cache.source_keys(sources, wide, {}, "host")]

    every = [key for name in METHODS for key in keys(name)]
    assert len(set(every)) == 2 * len(METHODS)  # by the stamp of the package, by the text
    by_stamp, by_text = keys("rk4")
    assert not {by_stamp, by_text} & {*keys("rk4", wide=True)}
    monkeypatch.setattr(source_cache, "source_digest", lambda modules: "another text")
    monkeypatch.setattr(source_cache, "package_stamp", lambda: "another time")
    assert not {by_stamp, by_text} & {*keys("rk4")}


@pytest.mark.slow
def test_a_note_is_found_by_the_text_where_another_module_has_changed(
    empty_cache, monkeypatch
):
    method = METHODS["rk4"]
    sources = method.advance(False, False), method.sample
    before = native_kernel.native_group(*sources)[0].library.key
    monkeypatch.setattr(source_cache, "package_stamp", lambda: "another time")
    monkeypatch.setattr(native_kernel, "_translated", None)  # is not called
    native_kernel.native_group.cache_clear()
    assert native_kernel.native_group(*sources)[0].library.key == before
    monkeypatch.setattr(source_cache, "source_digest", None)  # nor is the text read again
    native_kernel.native_group.cache_clear()
    assert native_kernel.native_group(*sources)[0].library.key == before


@pytest.fixture
def small_package(tmp_path, monkeypatch):
    """A package whose module `methods.steps` imports one, and this one in a function another."""
    texts = {
        "methods/__init__.py": "",
        "methods/steps.py": "from motorik.methods import slots\n",
        "methods/slots.py": (
            "def load():\n    from motorik.numbers import (\n        H,\n    )\n"
        ),
        "numbers.py": "H = 3\n",
        "unrelated.py": "",
        "compiler/kernels/statements.py": "",
    }
    for name, text in texts.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    monkeypatch.setattr(source_cache, "PACKAGE", tmp_path)
    monkeypatch.setattr(source_cache, "TRANSLATOR", tmp_path / "compiler" / "kernels")
    source_cache._file_of.cache_clear()
    yield tmp_path
    source_cache._file_of.cache_clear()


def digest_of(module: str) -> str | None:
    return source_cache.source_digest.__wrapped__(frozenset({module}))


@pytest.mark.parametrize(
    "file",
    [
        "methods/steps.py",
        "methods/slots.py",
        "numbers.py",
        "compiler/kernels/statements.py",
    ],
)
def test_the_digest_follows_all_that_a_kernel_may_depend_on(small_package, file):
    path = small_package / file
    before, text = digest_of("motorik.methods.steps"), path.read_text()
    assert before is not None
    path.write_text(text + "A = 1\n")
    assert digest_of("motorik.methods.steps") != before
    path.write_text(text)
    assert digest_of("motorik.methods.steps") == before


def test_the_digest_does_not_depend_on_other_modules(small_package):
    before = digest_of("motorik.methods.steps")
    (small_package / "unrelated.py").write_text("A = 1\n")
    assert digest_of("motorik.methods.steps") == before
    assert digest_of("motorik.methods.missing") is None


def test_kernels_outside_of_the_package_are_translated_each_time():
    assert not [*source_cache.source_keys((first_user,), False, {}, "host")]
    assert language.SHARED["shared.shared_square"] is shared_square
