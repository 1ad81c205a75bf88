"""Morphology of values and of sets, by the filters of _ndimage_footprints. The bits are those of SciPy."""

import operator

import numpy

from . import _contexts, _ndimage_support
from . import _ndimage_footprints as footprints
from ._ndimage_support import array_of, each_of, output_of, refuse, warn


def _turned(array):
    return None if array is None else numpy.asarray(array)[(slice(None, None, -1),) * numpy.ndim(array)]


def grey_erosion(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0):
    """Erode: take the least values in a window."""
    if size is None and footprint is None and structure is None:
        raise ValueError("size, footprint, or structure must be specified")
    return footprints._extreme("minimum", input, size, footprint, structure, output, mode, cval, origin)


def grey_dilation(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0):
    """Dilate: take the largest values in a window that is turned around."""
    if size is None and footprint is None and structure is None:
        raise ValueError("size, footprint, or structure must be specified")
    input = array_of(input)
    given = footprint if footprint is not None else structure
    shape = each_of(size, input.ndim) if given is None else numpy.shape(given)
    origins = footprints.opposite(each_of(origin, input.ndim), shape)
    footprint, structure = _turned(footprint), _turned(structure)
    return footprints._extreme("maximum", input, size, footprint, structure, output, mode, cval, origins)


def _size_or_footprint(size, footprint):
    if size is not None and footprint is not None:
        warn("ignoring size because footprint is set")
        return None
    return size


def grey_opening(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0):
    """Open: erode, then dilate. Bright details smaller than the window disappear."""
    size = _size_or_footprint(size, footprint)
    least = grey_erosion(input, size, footprint, structure, None, mode, cval, origin)
    return grey_dilation(least, size, footprint, structure, output, mode, cval, origin)


def grey_closing(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0):
    """Close: dilate, then erode. Dark details smaller than the window disappear."""
    size = _size_or_footprint(size, footprint)
    largest = grey_dilation(input, size, footprint, structure, None, mode, cval, origin)
    return grey_erosion(largest, size, footprint, structure, output, mode, cval, origin)


def morphological_gradient(
    input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0
):  # fmt: skip
    """Subtract the eroded array from the dilated one."""
    largest = grey_dilation(input, size, footprint, structure, None, mode, cval, origin)
    to = output if isinstance(output, numpy.ndarray) else None
    least = grey_erosion(input, size, footprint, structure, to, mode, cval, origin)
    return numpy.subtract(largest, least, to) if to is not None else largest - least


def morphological_laplace(
    input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0
):  # fmt: skip
    """Add the dilated and the eroded array, and subtract the array twice."""
    input = array_of(input)
    largest = grey_dilation(input, size, footprint, structure, None, mode, cval, origin)
    to = output if isinstance(output, numpy.ndarray) else None
    least = grey_erosion(input, size, footprint, structure, to, mode, cval, origin)
    numpy.add(largest, least, least)
    numpy.subtract(least, input, least)
    return numpy.subtract(least, input, least)


def white_tophat(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0):
    """Subtract the opened array: bright details smaller than the window are left."""
    return _tophat(grey_opening, input, size, footprint, structure, output, mode, cval, origin)


def black_tophat(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0):
    """Subtract the array from the closed one: dark details smaller than the window are left."""
    return _tophat(grey_closing, input, size, footprint, structure, output, mode, cval, origin)


def _tophat(function, input, size, footprint, structure, output, mode, cval, origin):
    input = array_of(input)
    made = function(input, size, footprint, structure, output, mode, cval, origin)
    if input.dtype == bool and made.dtype == bool:
        return numpy.bitwise_xor(input, made, out=made)
    pair = (input, made) if function is grey_opening else (made, input)
    return numpy.subtract(*pair, out=made)


def generate_binary_structure(rank, connectivity):
    """Make a structuring element of neighbours and the middle."""
    if rank < 1:
        return numpy.array(True, dtype=bool)
    return numpy.abs(numpy.indices([3] * rank) - 1).sum(0) <= max(connectivity, 1)


