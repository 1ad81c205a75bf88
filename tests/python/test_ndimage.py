"""glproc.ndimage: SciPy's bits, and SciPy where glproc refuses."""

import inspect
import os
import subprocess
import sys
import warnings

import numpy
import pytest
import scipy_calls
from scipy_calls import MODES, TYPES, same

from glproc import _ndimage_old, _ndimage_scipy, _ndimage_support, ndimage

PADS = {"reflect": "symmetric", "mirror": "reflect", "nearest": "edge", "wrap": "wrap", "constant": "constant"}


@pytest.fixture(autouse=True)
def settings(monkeypatch):
    """As they are without any; warnings come again."""
    monkeypatch.setattr(ndimage, "fallback", "error")
    monkeypatch.setattr(ndimage, "precision", "double")
    monkeypatch.setattr(ndimage, "_warned", set())
    monkeypatch.setattr(_ndimage_support, "method", "cpu")  # tests/arrays/lines_test.cpp compares the GPU with it


def padded(array, before, after, axis, mode, cval):
    """The lines as doubles, with what lies beyond their ends."""
    array = numpy.moveaxis(array, axis, -1).astype(numpy.float64)
    named = {"constant_values": cval} if mode == "constant" else {}
    return numpy.pad(array, [(0, 0)] * (array.ndim - 1) + [(before, after)], PADS[mode], **named)


def naive(what, array, size, axis, mode, cval, origin, weights=None):
    """A filter by its definition, one result after another, each sum in SciPy's order."""
    before = size // 2 + origin
    lines = padded(array, before, size - 1 - before, axis, mode, cval)
    length = array.shape[axis]
    result = numpy.empty((*lines.shape[:-1], length))
    running = sum((lines[..., j] for j in range(size)), numpy.zeros(lines.shape[:-1]))
    for i in range(length):
        window = lines[..., i : i + size]
        if what == "mean":
            if i > 0:
                running = running + (lines[..., i + size - 1] - lines[..., i - 1])
            result[..., i] = running / size
        elif what == "sum":
            total = window[..., size - 1] * weights[size - 1]
            for j in range(size - 1):
                total = total + window[..., j] * weights[j]
            result[..., i] = total
        else:
            result[..., i] = window.min(-1) if what == "minimum" else window.max(-1)
    with numpy.errstate(all="ignore"):
        return numpy.moveaxis(result, -1, axis).astype(array.dtype)


def small(dtype, shape, seed=1):
    """Values whose sums their type holds: NumPy and C cast others differently."""
    random = numpy.random.default_rng(seed)
    return (random.random(shape) * 100 - (50 if dtype[0] in "fi" else 0)).astype(dtype)


@pytest.mark.parametrize("dtype", TYPES[:-1])
def test_lines_by_their_definition(dtype):
    weights = numpy.array([0.3, 0.2, 0.1, 0.25])
    array = small(dtype, (5, 7, 3))
    for i, mode in enumerate(PADS):
        axis = i % 3
        given = {"axis": axis, "mode": mode, "cval": 3.0}
        ours = ndimage.correlate1d(array, weights, origin=1, **given)
        assert same(ours, naive("sum", array, 4, axis, mode, 3.0, 1, weights)), mode
        ours = ndimage.uniform_filter1d(array, 5, origin=-1, **given)
        assert same(ours, naive("mean", array, 5, axis, mode, 3.0, -1)), mode
        for what in ("minimum", "maximum"):
            ours = getattr(ndimage, what + "_filter1d")(array, 4, **given)
            assert same(ours, naive(what, array, 4, axis, mode, 3.0, 0)), mode


def test_symmetric_weights_are_added_in_pairs():
    array = small("float64", (40, 9))
    lines = padded(array, 2, 2, 0, "mirror", 0)
    for sign in (1, -1):
        weights = numpy.array([0.1, 0.7, 0.3 if sign > 0 else 0, sign * 0.7, sign * 0.1])
        total = lines[:, 2:-2] * weights[2]
        for j in (0, 1):
            total = total + (lines[:, j : j + 40] + sign * lines[:, 4 - j : 44 - j]) * weights[j]
        assert same(ndimage.correlate1d(array, weights, 0, mode="mirror"), numpy.ascontiguousarray(total.T))


@pytest.mark.parametrize("seed", range(4))
def test_bits_of_scipy(seed):
    pytest.importorskip("scipy.ndimage")
    for name, array, named in scipy_calls.calls(400, seed):
        ours = scipy_calls.result_of(getattr(ndimage, name), array, named)
        theirs = scipy_calls.scipys(name, array, named)
        assert same(ours, theirs), (name, array.dtype, array.shape, named)


