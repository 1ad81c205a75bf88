"""Labels, masks and measures of objects beside scipy.ndimage and scikit-image."""

import numpy
import pytest

import glproc

ndimage = pytest.importorskip("scipy.ndimage")

STRUCTURES = {4: ndimage.generate_binary_structure(2, 1), 8: numpy.ones((3, 3))}


def snake(height, width):
    """One line that comes by every other row."""
    y, x = numpy.mgrid[:height, :width]
    return (y % 2 == 0) | ((y % 4 == 1) & (x == width - 1)) | ((y % 4 == 3) & (x == 0))


def spiral(height, width):
    mask = numpy.zeros((height, width), bool)
    top, left, bottom, right = 0, 0, height - 1, width - 1
    while top <= bottom and left <= right:
        mask[top, max(left - 1, 0) : right + 1] = True
        mask[top : bottom + 1, right] = True
        mask[bottom, left : right + 1] = True
        mask[top + 2 : bottom + 1, left] = True
        top, left, bottom, right = top + 2, left + 2, bottom - 2, right - 2
    return mask


def masks():
    random = numpy.random.default_rng(7)
    for shape in [(1, 1), (1, 77), (65, 1), (33, 64), (64, 131)]:
        y, x = numpy.mgrid[: shape[0], : shape[1]]
        yield from (numpy.zeros(shape, bool), numpy.ones(shape, bool), (x + y) % 2 == 0, (x % 2 == 0) | (y == shape[0] - 1))
        yield from ((y % 2 == 0) | (x == shape[1] - 1), snake(*shape), snake(*shape[::-1]).T, spiral(*shape))
    for _ in range(250):
        shape = random.integers(1, 90, 2)
        noise = random.random(shape)
        if random.random() < 0.5:
            noise = ndimage.uniform_filter(noise, 3)
        yield noise < numpy.quantile(noise, random.choice([0.02, 0.3, 0.5, 0.593, 0.8, 0.98]))


@pytest.mark.parametrize("memory", [0, 1 << 14], ids=["whole", "bands"])
@pytest.mark.parametrize("connectivity", [4, 8])
def test_labels(connectivity, memory):
    with glproc.Context(memory=memory):
        for mask in masks():
            image = mask.astype("uint8")
            labels = glproc.components(image, connectivity=connectivity, product="array")
            expected, count = ndimage.label(mask, STRUCTURES[connectivity])
            numpy.testing.assert_array_equal(labels, expected)
            assert labels.dtype == numpy.uint32
            assert glproc.components(image, connectivity=connectivity)["count"] == count


def test_holes_and_choices():
    for mask in list(masks())[::9]:
        for connectivity, other in ((4, 8), (8, 4)):
            filled = ndimage.binary_fill_holes(mask, STRUCTURES[other])
            got = glproc.components(mask.astype("uint8"), connectivity=connectivity, fill_holes=True, product="image")
            numpy.testing.assert_array_equal(got, filled * numpy.uint8(255))
            labels, _ = ndimage.label(mask, STRUCTURES[connectivity])
            areas = numpy.bincount(labels.ravel())
            kept = (areas[labels] >= 5) & mask
            got = glproc.components(mask.astype("uint8"), connectivity=connectivity, min_area=5, product="image")
            numpy.testing.assert_array_equal(got, kept * numpy.uint8(255))


def test_measures():
    measure = pytest.importorskip("skimage.measure")
    names = {"area": "area", "left": "bbox-1", "top": "bbox-0", "x": "centroid-1", "y": "centroid-0", "major": "axis_major_length",
             "minor": "axis_minor_length", "eccentricity": "eccentricity", "perimeter": "perimeter", "euler": "euler_number",
             "hull_area": "area_convex", "solidity": "solidity", "extent": "extent", "mean": "intensity_mean", "min": "intensity_min", "max": "intensity_max"}  # fmt: skip
    properties = sorted({name.split("-")[0] for name in names.values()})
    random = numpy.random.default_rng(3)
    for mask in list(masks())[::7]:
        values = random.integers(0, 65536, mask.shape).astype("uint16")
        for connectivity, structure in STRUCTURES.items():
            labels, count = ndimage.label(mask, structure)
            if count == 0:
                continue
            expected = measure.regionprops_table(labels, values, properties)
            report = glproc.components(
                mask.astype("uint8"), connectivity=connectivity, with_=values,
                measure="area,box,centroid,axes,orientation,eccentricity,perimeter,euler,hull_area,solidity,extent,mean,min,max",
            )  # fmt: skip
            for ours, theirs in names.items():
                got = [component[ours] for component in report["components"]]
                numpy.testing.assert_allclose(got, expected[theirs], rtol=1e-6, atol=1e-6, err_msg=ours)


def test_spread_of_values():
    random = numpy.random.default_rng(5)
    for mask in list(masks())[::11]:
        values = random.integers(0, 9, (*mask.shape, 3)).astype("uint8")
        labels, count = ndimage.label(mask, STRUCTURES[8])
        report = glproc.components(mask.astype("uint8"), with_=values, measure="median,stddev,mode")
        assert report["count"] == count
        for component in report["components"]:
            for channel, name in enumerate("rgb"):
                seen = values[labels == component["label"], channel]
                assert component[f"median_{name}"] == numpy.median(seen)
                assert component[f"mode_{name}"] == numpy.bincount(seen).argmax()
                numpy.testing.assert_allclose(component[f"stddev_{name}"], seen.std(), rtol=1e-9, atol=1e-9)


def test_filter():
    for mask in list(masks())[::11]:
        image = mask.astype("uint8")
        solid = [c["label"] for c in glproc.components(image, measure="solidity")["components"] if c["solidity"] > 0.8]
        labels = glproc.components(image, product="array")
        kept = glproc.components(image, keep="solidity > 0.8", product="image")
        numpy.testing.assert_array_equal(kept, numpy.isin(labels, solid) * numpy.uint8(255))
    with pytest.raises(ValueError, match="did you mean solidity"):
        glproc.components(image, keep="solidty > 0.8")


def test_products_that_are_not_made():
    with pytest.raises(ValueError, match="product is"):
        glproc.components(numpy.ones((4, 4), "uint8"), product="table")
    with pytest.raises(TypeError, match="out is for images"):
        glproc.components(numpy.ones((4, 4), "uint8"), out=numpy.ones((4, 4), "uint8"))
