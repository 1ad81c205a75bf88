"""Image processing on NumPy arrays, on the GPU, by OpenGL 4.3 compute shaders.

>>> import glproc
>>> soft = glproc.blur(glproc.read("in.jpg"), sigma=2)
>>> glproc.write("out.png", soft)

Every operation is a function of this module and a method of `Image` and `Chain`: see `glproc.operations`.
"""

import os as _os

from . import _arrays, _contexts, _functions, _glproc
from ._chain import Chain
from ._contexts import Context, device
from ._image import Image
from .errors import DeviceError, Error, GpuError, InputError, OperationError, OutputError, UsageError

__version__ = _glproc.version
context = Context  # with glproc.context(device=1): ...


def read(path, *, max_pixels=1 << 30):
    """Read an image from a file.

    Parameters
    ----------
    path : str or path
        The file. Its content says which format it has.
    max_pixels : int, default 2**30
        Refuse larger images, because a small file may unpack to a huge one.

    Returns
    -------
    array of uint8, uint16 or float32
        Shape (height, width), or (height, width, channels) with 2 to 4 channels.

    Raises
    ------
    InputError
        The file is missing, unreadable, corrupt or too large.

    Examples
    --------
    >>> photo = glproc.read("data/sample.png")
    >>> photo.shape
    (853, 1280, 3)
    """
    return _glproc.read(_os.fspath(path), max_pixels)


def write(path, image, *, quality=None):
    """Write an image to a file.

    Parameters
    ----------
    path : str or path
        The file. The ending of its name says which format it gets.
    image : array or Image
        Shape (height, width) or (height, width, channels), of uint8, uint16 or float32.
    quality : int, 1 to 100, optional
        For lossy formats, such as JPEG.

    Raises
    ------
    OutputError
        The file cannot be written, or the format does not hold such an image.

    Examples
    --------
    >>> glproc.write("soft.jpg", glproc.blur(photo, sigma=2), quality=90)
    """
    _glproc.write(_os.fspath(path), _arrays.array_of(image, "write"), quality)


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
