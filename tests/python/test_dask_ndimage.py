"""glproc.dask.ndimage gives the bits of the whole array, however it is cut."""

import warnings

import numpy
import pytest
import scipy_calls

from glproc import _ndimage_names, ndimage

dask_array = pytest.importorskip("dask.array")

from glproc.dask import ndimage as dask_ndimage  # noqa: E402

LOCAL = {name: make for name, make in {**scipy_calls.LINES, **scipy_calls.FOOTPRINTS}.items() if name in _ndimage_names.LOCAL}


@pytest.fixture(autouse=True)
def settings(monkeypatch):
    """Not SciPy, whose rank filters overwrite memory in some versions."""
    monkeypatch.setattr(ndimage, "fallback", "error")


def cut(random, array):
    """Parts of any sizes along each axis."""
    chunks = []
    for length in array.shape:
        ends = sorted({length, *random.integers(1, length + 1, random.integers(0, 4)).tolist()})
        chunks.append(tuple(int(end) for end in numpy.diff([0, *ends])))
    return dask_array.from_array(array, chunks=tuple(chunks))


def computed(function, array, named):
    with numpy.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(array, **named).compute(scheduler="synchronous")
        except Exception as error:
            return error


@pytest.mark.parametrize("seed", range(6))
def test_bits_of_the_whole(seed):
    random = numpy.random.default_rng(seed)
    in_parts = 0
    for name, array, named in scipy_calls.calls(250, seed, LOCAL):
        parts = cut(random, array)
        whole = scipy_calls.result_of(getattr(ndimage, name), array, named)
        ours = computed(getattr(dask_ndimage, name), parts, named)
        if name.startswith("binary") and named["iterations"] < 1:
            assert isinstance(ours, NotImplementedError)
            continue
        assert scipy_calls.same(ours, whole), (name, array.dtype, parts.chunks, named)
        in_parts += not isinstance(whole, Exception) and getattr(dask_ndimage, name)(parts, **named).npartitions > 1
    assert in_parts > 50


@pytest.mark.parametrize("name", sorted(LOCAL))
def test_a_volume_stays_in_parts(name):
    """With a small window no axis is joined, but for the lines of running means."""
    array = numpy.random.default_rng(3).random((48, 56, 40)).astype("float32")
    named = {
        "convolve1d": {"weights": [1, 2, 4]}, "correlate1d": {"weights": [1, 2, 4]}, "rank_filter": {"rank": 5, "size": 3},
        "convolve": {"weights": numpy.ones((3, 3, 3))}, "correlate": {"weights": numpy.ones((3, 3, 3))},
        "gaussian_filter": {"sigma": 1}, "gaussian_filter1d": {"sigma": 1}, "laplace": {}, "sobel": {}, "prewitt": {},
        "gaussian_laplace": {"sigma": 1}, "gaussian_gradient_magnitude": {"sigma": 1}, "percentile_filter": {"percentile": 30, "size": 3},
    }.get(name, {} if name.startswith("binary") else {"size": 3})  # fmt: skip
    array = array > 0.7 if name.startswith("binary") else array
    parts = dask_array.from_array(array, chunks=(16, 14, 20))
    made = getattr(dask_ndimage, name)(parts, **named)
    if not name.startswith("uniform"):
        assert made.numblocks == (3, 4, 2)
    numpy.testing.assert_array_equal(made.compute(scheduler="synchronous"), getattr(ndimage, name)(array, **named), strict=True)


def test_every_local_function_is_here():
    names = set(dask_ndimage.__all__) - {"generate_binary_structure", "iterate_structure"}
    assert names == set(_ndimage_names.LOCAL)
    for name in set(ndimage.coverage()) - set(dask_ndimage.__all__):
        with pytest.raises(AttributeError, match=f"{name} depends on the whole array|is SciPy's"):
            getattr(dask_ndimage, name)
    with pytest.raises(AttributeError, match="no attribute 'gausian_filter'"):
        dask_ndimage.gausian_filter


def test_means_of_integers_are_cut_and_those_of_floats_are_not():
    array = dask_array.from_array(numpy.arange(4000, dtype="uint16").reshape(50, 80), chunks=(25, 20))
    assert dask_ndimage.uniform_filter(array, 5).numblocks == (2, 4)
    assert dask_ndimage.uniform_filter1d(array.astype(float), 5, 0).chunks[0] == (50,)
    assert dask_ndimage.uniform_filter(array, 5, output=float).chunks[1] == (80,)


