"""scipy.ndimage on Dask arrays: the filters of glproc.ndimage whose values depend on others nearby, part by part.

>>> import dask.array
>>> from glproc.dask import ndimage
>>> volume = dask.array.from_zarr("scan.zarr")
>>> ndimage.gaussian_filter(volume, sigma=2).to_zarr("soft.zarr")

Arrays have any number of axes. Functions have the parameters of glproc.ndimage, except that `output` is a type. Each part comes with
as many neighbours along each axis as the filter needs, so the result has the same bits as on the whole array. Running means of floats
depend on all values before them on their line: arrays are cut anew so that these lines are whole.

Labels, measures, distances, splines and spectra depend on the whole array, and are not here.
"""

import inspect

import dask.array
import numpy

from .. import _ndimage_names
from .. import ndimage as _whole
from .._calls import bound
from .._ndimage_lines import gaussian_radius
from .._ndimage_support import axes_of, axis_of, each_of
from . import _cut

__all__ = []
#: How far a filter reaches along each axis if it depends on all of the line.
_ALL = None


def _around(size, origin):
    """Of a window, whichever way it is turned."""
    return int(size) // 2 + abs(int(origin))


def _on_axes(given, reach):
    """What reach(name → value of this axis) is along each axis, 0 along those that are left out."""
    rank, axes = given["rank of input"], axes_of(given.get("axes"), given["rank of input"])
    names = [name for name in ("sigma", "radius", "size", "origin") if name in given]
    rows = zip(*(each_of(given[name], len(axes)) for name in names)) if names else [()] * len(axes)
    found = [0] * rank
    for axis, row in zip(axes, rows):
        found[axis] = reach(dict(zip(names, row)))
    return found


def _on_axis(given, reach):
    rank = given["rank of input"]
    found = [0] * rank
    found[axis_of(given["axis"], rank)] = reach
    return found


def _of_gaussian(given):
    given = {"truncate": 4.0, "radius": None, **given, **given.get("kwargs", {})}

    def reach(one):
        return gaussian_radius(one["sigma"], given["truncate"], one["radius"]) if one["sigma"] > 1e-15 else 0

    if "axis" in given:
        return _on_axis(given, gaussian_radius(given["sigma"], given["truncate"], given["radius"]))
    return _on_axes(given, reach)


def _of_neighbours(given):
    return _on_axes({name: given[name] for name in ("rank of input", "axes") if name in given}, lambda one: 1)


def _of_weights(given):
    if "axis" in given:
        return _on_axis(given, _around(len(given["weights"]), given["origin"]))
    sizes = numpy.shape(given["weights"])
    return [_around(size, origin) for size, origin in zip(sizes, each_of(given["origin"], len(sizes)))]


def _of_box(given):
    if "axis" in given:
        return _on_axis(given, _around(given["size"], given["origin"]))
    footprint = given.get("footprint")
    footprint = given.get("structure") if footprint is None else footprint
    size = numpy.shape(footprint) if footprint is not None else given["size"]
    return _on_axes({**given, "size": 1 if size is None else size}, lambda one: _around(one["size"], one["origin"]))


def _of_means(given):
    """Sums of small integers are exact wherever they begin."""
    dtypes = given["type of input"], numpy.dtype(given["output"] or given["type of input"])
    is_exact = all(dtype.kind in "biu" and dtype.itemsize <= 4 for dtype in dtypes) and float(given["cval"]).is_integer()
    return [reach if is_exact or reach == 0 else _ALL for reach in _of_box(given)]


def _of_structure(given):
    rank, iterations = given["rank of input"], int(given.get("iterations", 1))
    if iterations < 1:
        raise NotImplementedError("iterations: as many as there are changes, which depend on the whole array")
    pairs = [(given.get("structure", given.get("structure1")), given.get("origin", given.get("origin1")))]
    if given.get("structure2") is not None:
        pairs.append((given["structure2"], pairs[0][1]))
    if given.get("origin2") is not None:
        pairs.append((pairs[-1][0], given["origin2"]))
    reach = [0] * rank
    for structure, origin in pairs:
        sizes = [3] * rank if structure is None else numpy.shape(structure)
        reach = [max(old, iterations * _around(*one)) for old, *one in zip(reach, sizes, each_of(origin, rank))]
    return reach


def _twice(of):
    return lambda given: [2 * reach for reach in of(given)]


#: How far each function reaches along each axis.
_REACHES = {
    **{name: _of_gaussian for name in (
        "gaussian_filter", "gaussian_filter1d", "gaussian_gradient_magnitude", "gaussian_laplace",
    )},
    **{name: _of_neighbours for name in ("laplace", "prewitt", "sobel")},
    **{name: _of_weights for name in ("convolve", "convolve1d", "correlate", "correlate1d")},
    **{name: _of_means for name in ("uniform_filter", "uniform_filter1d")},
    **{name: _of_box for name in (
        "grey_dilation", "grey_erosion", "maximum_filter", "maximum_filter1d", "median_filter", "minimum_filter",
        "minimum_filter1d", "morphological_gradient", "morphological_laplace", "percentile_filter", "rank_filter",
    )},
    **{name: _twice(_of_box) for name in ("black_tophat", "grey_closing", "grey_opening", "white_tophat")},
    **{name: _of_structure for name in ("binary_dilation", "binary_erosion", "binary_hit_or_miss")},
    **{name: _twice(_of_structure) for name in ("binary_closing", "binary_opening")},
}  # fmt: skip


