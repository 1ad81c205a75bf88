"""Filters by a footprint: each value from others around it. Their bits are those of SciPy."""

import operator

import numpy

from . import _contexts, _ndimage_single, _ndimage_support
from ._ndimage_lines import box_extreme
from ._ndimage_support import Refused, array_of, axes_of, border_of, complex_of, each_of, into, output_of, real_of, refuse, tight, warn
from ._ndimage_versions import ranks_lines_alone
from .errors import DeviceError, GpuError

#: Smaller images are done before they would have reached the GPU.
_fewest_pixels = 1 << 14

#: So many neighbours are sorted in a GPU's registers, see arrays/footprints/gpu.cpp.
_most_sorted = 27


def _run(input, output, what, border, cval, offsets, weights, rank=0):
    offsets = numpy.ascontiguousarray(offsets if input.ndim else numpy.zeros((len(offsets), 1)), numpy.int64)
    weights = numpy.ascontiguousarray(weights, numpy.float64)

    job = {"what": what, "border": border, "constant": cval, "offsets": offsets, "weights": weights, "rank": rank}
    return into(output, input, lambda source, result: _contexts.session().footprint(source, result, job, _ndimage_support.method))


def _one_mode(mode):
    if not isinstance(mode, str):
        raise RuntimeError("A sequence of modes is not supported for footprints")
    return border_of(mode)


