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

import ast
import functools
import importlib
import inspect
import sys

import numpy

from . import _ndimage_old, _ndimage_scipy, _ndimage_single
from ._calls import names_of, wrong_word
from ._ndimage_names import MODULES, SCIPYS, SINGLE
from ._ndimage_support import Refused, warn
from ._ndimage_text import docstring, scipys_docstring
from .errors import DeviceError, GpuError

fallback = "scipy"
precision = "double"


class FallbackWarning(UserWarning):
    """SciPy did what was asked of glproc."""


#: Functions in double precision by name.
_DOUBLE = {
    name: getattr(importlib.import_module(f"._ndimage_{module}", __package__), name)
    for module, names in MODULES.items()
    for name in names
}
#: Functions that single precision does not make faster.
_ONE_WAY = {name for module in ("labels", "measures", "distance", "fourier", "splines") for name in MODULES[module]} - {*SINGLE}
_warned = set()


def _fall_back(name, why, arguments, named):
    """What SciPy returns. `why` is what glproc refused it with."""
    theirs = _ndimage_scipy.function_of(name) if fallback == "scipy" else None
    if theirs is None:
        if fallback == "scipy" and isinstance(why, Refused):
            raise Refused(f"{why} (SciPy, which would do it, is not installed)") from why
        raise why
    fitting = _ndimage_scipy.fitting(theirs, named)
    if fitting is None:
        raise why
    if (name, str(why)) not in _warned:
        _warned.add((name, str(why)))
        warn(f"SciPy does {name}(), as glproc does not: {why}", FallbackWarning)
    return theirs(*arguments, **fitting)


def _implementation(name):
    """glproc's own function with the precision that is set, or None."""
    if precision == "single" and name not in _ONE_WAY:
        return getattr(_ndimage_single, name) if name in SINGLE else None
    if precision not in ("single", "double"):
        raise ValueError(f"ndimage.precision is 'double' or 'single', not {precision!r}")
    return _DOUBLE.get(name)


def _left_to_scipy(name, arguments, named):
    """SciPy's function if it is there and the quicker one."""
    ours = _DOUBLE.get(name)
    if ours is None or fallback != "scipy" or precision != "double":
        return None
    return _ndimage_scipy.quicker(name, ours, arguments, named)


@functools.cache
def _names_of(function):
    """Of its parameters, or None where it takes any."""
    code = getattr(function, "__wrapped__", function).__code__
    takes_any = code.co_flags & inspect.CO_VARKEYWORDS
    return None if takes_any else frozenset(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])


def _newer_parameter(name, ours, named):
    """One that glproc's function lacks and SciPy's has, or None."""
    known = _names_of(ours)
    missing = set() if known is None or named.keys() <= known else named.keys() - known
    theirs = _ndimage_scipy.function_of(name) if missing else None
    return next(iter(inspect.signature(theirs).parameters.keys() & missing), None) if theirs else None


def _call(name, arguments, named):
    if fallback not in ("scipy", "error"):
        raise ValueError(f"ndimage.fallback is 'scipy' or 'error', not {fallback!r}")
    ours = _implementation(name)
    if ours is None:
        what = f"{name} is not built" + (f" in {precision} precision" if name in (*SINGLE, *_DOUBLE) else "")
        return _fall_back(name, Refused(what), arguments, named)
    try:
        newer = _newer_parameter(name, ours, named)
        if newer:
            raise Refused(f"{newer}: a parameter of later versions")
        return ours(*arguments, **named)
    except (Refused, DeviceError, GpuError) as error:
        return _fall_back(name, error, arguments, named)


def _wrong_word(name, function, named):
    """The error for a keyword that neither glproc's function nor SciPy's has, or None."""
    theirs, signature = _ndimage_scipy.function_of(name), inspect.signature(function)
    known = names_of(signature, *([inspect.signature(theirs)] if theirs else []))
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in signature.parameters.values()):
        known += names_of(inspect.signature(_DOUBLE["gaussian_filter"]))  # which they go to
    wrong = next((word for word in named if word not in known), None)
    return None if wrong is None else wrong_word(name, wrong, list(dict.fromkeys(known)))


def _parameters_of(function):
    """Names and defaults, which are texts, or None where there is none. inspect's would take longer than the rest of an import."""
    code, defaults = function.__code__, function.__defaults__ or ()
    count = code.co_argcount
    given = dict(zip(code.co_varnames[count - len(defaults) : count], defaults), **(function.__kwdefaults__ or {}))
    names = code.co_varnames[: count + code.co_kwonlyargcount + bool(code.co_flags & inspect.CO_VARKEYWORDS)]
    texts = {name: "numpy.float64" if value is numpy.float64 else repr(value) for name, value in given.items()}
    return [(name, texts.get(name)) for name in names]


def _scipys_signature(name):
    """Of its parameters as _ndimage_names has them, with their defaults as texts."""
    parameters = []
    for text in SCIPYS[name].split():
        parameter, has_default, default = text.partition("=")
        default = ast.literal_eval(default) if has_default else inspect.Parameter.empty
        parameters.append(inspect.Parameter(parameter, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default))
    return inspect.Signature(parameters)


def _make(name):
    model = _DOUBLE.get(name) or getattr(_ndimage_single, name, None)

    def function(*arguments, **named):
        try:
            theirs = _left_to_scipy(name, arguments, named)  # of small arrays, whose calls are short
            return _call(name, arguments, named) if theirs is None else theirs(*arguments, **named)
        except (TypeError, Refused):
            wrong = _wrong_word(name, function, named)
            if wrong is None:
                raise
            raise wrong from None

    if model is None:
        function.__name__ = function.__qualname__ = name
        function.__doc__ = scipys_docstring(name)
        function.__signature__ = _scipys_signature(name)
    else:
        functools.update_wrapper(function, model)  # inspect finds the parameters there
        function.__doc__ = docstring(name, " ".join(model.__doc__.split()), _parameters_of(model))
    function.__module__ = __name__
    return function


__all__ = sorted({*_DOUBLE, *SINGLE, *SCIPYS})
for _name in __all__:
    globals()[_name] = _make(_name)
_ndimage_old.add_to(sys.modules[__name__])
__all__ += ["FallbackWarning", "coverage", *_ndimage_old.NAMESPACES]
del _name


def coverage():
    """Say what runs each function, by its name: "glproc", "glproc in single precision" or "SciPy"."""
    places = {}
    for name in sorted({*_DOUBLE, *SINGLE, *SCIPYS}):
        places[name] = "glproc" if name in _DOUBLE else "glproc in single precision" if name in SINGLE else "SciPy"
    return places
