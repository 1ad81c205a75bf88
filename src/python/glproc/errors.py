"""The exceptions of glproc. Every exception is an `Error`, and also the built-in one that Python programs expect."""

import errno
import functools

from . import _hints


class Error(Exception):
    """A failure of glproc. `hint` says what to do about it, and may be empty."""

    hint: str

    def __init__(self, what: str, hint: str = "") -> None:
        words, self.hint = _hints.of_python(what), _hints.of_python(hint)
        super().__init__(words + (f" ({self.hint})" if self.hint else ""))


class OperationError(Error, RuntimeError):
    """The operation failed."""


class UsageError(Error, ValueError):
    """A parameter is out of range, or is not one of its possible values."""


class InputError(Error, OSError):
    """A file is missing, unreadable or corrupt. One that is missing is also a FileNotFoundError, and so on."""


class OutputError(Error, OSError):
    """A file cannot be written."""


class DeviceError(Error, RuntimeError):
    """There is no usable OpenGL 4.3 context."""


class GpuError(Error, RuntimeError):
    """GPU memory ran out, or the context was lost."""


by_code = {1: OperationError, 2: UsageError, 3: InputError, 4: OutputError, 5: DeviceError, 6: GpuError}
#: What the library says of a file, and what Python says.
_OF_FILES = {
    "no such file": (errno.ENOENT, FileNotFoundError),
    "no such folder": (errno.ENOENT, FileNotFoundError),
    "permission denied": (errno.EACCES, PermissionError),
    "is a directory": (errno.EISDIR, IsADirectoryError),
    "not a directory": (errno.ENOTDIR, NotADirectoryError),
}


@functools.cache
def _both(kind: type[Error], builtin: type[OSError]) -> type[Error]:
    members = {"__module__": kind.__module__, "__doc__": kind.__doc__}
    members |= {"__str__": lambda error: error.args[0], "__reduce__": lambda error: (of_library, error.words)}
    return type(kind.__name__, (kind, builtin), members)


def of_library(code: int, what: str, hint: str = "") -> Error:
    """The exception for an error of the library."""
    kind = by_code[code]
    name, _, words = what.rpartition(": ")
    if kind not in (InputError, OutputError) or words not in _OF_FILES:
        return kind(what, hint)
    number, builtin = _OF_FILES[words]
    name = name.rpartition(": ")[2]  # an output that cannot be names its folder after itself
    error = _both(kind, builtin)(what, hint)
    error.__dict__["words"] = (code, what, hint)
    error.errno, error.strerror, error.filename = number, words, name  # type: ignore[attr-defined]
    return error