def _map(name, signature, arguments, named):
    """The filter of each part and what lies around it."""
    call = bound(name, signature, arguments, named)
    call.apply_defaults()
    given = dict(call.arguments)
    array, mask = given["input"], given.get("mask")
    if not isinstance(array, dask.array.Array):
        raise TypeError(f"{name} takes a Dask array, not {type(array).__name__}; glproc.ndimage takes others")
    if isinstance(given["output"], (numpy.ndarray, dask.array.Array)):
        raise TypeError(f"{name}: output is a type here, not an array")
    reach = _REACHES[name]({**given, "rank of input": array.ndim, "type of input": array.dtype})
    rest = {key: value for key, value in given.items() if key not in ("input", "mask", "kwargs")} | given.get("kwargs", {})
    sources = [array] if mask is None else [array, dask.array.asarray(mask)]
    if sources[-1].shape != array.shape:
        raise RuntimeError("mask and input must have equal sizes")
    like = [numpy.zeros((1,) * array.ndim, source.dtype) for source in sources]
    dtype = _part(*like, function=name, named=rest).dtype  # and an error for what is wrong with the arguments
    if _ALL in reach:
        return _of_lines(name, array, rest, reach, dtype)
    return _of_neighbourhoods(sources, reach, given, {"dtype": dtype, "function": name, "named": rest})


def _of_neighbourhoods(sources, reach, given, call):
    """Like glproc.dask's, for any number of axes."""
    if 0 in sources[0].shape or not reach:
        return dask.array.map_blocks(_part, *sources, **call)
    chunks = tuple(_cut(lengths, max(far, 1), 1) for lengths, far in zip(sources[0].chunks, reach))
    depth = {axis: far if len(chunks[axis]) > 1 else 0 for axis, far in enumerate(reach)}
    return dask.array.map_overlap(
        _part, *(source.rechunk(chunks) for source in sources), depth=[depth] * len(sources),
        boundary=[_beyond(given, depth)] * len(sources), trim=True, align_arrays=False,
        meta=numpy.empty((0,) * len(reach), call["dtype"]), **call,
    )  # fmt: skip


def _of_lines(name, array, named, reach, dtype):
    """One axis after another, so that only the lines along this one are whole."""
    for axis, far in enumerate(reach):
        if far == 0:
            continue
        one = named
        if name == "uniform_filter":
            axes = axes_of(named["axes"], array.ndim)
            one = {key: each_of(named[key], len(axes))[axes.index(axis)] for key in ("size", "mode", "origin")}
            one = {**named, **one, "axes": (axis,), "output": dtype}
        array = array.rechunk({other: -1 if other == axis else "auto" for other in range(array.ndim)})
        array = array.map_blocks(_part, dtype=dtype, function=name, named=one, meta=numpy.empty((0,) * array.ndim, dtype))
    return array


def _beyond(given, depth):
    """What Dask puts around the array: nothing, so that the filter sees where it ends, but where it begins again."""
    modes = given.get("mode", "reflect")
    many = isinstance(modes, (list, tuple))
    axes = axes_of(given.get("axes"), len(depth)) if many else list(depth)
    modes = dict(zip(axes, modes if many else [modes] * len(axes)))
    is_around = {axis: far and modes.get(axis) in ("wrap", "grid-wrap") for axis, far in depth.items()}
    return {axis: "periodic" if around else "none" for axis, around in is_around.items()}


def _part(block, mask=None, *, function, named):
    return getattr(_whole, function)(block, **(named if mask is None else {**named, "mask": mask}))


def _make(name):
    model = getattr(_whole, name)
    signature = inspect.signature(model)

    def function(*arguments, **named):
        return _map(name, signature, arguments, named)

    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    function.__signature__ = signature
    summary, _, rest = model.__doc__.partition("\n\n")
    here = f"It is glproc.ndimage.{name}() of a Dask array, part by part. `output` is a type here."
    function.__doc__ = f"{summary}\n\n{here}\n\n{rest}"
    return function


for _name in sorted(_REACHES):
    globals()[_name] = _make(_name)
    __all__.append(_name)
for _name in ("generate_binary_structure", "iterate_structure"):  # of small arrays, for the others
    globals()[_name] = getattr(_whole, _name)
    __all__.append(_name)
del _name


def __getattr__(name):
    if name in _whole.coverage():
        why = "depends on the whole array" if name not in _ndimage_names.SCIPYS else "is SciPy's alone"
        raise AttributeError(f"{name} {why}; glproc.ndimage.{name}(array.compute()) does it in memory")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