def test_a_reach_that_is_too_small_shows(monkeypatch):
    array = numpy.random.default_rng(4).random((64, 64))
    parts = dask_array.from_array(array, chunks=16)
    expected = ndimage.gaussian_filter(array, 1)
    assert (dask_ndimage.gaussian_filter(parts, 1).compute(scheduler="synchronous") == expected).all()
    real = dask_ndimage._REACHES["gaussian_filter"]
    monkeypatch.setitem(dask_ndimage._REACHES, "gaussian_filter", lambda given: [reach - 1 for reach in real(given)])
    assert (dask_ndimage.gaussian_filter(parts, 1).compute(scheduler="synchronous") != expected).any()


def test_a_mask_is_cut_alike():
    random = numpy.random.default_rng(5)
    array, mask = random.random((40, 50)) > 0.6, random.random((40, 50)) > 0.3
    parts, masks = dask_array.from_array(array, chunks=(11, 50)), dask_array.from_array(mask, chunks=(40, 13))
    for each in (masks, mask):
        made = dask_ndimage.binary_dilation(parts, iterations=3, mask=each)
        assert (made.compute(scheduler="synchronous") == ndimage.binary_dilation(array, iterations=3, mask=mask)).all()
    with pytest.raises(RuntimeError, match="equal sizes"):
        dask_ndimage.binary_dilation(parts, mask=mask[1:])


def test_empty_arrays_and_complex_numbers():
    for shape in [(0,), (3, 0, 2)]:
        made = dask_ndimage.gaussian_filter(dask_array.zeros(shape), 1)
        assert made.compute(scheduler="synchronous").shape == shape
    array = numpy.random.default_rng(6).random((30, 20)) * (1 + 2j)
    made = dask_ndimage.correlate1d(dask_array.from_array(array, chunks=10), [1, 2, 3j], 0)
    assert scipy_calls.same(made.compute(scheduler="synchronous"), ndimage.correlate1d(array, [1, 2, 3j], 0))


def test_mistakes():
    parts = dask_array.zeros((20, 20), chunks=10)
    with pytest.raises(TypeError, match="takes a Dask array, not ndarray"):
        dask_ndimage.gaussian_filter(numpy.zeros((3, 3)), 1)
    with pytest.raises(TypeError, match="output is a type"):
        dask_ndimage.gaussian_filter(parts, 1, output=numpy.zeros((20, 20)))
    with pytest.raises(RuntimeError, match="mode"):
        dask_ndimage.gaussian_filter(parts, 1, mode="mirrored")
    with pytest.raises(NotImplementedError, match="iterations"):
        dask_ndimage.binary_erosion(parts, iterations=0)
    with pytest.raises(TypeError, match=r"^gaussian_filter\(\) is missing a required argument: 'sigma'$"):
        dask_ndimage.gaussian_filter(parts)
    with pytest.raises(TypeError, match=r"^gaussian_filter\(\) got an unexpected keyword argument 'sgma': did you mean 'sigma'\?$"):
        dask_ndimage.gaussian_filter(parts, sgma=2)


@pytest.mark.parametrize("name, named", [
    ("maximum_filter", {"size": 3}), ("minimum_filter", {"size": 3}), ("median_filter", {"size": 3}), ("rank_filter", {"rank": 2, "size": 3}),
    ("percentile_filter", {"percentile": 30, "size": 3}), ("grey_closing", {"size": 3}), ("maximum_filter1d", {"size": 3}),
    ("gaussian_filter", {"sigma": 1}),
])  # fmt: skip
def test_scipy_does_what_glproc_refuses(monkeypatch, name, named):
    """Also a SciPy without `axes`, which says None here."""
    pytest.importorskip("scipy.ndimage")
    monkeypatch.setattr(ndimage, "fallback", "scipy")
    array = numpy.random.default_rng(1).random((40, 50))
    array[3, 4] = numpy.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = getattr(dask_ndimage, name)(dask_array.from_array(array, chunks=(40, 50)), **named).compute(scheduler="synchronous")
        assert scipy_calls.same(made, getattr(ndimage, name)(array, **named))
        masked = dask_array.ma.masked_greater(dask_array.from_array(numpy.nan_to_num(array), chunks=(20, 25)), 0.5)
        assert getattr(dask_ndimage, name)(masked, **named).compute(scheduler="synchronous").shape == array.shape
