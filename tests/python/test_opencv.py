"""Operations that are OpenCV's, bit for bit: on many images of odd sizes."""

import numpy
import pytest

import glproc

cv2 = pytest.importorskip("cv2")

IMAGES = 200


def images(seed, dtypes, channels=(1,)):
    """Noise, smoothed noise, and a few grey levels: from one pixel up to 150 a side."""
    random = numpy.random.default_rng(seed)
    for i in range(IMAGES):
        height, width = random.integers(1, 150, 2)
        dtype = numpy.dtype(dtypes[i % len(dtypes)])
        depth = channels[i // len(dtypes) % len(channels)]
        image = random.random((height, width, depth))
        if i % 3 == 1:
            image = cv2.GaussianBlur(image, (0, 0), 1 + i % 5).reshape(image.shape)
            image = (image - image.min()) / max(numpy.ptp(image), 1e-9)
        elif i % 3 == 2:
            image = numpy.floor(image * 4) / 4
        image = numpy.rint(image * numpy.iinfo(dtype).max).astype(dtype)
        yield random, image[..., 0] if depth == 1 else image


def test_clahe():
    for random, image in images(7, ["uint8", "uint8", "uint16"]):
        across, down = (int(n) for n in random.integers(1, 13, 2))
        clip = float(random.choice([0, 0.5, 2, 3.7, 40]))
        expected = cv2.createCLAHE(clip, (across, down)).apply(image)
        result = glproc.clahe(image, tiles=(across, down), clip=clip)
        numpy.testing.assert_array_equal(result, expected, err_msg=f"{image.shape} {image.dtype} {across}x{down} {clip}")


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_canny(norm):
    found = 0
    for random, image in images(8, ["uint8"], channels=(1, 1, 3)):
        low, high = (float(t) for t in random.choice([0, 20, 50.5, 100, 200, 400], 2))
        theirs = image if image.ndim == 2 else numpy.ascontiguousarray(image[..., ::-1])
        expected = cv2.Canny(theirs, low, high, L2gradient=norm == "l2")
        result = glproc.canny(image, low=low, high=high, norm=norm)
        numpy.testing.assert_array_equal(result, expected, err_msg=f"{image.shape} {low} {high}")
        found += (expected > 0).sum()
    assert found > 10000
