"""glproc.trim, merge and montage beside NumPy."""

import numpy
import pytest

import glproc

WHITE = {"uint8": 255, "uint16": 65535, "float32": 1}


def noise(dtype, shape, seed=1):
    return (numpy.random.default_rng(seed).random(shape) * WHITE[dtype] * 0.7).astype(dtype)


@pytest.mark.parametrize("dtype", WHITE)
def test_trim(dtype):
    image = numpy.full((60, 80, 3), WHITE[dtype], dtype)
    image[10:40, 20:70] = noise(dtype, (30, 50, 3))
    assert (glproc.trim(image) == image[10:40, 20:70]).all()
    assert (glproc.trim(image, margin=3) == image[7:43, 17:73]).all()
    out = numpy.zeros((30, 50, 3), dtype)
    assert glproc.trim(image, background="white", out=out) is out
    assert (out == image[10:40, 20:70]).all()
    assert (glproc.Image(image).trim().numpy() == out).all()
    kept = {"x": 17, "y": 7, "width": 56, "height": 36}
    assert glproc.trim(image, margin=3, product="report")["kept"] == kept
    assert glproc.Image(image).trim(margin=3, product="report")["kept"] == kept
    with pytest.raises(ValueError, match="shape"):
        glproc.trim(image, out=numpy.zeros_like(image))
    with pytest.raises(glproc.OperationError, match="all of the image is border"):
        glproc.trim(image[:9, :9])


@pytest.mark.parametrize("dtype", WHITE)
def test_merge(dtype):
    image = noise(dtype, (23, 37, 4))
    for count in (2, 3, 4):
        channels = [numpy.ascontiguousarray(image[..., c]) for c in range(count)]
        assert (glproc.merge(channels) == image[..., :count]).all()


def test_montage():
    first, second = noise("uint8", (40, 30, 3)), noise("uint8", (40, 30), 2)
    sheet = glproc.montage([first, second], tile="x1", cell=(30, 40), gap=2)
    assert sheet.shape == (44, 66, 3)
    assert (sheet[2:42, 2:32] == first).all()
    assert (sheet[2:42, 34:64] == second[..., None]).all()
    assert (sheet[:2] == 255).all()