def test_bits_of_scipy_on_the_gpu(monkeypatch):
    pytest.importorskip("scipy.ndimage")
    monkeypatch.setattr(_ndimage_support, "method", "gpu")
    groups = (scipy_calls.LINES, scipy_calls.SPLINES, scipy_calls.FOOTPRINTS)
    calls = [call for seed, functions in enumerate(groups, 7) for call in scipy_calls.calls(12, seed, functions)]
    for name, array, named in calls:
        ours = scipy_calls.result_of(getattr(ndimage, name), array, named)
        theirs = scipy_calls.scipys(name, array, named)
        assert same(ours, theirs), (name, array.dtype, array.shape, named)


@pytest.mark.parametrize("shape", [(300, 211), (64, 33, 47), (1, 5000), (60001,)])
def test_large_arrays(shape):
    scipy_ndimage = pytest.importorskip("scipy.ndimage")
    for dtype in ("float64", "uint8", "int16"):
        array = small(dtype, shape)
        for name, named in [("gaussian_filter", {"sigma": 2}), ("uniform_filter", {"size": 5}), ("sobel", {})]:
            assert same(getattr(ndimage, name)(array, **named), getattr(scipy_ndimage, name)(array, **named)), (name, dtype)


def test_zeros_keep_their_signs():
    scipy_ndimage = pytest.importorskip("scipy.ndimage")
    array = numpy.random.default_rng(5).choice([0.0, -0.0, 1.0, -1.0], (40, 9))
    for name in ("minimum_filter1d", "maximum_filter1d"):
        for size in (2, 3, 7):
            for axis in (0, 1):
                ours = getattr(ndimage, name)(array, size, axis)
                assert same(ours, getattr(scipy_ndimage, name)(array, size, axis))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_small_and_large_floats(dtype):
    scipy_ndimage = pytest.importorskip("scipy.ndimage")
    random = numpy.random.default_rng(6)
    bits = random.integers(0, 2**63, (30, 40), dtype="u8").astype("u4" if dtype == "float32" else "u8")
    array = bits.view(dtype)
    array = numpy.where(numpy.isnan(array), dtype == "float32" and numpy.float32(1e-42) or 1e-310, array).astype(dtype)
    for output in ("float32", "float64", "int32", "uint64", "uint8"):
        with numpy.errstate(all="ignore"):
            ours, theirs = (module.gaussian_filter(array, 1, output=output) for module in (ndimage, scipy_ndimage))
        assert same(ours, theirs), output


def test_outputs():
    array = small("float32", (9, 8))
    expected = ndimage.gaussian_filter(array, 1)
    for out in (numpy.zeros_like(array), numpy.zeros((8, 9), "float32").T, numpy.zeros((9, 8), ">f4"), numpy.zeros((9, 16))[:, ::2]):
        assert ndimage.gaussian_filter(array, 1, output=out) is out
        if out.dtype.itemsize == 4:
            numpy.testing.assert_array_equal(out, expected)
    inside = array.copy()
    ndimage.gaussian_filter(inside, 1, output=inside)
    numpy.testing.assert_array_equal(inside, expected)
    assert ndimage.gaussian_filter(array, 1, output="uint16").dtype == numpy.uint16
    assert ndimage.sobel(array.astype(">f4")).dtype == numpy.dtype("=f4")
    with pytest.raises(RuntimeError, match="shape"):
        ndimage.sobel(array, output=numpy.zeros((8, 9)))
    read_only = numpy.zeros((9, 8), "float32")
    read_only.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        ndimage.sobel(array, output=read_only)


def test_axes():
    array = small("float64", (6, 7, 8))
    both = ndimage.gaussian_filter(array, (2, 1), axes=(0, -1))
    assert same(both, ndimage.gaussian_filter(array, (2, 0, 1)))
    assert same(ndimage.uniform_filter(array, 3, axes=-1), ndimage.uniform_filter1d(array, 3))
    one = numpy.stack([ndimage.gaussian_laplace(plane, 1.5) for plane in array])
    assert same(ndimage.gaussian_laplace(array, 1.5, axes=(1, 2)), one)
    with pytest.raises(ValueError, match="unique"):
        ndimage.gaussian_filter(array, 1, axes=(0, -3))


def test_arrays_of_no_values_and_of_one():
    assert ndimage.gaussian_filter(numpy.zeros((0, 4)), 1).shape == (0, 4)
    assert ndimage.uniform_filter(numpy.float64(3), 3) == 3
    assert ndimage.laplace([[7.0]]) == 0
    assert ndimage.correlate1d([2, 8, 0, 4, 1, 9, 9, 0], weights=[1, 3]).tolist() == [8, 26, 8, 12, 7, 28, 36, 9]


