"""glproc.ndimage in single precision beside scipy.ndimage in double precision."""

import numpy
import pytest
from conftest import picture

from glproc import ndimage

scipy_ndimage = pytest.importorskip("scipy.ndimage")


@pytest.fixture(autouse=True)
def single(monkeypatch):
    monkeypatch.setattr(ndimage, "precision", "single")
    monkeypatch.setattr(ndimage, "fallback", "error")


MODES = ["reflect", "mirror", "nearest", "wrap", "constant"]
CROSS = scipy_ndimage.generate_binary_structure(2, 1)
WEIGHTS = numpy.random.default_rng(3).random((5, 3)) - 0.4

#: Functions and arguments, and whether results of integers are values of the picture, which nothing rounds.
CALLS = [
    ("gaussian_filter", {"sigma": 1.5}, False),
    ("gaussian_filter", {"sigma": (0.7, 2), "truncate": 3}, False),
    ("gaussian_filter", {"sigma": (0, 2)}, False),
    ("gaussian_filter", {"sigma": 6, "radius": 3}, False),
    ("gaussian_filter", {"sigma": 8}, False),
    ("uniform_filter", {}, False),
    ("uniform_filter", {"size": (7, 3)}, False),
    ("uniform_filter", {"size": (1, 51)}, False),
    ("median_filter", {"size": 3}, True),
    ("median_filter", {"size": (3, 7)}, True),
    ("median_filter", {"footprint": numpy.ones((5, 3))}, True),
    ("percentile_filter", {"percentile": 20, "size": 5}, True),
    ("percentile_filter", {"percentile": -20, "size": (1, 9)}, True),
    ("percentile_filter", {"percentile": 100, "size": 3}, True),
    ("convolve", {"weights": WEIGHTS}, False),
    ("correlate", {"weights": WEIGHTS}, False),
    ("convolve", {"weights": WEIGHTS[:4, :2]}, False),
    ("correlate", {"weights": WEIGHTS[:4, :2]}, False),
    ("convolve", {"weights": WEIGHTS[:4], "origin": (-1, 1)}, False),
    ("correlate", {"weights": WEIGHTS[:, :2], "origin": [2, -1]}, False),
    ("grey_erosion", {"size": (3, 5)}, True),
    ("grey_erosion", {"structure": numpy.zeros((3, 5))}, True),
    ("grey_dilation", {"size": 21}, True),
    ("grey_dilation", {"footprint": CROSS}, True),
    ("grey_opening", {"size": (5, 3)}, True),
    ("grey_opening", {"footprint": CROSS}, True),
    ("grey_closing", {"footprint": numpy.ones((3, 3))}, True),
]
SIGNED = [
    ("sobel", {}), ("sobel", {"axis": 0}), ("prewitt", {"axis": 1}), ("prewitt", {"axis": -2}), ("laplace", {}),
    ("gaussian_laplace", {"sigma": 1.3}),
]  # fmt: skip


def both(name, image, **arguments):
    return getattr(ndimage, name)(image, **arguments), getattr(scipy_ndimage, name)(image.astype("float64"), **arguments)


@pytest.mark.parametrize("name, arguments, _", CALLS)
def test_floats(name, arguments, _):
    for i, mode in enumerate(MODES):
        image = 4 * picture((23, 31) if i != 2 else (1, 9), "float32") - 2
        ours, theirs = both(name, image, mode=mode, cval=0.25, **arguments)
        assert ours.dtype == numpy.float32
        numpy.testing.assert_allclose(ours, theirs, rtol=0, atol=4e-6, err_msg=mode)


@pytest.mark.parametrize("name, arguments", SIGNED)
def test_signed(name, arguments):
    image = picture((23, 31), "float32")
    for mode in MODES:
        ours, theirs = both(name, image, mode=mode, **arguments)
        numpy.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-6, err_msg=mode)
    with pytest.raises(TypeError, match="negative"):
        getattr(ndimage, name)(picture((5, 5)), **arguments)


@pytest.mark.parametrize("dtype", ["uint8", "uint16"])
@pytest.mark.parametrize("name, arguments, is_exact", CALLS)
def test_integers(name, arguments, is_exact, dtype):
    image = picture((23, 31), dtype)
    for mode in ("reflect", "constant"):
        ours, theirs = both(name, image, mode=mode, cval=7, **arguments)
        assert ours.dtype == image.dtype
        rounded = numpy.clip(theirs, 0, numpy.iinfo(dtype).max)
        assert numpy.abs(ours - rounded).max() <= (0 if is_exact else 0.51)


def test_sizes_and_turns():
    image = picture((23, 31), "float32")
    for zoom in [2, 1.5, (2, 1), (3.3, 1.7)]:
        for order in (0, 1):
            ours, theirs = both("zoom", image, zoom=zoom, order=order, mode="nearest", grid_mode=True)
            numpy.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-6)
    for angle in [0, 90, 180, 270, -90, 360]:
        for axes in [(1, 0), (0, 1), (-1, -2)]:
            ours, theirs = both("rotate", image, angle=angle, axes=axes, order=1)
            numpy.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-6)
    for angle in [30, -10, 200.5]:
        ours, theirs = both("rotate", image, angle=angle, order=1, mode="grid-constant", reshape=False, cval=0.4)
        numpy.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-5)


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32"])
def test_histogram(dtype):
    image = picture((50, 70), dtype)
    for low, high, bins in [(0, 1, 10), (10, 200, 7), (0, 65535, 256), (0.2, 0.7, 30)]:
        ours, theirs = both("histogram", image, min=low, max=high, bins=bins)
        numpy.testing.assert_array_equal(ours, theirs)


