"""Contexts, and which of them a call goes to."""

import contextvars
import threading

from . import _glproc

_current = contextvars.ContextVar("glproc context", default=None)
_lock = threading.Lock()
_shared = None


class Context:
    """An OpenGL context on a thread of its own, made for the first call. Any thread may use it.

    Parameters
    ----------
    device : 'auto', the number of an EGL device, or part of a renderer's name
    backend : {'auto', 'glfw', 'egl'}
    require_gpu : bool
        Refuse software renderers.
    memory : int
        Bytes of GPU memory that a picture of any size may take; 0: half of what is free.

    Used in a `with` statement, it serves all calls in it; otherwise those of the functions of this module go to one that
    they share.
    """

    def __init__(self, device="auto", *, backend="auto", require_gpu=False, memory=0):
        if backend not in ("auto", "glfw", "egl"):
            raise ValueError(f"backend is 'auto', 'glfw' or 'egl', not {backend!r}")
        self._session = _glproc.Session(str(device), backend, require_gpu, memory)
        self._tokens = []

    def __enter__(self):
        self._tokens.append(_current.set(self))
        return self

    def __exit__(self, *_):
        _current.reset(self._tokens.pop())

    def device(self):
        """Renderer, vendor, version and backend, as a dict."""
        return self._session.device()

    def __repr__(self):
        return "<glproc.Context>"


def session():
    """That of the context in use."""
    context = _current.get()
    if context is not None:
        return context._session
    global _shared
    with _lock:
        if _shared is None:
            _shared = Context()
        return _shared._session


def device():
    """The device that calls go to: renderer, vendor, version and backend, as a dict."""
    return session().device()


def run(operation, image, settings, out=None):
    """An operation on whatever stands for one or several pictures."""
    from ._image import Image

    name = operation["name"]
    if isinstance(image, Image):
        if out is not None:
            raise TypeError(f"{name}: out is for arrays; an Image stays on the GPU")
        return image._run(operation, settings)
    if isinstance(image, (list, tuple)):
        _check_outs(name, image, out)
        return [run(operation, one, settings, None if out is None else out[i]) for i, one in enumerate(image)]
    import numpy

    array = numpy.asarray(image)
    if out is not None and not isinstance(out, numpy.ndarray):
        raise TypeError(f"{name}: out must be a NumPy array")
    if operation["input"] == "image" and array.ndim == 4:
        _check_outs(name, array, out)
        results = [run(operation, one, settings, None if out is None else out[i]) for i, one in enumerate(array)]
        return results if operation["product"] == "report" else out if out is not None else numpy.stack(results)
    return session().run(name, array, settings, out)


def _check_outs(name, images, out):
    if out is not None and len(out) != len(images):
        raise ValueError(f"{name}: out has {len(out)} parts for {len(images)} pictures")
