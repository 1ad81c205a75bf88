"""Distances to the nearest 0, and its index. The bits are those of SciPy, and so is the choice among zeros equally near."""

import math

import numpy

from . import _contexts, _glproc, _ndimage_support
from ._ndimage_morphology import binary_dilation, generate_binary_structure
from ._ndimage_support import array_of, each_of, refuse, tight

_METRICS = {
    "euclidean": "euclidean", "taxicab": "taxicab", "cityblock": "taxicab", "manhattan": "taxicab", "chessboard": "chessboard",
}  # fmt: skip


def _check_wishes(return_distances, return_indices, distances, indices):
    errors = []
    if not return_distances and not return_indices:
        errors.append("at least one of return_distances/return_indices must be True")
    if isinstance(distances, numpy.ndarray) and not return_distances:
        errors.append("return_distances must be True if distances is supplied")
    if isinstance(indices, numpy.ndarray) and not return_indices:
        errors.append("return_indices must be True if indices is supplied")
    if errors:
        raise RuntimeError(", ".join(errors))


def _mask_of(input):
    """1 where the input is not 0."""
    input = array_of(input)
    if input.dtype.kind not in "biufc":
        refuse("input", f"the type {input.dtype.name}")
    return tight(input != 0).view(numpy.uint8)


def _check_result(array, name, shape, dtype):
    if array.shape != shape:
        raise RuntimeError(f"{name} array has wrong shape")
    if array.dtype.type != dtype:
        raise RuntimeError(f"{name} array must be {numpy.dtype(dtype).name}")


def _sampling_of(sampling, rank):
    """One for each axis."""
    sampling = [1.0] * rank if sampling is None else [float(one) for one in each_of(sampling, rank)]
    if not all(map(math.isfinite, sampling)):
        refuse("sampling", "infinite")
    return sampling


def _room(output, shape, dtype, make=numpy.empty):
    """Where the engine writes: the output itself, or an array of its own."""
    if isinstance(output, numpy.ndarray) and output.flags.c_contiguous and output.flags.writeable and output.dtype.isnative:
        return output
    return make(shape, dtype)


def _results(*pairs):
    """Those that were made, and not written into an array of the caller's, each of (made, output)."""
    for made, output in pairs:
        if made is not None and isinstance(output, numpy.ndarray) and made is not output:
            output[...] = made
    made = [made for made, output in pairs if made is not None and not isinstance(output, numpy.ndarray)]
    return tuple(made) if len(made) > 1 else made[0] if made else None


def distance_transform_edt(
    input, sampling=None, return_distances=True, return_indices=False, distances=None, indices=None
):  # fmt: skip
    """Measure straight distances to the nearest 0."""
    _check_wishes(return_distances, return_indices, distances, indices)
    mask = numpy.atleast_1d(_mask_of(input))
    sampling = _sampling_of(sampling, mask.ndim)
    shape = (mask.ndim, *mask.shape)
    if isinstance(indices, numpy.ndarray):
        _check_result(indices, "indices", shape, numpy.int32)
    if isinstance(distances, numpy.ndarray):
        _check_result(distances, "distances", mask.shape, numpy.float64)
    # Values that nothing was written to may be read, though not used.
    places = _room(indices, shape, numpy.int32, numpy.zeros) if return_indices else None
    lengths = _room(distances, mask.shape, numpy.float64) if return_distances else None
    if mask.size == 0:
        pass
    elif mask.all():
        places, lengths = _without_zeros(mask.shape, sampling, indices, lengths)
    elif return_indices:
        _glproc.euclidean(mask, sampling, places, lengths)
    else:
        _contexts.session().distances(mask, sampling, lengths, _ndimage_support.method)
    return _results((lengths, distances), (places if return_indices else None, indices))


def _without_zeros(shape, sampling, indices, lengths):
    """SciPy's answer is the distance from the index -1 of the first axis, and whatever was in the others."""
    places = indices if isinstance(indices, numpy.ndarray) else numpy.zeros((len(shape), *shape), numpy.int32)
    places[0] = -1
    if lengths is None:
        return places, None
    squares = numpy.zeros(shape)
    for place, index, one in zip(places, numpy.indices(shape, numpy.int32, sparse=True), sampling):
        apart = (place - index).astype(numpy.float64) * one
        squares += apart * apart
    return places, numpy.sqrt(squares, out=lengths)


