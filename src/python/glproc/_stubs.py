"""Writes the types of the package for type checkers: python3 -m glproc._stubs FOLDER"""

import inspect
import sys
from pathlib import Path

from . import Chain, Image, _glproc, _stubs_ndimage
from ._functions import parameters_of

_HEAD = '''\
# Written from the descriptions of the operations.
import os
from collections.abc import Sequence
from typing import Any, Literal, Protocol, TypeAlias, overload

import numpy
from numpy.typing import ArrayLike, NDArray

from .errors import DeviceError as DeviceError, Error as Error, GpuError as GpuError, InputError as InputError
from .errors import OperationError as OperationError, OutputError as OutputError, UsageError as UsageError

Array = NDArray[Any]
Number: TypeAlias = float | numpy.floating[Any] | numpy.integer[Any]
Whole: TypeAlias = int | numpy.integer[Any]
Bytes: TypeAlias = bytes | bytearray | memoryview

class _SupportsRead(Protocol):
    def read(self) -> Any: ...

class _SupportsWrite(Protocol):
    def write(self, content: bytes, /) -> Any: ...

__version__: str
operations: tuple[str, ...]

class Context:
    def __init__(self, device: str | int | None = None, *,
                 backend: Literal["auto", "glfw", "egl"] | None = None,
                 require_gpu: bool = False, memory: int = 0, timing: bool = False) -> None: ...
    def __enter__(self) -> Context: ...
    def __exit__(self, *_: object) -> None: ...
    def device(self) -> dict[str, Any]: ...
    def pass_times(self) -> list[tuple[str, float]]: ...

context = Context

def device() -> dict[str, Any]: ...
def read(path: str | os.PathLike[str] | Bytes | _SupportsRead, *, page: int | None = None,
         max_pixels: int = 1073741824) -> Array: ...
def write(path: str | os.PathLike[str] | _SupportsWrite, image: ArrayLike, *, format: str | None = None,
          quality: int | None = None) -> None: ...
'''

_IMAGE = '''
class Image:
    def __init__(self, array: ArrayLike) -> None: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> numpy.dtype[Any]: ...
    @property
    def ndim(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def __array_interface__(self) -> dict[str, Any]: ...
    def tobytes(self) -> bytes: ...
    def save(self, path: str | os.PathLike[str] | _SupportsWrite, *, format: str | None = None,
             quality: int | None = None) -> None: ...
    def show(self) -> None: ...
    def numpy(self, out: Array | None = None) -> Array: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array: ...
'''


_CHAIN = '''
class Chain:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    @overload
    def __call__(self, image: Image, /) -> Image: ...
    @overload
    def __call__(self, image: Sequence[Array], /) -> list[Array]: ...
    @overload
    def __call__(self, image: ArrayLike, /, *, out: Array | None = None) -> Array: ...
'''


_DASK = '''
# Written from the descriptions of the operations.
import os
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy
from dask.array.core import Array
from dask.delayed import Delayed
from numpy.typing import ArrayLike, NDArray

Number: TypeAlias = float | numpy.floating[Any] | numpy.integer[Any]
Whole: TypeAlias = int | numpy.integer[Any]

def stats(array: Array, /, *, percentiles: Sequence[float] = (), hidden: bool = False) -> Delayed: ...
'''


def _words(parameters):
    """The parameters with their types; a star before those that need their names."""
    words, starred = [], False
    for parameter in parameters:
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not starred:
            words.append("*")
            starred = True
        default = "" if parameter.default is inspect.Parameter.empty else f" = {parameter.default!r}"
        words.append(f"{parameter.name}: {parameter.annotation}{default}")
    return words, starred


def _stated(operation, made, parameters):
    """The parameters, and the product: it may be left out of the first overload only."""
    if not operation["others"]:
        return parameters
    default = inspect.Parameter.empty if made is not operation else made["product"]
    kind = inspect.Parameter.KEYWORD_ONLY
    return [*parameters, inspect.Parameter("product", kind, default=default, annotation=f"Literal[{made['product']!r}]")]


def _overloads(operation, made, name):
    words, starred = _words(_stated(operation, made, parameters_of(operation)[1]))
    out = ([] if starred else ["*"]) + ["out: Array | None = None"]
    if operation["joins"]:
        return [f"def {name}({', '.join(['images: Sequence[ArrayLike] | Array', '/'] + words + out)}) -> Array: ..."]
    if made["product"] == "report":
        return [f"def {name}({', '.join(['image: ArrayLike', '/'] + words)}) -> dict[str, Any]: ..."]
    if made["product"] == "array":
        return [f"def {name}({', '.join(['image: ArrayLike', '/'] + words)}) -> Array: ..."]
    return [
        f"def {name}({', '.join(['image: Image', '/'] + words)}) -> Image: ...",
        f"def {name}({', '.join(['image: Sequence[Array]', '/'] + words)}) -> list[Array]: ...",
        f"def {name}({', '.join(['image: ArrayLike', '/'] + words + out)}) -> Array: ...",
    ]


def _function(operation, name):
    lines = [line for made in (operation, *operation["others"]) for line in _overloads(operation, made, name)]
    return lines if len(lines) == 1 else [f"@overload\n{line}" for line in lines]


def _method(operation, name, owner="Image"):
    results = {"image": owner, "report": "dict[str, Any]", "array": "Array"}
    made = (operation, *operation["others"])
    if owner == "Chain":
        operation = next(one for one in made if one["product"] == "image")
        made = (operation,)
    lines = []
    for one in made:
        words, _ = _words(_stated(operation, one, parameters_of(operation)[1]))
        overload = "    @overload\n" if len(made) > 1 else ""
        lines.append(f"{overload}    def {name}({', '.join(['self'] + words)}) -> {results[one['product']]}: ...")
    return "\n".join(lines)


def _package():
    names = [(operation, name) for operation in _glproc.describe() for name in (operation["name"], *operation["aliases"])]
    text = _HEAD + _IMAGE
    text += "\n".join(_method(operation, name) for operation, name in names if hasattr(Image, name)) + "\n"
    text += _CHAIN
    text += "\n".join(_method(operation, name, "Chain") for operation, name in names if hasattr(Chain, name))
    return text + "\n\n" + "\n".join(line for operation, name in names for line in _function(operation, name)) + "\n"


def _dask():
    lines = []
    for operation in _glproc.describe():
        is_mapped = operation["product"] == "image" and not operation["joins"]
        if is_mapped or operation["name"] == "histogram":
            words = ", ".join(["array: Array", "/", *_words(parameters_of(operation)[1])[0]])
            result = "Array" if is_mapped else "Delayed"
            lines += [f"def {name}({words}) -> {result}: ..." for name in (operation["name"], *operation["aliases"])]
    return _DASK.lstrip() + "\n".join(lines) + "\n"


def main():
    folder = Path(sys.argv[1])
    texts = {
        "__init__.pyi": _package(), "ndimage.pyi": _stubs_ndimage.text(), "dask/__init__.pyi": _dask(),
        "dask/ndimage.pyi": _stubs_ndimage.text_of_dask(),
    }  # fmt: skip
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
