"""glproc.ndimage's labels, measures, distances and filters of spectra: by their definition, and SciPy's bits."""

import math
import signal

import numpy
import pytest
import scipy_calls
import scipy_parts
from scipy_calls import same

import glproc
from glproc import _contexts, _ndimage_support, ndimage


@pytest.fixture(autouse=True)
def settings(monkeypatch):
    """No call may end in SciPy."""
    monkeypatch.setattr(ndimage, "fallback", "error")
    monkeypatch.setattr(ndimage, "precision", "double")


@pytest.mark.parametrize("seed", range(3))
def test_bits_of_scipy(seed):
    pytest.importorskip("scipy.ndimage")
    for name, array, named in scipy_calls.calls(500, seed, scipy_parts.PARTS):
        ours = scipy_calls.result_of(getattr(ndimage, name), array, named)
        theirs = scipy_calls.scipys(name, array, named)
        assert same(ours, theirs), (name, array.dtype, array.shape, named)


@pytest.mark.parametrize("shape", [(300, 411), (40, 50, 60), (1, 70001), (70001,)])
def test_large_arrays(shape):
    scipy_ndimage = pytest.importorskip("scipy.ndimage")
    random = numpy.random.default_rng(3)
    for density in (0.5, 0.98):
        mask = random.random(shape) < density
        full = numpy.ones((3,) * len(shape))
        labels, count = ndimage.label(mask, full)
        assert same((labels, count), scipy_ndimage.label(mask, full))
        assert ndimage.find_objects(labels) == scipy_ndimage.find_objects(labels)
        for name in ("distance_transform_edt", "distance_transform_cdt"):
            named = {"return_indices": True}
            assert same(getattr(ndimage, name)(mask, **named), getattr(scipy_ndimage, name)(mask, **named)), name


@pytest.mark.parametrize("shape", [(1,), (70001,), (60, 71), (12, 13, 14), (3, 4, 5, 6), (2, 3, 2, 3, 4)])
def test_the_gpu_has_the_same_bits(monkeypatch, shape):
    """Also of what it has no kernels for: five axes, indices, distances between neighbours."""
    random = numpy.random.default_rng(5)
    full = numpy.ones((3,) * len(shape))
    for density in (0.45, 0.999):
        mask = random.random(shape) < density
        mask.flat[0] = False
        results = []
        for method in ("cpu", "gpu"):
            monkeypatch.setattr(_ndimage_support, "method", method)
            out = numpy.zeros(shape, "i8")
            parts = [ndimage.label(mask), ndimage.label(mask, full), ndimage.label(mask, full, out), out]
            for named in ({}, {"sampling": 2}, {"return_indices": True}):
                parts.append(ndimage.distance_transform_edt(mask, **named))
            results.append(parts)
        for ours, theirs in zip(*results):
            assert same(ours, theirs)


def test_the_processor_does_what_is_too_large_for_the_gpu(monkeypatch):
    """Labels and distances are not cut into slabs: nobody sees a difference, and SciPy is not asked."""
    scipy_ndimage = pytest.importorskip("scipy.ndimage")
    monkeypatch.setattr(_ndimage_support, "method", "gpu")
    for side, kernels in [(100, {"label", "distance"}), (600, set())]:
        mask = numpy.random.default_rng(3).random((side, side)) < 0.6
        with glproc.Context(memory=1 << 20, timing=True) as context:
            assert same(ndimage.label(mask), scipy_ndimage.label(mask))
            assert same(ndimage.distance_transform_edt(mask), scipy_ndimage.distance_transform_edt(mask))
        names = {name.split(".")[0] for name, _ in context.pass_times()}
        assert names & {"label", "distance"} == kernels


class AnyDevice:
    """A session whose device says what it is told to."""

    def __init__(self, session, is_software):
        self.session, self.is_software = session, is_software

    def __getattr__(self, name):
        return getattr(self.session, name)

    def device(self):
        return {**self.session.device(), "software": self.is_software}


@pytest.mark.parametrize("dtype", ["uint8", "uint16"])
def test_medians_of_images_have_two_roads(monkeypatch, dtype):
    """A GPU sorts few neighbours of a large array; elsewhere the operation on images is quicker. Nobody sees a difference."""
    monkeypatch.setattr(_ndimage_support, "method", "gpu")
    monkeypatch.setattr(_ndimage_support, "_fewest_values_for_gpu", 1 << 15)
    random = numpy.random.default_rng(4)
    for size in (3, (1, 27), (5, 7)):
        for shape in ((150, 120), (250, 140)):
            image = random.integers(0, numpy.iinfo(dtype).max, shape, dtype, endpoint=True)
            results, roads = [], []
            for is_software in (False, True):
                with glproc.Context(timing=True) as context, monkeypatch.context() as patch:
                    device = AnyDevice(_contexts.session(), is_software)
                    patch.setattr(_contexts, "session", lambda device=device: device)
                    results.append(ndimage.median_filter(image, size, mode="mirror"))
                roads.append("footprint.values" in {name for name, _ in context.pass_times()})
            assert same(*results)
            assert roads == [image.size >= 1 << 15 and size != (5, 7), False], (size, shape)