def _origins(origin, shape):
    """One for each axis, within the footprint."""
    origins = [int(one) for one in each_of(origin, len(shape))]
    if not all(0 <= size // 2 + one < size for one, size in zip(origins, shape)):
        raise ValueError("invalid origin")
    return origins


def opposite(origins, shape):
    """Where the middle lies when a footprint is turned around."""
    return [-int(origin) - 1 + int(size) % 2 for origin, size in zip(origins, shape)]


def _offsets(used, origins):
    """Of the values that a footprint uses, in the order of its elements."""
    middle = [size // 2 + origin for size, origin in zip(used.shape, origins)]
    return numpy.argwhere(used) - numpy.array(middle, numpy.int64)


def correlate(input, weights, output=None, mode="reflect", cval=0.0, origin=0):
    """Correlate with weights."""
    return _weigh(input, numpy.asarray(weights), output, mode, cval, origin, False)


def convolve(input, weights, output=None, mode="reflect", cval=0.0, origin=0):
    """Convolve with weights."""
    return _weigh(input, numpy.asarray(weights), output, mode, cval, origin, True)


def _weigh(input, weights, output, mode, cval, origin, is_turned):
    input = array_of(input)
    if input.dtype.kind == "c" or weights.dtype.kind == "c":
        weights = weights if is_turned else weights.conj()

        def part(values, by, to, constant):
            return _weigh(values, by, to, mode, constant, origin, is_turned)

        return complex_of(part, input, weights, output, cval)
    weights = numpy.ascontiguousarray(weights, numpy.float64)
    if weights.size == 0 and numpy.count_nonzero(weights.shape) == input.ndim:
        refuse("weights", "of no elements")
    if weights.ndim != input.ndim or 0 in weights.shape:
        raise RuntimeError("filter weights array has incorrect shape.")
    origins = each_of(origin, input.ndim)
    if is_turned:
        weights = weights[(slice(None, None, -1),) * weights.ndim]
        origins = opposite(origins, weights.shape)
    origins = _origins(origins, weights.shape)
    output = output_of(output, input)
    used = numpy.abs(weights) > numpy.finfo(numpy.float64).eps  # SciPy leaves others out
    return _run(input, output, "sum", _one_mode(mode), real_of(cval), _offsets(used, origins), weights[used])


def minimum_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """Take the least values in a window."""
    return _extreme("minimum", input, size, footprint, None, output, mode, cval, origin, axes)


def maximum_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """Take the largest values in a window."""
    return _extreme("maximum", input, size, footprint, None, output, mode, cval, origin, axes)


def _extreme(what, input, size, footprint, structure, output, mode, cval, origin, axes=None):
    if size is not None and footprint is not None:
        warn("ignoring size because footprint is set")
    input = array_of(input)
    if structure is None and footprint is None:
        if size is None:
            raise RuntimeError("no footprint provided")
        return box_extreme(what, input, size, output, mode, cval, origin, axes)
    if structure is not None:
        structure = numpy.asarray(structure, numpy.float64)
        if structure.any():
            refuse("structure", "heights other than 0")
        footprint = numpy.ones(structure.shape, bool) if footprint is None else numpy.asarray(footprint, bool)
        if structure.ndim != input.ndim or footprint.shape != structure.shape:
            raise RuntimeError("structure array has incorrect shape")
    else:
        footprint = numpy.asarray(footprint, bool)
        if not footprint.any():
            raise ValueError("All-zero footprint is not supported.")
        if footprint.all():
            return box_extreme(what, input, footprint.shape, output, mode, cval, origin, axes)
    if input.dtype.kind == "c":
        raise TypeError("Complex type not supported")
    footprint = _on_all_axes(footprint, axes, input.ndim)
    origins = _origins(_spread(origin, axes, input.ndim), footprint.shape)
    output = output_of(output, input)
    if structure is not None and input.dtype.kind == "f" and _has_negative_zero(input):
        refuse("structure", "of zeros, with zeros of both signs")
    return _run(input, output, what, _one_mode(mode), real_of(cval), _offsets(footprint, origins), [])


def _on_all_axes(footprint, axes, rank):
    """A footprint for some axes, with a length of 1 along the others. Its axes are the array's in their order, as SciPy takes them."""
    if axes is not None:
        axes = axes_of(axes, rank)
        if footprint.ndim != len(axes):
            raise RuntimeError(f"footprint array has incorrect shape: footprint.ndim ({footprint.ndim}) must match len(axes) ({len(axes)})")
        footprint = numpy.expand_dims(footprint, tuple(axis for axis in range(rank) if axis not in axes))
    if footprint.ndim != rank or 0 in footprint.shape:
        raise RuntimeError("footprint array has incorrect shape.")
    return footprint


def _spread(values, axes, rank):
    """One for each axis, 0 for those that `axes` leaves out. Where it leaves out none they are in the array's order, as SciPy's are."""
    if axes is None:
        return values
    axes = axes_of(axes, rank)
    if len(axes) == rank:
        return each_of(values, rank)
    spread = [0] * rank
    for axis, value in zip(axes, each_of(values, len(axes))):
        spread[axis] = value
    return spread


def _has_negative_zero(array):
    return bool((numpy.signbit(array) & (array == 0)).any())


def rank_filter(input, rank, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """Take the values of a rank in a window."""
    return _rank(input, lambda count: operator.index(rank), size, footprint, output, mode, cval, origin, axes)


def median_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """Take the middle values in a window. Of an even number it is the upper one."""
    return _rank(input, lambda count: count // 2, size, footprint, output, mode, cval, origin, axes)


def percentile_filter(
    input, percentile, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):  # fmt: skip
    """Take a percentile of the values in a window."""

    def rank(count):
        share = percentile + 100.0 if percentile < 0 else percentile
        if not 0 <= share <= 100:
            raise RuntimeError("invalid percentile")
        return count - 1 if share == 100 else int(float(count) * share / 100.0)

    return _rank(input, rank, size, footprint, output, mode, cval, origin, axes)


def _rank(input, rank_of, size, footprint, output, mode, cval, origin, axes):
    if size is not None and footprint is not None:
        warn("ignoring size because footprint is set")
    input = array_of(input)
    if input.dtype.kind == "c":
        raise TypeError("Complex type not supported")
    if footprint is None:
        if size is None:
            raise RuntimeError("no footprint or filter size provided")
        footprint = numpy.ones(each_of(size, len(axes_of(axes, input.ndim))), bool)
    footprint = _on_all_axes(numpy.asarray(footprint, bool), axes, input.ndim)
    origins = _origins(_spread(origin, axes, input.ndim), footprint.shape)
    count = int(footprint.sum())
    rank = rank_of(count)
    rank += count if rank < 0 else 0
    if not 0 <= rank < count:
        raise RuntimeError("rank not within filter footprint size")
    if rank in (0, count - 1):
        return _extreme("maximum" if rank else "minimum", input, None, footprint, None, output, mode, cval, origins)
    if input.dtype.kind == "f" and input.size:
        if numpy.isnan(numpy.min(input)):
            refuse("input", "values that are no number")
        if _has_negative_zero(input):
            refuse("input", "zeros of both signs")
    output = output_of(output, input)
    border = _one_mode(mode)
    if _is_for_the_operation(input, output, footprint, origins):
        return _by_the_operation(input, output, footprint.shape, rank, mode, cval)
    offsets, cval = _offsets(footprint, origins), real_of(cval)
    if input.ndim == 1 and numpy.can_cast(input.dtype, numpy.int64) and ranks_lines_alone():
        return _rank_whole(input, output, border, int(cval), offsets, rank)
    return _run(input, output, "rank", border, cval, offsets, [], rank)


def _rank_whole(input, output, border, cval, offsets, rank):
    """The same of whole numbers as int64. Those that doubles may not tell apart go by their places in order."""
    line, values = input.astype(numpy.int64), None
    if input.dtype.itemsize == line.dtype.itemsize:
        values, places = numpy.unique(numpy.append(line, numpy.int64(cval)), return_inverse=True)
        line, cval = places[:-1], places[-1]
    ranked = _run(line, numpy.empty_like(line), "rank", border, cval, offsets, [], rank)
    numpy.copyto(output, ranked if values is None else values[ranked], casting="unsafe")
    return output


def _is_for_the_operation(input, output, footprint, origins):
    """Whether glproc's operation on images has the same results and is faster."""
    is_image = input.ndim == 2 and input.dtype in (numpy.uint8, numpy.uint16) and output.dtype == input.dtype
    is_box = footprint.all() and all(size % 2 == 1 and size < 256 for size in footprint.shape) and not any(origins)
    return is_image and is_box and input.size >= _fewest_pixels and not _gpu_sorts(input, footprint)


def _gpu_sorts(input, footprint):
    """Whether a GPU sorts the neighbours of the array as it is, which takes less than to make an image of it."""
    if _ndimage_support.method == "cpu" or footprint.size > _most_sorted or input.size < _ndimage_support._fewest_values_for_gpu:
        return False
    try:
        return not _contexts.session().device()["software"]
    except (DeviceError, GpuError):
        return False


def _by_the_operation(input, output, shape, rank, mode, cval):
    # The middle of the percentiles that mean this rank.
    percentile = min(100 * (rank + 0.5) / (shape[0] * shape[1]), 100)
    try:
        output[...] = _ndimage_single.percentile_filter(tight(input), percentile, shape, None, None, mode, int(cval))
        return output
    except (Refused, DeviceError, GpuError):
        offsets = _offsets(numpy.ones(shape, bool), [0, 0])
        return _run(input, output, "rank", border_of(mode), real_of(cval), offsets, [], rank)
