#!/usr/bin/python3
"""A program for scipy.ndimage, and the same with the import changed: finds objects, measures them, and tells apart those that touch.

    examples/objects.py [IMAGE] [--shape 64 128 128] [--runs N]

It does so on a photo and on a volume of blobs, by SciPy and by glproc.ndimage in turn, and compares all results bit for bit.
"""

import argparse
import time
import warnings

import numpy
import scipy.ndimage

import glproc
from glproc import ndimage


def objects(ndimage, image):
    """Smooth, threshold, clean, label, measure, distance, watershed."""
    soft = ndimage.gaussian_filter(image.astype(numpy.float32), 2)
    mask = soft > soft.mean() + soft.std() / 2
    mask = ndimage.binary_fill_holes(ndimage.binary_opening(mask, iterations=2))
    labels, count = ndimage.label(mask)
    index = numpy.arange(1, count + 1)
    distance = ndimage.distance_transform_edt(mask)
    peaks = mask & (distance == ndimage.maximum_filter(distance, size=9))
    markers, _ = ndimage.label(peaks, numpy.ones((3,) * image.ndim))
    markers[~mask] = -1  # the background
    height = numpy.uint16(distance.max() * 16 - distance * 16)
    return {
        "soft": soft, "mask": mask, "labels": labels, "area": ndimage.sum_labels(mask, labels, index),
        "mean": ndimage.mean(image, labels, index), "deviation": ndimage.standard_deviation(image, labels, index),
        "brightest": ndimage.maximum_position(image, labels, index), "centre": ndimage.center_of_mass(mask, labels, index),
        "boxes": ndimage.find_objects(labels), "distance": distance, "markers": markers, "parts": ndimage.watershed_ift(height, markers),
    }  # fmt: skip


def blobs(shape):
    """A volume of bright balls, some of which touch, and noise."""
    random = numpy.random.default_rng(1)
    seeds = numpy.zeros(shape, numpy.float32)
    seeds[tuple(random.integers(0, shape, (max(seeds.size // 6000, 3), len(shape))).T)] = 1
    balls = scipy.ndimage.gaussian_filter(seeds, 4)
    return numpy.uint16(balls / balls.max() * 40000 + random.random(shape, numpy.float32) * 4000)


def same(ours, theirs):
    if isinstance(ours, numpy.ndarray):
        return ours.dtype == theirs.dtype and ours.tobytes() == theirs.tobytes()
    return ours == theirs


def compare(name, image, runs):
    """Prints the least times of both in turn."""
    times = {"SciPy": [], "glproc": []}
    for _ in range(runs):
        made = {}
        for who, module in (("SciPy", scipy.ndimage), ("glproc", ndimage)):
            begin = time.perf_counter()
            made[who] = objects(module, image)
            times[who].append(time.perf_counter() - begin)
        for what, theirs in made["SciPy"].items():
            assert same(made["glproc"][what], theirs), f"{name}: {what} differs"
    least = ", ".join(f"{who} {1000 * min(seconds):.0f} ms" for who, seconds in times.items())
    print(f"{name} {'x'.join(map(str, image.shape))}: {made['SciPy']['labels'].max()} objects, the same bits; {least}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("image", nargs="?", default="data/sample.png", help="any file that glproc reads")
    parser.add_argument("--shape", nargs=3, type=int, default=[64, 128, 128], help="of the volume")
    parser.add_argument("--runs", type=int, default=3, help="of which the quickest counts")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", ndimage.FallbackWarning)  # of watershed_ift, which SciPy does
    compare("photo", glproc.gray(glproc.read(arguments.image)), arguments.runs)
    compare("volume", blobs(arguments.shape), arguments.runs)


if __name__ == "__main__":
    main()
