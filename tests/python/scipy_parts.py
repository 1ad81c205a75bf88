"""Random arguments for the functions of scipy.ndimage that label, measure, take distances or filter spectra."""

import numpy

NUMBERS = ["uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64"]


def _some(random, choices):
    return choices[random.integers(len(choices))]


def _symmetric(random, rank):
    structure = random.random((3,) * rank) > 0.6
    return structure | structure[(slice(None, None, -1),) * rank]


def _output(random, array, dtypes):
    """None, a type, or an array in some order."""
    dtype = numpy.dtype(_some(random, dtypes)).type
    empty = numpy.full(array.shape, 7, dtype)
    return _some(random, [None, None, dtype, empty, numpy.asfortranarray(empty), empty[(slice(None, None, -1),) * array.ndim]])


def _label(random, array, axis):
    array = array.astype(array.dtype.newbyteorder("="))  # SciPy refuses others
    named = {"output": _output(random, array, [*NUMBERS, "float32", "float64"])}
    if random.random() < 0.7:
        named["structure"] = _symmetric(random, array.ndim)
    return array * (random.random(array.shape) < random.random()).astype(array.dtype), named


def _find_objects(random, array, axis):
    labels = random.integers(-2, int(random.integers(1, 40)), array.shape).astype(_some(random, NUMBERS))
    return labels, {"max_label": int(random.integers(1, 50))}


def _labels(random, array):
    """With a label for each value, of few or many; perhaps fewer axes."""
    shape = array.shape[int(random.integers(array.ndim)) :] if random.random() < 0.2 else array.shape
    most = int(random.integers(1, 12))
    labels = random.integers(-1 if random.random() < 0.2 else 0, most + 1, shape)
    return labels.astype(_some(random, [*NUMBERS, "float64", "bool"]))


def _groups(random, array, axis):
    if array.dtype.kind != "b" and random.random() < 0.2:
        array = array * (1 + 1j) if random.random() < 0.3 and array.dtype.kind == "f" else numpy.asfortranarray(array)
    named = {}
    if random.random() < 0.9:
        named["labels"] = _labels(random, array)
        index = [None, 1, numpy.int64(2), [0, 1, 2], numpy.array([3, 1, 77, 1]), numpy.arange(6).reshape(2, 3), [-1, 1.0]]
        named["index"] = _some(random, index)
    return array, named


def _real_groups(random, array, axis):
    array, named = _groups(random, array, axis)
    return array.real, named


def _spread(values):
    return float(numpy.ptp(values.astype(float)))


def _ends(values, positions):
    return int(positions[0]) + 3 * int(positions[-1])


def _comprehension(random, array, axis):
    array, named = _real_groups(random, array, axis)
    named = {"labels": None, "index": None, **named, "out_dtype": float, "default": -1}
    with_positions = bool(random.integers(2))
    return array, {**named, "func": _ends if with_positions else _spread, "pass_positions": with_positions}


def _histogram(random, array, axis):
    array, named = _real_groups(random, array, axis)
    return array, {**named, "min": -20, "max": float(random.integers(1, 200)), "bins": int(random.integers(1, 9))}


def _value_indices(random, array, axis):
    values = random.integers(0, int(random.integers(1, 40)), array.shape).astype(_some(random, NUMBERS))
    return values, _some(random, [{}, {"ignore_value": 3}])


def _solid(random, array):
    return random.random(array.shape) > random.random() ** 3


def _distances(random, array, dtype):
    """Which results there are, and where."""
    kind = int(random.integers(4))
    named = [{}, {"return_indices": True}, {"return_distances": False, "return_indices": True}, {}][kind]
    if kind == 3:
        named = {"distances": numpy.full(array.shape, 3, dtype)}
        if random.random() < 0.5:
            named["return_indices"] = True
            named["indices"] = numpy.indices(array.shape, dtype=numpy.int32)
    return named


