"""What the tests share: pictures, and a folder with the files that examples name."""

import os

import numpy
import pytest

import glproc

#: The command line of the same build, whose results are the ones to have.
PROGRAM = os.environ["GLPROC_PROGRAM"]

#: Of operations that take one image; test_stack.py has those that take several.
DESCRIPTIONS = {operation["name"]: operation for operation in glproc._glproc.describe() if not operation["joins"]}
PICTURES = [name for name, operation in DESCRIPTIONS.items() if operation["product"] == "image"]


def picture(shape, dtype="uint8", seed=1):
    """Noise on a gradient, so that nothing is flat and nothing symmetric."""
    random = numpy.random.default_rng(seed)
    values = 0.5 * random.random(shape)
    values += 0.5 * numpy.linspace(0, 1, values.size).reshape(shape)
    if dtype == "float32":
        return values.astype(numpy.float32)
    return (values * numpy.iinfo(dtype).max).astype(dtype)


def arguments_of(name):
    """Those of the operation's own example."""
    from glproc._fields import example_of

    return example_of(DESCRIPTIONS[name])


def function(name):
    return getattr(glproc, name)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with a picture and a table to go with those of the tests."""
    monkeypatch.chdir(tmp_path)
    glproc.write("other.png", picture((23, 37, 3), seed=2))
    glproc.write("logo.png", picture((7, 11, 4), seed=3))
    (tmp_path / "look.cube").write_text("LUT_1D_SIZE 3\n0 0 0\n0.4 0.5 0.7\n1 1 0.9\n")
    return tmp_path
