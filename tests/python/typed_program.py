"""A program as people write it, which mypy --strict must take. test_types.py also runs it."""

import importlib
import io
from typing import Any

import numpy
from numpy.typing import NDArray

import glproc
from glproc import ndimage


def cells(photo: NDArray[numpy.uint8]) -> list[tuple[float, float]]:
    """Centres of bright spots, and their mean brightness in the last place."""
    grey = glproc.gray(photo)
    soft = ndimage.gaussian_filter(grey, 2, mode="nearest")
    soft = ndimage.gaussian_filter(soft.astype(numpy.float32), sigma=(1, 0.5), mode=["reflect", "wrap"])
    mask = ndimage.binary_opening(soft > soft.mean(), structure=numpy.ones((3, 3)), iterations=2)
    labels, count = ndimage.label(mask)
    same: int = ndimage.label(mask, output=labels)
    assert same == count
    index = numpy.arange(1, count + 1)
    sizes: NDArray[numpy.float64] = ndimage.sum(mask, labels, index)
    means = ndimage.mean(grey, labels, list(range(1, count + 1)))
    assert sizes.shape == means.shape == (count,)
    for box in ndimage.find_objects(labels):
        if box is not None:
            assert labels[box].any()
    middles = ndimage.center_of_mass(grey, labels, index)
    one = ndimage.center_of_mass(grey)
    y, x = one
    assert y > 0 and x > 0
    distances = ndimage.distance_transform_edt(mask)
    distances, indices = ndimage.distance_transform_edt(mask, return_indices=True)
    assert indices.shape == (2, *distances.shape)
    half = ndimage.zoom(grey, 0.5, order=1)
    there = ndimage.map_coordinates(half, numpy.indices(half.shape), order=1)
    assert (there == half).all()
    structure = ndimage.iterate_structure(ndimage.generate_binary_structure(2, 1), 2)
    holes = ndimage.binary_fill_holes(ndimage.binary_dilation(mask, structure))
    assert holes.shape == grey.shape
    table: dict[str, str] = ndimage.coverage()
    assert table["label"] == "glproc"
    return [(middle[0], float(mean)) for middle, mean in zip(middles, means)]


def parts(photo: NDArray[numpy.uint8]) -> NDArray[numpy.uint8]:
    """The same on Dask arrays."""
    dask_array: Any = importlib.import_module("dask.array")  # it has no types of its own

    from glproc import dask as glproc_dask
    from glproc.dask import ndimage as dask_ndimage

    whole = dask_array.from_array(photo, chunks=(64, 64, 3))
    soft = glproc_dask.blur(whole, sigma=2)
    median = dask_ndimage.median_filter(soft, size=(3, 3, 1), mode="mirror")
    result: NDArray[numpy.uint8] = numpy.asarray(median)
    return result


if __name__ == "__main__":
    image = glproc.read("data/sample.png")[:128, :200]
    buffer = io.BytesIO()
    glproc.write(buffer, image, format="png")
    assert (glproc.read(buffer.getvalue()) == image).all()
    small = glproc.resize(image, numpy.array([20, 10]))
    assert glproc.blur(small, sigma=numpy.float32(2)).shape == (10, 20, 3)
    assert glproc.box(small, radius=numpy.int64(2)).shape == ndimage.gaussian_filter(small, numpy.float32(1)).shape
    assert len(cells(image)) > 0
    assert parts(image).shape == image.shape
