"""SciPy's own functions, whatever a program has put in their place, and the calls that they are the better choice for."""

import functools
import inspect
import sys

import numpy

from . import _ndimage_morphology
from ._ndimage_names import MODULES, SCIPYS
from ._ndimage_versions import RANKS, ranks_lines_alone

#: The modules of SciPy that define them. A program that replaces a function does so in scipy.ndimage, so that these keep the original.
_PLACES = ("_filters", "_fourier", "_interpolation", "_measurements", "_morphology")
_NAMES = (*SCIPYS, *(name for names in MODULES.values() for name in names))
_own = {}

#: SciPy itself, where a program has it, does arrays of fewer values: the bits are the same, and calls cost less. Measured by
#: scripts/scipy_times (SciPy 1.10, two cores, 2026-11-27).
few_values = 1 << 12
_few_values_of = {
    "iterate_structure": 0,
    **dict.fromkeys(("extrema", "laplace", "maximum_filter1d", "rotate", "uniform_filter1d", "value_indices", *MODULES["fourier"]), 1 << 13),
}
#: It goes on where the last iteration changed something, so many iterations are quick.
_few_iterations = 3
#: Of all values at once both ask NumPy.
_NUMPYS = {
    "maximum", "maximum_position", "mean", "median", "minimum", "minimum_position", "standard_deviation", "sum", "sum_labels", "variance",
}  # fmt: skip
#: They have iterations, or go on until nothing changes.
_ITERATED = {
    "binary_closing", "binary_dilation", "binary_erosion", "binary_fill_holes", "binary_opening", "binary_propagation",
}  # fmt: skip
#: Of few values they are right whatever is asked of them: _fails() knows nothing of them.
_SAFE = {*MODULES["lines"], *MODULES["labels"], *MODULES["distance"], *MODULES["fourier"]}
#: But for the size that is their second argument.
_SIZED = {"fourier_uniform", "maximum_filter1d", "minimum_filter1d", "uniform_filter", "uniform_filter1d"}
_SPLINES, _MEASURES = set(MODULES["splines"]), set(MODULES["measures"])
#: SciPy reads beyond an array that is moved this far.
_farthest = 2.0**52


def keep():
    """Note SciPy's functions, if it is imported, before a program puts glproc's in their place."""
    for place in _PLACES:
        module = sys.modules.get(f"scipy.ndimage.{place}")
        for name in () if module is None else _NAMES:
            function = getattr(module, name, None)
            if function is not None and getattr(function, "__module__", "").split(".")[0] != __package__:
                _own.setdefault(name, function)
    return _own


def function_of(name):
    """SciPy's function, or None where there is no SciPy, or an older one."""
    if not (_own or keep()):
        _import()
    return keep().get(name)


def _import():
    """Import SciPy, for which a program may have put glproc.ndimage into sys.modules."""
    replaced = sys.modules.get("scipy.ndimage")
    replaced = replaced if getattr(replaced, "__package__", "") == __package__ else None
    if replaced is not None:
        del sys.modules["scipy.ndimage"]
    try:
        import scipy.ndimage
    except ImportError:
        return
    finally:
        if replaced is not None:
            sys.modules["scipy.ndimage"] = replaced
    if replaced is not None:
        scipy.ndimage = replaced


def fitting(function, named):
    """The parameters that this version of SciPy has, or None where another one is given, and is not None."""
    known = inspect.signature(function).parameters
    if any(name not in known and value is not None for name, value in named.items()):
        return None
    return {name: value for name, value in named.items() if name in known}


def quicker(name, ours, arguments, named):
    """SciPy's function if it is there and quicker than `ours`. This is asked in each call, and so it must be short."""
    theirs = _own.get(name) or not _own and keep().get(name)
    if not theirs or "axes" in named:  # older versions have no axes
        return None
    array = arguments[0] if arguments else named.get("arr" if name == "value_indices" else "input")
    if not isinstance(array, numpy.ndarray):
        return None
    if name in _NUMPYS and (arguments[1] if len(arguments) > 1 else named.get("labels")) is None:
        return theirs
    if array.size < _few_values_of.get(name, few_values):
        if name in _SIZED:
            return None if _is_huge(arguments[1] if len(arguments) > 1 else named.get("size")) else theirs
        if name in _SAFE or not _fails(name, array, ours, arguments, named):
            return theirs
    elif name in _ITERATED and _has_many_iterations(name, _given(ours, arguments, named)):
        return None if _fails(name, array, ours, arguments, named) else theirs
    return None


def _given(ours, arguments, named):
    return {**dict(zip(ours.__code__.co_varnames, arguments)), **named}


def _fails(name, array, ours, arguments, named):
    """Where SciPy ends the process, or overwrites values that it still needs."""
    if name in _SPLINES:
        if any([_share(array, other) for other in arguments[1:]]) or any([key != "input" and _share(array, other) for key, other in named.items()]):
            return True
        return name == "shift" and not _are_within(_given(ours, arguments, named).get("shift", 0), _farthest)
    if name in RANKS and array.ndim == 1 and ranks_lines_alone():
        return True
    given = _given(ours, arguments, named)
    if _is_huge(given.get("size")):  # its products of 8 and a size wrap around
        return True
    if name.startswith("binary"):
        structure = given.get("structure")
        if structure is not None and any(size > length for size, length in zip(numpy.shape(structure), array.shape)):
            return True  # if there are iterations
        pairs = [("structure", "origin"), ("structure1", "origin1"), ("structure2", "origin2")]
        return any(_may_be_outside(given.get(structure), given.get(origin)) for structure, origin in pairs)
    if name in _MEASURES and _are_labels_at_the_end(given.get("labels")):
        return True
    return name == "value_indices" and array.dtype.kind == "u"


def _share(array, other):
    return isinstance(other, numpy.ndarray) and numpy.may_share_memory(other, array)


def _are_within(value, end):
    """A number or several; a plain one takes a hundredth of NumPy's time."""
    return abs(value) < end if type(value) in (int, float) else numpy.all(numpy.abs(value) < end)


def _are_labels_at_the_end(labels):
    """SciPy adds 2 to the largest label, which by NumPy 2 keeps its type."""
    is_whole = isinstance(labels, numpy.ndarray) and labels.dtype.kind in "iu" and labels.size > 0
    return is_whole and labels.max() > _largest_of(labels.dtype) - 2


@functools.cache
def _largest_of(dtype):
    return numpy.iinfo(dtype).max


def _is_huge(size):
    if type(size) is int:
        return size > 1 << 40
    sizes = size if isinstance(size, (list, tuple)) else (size,)
    return any(isinstance(each, (int, numpy.integer)) and each > 1 << 40 for each in sizes)


def _may_be_outside(structure, origin):
    """An origin, for a structure that may be turned around."""
    if origin is None or type(origin) is int and origin == 0 or not numpy.any(origin):
        return False
    sizes = numpy.array(3 if structure is None else numpy.shape(structure))
    return not numpy.all(numpy.abs(origin) <= (sizes - 1) // 2)


def _has_many_iterations(name, given):
    iterations = -1 if name in ("binary_propagation", "binary_fill_holes") else given.get("iterations", 1)
    structure, origin = given.get("structure"), given.get("origin", 0)
    if iterations < 1 and (structure is None and not numpy.any(origin) or _ndimage_morphology.spreads_by_parts(structure, origin)):
        return False
    return not 1 <= iterations <= _few_iterations


keep()
