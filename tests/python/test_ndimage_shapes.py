"""glproc.ndimage on arrays that are not square: SciPy's bits for signals, colours, sets, and few values of large arrays in any layout."""

import resource
import subprocess
import sys

import numpy
import pytest
import scipy_calls
from scipy_calls import same

from glproc import _ndimage_support, ndimage

scipy_ndimage = pytest.importorskip("scipy.ndimage")


@pytest.fixture(autouse=True)
def settings(monkeypatch):
    """Not SciPy, nor the GPU, which has tests of its own."""
    monkeypatch.setattr(ndimage, "fallback", "error")
    monkeypatch.setattr(ndimage, "precision", "double")
    monkeypatch.setattr(_ndimage_support, "method", "cpu")


def agree(name, array, *arguments, **named):
    ours, theirs = (getattr(module, name)(array, *arguments, **named) for module in (ndimage, scipy_ndimage))
    assert same(ours, theirs), (name, array.dtype, array.shape, array.strides, arguments, named)


#: Long lines are cut for threads and for the cache; short ones are done many at once.
SHAPES = [(200_003,), (2, 70_001), (70_001, 2), (65_536,), (4096,), (40, 41, 3), (40, 3, 41), (500, 63), (500, 64), (3, 9000, 2), (90, 70, 1)]


@pytest.mark.parametrize("shape", SHAPES)
def test_lines(shape):
    random = numpy.random.default_rng(1)
    for dtype in ("float32", "uint8"):
        array = (random.random(shape) * 200 - (100 if dtype == "float32" else 0)).astype(dtype)
        for axis in range(array.ndim):
            for i, mode in enumerate(("reflect", "mirror", "nearest", "wrap", "constant")):
                named = {"axis": axis, "mode": mode, "cval": 7.5}
                agree("correlate1d", array, [1, 2.5, 3, -1][: i + 1], **named)
                for size in (1, 2 + i, 30):
                    origin = (size - 1) // 2 if i % 2 else -(size // 2)
                    for name in ("uniform_filter1d", "minimum_filter1d", "maximum_filter1d"):
                        agree(name, array, size, origin=origin, **named)


@pytest.mark.parametrize("size", [5000, 9001, 70_000])
def test_windows_longer_than_a_piece_and_than_the_line(size):
    array = numpy.random.default_rng(2).random(20_001).astype("float32")
    for mode in ("reflect", "wrap", "constant"):
        for name in ("uniform_filter1d", "minimum_filter1d"):
            agree(name, array, size, mode=mode)
    agree("gaussian_filter1d", array, size / 80, mode="mirror")


def test_passes_in_place():
    """The second pass writes where it reads, and a line that goes around needs its first values last."""
    array = numpy.random.default_rng(3).random((9, 30_001))
    for mode in ("wrap", "reflect"):
        for name, named in [("gaussian_filter", {"sigma": 3}), ("uniform_filter", {"size": 40}), ("maximum_filter", {"size": 40})]:
            agree(name, array, mode=mode, **named)
    inside = array.copy()
    ndimage.gaussian_filter(inside, 3, output=inside)
    assert same(inside, scipy_ndimage.gaussian_filter(array, 3))


