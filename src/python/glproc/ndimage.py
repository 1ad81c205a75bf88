"""scipy.ndimage on the GPU: the same names, parameters, defaults and modes, and the same bits.

>>> from glproc import ndimage
>>> soft = ndimage.gaussian_filter(volume, sigma=2)

Arrays have any number of axes, and numbers of any size: integers, bool, float32, float64 and, where SciPy takes them, complex
ones. Sums are added in double precision and in SciPy's order, so that results are equal bit for bit.

Every name of scipy.ndimage is here. SciPy itself, if it is installed, does what glproc does not; the first such call of a
function warns. `coverage()` says which.

fallback : {"scipy", "error"}
    "error" raises NotImplementedError with the name of the parameter instead of calling SciPy.
precision : {"double", "single"}
    "single" takes the operations on pictures, which are faster: two axes, of float32, uint8 or uint16, rounded to float32.
"""

import functools
import inspect
import sys
import warnings

import numpy

from . import _ndimage_lines, _ndimage_single
from ._ndimage_support import Refused
from .errors import DeviceError, GpuError

fallback = "scipy"
precision = "double"


class FallbackWarning(UserWarning):
    """SciPy did what was asked of glproc."""


#: Of scipy.ndimage 1.18, by what glproc has of them.
_LINES = (
    "convolve1d", "correlate1d", "gaussian_filter", "gaussian_filter1d", "gaussian_gradient_magnitude", "gaussian_laplace",
    "generic_gradient_magnitude", "generic_laplace", "laplace", "maximum_filter1d", "minimum_filter1d", "prewitt", "sobel",
    "uniform_filter", "uniform_filter1d",
)  # fmt: skip
_SINGLE = (
    "affine_transform", "convolve", "correlate", "gaussian_filter", "gaussian_laplace", "grey_closing", "grey_dilation",
    "grey_erosion", "grey_opening", "histogram", "laplace", "median_filter", "percentile_filter", "prewitt", "rotate",
    "sobel", "uniform_filter", "zoom",
)  # fmt: skip
_SCIPYS = (
    "binary_closing", "binary_dilation", "binary_erosion", "binary_fill_holes", "binary_hit_or_miss", "binary_opening",
    "binary_propagation", "black_tophat", "center_of_mass", "distance_transform_bf", "distance_transform_cdt",
    "distance_transform_edt", "extrema", "find_objects", "fourier_ellipsoid", "fourier_gaussian", "fourier_shift",
    "fourier_uniform", "generate_binary_structure", "generic_filter", "generic_filter1d", "geometric_transform",
    "iterate_structure", "label", "labeled_comprehension", "map_coordinates", "maximum", "maximum_filter", "maximum_position",
    "mean", "median", "minimum", "minimum_filter", "minimum_position", "morphological_gradient", "morphological_laplace",
    "rank_filter", "shift", "spline_filter", "spline_filter1d", "standard_deviation", "sum", "sum_labels", "value_indices",
    "variance", "vectorized_filter", "watershed_ift", "white_tophat",
)  # fmt: skip
#: Those whose results are the same in single precision, as they only compare values.
_EXACT_SINGLE = ("median_filter", "percentile_filter")

#: SciPy itself, where a program has it, does arrays of fewer values: the bits are the same, and calls cost less.
_few_values = 1 << 12

_warned = set()


def _scipy_function(name):
    """SciPy's function, or None where there is no SciPy, or an older one."""
    try:
        import scipy.ndimage
    except ImportError:
        return None
    return getattr(scipy.ndimage, name, None)


def _fall_back(name, why, arguments, named):
    """What SciPy returns. `why` is what glproc refused it with."""
    theirs = _scipy_function(name)
    if fallback != "scipy" or theirs is None:
        if fallback == "scipy" and isinstance(why, Refused):
            raise Refused(f"{why} (SciPy, which would do it, is not installed)") from why
        raise why
    if (name, str(why)) not in _warned:
        _warned.add((name, str(why)))
        warnings.warn(f"SciPy does {name}(), as glproc does not: {why}", FallbackWarning, stacklevel=3)
    return theirs(*arguments, **named)


def _implementation(name):
    """glproc's own function with the precision that is set, or None."""
    if precision == "single":
        return getattr(_ndimage_single, name) if name in _SINGLE else None
    if precision != "double":
        raise ValueError(f"ndimage.precision is 'double' or 'single', not {precision!r}")
    if name in _LINES:
        return getattr(_ndimage_lines, name)
    return getattr(_ndimage_single, name) if name in _EXACT_SINGLE else None


def _small_calls(name, arguments, named):
    """SciPy's function if the array is small."""
    array = arguments[0] if arguments else named.get("input")
    is_small = isinstance(array, numpy.ndarray) and array.size < _few_values and fallback == "scipy" and precision == "double"
    if not is_small or "axes" in named or "scipy.ndimage" not in sys.modules:  # older versions have no axes
        return None
    return _scipy_function(name)


def _call(name, arguments, named):
    if fallback not in ("scipy", "error"):
        raise ValueError(f"ndimage.fallback is 'scipy' or 'error', not {fallback!r}")
    theirs = _small_calls(name, arguments, named) if name in _LINES else None
    if theirs is not None:
        return theirs(*arguments, **named)
    ours = _implementation(name)
    if ours is None:
        what = f"{name} is not built" + (f" in {precision} precision" if name in _SINGLE + _LINES else "")
        return _fall_back(name, Refused(what), arguments, named)
    try:
        return ours(*arguments, **named)
    except (Refused, DeviceError, GpuError) as error:
        return _fall_back(name, error, arguments, named)


def _make(name):
    model = getattr(_ndimage_lines, name, None) or getattr(_ndimage_single, name, None)

    def function(*arguments, **named):
        return _call(name, arguments, named)

    if model is None:
        function.__name__ = function.__qualname__ = name
        function.__doc__ = f"scipy.ndimage.{name}() itself."
    else:
        functools.update_wrapper(function, model)
        function.__signature__ = inspect.signature(model)
        del function.__wrapped__
    function.__module__ = __name__
    return function


__all__ = sorted({*_LINES, *_SINGLE, *_SCIPYS})
for _name in __all__:
    globals()[_name] = _make(_name)
__all__ += ["FallbackWarning", "coverage"]
del _name


def coverage():
    """What runs where, by the name of the function: "glproc", "glproc in single precision" or "SciPy"."""
    places = {}
    for name in sorted({*_LINES, *_SINGLE, *_SCIPYS}):
        is_double = name in _LINES or name in _EXACT_SINGLE
        places[name] = "glproc" if is_double else "glproc in single precision" if name in _SINGLE else "SciPy"
    return places
