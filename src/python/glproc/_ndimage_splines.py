"""Splines through arrays, and arrays resampled by them. Their bits are those of SciPy."""

import itertools

import numpy

from . import _contexts, _glproc, _ndimage_support
from ._ndimage_support import array_of, axis_of, each_of, has_steps, into, output_of, refuse, tight, warn
from ._ndimage_versions import has_narrow_cosine

_MODES = {
    "constant": "constant", "nearest": "nearest", "mirror": "mirror", "reflect": "reflect", "grid-mirror": "reflect",
    "wrap": "wrap", "grid-wrap": "grid-wrap", "grid-constant": "grid-constant",
}  # fmt: skip
#: How far an array is continued before it is filtered, where the filter has no exact rule for what is beyond.
_padding = 12


def _mode_of(mode):
    if not isinstance(mode, str) or mode not in _MODES:
        raise RuntimeError("boundary mode not supported")
    return _MODES[mode]


def _check_order(order, least=0):
    if order < least or order > 5:
        raise RuntimeError("spline order not supported")


def spline_filter1d(input, order=3, axis=-1, output=numpy.float64, mode="mirror"):
    """Turn values into coefficients of a spline along an axis."""
    _check_order(order)
    input = array_of(input)
    if input.dtype.kind == "c":
        output = output_of(output, input, is_complex=True)
        spline_filter1d(input.real, order, axis, output.real, mode)
        spline_filter1d(input.imag, order, axis, output.imag, mode)
        return output
    output = output_of(output, input)
    if order in (0, 1):
        output[...] = input
        return output
    mode = _mode_of(mode)
    return _filter(input, order, [axis_of(axis, input.ndim)], output, mode)


def spline_filter(input, order=3, output=numpy.float64, mode="mirror"):
    """Turn values into coefficients of a spline. Between axes they have the type of the result."""
    _check_order(order, 2)
    input = array_of(input)
    if input.dtype.kind == "c":
        output = output_of(output, input, is_complex=True)
        spline_filter(input.real, order, output.real, mode)
        spline_filter(input.imag, order, output.imag, mode)
        return output
    output = output_of(output, input)
    if input.ndim == 0:
        output[...] = input
        return output
    return _filter(input, order, list(range(input.ndim)), output, _mode_of(mode))


def _filter(input, order, axes, output, mode):
    return into(output, input, lambda source, result: _glproc.spline_filter(source, result, axes, order, mode))


def _continued(input, order, mode, cval, prefilter):
    """The input as it is filtered, and by how much it reaches beyond what was given."""
    padding = _padding if prefilter and order > 1 and mode in ("nearest", "grid-constant") else 0
    if padding and mode == "nearest":
        input = numpy.pad(input, padding, mode="edge")
    elif padding:
        input = numpy.pad(input, padding, mode="constant", constant_values=cval)
    return input, padding


def _interpolate(source, output, order, mode, cval, prefilter, padding, places, values):
    job = {
        "filters": bool(prefilter and order > 1), "rounds": output.dtype.kind != "b", "order": order, "border": _mode_of(mode),
        "constant": float(cval.real if isinstance(cval, complex) else cval), "padding": float(padding),
        "places": places, "values": numpy.ascontiguousarray(values, numpy.float64),
    }  # fmt: skip
    if source.size == 0 and output.size:
        refuse("input", "an array of no values")

    def make(values_of, result):
        _contexts.session().spline(values_of, result, job, _ndimage_support.method)

    # Of few values not all of the source is read, as a copy would.
    is_few = not job["filters"] and output.size * (order + 1) ** source.ndim < source.size
    is_read_in_place = is_few and _ndimage_support.method != "gpu" and has_steps(source)
    return into(output, source, make, numpy.asarray if is_read_in_place else tight)


def _by_parts(function, input, output, cval, *arguments, **named):
    """Complex arrays, whose parts are resampled one after the other."""
    function(input.real, *arguments, output=output.real, cval=numpy.real(cval), **named)
    function(input.imag, *arguments, output=output.imag, cval=numpy.imag(cval), **named)
    return output


def _checked(input, order, least_rank=1):
    _check_order(order)
    input = array_of(input)
    if input.ndim < least_rank:
        raise RuntimeError("input and output rank must be > 0")
    return input, input.dtype.kind == "c"


