"""Filters of Fourier transforms. The bits are those of SciPy."""

import math
import operator

import numpy

from . import _glproc
from ._ndimage_support import array_of, axis_of, each_of, refuse, tight


def _output_of(output, input, types):
    """The array for the result, of one of these types: those that the input may keep, and last the one for all others."""
    if output is None:
        is_kept = input.dtype.type in types and input.dtype.type is not numpy.float64
        return numpy.zeros(input.shape, input.dtype if is_kept else types[-1])
    if isinstance(output, type):
        if output not in types:
            raise RuntimeError("output type not supported")
        return numpy.zeros(input.shape, output)
    if getattr(output, "shape", None) != input.shape:
        raise RuntimeError("output shape not correct")
    return output


_REAL = (numpy.complex64, numpy.complex128, numpy.float32, numpy.float64)
_COMPLEX = (numpy.complex64, numpy.complex128)


def _frequencies(length, is_half):
    """In steps of the transform: from 0 up, and unless it is half of one, then the negative ones."""
    return [*range(length)] if is_half else [*range((length + 1) // 2), *range(-(length // 2), 0)]


def _run(input, values, n, axis, output, what, table_of):
    """`table_of(value, length, frequencies)` gives the factors along an axis."""
    n, axis = operator.index(n), axis_of(axis, input.ndim)
    if n == 0:
        refuse("n", "0")
    values = [float(value) for value in each_of(values, input.ndim)]
    if not all(abs(value) < 1e300 for value in values):  # times pi it is a number
        refuse("filter", "of infinite size")
    for array, name in ((input, "input"), (output, "output")):
        if array.dtype.kind not in "biufc" or array.dtype.char in "egG":
            refuse(name, f"the type {array.dtype.name}")
    if output.dtype.type not in _REAL or input.dtype.kind == "c" and output.dtype.kind != "c":
        raise RuntimeError("data type not supported")
    if output.size == 0:
        return output
    tables = []
    for i, (value, length) in enumerate(zip(values, input.shape)):
        is_half = i == axis and n > 0
        tables.append(table_of(value, n if is_half else length, _frequencies(length, is_half)))
    is_complex = input.dtype.kind == "c"
    # Where the result is of single precision, so may the source be: all is computed in double precision.
    is_single = output.dtype.type in (numpy.float32, numpy.complex64) and input.dtype.type in (numpy.float32, numpy.complex64)
    real, pair = (numpy.float32, numpy.complex64) if is_single else (numpy.float64, numpy.complex128)
    source = tight(input.astype(pair if is_complex else real, copy=False))
    made_type = numpy.dtype(pair if is_complex or what == "shift" else real)
    is_direct = output.dtype == made_type and output.flags.c_contiguous and output.flags.writeable
    is_direct = is_direct and not numpy.may_share_memory(output, source)
    result = output if is_direct else numpy.empty(source.shape, made_type)
    _glproc.fourier(source, list(source.shape), is_complex, is_single, what, tables, result)
    if result is not output:
        with numpy.errstate(over="ignore", under="ignore"):
            output[...] = result
    return output


def _gaussian(sigma, length, frequencies):
    per_step = sigma * math.pi / length
    exponent = -2.0 * per_step * per_step
    exponents = [exponent * k * k for k in frequencies]
    return [0.0 if abs(one) > 50.0 else math.exp(one) for one in exponents]


def _uniform(size, length, frequencies):
    per_step = math.pi * size / length
    if per_step <= 0:
        return [1.0 if k == 0 else 0.0 for k in frequencies]
    return [math.sin(per_step * k) / (per_step * k) if k != 0 else 1.0 for k in frequencies]


def _radii(size, length, frequencies):
    per_step = math.pi * size / length
    return [per_step * k for k in frequencies]


def _angles(shift, length, frequencies):
    per_step = -2.0 * math.pi * shift / length
    return [per_step * k for k in frequencies]


def fourier_gaussian(input, sigma, n=-1, axis=-1, output=None):
    """Blur with a Gaussian, on the Fourier transform."""
    input = array_of(input)
    output = _output_of(output, input, _REAL)
    return _run(input, sigma, n, axis, output, "product", _gaussian)


def fourier_uniform(input, size, n=-1, axis=-1, output=None):
    """Take means over a box, on the Fourier transform."""
    input = array_of(input)
    output = _output_of(output, input, _REAL)
    return _run(input, size, n, axis, output, "product", _uniform)


def fourier_ellipsoid(input, size, n=-1, axis=-1, output=None):
    """Take means over an ellipsoid, on the Fourier transform."""
    input = array_of(input)
    if input.ndim > 3:
        raise NotImplementedError("Only 1d, 2d and 3d inputs are supported")
    output = _output_of(output, input, _REAL)
    return output if output.size == 0 else _run(input, size, n, axis, output, "ellipsoid", _radii)


def fourier_shift(input, shift, n=-1, axis=-1, output=None):
    """Move an array, on its Fourier transform."""
    input = array_of(input)
    output = _output_of(output, input, _COMPLEX)
    return _run(input, shift, n, axis, output, "shift", _angles)
