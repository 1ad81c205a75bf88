"""The docstrings of glproc.ndimage: complete, and their examples give SciPy's bits."""

import ast
import inspect
import pydoc
import re
import warnings
from pathlib import Path

import numpy
import pytest
from scipy_calls import same

from glproc import _ndimage_text, ndimage

NAMES = sorted(ndimage.coverage())
HEADINGS = ["Parameters", "Returns", "Raises", "See Also", "Notes", "Examples"]


@pytest.fixture(autouse=True)
def settings(monkeypatch):
    """glproc itself, however small an array is; SciPy only where there is nothing of glproc's."""
    monkeypatch.setattr(ndimage, "precision", "double")
    monkeypatch.setattr(ndimage, "_left_to_scipy", lambda *_: None)


def sections_of(name):
    """The text above the first heading, and of each heading."""
    pieces = re.split(r"^(\w[\w ]*)\n-+\n", inspect.getdoc(getattr(ndimage, name)), flags=re.M)
    return {"": pieces[0].strip(), **dict(zip(pieces[1::2], (piece.strip("\n") for piece in pieces[2::2])))}


def entries_of(section):
    """Heads and texts, by their indent."""
    found = {}
    for line in section.splitlines():
        if line.startswith(" "):
            found[head].append(line.strip())
        else:
            head = line
            found[head] = []
    return found


def parameters_of():
    """Those that ndimage.pyi has, by function: SciPy's own have them, too."""
    found = {}
    for node in ast.parse((Path(ndimage.__file__).parent / "ndimage.pyi").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            named = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            names = [argument.arg for argument in named] + ([f"**{node.args.kwarg.arg}"] if node.args.kwarg else [])
            found.setdefault(node.name, set()).update(names)
    return found


def test_every_parameter_is_told():
    parameters = parameters_of()
    for name in NAMES:
        entries = entries_of(sections_of(name)["Parameters"])
        assert {head.split(" : ")[0] for head in entries} == parameters[name], name
        for head, text in entries.items():
            assert re.fullmatch(r"(\*\*)?\w+ : \S.*", head) and text and text[-1][-1] in ".`|dcbe", (name, head)
        for parameter in inspect.signature(getattr(ndimage, name)).parameters.values():
            if parameter.default not in (parameter.empty, None, numpy.float64):
                assert any(head.startswith(f"{parameter.name} : ") and head.endswith(f"default {parameter.default!r}") for head in entries)


@pytest.mark.parametrize("name", NAMES)
def test_sections(name):
    sections = sections_of(name)
    assert [heading for heading in sections if heading] == [one for one in HEADINGS if one != "Raises" or "Raises" in sections]
    summary = sections[""].split("\n\n")[0]
    assert re.fullmatch(r"[A-Z][^\n]*\.", summary)
    assert sections["See Also"].startswith(f"scipy.ndimage.{name} : ")
    text = pydoc.render_doc(getattr(ndimage, name), renderer=pydoc.plaintext)
    assert max(map(len, text.splitlines()[3:])) <= 130


def code_of(name):
    """The lines of the example, and what it shows."""
    lines = sections_of(name)["Examples"].splitlines()
    code = [line.removeprefix(">>> ") for line in lines if line.startswith(">>> ")]
    return code, "\n".join(lines[len(code) :])


@pytest.mark.parametrize("name", NAMES)
def test_example(name, monkeypatch):
    scipy_ndimage = pytest.importorskip("scipy.ndimage")
    code, shown = code_of(name)
    monkeypatch.setattr(ndimage, "fallback", "error" if ndimage.coverage()[name] == "glproc" else "scipy")
    names = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec("\n".join(code[:-1]), names)
        if not hasattr(scipy_ndimage, name):  # of a later SciPy
            with pytest.raises(NotImplementedError):
                eval(code[-1], names)
            return
        ours = eval(code[-1], names)
        theirs = eval(code[-1], {**names, "ndimage": scipy_ndimage})
    assert repr(ours) == shown
    assert same(ours, theirs)


#: A value of each parameter that is wrong for every function, and what else has to be given then.
LARGE = numpy.zeros((3, 3, 3, 3))
WRONG = {
    "input": numpy.ones(5, complex), "mode": "nothing", "axis": 9, "axes": (0, 9), "origin": 9, "output": numpy.zeros((1, 7)),
    "weights": LARGE, "order": -1, "radius": -1, "size": [1] * 9, "sigma": [1] * 9, "shift": [1] * 9, "zoom": [1] * 9,
    "sampling": [1] * 9, "footprint": LARGE + 1, "structure": LARGE, "structure1": LARGE, "rank": 99, "percentile": 101,
    "iterations": 1.5, "mask": LARGE, "coordinates": numpy.zeros((9, 2)), "matrix": numpy.ones((9, 9)), "index": [1],
    "arr": numpy.ones(3), "metric": "nothing", "return_distances": False, "distances": LARGE, "indices": LARGE,
}  # fmt: skip
WITH = {
    "size": {"footprint": None}, "index": {"labels": None}, "indices": {"return_indices": True}, "footprint": {"size": None},
    "structure": {"size": None}, ("affine_transform", "output"): {"output_shape": (2, 2)},
}  # fmt: skip


def raised_by(name):
    """The names of exceptions and parameters."""
    signature = inspect.signature(getattr(ndimage, name))
    for error, texts in entries_of(sections_of(name).get("Raises", "")).items():
        for text in texts:
            words = re.findall(r"`(\w+)`", text) + re.findall(r"\w+", text) + ["return_distances"]
            yield error, next(word for word in words if word in signature.parameters)


@pytest.mark.parametrize("name", [name for name in NAMES if ndimage.coverage()[name] == "glproc"])
def test_raises_what_it_says(name, monkeypatch):
    monkeypatch.setattr(ndimage, "fallback", "error")
    call = next(node for node in ast.walk(ast.parse(code_of(name)[0][-1])) if isinstance(node, ast.Call) and is_call_of(node, name))
    names = {"numpy": numpy, "ndimage": ndimage}
    arguments = [eval(ast.unparse(one), names) for one in call.args]
    named = {one.arg: eval(ast.unparse(one.value), names) for one in call.keywords}
    given = inspect.signature(getattr(ndimage, name)).bind(*arguments, **named).arguments
    for error, parameter in raised_by(name):
        wrong = WRONG[parameter]
        if parameter == "size" and (name.endswith("1d") or error == "ValueError"):
            wrong = 0 if name.endswith("1d") else None
        more = {**WITH.get(parameter, {}), **WITH.get((name, parameter), {})}
        more = {key: value for key, value in more.items() if key in inspect.signature(getattr(ndimage, name)).parameters}
        with warnings.catch_warnings(), pytest.raises(Exception) as caught:
            warnings.simplefilter("ignore")
            getattr(ndimage, name)(**{**given, **more, parameter: wrong})
        assert error in [kind.__name__ for kind in type(caught.value).__mro__], (name, parameter, caught.value)


def is_call_of(node, name):
    return isinstance(node.func, ast.Attribute) and node.func.attr == name