def map_coordinates(input, coordinates, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    """Take the values at any places."""
    input, is_complex = _checked(input, order)
    coordinates = numpy.asarray(coordinates)
    if coordinates.dtype.kind == "c":
        raise TypeError("Complex type not supported")
    if coordinates.ndim < 2:
        raise RuntimeError("input and output rank must be > 0")
    if coordinates.shape[0] != input.ndim:
        raise RuntimeError("invalid shape for coordinate array")
    output = output_of(output, input, is_complex, coordinates.shape[1:])
    if is_complex:
        return _by_parts(map_coordinates, input, output, cval, coordinates, order=order, mode=mode, prefilter=prefilter)
    if coordinates.dtype.kind not in "buif" or (coordinates.dtype.kind == "f" and coordinates.dtype.itemsize not in (4, 8)):
        raise RuntimeError("coordinate array data type not supported")
    source, padding = _continued(input, order, mode, cval, prefilter)
    return _interpolate(source, output, order, mode, cval, prefilter, padding, "coordinates", coordinates)


def geometric_transform(
    input, mapping, output_shape=None, output=None, order=3, mode="constant", cval=0.0, prefilter=True,
    extra_arguments=(), extra_keywords=None,
):  # fmt: skip
    """Take the values at places that a function gives."""
    input, is_complex = _checked(input, order)
    output_shape = input.shape if output_shape is None else tuple(output_shape)
    if not output_shape:
        raise RuntimeError("input and output rank must be > 0")
    if not hasattr(mapping, "__call__"):
        refuse("mapping", "functions that are compiled")
    output = output_of(output, input, is_complex, output_shape)
    if is_complex:
        return _by_parts(
            geometric_transform, input, output, cval, mapping, output_shape, order=order, mode=mode, prefilter=prefilter,
            extra_arguments=extra_arguments, extra_keywords=extra_keywords,
        )  # fmt: skip
    source, padding = _continued(input, order, mode, cval, prefilter)
    places = numpy.empty((int(numpy.prod(output_shape)), input.ndim))
    for place, index in zip(places, itertools.product(*map(range, output_shape))):
        found = mapping(index, *extra_arguments, **(extra_keywords or {}))
        for axis in range(input.ndim):
            place[axis] = found[axis]
    return _interpolate(source, output, order, mode, cval, prefilter, padding, "coordinates", places.T)


def affine_transform(
    input, matrix, offset=0.0, output_shape=None, output=None, order=3, mode="constant", cval=0.0, prefilter=True
):  # fmt: skip
    """Take the values at places that a matrix and an offset give."""
    input, is_complex = _checked(input, order)
    if output_shape is None:
        output_shape = output.shape if isinstance(output, numpy.ndarray) else input.shape
    output_shape = tuple(output_shape)
    if not output_shape:
        raise RuntimeError("input and output rank must be > 0")
    output = output_of(output, input, is_complex, output_shape)
    if is_complex:
        return _by_parts(
            affine_transform, input, output, cval, matrix, offset, output_shape, order=order, mode=mode, prefilter=prefilter
        )  # fmt: skip
    source, padding = _continued(input, order, mode, cval, prefilter)
    matrix, offset = _matrix_of(matrix, offset, input, output)
    if matrix.ndim == 1:
        warn("The behavior of affine_transform with a 1-D array supplied for the matrix parameter has changed in SciPy 0.18.0.")
        along = [(numpy.arange(n, dtype=float) + o / m) * m for n, o, m in zip(output.shape, offset, matrix)]
        return _interpolate(source, output, order, mode, cval, prefilter, 0, "along", _with(along, padding))
    rows = numpy.concatenate([matrix, offset[:, None]], axis=1)
    return _interpolate(source, output, order, mode, cval, prefilter, padding, "matrix", rows)


def _matrix_of(matrix, offset, input, output):
    """SciPy's rules for them. Matrices may be homogeneous."""
    matrix = numpy.asarray(matrix, numpy.float64)
    rank = input.ndim
    if matrix.ndim not in (1, 2) or matrix.shape[0] < 1:
        raise RuntimeError("no proper affine matrix provided")
    if matrix.ndim == 2 and matrix.shape[1] == rank + 1 and matrix.shape[0] in (rank, rank + 1):
        expected = [0] * rank + [1]
        if matrix.shape[0] == rank + 1 and not numpy.all(matrix[rank] == expected):
            raise ValueError(
                f"Expected homogeneous transformation matrix with shape {matrix.shape} for image shape {input.shape}, "
                f"but bottom row was not equal to {expected}"
            )
        offset, matrix = matrix[:rank, rank], matrix[:rank, :rank]
    if matrix.shape[0] != rank:
        raise RuntimeError("affine matrix has wrong number of rows")
    if matrix.ndim == 2 and matrix.shape[1] != output.ndim:
        raise RuntimeError("affine matrix has wrong number of columns")
    offset = numpy.asarray(each_of(offset, rank), numpy.float64)
    if offset.ndim != 1 or offset.shape[0] < 1:
        raise RuntimeError("no proper offset provided")
    return matrix, offset


def _with(along, padding):
    """Places along each axis, one axis after another."""
    return numpy.concatenate([places + float(padding) for places in along]) if along else numpy.zeros(0)


def shift(input, shift, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    """Move an array along each axis, by fractions of a value, too."""
    input, is_complex = _checked(input, order)
    output = output_of(output, input, is_complex)
    if is_complex:
        return _by_parts(globals()["shift"], input, output, cval, shift, order=order, mode=mode, prefilter=prefilter)
    source, padding = _continued(input, order, mode, cval, prefilter)
    along = [numpy.arange(n, dtype=float) + float(-one) for n, one in zip(input.shape, each_of(shift, input.ndim))]
    return _interpolate(source, output, order, mode, cval, prefilter, 0, "along", _with(along, padding))


def zoom(input, zoom, output=None, order=3, mode="constant", cval=0.0, prefilter=True, *, grid_mode=False):
    """Resample an array to another size."""
    input, is_complex = _checked(input, order)
    factors = each_of(zoom, input.ndim)
    shape = tuple(int(round(length * factor)) for length, factor in zip(input.shape, factors))
    output = output_of(output, input, is_complex, shape)
    if is_complex:
        function = globals()["zoom"]  # SciPy takes no grid_mode here
        return _by_parts(function, input, output, cval, zoom, order=order, mode=mode, prefilter=prefilter)
    source, padding = _continued(input, order, mode, cval, prefilter)
    if grid_mode and mode in ("constant", "wrap"):
        warn(f"It is recommended to use mode = grid-{mode} instead of {mode} when grid_mode is True.")
    less = 0 if grid_mode else 1
    along = []
    for length, made in zip(input.shape, shape):
        factor = (length - less) / (made - less) if made != less else 1.0
        places = numpy.arange(made, dtype=float)
        along.append((places + 0.5) * factor - 0.5 if grid_mode else places * factor)
    return _interpolate(source, output, order, mode, cval, prefilter, 0, "along", _with(along, padding))


#: Of the sine and the cosine within 45 degrees. Source: S. L. Moshier, Cephes, sindg.c.
_SINE = (
    1.58962301572218447952e-10, -2.50507477628503540135e-8, 2.75573136213856773549e-6, -1.98412698295895384658e-4,
    8.33333333332211858862e-3, -1.66666666666666307295e-1,
)  # fmt: skip
_COSINE = (
    1.13678171382044553091e-11, -2.08758833757683644217e-9, 2.75573155429816611547e-7, -2.48015872936186303776e-5,
    1.38888888888806666760e-3, -4.16666666666666348141e-2, 4.99999999999999999798e-1,
)  # fmt: skip


def _polynomial(x, factors):
    value = factors[0]
    for factor in factors[1:]:
        value = value * x + factor
    return value


def _octant(degrees):
    """The even multiple of 45 degrees that is nearest, and the rest as a sine and a cosine."""
    eighths = numpy.floor(degrees / 45.0)
    octant = int(eighths - 16.0 * numpy.floor(eighths / 16.0))
    if octant % 2 == 1:
        octant += 1
        eighths += 1.0
    rest = (degrees - eighths * 45.0) * 1.74532925199432957692e-2
    square = rest * rest
    sine = rest + rest * (square * _polynomial(square, _SINE))
    return octant % 8, sine, 1.0 - square * _polynomial(square, _COSINE)


def _sine_of(degrees):
    sign = -1.0 if degrees < 0 else 1.0
    octant, sine, cosine = _octant(abs(float(degrees)))
    return (-sign if octant > 3 else sign) * (cosine if octant % 4 in (1, 2) else sine)


def _cosine_of(degrees):
    octant, sine, cosine = _octant(abs(float(degrees)))
    sign = -1.0 if 1 < octant < 6 else 1.0
    return sign * (sine if octant % 4 in (1, 2) else cosine)


def rotate(
    input, angle, axes=(1, 0), reshape=True, output=None, order=3, mode="constant", cval=0.0, prefilter=True
):  # fmt: skip
    """Turn an array in the plane of two axes."""
    input = array_of(input)
    rank = input.ndim
    if rank < 2:
        raise ValueError("input array should be at least 2D")
    axes = list(axes)
    if len(axes) != 2:
        raise ValueError("axes should contain exactly two values")
    if not all(float(axis).is_integer() for axis in axes):
        raise ValueError("axes should contain only integer values")
    axes = [axis + rank if axis < 0 else axis for axis in axes]
    if not all(0 <= axis < rank for axis in axes):
        raise ValueError("invalid rotation plane specified")
    axes.sort()
    cosine, sine = _cosine_of(angle), _sine_of(angle)
    matrix_type = numpy.float32 if has_narrow_cosine(numpy.asarray(angle).dtype) else numpy.float64
    matrix = numpy.array([[cosine, sine], [-sine, cosine]], matrix_type)
    shape = numpy.asarray(input.shape)
    plane = shape[axes]
    made = plane
    if reshape:
        corners = matrix @ [[0, 0, plane[0], plane[0]], [0, plane[1], 0, plane[1]]]
        made = (corners.max(axis=1) - corners.min(axis=1) + 0.5).astype(int)
    offset = (plane - 1) / 2 - matrix @ ((made - 1) / 2)
    shape[axes] = made
    output = output_of(output, input, input.dtype.kind == "c", tuple(int(length) for length in shape))
    others = [[slice(None)] if axis in axes else range(input.shape[axis]) for axis in range(rank)]
    for place in itertools.product(*others):
        affine_transform(input[place], matrix, offset, tuple(made), output[place], order, mode, cval, prefilter)
    return output