class UnknownMetric(RuntimeError, ValueError):
    """A metric of another name. SciPy 1.10 raises RuntimeError, 1.15 ValueError."""


def _steps_of(metric, rank):
    """The first half of a box of 3 along each axis. SciPy takes the bytes of other types for its elements."""
    if isinstance(metric, str):
        kind = _METRICS.get(metric)
        if kind not in ("taxicab", "chessboard"):
            raise UnknownMetric("invalid metric provided")
        metric = generate_binary_structure(rank, 1 if kind == "taxicab" else rank)
    metric = numpy.asarray(metric)
    if any(size != 3 for size in metric.shape):
        raise RuntimeError("metric sizes must be equal to 3")
    if metric.ndim != rank:
        raise RuntimeError("metric and input must have equal rank")
    if metric.dtype.hasobject:
        refuse("metric", "objects")
    return numpy.ascontiguousarray(metric).view(numpy.uint8).ravel()[: metric.size // 2].copy()


def distance_transform_cdt(
    input, metric="chessboard", return_distances=True, return_indices=False, distances=None, indices=None
):  # fmt: skip
    """Measure distances to the nearest 0 in steps between neighbours."""
    _check_wishes(return_distances, return_indices, distances, indices)
    if numpy.ndim(input) == 0:
        refuse("input", "an array of no axes")
    mask = _mask_of(input)
    steps = _steps_of(metric, mask.ndim)
    if isinstance(distances, numpy.ndarray):
        if distances.dtype.type != numpy.int32:
            raise RuntimeError("distances must be of int32 type")
        if distances.shape != mask.shape:
            raise RuntimeError("distances has wrong shape")
    _check_indices(indices, mask.shape)
    lengths = _room(distances, mask.shape, numpy.int32)
    places = numpy.arange(mask.size, dtype=numpy.int32).reshape(mask.shape) if return_indices else None
    if mask.size:
        _glproc.chamfer(mask, steps, lengths, places)
    places = _indices_of(places, indices, mask.shape)
    return _results((lengths if return_distances else None, distances), (places, indices))


def _check_indices(indices, shape):
    if isinstance(indices, numpy.ndarray):
        if indices.dtype.type != numpy.int32:
            raise RuntimeError("indices array must be int32")
        if indices.shape != (len(shape), *shape):
            raise RuntimeError("indices array has wrong shape")


def _indices_of(places, indices, shape):
    """The indices of places in C order, one array for each axis."""
    if places is None:
        return None
    if isinstance(indices, numpy.ndarray):
        # SciPy takes the indices from the array that it is given, which are the right ones if the caller filled it with them.
        for axis, plane in enumerate(indices):
            indices[axis] = numpy.ravel(plane)[places]
        return indices
    made = numpy.empty((len(shape), *shape), numpy.int32)
    if places.size:
        _glproc.indices(places, list(shape), made)
    return made


def distance_transform_bf(
    input, metric="euclidean", sampling=None, return_distances=True, return_indices=False, distances=None, indices=None
):  # fmt: skip
    """Measure distances to the nearest 0 by trying all zeros next to other values. It is slow on large arrays."""
    _check_wishes(return_distances, return_indices, distances, indices)
    if numpy.ndim(input) == 0:
        refuse("input", "an array of no axes")
    mask = _mask_of(input)
    kind = _METRICS.get(metric.lower())
    if kind is None:
        raise RuntimeError("distance metric not supported")
    sampling = _sampling_of(sampling, mask.ndim)
    dtype = numpy.float64 if kind == "euclidean" else numpy.uint32
    if isinstance(distances, numpy.ndarray):
        _check_result(distances, "distances", mask.shape, dtype)
    _check_indices(indices, mask.shape)
    lengths = _room(distances, mask.shape, dtype) if return_distances else None
    places = numpy.empty(mask.shape, numpy.int32) if return_indices else None
    if mask.size:
        near = binary_dilation(mask, generate_binary_structure(mask.ndim, mask.ndim))
        borders = numpy.flatnonzero(near.view(numpy.uint8) != mask).astype(numpy.int64)
        _glproc.brute_force(mask, kind, sampling, borders, lengths, places)
    places = _indices_of(places, indices, mask.shape)
    return _results((lengths, distances), (places, indices))
