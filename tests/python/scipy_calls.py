"""Random calls of functions of scipy.ndimage, and whether two results have the same bits. scripts/scipy_bits uses it, too."""

import warnings

import numpy
from scipy_parts import PARTS

from glproc import _ndimage_versions

TYPES = ["float64", "float32", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "bool"]
MODES = ["reflect", "mirror", "nearest", "wrap", "constant", "grid-mirror", "grid-wrap", "grid-constant"]


def array_of(random, dtype, shape):
    """Noise of any size: results may be beyond their type."""
    if dtype == "bool":
        return random.random(shape) > 0.5
    if dtype.startswith("float"):
        scale = 10.0 ** random.integers(-30, 12) if random.random() < 0.3 else 1
        return ((random.random(shape) * 300 - 150) * scale).astype(dtype)
    limits = numpy.iinfo(dtype)
    if random.random() < 0.5:
        return random.integers(0, 120, shape).astype(dtype)
    return random.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)


def laid_out(random, array):
    """The same values, perhaps with other strides or another byte order."""
    if random.random() < 0.3:
        array = array[(slice(None, None, -1),) * array.ndim]
    if random.random() < 0.3:
        array = array.T
    if random.random() < 0.2:
        array = array.astype(array.dtype.newbyteorder(">"))
    return array


