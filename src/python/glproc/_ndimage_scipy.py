"""SciPy's own functions, whatever a program has put in their place, and the calls that they are the better choice for."""

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
_few_values_of = {name: 1 << 13 for name in ("extrema", "laplace", "rotate", *MODULES["fourier"])}
#: It goes on where the last iteration changed something, so many iterations are quick.
_few_iterations = 3
#: Of all values at once both ask NumPy.
_NUMPYS = {
    "maximum", "maximum_position", "mean", "median", "minimum", "minimum_position", "standard_deviation", "sum", "sum_labels", "variance",
}  # fmt: skip
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
    """SciPy's function if it is there and quicker than `ours`."""
    if "axes" in named or not (_own or keep()):  # older versions have no axes
        return None
    given = {**dict(zip(ours.__code__.co_varnames, arguments)), **named}
    array = given.get("arr" if name == "value_indices" else "input")
    is_quick = isinstance(array, numpy.ndarray) and (
        array.size < _few_values_of.get(name, few_values) or name in _NUMPYS and given.get("labels") is None
    )
    if not is_quick and not _has_many_iterations(name, given) or _fails(name, array, given):
        return None
    return _own.get(name)


def _fails(name, array, given):
    """Where SciPy ends the process, or overwrites values that it still needs."""
    if name in RANKS and array.ndim == 1 and ranks_lines_alone():
        return True
    if name in MODULES["splines"]:
        arrays = [value for key, value in given.items() if key != "input" and isinstance(value, numpy.ndarray)]
        if any(numpy.may_share_memory(other, array) for other in arrays):
            return True
        return name == "shift" and not numpy.all(numpy.abs(given.get("shift", 0)) < _farthest)
    if _is_huge(given.get("size")):  # its products of 8 and a size wrap around
        return True
    if name.startswith("binary"):
        structure = given.get("structure")
        if structure is not None and any(size > length for size, length in zip(numpy.shape(structure), array.shape)):
            return True  # if there are iterations
        pairs = [("structure", "origin"), ("structure1", "origin1"), ("structure2", "origin2")]
        return any(_may_be_outside(given.get(structure), given.get(origin)) for structure, origin in pairs)
    if name in MODULES["measures"] and _are_labels_at_the_end(given.get("labels")):
        return True
    return name == "value_indices" and array.dtype.kind == "u"


def _are_labels_at_the_end(labels):
    """SciPy adds 2 to the largest label, which by NumPy 2 keeps its type."""
    is_whole = isinstance(labels, numpy.ndarray) and labels.dtype.kind in "iu" and labels.size > 0
    return is_whole and labels.max() > numpy.iinfo(labels.dtype).max - 2


def _is_huge(size):
    sizes = size if isinstance(size, (list, tuple)) else (size,)
    return any(isinstance(each, (int, numpy.integer)) and each > 1 << 40 for each in sizes)


def _may_be_outside(structure, origin):
    """An origin, for a structure that may be turned around."""
    if not numpy.any(origin):
        return False
    sizes = numpy.array(3 if structure is None else numpy.shape(structure))
    return not numpy.all(numpy.abs(origin) <= (sizes - 1) // 2)


def _has_many_iterations(name, given):
    if name in ("binary_propagation", "binary_fill_holes"):
        iterations = -1
    elif name in ("binary_erosion", "binary_dilation", "binary_opening", "binary_closing"):
        iterations = given.get("iterations", 1)
    else:
        return False
    structure, origin = given.get("structure"), given.get("origin", 0)
    if iterations < 1 and (structure is None and not numpy.any(origin) or _ndimage_morphology.spreads_by_parts(structure, origin)):
        return False
    return not 1 <= iterations <= _few_iterations


keep()
