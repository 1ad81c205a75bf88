"""Contexts, and which of them a call goes to."""

import contextvars
import numbers
import os
import threading

from . import _arrays, _glproc
from ._calls import tells_words

#: Those of the `with` statements around a call, the innermost last.
_current = contextvars.ContextVar("glproc contexts", default=())
_lock = threading.Lock()
_shared = None


class Context:
    """An OpenGL context on its own thread, created by the first call. Any thread may use it.

    Parameters
    ----------
    device : 'auto', the number of an EGL device, or part of a renderer's name
        The default is the environment variable GLPROC_DEVICE, else 'auto'.
    backend : {'auto', 'glfw', 'egl'}
        The default is GLPROC_BACKEND, else 'auto'.
    require_gpu : bool
        Refuse software renderers.
    memory : int
        Bytes of GPU memory that an image of any size may use. 0 is half of the free memory.
    timing : bool
        Measure each pass of the GPU, see pass_times().

    Notes
    -----
    In a `with` statement, all calls inside use it. Otherwise the functions of this module share one context. Threads that
    start inside such a statement do not inherit it.

    Examples
    --------
    >>> with glproc.Context(memory=256 << 20):
    ...     soft = glproc.blur(photo, sigma=20)
    """

    @tells_words
    def __init__(self, device=None, *, backend=None, require_gpu=False, memory=0, timing=False):
        device = os.environ.get("GLPROC_DEVICE") or "auto" if device is None else device
        backend = os.environ.get("GLPROC_BACKEND") or "auto" if backend is None else backend
        if backend not in ("auto", "glfw", "egl"):
            raise ValueError(f"backend is 'auto', 'glfw' or 'egl', not {backend!r}")
        if isinstance(memory, bool) or not isinstance(memory, numbers.Integral):
            raise TypeError(f"memory is a number of bytes, such as 1 << 30, not {memory!r}")
        if memory < 0:
            raise ValueError(f"memory is a number of bytes, or 0, not {memory}")
        self._session = _glproc.Session(str(device), backend, require_gpu, memory, timing)

    def __enter__(self):
        _current.set((*_current.get(), self))
        return self

    def __exit__(self, *_):
        _current.set(_current.get()[:-1])

    def device(self):
        """Renderer, vendor, version and backend, as a dict."""
        return self._session.device()

    def pass_times(self):
        """The passes that the GPU has run so far: names and milliseconds. Empty without `timing`."""
        return self._session.pass_times()

    def __repr__(self):
        return "<glproc.Context>"


def session():
    """That of the context in use."""
    contexts = _current.get()
    if contexts:
        return contexts[-1]._session
    global _shared
    with _lock:
        if _shared is None:
            _shared = Context()
        return _shared._session


def device():
    """The device that calls go to: renderer, vendor, version and backend, as a dict."""
    return session().device()


#: What stands for a chain where a description of an operation stands otherwise; its settings are steps.
CHAIN = {"name": "Chain", "key": "Chain", "input": "image", "product": "image", "joins": False}


def run(operation, image, settings, out=None):
    """An operation on whatever stands for one or several pictures."""
    from ._image import Image

    name = operation["name"]
    if operation["joins"]:
        return _run_joined(operation, image, settings, out)
    if isinstance(image, Image):
        if out is not None:
            raise TypeError(f"{name}: out is for arrays; an Image stays on the GPU")
        return image._run(operation, settings)
    if isinstance(image, (list, tuple)):
        return _run_each(operation, image, settings, out)
    import numpy

    array = _arrays.array_of(image, name)
    if out is not None and not isinstance(out, numpy.ndarray):
        raise TypeError(f"{name}: out must be a NumPy array")
    if operation["input"] != "image" or array.ndim != 4:
        is_chain = name == CHAIN["name"]
        return session().run_steps(settings, array, out) if is_chain else session().run(operation["key"], array, settings, out)
    if operation["product"] == "report":
        return _run_each(operation, array, settings, None)
    if len(array) == 0:
        raise ValueError(f"{name}: a stack of no pictures")
    if out is None:
        first = run(operation, array[0], settings)
        out = numpy.empty((len(array), *first.shape), first.dtype)
        out[0] = first
        if operation["product"] == "array":
            out[1:] = _run_each(operation, array[1:], settings, None)
        else:
            _run_each(operation, array[1:], settings, out[1:])
        return out
    _run_each(operation, array, settings, out)
    return out


def _run_joined(operation, images, settings, out):
    """One picture of several: a list of them, or a stack of shape (n, height, width[, channels])."""
    name = operation["name"]
    if not hasattr(images, "__len__") or len(images) == 0:
        raise ValueError(f"{name}: a list of images, one at least")
    first, *others = (_arrays.array_of(image, name) for image in images)
    if first.ndim not in (2, 3):
        raise ValueError(f"{name}: a list of images, each of shape (height, width) or (height, width, channels)")
    return session().run(operation["key"], first, [*settings, *(("joined", other) for other in others)], out)


def _run_each(operation, images, settings, outs):
    if outs is not None and len(outs) != len(images):
        raise ValueError(f"{operation['name']}: out has {len(outs)} parts for {len(images)} pictures")
    return [run(operation, image, settings, None if outs is None else outs[i]) for i, image in enumerate(images)]
