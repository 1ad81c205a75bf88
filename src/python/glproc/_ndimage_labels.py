"""Connected parts of arrays, and where they lie. The labels are those of SciPy."""

import operator
import sys

import numpy

from . import _contexts, _glproc, _ndimage_support
from ._ndimage_morphology import generate_binary_structure
from ._ndimage_support import array_of, check_type, refuse, tight

#: Labels of arrays with fewer values fit into 32 bits.
_most_values = 2**31 - 2


def label(input, structure=None, output=None):
    """Number the connected parts of values other than 0."""
    input = array_of(input)
    if input.dtype.kind == "c":
        raise TypeError("Complex type not supported")
    structure = generate_binary_structure(input.ndim, 1) if structure is None else structure
    structure = numpy.asarray(structure, bool)
    if structure.ndim != input.ndim:
        raise RuntimeError("structure and input must have equal rank")
    if any(size != 3 for size in structure.shape):
        raise ValueError("structure dimensions must be equal to 3")
    check_type(input.dtype, "input")
    is_given = isinstance(output, numpy.ndarray)
    if is_given and output.shape != input.shape:
        raise ValueError("output shape not correct")
    output = output if is_given else numpy.empty(input.shape, _label_type(input) if output is None else output)
    if output.dtype.kind == "b":
        refuse("output", "the type bool")
    check_type(output.dtype, "output")
    count = _labelled(input, structure, output)
    return count if is_given else (output, count)


def _label_type(input):
    return numpy.int32 if input.size < _most_values else numpy.intp


def _labelled(input, structure, output):
    if input.size == 0:
        return 0
    if input.ndim == 0:
        output[...] = input != 0
        return int(output)
    if (structure != structure[(slice(None, None, -1),) * structure.ndim]).any():
        raise AssertionError("Structuring element is not symmetric")
    # SciPy numbers parts along the lines that are closest together in the output.
    order = _order(output)
    input, structure, placed = (array.transpose(order) for array in (input, structure, output))
    source = tight(input)
    is_direct = placed.flags.c_contiguous and placed.dtype == _label_type(input) and placed.flags.writeable
    labels = placed if is_direct and not numpy.may_share_memory(placed, source) else numpy.empty(input.shape, _label_type(input))
    count = _contexts.session().label(source, labels, numpy.ascontiguousarray(structure), _ndimage_support.method)
    if labels is not placed:
        _store(labels, placed, count)
    return count


def _order(output):
    """The axes, the one last along which values of the output lie closest together."""
    strides = output.strides
    nearest, least = 0, next((stride for stride in strides if stride != 0), 0)
    for axis in range(1, output.ndim):
        if 0 < strides[axis] < least:
            nearest, least = axis, strides[axis]
    return [axis for axis in range(output.ndim) if axis != nearest] + [nearest]


def _store(labels, output, count):
    output[...] = labels
    fits = (output == labels).all() if output.dtype.kind == "f" else count <= numpy.iinfo(output.dtype).max
    if not fits:
        raise RuntimeError("insufficient bit-depth in requested output type")


def find_objects(input, max_label=0):
    """Find the box around each label."""
    input = array_of(input)
    if input.dtype.kind == "c":
        raise TypeError("Complex type not supported")
    if max_label < 1:
        max_label = input.max()
    count = max(operator.index(max_label.item() if isinstance(max_label, numpy.bool_) else max_label), 0)
    if count > sys.maxsize:
        raise OverflowError("Python int too large to convert to C ssize_t")
    check_type(input.dtype, "input")
    if input.dtype.kind == "f":
        refuse("input", "labels that are no integers")
    if input.size == 0 or count == 0:
        return [None] * count
    if input.ndim == 0:
        return [() if number == input else None for number in range(1, count + 1)]
    return _glproc.boxes(tight(input), count)