LABELS = numpy.array([[0, 1, 1, 0], [2, 0, 1, 0], [2, 2, 0, 7]], "int32")
VALUES = numpy.array([[9.0, 4.0, -1.0, 9.0], [0.5, 9.0, 6.0, 9.0], [2.5, 3.0, 9.0, 8.0]])


def test_label():
    mask = numpy.array([[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 1]])
    labels, count = ndimage.label(mask)
    assert count == 3 and labels.dtype == numpy.int32
    assert labels.tolist() == [[0, 1, 1, 0], [2, 0, 1, 0], [2, 2, 0, 3]]
    assert ndimage.label(mask, numpy.ones((3, 3)))[1] == 1
    out = numpy.zeros((3, 4), "u1", order="F")  # parts are numbered by columns
    assert ndimage.label(mask, output=out) == 3
    assert out.tolist() == [[0, 2, 2, 0], [1, 0, 2, 0], [1, 1, 0, 3]]
    inside = mask.copy()
    assert ndimage.label(inside, output=inside) == 3 and (inside == labels).all()
    assert ndimage.label(True) == (1, 1) and ndimage.label(numpy.zeros((0, 3)))[1] == 0
    with pytest.raises(RuntimeError, match="bit-depth"):
        ndimage.label(numpy.arange(999) % 2, output="u1")


def test_find_objects():
    boxes = ndimage.find_objects(LABELS)
    assert boxes[:2] == [(slice(0, 2), slice(1, 3)), (slice(1, 3), slice(0, 2))]
    assert boxes[2:] == [None] * 4 + [(slice(2, 3), slice(3, 4))]
    assert len(ndimage.find_objects(LABELS, 2)) == 2


def test_measures():
    index = [1, 2, 5]
    assert ndimage.sum_labels(VALUES, LABELS, index).tolist() == [9, 6, 0]
    assert ndimage.mean(VALUES, LABELS, [1, 2]).tolist() == [3, 2]
    assert ndimage.minimum(VALUES, LABELS, index).tolist() == [-1, 0.5, 0]
    assert ndimage.maximum_position(VALUES, LABELS, [1, 2]) == [(1, 2), (2, 1)]
    assert ndimage.median(VALUES, LABELS, [1, 2]).tolist() == [4, 2.5]
    assert ndimage.extrema(VALUES, LABELS, 7) == (8, 8, (2, 3), (2, 3))
    assert ndimage.center_of_mass(LABELS > 0, LABELS, 2) == (5 / 3, 1 / 3)
    assert ndimage.histogram(VALUES, 0, 9, 3, LABELS, [2])[0].tolist() == [2, 1, 0]
    assert math.isclose(ndimage.standard_deviation(VALUES, LABELS, 1) ** 2, ndimage.variance(VALUES, LABELS, 1))
    places = ndimage.value_indices(LABELS, ignore_value=0)
    assert list(places) == [1, 2, 7] and [axis.tolist() for axis in places[2]] == [[1, 2, 2], [0, 0, 1]]
    with pytest.raises(ValueError, match="index without"):
        ndimage.labeled_comprehension(VALUES, None, 1, len, int, 0)


def test_distances():
    mask = numpy.ones((4, 5), bool)
    mask[1, 1] = mask[3, 4] = False
    y, x = numpy.indices(mask.shape)
    to_both = [numpy.hypot(2 * (y - row), x - column) for row, column in ((1, 1), (3, 4))]
    distances, indices = ndimage.distance_transform_edt(mask, sampling=(2, 1), return_indices=True)
    numpy.testing.assert_allclose(distances, numpy.minimum(*to_both), rtol=1e-15)
    numpy.testing.assert_array_equal(indices[0] == 1, to_both[0] <= to_both[1])
    steps = numpy.minimum(abs(y - 1) + abs(x - 1), abs(y - 3) + abs(x - 4))
    numpy.testing.assert_array_equal(ndimage.distance_transform_cdt(mask, "taxicab"), steps)
    numpy.testing.assert_array_equal(ndimage.distance_transform_bf(mask, "manhattan"), steps)
    out = numpy.zeros((4, 5))[:, ::-1]
    assert ndimage.distance_transform_edt(mask, (2, 1), distances=out) is None
    numpy.testing.assert_array_equal(out, distances)