def test_other_names_of_modes():
    image = picture((9, 8), "float32")
    for name, other in [("grid-mirror", "reflect"), ("grid-wrap", "wrap"), ("grid-constant", "constant")]:
        ours = [ndimage.uniform_filter(image, mode=mode) for mode in (name, other)]
        numpy.testing.assert_array_equal(*ours)
    numpy.testing.assert_array_equal(ndimage.uniform_filter(image, mode=["wrap", "wrap"]), ndimage.uniform_filter(image, mode="wrap"))


def test_output():
    image = picture((9, 8), "float32")
    expected = ndimage.gaussian_filter(image, 1)
    out = numpy.zeros_like(image)
    assert ndimage.gaussian_filter(image, 1, output=out) is out
    numpy.testing.assert_array_equal(out, expected)
    numpy.testing.assert_array_equal(ndimage.gaussian_filter(image, 1, output=numpy.float32), expected)


IMAGE = picture((9, 8), "float32")


@pytest.mark.parametrize(
    "call, kind, words",
    [
        (lambda: ndimage.gaussian_filter(IMAGE.astype(float), 1), TypeError, "float64: input.astype"),
        (lambda: ndimage.gaussian_filter(IMAGE.astype(int), 1), TypeError, "int64"),
        (lambda: ndimage.gaussian_filter(IMAGE[0], 1), NotImplementedError, "input: arrays of 1 dimensions"),
        (lambda: ndimage.gaussian_filter(IMAGE, 1, order=1), NotImplementedError, "order: "),
        (lambda: ndimage.gaussian_filter(IMAGE, 1, output=float), NotImplementedError, "output: the type float64"),
        (lambda: ndimage.gaussian_filter(IMAGE, 1, mode=["wrap", "mirror"]), NotImplementedError, "mode: "),
        (lambda: ndimage.gaussian_filter(IMAGE, 1, mode="no"), RuntimeError, "mode"),
        (lambda: ndimage.gaussian_filter(IMAGE, (1, 2, 3)), RuntimeError, "sigma"),
        (lambda: ndimage.uniform_filter(IMAGE, 4), NotImplementedError, "size: 4"),
        (lambda: ndimage.uniform_filter(IMAGE, 3, origin=1), NotImplementedError, "origin: "),
        (lambda: ndimage.median_filter(IMAGE, footprint=CROSS), NotImplementedError, "footprint: "),
        (lambda: ndimage.percentile_filter(IMAGE, 101, 3), RuntimeError, "percentile"),
        (lambda: ndimage.convolve(IMAGE, numpy.ones((2, 65))), NotImplementedError, "weights: 65 along"),
        (lambda: ndimage.convolve(IMAGE, numpy.ones((3, 3)), origin=2), ValueError, "invalid origin"),
        (lambda: ndimage.sobel(IMAGE, mode="constant", cval=1), NotImplementedError, "cval: "),
        (lambda: ndimage.gaussian_laplace(IMAGE, (1, 2)), NotImplementedError, "sigma: "),
        (lambda: ndimage.gaussian_laplace(IMAGE, 1, truncate=3), NotImplementedError, "truncate: "),
        (lambda: ndimage.grey_erosion(IMAGE), ValueError, "must be specified"),
        (lambda: ndimage.grey_erosion(IMAGE, structure=[[1]]), NotImplementedError, "structure: "),
        (lambda: ndimage.zoom(IMAGE, 2), NotImplementedError, "order: 3"),
        (lambda: ndimage.rotate(IMAGE, 30), NotImplementedError, "order: 3"),
        (lambda: ndimage.affine_transform(IMAGE, [1, 1]), NotImplementedError, "matrix: "),
        (lambda: ndimage.histogram(IMAGE, 0, 1, 3, labels=1), NotImplementedError, "labels: "),
        (lambda: ndimage.uniform_filter(picture((3, 3)), mode="constant", cval=300), NotImplementedError, "cval: 300"),
    ],
)
def test_what_is_refused(call, kind, words):
    with pytest.raises(kind, match=words):
        call()


@pytest.mark.parametrize("shape", [(5, 7, 3), (5, 7, 4), (2, 5, 7)])
def test_volumes_are_not_taken_for_colours(shape):
    volume = numpy.zeros(shape, "float32")
    for call in (
        lambda: ndimage.gaussian_filter(volume, 1),
        lambda: ndimage.uniform_filter(volume, 3),
        lambda: ndimage.median_filter(volume, 3),
        lambda: ndimage.grey_erosion(volume, 3),
        lambda: ndimage.zoom(volume, 2, order=1),
    ):
        with pytest.raises(NotImplementedError, match="input: arrays of 3 dimensions"):
            call()
