"""What the functions of ndimage share: SciPy's rules for arguments, and refusals."""

import numbers
import operator
import os
import sys
import warnings
from collections.abc import Iterable

import numpy

from . import _contexts

#: How lines are computed: "auto", "gpu" or "cpu". All give the same bits.
method = "auto"

#: Images of fewer values are done before they would have reached the GPU.
_fewest_values_for_gpu = 1 << 20

_BORDERS = {
    "reflect": "reflect", "grid-mirror": "reflect", "nearest": "nearest", "mirror": "mirror", "wrap": "wrap",
    "grid-wrap": "wrap", "constant": "constant", "grid-constant": "constant",
}  # fmt: skip


class Refused(NotImplementedError):
    """glproc does not do it; SciPy may."""


def refuse(parameter, words):
    raise Refused(f"{parameter}: {words}")


_FOLDER = os.path.dirname(__file__)


def warn(words, category=UserWarning):
    """At the line of the program that called, however deep this is."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_FOLDER):
        frame, level = frame.f_back, level + 1
    warnings.warn(words, category, stacklevel=level)


def array_of(input):
    """The input as an array that is no mask's."""
    if isinstance(input, numpy.ma.MaskedArray) and numpy.ma.is_masked(input):
        refuse("input", "masked arrays, as SciPy ignores the mask")
    return numpy.asarray(input)


def check_type(dtype, parameter):
    """Refuses types that the library has no arrays of; bool is uint8 to it, as to SciPy."""
    if dtype.kind not in "buif" or dtype.itemsize not in ((4, 8) if dtype.kind == "f" else (1, 2, 4, 8)):
        refuse(parameter, f"the type {dtype.name}")


def axis_of(axis, rank):
    """An axis, counted from the first."""
    axis = operator.index(axis)
    if not -rank <= axis < rank:
        raise numpy.AxisError(axis, rank) if hasattr(numpy, "AxisError") else numpy.exceptions.AxisError(axis, rank)
    return axis % rank


def axes_of(axes, rank):
    """Those of an `axes` argument, each once."""
    if axes is None:
        return list(range(rank))
    axes = [axes] if isinstance(axes, numbers.Integral) else list(axes)
    axes = [operator.index(axis) for axis in axes]
    for axis in axes:
        if not -rank <= axis < rank:
            raise ValueError(f"specified axis: {axis} is out of range")
    axes = [axis % rank for axis in axes]
    if len(set(axes)) != len(axes):
        raise ValueError("axes must be unique")
    return axes


def each_of(value, count):
    """One for each axis."""
    if isinstance(value, str) or not isinstance(value, Iterable) or isinstance(value, numpy.ndarray) and not value.ndim:
        return [value] * count
    values = list(value)
    if len(values) != count:
        raise RuntimeError("sequence argument must have length equal to input rank")
    return values


def border_of(mode):
    if not isinstance(mode, str) or mode not in _BORDERS:
        raise RuntimeError("boundary mode not supported")
    return _BORDERS[mode]


def output_of(output, input, is_complex=False, shape=None):
    """The array for the result, which has the shape of the input unless told."""
    shape = input.shape if shape is None else shape
    if output is None:
        if is_complex:
            return numpy.zeros(shape, numpy.promote_types(input.dtype, numpy.complex64))
        return numpy.zeros(shape, input.dtype.newbyteorder("="))
    if isinstance(output, (type, numpy.dtype, str)):
        dtype = numpy.dtype(output)
        if is_complex and dtype.kind != "c":
            if isinstance(output, str):
                raise RuntimeError("output must have complex dtype")
            warn("promoting specified output dtype to complex")
            dtype = numpy.promote_types(dtype, numpy.complex64)
        return numpy.zeros(shape, dtype)
    if output.shape != shape:
        raise RuntimeError("output shape not correct")
    if is_complex and output.dtype.kind != "c":
        raise RuntimeError("output must have complex dtype")
    return output


def tight(array):
    """The values one after another, in native byte order."""
    return numpy.ascontiguousarray(array, array.dtype.newbyteorder("="))


def has_steps(array):
    """Whether the library can read the array where it lies, though its values may not be one after another."""
    return array.flags.aligned and array.dtype.isnative and all(stride % array.itemsize == 0 for stride in array.strides)


def into(output, input, make, pack=tight):
    """Calls make(source, result) with arrays that share no memory, and puts the result into `output`. They are tight, but for a source
    that `pack` leaves as it is.
    """
    check_type(input.dtype, "input")
    check_type(output.dtype, "output")
    if output.size == 0:
        return output
    source = pack(input)
    is_direct = output.flags.c_contiguous and output.flags.writeable and output.dtype.isnative
    is_direct = is_direct and not numpy.may_share_memory(output, source)
    result = output if is_direct else numpy.empty(output.shape, output.dtype.newbyteorder("="))
    make(source, result)
    if not is_direct:
        output[...] = result
    return output


def run_lines(input, output, passes):
    """Passes along lines, one after another; without any the values are copied."""
    if not passes:
        check_type(input.dtype, "input")
        check_type(output.dtype, "output")
        output[...] = input[...]
        return output

    return into(output, input, lambda source, result: _contexts.session().lines(source, result, passes, method))


def real_of(cval):
    """A constant for arrays of real numbers."""
    if isinstance(cval, complex):
        raise ValueError("Cannot provide a complex-valued cval when the input is real.")
    return float(cval)


def complex_of(part, input, weights, output, cval):
    """By real and imaginary parts, added as SciPy adds them. `part(values, weights, output, cval)` does it for real numbers."""
    output = output_of(output, input, is_complex=True)
    if input.dtype.kind == "c" and weights.dtype.kind == "c":
        part(input.real, weights.real, output.real, numpy.real(cval))
        output.real -= part(input.imag, weights.imag, None, numpy.imag(cval))
        part(input.real, weights.imag, output.imag, numpy.real(cval))
        output.imag += part(input.imag, weights.real, None, numpy.imag(cval))
    elif input.dtype.kind == "c":
        part(input.real, weights, output.real, numpy.real(cval))
        part(input.imag, weights, output.imag, numpy.imag(cval))
    else:
        part(input, weights.real, output.real, real_of(cval))
        part(input, weights.imag, output.imag, real_of(cval))
    return output
