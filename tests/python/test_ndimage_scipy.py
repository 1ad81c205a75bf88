"""glproc.ndimage where a program had SciPy: in its place, with its numbers, its old names and its warnings."""

import importlib
import inspect
import subprocess
import sys
import unittest.mock
import warnings

import numpy
import pytest
import scipy_calls
from scipy_calls import same

from glproc import _ndimage_scipy, _ndimage_versions, ndimage

scipy_ndimage = pytest.importorskip("scipy.ndimage")

SMALL = numpy.random.default_rng(1).random((20, 21))
LARGE = numpy.random.default_rng(2).random((90, 80))


@pytest.fixture(autouse=True)
def settings(monkeypatch):
    """As they are without any; warnings come again."""
    monkeypatch.setattr(ndimage, "fallback", "scipy")
    monkeypatch.setattr(ndimage, "precision", "double")
    monkeypatch.setattr(ndimage, "_warned", set())


@pytest.mark.filterwarnings("ignore::glproc.ndimage.FallbackWarning")
def test_in_scipys_place():
    """Small arrays, large ones and what glproc leaves to SciPy: glproc calls SciPy's own functions, not itself."""
    calls = [
        ("gaussian_filter", {"sigma": 1}), ("generic_filter", {"function": numpy.mean, "size": 3}),
        ("grey_erosion", {"structure": numpy.arange(9.0).reshape(3, 3)}), ("median_filter", {"size": 3}), ("label", {}),
    ]  # fmt: skip
    expected = [getattr(scipy_ndimage, name)(array, **named) for name, named in calls for array in (SMALL, LARGE)]
    names = {name: getattr(ndimage, name) for name in ndimage.coverage() if hasattr(scipy_ndimage, name)}
    with unittest.mock.patch.multiple(scipy_ndimage, **names):
        assert scipy_ndimage.sobel is ndimage.sobel
        made = [getattr(scipy_ndimage, name)(array, **named) for name, named in calls for array in (SMALL, LARGE)]
    assert all(map(same, made, expected))


