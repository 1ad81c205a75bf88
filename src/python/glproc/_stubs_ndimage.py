"""The types of glproc.ndimage, of the sources of its functions: NumPy is not needed, nor is a device."""

import ast
from pathlib import Path

from ._ndimage_names import LOCAL, MANY_MODES, MODULES

_HEAD = '''\
# Written from the functions' own parameters.
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any, Literal, TypeAlias, overload

import numpy
from numpy.typing import ArrayLike, DTypeLike, NDArray

Array: TypeAlias = NDArray[Any]
Index: TypeAlias = int | numpy.integer[Any]
Number: TypeAlias = float | numpy.floating[Any] | numpy.integer[Any]
Floats: TypeAlias = Number | Sequence[Number] | Array
Ints: TypeAlias = Index | Sequence[Index] | Array
DType: TypeAlias = type[Any] | numpy.dtype[Any] | str
Slices: TypeAlias = tuple[slice, ...]
Mode: TypeAlias = Literal["reflect", "grid-mirror", "constant", "grid-constant", "nearest", "mirror", "wrap", "grid-wrap"]

fallback: Literal["scipy", "error"]
precision: Literal["double", "single"]
filters: ModuleType
fourier: ModuleType
interpolation: ModuleType
measurements: ModuleType
morphology: ModuleType

class FallbackWarning(UserWarning): ...

def coverage() -> dict[str, str]: ...
'''

#: What SciPy does in any case, as SciPy has it.
_SCIPYS = '''\
def generic_filter(input: ArrayLike, function: Callable[..., Any], size: Ints | None = None, footprint: ArrayLike | None = None,
                   output: Array | DTypeLike = None, mode: Mode | Sequence[Mode] = "reflect", cval: complex = 0.0, origin: Ints = 0,
                   extra_arguments: tuple[Any, ...] = (), extra_keywords: Mapping[str, Any] | None = None, *,
                   axes: Ints | None = None) -> Array: ...
def generic_filter1d(input: ArrayLike, function: Callable[..., Any], filter_size: int, axis: int = -1,
                     output: Array | DTypeLike = None, mode: Mode = "reflect", cval: complex = 0.0, origin: int = 0,
                     extra_arguments: tuple[Any, ...] = (), extra_keywords: Mapping[str, Any] | None = None) -> Array: ...
def vectorized_filter(input: ArrayLike, function: Callable[..., Any], *, size: Ints | None = None,
                      footprint: ArrayLike | None = None, output: Array | None = None, mode: str = "reflect",
                      cval: complex | None = None, origin: Ints | None = None, axes: Ints | None = None,
                      batch_memory: int = 1073741824) -> Array: ...
def watershed_ift(input: ArrayLike, markers: ArrayLike, structure: ArrayLike | None = None,
                  output: Array | DTypeLike = None) -> Array: ...
'''

_ARRAYS = ("input", "weights", "coordinates", "matrix", "footprint", "structure", "structure1", "structure2", "mask")
_TYPES = {
    **{name: "ArrayLike" for name in _ARRAYS}, "labels": "ArrayLike | None", "index": "ArrayLike | None",
    **{name: "bool" for name in (
        "prefilter", "grid_mode", "reshape", "brute_force", "pass_positions", "return_distances", "return_indices",
    )},
    **{name: "Index" for name in ("axis", "rank", "connectivity", "iterations", "border_value", "bins", "max_label", "n")},
    **{name: "Callable[..., Any]" for name in ("derivative", "derivative2", "mapping", "func")},
    **{name: "Array | None" for name in ("distances", "indices")},
    **{name: "Floats" for name in ("sigma", "shift", "zoom", "offset")},
    "output": "Array | DTypeLike", "mode": "Mode", "cval": "complex", "origin": "Ints", "origin1": "Ints", "origin2": "Ints | None",
    "size": "Ints", "order": "Ints", "radius": "Ints | None", "axes": "Ints | None", "truncate": "Number", "percentile": "Number",
    "angle": "Number", "min": "Number", "max": "Number", "extra_arguments": "tuple[Any, ...]",
    "extra_keywords": "Mapping[str, Any] | None", "output_shape": "Sequence[Index] | None", "out_dtype": "DTypeLike",
    "default": "Any", "arr": "Array", "ignore_value": "int | None", "sampling": "Floats | None", "metric": "str | ArrayLike",
    "kwargs": "Any",
}  # fmt: skip
#: Along one axis, or of splines, there is one of each.
_ONE = {"size": "Index", "order": "Index", "origin": "Index", "sigma": "Number", "radius": "Index | None"}
_RETURNS = {
    "find_objects": "list[Slices | None]", "generate_binary_structure": "NDArray[numpy.bool_]", "labeled_comprehension": "Any",
    "value_indices": "dict[Any, tuple[Array, ...]]",
}  # fmt: skip
#: Measures of one group, and of several.
_MEASURED = {
    **{name: ("Any", "Array") for name in (
        "maximum", "mean", "median", "minimum", "standard_deviation", "sum", "sum_labels", "variance",
    )},
    "center_of_mass": ("tuple[float, ...]", "list[tuple[float, ...]]"),
    "extrema": (
        "tuple[Any, Any, tuple[int, ...], tuple[int, ...]]", "tuple[Array, Array, list[tuple[int, ...]], list[tuple[int, ...]]]",
    ),
    "maximum_position": ("tuple[int, ...]", "list[tuple[int, ...]]"),
    "minimum_position": ("tuple[int, ...]", "list[tuple[int, ...]]"),
}  # fmt: skip


