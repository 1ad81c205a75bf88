"""glproc.stack beside NumPy, along the first axis of all images."""

import inspect

import numpy
import pytest

import glproc

WHITE = {"uint8": 255, "uint16": 65535, "float32": 1}
MEASURES = {
    "mean": lambda images: images.mean(0),
    "median": lambda images: numpy.median(images, 0),
    "min": lambda images: images.min(0),
    "max": lambda images: images.max(0),
    "percentile:30": lambda images: numpy.percentile(images, 30, axis=0),
}


def images_of(dtype, count=6, shape=(23, 37, 3)):
    noise = numpy.random.default_rng(7).random((count, *shape))
    return (noise * WHITE[dtype]).astype(dtype)


@pytest.mark.parametrize("dtype", WHITE)
@pytest.mark.parametrize("by", MEASURES)
def test_same_as_numpy(by, dtype):
    images = images_of(dtype)
    expected = MEASURES[by](images.astype("float64"))
    expected = expected.astype(dtype) if dtype == "float32" else numpy.rint(expected).astype(dtype)
    numpy.testing.assert_array_equal(glproc.stack(images, by=by), expected, strict=True)
    numpy.testing.assert_array_equal(glproc.stack(list(images), by=by), expected, strict=True)


@pytest.mark.parametrize("dtype", WHITE)
def test_sums_and_deviations_are_floats(dtype):
    images = images_of(dtype)
    exact = images.astype("float64") / WHITE[dtype]
    for by, expected in (("sum", exact.sum(0)), ("stddev", exact.std(0))):
        result = glproc.stack(images, by=by)
        assert result.dtype == "float32"
        numpy.testing.assert_allclose(result, expected, rtol=1e-6, atol=1e-7)


def test_weights_and_places():
    images = images_of("uint8", 3)[:, ::-1, ::2]  # with strides of their own
    expected = numpy.rint((images * numpy.array([1, 0, 3.0])[:, None, None, None]).sum(0) / 4)
    numpy.testing.assert_array_equal(glproc.stack(images, weights=(1, 0, 3)), expected)
    out = images[0].copy()
    glproc.stack([out, images[1], images[2]], by="max", out=out)
    numpy.testing.assert_array_equal(out, images.max(0))
    grey = images_of("uint16", 4, (9, 5))
    assert glproc.stack(grey).shape == (9, 5)


def test_what_is_no_stack():
    images = list(images_of("uint8"))
    for wrong in (3, [], numpy.zeros((4,), "uint8")):
        with pytest.raises(ValueError, match="stack: a list of images"):
            glproc.stack(wrong)
    with pytest.raises(glproc.UsageError, match="image 3 of the stack is 37x22"):
        glproc.stack([images[0], images[1], images[2][1:]])
    with pytest.raises(glproc.UsageError, match="2 weights for 6 images"):
        glproc.stack(images, weights=(1, 2))
    with pytest.raises(glproc.UsageError, match="median"):
        glproc.stack(images, by="medain")


def test_is_a_function_alone():
    assert next(iter(inspect.signature(glproc.stack).parameters)) == "images"
    assert "images : list of arrays" in glproc.stack.__doc__
    assert not hasattr(glproc.Image, "stack") and not hasattr(glproc.Chain, "stack")
