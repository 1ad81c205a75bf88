"""The exceptions of glproc. Every exception is an `Error`, and also the built-in one that Python programs expect."""

import re


def _parameter(flag: re.Match[str]) -> str:
    return flag[1].replace("-", "_")


class Error(Exception):
    """A failure of glproc. `hint` says what to do about it, and may be empty."""

    hint: str

    def __init__(self, what: str, hint: str = "") -> None:
        # The library's words are those of its command line: --out-black is the parameter out_black.
        plain = [re.sub(r"--([a-z][a-z-]*)", _parameter, text) for text in (what, hint)]
        super().__init__(plain[0] + (f" ({plain[1]})" if plain[1] else ""))
        self.hint = plain[1]


class OperationError(Error, RuntimeError):
    """The operation failed."""


class UsageError(Error, ValueError):
    """A parameter is out of range, or is not one of its possible values."""


class InputError(Error, OSError):
    """A file is missing, unreadable or corrupt."""


class OutputError(Error, OSError):
    """A file cannot be written."""


class DeviceError(Error, RuntimeError):
    """There is no usable OpenGL 4.3 context."""


class GpuError(Error, RuntimeError):
    """GPU memory ran out, or the context was lost."""


by_code = {1: OperationError, 2: UsageError, 3: InputError, 4: OutputError, 5: DeviceError, 6: GpuError}
