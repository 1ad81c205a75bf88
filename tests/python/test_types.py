"""The types that the package tells of glproc.ndimage and glproc.dask, and a program that mypy --strict takes."""

import ast
import importlib.util
import inspect
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import glproc
from glproc import _ndimage_names, _ndimage_old, _stubs, _stubs_ndimage, ndimage

PACKAGE = Path(glproc.__file__).parent
PROGRAM = Path(__file__).parent / "typed_program.py"
ROOT = PROGRAM.parent.parent.parent


def functions_in(name):
    """Of a file of types: each function's parameters and defaults, those of overloads together."""
    found = {}
    for node in ast.parse((PACKAGE / name).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            arguments = node.args
            positional = [*arguments.posonlyargs, *arguments.args]
            defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults + arguments.kw_defaults
            known = found.setdefault(node.name, {})
            for argument, default in zip(positional + arguments.kwonlyargs, defaults):
                known[argument.arg] = known.get(argument.arg) if default is None else ast.literal_eval(default)
            if arguments.kwarg:
                known[arguments.kwarg.arg] = None
    return found


def parameters_of(function):
    empty = inspect.Parameter.empty
    return {p.name: None if p.default is empty else p.default for p in inspect.signature(function).parameters.values()}


def agree(stated, function):
    expected = parameters_of(function)
    assert list(stated) == list(expected)
    for name, default in expected.items():
        assert stated[name] == default or stated[name] is ... and isinstance(default, type), name


def test_ndimage():
    found = functions_in("ndimage.pyi")
    assert found.keys() == set(ndimage.__all__) - {"FallbackWarning", *_ndimage_old.NAMESPACES}
    for name in found.keys() - {"coverage", *_ndimage_names.SCIPYS}:
        agree(found[name], getattr(ndimage, name))


@pytest.mark.parametrize("name", _ndimage_names.SCIPYS)
def test_what_is_scipys(name):
    scipy_ndimage = pytest.importorskip("scipy.ndimage")
    if not hasattr(scipy_ndimage, name):
        return
    stated = functions_in("ndimage.pyi")[name]
    assert set(parameters_of(getattr(scipy_ndimage, name))) <= set(stated)


def test_dask():
    pytest.importorskip("dask.array")
    from glproc import dask as glproc_dask

    found = functions_in("dask/__init__.pyi")
    assert found.keys() == set(glproc_dask.__all__)
    for name in found.keys() - {"stats", "histogram"}:
        agree(found[name], getattr(glproc_dask, name))
    found = functions_in("dask/ndimage.pyi")
    assert found.keys() | {"generate_binary_structure", "iterate_structure"} == set(glproc_dask.ndimage.__all__)
    for name in found:
        agree(found[name], getattr(glproc_dask.ndimage, name))


def test_the_files_are_those_that_are_written(tmp_path, monkeypatch):
    (tmp_path / "dask").mkdir()
    monkeypatch.setattr(sys, "argv", ["", str(tmp_path)])
    _stubs.main()
    for name in ("__init__.pyi", "ndimage.pyi", "dask/__init__.pyi", "dask/ndimage.pyi"):
        assert (tmp_path / name).read_text() == (PACKAGE / name).read_text()
    assert (tmp_path / "ndimage.pyi").read_text() == _stubs_ndimage.text()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where mypy keeps what it knows of NumPy. Dask's own code takes it most of a minute."""
    folder = tmp_path_factory.mktemp("mypy")
    (folder / "mypy.ini").write_text("[mypy]\nstrict = True\n[mypy-dask.*]\nfollow_imports = skip\n")
    return folder


def mypy(file, folder):
    """The errors that it finds in a file, or the test is skipped."""
    command = [shutil.which("mypy")] if shutil.which("mypy") else [sys.executable, "-m", "mypy"]
    if len(command) > 1 and importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    options = ["--config-file", "mypy.ini", "--python-executable", sys.executable, "--cache-dir", "cache"]
    environment = {**os.environ, "MYPYPATH": str(PACKAGE.parent)}
    done = subprocess.run([*command, *options, str(file)], capture_output=True, text=True, env=environment, cwd=folder)
    # ArrayLike takes an Image as well, whose overload comes first.
    return [line for line in (done.stdout + done.stderr).splitlines() if ": error" in line and "Overloaded function" not in line]


def test_strict(folder):
    for module in ("numpy", "dask", "distributed"):
        pytest.importorskip(module)
    assert mypy(PROGRAM, folder) == []


WRONG = [
    ('ndimage.gaussian_filter(a, 2, mode="reflct")', "arg-type"), ("ndimage.gaussian_filtre(a, 2)", "attr-defined"),
    ("ndimage.median_filter(a, siz=3)", "call-arg"), ('ndimage.zoom(a, "2")', "arg-type"),
    ("labels: int = ndimage.label(a)", "assignment"), ("ndimage.correlate1d(a, [1], sigma=1)", "call-arg"),
]  # fmt: skip


def test_mistakes_are_found(folder):
    lines = ["import numpy", "from glproc import ndimage", "a = numpy.zeros((3, 4))", *(line for line, _ in WRONG)]
    (folder / "wrong.py").write_text("\n".join(lines) + "\n")
    words = mypy(folder / "wrong.py", folder)
    for i, (line, code) in enumerate(WRONG, 4):
        assert any(f"wrong.py:{i}: error" in word and code in word for word in words), (line, words)


def test_the_program_runs():
    for module in ("dask", "distributed"):
        pytest.importorskip(module)
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    subprocess.run([sys.executable, str(PROGRAM)], check=True, cwd=ROOT, env=environment)