@pytest.mark.parametrize("first", ["import scipy.ndimage, glproc.ndimage", "import scipy, glproc.ndimage"])
def test_as_the_module_itself(first):
    code = f"""{first}
import sys, warnings, numpy
warnings.simplefilter("ignore")
sys.modules["scipy.ndimage"] = scipy.ndimage = glproc.ndimage
from scipy import ndimage
small, large = numpy.arange(400.0).reshape(20, 20), numpy.arange(40000.0).reshape(200, 200)
assert ndimage.gaussian_filter(small, 1).shape == (20, 20)
assert ndimage.generic_filter(small, numpy.mean, 3)[10, 10] == small[10, 10]
assert ndimage.grey_erosion(large, structure=numpy.arange(9.0).reshape(3, 3)).shape == (200, 200)
assert ndimage is sys.modules["scipy.ndimage"] is scipy.ndimage is glproc.ndimage
assert ndimage.gaussian_filter(small, 1).shape == (20, 20)
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)


def test_small_arrays_are_scipys(monkeypatch):
    monkeypatch.setitem(_ndimage_scipy.keep(), "sobel", lambda *arguments, **named: (arguments, named))
    assert ndimage.sobel(SMALL, 0, mode="wrap") == ((SMALL, 0), {"mode": "wrap"})
    assert same(ndimage.sobel(numpy.zeros((200, 200))), numpy.zeros((200, 200)))
    monkeypatch.setattr(ndimage, "fallback", "error")
    assert ndimage.sobel(SMALL).shape == SMALL.shape


def test_small_arrays_are_glprocs_where_scipy_fails():
    """SciPy overwrites values that it still needs, reads beyond the array, or ends the process."""
    for name, named in [("shift", {"shift": 2.5}), ("affine_transform", {"matrix": numpy.eye(2)[::-1]}), ("zoom", {"zoom": 1})]:
        for order in (0, 1):
            array, other = SMALL[:20, :20].copy(), SMALL[:20, :20].copy()
            expected = getattr(scipy_ndimage, name)(array, **named, order=order)
            getattr(ndimage, name)(array, **named, order=order, output=array)
            getattr(ndimage, name)(input=other, **named, order=order, output=other)
            assert same(array, expected) and same(other, expected), (name, order)
    for mode in ("wrap", "mirror", "reflect", "grid-wrap"):
        for far in (numpy.nan, numpy.inf, -numpy.inf, 1e300):
            assert ndimage.shift(SMALL, far, mode=mode).shape == SMALL.shape
            ndimage.shift(SMALL, (far, 0), mode=mode, order=0)
    for name in ("binary_erosion", "binary_dilation", "binary_opening"):
        with pytest.raises(ValueError, match="origin"):
            getattr(ndimage, name)(SMALL > 0.5, origin=5)
        with pytest.raises(ValueError, match="origin"):
            getattr(ndimage, name)(SMALL > 0.5, None, 20, origin=(0, -7))
    wide = numpy.ones((9, 3), bool)
    for _ in range(200):
        assert ndimage.binary_dilation(SMALL[:5] > 0.5, wide, 2).all()
    assert list(ndimage.value_indices(numpy.array([3, 2**64 - 1, 3], "u8"))) == [3, 2**64 - 1]
    line, used = SMALL.ravel(), numpy.array([1, 0, 1, 0, 1], bool)
    for named in ({"footprint": used}, {"size": 5, "output": numpy.float32}, {"size": 999}):
        column = {name: numpy.array(value)[:, None] if name == "footprint" else value for name, value in named.items()}
        column = {name: (value, 1) if name == "size" else value for name, value in column.items()}
        assert same(ndimage.median_filter(line, **named), scipy_ndimage.median_filter(line[:, None], **column)[:, 0]), named
    for highest in (255, 254, 253):
        labels = numpy.full(SMALL.shape, highest, "u1")
        assert ndimage.maximum_position(SMALL, labels, [highest]) == [numpy.unravel_index(SMALL.argmax(), SMALL.shape)]


def test_measures_of_everything_are_numpys(monkeypatch):
    monkeypatch.setitem(_ndimage_scipy.keep(), "sum", lambda *arguments, **named: "SciPy's")
    assert ndimage.sum(LARGE) == ndimage.sum(LARGE, None) == ndimage.sum(LARGE, labels=None) == "SciPy's"
    assert ndimage.sum(LARGE, labels=LARGE > 0.5) != "SciPy's"


#: Numbers that are not Python's.
KINDS = ["float16", "float32", "float64", "longdouble", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "bool"]
CALLS = [
    *(("gaussian_filter1d", "sigma", value, {"order": order}) for order in (0, 1, 2, 3) for value in (0.6, 1.3, 2)),
    *((name, "sigma", value, {}) for name in ("gaussian_filter", "gaussian_laplace", "gaussian_gradient_magnitude") for value in (1.3, 2)),
    ("gaussian_filter", "truncate", 2.3, {"sigma": 1.7}), ("gaussian_filter", "cval", 2.3, {"sigma": 2, "mode": "constant"}),
    *(("rotate", "angle", angle, {"order": 1, "reshape": reshape}) for angle in (31.1, 3, 90, 100) for reshape in (True, False)),
    *((name, name, 2.3, {"order": order}) for name in ("shift", "zoom") for order in (0, 1, 3)),
    ("affine_transform", "offset", 2.3, {"matrix": numpy.eye(2) * 0.9}), ("uniform_filter", "size", 3, {}),
    ("percentile_filter", "percentile", 33.3, {"size": 3}), ("rank_filter", "rank", 3, {"size": 3}),
    ("median_filter", "size", 3, {}), ("maximum_filter", "size", 3, {}), ("grey_opening", "size", 3, {}),
    ("fourier_gaussian", "sigma", 2.3, {}), ("fourier_shift", "shift", 2.3, {}), ("fourier_uniform", "size", 2.3, {}),
    ("fourier_ellipsoid", "size", 2.3, {}), ("distance_transform_edt", "sampling", 2.3, {}),
    ("histogram", "max", 99.5, {"min": 0, "bins": 10}), ("binary_erosion", "iterations", 2, {}),
]  # fmt: skip


@pytest.mark.parametrize("dtype", ["float64", "float32", "uint8"])
def test_numbers_of_any_type(monkeypatch, dtype):
    """SciPy squares sigma and takes the angle's cosine in their own types. Also of a number for each axis, in a list and an array."""
    monkeypatch.setattr(ndimage, "fallback", "error")
    array = (LARGE * 200).astype(dtype)
    compared = 0
    for name, parameter, value, named in CALLS:
        for kind in KINDS:
            number = numpy.dtype(kind).type(value)
            for given in (number, [number, number], numpy.array([number, number])):
                given = {parameter: given, **named}
                theirs = scipy_calls.result_of(getattr(scipy_ndimage, name), array, given)
                if isinstance(theirs, Exception):
                    continue  # glproc may take more
                assert same(scipy_calls.result_of(getattr(ndimage, name), array, given), theirs), (name, kind, given)
                compared += 1
    assert compared > 900


