#!/usr/bin/python3
"""Filters a volume that is larger than memory: Gaussian, threshold, opening, and the number of bright values.

    examples/volume.py FOLDER [--shape Z Y X] [--zarr] [--check]

The volume is made first: FOLDER/volume.npy, which is read as a numpy.memmap, or with --zarr FOLDER/volume.zarr. The result is
FOLDER/mask.npy or FOLDER/mask.zarr. It is made in slabs of 256 planes, so that Dask's scheduler cannot keep more than these in
memory. --check compares a part in the middle with the same filters on a piece of the volume.
"""

import argparse
import resource
import time
from pathlib import Path

import dask
import dask.array
import numpy

import glproc.ndimage
from glproc.dask import ndimage

PART = 64
SLAB = 4 * PART


def plane(z, shape):
    """Noise with bright balls 64 values apart, the same for each z whatever the shape."""
    y, x = numpy.ogrid[: shape[1], : shape[2]]
    squared = sum((axis % 64 - 32.0) ** 2 for axis in (z, y, x))
    noise = numpy.random.default_rng(z).integers(0, 400, shape[1:], dtype=numpy.uint16)
    return noise + numpy.where(squared < 100, numpy.uint16(900), numpy.uint16(0))


def make(folder, shape, as_zarr):
    """The volume, plane by plane, and an array of the same kind for the mask."""
    if as_zarr:
        import zarr

        options = {"mode": "w", "shape": shape, "chunks": (PART,) * 3}
        volume = zarr.open_array(str(folder / "volume.zarr"), dtype="uint16", **options)
        mask = zarr.open_array(str(folder / "mask.zarr"), dtype="bool", **options)
    else:
        options = {"mode": "w+", "shape": shape}
        volume = numpy.lib.format.open_memmap(folder / "volume.npy", dtype="uint16", **options)
        mask = numpy.lib.format.open_memmap(folder / "mask.npy", dtype="bool", **options)
    for first in range(0, shape[0], PART):
        volume[first : first + PART] = [plane(z, shape) for z in range(first, min(first + PART, shape[0]))]
    return volume, mask


def bright(volume, filters):
    """The steps, by the filters of Dask arrays or of others."""
    soft = filters.gaussian_filter(volume, sigma=(1, 2, 2), mode="nearest")
    return filters.binary_opening(soft > 600, iterations=2)


def check(volume, mask):
    """Away from the borders the filters need 16 values on each side at most."""
    middle = [slice(max(n // 2 - 20, 0), n // 2 + 20) for n in volume.shape]
    around = [slice(max(one.start - 16, 0), one.stop + 16) for one in middle]
    inside = tuple(slice(one.start - out.start, one.stop - out.start) for one, out in zip(middle, around))
    piece = bright(numpy.asarray(volume[tuple(around)]), glproc.ndimage)
    assert (piece[inside] == mask[tuple(middle)]).all(), "the part differs"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the volume and the result go")
    parser.add_argument("--shape", type=int, nargs=3, default=(1024, 1024, 1024), metavar=("Z", "Y", "X"), help="of the volume")
    parser.add_argument("--zarr", action="store_true", help="zarr stores instead of .npy files")
    parser.add_argument("--check", action="store_true", help="compare a part with the filters on a piece")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    volume, mask = make(arguments.folder, tuple(arguments.shape), arguments.zarr)
    print(f"{volume.size * 2 / 1e9:.2f} GB, {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB of memory so far")
    begin = time.perf_counter()
    parts = dask.array.from_array(volume, chunks=PART)
    with dask.config.set(scheduler="threads", num_workers=2):
        result = bright(parts, ndimage)
        for first in range(0, volume.shape[0], SLAB):
            slab = slice(first, min(first + SLAB, volume.shape[0]))
            dask.array.store(result[slab], mask, regions=(slab,))
        count = int(dask.array.from_array(mask, chunks=PART).sum().compute())
    print(f"{time.perf_counter() - begin:.1f} s, {count} bright values")
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB of memory at most")
    if arguments.check:
        check(volume, mask)
        print("the part in the middle is the same")


if __name__ == "__main__":
    main()
