"""Every operation gives the same bits as the command line. No operation is named here."""

import json
import math
import subprocess

import numpy
import pytest
from conftest import DESCRIPTIONS, PICTURES, PROGRAM, arguments_of, function, picture

import glproc
from glproc._fields import default_of, fields_of, parameter_name

#: Channels, type, and the ending of files that hold them.
FORMS = [((23, 37, 4), "uint8", "png"), ((23, 37), "uint16", "png"), ((23, 37, 3), "float32", "pfm")]


def run_program(name, input_name, output_name):
    """The operation's example on other files; what it printed, or what is wrong as an exception would say it."""
    words = DESCRIPTIONS[name]["example"].split()
    if output_name is None and words[1].endswith(".json"):
        output_name = "-"  # a report that goes to OUT is JSON on stdout
    files = 1 if output_name is None else 2
    command = [PROGRAM, name, input_name, output_name or "--json", *words[files:]]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode == 0:
        return result.stdout, None
    return None, result.stderr.split("error: ", 1)[1].splitlines()[0]


def same(ours, theirs):
    """JSON has six digits behind the point, and no NaN."""
    if isinstance(ours, dict):
        if "input" not in theirs:  # as in a file
            ours = {key: value for key, value in ours.items() if key != "input"}
        return list(ours) == list(theirs) and all(same(ours[key], theirs[key]) for key in ours if key not in ("input", "with"))
    if isinstance(ours, list):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    if isinstance(ours, float):
        return theirs is None if not math.isfinite(ours) else math.isclose(ours, theirs, rel_tol=1e-6, abs_tol=1e-6)
    return ours == theirs


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form[1])
@pytest.mark.parametrize("name", [name for name, op in DESCRIPTIONS.items() if op["input"] == "image"])
def test_same_as_the_command_line(folder, name, form):
    shape, dtype, ending = form
    image = picture(shape, dtype)
    product = DESCRIPTIONS[name]["product"]
    joined = DESCRIPTIONS[name]["example"].count(".png") > (2 if product == "image" else 1)
    ending = "tif" if joined and ending == "pfm" else ending  # whose floats are numbers, as those of arrays are: no PNG is brought to light
    glproc.write(f"in.{ending}", image)
    given = arguments_of(name)
    if ending == "pfm" and "floats" in (field["name"] for field in fields_of(DESCRIPTIONS[name])):
        given["floats"] = "linear"  # which a PFM says of itself
    out = {"image": f"out.{ending}", "array": "out.npy", "report": None}[product]
    printed, wrong = run_program(name, f"in.{ending}", out)
    if wrong is not None and "cannot hold float values" in wrong:
        out = "out.tif"
        printed, wrong = run_program(name, f"in.{ending}", out)
    if wrong is not None:
        with pytest.raises((glproc.Error, TypeError)) as raised:
            function(name)(image, **given)
        assert isinstance(raised.value, TypeError) or str(raised.value).startswith(wrong.replace("in." + ending, "array"))
        return
    result = function(name)(image, **given)
    if product == "report":
        assert same(result, json.loads(printed))
        return
    expected = glproc.read(out) if product == "image" else numpy.load(out)
    if expected.dtype == "float32" and result.dtype == "uint8":  # the format of a file of floats has no others
        expected = numpy.rint(expected * 255).astype("uint8")
    numpy.testing.assert_array_equal(result.reshape(expected.shape), expected, strict=True)
    on_gpu = function(name)(glproc.Image(image), **given)
    numpy.testing.assert_array_equal(numpy.asarray(on_gpu), result, strict=True)


@pytest.mark.parametrize("dtype", ["uint32", "int32", "float32"])
@pytest.mark.parametrize("name", [name for name, op in DESCRIPTIONS.items() if op["input"] == "vector"])
def test_same_on_vectors(folder, name, dtype):
    values = numpy.arange(1000, dtype=dtype)[::-1]
    numpy.save("in.npy", values)
    run_program(name, "in.npy", "out.npy")
    numpy.testing.assert_array_equal(function(name)(values, **arguments_of(name)), numpy.load("out.npy"), strict=True)
    assert function(name)(values[:0], **arguments_of(name)).shape == (0,)


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_defaults_are_what_happens_without_them(folder, name):
    operation = DESCRIPTIONS[name]
    image = numpy.arange(50, dtype="uint32") if operation["input"] == "vector" else picture((23, 37, 3))
    arguments = arguments_of(name)
    expected = function(name)(image, **arguments)
    for field in fields_of(operation):
        given = {parameter_name(field): default_of(field), **arguments}
        result = function(name)(image, **given)
        if operation["product"] == "report":
            assert repr(result) == repr(expected), field["name"]  # NaN is not NaN
        else:
            numpy.testing.assert_array_equal(result, expected, err_msg=field["name"])


@pytest.mark.parametrize("name", PICTURES)
def test_choices_by_their_names(folder, name):
    """Every choice of every field is understood, or refused in plain words that name parameters as Python does."""
    operation = DESCRIPTIONS[name]
    for field in fields_of(operation):
        for choice, _ in field["choices"]:
            if field["name"] in ("method", "variant") and choice != "auto":
                continue
            try:
                result = function(name)(picture((9, 8, 4)), **{**arguments_of(name), parameter_name(field): choice})
                assert result.ndim in (2, 3)
            except glproc.Error as error:
                assert "--" not in str(error)


@pytest.mark.parametrize("name", PICTURES)
def test_tiles_are_heard_of_by_nobody(folder, name):
    """In little memory the same bits come back, in an array of any strides."""
    image = picture((300, 400, 3))
    expected = function(name)(image, **arguments_of(name))
    with glproc.context(memory=1 << 20):
        try:
            result = function(name)(image, **arguments_of(name))
        except glproc.OperationError as error:  # not even the smallest tile fits
            assert "memory" in str(error)
            return
        numpy.testing.assert_array_equal(result, expected, strict=True)
        if result.shape == image.shape and result.dtype == image.dtype:
            function(name)(image, **arguments_of(name), out=image)
            numpy.testing.assert_array_equal(image, expected, strict=True)
