"""How versions of SciPy differ. glproc has the bits of 1.10, or those of the version that is there where this says so."""

import functools
import importlib.metadata
import sys

import numpy

#: Filters that have code of their own for one axis since 1.15.
RANKS = ("median_filter", "percentile_filter", "rank_filter")


@functools.cache
def scipys():
    """The version of SciPy, by two numbers. Without SciPy it is 1.10."""
    try:
        text = sys.modules["scipy"].__version__ if "scipy" in sys.modules else importlib.metadata.version("scipy")
    except importlib.metadata.PackageNotFoundError:
        text = "1.10"
    return tuple(int(number) for number in text.split(".")[:2])


def ranks_lines_alone():
    """Whether ranks along one axis are found by other code than those along several. It compares whole numbers as int64, not as
    doubles. It is wrong about uint64, footprints with holes, results of another type, and windows that are longer than the line."""
    return scipys() >= (1, 15)


def has_narrow_cosine(dtype):
    """Whether the cosine of a number of that type has 32 bits. From 1.15 to 1.17 those of narrower ones are doubles."""
    return dtype.char == "f" or numpy.can_cast(dtype, numpy.float32) and not (1, 15) <= scipys() < (1, 18)