@pytest.mark.parametrize("mode", ["reflect", "constant"])
def test_ranks_of_whole_numbers_along_one_axis(monkeypatch, mode):
    """To SciPy they are doubles, and since 1.15 whole numbers, which loses no digits but the fraction of cval."""
    monkeypatch.setattr(ndimage, "fallback", "error")
    random = numpy.random.default_rng(3)
    for dtype in ("int64", ">i8", "uint32", "int16", "uint8", "bool"):
        line = scipy_calls.array_of(numpy.random.default_rng(3), dtype.replace(">i8", "int64"), 6000).astype(dtype)
        for cval in (2.75, -2.75):
            for output in (None, "float64", "int64") if dtype != "int64" else (None,):
                named = {"size": 5, "mode": mode, "cval": cval, "output": output}
                ours, theirs = (module.median_filter(line, **named) for module in (ndimage, scipy_ndimage))
                assert same(ours, theirs), (dtype, named)


@pytest.mark.parametrize("name, narrow, named", [
    ("convolve1d", "origin", {"weights": numpy.arange(400.0)}), ("correlate1d", "origin", {"weights": numpy.arange(601.0)}),
    ("convolve", "origin", {"weights": numpy.ones((4, 3))}), ("correlate", "origin", {"weights": numpy.ones((3, 4))}),
    ("uniform_filter1d", "origin", {"size": 601}), ("uniform_filter1d", "size", {}), ("maximum_filter", "size", {"origin": -1}),
    ("median_filter", "size", {}), ("grey_opening", "size", {}), ("grey_dilation", "origin", {"size": 5}), ("white_tophat", "size", {}),
    ("gaussian_filter1d", "radius", {"sigma": 1}), ("gaussian_filter", "order", {"sigma": 1}), ("zoom", "order", {"zoom": 1.2}),
    ("binary_dilation", "iterations", {}), ("binary_opening", "origin", {"structure": numpy.ones((5, 5))}), ("rank_filter", "rank", {"size": 3}),
    ("spline_filter", "order", {}), ("fourier_gaussian", "axis", {"sigma": 2}), ("sobel", "axis", {}),
])  # fmt: skip
def test_whole_numbers_of_few_bits(monkeypatch, name, narrow, named):
    """NumPy 2 keeps their type when Python's numbers are added, and they overflow."""
    monkeypatch.setattr(ndimage, "fallback", "error")
    array = LARGE > 0.5 if name.startswith("binary") else LARGE
    number = {"size": 3, "rank": 3, "radius": 5, "iterations": 2, "order": 3}.get(narrow, 1)
    for kind in (numpy.uint8, numpy.int8, numpy.uint64):
        assert same(getattr(ndimage, name)(array, **named, **{narrow: kind(number)}), getattr(ndimage, name)(array, **named, **{narrow: number}))


def test_version_of_scipy():
    """Known before SciPy is imported."""
    code = "import sys; from glproc import _ndimage_versions; print(_ndimage_versions.scipys(), 'scipy' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == f"{_ndimage_versions.scipys()} False\n"


def test_weights_that_are_no_numbers(monkeypatch):
    """To SciPy a NaN is no difference, so that such weights are symmetric."""
    monkeypatch.setattr(ndimage, "fallback", "error")
    nan, inf = numpy.nan, numpy.inf
    for weights in ([1, 1, nan], [nan, 1, 2], [inf, 1, -inf], [inf, 1, inf], [1, nan, 2], [nan, 2, 3, 4, nan]):
        for name in ("correlate1d", "convolve1d"):
            ours, theirs = (getattr(module, name)(LARGE, weights) for module in (ndimage, scipy_ndimage))
            assert same(ours, theirs), weights