def test_complex_numbers():
    scipy_ndimage = pytest.importorskip("scipy.ndimage")
    array = small("float64", (12, 9)) + 1j * small("float64", (12, 9), 2)
    weights = numpy.array([1, 2j, 0.5 - 1j])
    for values, by in [(array, weights), (array, weights.real), (array.real, weights), (array.astype("c8"), weights)]:
        for name in ("correlate1d", "convolve1d"):
            assert same(getattr(ndimage, name)(values, by), getattr(scipy_ndimage, name)(values, by))
    for name, named in [("gaussian_filter", {"sigma": 1.5}), ("uniform_filter", {"size": 4}), ("sobel", {}), ("laplace", {})]:
        given = {"mode": "constant", "cval": 2 - 3j} if name != "sobel" else {}
        assert same(getattr(ndimage, name)(array, **named, **given), getattr(scipy_ndimage, name)(array, **named, **given))


def test_functions_of_the_caller():
    scipy_ndimage = pytest.importorskip("scipy.ndimage")
    array = small("float64", (12, 9, 4))

    def made_by(module):
        def second(values, axis, output, mode, cval, by):
            return module.correlate1d(values, [by, -2 * by, by], axis, output, mode, cval)

        laplace = module.generic_laplace(array, second, extra_arguments=(2,))
        return laplace, module.generic_gradient_magnitude(array, module.sobel)

    assert all(same(ours, theirs) for ours, theirs in zip(made_by(ndimage), made_by(scipy_ndimage)))


ARRAY = small("float64", (9, 8))


@pytest.mark.parametrize(
    "call, kind, words",
    [
        (lambda: ndimage.gaussian_filter(ARRAY.astype("f2"), 1), NotImplementedError, "input: the type float16"),
        (lambda: ndimage.gaussian_filter(ARRAY, 1, output="f2"), NotImplementedError, "output: the type float16"),
        (lambda: ndimage.gaussian_filter(numpy.ma.array(ARRAY, mask=ARRAY > 0), 1), NotImplementedError, "masked"),
        (lambda: ndimage.gaussian_filter(ARRAY, 1, mode="no"), RuntimeError, "mode"),
        (lambda: ndimage.gaussian_filter(ARRAY, (1, 2, 3)), RuntimeError, "length"),
        (lambda: ndimage.gaussian_filter(ARRAY, 1, radius=-1), ValueError, "adius"),
        (lambda: ndimage.uniform_filter(ARRAY, 3, origin=2), ValueError, "invalid origin"),
        (lambda: ndimage.uniform_filter1d(ARRAY, 0), RuntimeError, "size"),
        (lambda: ndimage.correlate1d(ARRAY, []), RuntimeError, "weights"),
        (lambda: ndimage.correlate1d(ARRAY, [1, 2], 2), ValueError, "axis"),
        (lambda: ndimage.correlate1d(ARRAY, [1, 2], cval=1j), ValueError, "complex"),
        (lambda: ndimage.minimum_filter1d(ARRAY * 1j, 3), TypeError, "Complex"),
        (lambda: ndimage.minimum_filter1d(numpy.where(ARRAY > 0, ARRAY, numpy.nan), 3), NotImplementedError, "no number"),
        (lambda: ndimage.watershed_ift(ARRAY, ARRAY), NotImplementedError, "watershed_ift is not built"),
    ],
)  # fmt: skip
def test_what_is_refused(call, kind, words):
    with pytest.raises(kind, match=words):
        call()


def test_every_name_of_scipy_is_here():
    scipy_ndimage = pytest.importorskip("scipy.ndimage")
    missing = {name for name in scipy_ndimage.__all__ if callable(getattr(scipy_ndimage, name))} - set(ndimage.__all__)
    assert missing == set()
    assert set(ndimage.coverage()) == set(ndimage.__all__) - {"FallbackWarning", "coverage", *_ndimage_old.NAMESPACES}


def test_parameters_and_defaults_are_scipys():
    scipy_ndimage = pytest.importorskip("scipy.ndimage")
    for name, place in ndimage.coverage().items():
        if place != "glproc":
            continue
        # SciPy gives axes to more functions with every version, and has None for {} since 1.15.
        ours, theirs = (
            [(p.name, None if p.default == {} else p.default, p.kind) for p in inspect.signature(getattr(module, name)).parameters.values() if p.name != "axes"]
            for module in (ndimage, scipy_ndimage)
        )
        assert ours == theirs, name