def _origin(random, size):
    return int(random.integers(-(size // 2), (size - 1) // 2 + 1))


def _weights(random):
    weights = random.random(int(random.integers(1, 12))) - 0.3
    kind = random.integers(3)
    return weights if kind == 0 else weights + weights[::-1] if kind == 1 else weights - weights[::-1]


def _correlate1d(random, array, axis):
    weights = _weights(random)
    return {"weights": weights, "axis": axis, "origin": _origin(random, len(weights))}


def _convolve1d(random, array, axis):
    named = _correlate1d(random, array, axis)
    named["origin"] = -named["origin"] - 1 + len(named["weights"]) % 2
    return named


def _gaussian_filter(random, array, axis):
    modes = [MODES[random.integers(len(MODES))] for _ in array.shape]
    sigmas = [float(random.random() * 3) for _ in array.shape]
    return {"sigma": sigmas, "order": int(random.choice([0, 0, 1, 2, 3])), "mode": modes}


def _gaussian_filter1d(random, array, axis):
    return {"sigma": float(random.random() * 5 + 0.01), "axis": axis, "order": int(random.integers(0, 3))}


def _box(random, array, axis):
    sizes = [int(random.integers(1, 9)) for _ in array.shape]
    return {"size": sizes, "origin": [_origin(random, size) for size in sizes]}


def _window(random, array, axis):
    size = int(random.integers(1, 20))
    return {"size": size, "axis": axis, "origin": _origin(random, size)}


def _sigma(random, array, axis):
    return {"sigma": float(random.random() * 2 + 0.1)}


def _axis(random, array, axis):
    return {"axis": axis}


def _nothing(random, array, axis):
    return {}


def _footprint(random, array):
    """A shape of its own with an origin, and whether each place is used."""
    shape = [int(random.integers(1, 6 - min(array.ndim, 3))) for _ in array.shape]
    footprint = random.random(shape) > 0.3
    footprint.flat[random.integers(footprint.size)] = True
    return footprint, [_origin(random, size) for size in shape]


def _weighed(random, array, axis):
    footprint, origins = _footprint(random, array)
    return {"weights": (random.random(footprint.shape) - 0.4) * footprint, "origin": origins}


def _turned(random, array, axis):
    named = _weighed(random, array, axis)
    shape = named["weights"].shape
    return {**named, "origin": [-one - 1 + size % 2 for one, size in zip(named["origin"], shape)]}


def _used(random, array, axis):
    footprint, origins = _footprint(random, array)
    return {"footprint": footprint, "origin": origins}


def _used_turned(random, array, axis):
    footprint, origins = _footprint(random, array)
    return {"footprint": footprint, "origin": [-one - 1 + size % 2 for one, size in zip(origins, footprint.shape)]}


def _ranked(random, array, axis):
    named = _used(random, array, axis)
    return {**named, "rank": int(random.integers(named["footprint"].sum()))}


def _percentile(random, array, axis):
    return {**_used(random, array, axis), "percentile": float(random.random() * 200 - 100)}


def _middle(random, array, axis):
    return {"footprint": _footprint(random, array)[0]}


def _set(random, array, axis):
    """For functions of sets, which know no modes."""
    structure, origins = _footprint(random, array)
    named = {"structure": structure, "iterations": int(random.integers(0, 4)), "border_value": int(random.integers(2))}
    if random.random() < 0.5:
        named["mask"] = random.random(array.shape) > 0.4
    if named["iterations"] < 1:  # until nothing changes, which takes a middle that is in it
        if random.random() < 0.5:
            structure = named["structure"] = numpy.ones((3,) * array.ndim, bool)
        structure[tuple(size // 2 for size in structure.shape)] = True
        return named
    return {**named, "origin": origins}


def _set_turned(random, array, axis):
    named = _set(random, array, axis)
    if "origin" in named:
        named["origin"] = [-one - 1 + size % 2 for one, size in zip(named["origin"], named["structure"].shape)]
    return named


def _set_both(random, array, axis):
    named = _set(random, array, axis)
    named.pop("origin", None)
    return named


#: Functions by a footprint.
FOOTPRINTS = {
    "binary_closing": _set_both, "binary_dilation": _set_turned, "binary_erosion": _set, "binary_opening": _set_both,
    "black_tophat": _middle, "convolve": _turned, "correlate": _weighed, "grey_closing": _middle, "grey_dilation": _used_turned,
    "grey_erosion": _used, "grey_opening": _middle, "maximum_filter": _used, "median_filter": _used, "minimum_filter": _used,
    "morphological_gradient": _middle, "morphological_laplace": _middle, "percentile_filter": _percentile,
    "rank_filter": _ranked, "white_tophat": _middle,
}  # fmt: skip
#: What makes the arguments of a function.
LINES = {
    "convolve1d": _convolve1d, "correlate1d": _correlate1d, "gaussian_filter": _gaussian_filter,
    "gaussian_filter1d": _gaussian_filter1d, "gaussian_gradient_magnitude": _sigma, "gaussian_laplace": _sigma,
    "laplace": _nothing, "maximum_filter1d": _window, "minimum_filter1d": _window, "prewitt": _axis, "sobel": _axis,
    "uniform_filter": _box, "uniform_filter1d": _window,
}  # fmt: skip


def _spline(random, named):
    """What all functions take that resample."""
    return {**named, "order": int(random.integers(0, 6)), "prefilter": bool(random.random() < 0.8)}


def _coefficients(random, array, axis):
    return {"order": int(random.integers(2, 6))}


def _coefficients1d(random, array, axis):
    return {"order": int(random.integers(2, 6)), "axis": axis}


def _zoomed(random, array, axis):
    factors = [float(factor) for factor in random.random(array.ndim) * 2 + 0.1]
    return _spline(random, {"zoom": factors, "grid_mode": bool(random.random() < 0.5)})


def _shifted(random, array, axis):
    return _spline(random, {"shift": [float(one) for one in random.random(array.ndim) * 30 - 15]})


def _mapped(random, array, axis):
    shape = tuple(int(random.integers(1, 9)) for _ in range(random.integers(1, 3)))
    sizes = numpy.array(array.shape).reshape((array.ndim,) + (1,) * len(shape))
    coordinates = (random.random((array.ndim, *shape)) * 3 - 1) * sizes
    return _spline(random, {"coordinates": numpy.round(coordinates) if random.random() < 0.3 else coordinates})


def _transformed(random, array, axis):
    matrix = random.random((array.ndim, array.ndim)) * 3 - 1.5 if random.random() < 0.7 else random.random(array.ndim) * 2 + 0.1
    shape = tuple(int(random.integers(1, 12)) for _ in array.shape)
    offset = [float(one) for one in random.random(array.ndim) * 9 - 4]
    return _spline(random, {"matrix": matrix, "offset": offset, "output_shape": shape})


def _rotated(random, array, axis):
    angle = float(random.integers(-4, 5)) * 90 if random.random() < 0.2 else float(random.random() * 720 - 360)
    axes = tuple(int(one) for one in random.permutation(array.ndim)[:2])
    return _spline(random, {"angle": angle, "axes": axes, "reshape": bool(random.random() < 0.5)})


#: Functions by splines. Of four axes they would take SciPy a minute.
SPLINES = {
    "affine_transform": _transformed, "map_coordinates": _mapped, "rotate": _rotated, "shift": _shifted,
    "spline_filter": _coefficients, "spline_filter1d": _coefficients1d, "zoom": _zoomed,
}  # fmt: skip


def calls(count, seed, functions=None):
    """Names, arrays and arguments."""
    random = numpy.random.default_rng(seed)
    functions = functions or {**LINES, **FOOTPRINTS, **SPLINES, **PARTS}
    for _ in range(count):
        name = sorted(functions)[random.integers(len(functions))]
        rank = int(random.integers(2 if name == "rotate" else 1, 4 if name in SPLINES else 5))
        shape = tuple(int(random.integers(1, (90, 40, 16, 9)[rank - 1])) for _ in range(rank))
        array = laid_out(random, array_of(random, TYPES[random.integers(len(TYPES))], shape))
        if name in PARTS:
            yield name, *PARTS[name](random, array, int(random.integers(-rank, rank)))
            continue
        named = {"mode": MODES[random.integers(len(MODES))], "cval": float(random.integers(-3, 300)) / 4}
        if random.random() < 0.4:
            named["output"] = numpy.dtype(TYPES[random.integers(len(TYPES))])
        if name.startswith("binary"):
            array, named = array != 0, {}
        elif name.startswith("spline"):
            del named["cval"]
        named.update(functions[name](random, array, int(random.integers(-rank, rank))))
        yield name, array, named


def result_of(function, array, named):
    """What it returns, or raises, and the arrays that it wrote to."""
    named = {name: value.copy("K") if isinstance(value, numpy.ndarray) else value for name, value in named.items()}
    written = [named[name] for name in ("output", "distances", "indices") if isinstance(named.get(name), numpy.ndarray)]
    with numpy.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            made = function(array, **named)
        except Exception as error:
            return error
    return (made, written) if written else made


def scipys(name, array, named):
    """What SciPy returns, or would without its faults."""
    import scipy.ndimage

    function = getattr(scipy.ndimage, name)
    if array.ndim == 1 and name in _ndimage_versions.RANKS and _ndimage_versions.ranks_lines_alone() and _fails_on_lines(array, named):
        return _as_a_column(function, array, named)
    theirs = result_of(function, array, named)
    if isinstance(theirs, IndexError) and "labels" in named:  # by NumPy 2, of labels that are the largest of their type
        return result_of(function, array, {**named, "labels": named["labels"].astype(numpy.int64)})
    return theirs


def _fails_on_lines(array, named):
    """Where the code for one axis is wrong, writes past the result, or refuses the type."""
    used, origin = named["footprint"], named["origin"][0] if "origin" in named else 0
    is_native = array.dtype.isnative
    is_other_type = is_native and array.dtype.char in "lfd" and numpy.dtype(named.get("output", array.dtype)) != array.dtype
    is_refused = not is_native and array.dtype.kind == "f"
    return not used.all() or is_other_type or is_refused or array.dtype.char == "L" or len(used) + abs(origin) + 2 > len(array)


def _as_a_column(function, array, named):
    """The same by the code for several axes."""
    origin = [*named.get("origin", [0]), 0]
    made = result_of(function, array[:, None], {**named, "footprint": named["footprint"][:, None], "origin": origin})
    return made if isinstance(made, Exception) else made[:, 0]


def same(ours, theirs):
    """Whether they are of one type and shape and have the same bits. NaNs may have different ones."""
    if isinstance(ours, Exception) or isinstance(theirs, Exception):
        return type(ours) is type(theirs)
    if isinstance(theirs, (tuple, list)):
        return type(ours) is type(theirs) and len(ours) == len(theirs) and all(map(same, ours, theirs))
    if isinstance(theirs, dict):
        return list(ours) == list(theirs) and all(same(ours[key], theirs[key]) for key in theirs)
    if not isinstance(theirs, (numpy.ndarray, numpy.generic)):
        return type(ours) is type(theirs) and ours == theirs
    if type(ours) is not type(theirs) or ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return False
    if ours.dtype.kind == "O":
        return all(map(same, ours.ravel().tolist(), theirs.ravel().tolist()))
    return _same_bits(numpy.ascontiguousarray(ours), numpy.ascontiguousarray(theirs))


def _same_bits(ours, theirs):
    if ours.dtype.kind == "c":
        ours, theirs = ours.view(ours.real.dtype), theirs.view(theirs.real.dtype)
    bits = f"u{ours.dtype.itemsize}"
    equal = ours.view(bits) == theirs.view(bits)
    if ours.dtype.kind == "f":
        equal |= numpy.isnan(ours) & numpy.isnan(theirs)
    return bool(equal.all())
