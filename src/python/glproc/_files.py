"""Pictures from and to files: paths, bytes, and whatever has read() or write()."""

import errno
import io
import numbers
import os

from . import _arrays, _glproc
from ._calls import tells_words
from .errors import UsageError

_BYTES = (bytes, bytearray, memoryview)


def _name_of(file):
    """That of an open file, where it has one."""
    name = getattr(file, "name", None)
    return os.fspath(name) if isinstance(name, (str, os.PathLike)) else ""


def _path_of(value, function, others):
    try:
        return os.fspath(value)
    except TypeError:
        raise TypeError(f"{function}() takes a path, {others}, not {type(value).__name__}") from None


def _write_all(file, data):
    """A raw file may take less than it is given, and raises where it takes no more."""
    while data:
        taken = file.write(data)
        if not taken and isinstance(file, io.RawIOBase):
            raise BlockingIOError(errno.EAGAIN, "write(): the file takes no more")
        if not isinstance(taken, int) or isinstance(taken, bool) or not 0 < taken < len(data):
            return
        data = data[taken:]


def _page_number(page):
    if page is None:
        return 0
    if isinstance(page, numbers.Integral) and not isinstance(page, bool) and 1 <= page < 1 << 31:
        return int(page)
    raise UsageError(f"read(): page {page!r} is no number from 1 on")


@tells_words
def read(path, *, page=None, max_pixels=1 << 30):
    """Read an image from a file.

    Parameters
    ----------
    path : str or path, bytes, or an open file
        The file, its content, or an object with a method `read`. The content says which format it has. Bytes are
        never the name of a file.
    page : int, optional
        Which page of a TIFF or frame of an animation, counted from 1. By default the first.
    max_pixels : int, default 2**30
        Refuse larger images, because a small file may unpack to a huge one.

    Returns
    -------
    array of uint8, uint16 or float32
        Shape (height, width), or (height, width, channels) with 2 to 4 channels.

    Raises
    ------
    InputError
        The file is missing, unreadable, corrupt or too large, or has no such page. One that is missing is a FileNotFoundError, too.

    Examples
    --------
    >>> photo = glproc.read("data/sample.png")
    >>> photo.shape
    (853, 1280, 3)
    """
    number = _page_number(page)
    if isinstance(path, _BYTES):
        return _glproc.decode(path, "bytes", max_pixels, number)
    if not hasattr(path, "read"):
        return _glproc.read(_path_of(path, "read", "bytes or an open file"), max_pixels, number)
    content = path.read()
    if not isinstance(content, _BYTES):
        raise TypeError("read() takes files that are open for bytes: open(name, 'rb')")
    return _glproc.decode(content, _name_of(path) or type(path).__name__, max_pixels, number)


@tells_words
def write(path, image, *, format=None, quality=None):
    """Write an image to a file.

    Parameters
    ----------
    path : str or path, or an open file
        The file, whose name ends with the format's, or an object with a method `write`.
    image : array or Image
        Shape (height, width) or (height, width, channels), of uint8, uint16 or float32.
    format : str, optional
        The format for an open file, such as "png". By default the ending of its name says it.
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
    if quality is not None and (isinstance(quality, bool) or not isinstance(quality, numbers.Integral)):
        raise TypeError(f"write(): quality is a whole number from 1 to 100, not {quality!r}")
    quality = None if quality is None else int(quality)
    if hasattr(path, "write") and not hasattr(path, "__fspath__"):
        ending = format or _name_of(path)
        if not ending:
            raise TypeError('write() to a file without a name takes a format: format="png"')
        _write_all(path, _glproc.encode(_arrays.array_of(image, "write"), ending, quality))
        return
    if format is not None:
        raise TypeError("write(): format is for open files; the name of a file ends with its format")
    _glproc.write(_path_of(path, "write", "or an open file"), _arrays.array_of(image, "write"), quality)