@pytest.mark.parametrize("shape", [(70, 81, 3), (70, 81, 1), (5001,), (3, 70, 81), (1, 70, 81), (20, 21, 5, 3), (6000, 2), (2, 3000)])
def test_footprints(shape):
    random = numpy.random.default_rng(4)
    for dtype in ("float32", "uint8"):
        array = (random.random(shape) * 200).astype(dtype)
        for mode in ("reflect", "wrap", "constant"):
            sizes = [(3,) * len(shape), (3,) * (len(shape) - 1) + (1,), (1,) * (len(shape) - 1) + (3,), (5,) + (1,) * (len(shape) - 1)]
            for size in sizes:
                used = random.random(size) > 0.2
                used.flat[0] = True
                named = {"mode": mode, "cval": 3.5}
                agree("correlate", array, random.random(size) * used, **named)
                agree("median_filter", array, size, **named)
                ranked = {"rank": int(used.sum()) // 3, "footprint": used, **named}
                assert same(ndimage.rank_filter(array, **ranked), scipy_calls.scipys("rank_filter", array, ranked)), (dtype, ranked)
                agree("minimum_filter", array, footprint=used, **named)


def test_zeros_of_both_signs_under_a_footprint():
    for shape in ((60, 70, 1), (1, 60, 70), (40, 30, 3)):
        array = numpy.random.default_rng(5).choice([0.0, -0.0, 1.0, -1.0], shape)
        used = numpy.random.default_rng(6).random((3, 3, 3)) > 0.3
        for name in ("minimum_filter", "maximum_filter"):
            agree(name, array, footprint=used)


@pytest.mark.parametrize("shape", [(90, 130), (90, 63), (40, 50, 3), (7, 9, 64), (5000,), (8, 9, 10, 5), (300, 1), (1, 300), (60, 71, 2), (3, 4100), (2100, 3)])
def test_sets(shape):
    random = numpy.random.default_rng(7)
    for density in (0.3, 0.8):
        mask = random.random(shape) < density
        for size in (2, 3, 5, 9):
            sizes = [max(1, min(size - axis, length)) for axis, length in enumerate(shape)]
            for structure in (numpy.ones(sizes, bool), random.random(sizes) > 0.4):
                structure.flat[structure.size // 2] = True
                for border in (0, 1):
                    for origin in (0, [-((one - 1) // 2) for one in sizes]):
                        for name in ("binary_erosion", "binary_dilation"):
                            agree(name, mask, structure, border_value=border, origin=origin, iterations=1 + border)
                if not structure.all():
                    agree("binary_hit_or_miss", mask, structure)
        agree("binary_opening", mask, iterations=2)
        agree("binary_erosion", mask, mask=random.random(shape) > 0.5)


def test_a_disc_wider_than_a_word():
    y, x = numpy.ogrid[-40:41, -70:71]
    disc = (y / 40) ** 2 + (x / 70) ** 2 <= 1
    mask = numpy.random.default_rng(8).random((150, 200)) > 0.0005
    for name in ("binary_erosion", "binary_dilation"):
        agree(name, mask if name == "binary_erosion" else ~mask, disc)


@pytest.mark.parametrize("shape", [(30, 66, 70), (5, 7, 40, 101), (17, 4099)])
def test_structures_of_many_rows_in_volumes(shape):
    """Of the axes of an array the last ones are one row of bits, which threads share, and the others are not."""
    random = numpy.random.default_rng(18)
    for density, origin in ((0.02, 1), (0.98, -2)):
        mask = random.random(shape) < density
        sizes = [min(7, length) for length in shape]
        for structure in (numpy.ones(sizes, bool), random.random(sizes) > 0.5):
            origins = [origin if size > 4 else 0 for size in sizes]
            for border in (0, 1):
                for name in ("binary_erosion", "binary_dilation"):
                    agree(name, mask, structure, border_value=border, origin=origins)
                    agree(name, mask, structure, border_value=border, mask=mask[::-1])


@pytest.mark.parametrize("shape", [(9,), (4, 70), (70, 4), (3, 5, 66), (2, 2, 2, 2)])
def test_structures_larger_than_the_array(shape):
    """SciPy ends the process for some of them, so this is the definition."""
    random = numpy.random.default_rng(19)
    for sizes in ([2 * length + 3 for length in shape], [3, *(4 * length for length in shape[1:])], [9 * shape[0], *shape[1:]]):
        for mask in (random.random(shape) < 0.03, random.random(shape) < 0.97):
            structure = random.random(sizes) < 0.2
            structure.flat[structure.size // 2] = True
            for border in (False, True):
                beyond = numpy.pad(mask, [(size, size) for size in sizes], constant_values=border)
                eroded, dilated = numpy.ones(shape, bool), numpy.zeros(shape, bool)
                for place in numpy.argwhere(structure):
                    offsets = [one - size // 2 for one, size in zip(place, sizes)]
                    starts = [(size + offset, size - offset) for size, offset in zip(sizes, offsets)]
                    eroded &= beyond[tuple(slice(a, a + length) for (a, _), length in zip(starts, shape))]
                    dilated |= beyond[tuple(slice(b, b + length) for (_, b), length in zip(starts, shape))]
                assert same(ndimage.binary_erosion(mask, structure, border_value=border), eroded), (sizes, border)
                assert same(ndimage.binary_dilation(mask, structure, border_value=border), dilated), (sizes, border)


def test_iterations_end_where_nothing_changes():
    mask = numpy.random.default_rng(9).random((60, 70)) > 0.3
    for name in ("binary_erosion", "binary_dilation"):
        agree(name, mask, iterations=2**31 - 1)
        agree(name, mask, iterations=2**31 - 1, mask=mask, border_value=1)


@pytest.mark.filterwarnings("ignore:It is recommended", "ignore:The behavior of affine")
@pytest.mark.parametrize("shape", [(9001,), (3,), (2, 5003), (5003, 1), (40, 41)])
@pytest.mark.parametrize("order", range(6))
def test_resampled_lines(shape, order):
    """Places that are read once have no table, and those whose values all lie inside are done apart."""
    random = numpy.random.default_rng(20)
    ends = numpy.array([0.0, -0.0, 0.5, 1, -1e-12, -0.5, -1, -3.5, 1e9, numpy.nextafter(0, -1)])
    for dtype in ("float64", "uint8"):
        array = (random.random(shape) * 200).astype(dtype)
        last = numpy.array(shape)[:, None] - 1.0
        inside = random.random((len(shape), 5000)) * last
        places = numpy.concatenate([inside, numpy.round(inside[:, :9]), last * 0 + ends, last - ends, numpy.nextafter(last, 1e9)], axis=1)
        for mode in ("constant", "nearest", "mirror", "reflect", "grid-wrap", "grid-constant"):
            named = {"order": order, "mode": mode, "cval": 7.5, "prefilter": mode != "mirror"}
            agree("map_coordinates", array, places, **named)
            agree("affine_transform", array, numpy.eye(len(shape)) * 0.9, 1.25, **named)
            agree("affine_transform", array, numpy.full(len(shape), 1.1), -2, **named)
            agree("shift", array, [0.25, 1][: len(shape)], **named)
            agree("zoom", array, 1.5, **named)
            agree("zoom", array, 0.75, grid_mode=True, **named)


def layouts(array):
    yield numpy.asfortranarray(array)
    yield array[::-1]
    yield array[:, ::-1, ::-2]
    yield array.transpose(1, 2, 0)
    yield numpy.broadcast_to(array[:1], array.shape)
    yield array.astype(array.dtype.newbyteorder(">"))
    room = numpy.zeros(array.shape, [("a", "u1"), ("b", array.dtype)])
    room["b"] = array
    yield room["b"]  # unaligned


@pytest.mark.parametrize("dtype", ["float32", "uint8", "bool"])
def test_few_values_of_any_layout(dtype):
    random = numpy.random.default_rng(9)
    whole = (random.random((30, 31, 32)) * 2).astype(dtype)
    places = random.random((3, 20)) * 40 - 5
    for array in layouts(whole):
        for mode in ("constant", "nearest", "mirror", "wrap", "grid-wrap", "grid-constant", "reflect"):
            for order, prefilter in ((0, True), (1, True), (3, False)):
                named = {"order": order, "mode": mode, "prefilter": prefilter, "cval": 0.5}
                agree("map_coordinates", array, places, **named)
                agree("map_coordinates", array, numpy.round(places), **named)
                agree("affine_transform", array, numpy.eye(3) * 0.7, 2.5, (2, 3, 4), **named)
                agree("affine_transform", array, [0.5, 0.6, 0.7], output_shape=(2, 3, 4), **named)
                agree("zoom", array, 0.1, **named)
    flat = whole[0]
    for array in (numpy.asfortranarray(flat), flat[::-1, ::-1], flat[:, ::2]):
        agree("map_coordinates", array, places[:2], order=1)


def test_few_values_are_not_a_copy_of_all():
    """Of a volume of 400 MB in Fortran order."""
    code = """
import resource, numpy
from glproc import ndimage
volume = numpy.zeros((400, 500, 500), "f4").T
ndimage.map_coordinates(volume[:9, :9, :9], numpy.ones((3, 5)), order=1)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for array in (volume, volume[::-1]):
    ndimage.map_coordinates(array, numpy.random.default_rng(0).random((3, 100)) * 400, order=1)
    ndimage.affine_transform(array, numpy.eye(3), output_shape=(2, 2, 2), order=1)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    made = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=300)
    assert int(made.stdout) < 50 << 10


def test_a_line_takes_no_more_memory_than_it_has():
    x = numpy.ones(4_000_000, "f4")
    ndimage.correlate1d(x, [1, 2, 3])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for call in (lambda: ndimage.correlate1d(x, [1, 2, 3]), lambda: ndimage.uniform_filter1d(x, 9), lambda: ndimage.maximum_filter1d(x, 9)):
        call()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 << 10  # KB; it was 128 bytes a value, 500 MB


def test_histograms_of_some_labels():
    random = numpy.random.default_rng(10)
    array, labels = random.random((70, 80)) * 10, random.integers(-2, 200, (70, 80))
    for index in ([1, 2, 3], [150, 3], [-1, 7], [500, 501], [0], [7, 7, 7], list(range(1, 200)), [3, 10**6]):
        for kind in ("int64", "int16", "uint8"):  # in a byte no label times a number of bins has room
            named = {"labels": labels.astype(kind), "index": numpy.array(index)}
            if all(numpy.iinfo(kind).min <= one <= numpy.iinfo(kind).max for one in index):
                ours, theirs = (module.histogram(array, 0, 10, 8, **named) for module in (ndimage, scipy_ndimage))
                assert same(ours, theirs), (index, kind)


@pytest.mark.parametrize("length", [1, 2, 9, 10, 40_001])
def test_spectra_of_one_axis(length):
    random = numpy.random.default_rng(11)
    for dtype in ("float32", "float64", "complex64", "complex128"):
        array = (random.random(length) * (1 + 1j if dtype[0] == "c" else 1)).astype(dtype)
        for value in (0, 0.3, 2.5, -1.5, 40):
            for n in (-1, length, 2 * length - 1, 2 * length):
                for name in ("fourier_gaussian", "fourier_uniform", "fourier_shift", "fourier_ellipsoid"):
                    agree(name, array, value, n)