def _parameters_of(function):
    """Name, default or None, and whether it needs its name."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    rows = [(argument.arg, default, False) for argument, default in zip(positional, defaults)]
    rows += [(argument.arg, default, True) for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    return [(name, None if default is None else ast.unparse(default), named) for name, default, named in rows]


def _type_of(function, name, default):
    if name == "mode" and function in MANY_MODES:
        return "Mode | Sequence[Mode]"
    if name == "axes" and function == "rotate":
        return "Ints"
    of_one_axis = function.endswith("1d") or function in MODULES["splines"]
    found = _ONE[name] if of_one_axis and name in _ONE else _TYPES[name]
    return f"{found} | None" if default == "None" and name != "output" and "None" not in found else found


def _words(function, rows, more, by_place=False):
    """The parameters with their types; `more` says what some are in an overload. Those without a default need their names, or with
    `by_place` all before them."""
    given = [i for i, (name, default, _) in enumerate(rows) if default is not None and "=" not in more.get(name, "=")]
    if by_place:
        rows = [(name, None if i < max(given) else default, named) for i, (name, default, named) in enumerate(rows)]
    words, starred = [], False
    for i, (name, default, named) in enumerate(rows):
        if (named or (i in given and not by_place)) and not starred:
            words.append("*")
            starred = True
        if name in more:
            words.append(f"{name}: {more[name]}")
        else:
            literal = default if default is None or default[0].isdigit() or default[0] in "-'({NTF" else "..."
            words.append(f"{name}: {_type_of(function, name, default)}" + ("" if literal is None else f" = {literal}"))
    return words


def _overloads(name):
    """What some parameters are, and the result."""
    if name == "label":
        return [({"output": "Array"}, "int"), ({"output": "DType | None = None"}, "tuple[Array, int]")]
    if name == "iterate_structure":
        return [({"origin": "None = None"}, "Array"), ({"origin": "Ints"}, "tuple[Array, list[int]]")]
    if name in ("binary_fill_holes", "binary_hit_or_miss"):
        return [({"output": "Array"}, "None"), ({"output": "DType | None = None"}, "Array")]
    if name in _MEASURED:
        one, several = _MEASURED[name]
        return [({"index": "Index | None = None"}, one), ({"index": "Sequence[Any] | Array"}, several)]
    if name in MODULES["distance"]:
        new = {"distances": "None = None", "indices": "None = None"}
        return [
            ({"return_distances": "Literal[True] = True", "return_indices": "Literal[False] = False", **new}, "Array"),
            ({"return_distances": "Literal[True] = True", "return_indices": "Literal[True]", **new}, "tuple[Array, Array]"),
            ({"return_distances": "Literal[False]", "return_indices": "Literal[True]", **new}, "Array"),
            ({}, "Any"),
        ]
    return [({}, _RETURNS.get(name, "Array"))]


def _function(node):
    rows = _parameters_of(node)
    lines = []
    for more, result in _overloads(node.name):
        roads = [False, True] if any("=" not in one for one in more.values()) and "return_distances" not in more else [False]
        for by_place in roads:
            words = _words(node.name, rows, more, by_place) + (["**kwargs: Any"] if node.args.kwarg else [])
            lines.append(f"def {node.name}({', '.join(words)}) -> {result}: ...")
    return lines if len(lines) == 1 else [f"@overload\n{line}" for line in lines]


def _functions():
    """Their syntax by name."""
    found = {}
    for module, names in MODULES.items():
        text = (Path(__file__).parent / f"_ndimage_{module}.py").read_text(encoding="utf-8")
        nodes = {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
        found |= {name: nodes[name] for name in names}
    return found


def text():
    lines = [line for _, node in sorted(_functions().items()) for line in _function(node)]
    return _HEAD + "\n".join(lines) + "\n" + _SCIPYS


_DASK_HEAD = '''\
# Written from the functions' own parameters.
from collections.abc import Sequence
from typing import Any

from dask.array.core import Array
from numpy.typing import ArrayLike, DTypeLike

from ..ndimage import Floats, Index, Ints, Mode, Number
from ..ndimage import generate_binary_structure as generate_binary_structure, iterate_structure as iterate_structure

'''


def text_of_dask():
    lines = []
    for name, node in sorted(_functions().items()):
        if name in LOCAL:
            types = {"input": "Array", "mask": "ArrayLike | Array | None = None"}
            words = _words(name, _parameters_of(node), {})
            words = [f"{word}: {types[word]}" if (word := one.split(":")[0]) in types else one for one in words]
            words = [one.replace("Array | DTypeLike", "DTypeLike") for one in words] + (["**kwargs: Any"] if node.args.kwarg else [])
            lines.append(f"def {name}({', '.join(words)}) -> Array: ...")
    return _DASK_HEAD + "\n".join(lines) + "\n"
