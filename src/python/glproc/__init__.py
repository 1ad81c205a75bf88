"""Image processing on NumPy arrays, on the GPU, by OpenGL 4.3 compute shaders.

>>> import glproc
>>> soft = glproc.blur(glproc.read("in.jpg"), sigma=2)
>>> glproc.write("out.png", soft)

Every operation is a function of this module and a method of `Image` and `Chain`: see `glproc.operations`.
"""

from . import _functions, _glproc
from ._chain import Chain
from ._contexts import Context, device
from ._files import read, write
from ._image import Image
from .errors import DeviceError, Error, GpuError, InputError, OperationError, OutputError, UsageError

__version__ = _glproc.version
context = Context  # with glproc.context(device=1): ...

#: The names of all operations.
operations = []

for _operation in _glproc.describe():
    operations.append(_operation["name"])
    _function = _functions.make_function(_operation)
    for _name in (_operation["name"], *_operation["aliases"]):
        globals()[_name] = _function
    if _operation["input"] == "image" and not _operation["joins"]:
        _method = _functions.make_method(_operation)
        _step = _functions.made_by(_operation).get("image")
        for _name in (_operation["name"], *_operation["aliases"]):
            setattr(Image, _name, _method)
            if _step:
                setattr(Chain, _name, _method if _step is _operation else _functions.make_method(_step))
operations = tuple(operations)
del _operation, _function, _method, _name, _step

__all__ = [
    "Chain", "Context", "DeviceError", "Error", "GpuError", "Image", "InputError", "OperationError", "OutputError", "UsageError",
    "context", "device", "operations", "read", "write", *operations,
]  # fmt: skip


def __getattr__(name):
    """ndimage and dask come when they are named."""
    if name in ("ndimage", "dask"):
        import importlib

        return importlib.import_module("." + name, __name__)
    raise AttributeError(f"module 'glproc' has no attribute {name!r}")