def iterate_structure(structure, iterations, origin=None):
    """Dilate a structuring element by itself."""
    structure, iterations = numpy.asarray(structure), int(iterations)
    if iterations < 2:
        return structure.copy()
    more = iterations - 1
    large = numpy.zeros([size + more * (size - 1) for size in structure.shape], bool)
    large[tuple(slice(more * (size // 2), more * (size // 2) + size) for size in structure.shape)] = structure != 0
    large = binary_dilation(large, structure, iterations=more)
    return large if origin is None else (large, [iterations * one for one in each_of(origin, structure.ndim)])


def binary_erosion(
    input, structure=None, iterations=1, mask=None, output=None, border_value=0, origin=0, brute_force=False
):  # fmt: skip
    """Erode a set: keep values where all under the structure is set."""
    return _eroded(input, structure, iterations, mask, output, border_value, origin, "minimum")


def binary_dilation(
    input, structure=None, iterations=1, mask=None, output=None, border_value=0, origin=0, brute_force=False
):  # fmt: skip
    """Dilate a set: set values where anything under the structure, turned around, is set."""
    input = array_of(input)
    structure = generate_binary_structure(input.ndim, 1) if structure is None else numpy.asarray(structure)
    origins = footprints.opposite(each_of(origin, input.ndim), structure.shape)
    return _eroded(input, _turned(structure), iterations, mask, output, border_value, origins, "maximum")


def _eroded(input, structure, iterations, mask, output, border_value, origin, what):
    try:
        iterations = operator.index(iterations)
    except TypeError as error:
        raise TypeError("iterations parameter should be an integer") from error
    input = array_of(input)
    if input.dtype.kind == "c":
        raise TypeError("Complex type not supported")
    structure = numpy.asarray(generate_binary_structure(input.ndim, 1) if structure is None else structure, bool)
    if structure.ndim != input.ndim:
        raise RuntimeError("structure and input must have same dimensionality")
    if structure.size < 1:
        raise RuntimeError("structure must not be empty")
    if not structure.any():
        refuse("structure", "of no elements")
    if mask is not None:
        mask = numpy.asarray(mask).astype(bool)
        if mask.shape != input.shape:
            raise RuntimeError("mask and input must have equal sizes")
    if isinstance(output, numpy.ndarray) and output.dtype.kind == "c":
        raise TypeError("Complex output type not supported")
    output = output_of(output if isinstance(output, numpy.ndarray) else bool, input)
    origins = footprints._origins(origin, structure.shape)
    if iterations < 1 and spreads_by_parts(structure, origins) and input.size:
        is_less = what == "minimum"
        spread = _spread((input != 0) != is_less, structure, mask, bool(border_value) != is_less)
        output[...] = spread != is_less
        return output
    offsets = footprints._offsets(structure, origins)
    now, kind = input != 0, "all" if what == "minimum" else "any"
    count = 0
    while count < max(iterations, 1) or iterations < 1:
        then = footprints._run(now, numpy.empty(now.shape, bool), kind, "constant", float(bool(border_value)), offsets, [])
        if mask is not None:
            then = numpy.where(mask, then, now)
        is_done = iterations != 1 and bool((then == now).all())  # so it stays, however many are left
        now, count = then, count + 1
        if is_done:
            break
    output[...] = now
    return output


def spreads_by_parts(structure, origin):
    """Whether values that spread until nothing changes fill the connected parts they are in."""
    structure = numpy.asarray(structure, bool)
    is_small = structure.ndim > 0 and structure.shape == (3,) * structure.ndim and not numpy.any(origin)
    return is_small and bool(structure[(1,) * structure.ndim]) and bool((structure == _turned(structure)).all())


def _spread(seeds, structure, mask, has_border):
    """True in all parts of the mask and the seeds that have a seed; values beyond the border are seeds if they are anything."""
    ground = numpy.ones(seeds.shape, bool) if mask is None else mask | seeds
    if has_border:
        ground, seeds = (numpy.pad(array, 1, constant_values=True) for array in (ground, seeds))
    labels = numpy.empty(ground.shape, numpy.int32 if ground.size < 2**31 - 2 else numpy.int64)
    ground, structure = numpy.ascontiguousarray(ground), numpy.ascontiguousarray(structure)
    count = _contexts.session().label(ground, labels, structure, _ndimage_support.method)
    is_reached = numpy.zeros(count + 1, bool)
    is_reached[labels[seeds]] = True
    spread = is_reached[labels]
    return spread[(slice(1, -1),) * spread.ndim] if has_border else spread


def binary_opening(
    input, structure=None, iterations=1, output=None, origin=0, mask=None, border_value=0, brute_force=False
):  # fmt: skip
    """Open a set: erode, then dilate. Parts smaller than the structure disappear."""
    less = binary_erosion(input, structure, iterations, mask, None, border_value, origin, brute_force)
    return binary_dilation(less, structure, iterations, mask, output, border_value, origin, brute_force)


def binary_closing(
    input, structure=None, iterations=1, output=None, origin=0, mask=None, border_value=0, brute_force=False
):  # fmt: skip
    """Close a set: dilate, then erode. Gaps smaller than the structure disappear."""
    more = binary_dilation(input, structure, iterations, mask, None, border_value, origin, brute_force)
    return binary_erosion(more, structure, iterations, mask, output, border_value, origin, brute_force)


def binary_hit_or_miss(input, structure1=None, structure2=None, output=None, origin1=0, origin2=None):
    """Find a pattern: all under one structure is set, and nothing under another one."""
    input = array_of(input)
    structure1 = generate_binary_structure(input.ndim, 1) if structure1 is None else numpy.asarray(structure1)
    structure2 = numpy.logical_not(structure1) if structure2 is None else structure2
    hit = _eroded(input, structure1, 1, None, None, 0, origin1, "minimum")
    made = _eroded(input, structure2, 1, None, output, 0, origin1 if origin2 is None else origin2, "maximum")
    numpy.logical_not(made, made)
    numpy.logical_and(hit, made, made)
    return None if isinstance(output, numpy.ndarray) else made


def binary_propagation(input, structure=None, mask=None, output=None, border_value=0, origin=0):
    """Dilate a set within a mask until nothing changes."""
    return binary_dilation(input, structure, -1, mask, output, border_value, origin)


def binary_fill_holes(input, structure=None, output=None, origin=0):
    """Fill the holes of a set."""
    outside = numpy.logical_not(array_of(input))
    to = output if isinstance(output, numpy.ndarray) else None
    made = binary_dilation(numpy.zeros(outside.shape, bool), structure, -1, outside, to, 1, origin)
    numpy.logical_not(made, made)
    return made if to is None else None
