#!/usr/bin/python3
"""scikit-image on glproc: its functions call scipy.ndimage, whose filters are those of glproc.ndimage for a while.

    examples/skimage_on_glproc.py [IMAGE] [--view]

The results have the same bits as before. --view shows them with napari, if it is installed.
"""

import argparse
import time
import unittest.mock

import numpy
import scipy.ndimage
import skimage.feature
import skimage.filters
import skimage.segmentation

import glproc
from glproc import ndimage


def glproc_filters():
    """scipy.ndimage's functions are glproc's within. What glproc leaves to SciPy still goes to the originals."""
    functions = {name: getattr(ndimage, name) for name in ndimage.coverage() if hasattr(scipy.ndimage, name)}
    return unittest.mock.patch.multiple(scipy.ndimage, **functions)


def steps(grey):
    """What people do with a photo: a Gaussian, edges, local maxima, and regions around them."""
    soft = skimage.filters.gaussian(grey, sigma=8)
    edges = skimage.filters.sobel(soft)
    peaks = skimage.feature.peak_local_max(soft, min_distance=10)
    markers = numpy.zeros(grey.shape, int)
    markers[tuple(peaks.T)] = numpy.arange(1, len(peaks) + 1)
    return {"soft": soft, "edges": edges, "peaks": peaks, "regions": skimage.segmentation.watershed(edges, markers)}


def timed(grey):
    begin = time.perf_counter()
    made = steps(grey)
    return made, time.perf_counter() - begin


def view(grey, made):
    """Layers of a napari window."""
    import napari

    viewer = napari.view_image(grey, name="photo")
    viewer.add_image(made["soft"], name="soft", visible=False)
    viewer.add_labels(made["regions"], name="regions", opacity=0.4)
    viewer.add_points(made["peaks"], name="peaks", size=6)
    napari.run()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("image", nargs="?", default="data/sample.png", help="any file that glproc reads")
    parser.add_argument("--view", action="store_true", help="show the results with napari")
    arguments = parser.parse_args()
    grey = glproc.gray(glproc.read(arguments.image))
    expected, before = timed(grey)
    with glproc_filters():
        made, after = timed(grey)
    for name, array in expected.items():
        assert array.dtype == made[name].dtype and (array == made[name]).all(), f"{name} differs"
    print(f"{', '.join(made)}: the same bits; {before * 1000:.0f} ms, with glproc {after * 1000:.0f} ms")
    if arguments.view:
        view(grey, made)


if __name__ == "__main__":
    main()
