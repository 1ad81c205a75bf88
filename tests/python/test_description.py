"""What people and tools are told of the package."""

import ast
import inspect
import pydoc
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import DESCRIPTIONS, function

import glproc
from glproc._fields import default_of, fields_of, is_switch, parameter_name


def test_import_is_alone():
    text = "import sys, glproc; print('numpy' in sys.modules, 'dask' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", text], text=True).split() == ["False", "False"]


def test_version_is_that_of_the_program():
    project = (Path(__file__).parents[2] / "CMakeLists.txt").read_text()
    assert f"project(glproc VERSION {glproc.__version__} " in project


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_signature_and_docstring(name):
    operation = DESCRIPTIONS[name]
    call = function(name)
    signature = inspect.signature(call)
    first, *parameters = signature.parameters.values()
    assert first.kind is inspect.Parameter.POSITIONAL_ONLY
    fields = {parameter_name(field): field for field in fields_of(operation)}
    products = [made["product"] for made in (operation, *operation["others"])]
    more = {"product"} if len(products) > 1 else set()
    assert {parameter.name for parameter in parameters} - {"out"} == set(fields) | more
    assert ("out" in signature.parameters) == ("image" in products)
    text = " ".join(inspect.getdoc(call).split())
    assert (call.__name__, call.__module__) == (name, "glproc")
    assert not re.search("--[a-z]", text.replace(f"`glproc {name} --json`", ""))
    for parameter in parameters:
        if parameter.name in {"out", *more}:
            continue
        field = fields[parameter.name]
        assert parameter.name.isidentifier()
        assert (parameter.default is inspect.Parameter.empty) == field["required"]
        if not field["required"]:
            assert parameter.default == default_of(field)
        begin = text.index(f" {parameter.name} : ")
        line = text[begin:]
        head = line[: line.index(field["help"][1:].split("--")[0].split(";")[0].strip())]
        if not (is_switch(field) or field["choices"] or field["reads_picture"]):
            assert " ".join(field["range"].split()) in head
        assert (f"in {field['unit']}" in head) == bool(field["unit"])
        assert ("optional" in head or f"default {parameter.default!r}" in head) == (not field["required"])
        assert all(f"'{choice}'" in head for choice, _ in field["choices"])
    assert f"glproc.{name}(" in text
    for alias in operation["aliases"]:
        assert getattr(glproc, alias) is call


def test_help_is_readable():
    for name in DESCRIPTIONS:
        text = pydoc.render_doc(function(name), renderer=pydoc.plaintext)
        below = text.index(inspect.getdoc(function(name)).splitlines()[0])  # pydoc lays the signature out: in one line before Python 3.13
        assert max(map(len, text[below:].splitlines())) <= 130
    text = pydoc.render_doc(glproc.Image, renderer=pydoc.plaintext)
    assert re.search(r"blur\([\s|]*self,[\s|]*sigma", text)  # in lines of their own from Python 3.13 on


def stub():
    return ast.parse((Path(glproc.__file__).parent / "__init__.pyi").read_text(encoding="utf-8"))


def names_in(arguments):
    """Of parameters, and the texts of their defaults."""
    positional = arguments.posonlyargs + arguments.args
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults + arguments.kw_defaults
    pairs = zip(positional + arguments.kwonlyargs, defaults)
    return {argument.arg: None if default is None else ast.literal_eval(default) for argument, default in pairs}


def expected_in(call):
    empty = inspect.Parameter.empty
    parameters = inspect.signature(call).parameters.values()
    return {parameter.name: None if parameter.default is empty else parameter.default for parameter in parameters}


def test_stub_agrees():
    functions = [node for node in stub().body if isinstance(node, ast.FunctionDef)]
    found = {}
    for node in functions:  # those that are overloaded together have all parameters
        known = found.setdefault(node.name, {})
        known.update({name: known.get(name) if default is None else default for name, default in names_in(node.args).items()})
    for name, operation in DESCRIPTIONS.items():
        for each in (name, *operation["aliases"]):
            assert found[each] | {"values": None, "image": None} == expected_in(function(each)) | {"values": None, "image": None}
    for name in ("read", "write", "device"):
        assert found[name] == expected_in(getattr(glproc, name))
    assert set(found) == set(glproc.operations) | {a for o in DESCRIPTIONS.values() for a in o["aliases"]} | {
        "read", "write", "device",
    }  # fmt: skip


def test_stub_of_classes_agrees():
    for node in stub().body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            ours = getattr(glproc, node.name)
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and not method.decorator_list:
                    expected = expected_in(getattr(ours, method.name))
                    expected.pop("_", None)
                    assert names_in(method.args) == expected, (node.name, method.name)
