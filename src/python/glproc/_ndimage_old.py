"""The namespaces that scipy.ndimage had before version 1.8, which old programs name."""

import sys
import types

from ._ndimage_names import MODULES
from ._ndimage_support import warn

NAMESPACES = {
    "filters": (*MODULES["lines"], *MODULES["footprints"], "generic_filter", "generic_filter1d"),
    "fourier": MODULES["fourier"],
    "interpolation": MODULES["splines"],
    "measurements": (*MODULES["labels"], *MODULES["measures"], "watershed_ift"),
    "morphology": (*MODULES["morphology"], *MODULES["distance"]),
}


class _Namespace(types.ModuleType):
    """Its functions are those of the module around it, and each says so."""

    def __init__(self, name, around):
        super().__init__(f"{around.__name__}.{name}", f"Use {around.__name__} instead.")
        self.__all__ = sorted(NAMESPACES[name])
        self._around = around

    def __dir__(self):
        return self.__all__

    def __getattr__(self, name):
        if name.startswith("__") or name not in self.__all__:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        around = self._around.__name__
        warn(f"use {around}.{name}(): the namespace {self.__name__} is deprecated, as in SciPy", DeprecationWarning)
        return getattr(self._around, name)


def add_to(module):
    """Also for `import`."""
    for name in NAMESPACES:
        namespace = _Namespace(name, module)
        setattr(module, name, namespace)
        sys.modules[namespace.__name__] = namespace