def test_weights_of_no_elements():
    for shape in ((0, 3, 3), (3, 0, 3), (3, 3, 0)):
        with pytest.warns(ndimage.FallbackWarning, match="of no elements"):
            ours = ndimage.convolve(LARGE, numpy.ones(shape))
        assert same(ours, scipy_ndimage.convolve(LARGE, numpy.ones(shape)))
        ndimage._warned.clear()
    with pytest.raises(RuntimeError, match="incorrect shape"):
        ndimage.convolve(LARGE, numpy.ones((0, 3)))


def test_a_warning_names_the_line_that_called():
    calls = [
        lambda: ndimage.watershed_ift(numpy.zeros((9, 9), "u1"), numpy.eye(9, dtype="i2")),
        lambda: ndimage.generic_filter(LARGE, numpy.max, 2),
        lambda: ndimage.grey_erosion(LARGE, structure=numpy.ones((3, 3))),
        lambda: ndimage.minimum_filter(LARGE, 3, numpy.ones((3, 3))),
        lambda: ndimage.median_filter(LARGE, 3, numpy.ones((3, 3))),
        lambda: ndimage.grey_opening(LARGE, 3, numpy.ones((3, 3))),
        lambda: ndimage.white_tophat(LARGE, 3, numpy.ones((3, 3))),
        lambda: ndimage.affine_transform(LARGE, [1, 2]),
        lambda: ndimage.zoom(LARGE, 2, mode="wrap", grid_mode=True),
        lambda: ndimage.sobel(LARGE * 1j, output=float),
        lambda: ndimage.morphology.binary_erosion,
    ]
    for call in calls:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            call()
        assert [(one.filename, one.lineno) for one in caught] == [(__file__, call.__code__.co_firstlineno)] * len(caught) != []


def test_parameters_that_this_scipy_lacks(monkeypatch):
    """None says nothing; anything else is not SciPy's to do."""

    def older(input, size):
        return "older"

    monkeypatch.setitem(_ndimage_scipy.keep(), "maximum_filter", older)
    array = numpy.where(LARGE > 0.9, numpy.nan, LARGE)
    with pytest.warns(ndimage.FallbackWarning, match="no number"):
        assert ndimage.maximum_filter(array, 3, axes=None) == "older"
    with pytest.raises(NotImplementedError, match="no number"):
        ndimage.maximum_filter(array, 3, axes=(0,))


def test_old_namespaces():
    from glproc.ndimage import interpolation

    for name in ("filters", "fourier", "interpolation", "measurements", "morphology"):
        theirs = getattr(scipy_ndimage, name, None)
        ours = importlib.import_module(f"glproc.ndimage.{name}")
        assert ours is getattr(ndimage, name) and name in ndimage.__all__ and dir(ours) == ours.__all__
        for function in getattr(theirs, "__all__", ()):
            if function in ndimage.coverage():
                with pytest.warns(DeprecationWarning, match=rf"use glproc\.ndimage\.{function}\(\)"):
                    assert getattr(ours, function) is getattr(ndimage, function)
        with pytest.raises(AttributeError, match=f"glproc.ndimage.{name}.*'nonsense'"):
            ours.nonsense
    assert interpolation is ndimage.interpolation


def test_signatures_of_what_scipy_does():
    for name, place in ndimage.coverage().items():
        if place == "SciPy" and hasattr(scipy_ndimage, name):
            ours, theirs = (inspect.signature(getattr(module, name)).parameters for module in (ndimage, scipy_ndimage))
            assert [(p.name, p.default) for p in ours.values() if p.name != "axes"] == [(p.name, p.default) for p in theirs.values() if p.name != "axes"]


def test_a_pattern_goes_where_it_is_told_to():
    mask = LARGE > 0.4
    for function in (ndimage.binary_hit_or_miss, scipy_ndimage.binary_hit_or_miss):
        out = numpy.zeros(mask.shape, bool)
        assert function(mask, output=out) is None
        assert same(out, scipy_ndimage.binary_hit_or_miss(mask))


@pytest.mark.parametrize("name, size", [("uniform_filter", 2**62), ("maximum_filter1d", 2**61), ("grey_dilation", numpy.int64(2**62)),
                                        ("uniform_filter1d", 2**61), ("white_tophat", (2**62, 3))])  # fmt: skip
def test_sizes_whose_bytes_cannot_be_counted(name, size):
    with pytest.raises((MemoryError, ValueError, OverflowError)):  # SciPy 1.10 reads and writes beyond its arrays
        getattr(ndimage, name)(numpy.ones((5, 5)), size)