def test_scipy_does_the_rest(monkeypatch):
    scipy_ndimage = pytest.importorskip("scipy.ndimage")
    monkeypatch.setattr(ndimage, "fallback", "scipy")
    monkeypatch.setattr(_ndimage_scipy, "few_values", 0)
    with pytest.warns(ndimage.FallbackWarning, match=r"SciPy does generic_filter\(\), as glproc does not: generic_filter is"):
        largest = ndimage.generic_filter(ARRAY, numpy.max, 3)
    assert same(largest, scipy_ndimage.generic_filter(ARRAY, numpy.max, 3))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ndimage.generic_filter(ARRAY, numpy.max, 3)  # warns once
    with pytest.warns(ndimage.FallbackWarning, match="float16"), pytest.raises(RuntimeError, match="not supported"):
        ndimage.sobel(ARRAY.astype("f2"))  # SciPy refuses it, too
    out = ARRAY.copy()
    with pytest.warns(ndimage.FallbackWarning, match="masked"):
        ndimage.gaussian_filter(numpy.ma.array(out, mask=out > 0), 1, output=out)
    assert same(out, scipy_ndimage.gaussian_filter(ARRAY, 1))


def test_without_scipy(monkeypatch):
    monkeypatch.setattr(ndimage, "fallback", "scipy")
    monkeypatch.setattr(_ndimage_scipy, "function_of", lambda name: None)
    with pytest.raises(NotImplementedError, match="generic_filter is not built .SciPy, which would do it, is not installed"):
        ndimage.generic_filter(ARRAY, numpy.max, 3)
    ndimage.gaussian_filter(ARRAY, 1)


def test_footprints_lie_along_the_array_whatever_the_order_of_axes():
    """As in SciPy, in which axes came later than version 1.10."""
    array = numpy.random.default_rng(6).random((6, 8, 12))
    footprint = numpy.tri(5)
    for name, named in [("minimum_filter", {}), ("median_filter", {}), ("rank_filter", {"rank": 3})]:
        one = getattr(ndimage, name)(array, footprint=footprint[:, None], **named)
        for axes in ((0, 2), (2, 0), (-1, -3)):
            assert same(getattr(ndimage, name)(array, footprint=footprint, axes=axes, **named), one), (name, axes)
    with pytest.raises(RuntimeError, match=r"footprint\.ndim \(2\) must match len\(axes\) \(1\)"):
        ndimage.median_filter(array, footprint=footprint, axes=0)
    with pytest.raises(ValueError, match="axis: 3 is out of range"):
        ndimage.median_filter(array, 3, axes=3)
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        ndimage.gaussian_filter(array, 3, axes=(1.5,))


def test_scipy_does_what_only_its_later_versions_know(monkeypatch):
    class Later:
        @staticmethod
        def sobel(input, axis=-1, *, later=None):
            return axis, later

    monkeypatch.setattr(_ndimage_scipy, "function_of", lambda name: getattr(Later, name, None))
    with pytest.raises(NotImplementedError, match="later: a parameter of later versions"):
        ndimage.sobel(ARRAY, later=1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'nobodys'"):
        ndimage.sobel(ARRAY, nobodys=1)
    monkeypatch.setattr(ndimage, "fallback", "scipy")
    with pytest.warns(ndimage.FallbackWarning, match="later"):
        assert ndimage.sobel(numpy.zeros((99, 99)), 0, later=1) == (0, 1)  # SciPy would do fewer values anyway


def test_a_zoom_is_also_an_array_of_no_axes():
    assert same(ndimage.zoom(ARRAY, numpy.array(2)), ndimage.zoom(ARRAY, 2))


def test_settings_are_checked(monkeypatch):
    for name, words in [("fallback", "'scipy' or 'error'"), ("precision", "'double' or 'single'")]:
        with monkeypatch.context() as patch, pytest.raises(ValueError, match=words):
            patch.setattr(ndimage, name, "no")
            ndimage.sobel(ARRAY)


def test_a_driver_that_is_wrong_is_found_out():
    code = """
        import numpy
        from glproc import ndimage, _ndimage_support
        _ndimage_support.method = "gpu"
        ndimage.fallback = "error"
        ndimage.sobel(numpy.ones((99, 99)))
    """
    environment = {**os.environ, "GLPROC_FAULT": "kernel:arrays/lines/taps.comp", "GLPROC_CHECK": "on"}
    code = "\n".join(map(str.strip, code.splitlines()))
    made = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert "computes doubles wrongly" in made.stderr


@pytest.mark.parametrize("dtype", ["uint8", "uint16"])
def test_ranks_of_large_images(dtype):
    scipy_ndimage = pytest.importorskip("scipy.ndimage")
    image = scipy_calls.array_of(numpy.random.default_rng(8), dtype, (131, 127))
    for name, named in [
        ("median_filter", {"size": 3}),
        ("median_filter", {"size": (5, 3), "mode": "constant", "cval": 7.5}),
        ("rank_filter", {"rank": 5, "size": (1, 7), "mode": "wrap"}),
        ("percentile_filter", {"percentile": 30, "size": 5, "mode": "constant", "cval": -1}),
        ("median_filter", {"size": 4}),
    ]:
        assert same(getattr(ndimage, name)(image, **named), getattr(scipy_ndimage, name)(image, **named)), (name, named)
