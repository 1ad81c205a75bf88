"""Filters of Fourier transforms. The bits are those of SciPy."""

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


def _run(input, values, n, axis, output, what):
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
    is_complex = input.dtype.kind == "c"
    # Where the result is of single precision, so may the source be: all is computed in double precision.
    is_single = output.dtype.type in (numpy.float32, numpy.complex64) and input.dtype.type in (numpy.float32, numpy.complex64)
    real, pair = (numpy.float32, numpy.complex64) if is_single else (numpy.float64, numpy.complex128)
    source = tight(input.astype(pair if is_complex else real, copy=False))
    made_type = numpy.dtype(pair if is_complex or what == "shift" else real)
    is_direct = output.dtype == made_type and output.flags.c_contiguous and output.flags.writeable
    is_direct = is_direct and not numpy.may_share_memory(output, source)
    result = output if is_direct else numpy.empty(source.shape, made_type)
    _glproc.fourier(source, list(source.shape), is_complex, is_single, what, values, axis if n > 0 else -1, max(n, 0), result)
    if result is not output:
        with numpy.errstate(over="ignore", under="ignore"):
            output[...] = result
    return output


def fourier_gaussian(input, sigma, n=-1, axis=-1, output=None):
    """Blur with a Gaussian, on the Fourier transform."""
    input = array_of(input)
    output = _output_of(output, input, _REAL)
    return _run(input, sigma, n, axis, output, "gaussian")


def fourier_uniform(input, size, n=-1, axis=-1, output=None):
    """Take means over a box, on the Fourier transform."""
    input = array_of(input)
    output = _output_of(output, input, _REAL)
    return _run(input, size, n, axis, output, "uniform")


def fourier_ellipsoid(input, size, n=-1, axis=-1, output=None):
    """Take means over an ellipsoid, on the Fourier transform."""
    input = array_of(input)
    if input.ndim > 3:
        raise NotImplementedError("Only 1d, 2d and 3d inputs are supported")
    output = _output_of(output, input, _REAL)
    return output if output.size == 0 else _run(input, size, n, axis, output, "ellipsoid")


def fourier_shift(input, shift, n=-1, axis=-1, output=None):
    """Move an array, on its Fourier transform."""
    input = array_of(input)
    output = _output_of(output, input, _COMPLEX)
    return _run(input, shift, n, axis, output, "shift")