def _sampling(random, array):
    several = list(random.random(array.ndim) + 0.01)
    return _some(random, [{}, {"sampling": float(random.random() * 3 + 0.01)}, {"sampling": several}])


def _edt(random, array, axis):
    array = _solid(random, array)
    if random.random() < 0.1:
        array = array | True
    return array, {**_distances(random, array, "float64"), **_sampling(random, array)}


def _cdt(random, array, axis):
    array = _solid(random, array)
    some = random.random((3,) * array.ndim) > 0.5
    metric = _some(random, ["chessboard", "taxicab", "cityblock", _symmetric(random, array.ndim), some])
    metric = metric.astype(_some(random, ["bool", "int64"])) if isinstance(metric, numpy.ndarray) else metric
    return array, {"metric": metric, **_distances(random, array, "int32")}


def _bf(random, array, axis):
    array = _solid(random, array[tuple(slice(0, 12) for _ in array.shape)])
    metric = _some(random, ["euclidean", "taxicab", "chessboard"])
    sampling = _sampling(random, array)
    return array, {"metric": metric, **_distances(random, array, "float64" if metric == "euclidean" else "uint32"), **sampling}


def _until_done(random, array, axis):
    """Until nothing changes, by a structure that may or may not be symmetric, with its middle in it."""
    structure = _symmetric(random, array.ndim) if random.random() < 0.6 else random.random((3,) * array.ndim) > 0.5
    structure[(1,) * array.ndim] = True
    named = _some(random, [{}, {"structure": structure}])
    return random.random(array.shape) < random.random(), {**named, "output": _some(random, [None, numpy.zeros(array.shape, bool)])}


def _until_done_in_mask(random, array, axis):
    array, named = _until_done(random, array, axis)
    named["mask"] = _some(random, [None, random.random(array.shape) < 0.6])
    return array & (random.random(array.shape) < 0.1), {**named, "border_value": int(random.integers(2))}


def _spectrum(random, array, name, types):
    if random.random() < 0.6:
        array = array.astype(_some(random, ["float32", "complex64", "complex128"]))
    at = int(random.integers(-array.ndim, array.ndim))
    sizes = _some(random, [float(random.random() * 9), list(random.random(array.ndim) * 5), float(random.random() * 4 - 2)])
    named = {name: sizes, "n": int(_some(random, [-1, 2 * array.shape[at]])), "axis": at}
    types = types[:2] if array.dtype.kind == "c" else types
    return array, {**named, "output": _output(random, array, types)}


def _fourier_size(random, array, axis):
    return _spectrum(random, array, "size", ["complex64", "complex128", "float32", "float64"])


def _fourier_ellipsoid(random, array, axis):
    return _fourier_size(random, array[(0,) * max(array.ndim - 3, 0)], axis)


def _fourier_sigma(random, array, axis):
    return _spectrum(random, array, "sigma", ["complex64", "complex128", "float32", "float64"])


def _fourier_shift(random, array, axis):
    return _spectrum(random, array, "shift", ["complex64", "complex128"])


#: What makes an array, from one of any type, and arguments.
PARTS = {
    "binary_fill_holes": _until_done, "binary_propagation": _until_done_in_mask, "center_of_mass": _groups, "distance_transform_bf": _bf, "distance_transform_cdt": _cdt, "distance_transform_edt": _edt,
    "extrema": _real_groups, "find_objects": _find_objects, "fourier_ellipsoid": _fourier_ellipsoid,
    "fourier_gaussian": _fourier_sigma, "fourier_shift": _fourier_shift, "fourier_uniform": _fourier_size,
    "histogram": _histogram, "label": _label, "labeled_comprehension": _comprehension, "maximum": _real_groups,
    "maximum_position": _real_groups, "mean": _groups, "median": _real_groups, "minimum": _real_groups,
    "minimum_position": _real_groups, "standard_deviation": _groups, "sum": _groups, "sum_labels": _groups,
    "value_indices": _value_indices, "variance": _groups,
}  # fmt: skip