def test_spectra():
    values = numpy.random.default_rng(1).random((12, 10))
    spectrum, half = numpy.fft.fft2(values), numpy.fft.rfft2(values)
    moved = numpy.fft.ifft2(ndimage.fourier_shift(spectrum, (3, -2))).real
    numpy.testing.assert_allclose(moved, numpy.roll(values, (3, -2), (0, 1)), atol=1e-12)
    soft = numpy.fft.irfft2(ndimage.fourier_gaussian(half, 1.5, n=10), (12, 10))
    numpy.testing.assert_allclose(soft, numpy.fft.ifft2(ndimage.fourier_gaussian(spectrum, 1.5)).real, atol=1e-12)
    numpy.testing.assert_allclose(soft, ndimage.gaussian_filter(values, 1.5, mode="wrap", truncate=9), atol=1e-5)
    for name in ("fourier_uniform", "fourier_ellipsoid"):
        assert getattr(ndimage, name)(spectrum, 4)[0, 0] == spectrum[0, 0]


@pytest.mark.parametrize(
    "call, kind, words",
    [
        (lambda: ndimage.label(VALUES * 1j), TypeError, "Complex"),
        (lambda: ndimage.label(VALUES, numpy.ones(3)), RuntimeError, "rank"),
        (lambda: ndimage.label(VALUES, numpy.ones((3, 5))), ValueError, "equal to 3"),
        (lambda: ndimage.label(VALUES, [[1, 1, 0]] * 3), AssertionError, "symmetric"),
        (lambda: ndimage.label(VALUES, output=numpy.zeros((4, 3))), ValueError, "shape"),
        (lambda: ndimage.label(VALUES.astype("f2")), NotImplementedError, "float16"),
        (lambda: ndimage.find_objects(VALUES, 3), NotImplementedError, "no integers"),
        (lambda: ndimage.find_objects(numpy.array([2**64 - 1], "u8")), OverflowError, "too large"),
        (lambda: ndimage.distance_transform_edt(VALUES, return_distances=False), RuntimeError, "at least one"),
        (lambda: ndimage.distance_transform_edt(VALUES, sampling=math.inf), NotImplementedError, "infinite"),
        (lambda: ndimage.distance_transform_cdt(VALUES, "euclidean"), RuntimeError, "metric"),
        (lambda: ndimage.distance_transform_cdt(VALUES, numpy.ones(3)), RuntimeError, "rank"),
        (lambda: ndimage.distance_transform_bf(VALUES, "no"), RuntimeError, "metric"),
        (lambda: ndimage.distance_transform_bf(VALUES, distances=VALUES.astype("f4")), RuntimeError, "float64"),
        (lambda: ndimage.fourier_gaussian(VALUES, 1, output=numpy.int32), RuntimeError, "not supported"),
        (lambda: ndimage.fourier_shift(VALUES, 1, n=0), NotImplementedError, "n: 0"),
        (lambda: ndimage.value_indices(VALUES), ValueError, "integer"),
    ],
)  # fmt: skip
def test_what_is_refused(call, kind, words):
    with pytest.raises(kind, match=words):
        call()


def test_signals_end_long_calls():
    def stop(*_):
        raise InterruptedError("enough")

    old = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(InterruptedError, match="enough"):  # the whole of it would take days
            ndimage.distance_transform_bf(numpy.random.default_rng(1).random((9000, 9000)) > 0.1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def test_precision_does_not_matter(monkeypatch):
    monkeypatch.setattr(ndimage, "precision", "single")
    assert ndimage.label(LABELS)[1] == 3
    assert ndimage.distance_transform_edt(LABELS).dtype == numpy.float64


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64"])
def test_histograms_of_groups(dtype):
    """Values on the edges of bins, beyond them and no numbers; labels that there are not."""
    scipy_ndimage = pytest.importorskip("scipy.ndimage")
    random = numpy.random.default_rng(8)
    array = (random.integers(0, 13, (40, 50)) * 10).astype(dtype)
    if dtype.startswith("float"):
        array[::7, ::5] = numpy.nan
        array[::3, ::4] += 0.5
    labels = random.integers(0, 6, array.shape)
    for index in ([1, 2, 5], [4, 9, 1, 1], numpy.array([0, 3]), [7]):
        ours, theirs = (module.histogram(array, 20, 100, 8, labels, index) for module in (ndimage, scipy_ndimage))
        assert ours.dtype == theirs.dtype and len(ours) == len(theirs)
        for one, other in zip(ours, theirs):
            assert (one is None) == (other is None)
            assert one is None or one.dtype == other.dtype and (one == other).all()
